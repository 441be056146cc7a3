"""Plays, piles and events in words."""

from __future__ import annotations

from diloti.core.errors import N_
from diloti.core.plays import CAPTURE, DECLARE, TRAIL, Play
from diloti.core.position import Pile
from diloti.words.cards import card_sign, cards_sign
from diloti.words.language import Words

FAMILY_OF = (
    N_("family of aces"),
    N_("family of twos"),
    N_("family of threes"),
    N_("family of fours"),
    N_("family of fives"),
    N_("family of sixes"),
    N_("family of sevens"),
    N_("family of eights"),
    N_("family of nines"),
    N_("family of tens"),
)
"""By value - 1."""


def table_cards(play: Play) -> str:
    """The table cards of a play, loose ones first, each pile in brackets."""
    piles = [f"[{cards_sign(pile)}]" for pile in play.piles]
    return " ".join([*filter(None, [cards_sign(play.loose)]), *piles])


def describe_play(words: Words, play: Play) -> str:
    """A legal play as a person would choose it, as “6♥ takes 6♦ 2♣ 4♠”."""
    card, used = card_sign(play.card), table_cards(play)
    if play.kind == TRAIL:
        return words.say(N_("Lay {card}"), card=card)
    if play.kind == CAPTURE:
        return words.say(N_("{card} takes {cards}"), card=card, cards=used)
    if play.kind != DECLARE:
        return words.say(
            N_("{card} raises {cards} to {value}"), card=card, cards=used, value=play.value
        )
    if play.is_family:
        family = words.say(FAMILY_OF[play.value - 1])
        return words.say(N_("{card} on {cards}: {family}"), card=card, cards=used, family=family)
    return words.say(
        N_("{card} on {cards}: declare {value}"), card=card, cards=used, value=play.value
    )


def describe_pile(words: Words, pile: Pile, owner: str) -> str:
    """A pile with its value, kind and owner, as everybody must always be able to see it."""
    if pile.is_family:
        return words.say(
            N_("{family} · {owner}"), family=words.say(FAMILY_OF[pile.value - 1]), owner=owner
        )
    return words.say(N_("plain {value} · {owner}"), value=pile.value, owner=owner)
