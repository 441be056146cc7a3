"""Moving about the table with the arrow keys, and letter keys on Greek and Russian keyboards."""

from __future__ import annotations

from collections.abc import Iterable

from textual.geometry import Region
from textual.widget import Widget

_ROW_HEIGHT = 2
"""A cell of a terminal is about twice as high as it is wide."""
_ASIDE = 3
"""How much worse it is to lie aside than to lie far in the wanted direction."""

_LATIN = "abcdefghijklmnopqrstuvwxyz"
_GREEK = "αβψδεφγηιξκλμνοπ;ρστθωςχυζ"
_RUSSIAN = "фисвуапршолдьтщзйкыегмцчня"
_PLAIN = {
    other: latin for row in (_GREEK, _RUSSIAN) for latin, other in zip(_LATIN, row, strict=True)
}


def plain_key(character: str | None) -> str:
    """The Latin letter (or digit) of a key, also where the keyboard writes Greek or Russian."""
    if not character:
        return ""
    character = character.lower()
    return _PLAIN.get(character, character)


def nearest(start: Region, way: str, others: Iterable[Widget]) -> Widget | None:
    """The widget to which an arrow key leads from a place on the screen, None where there is none.

    `way` is left, right, up or down.
    """
    best: tuple[int, Widget] | None = None
    x, y = start.center
    for widget in others:
        region = widget.region
        across = int(min(max(x, region.x), region.right - 1) - x)
        down = int(min(max(y, region.y), region.bottom - 1) - y) * _ROW_HEIGHT
        ahead, aside = {
            "left": (-across, down),
            "right": (across, down),
            "up": (-down, across),
            "down": (down, across),
        }[way]
        beside = way in ("left", "right") and abs(aside) > ahead
        if ahead <= 0 or beside:
            continue
        cost = ahead + _ASIDE * abs(aside)
        if best is None or cost < best[0]:
            best = cost, widget
    return best[1] if best else None
