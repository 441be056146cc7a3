"""Limits on how much one address may ask: a bucket of requests that fills again with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import ceil

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_MAKING = (
    "/play",
    "/new",
    "/daily",
    "/score",
    "/upload",
    "/api/tables",
    "/api/people",
    "/api/matches",
)
_TRY = "/try"
"""What lays a table from within a match."""
_REVIEW = "/review"
"""What has a match reviewed, from its page or by a program."""
_ASKING = ("/choices", "/events", "/entries")
_COSTLY = ("/match/", "/figures", "/score/")
"""Questions that cost something, besides all that is sent."""

MOST_KNOWN = 10_000
"""Addresses that are remembered."""


@dataclass(frozen=True)
class Limit:
    """So many at once, and so many a second in the long run."""

    burst: float
    rate: float


NEW_TABLES = Limit(burst=20, rate=0.2)
COMMANDS = Limit(burst=120, rate=30)
HINTS = Limit(burst=20, rate=1)
"""A hint is thought about for a fraction of a second, and asked for once a play at most."""

REVIEWS = Limit(burst=6, rate=1 / 60)
"""A review keeps a processor busy for half a minute."""


class Buckets:
    """What each address still may ask."""

    def __init__(self, limit: Limit, clock: Callable[[], float]) -> None:
        self._limit = limit
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> float:
        """Take one more; the seconds to wait where none is left."""
        now = self._clock()
        left, then = self._left.pop(address, (self._limit.burst, now))
        left = min(self._limit.burst, left + (now - then) * self._limit.rate)
        wait = max(0.0, 1 - left) / self._limit.rate
        self._left[address] = (left if wait else left - 1, now)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return wait


Refuse = Callable[[Request, int], Awaitable[Response]]
"""Answers somebody who has to wait for so many seconds."""


class Limits:
    """Has those wait who ask too much."""

    def __init__(
        self, app: ASGIApp, refuse: Refuse, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._refuse = refuse
        self._new = Buckets(NEW_TABLES, clock)
        self._commands = Buckets(COMMANDS, clock)
        self._hints = Buckets(HINTS, clock)
        self._reviews = Buckets(REVIEWS, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not."""
        answer = self._app
        if scope["type"] == "http":
            path, address = scope["path"], scope["client"][0] if scope.get("client") else ""
            wait = 0.0
            if scope["method"] == "POST":
                wait = self._sent(path).take(address)
            elif path.endswith("/hint"):
                wait = self._hints.take(address)
            elif path.endswith(_ASKING) or path.startswith(_COSTLY):
                wait = self._commands.take(address)
            if wait:
                answer = await self._refuse(Request(scope), ceil(wait))
        await answer(scope, receive, send)

    def _sent(self, path: str) -> Buckets:
        """What is counted where something is sent there."""
        if path.endswith(_REVIEW):
            return self._reviews
        return self._new if path in _MAKING or path.endswith(_TRY) else self._commands
