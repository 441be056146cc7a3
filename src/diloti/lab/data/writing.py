"""Keeping a second program out of a folder while one writes into it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from diloti.core.errors import N_, DilotiError
from diloti.words.files import file_trouble

try:
    import fcntl
except ModuleNotFoundError:  # not a Unix: nobody is kept out there
    fcntl = None  # type: ignore[assignment]

LOCK_FILE = ".lock"
"""Its name; it is there only while a program writes, or after one was killed."""


class BusyError(DilotiError):
    """A folder into which another program is writing."""


class FolderError(DilotiError):
    """A folder into which nothing can be written."""


@contextlib.contextmanager
def writing_alone(folder: Path) -> Iterator[None]:
    """A folder, made where there is none, into which no other program writes meanwhile.

    `BusyError` where one does already, `FolderError` where nothing can be written there. The system
    forgets the lock of a program that is killed.
    """
    file = folder / LOCK_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        opening = file.open("ab")
    except OSError as trouble:
        raise FolderError(
            N_("{file} could not be written: {reason}"), file=folder, reason=file_trouble(trouble)
        ) from trouble
    with opening as opened:
        if not _has_lock(opened.fileno(), file):
            raise BusyError(N_("another program is writing into {folder}"), folder=folder)
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def _has_lock(descriptor: int, file: Path) -> bool:
    """Lock a file that is open; whether that went well, and it is still the one of its name."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), file.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
