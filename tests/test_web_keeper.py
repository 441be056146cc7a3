"""The tables in use: what other processes do, what fails, and what is due."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from diloti.bots import choose
from diloti.core.plays import legal_plays
from diloti.core.rules import CLASSIC, TAVERNA
from diloti.core.shuffle import SEED_SIZE
from diloti.web.commands import run_command
from diloti.web.feed import Frame
from diloti.web.keeper import FIRST_CUT_SECONDS, IDLE_SECONDS, Keeper, Watcher
from diloti.web.room import PATIENCE, PLAYING, Room, Seat, Settings, StaleError
from diloti.web.store import Store, StoreError
from tests.clock import Clock
from tests.postgresql import POSTGRESQL

ANNA, BORIS = "anna", "boris"


class House:
    """Keepers as several processes would have them, at one database and one clock."""

    def __init__(self, database: str, stack: AsyncExitStack) -> None:
        self.clock = Clock()
        self._database = database
        self._stack = stack
        self._executor = stack.enter_context(ThreadPoolExecutor(2))
        self._seeds = itertools.count(1)

    def new_secret(self) -> bytes:
        return next(self._seeds).to_bytes(SEED_SIZE, "big")

    async def open(self) -> tuple[Keeper, Store]:
        store = await self._stack.enter_async_context(Store.open(self._database))
        keeper = Keeper(store, now=self.clock, new_secret=self.new_secret, executor=self._executor)
        self._stack.push_async_callback(keeper.close)
        return keeper, store

    def room(self, *seats: Seat, settings: Settings | None = None) -> Room:
        taken = seats or (Seat(person=ANNA), Seat(person=BORIS))
        room = Room.lay(CLASSIC, taken, settings or Settings(), first_dealer=1)
        room.deal(self.new_secret)
        return room


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        yield House(str(tmp_path / "tables.db"), stack)


@pytest.fixture
async def shared_house() -> AsyncIterator[House]:
    if POSTGRESQL is None:
        pytest.skip("there is no PostgreSQL here")
    async with AsyncExitStack() as stack:
        yield House(POSTGRESQL, stack)


async def next_frame(watcher: Watcher) -> Frame:
    frame = await asyncio.wait_for(watcher.frames.get(), 10)
    assert frame is not None
    return frame


def play_first(room: Room) -> None:
    assert room.turn is not None
    room.play(room.turn, legal_plays(room.match.position)[0])


# --- Several processes -----------------------------------------------------------


async def test_a_watcher_sees_what_won_where_two_save_at_once(shared_house: House) -> None:
    (one, _), (other, _) = await shared_house.open(), await shared_house.open()
    name = await one.add(shared_house.room())
    async with one.watch(name, ANNA) as first, other.watch(name, BORIS) as second:
        number = (await next_frame(first)).number
        await next_frame(second)
        plays = [keeper.do(name, play_first, number=number) for keeper in (one, other)]
        done = await asyncio.gather(*plays, return_exceptions=True)
        assert sum(isinstance(result, StaleError) for result in done) == 1
        for watcher in (first, second):
            assert (await next_frame(watcher)).number == number + 1


async def test_a_bot_plays_once_for_all_processes(
    shared_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    (one, _), (other, _) = await shared_house.open(), await shared_house.open()
    bots = [Seat(bot="novice")] * 3
    room = Room.lay(
        replace(TAVERNA, players=4), [Seat(person=ANNA), *bots], Settings(), first_dealer=0
    )
    room.deal(shared_house.new_secret)
    name = await one.add(room)
    async with one.watch(name, ANNA) as first, other.watch(name, ANNA) as second:
        for watcher in (first, second):
            while (frame := await next_frame(watcher)).turn != 0:
                pass
            assert frame.view is not None
            assert frame.view.plays == 3
    assert not caplog.records


async def test_what_names_no_number_is_done_by_both(shared_house: House) -> None:
    (one, store), (other, _) = await shared_house.open(), await shared_house.open()
    name = await one.add(shared_house.room())
    said = [
        keeper.do(name, lambda room, seat=seat: room.say(seat, "hello"))  # type: ignore[misc]
        for seat, keeper in enumerate((one, other))
        for _ in range(2)
    ]
    await asyncio.gather(*said)
    kept = await store.load(name)  # `one` may not have heard of the last word yet
    assert kept is not None
    assert sorted(remark.seat for remark in Room.read(kept.body).remarks) == [0, 0, 1, 1]


async def test_what_was_missed_without_a_listener_comes_afterwards(shared_house: House) -> None:
    (one, _), (other, store) = await shared_house.open(), await shared_house.open()
    name = await one.add(shared_house.room())
    async with other.watch(name, BORIS) as watcher:
        number = (await next_frame(watcher)).number
        async with store._engine.connect() as connection:
            listening = "select pg_terminate_backend(pid) from pg_stat_activity"
            await connection.execute(text(f"{listening} where query like 'LISTEN%'"))
        await one.do(name, play_first, number=number)
        assert (await next_frame(watcher)).number == number + 1


# --- What fails ------------------------------------------------------------------


class FailingStore:
    """Has saves of a store fail for a while."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fails = True
        commit = store._commit

        def fail_or_commit(saves: object) -> list[bool]:
            if self.fails:
                raise StoreError("the disk is full")
            return commit(saves)  # type: ignore[arg-type]

        monkeypatch.setattr(store, "_commit", fail_or_commit)


