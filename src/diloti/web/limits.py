"""Limits on how much one address may ask: a bucket of requests that fills again with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_MAKING = ("/play", "/new", "/api/tables", "/api/people")
_TOO_MUCH = {"error": "too_much", "message": "too many requests"}

MOST_KNOWN = 10_000
"""Addresses that are remembered."""


@dataclass(frozen=True)
class Limit:
    """So many at once, and so many a second in the long run."""

    burst: float
    rate: float


NEW_TABLES = Limit(burst=20, rate=0.2)
COMMANDS = Limit(burst=120, rate=30)


class Buckets:
    """What each address still may ask."""

    def __init__(self, limit: Limit, clock: Callable[[], float]) -> None:
        self._limit = limit
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether one more is allowed."""
        now = self._clock()
        left, then = self._left.pop(address, (self._limit.burst, now))
        left = min(self._limit.burst, left + (now - then) * self._limit.rate)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return allowed


class Limits:
    """Answers 429 to those who ask too much."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._new = Buckets(NEW_TABLES, clock)
        self._commands = Buckets(COMMANDS, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not."""
        if scope["type"] == "http" and scope["method"] == "POST":
            address = scope["client"][0] if scope.get("client") else ""
            makes = scope["path"] in _MAKING
            if not (self._new if makes else self._commands).take(address):
                await JSONResponse(_TOO_MUCH, 429, {"retry-after": "1"})(scope, receive, send)
                return
        await self._app(scope, receive, send)
