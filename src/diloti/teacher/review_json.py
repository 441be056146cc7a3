"""A review as JSON, both ways; reading is strict: what is not exactly a review is refused."""

from __future__ import annotations

import math
from typing import Any

from diloti.bots.choice import Candidate
from diloti.core.errors import N_, DilotiError, quote
from diloti.core.notation import format_play, parse_play
from diloti.core.plays import Play
from diloti.core.rules import LARGEST_SCORE, Rules
from diloti.core.wire import read_rules, write_rules
from diloti.teacher.judgement import LISTED, JudgedPlay
from diloti.teacher.marks import MARKS, mark_of
from diloti.teacher.review import DealReview, MatchReview, Moment, ReviewError, SideSummary

FORMAT = 1
"""Version of the form."""

Json = Any
_LARGEST = 1e9
_MOST_DEALS = 100_000
_CLOSE = 1e-9


def write_review(review: MatchReview) -> Json:
    """A review as JSON. What follows from the rest, as the sums and `chances`, is written, too."""
    return {
        "format": FORMAT,
        "rules": write_rules(review.rules),
        "seed": review.seed,
        "simulations": review.simulations,
        "winner": review.winner,
        "is_cut": review.is_cut,
        "deals": [_write_deal(deal) for deal in review.deals],
        "sides": [_write_side(side) for side in review.sides],
        "chances": list(review.chances),
    }


def _write_deal(deal: DealReview) -> Json:
    return {
        "dealer": deal.dealer,
        "scores": list(deal.scores),
        "points": list(deal.points),
        "start": deal.start,
        "luck_of_cards": [round(luck, 3) for luck in deal.luck_of_cards],
        "luck_of_unknown": round(deal.luck_of_unknown, 3),
        "skill": [round(skill, 3) for skill in deal.skill],
        "chance_after": deal.chance_after,
        "plays": [_write_play(play) for play in deal.plays],
    }


def _write_play(judged: JudgedPlay) -> Json:
    return {
        "seat": judged.seat,
        "play": format_play(judged.play),
        "best": format_play(judged.best),
        "points": judged.points,
        "best_points": judged.best_points,
        "loss": judged.loss,
        "error": judged.error,
        "is_exact": judged.is_exact,
        "mark": judged.mark,
        "win_chance": judged.win_chance,
        "chance_loss": judged.chance_loss,
        "candidates": [
            {"play": format_play(one.play), "points": one.points} for one in judged.candidates
        ],
    }


def _write_side(side: SideSummary) -> Json:
    return {
        "plays": side.plays,
        "decisions": side.decisions,
        "loss": side.loss,
        "average_loss": round(side.average_loss, 3),
        "accuracy": side.accuracy,
        "marks": dict(zip(MARKS, side.marks)),
        "best_moments": [_write_moment(moment) for moment in side.best_moments],
        "worst_moments": [_write_moment(moment) for moment in side.worst_moments],
    }


def _write_moment(moment: Moment) -> Json:
    return {"deal": moment.deal, "play": moment.play}


def read_review(written: Json) -> MatchReview:
    """The review in such JSON; `ReviewError` says what is wrong with it."""
    try:
        review = _read_match(_Part("", written))
        again = write_review(review)
    except ReviewError:
        raise
    except DilotiError as trouble:  # of the rules or a play
        raise ReviewError(N_("this is no review: {trouble}"), trouble=trouble) from trouble
    for field in written:
        if field not in again:
            raise ReviewError(N_("there is no field {field}"), field=quote(field))
        if written[field] != again[field]:
            raise ReviewError(N_("{field} does not fit the rest"), field=field)
    return review


