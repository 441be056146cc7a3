"""Plays: their form, and the one generator that counts, draws and lists the legal ones.

A play in kernels is five numbers: kind, card, mask of the loose cards it uses, mask of the pile
cards it uses, and value. The value is that of the declaration or raised pile, 0 for other plays.

Plays are counted by the shapes of `diloti.core.shapes`. Only `list_plays` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from diloti.core.cards import (
    JACK,
    NUMERALS,
    cards_of_rank,
    choose_cards,
    count_rank,
    rank_of,
    sum_of,
)
from diloti.core.jit import Ints, allocating_kernel, kernel, lowest, popcount
from diloti.core.position import (
    HANDS,
    LOOSE,
    NOBODY,
    PILE_COUNT,
    PILES,
    TURN,
    Position,
    binding_pile,
    pile_cards,
    pile_value,
)
from diloti.core.rules import (
    COURT_MUST_CAPTURE,
    EQUAL_ALL,
    EQUAL_CARDS,
    FORCED_CAPTURE,
)
from diloti.core.shapes import (
    NO_SHAPE,
    SORT_CAPTURE,
    SORT_DECLARE,
    SORT_RAISE,
    SORT_TRAIL,
    SORTS,
    Shape,
    can_raise,
    can_take,
    cards_of_piles,
    count_court_captures,
    count_shape,
    may_declare,
    shape_captures,
    shape_declarations,
    shape_sort,
)
from diloti.core.sums import (
    COUNTS,
    find_groups,
    find_way,
    list_choices,
    workspace_for,
)

TRAIL, CAPTURE, DECLARE, RAISE = range(4)
"""The kinds of play (R4)."""


@kernel
def count_single(rules: Ints, state: Ints, work: Ints, rank: int) -> int:
    """Count the trails, raises and court captures of one card of `rank`, in row `COUNTS`.

    Returns their number; the other counts of the rank become 0.
    """
    first = rank * SORTS
    for sort in range(SORTS):
        work[COUNTS, first + sort] = 0
    equal = count_rank(state[LOOSE], rank)
    trail = 0 if binding_pile(rules, state, state[TURN]) else 1
    other = 0
    if rank >= JACK:
        other = count_court_captures(rules, equal)
        work[COUNTS, first + SORT_CAPTURE] = other
        if rules[COURT_MUST_CAPTURE] and equal:
            trail = 0
    else:
        for place in range(state[PILE_COUNT]):
            if can_raise(rules, state, rank, state[PILES + place]):
                other += 1
        work[COUNTS, first + SORT_RAISE] = other
        if rules[FORCED_CAPTURE] and can_take(state, work, rank + 1):
            trail = 0
    work[COUNTS, first + SORT_TRAIL] = trail
    return trail + other


@kernel
def count_by_value(rules: Ints, state: Ints, work: Ints, hand: int, value: int) -> int:
    """Count the captures by a numeral of `value` and the declarations of it, in row `COUNTS`.

    Returns the number of all these plays with the cards of `hand`.
    """
    groups = find_groups(work, value)
    count = count_shape(work, shape_captures(rules, state, work, value - 1, groups))
    work[COUNTS, (value - 1) * SORTS + SORT_CAPTURE] = count
    total = count * count_rank(hand, value - 1)
    rest = hand & ((1 << 4 * value) - 1)
    while rest:
        rank = rank_of(lowest(rest))
        rest ^= cards_of_rank(rest, rank)
        if may_declare(rules, state, rank, value):
            count = count_shape(work, shape_declarations(rules, state, work, rank, value, groups))
            work[COUNTS, rank * SORTS + SORT_DECLARE + value - 1] = count
            total += count * count_rank(hand, rank)
    return total


@kernel
def count_plays(rules: Ints, state: Ints, work: Ints) -> int:
    """Number of legal plays of the seat in turn, none when the deal is over.

    The workspace then holds the counts that `find_play` needs.
    """
    if state[TURN] == NOBODY:
        return 0
    list_choices(work, state[LOOSE])
    hand = state[HANDS + state[TURN]]
    total = 0
    rest = hand
    while rest:
        rank = rank_of(lowest(rest))
        rest ^= cards_of_rank(rest, rank)
        total += count_rank(hand, rank) * count_single(rules, state, work, rank)
    rest = hand & NUMERALS
    while rest:
        rank = rank_of(lowest(rest))
        rest ^= cards_of_rank(rest, rank)
        total += count_by_value(rules, state, work, hand, rank + 1)
    return total


@kernel
def find_play(rules: Ints, state: Ints, work: Ints, index: int) -> tuple[int, int, int, int, int]:
    """Legal play number `index` (from 0), in a workspace in which `count_plays` has counted."""
    hand = state[HANDS + state[TURN]]
    rest = hand
    while rest:
        rank = rank_of(lowest(rest))
        rest ^= cards_of_rank(rest, rank)
        held = count_rank(hand, rank)
        for sort in range(SORTS):
            count = work[COUNTS, rank * SORTS + sort]
            if index < held * count:
                card = lowest(nth_card(cards_of_rank(hand, rank), index // count))
                return find_in_sort(rules, state, work, card, sort, index % count)
            index -= held * count
    return NOBODY, 0, 0, 0, 0


@kernel
def nth_card(mask: int, number: int) -> int:
    """The card of `mask` with that many below it, as a mask."""
    for _ in range(number):
        mask &= mask - 1
    return mask & -mask


@kernel
def find_in_sort(
    rules: Ints, state: Ints, work: Ints, card: int, sort: int, index: int
) -> tuple[int, int, int, int, int]:
    """Play number `index` of the plays of `card` in one sort."""
    rank = rank_of(card)
    if sort == SORT_TRAIL:
        return TRAIL, card, 0, 0, 0
    if sort == SORT_RAISE:
        for place in range(state[PILE_COUNT]):
            pile = state[PILES + place]
            if can_raise(rules, state, rank, pile):
                if index == 0:
                    return RAISE, card, 0, pile_cards(pile), pile_value(pile) + rank + 1
                index -= 1
    if rank >= JACK:
        equal_cards = cards_of_rank(state[LOOSE], rank)
        equal = popcount(equal_cards)
        if count_court_captures(rules, equal) == equal:
            equal_cards = nth_card(equal_cards, index)
        return CAPTURE, card, equal_cards, 0, 0
    shape = shape_sort(rules, state, work, rank, sort)
    return find_in_shape(rules, state, work, card, sort, shape, index)


@kernel
def find_in_shape(
    rules: Ints, state: Ints, work: Ints, card: int, sort: int, shape: Shape, index: int
) -> tuple[int, int, int, int, int]:
    """Play number `index` of the plays of `card` in one sort, whose shape is known."""
    row, _found, equal, piles, must, nothing = shape
    capture = sort == SORT_CAPTURE
    value = rank_of(card) + 1 if capture else sort - SORT_DECLARE + 1
    index += nothing
    places = must | choose_cards(piles, index & ((1 << popcount(piles)) - 1))
    index >>= popcount(piles)
    loose = cards_of_rank(state[LOOSE], value - 1)
    if not (capture and rules[EQUAL_CARDS] == EQUAL_ALL and index % equal):
        loose = choose_cards(loose, index % equal)
    loose |= find_way(work, row, index // equal, state[LOOSE])
    taken = cards_of_piles(state, places)
    return CAPTURE if capture else DECLARE, card, loose, taken, 0 if capture else value


@allocating_kernel
def list_plays(rules: Ints, state: Ints) -> Ints:
    """All legal plays, five numbers a row. Beware: there can be millions."""
    work = workspace_for(state[LOOSE])
    total = count_plays(rules, state, work)
    plays = np.empty((total, 5), dtype=np.int64)
    listed = 0
    hand = state[HANDS + state[TURN]] if total else 0
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        for sort in range(SORTS):
            count = work[COUNTS, (card >> 2) * SORTS + sort]
            by_sums = count > 0 and card >> 2 < JACK and sort != SORT_TRAIL and sort != SORT_RAISE
            shape = NO_SHAPE
            if by_sums:
                shape = shape_sort(rules, state, work, card >> 2, sort)
            for index in range(count):
                if by_sums:
                    play = find_in_shape(rules, state, work, card, sort, shape, index)
                else:
                    play = find_in_sort(rules, state, work, card, sort, index)
                for field in range(5):
                    plays[listed, field] = play[field]
                listed += 1
    return plays


@dataclass(frozen=True, order=True)
class Play:
    """A card played in one of the four ways of R4.

    `loose` is the mask of the loose cards used, `piles` the masks of the piles used, in the order
    of their first cards; `value` that of the resulting pile, 0 for trails and captures. Two plays
    are the same play exactly when they are equal.
    """

    kind: int
    card: int
    loose: int = 0
    piles: tuple[int, ...] = ()
    value: int = 0

    @property
    def pile_cards(self) -> int:
        """All cards of the piles it uses, as a mask."""
        return sum(self.piles)

    @property
    def is_family(self) -> bool:
        """Whether a legal declaration makes a family rather than a plain pile (R6)."""
        makes_sum = sum_of(self.loose | 1 << self.card) == self.value
        return self.kind == DECLARE and (bool(self.piles) or not makes_sum)

    @property
    def packed(self) -> tuple[int, int, int, int, int]:
        """The five numbers that kernels take."""
        return self.kind, self.card, self.loose, self.pile_cards, self.value


def unpack_play(position: Position, packed: Iterable[int]) -> Play:
    """The friendly form of a kernel's play in a position."""
    kind, card, loose, piles, value = (int(number) for number in packed)
    taken = [pile.cards for pile in position.piles if pile.cards & piles]
    return Play(kind, card, loose, tuple(sorted(taken, key=lowest)), value)


def count_legal_plays(position: Position) -> int:
    """Number of legal plays, without listing them; 0 when the deal is over."""
    work = workspace_for(position.loose)
    return int(count_plays(position.rules.packed, position.state, work))


def legal_plays(position: Position) -> list[Play]:
    """All legal plays. Ask `count_legal_plays` first where there may be very many."""
    return [unpack_play(position, row) for row in list_plays(position.rules.packed, position.state)]


def legal_play(position: Position, index: int) -> Play:
    """Legal play number `index`, without listing them; `IndexError` where there are fewer."""
    rules, state = position.rules.packed, position.state
    work = workspace_for(position.loose)
    total = count_plays(rules, state, work)
    if not 0 <= index < total:
        raise IndexError(index)
    return unpack_play(position, find_play(rules, state, work, index))
