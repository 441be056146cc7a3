"""A play and the best one, tried on the same samples.

First a race finds the best play, as `expert` does. A race flatters its winner: the best of many
means is too high. So the winner and the played play then meet on fresh samples, which the choice
knows nothing of, and these alone say what each is worth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from diloti.bots.budget import Budget
from diloti.bots.distinct import SCORING
from diloti.bots.levels import expert_method
from diloti.bots.outlook import Outlook
from diloti.bots.search import Search
from diloti.core.cards import tally_of
from diloti.core.jit import Ints
from diloti.core.view import View

GROUP = 8
"""Samples that are taken together; the spread of their means gives the standard error."""
_POINT = 1000

Likeness = tuple[int, int, int, int, int, int]


def likeness(packed: Iterable[int]) -> Likeness:
    """What is equal for plays that differ only by equal cards (`diloti.bots.distinct`)."""
    kind, card, loose, piles, value = map(int, packed)
    played = -1 - (card >> 2) if not SCORING >> card & 1 else card
    return kind, played, int(tally_of(loose & ~SCORING)), loose & SCORING, piles, value


class Race(Search):
    """The race for the best play; it keeps how each play stood when it was given up."""

    def __init__(self, view: View, seed: int) -> None:
        super().__init__(view, expert_method(view.rules), seed)
        self._course: dict[int, Ints] = {}

    def step(self, number: int = GROUP) -> None:
        """Try the plays that are left on some more samples."""
        tried = int(self.trials[self.alive[0]]) + number
        super().step(number)
        self._course[tried] = self._sums[1].copy()

    def behind(self, row: int) -> float:
        """How many points a play was behind the best one on the samples that it was tried on."""
        trials = int(self.trials[row])
        if trials == 0:
            return int(self.first_thoughts[self.best] - self.first_thoughts[row]) / _POINT
        sums = self._course[trials]
        return int(sums[self.best] - sums[row]) / trials / _POINT


@dataclass(frozen=True)
class Measured:
    """What a play is worth to its side: points ahead at the end, and the chance of side 0."""

    points: float
    chance: float


class Meeting(Search):
    """Some plays on the same fresh samples; none is ever given up."""

    def __init__(self, view: View, plays: Ints, seed: int, outlook: Outlook) -> None:
        method = replace(expert_method(view.rules), race=False)
        super().__init__(view, method, seed, outlook=outlook)
        number = len(plays)
        self.plays = plays
        self.first_thoughts = np.zeros(number, dtype=np.int64)
        self.alive = np.arange(number, dtype=np.int64)
        self.trials = np.zeros(number, dtype=np.int64)
        self._results = np.zeros(number, dtype=np.int64)
        self._sums = np.zeros((2, number), dtype=np.int64)
        self._products = np.zeros((number, number))
        self._differences: list[float] = []

    def take(self, samples: int) -> None:
        """Try all plays on so many samples, rounded up to whole groups."""
        for _ in range(-(-samples // GROUP)):
            before = self._sums[1].copy()
            self.step(GROUP)
            gained = self._sums[1] - before
            self._differences.append(int(gained[0] - gained[-1]) / GROUP / _POINT)

    def measured(self, row: int) -> Measured:
        """What a play came to."""
        chance = self.chance(row)
        assert chance is not None
        return Measured(self.lead(row), chance if self._view.side == 0 else 1 - chance)

    @property
    def error(self) -> float:
        """The standard error of the difference between the first play and the last."""
        groups = len(self._differences)
        if groups < 2:
            return float("inf")
        return float(np.std(self._differences, ddof=1)) / sqrt(groups)


def run_race(view: View, simulations: int, seed: int) -> Race:
    """A race with so many simulations at most; none where there is one play only."""
    race = Race(view, seed)
    race.run(Budget(simulations))
    return race
