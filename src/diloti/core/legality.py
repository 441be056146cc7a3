"""Legality: whether one play is allowed, and by which rule it is not, without listing any."""

from __future__ import annotations

from enum import IntEnum

from diloti.core.cards import (
    COURTS,
    HIGHEST_VALUE,
    JACK,
    cards_of_rank,
    count_rank,
    rank_of,
    sum_of,
)
from diloti.core.errors import DilotiError
from diloti.core.jit import Ints, kernel, popcount
from diloti.core.plays import CAPTURE, DECLARE, TRAIL, Play
from diloti.core.position import (
    HANDS,
    LOOSE,
    NOBODY,
    PILE_COUNT,
    PILES,
    TURN,
    Position,
    binding_pile,
    find_pile,
    pile_cards,
    pile_is_family,
    pile_owner,
    pile_value,
)
from diloti.core.rules import (
    COURT_CAPTURE,
    COURT_MUST_CAPTURE,
    COURTS_THREE,
    EQUAL_ALL,
    EQUAL_CARDS,
    FAMILIES,
    FORCED_CAPTURE,
    GROUPS_ONE,
    RAISING,
    RAISING_NEVER,
    SUM_GROUPS,
)
from diloti.core.shapes import can_take, count_court_captures, keeps, may_raise
from diloti.core.tallies import (
    splits_into_components,
    splits_into_groups,
    workspace_for,
)


class Refusal(IntEnum):
    """Why a play is not allowed; `RULE_OF` names the rule, `diloti.words` has the sentence."""

    NONE = 0
    DEAL_OVER = 1
    NOT_IN_HAND = 2
    NOT_LOOSE = 3
    NO_SUCH_PILE = 4
    TRAIL_WHILE_OWNING = 5
    TRAIL_BESIDE_COURT = 6
    TRAIL_WHEN_FORCED = 7
    CAPTURE_OF_NOTHING = 8
    NUMERAL_ON_COURT = 9
    SUMS_MISS = 10
    PILE_OF_OTHER_VALUE = 11
    NOT_ALL_EQUAL = 12
    MORE_THAN_ONE_GROUP = 13
    COURT_ON_OTHERS = 14
    COURT_TAKES_ONE = 15
    COURT_TAKES_ALL = 16
    COURT_TAKES_ONE_OR_THREE = 17
    LAST_CARD_FOR_PILE = 18
    DECLARE_WITH_COURT = 19
    DECLARE_ON_COURT = 20
    DECLARE_TOO_HIGH = 21
    DECLARE_ON_NOTHING = 22
    DECLARE_SUMS_MISS = 23
    DECLARE_ON_OTHER_PILE = 24
    DECLARE_FAMILY_OFF = 25
    DECLARE_WITHOUT_CARD = 26
    DECLARE_WHILE_OWNING = 27
    RAISE_WITH_COURT = 28
    RAISE_OF_FAMILY = 29
    RAISE_TOO_HIGH = 30
    RAISE_SUM_WRONG = 31
    RAISE_WITHOUT_CARD = 32
    RAISE_OFF = 33
    RAISE_OF_OWN = 34
    RAISE_OF_PARTNER = 35
    RAISE_WHILE_OWNING = 36
    RAISE_OF_MANY = 37
    SHOW_OFF = 38
    SHOW_TOO_LATE = 39
    SHOW_NOT_IN_HAND = 40
    SHOW_TWICE = 41


