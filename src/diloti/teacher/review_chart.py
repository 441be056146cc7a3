"""The chances through a match as a drawing for a page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from diloti.teacher.marks import BLUNDER
from diloti.teacher.review import MatchReview
from diloti.words import Words
from diloti.words.numbers import percent

WIDE, SMALL = (720, 240), (480, 210)
"""Width and height in units of the drawing: for a page of its own, and for one on a phone, too."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 10, 10, 26
_LETTER = 9
"""Room for a letter: deals are named in full where all letters have it, else by number alone."""


def chart(
    words: Words, review: MatchReview, sides: tuple[str, str], size: tuple[int, int] = WIDE
) -> str:
    """An SVG drawing of the chance of side 0 after each play, its mistakes and blunders marked.

    It has no colours of its own: `chart`, `grid`, `line`, `slip` and `side-…` are its classes.
    """
    return "".join(_parts(words, review, sides, *size))


def _parts(
    words: Words, review: MatchReview, sides: tuple[str, str], width: int, height: int
) -> Iterator[str]:
    chances = review.chances
    last = len(chances) - 1

    def across_at(plays: int) -> float:
        return _LEFT + (width - _LEFT - _RIGHT) * plays / last

    def x(plays: int) -> str:
        return f"{across_at(plays):.1f}"

    def y(chance: float) -> str:
        return f"{_TOP + (height - _TOP - _BOTTOM) * (1 - chance):.1f}"

    told = words.say(
        "The chance of {side} to win: {start} before the first play, {end} at the end.",
        side=sides[0],
        start=percent(words, chances[0]),
        end=percent(words, chances[-1]),
    )
    label = f'role="img" aria-label="{escape(told)}"'
    yield f'<svg class="chart" viewBox="0 0 {width} {height}" {label}>'
    for chance in (0.0, 0.5, 1.0):
        yield f'<path class="grid" d="M{_LEFT} {y(chance)}H{width - _RIGHT}"/>'
        label = percent(words, chance)
        yield f'<text x="{_LEFT - 6}" y="{y(chance)}" dy=".35em" text-anchor="end">{label}</text>'
    plays = 0
    for number, deal in enumerate(review.deals, start=1):
        middle = x(plays + len(deal.plays) // 2)
        name = words.say("Deal {number}", number=number)
        room = across_at(plays + len(deal.plays)) - across_at(plays)
        shown = escape(name) if len(name) * _LETTER <= room else number
        yield f'<text x="{middle}" y="{height - 8}" text-anchor="middle">{shown}</text>'
        plays += len(deal.plays)
        yield f'<path class="grid" d="M{x(plays)} {_TOP}V{height - _BOTTOM}"/>'
    points = " ".join(f"{x(place)},{y(chance)}" for place, chance in enumerate(chances))
    yield f'<polyline class="line" points="{points}"/>'
    for place, judged in review.slips:
        kind = f"slip side-{judged.side}"
        across, down = x(place), y(chances[place])
        if judged.mark == BLUNDER:
            corner = f'x="{float(across) - 5:.1f}" y="{float(down) - 5:.1f}"'
            yield f'<rect class="{kind}" {corner} width="10" height="10"/>'
        else:
            yield f'<circle class="{kind}" cx="{across}" cy="{down}" r="4"/>'
    yield "</svg>"
