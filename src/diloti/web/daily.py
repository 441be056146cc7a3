"""The page of the daily deal: the same packs for everybody, against the same bot."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from diloti.web.days import Days, Standing, streaks
from diloti.web.requests import UNCACHED, Visit
from diloti.web.room import clean_name
from diloti.words.dates import tell_day
from diloti.words.numbers import decimal

LISTED = 14
"""Past days that are shown."""
_MOST_SQUARES = 8


async def daily(request: Request) -> Response:
    """The packs of today: to be played, or what came of them; the form goes to the table."""
    visit = Visit(request)
    days: Days = request.app.state.days
    today = days.today
    standing = await days.standing(today, visit.person)
    if request.method == "POST":
        await visit.form()
        return await _go_to_table(visit, days, standing)
    words, played = visit.page.words, await days.played(visit.person)
    row, best = streaks([one.day for one in played], today)
    leads = await days.leads(today) if standing.lead is not None else []
    return visit.show(
        "daily.html",
        day=tell_day(words, today),
        standing=standing,
        is_given_up=await _is_given_up(visit, standing),
        signed=partial(decimal, words, signed=True, digits=0),
        row=row,
        best=best,
        leads=leads,
        better=sum(lead > (standing.lead or 0) for lead in leads),
        share=_share(visit, standing, row),
        past=[{"day": tell_day(words, one.day), "standing": one} for one in played[:LISTED]],
        headers=UNCACHED,
    )


async def _is_given_up(visit: Visit, standing: Standing) -> bool:
    """Whether somebody gave up the match of a day, which then has no result."""
    if standing.lead is not None or not standing.room:
        return False
    async with visit.keeper.room(standing.room) as room:
        return room.match.resigned is not None


async def _go_to_table(visit: Visit, days: Days, standing: Standing) -> Response:
    room = standing.room or await days.begin(
        standing.day, clean_name(visit.name), visit.person, visit.keeper.add
    )
    return visit.go_to(f"/table/{room}")


def _share(visit: Visit, standing: Standing, row: int) -> str:
    """A result to be sent, which tells nothing of the cards; empty before there is one."""
    difference = standing.difference
    if difference is None:
        return ""
    words = visit.page.words
    squares = min(abs(difference), _MOST_SQUARES) or 1
    lines = [
        words.say("Diloti, {day}", day=tell_day(words, standing.day)),
        ("🟩" if difference > 0 else "🟨" if difference == 0 else "🟥") * squares,
        words.say(
            "{difference} against the expert",
            difference=decimal(words, difference, signed=True, digits=0),
        ),
    ]
    if row > 1:
        lines.append(words.say_count("{count} day in a row", "{count} days in a row", row))
    lines.append(str(visit.request.url.replace(path="/daily", query="")))
    return "\n".join(lines)
