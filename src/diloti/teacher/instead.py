"""What would be legal instead of a play that is not: the plays nearest to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from diloti.core.cards import cards_in
from diloti.core.legality import IllegalPlay, Refusal
from diloti.core.plays import Play, legal_plays
from diloti.core.position import Position
from diloti.core.selection import Selection, can_list, exact_plays
from diloti.core.view import View, view_of

MOST_INSTEAD = 3
"""So many plays are named; more would have to be read before they help."""


def instead_of(view: View, play: Play) -> tuple[Play, ...]:
    """The legal plays nearest to one that is not, the nearest first; none out of turn.

    Nearest are those with most cards in common, of these the ones of the same kind, then those that
    use the fewest other cards. Plays that share no card come only where no play shares any.
    """
    if view.turn != view.seat:
        return ()
    known = view.known
    plays = legal_plays(known) if can_list(known) else _neighbours(known, play)
    wanted = _cards(play)

    def nearness(other: Play) -> tuple[int, bool, int, int, Play]:
        cards = _cards(other)
        shared = (cards & wanted).bit_count()
        beyond = (cards & ~wanted).bit_count()
        return -shared, other.kind != play.kind, beyond, abs(other.value - play.value), other

    nearest = sorted(plays, key=nearness)
    sharing = [other for other in nearest if _cards(other) & wanted]
    return tuple((sharing or nearest)[:MOST_INSTEAD])


def instead_of_refused(refused: IllegalPlay) -> tuple[Play, ...]:
    """What would have been legal instead of a play that was refused.

    Only what the seat in turn sees counts, and that seat is the one that was refused. A card that
    may not be shown (R2.7) is no play: there is nothing instead of it.
    """
    position = refused.position
    if position.turn is None or refused.refusal >= Refusal.SHOW_OFF:
        return ()
    return instead_of(view_of(position, position.turn), refused.play)


def _cards(play: Play) -> int:
    return 1 << play.card | play.loose | play.pile_cards


def _neighbours(known: Position, play: Play) -> Iterable[Play]:
    """The legal plays that are one card or pile away, for a table with very many plays."""
    found = [
        other for selection in _selections(known, play) for other in exact_plays(known, selection)
    ]
    return dict.fromkeys(found)


def _selections(known: Position, play: Play) -> Iterator[Selection]:
    assert known.turn is not None
    hand, table = known.hands[known.turn], {pile.cards for pile in known.piles}
    loose, piles = play.loose & known.loose, tuple(one for one in play.piles if one in table)
    for card in cards_in(hand):
        yield Selection(card, loose, piles)
    if not hand >> play.card & 1:
        return
    yield Selection(play.card)
    for card in cards_in(known.loose):
        yield Selection(play.card, loose ^ 1 << card, piles)
        yield Selection(play.card, 1 << card)
    for pile in table:
        yield Selection(play.card, loose, tuple(one for one in piles if one != pile))
        yield Selection(play.card, 0, (pile,))
