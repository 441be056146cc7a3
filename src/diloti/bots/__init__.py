"""Players: programs that choose a play from what their seat may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diloti.bots.choice import Choice
from diloti.bots.simple import choose_greedy, choose_random
from diloti.core.errors import N_, DilotiError
from diloti.core.view import View

BOTS: Mapping[str, Callable[[View, int], Choice]] = {
    "random": choose_random,
    "greedy": choose_greedy,
}
"""Every bot by name: a function from a view and a seed to a choice."""


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
    seconds: float | None = None,  # noqa: ARG001 - for bots that search
    simulations: int | None = None,  # noqa: ARG001
) -> Choice:
    """The play that a bot makes in its seat's turn; the same view and seed give the same play.

    `seconds` or `simulations` bound how much a bot thinks; those that look once need no bound.
    `UnknownBotError` for a name that no bot has. It must be the view's seat's turn.
    """
    check_bot(bot)
    return BOTS[bot](view, seed)


__all__ = ["BOTS", "Choice", "UnknownBotError", "check_bot", "choose"]
