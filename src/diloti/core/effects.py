"""Effects: what a legal play changes, up to the refill and the end of the deal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from diloti.core.cards import sum_of
from diloti.core.deal import deal_hands, next_seat
from diloti.core.jit import Ints, inlined_kernel, popcount
from diloti.core.legality import IllegalPlay, Refusal, check_play
from diloti.core.plays import CAPTURE, DECLARE, RAISE, TRAIL, Play
from diloti.core.position import (
    CAPTURED,
    DEALT,
    HANDS,
    LAST_CAPTURE,
    LOOSE,
    NOBODY,
    PILE_COUNT,
    PILES,
    PLAYS,
    TURN,
    XERI,
    XERISTAKI,
    Position,
    pack_pile,
    pile_cards,
    side_of,
)
from diloti.core.rules import (
    FIRST_PLAY_XERI,
    LAST_PLAY_XERI,
    PACK,
    PLAYERS,
    XERISTAKI_POINTS,
)
from diloti.core.tallies import split

XERI_MADE = 1
XERISTAKI_MADE = 2
REFILLED = 4
DEAL_OVER = 8
"""What `apply_play` reports, as bits."""


@inlined_kernel
def remove_piles(state: Ints, cards: int) -> None:
    """Take the piles made of `cards` off the table."""
    left = PILES
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if not pile_cards(state[slot]) & cards:
            state[left] = state[slot]
            left += 1
    for slot in range(left, PILES + state[PILE_COUNT]):
        state[slot] = 0
    state[PILE_COUNT] = left - PILES


@inlined_kernel
def add_pile(state: Ints, cards: int, value: int, family: int) -> None:
    """Lay a pile that the seat in turn owns."""
    state[PILES + state[PILE_COUNT]] = pack_pile(cards, value, state[TURN], family)
    state[PILE_COUNT] += 1


@inlined_kernel
def hands_are_empty(rules: Ints, state: Ints) -> bool:
    """Whether no seat holds a card."""
    for seat in range(rules[PLAYERS]):
        if state[HANDS + seat]:
            return False
    return True


@inlined_kernel
def stock_is_empty(rules: Ints, state: Ints) -> bool:
    """Whether the whole pack has been dealt."""
    return state[DEALT] == popcount(rules[PACK])


@inlined_kernel
def capture_bonus(rules: Ints, state: Ints) -> int:
    """Whether the capture just made, of the last loose cards, is a xeri or a xeristaki (R9)."""
    if state[PILE_COUNT] > 1:
        return 0
    if state[PLAYS] == 0 and not rules[FIRST_PLAY_XERI]:
        return 0
    if not rules[LAST_PLAY_XERI] and stock_is_empty(rules, state) and hands_are_empty(rules, state):
        return 0
    if state[PILE_COUNT] == 0:
        return XERI_MADE
    return XERISTAKI_MADE if rules[XERISTAKI_POINTS] else 0


@inlined_kernel
def lay_play(
    rules: Ints, state: Ints, kind: int, card: int, loose: int, piles: int, value: int
) -> int:
    """Make a legal play, without what follows by itself: `follow_play` does that.

    Changes `state`, in which the turn has passed on, and returns what happened, as the bits above.
    Nothing is checked.
    """
    seat = state[TURN]
    side = side_of(seat)
    played = 1 << card
    happened = 0
    state[HANDS + seat] ^= played
    if kind == TRAIL:
        state[LOOSE] |= played
    else:
        state[LOOSE] &= ~loose
        if piles:
            remove_piles(state, piles)
        if kind == CAPTURE:
            state[CAPTURED + side] |= played | loose | piles
            state[LAST_CAPTURE] = side
            if state[LOOSE] == 0:
                happened = capture_bonus(rules, state)
                state[XERI + side] += happened == XERI_MADE
                state[XERISTAKI + side] += happened == XERISTAKI_MADE
        else:
            plain = kind == RAISE or (piles == 0 and sum_of(loose | played) == value)
            add_pile(state, played | loose | piles, value, 0 if plain else 1)
    state[PLAYS] += 1
    state[TURN] = next_seat(rules, seat)
    return happened


@inlined_kernel
def follow_play(rules: Ints, state: Ints) -> int:
    """Do what follows a play by itself: refill (R2.6), or leftovers and the deal's end (R10.1).

    Returns `REFILLED`, `DEAL_OVER` or 0.
    """
    if not hands_are_empty(rules, state):
        return 0
    if stock_is_empty(rules, state):
        give_leftovers(state)
        state[TURN] = NOBODY
        return DEAL_OVER
    deal_hands(rules, state)
    return REFILLED


@inlined_kernel
def apply_play(
    rules: Ints, state: Ints, kind: int, card: int, loose: int, piles: int, value: int
) -> int:
    """Make a legal play, with what follows by itself: refill (R2.6), leftovers (R10.1).

    Changes `state` and returns what happened, as the bits above. Nothing is checked.
    """
    happened = lay_play(rules, state, kind, card, loose, piles, value)
    return happened | follow_play(rules, state)


@inlined_kernel
def give_leftovers(state: Ints) -> None:
    """Give everything on the table to the side that captured last, if any did (R10.1)."""
    if state[LAST_CAPTURE] == NOBODY:
        return
    captured = CAPTURED + state[LAST_CAPTURE]
    state[captured] |= state[LOOSE]
    state[LOOSE] = 0
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        state[captured] |= pile_cards(state[slot])
        state[slot] = 0
    state[PILE_COUNT] = 0


@dataclass(frozen=True)
class Event:
    """Something a play brought about, named as in the engine protocol.

    `cards` is the mask of a capture (with the played card) or of leftovers, `owner` the seat whose
    pile was joined or raised, `side` the side that got the leftovers (None: nobody).
    """

    name: str
    cards: int = 0
    owner: int | None = None
    side: int | None = None


@dataclass(frozen=True)
class Outcome:
    """A position after a play, and what happened on the way, in order."""

    position: Position
    events: tuple[Event, ...]

    def has(self, name: str) -> bool:
        """Whether an event of that name is among them."""
        return any(event.name == name for event in self.events)


def make_play(position: Position, play: Play) -> Outcome:
    """Make a play; `IllegalPlay` where the rules do not allow it. The position stays as it is."""
    check_play(position, play)
    state = position.state.copy()
    happened = apply_play(position.rules.packed, state, *play.packed)
    after = Position(
        position.rules,
        state,
        _components_after(position, play),
        position.shown,
        position.history and position.history.followed_by(int(position.state[TURN]), play),
    )
    return Outcome(after, tuple(_events(position, play, after, happened)))


def _components_after(position: Position, play: Play) -> dict[int, tuple[int, ...]]:
    """How the piles lie after a legal play."""
    laid = {cards: parts for cards, parts in position.components.items() if cards not in play.piles}
    cards = play.loose | 1 << play.card
    if play.kind == RAISE:
        laid[cards | play.pile_cards] = (cards | play.pile_cards,)
    if play.kind == DECLARE:
        joined = [part for pile in play.piles for part in position.components[pile]]
        laid[cards | play.pile_cards] = (*joined, *split(cards, play.value))
    return laid


def _events(position: Position, play: Play, after: Position, happened: int) -> Iterator[Event]:
    if play.kind == CAPTURE:
        yield Event("capture", cards=1 << play.card | play.loose | play.pile_cards)
    if happened & XERI_MADE:
        yield Event("xeri")
    if happened & XERISTAKI_MADE:
        yield Event("xeristaki")
    if play.kind in (DECLARE, RAISE):
        yield Event("declare" if play.kind == DECLARE else "raise")
        for pile in position.piles:
            if pile.cards in play.piles and pile.owner != position.turn:
                yield Event("released", owner=pile.owner)
    if happened & REFILLED:
        yield Event("refill")
    if happened & DEAL_OVER:
        left = _left_on_table(position, play)
        if left:
            yield Event("leftovers", cards=left, side=after.last_capture)
        yield Event("deal_over")


def _left_on_table(position: Position, play: Play) -> int:
    """What lies on the table after the last play of a deal, before it is given away."""
    played = 1 << play.card
    table = position.loose | played | sum(pile.cards for pile in position.piles)
    if play.kind == CAPTURE:
        table &= ~(played | play.loose | play.pile_cards)
    return table


def show_card(position: Position, seat: int, card: int) -> Position:
    """The position after `seat` has shown `card` to the partner (R2.7), or `IllegalPlay`."""
    shown = list(position.shown or (None,) * position.rules.players)
    refusal = Refusal.NONE
    if not position.rules.partners_show_card:
        refusal = Refusal.SHOW_OFF
    elif position.plays:
        refusal = Refusal.SHOW_TOO_LATE
    elif not position.hands[seat] >> card & 1:
        refusal = Refusal.SHOW_NOT_IN_HAND
    elif shown[seat] is not None:
        refusal = Refusal.SHOW_TWICE
    if refusal:
        raise IllegalPlay(position, Play(TRAIL, card), refusal)
    shown[seat] = card
    return position.replaced(shown=tuple(shown))
