"""What every request is about: who asks, in which language, and whether the form is ours."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from diloti.core.errors import N_, DilotiError
from diloti.teacher.progress import Progress, parse_progress
from diloti.web.identity import COOKIE, COOKIE_SECONDS, Identity
from diloti.web.keeper import Keeper
from diloti.web.render import Page
from diloti.web.reviews import Reviews
from diloti.web.settings import Settings
from diloti.web.store import Store
from diloti.words import LANGUAGES

LANGUAGE_COOKIE, NAME_COOKIE, PROGRESS_COOKIE = "lang", "name", "learned"
UNCACHED = {"cache-control": "no-store"}
"""Headers of what is asked for anew each time."""
LARGEST_BODY = 8192
"""Bytes of a form at most."""
_MOST_DRAINED = 16 * 1024 * 1024
"""Bytes of a form that are let in although they are too many."""
_WITH_FILES = "multipart/form-data"


class RequestError(DilotiError):
    """A request that is not as described; `status` is what HTTP calls it."""

    def __init__(self, status: int, template: str, **details: object) -> None:
        super().__init__(template, **details)
        self.status = status


class Visit:
    """A request of somebody."""

    def __init__(self, request: Request) -> None:
        self.request = request
        known = self.identity.person_of(request.cookies.get(COOKIE))
        self.is_new = known is None
        self.person = known or self.identity.new_person()
        self.language = pick_page_language(request)
        self.page = Page(self.language, form_token=self.identity.form_token(self.person))

    @property
    def keeper(self) -> Keeper:
        """The tables of this process."""
        keeper: Keeper = self.request.app.state.keeper
        return keeper

    @property
    def store(self) -> Store:
        """The database."""
        store: Store = self.request.app.state.store
        return store

    @property
    def reviews(self) -> Reviews:
        """The reviews that this process makes."""
        reviews: Reviews = self.request.app.state.reviews
        return reviews

    @property
    def identity(self) -> Identity:
        """What signs cookies."""
        identity: Identity = self.request.app.state.identity
        return identity

    @property
    def name(self) -> str:
        """The name this person used last."""
        return unquote(self.request.cookies.get(NAME_COOKIE, ""))

    @property
    def progress(self) -> Progress:
        """How far this person has come in the lessons."""
        return parse_progress(unquote(self.request.cookies.get(PROGRESS_COOKIE, "")))

    async def form(self, *, upload: int = 0) -> FormData:
        """The form that was sent; an `HTTPException` unless it is one of ours.

        With `upload` it may bring a file, or a long text, of so many bytes.
        """
        check_origin(self.request)
        form = await read_form(self.request, upload=upload)
        token = form.get("form_token")
        if not isinstance(token, str) or not self.identity.is_form_token(self.person, token):
            raise HTTPException(403, "form")
        return form

    def render(self, template: str, **details: Any) -> str:
        """A page; `back` is where it comes again in another language, usually where it is."""
        return self.page.render(template, **{"back": self.request.url.path, **details})

    def show(
        self,
        template: str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        **details: Any,
    ) -> Response:
        """The answer with a page, rendered as `render` does."""
        return self.keep(HTMLResponse(self.render(template, **details), status, headers))

    def go_to(self, address: str) -> Response:
        """The way to another page, after a form."""
        return self.keep(RedirectResponse(address, 303))

    def keep(self, response: Response) -> Response:
        """Have the browser remember who this is."""
        self._set_cookie(response, COOKIE, self.identity.sign(self.person))
        return response

    def keep_text(self, response: Response, name: str, value: str) -> None:
        """Have the browser remember a language, a name or the like."""
        self._set_cookie(response, name, quote(value))

    def _set_cookie(self, response: Response, name: str, value: str) -> None:
        settings: Settings = self.request.app.state.settings
        response.set_cookie(
            name,
            value,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=settings.secure or self.request.url.scheme == "https",
        )


def pick_page_language(request: Request) -> str:
    """The language chosen here before, else the first one that the browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen is not None and chosen in LANGUAGES:
        return chosen
    wanted = []
    for part in request.headers.get("accept-language", "")[:200].split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            wanted.append((-float(quality or 1), name.split("-")[0].lower()))
        except ValueError:
            continue
    wanted.sort(key=lambda one: one[0])  # of equal ones the first that is named
    return next((name for liking, name in wanted if liking and name in LANGUAGES), "en")


def check_origin(request: Request) -> None:
    """Refuse what a page of somebody else sends in the name of a visitor."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise HTTPException(403, "origin")
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise HTTPException(403, "origin")


def whole_number(text: object, most: int) -> int | None:
    """The number from 0 to `most` that a text writes in plain digits; None where it is none."""
    digits = str(text)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(most))):
        return None
    number = int(digits)
    return number if number <= most else None


async def read_form(request: Request, *, upload: int = 0) -> FormData:
    """A form of sensible size, with `upload` bytes more for a file."""
    largest = LARGEST_BODY + upload
    chunks = request.stream()
    length = request.headers.get("content-length", "0")
    if whole_number(length, largest) is None:
        await _drain(chunks)
        raise HTTPException(413, "size")
    kind = request.headers.get("content-type", "").split(";")[0]
    if kind != "application/x-www-form-urlencoded" and not (upload and kind == _WITH_FILES):
        raise HTTPException(415, "kind")
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > largest:
            await _drain(chunks)
            raise HTTPException(413, "size")
    request._body = bytes(body)  # what `form` reads
    return await request.form(max_files=1 if upload else 0, max_fields=100)


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Hear the rest of what is too long, in bounds: a browser that still sends hears no answer."""
    heard = 0
    async for chunk in chunks:
        heard += len(chunk)
        if heard > _MOST_DRAINED:
            return


async def read_json(request: Request, largest: int = LARGEST_BODY) -> Any:
    """The JSON value in a body of so many bytes at most; `RequestError` where it is none.

    Infinities, fractions and halves of characters are refused: nothing here is one.
    """
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise RequestError(415, N_("only JSON is understood here"))
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > largest:
            raise RequestError(413, N_("this is too large"))
    try:
        written = json.loads(body, parse_constant=_refuse_number, parse_float=_refuse_number)
        json.dumps(written, ensure_ascii=False).encode()  # no half of a character
    except (ValueError, RecursionError) as error:
        raise RequestError(400, N_("only JSON is understood here")) from error
    return written


def _refuse_number(text: str) -> float:
    raise ValueError(text)
