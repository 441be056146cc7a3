"""What the values of options mean and what is wrong with them; the exit statuses of commands."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from diloti.core.errors import N_, DilotiError

if TYPE_CHECKING:
    from diloti.core.rules import Rules

FINE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""


class UsageError(DilotiError):
    """Values of options that cannot be."""


class MissingError(DilotiError):
    """Something that the installation lacks."""


def switches_of(options: argparse.Namespace) -> dict[str, object]:
    """The switches that the options change."""
    from diloti.core.record_reader import parse_switch

    switches: dict[str, object] = {}
    for change in options.set:
        name, equals, value = change.partition("=")
        if not equals:
            raise UsageError(N_("{text} does not set a switch"), text=change)
        switches[name.strip()] = parse_switch(value.strip())
    for name in ("players", "target"):
        if getattr(options, name) is not None:
            switches[name] = getattr(options, name)
    return switches


def rules_of(options: argparse.Namespace) -> Rules:
    """The rule set that the options name; `UsageError` says what cannot be."""
    from diloti.core.rules import rules_from

    try:
        return rules_from(options.rules or "classic", **switches_of(options))
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble


def check_number(name: str, number: int, least: int, most: int) -> None:
    """Raise `UsageError` unless the number of an option is within its bounds."""
    if not least <= number <= most:
        raise UsageError(
            N_("{name} must be a whole number from {least} to {most}"),
            name=name,
            least=least,
            most=most,
        )
