"""A measured duel as a table for people, as JSON for programs, and as a line of the ledger."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from diloti import __version__
from diloti.core.errors import N_
from diloti.core.rules import Rules
from diloti.lab.measurement import Figures, Measurement
from diloti.stats import CONFIDENCE
from diloti.words import Words

LEDGER_COLUMNS = (
    "date",
    "version",
    "rules",
    "A",
    "B",
    "pairs",
    "points a deal, A less B",
    "A won",
    "seed",
    "stopping rule",
)
"""The columns of `ledger_row`."""

CONFIDENCE_SIGN = f"{CONFIDENCE:.0%}"
"""The confidence of every interval, as it is written."""


@dataclass(frozen=True)
class Report:
    """A duel that is over, with one pair at least, and what it took."""

    measurement: Measurement
    workers: int
    wall_seconds: float

    @cached_property
    def figures(self) -> Figures:
        """What was measured."""
        return self.measurement.figures()

    @property
    def rules(self) -> Rules:
        """The rules that were played by."""
        return self.measurement.duel.rules


def table_lines(words: Words, report: Report) -> list[str]:
    """The table, a line for each figure, all values below one another."""
    rows = list(_rows(words, report))
    width = max(len(label) for label, _value in rows)
    return [f"{label:{width}}  {value}" for label, value in rows]


def _rows(words: Words, report: Report) -> Iterator[tuple[str, str]]:
    say = words.say
    figures, duel = report.figures, report.measurement.duel
    for letter, player in zip("AB", duel.players):
        yield say("Player {letter}", letter=letter), str(player)
    yield say("Rules"), format_rules(report.rules)
    yield say("Fingerprint"), report.rules.fingerprint
    yield say("Version of Diloti"), __version__
    yield say("Pairs"), str(figures.pairs)
    yield say("Deals"), str(figures.deals)
    yield say("Points a deal, A less B"), say_points(words, report)
    yield say("Standard deviation of a pair"), f"{figures.deviation:.2f}"
    shares = (figures.won, figures.tied, figures.lost)
    yield (
        say("Deals won, tied, lost by A"),
        " – ".join(_percent(share / figures.deals) for share in shares),
    )
    if figures.matches:
        yield say("Matches"), str(figures.matches)
        yield say("Matches won by A"), say_matches(words, report.measurement, figures)
    yield say("Xeri a deal, A : B"), _both(figures.xeri, 3)
    milliseconds = figures.seconds[0] * 1000, figures.seconds[1] * 1000
    yield say("Milliseconds a play, A : B"), _both(milliseconds, 3)
    yield say("Seed"), str(duel.seed)
    yield say("Stopping rule"), say_stop(words, report.measurement)
    yield (
        say("Time"),
        say(
            "{seconds} s (worker processes: {workers})",
            seconds=round(report.wall_seconds, 1),
            workers=report.workers,
        ),
    )


def format_rules(rules: Rules) -> str:
    """The named rule set, and what is set otherwise as `--set` takes it."""
    changes = rules.changes(rules.base)
    return " ".join([rules.base, *(f"{name}={_typed(changes[name])}" for name in changes)])


def _typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def say_points(words: Words, report: Report) -> str:
    """The points a deal with their interval, and which kind of interval that is."""
    figures = report.figures
    details = {
        "mean": format_gain(figures.mean),
        "reach": format_reach(figures.half_width),
        "confidence": CONFIDENCE_SIGN,
    }
    if report.measurement.until_sure:
        return words.say("{mean} ± {reach} ({confidence} at every moment, mixture t)", **details)
    return words.say("{mean} ± {reach} ({confidence}, Student's t)", **details)


def format_gain(points: float) -> str:
    """Points of one player less those of the other."""
    return f"{points:+.2f}"


def format_reach(half_width: float) -> str:
    """Half the width of an interval."""
    return f"{half_width:.2f}" if math.isfinite(half_width) else "∞"


_SHARES = (
    N_("{share} ({confidence}, Wilson: {low} to {high})"),
    N_("{share} ({confidence} at every moment, mixture t: {low} to {high})"),
)


def say_matches(words: Words, measurement: Measurement, figures: Figures) -> str:
    """The share of matches won with its interval."""
    low, high = figures.matches_share
    return words.say(
        _SHARES[measurement.until_sure],
        share=_percent(figures.matches_won / figures.matches),
        confidence=CONFIDENCE_SIGN,
        low=_percent(low),
        high=_percent(high),
    )


def say_stop(words: Words, measurement: Measurement) -> str:
    """Why the duel ended when it did."""
    pair = len(measurement.results)
    if not measurement.is_complete:
        return words.say(
            "interrupted after pair {pair} of {most}", pair=pair, most=measurement.pairs
        )
    if not measurement.until_sure:
        return words.say("number of pairs fixed beforehand")
    if measurement.is_sure:
        return words.say(
            "until sure: since pair {pair} of at most {most}", pair=pair, most=measurement.pairs
        )
    return words.say(
        "until sure: still not sure after pair {most}, the last", most=measurement.pairs
    )


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _both(figures: tuple[float, float], digits: int) -> str:
    return f"{figures[0]:.{digits}f} : {figures[1]:.{digits}f}"


def ledger_row(report: Report, *, date: str) -> str:
    """The duel as a row of a Markdown table with `LEDGER_COLUMNS`; always in English."""
    words = Words("en")
    figures, duel = report.figures, report.measurement.duel
    if figures.matches:
        won = f"{say_matches(words, report.measurement, figures)} of {figures.matches} matches"
    else:
        won = f"{_percent(figures.won / figures.deals)} of {figures.deals} deals"
    cells = (
        date,
        __version__,
        f"{format_rules(report.rules)} ({report.rules.fingerprint})",
        str(duel.players[0]),
        str(duel.players[1]),
        str(figures.pairs),
        say_points(words, report),
        won,
        str(duel.seed),
        say_stop(words, report.measurement),
    )
    return f"| {' | '.join(cells)} |"


def format_json(report: Report) -> str:
    """The report as JSON, a line for each figure and for each pair."""
    lines = []
    for name, value in report_as_json(report).items():
        text = json.dumps(value, ensure_ascii=False)
        if name == "results" and isinstance(value, list):
            pairs = ",\n  ".join(json.dumps(pair) for pair in value)
            text = f"[\n  {pairs}\n]"
        lines.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rounded(figure: float) -> float | None:
    """A figure without the noise of its last digits; None where it is infinite."""
    return round(figure, 6) if math.isfinite(figure) else None


def report_as_json(report: Report) -> dict[str, object]:
    """Everything in the table, and the results of every pair, for `json.dumps`.

    All that depends on the machine and its clock is below `time`.
    """
    measurement, figures = report.measurement, report.figures
    duel, rules = measurement.duel, report.rules
    matches: dict[str, object] | None = None
    if figures.matches:
        low, high = figures.matches_share
        interval = "mixture t, at every moment" if measurement.until_sure else "Wilson"
        matches = {
            "played": figures.matches,
            "won": figures.matches_won,
            "share": {"low": _rounded(low), "high": _rounded(high), "interval": interval},
        }
    return {
        "diloti": __version__,
        "players": [str(player) for player in duel.players],
        "rules": {"base": rules.base, "switches": rules.changes(rules.base)},
        "fingerprint": rules.fingerprint,
        "seed": duel.seed,
        "pairs": figures.pairs,
        "deals": figures.deals,
        "points_a_deal": {
            "mean": _rounded(figures.mean),
            "half_width": _rounded(figures.half_width),
            "confidence": CONFIDENCE,
            "interval": "mixture t, at every moment" if measurement.until_sure else "Student's t",
            "deviation": _rounded(figures.deviation),
        },
        "deals_won_tied_lost": [figures.won, figures.tied, figures.lost],
        "matches": matches,
        "xeri_a_deal": [_rounded(xeri) for xeri in figures.xeri],
        "stopping": {
            "most_pairs": measurement.pairs,
            "until_sure": measurement.until_sure,
            "sure": measurement.is_sure,
            "complete": measurement.is_complete,
        },
        "results": [
            {
                "pair": result.number,
                "difference": _rounded(result.difference),
                "games": [
                    {
                        "points": [list(deal.points) for deal in game.deals],
                        "xeri": [list(deal.xeri) for deal in game.deals],
                        **({} if game.winner is None else {"winner": "AB"[game.winner]}),
                    }
                    for game in result.games
                ],
            }
            for result in measurement.results
        ],
        "time": {
            "milliseconds_a_play": [_rounded(seconds * 1000) for seconds in figures.seconds],
            "wall_seconds": _rounded(report.wall_seconds),
            "workers": report.workers,
        },
    }