class _Part:
    """An object of the JSON; every field that is wrong is refused by its name."""

    def __init__(self, name: str, written: Json) -> None:
        self._name = name
        if not isinstance(written, dict):
            raise ReviewError(N_("{field} must be a JSON object"), field=name or "review")
        self._written = written

    def _refuse(self, field: str) -> ReviewError:
        value = self._written.get(field)
        return ReviewError(
            N_("{field} cannot be {value}"),
            field=f"{self._name}{field}",
            value=quote(value if isinstance(value, str | int | float | None) else "…"),
        )

    def get(self, field: str) -> Json:
        """The value of a field."""
        if field not in self._written:
            raise ReviewError(N_("{field} is missing"), field=f"{self._name}{field}")
        return self._written[field]

    def whole(self, field: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.get(field)
        if type(value) is not int or not least <= value <= most:
            raise self._refuse(field)
        return value

    def number(self, field: str, least: float = -_LARGEST, most: float = _LARGEST) -> float:
        """A number within bounds."""
        value = self.get(field)
        if type(value) not in (int, float) or not least <= value <= most or math.isnan(value):
            raise self._refuse(field)
        return float(value)

    def flag(self, field: str) -> bool:
        """True or false."""
        value = self.get(field)
        if type(value) is not bool:
            raise self._refuse(field)
        return value

    def list_of(self, field: str, least: int, most: int) -> list[Json]:
        """A list of a size within bounds."""
        value = self.get(field)
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise self._refuse(field)
        return value

    def parts(self, field: str, least: int, most: int) -> list[_Part]:
        """A list of objects."""
        return [
            _Part(f"{self._name}{field}.{place}.", one)
            for place, one in enumerate(self.list_of(field, least, most))
        ]

    def pair(self, field: str, most: int) -> tuple[int, int]:
        """Two whole numbers from 0 on."""
        first, second = self.list_of(field, 2, 2)
        both = _Part(f"{self._name}{field}.", {"0": first, "1": second})
        return both.whole("0", 0, most), both.whole("1", 0, most)

    def play(self, field: str) -> Play:
        """A play in canonical notation."""
        value = self.get(field)
        play = parse_play(value)
        if format_play(play) != value:
            raise self._refuse(field)
        return play

    def of(self, field: str, allowed: tuple[Json, ...]) -> Json:
        """One of some values."""
        value = self.get(field)
        if not any(type(value) is type(one) and value == one for one in allowed):
            raise self._refuse(field)
        return value


def _read_match(part: _Part) -> MatchReview:
    part.whole("format", FORMAT, FORMAT)
    rules = read_rules(part.get("rules"))
    deals = [_read_deal(deal, rules) for deal in part.parts("deals", 1, _MOST_DEALS)]
    for field in ("sides", "chances"):
        part.get(field)
    return MatchReview(
        rules=rules,
        seed=part.whole("seed", 0, (1 << 64) - 1),
        simulations=part.whole("simulations", 1, int(_LARGEST)),
        deals=tuple(deals),
        winner=part.of("winner", (None, 0, 1)),
        is_cut=part.flag("is_cut"),
    )


def _read_deal(part: _Part, rules: Rules) -> DealReview:
    number = rules.plays_in_deal
    dealer = part.whole("dealer", 0, rules.players - 1)
    plays = [_read_play(play, rules) for play in part.parts("plays", number, number)]
    for place, play in enumerate(plays, start=1):
        if play.seat != (dealer + place) % rules.players:
            raise ReviewError(N_("{field} does not fit the rest"), field=f"plays.{place - 1}.seat")
    return DealReview(
        rules=rules,
        dealer=dealer,
        scores=part.pair("scores", LARGEST_SCORE),
        points=part.pair("points", LARGEST_SCORE),
        plays=tuple(plays),
    )


def _read_play(part: _Part, rules: Rules) -> JudgedPlay:
    judged = JudgedPlay(
        seat=part.whole("seat", 0, rules.players - 1),
        play=part.play("play"),
        best=part.play("best"),
        points=part.number("points"),
        best_points=part.number("best_points"),
        loss=part.number("loss", 0.0),
        error=part.number("error", 0.0),
        is_exact=part.flag("is_exact"),
        mark=part.of("mark", MARKS),
        candidates=tuple(
            Candidate(one.play("play"), one.number("points"))
            for one in part.parts("candidates", 1, LISTED)
        ),
        win_chance=part.number("win_chance", 0.0, 1.0),
        chance_loss=part.number("chance_loss", -1.0, 1.0),
    )
    _check_play(judged)
    return judged


def _check_play(judged: JudgedPlay) -> None:
    """Raise `ReviewError` where the fields of a play contradict each other."""
    fits = {
        "loss": abs(judged.best_points - judged.points - judged.loss) < _CLOSE
        and (judged.loss > 0) == (judged.best != judged.play),
        "error": not (judged.is_exact and judged.error),
        "mark": judged.mark == mark_of(judged.loss, judged.error, judged.chance_loss),
        "candidates": judged.candidates[0] == Candidate(judged.best, judged.best_points)
        and Candidate(judged.play, judged.points) in judged.candidates,
    }
    for field, does_fit in fits.items():
        if not does_fit:
            raise ReviewError(N_("{field} does not fit the rest"), field=field)
