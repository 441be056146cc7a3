"""The parts of a data set: each follows from the job and its number alone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from diloti.bots.choice import Candidate
from diloti.core.match import Match
from diloti.core.record import Record, format_record
from diloti.lab.data.columns import (
    DEAL_COLUMNS,
    PLAY_COLUMNS,
    Row,
    deal_rows,
    judged_row,
    play_rows,
    table,
)
from diloti.lab.data.job import Job
from diloti.lab.player import Player


@dataclass(frozen=True)
class Part:
    """The three files of a part."""

    number: int
    records: bytes
    plays: bytes
    deals: bytes


def make_part(job: Job, number: int) -> Part:
    """Play the games of a part; the same bytes whoever does it.

    `JobError` where that is not this program's job.
    """
    job.check_program()
    texts: list[str] = []
    plays: list[Row] = []
    deals: list[Row] = []
    for game in job.games_of(number):
        match, analyses = _play(job, game)
        texts.append(format_record(Record(match)))
        rows = zip(play_rows(match, game), analyses, strict=True)
        plays += [{**row, **judged_row(analysis)} for row, analysis in rows]
        deals += deal_rows(match, game)
    return Part(
        number,
        records="\n".join(texts).encode(),
        plays=_packed(job, table(PLAY_COLUMNS, plays)),
        deals=_packed(job, table(DEAL_COLUMNS, deals)),
    )


def warm_up(job: Job) -> None:
    """Make a small part that does not count, so that everything is compiled and loaded."""
    first, second = (Player(player.bot, simulations=1) for player in job.players)
    make_part(replace(job, players=(first, second), games=1, whole_matches=False), 0)


def _play(job: Job, game: int) -> tuple[Match, list[Sequence[Candidate]]]:
    """A game, and what the bots thought of each of its plays."""
    analyses: list[Sequence[Candidate]] = []
    for match, seeds in job.deals_of(game):
        while match.turn is not None:
            view = match.view(match.turn)
            choice = job.player_of(game, view.seat).choose(view, seed=seeds[view.plays])
            analyses.append(choice.analysis)
            match.play(choice.play)
    return match, analyses


def _packed(job: Job, rows: pl.DataFrame) -> bytes:
    """A table as the bytes of a parquet file that says where it comes from."""
    file = io.BytesIO()
    rows.write_parquet(file, metadata=job.tags)
    return file.getvalue()
