"""Distinct plays: of plays that differ only by equal cards, one.

Suits matter for the ten of diamonds and the two of clubs alone, which score by suit (R11). Any
other card can stand for its equals, so of these the lowest is played or taken first.
"""

from __future__ import annotations

import numpy as np

from diloti.core.cards import (
    TEN_OF_DIAMONDS,
    TWO_OF_CLUBS,
    cards_of_rank,
    choose_cards,
    rank_of,
    tally_of,
)
from diloti.core.dice import roll
from diloti.core.jit import Ints, inlined_kernel, kernel, lowest, popcount, without_lowest
from diloti.core.plays import (
    CAPTURE,
    COUNT,
    DECLARE,
    FIRST_SORT,
    KIND,
    RANK,
    SORT_SIZE,
    TRAIL,
    TRAILS,
    VALUE,
    count_plays,
    find_in_sort,
    find_play,
    shape_at,
)
from diloti.core.position import HANDS, LOOSE, NOBODY, TURN
from diloti.core.rules import EQUAL_ALL, EQUAL_CARDS
from diloti.core.shapes import NO_SHAPE, Shape, cards_of_piles
from diloti.core.subsets import MEMBERS, MOST_MEMBERS, SUBSETS, word_of
from diloti.core.sums import WORD, is_wide
from diloti.core.tallies import SORTS, TALLY, WORDS

UNIQUE = TEN_OF_DIAMONDS | TWO_OF_CLUBS
"""The cards that no equal card can stand for."""

MOST_DISTINCT = 256
"""Rows of an array of plays. Where there are more plays, so many are drawn evenly from all."""

TOO_MANY = -1
"""Reported where there are more plays than rows."""

_OUT_OF_TURN = np.array(
    [
        word_of(s for s in range(SUBSETS) if s >> member & 1 and not s >> member - 1 & 1)
        for member in range(1, MOST_MEMBERS)
    ],
    dtype=np.int64,
)
"""For each member but the first the word of the subsets with it, yet without the one before it."""


@inlined_kernel
def one_of_equals(cards: int) -> int:
    """Of cards of one rank those that are each tried: the lowest plain one, and a scoring one."""
    plain = cards & ~UNIQUE
    return (plain & -plain) | (cards & UNIQUE)


@inlined_kernel
def takes_lowest(taken: int, cards: int) -> bool:
    """Whether `taken` holds the lowest of the plain cards in `cards`, all of one rank."""
    left = cards & ~UNIQUE & ~taken
    return left == 0 or taken & ~UNIQUE < left & -left


@inlined_kernel
def distinct_subsets(members: int) -> int:
    """The word of the subsets that take the lowest of equal members first."""
    word = -1
    number = 0
    before = members & -members
    rest = members & (members - 1)
    while rest:
        card = rest & -rest
        if lowest(card) >> 2 == lowest(before) >> 2 and not before & UNIQUE:
            word &= ~_OUT_OF_TURN[number]
        number += 1
        before = card
        rest ^= card
    return word


@inlined_kernel
def lowest_of(tally: int, cards: int) -> int:
    """The lowest of `cards` that make `tally`, or as many of them as there are."""
    taken = 0
    while tally:
        rank = lowest(tally) >> 2
        equal = cards_of_rank(cards, rank)
        for _ in range((tally >> 4 * rank) & 15):
            taken |= equal & -equal
            equal &= equal - 1
        tally = tally >> 4 * (rank + 1) << 4 * (rank + 1)
    return taken


@kernel
def list_distinct(rules: Ints, state: Ints, work: Ints, plays: Ints, dice: Ints) -> int:
    """List the distinct legal plays of the seat in turn in `plays`, five numbers a row.

    Returns their number. Where there are more of them than rows, the rows are filled with plays
    drawn evenly from all legal ones. The workspace must suit the table.
    """
    listed = list_each_once(rules, state, work, plays, 0, 0)
    if listed != TOO_MANY:
        return listed
    total = count_plays(rules, state, work)
    for row in range(plays.shape[0]):
        kind, card, loose, piles, value = find_play(rules, state, work, roll(dice, total))
        put_play(plays, row, kind, card, loose, piles, value)
    return plays.shape[0]


