"""What a seat may see as arrays of fixed size, for learning programs of every kind.

An *observation* is one row of small whole numbers, its parts (`PARTS`) one after the other. Seats
are counted from the seat that looks: 0 itself, 1 the next in the order of play; of the sides its
own comes first. A part for cards has one number a card, in canonical order.

==================  =======  ===================================================================
part                numbers  meaning
==================  =======  ===================================================================
``hand``            52       the cards in hand
``shown``           2 x 52   the card shown to the partner (R2.7) by this seat, and by the partner
``draft_card``      52       the card of the play that this seat is putting together
``draft_way``       13       the way it is played (`diloti.envs.actions`)
``draft_used``      52       the table cards that it uses so far
``loose``           52       the loose cards
``captured``        2 x 52   the cards that each side has been seen to capture
``hand_sizes``      4        cards in each seat's hand
``dealer``          4        1 for the dealer
``asked``           4        1 for the seat that is asked for an action; all 0 when the deal is over
``last_capture``    2        1 for the side that captured last
``xeri``            2        xeri made in this deal, by side
``xeristaki``       2        xeristaki likewise
``to_go``           2        points to the target before this deal, by side, at most 127
``plays``           1        plays made in this deal
``stock``           1        cards in the stock
``showing``         1        1 while seats are asked for a card to show
``piles``           20 x 55  the piles, oldest first: its cards (the 40 numerals), its value (1 to
                             10), its owner (4 seats), and 1 for a family
==================  =======  ===================================================================

The *history* of a deal has a row for the layout and one for each play: who played (4 seats), the
card (52), the kind (4, in the order trail, capture, declare, raise), the value (10) and the table
cards used (52; in the row of the layout these are the layout). Rows of plays to come are all 0.

Only what `diloti.core.view.View` has is ever looked at: the history and the observation together
hold all that a seat may know, and nothing else.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from diloti.core.cards import NUMERALS, PACK_SIZE
from diloti.core.jit import Ints, inlined_kernel, kernel, lowest, popcount
from diloti.core.plays import CAPTURE, TRAIL
from diloti.core.position import (
    CAPTURED,
    DEALER,
    DEALT,
    HANDS,
    LAST_CAPTURE,
    LOOSE,
    MOST_PILES,
    NOBODY,
    PILE_COUNT,
    PILES,
    PLAYS,
    SCORES,
    TURN,
    XERI,
    XERISTAKI,
    pile_cards,
    pile_is_family,
    pile_owner,
    pile_value,
    side_of,
)
from diloti.core.rules import HAND_SIZE, PACK, PLAYERS, TARGET, Rules
from diloti.core.view import View
from diloti.envs.actions import Bytes, Draft
from diloti.envs.drafts import (
    CARD,
    LOOSE_USED,
    PILES_USED,
    SHOWS,
    WAY,
    WAYS,
    new_draft,
    seat_asked,
)

SEATS, SIDES = 4, 2
VALUES = 10
KINDS = 4
PILE_CARDS = NUMERALS.bit_count()
PILE_ROW = PILE_CARDS + VALUES + SEATS + 1
HISTORY_ROW = SEATS + PACK_SIZE + KINDS + VALUES + PACK_SIZE
"""Numbers in a row of the history: 122."""

PARTS: dict[str, int] = {
    "hand": PACK_SIZE,
    "shown": SIDES * PACK_SIZE,
    "draft_card": PACK_SIZE,
    "draft_way": WAYS,
    "draft_used": PACK_SIZE,
    "loose": PACK_SIZE,
    "captured": SIDES * PACK_SIZE,
    "hand_sizes": SEATS,
    "dealer": SEATS,
    "asked": SEATS,
    "last_capture": SIDES,
    "xeri": SIDES,
    "xeristaki": SIDES,
    "to_go": SIDES,
    "plays": 1,
    "stock": 1,
    "showing": 1,
    "piles": MOST_PILES * PILE_ROW,
}
"""The parts of an observation and how many numbers each has, in their order: first what only the
seat itself sees, from ``loose`` on what everybody does."""

(
    _HAND,
    _SHOWN,
    _DRAFT_CARD,
    _DRAFT_WAY,
    _DRAFT_USED,
    _LOOSE,
    _CAPTURED,
    _HAND_SIZES,
    _DEALER,
    _ASKED,
    _LAST_CAPTURE,
    _XERI,
    _XERISTAKI,
    _TO_GO,
    _PLAYS,
    _STOCK,
    _SHOWING,
    _PILES,
    OBSERVATION_SIZE,
) = accumulate(PARTS.values(), initial=0)
"""Where each part begins; and the numbers in an observation, 1552."""

PUBLIC = _LOOSE
"""Where what everybody sees begins."""

PLAYED_KIND, PLAYED_CARD, PLAYED_LOOSE, PLAYED_PILES, PLAYED_VALUE = range(5)
PLAY_SIZE = 5
"""The numbers of a play, in the order in which kernels hand them around."""

FARTHEST, NEAREST = 127, -128
"""Points to the target are cut to these."""


PLACES = {
    name: slice(end - size, end)
    for (name, size), end in zip(PARTS.items(), accumulate(PARTS.values()), strict=True)
}
"""Where each part lies in an observation."""


def part(observation: np.ndarray, name: str) -> np.ndarray:
    """One part of an observation, or of a stack of them (in the last axis)."""
    found: np.ndarray = observation[..., PLACES[name]]
    return found


def observation_bounds() -> tuple[Bytes, Bytes]:
    """The least and the greatest that each number of an observation can be."""
    low = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    high = np.ones(OBSERVATION_SIZE, dtype=np.int8)
    for name in ("hand_sizes", "xeri", "xeristaki", "plays", "stock"):
        part(high, name)[:] = PACK_SIZE
    part(low, "to_go")[:], part(high, "to_go")[:] = NEAREST, FARTHEST
    return low, high


def history_shape(rules: Rules) -> tuple[int, int]:
    """The shape of a deal's history: ``(49, 122)`` with the whole pack."""
    return rules.plays_in_deal + 1, HISTORY_ROW


