"""The pages: what is asked for by a link, and the forms of the start and of new tables."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diloti.bots import LEVELS
from diloti.core.errors import N_, DilotiError
from diloti.core.record_reader import parse_switch
from diloti.core.rules import SWITCHES, Rules, rules_from
from diloti.web.feed import frame_for, frame_of
from diloti.web.render import names_of
from diloti.web.replaying import list_match
from diloti.web.requests import LANGUAGE_COOKIE, NAME_COOKIE, Visit, whole_number
from diloti.web.room import OVER, Room, RoomError, Seat, Settings, clean_name
from diloti.web.store import Kept
from diloti.words import LANGUAGES
from diloti.words.telling import LETTERS, rule_set_name

_CLOCKS = (0, 30, 60, 120)
_LONGEST = 100
"""Characters of a choice that are looked at."""
_COMPANY = "with"
_USUALLY = {
    "name": "",
    _COMPANY: "friends",
    "practice": "",
    "players": "2",
    "rules": "classic",
    "clock": "0",
    "listed": "",
}
"""What the form for a new table asks for besides the switches, and what it begins with."""
_HOUSE_RULES = "house-rules"
_TAKEN = ("level", "practice", "players", "rules")
"""What the start asks for, which goes along to the house rules."""
LISTED = 20
"""Finished matches on a page."""
_MOST_LISTS = 99_999


async def home(request: Request) -> Response:
    """The start."""
    visit = Visit(request)
    known = await _games(visit)
    games = [game for game in known if not game["is_over"]][:5]
    is_new = not known and not visit.progress.is_complete
    return visit.show(
        "home.html", games=games, is_new=is_new, has_begun=not visit.progress.is_empty
    )


async def play_now(request: Request) -> Response:
    """A table against bots, and off to it; or the same choices in the form for a new table."""
    visit = Visit(request)
    form = await visit.form()
    if form.get("go") == _HOUSE_RULES:
        chosen = {
            _COMPANY if name == "level" else name: form[name] for name in _TAKEN if name in form
        }
        return visit.go_to(f"/new?{urlencode(chosen)}")
    level, base = str(form.get("level")), str(form.get("rules"))
    if level not in LEVELS:
        raise HTTPException(400, "level")
    rules = _rules({"rules": base, "players": form.get("players")})
    bots = [Seat(bot=level) for _ in range(rules.players - 1)]
    seats = [Seat(name=clean_name(visit.name), person=visit.person), *bots]
    settings = Settings(is_practice=form.get("practice") == "yes")
    return await _go_to(visit, _lay(rules, seats, settings))


async def new_table(request: Request) -> Response:
    """The form for a table with friends; what it sends lays the table."""
    visit = Visit(request)
    if request.method == "GET":
        return _new_page(visit, request.query_params)
    form = await visit.form()
    name = clean_name(str(form.get("name", "")))
    try:
        rules = _rules(form)
    except DilotiError as trouble:
        return _new_page(visit, form, trouble=visit.page.told(trouble), status=422)
    clock = str(form.get("clock", "0"))
    if clock not in map(str, _CLOCKS):
        raise HTTPException(400, "clock")
    settings = Settings(is_listed=form.get("listed") == "yes", clock=int(clock) or None)
    company, others = form.get(_COMPANY, "friends"), rules.players - 1
    own = Seat(name=name, person=visit.person)
    if company == "friends":
        invitation = secrets.token_urlsafe(12)
        room = _lay(rules, [own, *[Seat()] * others], settings, invitation=invitation)
    elif company == "here":
        seats = [Seat(person=visit.person)] * rules.players
        room = _lay(rules, seats, replace(settings, is_listed=False))
    elif company in LEVELS:
        is_practice = form.get("practice") == "yes"
        settings = replace(settings, is_listed=False, is_practice=is_practice)
        room = _lay(rules, [own, *[Seat(bot=company)] * others], settings)
    else:
        raise HTTPException(400, _COMPANY)
    response = await _go_to(visit, room)
    visit.keep_text(response, NAME_COOKIE, name)
    return response


def _new_page(
    visit: Visit, sent: Mapping[str, Any], *, trouble: str = "", status: int = 200
) -> Response:
    """The form, with what was chosen before where that is one of the choices."""
    switches = visit.page.switches(rules_from("classic", players=4))
    fields = (*_USUALLY, *(f"switch_{switch['name']}" for switch in switches))
    chosen = {field: str(sent.get(field, _USUALLY.get(field, "")))[:_LONGEST] for field in fields}
    is_on_its_way = visit.request.method == "GET" and _COMPANY in sent
    chosen["name"] = clean_name(chosen["name"] or visit.name)
    query = urlencode({field: chosen[field] for field in fields if field in sent})
    return visit.show(
        "new.html",
        switches=switches,
        chosen=chosen,
        is_open=is_on_its_way or any(chosen[field] for field in fields if field not in _USUALLY),
        trouble=trouble,
        back=f"/new?{query}" if query else "/new",
        status=status,
    )


def _rules(form: Mapping[str, Any]) -> Rules:
    """The rule set that a form chooses; `RulesError` says what cannot be."""
    typed = {name: str(form.get(f"switch_{name}") or "") for name in SWITCHES}
    switches = {name: parse_switch(text.lower()) for name, text in typed.items() if text}
    players = parse_switch(str(form.get("players")))
    return rules_from(str(form.get("rules")), **{**switches, "players": players})


def _lay(rules: Rules, seats: list[Seat], settings: Settings, *, invitation: str = "") -> Room:
    first_dealer = secrets.randbelow(rules.players)
    return Room.lay(rules, seats, settings, first_dealer=first_dealer, invitation=invitation)


async def _go_to(visit: Visit, room: Room) -> Response:
    name = await visit.keeper.add(room)
    return visit.go_to(f"/table/{name}")


async def games(request: Request) -> Response:
    """The tables of this person, and the matches that are over."""
    visit = Visit(request)
    words = visit.page.words
    page = whole_number(request.query_params.get("page", "1"), _MOST_LISTS) or 1
    found, count = await visit.store.matches_of(visit.person, LISTED, (page - 1) * LISTED)
    running = [game for game in await _games(visit) if not game["is_over"]]
    return visit.show(
        "games.html",
        title=words.say("My games"),
        games=running if page == 1 else [],
        nothing="" if running or count else words.say("You have not played here yet."),
        finished=[list_match(words, one) for one in found],
        newer=page - 1,
        older=page + 1 if page * LISTED < count else 0,
    )


async def open_tables(request: Request) -> Response:
    """The tables that anybody may join."""
    visit = Visit(request)
    words = visit.page.words
    found = [
        {**_game(visit, kept), "link": f"/sit/{kept.id}"} for kept in await visit.store.listed()
    ]
    return visit.show(
        "games.html",
        title=words.say("Open tables"),
        games=found,
        nothing=words.say("There are no open tables now."),
    )


async def _games(visit: Visit) -> list[dict[str, Any]]:
    if visit.is_new:
        return []
    return [_game(visit, kept) for kept in await visit.store.rooms_of(visit.person)]


def _game(visit: Visit, kept: Kept) -> dict[str, Any]:
    """A table in a list: who plays, and how it stands."""
    room = Room.read(kept.body)
    frame = frame_for(room, visit.person)
    words = visit.page.words
    names = names_of(words, frame)
    return {
        "id": kept.id,
        "link": f"/table/{kept.id}",
        "title": " · ".join(names),
        "standing": " : ".join(map(str, room.match.scores)),
        "is_over": room.phase == OVER,
    }


async def join(request: Request) -> Response:
    """An invitation: the free seats; the form takes one."""
    visit = Visit(request)
    kept = await visit.store.find(request.path_params["invitation"])
    if kept is None:
        raise RoomError(N_("this invitation is closed"))
    return await _sit(visit, kept.id)


async def sit(request: Request) -> Response:
    """A listed table: the free seats; the form takes one."""
    visit = Visit(request)
    name = request.path_params["room"]
    async with visit.keeper.room(name) as room:
        if not room.settings.is_listed:
            raise HTTPException(404, "table")
    return await _sit(visit, name)


async def _sit(visit: Visit, name: str) -> Response:
    async with visit.keeper.room(name) as room:
        is_seated = bool(room.seats_of(visit.person))
    if is_seated:
        return visit.go_to(f"/table/{name}")
    trouble = ""
    if visit.request.method == "POST":
        form = await visit.form()
        seat, called = whole_number(form.get("seat"), 3), clean_name(str(form.get("name", "")))
        if seat is None:
            raise HTTPException(400, "seat")
        try:
            await visit.keeper.do(name, lambda room: room.sit_down(seat, visit.person, called))
        except RoomError as error:
            trouble = visit.page.told(error)
        else:
            response = visit.go_to(f"/table/{name}")
            visit.keep_text(response, NAME_COOKIE, called)
            return response
    words = visit.page.words
    async with visit.keeper.room(name) as room:
        names = names_of(words, frame_of(room, None))
        free = [
            {"number": place, "text": _seat_text(visit, names, place)}
            for place in sorted(_free_seats(room), key=lambda place: not _has_partner(room, place))
        ]
        title = rule_set_name(words, room.rules)
    return visit.show(
        "join.html",
        free=free,
        id=name,
        rules_name=title,
        trouble=trouble,
        name=clean_name(visit.name),
        status=409 if trouble else 200,
    )


def _free_seats(room: Room) -> list[int]:
    return [place for place, seat in enumerate(room.seats) if seat.is_free]


def _has_partner(room: Room, place: int) -> bool:
    """Whether somebody sits there already whose partner this seat would be."""
    return len(room.seats) == 4 and not room.seats[(place + 2) % 4].is_free


def _seat_text(visit: Visit, names: tuple[str, ...], place: int) -> str:
    words = visit.page.words
    if len(names) == 4:
        return words.say("with {name}", name=names[(place + 2) % 4])
    return words.say("Seat {letter}", letter=LETTERS[place])


async def language(request: Request) -> Response:
    """Another language, and back."""
    visit = Visit(request)
    form = await visit.form()
    code, back = str(form.get("lang")), str(form.get("back", "/"))
    if code not in LANGUAGES:
        raise HTTPException(400, "lang")
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    response = visit.go_to(back)
    visit.keep_text(response, LANGUAGE_COOKIE, code)
    return response


async def manifest(request: Request) -> Response:
    """What lets the page go to a home screen."""
    visit = Visit(request)
    say = visit.page.words.say
    return JSONResponse(
        {
            "name": say("Diloti"),
            "short_name": say("Diloti"),
            "lang": visit.language,
            "start_url": "/",
            "display": "standalone",
            "background_color": "#1f5c43",
            "theme_color": "#1f5c43",
            "icons": [{"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
        },
        media_type="application/manifest+json",
    )
