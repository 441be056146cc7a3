"""What a search has found out about positions of the last hand, kept under their keys.

A key stands for all that matters for the points still to come: both hands, the loose cards and the
piles by rank (the ten of diamonds and the two of clubs told from other cards of their ranks), who
owns the piles, who captured last, and how many cards each side has while most cards are still open.
Dead courts are only counted. Everything is seen from the seat in turn, so that a position with the
seats exchanged has the same key. A key has 62 bits; that two of the positions of a search share
one by chance is less likely than a broken memory cell.

The table is a flat array, two numbers an entry: the key, and bounds of the points to come with the
place of the best play in the list. Nothing is ever cleared: a stamp goes into every key.
"""

from __future__ import annotations

import numpy as np

from diloti.bots.distinct import UNIQUE
from diloti.core.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS, tally_of
from diloti.core.jit import Ints, kernel, popcount
from diloti.core.position import (
    CAPTURED,
    HANDS,
    LAST_CAPTURE,
    LOOSE,
    NOBODY,
    PILE_COUNT,
    PILES,
    PLAYS,
    TURN,
    pile_cards,
    pile_is_family,
    pile_owner,
    pile_value,
    side_of,
)
from diloti.core.rules import PACK

MOST_POINTS = (1 << 26) - 1
"""Differences of points are between this and its negative: at most 26 xeri of a million points."""

NO_PLACE = (1 << 9) - 1
"""Stands for an unknown place of the best play."""

_LOW = (1 << 31) - 1
_FIRST_FACTOR, _SECOND_FACTOR, _THIRD_FACTOR = 1_664_525_123, 2_027_808_453, 1_181_783_497
_FIELD = (1 << 27) - 1
_TEN_OF_DIAMONDS_AT, _TWO_OF_CLUBS_AT, _DEAD_AT = 52, 53, 54


@kernel
def mixed(key: int, word: int) -> int:
    """A key of 62 bits into which a number of up to 62 bits is stirred."""
    both = key ^ word
    low = both & _LOW
    high = both >> 31
    high ^= (low * _FIRST_FACTOR >> 20) & _LOW
    low ^= (high * _SECOND_FACTOR >> 20) & _LOW
    high ^= (low * _THIRD_FACTOR >> 20) & _LOW
    return low << 31 | high


@kernel
def equals_of(cards: int, dead: int) -> int:
    """A number of 58 bits, the same exactly for cards that are equal in all that matters."""
    number = tally_of(cards & ~(UNIQUE | dead)) | popcount(cards & dead) << _DEAD_AT
    if cards & TEN_OF_DIAMONDS:
        number |= 1 << _TEN_OF_DIAMONDS_AT
    if cards & TWO_OF_CLUBS:
        number |= 1 << _TWO_OF_CLUBS_AT
    return number


@kernel
def stamp_of(rules: Ints, generation: int) -> int:
    """What all keys of a rule set and a generation begin with."""
    stamp = generation
    for place in range(rules.size):
        stamp = mixed(stamp, rules[place])
    return stamp


@kernel
def key_of(rules: Ints, state: Ints, dead: int, stamp: int) -> int:
    """The key of a position of two players without stock; `dead` are its dead courts."""
    turn = state[TURN]
    key = mixed(stamp, equals_of(state[HANDS + turn], dead))
    key = mixed(key, equals_of(state[HANDS + 1 - turn], dead))
    key = mixed(key, equals_of(state[LOOSE], dead))
    piles = 0
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        pile = state[slot]
        mine = 1 if pile_owner(pile) == turn else 0
        kind = pile_value(pile) << 2 | pile_is_family(pile) << 1 | mine
        piles += mixed(kind, equals_of(pile_cards(pile), 0)) >> 5
    rest = 0
    if state[LAST_CAPTURE] != NOBODY:
        rest = 1 if state[LAST_CAPTURE] == side_of(turn) else 2
    if state[PLAYS] == 0:
        rest |= 4
    mine_count, other_count = popcount(state[CAPTURED + turn]), popcount(state[CAPTURED + 1 - turn])
    if 2 * max(mine_count, other_count) <= popcount(rules[PACK]):
        rest |= 8 | mine_count << 4 | other_count << 10
    return mixed(key, piles ^ rest)


def new_table(size: int = 1 << 16) -> Ints:
    """An empty table with `size` entries, a power of two."""
    return np.zeros(2 * size, dtype=np.int64)


@kernel
def slot_of(table: Ints, key: int) -> int:
    """Where the entry of a key is, or would be."""
    return 2 * (key & (table.size // 2 - 1))


@kernel
def pack_bounds(least: int, most: int, place: int) -> int:
    """Bounds of points and the place of a play as one number."""
    return (least + MOST_POINTS) << 36 | (most + MOST_POINTS) << 9 | place


@kernel
def least_of(entry: int) -> int:
    """The lower bound in an entry."""
    return (entry >> 36) - MOST_POINTS


@kernel
def most_of(entry: int) -> int:
    """The upper bound in an entry."""
    return ((entry >> 9) & _FIELD) - MOST_POINTS


@kernel
def place_of_best(entry: int) -> int:
    """The place of the best play in an entry."""
    return entry & NO_PLACE
