"""Duels: paired, exact whatever the number of processes, and told as they were asked for."""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import pickle
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from diloti import bots
from diloti.bots import Bot, UnknownBotError, choose
from diloti.bots.budget import Budget
from diloti.bots.choice import Choice
from diloti.bots.simple import choose_random
from diloti.core.cards import mask_of
from diloti.core.legality import IllegalPlay
from diloti.core.plays import TRAIL, Play
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.view import View, view_of
from diloti.lab.duel import Duel, PairResult
from diloti.lab.duelling import DuelError, DuelLine, plan_duel
from diloti.lab.executors.executor import count_cores
from diloti.lab.executors.processes import LocalProcesses
from diloti.lab.games import SEEDS
from diloti.lab.measurement import Measurement
from diloti.lab.player import Player, PlayerError, parse_player
from diloti.lab.report import (
    LEDGER_COLUMNS,
    Report,
    format_json,
    format_rules,
    ledger_row,
    table_lines,
)
from diloti.stats import FEWEST, Sample, always_half_width, student_half_width
from diloti.words import Words
from tests.scripted import ENGLISH
from tests.setting import position
from tests.test_cli import FakeTerminal

GREEDY, RANDOM = Player("greedy"), Player("random")
SMALL = replace(CLASSIC, pack=mask_of(range(20)), hand_size=4, layout_size=4, target=9)
"""Two players, sixteen plays."""
SMALL_FOUR = replace(SMALL, players=4, hand_size=2)


def tick() -> float:
    return 0.0


def duel(
    first: Player = GREEDY, second: Player = RANDOM, rules: Rules = SMALL, seed: int = 3
) -> Duel:
    return Duel(rules, (first, second), seed)


def measured(duel: Duel, *, pairs: int = 4, until_sure: bool = False) -> Measurement:
    measurement = Measurement(duel, pairs=pairs, until_sure=until_sure)
    measurement.run(executor=LocalProcesses(1), clock=tick)
    return measurement


# --- Players -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("greedy", Player("greedy")),
        ("random:400", Player("random", simulations=400)),
        ("greedy:0.1s", Player("greedy", seconds=0.1)),
        ("greedy:2s", Player("greedy", seconds=2.0)),
    ],
)
def test_names_of_players(text: str, player: Player) -> None:
    assert parse_player(f" {text} ") == player
    assert str(player) == text


@pytest.mark.parametrize(
    "text",
    [
        "", ":", ":400", "greedy:", "greedy:0", "greedy:-1", "greedy:1.5", "greedy:0s", "greedy:s",
        "greedy:0.0s", "greedy:.1s", "greedy:nans", "greedy:1e3s", "greedy:4:5", "greedy:٤",
        "greedy:" + "9" * 5000, "greedy:" + "9" * 5000 + "s", "greedy:0.1 s", "greedy:400\n1",
    ],
)  # fmt: skip
def test_nonsense_is_no_player(text: str) -> None:
    with pytest.raises(PlayerError):
        parse_player(text)


def test_an_unknown_bot_is_no_player() -> None:
    with pytest.raises(UnknownBotError):
        parse_player("grandmaster:400")


def test_budgets_are_accepted() -> None:
    view = view_of(position("6h9d", "6d2c4s"), 0)
    assert choose(view, "greedy", seconds=0.1) == choose(view, "greedy", simulations=9)


# --- Pairs -------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [SMALL, SMALL_FOUR])
@pytest.mark.parametrize("whole_matches", [False, True])
def test_a_player_against_itself_comes_out_at_zero(rules: Rules, whole_matches: bool) -> None:
    for player in (GREEDY, RANDOM):
        mirror = Duel(rules, (player, player), 5, whole_matches=whole_matches)
        figures = measured(mirror).figures()
        assert (figures.mean, figures.deviation, figures.half_width) == (0, 0, 0)
        assert figures.won == figures.lost
        assert figures.matches_won * 2 == figures.matches
        assert figures.xeri[0] == figures.xeri[1]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[View, int, str]]:
    """What the bots `greedy` and `random` are shown, with the seed; both play at random."""
    shown: list[tuple[View, int, str]] = []

    def remember(name: str) -> Bot:
        def remembering(view: View, seed: int, _budget: Budget) -> Choice:
            shown.append((view, seed, name))
            return choose_random(view, seed)

        return Bot(remembering)

    monkeypatch.setattr(bots, "BOTS", {name: remember(name) for name in ("greedy", "random")})
    return shown


