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
    COURTS,
    JACK,
    NUMERALS,
    SUITS,
    cards_of_rank,
    choose_cards,
    count_rank,
    rank_of,
    ranks_in,
    ranks_twice_in,
    sum_of,
    totals_of,
    whole_ranks,
)
from diloti.core.jit import (
    Ints,
    allocating_kernel,
    highest,
    inlined_kernel,
    lowest,
    popcount,
)
from diloti.core.position import (
    HANDS,
    LOOSE,
    NOBODY,
    PILE_COUNT,
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
    FAMILIES,
    FORCED_CAPTURE,
)
from diloti.core.shapes import CAPTURE as CAPTURE
from diloti.core.shapes import DECLARE as DECLARE
from diloti.core.shapes import (
    NO_SHAPE,
    Shape,
    cards_of_piles,
    count_court_captures,
    count_raises,
    count_shape,
    declarable_ranks,
    nth_raisable,
    shape_captures,
    shape_declarations,
    shape_sort,
    takeable_ranks,
)
from diloti.core.shapes import RAISE as RAISE
from diloti.core.shapes import TRAIL as TRAIL
from diloti.core.sums import WORD, find_sum, list_sums
from diloti.core.tallies import SORTS, workspace_for

TRAILS, FIRST_SORT = range(2)
"""Places in the row `SORTS` of the workspace: the cards that can be trailed, as a mask, and where
the sorts of play begin."""

KIND, RANK, VALUE, COUNT, TOTAL, SHAPE = range(6)
SORT_SIZE = SHAPE + 6
"""A sort of play: its kind, the rank of the played card, the value declared, the number of its
plays with one card, that with all equal cards in hand, and its shape. No sort is empty. The list
ends with one of kind `NOBODY`, whose total is `ENDLESS`."""

ENDLESS = 1 << 62


@inlined_kernel
def add_sort(
    sorts: Ints, place: int, kind: int, rank: int, value: int, count: int, held: int, shape: Shape
) -> int:
    """Note a sort of play at `place`; the place after it."""
    sorts[place + KIND] = kind
    sorts[place + RANK] = rank
    sorts[place + VALUE] = value
    sorts[place + COUNT] = count
    sorts[place + TOTAL] = count * held
    for field in range(6):
        sorts[place + SHAPE + field] = shape[field]
    return place + SORT_SIZE


@inlined_kernel
def cards_to_trail(rules: Ints, hand: int, takeable: int) -> int:
    """The cards of `hand` that can be trailed, when cards of the ranks `takeable` can capture."""
    forced = 0
    if rules[COURT_MUST_CAPTURE]:
        forced |= COURTS  # R5.8
    if rules[FORCED_CAPTURE]:
        forced |= NUMERALS  # R5.9
    return hand & ~(forced & whole_ranks(takeable))


@inlined_kernel
def add_raises(rules: Ints, state: Ints, work: Ints, hand: int, place: int) -> tuple[int, int]:
    """Note the raises; their number, and the place after them."""
    total = 0
    ranks = ranks_in(hand & NUMERALS)
    while ranks:
        rank = rank_of(lowest(ranks))
        ranks &= ranks - 1
        count = count_raises(rules, state, rank)
        if count:
            held = count_rank(hand, rank)
            place = add_sort(work[SORTS], place, RAISE, rank, 0, count, held, NO_SHAPE)
            total += count * held
    return total, place


@inlined_kernel
def add_captures(
    rules: Ints, state: Ints, work: Ints, hand: int, bound: int, takeable: int, place: int
) -> tuple[int, int]:
    """Note the captures; their number, and the place after them."""
    total = 0
    ranks = ranks_in(hand) & takeable
    while ranks:
        rank = rank_of(lowest(ranks))
        ranks &= ranks - 1
        held = count_rank(hand, rank)
        if rank >= JACK:
            count = count_court_captures(rules, count_rank(state[LOOSE], rank))
            place = add_sort(work[SORTS], place, CAPTURE, rank, 0, count, held, NO_SHAPE)
        else:
            shape = shape_captures(rules, state, work, rank, bound)
            count = count_shape(work, shape)
            place = add_sort(work[SORTS], place, CAPTURE, rank, 0, count, held, shape)
        total += count * held
    return total, place


