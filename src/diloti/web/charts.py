"""Charts as drawings for pages: lines and bars, without a word or colour of their own.

The texts come in; `charts.css` has the colours. Every drawing has a title and a description.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, HEIGHT = 360, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 8, 8, 24
_BAR, _ROW = 14, 42
_MOST_TICKS = 5

Tell = Callable[[float], str]
"""A number as it is written beside an axis."""


@dataclass(frozen=True)
class Scale:
    """The numbers along an axis: from the lowest to the highest tick."""

    low: float
    high: float
    step: float

    @property
    def ticks(self) -> list[float]:
        """The numbers that are written, from below."""
        count = round((self.high - self.low) / self.step)
        return [self.low + self.step * place for place in range(count + 1)]


def scale_for(values: Sequence[float], *, least: float = 1.0) -> Scale:
    """A scale that holds all values, with round ticks that are `least` apart or farther."""
    low, high = min(values), max(values)
    rough = max((high - low) / (_MOST_TICKS - 1), least)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * size for size in (1, 2, 5, 10) if power * size >= rough * (1 - 1e-9))
    first = math.floor(low / step + 1e-9) * step
    last = max(math.ceil(high / step - 1e-9) * step, first + step)
    return Scale(first, last, step)


def line_chart(
    name: str,
    title: str,
    told: str,
    *,
    dots: Sequence[float],
    line: Sequence[float],
    scale: Scale,
    tell: Tell,
    ends: tuple[str, str],
) -> Markup:
    """Dots from left to right, a line over them, and what stands below their ends.

    `name` is unlike that of other drawings of the page, `told` what the drawing shows.
    """
    return _drawing(name, title, told, HEIGHT, _lines(dots, line, scale, tell, ends))


def _lines(
    dots: Sequence[float], line: Sequence[float], scale: Scale, tell: Tell, ends: tuple[str, str]
) -> Iterator[str]:
    def x(place: int) -> float:
        steps = max(len(dots) - 1, 1)
        inset = 5
        return _LEFT + inset + (WIDTH - _LEFT - _RIGHT - 2 * inset) * place / steps

    def y(value: float) -> float:
        share = (value - scale.low) / (scale.high - scale.low)
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - share)

    for tick in scale.ticks:
        kind = "grid zero" if tick == 0 else "grid"
        yield f'<path class="{kind}" d="M{_LEFT} {y(tick):.1f}H{WIDTH - _RIGHT}"/>'
        yield _text(_LEFT - 5, y(tick), tell(tick), anchor="end", is_middle=True)
    marks = "".join(f"M{x(place):.1f} {y(value):.1f}h0" for place, value in enumerate(dots))
    yield f'<path class="dots" d="{marks}"/>'
    if len(line) > 1:
        corners = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(line))
        yield f'<polyline class="line" points="{corners}"/>'
    yield _text(_LEFT, HEIGHT - 6, ends[0])
    if len(dots) > 1:
        yield _text(WIDTH - _RIGHT, HEIGHT - 6, ends[1], anchor="end")


@dataclass(frozen=True)
class Bar:
    """A share from 0 to 1, what it belongs to, and how it is written."""

    label: str
    share: float
    value: str


def bar_chart(name: str, title: str, told: str, bars: Sequence[Bar]) -> Markup:
    """Shares below each other, the half marked."""
    return _drawing(name, title, told, _ROW * len(bars), _bars(bars))


def _bars(bars: Sequence[Bar]) -> Iterator[str]:
    for place, bar in enumerate(bars):
        top = _ROW * place
        below = top + 19
        yield _text(0, top + 14, bar.label)
        yield _text(WIDTH, top + 14, bar.value, anchor="end")
        yield f'<rect class="rail" y="{below}" width="{WIDTH}" height="{_BAR}" rx="3"/>'
        if bar.share > 0:
            width = max(WIDTH * bar.share, 3)
            yield f'<rect class="bar" y="{below}" width="{width:.1f}" height="{_BAR}" rx="3"/>'
        yield f'<path class="half" d="M{WIDTH / 2:.0f} {below - 2}v{_BAR + 4}"/>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", is_middle: bool = False) -> str:
    shift = ' dy=".35em"' if is_middle else ""
    return f'<text x="{x:g}" y="{y:.1f}"{shift} text-anchor="{anchor}">{escape(text)}</text>'


def _drawing(name: str, title: str, told: str, height: int, parts: Iterator[str]) -> Markup:
    names = f'aria-labelledby="{name}-title" aria-describedby="{name}-told"'
    return Markup(
        f'<svg class="chart" role="img" viewBox="0 0 {WIDTH} {height}" {names}>'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-told">{escape(told)}</desc>{"".join(parts)}</svg>'
    )
