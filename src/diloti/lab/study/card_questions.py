"""What single cards are worth, and what becomes of declarations."""

from __future__ import annotations

import numpy as np
import polars as pl

from diloti.core.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS
from diloti.core.notation import RANK_SIGNS
from diloti.core.scoring import card_points
from diloti.lab.study.estimates import (
    Cell,
    Column,
    Numbers,
    Table,
    coefficients_of,
    mean_of,
    ratio_of,
    share_of,
)
from diloti.lab.study.questions import side_0_lead
from diloti.lab.study.turns import GAME, by_deal, count_cards, declared_piles

_SPECIAL = {"2♣": TWO_OF_CLUBS, "10♦": TEN_OF_DIAMONDS}


def card_kinds() -> dict[str, int]:
    """The kinds of cards that the score tells apart, with the masks of their cards."""
    kinds: dict[str, int] = {}
    for rank, sign in enumerate(RANK_SIGNS):
        cards = 0b1111 << 4 * rank
        name = sign.replace("T", "10")
        for special, mask in _SPECIAL.items():
            if cards & mask:
                kinds[special] = mask
                cards, name = cards & ~mask, f"other {name}"
        kinds[name] = cards
    return kinds


def card_values_table(turns: pl.DataFrame, deals: pl.DataFrame) -> Table:
    """What a card is worth to who captured it, and to who was dealt it, by kind of card.

    Captured: by how many points a side is ahead for each card of the kind, all other captures being
    the same (least squares of the lead on who captured what); a card that changes sides changes the
    lead by twice as much. Dealt: by how much the side is ahead that got such a card.
    """
    deals = deals.sort(GAME)
    lead = side_0_lead(deals)
    of_side = [pl.col("mask").filter(pl.col("side") == side).sum() for side in (0, 1)]
    held = deals.select(GAME).join(
        turns.group_by(GAME).agg(held_0=of_side[0], held_1=of_side[1]),
        on=GAME,
        how="left",
        maintain_order="left",
    )
    kinds = card_kinds()
    captured = [_counts(deals, "captured", mask) for mask in kinds.values()]
    plays_first = np.where(deals["leader"].to_numpy() == 0, 1.0, -1.0)
    causes = np.column_stack([*(own - other for own, other in captured), plays_first])
    effects = coefficients_of(lead, causes)
    rows: list[tuple[Cell, ...]] = []
    for (name, mask), effect in zip(kinds.items(), effects):
        one = 1 << mask.bit_length() - 1
        own, other = _counts(held, "held", mask)
        rows.append(
            (
                name,
                mask.bit_count(),
                card_points(one),
                effect,
                effect.plus(-card_points(one)),
                ratio_of(lead * (own - other), own + other),
            )
        )
    return Table(
        (
            Column("card"),
            Column("in the pack", "count"),
            Column("own points", "count"),
            Column("lead for capturing it", "signed"),
            Column("besides its own points", "signed"),
            Column("lead for being dealt it", "signed"),
        ),
        tuple(rows),
    )


def _counts(frame: pl.DataFrame, name: str, mask: int) -> tuple[Numbers, Numbers]:
    """How many cards of a mask each side has, by deal."""
    cards = pl.lit(mask, pl.UInt64)
    mine, other = (
        frame.select(count_cards(pl.col(f"{name}_{side}") & cards))
        .to_series()
        .to_numpy()
        .astype(np.float64)
        for side in (0, 1)
    )
    return mine, other


_CAPTURED, _JOINED = pl.col("fate") == "capture", pl.col("fate") == "declare"
_FATES = {
    "captured by its owner": _CAPTURED & pl.col("by_owner"),
    "captured by the owner's partner": _CAPTURED & pl.col("by_side") & ~pl.col("by_owner"),
    "captured by the other side": _CAPTURED & ~pl.col("by_side"),
    "joined by the owner's side": _JOINED & pl.col("by_side"),
    "joined by the other side": _JOINED & ~pl.col("by_side"),
    "raised by the owner's side": (pl.col("fate") == "raise") & pl.col("by_side"),
    "raised by the other side": (pl.col("fate") == "raise") & ~pl.col("by_side"),
    "left over": pl.col("fate") == "leftovers",
    "stolen: captured, joined or raised by the other side": (pl.col("fate") != "leftovers")
    & ~pl.col("by_side"),
}


def declarations_table(turns: pl.DataFrame, deals: pl.DataFrame) -> Table:
    """How many piles a deal sees, plain and family, and for how many turns one lies there."""
    rows: list[tuple[Cell, ...]] = []
    for name, piles in _piles_by_kind(turns).items():
        count, lain = by_deal(deals, piles), by_deal(deals, piles, pl.col("turns").sum())
        some = share_of(count > 0, np.ones(len(deals)))
        rows.append((name, mean_of(count), some, ratio_of(lain, count)))
    return Table(
        (
            Column("piles"),
            Column("a deal", "number"),
            Column("deals with one at least", "share"),
            Column("turns that one lies there", "number"),
        ),
        tuple(rows),
    )


def fates_table(turns: pl.DataFrame, deals: pl.DataFrame) -> Table:
    """What becomes of piles, plain and family."""
    kinds = _piles_by_kind(turns)
    counts = [by_deal(deals, piles) for piles in kinds.values()]
    rows: list[tuple[Cell, ...]] = []
    for fate, is_fate in _FATES.items():
        hits = [by_deal(deals, piles.filter(is_fate)) for piles in kinds.values()]
        rows.append((fate, *(share_of(*both) for both in zip(hits, counts))))
    return Table((Column("fate"), *(Column(name, "share") for name in kinds)), tuple(rows))


def plays_table(turns: pl.DataFrame, deals: pl.DataFrame) -> Table:
    """How the plays of a deal divide into the four ways to play a card."""
    rows: list[tuple[Cell, ...]] = []
    for kind in ("trail", "capture", "declare", "raise"):
        made = by_deal(deals, turns.filter(pl.col("kind") == kind))
        rows.append((kind, mean_of(made), share_of(made > 0, np.ones(len(deals)))))
    return Table(
        (
            Column("play"),
            Column("a deal", "number"),
            Column("deals with one at least", "share"),
        ),
        tuple(rows),
    )


def _piles_by_kind(turns: pl.DataFrame) -> dict[str, pl.DataFrame]:
    piles = declared_piles(turns).with_columns(
        by_owner=pl.col("owner") == pl.col("user"),
        by_side=pl.col("owner") % 2 == pl.col("user") % 2,
    )
    return {"plain": piles.filter(~pl.col("family")), "family": piles.filter("family")}
