"""Sums: which loose numerals add up to a value, or split into groups that each do.

Tables with few numerals are worked out in words (`diloti.core.subsets`), wide ones by rank
(`diloti.core.tallies`). What is found is a *list of sums*: either way it can be counted, and one
of its sums taken, without another one being made. A list of sums is a row of the workspace and how
many choices it holds; where the row is `WORD`, the second number is a word of subsets instead.
"""

from __future__ import annotations

from diloti.core.cards import choose_cards
from diloti.core.jit import Ints, inlined_kernel, popcount
from diloti.core.subsets import (
    MEMBERS,
    MOST_MEMBERS,
    components_word,
    group_word,
    groups_word,
    list_words,
    nth_subset,
)
from diloti.core.tallies import (
    CHOSEN,
    GROUPS,
    LOWER_RANKS,
    WAYS,
    WORDS,
    find_components,
    find_groups,
    find_sums,
    find_way,
    list_choices,
)

WORD = -1
"""In the place of a row: the list of sums is a word."""

_WIDE = -1
"""In the place of the members: the table is worked out by rank."""


@inlined_kernel
def list_sums(work: Ints, loose: int, highest: int) -> None:
    """Work out the sums up to `highest` of the loose numerals in `loose`."""
    members = loose & ((1 << 4 * min(highest - 1, LOWER_RANKS)) - 1)
    if popcount(members) <= MOST_MEMBERS:
        list_words(work, members)
    else:
        work[WORDS, MEMBERS] = _WIDE
        list_choices(work, loose)


@inlined_kernel
def is_wide(work: Ints) -> bool:
    """Whether the sums of the table are worked out by rank."""
    return work[WORDS, MEMBERS] == _WIDE


@inlined_kernel
def all_groups(work: Ints, value: int) -> tuple[int, int]:
    """The sums of lower cards that split into groups of `value`, that of no card first (R5.1)."""
    if is_wide(work):
        return GROUPS, find_groups(work, value)
    return WORD, groups_word(work, value)


@inlined_kernel
def one_group(work: Ints, value: int) -> tuple[int, int]:
    """The sums of lower cards that are one group of `value`, that of no card first (R5.5)."""
    if is_wide(work):
        return CHOSEN, find_sums(work, value, value, find_sums(work, value, 0, 0))
    return WORD, group_word(work, value)


@inlined_kernel
def one_component(work: Ints, played: int, value: int) -> tuple[int, int]:
    """The sums of lower cards that with a card worth `played` add up to `value` (R6.3)."""
    if is_wide(work):
        return CHOSEN, find_sums(work, value, value - played, 0)
    return WORD, int(work[WORDS, value - played])


@inlined_kernel
def all_components(work: Ints, played: int, value: int, groups: int) -> tuple[int, int]:
    """The sums of lower cards that with a card worth `played` split into components (R6.4).

    `groups` is the second number that `all_groups` gave for the value.
    """
    if is_wide(work):
        return CHOSEN, find_components(work, played, value, groups)
    return WORD, components_word(work, played, value, groups)


@inlined_kernel
def count_sums(work: Ints, row: int, found: int) -> int:
    """In how many ways cards make the sums of a list."""
    if row == WORD:
        return popcount(found)
    ways = 0
    for place in range(found):
        ways += work[WAYS, work[row, place]]
    return ways


@inlined_kernel
def find_sum(work: Ints, row: int, found: int, way: int, loose: int) -> int:
    """The cards of `loose` that way number `way` of a list of sums takes, as a mask."""
    if row == WORD:
        return choose_cards(work[WORDS, MEMBERS], nth_subset(found, way))
    return find_way(work, row, way, loose)