@inlined_kernel
def mark_cards(cards: int, row: Bytes, place: int) -> None:
    """Set to 1 the numbers of some cards, from `place` on."""
    while cards:
        row[place + lowest(cards)] = 1
        cards &= cards - 1


@inlined_kernel
def place_from(rules: Ints, seat: int, other: int) -> int:
    """How many seats `other` comes after `seat`."""
    return (other - seat + rules[PLAYERS]) % rules[PLAYERS]


@kernel
def encode_state(
    rules: Ints, state: Ints, draft: Ints, shown: Ints, seat: int, observation: Bytes
) -> None:
    """Write what `seat` sees into `observation`, which must be all 0.

    `shown` has by seat the card shown to the partner, or `NOBODY`. Of `state` only what everybody
    sees and the seat's own hand is read; of the captures, what has been seen taken.
    """
    asked = seat_asked(rules, state, draft)
    side, partner = side_of(seat), (seat + 2) % rules[PLAYERS]
    mark_cards(state[HANDS + seat], observation, _HAND)
    mark_cards(state[LOOSE], observation, _LOOSE)
    mark_cards(state[CAPTURED + side], observation, _CAPTURED)
    mark_cards(state[CAPTURED + 1 - side], observation, _CAPTURED + PACK_SIZE)
    if shown[seat] != NOBODY:
        observation[_SHOWN + shown[seat]] = 1
    if partner != seat and shown[partner] != NOBODY:
        observation[_SHOWN + PACK_SIZE + shown[partner]] = 1
    if seat == asked and draft[CARD] != NOBODY:
        observation[_DRAFT_CARD + draft[CARD]] = 1
        if draft[WAY] != NOBODY:
            observation[_DRAFT_WAY + draft[WAY]] = 1
        mark_cards(draft[LOOSE_USED] | draft[PILES_USED], observation, _DRAFT_USED)
    mark_hand_sizes(rules, state, seat, observation)
    observation[_DEALER + place_from(rules, seat, state[DEALER])] = 1
    if asked != NOBODY:
        observation[_ASKED + place_from(rules, seat, asked)] = 1
    if state[LAST_CAPTURE] != NOBODY:
        observation[_LAST_CAPTURE + (state[LAST_CAPTURE] ^ side)] = 1
    for other in range(SIDES):
        theirs = side ^ other
        observation[_XERI + other] = state[XERI + theirs]
        observation[_XERISTAKI + other] = state[XERISTAKI + theirs]
        to_go = rules[TARGET] - state[SCORES + theirs]
        observation[_TO_GO + other] = max(NEAREST, min(FARTHEST, to_go))
    observation[_PLAYS] = state[PLAYS]
    observation[_STOCK] = popcount(rules[PACK]) - state[DEALT]
    observation[_SHOWING] = 1 if draft[SHOWS] else 0
    for slot in range(state[PILE_COUNT]):
        mark_pile(rules, state[PILES + slot], seat, observation, _PILES + slot * PILE_ROW)


