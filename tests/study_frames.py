"""Small frames made by hand, in the form of data sets, for the questions of the study."""

from __future__ import annotations

from typing import Any

import polars as pl

from diloti.core.notation import parse_card, parse_cards
from diloti.lab.data.columns import DEAL_COLUMNS, PLAY_COLUMNS, table

Pile = tuple[str, int, int]
"""Cards, value and owner; a family begins with `+`."""


def deal(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A deal that nobody scores in, with some columns set; captures may be text."""
    row: dict[str, Any] = {column.name: 0 for column in DEAL_COLUMNS}
    row |= {"match": number, "seed": "", "winner": -1, "leftovers_side": -1, **changes}
    for name in ("captured_0", "captured_1"):
        if isinstance(row[name], str):
            row[name] = parse_cards(row[name])
            row[name.replace("captured", "cards")] = row[name].bit_count()
    return row


def deals_of(*rows: dict[str, Any]) -> pl.DataFrame:
    """The frame of some deals, without plays."""
    return table(DEAL_COLUMNS, rows)


def play(
    kind: str,
    card: str,
    *,
    seat: int = 0,
    hand: str = "",
    loose: str = "",
    piles: tuple[Pile, ...] = (),
    taken: str = "",
    xeri: bool = False,
    legal: int = 9,
    stock: int = 0,
) -> dict[str, Any]:
    """A play; the hand has the card anyway, and `taken` names what it took from the table."""
    row: dict[str, Any] = {column.name: None for column in PLAY_COLUMNS}
    mask = parse_cards(card)
    return row | {
        "seat": seat,
        "hand": parse_cards(hand) | mask,
        "loose": parse_cards(loose),
        "piles": [
            {
                "cards": parse_cards(cards.removeprefix("+")),
                "value": value,
                "owner": owner,
                "family": cards.startswith("+"),
            }
            for cards, value, owner in piles
        ],
        "stock": stock,
        "legal_count": legal,
        "kind": kind,
        "card": parse_card(card),
        "events": ["capture", "xeri"] if xeri else [kind],
        "taken": parse_cards(taken) | mask if kind == "capture" else 0,
    }


def plays_of(*games: list[dict[str, Any]]) -> pl.DataFrame:
    """The frame of the plays of some games, a deal each."""
    rows = [
        row | {"match": match, "deal": 0, "play": number}
        for match, plays in enumerate(games)
        for number, row in enumerate(plays)
    ]
    return table(PLAY_COLUMNS, rows)
