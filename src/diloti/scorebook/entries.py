"""What is written on a score sheet: entries that are only ever added, so that devices agree.

An entry sets what a deal counts, or takes the deal away, or sets the names and rules. It has a name
of its own and a time: one more than the largest that its writer knew of. The entries of several
devices are joined by putting them together; of those for one deal the last one counts, and the
others stay as its history. Whatever the order in which entries arrive, the sheet is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from diloti.core.errors import N_, quote
from diloti.core.rules import Rules
from diloti.core.wire import read_rules, write_rules
from diloti.scorebook.count import DealCount, ScorebookError, read_count, write_count
from diloti.words.printable import printable

MOST_ENTRIES = 500
"""Entries of a sheet at most; a long evening has fifty."""
LONGEST_NAME = 20
SETUP = ""
"""The `deal` of entries that set names and rules."""

_FULL = N_("this sheet is full: begin another one")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True)
class Setup:
    """Who plays, by which rules, and who dealt first."""

    names: tuple[str, ...]
    """By seat; partners sit opposite each other."""
    rules: Rules
    first_dealer: int = 0

    def __post_init__(self) -> None:
        if len(self.names) != self.rules.players:
            raise ScorebookError(
                N_("{players} players need as many names"), players=self.rules.players
            )
        if not 0 <= self.first_dealer < self.rules.players:
            raise ScorebookError(N_("the first dealer is one of the players"))


@dataclass(frozen=True)
class Entry:
    """One thing written on a sheet."""

    id: str
    time: int
    deal: str
    """The deal that it is about, named after its first entry; `SETUP` for names and rules."""
    seen: int
    """What the writer knew: of a new deal how many were entered before, of an old one its entries.

    Deals that were taken away count too: a number that never shrinks is the same twice only where
    neither writer knew the other's entry.
    """
    count: DealCount | None = None
    """What the deal counts; None takes it away."""
    setup: Setup | None = None

    @property
    def is_new_deal(self) -> bool:
        """Whether the deal begins with it."""
        return self.deal == self.id

    @property
    def order(self) -> tuple[int, str]:
        """What says which of two entries is the later one, on every device."""
        return self.time, self.id


Entries = tuple[Entry, ...]
"""All that is on a sheet, in order."""


def first_entries(setup: Setup, *, name: str) -> Entries:
    """A sheet with nothing but names and rules; `name` is one that no other entry has."""
    return (Entry(name, 1, SETUP, 0, setup=setup),)


def join(entries: Entries, more: Iterable[Entry]) -> Entries:
    """The entries with others put among them; `ScorebookError` where those cannot be.

    What is known already changes nothing, so that sending something twice does no harm.
    """
    known = {entry.id: entry for entry in entries}
    last = max(entry.time for entry in entries)
    [players] = {entry.setup.rules.players for entry in entries if entry.setup}
    for entry in sorted(more, key=lambda entry: entry.order):
        if entry.id in known:
            continue
        first = known.get(entry.deal)
        if not entry.is_new_deal and entry.deal != SETUP:
            if first is None or not first.is_new_deal or first.time >= entry.time:
                raise ScorebookError(N_("there is no deal {name}"), name=quote(entry.deal))
        if entry.setup is not None and entry.setup.rules.players != players:
            raise ScorebookError(N_("the number of players stays as it is"))
        if entry.time > last + 1:
            raise ScorebookError(N_("entries before {name} are missing"), name=quote(entry.id))
        if len(known) >= MOST_ENTRIES:
            raise ScorebookError(_FULL)
        known[entry.id] = entry
        last = max(last, entry.time)
    return tuple(sorted(known.values(), key=lambda entry: entry.order))


def clean_name(name: str) -> str:
    """A name in one line, one that is too long with … at its end; empty where nothing is left."""
    cleaned = " ".join(printable(name).split())
    if len(cleaned) <= LONGEST_NAME:
        return cleaned
    return cleaned[: LONGEST_NAME - 1].rstrip() + "…"


# --- As JSON -----------------------------------------------------------------------


def write_entries(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Entries as JSON."""
    return [_write_entry(entry) for entry in entries]


def _write_entry(entry: Entry) -> dict[str, Any]:
    written: dict[str, Any] = {"id": entry.id, "time": entry.time, "seen": entry.seen}
    if entry.setup is not None:
        return {**written, "setup": write_setup(entry.setup)}
    count = entry.count and write_count(entry.count)
    return {**written, "deal": entry.deal, "count": count}


def write_setup(setup: Setup) -> dict[str, Any]:
    """Names and rules as JSON."""
    names, rules = list(setup.names), write_rules(setup.rules)
    return {"names": names, "rules": rules, "dealer": setup.first_dealer}


def read_entries(written: object) -> Entries:
    """The entries that a JSON value is; `ScorebookError` or `RulesError` say what cannot be."""
    if not isinstance(written, list) or len(written) > MOST_ENTRIES:
        raise ScorebookError(N_("these are no entries of a score sheet"))
    return tuple(_read_entry(one) for one in written)


def _read_entry(written: object) -> Entry:
    if not isinstance(written, dict):
        raise ScorebookError(N_("these are no entries of a score sheet"))
    name, time, seen = written.get("id"), written.get("time"), written.get("seen")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise ScorebookError(N_("{found} names no entry"), found=quote(name))
    for number in (time, seen):
        if type(number) is not int or number < 0:
            raise ScorebookError(N_("{found} is no number of entries"), found=quote(number))
        if number > MOST_ENTRIES:
            raise ScorebookError(_FULL)
    assert isinstance(time, int)
    assert isinstance(seen, int)
    if set(written) == {"id", "time", "seen", "setup"}:
        return Entry(name, time, SETUP, seen, setup=read_setup(written["setup"]))
    deal = written.get("deal")
    if (
        set(written) != {"id", "time", "seen", "deal", "count"}
        or not isinstance(deal, str)
        or not _ID.fullmatch(deal)
    ):
        raise ScorebookError(N_("these are no entries of a score sheet"))
    count = written["count"]
    return Entry(name, time, deal, seen, count=None if count is None else read_count(count))


def read_setup(written: object) -> Setup:
    """The names and rules that a JSON value is."""
    if not isinstance(written, dict) or set(written) != {"names", "rules", "dealer"}:
        raise ScorebookError(N_("these are no entries of a score sheet"))
    names, dealer = written["names"], written["dealer"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ScorebookError(N_("these are no entries of a score sheet"))
    if type(dealer) is not int:
        raise ScorebookError(N_("the first dealer is one of the players"))
    return Setup(tuple(map(clean_name, names)), read_rules(written["rules"]), dealer)