@inlined_kernel
def mark_hand_sizes(rules: Ints, state: Ints, seat: int, observation: Bytes) -> None:
    """Write the sizes of all hands, which follow from the number of plays."""
    players = rules[PLAYERS]
    hand_plays = players * rules[HAND_SIZE]
    in_hand = state[PLAYS] % hand_plays
    for other in range(players):
        turn = place_from(rules, (state[DEALER] + 1) % players, other)
        played = (in_hand + players - 1 - turn) // players
        left = 0 if state[TURN] == NOBODY else rules[HAND_SIZE] - played
        observation[_HAND_SIZES + place_from(rules, seat, other)] = left


@inlined_kernel
def mark_pile(rules: Ints, pile: int, seat: int, row: Bytes, place: int) -> None:
    """Write a pile, from `place` on."""
    mark_cards(pile_cards(pile), row, place)
    place += PILE_CARDS
    row[place + pile_value(pile) - 1] = 1
    place += VALUES
    row[place + place_from(rules, seat, pile_owner(pile))] = 1
    row[place + SEATS] = pile_is_family(pile)


@kernel
def encode_log(rules: Ints, dealer: int, log: Ints, plays: int, seat: int, history: Bytes) -> None:
    """Write a deal's first `plays` plays as `seat` sees them into `history`, which must be all 0.

    Row 0 of `log` has the layout in the place of loose cards used, the others a play each as five
    numbers.
    """
    used = SEATS + PACK_SIZE + KINDS + VALUES
    mark_cards(log[0, PLAYED_LOOSE], history[0], used)
    for number in range(1, plays + 1):
        row = history[number]
        player = (dealer + number) % rules[PLAYERS]
        row[place_from(rules, seat, player)] = 1
        play = log[number]
        row[SEATS + play[PLAYED_CARD]] = 1
        row[SEATS + PACK_SIZE + play[PLAYED_KIND]] = 1
        if play[PLAYED_VALUE]:
            row[SEATS + PACK_SIZE + KINDS + play[PLAYED_VALUE] - 1] = 1
        mark_cards(play[PLAYED_LOOSE] | play[PLAYED_PILES], row, used)


def log_of(view: View) -> Ints:
    """The layout and the plays of a view, as `encode_log` reads them; the layout alone, as far as
    it is still there, where the view knows no history."""
    rows = [(TRAIL, 0, view.loose if view.history is None else view.history.layout, 0, 0)]
    if view.history is not None:
        rows += [play.packed for _seat, play in view.history.plays]
    return np.array(rows, dtype=np.int64)


def encode_view(view: View, draft: Draft | None = None) -> Bytes:
    """The observation of a view; shape ``(OBSERVATION_SIZE,)``.

    `draft` is what the seat asked is putting together at this moment: others see nothing of it.
    """
    observation = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    state = view.known.state.copy()
    state[CAPTURED : CAPTURED + SIDES] = view.captured or _captures_seen(view)
    shown = np.full(SEATS, NOBODY, dtype=np.int64)
    for seat, card in enumerate(view.shown or ()):
        shown[seat] = NOBODY if card is None else card
    numbers = new_draft() if draft is None else draft.numbers
    encode_state(view.rules.packed, state, numbers, shown, view.seat, observation)
    return observation


def encode_history(view: View) -> Bytes:
    """The history of a view; its shape is `history_shape`."""
    history = np.zeros(history_shape(view.rules), dtype=np.int8)
    log = log_of(view)
    encode_log(view.rules.packed, view.dealer, log, len(log) - 1, view.seat, history)
    return history


def _captures_seen(view: View) -> tuple[int, int]:
    """The cards that each side has been seen to capture."""
    captured = [0, 0]
    for seat, play in view.history.plays if view.history else ():
        if play.kind == CAPTURE:
            captured[side_of(seat)] |= 1 << play.card | play.loose | play.pile_cards
    return captured[0], captured[1]
