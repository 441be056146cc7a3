"""Finished matches in the database: their tables, and the statements that write and read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    Text,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from diloti.web.archive import Finished, Player, accuracy_in

metadata = MetaData()
"""All tables of the database."""

matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("record", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("ended", Float, nullable=False, index=True),
    Column("is_practice", Boolean, nullable=False),
    Column("uploaded_by", String(32), nullable=False, index=True),
    Column("review", Text),
)
"""A row for each match that is over, or was handed in."""

participants = Table(
    "participants",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(32), nullable=False, index=True),
    Column("name", String(80), nullable=False),
    Column("level", String(32), nullable=False),
)
"""Who played them: a person, a bot of a level, or only a name."""


def insert_matches(connection: Connection, finished: Iterable[Finished]) -> None:
    """Keep matches; one that is kept already stays as it is."""
    rows = {one.id: one for one in finished}
    if not rows:
        return
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(
        insert(matches).on_conflict_do_nothing(),
        [
            {
                "id": one.id,
                "record": one.record,
                "summary": json.dumps(one.summary),
                "fingerprint": one.fingerprint,
                "ended": one.ended,
                "is_practice": one.is_practice,
                "uploaded_by": one.uploaded_by,
                "review": one.review,
            }
            for one in rows.values()
        ],
    )
    connection.execute(
        insert(participants).on_conflict_do_nothing(),
        [
            {"match": one.id, "seat": seat, **vars(player)}
            for one in rows.values()
            for seat, player in enumerate(one.players)
        ],
    )


def find_match(connection: Connection, name: str) -> Finished | None:
    """A match by its id."""
    found = _read(connection, connection.execute(select(matches).where(matches.c.id == name)).all())
    return found[0] if found else None


def find_matches_of(
    connection: Connection, person: str, most: int, skip: int
) -> tuple[list[Finished], int]:
    """Some matches of a person, played or handed in, the latest first; and how many there are.

    Their reviews, which are long and in no list, are left out.
    """
    played = select(participants.c.match).where(participants.c.person == person)
    mine = or_(matches.c.id.in_(played), matches.c.uploaded_by == person)
    count = connection.scalar(select(func.count()).select_from(matches).where(mine)) or 0
    told = [column for column in matches.c if column is not matches.c.review]
    latest = select(*told).where(mine).order_by(matches.c.ended.desc(), matches.c.id)
    return _read(connection, connection.execute(latest.offset(skip).limit(most)).all()), count


def _read(connection: Connection, rows: Sequence[Row[Any]]) -> list[Finished]:
    ids = [row.id for row in rows]
    sat = select(participants).where(participants.c.match.in_(ids)).order_by(participants.c.seat)
    players: dict[str, list[Player]] = {name: [] for name in ids}
    for row in connection.execute(sat) if ids else ():
        players[row.match].append(Player(row.name, row.person, row.level))
    return [
        Finished(
            id=row.id,
            record=row.record,
            summary=json.loads(row.summary),
            fingerprint=row.fingerprint,
            ended=row.ended,
            players=tuple(players[row.id]),
            is_practice=row.is_practice,
            uploaded_by=row.uploaded_by,
            review=row._mapping.get("review"),
        )
        for row in rows
    ]


def update_review(connection: Connection, name: str, text: str) -> None:
    """Keep what has been found out about a match, and its accuracy where figures look for it."""
    this = matches.c.id == name
    values = {"review": text}
    summary = connection.scalar(select(matches.c.summary).where(this).with_for_update())
    if summary is not None and (accuracy := accuracy_in(text)):
        values["summary"] = json.dumps({**json.loads(summary), "accuracy": accuracy})
    connection.execute(update(matches).where(this).values(**values))


def delete_matches(connection: Connection, before: float) -> int:
    """Delete the matches that have ended before; how many there were."""
    old = select(matches.c.id).where(matches.c.ended < before)
    connection.execute(delete(participants).where(participants.c.match.in_(old)))
    return int(connection.execute(delete(matches).where(matches.c.ended < before)).rowcount)
