"""The document of the study: a template filled from the figures, and from nothing else.

In the template `{{table NAME}}` on a line of its own stands for a table, `{{NAME / ROW / COLUMN}}`
for one of its figures: the row that begins with ROW (PLAYER is the one that plays most games), the
column of that heading.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from diloti.lab.study.estimates import Cell, Estimate, Table, table_as_json, table_from_json

DOCUMENT, FIGURES = "study.md", Path("study", "figures.json")
"""Where a folder has the document and the figures that it is written from."""

UNKNOWN_SIGN = "–"

_PLACE = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_TABLE = re.compile(r"table (\w+)")

Tables = Mapping[str, Table]


def write_figures(tables: Tables) -> str:
    """The figures as JSON, a line for each row of a table."""
    parts = []
    for name, table in tables.items():
        written = table_as_json(table)
        columns = json.dumps(written["columns"], ensure_ascii=False)
        rows = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in written["rows"])
        parts.append(f'"{name}": {{"columns": {columns}, "rows": [\n{rows}\n]}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_figures(text: str) -> dict[str, Table]:
    """The tables that `write_figures` has written."""
    written: dict[str, Any] = json.loads(text)
    return {name: table_from_json(table) for name, table in written.items()}


def write_document(tables: Tables) -> str:
    """The document that these figures make."""
    template = files("diloti.lab.study").joinpath("template.md").read_text(encoding="utf-8")
    return _PLACE.sub(lambda place: _fill(tables, place[1]), template)


def _fill(tables: Tables, place: str) -> str:
    whole = _TABLE.fullmatch(place)
    if whole:
        return "\n".join(_table_lines(tables[whole[1]]))
    name, start, heading = " ".join(place.split()).split(" / ", 2)
    table = tables[name]
    if start == "PLAYER":
        start = str(tables["study"].rows[0][-1])
    column = [column.heading for column in table.columns].index(heading)
    [cell] = [row[column] for row in table.rows if row[0] == start]
    return format_cell(cell, table.columns[column].form)


def _table_lines(table: Table) -> list[str]:
    forms = [column.form for column in table.columns]
    rows = [
        [column.heading for column in table.columns],
        ["---" if form == "text" else "---:" for form in forms],
        *([format_cell(cell, form) for cell, form in zip(row, forms)] for row in table.rows),
    ]
    return [f"| {' | '.join(row)} |" for row in rows]


def format_cell(cell: Cell, form: str) -> str:
    """A cell of a column of some form; an estimate with its interval."""
    if not isinstance(cell, Estimate):
        return f"{cell:,}" if isinstance(cell, int) else str(cell)
    if not math.isfinite(cell.value):
        return UNKNOWN_SIGN
    return {
        "number": _number,
        "signed": _signed,
        "share": _share,
        "signed share": _signed_share,
        "whole": _whole,
    }[form](cell)


def _number(estimate: Estimate) -> str:
    return f"{estimate.value:.2f} ± {_finite(estimate.half_width, '.2f')}"


def _signed(estimate: Estimate) -> str:
    return _with_minus(f"{estimate.value:+.2f} ± {_finite(estimate.half_width, '.2f')}")


def _share(estimate: Estimate) -> str:
    value, low, high = (100 * end for end in (estimate.value, estimate.low, estimate.high))
    return f"{value:.1f} % ({low:.1f} – {high:.1f})"


def _signed_share(estimate: Estimate) -> str:
    half = _finite(100 * estimate.half_width, ".1f")
    return _with_minus(f"{100 * estimate.value:+.1f} ± {half} %")


def _whole(estimate: Estimate) -> str:
    """How many are enough: rounded up."""
    value, low, high = (
        f"{math.ceil(number):,}" if math.isfinite(number) else "∞"
        for number in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low} – {high})"


def _finite(number: float, form: str) -> str:
    return format(number, form) if math.isfinite(number) else "∞"


def _with_minus(text: str) -> str:
    return text.replace("-", "−")
