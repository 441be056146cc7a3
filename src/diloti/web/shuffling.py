"""The pages on which anybody checks how the packs came about; the browser does the checking."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from diloti.core.record import Record, format_record
from diloti.web.feed import frame_for
from diloti.web.render import names_of
from diloti.web.requests import Visit


async def shuffle_page(request: Request) -> Response:
    """How packs are made, and a place to check those of any record."""
    return Visit(request).show("shuffle.html", record="", origin="", table="", match="")


async def table_shuffle(request: Request) -> Response:
    """The deals that are over at a table, to be checked."""
    visit = Visit(request)
    name = request.path_params["room"]
    async with visit.keeper.room(name) as room:
        names = names_of(visit.page.words, frame_for(room, visit.person))
        record = format_record(Record(room.open_match(names)))
        match = str(room.match_number)
    return visit.show(
        "shuffle.html", record=record, origin=f"/table/{name}", table=name, match=match
    )
