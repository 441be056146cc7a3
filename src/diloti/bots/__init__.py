"""Players: programs that choose a play from what their seat may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from diloti.bots.budget import Budget, BudgetError
from diloti.bots.choice import Candidate, Choice
from diloti.bots.levels import (
    CASUAL,
    EXPERT_SECONDS,
    NOVICE,
    STRONG_SIMULATIONS,
    choose_at_sight,
    choose_by_habit,
    choose_by_search,
    expert_method,
    strong_method,
)
from diloti.bots.simple import choose_greedy, choose_random
from diloti.bots.standard import SIMULATIONS, choose_by_tree, choose_flat
from diloti.core.errors import N_, DilotiError
from diloti.core.view import View


@dataclass(frozen=True)
class Bot:
    """A player: how it chooses, and how long it thinks unless it is told."""

    choose: Callable[[View, int, Budget], Choice]
    simulations: int = 1
    seconds: float | None = None


def _expert(view: View, seed: int, budget: Budget) -> Choice:
    return choose_by_search(view, expert_method(view.rules), seed, budget)


def _strong(view: View, seed: int, budget: Budget) -> Choice:
    return choose_by_search(view, strong_method(view.rules), seed, budget)


LEVELS = ("novice", "casual", "regular", "strong", "expert")
"""The levels for people, the weakest first."""
USUAL_LEVEL = "regular"
"""The level of a bot where none is asked for."""

BOTS: Mapping[str, Bot] = {
    "novice": Bot(lambda view, seed, _budget: choose_by_habit(view, NOVICE, seed)),
    "casual": Bot(lambda view, seed, _budget: choose_by_habit(view, CASUAL, seed)),
    "regular": Bot(lambda view, seed, _budget: choose_at_sight(view, seed)),
    "strong": Bot(_strong, simulations=STRONG_SIMULATIONS),
    "expert": Bot(_expert, seconds=EXPERT_SECONDS),
    "random": Bot(lambda view, seed, _budget: choose_random(view, seed)),
    "greedy": Bot(lambda view, seed, _budget: choose_greedy(view, seed)),
    "flat": Bot(choose_flat, simulations=SIMULATIONS),
    "ismcts": Bot(choose_by_tree, simulations=SIMULATIONS),
}
"""Every bot by name: the levels, and those that are there to measure others by."""


class UnknownBotError(DilotiError):
    """A name that no bot has."""

    code = "unknown_bot"


def check_bot(bot: str) -> None:
    """Raise `UnknownBotError` unless there is a bot of that name."""
    if bot not in BOTS:
        raise UnknownBotError(
            N_("there is no bot {name}; there are {known}"), name=bot, known=", ".join(BOTS)
        )


def choose(
    view: View,
    bot: str,
    *,
    seed: int = 0,
    seconds: float | None = None,
    simulations: int | None = None,
) -> Choice:
    """The play that a bot makes in its seat's turn.

    A bot that searches thinks for so many `simulations`, or else for so many `seconds`, or as long
    as it usually does; the others look once. Without seconds the same view and seed give the same
    choice on every machine (but for ismcts, whose bounds use a logarithm). `UnknownBotError` for a
    name that no bot has, `BudgetError` for no time at all. It must be the view's seat's turn.
    """
    check_bot(bot)
    player = BOTS[bot]
    if simulations is None and seconds is None:
        seconds = player.seconds
    elif simulations is not None:
        seconds = None
    budget = Budget(player.simulations if simulations is None else simulations, seconds)
    return player.choose(view, seed, budget)


__all__ = [
    "BOTS",
    "LEVELS",
    "USUAL_LEVEL",
    "Bot",
    "BudgetError",
    "Candidate",
    "Choice",
    "UnknownBotError",
    "check_bot",
    "choose",
]
