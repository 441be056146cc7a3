"""Hints, the coach and refusals in a real browser: by keys, by mouse, seen and read aloud."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, Route, expect

from diloti.web.identity import COOKIE, Identity
from diloti.web.room import Room
from diloti.web.store import Kept, Store
from tests.aces import BAD, GOOD
from tests.test_web_hints import ANNA, aces
from tests.test_web_layout import FAULTS, PICTURES
from tests.thinking import INTERPRETED
from tests.web_browser import OpenPage, run, table_for_two
from tests.web_server import Server, needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]

numbers = itertools.count()
Sit = Callable[..., Page]


def laid(server: Server, room: Room) -> tuple[str, str]:
    """The address of a table that has been laid, and Anna's cookie."""
    name = f"coach-{next(numbers)}"
    people = tuple(seat.person for seat in room.seats if seat.person)

    async def put() -> str:
        async with Store.open(server.database) as store:
            kept = Kept(name, room.number, room.body(), time.time(), people=people)
            await store.save(kept, follows=-1)
            return await store.secret("signing key", "")

    return f"/table/{name}", Identity(run(put())).sign(ANNA)


@pytest.fixture
def sit(open_page: OpenPage, server: Server) -> Sit:
    """Opens a table with the aces for Anna."""

    def sit_there(*, coach: bool = False, **details: object) -> Page:
        path, cookie = laid(server, aces())
        page = open_page("/healthz", **details)
        page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.address}])
        page.goto(path)
        page.wait_for_selector("#board[data-my-turn]")
        if coach:
            page.click("#menu-button")
            page.check("#coach")
            page.click("#menu-button")
        return page

    return sit_there


def play(page: Page, text: str) -> None:
    """Choose what a play uses, and make it."""
    page.click(f".hand label[data-card='{text[:2]}']")
    for place in range(3, len(text), 2):
        page.click(f".cloth label[data-card='{text[place : place + 2]}']")
    page.click(f"#choices button[value='{text}']")


def test_a_hint_is_asked_for_and_played_by_keys(sit: Sit) -> None:
    page = sit()
    page.focus("#ask-hint button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#advice table")
    expect(page.locator("#advice[role=status]")).to_contain_text("It brings you A♣ A♦ A♠")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == GOOD
    page.keyboard.press("Enter")
    page.wait_for_selector("#board[data-played='1'], #board[data-played='2']")
    expect(page.locator("#advice section")).to_have_count(0)
    page.locator(".plays summary").click()
    expect(page.locator(".plays li").first).to_have_text("Anna takes A♦ A♠ with A♣.")


def test_the_coach_is_obeyed(sit: Sit) -> None:
    page = sit(coach=True)
    play(page, BAD)
    page.wait_for_selector("#message .refusal")
    expect(page.locator("#message[role=alert]")).to_contain_text("This play loses about")
    assert page.get_attribute("#board", "data-played") == "0"
    assert page.evaluate("document.activeElement.value") == GOOD
    page.keyboard.press("Enter")
    page.wait_for_selector("#board:not([data-played='0'])")
    expect(page.locator("#message")).to_be_hidden()
    page.locator(".plays summary").click()
    expect(page.locator(".plays li").first).to_have_text("Anna takes A♦ A♠ with A♣.")


def test_a_coach_that_thinks_long_says_so(sit: Sit) -> None:
    page = sit(coach=True)
    waiting: list[Route] = []
    page.route("**/play*", lambda route: waiting.append(route))
    play(page, BAD)
    expect(page.locator("#advice")).to_have_text("thinks…")
    waiting[0].continue_()
    page.wait_for_selector("#message .refusal")
    expect(page.locator("#advice")).to_have_text("")


def test_the_coach_is_overridden(sit: Sit) -> None:
    page = sit(coach=True)
    play(page, BAD)
    page.click("#message button[name=anyway]")
    page.wait_for_selector("#board:not([data-played='0'])")
    page.locator(".plays summary").click()
    expect(page.locator(".plays li").first).to_have_text("Anna lays Q♦.")


def test_after_a_warning_one_chooses_again(sit: Sit) -> None:
    page = sit(coach=True)
    play(page, BAD)
    page.click("#message [data-again]")
    expect(page.locator("#message")).to_be_hidden()
    assert page.evaluate("document.activeElement.value") == BAD
    play(page, GOOD)
    page.wait_for_selector("#board:not([data-played='0'])")


def test_the_coach_is_remembered_and_silent_until_wanted(sit: Sit) -> None:
    page = sit(coach=True)
    page.reload()
    page.wait_for_selector("#board[data-my-turn]")
    assert page.is_checked("#coach", timeout=1000)
    page = sit()
    play(page, BAD)
    page.wait_for_selector("#board:not([data-played='0'])")


def test_a_refusal_leads_to_its_rule_and_to_what_is_legal(sit: Sit) -> None:
    page = sit()
    page.click(".hand label[data-card='Jh']")
    page.click(".cloth label[data-card='Kc']")
    page.wait_for_selector("#choices .refusal")
    expect(page.locator("#choices .rule")).to_have_text("R5.7")
    page.click("#choices .rule")
    page.wait_for_url("**/rules#R5.7")
    page.go_back()
    page.wait_for_selector("#board[data-my-turn]")
    page.click(".hand label[data-card='Jh']")
    page.click(".cloth label[data-card='Kc']")
    page.wait_for_selector("#choices .refusal")
    page.click("#choices .offers button >> nth=0")
    page.wait_for_selector("#board:not([data-played='0'])")


def test_without_script_all_of_it_is_there(sit: Sit) -> None:
    page = sit(java_script_enabled=False)
    page.click("#ask-hint button")
    expect(page.locator("#advice")).to_contain_text("It brings you A♣ A♦ A♠")
    page.check("#coach")
    page.check(f".hand input[value='{BAD}']", force=True)
    page.click("button[name=look]")
    page.click(f"#choices button[value='{BAD}']")
    expect(page.locator("#message")).to_contain_text("This play loses about")
    page.click("#message button[name=anyway]")
    assert page.get_attribute("#board", "data-played") != "0"


def test_with_friends_nothing_of_it_is_there(open_page: OpenPage) -> None:
    for page in table_for_two(open_page):
        assert page.query_selector("#ask-hint, #coach") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_a_warning(sit: Sit, scheme: str) -> None:
    page = sit(coach=True, color_scheme=scheme)
    play(page, BAD)
    page.wait_for_selector("#message .refusal")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("language", ["el", "ru", pytest.param("pt", marks=pytest.mark.proof)])
def test_hint_and_warning_fit_a_small_phone(sit: Sit, language: str) -> None:
    page = sit(coach=True, viewport={"width": 320, "height": 640}, locale=language)
    page.click("#ask-hint button")
    page.wait_for_selector("#advice table")
    play(page, BAD)
    page.wait_for_selector("#message .refusal")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"coach-320-{language}.png", full_page=True)
    assert page.evaluate(FAULTS) == []