RULE_OF = {
    Refusal.DEAL_OVER: "R3.1",
    Refusal.NOT_IN_HAND: "R3.1",
    Refusal.NOT_LOOSE: "R3.1",
    Refusal.NO_SUCH_PILE: "R3.1",
    Refusal.TRAIL_WHILE_OWNING: "R8.1",
    Refusal.TRAIL_BESIDE_COURT: "R5.8",
    Refusal.TRAIL_WHEN_FORCED: "R5.9",
    Refusal.CAPTURE_OF_NOTHING: "R5.1",
    Refusal.NUMERAL_ON_COURT: "R5.1",
    Refusal.SUMS_MISS: "R5.1",
    Refusal.PILE_OF_OTHER_VALUE: "R5.3",
    Refusal.NOT_ALL_EQUAL: "R5.4",
    Refusal.MORE_THAN_ONE_GROUP: "R5.5",
    Refusal.COURT_ON_OTHERS: "R5.7",
    Refusal.COURT_TAKES_ONE: "R5.7",
    Refusal.COURT_TAKES_ALL: "R5.7",
    Refusal.COURT_TAKES_ONE_OR_THREE: "R5.7",
    Refusal.LAST_CARD_FOR_PILE: "R8.4",
    Refusal.DECLARE_WITH_COURT: "R6.1",
    Refusal.DECLARE_ON_COURT: "R6.1",
    Refusal.DECLARE_TOO_HIGH: "R6.3",
    Refusal.DECLARE_ON_NOTHING: "R6.3",
    Refusal.DECLARE_SUMS_MISS: "R6.3",
    Refusal.DECLARE_ON_OTHER_PILE: "R6.4",
    Refusal.DECLARE_FAMILY_OFF: "R6.6",
    Refusal.DECLARE_WITHOUT_CARD: "R6.2",
    Refusal.DECLARE_WHILE_OWNING: "R8.2",
    Refusal.RAISE_WITH_COURT: "R7.1",
    Refusal.RAISE_OF_FAMILY: "R7.1",
    Refusal.RAISE_TOO_HIGH: "R7.1",
    Refusal.RAISE_SUM_WRONG: "R7.1",
    Refusal.RAISE_OF_MANY: "R7.1",
    Refusal.RAISE_WITHOUT_CARD: "R7.2",
    Refusal.RAISE_OFF: "R7.3",
    Refusal.RAISE_OF_OWN: "R7.3",
    Refusal.RAISE_OF_PARTNER: "R7.3",
    Refusal.RAISE_WHILE_OWNING: "R8.2",
    Refusal.SHOW_OFF: "R2.7",
    Refusal.SHOW_TOO_LATE: "R2.7",
    Refusal.SHOW_NOT_IN_HAND: "R2.7",
    Refusal.SHOW_TWICE: "R2.7",
}
"""The rule that each refusal rests on."""


class IllegalPlay(DilotiError):
    """A play that the rules do not allow in its position."""

    code = "illegal_play"

    def __init__(self, position: Position, play: Play, refusal: Refusal) -> None:
        super().__init__("{rule}: {reason}", rule=RULE_OF[refusal], reason=refusal.name.lower())
        self.position = position
        self.play = play
        self.refusal = refusal

    @property
    def rule(self) -> str:
        """Number of the rule that forbids the play, as `R8.1`."""
        return RULE_OF[self.refusal]


@kernel
def refuse_trail(rules: Ints, state: Ints, card: int) -> int:
    """Why the seat in turn may not trail `card` (R5.8, R5.9, R8.1)."""
    rank = rank_of(card)
    if binding_pile(rules, state, state[TURN]):
        return Refusal.TRAIL_WHILE_OWNING
    if rank >= JACK:
        if rules[COURT_MUST_CAPTURE] and cards_of_rank(state[LOOSE], rank):
            return Refusal.TRAIL_BESIDE_COURT
    elif rules[FORCED_CAPTURE]:
        if can_take(state, rank):
            return Refusal.TRAIL_WHEN_FORCED
    return Refusal.NONE


@kernel
def refuse_court_capture(rules: Ints, state: Ints, rank: int, loose: int, piles: int) -> int:
    """Why a court of `rank` may not take these cards (R5.7)."""
    taken = popcount(loose)
    equal = count_rank(state[LOOSE], rank)
    if piles or loose != cards_of_rank(loose, rank):
        return Refusal.COURT_ON_OTHERS
    if count_court_captures(rules, equal) == equal:
        if taken != 1:
            return Refusal.COURT_TAKES_ONE
    elif taken != equal:
        if rules[COURT_CAPTURE] == COURTS_THREE:
            return Refusal.COURT_TAKES_ONE_OR_THREE
        return Refusal.COURT_TAKES_ALL
    return Refusal.NONE


@kernel
def refuse_capture(rules: Ints, state: Ints, work: Ints, card: int, loose: int, piles: int) -> int:
    """Why the seat in turn may not capture these cards (R5, R8.4)."""
    rank = rank_of(card)
    value = rank + 1
    seat = state[TURN]
    if not loose | piles:
        return Refusal.CAPTURE_OF_NOTHING
    if rank >= JACK:
        return refuse_court_capture(rules, state, rank, loose, piles)
    if loose & COURTS:
        return Refusal.NUMERAL_ON_COURT
    if has_other_value(state, piles, value):
        return Refusal.PILE_OF_OTHER_VALUE
    equal = cards_of_rank(loose, rank)
    lower = loose ^ equal
    if loose >> 4 * value:
        return Refusal.SUMS_MISS
    if not splits_into_groups(work, lower, value):
        return Refusal.SUMS_MISS
    if rules[EQUAL_CARDS] == EQUAL_ALL and equal and equal != cards_of_rank(state[LOOSE], rank):
        return Refusal.NOT_ALL_EQUAL
    if rules[SUM_GROUPS] == GROUPS_ONE and sum_of(lower) > value:
        return Refusal.MORE_THAN_ONE_GROUP
    bound = binding_pile(rules, state, seat)
    if bound and not pile_cards(bound) & piles:
        if not keeps(state[HANDS + seat], rank, pile_value(bound)):
            return Refusal.LAST_CARD_FOR_PILE
    return Refusal.NONE


