"""The study as a whole: a tiny one made twice, and the document that is in the repository."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from diloti.cli import main
from diloti.core.rules import RULE_SETS, SWITCHES
from diloti.lab.data.dataset import DatasetError
from diloti.lab.data.generating import generate
from diloti.lab.executors.processes import LocalProcesses
from diloti.lab.study import plan
from diloti.lab.study.document import (
    DOCUMENT,
    FIGURES,
    format_cell,
    read_figures,
    write_document,
    write_figures,
)
from diloti.lab.study.estimates import UNKNOWN, Estimate
from diloti.lab.study.plan import FULL, QUICK, Sizes, count_games, jobs_of
from diloti.lab.study.questions import first_side_table, points_table
from diloti.lab.study.running import run_study
from diloti.usage import FINE, MISUSED
from tests.thinking import INTERPRETED

DOCS = Path(__file__).parent.parent / "docs"

SIZES = {sizes.form: sizes for sizes in (FULL, QUICK)}

TINY = Sizes(
    "tiny",
    equal={"random": 4, "greedy": 6},
    matches={61: 1, 101: 1},
    pairs={("greedy", "random"): 2},
    classic=2,
    taverna=2,
    player="greedy",
)


def check_document(folder: Path) -> None:
    """The document in a folder is the one that its figures make."""
    figures = read_figures((folder / FIGURES).read_text(encoding="utf-8"))
    assert (folder / DOCUMENT).read_text(encoding="utf-8") == write_document(figures)


@pytest.mark.skipif(INTERPRETED, reason="what plays many deals is tried compiled")
def test_a_study_made_twice_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[int] = []
    first, second = tmp_path / "first", tmp_path / "second"
    document = run_study(TINY, 7, first, executor=LocalProcesses(1), watch=told.append)
    assert (told[0], told[-1]) == (0, count_games(jobs_of(TINY, 7)))
    check_document(first)
    text = document.read_text(encoding="utf-8")
    assert "{{" not in text
    assert "with seed 7:" in " ".join(text.split())

    monkeypatch.setattr(plan, "QUICK", TINY)
    asked = ["study", "--quick", "--seed", "7", "--workers", "1", "--folder", str(second)]
    assert main(asked) == FINE
    assert capsys.readouterr().out == f"{second / DOCUMENT}\n"
    files = [path.relative_to(first) for path in sorted(first.rglob("*")) if path.is_file()]
    assert {Path(DOCUMENT), FIGURES, Path("study", "cards.svg")} <= set(files)
    for file in files:
        assert (first / file).read_bytes() == (second / file).read_bytes(), file

    made = {path: path.stat().st_mtime_ns for path in (second / "data").rglob("*.parquet")}
    assert main([*asked, "--quiet"]) == FINE
    assert {path: path.stat().st_mtime_ns for path in made} == made
    assert (second / DOCUMENT).read_text(encoding="utf-8") == text


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(DatasetError, match="is not empty, and holds no study"):
        run_study(TINY, 7, tmp_path, executor=LocalProcesses(1))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_seed_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "--seed", "-1"]) == MISUSED
    assert "--seed" in capsys.readouterr().err


def test_the_document_is_what_its_figures_say() -> None:
    check_document(DOCS)


@pytest.mark.proof
def test_the_figures_are_those_of_this_program(tmp_path: Path) -> None:
    figures = read_figures((DOCS / FIGURES).read_text(encoding="utf-8"))
    [[_study, form, seed, _player]] = figures["study"].rows
    job = jobs_of(SIZES[str(form)], int(str(seed)))["equal"]["greedy"]
    dataset = generate(tmp_path / "greedy", job, executor=LocalProcesses(2))
    deals = {"greedy": dataset.scan_deals().collect()}
    for name, question in (("first_side", first_side_table), ("points", points_table)):
        found = read_figures(write_figures({name: question(deals)}))[name].rows
        assert found == tuple(row for row in figures[name].rows if row[0] == "greedy")


@pytest.mark.proof
def test_the_quick_study_is_a_whole_one(tmp_path: Path) -> None:
    run_study(QUICK, 2, tmp_path, executor=LocalProcesses(2))
    check_document(tmp_path)
    figures = read_figures((tmp_path / FIGURES).read_text(encoding="utf-8"))
    committed = read_figures((DOCS / FIGURES).read_text(encoding="utf-8"))
    assert figures.keys() == committed.keys()
    for name, table in figures.items():
        assert table.columns == committed[name].columns


def test_the_document_names_the_seed_and_the_jobs_that_it_comes_from() -> None:
    figures = read_figures((DOCS / FIGURES).read_text(encoding="utf-8"))
    document = (DOCS / DOCUMENT).read_text(encoding="utf-8")
    [[_study, form, seed, player]] = figures["study"].rows
    sizes = SIZES[str(form)]
    assert player == sizes.player
    jobs = {
        f"{group}: {name}": job
        for group, named in jobs_of(sizes, int(str(seed))).items()
        for name, job in named.items()
    }
    named = {row[0]: row for row in figures["data"].rows[:-1]}
    assert list(named) == list(jobs)
    for name, job in jobs.items():
        assert named[name][2] == job.rules.fingerprint
        assert named[name][4:6] == (seed, job.games)
        assert f"| {job.rules.fingerprint} |" in document


def test_figures_come_back_from_their_file() -> None:
    text = (DOCS / FIGURES).read_text(encoding="utf-8")
    assert write_figures(read_figures(text)) == text


def test_every_switch_is_tried_against_both_rule_sets() -> None:
    jobs = jobs_of(QUICK, 1)
    untried = {"target", "partners_show_card"}
    for base in ("classic", "taverna"):
        changed = {
            switch
            for job in jobs[base].values()
            for switch in SWITCHES
            if getattr(job.rules, switch) != getattr(RULE_SETS[base], switch)
        }
        assert changed == set(SWITCHES) - untried
    assert {job.seed for named in jobs.values() for job in named.values()} == {1}
    for players in [
        player for named in jobs.values() for job in named.values() for player in job.players
    ]:
        assert players.seconds is None


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("number", "1.50 ± 0.25"),
        ("signed", "+1.50 ± 0.25"),
        ("share", "150.0 % (125.0 – 175.0)"),
        ("signed share", "+150.0 ± 25.0 %"),
        ("whole", "2 (2 – 2)"),
    ],
)
def test_cells_are_written_with_their_intervals(form: str, text: str) -> None:
    estimate = Estimate(1.5, 1.25, 1.75, 9)
    assert format_cell(estimate, form) == text
    assert format_cell(UNKNOWN, form) == "–"


def test_signs_are_those_of_mathematics() -> None:
    estimate = Estimate(-0.5, -0.75, float("inf"), 9)
    assert format_cell(estimate, "signed") == "−0.50 ± ∞"
    assert format_cell(replace(estimate, value=1234.4, low=1000.0), "whole") == "1,235 (1,000 – ∞)"
    assert format_cell(12345, "count") == "12,345"
