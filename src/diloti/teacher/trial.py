"""A play and the best one, tried on the same samples.

First a race finds the best play, as `expert` does. A race flatters its winner: the best of many
means is too high. So the winner and the played play then meet on fresh samples, which the choice
knows nothing of, and these alone say what each is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from diloti.bots import search
from diloti.bots.budget import Budget
from diloti.bots.distinct import UNIQUE
from diloti.bots.levels import expert_method
from diloti.bots.outlook import SURE, Outlook
from diloti.bots.policy import POINT
from diloti.bots.search import Search, draw_likely, try_plays
from diloti.core.cards import cards_in
from diloti.core.jit import Ints
from diloti.core.plays import Play
from diloti.core.position import STATE_SIZE
from diloti.core.view import View

GROUP = 8
"""Samples that are taken together; the spread of their means gives the standard error."""
FEWEST_GROUPS = 8
"""Groups are smaller where there would be fewer of them."""

Likeness = tuple[int, int, tuple[int, ...], int, int, int]


def likeness(packed: Iterable[int]) -> Likeness:
    """What is equal for plays that differ only by equal cards (`diloti.bots.distinct`)."""
    kind, card, loose, piles, value = map(int, packed)
    played = -1 - (card >> 2) if not UNIQUE >> card & 1 else card
    ranks = tuple(card >> 2 for card in cards_in(loose & ~UNIQUE))
    return kind, played, ranks, loose & UNIQUE, piles, value


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
            return int(self.first_thoughts[self.best] - self.first_thoughts[row]) / POINT
        sums = self._course[trials]
        return int(sums[self.best] - sums[row]) / trials / POINT

    def meet(self, plays: Sequence[Play], samples: int, outlook: Outlook) -> Meeting:
        """What some plays come to on so many fresh samples, rounded up to whole groups."""
        rows = np.array([play.packed for play in plays], dtype=np.int64)
        number = len(plays)
        everyone = np.arange(number, dtype=np.int64)
        group = min(GROUP, max(1, samples // FEWEST_GROUPS))
        groups = max(2, -(-samples // group))
        drawn = np.zeros((group, STATE_SIZE), dtype=np.int64)
        results, products = np.zeros(number, dtype=np.int64), np.zeros((number, number))
        sums = np.zeros((groups, 2, number), dtype=np.int64)
        rules, network = self._rules, self._method.network
        for place in range(groups):
            draw_likely(
                rules,
                network,
                self._tables,
                self._seen,
                self._limit,
                drawn,
                self._desk,
                self._dice,
                search.PILOT,
            )
            try_plays(
                rules,
                network,
                drawn,
                rows,
                everyone,
                self._desk,
                self._state,
                self._dice,
                outlook.worth,
                results,
                sums[place],
                products,
                self._method.to_the_end,
            )
        return Meeting(sums / group, self._view.side)


class Meeting:
    """What some plays have come to on the same samples."""

    def __init__(self, means: NDArray[np.float64], side: int) -> None:
        """`means` by group, what is counted (worth in the match, lead) and play."""
        self._means = means
        self._side = side

    def points(self, place: int) -> float:
        """The lead of the side in turn after a play, in points."""
        return float(self._means[:, 1, place].mean()) / POINT

    def chance(self, place: int) -> float:
        """The chance of side 0 to win the match after a play."""
        mean = float(self._means[:, 0, place].mean()) / SURE
        return mean if self._side == 0 else -mean

    @property
    def error(self) -> float:
        """The standard error of the difference in points between the first play and the last."""
        differences = (self._means[:, 1, 0] - self._means[:, 1, -1]) / POINT
        return float(differences.std(ddof=1)) / sqrt(len(differences))


def run_race(view: View, simulations: int, seed: int) -> Race:
    """A race with so many simulations at most; none where there is one play only."""
    race = Race(view, seed)
    race.run(Budget(simulations))
    return race