@pytest.mark.parametrize("rules", [SMALL, SMALL_FOUR])
def test_both_deals_of_a_pair_have_the_same_cards_and_seeds(
    seen: list[tuple[View, int, str]], rules: Rules
) -> None:
    for number in range(rules.players + 1):
        seen.clear()
        result = duel(rules=rules).play_pair(number, clock=tick)
        first, second = seen[:16], seen[16:]
        assert [(view, seed) for view, seed, _ in first] == [
            (view, seed) for view, seed, _ in second
        ]
        assert all((name == "greedy") == (view.side == 0) for view, _seed, name in first)
        assert all((name == "greedy") == (view.side == 1) for view, _seed, name in second)
        assert len({seed for _view, seed, _name in first}) == 16
        assert {view.dealer for view, _, _ in seen} == {number % rules.players}
        assert all(view.scores == (0, 0) and view.history is not None for view, _, _ in seen)
        there, back = result.deals
        assert there.points == back.points[::-1]
        assert there.plays == back.plays == (8, 8)


def test_deals_of_a_match_carry_the_scores(seen: list[tuple[View, int, str]]) -> None:
    rules = replace(SMALL, target=30)
    result = replace(duel(rules=rules), whole_matches=True).play_pair(1, clock=tick)
    games = result.games
    assert games[0].winner == 1 - (games[1].winner or 0)
    totals = {view.scores for view, _, _ in seen}
    assert (0, 0) in totals
    assert len(games[0].deals) >= 2
    first = games[0].deals[0].points
    assert first in totals
    dealers = [view.dealer for view, _, _ in seen if view.plays == 0]
    assert dealers[:2] == [1, 0]
    won = [sum(deal.points[0] for deal in game.deals) for game in games]
    assert (won[0] >= 30) != (won[1] >= 30)
    assert result.balance == 0


def test_pairs_follow_from_the_seed_and_their_number() -> None:
    first = duel().play_pair(2, clock=tick)
    assert duel().play_pair(2, clock=tick) == first
    assert duel(seed=4).play_pair(2, clock=tick).deals != first.deals
    assert duel().play_pair(3, clock=tick).deals != first.deals
    duel(seed=SEEDS - 1).play_pair(10**9, clock=tick)


def test_thinking_is_timed_for_each_player() -> None:
    ticks = itertools.count(0.0, 0.25)
    result = duel().play_pair(0, clock=lambda: next(ticks))
    assert all(deal.seconds == (2.0, 2.0) for deal in result.deals)


def test_an_illegal_play_is_shown_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Choice(Play(TRAIL, 51), ())
    monkeypatch.setattr(bots, "BOTS", {"greedy": Bot(lambda _view, _seed, _budget: wrong)})
    with pytest.raises(IllegalPlay):
        duel(GREEDY, GREEDY).play_pair(0, clock=tick)


# --- Measuring ---------------------------------------------------------------------


def test_figures_are_those_of_the_pairs() -> None:
    measurement = measured(duel(), pairs=6)
    figures = measurement.figures()
    deals = [deal for result in measurement.results for deal in result.deals]
    gains = [deal.points[0] - deal.points[1] for deal in deals]
    assert (figures.pairs, figures.deals, figures.matches) == (6, 12, 0)
    assert figures.mean == pytest.approx(sum(gains) / 12)
    assert (figures.won, figures.lost) == (sum(g > 0 for g in gains), sum(g < 0 for g in gains))
    assert figures.xeri[0] == pytest.approx(sum(deal.xeri[0] for deal in deals) / 12)
    course = measurement.course()
    assert course[0][1] == math.inf
    assert course[-1] == (figures.mean, figures.half_width)
    assert measurement.is_complete
    assert not measurement.is_sure


def test_until_sure_ends_with_the_first_pair_that_makes_sure() -> None:
    measurement = measured(duel(), pairs=200, until_sure=True)
    assert measurement.is_sure
    assert FEWEST <= len(measurement.results) < 200
    sample = Sample()
    for result in measurement.results:
        assert abs(sample.mean) <= always_half_width(sample)
        sample.add(result.difference)
    assert abs(sample.mean) > always_half_width(sample) > student_half_width(sample)
    assert measurement.results == measured(duel(), pairs=len(measurement.results)).results


