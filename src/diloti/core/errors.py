"""The named errors of the game: what went wrong, in a template and its details.

The sentence is English here and looked up in the catalogues by `diloti.words`, whole; the details
are filled in afterwards.
"""

from __future__ import annotations

import json

_LONGEST_QUOTE = 60


def N_(template: str) -> str:  # noqa: N802 - the customary mark of gettext
    """Mark a template for the catalogues without translating it."""
    return template


def quote(value: object) -> str:
    """A value as JSON for a message, cut short where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "…"
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"


class DilotiError(Exception):
    """Something that a person or a program asked for and cannot have."""

    code = "bad_request"
    """The name of this kind of error in the engine protocol."""

    def __init__(self, template: str, **details: object) -> None:
        super().__init__(template, details)
        self.template = template
        self.details = details

    def __str__(self) -> str:
        return self.template.format(**self.details)


class RulesError(DilotiError):
    """A rule set that cannot be (R13)."""


class NotationError(DilotiError):
    """A text that is no card, play, seed or rule set."""


class PositionError(DilotiError):
    """A position that cannot occur."""

    code = "bad_position"


class PackError(DilotiError):
    """A pack that does not hold the cards it should."""
