"""The pictures of the study, drawn from its tables; the same tables give the same files."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from diloti.lab.study.estimates import Estimate, Table

_BLUE, _RED, _PALE = "#1f6f8b", "#c0603a", "#99b9c4"
_FEWEST = 5
"""Shares of fewer cases are not drawn."""
_COLOURS = (_BLUE, _RED, "#6a8f3c", "#8a5a9e", "#444444")


def draw_pictures(tables: dict[str, Table], folder: Path) -> None:
    """Draw all pictures into a folder, as SVG files."""
    with matplotlib.rc_context({"svg.hashsalt": "diloti", "font.size": 10}):
        for name, (size, draw) in _PICTURES.items():
            figure = Figure(figsize=size, layout="constrained")
            draw(figure, tables)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})


def _draw_dots(axes: Axes, table: Table, heading: str) -> None:
    """A dot and its interval for each row of a column, from the top down, where they are known."""
    column = [column.heading for column in table.columns].index(heading)
    known = [
        (place, cell)
        for place, row in enumerate(table.rows)
        if isinstance(cell := row[column], Estimate) and math.isfinite(cell.half_width)
    ]
    places = [place for place, _cell in known]
    axes.axvline(0, color="#777777", linewidth=1)
    lows, highs = [cell.low for _place, cell in known], [cell.high for _place, cell in known]
    axes.hlines(places, lows, highs, color=_BLUE, linewidth=1.6)
    axes.plot([cell.value for _place, cell in known], places, "o", color=_BLUE, markersize=4)
    axes.set_yticks(range(len(table.rows)), [str(row[0]) for row in table.rows])
    axes.set_ylim(len(table.rows) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.25)


def _first_side(figure: Figure, tables: dict[str, Table]) -> None:
    axes = figure.subplots()
    _draw_dots(axes, tables["first_side"], "points that the first side is ahead")
    axes.set_title("Points a deal that the side playing first is ahead, equal players")


def _points(figure: Figure, tables: dict[str, Table]) -> None:
    axes = figure.subplots()
    rows = [(row[0], row[1]) for row in tables["distribution"].rows]
    points = [amount for amount, _count in rows if isinstance(amount, int)]
    counts = [count for _amount, count in rows if isinstance(count, int)]
    total = sum(counts)
    axes.bar(points, [100 * count / total for count in counts], color=_PALE, edgecolor=_BLUE)
    axes.set_title("Points of a side in a deal")
    axes.set_xlabel("points")
    axes.set_ylabel("% of the sides")
    axes.grid(axis="y", alpha=0.25)


def _cards(figure: Figure, tables: dict[str, Table]) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, heading, title in (
        (left, "lead for capturing it", "captured"),
        (right, "lead for being dealt it", "dealt"),
    ):
        _draw_dots(axes, tables["cards"], heading)
        axes.set_title(title)
        axes.set_xlabel("points ahead")


def _switches(figure: Figure, tables: dict[str, Table]) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, heading in ((left, "points a side"), (right, "xeri")):
        _draw_dots(axes, tables["switches"], heading)
        axes.set_title(f"{heading}, against classic as it is")


def _lone(figure: Figure, tables: dict[str, Table]) -> None:
    axes = figure.subplots()
    table = tables["lone"]
    seen = range(len(table.columns) - 2)
    for place, (row, colour) in enumerate(zip(table.rows, _COLOURS)):
        shift = (place - len(table.rows) / 2) * 0.06
        cells = [
            (number + shift, cell)
            for number, cell in zip(seen, row[2:])
            if isinstance(cell, Estimate) and cell.count >= _FEWEST
        ]
        _draw_shares(axes, cells, str(row[0]), colour)
    axes.set_xticks(seen, ["none", *map(str, seen[1:])])
    axes.set_xlabel("others of its rank that the player has seen")
    axes.set_ylabel("% taken at once, for a xeri")
    axes.set_title("A lone card left on the table")
    axes.grid(axis="y", alpha=0.25)
    axes.legend()


def _draw_shares(
    axes: Axes, cells: Sequence[tuple[float, Estimate]], name: str, colour: str
) -> None:
    """Shares from left to right with their intervals."""
    places = [place for place, _share in cells]
    lows, highs, values = (
        [100 * getattr(share, end) for _place, share in cells] for end in ("low", "high", "value")
    )
    axes.vlines(places, lows, highs, color=colour, alpha=0.5)
    axes.plot(places, values, "o-", color=colour, label=name, markersize=4)


_PICTURES: dict[str, tuple[tuple[float, float], Callable[[Figure, dict[str, Table]], None]]] = {
    "first_side": ((8, 3), _first_side),
    "points": ((8, 3.5), _points),
    "cards": ((9, 4.5), _cards),
    "switches": ((9, 5.5), _switches),
    "lone": ((8, 4), _lone),
}
"""Every picture by the name of its file: size in inches, and what draws it."""
