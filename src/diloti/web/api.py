"""The HTTP interface for other programs: the same commands and views as JSON."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from jsonschema import Draft202012Validator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from diloti.bots import LEVELS
from diloti.core.errors import N_, DilotiError
from diloti.core.legality import RULE_OF, IllegalPlay
from diloti.core.notation import format_play
from diloti.core.record_reader import RecordError
from diloti.core.shuffle import Cut
from diloti.core.view import ONLOOKER, View
from diloti.core.wire import read_rules, write_rules, write_view
from diloti.teacher.instead import instead_of, instead_of_refused
from diloti.teacher.motives import motives_of
from diloti.web.api_document import DOCUMENT, LARGEST_UPLOAD, OPERATIONS
from diloti.web.archive import (
    Finished,
    UnknownMatchError,
    date_of,
    read_upload,
    uploaded_match,
)
from diloti.web.commands import MalformedError, run_command
from diloti.web.feed import Frame, frame_for
from diloti.web.hints import MOST_OPTIONS, NO_HINTS
from diloti.web.keeper import Keeper, UnknownRoomError
from diloti.web.live import stream_table
from diloti.web.render import words_for
from diloti.web.requests import (
    LARGEST_BODY,
    RequestError,
    Visit,
    pick_page_language,
    read_json,
)
from diloti.web.reviewing import read_again, review_of
from diloti.web.reviews import BusyError, Reviews
from diloti.web.room import Room, RoomError, Seat, Settings, StaleError, TakenError, clean_name
from diloti.web.store import Store, StoreError
from diloti.web.table import choosing_of, look_for, wanted_seat
from diloti.words.choosing import Choosing
from diloti.words.motives import tell_motive

MOST_PLAYS = 200
"""Plays that are listed for a selection."""


def routes() -> list[BaseRoute]:
    """The addresses of the interface, below `/api`."""
    table = "/tables/{table:str}"
    return [
        Route("/", document_page),
        Route("/openapi.json", describe),
        Route("/people", become_somebody, methods=["POST"]),
        Route("/tables", tables, methods=["GET", "POST"]),
        Route(table, see_table),
        Route(table + "/seats", sit_down, methods=["POST"]),
        Route(table + "/fits", find_plays, methods=["POST"]),
        Route(table + "/hint", give_hint),
        Route(table + "/commands", command, methods=["POST"]),
        Route(table + "/events", watch_table),
        Route("/matches", upload_match, methods=["POST"]),
        Route("/matches/{match:str}", see_match),
        Route("/matches/{match:str}/review", ask_review, methods=["POST"]),
    ]


async def document_page(request: Request) -> Response:
    """The description of the interface, to be read."""
    visit = Visit(request)
    return visit.show("api.html", document=DOCUMENT, operations=OPERATIONS)


async def describe(_request: Request) -> Response:
    """The description of the interface."""
    return JSONResponse(DOCUMENT)


async def become_somebody(request: Request) -> Response:
    """A token for somebody new."""
    identity = request.app.state.identity
    return JSONResponse({"token": identity.sign(identity.new_person())}, 201)


async def tables(request: Request) -> Response:
    """The open tables, or a new one."""
    return await (lay_table if request.method == "POST" else list_tables)(request)


async def list_tables(request: Request) -> Response:
    """The open tables."""
    person = _person(request)
    found = []
    for kept in await request.app.state.store.listed():
        found.append(write_frame(frame_for(Room.read(kept.body), person), kept.id))
    return JSONResponse(found)


async def lay_table(request: Request) -> Response:
    """A new table."""
    person = _person(request)
    wanted = await _body(request, "NewTable")
    rules = read_rules(wanted.get("rules", "classic"))
    if rules.players != len(wanted["seats"]):
        if isinstance(wanted.get("rules", "classic"), dict) and "players" in wanted["rules"]:
            raise RequestError(422, N_("{players} seats need as many names"), players=rules.players)
        rules = read_rules({**write_rules(rules), "players": len(wanted["seats"])})
    if "me" not in wanted["seats"]:
        raise RequestError(422, N_("you have no seat at this table"))
    name = clean_name(wanted.get("name", ""))
    seats = [
        Seat(name=name, person=person) if seat == "me" else Seat(bot=seat if seat in LEVELS else "")
        for seat in wanted["seats"]
    ]
    bots_only = all(seat in LEVELS or seat == "me" for seat in wanted["seats"])
    settings = Settings(
        is_listed=wanted.get("listed", False),
        is_practice=wanted.get("practice", False) and bots_only,
        clock=wanted.get("clock"),
    )
    room = Room.lay(
        rules,
        seats,
        settings,
        first_dealer=secrets.randbelow(rules.players),
        invitation="" if bots_only else secrets.token_urlsafe(12),
    )
    name = await _keeper(request).add(room)
    return await _frame(request, name, person, status=201)


async def see_table(request: Request) -> Response:
    """The table as it is now."""
    return await _frame(request, request.path_params["table"], _person(request))


async def sit_down(request: Request) -> Response:
    """Take a free seat."""
    person, name = _person(request), request.path_params["table"]
    wanted = await _body(request, "SitDown")

    def act(room: Room) -> None:
        invited = room.invitation and secrets.compare_digest(
            room.invitation.encode(), wanted.get("invitation", "").encode()
        )
        if not (room.settings.is_listed or invited):
            raise RequestError(422, N_("this invitation is closed"))
        room.sit_down(wanted["seat"], person, wanted.get("name", ""))

    await _keeper(request).do(name, act)
    return await _frame(request, name, person)


async def find_plays(request: Request) -> Response:
    """The plays that fit a selection."""
    person, name = _person(request), request.path_params["table"]
    wanted = await _body(request, "Selection")
    async with _keeper(request).room(name) as room:
        frame = frame_for(room, person, wanted.get("seat"))
    if frame.number != wanted["number"] or not frame.is_my_turn:
        raise StaleError(N_("the table has moved on meanwhile"))
    piles = [str(pile) for pile in wanted.get("piles", [])]
    choosing = choosing_of(frame, wanted["card"], wanted.get("loose", []), piles)
    words = words_for(pick_page_language(request))

    def find() -> dict[str, Any]:
        exact = [format_play(play) for play in choosing.exact]
        others = [format_play(play) for play in choosing.fits]
        others = [play for play in others if play not in exact]
        return {
            "exact": exact,
            "others": others[:MOST_PLAYS],
            "complete": choosing.is_complete and len(others) <= MOST_PLAYS,
            "refusal": choosing.refusal(words),
            "rule": None if choosing.denied is None else RULE_OF[choosing.denied[1]],
            "instead": _instead(choosing),
        }

    return JSONResponse(await look_for(request, find))


def _instead(choosing: Choosing) -> list[str]:
    """What is legal instead of a selection that is not."""
    if choosing.denied is None:
        return []
    return [*map(format_play, instead_of(choosing.view, choosing.denied[0]))]


async def give_hint(request: Request) -> Response:
    """What the strongest bot would play in this seat's place."""
    person, name = _person(request), request.path_params["table"]
    async with _keeper(request).room(name) as room:
        frame = frame_for(room, person, wanted_seat(request))
    if frame.seat is not None and not frame.is_against_bots:
        raise RoomError(NO_HINTS)
    if frame.view is None or not frame.is_my_turn:
        raise RoomError(N_("it is not your turn"))
    advice = await _keeper(request).advise(name, frame.view)
    words = words_for(pick_page_language(request))

    def tell() -> dict[str, Any]:
        motives = motives_of(advice.view, advice.best.play)
        return {
            "number": frame.number,
            "play": format_play(advice.best.play),
            "motives": [tell_motive(words, motive) for motive in motives],
            "by_chance": advice.by_chance,
            "options": [
                {
                    "play": format_play(option.play),
                    "points": option.points,
                    "win_chance": option.win_chance,
                }
                for option in advice.options[:MOST_OPTIONS]
            ],
        }

    return JSONResponse(await look_for(request, tell))


