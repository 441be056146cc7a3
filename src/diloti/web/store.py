"""Where tables are kept: SQLite in a file, or PostgreSQL.

A save says which number of the table it follows, and changes nothing where another one came first.
Saves that arrive together are committed together, and every one is on disk when it returns.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Executable,
    Float,
    Integer,
    Row,
    Select,
    String,
    Table,
    Text,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from diloti.core.errors import N_, DilotiError
from diloti.teacher.figures import PlayedMatch
from diloti.web.archive import Finished
from diloti.web.daily_results import DailyResult, claim_days, save_result
from diloti.web.matches import (
    delete_matches,
    find_match,
    find_matches_of,
    insert_matches,
    metadata,
    update_review,
)
from diloti.web.players import find_played, let_go

log = logging.getLogger("diloti.web")

MIGRATIONS = Path(__file__).parent / "migrations"
MOST_TOGETHER = 64
"""Saves that are committed together at most."""

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("invitation", String(32), nullable=False, index=True),
    Column("is_listed", Boolean, nullable=False),
    Column("changed", Float, nullable=False, index=True),
)
"""A row for each table: its present state, and what is looked for in all of them."""

places = Table(
    "places",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("room", String(32), primary_key=True),
)
"""Who sits at which tables."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(128), nullable=False),
)
"""What is made once and shared by all processes."""


class StoreError(DilotiError):
    """Tables that cannot be reached now."""


class ConflictError(Exception):
    """A save that followed a state which is not the present one."""


@dataclass(frozen=True)
class Kept:
    """A table as it is kept."""

    id: str
    number: int
    body: str
    changed: float
    invitation: str = ""
    is_listed: bool = False
    people: tuple[str, ...] = ()
    finished: Finished | None = None
    """Its match, where that is over: kept for good in the same transaction."""
    daily: DailyResult | None = None
    """What comes of it for somebody where it is one of a day, likewise."""


def database_url(database: str) -> str:
    """The address of a database for SQLAlchemy: of a file, or as `postgresql://…` is given."""
    if "://" not in database:
        return f"sqlite+aiosqlite:///{database}"
    for short in ("postgresql://", "postgres://"):
        if database.startswith(short):
            return "postgresql+psycopg://" + database.removeprefix(short)
    return database


Heard = Callable[[str, int], object]
"""Told of a table that another process has saved, and its number."""

_Save = tuple[Kept, int]
"""A table, and the number of the state that it follows; -1 for a new one."""

_CHANNEL = "diloti"
_MIGRATION_LOCK = 61_101
_RECONNECT_SECONDS = 1.0


