"""The page of a table: the board, the choices that fit what is selected, and the commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

import segno
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from diloti.core.errors import N_, DilotiError, NotationError
from diloti.core.legality import IllegalPlay, refusal_of
from diloti.core.notation import parse_card, parse_play
from diloti.web.commands import COMMANDS, NUMBERED, run_command
from diloti.web.feed import Frame, frame_for
from diloti.web.hints import NO_HINTS, tell_advice, warn
from diloti.web.live import ALIVE, stream_table
from diloti.web.requests import UNCACHED, Visit, whole_number
from diloti.web.room import Room, RoomError, StaleError
from diloti.web.rulebook import show_rules
from diloti.words.choosing import Choosing

Found = TypeVar("Found")

LARGEST_NUMBER = 10**9
NARROW = 16
"""With so many loose cards at most, plays are found in a millisecond or two."""
SCRIPT_HEADER = "x-diloti"
"""What our script sends, and a form by itself does not."""


def wanted_seat(request: Request) -> int | None:
    """The seat whose hand is asked for, where one person holds several."""
    return whole_number(request.query_params.get("seat", ""), 3)


async def table_page(request: Request) -> Response:
    """The table as this person sees it now."""
    visit = Visit(request)
    name = request.path_params["room"]
    return _table_page(visit, name, await _frame(visit, name))


def _table_page(
    visit: Visit,
    name: str,
    frame: Frame,
    *,
    choices: str = "",
    selected: Iterable[str] = (),
    message: str = "",
    advice: str = "",
    is_coached: bool = False,
    status: int = 200,
) -> Response:
    wanted = wanted_seat(visit.request)
    return visit.show(
        "table.html",
        id=name,
        query="" if wanted is None else f"?seat={wanted}",
        board=visit.page.board(frame, name, choices=choices, selected=selected),
        is_seated=frame.seat is not None or frame.is_covered,
        is_against_bots=frame.is_against_bots,
        message=message,
        advice=advice,
        is_coached=is_coached,
        back=f"/table/{name}",
        status=status,
    )


async def _frame(visit: Visit, name: str) -> Frame:
    async with visit.keeper.room(name) as room:
        wanted = wanted_seat(visit.request)
        return frame_for(room, visit.person, wanted, now=visit.keeper.now())


async def table_rules(request: Request) -> Response:
    """The rules of a table."""
    visit = Visit(request)
    name = request.path_params["room"]
    async with visit.keeper.room(name) as room:
        rules = room.rules
    return show_rules(visit, rules, back=f"/table/{name}/rules", table=f"/table/{name}")


async def events(request: Request) -> Response:
    """The boards of a table as they come, each with its number; the present one first."""
    visit = Visit(request)
    name = request.path_params["room"]
    return await stream_table(
        visit.keeper,
        name,
        visit.person,
        wanted_seat(request),
        "board",
        lambda frame: visit.page.board(frame, name),
        heartbeat=ALIVE,
    )


async def choices(request: Request) -> Response:
    """The plays that fit what is selected."""
    visit = Visit(request)
    name, query = request.path_params["room"], request.query_params
    frame = await _frame(visit, name)
    if frame.view is None or not frame.is_my_turn or query.get("number") != str(frame.number):
        return Response(status_code=409)
    choosing = choosing_of(frame, query.get("card"), query.getlist("loose"), query.getlist("pile"))
    html = await _offers(visit, choosing, name, frame.number)
    return HTMLResponse(html, headers=UNCACHED)


async def hint(request: Request) -> Response:
    """What the strongest bot would play in this person's place; at tables against bots only."""
    visit = Visit(request)
    name = request.path_params["room"]
    frame = await _frame(visit, name)
    if frame.seat is not None and not frame.is_against_bots:
        raise RoomError(NO_HINTS)
    is_script = SCRIPT_HEADER in request.headers
    if not frame.is_my_turn or request.query_params.get("number") != str(frame.number):
        return Response(status_code=409) if is_script else RedirectResponse(f"/table/{name}", 303)
    assert frame.view is not None
    advice = await visit.keeper.advise(name, frame.view)
    html = await look_for(request, partial(tell_advice, visit.page, advice, frame, name))
    if is_script:
        return HTMLResponse(html, headers=UNCACHED)
    return _table_page(visit, name, frame, advice=html)


