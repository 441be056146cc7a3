"""Sums on wide tables: which choices of loose numerals add up, or split into groups.

Equal cards of different suits add up alike, so a *choice* here only says how many cards of each
rank it takes. The choices of a table are numbered in mixed radix, aces first: with two aces and a
three on the table, choice 0 takes nothing, 1 an ace, 2 two aces, 3 the three, 4 the three and an
ace, 5 all. Numbers of choices that fit beside each other add up, and the choices without the
higher ranks come first. A table of *n* numerals has at most 2**n choices, and even all 36 cards
below ten only 5**9: every table can be worked through, however many plays it allows.

The work happens in a two-dimensional array of rows, the workspace. Whoever calls a kernel that
takes one must make it large enough for the table (`workspace_for`, `suits`).
"""

from __future__ import annotations

import numpy as np

from diloti.core.cards import HIGHEST_VALUE, SUITS, choose_cards, count_rank, tally_of
from diloti.core.jit import Ints, allocating_kernel, inlined_kernel, kernel, popcount

TALLY, TOTAL, WAYS, NEXT, GROUPS, CHOSEN, SEEN, HEADS, ENDS, WORDS, SORTS = range(11)
"""Rows of the workspace. Of each choice: its tally, its sum, in how many ways suits make it, and
another choice of the same sum. Then two lists of choices, those that split into groups and those
asked for; a flag for each choice, all 0 between calls; for each sum up to ten a choice that makes
it; for each value the number of choices that use only lower cards; the words of
`diloti.core.subsets`; and the sorts of play of `diloti.core.plays`."""

NONE = -1
"""Ends the choices of a sum."""

LOWER_RANKS = HIGHEST_VALUE - 1
"""Ace to nine: the ranks that a group can be made of (a ten is a whole group by itself)."""

_ROWS = 11
_ROOM = 2048
_FITS = 0x888888888
_BINOMIAL = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]],
    dtype=np.int64,
)


@kernel
def count_choices(mask: int) -> int:
    """Number of choices among the numerals below ten in `mask`."""
    number = 1
    for rank in range(LOWER_RANKS):
        number *= count_rank(mask, rank) + 1
    return number


@inlined_kernel
def suits(work: Ints, mask: int) -> bool:
    """Whether a workspace is large enough for a table with the cards of `mask`."""
    below_ten = mask & ((1 << SUITS * LOWER_RANKS) - 1)
    # n cards make 2**n choices at most, which is soon known and mostly enough.
    return 1 << popcount(below_ten) <= work.shape[1] or count_choices(mask) <= work.shape[1]


@allocating_kernel
def workspace_for(mask: int) -> Ints:
    """A workspace large enough for a table with the cards of `mask`, and for most others."""
    return np.zeros((_ROWS, max(_ROOM, count_choices(mask))), dtype=np.int64)


@kernel
def list_choices(work: Ints, mask: int) -> None:
    """List all choices among the numerals below ten in `mask`."""
    for total in range(HIGHEST_VALUE + 1):
        work[HEADS, total] = NONE
    work[TALLY, 0] = 0
    work[TOTAL, 0] = 0
    work[WAYS, 0] = 1
    work[NEXT, 0] = NONE
    work[HEADS, 0] = 0
    end = 1
    for rank in range(LOWER_RANKS):
        work[ENDS, rank + 1] = end
        held = count_rank(mask, rank)
        stride = end
        for taken in range(1, held + 1):
            ways = _BINOMIAL[held, taken]
            for choice in range(stride):
                total = work[TOTAL, choice] + taken * (rank + 1)
                work[TALLY, end] = work[TALLY, choice] + (taken << 4 * rank)
                work[TOTAL, end] = total
                work[WAYS, end] = work[WAYS, choice] * ways
                if total <= HIGHEST_VALUE:
                    work[NEXT, end] = work[HEADS, total]
                    work[HEADS, total] = end
                end += 1
    work[ENDS, HIGHEST_VALUE] = end


@kernel
def fits_beside(work: Ints, choice: int, other: int, room: int) -> bool:
    """Whether the table has cards enough for both choices; `room` comes from `room_below`."""
    return (room - work[TALLY, choice] - work[TALLY, other]) & _FITS == _FITS


@kernel
def room_below(work: Ints, value: int) -> int:
    """How many cards of each rank below `value` there are, with a bit a rank that must stay."""
    return int(work[TALLY, work[ENDS, value] - 1]) + _FITS


@kernel
def find_groups(work: Ints, value: int) -> int:
    """List in `GROUPS` the choices of cards below `value` that split into groups of it (R5.1).

    The empty choice comes first. Returns their number.
    """
    work[GROUPS, 0] = 0
    found = 1
    end = work[ENDS, value]
    room = room_below(work, value)
    group = work[HEADS, value]
    while group != NONE:
        place = 0 if group < end else found
        while place < found:
            choice = work[GROUPS, place]
            if fits_beside(work, choice, group, room) and not work[SEEN, choice + group]:
                work[SEEN, choice + group] = 1
                work[GROUPS, found] = choice + group
                found += 1
            place += 1
        group = work[NEXT, group]
    for place in range(1, found):
        work[SEEN, work[GROUPS, place]] = 0
    return found


