"""The statistics: against tables and simple cases, and the test that may be looked at always."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

import numpy as np
import pytest

from diloti.stats import (
    FEWEST,
    Sample,
    always_half_width,
    is_sure,
    student_half_width,
    student_quantile,
    wilson,
)


def sample_of(*results: float) -> Sample:
    sample = Sample()
    for result in results:
        sample.add(result)
    return sample


def test_a_sample_has_mean_and_deviation() -> None:
    results = [3.0, -1.5, 8.0, 8.0, 0.5]
    sample = sample_of(*results)
    assert sample.count == 5
    assert sample.mean == pytest.approx(statistics.mean(results))
    assert sample.deviation == pytest.approx(statistics.stdev(results))
    assert sample_of().deviation == sample_of(7.0).deviation == 0


@pytest.mark.parametrize(
    ("freedom", "confidence", "quantile"),
    [
        (1, 0.95, 12.7062),
        (2, 0.95, 4.30265),
        (3, 0.99, 5.84091),
        (10, 0.95, 2.22814),
        (30, 0.99, 2.75000),
        (100, 0.95, 1.98397),
        (1000, 0.95, 1.96234),
        (10**7, 0.95, 1.95996),
    ],
)
def test_quantiles_are_those_of_the_tables(
    freedom: int, confidence: float, quantile: float
) -> None:
    assert student_quantile(freedom, confidence=confidence) == pytest.approx(quantile, abs=5e-5)


def test_both_ways_to_a_quantile_meet() -> None:
    steps = [student_quantile(freedom) for freedom in range(195, 207)]
    falls = [before - after for before, after in zip(steps, steps[1:])]
    assert all(1e-6 < fall < 1e-4 for fall in falls)
    assert falls == sorted(falls, reverse=True)


def test_the_interval_of_a_mean() -> None:
    assert student_half_width(sample_of()) == student_half_width(sample_of(4.0)) == math.inf
    assert student_half_width(sample_of(1, 3)) == pytest.approx(12.7062, abs=1e-3)
    assert student_half_width(sample_of(5, 5, 5)) == 0


def test_the_interval_that_always_holds_is_wider_and_infinite_at_first() -> None:
    sample = Sample()
    for number in range(2000):
        sample.add(float(number % 7))
        if sample.count < FEWEST:
            assert always_half_width(sample) == math.inf
        else:
            assert always_half_width(sample) > 1.2 * student_half_width(sample)
    assert always_half_width(sample) < 2 * student_half_width(sample)


def test_the_bound_is_where_the_mixture_reaches_it() -> None:
    """The formula of the half width put back into the mixture that it inverts."""
    sample = sample_of(*(float(number * number % 11) for number in range(80)))
    effect_variance, confidence = 0.04, 0.9
    t_squared = sample.count * (always_half_width(sample, confidence=confidence)) ** 2
    t_squared /= sample.deviation**2
    spread = 1 + sample.count * effect_variance
    freedom = sample.count - 1
    ratio = (1 + t_squared / freedom) / (1 + t_squared / (freedom * spread))
    assert ratio ** (sample.count / 2) / math.sqrt(spread) == pytest.approx(10)


def test_equal_results_make_sure_only_when_they_are_not_zero() -> None:
    assert not is_sure(sample_of(*[0.0] * 500))
    assert not is_sure(sample_of(*[2.0] * (FEWEST - 1)))
    assert is_sure(sample_of(*[2.0] * FEWEST))
    assert is_sure(sample_of(*[-2.0] * FEWEST))


Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def like_deals(chance: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Differences like those of equal players: card points, and now and then xeri."""
    cards = chance.integers(-11, 12, shape)
    xeri = 10 * (chance.poisson(0.3, shape) - chance.poisson(0.3, shape))
    return (cards + xeri) / 2


def seldom(chance: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Two players who hardly ever play differently."""
    return chance.choice([-10.0, 0.0, 10.0], shape, p=[0.02, 0.96, 0.02])


def matches(chance: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Pairs of matches: both won, one each, both lost."""
    return chance.choice([-1.0, 0.0, 1.0], shape, p=[0.2, 0.6, 0.2])


def lopsided(chance: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Many small losses against few large gains, zero in the mean."""
    return chance.gamma(4.0, 3.0, shape) - 12.0


@pytest.mark.parametrize("draw", [like_deals, seldom, matches, lopsided])
def test_looking_after_every_pair_keeps_the_level(draw: Draw) -> None:
    """Of equal players at most one duel in twenty ends, and some do, so it is not empty."""
    runs, pairs = 400, 400
    chance = np.random.default_rng(20)
    ended = naive = 0
    for results in draw(chance, (runs, pairs)):
        sample = Sample()
        ended += any(is_sure(taken(sample, result)) for result in results)
        count = np.arange(FEWEST, pairs + 1)
        mean = np.cumsum(results)[FEWEST - 1 :] / count
        square = np.cumsum(results**2)[FEWEST - 1 :] / count
        error = np.sqrt((square - mean**2) / (count - 1))
        naive += bool(np.any(np.abs(mean) > 1.98 * error))
    assert 0 < ended / runs <= 0.05
    assert naive / runs > 0.15  # what looking at Student's interval every time would do


def taken(sample: Sample, result: float) -> Sample:
    sample.add(float(result))
    return sample


def test_a_real_difference_is_found() -> None:
    chance = np.random.default_rng(7)
    ends = []
    for results in like_deals(chance, (40, 1500)) + 1.5:
        sample = Sample()
        for result in results:
            if is_sure(taken(sample, result)):
                break
        assert sample.mean > 0
        ends.append(sample.count)
    assert max(ends) < 1500
    assert statistics.median(ends) < 400


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_the_interval_of_a_share(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won, games) == pytest.approx((low, high), abs=1e-4)


def test_the_interval_of_no_games_is_everything() -> None:
    assert wilson(0, 0) == (0, 1)
