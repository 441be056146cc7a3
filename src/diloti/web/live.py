"""Streams of a table: its frames as server-sent events, until whoever listens goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.responses import StreamingResponse

from diloti.web.feed import Frame
from diloti.web.keeper import Keeper

HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is alive."""
RETRY_MILLISECONDS = 1000
"""How soon a browser comes back after a broken connection."""

COMMENT = ": alive\n\n"
"""What a silent stream says; programs hear nothing of it."""
ALIVE = "event: alive\ndata: -\n\n"
"""The same for our script, which begins anew where it has heard nothing for long."""

_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def stream_table(
    keeper: Keeper,
    name: str,
    person: str,
    wanted: int | None,
    event: str,
    write: Callable[[Frame], str],
    *,
    heartbeat: str = COMMENT,
) -> StreamingResponse:
    """The frames of a table for a person as events of that name, each written by `write`.

    `UnknownRoomError` where there is no such table.
    """
    async with keeper.room(name):
        pass  # there is one
    events = _events(keeper, name, person, wanted, event, write, heartbeat)
    return StreamingResponse(events, media_type="text/event-stream", headers=_HEADERS)


async def _events(
    keeper: Keeper,
    name: str,
    person: str,
    wanted: int | None,
    event: str,
    write: Callable[[Frame], str],
    heartbeat: str,
) -> AsyncIterator[str]:
    async with keeper.watch(name, person, wanted) as watcher:
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        while True:
            try:
                frame = await asyncio.wait_for(watcher.frames.get(), HEARTBEAT)
            except TimeoutError:
                yield heartbeat
                continue
            if frame is None:
                return
            data = write(frame).rstrip("\n").replace("\n", "\ndata: ")
            yield f"id: {frame.number}\nevent: {event}\ndata: {data}\n\n"
