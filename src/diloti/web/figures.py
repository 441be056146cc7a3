"""The figures of this browser's player: their page, the table for spreadsheets, deleting them."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from diloti.teacher.figures import PlayedMatch, figures_of
from diloti.web.figures_page import figures_table, tell_figures
from diloti.web.requests import Visit

_SEE_OTHER = 303
_PRIVATE = {"cache-control": "no-store"}


def routes() -> list[Route]:
    """The addresses of the figures."""
    return [
        Route("/figures", figures_page),
        Route("/figures.csv", as_table),
        Route("/figures/delete", delete, methods=["GET", "POST"]),
        Route("/figures/deleted", deleted),
    ]


async def figures_page(request: Request) -> Response:
    """All figures, or that there are none yet."""
    visit = Visit(request)
    matches = await _played(visit)
    text = await asyncio.to_thread(_draw, visit, matches)
    return visit.keep(HTMLResponse(text, headers=_PRIVATE))


def _draw(visit: Visit, matches: list[PlayedMatch]) -> str:
    page, back = visit.page, visit.request.url.path
    figures = tell_figures(page.words, figures_of(matches)) if matches else None
    is_known = not visit.is_new
    return page.render("figures/figures.html", figures=figures, is_known=is_known, back=back)


async def _played(visit: Visit) -> list[PlayedMatch]:
    return [] if visit.is_new else await visit.store.played_by(visit.person)


async def as_table(request: Request) -> Response:
    """A line for each deal, for a spreadsheet."""
    visit = Visit(request)
    matches = await _played(visit)
    table = await asyncio.to_thread(figures_table, visit.page.words, matches)
    headers = {"content-disposition": 'attachment; filename="diloti.csv"', **_PRIVATE}
    kind = "text/csv; charset=utf-8"
    return Response(table.encode("utf-8-sig"), media_type=kind, headers=headers)


async def delete(request: Request) -> Response:
    """What deleting means; the form there, with its tick, deletes."""
    visit = Visit(request)
    if request.method == "GET":
        return _page(visit, "figures/delete.html", is_unsure=False)
    form = await visit.form()
    if form.get("sure") != "yes":
        return _page(visit, "figures/delete.html", is_unsure=True, status=422)
    await visit.store.let_go(visit.person)
    return visit.keep(RedirectResponse("/figures/deleted", _SEE_OTHER))


async def deleted(request: Request) -> Response:
    """That it is done."""
    return _page(Visit(request), "figures/deleted.html")


def _page(visit: Visit, template: str, *, status: int = 200, **details: Any) -> Response:
    page = visit.page.render(template, back=visit.request.url.path, **details)
    return visit.keep(HTMLResponse(page, status, headers=_PRIVATE))
