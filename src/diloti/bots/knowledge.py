"""What a seat knows about the cards it does not see, worked out from its view.

With the history of the deal this is a good deal: every card that was laid or played, who captured
it, and what the others have promised to hold by declaring, raising and keeping piles. That is all:
whether a play is legal depends on the hand it came from in no other way.
"""

from __future__ import annotations

from dataclasses import dataclass

from diloti.core.cards import mask_of, rank_of
from diloti.core.consistency import check_view, table_of
from diloti.core.effects import apply_play
from diloti.core.errors import N_, PositionError
from diloti.core.jit import Ints
from diloti.core.legality import refusal_of
from diloti.core.plays import DECLARE, RAISE
from diloti.core.position import (
    CAPTURED,
    HANDS,
    LAST_CAPTURE,
    LOOSE,
    PILE_COUNT,
    PILES,
    SCORES,
    XERI,
    History,
    Position,
    binding_pile,
    new_state,
    pile_value,
    seat_after,
)
from diloti.core.view import View


@dataclass(frozen=True)
class Sighting:
    """A card that was shown (R2.7) and is now unseen, and where it can be."""

    card: int
    holder: int | None
    """The seat that may still hold it; None where nobody can."""
    may_be_captured: bool


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What a seat knows: the open part of the position, and what is certain about the rest.

    Every unseen card is in another hand, in the stock or, without history, among the captures.
    """

    view: View
    state: Ints
    """The position as far as it is known: other hands empty, the stock not filled in."""
    unseen: int
    """The cards that the seat has not seen, as a mask."""
    promised: tuple[int, ...]
    """By seat the ranks of which it must hold a card, one bit a rank; none for the own seat."""
    sightings: tuple[Sighting, ...]
    captured_unseen: int
    """How many of the unseen cards have been captured."""
    sides_known: bool
    """Whether it is known which side captured which cards; where not, `state` has those that are
    known to be captured with side 0."""
    is_contradictory: bool
    """Whether the view says things that cannot all be so; what could not be kept is left out."""

    @property
    def other_seats(self) -> tuple[int, ...]:
        """All seats but the own one."""
        return tuple(seat for seat in range(self.view.rules.players) if seat != self.view.seat)


@dataclass(frozen=True)
class _Replay:
    """A history played again from what is open to all."""

    captured: tuple[int, int]
    promised: tuple[int, ...]


def knowledge_of(view: View) -> Knowledge:
    """What the seat of a view knows; `PositionError` where the numbers of cards do not add up.

    Claims that contradict each other, as only a view from elsewhere can hold them, are dropped.
    """
    check_view(view)
    table, history, rules = table_of(view), view.history, view.rules
    state = view.known.state.copy()
    replay = _replay(view)
    opened = table
    captured_unseen = 0
    if history is not None:
        opened |= history.layout | mask_of(play.card for _seat, play in history.plays)
    elif view.captured is None:
        captured_unseen = view.plays + rules.layout_size - table.bit_count()
    if view.captured is not None:
        opened |= view.captured[0] | view.captured[1]
    elif replay is not None:
        state[CAPTURED], state[CAPTURED + 1] = replay.captured
    else:
        state[CAPTURED] = opened & ~table
    unseen = rules.pack & ~(view.hand | opened)
    _check_number(view, unseen, captured_unseen)
    sightings, all_possible = _sightings(view, unseen, captured_unseen)
    promised = replay.promised if replay is not None else _promises_of_owners(view)
    return Knowledge(
        view=view,
        state=state,
        unseen=unseen,
        promised=tuple(0 if seat == view.seat else ranks for seat, ranks in enumerate(promised)),
        sightings=sightings,
        captured_unseen=captured_unseen,
        sides_known=view.captured is not None or replay is not None,
        is_contradictory=not all_possible or (history is not None and replay is None),
    )


def _check_number(view: View, unseen: int, captured: int) -> None:
    """Raise `PositionError` unless there are as many unseen cards as places for them."""
    others = sum(size for seat, size in enumerate(view.hand_sizes) if seat != view.seat)
    stock = unseen.bit_count() - others - captured
    if stock != view.stock_size:
        raise PositionError(
            N_("stock: after {plays} plays it has {expected} cards, not {found}"),
            plays=view.plays,
            expected=view.stock_size,
            found=stock,
        )


def _sightings(view: View, unseen: int, captured_unseen: int) -> tuple[tuple[Sighting, ...], bool]:
    """The shown cards that are unseen, and whether each of those shown can be somewhere."""
    rules = view.rules
    first_hand = view.plays < rules.players * rules.hand_size
    found = []
    all_possible = True
    for seat, card in enumerate(view.shown or ()):
        if card is None:
            continue
        if not unseen >> card & 1:
            all_possible &= seat == view.seat or (view.plays > 0 and not view.hand >> card & 1)
            continue
        holds = seat != view.seat and first_hand and view.hand_sizes[seat] > 0
        has_played = not first_hand or view.hand_sizes[seat] < rules.hand_size
        sighting = Sighting(card, seat if holds else None, has_played and captured_unseen > 0)
        if sighting.holder is None and not sighting.may_be_captured:
            all_possible = False
        else:
            found.append(sighting)
    return tuple(found), all_possible


def _promises_of_owners(view: View) -> list[int]:
    """What is promised as far as the table tells: with obligations, a card for each pile (R8.5)."""
    promised = [0] * view.rules.players
    if view.rules.obligations:
        for pile in view.piles:
            promised[pile.owner] |= 1 << pile.value - 1
    return promised


def _replay(view: View) -> _Replay | None:
    """The history of a view played again; None without one, or where it does not lead there.

    Nobody's hand is needed: whoever is in turn gets all cards that have not been opened yet. That
    allows every play which the true hand allowed, and the hand is empty after the last play only.
    """
    history, rules = view.history, view.rules
    if history is None:
        return None
    state = start_of_deal(view, history)
    position = Position(rules, state, {})
    unopened = rules.pack & ~history.layout
    promised = [0] * rules.players
    for number, (seat, play) in enumerate(history.plays, 1):
        state[HANDS + seat] = unopened
        if refusal_of(position, play):
            return None
        apply_play(rules.packed, state, *play.packed)
        state[HANDS + seat] = 0
        unopened &= ~(1 << play.card)
        promised[seat] &= ~(1 << rank_of(play.card))
        if play.kind in (DECLARE, RAISE):
            promised[seat] |= 1 << play.value - 1
        bound = binding_pile(rules.packed, state, seat)
        if bound:
            promised[seat] |= 1 << pile_value(bound) - 1
        if number % (rules.players * rules.hand_size) == 0:
            promised = [0] * rules.players
    if not _looks_like(state, view):
        return None
    return _Replay(position.captured, tuple(promised))


def start_of_deal(view: View, history: History) -> Ints:
    """The state before the first play, as far as everybody saw it: the layout, and no hands."""
    return new_state(
        view.rules,
        dealer=view.dealer,
        turn=seat_after(view.dealer, view.rules),
        plays=0,
        hands=(),
        loose=history.layout,
    )


def _looks_like(state: Ints, view: View) -> bool:
    """Whether a replayed state has come to the table and the xeri of a view."""
    known = view.known.state
    places = [LAST_CAPTURE, LOOSE, PILE_COUNT, *range(XERI, SCORES)]
    piles = slice(PILES, PILES + int(state[PILE_COUNT]))
    return [int(state[place]) for place in places] == [int(known[place]) for place in places] and (
        sorted(state[piles]) == sorted(known[piles])
    )
