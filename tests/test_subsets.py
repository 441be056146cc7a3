"""Sums on small tables, in words: the same choices of cards as by rank, each exactly once."""

from __future__ import annotations

import random

import pytest

from diloti.core import sums, tallies
from diloti.core.cards import NUMERALS, cards_in, mask_of
from diloti.core.jit import Ints, highest, popcount
from diloti.core.subsets import MOST_MEMBERS

TEN = 10


def cards_of(work: Ints, row: int, found: int, table: int) -> list[int]:
    ways = int(sums.count_sums(work, row, found))
    return sorted(int(sums.find_sum(work, row, found, way, table)) for way in range(ways))


@pytest.mark.parametrize("seed", range(40))
def test_words_say_what_choices_by_rank_say(seed: int) -> None:
    rng = random.Random(seed)
    below_ten = [card for card in cards_in(NUMERALS) if card < 36]
    low = rng.choice([16, 24, 36])
    table = mask_of(rng.sample(below_ten[:low], rng.randint(0, MOST_MEMBERS)))
    small, wide = tallies.workspace_for(table), tallies.workspace_for(table)
    sums.list_sums(small, table, TEN)
    tallies.list_choices(wide, table)
    wide[tallies.WORDS, :] = -1
    assert not sums.is_wide(small)
    assert sums.is_wide(wide)
    for value in range(1, TEN + 1):
        groups = sums.all_groups(small, value), sums.all_groups(wide, value)
        assert cards_of(small, *groups[0], table) == cards_of(wide, *groups[1], table)
        one = sums.one_group(small, value), sums.one_group(wide, value)
        assert cards_of(small, *one[0], table) == cards_of(wide, *one[1], table)
        for played in range(1, value + 1):
            sums.all_groups(wide, value)
            parts = [
                sums.all_components(work, played, value, found)
                for work, (_row, found) in zip((small, wide), groups, strict=True)
            ]
            assert cards_of(small, *parts[0], table) == cards_of(wide, *parts[1], table)
            plain = [sums.one_component(work, played, value) for work in (small, wide)]
            assert cards_of(small, *plain[0], table) == cards_of(wide, *plain[1], table)


def test_only_cards_below_the_highest_in_hand_count_as_members() -> None:
    table = mask_of([0, 1, 2, 3, 4, 5, 32, 33, 34, 35])
    work = tallies.workspace_for(table)
    sums.list_sums(work, table, 9)
    assert not sums.is_wide(work)
    sums.list_sums(work, table, TEN)
    assert sums.is_wide(work)


def test_a_whole_word_has_64_bits() -> None:
    assert popcount(-1) == 64
    assert highest(-1) == 63
    assert popcount(1 << 63) == 1
