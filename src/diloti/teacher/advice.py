"""What the strongest bot thinks of a turn, for whoever has it: from the seat's view alone."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass

from diloti.bots import Candidate, choose
from diloti.bots.budget import Budget
from diloti.bots.levels import NEAR, expert_method
from diloti.bots.search import Search
from diloti.core.plays import Play
from diloti.core.view import View
from diloti.core.wire import write_view
from diloti.teacher.motives import motives_against
from diloti.teacher.trial import likeness
from diloti.words.motives import Motive

SIMULATIONS = 4000
"""Trials for one turn: some two tenths of a second on one core, the same on every machine."""
MUCH = 3.0
"""Points that a play has to lose before the coach speaks."""
MUCH_CHANCE = 0.1
"""The same as a chance to win the match, where that is what counts."""


@dataclass(frozen=True)
class Advice:
    """The plays of a turn that only suits tell apart, the best first."""

    view: View
    options: tuple[Candidate, ...]
    """With the lead of the own side at the end of the deal that each is expected to bring."""
    by_chance: bool
    """Whether the best is the one with the best chance to win the match, rather than most points:
    so it is near the target."""

    @property
    def best(self) -> Candidate:
        """The play that the bot would make."""
        return self.options[0]

    def option(self, play: Play) -> Candidate | None:
        """What was found out about a play, or about one that only suits tell apart from it."""
        kind = likeness(play.packed)
        same = (option for option in self.options if likeness(option.play.packed) == kind)
        return next(same, None)


@dataclass(frozen=True)
class Mistake:
    """A play that loses much, and a better one."""

    chosen: Play
    better: Play
    points: float
    """How many points it loses by the end of the deal."""
    chances: tuple[float, float] | None
    """The chance to win the match with the better play and with this one, where that is what
    counts; else None."""
    motives: tuple[Motive, ...]


def advise(view: View, *, simulations: int = SIMULATIONS) -> Advice:
    """What `expert` thinks of the plays of the view's seat, whose turn it must be.

    The same for the same view: it thinks for so many simulations, by dice that the view throws.
    """
    choice = choose(view, "expert", seed=_seed(view), simulations=simulations)
    by_chance = min(view.rules.target - score for score in view.scores) <= NEAR

    def worth(option: Candidate) -> tuple[float, float]:
        points = option.points or 0.0
        return (option.win_chance or 0.0, points) if by_chance else (points, 0.0)

    others = [option for option in choice.analysis if option.play != choice.play]
    best = next(option for option in choice.analysis if option.play == choice.play)
    return Advice(view, (best, *sorted(others, key=worth, reverse=True)), by_chance)


def mistake_of(advice: Advice, play: Play, *, simulations: int = SIMULATIONS) -> Mistake | None:
    """What a legal play loses against the best, None where that is not much."""
    best, chosen = advice.best, advice.option(play)
    chances = None
    if chosen is None:
        points = _loss_of(advice, play, simulations)
    else:
        points = (best.points or 0.0) - (chosen.points or 0.0)
        if advice.by_chance:
            chances = best.win_chance or 0.0, chosen.win_chance or 0.0
    if points < MUCH if chances is None else chances[0] - chances[1] < MUCH_CHANCE:
        return None
    motives = motives_against(advice.view, best.play, play)
    return Mistake(play, best.play, points, chances, motives)


def _loss_of(advice: Advice, play: Play, simulations: int) -> float:
    """The points that a play loses which the bot has not looked at, having so many.

    It is tried beside the others, in the place of the one that looks worst.
    """
    view = advice.view
    search = Search(view, expert_method(view.rules), _seed(view))
    kinds, kind = [*map(likeness, search.plays)], likeness(play.packed)
    row = kinds.index(kind) if kind in kinds else len(kinds) - 1
    search.plays[row] = play.packed
    search.run(Budget(simulations))
    return search.lead(search.best) - search.lead(row)


def _seed(view: View) -> int:
    return zlib.crc32(json.dumps(write_view(view), sort_keys=True).encode())
