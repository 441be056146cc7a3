"""A line on a terminal that says how far a long piece of work is."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TextIO

from diloti.words import Words

_BAR = 20
_PAUSE = 0.1
"""Seconds between two looks of the line."""


class ProgressLine(ABC):
    """The line, for `total` pieces of work; what it says a subclass knows.

    The clock gives seconds since some moment.
    """

    def __init__(
        self, words: Words, total: int, stream: TextIO, *, clock: Callable[[], float]
    ) -> None:
        self._words = words
        self._total = total
        self._stream = stream
        self._clock = clock
        self._first: tuple[float, int] | None = None
        self._last = -1.0
        self._width = 0

    @abstractmethod
    def tell(self, *, bar: str, done: int, total: int, left: str) -> str:
        """What the line says: a drawn bar, and the time that is left."""

    def prepare(self) -> None:
        """Say that the work is being prepared: the first time its bots are compiled."""
        self._draw(self._words.say("preparing; the first time this takes a few minutes"))

    def reach(self, done: int) -> None:
        """So much is done: show it, unless the line has just been drawn."""
        now = self._clock()
        if self._first is None:
            self._first = now, done
        elif now - self._last < _PAUSE and done < self._total:
            return
        self._last = now
        start, before = self._first
        rate = (now - start) / (done - before) if done > before else None
        filled = _BAR * done // self._total
        self._draw(
            self.tell(
                bar="#" * filled + "-" * (_BAR - filled),
                done=done,
                total=self._total,
                left="?" if rate is None else _format_time(rate * (self._total - done)),
            )
        )

    def _draw(self, line: str) -> None:
        line = line[: shutil.get_terminal_size().columns - 1]
        self._write(line.ljust(self._width))
        self._width = len(line)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            self._write(" " * self._width)
            self._write("")

    def _write(self, line: str) -> None:
        print(line, end="\r", file=self._stream, flush=True)


def _format_time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