@kernel
def list_each_once(
    rules: Ints, state: Ints, work: Ints, plays: Ints, first: int, alike: int
) -> int:
    """List the distinct legal plays of the seat in turn from row `first` of `plays` on.

    Of the hand's cards in `alike`, one is played. Returns the number of plays, or `TOO_MANY`. The
    workspace must suit the table.
    """
    count_plays(rules, state, work)
    words = 0 if is_wide(work) else distinct_subsets(work[WORDS, MEMBERS])
    sorts = work[SORTS]
    hand = state[HANDS + state[TURN]]
    alike &= hand
    hand &= ~(alike & (alike - 1))
    row = first
    row = list_trails(work[SORTS, TRAILS] & hand, plays, row)
    place = FIRST_SORT
    while sorts[place + KIND] != NOBODY:
        cards = one_of_equals(cards_of_rank(hand, sorts[place + RANK]))
        shape = shape_at(rules, state, work, place)
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            if shape[1]:
                row = list_sums_of(
                    rules, state, work, card, sorts[place + VALUE], shape, words, plays, row
                )
            else:
                row = list_plain(rules, state, work, place, card, plays, row)
        place += SORT_SIZE
    return row - first if row <= plays.shape[0] else TOO_MANY


@inlined_kernel
def put_play(
    plays: Ints, row: int, kind: int, card: int, loose: int, piles: int, value: int
) -> int:
    """Write a play into a row, where there is one; the row after it."""
    if row < plays.shape[0]:
        plays[row, 0] = kind
        plays[row, 1] = card
        plays[row, 2] = loose
        plays[row, 3] = piles
        plays[row, 4] = value
    return row + 1


@inlined_kernel
def list_trails(trails: int, plays: Ints, row: int) -> int:
    """List the distinct trails of the cards in `trails`; the next row."""
    while trails:
        equal = cards_of_rank(trails, rank_of(lowest(trails)))
        trails ^= equal
        equal = one_of_equals(equal)
        while equal:
            row = put_play(plays, row, TRAIL, lowest(equal), 0, 0, 0)
            equal &= equal - 1
    return row


@inlined_kernel
def list_plain(
    rules: Ints, state: Ints, work: Ints, place: int, card: int, plays: Ints, row: int
) -> int:
    """List the distinct plays of `card` in the sort at `place`, which has no sums; the next row."""
    count = work[SORTS, place + COUNT]
    if work[SORTS, place + KIND] == CAPTURE:
        count = 1  # courts: one is like another
    for index in range(count):
        kind, card, loose, piles, value = find_in_sort(
            rules, state, work, place, card, NO_SHAPE, index
        )
        row = put_play(plays, row, kind, card, loose, piles, value)
    return row


@inlined_kernel
def list_sums_of(
    rules: Ints,
    state: Ints,
    work: Ints,
    card: int,
    value: int,
    shape: Shape,
    words: int,
    plays: Ints,
    row: int,
) -> int:
    """List the distinct captures of `card` (`value` 0), or its declarations; the next row."""
    _row, _found, equal, piles, must, _nothing = shape
    equals = cards_of_rank(state[LOOSE], value - 1 if value else rank_of(card))
    for chosen in range(1 << equal):
        taken = choose_cards(equals, chosen)
        if not value and rules[EQUAL_CARDS] == EQUAL_ALL and chosen:
            taken = equals
        if takes_lowest(taken, equals):
            for joined in range(1 << popcount(piles)):
                places = must | choose_cards(piles, joined)
                row = list_with_sums(
                    state, work, card, value, shape, taken, places, words, plays, row
                )
    return row


@inlined_kernel
def list_with_sums(
    state: Ints,
    work: Ints,
    card: int,
    value: int,
    shape: Shape,
    taken: int,
    places: int,
    words: int,
    plays: Ints,
    row: int,
) -> int:
    """List what `list_sums_of` does with `taken` and the piles at `places`; the next row."""
    kind = DECLARE if value else CAPTURE
    sums, found = shape[0], shape[1]
    piles = cards_of_piles(state, places)
    nothing = not taken and not places and (not value or value == rank_of(card) + 1)
    if sums == WORD:
        rest = found & words
        while rest:
            loose = taken | choose_cards(work[WORDS, MEMBERS], lowest(rest))
            rest = without_lowest(rest)
            if loose or not nothing:
                row = put_play(plays, row, kind, card, loose, piles, value)
        return row
    for place in range(found):
        if row > plays.shape[0]:
            break
        tally = work[TALLY, work[sums, place]]
        loose = lowest_of(tally, state[LOOSE])
        if taken | loose or not nothing:
            row = put_play(plays, row, kind, card, taken | loose, piles, value)
        plain = lowest_of(tally, state[LOOSE] & ~UNIQUE)
        if plain != loose and tally_of(plain) == tally:
            row = put_play(plays, row, kind, card, taken | plain, piles, value)
    return row


def rows_drawn_once(plays: Ints) -> Ints:
    """The rows of plays that no earlier row repeats."""
    _plays, first = np.unique(plays, axis=0, return_index=True)
    return np.sort(first)