class Store:
    """The database, open.

    With PostgreSQL several processes can have it open: each hears what the others save.
    """

    def __init__(self, engine: AsyncEngine, writer: Engine) -> None:
        self._engine = engine
        self._file: tuple[Path, object] | None = None
        self._writing_engine = writer
        self._name = token_hex(8)
        self._listener: asyncio.Task[None] | None = None
        self._waiting: asyncio.Queue[tuple[Kept, int, asyncio.Future[None]]] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    @classmethod
    @asynccontextmanager
    async def open(cls, database: str) -> AsyncIterator[Store]:
        """Open a database, brought up to the present form."""
        url = make_url(database_url(database))
        is_file = url.get_backend_name() == "sqlite"
        if is_file and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        writing_url = url.set(drivername=url.drivername.replace("+aiosqlite", ""))
        engine = create_async_engine(url, hide_parameters=True)  # they are no matter for logs
        writer = create_engine(writing_url, hide_parameters=True)
        if is_file:
            for one in (engine.sync_engine, writer):
                event.listen(one, "connect", _set_up_sqlite)
        store = cls(engine, writer)
        try:
            # By this engine: a connection of the other one that fails is closed behind its back.
            await asyncio.to_thread(_migrate_all, writer)
            if is_file and url.database:
                store._file = Path(url.database), _identity(Path(url.database))
            store._writer = asyncio.create_task(store._write())
            yield store
        finally:
            running = [task for task in (store._writer, store._listener) if task is not None]
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await engine.dispose()
            await asyncio.to_thread(writer.dispose)

    @property
    def is_shared(self) -> bool:
        """Whether several processes can have this database open."""
        return self._engine.dialect.name == "postgresql"

    def listen(self, heard: Heard, began: Callable[[], object]) -> None:
        """From now on tell `heard` of what other processes save.

        `began` is called each time that the hearing begins: what came before has been missed.
        """
        if self.is_shared:
            self._listener = asyncio.create_task(self._listen(heard, began))

    async def _listen(self, heard: Heard, began: Callable[[], object]) -> None:
        import psycopg

        address = self._engine.url.set(drivername="postgresql").render_as_string(False)
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(address, autocommit=True)
                async with connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    began()
                    async for notice in connection.notifies():
                        who, *told = notice.payload.split()
                        if who != self._name:
                            for room, number in zip(told[::2], told[1::2], strict=True):
                                heard(room, int(number))
            except psycopg.Error:
                log.warning("the database is not heard; trying again")
                await asyncio.sleep(_RECONNECT_SECONDS)

    async def secret(self, name: str, proposed: str) -> str:
        """A secret, the same for every process: the one proposed first."""
        try:
            async with self._engine.begin() as connection:
                await connection.execute(insert(secrets).values(name=name, value=proposed))
        except IntegrityError:
            pass
        async with self._engine.connect() as connection:
            found = await connection.scalar(select(secrets.c.value).where(secrets.c.name == name))
        assert found is not None
        return str(found)

    async def save(self, kept: Kept, *, follows: int) -> None:
        """Keep a table that follows its state number `follows`; -1 for a new one.

        `ConflictError` where that is no longer the present state, or for a second table of somebody
        with the packs of a day; then nothing has changed.
        """
        done = asyncio.get_running_loop().create_future()
        await self._waiting.put((kept, follows, done))
        await done

    async def load(self, room: str) -> Kept | None:
        """A table by its name, None where there is none."""
        return await self._first(rooms.c.id == room)

    async def find(self, invitation: str) -> Kept | None:
        """The table that an invitation leads to."""
        return await self._first(rooms.c.invitation == invitation) if invitation else None

    async def rooms_of(self, person: str, most: int = 50) -> list[Kept]:
        """The tables of a person, the latest first."""
        mine = select(places.c.room).where(places.c.person == person)
        return await self._list(rooms.c.id.in_(mine), most)

    async def listed(self, most: int = 50) -> list[Kept]:
        """The tables that anybody may join, the latest first."""
        return await self._list(rooms.c.is_listed, most)

    async def forget(self, before: float) -> int:
        """Delete the tables that have not changed since; how many there were."""
        old = select(rooms.c.id).where(rooms.c.changed < before)
        async with self._engine.begin() as connection:
            await connection.execute(delete(places).where(places.c.room.in_(old)))
            done = await connection.execute(delete(rooms).where(rooms.c.changed < before))
        return int(done.rowcount)

    async def run(self, statement: Executable) -> int:
        """Have a statement change rows, on disk when this returns; how many rows it changed."""
        self._check_file()
        async with self._engine.begin() as connection:
            done = await connection.execute(statement)
        return int(done.rowcount)

    async def look(self, query: Select[Any]) -> Sequence[Row[Any]]:
        """The rows that a query finds."""
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).all()

    async def keep_match(self, finished: Finished) -> None:
        """Keep a match that somebody has handed in, or an old table still has."""
        self._check_file()
        async with self._engine.begin() as connection:
            await connection.run_sync(insert_matches, [finished])

    async def load_match(self, name: str) -> Finished | None:
        """A finished match by its id, None where there is none."""
        if not (name.isascii() and name.isprintable()):
            return None  # not every database can look for that
        async with self._engine.connect() as connection:
            return await connection.run_sync(find_match, name)

    async def matches_of(
        self, person: str, most: int = 20, skip: int = 0
    ) -> tuple[list[Finished], int]:
        """Finished matches of a person, the latest first, all but the first `skip`; of how many."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(find_matches_of, person, most, skip)

    async def played_by(self, person: str) -> list[PlayedMatch]:
        """The matches of a person that count, the first that ended first."""
        return await asyncio.to_thread(self._played_by, person)

    def _played_by(self, person: str) -> list[PlayedMatch]:
        """As `played_by`, in a thread: there may be thousands."""
        with self._writing_engine.connect() as connection:
            return find_played(connection, person)

    async def let_go(self, person: str) -> None:
        """Take a person out of all finished matches, in one step; it cannot be undone."""
        await asyncio.to_thread(self._let_go, person)

    def _let_go(self, person: str) -> None:
        self._check_file()
        with self._writing_engine.begin() as connection:
            _begin_writing(connection)
            let_go(connection, person)

    async def save_review(self, name: str, text: str) -> None:
        """Keep the review of a finished match beside it."""
        async with self._engine.begin() as connection:
            await connection.run_sync(update_review, name, text)

    async def forget_matches(self, before: float) -> int:
        """Delete the matches that have ended before; how many there were."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(delete_matches, before)

    async def check(self) -> None:
        """Raise an error where the tables cannot be written."""
        await asyncio.to_thread(self._commit, [])

    def _check_file(self) -> None:
        """Raise `StoreError` where the file of the tables is no longer there: all would be lost."""
        if self._file is not None and _identity(self._file[0]) != self._file[1]:
            raise StoreError(N_("the file of the tables is gone"))

    async def _first(self, condition: object) -> Kept | None:
        found = await self._list(condition, 1)
        return found[0] if found else None

    async def _list(self, condition: object, most: int) -> list[Kept]:
        query = (
            select(rooms.c.id, rooms.c.number, rooms.c.body, rooms.c.changed)
            .where(condition)  # type: ignore[arg-type]
            .order_by(rooms.c.changed.desc())
            .limit(most)
        )
        async with self._engine.connect() as connection:
            return [Kept(*row) for row in await connection.execute(query)]

    async def _write(self) -> None:
        """Commit what waits, all that has come together in one transaction."""
        while True:
            batch = [await self._waiting.get()]
            while len(batch) < MOST_TOGETHER and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            saves = [(kept, follows) for kept, follows, _done in batch]
            try:
                taken = await asyncio.to_thread(self._commit, saves)
            except Exception as trouble:
                for _kept, _follows, done in batch:
                    if not done.done():
                        done.set_exception(trouble)
                continue
            for (_kept, _follows, done), was_taken in zip(batch, taken, strict=True):
                if done.done():
                    continue
                if was_taken:
                    done.set_result(None)
                else:
                    done.set_exception(ConflictError)

    def _commit(self, saves: Sequence[_Save]) -> list[bool]:
        """Save in one transaction, in a thread: a hop for each statement would cost far more."""
        self._check_file()
        with self._writing_engine.begin() as connection:
            taken = _save(connection, saves)
            if self.is_shared:
                told = [self._name]
                for (kept, _follows), was_taken in zip(saves, taken, strict=True):
                    if was_taken:
                        told += kept.id, str(kept.number)
                if any(taken):
                    connection.execute(select(func.pg_notify(_CHANNEL, " ".join(told))))
        return taken


