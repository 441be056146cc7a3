"""Data sets: what their rows say is what the records say, whatever happens while they are made."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from diloti.core.errors import DilotiError
from diloti.core.match import Match
from diloti.core.notation import format_play, parse_card
from diloti.core.plays import count_legal_plays, legal_plays
from diloti.core.record_reader import split_records
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.view import view_of
from diloti.core.wire import read_position, write_position
from diloti.lab.data.card import command_of
from diloti.lab.data.check import Untrue, check_dataset
from diloti.lab.data.columns import (
    DEAL_COLUMNS,
    JUDGED,
    MOST_LEGAL,
    PLAY_COLUMNS,
    play_rows,
    view_row,
)
from diloti.lab.data.dataset import DEALS, PLAYS, RECORDS, Dataset, DatasetError, open_dataset
from diloti.lab.data.generating import generate, plan_job
from diloti.lab.data.job import Job, JobError, read_job, write_job
from diloti.lab.data.parts import Part, make_part
from diloti.lab.data.writing import LOCK_FILE, BusyError, FolderError, writing_alone
from diloti.lab.duel import Duel
from diloti.lab.executors.processes import LocalProcesses
from diloti.lab.player import Player
from diloti.lab.program import program_name
from diloti.usage import UsageError
from tests.hidden import rehidden
from tests.secrecy import seen_by

HERE = LocalProcesses(1)
HOUSE = rules_from("classic", players=4, raising="anyone", xeristaki_points=5, families=False)
RULES = {"classic": CLASSIC, "taverna": TAVERNA, "house": HOUSE}


def small_job(rules: Rules = CLASSIC, **asked: Any) -> Job:
    """Seven deals in three parts, unless it is asked for something else."""
    games = {} if "matches" in asked else {"games": 7}
    return plan_job(rules, ("greedy", "random"), **{**games, "seed": 4, "part_size": 3, **asked})


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """A small data set."""
    return generate(tmp_path / "set", small_job(), executor=HERE)


# --- What it says ------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_rows_are_those_of_the_records(tmp_path: Path, rules: Rules) -> None:
    dataset = generate(tmp_path, small_job(rules), executor=HERE)
    check_dataset(dataset, executor=HERE)
    plays, deals = dataset.scan_plays().collect(), dataset.scan_deals().collect()
    assert plays.columns == [column.name for column in PLAY_COLUMNS]
    assert deals.columns == [column.name for column in DEAL_COLUMNS]
    assert (plays.height, deals.height) == (7 * 48, 7)
    rows = plays.iter_rows(named=True)
    for game, record in enumerate(dataset.records()):
        match = record.match
        assert match.first_dealer == game % rules.players
        assert set(match.names[::2]) == {"greedy"}
        assert set(match.names[1::2]) == {"random"}
        position = match.deal_log.start
        for number, play in enumerate(match.deal_log.plays):
            row = next(rows)
            seat = position.turn
            assert (row["match"], row["deal"], row["play"]) == (game, 0, number)
            assert (row["seat"], row["player"]) == (seat, match.names[seat or 0])
            assert row["hand"] == position.hands[seat or 0]
            assert row["loose"] == position.loose
            assert sum(pile["cards"] for pile in row["piles"]) == sum(
                pile.cards for pile in position.piles
            )
            assert row["stock"] == len(position.stock)
            assert row["legal_count"] == count_legal_plays(position)
            if row["legal_count"] <= MOST_LEGAL:
                assert row["legal"] == [*map(format_play, legal_plays(position))]
            else:
                assert row["legal"] is None
            assert row["chosen"] == format_play(play)
            assert row["card"] == play.card
            assert (
                row["kind"]
                == {"": "trail", "x": "capture", "+": "declare", "^": "raise"}[row["chosen"][2:3]]
            )
            assert ("capture" in row["events"]) == bool(row["taken"]) == (row["kind"] == "capture")
            position = match.deal_log.outcomes[number].position
        assert row["events"][-1] == "deal_over"


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_deals_are_counted_again(tmp_path: Path, rules: Rules) -> None:
    dataset = generate(tmp_path, small_job(rules, matches=2), executor=HERE)
    deals = dataset.scan_deals().collect()
    plays = dataset.scan_plays().collect()
    assert set(deals["match"]) == {0, 1}
    totals = [0, 0]
    for row in deals.iter_rows(named=True):
        if row["deal"] == 0:
            totals = [0, 0]
        assert not row["captured_0"] & row["captured_1"]
        own = plays.filter(match=row["match"], deal=row["deal"])
        assert own.height == row["plays"] == 48
        assert own["leftovers"][-1].bit_count() == row["leftovers"]
        assert row["leader"] == own["seat"][0] % 2
        assert row["dealer"] == own["dealer"][0]
        for side in (0, 1):
            cards = row[f"captured_{side}"]
            by_side = own.filter(pl.col("seat") % 2 == side)
            taken = sum(by_side["taken"])
            if row["leftovers_side"] == side:
                taken += own["leftovers"][-1]
            assert taken.bit_count() <= cards.bit_count() == row[f"cards_{side}"]
            xeri = by_side["events"].list.contains("xeri").sum()
            assert xeri == row[f"xeri_{side}"]
            ten, two = (row[name] == side for name in ("ten_of_diamonds", "two_of_clubs"))
            assert ten == bool(cards >> parse_card("Td") & 1)
            assert two == bool(cards >> parse_card("2c") & 1)
            totals[side] += row[f"points_{side}"]
            assert row[f"points_{side}"] == (
                4 * (row[f"cards_{side}"] > 26)
                + row[f"aces_{side}"]
                + 2 * ten
                + two
                + xeri * rules.xeri_points
                + row[f"xeristaki_{side}"] * rules.xeristaki_points
            )
            assert row[f"score_{side}"] == totals[side]
        assert (row["winner"] >= 0) == (max(totals) >= rules.target and totals[0] != totals[1])
    assert deals.group_by("match").agg(pl.col("winner").last())["winner"].min() != -1


def test_what_the_bots_thought_is_kept(tmp_path: Path) -> None:
    job = plan_job(CLASSIC, ("strong:4",), games=1, seed=2)
    plays = generate(tmp_path, job, executor=HERE).scan_plays().collect()
    for row in plays.iter_rows(named=True):
        assert len(row["plays_judged"]) == len(row["values"]) == len(row["win_chances"]) > 0
        assert row["chosen"] in row["plays_judged"]
        assert all(0 <= chance <= 1 for chance in row["win_chances"])
    assert set(plays["player"]) == {"strong:4"}


def test_pairs_are_those_of_a_duel(tmp_path: Path) -> None:
    job = small_job(TAVERNA, games=6, paired=True)
    dataset = generate(tmp_path, job, executor=HERE)
    check_dataset(dataset, executor=HERE)
    duel = Duel(TAVERNA, (Player("greedy"), Player("random")), 4)
    rows = dataset.scan_deals().collect().rows(named=True)
    for pair in range(3):
        there, back = rows[2 * pair : 2 * pair + 2]
        assert (there["seed"], there["dealer"]) == (back["seed"], back["dealer"])
        played = duel.play_pair(pair, clock=lambda: 0.0)
        assert played.deals[0].points == (there["points_0"], there["points_1"])
        assert played.deals[1].points == (back["points_1"], back["points_0"])
    seats = dataset.scan_plays().filter(match=1, seat=0).collect()
    assert set(seats["player"]) == {"random"}


# --- What it does not say ----------------------------------------------------------


def shown_by(row: dict[str, Any]) -> int:
    """Every card that a row of plays names, as a mask."""
    shown = row["hand"] | row["loose"] | row["taken"] | row["leftovers"] | 1 << row["card"]
    for pile in row["piles"]:
        shown |= pile["cards"]
    texts = [*(row["legal"] or []), row["chosen"], *row["plays_judged"]]
    for card in set(re.findall("[A2-9TJQK][cdhs]", " ".join(texts))):
        shown |= 1 << parse_card(card)
    return int(shown)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_rows_of_plays_name_no_hidden_card(tmp_path: Path, rules: Rules) -> None:
    dataset = generate(tmp_path, small_job(rules, games=2), executor=HERE)
    matches = [record.match for record in dataset.records()]
    seen = [[seen_by(match, seat) for seat in range(rules.players)] for match in matches]
    for row in dataset.scan_plays().collect().iter_rows(named=True):
        known = seen[row["match"]][row["seat"]][1, row["play"]]
        assert not shown_by(row) & ~known
    final = dataset.scan_deals().collect().rows(named=True)[0]
    assert (final["captured_0"] | final["captured_1"]) & ~seen[0][0][1, 0]  # it could be told


@pytest.mark.parametrize("rules", [CLASSIC, TAVERNA])
def test_rows_are_the_same_whatever_is_hidden(rules: Rules) -> None:
    match = Match(rules, first_dealer=0, names=["x"] * rules.players)
    match.deal_seed(bytes(range(32)))
    rng, moments = random.Random(5), []
    while match.turn is not None:
        moments.append(match.position)
        match.play(rng.choice(legal_plays(match.position)))
    rows = list(play_rows(match, 0))
    for position, row in zip(moments[::5], rows[::5], strict=True):
        seat = position.turn
        assert seat is not None
        other = read_position(rehidden(rng, write_position(position), seat))
        assert view_row(view_of(other, seat)) == {name: row[name] for name in view_row(
            view_of(position, seat)
        )}  # fmt: skip


# --- The same again ----------------------------------------------------------------


def test_parts_follow_from_the_job_and_their_number(dataset: Dataset, tmp_path: Path) -> None:
    generate(tmp_path / "again", small_job(), executor=LocalProcesses(2))
    assert contents(tmp_path / "again") == contents(dataset.folder)
    larger = make_part(small_job(games=9), 1)
    assert larger.records == dataset.file(RECORDS, 1).read_bytes()
    other = make_part(small_job(seed=5), 1)
    assert other.records != larger.records


def test_only_what_is_missing_is_made(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(dataset.folder)
    dataset.file(DEALS, 1).unlink()
    assert dataset.missing == [1]
    kept: list[int] = []
    keep = Dataset.keep

    def note(dataset: Dataset, part: Part) -> None:
        kept.append(part.number)
        keep(dataset, part)

    monkeypatch.setattr(Dataset, "keep", note)
    done: list[int] = []
    generate(dataset.folder, dataset.job, executor=HERE, watch=done.append)
    assert kept == [1]
    assert done == [4, 7]
    assert contents(dataset.folder) == before
    generate(dataset.folder, dataset.job, executor=HERE)
    assert kept == [1]


KILLED = """
import os, signal, sys
from pathlib import Path
from diloti.lab.data import dataset
from diloti import cli

