"""The chances through a match as a picture, its mistakes and blunders marked."""

from __future__ import annotations

from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from diloti import __version__
from diloti.lab.report import format_rules
from diloti.teacher.marks import BLUNDER, MISTAKE
from diloti.teacher.review import MatchReview
from diloti.words import Words
from diloti.words.review import MARK_NAMES

_LINE, _GRID = "#1f6f8b", "#999999"
_COLOURS = "#1f6f8b", "#c0603a"
_SHAPES = {MISTAKE: "o", BLUNDER: "s"}


def draw_review(words: Words, review: MatchReview, sides: tuple[str, str], file: Path) -> None:
    """Draw a review into a PNG or SVG file, by the file's ending; the same for the same review."""
    with matplotlib.rc_context({"svg.hashsalt": "diloti", "font.size": 10}):
        figure = Figure(figsize=(9, 4.5), dpi=120, layout="constrained")
        _draw_chances(words, review, sides, figure.subplots())
        figure.supxlabel(
            f"{format_rules(review.rules)} · {review.rules.fingerprint} · "
            + words.say("seed {seed}", seed=review.seed)
            + f" · diloti {__version__}",
            fontsize=8,
            color="#555555",
        )
        figure.savefig(file, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)


def _draw_chances(words: Words, review: MatchReview, sides: tuple[str, str], axes: Axes) -> None:
    chances = [100 * chance for chance in review.chances]
    axes.axhline(50, color=_GRID, linewidth=1)
    axes.plot(range(len(chances)), chances, color=_LINE, linewidth=1.6)
    plays, middles = 0, []
    for deal in review.deals:
        middles.append(plays + len(deal.plays) / 2)
        plays += len(deal.plays)
        axes.axvline(plays, color=_GRID, linewidth=0.6)
    for mark, shape in _SHAPES.items():
        for side in range(2):
            slips = [
                place
                for place, judged in review.slips
                if (judged.mark, judged.side) == (mark, side)
            ]
            if slips:
                label = words.say(
                    "{name}: {side}", name=words.say(MARK_NAMES[mark]), side=_plain(sides[side])
                )
                axes.scatter(
                    slips,
                    [chances[place] for place in slips],
                    color=_COLOURS[side],
                    marker=shape,
                    s=36,
                    zorder=3,
                    label=label,
                )
    axes.set_ylim(0, 100)
    axes.set_xlim(0, max(1, len(chances) - 1))
    axes.set_xticks(middles, [str(number) for number in range(1, len(middles) + 1)])
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel(words.say("deal"))
    axes.set_ylabel("%")
    axes.set_title(words.say("Chance of {side} to win the match", side=_plain(sides[0])))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best")


def _plain(name: str) -> str:
    """A name in which no sign begins a formula."""
    return name.replace("$", r"\$")
