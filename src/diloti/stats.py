"""Statistics of results that come one after another: how sure one can be, and when that is enough.

Three questions, three answers:

- After a number of results that was fixed beforehand, `student_half_width` is the half width of
  Student's *t* interval of their mean.
- After every result, as often as one likes, `always_half_width` is the half width of an interval
  that holds the true mean *all the time* with the confidence asked for. Stopping as soon as zero
  is outside is therefore a test which keeps its level however often one looks. It inverts the
  mixture *t* test: a test martingale of the scale-free data, with a normal mixture over the effect
  (mean / standard deviation) and the right Haar measure over the standard deviation; Ville's
  inequality bounds the chance that it ever passes 1 / (1 - confidence). See H. Wang and
  A. Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
  variance" (arXiv 2310.03722), after T. L. Lai, "On confidence sequences", Annals of Statistics 4
  (1976). The bound is exact for normal results. Those of cards are not normal, so nothing is
  concluded from fewer than `FEWEST`; tests/test_stats.py measures what remains.
- Of a number of games, `wilson` is the interval of the share that is won (E. B. Wilson, Journal
  of the American Statistical Association 22, 1927).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

CONFIDENCE = 0.95
"""The confidence of an interval unless another one is asked for."""

FEWEST = 50
"""Below so many results the interval that always holds is infinite. Of 4000 simulated duels of
equal players, looked at after each of 3000 pairs with a confidence of 95 %, so many were called
sure: 3.8 % with normal results, 3.3 % with those like deals, 4.3 % with skewness 1, 6.4 % with
skewness 2, which is that of an exponential distribution."""

_EFFECT_VARIANCE = 0.04
"""Variance of the mixture over effects. It decides for which effects the fewest results do: this
is right for about 0.2, and from 0.05 to 0.5 it needs at most a quarter more than the best would."""

_EXACT_FREEDOM = 200


@dataclass
class Sample:
    """Results taken in one by one: how many, their mean, and how they spread (Welford 1962)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """Sum of the squared distances from the mean."""

    def add(self, result: float) -> None:
        """Take one more result in."""
        self.count += 1
        distance = result - self.mean
        self.mean += distance / self.count
        self.squares += distance * (result - self.mean)

    @property
    def deviation(self) -> float:
        """The standard deviation, estimated without bias of its square; 0 below two results."""
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0


def student_half_width(sample: Sample, *, confidence: float = CONFIDENCE) -> float:
    """Half the width of Student's *t* interval of the mean; infinite below two results.

    It holds for a number of results that was fixed beforehand.
    """
    if sample.count < 2:
        return math.inf
    quantile = student_quantile(sample.count - 1, confidence=confidence)
    return quantile * sample.deviation / math.sqrt(sample.count)


def always_half_width(sample: Sample, *, confidence: float = CONFIDENCE) -> float:
    """Half the width of the interval of the mean that holds after every result at once.

    Infinite below `FEWEST` results.
    """
    count = sample.count
    if count < FEWEST:
        return math.inf
    spread = 1 + count * _EFFECT_VARIANCE
    bound = (math.sqrt(spread) / (1 - confidence)) ** (2 / count)
    if bound >= spread:
        return math.inf
    ratio = (bound - 1) / (1 - bound / spread)  # t² / degrees of freedom where the bound is met
    return math.sqrt(ratio * (count - 1) / count) * sample.deviation


def is_sure(sample: Sample, *, confidence: float = CONFIDENCE) -> bool:
    """Whether the true mean is not zero, asked after any number of results, and after each.

    The chance of ever saying so of a mean that is zero is at most 1 - confidence.
    """
    return abs(sample.mean) > always_half_width(sample, confidence=confidence)


def wilson(won: float, games: float, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Lower and upper end of Wilson's interval of a share; (0, 1) where nothing was played.

    It takes games as independent. Two games with one pack and swapped sides share their luck the
    other way round, which makes the interval rather too wide than too narrow.
    """
    if games == 0:
        return 0.0, 1.0
    quantile = NormalDist().inv_cdf((1 + confidence) / 2)
    share, extra = won / games, quantile**2 / games
    middle = share + extra / 2
    reach = quantile * math.sqrt(share * (1 - share) / games + extra / (4 * games))
    return max(0.0, (middle - reach) / (1 + extra)), min(1.0, (middle + reach) / (1 + extra))


def student_quantile(freedom: int, *, confidence: float = CONFIDENCE) -> float:
    """What a Student variable of so many degrees of freedom stays below in size, that often.

    Abramowitz and Stegun, Handbook of Mathematical Functions: 26.7.3 and 26.7.4 inverted by
    bisection, for many degrees the expansion 26.7.5.
    """
    if freedom > _EXACT_FREEDOM:
        return _expanded_quantile(freedom, NormalDist().inv_cdf((1 + confidence) / 2))
    return _exact_quantile(freedom, confidence)


@cache
def _exact_quantile(freedom: int, confidence: float) -> float:
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        if _share_within(freedom, angle) < confidence:
            low = angle
        else:
            high = angle
    return math.sqrt(freedom) * math.tan(low)


def _share_within(freedom: int, angle: float) -> float:
    """How often a Student variable is within ± sqrt(freedom) tan(angle)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= cosine**2 * (power + 1) / (power + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def _expanded_quantile(freedom: int, normal: float) -> float:
    x, square = normal, normal**2
    return (
        x
        + x * (square + 1) / (4 * freedom)
        + x * ((5 * square + 16) * square + 3) / (96 * freedom**2)
        + x * (((3 * square + 19) * square + 17) * square - 15) / (384 * freedom**3)
    )
