"""What a person types in a turn, understood as a play or as a choice of plays."""

from __future__ import annotations

import re
from dataclasses import dataclass

from diloti.core.errors import N_, DilotiError, NotationError
from diloti.core.jit import lowest
from diloti.core.legality import Refusal, refusal_of
from diloti.core.notation import parse_card, parse_cards, parse_play
from diloti.core.plays import TRAIL, Play, count_legal_plays, legal_plays
from diloti.core.selection import Selection, exact_plays, fitting_plays, why_not
from diloti.core.view import View

MOST_OFFERED = 60
"""No longer list of plays is put before a person."""
MOST_SEARCHED = 2000
"""With more legal plays than this, table cards must be named exactly."""

_LATIN = str.maketrans("×хХсСТтАаКкΑαΚκΤτΧχ", "xxxccTtAaKkAaKkTtxx")
_SMALL_RANK = re.compile(r"[atjqk](?=\s*[cdhs♣♦♥♠])", re.IGNORECASE)


class TypedError(DilotiError):
    """A text that is neither a play nor cards to choose plays with."""


@dataclass(frozen=True)
class Typed:
    """What a text means: exactly one of a play to make, a refused one, or plays to choose from.

    `count` is how many plays there are to choose from, and `offers` lists them unless there are
    too many.
    """

    play: Play | None = None
    refused: Play | None = None
    refusal: Refusal = Refusal.NONE
    offers: tuple[Play, ...] = ()
    count: int = 0


def understand(view: View, text: str) -> Typed:
    """What a text means in the turn of the view's seat.

    It may be a play in the notation, a card of the hand, or such a card and table cards. A card
    alone is laid only where it can do nothing else. `TypedError` or `NotationError` where the
    text is none of these.
    """
    tidy = _tidy(text)
    try:
        cards = parse_cards(re.sub(r"[\[\],;]", " ", tidy))
    except NotationError:
        return _judge(view, parse_play(tidy))
    if not cards:
        raise TypedError(N_("no card is named"))
    return _choose(view, _selection(view, cards))


def lay(view: View, text: str) -> Typed:
    """Laying the card that a text names."""
    return _judge(view, Play(TRAIL, read_card(text)))


def read_card(text: str) -> int:
    """The card that a text names, its rank in capitals or not; `NotationError` where it is none."""
    return parse_card(_tidy(text))


def offer(view: View, selection: Selection | None = None) -> Typed:
    """All legal plays of the view's seat, or those that fit a selection, to choose from."""
    known = view.known
    count = count_legal_plays(known)
    if count > (MOST_OFFERED if selection is None else MOST_SEARCHED):
        return Typed(count=count)
    if selection is not None:
        return _offer(fitting_plays(known, selection))
    return _offer(legal_plays(known))


def _offer(plays: list[Play]) -> Typed:
    return Typed(offers=tuple(plays) if len(plays) <= MOST_OFFERED else (), count=len(plays))


def _tidy(text: str) -> str:
    """The text with ranks as capitals, the capture sign as `x`, and letters that look Latin so."""
    latin = text.translate(_LATIN)
    return _SMALL_RANK.sub(lambda rank: rank[0].upper(), latin).replace("X", "x")


def _judge(view: View, play: Play) -> Typed:
    refusal = refusal_of(view.known, play)
    return Typed(refused=play, refusal=refusal) if refusal else Typed(play=play)


def _selection(view: View, cards: int) -> Selection:
    """A hand card and table cards in any order; a card of a pile stands for the pile."""
    own = cards & view.hand or (cards if cards.bit_count() == 1 else 0)
    if own.bit_count() != 1:
        raise TypedError(N_("name one card of your hand, and with it cards of the table"))
    table = cards ^ own
    piles = tuple(pile.cards for pile in view.piles if pile.cards & table)
    return Selection(lowest(own), table & ~sum(piles), piles)


def _choose(view: View, selection: Selection) -> Typed:
    """The play that a selection means where it can be only one, else the plays that fit it."""
    known = view.known
    offered = offer(view, selection)
    if selection.loose or selection.piles:
        exact = exact_plays(known, selection)
        if len(exact) == 1:
            return Typed(play=exact[0])
        if exact:
            return _offer(exact)
        if offered.count > MOST_SEARCHED:
            offered = Typed()
    elif offered.offers and len(offered.offers) == 1 and offered.offers[0].kind == TRAIL:
        return Typed(play=offered.offers[0])
    if offered.count:
        return offered
    play, refusal = why_not(known, selection)
    return Typed(refused=play, refusal=refusal)
