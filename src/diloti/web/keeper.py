"""Keeps the tables that are in use: one writer for each, saved before anybody hears of it.

Commands wait for their table's lock; what they change is in the store before the answer, and then
goes to all who watch. Bots think in threads, so that nobody waits for them but their own table.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Executor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from diloti.bots import choose
from diloti.core.errors import N_
from diloti.core.view import View
from diloti.teacher.advice import Advice, advise
from diloti.web.archive import Finished, finished_match
from diloti.web.commands import STAND_IN, go_on
from diloti.web.daily_results import daily_result
from diloti.web.feed import Frame, frame_for
from diloti.web.room import (
    COUNTING,
    OVER,
    PATIENCE,
    SIMULATIONS,
    NewSecret,
    Room,
    RoomError,
    StaleError,
)
from diloti.web.store import ConflictError, Kept, Store

Result = TypeVar("Result")

MOST_FRAMES = 32
"""Frames that wait for a slow reader; of more only the last ones are kept."""
MOST_CONFLICTS = 5
"""How often a command is tried again where other processes were faster."""
CLOCK_GRACE = 10.0
"""Seconds after which a clock that has run out was looked at by nobody."""
FIRST_CUT_SECONDS = 15.0
"""How long the first deal waits for somebody who is away; later ones wait for `PATIENCE`."""
IDLE_SECONDS = 300
"""How long a table that nobody watches stays in memory."""

log = logging.getLogger("diloti.web")


@dataclass(eq=False)
class Watcher:
    """Somebody who watches a table: the frames that wait to be sent."""

    person: str
    wanted: int | None
    """The seat whose hand is to be shown, where the person holds several."""
    frames: asyncio.Queue[Frame | None] = field(default_factory=asyncio.Queue)
    """What waits; None where nothing more will come."""

    def push(self, frame: Frame | None) -> None:
        """Let a frame wait; the oldest gives way where there are too many."""
        if self.frames.qsize() >= MOST_FRAMES:
            self.frames.get_nowait()
        self.frames.put_nowait(frame)


@dataclass(eq=False)
class _Entry:
    """A table in use."""

    id: str
    last_used: float
    """When it was last asked for."""
    room: Room | None = None
    """Its present state; None where the store has to be asked for it."""
    told: int = -1
    """The number of the state that was last shown to those who watch."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    bot: asyncio.Task[None] | None = None
    advice: tuple[View, asyncio.Future[Advice]] | None = None
    """What was thought last about a turn, and of what view."""


class UnknownRoomError(RoomError):
    """A table that there is not, or no longer."""


