"""A player by name: a bot, and how much it may think over each play."""

from __future__ import annotations

import re
from dataclasses import dataclass

from diloti.bots import BOTS, check_bot, choose
from diloti.bots.choice import Choice
from diloti.core.errors import N_, DilotiError
from diloti.core.view import View

_FORM = re.compile(
    r"(?P<bot>[^:]+)(:((?P<simulations>[1-9][0-9]{0,8})|(?P<seconds>[0-9]{1,5}(\.[0-9]{1,9})?)s))?",
    re.ASCII,
)


class PlayerError(DilotiError):
    """A text that names no player."""


@dataclass(frozen=True)
class Player:
    """A bot, and what it may spend on a play: simulations, seconds, or what is usual for it.

    With `seconds`, or where those are what is usual, its plays depend on the machine.
    """

    bot: str
    simulations: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        """The name that `parse_player` reads."""
        if self.simulations is not None:
            return f"{self.bot}:{self.simulations}"
        if self.seconds is None:
            return self.bot
        return f"{self.bot}:{self.seconds:.9f}".rstrip("0").rstrip(".") + "s"

    @property
    def is_timed(self) -> bool:
        """Whether it thinks by the clock, so that its plays cannot be repeated."""
        seconds = BOTS[self.bot].seconds if self.seconds is None else self.seconds
        return self.simulations is None and seconds is not None

    def choose(self, view: View, *, seed: int) -> Choice:
        """The play that this player makes."""
        return choose(view, self.bot, seed=seed, seconds=self.seconds, simulations=self.simulations)


def parse_player(text: str) -> Player:
    """The player of a name as `greedy`, `greedy:400` (simulations) or `greedy:0.1s` (seconds).

    `PlayerError` for a text of another form, `UnknownBotError` for a bot that there is not.
    """
    form = _FORM.fullmatch(text.strip())
    seconds = float(form["seconds"]) if form and form["seconds"] else None
    if form is None or seconds == 0:
        raise PlayerError(
            N_(
                "{text} is no player; write NAME, NAME:400 for 400 simulations a play,"
                " or NAME:0.1s for a tenth of a second"
            ),
            text=text,
        )
    check_bot(form["bot"])
    simulations = int(form["simulations"]) if form["simulations"] else None
    return Player(form["bot"], simulations, seconds)
