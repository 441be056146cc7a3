"""What the database knows of one player: the matches that count, and how to let go of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from diloti.core.position import side_of
from diloti.core.record_reader import parse_rules
from diloti.teacher.figures import PlayedDeal, PlayedMatch
from diloti.web.archive import NOBODY, Player, date_of, without_names
from diloti.web.matches import matches, participants

_TOGETHER = 200
"""Records that are in memory at once."""

_rules_of = lru_cache(maxsize=256)(parse_rules)


def find_played(connection: Connection, person: str) -> list[PlayedMatch]:
    """The matches of a person that count, the first that ended first; no record is read.

    Practice does not count, nor what was handed in, nor a match of which the person held both
    sides.
    """
    if not person:
        return []
    mine = select(participants.c.match).where(participants.c.person == person)
    counts = matches.c.id.in_(mine) & ~matches.c.is_practice & (matches.c.uploaded_by == "")
    ended = select(matches.c.id, matches.c.ended, matches.c.summary).where(counts)
    rows = connection.execute(ended.order_by(matches.c.ended, matches.c.id)).all()
    sat = (
        select(participants)
        .where(participants.c.match.in_(select(matches.c.id).where(counts)))
        .order_by(participants.c.seat)
    )
    players: dict[str, list[Player]] = {row.id: [] for row in rows}
    for row in connection.execute(sat) if rows else ():
        if row.match in players:
            players[row.match].append(Player(row.name, row.person, row.level))
    found = (
        _played(row.id, row.ended, json.loads(row.summary), players[row.id], person) for row in rows
    )
    return [match for match in found if match is not None]


def _played(
    name: str, ended: float, summary: dict[str, Any], players: Sequence[Player], person: str
) -> PlayedMatch | None:
    """A match from the side of a person; None where that is no side, or both."""
    seats = tuple(seat for seat, player in enumerate(players) if player.person == person)
    if len({side_of(seat) for seat in seats}) != 1:
        return None
    side = side_of(seats[0])

    def own_first(pair: Sequence[int]) -> tuple[int, int]:
        return pair[side], pair[1 - side]

    resigned, accuracy = summary["resigned"], summary.get("accuracy")
    return PlayedMatch(
        id=name,
        day=date_of(ended),
        rules=_rules_of(summary["rules"]),
        seats=seats,
        names=tuple(player.name for player in players),
        levels=tuple(player.level for player in players),
        is_won=summary["winner"] == side,
        is_given_up=resigned is not None and side_of(resigned) == side,
        deals=tuple(
            PlayedDeal(
                cards=own_first(deal["cards"]),
                points=own_first(deal["points"]),
                xeri=own_first(deal["xeri"]),
            )
            for deal in summary["deals"]
        ),
        accuracy=None if accuracy is None else accuracy[side],
    )


def let_go(connection: Connection, person: str) -> None:
    """Take a person out of all finished matches: who it was, and the names of the seats.

    The matches stay, with their links, for the others.
    """
    sat = select(participants.c.match, participants.c.seat).where(participants.c.person == person)
    seats: dict[str, list[int]] = {}
    for row in connection.execute(sat):
        seats.setdefault(row.match, []).append(row.seat)
    names = sorted(seats)
    for first in range(0, len(names), _TOGETHER):
        some = matches.c.id.in_(names[first : first + _TOGETHER])
        query = select(matches.c.id, matches.c.record).where(some).order_by(matches.c.id)
        rewritten = [
            {"match": row.id, "text": without_names(row.record, seats[row.id])}
            for row in connection.execute(query.with_for_update())
        ]
        if rewritten:
            connection.execute(_REWRITE, rewritten)
    mine = participants.c.person == person
    connection.execute(update(participants).where(mine).values(person="", name=""))
    uploads = matches.c.uploaded_by == person
    connection.execute(update(matches).where(uploads).values(uploaded_by=NOBODY))


_REWRITE = (
    update(matches).where(matches.c.id == bindparam("match")).values(record=bindparam("text"))
)
