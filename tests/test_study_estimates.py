"""The estimates of the study: against simple cases, and how often their intervals hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from diloti.lab.study.estimates import (
    UNKNOWN,
    Column,
    Estimate,
    Table,
    coefficients_of,
    deviation_of,
    mean_of,
    ratio_of,
    share_difference,
    share_of,
    table_as_json,
    table_from_json,
)
from diloti.stats import Sample, student_half_width, wilson


def test_a_mean_is_that_of_student() -> None:
    results = [3.0, -1.5, 8.0, 8.0, 0.5]
    sample = Sample()
    for result in results:
        sample.add(result)
    mean = mean_of(results)
    assert mean.value == pytest.approx(3.6)
    assert mean.half_width == pytest.approx(student_half_width(sample))
    assert mean.count == 5


def test_a_deviation_is_without_bias_of_its_square() -> None:
    assert deviation_of([1.0, 3.0, 5.0]).value == pytest.approx(2)


def test_shares_of_cases_that_are_alone_in_their_deals_are_wilsons() -> None:
    hits, cases = [1] * 30 + [0] * 70, [1] * 100
    share = share_of(hits, cases)
    low, high = wilson(30, 100)
    assert share.value == pytest.approx(0.3)
    assert (share.low, share.high) == pytest.approx((low, high), abs=0.001)


def test_cases_that_only_repeat_their_deal_tell_no_more() -> None:
    hits, cases = np.array([1, 0, 1, 1, 0, 0, 1, 0]), np.ones(8)
    once, often = share_of(hits, cases), share_of(7 * hits, 7 * cases)
    assert (often.value, often.low, often.high) == pytest.approx((once.value, once.low, once.high))


def test_what_never_or_always_happens_has_an_interval_too() -> None:
    assert share_of([0, 0], [3, 4]) == Estimate(0.0, *wilson(0, 7), 7)
    assert share_of([3, 4], [3, 4]).low == pytest.approx(wilson(7, 7)[0])


@pytest.mark.parametrize("estimate", [share_of([], []), share_of([0], [0]), mean_of([])])
def test_nothing_is_known_of_what_was_never_seen(estimate: Estimate) -> None:
    assert math.isnan(estimate.value)
    assert estimate.half_width == math.inf


def test_ratios_and_differences_of_shares() -> None:
    assert ratio_of([6, 2], [2, 2]).value == pytest.approx(2)
    difference = share_difference([1, 1, 0], [1, 1, 1], [0, 1, 0], [1, 1, 1])
    assert difference.value == pytest.approx(1 / 3)
    assert share_difference([0], [0], [1], [1]).count == UNKNOWN.count


def test_intervals_hold_about_as_often_as_they_say() -> None:
    dice = np.random.default_rng(1)
    held = [0, 0, 0]
    for _ in range(400):
        chances = dice.beta(2, 6, size=60)  # cases of one deal are like each other
        cases = dice.integers(0, 9, size=60)
        hits, others = dice.binomial(cases, chances), dice.binomial(cases, chances)
        share = share_of(hits, cases)
        held[0] += share.low < 0.25 < share.high
        difference = share_difference(hits, cases, others, cases)
        held[1] += difference.low < 0 < difference.high
        lead = dice.normal(1, 3, size=40)
        held[2] += mean_of(lead).low < 1 < mean_of(lead).high
    assert all(0.92 * 400 <= times <= 0.98 * 400 for times in held), held


def test_least_squares_finds_what_causes_give() -> None:
    dice = np.random.default_rng(2)
    causes = dice.normal(size=(500, 3))
    effects = coefficients_of(causes @ (2.0, -1.0, 0.0) + dice.normal(size=500), causes)
    for effect, true in zip(effects, (2.0, -1.0, 0.0)):
        assert effect.low < true < effect.high
        assert effect.half_width < 0.15


def test_causes_that_say_the_same_have_no_effects_of_their_own() -> None:
    same = np.ones((9, 2))
    assert [effect.count for effect in coefficients_of(np.arange(9.0), same)] == [0, 0]


def test_tables_come_back_from_json() -> None:
    cells = ("x", 3, Estimate(0.5, 0.25, 0.75, 9), Estimate(1.0, -math.inf, math.inf, 1))
    made = Table(tuple(map(Column, "abcd")), (cells,))
    assert table_from_json(table_as_json(made)) == made
