"""The figures of this browser's player: their page, the table for spreadsheets, deleting them."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from diloti.teacher.figures import PlayedMatch, figures_of
from diloti.web.figures_page import figures_table, tell_figures
from diloti.web.requests import UNCACHED, Visit


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
    return await asyncio.to_thread(_draw, visit, await _played(visit))


def _draw(visit: Visit, matches: list[PlayedMatch]) -> Response:
    figures = tell_figures(visit.page.words, figures_of(matches)) if matches else None
    known = not visit.is_new
    return visit.show("figures/figures.html", headers=UNCACHED, figures=figures, is_known=known)


async def _played(visit: Visit) -> list[PlayedMatch]:
    return [] if visit.is_new else await visit.store.played_by(visit.person)


async def as_table(request: Request) -> Response:
    """A line for each deal, for a spreadsheet."""
    visit = Visit(request)
    matches = await _played(visit)
    table = await asyncio.to_thread(figures_table, visit.page.words, matches)
    headers = {"content-disposition": 'attachment; filename="diloti.csv"', **UNCACHED}
    kind = "text/csv; charset=utf-8"
    return Response(table.encode("utf-8-sig"), media_type=kind, headers=headers)


async def delete(request: Request) -> Response:
    """What deleting means; the form there, with its tick, deletes."""
    visit = Visit(request)
    if request.method == "GET":
        return visit.show("figures/delete.html", headers=UNCACHED, is_unsure=False)
    form = await visit.form()
    if form.get("sure") != "yes":
        return visit.show("figures/delete.html", headers=UNCACHED, is_unsure=True, status=422)
    await visit.store.let_go(visit.person)
    return visit.go_to("/figures/deleted")


async def deleted(request: Request) -> Response:
    """That it is done."""
    return Visit(request).show("figures/deleted.html", headers=UNCACHED)
