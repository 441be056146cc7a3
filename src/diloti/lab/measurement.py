"""A duel as it is measured: pair after pair until there are enough, and the figures so far."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diloti.lab.duel import Clock, Duel, PairResult, play_pairs
from diloti.lab.executors.executor import Executor
from diloti.stats import (
    CONFIDENCE,
    Sample,
    always_half_width,
    is_sure,
    student_half_width,
    wilson,
)


@dataclass(frozen=True)
class Figures:
    """What the pairs of a duel say; of two numbers the first is the first player's.

    `mean` is the points a deal of the first player less those of the second, the mean over pairs;
    `half_width` that of its interval, `deviation` the standard deviation of a pair.
    """

    pairs: int
    deals: int
    mean: float
    half_width: float
    deviation: float
    won: int
    """Deals in which the first player had more points."""
    tied: int
    xeri: tuple[float, float]
    """Xeri a deal."""
    seconds: tuple[float, float]
    """Seconds a play."""
    matches: int
    """0 where only single deals were played."""
    matches_won: int
    matches_share: tuple[float, float]
    """The interval of the share of matches won: Wilson's, or one that holds at every moment."""

    @property
    def lost(self) -> int:
        """Deals in which the second player had more points."""
        return self.deals - self.won - self.tied


class Measurement:
    """The pairs of a duel that have been played so far, in order and without a gap.

    At most `pairs` are played. With `until_sure` it also ends with the first pair after which one
    player is surely better: in points a deal, or in matches won where matches are played. The
    intervals are then those that hold at every moment, else Student's.
    """

    def __init__(self, duel: Duel, *, pairs: int, until_sure: bool = False) -> None:
        self.duel = duel
        self.pairs = pairs
        self.until_sure = until_sure
        self.results: list[PairResult] = []
        self.is_sure = False
        """Whether it ended because one player is surely better."""

    def run(
        self,
        *,
        executor: Executor,
        clock: Clock,
        watch: Callable[[Sample], object] = lambda _sample: None,
    ) -> None:
        """Play until there is enough, and show `watch` the differences so far after each pair.

        What has been played before an interruption or an error stays.
        """
        differences, decisive = Sample(), Sample()
        played = play_pairs(self.duel, pairs=self.pairs, executor=executor, clock=clock)
        with contextlib.closing(played):
            for result in played:
                self.results.append(result)
                differences.add(result.difference)
                decisive.add(result.balance if self.duel.whole_matches else result.difference)
                watch(differences)
                if self.until_sure and is_sure(decisive):
                    self.is_sure = True
                    return

    @property
    def is_complete(self) -> bool:
        """Whether it came to its end, and was not interrupted."""
        return self.is_sure or len(self.results) == self.pairs

    def half_width(self, sample: Sample) -> float:
        """Half the width of the interval around the mean of a sample of differences."""
        if self.until_sure:
            return always_half_width(sample, confidence=CONFIDENCE)
        return student_half_width(sample, confidence=CONFIDENCE)

    def _matches_share(self, won: int, matches: int) -> tuple[float, float]:
        if not self.until_sure or not matches:
            return wilson(won, matches)
        balances = Sample()
        for result in self.results:
            balances.add(result.balance)
        share, reach = (1 + balances.mean) / 2, self.half_width(balances) / 2
        return max(share - reach, 0.0), min(share + reach, 1.0)

    def course(self) -> list[tuple[float, float]]:
        """The mean and the half width of its interval after each pair."""
        sample = Sample()
        course = []
        for result in self.results:
            sample.add(result.difference)
            course.append((sample.mean, self.half_width(sample)))
        return course

    def figures(self) -> Figures:
        """What the pairs so far say; there must be one at least."""
        sample = Sample()
        for result in self.results:
            sample.add(result.difference)
        deals = [deal for result in self.results for deal in result.deals]
        winners = [game.winner for result in self.results for game in result.games]
        matches = len(winners) if self.duel.whole_matches else 0
        return Figures(
            pairs=sample.count,
            deals=len(deals),
            mean=sample.mean,
            half_width=self.half_width(sample),
            deviation=sample.deviation,
            won=sum(deal.points[0] > deal.points[1] for deal in deals),
            tied=sum(deal.points[0] == deal.points[1] for deal in deals),
            xeri=_shares([deal.xeri for deal in deals], [(1, 1)] * len(deals)),
            seconds=_shares([deal.seconds for deal in deals], [deal.plays for deal in deals]),
            matches=matches,
            matches_won=winners.count(0),
            matches_share=self._matches_share(winners.count(0), matches),
        )


def _shares(
    amounts: Sequence[tuple[float, float]], counts: Sequence[tuple[int, int]]
) -> tuple[float, float]:
    """Of each player all amounts, divided by all counts."""
    first, second = (
        sum(amount[who] for amount in amounts) / sum(count[who] for count in counts)
        for who in (0, 1)
    )
    return first, second
