"""The application: its addresses, what stands around every answer, and what runs beside it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

from sqlalchemy.exc import DBAPIError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diloti.core.errors import DilotiError
from diloti.core.shuffle import SEED_SIZE
from diloti.web import (
    api,
    daily,
    figures,
    learn,
    match_pages,
    pages,
    rulebook,
    score,
    shuffling,
    table,
)
from diloti.web.days import Days
from diloti.web.identity import Identity
from diloti.web.keeper import Keeper
from diloti.web.limits import Limits
from diloti.web.render import STATIC
from diloti.web.requests import Visit
from diloti.web.reviews import Reviews
from diloti.web.settings import Settings
from diloti.web.sheets import Sheets
from diloti.web.store import Store

log = logging.getLogger("diloti.web")

TICK_SECONDS = 1.0
FORGET_EVERY = 3600.0
_DAY = 24 * 3600.0
_THINKING_THREADS = 2

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""What every answer says: nothing from elsewhere, no script but ours."""


def make_app(settings: Settings, *, now: Callable[[], float] = time.time) -> Starlette:
    """The application for these settings; `now` tells the seconds since 1970."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        async with Store.open(settings.database) as store:
            key = await store.secret("signing key", secrets.token_urlsafe(48))
            with (
                ThreadPoolExecutor(_THINKING_THREADS, "bot") as executor,
                ThreadPoolExecutor(1, "looking") as looking,
            ):
                keeper = Keeper(
                    store,
                    now=now,
                    new_secret=lambda: secrets.token_bytes(SEED_SIZE),
                    executor=executor,
                )
                app.state.settings, app.state.store = settings, store
                app.state.identity, app.state.keeper = Identity(key), keeper
                app.state.looking = looking
                app.state.reviews = reviews = Reviews(
                    store, simulations=settings.review_simulations
                )
                app.state.days = days = Days(store, key=key, now=now)
                app.state.sheets = sheets = Sheets(store, now=now)
                clock = asyncio.create_task(_tick(keeper, store, sheets, days, settings))
                try:
                    with _told_of_the_end(keeper.end_watching):
                        yield
                finally:
                    clock.cancel()
                    await asyncio.gather(clock, return_exceptions=True)
                    await reviews.close()
                    await days.close()
                    await keeper.close()

    room, lesson = "/table/{room:str}", "/learn/{lesson:str}/{step:str}"
    match = "/match/{match:str}"
    moment = match + "/{deal:str}/{play:str}"
    app = Starlette(
        routes=[
            Route(room, table.table_page),
            Route(room + "/events", table.events),
            Route(room + "/choices", table.choices),
            Route(room + "/rules", table.table_rules),
            Route(room + "/record.txt", match_pages.table_record_file),
            Route(room + "/match", match_pages.table_match),
            Route(room + "/hint", table.hint),
            Route(room + "/shuffle", shuffling.table_shuffle),
            Route(room + "/transfer", table.transfer, methods=["POST"]),
            Route(room + "/{command:str}", table.command, methods=["POST"]),
            Route(match, match_pages.match_page),
            Route(match + "/record.txt", match_pages.match_record),
            Route(match + "/review", match_pages.ask_review, methods=["POST"]),
            Route(match + "/progress", match_pages.review_progress),
            Route(match + "/{deal:str}", match_pages.replay),
            Route(moment, match_pages.replay),
            Route(moment + "/try", match_pages.try_from, methods=["POST"]),
            Route("/upload", match_pages.upload, methods=["GET", "POST"]),
            Route("/", pages.home),
            Route("/play", pages.play_now, methods=["POST"]),
            Route("/new", pages.new_table, methods=["GET", "POST"]),
            Route("/daily", daily.daily, methods=["GET", "POST"]),
            Route("/games", pages.games),
            Route("/rules", rulebook.rule_sets),
            Route("/rules/{base:str}", rulebook.rules_page),
            Route("/tables", pages.open_tables),
            Route("/join/{invitation:str}", pages.join, methods=["GET", "POST"]),
            Route("/sit/{room:str}", pages.sit, methods=["GET", "POST"]),
            *score.routes(),
            *figures.routes(),
            Route("/shuffle", shuffling.shuffle_page),
            Route("/learn", learn.overview),
            Route("/learn/done", learn.done),
            Route(lesson, learn.lesson_page),
            Route(lesson, learn.answer, methods=["POST"]),
            Route(lesson + "/choices", learn.choices),
            Route("/language", pages.language, methods=["POST"]),
            Route("/manifest.webmanifest", pages.manifest),
            Route("/take", table.take, methods=["GET", "POST"]),
            Route("/healthz", _health),
            Mount("/api", routes=api.routes()),
            Mount("/static", GZipMiddleware(StaticFiles(directory=STATIC))),
        ],
        exception_handlers={
            DilotiError: _trouble,
            DBAPIError: _no_database,
            HTTPException: _http_trouble,
            ClientDisconnect: _nobody_there,
        },
        lifespan=life,
    )
    if settings.is_limited:
        app.add_middleware(Limits, refuse=_too_much)
    app.add_middleware(_Headers)
    return app


async def _too_much(request: Request, seconds: int) -> Response:
    """Somebody has to wait."""
    headers = {"retry-after": str(seconds)}
    return await _http_trouble(request, HTTPException(429, "limit", headers))


@contextmanager
def _told_of_the_end(act: Callable[[], object]) -> Iterator[None]:
    """Act as soon as the process is asked to end: a server first waits for what does not end."""
    if threading.current_thread() is not threading.main_thread():
        yield  # no signal comes here
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def hear(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(act)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in before:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Headers:
    """Puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _value in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in known
                    ),
                ]
            await send(message)

        await self._app(scope, receive, send_on if scope["type"] == "http" else send)


