"""Text from outside, made fit to be shown."""

from __future__ import annotations

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take for the beginning of a formula."""


def printable(text: str) -> str:
    """The text with every character that could steer a terminal or a page replaced by a space.

    Among them are line breaks and the marks that turn the direction of writing round.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)


def cell_text(text: str) -> str:
    """The text for a cell of a table, marked where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULAS) else text
