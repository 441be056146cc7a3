"""Drafts: plays that are built in steps, and which steps some legal play begins with.

Plays are combinations of cards, so they cannot be numbered once and for all. Instead a play is
built in steps: a card of the hand, the way it is played, then the table cards and piles that it
uses, in the order of their (lowest) cards, and at last the word that it is done. What is built so
far is the *draft*. As the order is fixed, there is one way only to each play, and the steps allowed
are exactly those that some legal play begins with: nobody can get stuck.

A step without an alternative is not asked for but taken at once; only the first step of a play is
always asked for. So a card that can only be trailed is trailed by naming it, and a raise ends with
the pile that is raised.

Where partners may show each other a card (R2.7), each seat is asked once before the first play, in
the order of play: a card of the hand shows that card, "done" shows none.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from diloti.core.cards import JACK, PACK_SIZE, cards_of_rank, count_rank, rank_of
from diloti.core.jit import Ints, highest, inlined_kernel, kernel, lowest, popcount
from diloti.core.plays import (
    FIRST_SORT,
    KIND,
    RANK,
    SORT_SIZE,
    TRAILS,
    VALUE,
    count_plays,
)
from diloti.core.position import (
    DEALER,
    HANDS,
    LOOSE,
    NOBODY,
    PILE_COUNT,
    PILES,
    TURN,
    find_pile,
    pile_cards,
    pile_value,
)
from diloti.core.rules import EQUAL_ALL, EQUAL_CARDS, PARTNERS_SHOW_CARD, PLAYERS
from diloti.core.shapes import (
    CAPTURE,
    DECLARE,
    RAISE,
    TRAIL,
    can_raise,
    count_court_captures,
    shape_sort,
)
from diloti.core.subsets import HOLDERS, MEMBERS
from diloti.core.sums import WORD, list_sums
from diloti.core.tallies import LOWER_RANKS, SORTS, TALLY, WORDS

DRAFT_SIZE = 7
CARD, WAY, LOOSE_USED, PILES_USED, LAST, SHOWS, SHOWN = range(DRAFT_SIZE)
"""The numbers of a draft: the card and the way it is played (`NOBODY` before they are chosen), the
loose cards and the cards of piles used so far, the card that named the last of them (or `NOBODY`);
then how many seats are still to be asked for a card to show, and the card that one has just shown
(or `NOBODY`)."""

TRAIL_WAY, CAPTURE_WAY, RAISE_WAY, DECLARE_WAY = range(4)
"""Ways to play a card; a declaration of *v* is the way `DECLARE_WAY` + *v* - 1."""
WAYS = DECLARE_WAY + 10

Steps: TypeAlias = tuple[int, int, int, int]
"""Steps: cards of the hand (mask), ways (bit *w* for way *w*), cards that name what is used from
the table (mask; a pile is named by its lowest card), and whether the play can be done (0 or 1)."""

NO_STEPS: Steps = (0, 0, 0, 0)

HAND_STEP, WAY_STEP, TABLE_STEP, DONE_STEP = range(4)
"""The kinds of step, in the order of `Steps`."""

_NO_CARD = -1


def new_draft() -> Ints:
    """A draft in which nothing is chosen, and nobody is asked for a card to show."""
    draft = np.zeros(DRAFT_SIZE, dtype=np.int64)
    clear_draft(draft)
    return draft


@inlined_kernel
def clear_draft(draft: Ints) -> None:
    """Begin a play: nothing is chosen."""
    draft[CARD] = draft[WAY] = draft[LAST] = draft[SHOWN] = NOBODY
    draft[LOOSE_USED] = draft[PILES_USED] = 0


@inlined_kernel
def begin_deal(rules: Ints, draft: Ints) -> None:
    """Begin a deal: every seat is asked for a card to show where that is allowed (R2.7)."""
    clear_draft(draft)
    draft[SHOWS] = rules[PLAYERS] if rules[PARTNERS_SHOW_CARD] else 0


@inlined_kernel
def seat_asked(rules: Ints, state: Ints, draft: Ints) -> int:
    """The seat that is asked for a step; `NOBODY` when the deal is over."""
    if draft[SHOWS]:
        return (state[DEALER] + 1 + rules[PLAYERS] - draft[SHOWS]) % rules[PLAYERS]
    return int(state[TURN])


@inlined_kernel
def kind_of_way(way: int) -> int:
    """The kind of play of a way."""
    if way >= DECLARE_WAY:
        return DECLARE
    if way == RAISE_WAY:
        return RAISE
    return CAPTURE if way == CAPTURE_WAY else TRAIL


@inlined_kernel
def way_of(kind: int, value: int) -> int:
    """The way of a kind of play; `value` is what is declared."""
    if kind == DECLARE:
        return DECLARE_WAY + value - 1
    if kind == RAISE:
        return RAISE_WAY
    return CAPTURE_WAY if kind == CAPTURE else TRAIL_WAY


@inlined_kernel
def drafted_play(state: Ints, draft: Ints) -> tuple[int, int, int, int, int]:
    """The play that is drafted, as kernels take it."""
    kind = kind_of_way(draft[WAY])
    value = 0
    if kind == DECLARE:
        value = draft[WAY] - DECLARE_WAY + 1
    elif kind == RAISE:
        value = pile_value(find_pile(state, draft[PILES_USED])) + rank_of(draft[CARD]) + 1
    return kind, draft[CARD], draft[LOOSE_USED], draft[PILES_USED], value


@inlined_kernel
def count_steps(steps: Steps) -> int:
    """How many steps there are."""
    hand, ways, table, done = steps
    return popcount(hand) + popcount(ways) + popcount(table) + done


@inlined_kernel
def first_step(steps: Steps) -> tuple[int, int]:
    """The kind and the number of the first of some steps."""
    hand, ways, table, _done = steps
    if hand:
        return HAND_STEP, lowest(hand)
    if ways:
        return WAY_STEP, lowest(ways)
    if table:
        return TABLE_STEP, lowest(table)
    return DONE_STEP, 0


@inlined_kernel
def step_towards(
    state: Ints, draft: Ints, steps: Steps, kind: int, card: int, loose: int, piles: int, value: int
) -> tuple[int, int]:
    """The kind and the number of the one of these steps that leads to a legal play."""
    hand, ways, _table, _done = steps
    if hand:
        return HAND_STEP, card
    if ways:
        return WAY_STEP, way_of(kind, value)
    missing = loose & ~draft[LOOSE_USED]
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        cards = pile_cards(state[slot])
        if cards & piles & ~draft[PILES_USED]:
            missing |= cards & -cards
    return (TABLE_STEP, lowest(missing)) if missing else (DONE_STEP, 0)


@inlined_kernel
def add_step(state: Ints, draft: Ints, kind: int, number: int) -> None:
    """Add a step to the draft of a play."""
    if kind == HAND_STEP:
        draft[CARD] = number
    elif kind == WAY_STEP:
        draft[WAY] = number
    elif kind == TABLE_STEP:
        draft[LAST] = number
        if state[LOOSE] >> number & 1:
            draft[LOOSE_USED] |= 1 << number
        else:
            draft[PILES_USED] |= pile_named(state, number)


@inlined_kernel
def pile_named(state: Ints, card: int) -> int:
    """The cards of the pile that holds `card`, or 0."""
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_cards(state[slot]) >> card & 1:
            return pile_cards(state[slot])
    return 0


@kernel
def take_step(
    rules: Ints, state: Ints, work: Ints, draft: Ints, kind: int, number: int
) -> tuple[bool, Steps]:
    """Take an allowed step, and those after it that have no alternative.

    Returns whether the play is complete (then the draft holds it), and if not the next steps. The
    workspace must suit the table.
    """
    while kind != DONE_STEP:
        add_step(state, draft, kind, number)
        steps = find_steps(rules, state, work, draft)
        if count_steps(steps) != 1:
            return False, steps
        kind, number = first_step(steps)
    return True, NO_STEPS


@kernel
def take_show(draft: Ints, kind: int, number: int) -> None:
    """Take the step of a seat that is asked for a card to show; `draft[SHOWN]` is that card."""
    draft[SHOWN] = number if kind == HAND_STEP else NOBODY
    draft[SHOWS] -= 1


@kernel
def find_steps(rules: Ints, state: Ints, work: Ints, draft: Ints) -> Steps:
    """The steps allowed next, none when the deal is over."""
    if draft[SHOWS]:
        return int(state[HANDS + seat_asked(rules, state, draft)]), 0, 0, 1
    if draft[WAY] != NOBODY:
        table, done = find_table_steps(rules, state, work, draft)
        return 0, 0, table, done
    count_plays(rules, state, work)
    if draft[CARD] == NOBODY:
        return playable_cards(state, work), 0, 0, 0
    return 0, playable_ways(work, draft[CARD]), 0, 0


@inlined_kernel
def playable_cards(state: Ints, work: Ints) -> int:
    """The cards of the seat in turn that can be played, once `count_plays` has counted."""
    if state[TURN] == NOBODY:
        return 0
    sorts = work[SORTS]
    cards = sorts[TRAILS]
    place = FIRST_SORT
    while sorts[place + KIND] != NOBODY:
        cards |= cards_of_rank(state[HANDS + state[TURN]], sorts[place + RANK])
        place += SORT_SIZE
    return int(cards)


@inlined_kernel
def playable_ways(work: Ints, card: int) -> int:
    """The ways in which a card can be played, once `count_plays` has counted."""
    sorts = work[SORTS]
    ways = (sorts[TRAILS] >> card & 1) << TRAIL_WAY
    place = FIRST_SORT
    while sorts[place + KIND] != NOBODY:
        if sorts[place + RANK] == rank_of(card):
            if sorts[place + KIND] == CAPTURE:
                ways |= 1 << CAPTURE_WAY
            elif sorts[place + KIND] == RAISE:
                ways |= 1 << RAISE_WAY
            else:
                ways |= 1 << DECLARE_WAY + sorts[place + VALUE] - 1
        place += SORT_SIZE
    return int(ways)


@inlined_kernel
def find_table_steps(rules: Ints, state: Ints, work: Ints, draft: Ints) -> tuple[int, int]:
    """The cards that can name what is used next, and whether the play can be done."""
    kind, rank = kind_of_way(draft[WAY]), rank_of(draft[CARD])
    used = draft[LOOSE_USED] | draft[PILES_USED]
    if kind == TRAIL:
        return 0, 1
    if kind == RAISE:
        return (0, 1) if used else (raisable_piles(rules, state, rank), 0)
    if rank >= JACK:
        return find_court_steps(rules, cards_of_rank(state[LOOSE], rank), used)
    return find_numeral_steps(rules, state, work, draft, kind, rank)


@inlined_kernel
def raisable_piles(rules: Ints, state: Ints, rank: int) -> int:
    """The lowest cards of the piles that the seat in turn can raise with a numeral of `rank`."""
    named = 0
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if can_raise(rules, state, rank, state[slot]):
            named |= 1 << lowest(pile_cards(state[slot]))
    return named


@inlined_kernel
def find_court_steps(rules: Ints, equal: int, used: int) -> tuple[int, int]:
    """The steps of a capture by a court, `equal` being the loose cards of its rank (R5.7)."""
    rest = equal & ~used
    number = popcount(equal)
    if count_court_captures(rules, number) == number:  # exactly one of them
        return (0, 1) if used else (rest, 0)
    return (rest & -rest, 0) if rest else (0, 1)


@inlined_kernel
def find_numeral_steps(
    rules: Ints, state: Ints, work: Ints, draft: Ints, kind: int, rank: int
) -> tuple[int, int]:
    """The steps of a capture or a declaration by a numeral (R5, R6).

    Its plays are products of independent choices (`diloti.core.shapes`): a sum of lower cards,
    some cards of the value itself, some piles.
    """
    value = draft[WAY] - DECLARE_WAY + 1 if kind == DECLARE else rank + 1
    list_sums(work, state[LOOSE], value)
    row, found, equal_count, places, must, _nothing = shape_sort(
        rules, state, work, kind, rank, value if kind == DECLARE else 0
    )
    used, last = draft[LOOSE_USED], draft[LAST]
    if row == WORD:
        sums, sum_is_done = follow_word(work, found, used, last)
    else:
        lower = state[LOOSE] & ((1 << 4 * (value - 1)) - 1)
        sums, sum_is_done = follow_tallies(work, row, found, lower, used, last)

    # Where all equal cards go together (R5.4), they are taken one after the other from the lowest.
    equal = cards_of_rank(state[LOOSE], value - 1) & ~used if equal_count else 0
    together = kind == CAPTURE and rules[EQUAL_CARDS] == EQUAL_ALL
    some_are_missing = together and equal and cards_of_rank(used, value - 1)
    if together:
        equal &= -equal
    named, missing_pile = name_piles(state, places, must, draft[PILES_USED])

    # No step may pass over what the play must use, nor over the rest of an unfinished sum.
    end = PACK_SIZE if sum_is_done else highest_or_none(sums)
    if some_are_missing:
        end = min(end, lowest(equal))
    if missing_pile:
        end = min(end, lowest(missing_pile))
    table = (sums | equal | named) & (-1 << last + 1) & ((2 << end) - 1)
    is_done = sum_is_done and not some_are_missing and not missing_pile and used | draft[PILES_USED]
    return table, 1 if is_done else 0


@inlined_kernel
def highest_or_none(mask: int) -> int:
    """The highest card of a mask, below every card where there is none."""
    return highest(mask) if mask else _NO_CARD


@inlined_kernel
def name_piles(state: Ints, places: int, must: int, used: int) -> tuple[int, int]:
    """The lowest cards of the piles at `places` and `must` not yet used, and that of one of `must`.

    Both as masks; the second is 0 where all that must be used is.
    """
    named, missing = 0, 0
    rest = places | must
    while rest:
        cards = pile_cards(state[PILES + lowest(rest)])
        if not cards & used:
            named |= cards & -cards
            if must >> lowest(rest) & 1:
                missing = cards & -cards
        rest &= rest - 1
    return named, missing


@inlined_kernel
def follow_word(work: Ints, word: int, used: int, last: int) -> tuple[int, bool]:
    """The members that can come next in a sum out of a word, and whether the sum is complete.

    `used` are the cards taken so far, none of them above the card `last`.
    """
    following = 0
    members = work[WORDS, MEMBERS]
    number = 0
    while members:
        card = lowest(members)
        members &= members - 1
        if used >> card & 1:
            word &= HOLDERS[number]
        else:
            if card > last and word & HOLDERS[number]:
                following |= 1 << card
            word &= ~HOLDERS[number]
        number += 1
    return following, word != 0


@inlined_kernel
def follow_tallies(
    work: Ints, row: int, found: int, lower: int, used: int, last: int
) -> tuple[int, bool]:
    """Like `follow_word`, in a list of sums by rank, which are made of the cards `lower`."""
    following, is_done = 0, False
    taken, rest = lower & used, lower & ~used & (-1 << last + 1)
    for place in range(found):
        tally = work[TALLY, work[row, place]]
        fits, first = True, 0
        for rank in range(LOWER_RANKS):
            missing = (tally >> 4 * rank & 15) - count_rank(taken, rank)
            cards = cards_of_rank(rest, rank)
            if not 0 <= missing <= popcount(cards):
                fits = False
                break
            if missing and not first:
                first = cards
                for _ in range(missing - 1):  # so many must be left above the next one
                    first ^= 1 << highest(first)
        if fits:
            following |= first
            is_done = is_done or first == 0
    return following, is_done
