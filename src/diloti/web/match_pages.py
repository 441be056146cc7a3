"""Finished matches: their pages, seeing them again, trying from there, and handing records in."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from diloti.bots import LEVELS
from diloti.core.errors import N_, DilotiError
from diloti.core.record import Record, format_record
from diloti.core.record_reader import RecordError
from diloti.teacher.review import MatchReview
from diloti.web.archive import (
    LARGEST_RECORD,
    Finished,
    UnknownMatchError,
    copy_until,
    file_name,
    read_upload,
    table_record,
    too_long,
    uploaded_match,
)
from diloti.web.replaying import draw_step, tell_deal, tell_match
from diloti.web.requests import UNCACHED, Visit, whole_number
from diloti.web.reviewing import (
    list_marks,
    read_again,
    review_of,
    slips_around,
    tell_judgement,
    tell_review,
)
from diloti.web.reviews import MOST_DEALS
from diloti.web.room import OVER, Room, Seat, Settings, clean_name
from diloti.web.rulebook import address_of
from diloti.web.table import look_for
from diloti.words.printable import printable

_MOST_DEALS = 9999
_MOST_PLAYS = 99
_LONGEST_LINE = 200


async def load_match(visit: Visit) -> Finished:
    """The match that a request is about; `UnknownMatchError` where there is none."""
    finished = await visit.store.load_match(visit.request.path_params["match"])
    if finished is None:
        raise UnknownMatchError(N_("there is no such match, or no longer"))
    return finished


async def _load_record(visit: Visit) -> tuple[Finished, Record]:
    finished = await load_match(visit)
    return finished, await asyncio.to_thread(read_again, finished.record)


async def match_page(request: Request) -> Response:
    """A match: who, when, by which rules, the result and the deals."""
    visit = Visit(request)
    finished, record = await _load_record(visit)
    words = visit.page.words
    review = await asyncio.to_thread(review_of, finished)
    return visit.show(
        "match/match.html",
        match=tell_match(words, finished, record),
        rules=address_of(record.match.rules),
        link=_link(request),
        review=None if review is None else tell_review(words, record, review),
        progress=_progress(visit, finished, review),
        most_deals=MOST_DEALS,
    )


def _link(request: Request) -> str:
    return str(request.url.replace(query="", fragment=""))


async def match_record(request: Request) -> Response:
    """The record of a match, as a file."""
    finished = await load_match(Visit(request))
    names = [player.name for player in finished.players]
    return _file(finished.record, file_name(names, finished.ended))


def _file(text: str, name: str) -> Response:
    plain = "diloti.txt"
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    headers = {"content-disposition": disposition, "cache-control": "no-store"}
    return Response(text, media_type="text/plain", headers=headers)


async def table_record_file(request: Request) -> Response:
    """The record of a table's match; while that goes on, of the deals that are over."""
    visit = Visit(request)
    table = request.path_params["room"]
    async with visit.keeper.room(table) as room:
        is_over, names = room.phase == OVER, [seat.name for seat in room.seats]
        text = "" if is_over else format_record(table_record(room))
    if not is_over:
        return _file(text, file_name(names, None))
    finished = await visit.keeper.keep_match(table)
    return _file(finished.record, file_name(names, finished.ended))


async def table_match(request: Request) -> Response:
    """The way from a table to the page of its match."""
    visit = Visit(request)
    finished = await visit.keeper.keep_match(request.path_params["room"])
    return visit.go_to(f"/match/{finished.id}")


# --- Its review ------------------------------------------------------------------------


async def ask_review(request: Request) -> Response:
    """Have a match reviewed; its page says how far that is."""
    visit = Visit(request)
    await visit.form()
    finished, record = await _load_record(visit)
    if await asyncio.to_thread(review_of, finished) is None:
        visit.reviews.ask(finished.id, record.match)
    return visit.go_to(f"/match/{finished.id}#review")


async def review_progress(request: Request) -> Response:
    """How far the review of a match is, for the script of its page."""
    visit = Visit(request)
    finished = await load_match(visit)
    review = await asyncio.to_thread(review_of, finished)
    told = _progress(visit, finished, review)
    return JSONResponse(told, headers=UNCACHED)


def _progress(visit: Visit, finished: Finished, review: MatchReview | None) -> dict[str, Any]:
    """Where the review of a match stands: its `state`, and while it is made how far it is.

    `none` is what another process may be making.
    """
    words, found = visit.page.words, visit.reviews.progress_of(finished.id)
    if review is not None:
        return {"state": "done"}
    if found is None:
        return {"state": "failed" if visit.reviews.has_failed(finished.id) else "none"}
    told = {"done": found.done, "total": found.total}
    if found.ahead:
        waiting = words.say_count(
            "{count} other review comes first.", "{count} other reviews come first.", found.ahead
        )
        return {"state": "waiting", "told": waiting, **told}
    deal = words.say("Deal {deal} of {deals} is being judged.", deal=found.deal, deals=found.deals)
    return {"state": "running", "told": deal, **told}


