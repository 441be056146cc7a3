"""Charts: their scales, and drawings that are whole without a style of their own."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from diloti.web.charts import HEIGHT, WIDTH, Bar, bar_chart, line_chart, scale_for

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0, 3], [0, 1, 2, 3]),
        ([-8, 5], [-10, -5, 0, 5]),
        ([0, 0], [0, 1]),
        ([-1.5, -0.2], [-2, -1, 0]),
        ([0, 100], [0, 50, 100]),
        ([-20, 18], [-20, -10, 0, 10, 20]),
    ],
)
def test_ticks_are_round(values: list[float], ticks: list[float]) -> None:
    assert scale_for(values).ticks == ticks


def test_ticks_are_not_closer_than_wanted() -> None:
    assert scale_for([71.0, 74.0], least=5).ticks == [70, 75]
    assert scale_for([70.0, 70.0], least=5).ticks == [70, 75]


@pytest.mark.parametrize("seed", range(20))
def test_a_scale_holds_all_its_values(seed: int) -> None:
    rng = random.Random(seed)
    values = [rng.uniform(-1, 1) * 10 ** rng.randint(0, 4) for _ in range(rng.randint(1, 9))]
    scale = scale_for(values)
    assert scale.low <= min(values) <= max(values) <= scale.high
    assert 2 <= len(scale.ticks) <= 7
    assert scale.ticks[-1] == pytest.approx(scale.high)


def read(drawing: str) -> ElementTree.Element:
    return ElementTree.fromstring(str(drawing).replace("<svg", f'<svg xmlns="{SVG[1:-1]}"', 1))


def test_a_line_chart_has_its_values_in_its_frame() -> None:
    values = [-8.0, 3.0, 5.0]
    drawing = read(
        line_chart(
            "leads",
            "Lead <b>",
            "Down & up",
            dots=values,
            line=[-8.0, -2.5, 0.0],
            scale=scale_for(values),
            tell=lambda tick: f"{tick:+.0f}",
            ends=("<1>", "3"),
        )
    )
    named = {one.get("id"): one.text for one in drawing}
    assert named[drawing.get("aria-labelledby")] == "Lead <b>"
    assert named[drawing.get("aria-describedby")] == "Down & up"
    line = drawing.find(f"{SVG}polyline")
    assert line is not None
    corners = [tuple(map(float, corner.split(","))) for corner in line.attrib["points"].split()]
    assert len(corners) == 3
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in corners)
    assert [x for x, _y in corners] == sorted(x for x, _y in corners)
    assert [y for _x, y in corners] == sorted((y for _x, y in corners), reverse=True)
    dots = drawing.find(f"{SVG}path[@class='dots']")
    assert dots is not None
    assert dots.attrib["d"].count("h0") == 3
    texts = [one.text for one in drawing.iter(f"{SVG}text")]
    assert texts == ["-10", "-5", "+0", "+5", "<1>", "3"]
    assert not any("style" in one.attrib for one in drawing.iter())


def test_bars_are_as_long_as_their_shares() -> None:
    bars = [Bar("A & B", 0.5, "50%"), Bar("C", 0.0, "0%"), Bar("D", 1.0, "100%")]
    drawing = read(bar_chart("won", "Won", "Bars", bars))
    drawn = drawing.findall(f"{SVG}rect[@class='bar']")
    assert [float(one.attrib["width"]) for one in drawn] == [WIDTH / 2, WIDTH]
    assert len(drawing.findall(f"{SVG}rect[@class='rail']")) == 3
    texts = [one.text for one in drawing.iter(f"{SVG}text")]
    assert texts == ["A & B", "50%", "C", "0%", "D", "100%"]
