"""The review of a match: every play judged, what was luck and what was skill, and the chances.

What luck and skill mean here, and what they do not, is in docs/review.md.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

from diloti.core.errors import N_, DilotiError
from diloti.core.match import DealLog, Match
from diloti.core.plays import Play
from diloti.core.rules import Rules
from diloti.core.view import View, view_of
from diloti.teacher.chances import chance_after, expected_start
from diloti.teacher.judgement import SIMULATIONS, JudgedPlay, judge_play
from diloti.teacher.marks import BEST, BLUNDER, MARKS, MISTAKE, accuracy_of

MOMENTS = 3
"""Moments of a side that a review points out, at most, of each kind."""
NOTABLE = 1.0
"""Points that the next candidate must be behind for a best play to be pointed out."""

Progress = Callable[[int, int], object]
"""Called with the plays judged so far, and how many there are."""


class ReviewError(DilotiError):
    """A match that cannot be reviewed, or a review that is none."""


@dataclass(frozen=True)
class DealReview:
    """A whole deal: its plays in order, and how its result came about.

    For side 0 the result is `start`, plus all luck, plus the skill of side 0, less that of side 1.
    """

    rules: Rules
    dealer: int
    scores: tuple[int, int]
    """Match totals before the deal."""
    points: tuple[int, int]
    """What each side got in the deal."""
    plays: tuple[JudgedPlay, ...]

    @property
    def result(self) -> int:
        """The lead of side 0 at the end of the deal."""
        return self.points[0] - self.points[1]

    @property
    def start(self) -> float:
        """The lead of side 0 that is expected before any card is seen: what leading is worth."""
        return expected_start(self.rules, self.dealer)

    @property
    def chance_after(self) -> float:
        """The chance of side 0 to win the match after the deal."""
        totals = self.scores[0] + self.points[0], self.scores[1] + self.points[1]
        return chance_after(self.rules, totals, self.dealer)

    @cached_property
    def skill(self) -> tuple[float, float]:
        """By side what its plays lost, as a number that is 0 or less."""
        lost = [0.0, 0.0]
        for play in self.plays:
            lost[play.side] -= play.loss
        return lost[0], lost[1]

    @cached_property
    def luck_of_cards(self) -> tuple[float, ...]:
        """What each dealing of cards gave side 0: that before the first play, and each refill."""
        hand = self.rules.players * self.rules.hand_size
        return tuple(gain for place, gain in self._gains() if place % hand == 0)

    @cached_property
    def luck_of_unknown(self) -> float:
        """What side 0 gained because cards lay and others played as nobody could know."""
        hand = self.rules.players * self.rules.hand_size
        return sum(gain for place, gain in self._gains() if place % hand)

    @property
    def luck(self) -> float:
        """All luck of side 0."""
        return sum(self.luck_of_cards) + self.luck_of_unknown

    def _gains(self) -> Iterator[tuple[int, float]]:
        """What side 0 gained between plays, by the number of plays before; the end has -1."""
        before = self.start
        for place, play in enumerate(self.plays):
            sign = 1 if play.side == 0 else -1
            yield place, sign * play.best_points - before
            before = sign * play.points
        yield -1, self.result - before


@dataclass(frozen=True)
class Moment:
    """A play of a match, by its deal and its place in it, both from 0."""

    deal: int
    play: int


@dataclass(frozen=True)
class SideSummary:
    """How a side has played."""

    plays: int
    decisions: int
    """Plays in which there was something to decide."""
    loss: float
    """Points lost in all."""
    accuracy: float
    """From 0 to 100; `diloti.teacher.marks.accuracy_of`."""
    marks: tuple[int, ...]
    """How often each of `MARKS` fell in decisions."""
    best_moments: tuple[Moment, ...]
    """Best plays with the next candidate far behind, the farthest first."""
    worst_moments: tuple[Moment, ...]
    """Plays that lost most, the worst first; none that is at least good."""

    @property
    def average_loss(self) -> float:
        """Points lost a play."""
        return self.loss / self.plays if self.plays else 0.0


@dataclass(frozen=True)
class MatchReview:
    """All whole deals of a match."""

    rules: Rules
    seed: int
    simulations: int
    deals: tuple[DealReview, ...]
    winner: int | None
    """The side that has won the match, None where it is unfinished."""
    is_cut: bool
    """Whether the match has a deal more that was not played to its end, and is not reviewed."""

    @property
    def scores(self) -> tuple[int, int]:
        """The match totals after the last deal."""
        last = self.deals[-1]
        return last.scores[0] + last.points[0], last.scores[1] + last.points[1]

    @cached_property
    def sides(self) -> tuple[SideSummary, SideSummary]:
        """The summary of each side."""
        return self._summary(0), self._summary(1)

    @cached_property
    def chances(self) -> tuple[float, ...]:
        """The chance of side 0 to win the match: before the first play and after every play.

        During a deal it is what the next to play could know. Where a side has won without
        finishing the last deal, one more number says so.
        """
        found = [self.deals[0].plays[0].win_chance]
        for deal in self.deals:
            found += [play.win_chance for play in deal.plays[1:]]
            found.append(deal.chance_after)
        if self.winner is not None and found[-1] != float(self.winner == 0):
            found.append(float(self.winner == 0))
        return tuple(found)

    @property
    def slips(self) -> tuple[tuple[int, JudgedPlay], ...]:
        """The mistakes and blunders, each with its place in `chances`."""
        plays = [play for deal in self.deals for play in deal.plays]
        return tuple(
            (place, play)
            for place, play in enumerate(plays, start=1)
            if play.mark in (MISTAKE, BLUNDER)
        )

    @property
    def milestones(self) -> tuple[float, ...]:
        """The chance of side 0 to win the match: before the first play, after every deal, and at
        the end where that says something else."""
        found = [self.chances[0], *(deal.chance_after for deal in self.deals)]
        if self.chances[-1] != found[-1]:
            found.append(self.chances[-1])
        return tuple(found)

    @property
    def skill(self) -> tuple[float, float]:
        """By side what its plays lost in the match, as a number that is 0 or less."""
        return sum(deal.skill[0] for deal in self.deals), sum(deal.skill[1] for deal in self.deals)

    @property
    def luck_of_cards(self) -> float:
        """What all dealings of cards gave side 0."""
        return sum(sum(deal.luck_of_cards) for deal in self.deals)

    @property
    def luck_of_unknown(self) -> float:
        """What side 0 gained by what nobody could know."""
        return sum(deal.luck_of_unknown for deal in self.deals)

    @property
    def start(self) -> float:
        """What leading was worth to side 0, over all deals."""
        return sum(deal.start for deal in self.deals)

    @property
    def result(self) -> int:
        """Points of side 0 less those of side 1 in all deals."""
        return sum(deal.result for deal in self.deals)

    def play_at(self, moment: Moment) -> JudgedPlay:
        """The play at a moment."""
        return self.deals[moment.deal].plays[moment.play]

    def _summary(self, side: int) -> SideSummary:
        own = [
            (Moment(number, place), play)
            for number, deal in enumerate(self.deals)
            for place, play in enumerate(deal.plays)
            if play.side == side
        ]
        decisions = [play for _moment, play in own if play.is_decision]
        loss = round(sum(play.loss for play in decisions), 3)
        cost = sum(play.cost for play in decisions)
        marks = tuple(sum(play.mark == mark for play in decisions) for mark in MARKS)
        ahead = [(play.ahead, moment) for moment, play in own if play.mark == BEST]
        lost = [(play.loss, moment) for moment, play in own if play.mark in MARKS[2:]]
        return SideSummary(
            plays=len(own),
            decisions=len(decisions),
            loss=loss,
            accuracy=accuracy_of(cost, len(decisions)),
            marks=marks,
            best_moments=_largest((gain, moment) for gain, moment in ahead if gain >= NOTABLE),
            worst_moments=_largest(lost),
        )


def _largest(rated: Iterable[tuple[float, Moment]]) -> tuple[Moment, ...]:
    """The moments rated highest, of equal ones the earlier first."""
    ordered = sorted(rated, key=lambda one: -one[0])
    return tuple(moment for _rating, moment in ordered[:MOMENTS])


# --- Making it -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """A play to judge, and the seed that belongs to its place."""

    view: View
    play: Play
    seed: int


def review_match(
    match: Match,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int | None = None,
) -> MatchReview:
    """The review of all whole deals of a match; `ReviewError` where there is none.

    The same for the same seed, with however many `workers`: threads, of which otherwise there is
    one for every core. What `progress` raises ends the review.
    """
    logs = [log for log in match.deals if log.score is not None]
    if not logs:
        raise ReviewError(N_("there is no whole deal to review"))
    tasks = [task for number, log in enumerate(logs) for task in _tasks(log, seed, number)]
    judged = _judge_all(tasks, simulations, progress, workers)
    deals, first = [], 0
    for log in logs:
        deals.append(_deal_review(log, judged[first : first + len(log.plays)]))
        first += len(log.plays)
    return MatchReview(
        match.rules, seed, simulations, tuple(deals), match.winner, len(logs) < len(match.deals)
    )


def review_deal(
    log: DealLog,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    number: int = 0,
    progress: Progress | None = None,
    workers: int | None = None,
) -> DealReview:
    """The review of one whole deal, the deal `number` (from 0) of its match; as `review_match`."""
    if log.score is None:
        raise ReviewError(N_("there is no whole deal to review"))
    tasks = list(_tasks(log, seed, number))
    return _deal_review(log, _judge_all(tasks, simulations, progress, workers))


def turns_of(log: DealLog) -> Iterator[tuple[View, Play]]:
    """Every play of a deal, with what its seat saw before it."""
    position = log.start
    for play, outcome in zip(log.plays, log.outcomes):
        assert position.turn is not None
        yield view_of(position, position.turn), play
        position = outcome.position


def _deal_review(log: DealLog, plays: Iterable[JudgedPlay]) -> DealReview:
    assert log.score is not None
    first, second = (sheet.total for sheet in log.score.sheets)
    return DealReview(
        rules=log.position.rules,
        dealer=log.dealer,
        scores=log.position.scores,
        points=(first, second),
        plays=tuple(plays),
    )


def _tasks(log: DealLog, seed: int, number: int) -> Iterator[_Task]:
    """What there is to judge in a deal."""
    for place, (view, play) in enumerate(turns_of(log)):
        mixed = hashlib.sha256(f"{seed} {number} {place}".encode()).digest()
        yield _Task(view, play, int.from_bytes(mixed[:8], "big"))


def _judge_all(
    tasks: list[_Task], simulations: int, progress: Progress | None, workers: int | None
) -> list[JudgedPlay]:
    """All plays judged, in order."""

    def judge(task: _Task) -> JudgedPlay:
        return judge_play(task.view, task.play, simulations=simulations, seed=task.seed)

    crew = ThreadPoolExecutor(_cores() if workers is None else workers)
    try:
        judged: list[JudgedPlay] = []
        for done in crew.map(judge, tasks):
            judged.append(done)
            if progress is not None:
                progress(len(judged), len(tasks))
        return judged
    finally:
        crew.shutdown(cancel_futures=True)


def _cores() -> int:
    """How many threads can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
