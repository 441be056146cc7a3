"""What templates need to draw cards and piles, on the table and in pictures of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from diloti.core.cards import cards_in
from diloti.core.errors import N_
from diloti.core.notation import format_card
from diloti.core.position import Pile
from diloti.words import Words
from diloti.words.cards import card_name, cards_sign, rank_sign
from diloti.words.plays import describe_pile

_SUITS = "cdhs"
_KINDS = (N_("plain · {owner}"), N_("family · {owner}"))
"""What is written on a pile, beside its value."""

_FACE = Markup(
    '<span class="face {suit}" aria-hidden="true"><b>{rank}</b>'
    '<svg class="pip"><use href="#{suit}"/></svg><svg class="big"><use href="#{suit}"/></svg>'
    "</span>"
)


@cache
def draw_card(words: Words, number: int) -> Mapping[str, str]:
    """A card: its text and name, and its face as HTML."""
    rank, suit = rank_sign(number >> 2), _SUITS[number & 3]
    return {
        "text": format_card(number),
        "rank": rank,
        "suit": suit,
        "name": card_name(words, number),
        "face": _FACE.format(rank=rank, suit=suit),
    }


def draw_piles(
    words: Words, piles: Sequence[Pile], names: Sequence[str], seat: int | None
) -> list[dict[str, Any]]:
    """Piles as a seat sees them, or an onlooker."""
    return [
        {
            "number": number,
            "value": pile.value,
            "is_family": pile.is_family,
            "owner": pile.owner,
            "is_mine": pile.owner == seat,
            "label": describe_pile(words, pile, names[pile.owner]),
            "kind": words.say(_KINDS[pile.is_family], owner=names[pile.owner]),
            "cards": list(cards_in(pile.cards)),
            "signs": cards_sign(pile.cards),
            "key": format_card(next(cards_in(pile.cards))),
        }
        for number, pile in enumerate(piles)
    ]


def draw_table(
    words: Words,
    loose: int,
    piles: Sequence[Pile],
    hand: int = 0,
    *,
    names: Sequence[str] = (),
    seat: int | None = None,
) -> dict[str, Any]:
    """A picture for `drawn` of cards.html: loose cards and a hand (masks), and piles.

    `seat` is the one whose hand it is.
    """
    return {
        "loose": list(cards_in(loose)),
        "piles": draw_piles(words, piles, names, seat),
        "hand": list(cards_in(hand)),
    }
