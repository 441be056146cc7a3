"""Questions about whole deals, each a function from frames of data sets to a table.

A deal's *first side* is that of the seat that plays first, the other one is the dealer's. Where a
question is put to several data sets they are given by what stands in the first column.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from diloti.lab.study.estimates import (
    UNKNOWN,
    Cell,
    Column,
    Estimate,
    Numbers,
    Table,
    deviation_of,
    mean_of,
    share_of,
)
from diloti.lab.study.turns import GAME
from diloti.stats import CONFIDENCE

Deals = Mapping[str, pl.DataFrame]
"""The deals of some data sets by name."""

MANY_LEFTOVERS = 5
"""So many cards are many to be left over."""

_SPREAD = (0.1, 0.5, 0.9)
_SPREAD_HEADING = "10 % / 50 % / 90 % have at most"


def side_0_lead(deals: pl.DataFrame) -> Numbers:
    """Points of side 0 less those of side 1, by deal."""
    return _numbers(deals, "points_0") - _numbers(deals, "points_1")


def first_side_lead(deals: pl.DataFrame) -> Numbers:
    """Points of the side that plays first less those of the dealer's side, by deal."""
    return side_0_lead(deals) * np.where(deals["leader"].to_numpy() == 0, 1.0, -1.0)


def _numbers(deals: pl.DataFrame, name: str) -> Numbers:
    return deals[name].to_numpy().astype(np.float64)


def _both(deals: pl.DataFrame, name: str) -> Numbers:
    """What both sides have of something, by deal."""
    return _numbers(deals, f"{name}_0") + _numbers(deals, f"{name}_1")


def _ties(deals: pl.DataFrame) -> Numbers:
    """1 for each deal in which both sides have as many cards, else 0."""
    return (deals["cards_0"] == deals["cards_1"]).to_numpy().astype(np.float64)


def _how_often(hits: ArrayLike) -> Estimate:
    """In which share of the deals (or matches) something happens."""
    return share_of(hits, np.ones(np.shape(hits)))


def _spread(values: Numbers) -> str:
    return " / ".join(f"{quantile:.0f}" for quantile in np.quantile(values, _SPREAD))


def first_side_table(sets: Deals) -> Table:
    """What playing first is worth."""
    rows: list[tuple[Cell, ...]] = []
    for players, deals in sets.items():
        lead = first_side_lead(deals)
        rows.append(
            (players, len(deals), mean_of(lead), _how_often(lead > 0), _how_often(lead < 0))
        )
    return Table(
        (
            Column("both sides are"),
            Column("deals", "count"),
            Column("points that the first side is ahead", "signed"),
            Column("deals won by the first side", "share"),
            Column("by the dealer's side", "share"),
        ),
        tuple(rows),
    )


def points_table(sets: Deals) -> Table:
    """Points, xeri and even cards in a deal."""
    rows: list[tuple[Cell, ...]] = []
    for players, deals in sets.items():
        xeri = _both(deals, "xeri")
        rows.append(
            (
                players,
                len(deals),
                mean_of(_both(deals, "points") / 2),
                _spread(_side_points(deals)),
                mean_of(xeri),
                _how_often(xeri == 0),
                _how_often(_ties(deals)),
            )
        )
    return Table(
        (
            Column("both sides are"),
            Column("deals", "count"),
            Column("points a side", "number"),
            Column(_SPREAD_HEADING),
            Column("xeri a deal, both sides", "number"),
            Column("deals without a xeri", "share"),
            Column("26 : 26 cards", "share"),
        ),
        tuple(rows),
    )


def _side_points(deals: pl.DataFrame) -> Numbers:
    """The points of every side of every deal."""
    return np.concatenate([_numbers(deals, "points_0"), _numbers(deals, "points_1")])


def points_distribution(deals: pl.DataFrame) -> Table:
    """How many sides get how many points in a deal."""
    counts = np.bincount(_side_points(deals).astype(np.int64))
    return Table(
        (Column("points", "count"), Column("sides", "count")),
        tuple((points, int(count)) for points, count in enumerate(counts)),
    )


def lengths_table(sets: Deals) -> Table:
    """How many deals a whole match takes, by its target."""
    rows: list[tuple[Cell, ...]] = []
    for target, deals in sets.items():
        matches = (
            deals.sort(GAME)
            .group_by("match", maintain_order=True)
            .agg(pl.len().alias("deals"), pl.col("leader").first(), pl.col("winner").last())
        )
        lengths = _numbers(matches, "deals")
        won = _numbers(matches, "leader") == _numbers(matches, "winner")
        rows.append((target, len(matches), mean_of(lengths), _spread(lengths), _how_often(won)))
    return Table(
        (
            Column("target"),
            Column("matches", "count"),
            Column("deals a match", "number"),
            Column(_SPREAD_HEADING),
            Column("won by the side that plays first in the first deal", "share"),
        ),
        tuple(rows),
    )


