"""The daily deal: the packs of each day, who has played them, and what the strongest bot makes of
them.

The packs of a day follow from the key of the server and from the day alone, so nobody knows them
beforehand and they are the same for everybody.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from diloti.core.rules import rules_from
from diloti.teacher.daily import OPPONENT, daily_lead
from diloti.web.daily_results import daily_marks, daily_results
from diloti.web.room import DAILY_DEALS, SIMULATIONS, Room, Seat, Settings
from diloti.web.store import ConflictError, Store

RULES = rules_from("classic", target=1000)
"""The rules of the day: a target that two deals never reach, so that every point counts alike."""
MOST_DAYS = 400
"""Days of a person that are looked at."""

log = logging.getLogger("diloti.web")


@dataclass(frozen=True)
class Standing:
    """A day as a person sees it; leads are in points, None where there is none yet."""

    day: str
    room: str
    """The table where this person plays it; empty before."""
    lead: int | None
    mark: int | None
    """The lead that the strongest bot has made."""
    match: str | None = None
    """The match by its id, once it is over; None also for results of earlier versions."""

    @property
    def link(self) -> str:
        """Where the match can be seen again."""
        return f"/match/{self.match}" if self.match else f"/table/{self.room}/match"

    @property
    def difference(self) -> int | None:
        """How much more than the strongest bot, None until both have played."""
        if self.lead is None or self.mark is None:
            return None
        return self.lead - self.mark


class Days:
    """The daily deals of this server."""

    def __init__(self, store: Store, *, key: str, now: Callable[[], float]) -> None:
        self._store = store
        self._key = key.encode()
        self._now = now
        self._working: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    @property
    def today(self) -> str:
        """The day, by universal time."""
        return datetime.fromtimestamp(self._now(), UTC).date().isoformat()

    def _secrets(self, day: str) -> list[bytes]:
        names = (f"daily {day} {number}" for number in range(DAILY_DEALS))
        return [hmac.new(self._key, name.encode(), hashlib.sha256).digest() for name in names]

    def _first_dealer(self, day: str) -> int:
        return date.fromisoformat(day).toordinal() % RULES.players

    def room(self, day: str, name: str, person: str) -> Room:
        """A new table with the packs of a day."""
        seats = [Seat(name=name, person=person), Seat(bot=OPPONENT)]
        return Room.lay(
            RULES,
            seats,
            Settings(daily=day),
            first_dealer=self._first_dealer(day),
            secrets=self._secrets(day),
        )

    async def begin(
        self, day: str, name: str, person: str, add: Callable[[Room], Awaitable[str]]
    ) -> str:
        """The table where somebody plays the packs of a day: a new one, unless there is one.

        `add` keeps it in one step with whose it is, so that nobody gets two.
        """
        self._work_out(day)
        try:
            return await add(self.room(day, name, person))
        except ConflictError:
            return (await self.standing(day, person)).room

    async def standing(self, day: str, person: str) -> Standing:
        """How a person stands on a day; what the strongest bot makes of it is worked out as soon as
        somebody plays.
        """
        mine = (daily_results.c.day == day) & (daily_results.c.person == person)
        rows = await self._store.look(select(daily_results).where(mine))
        marks = await self._store.look(select(daily_marks).where(daily_marks.c.day == day))
        mark = marks[0].lead if marks else None
        if not rows:
            return Standing(day, "", None, mark)
        if mark is None:
            self._work_out(day)
        return Standing(day, rows[0].room, rows[0].lead, mark, rows[0].match)

    async def played(self, person: str) -> list[Standing]:
        """The days that a person has played to the end, the latest first.

        What the strongest bot makes of the latest one where that is missing, because a server has
        ended meanwhile, is worked out, but of one day at a time.
        """
        marked = daily_results.outerjoin(daily_marks, daily_results.c.day == daily_marks.c.day)
        query = (
            select(daily_results, daily_marks.c.lead.label("mark"))
            .select_from(marked)
            .where((daily_results.c.person == person) & daily_results.c.lead.is_not(None))
            .order_by(daily_results.c.day.desc())
            .limit(MOST_DAYS)
        )
        rows = await self._store.look(query)
        missing = next((row.day for row in rows if row.mark is None), None)
        if missing is not None and not self._working:
            self._work_out(missing)
        return [Standing(row.day, row.room, row.lead, row.mark, row.match) for row in rows]

    async def leads(self, day: str) -> list[int]:
        """What everybody has made of the packs of a day, so far."""
        done = (daily_results.c.day == day) & daily_results.c.lead.is_not(None)
        return [row.lead for row in await self._store.look(select(daily_results).where(done))]

    async def forget(self, before: float) -> int:
        """Delete what was made of the days that had ended before; how many results there were."""
        first = datetime.fromtimestamp(max(before, 0.0), UTC).date().isoformat()
        await self._store.run(delete(daily_marks).where(daily_marks.c.day < first))
        return await self._store.run(delete(daily_results).where(daily_results.c.day < first))

    def _work_out(self, day: str) -> None:
        """Have the strongest bot play the packs of a day, in a thread; the result is kept once."""
        if day not in self._working:
            self._working[day] = asyncio.create_task(self._play(day))
            self._working[day].add_done_callback(lambda _done: self._working.pop(day))

    async def _play(self, day: str) -> None:
        try:
            lead = await asyncio.to_thread(
                daily_lead,
                RULES,
                self._secrets(day),
                first_dealer=self._first_dealer(day),
                simulations=SIMULATIONS["expert"],
                is_wanted=lambda: not self._is_closed,
            )
            if lead is None:
                return
            await self._store.run(insert(daily_marks).values(day=day, lead=lead))
        except IntegrityError:
            pass  # another process was faster, with the same result
        except Exception:
            log.exception("the daily deal could not be played")

    async def close(self) -> None:
        """Have nothing worked out any more."""
        self._is_closed = True
        working = [*self._working.values()]
        for one in working:
            one.cancel()
        await asyncio.gather(*working, return_exceptions=True)


def streaks(days: Sequence[str], today: str) -> tuple[int, int]:
    """How many days in a row, up to today or yesterday, and the most there have been."""
    best = run = 0
    last: date | None = None
    for day in sorted(map(date.fromisoformat, days)):
        run = run + 1 if last is not None and day - last == timedelta(1) else 1
        best, last = max(best, run), day
    if last is None or date.fromisoformat(today) - last > timedelta(1):
        return 0, best
    return run, best
