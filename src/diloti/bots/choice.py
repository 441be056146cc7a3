"""What a bot answers."""

from __future__ import annotations

from dataclasses import dataclass

from diloti.core.plays import Play

SHOWN = 12
"""How many candidates a bot lists that has merely looked at all of them."""


@dataclass(frozen=True)
class Candidate:
    """A play that a bot considered, and what it expects from it for its own side.

    `points` is the lead at the end of the deal; those of greedy, novice and casual are good for
    comparing the candidates of one choice only. None where a bot does not judge.
    """

    play: Play
    points: float | None
    win_chance: float | None = None
    """The chance to win the match, from 0 to 1; None where the bot does not look so far."""


@dataclass(frozen=True)
class Choice:
    """The play that a bot makes, and the candidates it considered, the best first."""

    play: Play
    analysis: tuple[Candidate, ...]
