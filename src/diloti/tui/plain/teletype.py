"""Talking line by line: what is said goes out in whole lines, what is typed comes back clean."""

from __future__ import annotations

from typing import Protocol, TextIO

from diloti.words.printable import printable

LONGEST_LINE = 1000
"""Characters of a typed line that are read; a longer one is not taken for anything."""

_CURTAIN = 60


class LineTooLong(Exception):
    """A typed line with more characters than anybody types."""


class LineSource(Protocol):
    """Where lines come from: a text stream, or whatever types like one."""

    def readline(self, most: int, /) -> str:
        """The next line, or the next `most` characters of it; nothing at the end."""
        ...


class Teletype:
    """Two text streams, and whether a person sits at them and can be made to press Enter."""

    def __init__(self, source: LineSource, target: TextIO, *, interactive: bool) -> None:
        self._source = source
        self._target = target
        self.interactive = interactive

    def say(self, *lines: str) -> None:
        """Write some lines, without anything in them that could steer the terminal."""
        for line in lines:
            self._target.write(printable(line).rstrip() + "\n")
        self._target.flush()

    def hide(self) -> None:
        """Push all that has been said off the screen."""
        self.say(*[""] * _CURTAIN)

    def ask(self, prompt: str) -> str:
        """The next line typed; `EOFError` where there is none, `LineTooLong` where it is one."""
        self._target.write(printable(prompt) + (" " if self.interactive else "\n"))
        self._target.flush()
        line = self._read(LONGEST_LINE)
        if not line:
            raise EOFError
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            while line and not line.endswith("\n"):
                line = self._read(1 << 16)
            raise LineTooLong
        return " ".join(printable(line).split())

    def _read(self, most: int) -> str:
        try:
            return self._source.readline(most)
        except OSError:  # a terminal that has gone away
            return ""
