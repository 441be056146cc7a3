"""Somebody who writes on a score sheet and can take back what they wrote last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from diloti.scorebook.book import Book
from diloti.scorebook.count import DealCount
from diloti.scorebook.entries import Entries, Entry, Setup, join


@dataclass
class _Step:
    """What was written, and how to take it back."""

    deal: str
    before: DealCount | None
    replaced: str
    """The entry that counted before."""
    entry: str


class Scribe:
    """Writes on a sheet; `new_name` gives every entry a name that nobody else gives."""

    def __init__(self, entries: Entries, new_name: Callable[[], str]) -> None:
        self.book = Book(entries)
        self._new_name = new_name
        self._steps: list[_Step] = []

    def enter(self, count: DealCount) -> None:
        """Write a new deal."""
        entry = self.book.enter(count, name=self._new_name())
        self._write(entry)
        self._steps.append(_Step(entry.deal, None, "", entry.id))

    def change(self, deal: str, count: DealCount | None) -> None:
        """Set an old deal to another count, or take it away."""
        before = self.book.latest(deal)
        entry = self.book.correct(deal, count, name=self._new_name())
        self._write(entry)
        self._steps.append(_Step(deal, before.count, before.id, entry.id))

    def set_up(self, setup: Setup) -> None:
        """Set other names or rules."""
        self._write(self.book.set_up(setup, name=self._new_name()))

    def undo(self) -> bool:
        """Take back what was written last here and still counts; False where there is nothing."""
        while self._steps:
            step = self._steps.pop()
            if self.book.latest(step.deal).id != step.entry:
                continue  # somebody else has changed it since
            again = self.book.correct(step.deal, step.before, name=self._new_name())
            self._write(again)
            for older in self._steps:
                if older.entry == step.replaced:
                    older.entry = again.id
            return True
        return False

    def _write(self, entry: Entry) -> None:
        self.book = Book(join(self.book.entries, [entry]))