@kernel
def find_components(work: Ints, played: int, value: int, groups: int) -> int:
    """List in `CHOSEN` the choices of cards below `value` that go into components with a card.

    These are the choices that, together with a card worth `played`, split into components of
    `value` (R6.4): one component holds the played card, the others are the first `groups` choices
    of `GROUPS`. Returns their number.
    """
    if groups == 1:
        return find_sums(work, value, value - played, 0)
    room = room_below(work, value)
    found = 0
    rest = work[HEADS, value - played]
    while rest != NONE:
        for place in range(groups):
            choice = work[GROUPS, place]
            if fits_beside(work, choice, rest, room) and not work[SEEN, choice + rest]:
                work[SEEN, choice + rest] = 1
                work[CHOSEN, found] = choice + rest
                found += 1
        rest = work[NEXT, rest]
    for place in range(found):
        work[SEEN, work[CHOSEN, place]] = 0
    return found


@kernel
def find_sums(work: Ints, value: int, total: int, found: int) -> int:
    """Add to the `found` choices in `CHOSEN` those of cards below `value` that make `total`.

    Returns their number.
    """
    choice = work[HEADS, total]
    while choice != NONE:
        if choice < work[ENDS, value]:
            work[CHOSEN, found] = choice
            found += 1
        choice = work[NEXT, choice]
    return found


@kernel
def find_way(work: Ints, row: int, way: int, mask: int) -> int:
    """The cards of `mask` that way number `way` of a list of choices takes, as a mask."""
    place = 0
    while way >= work[WAYS, work[row, place]]:
        way -= work[WAYS, work[row, place]]
        place += 1
    return suited(work[TALLY, work[row, place]], way, mask)


@kernel
def suited(tally: int, way: int, mask: int) -> int:
    """The cards of `mask` that take `tally` in way number `way`, as a mask."""
    cards = 0
    while tally:
        rank = 0
        while (tally >> 4 * rank) & 15 == 0:
            rank += 1
        taken = (tally >> 4 * rank) & 15
        here = mask & (15 << 4 * rank)
        held = popcount(here)
        ways = _BINOMIAL[held, taken]
        skip = way % ways
        way //= ways
        for number in range(1 << held):
            if popcount(number) == taken:
                if skip == 0:
                    cards |= choose_cards(here, number)
                    break
                skip -= 1
        tally &= ~(15 << 4 * rank)
    return cards


@kernel
def has_choice(work: Ints, row: int, found: int, choice: int) -> bool:
    """Whether `choice` is among the first `found` of a list."""
    for place in range(found):
        if work[row, place] == choice:
            return True
    return False


@kernel
def splits_into_groups(work: Ints, mask: int, value: int) -> bool:
    """Whether the numerals of `mask`, all below `value`, split into groups of it (R5.1)."""
    list_choices(work, mask)
    groups = find_groups(work, value)
    return has_choice(work, GROUPS, groups, work[ENDS, value] - 1)


@kernel
def splits_into_components(work: Ints, mask: int, played: int, value: int) -> bool:
    """Whether `mask`, all below `value`, and a card worth `played` split into components (R6.4)."""
    list_choices(work, mask)
    found = find_components(work, played, value, find_groups(work, value))
    return has_choice(work, CHOSEN, found, work[ENDS, value] - 1)


def split(mask: int, value: int) -> tuple[int, ...]:
    """The cards of `mask` as components of `value` each (masks), highest cards first.

    Raises `ValueError` where they do not split.
    """
    impossible: set[int] = set()

    def take(rest: int) -> tuple[int, ...] | None:
        if not rest:
            return ()
        if tally_of(rest) in impossible:
            return None
        first = rest.bit_length() - 1
        for component in _completions(1 << first, rest, value - (first // 4 + 1)):
            others = take(rest & ~component)
            if others is not None:
                return (component, *others)
        impossible.add(tally_of(rest))
        return None

    components = take(int(mask))
    if components is None:
        raise ValueError(f"no components of {value}")
    return components


def _completions(chosen: int, rest: int, missing: int) -> list[int]:
    """All sets made of `chosen` and lower cards of `rest` worth `missing`; equal ranks once."""
    if missing == 0:
        return [chosen]
    found: list[int] = []
    tried = set()
    below = rest & ((chosen & -chosen) - 1)
    while below:
        card = below.bit_length() - 1
        below ^= 1 << card
        worth = card // 4 + 1
        if worth <= missing and worth not in tried:
            tried.add(worth)
            found += _completions(chosen | 1 << card, rest, missing - worth)
    return found