@kernel
def has_other_value(state: Ints, cards: int, value: int) -> bool:
    """Whether a pile among `cards` is not worth `value`."""
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_cards(state[slot]) & cards and pile_value(state[slot]) != value:
            return True
    return False


@kernel
def refuse_declaration(
    rules: Ints, state: Ints, work: Ints, card: int, loose: int, piles: int, value: int
) -> int:
    """Why the seat in turn may not declare `value` with these cards (R6, R8.2)."""
    rank = rank_of(card)
    seat = state[TURN]
    if rank >= JACK:
        return Refusal.DECLARE_WITH_COURT
    if loose & COURTS:
        return Refusal.DECLARE_ON_COURT
    if not 1 <= value <= HIGHEST_VALUE:
        return Refusal.DECLARE_TOO_HIGH
    if not loose | piles:
        return Refusal.DECLARE_ON_NOTHING
    if has_other_value(state, piles, value):
        return Refusal.DECLARE_ON_OTHER_PILE
    if rank + 1 > value or loose >> 4 * value:
        return Refusal.DECLARE_SUMS_MISS
    lower = loose & ((1 << 4 * (value - 1)) - 1)
    if not splits_into_components(work, lower, rank + 1, value):
        return Refusal.DECLARE_SUMS_MISS
    if not rules[FAMILIES] and (piles or sum_of(loose) + rank + 1 != value):
        return Refusal.DECLARE_FAMILY_OFF
    if not keeps(state[HANDS + seat], rank, value):
        return Refusal.DECLARE_WITHOUT_CARD
    bound = binding_pile(rules, state, seat)
    if bound and not pile_cards(bound) & piles:
        return Refusal.DECLARE_WHILE_OWNING
    return Refusal.NONE


@kernel
def refuse_raise(rules: Ints, state: Ints, card: int, loose: int, piles: int, value: int) -> int:
    """Why the seat in turn may not raise the pile with these cards to `value` (R7, R8.2)."""
    rank = rank_of(card)
    seat = state[TURN]
    pile = find_pile(state, piles)
    if rank >= JACK:
        return Refusal.RAISE_WITH_COURT
    if loose or pile == 0:
        return Refusal.RAISE_OF_MANY
    if pile_is_family(pile):
        return Refusal.RAISE_OF_FAMILY
    if pile_value(pile) + rank + 1 != value:
        return Refusal.RAISE_SUM_WRONG
    if value > HIGHEST_VALUE:
        return Refusal.RAISE_TOO_HIGH
    if not may_raise(rules, seat, pile):
        if rules[RAISING] == RAISING_NEVER:
            return Refusal.RAISE_OFF
        if pile_owner(pile) == seat:
            return Refusal.RAISE_OF_OWN
        return Refusal.RAISE_OF_PARTNER
    bound = binding_pile(rules, state, seat)
    if bound and bound != pile:
        return Refusal.RAISE_WHILE_OWNING
    if not keeps(state[HANDS + seat], rank, value):
        return Refusal.RAISE_WITHOUT_CARD
    return Refusal.NONE


@kernel
def refuse(
    rules: Ints, state: Ints, work: Ints, kind: int, card: int, loose: int, piles: int, value: int
) -> int:
    """Why the seat in turn may not make this play: a `Refusal`, 0 for a legal play.

    `piles` must be made of whole piles.
    """
    seat = state[TURN]
    if seat == NOBODY:
        return Refusal.DEAL_OVER
    if not state[HANDS + seat] >> card & 1:
        return Refusal.NOT_IN_HAND
    if loose & ~state[LOOSE]:
        return Refusal.NOT_LOOSE
    if kind == TRAIL:
        return refuse_trail(rules, state, card)
    if kind == CAPTURE:
        return refuse_capture(rules, state, work, card, loose, piles)
    if kind == DECLARE:
        return refuse_declaration(rules, state, work, card, loose, piles, value)
    return refuse_raise(rules, state, card, loose, piles, value)


def refusal_of(position: Position, play: Play) -> Refusal:
    """Why the seat in turn may not make `play`; `Refusal.NONE` when it may."""
    state = position.state
    if position.turn is not None and position.hands[position.turn] >> play.card & 1:
        if any(find_pile(state, pile) == 0 for pile in play.piles):
            return Refusal.NO_SUCH_PILE
    work = workspace_for(position.loose)
    return Refusal(refuse(position.rules.packed, state, work, *play.packed))


def check_play(position: Position, play: Play) -> None:
    """Raise `IllegalPlay` when the seat in turn may not make `play`."""
    refusal = refusal_of(position, play)
    if refusal:
        raise IllegalPlay(position, play, refusal)
