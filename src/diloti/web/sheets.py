"""Where score sheets are kept: a row each, saved only where nobody was faster."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Column, Float, Integer, String, Table, Text, delete, insert, select, update

from diloti.core.errors import N_
from diloti.scorebook.entries import Entries, Entry, join, read_entries, write_entries
from diloti.web.matches import metadata
from diloti.web.store import Store, StoreError

MOST_CONFLICTS = 20
"""How often entries are joined again where other devices were faster."""

sheets = Table(
    "sheets",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("key", String(32), nullable=False),
    Column("number", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("changed", Float, nullable=False, index=True),
)
"""A row for each score sheet: its entries, and the secret of those who may write."""


@dataclass(frozen=True)
class KeptSheet:
    """A score sheet as it is kept."""

    id: str
    key: str
    number: int
    """How often it has changed."""
    entries: Entries

    def is_key(self, key: str) -> bool:
        """Whether this is the secret of those who may write."""
        return secrets.compare_digest(self.key.encode(), key.encode())


class Sheets:
    """The score sheets in a database."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now

    async def add(self, entries: Entries) -> KeptSheet:
        """Keep a new sheet, on disk when this returns."""
        kept = KeptSheet(secrets.token_urlsafe(12), secrets.token_urlsafe(12), 0, entries)
        row = {"id": kept.id, "key": kept.key, "number": 0, "body": _write(entries)}
        await self._store.run(insert(sheets).values(**row, changed=self._now()))
        return kept

    async def load(self, name: str) -> KeptSheet | None:
        """A sheet by its name, None where there is none."""
        query = select(sheets.c.id, sheets.c.key, sheets.c.number, sheets.c.body)
        for row in await self._store.look(query.where(sheets.c.id == name)):
            entries = await asyncio.to_thread(_read, row.body)
            return KeptSheet(row.id, row.key, row.number, entries)
        return None

    async def number(self, name: str) -> int | None:
        """How often a sheet has changed, which costs little to ask; None where there is none."""
        for row in await self._store.look(select(sheets.c.number).where(sheets.c.id == name)):
            return int(row.number)
        return None

    async def join(self, kept: KeptSheet, more: Iterable[Entry]) -> KeptSheet:
        """Put entries among those of a sheet, on disk when this returns; the sheet as it is then.

        `ScorebookError` where they cannot be; then nothing has changed.
        """
        added = tuple(more)
        for _ in range(MOST_CONFLICTS):
            entries = await asyncio.to_thread(join, kept.entries, added)
            if entries == kept.entries:
                return kept
            follows = (sheets.c.id == kept.id) & (sheets.c.number == kept.number)
            body = await asyncio.to_thread(_write, entries)
            row = {"number": kept.number + 1, "body": body, "changed": self._now()}
            if await self._store.run(update(sheets).where(follows).values(**row)):
                return KeptSheet(kept.id, kept.key, kept.number + 1, entries)
            found = await self.load(kept.id)
            if found is None:
                break
            kept = found
        raise StoreError(N_("the score sheet could not be saved now: try again"))

    async def forget(self, before: float) -> int:
        """Delete the sheets that have not changed since; how many there were."""
        return await self._store.run(delete(sheets).where(sheets.c.changed < before))


def _read(body: str) -> Entries:
    return read_entries(json.loads(body))


def _write(entries: Entries) -> str:
    return json.dumps(write_entries(entries), ensure_ascii=False)
