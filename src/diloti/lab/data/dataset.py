"""A data set on disk: a folder with its job, and records and tables in parts.

A file is written under another name and renamed, so a part that is there is whole, whatever has
happened meanwhile. One program at a time writes into a folder: `writing_alone` sees to it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import polars as pl

from diloti.core.errors import N_, DilotiError
from diloti.core.record import Record
from diloti.core.record_reader import RecordError, parse_record, split_records
from diloti.lab.data.job import Job, read_job, write_job
from diloti.lab.data.parts import Part
from diloti.lab.data.writing import LOCK_FILE
from diloti.words.files import file_trouble

Found = TypeVar("Found")

JOB_FILE, CARD_FILE = "dataset.json", "CARD.md"
RECORDS, PLAYS, DEALS = "records", "plays", "deals"

_UNFINISHED = ".unfinished"
_ENDINGS = {RECORDS: "txt", PLAYS: "parquet", DEALS: "parquet"}


class DatasetError(DilotiError):
    """A folder that does not hold the data set that was looked for."""


@dataclass(frozen=True)
class Dataset:
    """The data set in a folder; the parts that are there, where some are missing."""

    folder: Path
    job: Job

    @property
    def missing(self) -> list[int]:
        """The numbers of the parts that are not there."""
        return [number for number in range(self.job.parts) if not self._has(number)]

    @property
    def parts(self) -> list[int]:
        """The numbers of the parts that are there."""
        return [number for number in range(self.job.parts) if self._has(number)]

    def _has(self, number: int) -> bool:
        return all(self.file(kind, number).exists() for kind in _ENDINGS)

    def file(self, kind: str, number: int) -> Path:
        """Where a part is: `kind` is `RECORDS`, `PLAYS` or `DEALS`."""
        return self.folder / kind / f"part-{number:05}.{_ENDINGS[kind]}"

    def strays(self) -> list[Path]:
        """Files that belong to no part, and would be read with those that do."""
        own = {self.file(kind, number) for kind in _ENDINGS for number in range(self.job.parts)}
        found = {
            file
            for kind, ending in _ENDINGS.items()
            for file in (self.folder / kind).rglob(f"*.{ending}")
        }
        return sorted(found - own)

    def scan_plays(self) -> pl.LazyFrame:
        """One row a play, in order, read when asked for; `DatasetError` where no part is there."""
        return self._scan(PLAYS)

    def scan_deals(self) -> pl.LazyFrame:
        """One row a deal, in order, read when asked for; `DatasetError` where no part is there."""
        return self._scan(DEALS)

    def count_plays(self) -> int:
        """Number of rows of `scan_plays`; `DatasetError` names a file that cannot be read."""
        return self._count(PLAYS)

    def count_deals(self) -> int:
        """Number of rows of `scan_deals`; `DatasetError` names a file that cannot be read."""
        return self._count(DEALS)

    def check_tables(self) -> None:
        """Raise `DatasetError` for a table that cannot be read; its rows are not looked at."""
        for kind in (PLAYS, DEALS):
            self._count(kind)

    def _count(self, kind: str) -> int:
        return sum(_count_rows(self.file(kind, number)) for number in self.parts)

    def _scan(self, kind: str) -> pl.LazyFrame:
        files = [self.file(kind, number) for number in self.parts]
        if not files:
            raise DatasetError(N_("{folder} holds no part of its data set yet"), folder=self.folder)
        return pl.scan_parquet(files, glob=False)

    def records(self) -> Iterator[Record]:
        """The games, in order; errors as those of `records_of`."""
        for number in self.parts:
            yield from self.records_of(number)

    def records_of(self, number: int) -> Iterator[Record]:
        """The games of a part, in order.

        `DatasetError` names the file, and the line of it in which a text is no record; at the end
        it says so where there are fewer or more than there should be.
        """
        file = self.file(RECORDS, number)
        try:
            texts = split_records(file.read_text(encoding="utf-8"))
        except UnicodeDecodeError as trouble:
            raise DatasetError(
                N_("{file} cannot be read: {reason}"), file=file, reason=file_trouble(trouble)
            ) from trouble
        line = 0
        for text in texts:
            try:
                yield parse_record(text)
            except RecordError as wrong:
                raise DatasetError(
                    N_("{file}, line {line}: {trouble}"),
                    file=file,
                    line=line + wrong.line,
                    trouble=wrong.trouble,
                ) from wrong
            line += len(text.splitlines())
        expected = len(self.job.games_of(number))
        if len(texts) != expected:
            raise DatasetError(
                N_("{file} has {found} records, not {expected}"),
                file=file,
                found=len(texts),
                expected=expected,
            )

    def keep(self, part: Part) -> None:
        """Write a part."""
        for kind, content in ((RECORDS, part.records), (PLAYS, part.plays), (DEALS, part.deals)):
            file = self.file(kind, part.number)
            file.parent.mkdir(exist_ok=True)
            write_whole(file, content)

    def forget_unfinished(self) -> None:
        """Delete what a program that was ended has left of files it had not yet written."""
        for file in self.folder.glob(f"**/*{_UNFINISHED}"):
            file.unlink()


def _count_rows(file: Path) -> int:
    rows = pl.scan_parquet(file, glob=False).select(pl.len())
    return int(read_table(file, rows.collect).item())


def read_table(file: Path, read: Callable[[], Found]) -> Found:
    """What `read` finds in a parquet file; `DatasetError` says that it is damaged, and what helps.

    Polars raises or panics over such a file, as it comes.
    """
    try:
        return read()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as trouble:
        raise DatasetError(
            N_(
                "{file} is damaged ({reason}); delete it, and the command that makes the data set"
                " makes it again"
            ),
            file=file,
            reason=str(trouble).partition("\n")[0],
        ) from trouble


def open_dataset(folder: Path | str) -> Dataset:
    """The data set in a folder; `DatasetError` where there is none."""
    folder = Path(folder)
    file = folder / JOB_FILE
    try:
        return Dataset(folder, read_job(json.loads(file.read_text(encoding="utf-8"))))
    except FileNotFoundError as trouble:
        raise DatasetError(N_("there is no data set in {folder}"), folder=folder) from trouble
    except (OSError, ValueError, RecursionError) as trouble:
        raise DatasetError(
            N_("{file} cannot be read: {reason}"), file=file, reason=file_trouble(trouble)
        ) from trouble
    except DilotiError as trouble:
        raise DatasetError(
            N_("{file} cannot be read: {reason}"), file=file, reason=trouble
        ) from trouble


def begin_dataset(folder: Path, job: Job) -> Dataset:
    """The data set of this job in a folder that is one's own, begun where it is empty.

    `DatasetError` where the folder holds another one, or something else.
    """
    wanted, file = write_job(job), folder / JOB_FILE
    dataset = Dataset(folder, job)
    if file.exists():
        there = write_job(open_dataset(folder).job)
        differing = [name for name in wanted if there[name] != wanted[name]]
        if differing:
            raise DatasetError(
                N_("{folder} holds another data set; there differ: {fields}"),
                folder=folder,
                fields=", ".join(differing),
            )
    elif any(not path.name.endswith((_UNFINISHED, LOCK_FILE)) for path in folder.iterdir()):
        raise DatasetError(N_("{folder} is not empty, and holds no data set"), folder=folder)
    else:
        write_whole(file, (json.dumps(wanted, indent=2) + "\n").encode())
    dataset.forget_unfinished()
    return dataset


def write_whole(file: Path, content: bytes) -> None:
    """Write a file in one step, on the disk when this returns."""
    unfinished = file.with_name(file.name + _UNFINISHED)
    with unfinished.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    unfinished.replace(file)
