"""The figures in a real browser: on paper, by keys, and without script."""

from __future__ import annotations

import pytest

from tests.thinking import INTERPRETED
from tests.web_browser import OpenPage, play_matches, show_figures
from tests.web_server import needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]


def test_figures_on_paper_are_dark_on_white_and_nothing_else(open_page: OpenPage) -> None:
    page = show_figures(open_page, color_scheme="dark")
    page.emulate_media(media="print")
    for hidden in ("header.top", "footer", "p.ways"):
        assert not page.is_visible(hidden)
    colours = "(one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
    assert page.eval_on_selector("body", colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert page.locator("svg.chart").count() == 3


def test_charts_have_colours_in_light_and_dark(open_page: OpenPage) -> None:
    strokes = set()
    for scheme in ("light", "dark"):
        page = show_figures(open_page, color_scheme=scheme)
        line = page.eval_on_selector(".chart .line", "(one) => getComputedStyle(one).stroke")
        bar = page.eval_on_selector(".chart .bar", "(one) => getComputedStyle(one).fill")
        assert line == bar != "rgb(0, 0, 0)"
        strokes.add(line)
    assert len(strokes) == 2


def test_a_chart_tells_its_numbers_by_name_and_in_a_table(open_page: OpenPage) -> None:
    page = show_figures(open_page)
    for name in ("Matches won", "Lead a deal", "Accuracy"):
        assert page.get_by_role("img", name=name, exact=True).count() == 1
    dots = page.get_attribute(".chart .dots >> nth=0", "d") or ""
    assert page.locator("#deals ~ details tbody tr").count() == dots.count("h0")


def test_deleting_by_keys_and_without_script(open_page: OpenPage) -> None:
    page = open_page("/figures", java_script_enabled=False)
    play_matches(page, 2)
    page.reload()
    assert page.is_visible(".tiles")
    page.focus("a.danger")
    page.keyboard.press("Enter")
    page.wait_for_url("**/figures/delete")
    page.focus("input[name=sure]")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/figures/deleted")
    page.goto("/figures")
    assert not page.is_visible(".tiles")
