"""The engine against the slow reference: legal plays, refusals, effects and scores."""

from __future__ import annotations

import random
from typing import Any

import pytest

from diloti.core import wire
from diloti.core.effects import make_play
from diloti.core.legality import RULE_OF, Refusal, refusal_of
from diloti.core.notation import format_play, parse_play
from diloti.core.plays import count_legal_plays, legal_plays
from diloti.core.position import Position
from diloti.core.scoring import score_deal
from diloti.engine import write_event
from tests import reference
from tests.strategies import Kind, random_position, random_wish

MOST_LISTED = 3_000
"""Positions with more legal plays than this are compared by wishes only: the reference is slow."""

WISHES = 6

# How many positions of each kind: a sample for every run, and the proof.
KINDS: dict[Kind | None, tuple[int, int]] = {
    None: (240, 15_500),
    "owner": (80, 2_000),
    "two_piles": (80, 2_000),
    "wide": (24, 600),
}
CHUNK = 250


def chunks(which: int) -> list[tuple[Kind | None, int, int]]:
    """Kind, first seed and number of positions of each test."""
    return [
        (kind, start, min(CHUNK, counts[which] - start))
        for kind, counts in KINDS.items()
        for start in range(0, counts[which], CHUNK)
    ]


@pytest.mark.parametrize(("kind", "start", "number"), chunks(0))
def test_the_engine_agrees_with_the_reference(kind: Kind | None, start: int, number: int) -> None:
    agree(kind, start, number)


@pytest.mark.proof
@pytest.mark.parametrize(("kind", "start", "number"), chunks(1))
def test_the_engine_agrees_with_the_reference_at_length(
    kind: Kind | None, start: int, number: int
) -> None:
    agree(kind, 1_000_000 + start, number)


def agree(kind: Kind | None, first: int, number: int) -> None:
    for seed in range(first, first + number):
        rng = random.Random(f"{kind} {seed}")
        written = random_position(rng, kind=kind)
        position = wire.read_position(written)
        for _ in range(WISHES):
            agree_on_wish(written, position, random_wish(rng, written))
        if count_legal_plays(position) <= MOST_LISTED:
            agree_on_plays(rng, written, position)


def agree_on_wish(written: dict[str, Any], position: Position, wish: str) -> None:
    forbidden = reference.forbidden_by(written, wish)
    refusal = refusal_of(position, parse_play(wish))
    if forbidden is None:
        assert refusal, wish
    elif refusal is Refusal.NONE:
        assert forbidden == set(), wish
    else:
        assert RULE_OF[refusal] in forbidden, wish


def agree_on_plays(rng: random.Random, written: dict[str, Any], position: Position) -> None:
    plays = legal_plays(position)
    texts = sorted(map(format_play, plays))
    assert texts == reference.legal(written)
    assert len(plays) == count_legal_plays(position)
    for play in rng.sample(plays, min(3, len(plays))):
        assert refusal_of(position, play) is Refusal.NONE
        outcome = make_play(position, play)
        after, events = reference.apply(written, format_play(play))
        got = wire.write_position(outcome.position)
        assert comparable(got) == {**comparable(after), "format": wire.FORMAT}
        assert [write_event(event) for event in outcome.events] == [in_order(e) for e in events]
        wire.read_position(got)
        if outcome.position.is_over:
            score = score_deal(outcome.position)
            expected = reference.score(after)
            assert [sheet.total for sheet in score.sheets] == [
                side["total"] for side in expected["deal"]
            ]
            assert list(score.scores) == expected["scores"]
            assert score.winner == expected["winner"]


def comparable(position: dict[str, Any]) -> dict[str, Any]:
    """A position without the freedoms of writing it."""
    normal = reference.normal(position)
    if "history" in normal:
        table = list(reference.in_order(normal["history"]["table"]))
        normal["history"] = {**normal["history"], "table": table}
    return dict(normal)


def in_order(event: dict[str, Any]) -> dict[str, Any]:
    """The event with its cards in canonical order."""
    if "cards" not in event:
        return dict(event)
    return {**event, "cards": list(reference.in_order(event["cards"]))}
