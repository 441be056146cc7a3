"""All questions put to the data sets of the study: the tables that the document is written from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import polars as pl

from diloti.core.record import format_rules
from diloti.lab.data.dataset import Dataset
from diloti.lab.study.card_questions import (
    card_values_table,
    declarations_table,
    fates_table,
    plays_table,
)
from diloti.lab.study.estimates import Cell, Column, Table
from diloti.lab.study.findings import advice_table, lone_card_table
from diloti.lab.study.plan import AS_IT_IS, Sizes
from diloti.lab.study.questions import (
    base_table,
    first_side_table,
    leftovers_table,
    lengths_table,
    luck_table,
    points_distribution,
    points_table,
    skill_table,
    switches_table,
)
from diloti.lab.study.turns import turns_of, with_play_counts

Datasets = Mapping[str, Mapping[str, Dataset]]
"""The data sets by group and name, as `diloti.lab.study.plan` names their jobs."""


class _Frames:
    """The frames of a data set, read when they are wanted."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    @cached_property
    def deals(self) -> pl.DataFrame:
        """The deals in order, with the counts of `with_play_counts`."""
        return with_play_counts(self._dataset.scan_deals().collect(), self._dataset.scan_plays())

    @cached_property
    def turns(self) -> pl.DataFrame:
        """The plays in order, as `turns_of` completes them."""
        return turns_of(self._dataset.scan_plays(), self.deals)


def answer_all(sizes: Sizes, datasets: Datasets) -> dict[str, Table]:
    """The tables of the study by name."""
    deals = {
        group: {name: _Frames(dataset).deals for name, dataset in named.items()}
        for group, named in datasets.items()
    }
    equal, taverna = deals["equal"], deals["taverna"]
    usual = _Frames(datasets["equal"][sizes.player])
    four = f"{sizes.player}, taverna with four"
    both = equal | {four: taverna[AS_IT_IS]}
    base = {"classic": usual.deals, "taverna": taverna[AS_IT_IS]}
    changed = {name: found for name, found in taverna.items() if name != AS_IT_IS}
    return {
        "data": data_table(datasets),
        "first_side": first_side_table(both),
        "points": points_table(both),
        "distribution": points_distribution(usual.deals),
        "lengths": lengths_table(deals["matches"]),
        "leftovers": leftovers_table(both),
        "cards": card_values_table(usual.turns, usual.deals),
        "plays": plays_table(usual.turns, usual.deals),
        "declarations": declarations_table(usual.turns, usual.deals),
        "fates": fates_table(usual.turns, usual.deals),
        "base": base_table(base),
        "switches": switches_table(base["classic"], deals["classic"]),
        "switches_taverna": switches_table(base["taverna"], changed),
        "luck": luck_table(both),
        "skill": skill_table(deals["pairs"]),
        "lone": lone_card_table(usual.turns, usual.deals),
        "advice": advice_table(usual.turns, usual.deals),
    }


def study_table(sizes: Sizes, seed: int) -> Table:
    """Which study this is."""
    rows = (("study", sizes.form, str(seed), sizes.player),)
    return Table(tuple(map(Column, ("", "form", "seed", "player"))), rows)


def data_table(datasets: Datasets) -> Table:
    """What the study is made from: a row for each data set."""
    rows: list[tuple[Cell, ...]] = []
    totals = [0, 0, 0]
    for group, named in datasets.items():
        for name, dataset in named.items():
            job = dataset.job
            counts = job.games, _height(dataset.scan_deals()), _height(dataset.scan_plays())
            rows.append(
                (
                    f"{group}: {name}",
                    format_rules(job.rules),
                    job.rules.fingerprint,
                    ", ".join(map(str, dict.fromkeys(job.players))),
                    str(job.seed),
                    *counts,
                )
            )
            totals = [total + count for total, count in zip(totals, counts)]
    rows.append(("all", "", "", "", "", *totals))
    return Table(
        (
            Column("data set"),
            Column("rules"),
            Column("fingerprint"),
            Column("players"),
            Column("seed"),
            Column("games", "count"),
            Column("deals", "count"),
            Column("plays", "count"),
        ),
        tuple(rows),
    )


def _height(rows: pl.LazyFrame) -> int:
    return int(rows.select(pl.len()).collect().item())
