"""The one door for secrets: what a seat may see of a position (R10.2).

A view is built by naming each field, never by taking things away from the whole, and it is all
that bots and screens ever get.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from diloti.core.position import History, Pile, Position, new_state, side_of
from diloti.core.rules import Rules

ONLOOKER = -1
"""The seat of somebody who only looks on: no hand, and no side's secrets."""


@dataclass(frozen=True)
class View:
    """What one seat knows: its own hand, the table, and how much there is of what is hidden."""

    seat: int
    rules: Rules
    dealer: int
    turn: int | None
    hand: int
    hand_sizes: tuple[int, ...]
    loose: int
    piles: tuple[Pile, ...]
    stock_size: int
    captured: tuple[int, int] | None
    """By side, once the deal is over; None before."""
    xeri: tuple[int, int]
    xeristaki: tuple[int, int]
    last_capture: int | None
    plays: int
    scores: tuple[int, int]
    shown: tuple[int | None, ...] | None
    """By seat the card shown to the partner, as far as this seat knows; None where none is."""
    history: History | None
    """The layout and every play so far; None where it is not known."""

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self.turn is None

    @property
    def is_last_hand(self) -> bool:
        """Whether the hands now held are the last of the deal."""
        return self.stock_size == 0

    @property
    def side(self) -> int:
        """The side this seat plays for."""
        return side_of(self.seat)

    @cached_property
    def seen(self) -> int:
        """Every card this seat has seen in this deal, as a mask; without history only those
        that lie open now, those in hand and those shown."""
        seen = self.hand | self.loose | sum(pile.cards for pile in self.piles)
        for card in self.shown or ():
            seen |= 0 if card is None else 1 << card
        if self.history is not None:
            seen |= self.history.layout
            for _seat, play in self.history.plays:
                seen |= 1 << play.card
        for cards in self.captured or ():
            seen |= cards
        return seen

    @cached_property
    def known(self) -> Position:
        """The part of the position that this seat knows, other hands and the captures empty.

        Good for listing, checking and describing this seat's plays, since these depend on
        nothing else; not for making them.
        """
        hands = [self.hand if seat == self.seat else 0 for seat in range(self.rules.players)]
        state = new_state(
            self.rules,
            dealer=self.dealer,
            turn=self.turn,
            plays=self.plays,
            hands=hands,
            loose=self.loose,
            piles=self.piles,
            stock=[0] * self.stock_size,
            captured=self.captured or (0, 0),
            xeri=self.xeri,
            xeristaki=self.xeristaki,
            scores=self.scores,
            last_capture=self.last_capture,
        )
        components = {pile.cards: pile.components for pile in self.piles}
        return Position(self.rules, state, components, self.shown, self.history)


def view_of(position: Position, seat: int) -> View:
    """What `seat` may see of `position`."""
    return _view(position, seat, hand=position.hands[seat], shown=_shown_to(position, seat))


def onlookers_view(position: Position) -> View:
    """What anybody may see of `position` who holds no seat."""
    return _view(position, ONLOOKER, hand=0, shown=None)


def _view(
    position: Position, seat: int, *, hand: int, shown: tuple[int | None, ...] | None
) -> View:
    """What everybody sees, and the two things that only a seat sees."""
    return View(
        seat=seat,
        rules=position.rules,
        dealer=position.dealer,
        turn=position.turn,
        hand=hand,
        hand_sizes=tuple(hand.bit_count() for hand in position.hands),
        loose=position.loose,
        piles=position.piles,
        stock_size=len(position.stock),
        captured=position.captured if position.is_over else None,
        xeri=position.xeri,
        xeristaki=position.xeristaki,
        last_capture=position.last_capture,
        plays=position.plays,
        scores=position.scores,
        shown=shown,
        history=position.history,
    )


def _shown_to(position: Position, seat: int) -> tuple[int | None, ...] | None:
    """The cards shown within the seat's own partnership (R2.7)."""
    if position.shown is None:
        return None
    return tuple(
        card if side_of(other) == side_of(seat) else None
        for other, card in enumerate(position.shown)
    )
