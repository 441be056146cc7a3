"""The lessons in a real browser: by touch, by keys, without script, and after a reload."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from diloti.core.cards import cards_in
from diloti.core.notation import format_card, parse_play
from diloti.teacher.lessons import PLACES, Place, step_at
from diloti.teacher.steps import Question
from diloti.web.learn import link_to
from diloti.words import Words
from tests.thinking import INTERPRETED
from tests.web_browser import OpenPage
from tests.web_server import needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def right_answer(question: Question) -> int:
    return next(number for number, one in enumerate(question.answers) if one.is_right)


def choose_on_the_board(page: Page, text: str) -> None:
    """Tap the cards of a play, as a person does."""
    play = parse_play(text)
    page.click(f".hand label[data-card='{format_card(play.card)}']")
    for card in cards_in(play.loose):
        page.click(f".cloth > label[data-card='{format_card(card)}']")
    for pile in play.piles:
        page.click(f"label.pile[data-key='{format_card(next(cards_in(pile)))}']")


def solve(page: Page, place: Place) -> None:
    """Solve the step that a page shows, by taps."""
    step = step_at(place)
    page.wait_for_load_state()  # the script listens
    if isinstance(step, Question):
        page.click(f"#choices button >> nth={right_answer(step)}")
    else:
        choose_on_the_board(page, step.solutions[0])
        page.click(f"#choices button[value='{step.solutions[0]}']")
    page.wait_for_selector("#next")


@pytest.mark.parametrize(
    ("locale", "language"), [("el-GR", "el"), pytest.param("en-GB", "en", marks=pytest.mark.proof)]
)
def test_the_whole_course_by_taps_on_a_phone(
    open_page: OpenPage, locale: str, language: str
) -> None:
    words = Words(language)
    page = open_page("/", locale=locale, **PHONE)
    page.click("section a[href='/learn']")
    page.click("main a.go")
    for place in PLACES:
        page.wait_for_url(f"**{link_to(place)}")
        expect(page.locator(".teach")).to_contain_text(words.say(step_at(place).task))
        solve(page, place)
        expect(page.locator(".right")).to_contain_text(words.say(step_at(place).praise))
        expect(page.locator("#next")).to_be_focused()
        expect(page.locator("#next")).to_be_in_viewport()
        page.click("#next")
    page.wait_for_url("**/learn/done")
    page.click("button.go")
    page.wait_for_selector("#board[data-phase='playing']")


def press_until(page: Page, key: str, selector: str) -> None:
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(selector)


@pytest.mark.proof
def test_the_whole_course_by_keys(open_page: OpenPage) -> None:
    page = open_page("/learn")
    press_until(page, "Tab", "main a.go")
    page.keyboard.press("Enter")
    for place in PLACES:
        page.wait_for_url(f"**{link_to(place)}")
        page.wait_for_load_state()
        step = step_at(place)
        if isinstance(step, Question):
            press_until(page, "Tab", f"#choices button[value='{right_answer(step) + 1}']")
        else:
            wanted = step.solutions[0]
            hand = [one.get_attribute("value") for one in page.query_selector_all(".hand input")]
            page.keyboard.press(str(hand.index(wanted[:2]) + 1))
            page.wait_for_selector(f"#choices button[value='{wanted}']")
            press_until(page, "Tab", f"#choices button[value='{wanted}']")
        page.keyboard.press("Enter")
        expect(page.locator("#next")).to_be_focused()
        page.keyboard.press("Enter")
    page.wait_for_url("**/learn/done")


@pytest.mark.parametrize(
    "places", [PLACES[-4:], pytest.param(PLACES, marks=pytest.mark.proof)], ids=["a lesson", "all"]
)
def test_the_course_without_script(open_page: OpenPage, places: tuple[Place, ...]) -> None:
    page = open_page("/learn", java_script_enabled=False, **PHONE)
    page.click(f"a[href='{link_to(places[0])}'] >> nth=0")
    for place in places:
        step = step_at(place)
        expect(page.locator(".teach")).to_contain_text(step.task)
        if isinstance(step, Question):
            page.click(f"#choices button >> nth={right_answer(step)}")
        else:
            choose_on_the_board(page, step.solutions[0])
            page.click("button[name=look]")
            page.click(f"#choices button[value='{step.solutions[0]}']")
        page.click("#next")
    page.wait_for_url("**/learn/done")


def test_a_reload_in_the_middle_goes_on(open_page: OpenPage) -> None:
    page = open_page("/learn")
    page.click("main a.go")
    for place in PLACES[:4]:
        solve(page, place)
        page.click("#next")
        page.wait_for_url(f"**{link_to(PLACES[PLACES.index(place) + 1])}")
    task = step_at(PLACES[4]).task
    page.reload()
    expect(page.locator(".teach")).to_contain_text(task)
    page.goto("/learn")
    page.click("main a.go")
    expect(page.locator(".teach")).to_contain_text(task)


def test_a_wrong_play_is_announced_and_the_board_stays(open_page: OpenPage) -> None:
    page = open_page("/learn/groups/1", **PHONE)
    choose_on_the_board(page, "6hx6d")
    before = page.locator(".cloth").inner_html()
    page.click("#choices button[value='6hx6d']")
    alert = page.locator("#choices [role=alert]")
    expect(alert).to_contain_text("This takes only the six.")
    expect(alert).to_be_in_viewport()
    assert page.locator(".cloth").inner_html() == before
    assert page.is_checked("#h-6h")
    page.click("#choices button[value='6hx2c4s6d']")
    expect(page.locator(".right")).to_be_visible()
    expect(page.locator(".cloth > .card")).to_have_count(1)


def test_what_is_not_allowed_names_its_rule_as_a_link(open_page: OpenPage) -> None:
    page = open_page("/learn/courts/1", **PHONE)
    choose_on_the_board(page, "Jsx5c6d")
    refusal = page.locator("#choices [role=alert]")
    expect(refusal).to_contain_text("takes only loose cards of its own rank")
    refusal.locator("a").click()
    expect(page.locator("[id='R5.7']")).to_be_in_viewport()
    page.get_by_role("link", name="Back to the lesson").click()
    expect(refusal).to_contain_text("takes only loose cards of its own rank")
    expect(page.locator("#play input:checked")).to_have_count(3)


def test_a_rule_leads_back_to_what_was_said_to_a_play(open_page: OpenPage) -> None:
    page = open_page("/learn/courts/1?play=Js", **PHONE)
    page.locator(".verdict a").click()
    page.get_by_role("link", name="Back to the lesson").click()
    expect(page.locator(".verdict")).to_contain_text("may not be laid beside it")
    expect(page.locator("#play input:checked")).to_have_value("Js")


def test_cards_move_to_where_they_go(open_page: OpenPage) -> None:
    page = open_page("/learn/declaring/1", reduced_motion="no-preference", **PHONE)
    choose_on_the_board(page, "3c+5h=8")
    page.evaluate(
        "() => { window.moved = []; const old = Element.prototype.animate;"
        " Element.prototype.animate = function (...how) {"
        " window.moved.push(this.dataset.card); return old.apply(this, how); }; }"
    )
    page.click("#choices button[value='3c+5h=8']")
    page.wait_for_selector("#next")
    assert "3c" in page.evaluate("window.moved")
