"""What finished matches say of somebody's play, computed in one pass over them.

It knows no page and no database. Of every pair the own side comes first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from diloti.bots import LEVELS
from diloti.core.position import side_of
from diloti.core.rules import Rules
from diloti.stats import Sample, student_half_width

PEOPLE, MIXED = "people", "mixed"
"""Opponents of whom at least one is no bot, and bots of different levels."""
FEWEST = 5
"""Below so many deals no interval is told."""
MOST_POINTS = 60
"""Points of a course at most; where there are more values, each point stands for several."""
MOVING = 10
"""Points that the moving mean of a course is over."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class PlayedDeal:
    """A deal that came to its end."""

    cards: Pair
    points: Pair
    xeri: Pair

    @property
    def lead(self) -> int:
        """What the own side got more."""
        return self.points[0] - self.points[1]

    @property
    def is_even(self) -> bool:
        """Whether both sides took as many cards, so that nobody got the points for most."""
        return self.cards[0] == self.cards[1]


@dataclass(frozen=True)
class PlayedMatch:
    """A finished match as one of its sides has played it."""

    id: str
    day: str
    rules: Rules
    seats: tuple[int, ...]
    """The own seats: one, or both of a partnership."""
    names: tuple[str, ...]
    """By seat; empty where there is none."""
    levels: tuple[str, ...]
    """The bots by seat; empty for people."""
    is_won: bool
    is_given_up: bool
    """Whether the own side has given it up."""
    deals: tuple[PlayedDeal, ...]
    accuracy: float | None = None
    """Of the own side, where there is a review."""

    @property
    def side(self) -> int:
        """The own side."""
        return side_of(self.seats[0])

    @property
    def other_seats(self) -> tuple[int, ...]:
        """The seats of the other side."""
        return tuple(seat for seat in range(len(self.names)) if side_of(seat) != self.side)

    @property
    def opponent(self) -> str:
        """The level of the bots on the other side, `MIXED` or `PEOPLE`."""
        levels = {self.levels[seat] for seat in self.other_seats}
        if "" in levels:
            return PEOPLE
        return levels.pop() if len(levels) == 1 else MIXED

    @property
    def rule_set(self) -> tuple[str, bool]:
        """The nearest named rule set, and whether switches are changed besides the players."""
        base = self.rules.base
        return base, bool(set(self.rules.changes(base)) - {"players"})


@dataclass
class Tally:
    """Results of some matches."""

    matches: int = 0
    won: int = 0
    given_up: int = 0
    """By the own side; they are lost."""
    deals: int = 0
    lead: int = 0
    """In all deals together."""

    @property
    def lost(self) -> int:
        """What was not won."""
        return self.matches - self.won

    @property
    def average_lead(self) -> float | None:
        """The lead a deal; None without deals."""
        return self.lead / self.deals if self.deals else None

    def add(self, match: PlayedMatch) -> None:
        """Count one more."""
        self.matches += 1
        self.won += match.is_won
        self.given_up += match.is_given_up
        self.deals += len(match.deals)
        self.lead += sum(deal.lead for deal in match.deals)


@dataclass
class Figures:
    """All figures of somebody."""

    total: Tally = field(default_factory=Tally)
    by_opponent: dict[str, Tally] = field(default_factory=dict)
    """The levels from the weakest on, other bots, then people; only those that there were."""
    by_rules: dict[tuple[str, bool], Tally] = field(default_factory=dict)
    points: Pair = (0, 0)
    """In all deals together."""
    xeri: Pair = (0, 0)
    even_deals: int = 0
    longest_run: int = 0
    """Matches won one after another, at most."""
    leads: list[int] = field(default_factory=list)
    """Of every deal, the first deal first."""
    accuracies: list[tuple[str, float]] = field(default_factory=list)
    """The day and the accuracy of every match with a review, the first match first."""

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval of the average lead; None below `FEWEST` deals."""
        return half_width(self.leads)


def figures_of(matches: Iterable[PlayedMatch]) -> Figures:
    """The figures of matches, which come in the order in which they ended."""
    figures, run = Figures(), 0
    for match in matches:
        figures.total.add(match)
        figures.by_opponent.setdefault(match.opponent, Tally()).add(match)
        figures.by_rules.setdefault(match.rule_set, Tally()).add(match)
        run = run + 1 if match.is_won else 0
        figures.longest_run = max(figures.longest_run, run)
        for deal in match.deals:
            figures.points = _sum(figures.points, deal.points)
            figures.xeri = _sum(figures.xeri, deal.xeri)
            figures.even_deals += deal.is_even
            figures.leads.append(deal.lead)
        if match.accuracy is not None:
            figures.accuracies.append((match.day, match.accuracy))
    figures.by_opponent = {
        name: figures.by_opponent[name] for name in sorted(figures.by_opponent, key=_strength)
    }
    figures.by_rules = {key: figures.by_rules[key] for key in sorted(figures.by_rules)}
    return figures


def _sum(one: Pair, other: Pair) -> Pair:
    return one[0] + other[0], one[1] + other[1]


def _strength(opponent: str) -> tuple[int, str]:
    order = (*LEVELS, None, MIXED, PEOPLE)
    return order.index(opponent if opponent in order else None), opponent


def half_width(values: Sequence[float]) -> float | None:
    """Half the width of Student's *t* interval of their mean; None below `FEWEST` values."""
    if len(values) < FEWEST:
        return None
    sample = Sample()
    for value in values:
        sample.add(value)
    return student_half_width(sample)


@dataclass(frozen=True)
class Point:
    """A point of a course: some values in a row."""

    first: int
    """The number of its first value, from 1."""
    last: int
    mean: float
    moving: float
    """The mean of all values of this point and those before it, `MOVING` points in all."""


def course_of(values: Sequence[float]) -> list[Point]:
    """How values went, in `MOST_POINTS` points at most that stand for as many values each.

    The last point may stand for fewer.
    """
    size = math.ceil(len(values) / MOST_POINTS)
    sums = [0.0, *accumulate(values)]

    def mean(first: int, after: int) -> float:
        return (sums[after] - sums[first]) / (after - first)

    points = []
    for first in range(0, len(values), size or 1):
        after = min(first + size, len(values))
        earliest = max(0, first - (MOVING - 1) * size)
        points.append(Point(first + 1, after, mean(first, after), mean(earliest, after)))
    return points
