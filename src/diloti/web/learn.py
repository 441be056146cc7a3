"""The lessons: their overview, and the board or question of each step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from diloti.core.cards import cards_in
from diloti.core.errors import NotationError
from diloti.core.notation import format_card, parse_cards, parse_play
from diloti.core.plays import Play
from diloti.core.position import History
from diloti.core.view import View, view_of
from diloti.teacher.lessons import (
    COURSE,
    Place,
    Situation,
    lesson_of,
    place_after,
    situation_at,
    step_at,
)
from diloti.teacher.progress import format_progress
from diloti.teacher.steps import LEARNER, Question, Step
from diloti.teacher.verdicts import Verdict, tell_refusal, verdict_on_answer, verdict_on_play
from diloti.web.drawing import draw_table
from diloti.web.feed import SEEN_EVENTS, Frame
from diloti.web.requests import PROGRESS_COOKIE, UNCACHED, Visit, whole_number
from diloti.web.room import Seat, Settings, clean_name
from diloti.web.rulebook import rules_for_lesson
from diloti.web.table import SCRIPT_HEADER, choosing_of
from diloti.words.choosing import Choosing

_LONGEST = 99
"""Steps that a lesson can have."""
_SELECTION = ("card", "loose", "pile")


@dataclass(frozen=True)
class _Shown:
    """A step as it is shown: what was played or answered, and what is said to it."""

    place: Place
    address: str
    """Where it is shown so again."""
    choices: str = ""
    selected: tuple[str, ...] = ()
    """The hand card, the loose cards and the numbers of the piles that are selected."""
    verdict: Verdict | None = None
    played: Situation | None = None
    """The situation after the right play."""

    @property
    def is_solved(self) -> bool:
        """Whether the step is solved, and goes on."""
        return self.verdict is not None and self.verdict.is_right


async def overview(request: Request) -> Response:
    """All lessons, and how far this person has come."""
    visit = Visit(request)
    progress = visit.progress
    lessons = []
    for lesson in COURSE:
        open_steps = [
            number
            for number in range(1, len(lesson.steps) + 1)
            if (lesson.key, number) not in progress.solved
        ]
        lessons.append(
            {
                "title": visit.page.words.say(lesson.title),
                "link": link_to((lesson.key, open_steps[0] if open_steps else 1)),
                "solved": progress.count(lesson.key),
                "steps": len(lesson.steps),
            }
        )
    return visit.show(
        "learn/overview.html",
        lessons=lessons,
        go_on=None if progress.next is None else link_to(progress.next),
        has_begun=not progress.is_empty,
    )


async def done(request: Request) -> Response:
    """The end of the course, and the way to a whole match."""
    visit = Visit(request)
    following = visit.progress.next
    return visit.show("learn/done.html", go_on=None if following is None else link_to(following))


async def lesson_page(request: Request) -> Response:
    """A step; with a play, an answer or a selection in the query also what is said to it."""
    visit, place = Visit(request), _place(request)
    return visit.keep(HTMLResponse(_render(visit, _consider(visit, place, request.query_params))))


async def answer(request: Request) -> Response:
    """A play or an answer that was sent. Our script gets what is said to it, a form the page."""
    visit, place = Visit(request), _place(request)
    form = await visit.form()
    shown = _consider(visit, place, form)
    if SCRIPT_HEADER in request.headers:
        if shown.verdict is None:
            raise HTTPException(400, "play")
        html = _board(visit, shown) if shown.is_solved else _said(visit, shown)
        response: Response = HTMLResponse(html, 200 if shown.is_solved else 422, UNCACHED)
    else:
        response = visit.go_to(shown.address)
    if shown.is_solved:
        progress = format_progress(visit.progress.with_solved(place))
        visit.keep_text(response, PROGRESS_COOKIE, progress)
    return visit.keep(response)


async def choices(request: Request) -> Response:
    """The plays that fit what is selected."""
    visit, place = Visit(request), _place(request)
    html = _offers(visit, place, request.query_params)
    return HTMLResponse(html, headers=UNCACHED)


def link_to(place: Place) -> str:
    """The address of a step."""
    key, number = place
    return f"/learn/{key}/{number}"


def _place(request: Request) -> Place:
    """The step that is asked for; 404 where there is none."""
    number = whole_number(request.path_params["step"], _LONGEST)
    place = (request.path_params["lesson"], number or 0)
    try:
        step_at(place)
    except KeyError:
        raise HTTPException(404, "lesson") from None
    return place


def _address(place: Place, sent: QueryParams | FormData, *names: str) -> str:
    """A step with some of what was sent there."""
    kept = [(name, str(value)) for name, value in sent.multi_items() if name in names]
    return link_to(place) + (f"?{urlencode(kept)}" if kept else "")


def _consider(visit: Visit, place: Place, sent: QueryParams | FormData) -> _Shown:
    """A step with what comes of something that was sent."""
    step, words = step_at(place), visit.page.words
    if isinstance(step, Question):
        verdict = verdict_on_answer(words, step, _number(sent.get("answer")))
        return _Shown(place, _address(place, sent, "answer"), verdict=verdict)
    if "play" in sent and "look" not in sent:
        situation = situation_at(place)
        address = _address(place, sent, "play")
        try:
            play = parse_play(str(sent["play"]))
        except NotationError:
            return _Shown(place, address)
        verdict = verdict_on_play(words, place, situation.position, play)
        if verdict.is_right:
            return _Shown(place, address, verdict=verdict, played=situation.after(play))
        selected = _selected_by(view_of(situation.position, LEARNER), play)
        return _Shown(place, address, selected=selected, verdict=verdict)
    if "card" in sent:
        selected = tuple(str(one) for name in _SELECTION for one in sent.getlist(name))
        address = _address(place, sent, *_SELECTION)
        return _Shown(place, address, _offers(visit, place, sent), selected)
    return _Shown(place, link_to(place))


def _selected_by(view: View, play: Play) -> tuple[str, ...]:
    """What has to be selected for a play."""
    piles = [number for number, pile in enumerate(view.piles) if pile.cards in play.piles]
    cards = [play.card, *cards_in(play.loose)]
    return (*map(format_card, cards), *map(str, piles))


def _number(text: object) -> int:
    return int(str(text)) if str(text) in tuple("123456789") else 0


def _offers(visit: Visit, place: Place, sent: QueryParams | FormData) -> str:
    """The plays that fit a selection, as at the table; why there are none, with its rule."""
    loose, piles = ([str(one) for one in sent.getlist(what)] for what in ("loose", "pile"))
    if not isinstance(step_at(place), Step):
        raise HTTPException(404, "lesson")
    frame = _frame(visit, situation_at(place))
    choosing = choosing_of(frame, str(sent.get("card", "")), loose, piles)
    rules = rules_for_lesson(_address(place, sent, *_SELECTION))
    refusal = _refusal(visit, place, choosing, rules)
    return visit.page.choices(choosing, number=0, refusal=refusal)


def _refusal(visit: Visit, place: Place, choosing: Choosing, rules: str) -> str:
    if choosing.denied is None:
        return ""
    reason, rule = tell_refusal(visit.page.words, place, choosing.view.known, *choosing.denied)
    return visit.page.render("learn/reason.html", text=reason, number=rule, rules=rules)


def _frame(visit: Visit, situation: Situation) -> Frame:
    """A situation as the table would show it to the learner."""
    view = view_of(situation.position, LEARNER)
    if view.turn != LEARNER:  # the opponent answers in the next step
        view = replace(view, turn=None)
    return Frame(
        number=0,
        phase="playing",
        rules=view.rules,
        seats=(Seat(name=clean_name(visit.name), person=visit.person), Seat(bot="novice")),
        settings=Settings(),
        seat=LEARNER,
        view=replace(view, history=History(0, situation.plays)),
        deal=1,
        events=tuple(event for event in situation.events if event.name in SEEN_EVENTS),
        counts=(),
        scores=(0, 0),
        winner=None,
        resigned=None,
        seconds_left=None,
        votes=(),
        remarks=(),
        invitation="",
    )


def _said(visit: Visit, shown: _Shown) -> str:
    rules = rules_for_lesson(shown.address)
    return visit.page.render("learn/wrong.html", verdict=shown.verdict, rules=rules)


def _board(visit: Visit, shown: _Shown) -> str:
    """The board of a step, or its question, with what is said to what was done."""
    page, step = visit.page, step_at(shown.place)
    following = place_after(shown.place)
    next_link = "/learn/done" if following is None else link_to(following)
    details: dict[str, Any] = {
        "lesson": lesson_of(shown.place[0]),
        "step": step,
        "address": link_to(shown.place),
        "next_link": next_link,
        "verdict": shown.verdict,
        "is_solved": shown.is_solved,
        "rules": rules_for_lesson(shown.address),
    }
    if isinstance(step, Question):
        drawing = draw_table(page.words, parse_cards(step.cards), ()) if step.cards else None
        return page.render("learn/question.html", drawing=drawing, **details)
    said = ""
    if shown.is_solved:
        said = page.render("learn/right.html", **details)
    elif shown.verdict is not None:
        said = _said(visit, shown)
    frame = _frame(visit, shown.played or situation_at(shown.place))
    details["choices"] = said + shown.choices
    board = page.board_details(frame, selected=shown.selected)
    return page.render("learn/board.html", **{**board, **details})


def _render(visit: Visit, shown: _Shown) -> str:
    lesson = lesson_of(shown.place[0])
    return visit.page.render(
        "learn/step.html",
        lesson=lesson,
        number=shown.place[1],
        address=link_to(shown.place),
        board=_board(visit, shown),
        back=shown.address,
    )
