"""Figures of finished matches, counted by hand and by their sums."""

from __future__ import annotations

import random
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev

import pytest

from diloti.bots import LEVELS
from diloti.core.rules import CLASSIC, TAVERNA
from diloti.teacher.figures import (
    FEWEST,
    MIXED,
    MOST_POINTS,
    MOVING,
    PEOPLE,
    PlayedDeal,
    PlayedMatch,
    course_of,
    figures_of,
    half_width,
)
from tests.played import played


def test_some_matches_counted_by_hand() -> None:
    first = played(3, -8, day="2026-01-01")
    first = replace(first, deals=(PlayedDeal((30, 22), (7, 4), (0, 1)), *first.deals[1:]))
    lost = played(5, is_won=False, opponent="", is_given_up=True, day="2026-01-02")
    last = played(day="2026-01-03", rules=replace(TAVERNA, target=31), accuracy=75.0)
    figures = figures_of([first, lost, last])
    total = figures.total
    assert (total.matches, total.won, total.lost, total.given_up) == (3, 2, 1, 1)
    assert (total.deals, total.lead) == (3, 3 - 8 + 5)
    assert total.average_lead == 0
    assert figures.leads == [3, -8, 5]
    assert figures.points == (7 - 8 + 5, 4)
    assert figures.xeri == (0, 1)
    assert figures.even_deals == 2
    assert figures.longest_run == 1
    assert figures.accuracies == [("2026-01-03", 75.0)]
    assert list(figures.by_opponent) == ["novice", PEOPLE]
    assert figures.by_opponent["novice"].matches == 2
    assert list(figures.by_rules) == [("classic", False), ("taverna", True)]
    assert figures.by_rules["taverna", True].average_lead is None
    assert figures.half_width is None


def test_no_matches_have_no_figures() -> None:
    figures = figures_of([])
    assert figures.total.matches == figures.longest_run == 0
    assert figures.total.average_lead is None
    assert course_of(figures.leads) == []


def test_a_run_ends_with_a_loss() -> None:
    results = [True, True, False, True, True, True, False, True]
    figures = figures_of(played(1, is_won=won) for won in results)
    assert figures.longest_run == 3


@pytest.mark.parametrize(
    ("seats", "levels", "opponent"),
    [
        ((0,), ("", "expert"), "expert"),
        ((1,), ("", ""), PEOPLE),
        ((0, 2), ("", "novice", "", "novice"), "novice"),
        ((2,), ("expert", "novice", "", "regular"), MIXED),
        ((3,), ("strong", "novice", "", ""), PEOPLE),
        ((1,), ("strong", "", "strong", "expert"), "strong"),
    ],
)
def test_the_opponent_is_who_sits_on_the_other_side(
    seats: tuple[int, ...], levels: tuple[str, ...], opponent: str
) -> None:
    match = played(seats=seats, levels=levels, names=("",) * len(levels))
    assert match.opponent == opponent
    assert match.side == seats[0] % 2
    assert set(match.seats).isdisjoint(match.other_seats)


def test_the_number_of_players_is_no_house_rule() -> None:
    for rules in (CLASSIC, TAVERNA):
        assert played(rules=replace(rules, players=4)).rule_set == (rules.base, False)
        assert played(rules=replace(rules, target=21)).rule_set == (rules.base, True)


def some_matches(rng: random.Random, count: int) -> list[PlayedMatch]:
    return [
        played(
            *(rng.randint(-30, 30) for _ in range(rng.randrange(5))),
            opponent=rng.choice((*LEVELS, "", "greedy")),
            is_won=rng.random() < 0.5,
            rules=rng.choice((CLASSIC, TAVERNA, replace(TAVERNA, target=5))),
            accuracy=rng.choice((None, 60.5, 90.0)),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_parts_add_up(seed: int) -> None:
    matches = some_matches(random.Random(seed), 60)
    figures = figures_of(iter(matches))
    for parts in (figures.by_opponent, figures.by_rules):
        for what in ("matches", "won", "lost", "given_up", "deals", "lead"):
            together = sum(getattr(part, what) for part in parts.values())
            assert together == getattr(figures.total, what)
    assert figures.total.deals == len(figures.leads)
    assert figures.points[0] - figures.points[1] == sum(figures.leads) == figures.total.lead
    levels = [name for name in figures.by_opponent if name in LEVELS]
    assert levels == [level for level in LEVELS if level in levels]
    assert [*figures.by_opponent][len(levels) :] == ["greedy", PEOPLE]


@pytest.mark.parametrize(("count", "quantile"), [(5, 2.776), (11, 2.228), (121, 1.980)])
def test_the_interval_is_that_of_student(count: int, quantile: float) -> None:
    leads = [*range(count)]
    assert half_width(leads) == pytest.approx(quantile * stdev(leads) / sqrt(count), rel=0.001)
    assert half_width(leads[: FEWEST - 1]) is None


@pytest.mark.parametrize("count", [1, 5, MOST_POINTS, MOST_POINTS + 1, 6940])
def test_a_course_has_every_value_in_one_point(count: int) -> None:
    rng = random.Random(count)
    values = [rng.uniform(-9, 9) for _ in range(count)]
    points = course_of(values)
    assert len(points) <= MOST_POINTS
    after = 0
    for place, point in enumerate(points):
        assert point.first == after + 1
        after = point.last
        assert point.mean == pytest.approx(fmean(values[point.first - 1 : point.last]))
        earliest = points[max(0, place - MOVING + 1)].first
        assert point.moving == pytest.approx(fmean(values[earliest - 1 : point.last]))
    assert after == count
