"""Finished matches made up for the tests of figures, without playing them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace

from diloti.core.match import Match
from diloti.core.record import Record, format_record, format_rules
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.teacher.figures import PlayedDeal, PlayedMatch
from diloti.web.archive import Finished, Player
from diloti.web.store import Store

DAY = 24 * 3600.0
LATER = 4e9
"""A day in October 2096: no server takes it for so long ago that it may be deleted."""

Deal = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
"""Cards, points and xeri by side."""


def deal(cards: int, points: tuple[int, int], xeri: tuple[int, int] = (0, 0)) -> Deal:
    """A deal in which side 0 took so many cards."""
    return (cards, 52 - cards), points, xeri


def played(
    *leads: int, opponent: str = "novice", is_won: bool = True, **details: object
) -> PlayedMatch:
    """A match for two as seat 0 has played it, of deals with these leads."""
    usual = PlayedMatch(
        id="match",
        day="2026-01-01",
        rules=CLASSIC,
        seats=(0,),
        names=("Anna", ""),
        levels=("", opponent),
        is_won=is_won,
        is_given_up=False,
        deals=tuple(PlayedDeal((26, 26), (lead, 0), (0, 0)) for lead in leads),
    )
    return replace(usual, **details)  # type: ignore[arg-type]


def finished(
    name: str,
    players: Sequence[Player],
    deals: Sequence[Deal],
    *,
    winner: int,
    rules: Rules = CLASSIC,
    resigned: int | None = None,
    ended: float = LATER,
    is_practice: bool = False,
    uploaded_by: str = "",
    accuracy: tuple[float, float] | None = None,
) -> Finished:
    """A finished match with such a summary; its record has the names, and no deals."""
    match = Match(
        replace(rules, players=len(players)), first_dealer=0, names=[one.name for one in players]
    )
    summary = {
        "rules": format_rules(match.rules),
        "players": len(players),
        "target": rules.target,
        "winner": winner,
        "resigned": resigned,
        "scores": [sum(points[side] for _cards, points, _xeri in deals) for side in (0, 1)],
        "deals": [
            {"cards": cards, "points": points, "xeri": xeri} for cards, points, xeri in deals
        ],
    }
    if accuracy is not None:
        summary["accuracy"] = accuracy
    return Finished(
        id=name,
        record=format_record(Record(match)),
        summary=json.loads(json.dumps(summary)),
        fingerprint=match.rules.fingerprint,
        ended=ended,
        players=tuple(players),
        is_practice=is_practice,
        uploaded_by=uploaded_by,
    )


def many(person: str, count: int, *, seed: int = 1, deals: int = 5) -> list[Finished]:
    """Matches of a person against everybody, with reviews here and there."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        level = rng.choice(("novice", "regular", "regular", "expert", ""))
        four = rng.random() < 0.3
        other = Player("" if level else "Борис", level=level)
        players = [Player("Άννα", person), other]
        if four:
            players += [Player("", level="strong"), other]
        told = []
        for _deal in range(rng.randint(2, deals)):
            cards = rng.choice((26, *range(18, 35)))
            own, xeri = rng.randint(0, 11), (rng.randint(0, 1), rng.randint(0, 1))
            points = own + 10 * xeri[0], 11 - own + 10 * xeri[1]
            told.append(deal(cards, points, xeri))
        winner = int(sum(points[0] - points[1] for _cards, points, _xeri in told) < 0)
        accuracy = None
        if number % 3 == 0:
            accuracy = round(rng.uniform(55, 95), 1), round(rng.uniform(55, 95), 1)
        found.append(
            finished(
                f"{person[:12]}-{number}",
                players,
                told,
                winner=winner,
                rules=rng.choice((CLASSIC, CLASSIC, TAVERNA, replace(TAVERNA, target=31))),
                resigned=0 if winner and rng.random() < 0.2 else None,
                ended=LATER + number * DAY,
                accuracy=accuracy,
            )
        )
    return found


async def keep(store: Store, matches: Sequence[Finished]) -> None:
    """Put matches into a database."""
    for one in matches:
        await store.keep_match(one)
