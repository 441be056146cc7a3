"""What has happened at the table, in words: the plays, the sides, the rule set."""

from __future__ import annotations

from collections.abc import Sequence

from diloti.core.errors import N_
from diloti.core.plays import CAPTURE, DECLARE, TRAIL, Play
from diloti.core.position import side_of
from diloti.core.rules import Rules
from diloti.core.view import View
from diloti.words import Words
from diloti.words.cards import card_sign
from diloti.words.plays import FAMILY_OF, table_cards
from diloti.words.printable import printable

RULE_SET_NAMES = {"classic": N_("Classic"), "taverna": N_("Taverna")}
_CHANGED_NAMES = {
    "classic": N_("Classic with house rules"),
    "taverna": N_("Taverna with house rules"),
}


LETTERS = "ABCD"
"""What tells seats apart that have no name of their own."""


def seat_names(words: Words, names: Sequence[str]) -> tuple[str, ...]:
    """A name for every seat, by its letter where a record gives none."""
    return tuple(
        printable(name).strip() or words.say("Player {letter}", letter=LETTERS[seat])
        for seat, name in enumerate(names)
    )


def capitalized(sentence: str) -> str:
    """The sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def tell_play(words: Words, name: str, play: Play) -> str:
    """A play that somebody makes, as “Eleni takes 6♦ with 6♥.”."""
    card, used = card_sign(play.card), table_cards(play)
    if play.kind == TRAIL:
        return words.say("{name} lays {card}.", name=name, card=card)
    if play.kind == CAPTURE:
        return words.say("{name} takes {cards} with {card}.", name=name, card=card, cards=used)
    if play.kind != DECLARE:
        return words.say(
            "{name} raises {cards} to {value} with {card}.",
            name=name,
            card=card,
            cards=used,
            value=play.value,
        )
    if play.is_family:
        return words.say(
            "{name} puts {card} on {cards}: {family}.",
            name=name,
            card=card,
            cards=used,
            family=words.say(FAMILY_OF[play.value - 1]),
        )
    return words.say(
        "{name} puts {card} on {cards} and declares {value}.",
        name=name,
        card=card,
        cards=used,
        value=play.value,
    )


def tell_plays(
    words: Words, names: Sequence[str], view: View, last: int | None = None
) -> list[str]:
    """The plays of this deal in order, or the last few of them, in words."""
    plays = view.history.plays if view.history else ()
    if last is not None:
        plays = plays[max(0, len(plays) - last) :]
    return [tell_play(words, names[seat], play) for seat, play in plays]


def side_name(words: Words, names: Sequence[str], side: int) -> str:
    """A side by the names of its players."""
    players = [name for seat, name in enumerate(names) if side_of(seat) == side]
    if len(players) == 1:
        return players[0]
    return words.say("{first} and {second}", first=players[0], second=players[1])


def rule_set_name(words: Words, rules: Rules) -> str:
    """The name of the rule set, and whether it is changed; the number of players changes none."""
    base = rules.base
    return rule_set_title(words, base, is_changed=bool(set(rules.changes(base)) - {"players"}))


def rule_set_title(words: Words, base: str, *, is_changed: bool) -> str:
    """The name of the named rule set, or of house rules that are nearest to it."""
    return words.say((_CHANGED_NAMES if is_changed else RULE_SET_NAMES)[base])