async def look_for(request: Request, find: Callable[[], Found]) -> Found:
    """Find plays in a thread that does nothing else: others wait for it, but nobody's saves do."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(request.app.state.looking, find)


async def _offers(visit: Visit, choosing: Choosing, name: str, number: int) -> str:
    """The plays that fit, looked for in a thread where that can take long."""
    find = partial(visit.page.choices, choosing, name, number=number)
    if choosing.view.loose.bit_count() <= NARROW:
        return find()
    return await look_for(visit.request, find)


def choosing_of(frame: Frame, card: str | None, loose: list[str], piles: list[str]) -> Choosing:
    """What somebody has selected; `NotationError` and `RoomError` where that cannot be."""
    view = frame.view
    assert view is not None
    cards = 0
    for text in loose:
        cards |= 1 << parse_card(text)
    chosen = []
    for text in piles:
        pile = whole_number(text, len(view.piles) - 1)
        if pile is None:
            raise RoomError(N_("There is no such pile on the table."))
        chosen.append(view.piles[pile].cards)
    number = None if not card else parse_card(card)
    if (number is not None and not view.hand >> number & 1) or cards & ~view.loose:
        raise RoomError(N_("this card is not there"))
    return Choosing(view, number, cards, tuple(chosen))


# --- Another device -------------------------------------------------------------------


async def transfer(request: Request) -> Response:
    """A link, also as a picture, by which another device takes this seat."""
    visit = Visit(request)
    name = request.path_params["room"]
    await visit.form()
    async with visit.keeper.room(name) as room:
        seats = room.seats_of(visit.person)
        if not seats:
            raise RoomError(N_("you have no seat at this table"))
        moves = room.seats[seats[0]].moves
    code = visit.identity.transfer_code(name, seats[0], visit.person, moves)
    link = str(request.url.replace(path="/take", query="", fragment=code))
    picture = segno.make(link, error="l").svg_inline(border=2, light="#fff", omitsize=True)
    shown = {"id": name, "link": link, "picture": picture, "back": f"/table/{name}"}
    return visit.show("transfer.html", headers=UNCACHED, **shown)


async def take(request: Request) -> Response:
    """The other device: it hands in the code and has the seat."""
    visit = Visit(request)
    trouble = ""
    if request.method == "POST":
        form = await visit.form()
        found = visit.identity.read_transfer(str(form.get("code", "")).rpartition("#")[2].strip())
        try:
            if found is None:
                raise RoomError(N_("this code is no good, or no longer"))
            name, seat, trace = found
            await visit.keeper.do(name, partial(_take_over, visit, seat, trace))
            return visit.go_to(f"/table/{name}")
        except RoomError as error:
            trouble = visit.page.told(error)
    return visit.show("take.html", status=409 if trouble else 200, trouble=trouble, back="/")


def _take_over(visit: Visit, seat: int, trace: str, room: Room) -> None:
    if not visit.identity.is_trace(room.seats[seat].person, room.seats[seat].moves, trace):
        raise RoomError(N_("this code is no good, or no longer"))
    for place in room.seats_of(room.seats[seat].person):
        room.hand_over(place, visit.person)


# --- Commands ------------------------------------------------------------------------


async def command(request: Request) -> Response:
    """A command of a seat.

    A form is answered with the page. Our script needs no answer, for the stream brings it the board
    at once; where its command came too late it gets the fresh one.
    """
    visit = Visit(request)
    name, called = request.path_params["room"], request.path_params["command"]
    if called not in COMMANDS:
        raise HTTPException(404, "command")
    form = await visit.form()
    based_on = whole_number(form.get("number", ""), LARGEST_NUMBER)
    if called in NUMBERED and based_on is None:
        raise HTTPException(400, "number")
    if called == "play" and "look" in form:
        return await _look(visit, name, form, based_on)
    if called == "play" and (warning := await _warned(visit, name, form, based_on)):
        return await _stopped(visit, name, warning)
    act = partial(
        run_command,
        called,
        form,
        person=visit.person,
        wanted=wanted_seat(request),
        new_secret=visit.keeper.new_secret,
        now=visit.keeper.now(),
    )
    try:
        number = based_on if called in NUMBERED else None
        await visit.keeper.do(name, lambda room: act(room=room), number=number)
    except StaleError:
        return await _answer(visit, name, is_stale=True)
    except DilotiError as trouble:
        if isinstance(trouble, IllegalPlay):
            return await _stopped(visit, name, visit.page.refused(trouble, name))
        if SCRIPT_HEADER in request.headers:
            return HTMLResponse(
                visit.page.render("refusal.html", reason=visit.page.told(trouble), instead=()), 422
            )
        raise
    if called == "leave":
        return visit.go_to("/")
    return await _answer(visit, name)


async def _look(visit: Visit, name: str, form: FormData, number: int | None) -> Response:
    """The table with the plays that fit what a form selects, for a browser without our script."""
    frame = await _frame(visit, name)
    if not frame.is_my_turn or number != frame.number:
        return await _answer(visit, name)
    loose, piles = ([str(one) for one in form.getlist(what)] for what in ("loose", "pile"))
    choosing = choosing_of(frame, str(form.get("card", "")), loose, piles)
    html = await _offers(visit, choosing, name, frame.number)
    is_coached = form.get("coach") == "yes"
    selected = [str(form.get("card", "")), *loose, *piles]
    return _table_page(visit, name, frame, choices=html, selected=selected, is_coached=is_coached)


async def _warned(visit: Visit, name: str, form: FormData, number: int | None) -> str:
    """What the coach says to a play; nothing where it is not asked, or has nothing to say."""
    if form.get("coach") != "yes" or form.get("anyway") == "yes":
        return ""
    frame = await _frame(visit, name)
    if frame.number != number or not frame.is_my_turn or not frame.is_against_bots:
        return ""
    assert frame.view is not None
    try:
        play = parse_play(str(form.get("play", "")))
    except NotationError:
        return ""
    if refusal_of(frame.view.known, play):
        return ""
    advice = await visit.keeper.advise(name, frame.view)
    return await look_for(visit.request, partial(warn, visit.page, advice, play, frame, name))


async def _stopped(visit: Visit, name: str, message: str) -> Response:
    """Why a play was not made: for our script by itself, else with the table as it is."""
    if SCRIPT_HEADER in visit.request.headers:
        return HTMLResponse(message, 422)
    frame = await _frame(visit, name)
    return _table_page(visit, name, frame, message=message, status=422)


async def _answer(visit: Visit, name: str, *, is_stale: bool = False) -> Response:
    if SCRIPT_HEADER not in visit.request.headers:
        return visit.go_to(f"/table/{name}")
    if not is_stale:
        return Response(status_code=204)
    html = visit.page.board(await _frame(visit, name), name)
    return HTMLResponse(html, 409, headers=UNCACHED)
