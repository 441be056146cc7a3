"""How long a bot may think: for so many simulations, or for some seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from diloti.core.errors import N_, DilotiError


class BudgetError(DilotiError):
    """A budget that leaves no time to think."""


@dataclass
class Budget:
    """So many simulations, or so many seconds from now on where a number is given.

    With simulations alone a choice is the same on every machine. A step that would probably end too
    late is not begun.
    """

    simulations: int
    seconds: float | None = None
    clock: Callable[[], float] = time.perf_counter
    _start: float = field(init=False)
    _last_look: float = field(init=False)

    def __post_init__(self) -> None:
        if self.simulations < 1:
            raise BudgetError(N_("{name} must be a number above 0"), name="simulations")
        if self.seconds is not None and not self.seconds > 0:
            raise BudgetError(N_("{name} must be a number above 0"), name="seconds")
        self._start = self._last_look = self.clock()

    def room(self, done: int, most: int) -> int:
        """How many simulations the next step may have, up to `most`, after so many; 0 to end."""
        if self.seconds is None:
            return min(most, self.simulations - done)
        now = self.clock()
        step = now - self._last_look
        self._last_look = now
        return most if now + step < self._start + self.seconds else 0