async def command(request: Request) -> Response:
    """A command of a seat."""
    person, name = _person(request), request.path_params["table"]
    wanted = await _body(request, "Command")
    act = partial(
        run_command,
        wanted["command"],
        wanted,
        person=person,
        wanted=wanted.get("on_behalf"),
        new_secret=_keeper(request).new_secret,
        now=_keeper(request).now(),
    )
    await _keeper(request).do(name, lambda room: act(room=room), number=wanted["number"])
    return await _frame(request, name, person)


async def watch_table(request: Request) -> Response:
    """The states of a table as they come."""
    person, name = _person(request), request.path_params["table"]
    return await stream_table(
        _keeper(request),
        name,
        person,
        wanted_seat(request),
        "frame",
        lambda frame: json.dumps(write_frame(frame, name)),
    )


async def upload_match(request: Request) -> Response:
    """Keep a record that somebody hands in."""
    person = _person(request)
    wanted = await _body(request, "Record", largest=LARGEST_UPLOAD)
    record = await look_for(request, partial(read_upload, wanted["record"]))
    finished = uploaded_match(record, person, at=_keeper(request).now())
    await _store(request).keep_match(finished)
    return await _match(request, await _load_match(request, finished.id), status=201)


async def see_match(request: Request) -> Response:
    """A finished match."""
    _person(request)
    return await _match(request, await _load_match(request, request.path_params["match"]))


async def ask_review(request: Request) -> Response:
    """Have a finished match reviewed, unless it is."""
    _person(request)
    finished = await _load_match(request, request.path_params["match"])
    if await asyncio.to_thread(review_of, finished) is not None:
        return await _match(request, finished)
    record = await asyncio.to_thread(read_again, finished.record)
    _reviews(request).ask(finished.id, record.match)
    return await _match(request, finished, status=202)


async def _load_match(request: Request, name: str) -> Finished:
    finished = await _store(request).load_match(name)
    if finished is None:
        raise UnknownMatchError(N_("there is no such match, or no longer"))
    return finished