async def test_a_save_that_fails_changes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, store = await house.open()
    name = await keeper.add(house.room())
    failing = FailingStore(store, monkeypatch)
    async with keeper.watch(name, ANNA) as watcher:
        number = (await next_frame(watcher)).number
        with pytest.raises(StoreError):
            await keeper.do(name, play_first, number=number)
        assert watcher.frames.empty()
        failing.fails = False
        await keeper.do(name, play_first, number=number)
        assert (await next_frame(watcher)).number == number + 1


async def test_a_bot_goes_on_when_saves_succeed_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, store = await house.open()
    bot = Seat(bot="novice")
    name = await keeper.add(Room.lay(CLASSIC, [bot, Seat()], Settings(), first_dealer=1))

    def begin(room: Room) -> None:
        room.sit_down(1, BORIS, "Boris")
        room.deal(house.new_secret)

    await keeper.do(name, begin)
    async with keeper.watch(name, BORIS) as watcher:
        while (frame := await next_frame(watcher)).turn != 1:
            pass
        failing = FailingStore(store, monkeypatch)
        failing.fails = False
        await keeper.do(name, play_first, number=frame.number)
        failing.fails = True
        await asyncio.sleep(0)
        await keeper.tick()
        failing.fails = False
        while (await next_frame(watcher)).turn != 1:
            await keeper.tick()


async def test_nothing_is_saved_in_a_file_that_is_gone(house: House, tmp_path: Path) -> None:
    keeper, store = await house.open()
    name = await keeper.add(house.room())
    (tmp_path / "tables.db").rename(tmp_path / "elsewhere.db")
    with pytest.raises(StoreError, match="gone"):
        await keeper.do(name, play_first)
    with pytest.raises(StoreError):
        await store.check()


# --- What is due --------------------------------------------------------------------


async def test_a_clock_that_has_run_out_plays(house: House) -> None:
    keeper, _ = await house.open()
    name = await keeper.add(house.room(settings=Settings(clock=30)))
    async with keeper.watch(name, ANNA) as watcher:
        frame = await next_frame(watcher)
        assert frame.seconds_left == 30
        house.clock.time += 29
        await keeper.tick()
        assert watcher.frames.empty()
        house.clock.time += 1
        await keeper.tick()
        after = await next_frame(watcher)
        assert (after.number, after.phase) == (frame.number + 1, PLAYING)
        assert after.seats == frame.seats


@pytest.mark.parametrize("is_first", [True, False])
async def test_somebody_who_is_away_holds_no_deal_up(house: House, is_first: bool) -> None:
    keeper, _ = await house.open()
    room = Room.lay(CLASSIC, [Seat(person=ANNA), Seat(person=BORIS)], Settings(), first_dealer=0)
    if not is_first:
        room.deal(house.new_secret)
        while room.turn is not None:
            room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)
    name = await keeper.add(room)
    patience = FIRST_CUT_SECONDS if is_first else PATIENCE
    async with keeper.watch(name, ANNA) as watcher:
        bound = (await next_frame(watcher)).shuffling.commitment
        house.clock.time += 2 * patience
        await keeper.tick()
        assert watcher.frames.empty(), "nobody waits yet"
        ready = partial(run_command, "ready", {"cut": "hers"}, person=ANNA, wanted=None)
        await keeper.do(name, lambda room: ready(new_secret=house.new_secret, now=0.0, room=room))
        assert (await next_frame(watcher)).is_ready
        house.clock.time += patience - 1
        await keeper.tick()
        assert watcher.frames.empty()
        house.clock.time += 1
        await keeper.tick()
        dealt = await next_frame(watcher)
        assert (dealt.phase, dealt.shuffling.commitment) == (PLAYING, bound)
        assert dealt.shuffling.cuts == {0: "hers"}


async def test_a_clock_does_not_run_while_there_is_no_server(house: House) -> None:
    keeper, _ = await house.open()
    name = await keeper.add(house.room(settings=Settings(clock=30)))
    house.clock.time += 3600
    later, _ = await house.open()
    async with later.watch(name, ANNA) as watcher:
        frame = await next_frame(watcher)
        assert frame.seconds_left == 30
        await later.tick()
        assert watcher.frames.empty()


async def test_tables_that_nobody_watches_are_put_away(house: House) -> None:
    keeper, _ = await house.open()
    name = await keeper.add(house.room())
    await keeper.do(name, play_first)
    house.clock.time += IDLE_SECONDS + 1
    await keeper.tick()
    assert not keeper._entries
    async with keeper.room(name) as room:
        assert room.match.position.history is not None


async def test_a_new_table_is_not_put_away_before_anybody_comes(house: House) -> None:
    keeper, _ = await house.open()
    room = house.room()
    name = await keeper.add(room)
    house.clock.time += IDLE_SECONDS
    await keeper.tick()
    async with keeper.room(name) as found:
        assert found is room
