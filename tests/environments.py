"""Rule sets to try learning environments with: the named ones, and each switch set otherwise."""

from __future__ import annotations

from typing import Any

from diloti.core.rules import CHOICES, RULE_SETS, SWITCHES

NAMED: list[dict[str, Any]] = [
    {"rules": "classic"},
    {"rules": "classic", "players": 4},
    {"rules": "taverna"},
    {"rules": "taverna", "players": 2},
]
"""Both named rule sets, for two and for four."""


def _values(name: str, usual: object) -> list[object]:
    """What else a switch can be."""
    if name in CHOICES:
        return [value for value in CHOICES[name] if value != usual]
    if isinstance(usual, bool):
        return [not usual]
    numbers: dict[str, list[object]] = {"xeristaki_points": [5], "xeri_points": [5]}
    return [9 - int(str(usual))] if name == "deal_packet" else numbers.get(name, [])


def _players(terms: dict[str, Any]) -> int:
    return int(terms.get("players", RULE_SETS[terms["rules"]].players))


SWITCHED: list[dict[str, Any]] = [
    {**terms, name: value}
    for terms in NAMED
    for name in SWITCHES
    for value in _values(name, getattr(RULE_SETS[terms["rules"]], name))
    if not (
        name == "partners_show_card"
        and terms.get("players", 4 if terms["rules"] == "taverna" else 2) == 2
    )
]
"""These with one switch set otherwise, for every switch and every value."""


def name_of(terms: dict[str, Any]) -> str:
    """The name of such terms in a test."""
    return ",".join(f"{name}={value}" for name, value in terms.items())