async def _match(request: Request, finished: Finished, *, status: int = 200) -> Response:
    is_reviewed = await asyncio.to_thread(review_of, finished) is not None
    progress = _reviews(request).progress_of(finished.id)
    written = {
        **write_match(finished),
        "review": json.loads(finished.review or "null") if is_reviewed else None,
        "reviewing": None if progress is None else vars(progress),
    }
    return JSONResponse(written, status)


def write_match(finished: Finished) -> dict[str, Any]:
    """A finished match as JSON, but for its review."""
    return {
        "match": finished.id,
        "ended": date_of(finished.ended),
        "practice": finished.is_practice,
        "uploaded": bool(finished.uploaded_by),
        "fingerprint": finished.fingerprint,
        "seats": [{"name": one.name, "bot": one.level or None} for one in finished.players],
        **{name: told for name, told in finished.summary.items() if name != "accuracy"},
        "record": finished.record,
    }


def write_frame(frame: Frame, name: str) -> dict[str, Any]:
    """A frame as JSON."""
    return {
        "table": name,
        "number": frame.number,
        "phase": frame.phase,
        "rules": write_rules(frame.rules),
        "seats": [
            {"name": seat.name, "bot": seat.bot or None, "free": seat.is_free}
            for seat in frame.seats
        ],
        "seat": frame.seat,
        "view": None if frame.view is None else _write_view(frame.view),
        "deal": frame.deal,
        "scores": list(frame.scores),
        "counts": [
            {
                "cards": list(count.cards),
                "points": [{**vars(sheet), "total": sheet.total} for sheet in count.sheets],
                "scores": list(count.scores),
                "shuffle": None if count.cut is None else _write_cut(count.cut),
            }
            for count in frame.counts
        ],
        "winner": frame.winner,
        "resigned": frame.resigned,
        "shuffle": {
            "commitment": frame.shuffling.commitment,
            "cutters": list(frame.shuffling.cutters),
            "cuts": _write_texts(frame.shuffling.cuts),
        },
        "clock": frame.settings.clock,
        "seconds_left": frame.seconds_left,
        "votes": list(frame.votes),
        "practice": frame.settings.is_practice,
        "remarks": [vars(remark) for remark in frame.remarks],
        "invitation": frame.invitation or None,
    }


def _write_cut(cut: Cut) -> dict[str, Any]:
    texts = _write_texts(cut.texts)
    return {"commitment": cut.commitment, "secret": cut.secret.hex(), "cuts": texts}


def _write_texts(texts: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): text for seat, text in sorted(texts.items())}


def _write_view(view: View) -> dict[str, Any]:
    written: dict[str, Any] = write_view(view)
    if view.seat == ONLOOKER:
        written["seat"] = None
    return written


def _keeper(request: Request) -> Keeper:
    keeper: Keeper = request.app.state.keeper
    return keeper


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def _reviews(request: Request) -> Reviews:
    reviews: Reviews = request.app.state.reviews
    return reviews


def _person(request: Request) -> str:
    """Whose token came with a request."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    person: str | None = request.app.state.identity.person_of(token.strip())
    if kind.lower() != "bearer" or person is None:
        raise RequestError(401, N_("a token is missing, or is none of ours"))
    return person


async def _frame(request: Request, name: str, person: str, *, status: int = 200) -> Response:
    async with _keeper(request).room(name) as room:
        frame = frame_for(room, person, wanted_seat(request), now=_keeper(request).now())
    return JSONResponse(write_frame(frame, name), status)


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", **DOCUMENT})


async def _body(request: Request, name: str, *, largest: int = LARGEST_BODY) -> dict[str, Any]:
    """The JSON that was sent, which is as the description says."""
    written = await read_json(request, largest)
    try:
        problem = next(_validator(name).iter_errors(written), None)
    except RecursionError as error:
        raise RequestError(400, N_("only JSON is understood here")) from error
    if problem is not None:
        where = "/".join(map(str, problem.absolute_path)) or "."
        raise RequestError(400, N_("{where} is not as described"), where=where[:80])
    wanted: dict[str, Any] = written
    return wanted


async def api_trouble(request: Request, error: Exception) -> Response:
    """What was wrong, as JSON."""
    assert isinstance(error, DilotiError)
    words = words_for(pick_page_language(request))
    told: dict[str, Any] = {"error": error.code, "message": words.error(error)}
    if isinstance(error, IllegalPlay):
        told["rule"] = RULE_OF[error.refusal]
        told["instead"] = [*map(format_play, instead_of_refused(error))]
    if isinstance(error, RecordError):
        told["line"] = error.line
    return JSONResponse(told, status_of(error))


def status_of(error: DilotiError) -> int:
    """What HTTP calls an error."""
    match error:
        case RequestError():
            return error.status
        case UnknownRoomError() | UnknownMatchError():
            return 404
        case StoreError() | BusyError():
            return 503
        case StaleError() | TakenError():
            return 409
        case MalformedError():
            return 400
        case _:
            return 422
