"""Shapes: what the plays of one card in one way are made of.

Legal plays come in *sorts*: all plays that use a card of one rank in one way (trail, raise,
capture, or declare a value). Every sort is a product of independent choices (which of the equal
cards, which of the piles, which sums), so it is counted without being listed, and one of its plays
is found by its index alone.
"""

from __future__ import annotations

from typing import TypeAlias

from diloti.core.cards import (
    HIGHEST_VALUE,
    count_rank,
)
from diloti.core.jit import Ints, kernel, lowest, popcount
from diloti.core.position import (
    HANDS,
    LOOSE,
    PILE_COUNT,
    PILES,
    TURN,
    Pile,
    binding_pile,
    pile_cards,
    pile_is_family,
    pile_owner,
    pile_value,
    side_of,
)
from diloti.core.rules import (
    COURT_CAPTURE,
    COURTS_ALL,
    COURTS_THREE,
    EQUAL_ALL,
    EQUAL_CARDS,
    FAMILIES,
    GROUPS_ONE,
    RAISING,
    RAISING_ANYONE,
    RAISING_OPPONENTS,
    RAISING_OTHERS,
    SUM_GROUPS,
    Rules,
)
from diloti.core.sums import (
    CHOSEN,
    GROUPS,
    count_ways,
    find_components,
    find_groups,
    find_sums,
    has_total,
)

SORT_TRAIL, SORT_CAPTURE, SORT_RAISE, SORT_DECLARE = range(4)
SORTS = SORT_DECLARE + HIGHEST_VALUE
"""The sorts of play: trail, capture, raise, then a declaration of each value from 1 to 10."""

Shape: TypeAlias = tuple[int, int, int, int, int, int]
"""What the plays of one sort are made of, all combinations of: one of a list of sums (row of the
workspace, number of them), a choice among equal cards (how many there are), any of some piles (mask
of their places), and the piles that must be used (likewise). The last number says how many
combinations at the beginning are no plays, because they use nothing from the table."""

NO_SHAPE = (0, 0, 0, 0, 0, 0)


@kernel
def keeps(hand: int, rank: int, value: int) -> bool:
    """Whether `hand` still holds a card of `value` once a card of `rank` is played."""
    left = count_rank(hand, value - 1)
    if rank == value - 1:
        left -= 1
    return left > 0


@kernel
def may_raise(rules: Ints, seat: int, pile: int) -> bool:
    """Whether R7.1 and R7.3 let `seat` raise the packed pile at all."""
    if pile_is_family(pile):
        return False
    owner = pile_owner(pile)
    if rules[RAISING] == RAISING_OPPONENTS:
        return side_of(owner) != side_of(seat)
    if rules[RAISING] == RAISING_OTHERS:
        return owner != seat
    return rules[RAISING] == RAISING_ANYONE


def is_raisable(rules: Rules, pile: Pile) -> bool:
    """Whether anybody at all could raise a pile, given the cards (R7.1, R7.3)."""
    return not pile.is_family and pile.value < HIGHEST_VALUE and rules.raising != "never"


@kernel
def can_raise(rules: Ints, state: Ints, rank: int, pile: int) -> bool:
    """Whether the seat in turn can raise the packed pile with a numeral of `rank` (R7, R8.2)."""
    seat = state[TURN]
    value = pile_value(pile) + rank + 1
    if value > HIGHEST_VALUE or not may_raise(rules, seat, pile):
        return False
    bound = binding_pile(rules, state, seat)
    return (bound == 0 or bound == pile) and keeps(state[HANDS + seat], rank, value)


@kernel
def can_take(state: Ints, work: Ints, value: int) -> bool:
    """Whether a numeral of `value` could capture anything by R5.1 to R5.5."""
    if count_rank(state[LOOSE], value - 1) or has_total(work, value):
        return True
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_value(state[slot]) == value:
            return True
    return False


