"""Cards as people read them: rank and suit sign, as 10♦."""

from __future__ import annotations

from diloti.core.cards import cards_in
from diloti.core.notation import RANK_SIGNS, SUIT_SYMBOLS


def rank_sign(rank: int) -> str:
    """The sign of a rank, as `10` or `J`."""
    sign = RANK_SIGNS[rank]
    return "10" if sign == "T" else sign


def card_sign(card: int) -> str:
    """A card, as `10♦`."""
    return rank_sign(card >> 2) + SUIT_SYMBOLS[card & 3]


def cards_sign(mask: int) -> str:
    """The cards of a mask in canonical order, as `A♠ 10♦`."""
    return " ".join(card_sign(card) for card in cards_in(mask))
