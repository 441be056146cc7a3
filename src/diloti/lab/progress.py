"""A line on a terminal that says how far a duel is."""

from __future__ import annotations

import shutil
from typing import TextIO

from diloti.lab.duel import Clock
from diloti.lab.measurement import Measurement
from diloti.lab.report import format_gain, format_reach
from diloti.lab.stats import Sample
from diloti.words import Words

_BAR = 20
_PAUSE = 0.1
"""Seconds between two looks of the line."""


class ProgressLine:
    """The line: pairs played, the mean so far with its interval, and the time that is left."""

    def __init__(
        self, words: Words, measurement: Measurement, stream: TextIO, *, clock: Clock
    ) -> None:
        self._words = words
        self._measurement = measurement
        self._stream = stream
        self._clock = clock
        self._first: float | None = None
        self._last = -1.0
        self._width = 0

    def prepare(self) -> None:
        """Say that the duel is being prepared: the first time its bots are compiled."""
        self._draw(self._words.say("preparing; the first time this takes a few minutes"))

    def show(self, sample: Sample) -> None:
        """Show the differences so far, unless the line has just been drawn."""
        now = self._clock()
        if self._first is None:
            self._first = now
        elif now - self._last < _PAUSE and sample.count < self._measurement.pairs:
            return
        self._last = now
        self._draw(self._line(sample, now - self._first))

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

    def _line(self, sample: Sample, spent: float) -> str:
        done, pairs = sample.count, self._measurement.pairs
        filled = _BAR * done // pairs
        left = "?" if done < 2 else _format_time(spent / (done - 1) * (pairs - done))
        return self._words.say(
            "[{bar}] {done}/{pairs} pairs   {mean} ± {reach}   {left} left",
            bar="#" * filled + "-" * (_BAR - filled),
            done=done,
            pairs=pairs,
            mean=format_gain(sample.mean),
            reach=format_reach(self._measurement.half_width(sample)),
            left=left,
        )


def _format_time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