async def forget_old(
    store: Store, sheets: Sheets, days: Days, settings: Settings, *, now: float
) -> None:
    """Delete what is not to be kept any longer."""
    untouched, ended = (now - term * _DAY for term in (settings.forget_days, settings.keep_days))
    await store.forget(untouched)
    await sheets.forget(untouched)
    await store.forget_matches(ended)
    await days.forget(ended)


async def _tick(
    keeper: Keeper, store: Store, sheets: Sheets, days: Days, settings: Settings
) -> None:
    """Do now and then what is due."""
    last = 0.0
    while True:
        try:
            await keeper.tick()
            if time.monotonic() - last > FORGET_EVERY or not last:
                last = time.monotonic()
                await forget_old(store, sheets, days, settings, now=keeper.now())
        except Exception:
            log.exception("what is due could not be done")
        await asyncio.sleep(TICK_SECONDS)


async def _health(request: Request) -> Response:
    """Whether this server works."""
    store: Store = request.app.state.store
    try:
        await store.check()
    except Exception:
        log.exception("the database does not answer")
        return JSONResponse({"status": "no database"}, 503)
    return JSONResponse({"status": "fine"})


async def _trouble(request: Request, error: Exception) -> Response:
    """A page that says what was wrong, or JSON where that was asked for."""
    assert isinstance(error, DilotiError)
    if request.url.path.startswith("/api/"):
        return await api.api_trouble(request, error)
    visit = Visit(request)
    return _trouble_page(visit, visit.page.told(error), api.status_of(error))


async def _nobody_there(_request: Request, _error: Exception) -> Response:
    """Who asked has gone before all was said, and hears no answer."""
    return Response(status_code=400)


_CODES = {429: "too_much", 503: "no_database"}


async def _no_database(request: Request, error: Exception) -> Response:
    """The tables cannot be read or written now; what was answered before is safe."""
    assert isinstance(error, DBAPIError)
    reason = str(error.orig).partition("\n")[0]  # further lines could hold what is kept
    log.warning("the database does not answer", extra={"reason": reason})
    headers = {"retry-after": "5"}
    return await _http_trouble(request, HTTPException(503, "database", headers))


async def _http_trouble(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    visit = Visit(request)
    say = visit.page.words.say
    text = {
        403: say("This form is not from this page, or too old. Load the page again."),
        404: say("There is nothing here."),
        429: say("Too much at once: wait a moment."),
        503: say("The tables cannot be reached now. Nothing is lost: try again in a moment."),
    }.get(error.status_code, say("This cannot be."))
    if request.url.path.startswith("/api/"):
        told = {"error": _CODES.get(error.status_code, "not_here"), "message": text}
        return JSONResponse(told, error.status_code, headers=error.headers)
    page = _trouble_page(visit, text, error.status_code)
    page.headers.update(error.headers or {})
    return page


def _trouble_page(visit: Visit, text: str, status: int) -> Response:
    title = visit.page.words.say("Something is wrong")
    page = visit.page.render("trouble.html", title=title, text=text, back="/")
    return HTMLResponse(page, status)
