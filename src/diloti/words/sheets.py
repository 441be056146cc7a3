"""A deal that has been counted, in words: what each side has, and what was left on the table."""

from __future__ import annotations

from collections.abc import Sequence

from diloti.core.effects import Event
from diloti.core.rules import Rules
from diloti.core.scoring import Sheet
from diloti.words.cards import cards_sign
from diloti.words.language import Words
from diloti.words.telling import side_name

Row = tuple[str, int, int]
"""What is counted, and the points for it by side."""


def sheet_rows(
    words: Words, rules: Rules, cards: tuple[int, int], sheets: tuple[Sheet, Sheet]
) -> list[Row]:
    """The headings of R11 with the points of two sides, in the order in which they are given."""
    first, second = sheets
    rows = [
        (
            words.say("Cards: {first} to {second}", first=cards[0], second=cards[1]),
            first.cards,
            second.cards,
        ),
        (words.say("Aces"), first.aces, second.aces),
        (words.say("Ten of diamonds"), first.ten_of_diamonds, second.ten_of_diamonds),
        (words.say("Two of clubs"), first.two_of_clubs, second.two_of_clubs),
        (words.say("Xeri"), first.xeri, second.xeri),
    ]
    if rules.xeristaki_points:
        rows.append((words.say("Xeristaki"), first.xeristaki, second.xeristaki))
    return rows


def tell_leftovers(words: Words, names: Sequence[str], event: Event) -> str:
    """What was left on the table at the end of a deal, and who got it (R10.1)."""
    if event.side is None:
        return words.say("Left on the table: {cards}.", cards=cards_sign(event.cards))
    return words.say(
        "Left on the table: {cards}. {side} captured last and got it.",
        cards=cards_sign(event.cards),
        side=side_name(words, names, event.side),
    )