def test_matches_are_measured_by_matches_won() -> None:
    measurement = measured(replace(duel(), whole_matches=True), pairs=3, until_sure=True)
    figures = measurement.figures()
    assert figures.matches == 6
    assert figures.deals == sum(len(result.deals) for result in measurement.results)
    low, high = figures.matches_share
    assert low < figures.matches_won / 6 < high or figures.matches_won in (0, 6)
    assert not measurement.is_sure
    assert measurement.is_complete


def test_what_was_played_before_an_interruption_stays() -> None:
    measurement = Measurement(duel(), pairs=9)

    def interrupt(sample: Sample) -> None:
        if sample.count == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measurement.run(executor=LocalProcesses(1), clock=tick, watch=interrupt)
    assert [result.number for result in measurement.results] == [0, 1]
    assert not measurement.is_complete


# --- Processes ---------------------------------------------------------------------


def without_times(measurement: Measurement, workers: int) -> dict[str, object]:
    told: dict[str, object] = json.loads(format_json(Report(measurement, workers, 1.0)))
    del told["time"]
    return told


def test_the_number_of_processes_changes_nothing() -> None:
    told = []
    for workers in (1, 2):
        measurement = Measurement(duel(Player("greedy", simulations=40)), pairs=60, until_sure=True)
        measurement.run(executor=LocalProcesses(workers), clock=time.perf_counter)
        told.append(without_times(measurement, workers))
        assert measurement.is_sure  # so the second one left pairs undone
    assert told[0] == told[1]
    assert not multiprocessing.active_children()


# --- Telling -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def report() -> Report:
    return Report(measured(duel(), pairs=5), workers=2, wall_seconds=12.34)


def test_the_table_says_it_all(report: Report) -> None:
    lines = table_lines(ENGLISH, report)
    table = dict(re.split(r"  +", line, maxsplit=1) for line in lines)
    assert table["Player A"] == "greedy"
    assert table["Player B"] == "random"
    assert table["Fingerprint"] == SMALL.fingerprint
    assert (table["Pairs"], table["Deals"], table["Seed"]) == ("5", "10", "3")
    assert re.fullmatch(r"[+-]\d+\.\d\d ± \d+\.\d\d \(95%, Student's t\)", table[
        "Points a deal, A less B"
    ])  # fmt: skip
    assert table["Time"] == "12.3 s (worker processes: 2)"
    assert table["Stopping rule"] == "number of pairs fixed beforehand"
    columns = {len(line) - len(re.split(r"  +", line, maxsplit=1)[1]) for line in lines}
    assert len(columns) == 1


def test_the_table_of_matches() -> None:
    matches = measured(replace(duel(), whole_matches=True), pairs=2, until_sure=True)
    table = "\n".join(table_lines(ENGLISH, Report(matches, workers=1, wall_seconds=0.0)))
    assert re.search(r"Matches +4\n", table)
    assert re.search(r"Matches won by A +\d+\.\d% \(95% at every moment, mixture t: ", table)
    assert "± ∞ (95% at every moment, mixture t)" in table
    assert "until sure: still not sure after pair 2, the last" in table
    fixed = Report(measured(replace(duel(), whole_matches=True), pairs=2), 1, 0.0)
    assert re.search(
        r"Matches won by A +\d+\.\d% \(95%, Wilson: ", "\n".join(table_lines(ENGLISH, fixed))
    )


def test_rules_are_written_as_they_are_typed() -> None:
    assert format_rules(TAVERNA) == "taverna"
    changed = rules_from("classic", target=31, obligations=False)
    assert format_rules(changed) == "classic target=31 obligations=false"


def test_a_row_of_the_ledger(report: Report) -> None:
    row = ledger_row(report, date="2026-01-31")
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == len(LEDGER_COLUMNS)
    assert cells[0] == "2026-01-31"
    assert cells[3:6] == ["greedy", "random", "5"]
    assert cells[7].endswith("of 10 deals")
    assert "\n" not in row
    interrupted = Measurement(duel(), pairs=50)
    interrupted.results = report.measurement.results
    row = ledger_row(Report(interrupted, 1, 1.0), date="2026-01-31")
    assert "interrupted after pair 5 of 50" in row


def test_json_holds_every_pair(report: Report) -> None:
    told = json.loads(format_json(report))
    assert [pair["pair"] for pair in told["results"]] == list(range(5))
    assert told["points_a_deal"]["mean"] == pytest.approx(
        sum(pair["difference"] for pair in told["results"]) / 5, abs=1e-5
    )
    assert told["rules"]["base"] == "classic"
    one = json.loads(format_json(Report(measured(duel(), pairs=1), 1, 0.0)))
    assert one["points_a_deal"]["half_width"] is None