def leftovers_table(sets: Deals) -> Table:
    """Who gets what is left on the table, and how much that is."""
    rows: list[tuple[Cell, ...]] = []
    for players, deals in sets.items():
        cards = _numbers(deals, "leftovers")
        some = cards > 0
        to_first = _numbers(deals, "leftovers_side") == _numbers(deals, "leader")
        rows.append(
            (
                players,
                len(deals),
                mean_of(cards),
                _how_often(cards == 0),
                _how_often(cards >= MANY_LEFTOVERS),
                share_of(some & to_first, some),
                share_of(some & ~to_first, some),
            )
        )
    return Table(
        (
            Column("both sides are"),
            Column("deals", "count"),
            Column("cards left", "number"),
            Column("none", "share"),
            Column(f"{MANY_LEFTOVERS} or more", "share"),
            Column("where some are left, the first side gets them", "share"),
            Column("the dealer's side or nobody", "share"),
        ),
        tuple(rows),
    )


def base_table(sets: Deals) -> Table:
    """The figures that switches change, of the rule sets as they are.

    The deals must have been given their `captures` and `declarations`.
    """
    rows: list[tuple[Cell, ...]] = []
    for name, deals in sets.items():
        points, xeri, ties, *others = _switch_numbers(deals)
        means = [mean_of(numbers) for numbers in (points, xeri, *others)]
        rows.append((name, len(deals), *means[:2], _how_often(ties), *means[2:]))
    return Table(
        (Column("rules"), Column("deals", "count"), *_switch_columns("number", "share")),
        tuple(rows),
    )


def switches_table(base: pl.DataFrame, changed: Deals) -> Table:
    """What a changed switch changes in a deal, on the same packs as with the base.

    The deals are those that `base_table` takes, game by game from the same seed. Where a switch
    has changed no deal at all, nothing is known of what it changes in others.
    """
    rows: list[tuple[Cell, ...]] = []
    for switch, deals in changed.items():
        after = deals.join(base, on=GAME, how="semi").sort(GAME)
        before = base.join(deals, on=GAME, how="semi").sort(GAME)
        numbers = zip(_switch_numbers(after), _switch_numbers(before))
        changes = [new - old for new, old in numbers]
        differs = np.any(changes, axis=0) | (after["captured_0"] != before["captured_0"]).to_numpy()
        effects = [mean_of(change) if differs.any() else UNKNOWN for change in changes]
        rows.append((switch, len(after), _how_often(differs), *effects))
    return Table(
        (
            Column("switch"),
            Column("deals", "count"),
            Column("deals that end otherwise", "share"),
            *_switch_columns("signed", "signed share"),
        ),
        tuple(rows),
    )


def _switch_columns(number: str, share: str) -> tuple[Column, ...]:
    return (
        Column("points a side", number),
        Column("xeri", number),
        Column("26 : 26", share),
        Column("captures", number),
        Column("declarations and raises", number),
        Column("lead of the first side", "signed"),
        Column("points between the sides", number),
    )


def _switch_numbers(deals: pl.DataFrame) -> tuple[Numbers, ...]:
    """What the columns of `_switch_columns` hold, by deal."""
    lead = first_side_lead(deals)
    return (
        _both(deals, "points") / 2,
        _both(deals, "xeri"),
        _ties(deals),
        _numbers(deals, "captures"),
        _numbers(deals, "declarations"),
        lead,
        np.abs(lead),
    )


def luck_table(sets: Deals) -> Table:
    """How much deals between equal players differ."""
    rows: list[tuple[Cell, ...]] = []
    for players, deals in sets.items():
        lead = first_side_lead(deals)
        rows.append((players, len(deals), deviation_of(lead), mean_of(np.abs(lead))))
    return Table(
        (
            Column("both sides are"),
            Column("deals", "count"),
            Column("standard deviation of the lead", "number"),
            Column("points between the sides", "number"),
        ),
        tuple(rows),
    )


def skill_table(sets: Deals) -> Table:
    """How many deals tell the better of two players, who meet on packs that are played twice.

    In game 2k the better one is side 0, in game 2k + 1, with the same pack, side 1.
    """
    rows: list[tuple[Cell, ...]] = []
    for players, deals in sets.items():
        leads = side_0_lead(deals.sort(GAME)).reshape(-1, 2) * (1, -1)
        pairs = leads.mean(axis=1)
        lead, deal, pair = mean_of(pairs), deviation_of(leads.ravel()), deviation_of(pairs)
        rows.append(
            (
                players,
                len(deals),
                lead,
                deal,
                pair,
                _deals_needed(lead, deal.value, deals_each=1),
                _deals_needed(lead, pair.value, deals_each=2),
            )
        )
    return Table(
        (
            Column("better and worse"),
            Column("deals", "count"),
            Column("lead a deal", "signed"),
            Column("standard deviation of a deal", "number"),
            Column("of the mean of two with one pack", "number"),
            Column("deals until one knows", "whole"),
            Column("in pairs with one pack", "whole"),
        ),
        tuple(rows),
    )


def _deals_needed(lead: Estimate, deviation: float, *, deals_each: int) -> Estimate:
    """Deals until the better player is ahead with the usual confidence, by the lead's interval.

    `deviation` is that of one result, which takes `deals_each`; the sum is taken as normal.
    """
    if not lead.value > 0:
        return UNKNOWN
    quantile = NormalDist().inv_cdf(CONFIDENCE)
    value, low, high = (
        (quantile * deviation / gain) ** 2 * deals_each if gain > 0 else math.inf
        for gain in (lead.value, lead.high, lead.low)
    )
    return Estimate(value, low, high, lead.count)
