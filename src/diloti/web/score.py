"""Score sheets for people who play with real cards: their pages, and what devices write on them.

Whoever has the link with the key writes, whoever has the one without it looks on. Devices send
entries as JSON when they have a network, and ask now and then for those of the others; a small
answer that says "nothing new" suits a bad network better than a stream that dies unnoticed.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from diloti.core.cards import PACK_SIZE
from diloti.core.errors import N_, DilotiError, RulesError
from diloti.core.record_reader import parse_switch
from diloti.core.rules import Rules, rules_from
from diloti.scorebook.book import Book
from diloti.scorebook.count import (
    ACES_IN_PACK,
    NOTHING,
    DealCount,
    Pair,
    ScorebookError,
    refusal_of,
)
from diloti.scorebook.entries import (
    Entries,
    Entry,
    Setup,
    clean_name,
    first_entries,
    read_entries,
    write_entries,
)
from diloti.scorebook.telling import book_lines, book_sides, book_table, refuse
from diloti.web.render import STATIC
from diloti.web.requests import RequestError, Visit, check_origin, read_json, whole_number
from diloti.web.score_page import NO_ACES, NO_CARDS, empty_form, filled_form, sheet_details
from diloti.web.sheets import KeptSheet, Sheets
from diloti.web.store import StoreError

MOST_AT_ONCE = 20
"""Entries in one body at most."""
_COUNTING = ("target", "xeri_points", "xeristaki_points")
_CHECKED = {"cache-control": "no-cache"}
"""Headers of the pages that are kept for when there is no network."""


def routes() -> list[BaseRoute]:
    """The addresses of score sheets; those with a second part in which no key can be come first."""
    sheet = "/score/{sheet:str}"
    return [
        Route("/score", new_sheet, methods=["GET", "POST"]),
        Route("/score/worker.js", worker),
        Route(sheet, look_on),
        Route(sheet + "/entries", send_entries),
        Route(sheet + "/sheet.txt", as_text),
        Route(sheet + "/sheet.csv", as_table),
        Route(sheet + "/{key:str}", write_on, methods=["GET", "POST"]),
        Route(sheet + "/{key:str}/entries", take_entries, methods=["POST"]),
    ]


# --- A new sheet -------------------------------------------------------------------


async def new_sheet(request: Request) -> Response:
    """The form for a new sheet; what it sends begins one."""
    visit = Visit(request)
    if request.method == "GET":
        return visit.show("score_new.html", headers=_CHECKED, trouble="", typed={})
    form = await visit.form()
    try:
        setup = _read_setup(form, _rules(form))
    except DilotiError as trouble:
        told = visit.page.told(trouble)
        return visit.show("score_new.html", headers=_CHECKED, trouble=told, typed=form, status=422)
    kept = await _sheets(request).add(first_entries(setup, name=_new_name()))
    return visit.go_to(f"/score/{kept.id}/{kept.key}")


def _rules(form: FormData) -> Rules:
    """The rules that a form chooses, as far as they matter for the count."""
    switches = _switches(form)
    players = whole_number(form.get("players"), 4)
    return rules_from(str(form.get("rules")), **{**switches, "players": players or 0})


def _switches(form: FormData) -> dict[str, object]:
    """The switches that matter for the count, as they were typed: rules say what cannot be."""
    typed = {name: str(form.get(name, "")).strip() for name in _COUNTING}
    return {name: parse_switch(text) for name, text in typed.items() if text}


def _read_setup(form: FormData, rules: Rules) -> Setup:
    names = tuple(clean_name(str(form.get(f"name{seat}", ""))) for seat in range(rules.players))
    dealer = whole_number(form.get("dealer", "0"), 3)
    return Setup(names, rules, -1 if dealer is None else dealer)


# --- Looking on --------------------------------------------------------------------


async def look_on(request: Request) -> Response:
    """A sheet for somebody who may not write."""
    visit = Visit(request)
    return await asyncio.to_thread(_sheet_page, visit, await _kept(request))


async def send_entries(request: Request) -> Response:
    """The entries of a sheet as JSON; nothing where there is nothing new."""
    if known := request.headers.get("if-none-match"):
        number = await _sheets(request).number(_sheet_name(request))
        if number is not None and known == _tag(number):
            return Response(status_code=304, headers=_headers(known))
    return await asyncio.to_thread(_entries_answer, await _kept(request))


def _entries_answer(kept: KeptSheet) -> Response:
    headers = _headers(_tag(kept.number))
    return JSONResponse({"entries": write_entries(kept.entries)}, headers=headers)


def _tag(number: int) -> str:
    return f'"{number}"'


def _headers(tag: str) -> dict[str, str]:
    return {"etag": tag, "cache-control": "no-cache"}


async def as_text(request: Request) -> Response:
    """The sheet as text, to keep."""
    visit, kept = Visit(request), await _kept(request)
    text = await asyncio.to_thread(_whole_text, visit, kept)
    return _download(text.encode(), "text/plain", "diloti.txt")


def _whole_text(visit: Visit, kept: KeptSheet) -> str:
    return "\n".join(book_lines(visit.page.words, Book(kept.entries))) + "\n"


async def as_table(request: Request) -> Response:
    """The sheet as a table, for a spreadsheet."""
    visit, kept = Visit(request), await _kept(request)
    table = await asyncio.to_thread(book_table, visit.page.words, Book(kept.entries))
    return _download(table.encode("utf-8-sig"), "text/csv", "diloti.csv")


def _download(content: bytes, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)


# --- Writing -----------------------------------------------------------------------


async def write_on(request: Request) -> Response:
    """A sheet for somebody who may write; its forms come here where there is no script."""
    visit, kept = Visit(request), await _kept_to_write(request)
    if request.method == "GET":
        return await asyncio.to_thread(_page_to_write, visit, kept)
    form = await visit.form()
    try:
        entry = await asyncio.to_thread(_entry_of, visit, Book(kept.entries), form)
        await _sheets(request).join(kept, [entry])
    except (ScorebookError, RulesError) as trouble:
        return await asyncio.to_thread(_refused_page, visit, kept, form, trouble)
    return visit.go_to(f"/score/{kept.id}/{kept.key}")


def _page_to_write(visit: Visit, kept: KeptSheet) -> Response:
    row = Book(kept.entries).row(visit.request.query_params.get("deal", ""))
    return _sheet_page(visit, kept, form=filled_form(row) if row else None)


def _refused_page(visit: Visit, kept: KeptSheet, form: FormData, trouble: DilotiError) -> Response:
    """The page again, with what was typed and why it was not taken."""
    told = visit.page.told(trouble)
    if form.get("do") == "setup":
        return _sheet_page(visit, kept, setting_up=form, trouble=told, status=422)
    typed = _as_typed(form, Book(kept.entries))
    return _sheet_page(visit, kept, form=typed, trouble=told, status=422)


def _entry_of(visit: Visit, book: Book, form: FormData) -> Entry:
    """What a form writes on a sheet."""
    deal, name = str(form.get("deal", "")), _new_name()
    match form.get("do"):
        case "setup":
            rules = replace(book.setup.rules, **_switches(form))  # type: ignore[arg-type]
            return book.set_up(_read_setup(form, rules), name=name)
        case "remove":
            row = book.row(deal)
            if row is None or not book.may_remove(row):
                raise ScorebookError(N_("only the last deal can be taken away"))
            entry = book.correct(deal, None, name=name)
        case _:
            count = _read_form(form)
            refusal = refusal_of(count, book.setup.rules)
            if refusal is not None:
                raise refuse(book_sides(visit.page.words, book), refusal)
            entry = book.correct(deal, count, name=name) if deal else book.enter(count, name=name)
    seen = whole_number(form.get("seen"), entry.seen)
    return entry if seen is None else replace(entry, seen=seen)


def _read_form(form: FormData) -> DealCount:
    """The count of a form; the other side has what is left."""
    if form.get("nothing") == "yes":
        return NOTHING
    cards, aces = _typed_cards(form), whole_number(form.get("aces"), ACES_IN_PACK)
    if cards is None:
        raise ScorebookError(NO_CARDS)
    if aces is None:
        raise ScorebookError(NO_ACES)
    return DealCount(
        cards=cards,
        aces=(aces, ACES_IN_PACK - aces),
        ten=whole_number(form.get("ten"), 1),
        two=whole_number(form.get("two"), 1),
        xeri=_typed_pair(form, "xeri"),
        xeristaki=_typed_pair(form, "xeristaki"),
    )


def _typed_cards(form: FormData) -> Pair | None:
    first, second = (whole_number(form.get(f"cards{side}"), 99) for side in (0, 1))
    if first is None and second is None:
        return None
    if first is None:
        first = max(0, PACK_SIZE - (second or 0))
    return first, max(0, PACK_SIZE - first) if second is None else second


def _typed_pair(form: FormData, name: str) -> Pair:
    first, second = (whole_number(form.get(f"{name}{side}"), 99) or 0 for side in (0, 1))
    return first, second


def _as_typed(form: FormData, book: Book) -> dict[str, Any]:
    """The form again, as somebody has filled it in."""
    aces = whole_number(form.get("aces"), ACES_IN_PACK)
    seen = whole_number(form.get("seen"), len(book.entries))
    return {
        **empty_form(book),
        "deal": str(form.get("deal", "")),
        "seen": book.entered if seen is None else seen,
        "cards": tuple(whole_number(form.get(f"cards{side}"), 99) for side in (0, 1)),
        "aces": aces,
        "ten": whole_number(form.get("ten"), 1),
        "two": whole_number(form.get("two"), 1),
        "xeri": _typed_pair(form, "xeri"),
        "xeristaki": _typed_pair(form, "xeristaki"),
        "is_nothing": form.get("nothing") == "yes",
    }


async def take_entries(request: Request) -> Response:
    """Join what a device has written with the sheet; the answer has all entries.

    The key of the link is the right to write: a page that was kept for want of a network has no
    fresh form token. Other pages can send no JSON here, and do not know the key.
    """
    check_origin(request)
    visit = Visit(request)
    try:
        kept = await _kept_to_write(request)
        kept = await _sheets(request).join(kept, await _sent(request))
    except StoreError as trouble:
        return JSONResponse({"message": visit.page.told(trouble)}, 503)
    except RequestError as trouble:
        return JSONResponse({"message": visit.page.told(trouble)}, trouble.status)
    except DilotiError as trouble:
        return JSONResponse({"message": visit.page.told(trouble)}, 422)
    return await asyncio.to_thread(_entries_answer, kept)


async def _sent(request: Request) -> Entries:
    """The entries in a body."""
    entries = read_entries(await read_json(request))
    if len(entries) > MOST_AT_ONCE:
        raise RequestError(413, N_("this is too large"))
    return entries


# --- What all of them need ---------------------------------------------------------


def _sheets(request: Request) -> Sheets:
    sheets: Sheets = request.app.state.sheets
    return sheets


def _sheet_name(request: Request) -> str:
    name: str = request.path_params["sheet"]
    if not name.isprintable():
        raise HTTPException(404, "sheet")  # not every database can look for that
    return name


async def _kept(request: Request) -> KeptSheet:
    kept = await _sheets(request).load(_sheet_name(request))
    if kept is None:
        raise HTTPException(404, "sheet")
    return kept


async def _kept_to_write(request: Request) -> KeptSheet:
    kept = await _kept(request)
    if not kept.is_key(request.path_params["key"]):
        raise HTTPException(404, "key")
    return kept


def _new_name() -> str:
    return secrets.token_urlsafe(12)


def _sheet_page(
    visit: Visit,
    kept: KeptSheet,
    *,
    form: Mapping[str, Any] | None = None,
    setting_up: Mapping[str, Any] | None = None,
    trouble: str = "",
    status: int = 200,
) -> Response:
    """The page of a sheet, with what was typed in one of its two forms where that was refused."""
    details = sheet_details(visit.page, kept.entries, form=form)
    details |= {"id": kept.id, "key": kept.key if "key" in visit.request.path_params else ""}
    typed = setting_up or {}
    return visit.show(
        "score.html", headers=_CHECKED, status=status, trouble=trouble, typed=typed, **details
    )


# --- Without a network -------------------------------------------------------------

_FILES = ("diloti.css", "score.css", "scorebook.js", "score.js", "score-list.js", "icon.svg")
"""What the pages of score sheets are made of, in `static`."""


@cache
def worker_script(static: Path) -> str:
    """The service worker, with the names of the files that it keeps and their version."""
    digest = hashlib.sha256(b"".join((static / name).read_bytes() for name in _FILES))
    text = (static / "score-worker.js").read_text(encoding="utf-8")
    return text.replace("VERSION", digest.hexdigest()[:16]).replace("FILES", " ".join(_FILES))


async def worker(_request: Request) -> Response:
    """What lets the page open without a network."""
    headers = {"cache-control": "no-cache"}
    return Response(worker_script(STATIC), media_type="text/javascript", headers=headers)