# --- Seeing it again -------------------------------------------------------------------


async def replay(request: Request) -> Response:
    """A moment of a match with all hands open; of it alone where only that `part` is asked for."""
    visit = Visit(request)
    finished, record = await _load_record(visit)
    deal, play = _moment(request, record)
    words = visit.page.words
    steps, told = tell_deal(words, record, deal)
    base = f"/match/{finished.id}/{deal + 1}"
    review = await asyncio.to_thread(review_of, finished)
    judged, around = None, {}
    if review is not None:
        find = partial(tell_judgement, words, record, review, deal, play)
        judged = await look_for(request, find)
        told["marks"] = list_marks(words, review, deal)
        around["slips"] = slips_around(review, deal, play)
    part = visit.page.render(
        "match/step.html",
        match=finished.id,
        base=base,
        last=len(steps) - 1,
        step=draw_step(words, record, deal, steps[play]),
        judged=judged,
        **around,
        **told,
    )
    if request.query_params.get("part") in ("step", "judged"):
        headers = {
            "cache-control": "private, max-age=3600",
            "vary": "cookie, accept-language",
        }
        return HTMLResponse(part, headers=headers)
    return visit.show(
        "match/replay.html",
        match=finished.id,
        base=base,
        last=len(steps) - 1,
        step_number=play,
        can_try=steps[play].position.turn is not None,
        step=part,
        link=_link(request),
        is_reviewed=review is not None,
        can_review=any(log.score is not None for log in record.match.deals),
        **told,
    )


def _moment(request: Request, record: Record) -> tuple[int, int]:
    """The deal that an address names (from 0), and how many plays have been made in it."""
    params = request.path_params
    deal = whole_number(params["deal"], _MOST_DEALS)
    play = whole_number(params.get("play", request.query_params.get("play", "0")), _MOST_PLAYS)
    deals = record.match.deals
    if not deal or deal > len(deals) or play is None or play > len(deals[deal - 1].plays):
        raise HTTPException(404, "moment")
    return deal - 1, play


async def try_from(request: Request) -> Response:
    """A practice table that goes on from a moment of a match, in the seat that is in turn there."""
    visit = Visit(request)
    form = await visit.form()
    level = str(form.get("level"))
    if level not in LEVELS:
        raise HTTPException(400, "level")
    _finished, record = await _load_record(visit)
    deal, play = _moment(request, record)
    match = await asyncio.to_thread(copy_until, record.match, deal, play)
    if match.turn is None:
        raise HTTPException(404, "turn")
    seats = [Seat(bot=level) for _ in range(match.rules.players)]
    seats[match.turn] = Seat(name=clean_name(visit.name), person=visit.person)
    room = Room(match.rules, seats, Settings(is_practice=True), match)
    table = await visit.keeper.add(room)
    return visit.go_to(f"/table/{table}")


# --- Handing a record in -----------------------------------------------------------------


async def upload(request: Request) -> Response:
    """The form for a record; what it sends gets a page of its own."""
    visit = Visit(request)
    if request.method == "GET":
        return _upload_page(visit)
    try:
        written, text = await _written(visit)
    except HTTPException as trouble:
        if trouble.status_code != 413:
            raise
        return _upload_page(visit, trouble=visit.page.told(too_long()), status=413)
    finally:
        await request.close()
    try:
        record = await look_for(request, partial(read_upload, written))
    except DilotiError as trouble:
        line = _line(written, trouble) if isinstance(trouble, RecordError) else ""
        told = visit.page.told(trouble)
        return _upload_page(visit, trouble=told, line=line, text=text, status=422)
    finished = uploaded_match(record, visit.person, at=visit.keeper.now())
    await visit.store.keep_match(finished)
    return visit.go_to(f"/match/{finished.id}")


async def _written(visit: Visit) -> tuple[bytes | str, str]:
    """What the form brings: a file, or else a text, which can be shown again."""
    form = await visit.form(upload=LARGEST_RECORD)
    file, text = form.get("file"), str(form.get("text", ""))
    if isinstance(file, UploadFile) and file.size:
        return await file.read(), ""
    return text, text


def _line(written: bytes | str, trouble: RecordError) -> str:
    """The line that is wrong, as it stands, cut where it is long."""
    text = written.decode() if isinstance(written, bytes) else written
    lines = text.splitlines()
    return printable(lines[trouble.line - 1][:_LONGEST_LINE]) if trouble.line <= len(lines) else ""


def _upload_page(visit: Visit, *, status: int = 200, **details: Any) -> Response:
    usual = {"trouble": "", "line": "", "text": "", "size": LARGEST_RECORD // 1024}
    return visit.show("match/upload.html", status=status, **{**usual, **details})
