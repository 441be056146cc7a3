"""A match seen again in a real browser: by keys, buttons, swipes, by itself, and without script."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from diloti.core.record_reader import parse_record
from diloti.words import Words
from diloti.words.replay import names_in_record, replay_steps
from tests.thinking import INTERPRETED
from tests.web_browser import (
    RECORDS,
    OpenPage,
    play_something,
    show_end_of_deal,
    show_match,
    show_refused_upload,
    show_replay,
    table_for_two,
    upload_record,
)
from tests.web_server import needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]

RECORD = parse_record((RECORDS / "classic_two.txt").read_bytes().decode())


def sentence(deal: int, play: int) -> str:
    """The words of a play of the record, in English."""
    words = Words("en")
    steps = replay_steps(words, names_in_record(words, RECORD), RECORD.match.deals[deal - 1])
    return steps[play].told[0]


def open_deal(open_page: OpenPage, deal: int = 2, play: int = 0, **details: object) -> Page:
    page = upload_record(open_page, "classic_two", **details)
    page.goto(f"{page.url}/{deal}/{play}" if play else f"{page.url}/{deal}")
    page.wait_for_selector("#run, #step")
    return page


def at(page: Page, deal: int, play: int) -> None:
    """Expect the page to be at a moment, and its address, its words and its links with it."""
    page.wait_for_selector(f"#step[data-play='{play}']")
    path = f"/{deal}/{play}" if play else f"/{deal}"
    page.wait_for_function("(path) => location.pathname.endsWith(path)", arg=path)
    assert page.input_value("#link") == page.url
    if play:
        expect(page.locator("#told")).to_contain_text(sentence(deal, play))
        expect(page.locator(".jump [aria-current]")).to_have_attribute("data-play", str(play))
    assert page.get_attribute("#try", "action") == urlsplit(page.url).path.rstrip("/") + (
        "/try" if play else "/0/try"
    )


def test_by_keys(open_page: OpenPage) -> None:
    page = open_deal(open_page)
    for play in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        at(page, 2, play)
        expect(page.locator("#live")).to_contain_text(sentence(2, play))
    page.keyboard.press("ArrowLeft")
    at(page, 2, 2)
    page.keyboard.press("End")
    at(page, 2, 48)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#try")).to_be_hidden()
    page.keyboard.press("Home")
    at(page, 2, 0)
    page.keyboard.press("ArrowLeft")
    at(page, 2, 0)
    page.keyboard.press("PageDown")
    page.wait_for_url("**/3")
    page.wait_for_load_state()
    page.keyboard.press("PageUp")
    page.wait_for_url("**/2")
    at(page, 2, 0)


@pytest.mark.parametrize("show", [show_match, show_replay, show_end_of_deal, show_refused_upload])
def test_nothing_makes_a_small_screen_scroll_sideways(
    open_page: OpenPage, show: Callable[..., Page]
) -> None:
    page = show(open_page, viewport={"width": 320, "height": 640}, locale="el")
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not page.evaluate(wide)


def test_many_steps_at_once_end_at_the_last(open_page: OpenPage) -> None:
    page = open_deal(open_page)
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    at(page, 2, 30)


def test_by_buttons_and_the_list(open_page: OpenPage) -> None:
    page = open_deal(open_page, 1, 5)
    page.click("#next")
    at(page, 1, 6)
    assert page.evaluate("document.activeElement.id") == "next"
    page.keyboard.press("Enter")
    at(page, 1, 7)
    page.click("#back")
    at(page, 1, 6)
    page.click("#last")
    at(page, 1, 48)
    assert page.get_attribute("#next", "aria-disabled") == "true"
    page.click("#first")
    at(page, 1, 0)
    page.click(".jump summary")
    page.click(".jump a >> nth=19")
    at(page, 1, 20)
    page.click(".captured-0 summary")
    page.click("#next")
    at(page, 1, 21)
    expect(page.locator(".captured-0 p")).to_be_visible()  # what was open stays open


SWIPE = """([from, to]) => {
    const table = document.querySelector("#step .drawing"), box = table.getBoundingClientRect();
    const touch = (x) =>
        new Touch({identifier: 1, target: table, clientX: x, clientY: box.top + 40});
    const fire = (kind, x, touches) => table.dispatchEvent(new TouchEvent(kind,
        {bubbles: true, touches, changedTouches: [touch(x)]}));
    fire("touchstart", from, [touch(from)]);
    fire("touchend", to, []);
}"""


def test_by_swipes(open_page: OpenPage) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = open_deal(open_page, 2, 3, **phone)
    page.evaluate(SWIPE, [300, 100])
    at(page, 2, 4)
    page.evaluate(SWIPE, [100, 300])
    at(page, 2, 3)
    page.evaluate(SWIPE, [200, 190])  # a tap
    page.tap("#next")
    at(page, 2, 4)


@pytest.mark.proof
def test_by_itself_and_paused(open_page: OpenPage) -> None:
    page = open_deal(open_page, 1, 44)
    page.click("#run")
    at(page, 1, 45)
    assert page.get_attribute("#run", "aria-pressed") == "true"
    expect(page.locator("#run")).to_have_text("Pause")
    at(page, 1, 46)
    page.click("#run")
    assert page.get_attribute("#run", "aria-pressed") == "false"
    page.click("#run")
    at(page, 1, 48)
    page.wait_for_selector("#run[aria-pressed='false']")


def test_without_script_links_lead_from_page_to_page(open_page: OpenPage) -> None:
    page = open_deal(open_page, 2, 3, java_script_enabled=False)
    page.click("#next")
    page.wait_for_url("**/2/4")
    assert sentence(2, 4) in page.inner_text("#told")
    assert page.input_value("#link") == page.url
    page.click("#first")
    page.wait_for_url("**/2")
    page.click(".jump summary")
    page.click(".jump a >> nth=11")
    page.wait_for_url("**/2/12")
    page.click("#deal-after")
    page.wait_for_url("**/3")
    page.click("#try summary")
    page.click("#try button")
    page.wait_for_url("**/table/*")
    page.wait_for_selector(".hand label")


def test_a_moment_is_shared_by_its_link(open_page: OpenPage) -> None:
    page = open_deal(open_page, 2, 13)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("ArrowRight")
    at(page, 2, 14)
    page.click("[data-copy]")
    expect(page.locator("[data-copy]")).to_have_text("✓")
    link = page.evaluate("navigator.clipboard.readText()")
    stranger = open_page(link)
    at(stranger, 2, 14)
    assert stranger.inner_text("#step .drawing") == page.inner_text("#step .drawing")


def test_a_language_is_changed_where_one_is(open_page: OpenPage) -> None:
    page = open_deal(open_page, 2, 3)
    page.keyboard.press("ArrowRight")
    at(page, 2, 4)
    page.click(".languages [value=el]")
    page.wait_for_selector("html[lang=el]")
    assert urlsplit(page.url).path.endswith("/2/4")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#step[data-play='5']")
    assert "Κίνηση 5" in page.inner_text(".told")


def test_somebody_plays_on_from_a_moment(open_page: OpenPage) -> None:
    page = open_deal(open_page, 2, 13)
    page.keyboard.press("ArrowRight")
    at(page, 2, 14)
    page.click("#try summary")
    page.select_option("#try select", "novice")
    page.click("#try button")
    page.wait_for_selector("#board[data-deal='2'][data-played='14'][data-my-turn]")
    play_something(page)
    page.wait_for_selector("#board[data-my-turn]")
    assert int(page.get_attribute("#board", "data-played") or 0) == 16


def test_from_the_last_play_to_the_page_of_the_match(open_page: OpenPage) -> None:
    pages = table_for_two(open_page)
    play_something(next(page for page in pages if page.query_selector("#board[data-my-turn]")))
    page = pages[1]
    page.click("#menu-button")
    page.click("#menu details:has(form[action$=resign]) summary")
    page.click("#menu form[action$=resign] button")
    for one in pages:
        one.wait_for_selector("#sheet")
        one.click("#sheet a[href$='/match']")
        one.wait_for_url("**/match/*")
        expect(one.locator("h1")).to_have_text("Anna · Boris")
    with page.expect_download() as download:
        page.click("a[download]")
    name = download.value.suggested_filename
    assert name.startswith("diloti-")
    assert name.endswith("-Anna-Boris.txt")
    match = parse_record(download.value.path().read_bytes().decode()).match
    assert match.resigned == 1
    assert len(match.deals[0].plays) == 1
