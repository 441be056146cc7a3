"""The standard streams, made so that neither typing nor writing can end in an encoding error."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import BinaryIO, TextIO

_LETTERS = {
    "♣": "c",
    "♦": "d",
    "♥": "h",
    "♠": "s",
    "·": "-",
    "–": "-",
    "…": "...",
    "±": "+/-",
    "∞": "inf",
}
_LETTERS_FOR_SUITS = "diloti.letters"


def prepare_streams() -> None:
    """Read any bytes, and write letters for suit signs where the encoding lacks them."""
    codecs.register_error(_LETTERS_FOR_SUITS, as_letters)
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, _LETTERS_FOR_SUITS),
        (sys.stderr, _LETTERS_FOR_SUITS),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def as_letters(trouble: UnicodeError) -> tuple[str, int]:
    """What to write for signs that the encoding lacks: an error handler for `codecs`."""
    if not isinstance(trouble, UnicodeEncodeError):
        raise trouble
    signs = trouble.object[trouble.start : trouble.end]
    return "".join(_LETTERS.get(sign, "?") for sign in signs), trouble.end


def forget_output() -> None:
    """Write nowhere from now on: whoever read the output has gone."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # no real file, so nothing waits to be written
        return


def standard_input() -> TextIO:
    """Standard input; an empty one where the program was started without."""
    return sys.stdin if sys.stdin is not None else io.StringIO()


def standard_input_bytes() -> BinaryIO:
    """Standard input before decoding."""
    return sys.stdin.buffer if sys.stdin is not None else io.BytesIO()


def standard_output() -> TextIO:
    """Standard output; one that goes nowhere where the program was started without."""
    return sys.stdout if sys.stdout is not None else io.StringIO()


def is_terminal() -> bool:
    """Whether a person sits at both ends."""
    return standard_input().isatty() and standard_output().isatty()
