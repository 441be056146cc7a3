"""What the page of somebody's figures shows, and the same as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from diloti.core.errors import N_
from diloti.core.record import format_rules
from diloti.stats import CONFIDENCE
from diloti.teacher.figures import (
    MIXED,
    MOVING,
    PEOPLE,
    Figures,
    PlayedMatch,
    Point,
    Tally,
    course_of,
)
from diloti.web.charts import Bar, Scale, bar_chart, line_chart, scale_for
from diloti.words import Words
from diloti.words.dates import tell_day
from diloti.words.levels import LEVEL_NAMES, LEVEL_TITLES, everybodys_names
from diloti.words.numbers import decimal, percent
from diloti.words.printable import cell_text
from diloti.words.telling import LETTERS, rule_set_title

_OPPONENTS: Mapping[str, str] = {
    **LEVEL_TITLES,
    MIXED: N_("Bots of different levels"),
    PEOPLE: N_("People"),
}
_FEWEST_DOTS = 3


def tell_figures(words: Words, figures: Figures) -> dict[str, Any]:
    """The figures for their page: sentences, tables and drawings."""
    total = figures.total
    return {
        "total": total,
        "won": percent(words, total.won / total.matches),
        "longest_run": figures.longest_run,
        "even": percent(words, figures.even_deals / total.deals) if total.deals else "–",
        "opponents": [
            _row(words, _opponent(words, name), tally)
            for name, tally in figures.by_opponent.items()
        ],
        "rules": [
            _row(words, rule_set_title(words, base, is_changed=is_changed), tally)
            for (base, is_changed), tally in figures.by_rules.items()
        ],
        "all": _row(words, words.say("All together"), total),
        "won_chart": _won_chart(words, figures),
        "deals": _deals(words, figures) if total.deals else None,
        "accuracy": _accuracy(words, figures) if figures.accuracies else None,
    }


def _opponent(words: Words, name: str) -> str:
    return words.say(_OPPONENTS[name]) if name in _OPPONENTS else name


def _row(words: Words, title: str, tally: Tally) -> dict[str, Any]:
    """A line of a table of results."""
    lead = tally.average_lead
    return {
        "title": title,
        "won": tally.won,
        "lost": tally.lost,
        "deals": tally.deals,
        "lead": "–" if lead is None else decimal(words, lead, signed=True),
    }


def _won_chart(words: Words, figures: Figures) -> Markup:
    bars = [
        Bar(_opponent(words, name), share, f"{tally.won}/{tally.matches} · {percent(words, share)}")
        for name, tally in figures.by_opponent.items()
        for share in [tally.won / tally.matches]
    ]
    told = words.say("A bar for each kind of opponent; a line marks the half.")
    return bar_chart("won", words.say("Matches won"), told, bars)


def _deals(words: Words, figures: Figures) -> dict[str, Any]:
    """What the deals brought, and how that went."""
    deals = figures.total.deals
    average = partial(decimal, words)
    points = course_of(figures.leads)
    mean = figures.total.lead / deals
    half = figures.half_width
    return {
        "averages": [
            (words.say(title), *(average(number / deals, digits=2) for number in pair))
            for title, pair in ((N_("Points"), figures.points), (N_("Xeri"), figures.xeri))
        ],
        "lead": average(mean, signed=True, digits=2),
        "confidence": percent(words, CONFIDENCE),
        "interval": None
        if half is None
        else tuple(average(end, signed=True, digits=2) for end in (mean - half, mean + half)),
        "course": _course(words, points, signed=True),
        "each": points[0].last,
        "moving": MOVING,
        "chart": _course_chart(
            words,
            "leads",
            words.say("Lead a deal"),
            points,
            scale=scale_for([0, *_all(points)]),
            ends=(
                words.say("Deal {number}", number=1),
                words.say("Deal {number}", number=deals),
            ),
            signed=True,
        ),
    }


def _accuracy(words: Words, figures: Figures) -> dict[str, Any]:
    """How exactly the reviewed matches were played, and how that went."""
    accuracies = [accuracy for _day, accuracy in figures.accuracies]
    days = [tell_day(words, day) for day, _accuracy in figures.accuracies]
    points = course_of(accuracies)
    scale = scale_for(_all(points), least=5)
    return {
        "count": len(accuracies),
        "average": decimal(words, sum(accuracies) / len(accuracies)),
        "course": _course(words, points),
        "days": [days[point.first - 1] for point in points],
        "each": points[0].last,
        "moving": MOVING,
        "chart": _course_chart(
            words,
            "accuracy",
            words.say("Accuracy"),
            points,
            scale=scale,
            ends=(days[0], days[-1]),
        ),
    }


def _all(points: Sequence[Point]) -> list[float]:
    return [point.mean for point in points]


def _course(
    words: Words, points: Sequence[Point], *, signed: bool = False
) -> list[tuple[str, str, str]]:
    """The points of a chart as the lines of a table."""
    return [
        (
            f"{point.first}" if point.first == point.last else f"{point.first}–{point.last}",
            decimal(words, point.mean, signed=signed),
            decimal(words, point.moving, signed=signed),
        )
        for point in points
    ]


def _course_chart(
    words: Words,
    name: str,
    title: str,
    points: Sequence[Point],
    *,
    scale: Scale,
    ends: tuple[str, str],
    signed: bool = False,
) -> Markup | None:
    """How values went; None where there are too few of them for a picture."""
    if len(points) < _FEWEST_DOTS:
        return None
    told = words.say(
        "From {first} to {last}: {lowest} at the lowest, {highest} at the highest; the moving mean"
        " ends at {end}.",
        first=ends[0],
        last=ends[1],
        lowest=decimal(words, min(_all(points)), signed=signed),
        highest=decimal(words, max(_all(points)), signed=signed),
        end=decimal(words, points[-1].moving, signed=signed),
    )
    return line_chart(
        name,
        title,
        told,
        dots=_all(points),
        line=[point.moving for point in points],
        scale=scale,
        tell=lambda tick: decimal(words, tick, signed=signed, digits=0),
        ends=ends,
    )


# --- For spreadsheets -------------------------------------------------------------------


def figures_table(words: Words, matches: Sequence[PlayedMatch]) -> str:
    """A line a deal, values between commas, decimals with a point, headings in the language."""
    target = io.StringIO()
    table = csv.writer(target)
    table.writerow(
        [
            words.say(heading)
            for heading in (
                N_("Day"),
                N_("Match"),
                N_("Rules"),
                N_("Target"),
                N_("Opponents"),
                N_("Seat"),
                N_("Number of the deal"),
                N_("Cards"),
                N_("Cards of the other side"),
                N_("Points"),
                N_("Points of the other side"),
                N_("Xeri"),
                N_("Xeri of the other side"),
                N_("Accuracy in the match"),
            )
        ]
    )
    for match in matches:
        table.writerows(_lines(words, match))
    return target.getvalue()


def _lines(words: Words, match: PlayedMatch) -> Iterator[list[object]]:
    names = everybodys_names(words, match.names, [bool(level) for level in match.levels])
    others = " · ".join(
        _player(words, names[seat], match.levels[seat]) for seat in match.other_seats
    )
    seats = " · ".join(LETTERS[seat] for seat in match.seats)
    rules, accuracy = format_rules(match.rules), match.accuracy
    for number, deal in enumerate(match.deals, start=1):
        yield [
            match.day,
            cell_text(match.id),
            cell_text(rules),
            match.rules.target,
            cell_text(others),
            seats,
            number,
            *deal.cards,
            *deal.points,
            *deal.xeri,
            "" if accuracy is None else accuracy,
        ]


def _player(words: Words, name: str, level: str) -> str:
    if not level:
        return name
    bot = words.say(LEVEL_NAMES[level]) if level in LEVEL_NAMES else level
    return words.say("{name} ({level})", name=name, level=bot)
