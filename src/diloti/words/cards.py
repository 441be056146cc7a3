"""Cards as people read them: rank and suit sign, as 10♦."""

from __future__ import annotations

from diloti.core.cards import cards_in
from diloti.core.errors import N_
from diloti.core.notation import RANK_SIGNS, SUIT_SYMBOLS
from diloti.words.language import Words


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


_RANKS = (
    N_("ace"),
    N_("two"),
    N_("three"),
    N_("four"),
    N_("five"),
    N_("six"),
    N_("seven"),
    N_("eight"),
    N_("nine"),
    N_("ten"),
    N_("jack"),
    N_("queen"),
    N_("king"),
)
_SUITS = (N_("of clubs"), N_("of diamonds"), N_("of hearts"), N_("of spades"))


def card_name(words: Words, card: int) -> str:
    """A card as it is read aloud, as “ten of diamonds”."""
    rank, suit = words.say(_RANKS[card >> 2]), words.say(_SUITS[card & 3])
    return words.say(N_("{rank} {of_suit}"), rank=rank, of_suit=suit)
