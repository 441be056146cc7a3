"""Finished matches in the database: kept with the table that ends them, once, and for long."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from diloti.core.record_reader import parse_record
from diloti.web import store as stores
from diloti.web.archive import Finished, Player, finished_match
from diloti.web.backup import back_up
from diloti.web.keeper import Keeper
from diloti.web.matches import participants
from diloti.web.room import OVER, Room, RoomError, Seat, Settings, StaleError
from diloti.web.store import ConflictError, Kept, Store
from tests.postgresql import POSTGRESQL
from tests.test_web_archive import SHORT, play_match
from tests.test_web_keeper import House
from tests.test_web_room import Seeds
from tests.test_web_store import EARLIER


@pytest.fixture(params=["sqlite", "postgresql"])
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    if request.param == "postgresql" and POSTGRESQL is None:
        pytest.skip("there is no PostgreSQL here")
    async with AsyncExitStack() as stack:
        yield House(
            POSTGRESQL or "" if request.param == "postgresql" else str(tmp_path / "t"), stack
        )


def somebody() -> str:
    return secrets.token_hex(8)


def table_of(house: House, *people: str, settings: Settings | None = None) -> Room:
    seats = [Seat(name=f"P{place}", person=person) for place, person in enumerate(people)]
    room = Room.lay(SHORT, seats, settings or Settings(), first_dealer=1)
    room.deal(house.new_secret)
    return room


async def matches_of(store: Store, person: str) -> list[Finished]:
    found, count = await store.matches_of(person)
    assert len(found) == count
    return found


async def play_out(keeper: Keeper, name: str) -> None:
    """Play a match to its end, all in one command."""
    await keeper.do(name, lambda room: play_match(room, Seeds()))


async def test_a_match_is_kept_with_the_save_that_ends_it(house: House) -> None:
    keeper, store = await house.open()
    anna, boris = somebody(), somebody()
    name = await keeper.add(table_of(house, anna, boris))
    assert await matches_of(store, anna) == []
    await play_out(keeper, name)
    [kept] = await matches_of(store, anna)
    assert [kept] == await matches_of(store, boris)
    async with keeper.room(name) as room:
        assert room.phase == OVER
        assert kept == finished_match(name, room, ended=house.clock.time)
        assert parse_record(kept.record).match.scores == room.match.scores
    assert await store.load_match(kept.id) == kept
    for none in ("none", "", "\0", "é", "\ud800", "x" * 5000):
        assert await store.load_match(none) is None


async def test_what_cannot_be_kept_does_not_end_either(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, store = await house.open()
    anna = somebody()
    name = await keeper.add(table_of(house, anna, somebody()))

    def fail(_connection: object, finished: list[Finished]) -> None:
        if finished:
            raise RuntimeError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(stores, "insert_matches", fail)
        with pytest.raises(RuntimeError):
            await keeper.do(name, lambda room: room.resign(0))
    async with keeper.room(name) as room:
        assert not room.match.is_over
    await keeper.do(name, lambda room: room.resign(0))
    assert len(await matches_of(store, anna)) == 1


async def test_another_match_does_not_lose_the_first(house: House) -> None:
    keeper, store = await house.open()
    anna = somebody()
    name = await keeper.add(table_of(house, anna, somebody()))
    for number in range(3):
        house.clock.time += 1
        await keeper.do(name, lambda room: room.resign(0))
        await keeper.do(name, lambda room: room.say(0, "hello"))  # saved once more, kept once

        def begin(room: Room) -> None:
            room.rematch()
            room.deal(house.new_secret)

        await keeper.do(name, begin)
        assert len(await matches_of(store, anna)) == number + 1
    ended = [one.ended for one in await matches_of(store, anna)]
    assert ended == sorted(ended, reverse=True)
    assert len({one.record for one in await matches_of(store, anna)}) == 3


async def test_whoever_leaves_afterwards_has_played_it_all_the_same(house: House) -> None:
    keeper, store = await house.open()
    anna, boris = somebody(), somebody()
    name = await keeper.add(table_of(house, anna, boris))
    await keeper.do(name, lambda room: room.resign(1))
    await keeper.do(name, lambda room: room.leave(anna, "regular"))
    [kept] = await matches_of(store, anna)
    assert [player.person for player in kept.players] == [anna, boris]


async def test_a_save_that_is_not_taken_keeps_nothing(house: House) -> None:
    keeper, store = await house.open()
    anna = somebody()
    room = table_of(house, anna, somebody())
    name = await keeper.add(room)
    number = room.number
    room.resign(0)
    late = Kept(name, 99, room.body(), 0.0, finished=finished_match(name, room, ended=0.0))
    with pytest.raises(ConflictError):
        await store.save(late, follows=number + 1)
    assert await matches_of(store, anna) == []


async def test_two_that_end_it_at_once_keep_it_once(house: House) -> None:
    (one, store), (other, _) = await house.open(), await house.open()
    anna = somebody()
    name = await one.add(table_of(house, anna, somebody()))
    async with one.room(name) as room:
        number = room.number
    ends = [
        keeper.do(name, lambda room: room.resign(0), number=number) for keeper in (one, other, one)
    ]
    done = await asyncio.gather(*ends, return_exceptions=True)
    assert sum(result is None for result in done) == 1
    assert sum(isinstance(result, StaleError) for result in done) == 2
    [kept] = await matches_of(store, anna)
    async with store._engine.connect() as connection:
        rows = select(func.count()).where(participants.c.match == kept.id)
        assert await connection.scalar(rows) == 2


async def test_lists_are_long_and_come_in_pages(house: House) -> None:
    _, store = await house.open()
    anna = somebody()
    for number in range(45):
        one = Finished(
            id=f"{anna}-{number}",
            record="",
            summary={"scores": [number, 0]},
            fingerprint="",
            ended=float(number),
            players=(Player("Άννα", anna), Player("", level="novice")),
            uploaded_by=anna if number % 2 else "",
        )
        await store.keep_match(one)
        await store.keep_match(replace(one, record="another"))
    pages = [await store.matches_of(anna, 20, skip) for skip in (0, 20, 40, 60)]
    assert [count for _page, count in pages] == [45] * 4
    listed = [one.summary["scores"][0] for page, _count in pages for one in page]
    assert listed == list(range(44, -1, -1))
    assert all(one.record == "" for page, _count in pages for one in page)
    assert await store.matches_of(somebody()) == ([], 0)


async def test_a_review_is_kept_beside_it(house: House) -> None:
    keeper, store = await house.open()
    anna = somebody()
    name = await keeper.add(table_of(house, anna, somebody()))
    await keeper.do(name, lambda room: room.resign(0))
    [kept] = await matches_of(store, anna)
    assert kept.review is None
    await store.save_review(kept.id, '{"plays": []}')
    assert await store.load_match(kept.id) == replace(kept, review='{"plays": []}')


async def test_matches_outlive_their_tables(house: House) -> None:
    keeper, store = await house.open()
    anna = somebody()
    house.clock.time = -1000.0  # before whatever others keep in a shared database
    name = await keeper.add(table_of(house, anna, somebody()))
    await keeper.do(name, lambda room: room.resign(0))
    assert await store.forget(-999.0) == 1
    assert await store.load(name) is None
    [kept] = await matches_of(store, anna)
    assert await store.forget_matches(-1001.0) == 0
    assert await store.load_match(kept.id) == kept
    assert await store.forget_matches(-999.0) == 1
    assert await matches_of(store, anna) == []
    async with store._engine.connect() as connection:
        rows = select(func.count()).where(participants.c.match == kept.id)
        assert await connection.scalar(rows) == 0


async def test_a_match_that_goes_on_is_not_kept(house: House) -> None:
    keeper, store = await house.open()
    anna = somebody()
    name = await keeper.add(table_of(house, anna, somebody()))
    with pytest.raises(RoomError, match="not over"):
        await keeper.keep_match(name)
    assert await matches_of(store, anna) == []


async def test_tables_of_an_earlier_version_keep_their_matches_from_now_on(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.db")
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(EARLIER.read_text())
    async with AsyncExitStack() as stack:
        keeper, store = await House(database, stack).open()
        assert await matches_of(store, "anna") == []
        over = await keeper.keep_match("over")
        assert await keeper.keep_match("over") == over
        assert await matches_of(store, "anna") == [over]
        await play_out(keeper, "playing")
        ended = {one.id for one in await matches_of(store, "anna")}
        assert len(ended) == 2


async def test_a_copy_of_the_tables_has_the_matches_too(tmp_path: Path) -> None:
    anna = somebody()
    async with AsyncExitStack() as stack:
        house = House(str(tmp_path / "tables.db"), stack)
        keeper, store = await house.open()
        name = await keeper.add(table_of(house, anna, somebody()))
        await keeper.do(name, lambda room: room.resign(0))
        kept = await matches_of(store, anna)
        await asyncio.to_thread(back_up, str(tmp_path / "tables.db"), tmp_path / "copy.db")
    async with Store.open(str(tmp_path / "copy.db")) as copy:
        assert await matches_of(copy, anna) == kept
