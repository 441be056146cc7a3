"""The review of a match in a real browser: asked for, waited for, and gone through by keys."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from diloti.core.record_reader import parse_record
from diloti.teacher.review import MatchReview, Moment, review_match
from diloti.teacher.review_json import write_review
from diloti.web.store import Store
from tests.thinking import INTERPRETED
from tests.web_browser import (
    PATIENCE,
    RECORDS,
    OpenPage,
    first_deal,
    run,
    show_blunder,
    upload_record,
)
from tests.web_browser import review_match as ask_for_review
from tests.web_server import Server, needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]


@pytest.fixture(scope="module")
def review() -> MatchReview:
    match = parse_record((RECORDS / "classic_two.txt").read_bytes().decode()).match
    return review_match(match, simulations=24, workers=1)


@pytest.fixture
def reviewed(open_page: OpenPage, server: Server, review: MatchReview) -> str:
    """The path of a match of three deals that has been reviewed."""
    path = urlsplit(upload_record(open_page, "classic_two").url).path

    async def put() -> None:
        async with Store.open(server.database) as store:
            await store.save_review(path.rpartition("/")[2], json.dumps(write_review(review)))

    run(put())
    return path


def slips_of(review: MatchReview) -> list[Moment]:
    return [
        Moment(number, place)
        for number, deal in enumerate(review.deals)
        for place, judged in enumerate(deal.plays)
        if judged.mark in ("mistake", "blunder")
    ]


def at(page: Page, moment: Moment) -> None:
    """Expect the page to show a play, marked as a mistake."""
    page.wait_for_url(f"**/{moment.deal + 1}/{moment.play + 1}")
    page.wait_for_selector(f"#step[data-play='{moment.play + 1}']")
    expect(page.locator("#grade.mistake, #grade.blunder")).to_be_visible()
    page.wait_for_selector("#run")  # the script listens


def test_a_review_comes_by_itself(open_page: OpenPage) -> None:
    page = ask_for_review(open_page, first_deal())
    expect(page.locator("#live")).to_have_text("The review is ready.")
    expect(page.locator("#review form")).to_have_count(0)
    expect(page.locator("[data-copy]")).to_be_visible()
    stranger = open_page(urlsplit(page.url).path)
    assert stranger.inner_text(".chances") == page.inner_text(".chances")
    page.click(".moments a >> nth=0")
    page.wait_for_selector("#grade")


def test_whoever_leaves_and_comes_back_finds_the_review(open_page: OpenPage) -> None:
    page = open_page("/upload")
    page.fill("textarea", first_deal())
    page.click("main button.go")
    page.wait_for_url("**/match/*")
    path = urlsplit(page.url).path
    page.click("#review button.go")
    page.wait_for_url("**#review")
    page.goto("/games")
    page.goto(path)
    page.wait_for_selector(".chances", timeout=PATIENCE)


def test_without_script_a_reload_shows_the_review(open_page: OpenPage) -> None:
    page = open_page("/upload", java_script_enabled=False)
    page.fill("textarea", first_deal())
    page.click("main button.go")
    page.click("#review button.go")
    for _reload in range(5_000):
        if page.query_selector(".chances"):
            break
        page.click("#review a.button")
    page.click("a[href$='/1/44'] >> nth=0")
    expect(page.locator("#grade")).to_contain_text("Blunder")
    page.click("#judged button")
    page.wait_for_url("**/table/*")
    page.wait_for_selector(".hand label")


def test_n_and_p_go_from_mistake_to_mistake_through_all_deals(
    open_page: OpenPage, reviewed: str, review: MatchReview
) -> None:
    slips = slips_of(review)
    page = open_page(f"{reviewed}/1")
    page.wait_for_selector("#run")
    for slip in slips:
        page.keyboard.press("n")
        at(page, slip)
    page.keyboard.press("n")
    at(page, slips[-1])
    for slip in slips[-2::-1]:
        page.keyboard.press("p")
        at(page, slip)
    page.keyboard.press("p")
    at(page, slips[0])
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'ν', code: 'KeyN', bubbles: true}))"
    )
    at(page, slips[1])
    page.click("#slip-back")
    at(page, slips[0])


def test_the_mark_is_announced_with_the_play(
    open_page: OpenPage, reviewed: str, review: MatchReview
) -> None:
    slip = slips_of(review)[0]
    page = open_page(f"{reviewed}/{slip.deal + 1}/{slip.play}")
    page.wait_for_selector("#run")
    page.keyboard.press("ArrowRight")
    at(page, slip)
    told = page.inner_text("#grade").split("\n")[-1].strip()
    live = page.locator("#live")
    expect(live).to_contain_text(told.split(" ", 1)[1])
    expect(live).to_contain_text(page.inner_text("#told strong"))
    page.click(".candidates summary")
    page.keyboard.press("Home")
    page.wait_for_selector("#step[data-play='0']")
    expect(page.locator("#grade")).to_have_count(0)
    page.keyboard.press("n")
    at(page, slip)


def test_after_a_mistake_one_tries_it_oneself(open_page: OpenPage) -> None:
    page = show_blunder(open_page)
    expect(page.locator("#judged")).to_contain_text("Better:")
    page.click("#judged button")
    page.wait_for_selector("#board[data-deal='1'][data-played='43'][data-my-turn]")