@kernel
def piles_of(state: Ints, value: int) -> int:
    """The piles of `value`, as a mask of their places."""
    places = 0
    for place in range(state[PILE_COUNT]):
        if pile_value(state[PILES + place]) == value:
            places |= 1 << place
    return places


@kernel
def cards_of_piles(state: Ints, places: int) -> int:
    """All cards of the piles at `places`."""
    cards = 0
    while places:
        cards |= pile_cards(state[PILES + lowest(places)])
        places &= places - 1
    return cards


@kernel
def place_of(state: Ints, pile: int) -> int:
    """The place of a packed pile, as a mask; 0 for no pile."""
    for place in range(state[PILE_COUNT]):
        if state[PILES + place] == pile:
            return 1 << place
    return 0


@kernel
def shape_captures(rules: Ints, state: Ints, work: Ints, rank: int, groups: int) -> Shape:
    """The shape of all captures with one numeral of `rank` (R5).

    `groups` is the number of choices that `find_groups` gave for its value.
    """
    value = rank + 1
    row, found = GROUPS, groups
    if rules[SUM_GROUPS] == GROUPS_ONE:
        row, found = CHOSEN, find_sums(work, value, value, find_sums(work, value, 0, 0))
    equal = 1 << count_rank(state[LOOSE], rank)
    if rules[EQUAL_CARDS] == EQUAL_ALL:
        equal = min(equal, 2)
    # R8.4: the last card for one's own pile takes nothing without that pile.
    seat = state[TURN]
    bound = binding_pile(rules, state, seat)
    must = 0
    if bound and not keeps(state[HANDS + seat], rank, pile_value(bound)):
        must = place_of(state, bound)
    piles = piles_of(state, value) & ~must
    return row, found, equal, piles, must, 0 if must else 1


@kernel
def shape_declarations(
    rules: Ints, state: Ints, work: Ints, rank: int, value: int, groups: int
) -> Shape:
    """The shape of all declarations of `value` with one numeral of `rank` (R6).

    `groups` is the number of choices that `find_groups` gave for the value.
    """
    nothing = 1 if value == rank + 1 else 0
    if not rules[FAMILIES]:
        return CHOSEN, find_sums(work, value, value - rank - 1, 0), 1, 0, 0, nothing
    found = find_components(work, rank + 1, value, groups)
    equal = 1 << count_rank(state[LOOSE], value - 1)
    must = place_of(state, binding_pile(rules, state, state[TURN]))
    piles = piles_of(state, value) & ~must
    return CHOSEN, found, equal, piles, must, 0 if must else nothing


@kernel
def shape_sort(rules: Ints, state: Ints, work: Ints, rank: int, sort: int) -> Shape:
    """The shape of the captures or of one value's declarations with one numeral of `rank`."""
    if sort == SORT_CAPTURE:
        groups = find_groups(work, rank + 1)
        return shape_captures(rules, state, work, rank, groups)
    value = sort - SORT_DECLARE + 1
    groups = find_groups(work, value)
    return shape_declarations(rules, state, work, rank, value, groups)


@kernel
def count_shape(work: Ints, shape: Shape) -> int:
    """Number of plays of a shape."""
    row, found, equal, piles, _must, nothing = shape
    return count_ways(work, row, found) * equal * (1 << popcount(piles)) - nothing


@kernel
def may_declare(rules: Ints, state: Ints, rank: int, value: int) -> bool:
    """Whether a numeral of `rank` may go into any declaration of `value` (R6.2, R8.2)."""
    seat = state[TURN]
    if rank + 1 > value or not keeps(state[HANDS + seat], rank, value):
        return False
    bound = binding_pile(rules, state, seat)
    return bound == 0 or (rules[FAMILIES] != 0 and pile_value(bound) == value)


@kernel
def count_court_captures(rules: Ints, equal: int) -> int:
    """Number of captures by a court when `equal` of its rank lie loose (R5.7)."""
    if rules[COURT_CAPTURE] == COURTS_ALL or (rules[COURT_CAPTURE] == COURTS_THREE and equal == 3):
        return min(equal, 1)
    return equal
