"""Reviews as templates show them: that of a match, and what it says about one play."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from diloti.core.errors import DilotiError
from diloti.core.match import DealLog
from diloti.core.record import Record
from diloti.core.record_reader import parse_record
from diloti.core.view import View, view_of
from diloti.teacher.explaining import tell_judged, tell_reason
from diloti.teacher.judgement import JudgedPlay
from diloti.teacher.marks import BEST, BLUNDER, MARKS, MISTAKE
from diloti.teacher.review import DealReview, MatchReview, Moment, SideSummary
from diloti.teacher.review_chart import SMALL, chart
from diloti.teacher.review_json import read_review
from diloti.web.archive import Finished
from diloti.words import Words
from diloti.words.accounts import side_names
from diloti.words.numbers import decimal, percent
from diloti.words.plays import describe_play
from diloti.words.replay import names_in_record
from diloti.words.review import (
    MARK_HEADINGS,
    MARK_NAMES,
    MARK_SIGNS,
    source_rows,
    tell_ahead,
    tell_better,
    tell_chances,
    tell_cut,
    tell_judging,
)
from diloti.words.telling import tell_play

log = logging.getLogger("diloti.web")

read_again = lru_cache(maxsize=8)(parse_record)
"""The match of a record that was looked at a moment ago; nobody changes it."""


def review_of(finished: Finished) -> MatchReview | None:
    """The review that is kept with a match; None where there is none, or none that fits it."""
    if finished.review is None:
        return None
    return _review_of(finished.record, finished.review)


@lru_cache(maxsize=8)
def _review_of(record: str, text: str) -> MatchReview | None:
    try:
        review = read_review(json.loads(text))
    except (DilotiError, ValueError, RecursionError) as trouble:
        log.warning("a kept review is none", extra={"reason": type(trouble).__name__})
        return None
    match = read_again(record).match
    whole = [_told(log) for log in match.deals if log.score is not None]
    if (review.rules, [_judged(deal) for deal in review.deals]) != (match.rules, whole):
        log.warning("a kept review is of another match")
        return None
    return review


def _told(log: DealLog) -> tuple[object, ...]:
    """What must be the same in a deal and in its review."""
    assert log.score is not None
    first, second = (sheet.total for sheet in log.score.sheets)
    return log.dealer, (first, second), tuple(log.plays)


def _judged(deal: DealReview) -> tuple[object, ...]:
    return deal.dealer, deal.points, tuple(judged.play for judged in deal.plays)


# --- A match -----------------------------------------------------------------------------


def tell_review(words: Words, record: Record, review: MatchReview) -> dict[str, Any]:
    """The review of a match for its page: the chart, both sides, luck and skill."""
    names = names_in_record(words, record)
    sides = side_names(words, names)
    return {
        "chart": Markup(chart(words, review, sides, SMALL)),
        "chances": tell_chances(words, sides[0], review.milestones),
        "rows": _summary_rows(words, review.sides),
        "moments": [
            {
                "side": name,
                "good": _moments(words, names, review, side.best_moments),
                "bad": _moments(words, names, review, side.worst_moments),
            }
            for name, side in zip(sides, review.sides)
        ],
        "source": _source(words, sides, review),
        "deals": [
            {"source": _source(words, sides, deal), "chance": percent(words, deal.chance_after)}
            for deal in review.deals
        ],
        "how": tell_judging(words, review.simulations),
        "cut": tell_cut(words) if review.is_cut else "",
    }


def _summary_rows(words: Words, sides: Sequence[SideSummary]) -> list[tuple[str, list[str]]]:
    """What a table says about both sides."""
    marks = zip(MARKS, *(side.marks for side in sides))
    return [
        (words.say("Accuracy, of 100"), [str(round(side.accuracy)) for side in sides]),
        (words.say("Points lost"), [decimal(words, side.loss) for side in sides]),
        (
            words.say("Points lost a play"),
            [decimal(words, side.average_loss, digits=2) for side in sides],
        ),
        *(
            (f"{MARK_SIGNS[mark]} {words.say(MARK_HEADINGS[mark])}", [*map(str, counts)])
            for mark, *counts in marks
        ),
    ]


def _moments(
    words: Words, names: Sequence[str], review: MatchReview, moments: Iterable[Moment]
) -> list[dict[str, Any]]:
    """Moments to go to, each with its mark."""
    return [
        {
            "path": f"{moment.deal + 1}/{moment.play + 1}",
            "told": words.say(
                "Deal {deal}, play {number}: {play}",
                deal=moment.deal + 1,
                number=moment.play + 1,
                play=tell_play(words, names[judged.seat], judged.play),
            ),
            "mark": judged.mark,
            "sign": MARK_SIGNS[judged.mark],
            "judged": tell_ahead(words, judged.ahead)
            if judged.mark == BEST
            else _tell_judged(words, judged),
        }
        for moment in moments
        for judged in [review.play_at(moment)]
    ]


def _source(
    words: Words, sides: tuple[str, str], whole: MatchReview | DealReview
) -> list[tuple[str, str]]:
    cards = whole.luck_of_cards
    return source_rows(
        words,
        sides,
        start=whole.start,
        cards=cards if isinstance(cards, float) else sum(cards),
        unknown=whole.luck_of_unknown,
        skill=whole.skill,
        result=whole.result,
    )


# --- A play ------------------------------------------------------------------------------


def list_marks(words: Words, review: MatchReview, deal: int) -> list[dict[str, str]]:
    """The marks of all plays of a deal (from 0); none where it is not reviewed."""
    if deal >= len(review.deals):
        return []
    return [_mark(words, judged) for judged in review.deals[deal].plays]


def _mark(words: Words, judged: JudgedPlay) -> dict[str, str]:
    mark = judged.mark
    return {"mark": mark, "sign": MARK_SIGNS[mark], "name": words.say(MARK_NAMES[mark])}


def _tell_judged(words: Words, judged: JudgedPlay) -> str:
    """The mark of a play and what it lost, no line ending before the error."""
    return tell_judged(words, judged).replace("± ", "±\N{NO-BREAK SPACE}")


def slips_around(review: MatchReview, deal: int, play: int) -> tuple[Moment | None, Moment | None]:
    """The last mistake or blunder before a moment, and the first after it.

    The moment is a deal (from 0) after so many plays; a `Moment` names the play itself, from 0.
    """
    slips = [
        (number, place)
        for number, one in enumerate(review.deals)
        for place, judged in enumerate(one.plays)
        if judged.mark in (MISTAKE, BLUNDER)
    ]
    here = deal, play - 1
    before = [Moment(*slip) for slip in slips if slip < here]
    after = [Moment(*slip) for slip in slips if slip > here]
    return (before[-1] if before else None), (after[0] if after else None)


def tell_judgement(
    words: Words, record: Record, review: MatchReview, deal: int, play: int
) -> dict[str, Any] | None:
    """What a review says about the play with this number (from 1) in a deal (from 0).

    None where there is no such play, or the deal is not reviewed.
    """
    if not play or deal >= len(review.deals):
        return None
    judged = review.deals[deal].plays[play - 1]
    view = _seen(record.match.deals[deal], play)
    is_best = judged.best == judged.play
    return {
        **_mark(words, judged),
        "told": _tell_judged(words, judged),
        "name": names_in_record(words, record)[judged.seat],
        "better": "" if is_best else tell_better(words, judged.best, judged.best_points),
        "why": tell_reason(words, view, judged),
        "is_slip": judged.mark in MARKS[2:],
        "candidates": [
            {
                "words": describe_play(words, one.play),
                "points": decimal(words, one.points or 0.0, signed=True),
                "is_played": one.play == judged.play,
            }
            for one in judged.candidates
        ]
        if judged.is_decision
        else [],
    }


def _seen(log: DealLog, play: int) -> View:
    """What the player of a play (from 1) could see before it."""
    position = log.outcomes[play - 2].position if play > 1 else log.start
    assert position.turn is not None
    return view_of(position, position.turn)
