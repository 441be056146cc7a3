"""How long a bot may think: for so many simulations, or for some seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from diloti.core.errors import N_, DilotiError


class Thinking(Protocol):
    """Something that goes on step by step."""

    simulations: int
    """Deals or hands played out so far."""


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

    def has_time(self, thinking: Thinking) -> bool:
        """Whether another step fits in."""
        if self.seconds is None:
            return thinking.simulations < self.simulations
        now = self.clock()
        step = now - self._last_look
        self._last_look = now
        return now + step < self._start + self.seconds