def test_the_line_of_progress() -> None:
    ticks = itertools.count(0.0, 2.0)
    stream = FakeTerminal()
    line = DuelLine(ENGLISH, Measurement(duel(), pairs=4000), stream, clock=lambda: next(ticks))
    line.prepare()
    sample = Sample()
    for result in (1.0, 3.0, 2.0):
        sample.add(result)
        line.show(sample)
    prepared, *drawn = stream.getvalue().split("\r")
    assert prepared.startswith("preparing")
    assert drawn[0].rstrip() == "[--------------------] 1/4000 pairs   +1.00 ± ∞   ? left"
    assert drawn[2].rstrip().endswith("3/4000 pairs   +2.00 ± 2.48   2:13:14 left")
    line.clear()
    assert stream.getvalue().endswith(" \r\r")
    assert "\n" not in stream.getvalue()


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture(report: Report, tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib")
    from diloti.lab.picture import draw_report

    files = [tmp_path / f"{number}.{ending}" for number in range(2)]
    for file in files:
        draw_report(Words("en"), report, file)
    drawn = files[0].read_bytes()
    assert drawn == files[1].read_bytes()
    assert drawn.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[ending])


@pytest.mark.parametrize("pairs", [1, 2])
def test_a_picture_of_hardly_anything(tmp_path: Path, pairs: int) -> None:
    pytest.importorskip("matplotlib")
    from diloti.lab.picture import draw_report

    mirror = measured(duel(GREEDY, GREEDY), pairs=pairs, until_sure=True)
    draw_report(Words("el"), Report(mirror, 1, 0.0), tmp_path / "mirror.svg")
    assert (tmp_path / "mirror.svg").exists()


# --- Planning ----------------------------------------------------------------------


def test_a_plan_with_all_that_is_usual() -> None:
    plan = plan_duel(CLASSIC, ("greedy", "random"), seed=1)
    assert plan.measurement.pairs == 1000
    assert plan.executor.workers == count_cores()
    assert not plan.measurement.duel.whole_matches
    matches = plan_duel(CLASSIC, ("greedy", "random"), seed=1, matches=2, workers=8)
    assert matches.measurement.duel.whole_matches
    assert (matches.measurement.pairs, matches.executor.workers) == (1, 1)


def test_trying_a_file_out_leaves_it_as_it_was(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.svg"
    old.write_text("kept")
    plan_duel(CLASSIC, ("greedy", "random"), seed=1, json_file=old, picture_file=new)
    assert old.read_text() == "kept"
    assert not new.exists()


def test_a_file_with_an_impossible_name_is_refused() -> None:
    with pytest.raises(DuelError):
        plan_duel(CLASSIC, ("greedy", "random"), seed=1, json_file=Path("a\0b"))


def test_results_of_pairs_are_small() -> None:
    """They wait in the pipe between processes."""
    result = Duel(CLASSIC, (RANDOM, RANDOM), 1).play_pair(0, clock=tick)
    assert isinstance(result, PairResult)
    assert len(pickle.dumps(result)) < 1000


@pytest.mark.parametrize("seconds", ["0.00001", "12345.123456789", "1", "0.1", "10", "100.5"])
def test_players_are_written_as_they_are_read(seconds: str) -> None:
    player = parse_player(f"greedy:{seconds}s")
    assert parse_player(str(player)) == player
    assert str(player) == f"greedy:{seconds}s"


def test_two_results_need_two_files(tmp_path: Path) -> None:
    same = tmp_path / "same.png"
    with pytest.raises(DuelError, match="two files"):
        plan_duel(SMALL, ("greedy", "random"), pairs=1, seed=1, json_file=same, picture_file=same)


def test_the_share_of_matches_holds_at_every_moment_when_it_may_stop_early() -> None:
    measurement = measured(replace(duel(), whole_matches=True), pairs=FEWEST + 5, until_sure=True)
    low, high = measurement.figures().matches_share
    balances = Sample()
    for result in measurement.results:
        balances.add(result.balance)
    reach = always_half_width(balances, confidence=0.95)
    assert high - low <= reach + 1e-9
    assert low <= (1 + balances.mean) / 2 <= high
    assert "at every moment" in ledger_row(Report(measurement, 1, 0.0), date="2026-11-30")
