"""A position: the whole state of a deal as one flat array, and the friendly object around it.

The array is what kernels read and change; copying it copies the game. Its parts:

===================  ========================================================================
``DEALER, TURN``     seats; the turn is -1 when the deal is over
``PLAYS``            plays made in this deal
``LAST_CAPTURE``     the side that captured last, -1 before any capture
``DEALT``            how many cards of the pack have been dealt; the rest is the stock
``LOOSE``            mask of the loose cards
``HANDS``            four masks, by seat
``CAPTURED``         two masks, by side, followed in the same way by ``XERI``, ``XERISTAKI``
                     and ``SCORES`` (the match totals before this deal)
``PILE_COUNT``       number of piles
``PILES``            one number a pile: its cards, value, owner and kind (`pack_pile`)
``ORDER``            the pack in the order in which it is dealt
===================  ========================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from diloti.core.cards import NUMERALS, PACK_SIZE
from diloti.core.jit import Ints, inlined_kernel
from diloti.core.rules import OBLIGATIONS, Rules

MOST_PILES = NUMERALS.bit_count() // 2
"""No table holds more piles: each has at least two numerals."""

DEALER, TURN, PLAYS, LAST_CAPTURE, DEALT, LOOSE = range(6)
HANDS = 6
CAPTURED = 10
XERI = 12
XERISTAKI = 14
SCORES = 16
PILE_COUNT = 18
PILES = 19
ORDER = PILES + MOST_PILES
STATE_SIZE = ORDER + PACK_SIZE

NOBODY = -1

_VALUE_AT, _OWNER_AT, _FAMILY_AT = 52, 56, 58
_CARDS = (1 << _VALUE_AT) - 1


@inlined_kernel
def pack_pile(cards: int, value: int, owner: int, family: int) -> int:
    """A pile as one number: 52 bits of cards, 4 of value, 2 of owner, 1 for a family."""
    return cards | value << _VALUE_AT | owner << _OWNER_AT | family << _FAMILY_AT


@inlined_kernel
def pile_cards(pile: int) -> int:
    """The cards of a packed pile, as a mask."""
    return pile & _CARDS


@inlined_kernel
def pile_value(pile: int) -> int:
    """The value of a packed pile, 1 to 10."""
    return (pile >> _VALUE_AT) & 15


@inlined_kernel
def pile_owner(pile: int) -> int:
    """The seat that owns a packed pile."""
    return (pile >> _OWNER_AT) & 3


@inlined_kernel
def pile_is_family(pile: int) -> int:
    """1 for a family declaration, 0 for a plain one."""
    return pile >> _FAMILY_AT


@inlined_kernel
def side_of(seat: int) -> int:
    """The side of a seat: partners sit opposite (R1)."""
    return seat & 1


@inlined_kernel
def binding_pile(rules: Ints, state: Ints, seat: int) -> int:
    """The pile that binds `seat` by the obligations of R8, or 0."""
    if rules[OBLIGATIONS]:
        for slot in range(PILES, PILES + state[PILE_COUNT]):
            if pile_owner(state[slot]) == seat:
                return int(state[slot])
    return 0


@inlined_kernel
def find_pile(state: Ints, cards: int) -> int:
    """The packed pile with exactly these cards, or 0."""
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_cards(state[slot]) == cards:
            return int(state[slot])
    return 0


@dataclass(frozen=True)
class Pile:
    """Declared cards on the table (R1).

    `components` are masks, as they were laid; one component is a plain declaration.
    """

    value: int
    owner: int
    components: tuple[int, ...]

    @property
    def cards(self) -> int:
        """All its cards, as a mask."""
        cards = 0
        for component in self.components:
            cards |= component
        return cards

    @property
    def is_family(self) -> bool:
        """Whether it is a family declaration, which nobody can raise."""
        return len(self.components) > 1


@dataclass(frozen=True)
class History:
    """What everybody at the table has seen of a deal: the layout (mask) and the plays so far.

    Each of the plays is a seat and its `diloti.core.plays.Play`.
    """

    layout: int
    plays: tuple[tuple[int, Any], ...] = ()

    def followed_by(self, seat: int, play: Any) -> History:
        """The history after one more play."""
        return History(self.layout, (*self.plays, (seat, play)))


@dataclass(frozen=True, eq=False)
class Position:
    """A whole deal at one moment, hidden cards included. Treat it as a value: never change it.

    Bots and screens get a `diloti.core.view.View` instead.
    """

    rules: Rules
    state: Ints
    components: Mapping[int, tuple[int, ...]]
    """How each pile (by its cards) was laid."""
    shown: tuple[int | None, ...] | None = None
    """By seat the card shown to the partner (R2.7); None where nobody has shown any."""
    history: History | None = None

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return int(self.state[DEALER])

    @property
    def turn(self) -> int | None:
        """The seat that plays next, or None when the deal is over."""
        turn = int(self.state[TURN])
        return None if turn == NOBODY else turn

    @property
    def plays(self) -> int:
        """Number of plays made in this deal."""
        return int(self.state[PLAYS])

    @property
    def last_capture(self) -> int | None:
        """The side that captured last in this deal, or None."""
        side = int(self.state[LAST_CAPTURE])
        return None if side == NOBODY else side

    @property
    def hands(self) -> tuple[int, ...]:
        """The hands by seat, as masks."""
        return tuple(int(hand) for hand in self.state[HANDS : HANDS + self.rules.players])

    @property
    def loose(self) -> int:
        """The loose cards, as a mask."""
        return int(self.state[LOOSE])

    @property
    def piles(self) -> tuple[Pile, ...]:
        """The piles on the table, oldest first."""
        return tuple(self._pile(int(self.state[PILES + i])) for i in range(self.state[PILE_COUNT]))

    def _pile(self, packed: int) -> Pile:
        return Pile(pile_value(packed), pile_owner(packed), self.components[pile_cards(packed)])

    @property
    def stock(self) -> tuple[int, ...]:
        """The undealt cards, next to be dealt first."""
        order = self.state[ORDER + self.state[DEALT] : ORDER + self.rules.pack_size]
        return tuple(int(card) for card in order)

    @property
    def captured(self) -> tuple[int, int]:
        """The captures by side, as masks."""
        return self._by_side(CAPTURED)

    @property
    def xeri(self) -> tuple[int, int]:
        """Number of xeri by side."""
        return self._by_side(XERI)

    @property
    def xeristaki(self) -> tuple[int, int]:
        """Number of xeristaki by side."""
        return self._by_side(XERISTAKI)

    @property
    def scores(self) -> tuple[int, int]:
        """Match totals by side before this deal."""
        return self._by_side(SCORES)

    def _by_side(self, place: int) -> tuple[int, int]:
        return int(self.state[place]), int(self.state[place + 1])

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self.turn is None

    @property
    def is_last_hand(self) -> bool:
        """Whether the hands now held are the last of the deal."""
        return not self.stock

    def replaced(self, **changes: object) -> Position:
        """A copy with some of its fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def seat_after(seat: int, rules: Rules) -> int:
    """The next seat in the order of play."""
    return (seat + 1) % rules.players


