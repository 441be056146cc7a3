"""The file of a score sheet: what several programs write is joined, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

from diloti.core.errors import N_, DilotiError
from diloti.scorebook.count import ScorebookError
from diloti.scorebook.entries import Entries, join, read_entries, write_entries
from diloti.tui.store import free_name, write_file
from diloti.words.files import file_trouble

FORMAT = 1


def _read_json(text: str) -> object:
    """What a text says in JSON, None where it says nothing."""
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None


class ScoreFile:
    """A score sheet on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> Entries | None:
        """The entries of the sheet, None where there is no file; `ScorebookError` for a bad one."""
        try:
            written = _read_json(self.path.read_text(encoding="utf-8"))
            if not isinstance(written, dict) or written.get("format") != FORMAT:
                raise ScorebookError(N_("these are no entries of a score sheet"))
            first, *others = read_entries(written.get("entries"))
            if first.setup is None:
                raise ScorebookError(N_("these are no entries of a score sheet"))
            return join((first,), others)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, DilotiError) as trouble:
            raise ScorebookError(
                N_("the score sheet {file} cannot be used: {trouble}"),
                file=self.path,
                trouble=trouble if isinstance(trouble, DilotiError) else file_trouble(trouble),
            ) from trouble

    def save(self, entries: Entries) -> Entries:
        """Put the entries on the disk, with what another program has written meanwhile; all of it.

        A sheet of another match stays as it is: this one then goes on under another name.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            found = self.load()
            if found is not None and found[0].id == entries[0].id:
                entries = join(entries, found)
            elif found is not None:
                self.path = free_name(self.path)
            lines = [json.dumps(one, ensure_ascii=False) for one in write_entries(entries)]
            text = ",\n".join(lines)
            write_file(self.path, f'{{"format": {FORMAT}, "entries": [\n{text}\n]}}\n')
        except OSError as trouble:
            raise ScorebookError(
                N_("the score sheet could not be saved: {trouble}"), trouble=file_trouble(trouble)
            ) from trouble
        return entries

    def put_away(self) -> Path | None:
        """Make room for a new sheet; where the old one is then, None where there was none."""
        try:
            if not self.path.exists():
                return None
            away = free_name(self.path.with_stem(f"{self.path.stem}-old"))
            self.path.rename(away)
        except OSError as trouble:
            raise ScorebookError(
                N_("the score sheet could not be saved: {trouble}"), trouble=file_trouble(trouble)
            ) from trouble
        return away