write, calls = dataset.write_whole, []

def die_in_the_middle(file, content):
    calls.append(file)
    if len(calls) == int(sys.argv[1]):
        Path(str(file) + ".unfinished").write_bytes(content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    write(file, content)

dataset.write_whole = die_in_the_middle
cli.main(sys.argv[2:])
"""


@pytest.mark.parametrize("call", [1, 3, 6])
def test_a_killed_program_is_gone_on_with(dataset: Dataset, tmp_path: Path, call: int) -> None:
    folder = tmp_path / "killed"
    command = command_of(dataset.job).replace("FOLDER", str(folder)).split()[1:]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(call), *command, "--workers", "1", "--quiet"],
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert list(folder.rglob("*.unfinished"))
    assert contents(folder) != contents(dataset.folder)
    generate(folder, dataset.job, executor=HERE)
    assert contents(folder) == contents(dataset.folder)


# --- Other folders -----------------------------------------------------------------


def test_another_job_is_refused(dataset: Dataset, tmp_path: Path) -> None:
    before = contents(dataset.folder)
    with pytest.raises(DatasetError, match=r"another data set; there differ: seed, games$"):
        generate(dataset.folder, small_job(seed=5, games=8), executor=HERE)
    with pytest.raises(DatasetError, match="there differ: rules, fingerprint"):
        generate(dataset.folder, small_job(TAVERNA), executor=HERE)
    assert contents(dataset.folder) == before
    (dataset.folder / "dataset.json").write_text("[1")
    with pytest.raises(DatasetError, match=r"dataset\.json cannot be read"):
        generate(dataset.folder, small_job(), executor=HERE)
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "deeper"):
        with pytest.raises(FolderError, match=f"{folder} could not be written: (it is|part of)"):
            generate(folder, small_job(), executor=HERE)
        with pytest.raises(DatasetError, match="cannot be read: part of its path is not a folder"):
            open_dataset(str(folder))
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.txt").touch()
    with pytest.raises(DatasetError, match="is not empty"):
        generate(tmp_path / "foreign", small_job(), executor=HERE)


def test_another_program_neither_makes_nor_goes_on_with_it(dataset: Dataset) -> None:
    theirs = replace(small_job(), program="diloti 0.1.0 (0123456789abcdef)")
    with pytest.raises(DatasetError, match=r"there differ: program$"):
        generate(dataset.folder, theirs, executor=HERE)
    with pytest.raises(JobError, match=r"is made by diloti 0\.1\.0 \(0123456789abcdef\)"):
        make_part(theirs, 0)


def test_a_program_is_named_by_what_decides_how_bots_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diloti.lab.program._PACKAGE", tmp_path)
    names = {program_name.__wrapped__()}
    for number, file in enumerate(["core/plays.py", "bots/tree.py", "bots/weights/classic.npz"]):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("better")
        names.add(program_name.__wrapped__())
        assert len(names) == number + 2
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "app.py").write_text("nothing to do with it")
    assert program_name.__wrapped__() in names
    assert all(re.fullmatch(r"diloti \S+ \([0-9a-f]{16}\)", name) for name in names)


def test_a_folder_without_a_data_set(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="there is no data set in"):
        open_dataset(tmp_path)
    file = dataset.folder / "dataset.json"
    written = json.loads(file.read_text())
    for wrong in ("{", "7", json.dumps({**written, "form": 2}), json.dumps({**written, "more": 1})):
        file.write_text(wrong)
        with pytest.raises(DatasetError):
            open_dataset(dataset.folder)
    for text in (b"\xff", b"[" * 100_000):
        file.write_bytes(text)
        with pytest.raises(DatasetError, match=r"dataset\.json cannot be read"):
            open_dataset(dataset.folder)


WRONG: tuple[Any, ...] = (
    *(None, -2, 0.5, 1.0, 4.0, 10**30, "x", [], {}),
    *([5], [5, None], ["greedy", "nobody"], {"base": []}, {"base": "classic", "target": True}),
)


@pytest.mark.parametrize("name", write_job(small_job()))
def test_a_field_of_another_kind_is_no_job(dataset: Dataset, name: str) -> None:
    file = dataset.folder / "dataset.json"
    written = json.loads(file.read_text())
    equal = (0, 1) if isinstance(written[name], bool) else (False, True)
    for wrong in (*WRONG, *equal):
        if name == "program" and isinstance(wrong, str):
            continue
        file.write_text(json.dumps({**written, name: wrong}))
        with pytest.raises(DatasetError, match=r"dataset\.json cannot be read: "):
            open_dataset(dataset.folder)


def test_a_data_set_of_which_nothing_is_there_yet(dataset: Dataset) -> None:
    for number in dataset.parts:
        dataset.file(PLAYS, number).unlink()
    with pytest.raises(DatasetError, match="no part"):
        dataset.scan_plays()
    with pytest.raises(DatasetError, match="part 0 is missing"):
        check_dataset(dataset, executor=HERE)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_jobs_are_read_as_they_are_written(rules: Rules) -> None:
    for job in (small_job(rules), small_job(rules, matches=4, paired=True, seed=2**64 - 1)):
        assert read_job(json.loads(json.dumps(write_job(job)))) == job


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"bots": ("expert",)}, r"expert thinks by the clock.* as expert:400"),
        ({"bots": ("greedy:1s",)}, "thinks by the clock"),
        ({"bots": ("greedy",) * 3}, "one for each side"),
        ({"games": 0}, "--games must be"),
        ({"matches": 0}, "--matches must be"),
        ({"games": 3, "paired": True}, "must be even"),
        ({"seed": -1}, "--seed must be"),
        ({"part_size": 0}, "--part-size must be"),
    ],
)
def test_what_cannot_be_asked(asked: dict[str, Any], complaint: str) -> None:
    asked = {"bots": ("greedy",), "seed": 1, **asked}
    with pytest.raises(UsageError, match=complaint):
        plan_job(CLASSIC, asked.pop("bots"), **asked)


# --- Checking ----------------------------------------------------------------------


def change(file: Path, edit: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Write a table again with something changed, all it says about itself kept."""
    tags = pl.read_parquet_metadata(file)
    rows = edit(pl.read_parquet(file))
    rows.write_parquet(file, metadata={name: tags[name] for name in tags if name[0] != "A"})


def with_cell(rows: pl.DataFrame, row: int, column: str) -> pl.DataFrame:
    """The table with another value in one cell."""
    values = rows[column].to_list()
    old = values[row]
    if isinstance(old, list):
        values[row] = old[:-1] if old else None
    else:
        values[row] = f"{old}?" if isinstance(old, str) else 0 if old else 1
    return rows.with_columns(pl.Series(column, values, rows.schema[column]))


CELLS = [
    *((PLAYS, column.name) for column in PLAY_COLUMNS if column.name not in JUDGED),
    *((DEALS, column.name) for column in DEAL_COLUMNS),
    (PLAYS, "values"),
    (PLAYS, "win_chances"),
]


def test_every_changed_cell_is_found(dataset: Dataset) -> None:
    for kind, column in CELLS:
        file = dataset.file(kind, 1)
        before = file.read_bytes()
        row = 20 if kind == PLAYS else 2
        change(file, lambda rows: with_cell(rows, row, column))  # noqa: B023
        with pytest.raises(
            Untrue, match=f"row {row}.*" + ("judge" if column in JUDGED else column)
        ):
            check_dataset(dataset, executor=HERE)
        file.write_bytes(before)
    check_dataset(dataset, executor=HERE)


def test_a_judged_play_that_is_not_legal_is_found(dataset: Dataset) -> None:
    plays = pl.lit(["Kd"]).alias("plays_judged")
    one = pl.col("values").list.head(1), pl.col("win_chances").list.head(1)
    change(dataset.file(PLAYS, 0), lambda rows: rows.with_columns(plays, *one))
    with pytest.raises(Untrue, match="judged play"):
        check_dataset(dataset, executor=HERE)


def test_changed_tables_are_found(dataset: Dataset) -> None:
    file, other = dataset.file(DEALS, 0), dataset.file(DEALS, 1)
    before = file.read_bytes()
    edits: list[tuple[Callable[[], object], str]] = [
        (lambda: file.write_bytes(other.read_bytes()), "row 0, match: 3 should be 0"),
        (lambda: file.write_bytes(before[:-9]), "is damaged"),
        (lambda: change(file, lambda rows: rows[:-1]), "has 2 rows, not 3"),
        (lambda: change(file, lambda rows: rows.drop("seed")), "other columns"),
        (lambda: pl.read_parquet(before).write_parquet(file), "from another data set"),
    ]
    for edit, complaint in edits:
        edit()
        with pytest.raises(DatasetError, match=complaint):
            check_dataset(dataset, executor=HERE)
        file.write_bytes(before)
    (dataset.folder / "CARD.md").write_text("Trust me.")
    with pytest.raises(Untrue, match="is not the card"):
        check_dataset(dataset, executor=HERE)
    (dataset.folder / "CARD.md").unlink()
    with pytest.raises(Untrue, match=r"CARD\.md is missing"):
        check_dataset(dataset, executor=HERE)


def test_records_that_are_cut_are_noticed_by_whoever_reads_them(dataset: Dataset) -> None:
    file = dataset.file(RECORDS, 1)
    first, *_others = split_records(file.read_text())
    for text, complaint in (("", "line 1: "), (first, r"has 1 records, not \d"), (first[:-9], "")):
        file.write_text(text)
        with pytest.raises(DatasetError, match=rf"part-00001\.txt.* {complaint}"):
            list(dataset.records())


def test_changed_records_are_found(dataset: Dataset) -> None:
    file = dataset.file(RECORDS, 1)
    text = file.read_text()
    texts = re.split("(?m)^(?=Diloti record )", text)[1:]
    assert "".join(texts) == text
    first = texts[0]
    play = re.search(r"(?m)^24\. (\S+) +(\S+)", first)
    assert play
    foreign = make_part(small_job(seed=5), 1).records.decode()
    changes = [
        text.replace(play[0], f"24. {play[2]}  {play[1]}"),
        text.replace("points: ", "points: 1", 1),
        text.replace("Seat 0: greedy", "Seat 0: random", 1),
        text.replace(first, ""),
        "".join([texts[1], texts[0], *texts[2:]]),
        foreign,
        text.replace("Result: unfinished", "Result: seat 0 resigned", 1),
        "Trust me.\n" + text,
        "\n" + text,
    ]
    for changed in changes:
        assert changed != text
        file.write_text(changed)
        with pytest.raises(DatasetError, match=r"part-00001\.txt"):
            check_dataset(dataset, executor=HERE)
    file.write_bytes(text.encode().replace(b"random", b"rand\xf6m", 1))
    with pytest.raises(
        DatasetError, match=r"part-00001\.txt cannot be read: it is not text in UTF"
    ):
        check_dataset(dataset, executor=HERE)
    file.write_text(text)
    check_dataset(dataset, executor=HERE)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_changed_record_is_found_where_it_is(dataset: Dataset, workers: int) -> None:
    file = dataset.file(RECORDS, 1)
    lines = file.read_text().splitlines(keepends=True)
    [*_others, number] = [n for n, line in enumerate(lines) if line.startswith("12. ")]
    lines[number] = lines[number].replace("12. ", "12. Z", 1)
    file.write_text("".join(lines))
    with pytest.raises(DatasetError) as found:
        check_dataset(dataset, executor=LocalProcesses(workers))
    assert f"{file}, line {number + 1}: deal 1, play " in str(found.value)
    assert isinstance(found.value.details["trouble"], DilotiError)  # so that it is translated, too


def test_files_of_no_part_are_found(dataset: Dataset) -> None:
    (dataset.folder / PLAYS / "notes.md").touch()  # nobody reads it as a table
    check_dataset(dataset, executor=HERE)
    for kind in (RECORDS, PLAYS, DEALS):
        file = dataset.file(kind, 1)
        for name in (dataset.file(kind, 9).name, f"more/{file.name}"):
            stray = file.parent / name
            stray.parent.mkdir(exist_ok=True)
            stray.write_bytes(file.read_bytes())
            with pytest.raises(Untrue, match=f"{name} belongs to no part"):
                check_dataset(dataset, executor=HERE)
            stray.unlink()
    check_dataset(dataset, executor=HERE)


@pytest.mark.parametrize("kind", [PLAYS, DEALS])
def test_damaged_tables_are_made_again_once_deleted(dataset: Dataset, kind: str) -> None:
    before = contents(dataset.folder)
    file = dataset.file(kind, 0)
    for size in (0, 100, len(file.read_bytes()) - 1):
        os.truncate(file, size)
        for do in (generate_again, check_here):
            with pytest.raises(DatasetError, match=f"{file.name} is damaged .*; delete it"):
                do(dataset)
    file.unlink()
    generate_again(dataset)
    assert contents(dataset.folder) == before


def generate_again(dataset: Dataset) -> None:
    generate(dataset.folder, dataset.job, executor=HERE)


def check_here(dataset: Dataset) -> None:
    check_dataset(dataset, executor=HERE)


# --- Two programs ------------------------------------------------------------------


def test_a_second_program_is_kept_out(dataset: Dataset) -> None:
    unfinished = dataset.folder / PLAYS / "part-00001.parquet.unfinished"
    with writing_alone(dataset.folder):
        unfinished.touch()
        with pytest.raises(BusyError, match="another program is writing into"):
            generate_again(dataset)
        assert unfinished.exists()
        check_here(dataset)
    generate_again(dataset)
    assert not unfinished.exists()
    assert not (dataset.folder / LOCK_FILE).exists()


def test_a_lock_of_which_the_file_was_taken_away_is_none(tmp_path: Path) -> None:
    with writing_alone(tmp_path):
        (tmp_path / LOCK_FILE).unlink()
        with writing_alone(tmp_path):
            pass


# --- The files ---------------------------------------------------------------------


def test_every_table_says_where_it_comes_from(dataset: Dataset) -> None:
    for kind in (PLAYS, DEALS):
        tags = pl.read_parquet_metadata(dataset.file(kind, 2))
        assert tags["fingerprint"] == CLASSIC.fingerprint
        assert (tags["seed"], tags["players"], tags["form"]) == ("4", "greedy random", "1")


def test_the_card_says_how_to_repeat_it(dataset: Dataset) -> None:
    card = (dataset.folder / "CARD.md").read_text(encoding="utf-8")
    assert "CC0" in card
    assert CLASSIC.fingerprint in card
    assert "| plays | 336 |" in card
    assert all(f"| `{column.name}` |" in card for column in (*PLAY_COLUMNS, *DEAL_COLUMNS))
    assert command_of(dataset.job) in card
    house = command_of(small_job(HOUSE, matches=4, paired=True))
    assert house == (
        "diloti generate FOLDER --bots greedy random --rules classic --set players=4"
        " --set families=false --set raising=anyone --set xeristaki_points=5"
        " --matches 4 --paired --seed 4 --part-size 3"
    )


def test_the_examples_of_the_document_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document = Path(__file__).parent.parent / "docs" / "data.md"
    examples = re.findall(r"^```python\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
    generate(tmp_path / "deals", small_job(), executor=HERE)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for example in examples:
        exec(example, names)
    told = capsys.readouterr().out
    assert len(examples) == 3
    assert len(names["made"]) >= CLASSIC.plays_in_deal
    assert all(kind in told for kind in ("trail", "capture", f"{CLASSIC.fingerprint} 336"))
