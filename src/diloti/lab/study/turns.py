"""Plays and deals as the questions need them: what each play left, and what became of its card."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from diloti.core.cards import SUITS

GAME = ("match", "deal")
"""What names a deal in a data set."""

_READ = ("play", "seat", "hand", "loose", "piles", "legal_count", "kind", "card", "taken")


def mask_of_card(card: pl.Expr) -> pl.Expr:
    """The mask of a card's number."""
    return pl.lit(2, pl.UInt64).pow(card)


def equals_of(card: pl.Expr) -> pl.Expr:
    """The mask of all cards of a card's rank."""
    return pl.lit(15, pl.UInt64) * pl.lit(16, pl.UInt64).pow(card // SUITS)


def count_cards(mask: pl.Expr) -> pl.Expr:
    """How many cards a mask has."""
    return mask.bitwise_count_ones()


def is_within(inner: pl.Expr, outer: pl.Expr) -> pl.Expr:
    """Whether all cards of one mask are in another."""
    return (inner & outer) == inner


def turns_of(plays: pl.LazyFrame | pl.DataFrame, deals: pl.DataFrame) -> pl.DataFrame:
    """The plays in order, with what only the plays around them tell.

    `mask` is that of the played card; `seen` the cards that the seat has seen before the play, its
    own hand included; `own_pile` whether it owns one. `left` and `left_piles` are the loose cards
    and the number of piles after the play, `next_taken` the cards on the table that the following
    play captures, `next_xeri` whether that is a xeri; these are null for the last play of a deal.
    `kept` is whether the seat's side has the played card when the deal is over.
    """
    played = mask_of_card(pl.col("card"))
    table = (
        plays.lazy()
        .select(*GAME, *_READ, xeri=pl.col("events").list.contains("xeri"))
        .sort(*GAME, "play")
        .with_columns(
            mask=played,
            side=pl.col("seat") % 2,
            layout=pl.col("loose").first().over(GAME),
            earlier=played.cum_sum().over(GAME) - played,
            own_pile=pl.col("piles")
            .list.eval(pl.element().struct.field("owner"))
            .list.contains(pl.col("seat")),
            left=pl.col("loose").shift(-1).over(GAME),
            left_piles=pl.col("piles").list.len().shift(-1).over(GAME),
            next_taken=pl.col("taken").shift(-1).over(GAME),
            next_xeri=pl.col("xeri").shift(-1).over(GAME),
        )
        .with_columns(seen=pl.col("layout") | pl.col("earlier") | pl.col("hand"))
    )
    ends = deals.lazy().select(*GAME, "captured_0", "captured_1")
    captured = pl.when(pl.col("side") == 0).then("captured_0").otherwise("captured_1")
    return (
        table.join(ends, on=GAME, how="left", maintain_order="left")
        .with_columns(kept=is_within(pl.col("mask"), captured))
        .drop("layout", "earlier", "captured_0", "captured_1")
        .collect()
    )


def lone_cards(turns: pl.DataFrame) -> pl.DataFrame:
    """The plays that leave one loose card and nothing else, with its `rank` (0 to 12).

    `gone` is how many of the other three of its rank the seat has seen.
    """
    cards = pl.DataFrame({"lone": range(52)}, schema={"lone": pl.UInt8}).with_columns(
        left=mask_of_card(pl.col("lone"))
    )
    equals = count_cards(pl.col("seen") & equals_of(pl.col("lone")))
    return (
        turns.filter(pl.col("left_piles") == 0)
        .join(cards, on="left", how="inner", maintain_order="left")
        .with_columns(rank=pl.col("lone") // SUITS, gone=equals.cast(pl.Int32) - 1)
    )


def declared_piles(turns: pl.DataFrame) -> pl.DataFrame:
    """Every pile that was ever laid, with its `owner` and what became of it.

    `fate` is what the play did that used it: `capture`, `declare` (it was joined) or `raise`, by
    `user`; `leftovers` for a pile that nobody used. Raised and joined piles are piles of their own.
    `turns` is on how many turns it lay there.
    """
    lying = (
        turns.select(*GAME, "play", "seat", "kind", "taken", "piles")
        .explode("piles")
        .drop_nulls("piles")
        .unnest("piles")
        .sort(*GAME, "play", maintain_order=True)
    )
    last = lying.group_by(*GAME, "cards", maintain_order=True).agg(
        pl.col("owner", "value", "family", "seat", "kind", "taken").last(), turns=pl.len()
    )
    used = pl.col("kind").is_in(["declare", "raise"]) | is_within(pl.col("cards"), pl.col("taken"))
    return last.rename({"seat": "user"}).with_columns(
        fate=pl.when(used).then("kind").otherwise(pl.lit("leftovers"))
    )


def with_play_counts(deals: pl.DataFrame, plays: pl.LazyFrame | pl.DataFrame) -> pl.DataFrame:
    """The deals in order, with the number of their `captures`, and `declarations` or raises."""
    kind = pl.col("kind")
    declares = kind.is_in(["declare", "raise"])
    counts = plays.lazy().group_by(GAME)
    counted = counts.agg(captures=(kind == "capture").sum(), declarations=declares.sum())
    joined = deals.join(counted.collect(), on=GAME, how="left").sort(GAME)
    return joined.with_columns(pl.col("captures", "declarations").fill_null(0))


def by_deal(
    deals: pl.DataFrame, rows: pl.DataFrame, amount: pl.Expr | None = None
) -> NDArray[np.float64]:
    """How many of some rows each deal has, or their `amount`, in the order of the deals."""
    found = rows.group_by(GAME).agg(amount=pl.len() if amount is None else amount)
    joined = deals.select(GAME).join(found, on=GAME, how="left", maintain_order="left")
    return joined["amount"].fill_null(0).to_numpy().astype(np.float64)
