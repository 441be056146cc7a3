"""The distinct plays against all legal plays, equal cards exchanged one by one."""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest

from diloti.bots.distinct import (
    MOST_DISTINCT,
    TOO_MANY,
    UNIQUE,
    list_distinct,
    list_each_once,
)
from diloti.core import wire
from diloti.core.cards import cards_of_rank
from diloti.core.dice import new_dice
from diloti.core.jit import Ints
from diloti.core.notation import format_play, parse_cards
from diloti.core.plays import Play, count_legal_plays, legal_plays, unpack_play
from diloti.core.position import Position
from diloti.core.tallies import workspace_for
from tests.setting import position
from tests.strategies import Kind, random_position

INTERPRETED = bool(numba.config.DISABLE_JIT)
KINDS: tuple[Kind | None, ...] = (None, "owner", "two_piles", "wide", "last")
SAMPLE = 8 if INTERPRETED else 60
MOST_PLAYS = 500 if INTERPRETED else 20_000
"""Tables with more legal plays than this are not compared one by one."""


def plain_form(play: Play) -> tuple[object, ...]:
    """What a play is when equal cards cannot be told apart: scoring cards and ranks."""
    return play.kind, told_apart(1 << play.card), told_apart(play.loose), play.piles, play.value


def told_apart(cards: int) -> tuple[int, tuple[int, ...]]:
    """The scoring cards in a set, and how many others of each rank."""
    plain = cards & ~UNIQUE
    return cards & UNIQUE, tuple(cards_of_rank(plain, rank).bit_count() for rank in range(13))


def listed(at: Position, rows: int = MOST_DISTINCT, first: int = 0, alike: int = 0) -> list[Play]:
    """What `list_each_once` lists."""
    plays = np.zeros((rows, 5), dtype=np.int64)
    work = workspace_for(at.loose)
    number = list_each_once(at.rules.packed, at.state, work, plays, first, alike)
    assert number != TOO_MANY
    assert not plays[:first].any()
    return [unpack_play(at, row) for row in plays[first : first + number]]


def drawn(at: Position, plays: Ints, seed: int) -> list[Play]:
    """What `list_distinct` lists in the rows of `plays`."""
    work = workspace_for(at.loose)
    number = list_distinct(at.rules.packed, at.state, work, plays, new_dice(seed))
    return [unpack_play(at, row) for row in plays[:number]]


def check(at: Position) -> None:
    """Every legal play is equal to exactly one of those listed, and these are legal."""
    legal = legal_plays(at)
    found = listed(at, rows=len(legal))
    assert set(found) <= set(legal)
    forms = [plain_form(play) for play in found]
    assert len(set(forms)) == len(forms)
    assert set(forms) == {plain_form(play) for play in legal}


@pytest.mark.parametrize("kind", KINDS)
def test_each_legal_play_is_equal_to_one_distinct_play(kind: Kind | None) -> None:
    compared = 0
    for number in range(SAMPLE):
        at = wire.read_position(random_position(random.Random(f"{kind} {number}"), kind=kind))
        if count_legal_plays(at) <= MOST_PLAYS:
            check(at)
            compared += 1
    assert compared > SAMPLE // 3


@pytest.mark.parametrize(
    ("hand", "loose"),
    [
        ("9c 9d", "2c 2d 2h 3c 3d 3h 4c"),
        ("8c 4d 4h", "2c 2d 2h 2s Ac Ad Ah 4c"),
        ("Tc Td Th", "2c 2d 8c 8d 6c 6d 4h 4s Ts"),
        ("Kc Kd 2c 2d", "Ks Kh 2h 2s Td"),
    ],
)
def test_scoring_cards_are_told_apart(hand: str, loose: str) -> None:
    check(position(hand, loose))


def test_both_ways_of_summing_list_the_same() -> None:
    """A lone ten in hand makes eight small cards a wide table, a five does not."""
    narrow = {format_play(play) for play in listed(position("5c", "2c 2d 2h 3d 3h 9c 9d 9h"))}
    wide = {format_play(play) for play in listed(position("5c Th", "2c 2d 2h 3d 3h 9c 9d 9h"))}
    fives = {text for text in wide if text.startswith("5c") and "=" not in text}
    assert {text for text in narrow if "=" not in text} == fives


def test_a_wide_table_of_equal_cards_has_few_distinct_plays() -> None:
    at = position("Tc", "6c6d6h6s4c4d4h4s5c5d5h5s9c9d9h9sAcAdAhAs")
    assert count_legal_plays(at) == 71_528
    rows = np.zeros((MOST_DISTINCT, 5), dtype=np.int64)
    found = drawn(at, rows, seed=1)
    assert len(found) == len({plain_form(play) for play in found}) == 157


def test_rows_are_drawn_where_there_are_more_plays() -> None:
    at = position("Tc 9c 8c", "Ac Ad 2c 2d 3c 3d 4c 4d 5c 5d 6c 6d")
    legal = set(legal_plays(at))
    distinct = listed(at, rows=len(legal))
    few = np.zeros((len(distinct) - 1, 5), dtype=np.int64)
    work = workspace_for(at.loose)
    assert list_each_once(at.rules.packed, at.state, work, few, 0, 0) == TOO_MANY
    first, second = drawn(at, few, seed=1), drawn(at, few, seed=2)
    assert len(first) == len(second) == len(few)
    assert set(first) | set(second) <= legal
    assert set(first) != set(second)
    enough = np.zeros((len(distinct), 5), dtype=np.int64)
    assert drawn(at, enough, seed=1) == distinct


def test_rows_before_the_first_are_left_alone_and_alike_cards_played_once() -> None:
    at = position("Jc Qd Kh 3c", "5h")
    every = listed(at)
    assert listed(at, first=7) == every
    alike = parse_cards("Jc Qd Kh Ks")
    left_out = {play for play in every if (1 << play.card) & parse_cards("Qd Kh")}
    assert set(listed(at, alike=alike)) == set(every) - left_out
