"""A clock for tests, which moves on only when it is told to, or asked."""

from __future__ import annotations

from datetime import UTC, datetime


class Clock:
    """Noon of one day in autumn, and `step` seconds later each time it is asked.

    With a step things that come one after the other have different times, on any machine.
    """

    def __init__(self, *, step: float = 0.0) -> None:
        self.time = datetime(2026, 10, 20, 12, tzinfo=UTC).timestamp()
        self._step = step

    def __call__(self) -> float:
        self.time += self._step
        return self.time