class Keeper:
    """All tables of this process."""

    def __init__(
        self, store: Store, *, now: Callable[[], float], new_secret: NewSecret, executor: Executor
    ) -> None:
        self._store = store
        self.now = now
        self._new_secret = new_secret
        self._executor = executor
        self._entries: dict[str, _Entry] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._is_ending = False
        store.listen(self._hear, self._hear_nothing)

    # --- Tables ------------------------------------------------------------------

    async def add(self, room: Room) -> str:
        """Keep a new table; its name.

        `ConflictError` where it is one of a day and its player has another one of that day.
        """
        now = self.now()
        entry = _Entry(secrets.token_urlsafe(9), last_used=now)
        room.turn_began = now
        room.prepare(self._new_secret)
        await self._store.save(self._kept(entry.id, room), follows=-1)
        entry.room = room
        self._entries[entry.id] = entry
        self._wake(entry)
        return entry.id

    @asynccontextmanager
    async def room(self, name: str) -> AsyncIterator[Room]:
        """A table, held still to be looked at; `UnknownRoomError` where there is none."""
        entry = self._entry(name)
        async with entry.lock:
            yield await self._load(entry)

    async def do(
        self, name: str, act: Callable[[Room], Result], *, number: int | None = None
    ) -> Result:
        """Have a table changed, and saved before this returns.

        With a `number` the command is refused with `StaleError` unless the table is in that state.
        A caller who goes away meanwhile does not stop it half way.
        """
        return await asyncio.shield(self._begin(self._do_again(name, act, number)))

    def _begin(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Start something that is brought to its end whatever happens to whoever wanted it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _do_again(
        self, name: str, act: Callable[[Room], Result], number: int | None
    ) -> Result:
        """As `do`; where another process was faster, what names no number is done after all."""
        for _ in range(MOST_CONFLICTS):
            try:
                return await self._do(name, act, number)
            except ConflictError:
                await self._refresh(name)
                if number is not None:
                    break
        raise StaleError(N_("the table has moved on meanwhile"))

    async def _do(self, name: str, act: Callable[[Room], Result], number: int | None) -> Result:
        entry = self._entry(name)
        async with entry.lock:
            room = await self._load(entry)
            if number is not None:
                room.check_number(number)
            before, turn = room.number, room.turn
            try:
                result = act(room)
                if room.number != before:
                    room.prepare(self._new_secret)
                    if room.turn != turn or room.phase == COUNTING:
                        room.turn_began = self.now()
                    await self._store.save(self._kept(name, room), follows=before)
            except BaseException:
                if room.number != before:
                    entry.room = None  # what is in the store counts
                raise
            if room.number != before:
                self._publish(entry, room)
        self._wake(entry)
        return result

    def new_secret(self) -> bytes:
        """The secret of a new deal."""
        return self._new_secret()

    # --- Watching ------------------------------------------------------------------

    @asynccontextmanager
    async def watch(
        self, name: str, person: str, wanted: int | None = None
    ) -> AsyncIterator[Watcher]:
        """Frames of a table for a person, the present one first."""
        entry = self._entry(name)
        async with entry.lock:
            room = await self._load(entry)
            entry.told = max(entry.told, room.number)
            watcher = Watcher(person, wanted)
            watcher.push(frame_for(room, person, wanted, now=self.now()))
            entry.watchers.add(watcher)
        if self._is_ending:
            watcher.push(None)
        self._wake(entry)
        try:
            yield watcher
        finally:
            entry.watchers.discard(watcher)
            entry.last_used = self.now()

    def _hear(self, name: str, number: int) -> None:
        """Another process has saved a table: those who watch it here see that."""
        entry = self._entries.get(name)
        if entry is not None and entry.told < number:
            self._begin(self._refresh(name))

    def _hear_nothing(self) -> None:
        """What other processes have saved may have been missed: all is asked for again."""
        for name in self._entries:
            self._begin(self._refresh(name))

    async def _refresh(self, name: str) -> None:
        """Have a table as the store has it, and show it where it has moved on."""
        entry = self._entry(name)
        async with entry.lock:
            entry.room = None
            with suppress(UnknownRoomError):
                room = await self._load(entry)
                if room.number > entry.told:
                    self._publish(entry, room)
        self._wake(entry)

    def _publish(self, entry: _Entry, room: Room) -> None:
        entry.told = room.number
        now = self.now()
        for watcher in entry.watchers:
            watcher.push(frame_for(room, watcher.person, watcher.wanted, now=now))

    # --- Bots and clocks -----------------------------------------------------------

    def _wake(self, entry: _Entry) -> None:
        """Set the bots of a table to work where it is their turn."""
        room = entry.room
        if room is None or not room.bot_in_turn or (entry.bot and not entry.bot.done()):
            return
        entry.bot = asyncio.create_task(self._play_bots(entry.id))

    async def _play_bots(self, name: str) -> None:
        """Make the plays of bots until it is a person's turn."""
        try:
            while True:
                async with self.room(name) as room:
                    number, seat, level = room.number, room.turn, room.bot_in_turn
                    if seat is None or not level:
                        return
                    view, seed = room.match.view(seat), room.match.deal_log.choice_seed
                with suppress(StaleError):
                    await self._play_for(name, seat, number, view, level, seed)
        except UnknownRoomError:
            return
        except Exception:
            log.exception("a bot could not play", extra={"room": name})

    async def _play_for(
        self, name: str, seat: int, number: int, view: View, level: str, seed: int
    ) -> None:
        loop = asyncio.get_running_loop()
        choice = await loop.run_in_executor(
            self._executor,
            lambda: choose(view, level, seed=seed, simulations=SIMULATIONS.get(level)).play,
        )
        await self._do_again(name, lambda room: room.play(seat, choice), number)

    async def advise(self, name: str, view: View) -> Advice:
        """What the strongest bot thinks of a view of a table, worked out once however often asked.

        It must be the view's seat's turn.
        """
        entry = self._entry(name)
        if entry.advice is None or entry.advice[0] != view:
            loop = asyncio.get_running_loop()
            entry.advice = view, loop.run_in_executor(self._executor, advise, view)
        return await asyncio.shield(entry.advice[1])

    async def tick(self) -> None:
        """Do what is due at every table in use."""
        for entry in list(self._entries.values()):
            try:
                await self._tick(entry)
            except Exception:
                log.exception("what is due could not be done", extra={"room": entry.id})

    async def _tick(self, entry: _Entry) -> None:
        """Put a table away that is not used; wake its bots; play where its clock has run out."""
        now, room = self.now(), entry.room
        is_idle = not entry.lock.locked() and (entry.bot is None or entry.bot.done())
        if is_idle and not entry.watchers and now - entry.last_used > IDLE_SECONDS:
            del self._entries[entry.id]
            return
        if room is None and entry.watchers:
            await self._refresh(entry.id)
        self._wake(entry)
        if room is None:
            return
        with suppress(StaleError):
            await self._tick_room(entry.id, room, now)

    async def _tick_room(self, name: str, room: Room, now: float) -> None:
        """Deal without those who are away; play for those whose clock has run out."""
        waited, seat = now - room.turn_began, room.turn
        if room.is_awaited and waited >= (PATIENCE if room.match.deals else FIRST_CUT_SECONDS):
            await self._do_again(
                name, lambda room: go_on(room, self._new_secret, without=True), room.number
            )
        elif seat is not None and room.settings.clock is not None and not room.seats[seat].bot:
            if waited >= room.settings.clock:
                view, seed = room.match.view(seat), room.match.deal_log.choice_seed
                await self._play_for(name, seat, room.number, view, STAND_IN, seed)

    def end_watching(self) -> None:
        """Tell all who watch that nothing more will come."""
        self._is_ending = True
        for entry in self._entries.values():
            for watcher in entry.watchers:
                watcher.push(None)

    async def close(self) -> None:
        """Let what has begun come to its end, and stop the bots."""
        if self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        bots = [entry.bot for entry in self._entries.values() if entry.bot]
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)

    # --- The store ------------------------------------------------------------------

    def _entry(self, name: str) -> _Entry:
        entry = self._entries.setdefault(name, _Entry(name, last_used=self.now()))
        entry.last_used = self.now()
        return entry

    async def _load(self, entry: _Entry) -> Room:
        if entry.room is None:
            kept = await self._store.load(entry.id)
            if kept is None:
                self._entries.pop(entry.id, None)
                raise UnknownRoomError(N_("there is no such table, or no longer"))
            entry.room = await asyncio.to_thread(Room.read, kept.body)
            self._restart_clock(entry.room)
        return entry.room

    def _restart_clock(self, room: Room) -> None:
        """Give a turn its time anew that ran out while no server was there."""
        clock = room.settings.clock
        if clock is not None and self.now() > room.turn_began + clock + CLOCK_GRACE:
            room.turn_began = self.now()

    def _kept(self, name: str, room: Room) -> Kept:
        finished = self._finished(name, room)
        return Kept(
            id=name,
            number=room.number,
            body=room.body(),
            changed=self.now(),
            invitation=room.invitation,
            is_listed=room.settings.is_listed and any(seat.is_free for seat in room.seats),
            people=tuple({seat.person for seat in room.seats if seat.person}),
            finished=finished,
            daily=daily_result(name, room, finished),
        )

    def _finished(self, name: str, room: Room) -> Finished | None:
        return finished_match(name, room, ended=self.now()) if room.phase == OVER else None

    async def keep_match(self, name: str) -> Finished:
        """The match of a table that is over; one of an earlier version may not be kept yet."""
        async with self.room(name) as room:
            finished = self._finished(name, room)
        if finished is None:
            raise RoomError(N_("the match is not over"))
        kept = await self._store.load_match(finished.id)
        if kept is None:
            await self._store.keep_match(finished)
        return kept or finished
