"""Cards in colour: four suits that their signs tell apart, whatever the colours are."""

from __future__ import annotations

import re

from textual.content import Content

_CARD = re.compile(r"(?:10|[A2-9JQK])?([♣♦♥♠])")
_ON_PAPER = {
    False: {"♣": "#1b1b1b", "♦": "#b3122b", "♥": "#b3122b", "♠": "#1b1b1b"},
    True: {"♣": "#0b6b2e", "♦": "#0a4fc4", "♥": "#b3122b", "♠": "#1b1b1b"},
}
_ON_TABLE = {
    False: {"♣": "$foreground", "♦": "$red-suit", "♥": "$red-suit", "♠": "$foreground"},
    True: {"♣": "$green-suit", "♦": "$blue-suit", "♥": "$red-suit", "♠": "$foreground"},
}


def ink(suit: str, *, four_colours: bool) -> str:
    """The colour of a suit sign on the light face of a card."""
    return _ON_PAPER[four_colours][suit]


def paint(text: str, *, four_colours: bool) -> Content:
    """A text with its cards in the colours of their suits."""
    parts: list[str | tuple[str, str]] = []
    done = 0
    for found in _CARD.finditer(text):
        parts.append(text[done : found.start()])
        parts.append((found.group(), f"bold {_ON_TABLE[four_colours][found.group(1)]}"))
        done = found.end()
    parts.append(text[done:])
    return Content.assemble(*parts)
