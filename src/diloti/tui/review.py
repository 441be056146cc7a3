"""The review of a match, line by line, and a line that says how far it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from diloti.core.match import Match
from diloti.teacher.explaining import tell_judged, tell_reason
from diloti.teacher.marks import BEST, GOOD, MARKS
from diloti.teacher.review import DealReview, MatchReview, Moment, turns_of
from diloti.words import Words
from diloti.words.accounts import by_side, deal_lines, opening_lines, result_line, side_names
from diloti.words.numbers import decimal
from diloti.words.review import (
    tell_accuracy,
    tell_better,
    tell_chances,
    tell_cut,
    tell_marks,
    tell_source,
)
from diloti.words.telling import seat_names, tell_play

_INDENT = "    "
_STEPS = 10
"""Lines of progress where there is no terminal to draw on."""


def review_lines(
    words: Words, match: Match, review: MatchReview, *, all_plays: bool = False
) -> Iterator[str]:
    """The review in words: of each deal the plays that lost something, the sides, luck and skill.

    With `all_plays` every play is told.
    """
    names = seat_names(words, match.names)
    yield from opening_lines(words, names, match.rules, is_over=match.is_over)
    for number, deal in enumerate(review.deals):
        yield ""
        yield from deal_lines(words, names, match, number)
        yield from _plays(words, names, match, number, deal, all_plays=all_plays)
        yield from _deal_end(words, names, deal)
    yield ""
    yield from _summary(words, names, match, review)


def _plays(
    words: Words,
    names: Sequence[str],
    match: Match,
    number: int,
    deal: DealReview,
    *,
    all_plays: bool,
) -> Iterator[str]:
    turns = turns_of(match.deals[number])
    for place, ((view, _play), judged) in enumerate(zip(turns, deal.plays), start=1):
        if not all_plays and judged.mark in (BEST, GOOD):
            continue
        yield f"{place}. {tell_play(words, names[judged.seat], judged.play)}"
        yield _INDENT + tell_judged(words, judged)
        if judged.best != judged.play:
            yield _INDENT + tell_better(words, judged.best, judged.best_points)
        reason = tell_reason(words, view, judged)
        if reason:
            said = words.say("Why, said to {name}:", name=names[judged.seat])
            yield f"{_INDENT}{said} {reason}"


def _deal_end(words: Words, names: Sequence[str], deal: DealReview) -> Iterator[str]:
    sides = side_names(words, names)
    yield words.say("Points of this deal: {sides}", sides=by_side(sides, deal.points))
    lost = [decimal(words, -skill) for skill in deal.skill]
    yield words.say("Points lost by plays: {sides}", sides=by_side(sides, lost))
    yield tell_source(
        words,
        sides[0],
        start=deal.start,
        cards=sum(deal.luck_of_cards),
        unknown=deal.luck_of_unknown,
        skill=deal.skill,
        result=deal.result,
    )


def _summary(
    words: Words, names: Sequence[str], match: Match, review: MatchReview
) -> Iterator[str]:
    sides = side_names(words, names)
    if review.is_cut:
        yield tell_cut(words)
    if match.resigned is not None:
        yield words.say("{name} has resigned.", name=names[match.resigned])
    yield result_line(words, sides, match)
    for name, side in zip(sides, review.sides):
        yield ""
        yield tell_accuracy(
            words, name, accuracy=side.accuracy, loss=side.loss, decisions=side.decisions
        )
        yield _INDENT + tell_marks(words, dict(zip(MARKS, side.marks)))
        for moment in side.best_moments:
            yield _INDENT + words.say(
                "Well played: deal {deal}, play {number}: {play}",
                **_moment(words, names, review, moment),
            )
        for moment in side.worst_moments:
            yield _INDENT + words.say(
                "Costly: deal {deal}, play {number}: {play}",
                **_moment(words, names, review, moment),
            )
    yield ""
    yield tell_source(
        words,
        sides[0],
        start=review.start,
        cards=review.luck_of_cards,
        unknown=review.luck_of_unknown,
        skill=review.skill,
        result=review.result,
    )
    yield tell_chances(words, sides[0], review.milestones)


def _moment(
    words: Words, names: Sequence[str], review: MatchReview, moment: Moment
) -> dict[str, object]:
    judged = review.play_at(moment)
    return {
        "deal": moment.deal + 1,
        "number": moment.play + 1,
        "play": tell_play(words, names[judged.seat], judged.play),
    }


class ReviewProgress:
    """Says on a stream how many plays have been judged: a line drawn anew, or a few lines."""

    def __init__(self, words: Words, stream: TextIO) -> None:
        self._words = words
        self._stream = stream
        self._drawn = 0
        self._is_terminal = stream.isatty()

    def show(self, done: int, total: int) -> None:
        """Show that so many of all plays have been judged."""
        line = self._words.say("{done} of {total} plays judged", done=done, total=total)
        if self._is_terminal:
            print(line.ljust(self._drawn), end="\r", file=self._stream, flush=True)
            self._drawn = len(line)
        elif done * _STEPS // total > (done - 1) * _STEPS // total:
            print(line, file=self._stream, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._drawn:
            print(" " * self._drawn, end="\r", file=self._stream, flush=True)
            self._drawn = 0
