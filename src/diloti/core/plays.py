"""Plays: their form, and the one generator that counts, draws and lists the legal ones.

A play in kernels is five numbers: kind, card, mask of the loose cards it uses, mask of the pile
cards it uses, and value. The value is that of the declaration or raised pile, 0 for other plays.

Legal plays are counted in *sorts*: all plays that use a card of one rank in one way (trail, raise,
capture, or declare a value). Every sort is a product of independent choices (which of the equal
cards, which of the piles, which sums), so it is counted without being listed, and one of its plays
is found by its index alone. Only `list_plays` lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from diloti.core.cards import (
    HIGHEST_VALUE,
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
    Pile,
    Position,
    binding_pile,
    pile_cards,
    pile_is_family,
    pile_owner,
    pile_value,
    side_of,
)
from diloti.core.rules import (
    COURT_CAPTURE,
    COURT_MUST_CAPTURE,
    COURTS_ALL,
    COURTS_THREE,
    EQUAL_ALL,
    EQUAL_CARDS,
    FAMILIES,
    FORCED_CAPTURE,
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
    COUNTS,
    GROUPS,
    count_ways,
    find_components,
    find_groups,
    find_sums,
    find_way,
    has_total,
    list_choices,
    workspace_for,
)

TRAIL, CAPTURE, DECLARE, RAISE = range(4)
"""The kinds of play (R4)."""

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
