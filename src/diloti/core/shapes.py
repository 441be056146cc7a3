"""Shapes: what the plays of one card in one way are made of.

Legal plays come in *sorts*: all plays of one kind and value with cards of one rank. Every sort is a
product of independent choices (which of the equal cards, which of the piles, which sums), so it is
counted without being listed, and one of its plays is found by its index alone.
"""

from __future__ import annotations

from typing import TypeAlias

from diloti.core.cards import (
    HIGHEST_VALUE,
    SUITS,
    count_rank,
    ranks_in,
    totals_of,
)
from diloti.core.jit import Ints, inlined_kernel, lowest, popcount
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
    all_components,
    all_groups,
    count_sums,
    one_component,
    one_group,
)

TRAIL, CAPTURE, DECLARE, RAISE = range(4)
"""The kinds of play (R4)."""

Shape: TypeAlias = tuple[int, int, int, int, int, int]
"""What the plays of one sort are made of, all combinations of: one of a list of sums (two numbers,
see `diloti.core.sums`), any of some equal cards (how many there are), any of some piles (mask of
their places), and the piles that must be used (likewise). The last number says how many
combinations at the beginning are no plays, because they use nothing from the table."""

NO_SHAPE = (0, 0, 0, 0, 0, 0)


@inlined_kernel
def keeps(hand: int, rank: int, value: int) -> bool:
    """Whether `hand` still holds a card of `value` once a card of `rank` is played."""
    left = count_rank(hand, value - 1)
    if rank == value - 1:
        left -= 1
    return left > 0


@inlined_kernel
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


@inlined_kernel
def can_raise(rules: Ints, state: Ints, rank: int, pile: int) -> bool:
    """Whether the seat in turn can raise the packed pile with a numeral of `rank` (R7, R8.2)."""
    seat = state[TURN]
    value = pile_value(pile) + rank + 1
    if value > HIGHEST_VALUE or not may_raise(rules, seat, pile):
        return False
    bound = binding_pile(rules, state, seat)
    return (bound == 0 or bound == pile) and keeps(state[HANDS + seat], rank, value)


@inlined_kernel
def takeable_ranks(state: Ints, totals: int) -> int:
    """The ranks whose cards could capture something (R5), loose numerals adding up to `totals`."""
    ranks = totals >> SUITS | ranks_in(state[LOOSE])
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        ranks |= 1 << SUITS * (pile_value(state[slot]) - 1)
    return ranks


@inlined_kernel
def can_take(state: Ints, rank: int) -> bool:
    """Whether a card of `rank` could capture anything (R5)."""
    ranks = takeable_ranks(state, totals_of(state[LOOSE]))
    return ranks >> SUITS * rank & 1 == 1


@inlined_kernel
def declarable_ranks(rules: Ints, numerals: int, bound: int) -> int:
    """Of the ranks `numerals` in hand those of values that may be declared, but for R6.2."""
    if bound == 0:
        return numerals
    if rules[FAMILIES]:
        return 1 << SUITS * (pile_value(bound) - 1)  # R8.2
    return 0


@inlined_kernel
def piles_of(state: Ints, value: int) -> int:
    """The piles of `value`, as a mask of their places."""
    places = 0
    for place in range(state[PILE_COUNT]):
        if pile_value(state[PILES + place]) == value:
            places |= 1 << place
    return places


@inlined_kernel
def cards_of_piles(state: Ints, places: int) -> int:
    """All cards of the piles at `places`."""
    cards = 0
    while places:
        cards |= pile_cards(state[PILES + lowest(places)])
        places &= places - 1
    return cards


@inlined_kernel
def place_of(state: Ints, pile: int) -> int:
    """The place of a packed pile, as a mask; 0 for no pile."""
    for place in range(state[PILE_COUNT]):
        if state[PILES + place] == pile:
            return 1 << place
    return 0


@inlined_kernel
def shape_captures(rules: Ints, state: Ints, work: Ints, rank: int, bound: int) -> Shape:
    """The shape of all captures with one numeral of `rank` (R5).

    `bound` is the pile that binds the seat, or 0 (R8).
    """
    value = rank + 1
    if rules[SUM_GROUPS] == GROUPS_ONE:
        row, found = one_group(work, value)
    else:
        row, found = all_groups(work, value)
    equal = count_rank(state[LOOSE], rank)
    if rules[EQUAL_CARDS] == EQUAL_ALL:
        equal = min(equal, 1)
    # R8.4: the last card for one's own pile takes nothing without that pile.
    must = 0
    if bound and not keeps(state[HANDS + state[TURN]], rank, pile_value(bound)):
        must = place_of(state, bound)
    piles = piles_of(state, value) & ~must
    return row, found, equal, piles, must, 0 if must else 1


@inlined_kernel
def shape_declarations(
    rules: Ints, state: Ints, work: Ints, rank: int, value: int, bound: int
) -> Shape:
    """The shape of all declarations of `value` with one numeral of `rank` (R6).

    `bound` is the pile that binds the seat, or 0 (R8).
    """
    nothing = 1 if value == rank + 1 else 0
    if not rules[FAMILIES]:
        row, found = one_component(work, rank + 1, value)
        return row, found, 0, 0, 0, nothing
    _row, groups = all_groups(work, value)
    row, found = all_components(work, rank + 1, value, groups)
    equal = count_rank(state[LOOSE], value - 1)
    must = place_of(state, bound)
    piles = piles_of(state, value) & ~must
    return row, found, equal, piles, must, 0 if must else nothing


@inlined_kernel
def shape_sort(rules: Ints, state: Ints, work: Ints, kind: int, rank: int, value: int) -> Shape:
    """The shape of the captures or of one value's declarations with one numeral of `rank`."""
    bound = binding_pile(rules, state, state[TURN])
    if kind == CAPTURE:
        return shape_captures(rules, state, work, rank, bound)
    return shape_declarations(rules, state, work, rank, value, bound)


@inlined_kernel
def count_shape(work: Ints, shape: Shape) -> int:
    """Number of plays of a shape."""
    row, found, equal, piles, _must, nothing = shape
    return (count_sums(work, row, found) << equal + popcount(piles)) - nothing


@inlined_kernel
def count_raises(rules: Ints, state: Ints, rank: int) -> int:
    """Number of piles that the seat in turn can raise with one numeral of `rank`."""
    count = 0
    for place in range(state[PILE_COUNT]):
        if can_raise(rules, state, rank, state[PILES + place]):
            count += 1
    return count


@inlined_kernel
def nth_raisable(rules: Ints, state: Ints, rank: int, number: int) -> int:
    """Pile number `number` of those that the seat in turn can raise with one numeral of `rank`."""
    place = 0
    while True:
        pile = state[PILES + place]
        if can_raise(rules, state, rank, pile):
            if number == 0:
                return int(pile)
            number -= 1
        place += 1


@inlined_kernel
def count_court_captures(rules: Ints, equal: int) -> int:
    """Number of captures by a court when `equal` of its rank lie loose (R5.7)."""
    if rules[COURT_CAPTURE] == COURTS_ALL or (rules[COURT_CAPTURE] == COURTS_THREE and equal == 3):
        return min(equal, 1)
    return equal
