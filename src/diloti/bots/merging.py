"""Merged plays: the legal plays with those listed once that differ in equal cards only.

Two cards are *equal* here when nothing in the rest of the deal can tell them apart: they are of
the same rank, and neither is the ten of diamonds or the two of clubs, the only cards whose suit
scores (R11). A set of cards is *lowest first* when it takes, of equal cards that lie together,
those of the lowest suits; every play can be exchanged for an equal one of such sets.

A court is *dead* when no card can ever take it any more, nor it any card. Dead courts of all ranks
are alike: they lie there until somebody receives the leftovers.
"""

from __future__ import annotations

from diloti.core.cards import (
    FULL_PACK,
    JACK,
    RANKS,
    TEN_OF_DIAMONDS,
    TWO_OF_CLUBS,
    cards_of_rank,
    count_rank,
    rank_of,
)
from diloti.core.jit import Ints, kernel, lowest
from diloti.core.plays import TRAIL, count_plays, find_play
from diloti.core.position import HANDS, LOOSE, PILE_COUNT, PILES, TURN, pile_value

KIND, CARD, TAKEN_LOOSE, TAKEN_PILES, VALUE, PROMISE = range(6)
"""Columns of a list of plays: the five numbers of a play, then how good it looks at a glance."""
COLUMNS = 6

TOO_MANY = -1
"""Reported where the plays are too many to be listed."""

RAW_FOR_EACH_ROW = 4
"""So many plays a row are looked at before they are merged; where there are more, none is."""

SPECIAL = TEN_OF_DIAMONDS | TWO_OF_CLUBS
_PLAIN = FULL_PACK ^ SPECIAL
_BELOW_FOURTH = 0x7777777777777
_BELOW_THIRD = 0x3333333333333
_FIRST = 0x1111111111111


@kernel
def is_lowest_first(taken: int, lying: int) -> bool:
    """Whether `taken`, a part of `lying`, leaves no card below an equal one that it takes."""
    left = lying & ~taken & _PLAIN
    above = (left & _BELOW_FOURTH) << 1 | (left & _BELOW_THIRD) << 2 | (left & _FIRST) << 3
    return above & taken & _PLAIN == 0


@kernel
def dead_courts(hands: int, loose: int) -> int:
    """The dead courts among the cards of all hands, the stock being empty, and the loose cards."""
    dead = 0
    for rank in range(JACK, RANKS):
        held = count_rank(hands, rank)
        if held == 0 or (held == 1 and count_rank(loose, rank) == 0):
            dead |= cards_of_rank(hands | loose, rank)
    return dead


@kernel
def put_play(
    plays: Ints, row: int, kind: int, card: int, loose: int, piles: int, value: int
) -> None:
    """Write a play into a row."""
    plays[row, KIND] = kind
    plays[row, CARD] = card
    plays[row, TAKEN_LOOSE] = loose
    plays[row, TAKEN_PILES] = piles
    plays[row, VALUE] = value


@kernel
def can_take_any(state: Ints, rank: int) -> bool:
    """Whether a card of `rank` finds anything to capture (R5.1, R5.7)."""
    if count_rank(state[LOOSE], rank):
        return True
    if rank >= JACK:
        return False
    value = rank + 1
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_value(state[slot]) == value:
            return True
    sums = 1
    rest = state[LOOSE] & ((1 << 4 * rank) - 1)
    while rest:
        sums |= sums << rank_of(lowest(rest)) + 1 & (2 << value) - 1
        rest &= rest - 1
    return sums >> value == 1


@kernel
def list_merged(rules: Ints, state: Ints, work: Ints, plays: Ints, first: int, alike: int) -> int:
    """List the merged plays of the seat in turn from row `first` of `plays` on.

    Of the cards of `alike`, which can only be trailed, one is listed. The workspace must suit the
    table. Returns the number of plays, or `TOO_MANY`.
    """
    hand = state[HANDS + state[TURN]]
    if hand & (hand - 1) == 0 and not can_take_any(state, rank_of(lowest(hand))):
        # The last card can declare and raise nothing (R6.2, R7.2), and some play is legal (R3.2).
        put_play(plays, first, TRAIL, lowest(hand), 0, 0, 0)
        return 1
    count = count_plays(rules, state, work)
    if count > RAW_FOR_EACH_ROW * (plays.shape[0] - first):
        return TOO_MANY
    alike &= hand
    skipped = alike & (alike - 1)
    row = first
    for index in range(count):
        kind, card, loose, piles, value = find_play(rules, state, work, index)
        if (
            not skipped >> card & 1
            and is_lowest_first(1 << card, hand)
            and is_lowest_first(loose, state[LOOSE])
        ):
            if row == plays.shape[0]:
                return TOO_MANY
            put_play(plays, row, kind, card, loose, piles, value)
            row += 1
    return row - first
