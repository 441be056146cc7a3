"""Sums on wide tables: choices of ranks, their groups, components and suits, listed plainly."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from diloti.core import tallies
from diloti.core.cards import NUMERALS, cards_in, mask_of, sum_of, totals_of
from diloti.core.notation import format_cards, parse_cards
from diloti.core.sums import count_sums
from tests import reference


def subsets(mask: int) -> list[int]:
    cards = list(cards_in(mask))
    return [mask_of(some) for size in range(len(cards) + 1) for some in combinations(cards, size)]


def texts(mask: int) -> list[str]:
    return [format_cards(1 << card) for card in cards_in(mask)]


def below(mask: int, value: int) -> int:
    """The cards of `mask` worth less than `value`."""
    return mask & ((1 << 4 * (value - 1)) - 1)


@pytest.mark.parametrize("seed", range(12))
def test_groups_are_the_sets_that_split(seed: int) -> None:
    rng = random.Random(seed)
    table = mask_of(rng.sample(list(cards_in(NUMERALS)), 8))
    work = tallies.workspace_for(table)
    for value in range(1, 11):
        tallies.list_choices(work, table)
        found = tallies.find_groups(work, value)
        ways = count_sums(work, tallies.GROUPS, found)
        got = {tallies.find_way(work, tallies.GROUPS, way, table) for way in range(ways)}
        wanted = {some for some in subsets(below(table, value)) if splits(some, value)}
        assert got == wanted
        assert ways == len(wanted)
    totals = {sum_of(some) for some in subsets(table)}
    assert totals_of(table) == sum(1 << 4 * total for total in totals if total <= 10)


def splits(mask: int, value: int) -> bool:
    return reference.split(texts(mask), value) is not None


@pytest.mark.parametrize("seed", range(6))
def test_components_hold_the_played_card(seed: int) -> None:
    rng = random.Random(seed)
    *table_cards, played = rng.sample(list(cards_in(NUMERALS)), 8)
    table, worth = mask_of(table_cards), sum_of(1 << played)
    work = tallies.workspace_for(table)
    for value in range(worth, 11):
        tallies.list_choices(work, table)
        found = tallies.find_components(work, worth, value, tallies.find_groups(work, value))
        ways = count_sums(work, tallies.CHOSEN, found)
        got = {tallies.find_way(work, tallies.CHOSEN, way, table) for way in range(ways)}
        assert got == {
            some for some in subsets(below(table, value)) if splits(some | 1 << played, value)
        }


def test_a_workspace_grows_with_the_table() -> None:
    wide = NUMERALS & ~parse_cards("AcTd")
    work = tallies.workspace_for(wide)
    assert tallies.suits(work, wide)
    assert not tallies.suits(tallies.workspace_for(0), wide)
    assert work.shape[1] == tallies.count_choices(wide) == 4 * 5**8


def test_split_lays_components_and_refuses_what_has_none() -> None:
    cards = parse_cards("2c6d8h3s5dAh7d")
    parts = tallies.split(cards, 8)
    assert sorted(map(sum_of, parts)) == [8, 8, 8, 8]
    assert sum(parts) == cards
    with pytest.raises(ValueError, match="components of 9"):
        tallies.split(parse_cards("2c6d"), 9)
    many = parse_cards("AcAdAhAs2c2d2h2s3c3d3h3s4c4d4h4s")
    assert sum(tallies.split(many, 10)) == many
    with pytest.raises(ValueError, match="components of 8"):
        tallies.split(parse_cards("3c3d3h3s4c"), 8)
