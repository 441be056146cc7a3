"""A fast generator for search and playouts, the same compiled and interpreted.

It is Marsaglia's multiply-with-carry with base 2**32: one number is the last word, the other the
carry. The multiplier *a* is below 2**31, so every step fits 63 bits; *a* 2**32 - 1 and half of
*a* 2**32 - 2 are prime, which makes the period *a* 2**31 - 1. Packs that people play with come
from `diloti.core.shuffle` instead.
"""

from __future__ import annotations

import numpy as np

from diloti.core.jit import Ints, inlined_kernel, kernel

_MULTIPLIER = 1914836934
_WORD = (1 << 32) - 1


def new_dice(seed: int) -> Ints:
    """A generator that gives the same numbers for the same `seed` (0 or more) everywhere."""
    word, carry = np.random.SeedSequence(seed).generate_state(2)
    return np.array([word, 1 + int(carry) % (_MULTIPLIER - 2)], dtype=np.int64)


@inlined_kernel
def roll_word(dice: Ints) -> int:
    """The next 32 random bits."""
    step = dice[0] * _MULTIPLIER + dice[1]
    dice[0] = step & _WORD
    dice[1] = step >> 32
    return int(dice[0] ^ dice[1])


@inlined_kernel
def roll(dice: Ints, below: int) -> int:
    """A number from 0 up to `below` (1 to 2**61), exclusive, all equally likely."""
    if below <= _WORD >> 1:
        product = roll_word(dice) * below
        if product & _WORD < below:
            least = (1 << 32) % below
            while product & _WORD < least:
                product = roll_word(dice) * below
        return product >> 32
    limit = (1 << 62) // below * below
    while True:
        number = roll_word(dice) >> 1 << 31 | roll_word(dice) >> 1
        if number < limit:
            return number % below


@kernel
def roll_order(dice: Ints, cards: Ints, first: int) -> None:
    """Shuffle the cards from place `first` on, in place."""
    for last in range(cards.size - 1, first, -1):
        other = first + roll(dice, last - first + 1)
        held = cards[last]
        cards[last] = cards[other]
        cards[other] = held