def _save(connection: Connection, saves: Sequence[_Save]) -> list[bool]:
    """Write the tables that follow their present states; which ones those are."""
    _begin_writing(connection)
    ids = [kept.id for kept, _follows in saves]
    query = select(rooms.c.id, rooms.c.number).where(rooms.c.id.in_(ids)).order_by(rooms.c.id)
    numbers = {row.id: row.number for row in connection.execute(query.with_for_update())}
    begun = [kept.daily for kept, follows in saves if follows < 0 and kept.daily]
    refused = claim_days(connection, begun)
    taken: list[bool] = []
    new: list[dict[str, object]] = []
    old: list[dict[str, object]] = []
    people: dict[str, tuple[str, ...]] = {}
    for kept, follows in saves:
        taken.append(numbers.get(kept.id, -1) == follows and kept.id not in refused)
        if taken[-1]:
            numbers[kept.id], people[kept.id] = kept.number, kept.people
            (new if follows < 0 else old).append(_row(kept))
    if new:
        connection.execute(insert(rooms), new)
    if old:
        connection.execute(_UPDATE, old)
    _save_places(connection, people)
    saved = [kept for (kept, _follows), was_taken in zip(saves, taken, strict=True) if was_taken]
    insert_matches(connection, [kept.finished for kept in saved if kept.finished])
    for kept in saved:
        if kept.daily is not None:
            save_result(connection, kept.daily)
    return taken


def _begin_writing(connection: Connection) -> None:
    """Have nobody write between what is read here and what is written after it."""
    if connection.dialect.name == "sqlite":  # elsewhere the rows are locked by `with_for_update`
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _row(kept: Kept) -> dict[str, object]:
    return {
        "id": kept.id,
        "room": kept.id,  # what `_UPDATE` looks for
        "number": kept.number,
        "body": kept.body,
        "changed": kept.changed,
        "invitation": kept.invitation,
        "is_listed": kept.is_listed,
    }


_UPDATE = update(rooms).where(rooms.c.id == bindparam("room"))


def _save_places(connection: Connection, people: Mapping[str, Iterable[str]]) -> None:
    """Have just these people sit at these tables."""
    query = select(places.c.room, places.c.person).where(places.c.room.in_(people))
    known = {(room, person) for room, person in connection.execute(query)}
    present = {(room, person) for room, sitting in people.items() for person in sitting}
    for room, person in known - present:
        left = (places.c.room == room) & (places.c.person == person)
        connection.execute(delete(places).where(left))
    if present - known:
        sat_down = [{"room": room, "person": person} for room, person in sorted(present - known)]
        connection.execute(insert(places), sat_down)


def _identity(file: Path) -> object:
    """What tells a file from another one of the same name; None where there is none."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _set_up_sqlite(connection: object, _record: object) -> None:
    """Have SQLite write ahead, and be on disk before it says that it is."""
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _migrate_all(engine: Engine) -> None:
    with engine.begin() as connection:
        migrate(connection)


def migrate(connection: Connection) -> None:
    """Bring a database to the present form."""
    if connection.dialect.name == "postgresql":  # one process at a time
        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
