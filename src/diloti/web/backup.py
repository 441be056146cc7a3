"""A copy of the tables, made while they are in use."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from diloti.core.errors import N_, DilotiError
from diloti.web.settings import is_shared
from diloti.words.files import file_trouble


class BackupError(DilotiError):
    """A copy that could not be made; nothing was left half written."""


def back_up(database: str, target: Path) -> None:
    """Copy the database in the file `database` to `target`, as it is at one moment.

    A server may be writing meanwhile. The copy is whole and on disk under its name, or not there.
    """
    if is_shared(database):
        raise BackupError(N_("a PostgreSQL database is copied with its own program: pg_dump"))
    source = Path(database)
    if not source.is_file():
        raise BackupError(N_("there are no tables in {file}"), file=source)
    if target.exists():
        raise BackupError(N_("{file} is there already"), file=target)
    part = target.with_name(f".{target.name}.part")
    try:
        _copy(source, part)
        os.replace(part, target)
    except (OSError, sqlite3.Error) as trouble:
        part.unlink(missing_ok=True)
        raise BackupError(
            N_("{file} could not be written: {reason}"), file=target, reason=file_trouble(trouble)
        ) from trouble


def _copy(source: Path, part: Path) -> None:
    part.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=rw", uri=True)) as reading,
        closing(sqlite3.connect(part)) as writing,
    ):
        reading.backup(writing)
        [(found,)] = writing.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
    with part.open("rb") as written:
        os.fsync(written.fileno())
