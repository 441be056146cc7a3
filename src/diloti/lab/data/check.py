"""Checking a data set: every record played again, every row compared with what that gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl

from diloti.core.errors import N_
from diloti.core.match import Match
from diloti.lab.data.card import format_card_of
from diloti.lab.data.columns import (
    DEAL_COLUMNS,
    JUDGED,
    PLAY_COLUMNS,
    Column,
    Row,
    deal_rows,
    play_rows,
    table,
)
from diloti.lab.data.dataset import (
    CARD_FILE,
    DEALS,
    PLAYS,
    RECORDS,
    Dataset,
    DatasetError,
    open_dataset,
    read_table,
)
from diloti.lab.data.job import Job
from diloti.lab.executors.executor import Executor
from diloti.lab.program import program_name


class Untrue(DatasetError):
    """Something in a data set that its records or its job contradict."""


def check_dataset(
    dataset: Dataset, *, executor: Executor, watch: Callable[[int], object] = lambda _games: None
) -> None:
    """Raise `DatasetError` unless all is there and true, and nothing else with it.

    What the bots thought of plays cannot be told without them: only its form is checked. The
    executor's processes must see the folder. `watch` is told how many games have been checked.
    """
    job = dataset.job
    if missing := dataset.missing:
        raise DatasetError(
            N_("{folder} is not complete: part {number} is missing"),
            folder=dataset.folder,
            number=missing[0],
        )
    for stray in dataset.strays():
        raise Untrue(N_("{file} belongs to no part of this data set"), file=stray)
    done = 0
    for number in executor.run(partial(check_part, dataset.folder), range(job.parts)):
        done += len(job.games_of(number))
        watch(done)
    card = dataset.folder / CARD_FILE
    if not card.exists():
        raise Untrue(N_("{file} is missing"), file=card)
    same_program = job.program == program_name()  # another one may have written another card
    if same_program and card.read_bytes() != format_card_of(dataset).encode():
        raise Untrue(N_("{file} is not the card of this data set"), file=card)


def check_part(folder: Path, number: int) -> int:
    """Check one part, and return its number; errors as those of `check_dataset`."""
    dataset = open_dataset(folder)
    plays: list[Row] = []
    deals: list[Row] = []
    games = dataset.job.games_of(number)
    matches = [record.match for record in dataset.records_of(number)]
    file = dataset.file(RECORDS, number)
    for game, match in zip(games, matches, strict=True):
        if not _is_of(match, dataset.job, game):
            raise Untrue(N_("{file}: this is not game {number} of the data set"),
                file=file, number=game)  # fmt: skip
        plays += play_rows(match, game)
        deals += deal_rows(match, game)
    found = _read(dataset, PLAYS, number, PLAY_COLUMNS)
    _check_judged(dataset.file(PLAYS, number), found)
    known = [column for column in PLAY_COLUMNS if column.name not in JUDGED]
    _compare(dataset.file(PLAYS, number), found.drop(JUDGED), table(known, plays))
    found = _read(dataset, DEALS, number, DEAL_COLUMNS)
    _compare(dataset.file(DEALS, number), found, table(DEAL_COLUMNS, deals))
    return number


def _is_of(match: Match, job: Job, game: int) -> bool:
    """Whether a match is what the job wants as this game, up to the choices of the bots."""
    over = match.is_over if job.whole_matches else len(match.deals) == 1 and match.turn is None
    if not over or match.resigned is not None:
        return False
    if (match.rules, match.names) != (job.rules, job.names_of(game)):
        return False
    wanted = job.deals_of(game)
    for log in match.deals:
        dealt = next(wanted, None)
        if dealt is None or (dealt[0].deal_log.seed, dealt[0].deal_log.dealer) != (
            log.seed,
            log.dealer,
        ):
            return False
        for play in log.plays:
            dealt[0].play(play)
    return next(wanted, None) is None


def _read(dataset: Dataset, kind: str, number: int, columns: tuple[Column, ...]) -> pl.DataFrame:
    """A table of a part; `DatasetError` where it has another form or comes from another job."""
    file = dataset.file(kind, number)
    tags = read_table(file, partial(pl.read_parquet_metadata, file))
    rows = read_table(file, partial(pl.read_parquet, file, glob=False))
    if dataset.job.tags.items() - tags.items():
        raise Untrue(N_("{file} comes from another data set"), file=file)
    if rows.schema != table(columns, []).schema:
        raise Untrue(N_("{file} has other columns"), file=file)
    return rows


def _compare(file: Path, found: pl.DataFrame, expected: pl.DataFrame) -> None:
    """Raise `Untrue`, which names the first cell that differs, unless two tables are equal."""
    if found.equals(expected):
        return
    if found.height != expected.height:
        raise Untrue(N_("{file} has {found} rows, not {expected}"),
            file=file, found=found.height, expected=expected.height)  # fmt: skip
    for number, (one, other) in enumerate(
        zip(found.iter_rows(named=True), expected.iter_rows(named=True))
    ):
        for column in other:
            if one[column] != other[column]:
                raise Untrue(
                    N_("{file}, row {row}, {column}: {found} should be {expected}"),
                    file=file,
                    row=number,
                    column=column,
                    found=one[column],
                    expected=other[column],
                )


def _check_judged(file: Path, plays: pl.DataFrame) -> None:
    """Raise `Untrue` unless every judged play is legal, and has its value and its chance."""
    length = pl.col("plays_judged").list.len()
    illegal = pl.col("plays_judged").list.set_difference("legal").list.len() > 0
    wrong = plays.with_row_index("row").filter(
        (length != pl.col("values").list.len())
        | (length != pl.col("win_chances").list.len())
        | (illegal & pl.col("legal").is_not_null())
    )
    if wrong.height:
        raise Untrue(
            N_("{file}, row {row}: a judged play is not legal, or has no judgement"),
            file=file,
            row=wrong["row"][0],
        )
