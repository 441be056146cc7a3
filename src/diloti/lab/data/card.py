"""The data card: what a data set is, for people who find it, in the folder itself."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import polars as pl
from polars.datatypes import DataTypeClass

from diloti.core.record import format_rules
from diloti.lab.data.columns import DEAL_COLUMNS, PLAY_COLUMNS, Column
from diloti.lab.data.dataset import Dataset
from diloti.lab.data.job import FORM, Job


def command_of(job: Job) -> str:
    """What to type to get this data set in the folder `FOLDER`."""
    rules = job.rules
    command = ["diloti", "generate", "FOLDER", "--bots", *map(str, dict.fromkeys(job.players))]
    command += ["--rules", rules.base]
    for change in format_rules(rules).split(", ")[1:]:
        command += ["--set", change]
    command += ["--matches" if job.whole_matches else "--games", str(job.games)]
    command += ["--paired"] if job.paired else []
    command += ["--seed", str(job.seed), "--part-size", str(job.part_size)]
    return shlex.join(command)


def format_card_of(dataset: Dataset) -> str:
    """The text of the card of a whole data set (Markdown)."""
    job = dataset.job
    first, second = job.players
    games = "whole matches" if job.whole_matches else "single deals at 0 : 0"
    return _CARD.format(
        first=first,
        second=second,
        rules=format_rules(job.rules),
        fingerprint=job.rules.fingerprint,
        seed=job.seed,
        games=f"{job.games:,} ({games}{_PAIRED if job.paired else ''})",
        deals=f"{dataset.count_deals():,}",
        plays=f"{dataset.count_plays():,}",
        parts=f"{job.parts:,}, of {job.part_size:,} games",
        program=job.program,
        form=FORM,
        command=command_of(job),
        play_columns=_rows_of(PLAY_COLUMNS),
        deal_columns=_rows_of(DEAL_COLUMNS),
    )


_PAIRED = "; 2k and 2k + 1 have the same packs, the second with the sides swapped"

_CARD = """\
# Games of Diloti, played by bots

Diloti (Δηλωτή) is a Greek card game with hidden cards. These are games that bots played against
each other: what the seat in turn saw, what was legal, what it chose, and what came of it. No person
took part, and nothing in it is about anybody.

| | |
|---|---|
| side 0 (seats 0 and 2) | `{first}` |
| side 1 (seats 1 and 3) | `{second}` |
| rules | {rules} |
| fingerprint of the rules | `{fingerprint}` |
| seed | {seed} |
| games | {games} |
| deals | {deals} |
| plays | {plays} |
| parts | {parts} |
| made by | {program}, data sets of form {form} |

## Licence

These data are in the public domain: CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/

## To make it again

    {command}

gives the same files with the same versions of Diloti and Polars, whatever the number of processes.
`diloti generate FOLDER --check` plays every record again and compares every row.

## To read it

    import polars

    plays = polars.scan_parquet("FOLDER/plays/*.parquet")
    deals = polars.scan_parquet("FOLDER/deals/*.parquet")
    print(deals.select(polars.col("points_0", "points_1").mean()).collect())

`records/` has the same games as texts that people can read. A card is a number from 0 to 51: four
times the rank (ace 0 to king 12) and the suit (clubs 0, diamonds 1, hearts 2, spades 3). A mask has
the bit of each of its cards set. Plays are written as in the records. Hidden cards are in the
records and in `deals` alone. Many columns are unsigned: cast them before you take one from another.

## `plays`: one row for a play, as the seat in turn saw it

| column | type | what it is |
|---|---|---|
{play_columns}

## `deals`: one row for a deal

| column | type | what it is |
|---|---|---|
{deal_columns}
"""


def _rows_of(columns: Sequence[Column]) -> str:
    return "\n".join(
        f"| `{column.name}` | {kind_name(column.kind)} | {column.meaning} |" for column in columns
    )


def kind_name(kind: DataTypeClass | pl.DataType) -> str:
    """A data type in a few letters, as `u64` or `list of str`."""
    if isinstance(kind, pl.List):
        return f"list of {kind_name(kind.inner)}"
    if isinstance(kind, pl.Struct):
        fields = (f"{field.name} {kind_name(field.dtype)}" for field in kind.fields)
        return f"({', '.join(fields)})"
    return str(kind()).lower() if isinstance(kind, type) else str(kind).lower()
