"""Distinct plays: of plays that differ only by equal cards, one.

Suits matter for the ten of diamonds and the two of clubs alone, which score by suit (R11). Any
other card can stand for its equals, so of these the lowest is played or taken first.
"""

from __future__ import annotations

import numpy as np

from diloti.core.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS, cards_of_rank, choose_cards, rank_of
from diloti.core.dice import roll
from diloti.core.jit import Ints, inlined_kernel, kernel, lowest, popcount
from diloti.core.plays import (
    CAPTURE,
    COUNT,
    DECLARE,
    KIND,
    RANK,
    SHAPE,
    SORT_SIZE,
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
from diloti.core.tallies import SORTS, WORDS

SCORING = TEN_OF_DIAMONDS | TWO_OF_CLUBS
"""The cards that no equal card can stand for."""

MOST_DISTINCT = 256
"""Rows of an array of plays. Where there are more plays, so many are drawn evenly from all."""

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
    plain = cards & ~SCORING
    return (plain & -plain) | (cards & SCORING)


@inlined_kernel
def takes_lowest(taken: int, cards: int) -> bool:
    """Whether `taken` holds the lowest of the plain cards in `cards`, all of one rank."""
    left = cards & ~SCORING & ~taken
    return left == 0 or taken & ~SCORING < left & -left


@inlined_kernel
def distinct_subsets(members: int) -> int:
    """The word of the subsets that take the lowest of equal members first."""
    word = -1
    number = 0
    before = members & -members
    rest = members & (members - 1)
    while rest:
        card = rest & -rest
        if lowest(card) >> 2 == lowest(before) >> 2 and not before & SCORING:
            word &= ~_OUT_OF_TURN[number]
        number += 1
        before = card
        rest ^= card
    return word


@kernel
def list_distinct(rules: Ints, state: Ints, work: Ints, plays: Ints, dice: Ints) -> int:
    """List the distinct legal plays of the seat in turn in `plays`, five numbers a row.

    Returns their number. On wide tables equal cards are not merged; where there are more plays
    than rows, the rows are filled with plays drawn evenly. The workspace must suit the table.
    """
    total = count_plays(rules, state, work)
    if total > plays.shape[0] or is_wide(work):
        drawn = min(total, plays.shape[0])
        for row in range(drawn):
            index = row if drawn == total else roll(dice, total)
            note_play(plays, row, find_play(rules, state, work, index))
        return drawn
    words = distinct_subsets(work[WORDS, MEMBERS])
    sorts = work[SORTS]
    hand = state[HANDS + state[TURN]]
    listed = place = 0
    while sorts[place + KIND] != NOBODY:
        cards = one_of_equals(cards_of_rank(hand, sorts[place + RANK]))
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            if sorts[place + SHAPE] == WORD:
                shape = shape_at(rules, state, work, place)
                listed = list_sums_of(
                    rules, state, work, card, sorts[place + VALUE], shape, words, plays, listed
                )
            else:
                count = sorts[place + COUNT]
                if sorts[place + KIND] == CAPTURE:
                    count = 1  # courts: one is like another
                for index in range(count):
                    note_play(
                        plays,
                        listed,
                        find_in_sort(rules, state, work, place, card, NO_SHAPE, index),
                    )
                    listed += 1
        place += SORT_SIZE
    return listed


@inlined_kernel
def note_play(plays: Ints, row: int, play: tuple[int, int, int, int, int]) -> None:
    """Write a play into a row."""
    for field in range(5):
        plays[row, field] = play[field]


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
    listed: int,
) -> int:
    """List the distinct captures of `card` (`value` 0), or its declarations; their new number."""
    _row, found, equal, piles, must, _nothing = shape
    kind = DECLARE if value else CAPTURE
    equals = cards_of_rank(state[LOOSE], value - 1 if value else rank_of(card))
    for chosen in range(1 << equal):
        taken = choose_cards(equals, chosen)
        if not value and rules[EQUAL_CARDS] == EQUAL_ALL and chosen:
            taken = equals
        if not takes_lowest(taken, equals):
            continue
        for joined in range(1 << popcount(piles)):
            places = must | choose_cards(piles, joined)
            rest = found & words
            while rest:
                subset = lowest(rest)
                rest &= rest - 1
                loose = taken | choose_cards(work[WORDS, MEMBERS], subset)
                if loose or places or (value and value != rank_of(card) + 1):
                    note_play(
                        plays, listed, (kind, card, loose, cards_of_piles(state, places), value)
                    )
                    listed += 1
    return listed