@inlined_kernel
def add_declarations(
    rules: Ints,
    state: Ints,
    work: Ints,
    hand: int,
    bound: int,
    totals: int,
    takeable: int,
    place: int,
) -> tuple[int, int]:
    """Note the declarations; their number, and the place after them.

    `totals` are the sums of loose numerals, and cards of the ranks `takeable` can capture.
    """
    total = 0
    numerals = ranks_in(hand & NUMERALS)
    values = declarable_ranks(rules, numerals, bound)
    # R6.2: a card of the value stays in the hand, so of the value itself there must be two.
    joined = values & takeable & ranks_twice_in(hand) if rules[FAMILIES] else 0
    ranks = numerals
    while ranks:
        rank = rank_of(lowest(ranks))
        own = joined & ranks & -ranks
        ranks &= ranks - 1
        held = count_rank(hand, rank)
        sums = own | (values >> SUITS * rank & totals & ~1) << SUITS * rank
        while sums:
            value = rank_of(lowest(sums)) + 1
            sums &= sums - 1
            shape = shape_declarations(rules, state, work, rank, value, bound)
            count = count_shape(work, shape)
            place = add_sort(work[SORTS], place, DECLARE, rank, value, count, held, shape)
            total += count * held
    return total, place


@inlined_kernel
def count_plays(rules: Ints, state: Ints, work: Ints) -> int:
    """Number of legal plays of the seat in turn, none when the deal is over.

    The workspace then holds the sorts that `find_play` needs.
    """
    trails, total, place = 0, 0, FIRST_SORT
    if state[TURN] != NOBODY:
        hand = state[HANDS + state[TURN]]
        bound = binding_pile(rules, state, state[TURN])
        totals = totals_of(state[LOOSE])
        takeable = takeable_ranks(state, totals)
        if bound == 0:
            trails = cards_to_trail(rules, hand, takeable)
            total = popcount(trails)
        if state[PILE_COUNT]:
            found, place = add_raises(rules, state, work, hand, place)
            total += found
        if hand & NUMERALS:
            list_sums(work, state[LOOSE], rank_of(highest(hand & NUMERALS)) + 1)
        found, place = add_captures(rules, state, work, hand, bound, takeable, place)
        total += found
        found, place = add_declarations(rules, state, work, hand, bound, totals, takeable, place)
        total += found
    work[SORTS, TRAILS] = trails
    work[SORTS, place + KIND] = NOBODY
    work[SORTS, place + TOTAL] = ENDLESS
    return total


@inlined_kernel
def find_play(rules: Ints, state: Ints, work: Ints, index: int) -> tuple[int, int, int, int, int]:
    """Legal play number `index` (from 0), in a workspace in which `count_plays` has counted.

    Its kind is `NOBODY` where there are fewer.
    """
    sorts = work[SORTS]
    trails = sorts[TRAILS]
    if index < popcount(trails):
        return TRAIL, lowest(nth_card(trails, index)), 0, 0, 0
    index -= popcount(trails)
    place = FIRST_SORT
    while index >= sorts[place + TOTAL]:
        index -= sorts[place + TOTAL]
        place += SORT_SIZE
    if sorts[place + KIND] == NOBODY:
        return NOBODY, 0, 0, 0, 0
    held = cards_of_rank(state[HANDS + state[TURN]], sorts[place + RANK])
    while index >= sorts[place + COUNT]:
        index -= sorts[place + COUNT]
        held &= held - 1
    shape = shape_at(rules, state, work, place)
    return find_in_sort(rules, state, work, place, lowest(held), shape, index)


@inlined_kernel
def shape_at(rules: Ints, state: Ints, work: Ints, place: int) -> Shape:
    """The shape of the sort at `place`, its sums listed again where the workspace held them."""
    sorts = work[SORTS]
    at = place + SHAPE
    if sorts[at] == WORD or sorts[at + 1] == 0:
        return sorts[at], sorts[at + 1], sorts[at + 2], sorts[at + 3], sorts[at + 4], sorts[at + 5]
    return shape_sort(
        rules, state, work, sorts[place + KIND], sorts[place + RANK], sorts[place + VALUE]
    )


