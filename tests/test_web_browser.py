"""The table in a real browser: by mouse, by keys, by two, and through a killed server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from tests.postgresql import POSTGRESQL
from tests.thinking import INTERPRETED
from tests.web_browser import (
    SHOWN,
    OpenPage,
    hand,
    in_turn,
    my_turn_or_sheet,
    play_something,
    table_for_two,
)
from tests.web_server import Server, needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]

PLAIN_PATHS = [
    "/",
    "/learn",
    "/learn/done",
    "/shuffle",
    "/daily",
    "/new",
    "/score",
    "/games",
    "/figures",
    "/figures/delete",
    "/figures/deleted",
    "/tables",
    "/upload",
    "/rules",
    "/rules/classic",
    "/take",
    "/api/",
    "/nowhere",
]
"""Pages that an address is enough for."""


def test_a_whole_deal_by_mouse(open_page: OpenPage) -> None:
    page = open_page()
    page.click("button.go")
    while my_turn_or_sheet(page):
        play_something(page)
    expect(page.locator("#sheet")).to_contain_text("Deal 1")
    page.click("#sheet button.go")
    page.wait_for_selector("#board[data-deal='2'][data-phase='playing']")


def test_house_rules_keep_to_the_rule_set_that_is_chosen(open_page: OpenPage) -> None:
    page = open_page()
    page.check("input[name='level'][value='expert']")
    page.get_by_role("button", name="House rules").click()
    expect(page.locator("input[name='with']:checked")).to_have_value("expert")
    usual = page.locator("select[name='switch_deal_packet'] option[value='']")
    expect(usual).to_have_text("as in the rules: 6")
    page.check("input[name='rules'][value='taverna']")
    expect(usual).to_have_text("as in the rules: 3")
    expect(page.locator(".practice")).to_be_visible()
    page.check("input[name='with'][value='here']")
    expect(page.locator(".practice")).to_be_hidden()


def test_printed_rules_fill_the_paper(open_page: OpenPage) -> None:
    page = open_page("/rules/classic")
    page.set_viewport_size({"width": 794, "height": 1123})
    page.emulate_media(media="print")
    for selector in (".minute p", ".rules dd"):
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] > 760, selector


def play_deal_by_keys(page: Page) -> None:
    """Play until a deal has been counted, and touch nothing but the keyboard."""
    while my_turn_or_sheet(page):
        number = page.get_attribute("#board", "data-number")
        for key in "123456":
            page.keyboard.press(key)
            page.wait_for_selector("#choices .offers button, #choices .refusal")
            if page.query_selector("#choices .offers button"):
                break
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.name") == "play":
                break
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#board:not([data-number='{number}'])")
        page.wait_for_selector("#board :focus")


def begin_by_keys(open_page: OpenPage) -> Page:
    page = open_page()
    page.focus("button.go")
    page.keyboard.press("Enter")
    return page


def go_on_by_keys(page: Page) -> None:
    page.wait_for_selector("#sheet :focus")
    page.focus("#sheet button.go")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board[data-phase='playing']")


def test_a_whole_deal_by_keys(open_page: OpenPage) -> None:
    page = begin_by_keys(open_page)
    play_deal_by_keys(page)
    go_on_by_keys(page)
    assert page.get_attribute("#board", "data-deal") == "2"


@pytest.mark.proof
def test_a_whole_match_by_keys(open_page: OpenPage) -> None:
    page = begin_by_keys(open_page)
    play_deal_by_keys(page)
    while page.query_selector("#board[data-phase='counting']"):
        go_on_by_keys(page)
        play_deal_by_keys(page)
    page.wait_for_selector("#board[data-phase='over']")
    go_on_by_keys(page)
    assert page.get_attribute("#board", "data-deal") == "1"


def test_two_play_each_other_live(open_page: OpenPage) -> None:
    pages = table_for_two(open_page)
    for _ in range(14):
        page = in_turn(pages)
        other = pages[1 - pages.index(page)]
        played = int(page.get_attribute("#board", "data-played") or 0)
        play_something(page)
        other.wait_for_selector(f"#board[data-played='{played + 1}'][data-my-turn]")
    expect(pages[0].locator(".score")).to_contain_text("Boris")


def test_reloading_and_a_killed_server_bring_the_same_cards(
    open_page: OpenPage, server: Server
) -> None:
    pages = table_for_two(open_page)
    for _ in range(3):
        page = in_turn(pages)
        play_something(page)
        pages[1 - pages.index(page)].wait_for_selector("#board[data-my-turn]")
    hands = [hand(page) for page in pages]
    server.kill()
    server.start()
    for page in pages:
        page.wait_for_selector("#offline", state="hidden")
    assert [hand(page) for page in pages] == hands
    for page in pages:
        page.reload()
    assert [hand(page) for page in pages] == hands
    page = in_turn(pages)
    play_something(page)
    pages[1 - pages.index(page)].wait_for_selector("#board[data-my-turn]")


def test_double_clicks_and_two_tabs_play_one_card(open_page: OpenPage) -> None:
    anna, boris = table_for_two(open_page)
    page = anna if anna.query_selector("#board[data-my-turn]") else boris
    tab = page.context.new_page()
    tab.goto(page.url)
    for one in (page, tab):
        one.click(".hand label >> nth=0")
        one.wait_for_selector("#choices .offers button")
    played = int(page.get_attribute("#board", "data-played") or 0)
    page.evaluate(
        "() => { const play = document.querySelector('#choices .offers button');"
        " play.click(); play.click(); }"
    )
    tab.evaluate("() => document.querySelector('#choices .offers button')?.click()")
    for one in (page, tab):
        one.wait_for_selector(f"#board[data-played='{played + 1}']")
        assert len(hand(one)) == 5


def test_what_is_selected_stays_so_when_somebody_speaks(open_page: OpenPage) -> None:
    pages = table_for_two(open_page)
    page = in_turn(pages)
    other = pages[1 - pages.index(page)]
    page.click(".hand label >> nth=0")
    page.wait_for_selector("#choices .offers, #choices .refusal")
    offered = page.locator("#choices button").all_inner_texts()
    number = page.get_attribute("#board", "data-number")
    other.click("details.talk summary")
    other.click("details.talk button >> nth=0")
    page.wait_for_selector(f"#board:not([data-number='{number}']) .remark")
    page.wait_for_selector("#choices .offers, #choices .refusal")
    assert page.is_checked(".hand input >> nth=0")
    assert page.locator("#choices button").all_inner_texts() == offered


def test_escape_closes_the_menu_first_and_then_clears_what_is_selected(open_page: OpenPage) -> None:
    page = in_turn(table_for_two(open_page))
    page.click(".hand label >> nth=0")
    page.click("#menu-button")
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator("#menu-button")).to_be_focused()
    expect(page.locator(".hand input:checked")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".hand input:checked")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PLAIN_PATHS)
def test_axe_finds_nothing(open_page: OpenPage, path: str, scheme: str) -> None:
    found = Axe().run(open_page(path, color_scheme=scheme))
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.proof)])
@pytest.mark.parametrize("show", SHOWN)
def test_axe_finds_nothing_at_a_table(
    open_page: OpenPage, show: Callable[..., Page], scheme: str
) -> None:
    found = Axe().run(show(open_page, color_scheme=scheme))
    assert found.violations_count == 0, found.generate_report()


def test_the_rules_on_paper_are_black_on_white_and_nothing_else(open_page: OpenPage) -> None:
    page = open_page("/rules/classic", color_scheme="dark")
    assert page.is_visible("nav.contents")
    page.emulate_media(media="print")
    for hidden in ("header.top", "nav.contents", "footer", "p.ways"):
        assert not page.is_visible(hidden)
    colours = "(one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
    assert page.eval_on_selector("body", colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    drawing = page.eval_on_selector(".drawing", colours)
    assert drawing == ["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"]


def test_a_rule_that_is_jumped_to_stands_out(open_page: OpenPage) -> None:
    page = open_page("/rules/classic#R8.1")
    outline = "(one) => getComputedStyle(one).outlineStyle"
    assert page.eval_on_selector("[id='R8.1']", outline) == "solid"
    assert page.eval_on_selector("[id='R8.2']", outline) == "none"
    page.click("#question-leave a.rule")
    assert page.url.endswith("#R8.3")
    assert page.eval_on_selector("[id='R8.3']", outline) == "solid"


@pytest.mark.parametrize("language", ["el-GR", "ru-RU", "pt-PT", "en-GB"])
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_wider_than_the_screen(open_page: OpenPage, width: int, language: str) -> None:
    page = open_page(viewport={"width": width, "height": 740}, locale=language)
    assert page.get_attribute("html", "lang") == language[:2]
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not page.evaluate(wide)
    page.click("label:has(input[value='4'])")
    page.click("button.go")
    page.wait_for_selector("#board[data-my-turn]")
    assert not page.evaluate(wide)
    small = page.evaluate(
        "[...document.querySelectorAll('button, .card input, .pile input, summary, .top a')]"
        ".filter((one) => one.offsetParent && !one.closest('.fan'))"
        ".map((one) => [one.outerHTML, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width < 44 || box.height < 44).map(([html]) => html)"
    )
    assert small == []


@pytest.mark.skipif(POSTGRESQL is None, reason="there is no PostgreSQL here")
def test_two_at_different_processes_play_each_other_live(browser: Browser, tmp_path: Path) -> None:
    assert POSTGRESQL is not None
    servers = [Server(POSTGRESQL, tmp_path / f"log {number}") for number in range(2)]
    for server in servers:
        server.start()
    contexts = [browser.new_context(base_url=server.address, locale="en") for server in servers]
    try:
        anna, boris = (context.new_page() for context in contexts)
        anna.goto("/new")
        anna.click("button.go")
        boris.goto("/join/" + anna.input_value("#invitation").rpartition("/")[2])
        boris.click("button.go")
        pages = (anna, boris)
        for page in pages:
            page.click("#first-cut button.go")
        for page in pages:
            page.wait_for_selector("#board[data-phase='playing']")
        for _ in range(6):
            page = in_turn(pages)
            other = pages[1 - pages.index(page)]
            play_something(page)
            other.wait_for_selector("#board[data-my-turn]")
    finally:
        for context in contexts:
            context.close()
        for server in servers:
            server.stop()
