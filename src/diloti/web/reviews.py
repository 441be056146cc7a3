"""The reviews of finished matches: made one after the other beside the games, and kept."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from diloti.core.errors import N_, DilotiError
from diloti.core.match import Match
from diloti.teacher.review import ReviewError, review_match
from diloti.teacher.review_json import write_review
from diloti.web.store import Store

log = logging.getLogger("diloti.web")

MOST_ASKED = 8
"""Reviews that are being made or wait for it, at most."""
MOST_DEALS = 30
"""Deals of a match that is reviewed, at most: three minutes of a processor."""
_MOST_FAILED = 100
_NICENESS = 5
"""How far a review stands back behind the games, where a thread can."""


class BusyError(DilotiError):
    """Too many reviews have been asked for already."""

    code = "busy"


class _EndedError(Exception):
    """The server ends."""


@dataclass(frozen=True)
class Progress:
    """How far a review is that has been asked for."""

    ahead: int
    """How many others are made before it; 0 where it is being made."""
    done: int
    """Plays that have been judged."""
    total: int
    deals: int

    @property
    def deal(self) -> int:
        """The deal that is being judged, from 1 on."""
        return min(self.done * self.deals // self.total + 1, self.deals)


class _Job:
    """A review that has been asked for."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.deals = sum(log.score is not None for log in match.deals)
        self.total = self.deals * match.rules.plays_in_deal
        self.done = 0


class Reviews:
    """Makes reviews one at a time, in a thread that stands back behind the games.

    What has been asked for is lost when the process ends, and can be asked for again.
    """

    def __init__(self, store: Store, *, simulations: int) -> None:
        self._store = store
        self._simulations = simulations
        self._jobs: dict[str, _Job] = {}
        self._failed: OrderedDict[str, None] = OrderedDict()
        self._executor = ThreadPoolExecutor(1, "review", initializer=_stand_back)
        self._work: asyncio.Task[None] | None = None
        self._is_ending = False

    def ask(self, name: str, match: Match) -> None:
        """Have a match reviewed; nothing where that has been asked for already.

        `ReviewError` where no deal is whole or the match is too long, `BusyError` where too many
        are asked for.
        """
        if name in self._jobs:
            return
        job = _Job(match)
        if not job.deals:
            raise ReviewError(N_("there is no whole deal to review"))
        if job.deals > MOST_DEALS:
            raise ReviewError(
                N_("matches of more than {most} deals are not reviewed here"), most=MOST_DEALS
            )
        if len(self._jobs) >= MOST_ASKED:
            raise BusyError(
                N_("too many matches are being reviewed now; try again in a few minutes")
            )
        self._failed.pop(name, None)
        self._jobs[name] = job
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._make_all())

    def progress_of(self, name: str) -> Progress | None:
        """How far the review of a match is; None where none has been asked for in this process."""
        job = self._jobs.get(name)
        if job is None:
            return None
        return Progress([*self._jobs].index(name), job.done, job.total, job.deals)

    def has_failed(self, name: str) -> bool:
        """Whether the review of a match was asked for and could not be made."""
        return name in self._failed

    async def close(self) -> None:
        """End what is being made, after the play that is being judged."""
        self._is_ending = True
        if self._work is not None:
            await self._work
        self._executor.shutdown()

    async def _make_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._jobs and not self._is_ending:
            name, job = next(iter(self._jobs.items()))
            try:
                text = await loop.run_in_executor(self._executor, self._make, job)
                await self._store.save_review(name, text)
            except _EndedError:
                pass
            except Exception:
                log.exception("a review could not be made")
                self._failed[name] = None
                if len(self._failed) > _MOST_FAILED:
                    self._failed.popitem(last=False)
            finally:
                del self._jobs[name]

    def _make(self, job: _Job) -> str:
        """The review as JSON."""

        def progress(done: int, _total: int) -> None:
            job.done = done
            if self._is_ending:
                raise _EndedError

        review = review_match(
            job.match, simulations=self._simulations, progress=progress, workers=1
        )
        return json.dumps(write_review(review), ensure_ascii=False, allow_nan=False)


def _stand_back() -> None:
    """Have the system prefer other threads to this one and those that it starts."""
    if sys.platform == "linux":  # elsewhere that is done to processes only
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