@inlined_kernel
def find_in_sort(
    rules: Ints, state: Ints, work: Ints, place: int, card: int, shape: Shape, index: int
) -> tuple[int, int, int, int, int]:
    """Play number `index` of the plays of `card` in the sort at `place`, whose shape is given."""
    if work[SORTS, place + KIND] == RAISE:
        pile = nth_raisable(rules, state, rank_of(card), index)
        return RAISE, card, 0, pile_cards(pile), pile_value(pile) + rank_of(card) + 1
    if card >= JACK * SUITS:
        equal_cards = cards_of_rank(state[LOOSE], rank_of(card))
        equal = popcount(equal_cards)
        if count_court_captures(rules, equal) == equal:
            equal_cards = nth_card(equal_cards, index)
        return CAPTURE, card, equal_cards, 0, 0
    return find_in_shape(rules, state, work, card, work[SORTS, place + VALUE], shape, index)


@inlined_kernel
def find_in_shape(
    rules: Ints, state: Ints, work: Ints, card: int, value: int, shape: Shape, index: int
) -> tuple[int, int, int, int, int]:
    """Play number `index` of a shape: the captures of `card` (`value` 0) or its declarations."""
    row, found, equal, piles, must, nothing = shape
    index += nothing
    places = must | choose_cards(piles, index & ((1 << popcount(piles)) - 1))
    index >>= popcount(piles)
    chosen = index & ((1 << equal) - 1)
    loose = cards_of_rank(state[LOOSE], value - 1 if value else rank_of(card))
    if value or not (rules[EQUAL_CARDS] == EQUAL_ALL and chosen):
        loose = choose_cards(loose, chosen)
    loose |= find_sum(work, row, found, index >> equal, state[LOOSE])
    kind = DECLARE if value else CAPTURE
    return kind, card, loose, cards_of_piles(state, places), value


@inlined_kernel
def nth_card(mask: int, number: int) -> int:
    """The card of `mask` with that many below it, as a mask."""
    for _ in range(number):
        mask &= mask - 1
    return mask & -mask


@inlined_kernel
def note_play(plays: Ints, row: int, play: tuple[int, int, int, int, int]) -> None:
    """Write a play into a row."""
    for field in range(5):
        plays[row, field] = play[field]


@allocating_kernel
def list_plays(rules: Ints, state: Ints) -> Ints:
    """All legal plays, five numbers a row. Beware: there can be millions."""
    work = workspace_for(state[LOOSE])
    plays = np.empty((count_plays(rules, state, work), 5), dtype=np.int64)
    listed = 0
    trails = work[SORTS, TRAILS]
    while trails:
        note_play(plays, listed, (TRAIL, lowest(trails), 0, 0, 0))
        trails &= trails - 1
        listed += 1
    place = FIRST_SORT
    while work[SORTS, place + KIND] != NOBODY:
        shape = shape_at(rules, state, work, place)
        held = cards_of_rank(state[HANDS + state[TURN]], work[SORTS, place + RANK])
        while held:
            for index in range(work[SORTS, place + COUNT]):
                play = find_in_sort(rules, state, work, place, lowest(held), shape, index)
                note_play(plays, listed, play)
                listed += 1
            held &= held - 1
        place += SORT_SIZE
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
    return unpack_plays(position, [packed])[0]


def unpack_plays(position: Position, rows: Iterable[Iterable[int]]) -> list[Play]:
    """The friendly form of a kernel's plays in a position, five numbers each."""
    piles = sorted((pile.cards for pile in position.piles), key=lowest)
    plays = []
    for row in rows:
        kind, card, loose, taken, value = map(int, row)
        plays.append(Play(kind, card, loose, tuple(pile for pile in piles if pile & taken), value))
    return plays


def count_legal_plays(position: Position) -> int:
    """Number of legal plays, without listing them; 0 when the deal is over."""
    work = workspace_for(position.loose)
    return int(count_plays(position.rules.packed, position.state, work))


def legal_plays(position: Position) -> list[Play]:
    """All legal plays. Ask `count_legal_plays` first where there may be very many."""
    return unpack_plays(position, list_plays(position.rules.packed, position.state).tolist())


def legal_play(position: Position, index: int) -> Play:
    """Legal play number `index`, without listing them; `IndexError` where there are fewer."""
    rules, state = position.rules.packed, position.state
    work = workspace_for(position.loose)
    total = count_plays(rules, state, work)
    if not 0 <= index < total:
        raise IndexError(index)
    return unpack_play(position, find_play(rules, state, work, index))