def new_state(
    rules: Rules,
    *,
    dealer: int,
    turn: int | None,
    plays: int,
    hands: Iterable[int],
    loose: int,
    piles: Iterable[Pile] = (),
    stock: Iterable[int] = (),
    captured: Iterable[int] = (0, 0),
    xeri: Iterable[int] = (0, 0),
    xeristaki: Iterable[int] = (0, 0),
    scores: Iterable[int] = (0, 0),
    last_capture: int | None = None,
) -> Ints:
    """The flat array of a position, its parts given by name. Nothing is checked here."""
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    undealt = tuple(stock)
    state[DEALER], state[PLAYS], state[LOOSE] = dealer, plays, loose
    state[TURN] = NOBODY if turn is None else turn
    state[LAST_CAPTURE] = NOBODY if last_capture is None else last_capture
    state[DEALT] = rules.pack_size - len(undealt)
    for place, values in (
        (HANDS, hands),
        (CAPTURED, captured),
        (XERI, xeri),
        (XERISTAKI, xeristaki),
        (SCORES, scores),
        (ORDER + rules.pack_size - len(undealt), undealt),
    ):
        for offset, value in enumerate(values):
            state[place + offset] = value
    for slot, pile in enumerate(piles):
        state[PILE_COUNT] = slot + 1
        state[PILES + slot] = pack_pile(pile.cards, pile.value, pile.owner, int(pile.is_family))
    return state
