"""Text from outside, made fit to be shown."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with every character that could steer a terminal or a page replaced by a space.

    Among them are line breaks and the marks that turn the direction of writing round.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)
