"""Consistency: whether a position can occur at all, and whether a view can be one of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diloti.core.cards import mask_of
from diloti.core.errors import N_, PositionError
from diloti.core.notation import format_card, format_cards
from diloti.core.position import Pile, Position, seat_after, side_of
from diloti.core.rules import Rules
from diloti.core.view import View


def check_position(position: Position) -> None:
    """Raise `PositionError`, naming the field, unless the parts of a position go together.

    That its cards are those of the pack, each once, is taken for granted here.
    """
    hands = dict(enumerate(position.hands))
    sizes = [hand.bit_count() for hand in position.hands]
    _check_progress(position, sizes, len(position.stock))
    _check_piles(position.rules, position.piles, hands)
    _check_captures(position, position.captured)
    _check_end(position)
    _check_history(position, sum(position.hands) | mask_of(position.stock))
    _check_shown(position, hands)


def check_view(view: View) -> None:
    """Raise `PositionError`, naming the field, unless the parts of a view go together."""
    hands = {view.seat: view.hand}
    _check_progress(view, view.hand_sizes, view.stock_size)
    _check_piles(view.rules, view.piles, hands)
    if view.captured is None:
        _check_table(view)
    elif view.is_over:
        _check_captures(view, view.captured)
    else:
        raise PositionError(N_("captured: a view shows captures only when the deal is over"))
    _check_end(view)
    _check_history(view, view.hand)
    _check_shown(view, hands)
    for seat, card in enumerate(view.shown or ()):
        if card is not None and side_of(seat) != view.side:
            raise PositionError(
                N_("shown: seat {seat} is not the partner, and its card is not seen"), seat=seat
            )


def _check_progress(whole: Position | View, hand_sizes: Sequence[int], stock_size: int) -> None:
    """The turn, the sizes of hands and the stock follow from the number of plays."""
    rules, plays = whole.rules, whole.plays
    turn, sizes, stock = progress(rules, whole.dealer, plays)
    if list(hand_sizes) != sizes:
        raise PositionError(
            N_("hands: after {plays} plays they have {expected} cards, not {found}"),
            plays=plays,
            expected=" ".join(map(str, sizes)),
            found=" ".join(map(str, hand_sizes)),
        )
    if stock_size != stock:
        raise PositionError(
            N_("stock: after {plays} plays it has {expected} cards, not {found}"),
            plays=plays,
            expected=stock,
            found=stock_size,
        )
    if whole.turn != turn:
        raise PositionError(
            N_("turn: after {plays} plays it is {expected}, not {found}"),
            plays=plays,
            expected="null" if turn is None else turn,
            found="null" if whole.turn is None else whole.turn,
        )


def progress(rules: Rules, dealer: int, plays: int) -> tuple[int | None, list[int], int]:
    """The turn, the sizes of the hands and of the stock after that many plays of a deal."""
    if plays == rules.plays_in_deal:
        return None, [0] * rules.players, 0
    in_hands = rules.players * rules.hand_size
    rounds, over = divmod(plays % in_hands, rules.players)
    leader = seat_after(dealer, rules)
    sizes = [
        rules.hand_size - rounds - ((seat - leader) % rules.players < over)
        for seat in range(rules.players)
    ]
    stock = rules.plays_in_deal - (plays // in_hands + 1) * in_hands
    return (leader + over) % rules.players, sizes, stock


def _check_piles(rules: Rules, piles: Sequence[Pile], hands: Mapping[int, int]) -> None:
    """Piles keep to the switches; with obligations owners have one and a card for it (R8.5)."""
    owners = set()
    for number, pile in enumerate(piles):
        field = f"piles.{number}"
        if pile.is_family and not rules.families:
            raise PositionError(N_("{field}: these rules have no families"), field=field)
        if not rules.obligations:
            continue
        if pile.owner in owners:
            raise PositionError(
                N_("{field}: seat {seat} owns another pile, and obligations allow one"),
                field=field,
                seat=pile.owner,
            )
        owners.add(pile.owner)
        hand = hands.get(pile.owner)
        if hand is not None and not hand >> 4 * (pile.value - 1) & 15:
            raise PositionError(
                N_("{field}: seat {seat} holds no card for its pile of {value}"),
                field=field,
                seat=pile.owner,
                value=pile.value,
            )


def _check_captures(whole: Position | View, captured: Sequence[int]) -> None:
    """A side captured last exactly when something is captured, and sweeps took cards."""
    last = whole.last_capture
    if (last is None) != (not any(captured)) or (last is not None and not captured[last]):
        raise PositionError(N_("last_capture: it names a side that has captured, or is null"))
    for side in (0, 1):
        sweeps = whole.xeri[side] + whole.xeristaki[side]
        if 2 * sweeps > captured[side].bit_count():
            raise PositionError(
                N_("xeri: side {side} has captured too few cards for {sweeps} xeri and xeristaki"),
                side=side,
                sweeps=sweeps,
            )


def _check_table(view: View) -> None:
    """Where captures are hidden, what has been played and is not on the table is captured."""
    opened = view.plays + view.rules.layout_size
    captured = opened - table_of(view).bit_count()
    if captured < 0:
        raise PositionError(
            N_("loose: after {plays} plays there are {most} cards on the table at most"),
            plays=view.plays,
            most=opened,
        )
    if (view.last_capture is None) != (captured == 0):
        raise PositionError(N_("last_capture: it names a side that has captured, or is null"))
    sweeps = sum(view.xeri) + sum(view.xeristaki)
    if 2 * sweeps > captured:
        raise PositionError(
            N_("xeri: too few cards have been captured for {sweeps} xeri and xeristaki"),
            sweeps=sweeps,
        )


def table_of(whole: Position | View) -> int:
    """All cards on the table, loose and in piles, as a mask."""
    return whole.loose | sum(pile.cards for pile in whole.piles)


def _check_end(whole: Position | View) -> None:
    """When the deal is over the table is empty, unless nobody has captured (R10.1)."""
    if whole.is_over and (whole.loose or whole.piles) and whole.last_capture is not None:
        raise PositionError(N_("loose: the deal is over, what was left belongs to a side"))


def _check_history(whole: Position | View, held: int) -> None:
    """A history has as many plays as there were, each by the seat in turn with a new card.

    `held` are cards that are known not to have been played.
    """
    history, dealer, players = whole.history, whole.dealer, whole.rules.players
    if history is None:
        return
    if len(history.plays) != whole.plays:
        raise PositionError(
            N_("history: it has {found} plays, not {expected}"),
            found=len(history.plays),
            expected=whole.plays,
        )
    opened = history.layout
    for number, (seat, play) in enumerate(history.plays):
        if seat != (dealer + 1 + number) % players:
            raise PositionError(
                N_("history: play {number} is not by the seat in turn"), number=number
            )
        if opened >> play.card & 1:
            raise PositionError(
                N_("history: play {number}: {card} has been laid or played before"),
                number=number,
                card=format_card(play.card),
            )
        opened |= 1 << play.card
    strange = table_of(whole) & ~opened | held & opened
    if strange:
        raise PositionError(
            N_("history: it does not lead to where these cards are: {cards}"),
            cards=format_cards(strange, " "),
        )


def _check_shown(whole: Position | View, hands: Mapping[int, int]) -> None:
    """Before the first play a shown card is still in the hand that it was shown from."""
    for seat, card in enumerate(whole.shown or ()):
        hand = hands.get(seat)
        if card is not None and hand is not None and not whole.plays and not hand >> card & 1:
            raise PositionError(
                N_("shown: seat {seat} has shown {card}, which is not in its hand"),
                seat=seat,
                card=format_card(card),
            )
