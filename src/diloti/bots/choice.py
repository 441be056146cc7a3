"""What a bot answers."""

from __future__ import annotations

from dataclasses import dataclass

from diloti.core.plays import Play


@dataclass(frozen=True)
class Candidate:
    """A play that a bot considered, and the points it expects from it for its own side.

    Points are relative to the other side and to the rest of the deal as the bot sees it: good for
    comparing the candidates of one choice. None where the bot does not judge.
    """

    play: Play
    points: float | None


@dataclass(frozen=True)
class Choice:
    """The play that a bot makes, and the candidates it considered, the best first."""

    play: Play
    analysis: tuple[Candidate, ...]
