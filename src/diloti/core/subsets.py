"""Sums on small tables: the sets of up to six loose numerals as the bits of one word.

The numerals at hand, the *members*, are numbered from the lowest card up. A *subset* is a number
from 0 to 63 with the bit of each of its members set, and a *word* is a set of subsets: 64 bits, one
for each. Subsets that share no member add up to their union, so all unions of a word with one
subset are a shift of it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from diloti.core.cards import HIGHEST_VALUE
from diloti.core.jit import Ints, inlined_kernel, lowest, without_lowest
from diloti.core.tallies import WORDS

MOST_MEMBERS = 6
SUBSETS = 1 << MOST_MEMBERS

MEMBERS, NO_SUM = HIGHEST_VALUE + 1, HIGHEST_VALUE + 2
"""Places in the row `WORDS`, after the words of the sums 0 to 10: the members' mask, and the word
of a sum below 0, which is always empty."""

_EMPTY = 1
"""The word of the empty subset alone."""


def word_of(subsets: Iterable[int]) -> int:
    """The word of some subsets, as a signed number."""
    word = sum(1 << subset for subset in subsets)
    return word - (1 << SUBSETS if word >> SUBSETS - 1 else 0)


_DISJOINT = np.array(
    [word_of(other for other in range(SUBSETS) if not other & subset) for subset in range(SUBSETS)],
    dtype=np.int64,
)
"""For each subset the word of those that share no member with it."""

_SINGLES = word_of(1 << member for member in range(MOST_MEMBERS))
"""The word of the subsets with one member."""

HOLDERS = np.array(
    [
        word_of(subset for subset in range(SUBSETS) if subset >> member & 1)
        for member in range(MOST_MEMBERS)
    ],
    dtype=np.int64,
)
"""For each member the word of the subsets that hold it."""


@inlined_kernel
def list_words(work: Ints, members: int) -> None:
    """Find the word of every sum up to ten: the subsets of `members`, six at most, that make it."""
    words = work[WORDS]
    words[MEMBERS] = members
    words[0] = _EMPTY
    for total in range(1, HIGHEST_VALUE + 1):
        words[total] = 0
    subset = 1
    while members:
        value = (lowest(members) >> 2) + 1
        for total in range(HIGHEST_VALUE, 0, -1):  # always as often: that is faster
            words[total] |= words[total - value if total >= value else NO_SUM] << subset
        subset <<= 1
        members &= members - 1


@inlined_kernel
def groups_word(work: Ints, value: int) -> int:
    """The subsets that split into groups of `value` (R5.1), the empty one among them."""
    found = work[WORDS, 0]
    groups = work[WORDS, value] & ~_SINGLES
    while groups:
        subset = lowest(groups)
        found |= (found & _DISJOINT[subset]) << subset
        groups = without_lowest(groups)
    return found


@inlined_kernel
def group_word(work: Ints, value: int) -> int:
    """The subsets that are one group of `value`, and the empty one."""
    return (work[WORDS, value] & ~_SINGLES) | work[WORDS, 0]


@inlined_kernel
def components_word(work: Ints, played: int, value: int, groups: int) -> int:
    """The subsets that, with a card worth `played`, split into components of `value` (R6.4).

    `groups` is the `groups_word` of the value.
    """
    found = 0
    completions = work[WORDS, value - played]
    while completions:
        subset = lowest(completions)
        found |= (groups & _DISJOINT[subset]) << subset
        completions = without_lowest(completions)
    return found


@inlined_kernel
def nth_subset(word: int, number: int) -> int:
    """The subset in `word` with that many lower ones."""
    for _ in range(number):
        word = without_lowest(word)
    return lowest(word)
