"""Estimates with their 95 % intervals, and the tables they stand in.

The unit of chance is the deal (or a pair of deals, or a match): the plays of one deal belong
together. So a share among plays is a ratio of sums over deals, and its interval comes from how the
deals differ (linearisation, as in W. G. Cochran, Sampling Techniques, 1977, chapter 6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from diloti.stats import student_quantile, wilson

Numbers = NDArray[np.float64]

_DIGITS = 6
"""Decimals that are kept, so that the noise of the last ones gets into no file."""


@dataclass(frozen=True)
class Estimate:
    """A figure, its interval, and how many deals (of a share: cases) it comes from.

    It is not a number where there are none; the interval of the mean of fewer than two is infinite.
    """

    value: float
    low: float
    high: float
    count: int

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def plus(self, amount: float) -> Estimate:
        """This figure with a known amount added."""
        return replace(
            self, value=self.value + amount, low=self.low + amount, high=self.high + amount
        )


UNKNOWN = Estimate(math.nan, -math.inf, math.inf, 0)
"""What is known of something that never happened."""

Cell = str | int | float | Estimate


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, and in what form its cells are written.

    Forms: text, count (without an interval), number, signed (with a sign), whole (rounded), share
    (of one, written in per cent) and signed share.
    """

    heading: str
    form: str = "text"


@dataclass(frozen=True)
class Table:
    """The answer to a question: columns and rows."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def mean_of(values: ArrayLike) -> Estimate:
    """The mean of independent values, with Student's interval."""
    numbers = np.asarray(values, dtype=np.float64)
    if not numbers.size:
        return UNKNOWN
    errors = (numbers - numbers.mean()) / numbers.size
    return _around(float(numbers.mean()), errors, numbers.size)


def deviation_of(values: ArrayLike) -> Estimate:
    """The standard deviation of independent values; its interval minds how heavy the tails are."""
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.size < 2:
        return UNKNOWN
    variance = mean_of((numbers - numbers.mean()) ** 2 * numbers.size / (numbers.size - 1))
    value, low, high = (
        math.sqrt(max(0.0, end)) for end in (variance.value, variance.low, variance.high)
    )
    return Estimate(value, low, high, numbers.size)


def ratio_of(parts: ArrayLike, wholes: ArrayLike) -> Estimate:
    """The sum of `parts` over that of `wholes`, both by deal."""
    part, whole = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)
    if not whole.sum():
        return UNKNOWN
    ratio, errors = _ratio_errors(part, whole)
    return _around(ratio, errors, _number_of(whole))


def share_of(hits: ArrayLike, cases: ArrayLike) -> Estimate:
    """The share of cases that are hits, both counted by deal.

    Wilson's interval, of as many independent cases as would be equally sure.
    """
    hit, case = np.asarray(hits, dtype=np.float64), np.asarray(cases, dtype=np.float64)
    total = float(case.sum())
    if not total:
        return UNKNOWN
    share, errors = _ratio_errors(hit, case)
    variance = _variance(errors, _number_of(case))
    worth = share * (1 - share) / variance if 0 < variance < math.inf else total
    low, high = wilson(share * worth, worth)
    return Estimate(share, low, high, round(total))


def share_difference(
    hits: ArrayLike, cases: ArrayLike, other_hits: ArrayLike, other_cases: ArrayLike
) -> Estimate:
    """A share less another one, of the same deals; all four counted by deal."""
    arrays = [np.asarray(a, dtype=np.float64) for a in (hits, cases, other_hits, other_cases)]
    if not arrays[1].sum() or not arrays[3].sum():
        return UNKNOWN
    (share, errors), (other, other_errors) = _ratio_errors(*arrays[:2]), _ratio_errors(*arrays[2:])
    fewest = min(_number_of(arrays[1]), _number_of(arrays[3]))
    return _around(share - other, errors - other_errors, fewest)


def coefficients_of(results: ArrayLike, causes: ArrayLike) -> list[Estimate]:
    """Least squares of results on causes (a column each), robust to uneven spread (HC1)."""
    result, cause = np.asarray(results, np.float64), np.asarray(causes, np.float64)
    count, number = cause.shape
    if count <= number or np.linalg.matrix_rank(cause) < number:
        return [UNKNOWN] * number
    inverse = np.linalg.inv(cause.T @ cause)
    values = inverse @ (cause.T @ result)
    scores = cause * (result - cause @ values)[:, None]
    spread = inverse @ (scores.T @ scores) @ inverse * count / (count - number)
    halves = student_quantile(count - number) * np.sqrt(np.diag(spread))
    return [
        Estimate(float(value), float(value - half), float(value + half), count)
        for value, half in zip(values, halves)
    ]


def _ratio_errors(part: Numbers, whole: Numbers) -> tuple[float, Numbers]:
    """A ratio of sums, and what each unit adds to its error."""
    ratio = float(part.sum() / whole.sum())
    return ratio, (part - ratio * whole) / whole.sum()


def _number_of(wholes: Numbers) -> int:
    """How many units tell anything."""
    return int(np.count_nonzero(wholes))


def _variance(errors: Numbers, units: int) -> float:
    return float((errors**2).sum()) * units / (units - 1) if units > 1 else math.inf


def _around(value: float, errors: Numbers, units: int) -> Estimate:
    if units < 2:
        return Estimate(value, -math.inf, math.inf, units)
    half = student_quantile(units - 1) * math.sqrt(_variance(errors, units))
    return Estimate(value, value - half, value + half, units)


def table_as_json(table: Table) -> dict[str, Any]:
    """A table for `json.dumps`, its figures without the noise of the last digits."""
    return {
        "columns": [vars(column) for column in table.columns],
        "rows": [[_cell_as_json(cell) for cell in row] for row in table.rows],
    }


def table_from_json(written: dict[str, Any]) -> Table:
    """The table that `table_as_json` has written."""
    return Table(
        tuple(Column(**column) for column in written["columns"]),
        tuple(tuple(_cell_from_json(cell) for cell in row) for row in written["rows"]),
    )


def _cell_as_json(cell: Cell) -> Any:
    if isinstance(cell, Estimate):
        return {name: _rounded(figure) for name, figure in vars(cell).items()}
    return _rounded(cell) if isinstance(cell, float) else cell


def _rounded(figure: float) -> float | None:
    return round(figure, _DIGITS) if math.isfinite(figure) else None


def _cell_from_json(cell: Any) -> Cell:
    if not isinstance(cell, dict):
        return math.nan if cell is None else cell
    unknown = {"value": math.nan, "low": -math.inf, "high": math.inf}
    known = {name: figure for name, figure in cell.items() if figure is not None}
    return Estimate(**(unknown | known))
