"""A measured duel as a picture: how the mean settled down, and how the pairs came out."""

from __future__ import annotations

from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from diloti import __version__
from diloti.lab.report import CONFIDENCE_SIGN, Report, format_gain, format_rules, say_points
from diloti.words import Words

_A, _B, _PALE = "#1f6f8b", "#c0603a", "#99b9c4"
_MOST_POINTS = 1500
_MOST_BARS = 70


def draw_report(words: Words, report: Report, file: Path) -> None:
    """Draw a duel into a PNG or SVG file, by the file's ending; the same for the same results."""
    with matplotlib.rc_context({"svg.hashsalt": "diloti", "font.size": 10}):
        figure = Figure(figsize=(9, 8), dpi=120, layout="constrained")
        course, histogram = figure.subplots(2, 1)
        first, second = report.measurement.duel.players
        figure.suptitle(
            words.say(
                "{first} against {second}: {points}",
                first=first,
                second=second,
                points=say_points(words, report),
            ),
            fontsize=13,
        )
        _draw_course(words, report, course)
        _draw_histogram(words, report, histogram)
        figure.supxlabel(
            f"{format_rules(report.rules)} · {report.rules.fingerprint} · "
            + words.say("seed {seed}", seed=report.measurement.duel.seed)
            + f" · diloti {__version__}",
            fontsize=8,
            color="#555555",
        )
        figure.savefig(file, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)


def _draw_course(words: Words, report: Report, axes: Axes) -> None:
    say = words.say
    course = list(enumerate(report.measurement.course(), start=1))
    settled = course[len(course) // 20 :]
    shown = course[:: max(1, len(course) // _MOST_POINTS)]
    if shown[-1] != course[-1]:
        shown.append(course[-1])
    pairs = [pair for pair, _ in shown]
    means = [mean for _, (mean, _half) in shown]
    bounded = [(pair, mean, half) for pair, (mean, half) in shown if half < float("inf")]
    axes.axhline(0, color="#777777", linewidth=1)
    axes.fill_between(
        [pair for pair, _mean, _half in bounded],
        [mean - half for _pair, mean, half in bounded],
        [mean + half for _pair, mean, half in bounded],
        color=_PALE,
        alpha=0.6,
        linewidth=0,
        label=say("{confidence} interval", confidence=CONFIDENCE_SIGN),
    )
    axes.plot(pairs, means, color=_A, linewidth=1.8, label=say("mean"))
    reach = [
        edge
        for _pair, (mean, half) in settled
        if half < float("inf")
        for edge in (mean - half, mean + half)
    ] or means
    low, high = min(0.0, *reach), max(0.0, *reach)
    margin = (high - low) * 0.08 or 1.0
    axes.set_ylim(low - margin, high + margin)
    axes.set_xlim(1, max(2, len(course)))
    axes.set_title(say("Mean over the pairs so far"))
    axes.set_xlabel(say("pairs"))
    axes.set_ylabel(say("points a deal, A less B"))
    axes.grid(alpha=0.25)
    axes.legend(loc="best")


def _draw_histogram(words: Words, report: Report, axes: Axes) -> None:
    say = words.say
    differences = [result.difference for result in report.measurement.results]
    low, high = round(min(differences)), round(max(differences))
    step = 1 + (high - low) // _MOST_BARS
    edges = [edge - 0.5 for edge in range(low, high + 2 * step, step)]
    axes.hist(differences, bins=edges, color=_PALE, edgecolor="white", linewidth=0.6)
    axes.axvline(0, color="#777777", linewidth=1)
    mean = report.figures.mean
    axes.axvline(mean, color=_B, linewidth=1.8, label=say("mean {mean}", mean=format_gain(mean)))
    axes.set_title(say("Results of the pairs"))
    axes.set_xlabel(say("points a deal, A less B"))
    axes.set_ylabel(say("number of pairs"))
    axes.grid(axis="y", alpha=0.25)
    axes.legend(loc="best")
