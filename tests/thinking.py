"""Bots that think as little as they can, so that they can be tried interpreted, too."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numba
import pytest

from diloti.bots import levels, outlook, search, standard
from diloti.core import wire
from diloti.core.cards import cards_in, mask_of
from diloti.core.notation import format_card, format_cards, parse_cards
from diloti.core.rules import CLASSIC, TAVERNA
from diloti.core.view import View, view_of
from tests.sampling import deals
from tests.setting import PileText, position
from tests.strategies import Kind, random_position

INTERPRETED = bool(numba.config.DISABLE_JIT)
FEW = 1 if INTERPRETED else 32
"""Simulations that a test can afford."""

SEARCHING = ("strong", "expert", "flat", "ismcts")
"""The bots that search."""


@contextmanager
def little_thought() -> Iterator[None]:
    """Meanwhile searches take small steps, and the outlook looks less far."""
    outlook.match_chances.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlook, "_MOST_MISSING", 20)
        patch.setattr(search, "BATCH", 1)
        patch.setattr(search, "PILOT", 2)
        patch.setattr(search, "FEWEST_TRIALS", 2)
        patch.setattr(search, "MOST_TRIED", 3)
        patch.setattr(standard, "_BATCH", 1)
        patch.setattr(levels, "_NODES", 60)
        yield
    outlook.match_chances.cache_clear()


def random_view(kind: Kind | None, seed: int) -> View:
    """The view of the seat in turn of a random position."""
    here = wire.read_position(random_position(random.Random(f"{kind} {seed}"), kind=kind))
    assert here.turn is not None
    return view_of(here, here.turn)


def views_of_deals(number: int) -> Iterator[View]:
    """Views with history, of the seat in turn, spread over deals of both named rule sets."""
    for rules in (CLASSIC, TAVERNA):
        positions = list(deals(rules, number, "greedy"))[:-1]
        for place in range(number, len(positions), -(-len(positions) // number)):
            here = positions[place]
            assert here.turn is not None
            yield view_of(here, here.turn)


def view_with(hand: str, loose: str, *, plays: int, piles: Sequence[PileText] = ()) -> View:
    """The view of seat 0 of two in a position that is complete, whatever lies elsewhere.

    Owners of piles get a card for them; of the other cards seat 1 gets the highest.
    """
    used = parse_cards(hand + loose + "".join(parts.replace(",", "") for _, _, parts in piles))
    left = [card for card in cards_in((1 << 52) - 1) if not used >> card & 1]
    number = len(hand) // 2
    other = [next(card for card in left if card >> 2 == value - 1) for _, value, _ in piles]
    left = [card for card in left if card not in other]
    while len(other) < number:
        other.append(left.pop())
    stock = [left.pop() for _ in range(48 - 12 * (plays // 12 + 1))]
    here = position(
        hand,
        loose,
        piles=piles,
        others=[format_cards(mask_of(other))],
        plays=plays,
        stock=" ".join(map(format_card, stock)),
        captured=(format_cards(mask_of(left)), ""),
        last_capture=0 if left else None,
    )
    return view_of(here, 0)
