"""The fast generator: repeatable, within bounds, and even enough."""

from __future__ import annotations

import numpy as np
import pytest

from diloti.core.dice import new_dice, roll, roll_order, roll_word


def test_the_same_seed_gives_the_same_numbers_everywhere() -> None:
    dice = new_dice(2026)
    words = [int(roll_word(dice)) for _ in range(4)]
    assert words == [int(roll_word(again)) for again in [new_dice(2026)] for _ in range(4)]
    assert words != [int(roll_word(other)) for other in [new_dice(2027)] for _ in range(4)]
    assert all(0 <= word < 1 << 32 for word in words)


@pytest.mark.parametrize("below", [1, 2, 7, 52, 1 << 20, (1 << 31) - 1, 1 << 33, 1 << 50])
def test_rolls_stay_below_and_are_even(below: int) -> None:
    dice = new_dice(below)
    rolls = [int(roll(dice, below)) for _ in range(2000)]
    assert all(0 <= number < below for number in rolls)
    half = sum(number >= below / 2 for number in rolls)
    if below > 1 and below % 2 == 0:
        assert 850 < half < 1150


def test_an_order_is_mixed_from_its_place_on() -> None:
    dice, cards = new_dice(1), np.arange(52)
    roll_order(dice, cards, 12)
    assert list(cards[:12]) == list(range(12))
    assert sorted(cards) == list(range(52))
    assert list(cards) != list(range(52))
    firsts = [0] * 4
    for _ in range(2000):
        four = np.arange(4)
        roll_order(dice, four, 0)
        firsts[four[0]] += 1
    assert min(firsts) > 400
