"""What people, and the strongest bot, have made of the packs of each day, in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Integer,
    String,
    Table,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from diloti.web.archive import Finished
from diloti.web.matches import metadata
from diloti.web.room import Room

PLAYER = 0
"""The seat of the person at a table of the day."""

daily_results = Table(
    "daily_results",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("person", String(32), primary_key=True),
    Column("room", String(32), nullable=False),
    Column("lead", Integer),
    Column("match", String(32)),
)
"""A row for each person and day: the table; once it is over the lead in points, and the match."""

daily_marks = Table(
    "daily_marks",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("lead", Integer, nullable=False),
)
"""The lead that the strongest bot has made with the packs of a day."""


@dataclass(frozen=True)
class DailyResult:
    """What a person has made of the packs of a day: `lead` is in points, None while they play."""

    day: str
    person: str
    room: str
    lead: int | None = None
    match: str | None = None
    """The match by its id, once it is over."""


def daily_result(name: str, room: Room, finished: Finished | None) -> DailyResult | None:
    """What comes of a table of a day, with its match once that is `finished`; None for other
    tables, and where it was given up.
    """
    day, person = room.settings.daily, room.seats[PLAYER].person
    if not day or not person or room.match.resigned is not None:
        return None
    if finished is None:
        return DailyResult(day, person, name)
    return DailyResult(day, person, name, room.match.scores[0] - room.match.scores[1], finished.id)


def claim_days(connection: Connection, begun: Iterable[DailyResult]) -> set[str]:
    """Note at which tables people play the packs of a day; the tables that are not their first.

    Another process that claims the same day for the same person is awaited.
    """
    insert_new = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert
    later = set()
    for one in sorted(begun, key=lambda one: (one.day, one.person)):  # so no two await each other
        connection.execute(insert_new(daily_results).values(**vars(one)).on_conflict_do_nothing())
        if connection.scalar(select(daily_results.c.room).where(_is_of(one))) != one.room:
            later.add(one.room)
    return later


def save_result(connection: Connection, result: DailyResult) -> None:
    """Keep the first result of a person and day, once there is one."""
    if result.lead is None:
        return
    mine = _is_of(result)
    if connection.scalar(select(daily_results.c.room).where(mine)) is None:
        connection.execute(insert(daily_results).values(**vars(result)))
        return
    is_open = mine & (daily_results.c.room == result.room) & daily_results.c.lead.is_(None)
    made = {"lead": result.lead, "match": result.match}
    connection.execute(update(daily_results).where(is_open).values(made))


def _is_of(result: DailyResult) -> ColumnElement[bool]:
    """Whether a row is the one of this person and day."""
    return (daily_results.c.day == result.day) & (daily_results.c.person == result.person)
