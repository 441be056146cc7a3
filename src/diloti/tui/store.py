"""Where matches are kept: a text record in the user's data folder, written so that none is lost."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from diloti.core.errors import N_, DilotiError
from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.words.files import file_trouble

_NAME = "match.txt"


class StoreError(DilotiError):
    """A match that could not be kept or read."""


class Store:
    """The file of the running match, and the folders of those that are over or were given up.

    `file` is where the running match is, `kept` where the match was written last.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / _NAME
        self.finished = folder / "finished"
        self.unfinished = folder / "unfinished"
        self.kept: Path | None = None
        self._written: str | None = None

    @property
    def has_match(self) -> bool:
        """Whether there is a running match, good or not."""
        try:
            return self._running().exists()
        except OSError:
            return False

    def _running(self) -> Path:
        """The file to resume: the usual one, else the first that had to take another name."""
        numbered = [file for file in self.folder.glob("match-*.txt") if file.stem[6:].isdecimal()]
        others = sorted(numbered, key=lambda file: (len(file.stem), file.stem))
        usual = self.folder / _NAME
        return next((file for file in [usual, *others] if file.exists()), usual)

    def load(self) -> Record | None:
        """The running match, None where there is none.

        A file that is no good record is set aside under another name, and the `StoreError` says
        where it is and what is wrong with it.
        """
        try:
            self.file = self._running()
            text = self.file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as trouble:
            raise self.set_aside(file_trouble(trouble)) from trouble
        try:
            record = parse_record(text)
        except DilotiError as trouble:
            raise self.set_aside(trouble) from trouble
        self._written, self.kept = text, self.file
        return record

    def set_aside(self, trouble: object) -> StoreError:
        """Move a running match that cannot be used to another name; the error to raise for it."""
        aside = free_name(self.folder / "match-unreadable.txt")
        try:
            self.file.rename(aside)
        except OSError as problem:
            return StoreError(
                N_(
                    "the saved match {file} cannot be used ({trouble}) and cannot be moved away"
                    " ({problem}); nothing was changed"
                ),
                file=self.file,
                trouble=trouble,
                problem=file_trouble(problem),
            )
        self._written = None
        return StoreError(
            N_("the saved match is kept as {file}, but cannot be used: {trouble}"),
            trouble=trouble,
            file=aside,
        )

    def put_away(self) -> Path | None:
        """Make room for a new match: the running one moves to `unfinished`.

        The path it has then, None where there was none; `StoreError` where it cannot be moved.
        """
        try:
            self.file = self._running()
            if not self.file.exists():
                return None
            self.unfinished.mkdir(exist_ok=True)
            away = free_name(self.unfinished / _NAME)
            self.file.rename(away)
        except OSError as trouble:
            raise StoreError(
                N_("the running match {file} could not be put away: {trouble}"),
                file=self.file,
                trouble=file_trouble(trouble),
            ) from trouble
        self.file = self.folder / _NAME
        self._written = None
        return away

    def save(self, record: Record) -> None:
        """Keep a match as it is now; a finished one goes to its own file.

        The file is replaced in one step, so whatever happens it holds this state or the one
        before. A running match that another program has written meanwhile stays; this one then
        goes on under another name.
        """
        text = format_record(record)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._is_foreign():
                self.file = free_name(self.folder / _NAME)
            if record.match.is_over:
                self.finished.mkdir(exist_ok=True)
                self.kept = free_name(self.finished / _NAME)
                write_file(self.kept, text)
                self.file.unlink(missing_ok=True)
                self._written = None
            else:
                write_file(self.file, text)
                self.kept = self.file
                self._written = text
        except OSError as trouble:
            raise StoreError(
                N_("the match could not be saved: {trouble}"), trouble=file_trouble(trouble)
            ) from trouble

    def _is_foreign(self) -> bool:
        """Whether the file holds something that this program has neither read nor written."""
        try:
            return self.file.read_text(encoding="utf-8") != self._written
        except FileNotFoundError:
            return False
        except (OSError, UnicodeDecodeError):
            return True


def free_name(path: Path) -> Path:
    """The path itself, or with the first number behind its name under which nothing is kept."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free


def write_file(path: Path, text: str) -> None:
    """Replace a file in one step, on the disk when this returns."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
