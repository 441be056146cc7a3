"""The store: on disk before it returns, one state after the other, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from diloti.bots import choose
from diloti.web.matches import metadata
from diloti.web.room import COUNTING, OVER, PLAYING, WAITING, Room
from diloti.web.store import MOST_TOGETHER, ConflictError, Kept, Store, database_url, migrate
from tests.postgresql import POSTGRESQL


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "deep" / "tables.db")
    if POSTGRESQL is None:
        pytest.skip("there is no PostgreSQL here")
    return POSTGRESQL


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    async with Store.open(database) as store:
        yield store


def kept(name: str, number: int = 0, *, at: float = 1000.0, people: tuple[str, ...] = ()) -> Kept:
    body = f"state {number}"
    return Kept(name, number, body, at, f"to {name}", is_listed=True, people=people)


def new_name() -> str:
    return secrets.token_hex(8)


async def test_what_is_saved_is_there_for_the_next_one(database: str) -> None:
    name, anna = new_name(), new_name()
    async with opened(database) as store:
        await store.save(kept(name, people=(anna,)), follows=-1)
        await store.save(kept(name, 1, people=(anna,)), follows=0)
    async with opened(database) as store:
        found = await store.load(name)
        assert found is not None
        assert (found.number, found.body) == (1, "state 1")
        assert (await store.find(f"to {name}")) == found
        assert [one.id for one in await store.rooms_of(anna)] == [name]
        assert name in [one.id for one in await store.listed(10_000)]
        assert await store.load("none") is None
        assert await store.find("") is None
        await store.check()


async def test_a_state_that_does_not_follow_is_not_taken(database: str) -> None:
    name = new_name()
    async with opened(database) as store:
        await store.save(kept(name), follows=-1)
        await store.save(kept(name, 1), follows=0)
        for follows in (0, 2, 7):
            with pytest.raises(ConflictError):
                await store.save(kept(name, 9), follows=follows)
        found = await store.load(name)
        assert found is not None
        assert found.number == 1


async def test_of_two_that_follow_the_same_state_one_is_taken(database: str) -> None:
    name = new_name()
    async with opened(database) as one, opened(database) as other:
        await one.save(kept(name), follows=-1)
        saves = [store.save(kept(name, 1), follows=0) for store in (one, other, one, other)]
        done = await asyncio.gather(*saves, return_exceptions=True)
        assert sorted(type(result).__name__ for result in done) == ["ConflictError"] * 3 + [
            "NoneType"
        ]


async def test_many_saves_at_once(database: str) -> None:
    names = [new_name() for _ in range(3 * MOST_TOGETHER)]
    async with opened(database) as store:
        await asyncio.gather(*(store.save(kept(name), follows=-1) for name in names))
        for number in range(3):
            await asyncio.gather(
                *(store.save(kept(name, number + 1), follows=number) for name in names)
            )
        for name in names:
            found = await store.load(name)
            assert found is not None
            assert found.number == 3


async def test_people_come_and_go(database: str) -> None:
    name, anna, boris = new_name(), new_name(), new_name()
    async with opened(database) as store:
        await store.save(kept(name, people=(anna,)), follows=-1)
        await store.save(kept(name, 1, people=(boris,)), follows=0)
        assert await store.rooms_of(anna) == []
        assert len(await store.rooms_of(boris)) == 1


async def test_old_tables_are_forgotten(database: str) -> None:
    old, young, anna = new_name(), new_name(), new_name()
    async with opened(database) as store:
        await store.save(kept(old, at=10.0, people=(anna,)), follows=-1)
        await store.save(kept(young, at=1000.0), follows=-1)
        assert await store.forget(500.0) >= 1
        assert await store.load(old) is None
        assert await store.load(young) is not None
        assert await store.rooms_of(anna) == []


def test_the_migrations_make_the_tables_of_the_code(tmp_path: Path) -> None:
    forms = []
    for make in (migrate, metadata.create_all):
        engine = create_engine(f"sqlite:///{tmp_path / make.__name__}.db")
        with engine.begin() as connection:
            make(connection)
        seen = inspect(engine)
        forms.append(
            {
                table: (
                    [(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(table)],
                    sorted(seen.get_indexes(table), key=lambda index: str(index["name"])),
                    seen.get_pk_constraint(table),
                )
                for table in metadata.tables
            }
        )
        engine.dispose()
    assert forms[0] == forms[1]


async def test_a_secret_is_made_once(database: str) -> None:
    name = new_name()
    async with opened(database) as store:
        first = await store.secret(name, "one")
        assert first == await store.secret(name, "two") == "one"
    async with opened(database) as store:
        assert await store.secret(name, "three") == "one"


async def test_sqlite_is_on_disk_when_it_says_so(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "tables.db")) as store, store._engine.connect() as connection:
        assert await connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert await connection.scalar(text("PRAGMA synchronous")) == 2


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("a/b.db", "sqlite+aiosqlite:///a/b.db"),
        ("postgresql://u@h/d", "postgresql+psycopg://u@h/d"),
        ("postgres://u@h/d", "postgresql+psycopg://u@h/d"),
        ("postgresql+psycopg://u@h/d", "postgresql+psycopg://u@h/d"),
    ],
)
def test_addresses_of_databases(given: str, url: str) -> None:
    assert database_url(given) == url


@pytest.mark.skipif(POSTGRESQL is None, reason="there is no PostgreSQL here")
async def test_processes_hear_what_the_others_save() -> None:
    assert POSTGRESQL is not None
    name = new_name()
    async with opened(POSTGRESQL) as one, opened(POSTGRESQL) as other:
        heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        own: list[tuple[str, int]] = []
        ready = [asyncio.Event(), asyncio.Event()]
        other.listen(lambda room, number: heard.put_nowait((room, number)), ready[0].set)
        one.listen(lambda room, number: own.append((room, number)), ready[1].set)
        await asyncio.gather(*(event.wait() for event in ready))
        await one.save(kept(name), follows=-1)
        await one.save(kept(name, 1), follows=0)
        assert [await heard.get(), await heard.get()] == [(name, 0), (name, 1)]
        assert own == []


EARLIER = Path(__file__).parent / "data" / "tables-0.1.sql"
"""A database as the first version kept it, dumped: a table in every phase."""


async def test_tables_of_an_earlier_version_are_played_on(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(EARLIER.read_text())
    async with Store.open(str(database)) as store:
        assert await store.secret("signing key", "another") == "an old key"
        tables = {table.id: table for table in await store.rooms_of("anna")}
        phases = {name: Room.read(table.body).phase for name, table in tables.items()}
        assert phases == {
            "waiting": WAITING,
            "playing": PLAYING,
            "counting": COUNTING,
            "over": OVER,
            "four": PLAYING,
        }
        assert (await store.find("open-sesame")) == tables["waiting"]
        room = Room.read(tables["playing"].body)
        while room.turn is not None:
            room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)
        assert room.phase == COUNTING
        await store.save(kept("playing", room.number), follows=tables["playing"].number)
