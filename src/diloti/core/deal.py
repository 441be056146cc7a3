"""Dealing: the hands, the layout and its exchange (R2.3 to R2.6)."""

from __future__ import annotations

from collections.abc import Sequence

from diloti.core.cards import JACK, KING, count_rank, mask_of
from diloti.core.errors import N_, PackError
from diloti.core.jit import Ints, inlined_kernel, kernel
from diloti.core.position import (
    DEALER,
    DEALT,
    HANDS,
    LOOSE,
    ORDER,
    TURN,
    History,
    Position,
    new_state,
    seat_after,
)
from diloti.core.rules import (
    DEAL_PACKET,
    HAND_SIZE,
    LAYOUT_SIZE,
    PLAYERS,
    REDEAL,
    REDEAL_JACKS,
    REDEAL_NEVER,
    Rules,
)
from diloti.core.shuffle import Shuffle


@inlined_kernel
def next_seat(rules: Ints, seat: int) -> int:
    """The seat after `seat` in the order of play."""
    return seat + 1 if seat + 1 < rules[PLAYERS] else 0


@kernel
def deal_hands(rules: Ints, state: Ints) -> None:
    """Fill every hand from the stock, in packets, the dealer last (R2.4, R2.6)."""
    players = rules[PLAYERS]
    held = 0
    while held < rules[HAND_SIZE]:
        packet = min(rules[DEAL_PACKET], rules[HAND_SIZE] - held)
        seat = state[DEALER]
        for _ in range(players):
            seat = next_seat(rules, seat)
            for _ in range(packet):
                state[HANDS + seat] |= 1 << state[ORDER + state[DEALT]]
                state[DEALT] += 1
        held += packet


@kernel
def deal_layout(rules: Ints, state: Ints) -> None:
    """Turn up the layout from the stock and give the turn to the seat after the dealer."""
    for _ in range(rules[LAYOUT_SIZE]):
        state[LOOSE] |= 1 << state[ORDER + state[DEALT]]
        state[DEALT] += 1
    state[TURN] = (state[DEALER] + 1) % rules[PLAYERS]


@kernel
def needs_redeal(rules: Ints, layout: int) -> bool:
    """Whether the rules have this layout exchanged (R2.5)."""
    if rules[REDEAL] == REDEAL_NEVER:
        return False
    last = JACK if rules[REDEAL] == REDEAL_JACKS else KING
    for rank in range(JACK, last + 1):
        if count_rank(layout, rank) >= 3:
            return True
    return False


def check_pack(rules: Rules, pack: Sequence[int]) -> None:
    """Raise `PackError` unless `pack` holds each card of the rules' pack once."""
    if len(pack) != rules.pack_size or mask_of(pack) != rules.pack:
        raise PackError(
            N_("a pack holds each of its {size} cards exactly once"), size=rules.pack_size
        )


def exchange_layout(rules: Rules, pack: Sequence[int], shuffle: Shuffle) -> tuple[int, ...]:
    """The order in which the cards of `pack` are dealt once its layout need not be exchanged.

    Where it has to be (R2.5) the layout goes before the stock, and `shuffle` mixes the two, again
    and again until it need not be. The hands stay.
    """
    check_pack(rules, pack)
    hands = rules.players * rules.hand_size
    rest = list(pack[hands:])
    while needs_redeal(rules.packed, mask_of(rest[: rules.layout_size])):
        shuffle.mix(rest)
    return (*pack[:hands], *rest)


def lay_out(
    rules: Rules, *, dealer: int, pack: Sequence[int], scores: tuple[int, int] = (0, 0)
) -> Position:
    """The position before the first play, from a pack in its final order.

    `PackError` where the layout would have to be exchanged.
    """
    check_pack(rules, pack)
    state = new_state(
        rules,
        dealer=dealer,
        turn=seat_after(dealer, rules),
        plays=0,
        hands=(),
        loose=0,
        stock=pack,
        scores=scores,
    )
    deal_hands(rules.packed, state)
    deal_layout(rules.packed, state)
    if needs_redeal(rules.packed, int(state[LOOSE])):
        raise PackError(N_("the rules have this layout exchanged"))
    return Position(rules, state, {}, history=History(int(state[LOOSE])))


def check_exchange(rules: Rules, pack: Sequence[int], final: Sequence[int]) -> None:
    """Raise `PackError` unless `final` is `pack` with its layout exchanged just where R2.5 says."""
    check_pack(rules, pack)
    check_pack(rules, final)
    hands = rules.players * rules.hand_size
    layout = mask_of(pack[hands : hands + rules.layout_size])
    if tuple(pack[:hands]) != tuple(final[:hands]):
        raise PackError(N_("an exchange of the layout leaves the hands as they are"))
    if tuple(pack) != tuple(final) and not needs_redeal(rules.packed, layout):
        raise PackError(N_("the rules do not have this layout exchanged"))
