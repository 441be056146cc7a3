"""Cards as numbers and sets of cards as masks.

A card is a number from 0 to 51 in canonical order: by rank from ace to king, then clubs, diamonds,
hearts, spades. A set of cards is a mask with the bit of each card set, so the four cards of a rank
are four neighbouring bits.

A *tally* says how many cards of each rank a set has: four bits a rank, at the place of the rank's
cards in a mask. Tallies of disjoint sets add up. A set of *ranks* is the mask of their clubs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from diloti.core.jit import inlined_kernel, lowest, popcount

RANKS = 13
SUITS = 4
PACK_SIZE = RANKS * SUITS
FULL_PACK = (1 << PACK_SIZE) - 1

JACK, QUEEN, KING = 10, 11, 12
NUMERALS = (1 << JACK * SUITS) - 1
"""The cards that have a value: ace to ten."""
COURTS = FULL_PACK ^ NUMERALS
ACES = 0b1111
TWO_OF_CLUBS = 1 << 4
TEN_OF_DIAMONDS = 1 << 37
HIGHEST_VALUE = 10
"""No declaration is worth more (R6.3)."""

CLUBS = 0x1111111111111

_ONE_IN_TWO = 0x5555555555555
_TWO_IN_FOUR = 0x3333333333333
_TOTALS = (1 << SUITS * (HIGHEST_VALUE + 1)) - 1


@inlined_kernel
def rank_of(card: int) -> int:
    """Rank of a card, 0 (ace) to 12 (king). A numeral is worth its rank + 1."""
    return card >> 2


@inlined_kernel
def cards_of_rank(mask: int, rank: int) -> int:
    """The cards of `rank` in `mask`, as a mask."""
    return mask & (15 << 4 * rank)


@inlined_kernel
def count_rank(mask: int, rank: int) -> int:
    """How many cards of `rank` are in `mask`."""
    return popcount(mask & (15 << 4 * rank))


@inlined_kernel
def tally_of(mask: int) -> int:
    """How many cards of each rank are in `mask`, four bits a rank."""
    pairs = mask - ((mask >> 1) & _ONE_IN_TWO)
    return (pairs & _TWO_IN_FOUR) + ((pairs >> 2) & _TWO_IN_FOUR)


@inlined_kernel
def ranks_in(mask: int) -> int:
    """The ranks of which `mask` has a card."""
    pairs = mask | mask >> 1
    return (pairs | pairs >> 2) & CLUBS


@inlined_kernel
def ranks_twice_in(mask: int) -> int:
    """The ranks of which `mask` has two cards or more."""
    tally = tally_of(mask)
    return (tally >> 1 | tally >> 2) & CLUBS


@inlined_kernel
def whole_ranks(ranks: int) -> int:
    """All cards of some ranks."""
    return ranks * 15


@inlined_kernel
def totals_of(mask: int) -> int:
    """What numerals of `mask` add up to, 0 to 10: for each such total *t*, bit 4*t* is set."""
    totals = 1
    rest = mask & NUMERALS
    while rest:
        totals |= (totals << 4 * (lowest(rest) >> 2) + 4) & _TOTALS
        rest &= rest - 1
    return totals


@inlined_kernel
def sum_of(mask: int) -> int:
    """Sum of the values of the numerals in `mask`; courts add nothing."""
    total = 0
    rest = mask & NUMERALS
    while rest:
        total += (lowest(rest) >> 2) + 1
        rest &= rest - 1
    return total


@inlined_kernel
def choose_cards(mask: int, number: int) -> int:
    """The subset of `mask` that `number` (0 up to 2 to the cards in `mask`, exclusive) names."""
    chosen = 0
    rest = mask
    while rest:
        card = rest & -rest
        if number & 1:
            chosen |= card
        number >>= 1
        rest ^= card
    return chosen


def cards_in(mask: int) -> Iterator[int]:
    """The cards of a mask, in canonical order."""
    mask = int(mask)
    while mask:
        yield lowest(mask)
        mask &= mask - 1


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << int(card)
    return mask
