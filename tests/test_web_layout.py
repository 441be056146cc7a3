"""How the table looks: twelve loose cards, two piles and four seats on every screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from diloti.web.identity import COOKIE, Identity
from diloti.web.room import Room
from diloti.web.store import Kept, Store
from tests.thinking import INTERPRETED
from tests.web_browser import SHOWN, OpenPage, run
from tests.web_server import Server, needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]

ROOT = Path(__file__).parent.parent
WIDE = (ROOT / "tests/data/wide-table.json").read_text()
PICTURES = ROOT / ".cache/screenshots"
"""Where the pictures of the proof are, to be looked at."""

SIZES = {320: 640, 360: 740, 768: 1024, 1280: 800, 1920: 1080}
SAMPLES = {(320, "dark", "ru"), (360, "light", "el"), (1280, "light", "en")}
SCREENS = [
    pytest.param(*screen, marks=() if screen in SAMPLES else pytest.mark.proof)
    for screen in product(SIZES, ("light", "dark"), ("el", "en", "pt", "ru"))
]

FAULTS = """() => {
    const seen = (one) => one.checkVisibility() && !one.closest(".sr, .skip, .face, .fan");
    const all = [...document.querySelectorAll("body *")].filter(seen);
    const tell = (kind) => (one) => `${kind}: ${one.outerHTML.slice(0, 120)}`;
    const box = (one) => one.getBoundingClientRect();
    const outside = (one) => box(one).left < -0.5 || box(one).right > innerWidth + 0.5;
    const cut = (one) => !one.matches("input") && getComputedStyle(one).overflowX !== "visible"
        && one.scrollWidth > one.clientWidth + 1;
    const target = "button, a, summary, input:not([type=hidden]), select";
    const small = (one) => one.matches(target) && (box(one).width < 44 || box(one).height < 44)
        && !(one.closest("label") && box(one.closest("label")).height >= 44);
    return [
        ...all.filter(outside).map(tell("outside")),
        ...all.filter(cut).map(tell("cut")),
        ...all.filter(small).map(tell("small")),
    ];
}"""


@pytest.fixture(scope="module")
def wide_table(server: Server) -> tuple[str, str]:
    """The address of the wide table, and the cookie of whoever is in turn there."""
    room = Room.read(WIDE)
    assert room.match.position.loose.bit_count() == 12
    assert len(room.match.position.piles) == 2
    people = tuple(seat.person for seat in room.seats)

    async def put() -> str:
        async with Store.open(server.database) as store:
            kept = Kept("wide", room.number, WIDE, 0.0, people=people)
            await store.save(kept, follows=-1)
            return await store.secret("signing key", "")

    assert room.turn is not None
    return "/table/wide", Identity(run(put())).sign(people[room.turn])


@pytest.mark.parametrize(("width", "scheme", "language"), SCREENS)
def test_all_is_seen_and_large_enough(
    open_page: OpenPage,
    server: Server,
    wide_table: tuple[str, str],
    width: int,
    scheme: str,
    language: str,
) -> None:
    path, cookie = wide_table
    screen: dict[str, Any] = {
        "viewport": {"width": width, "height": SIZES[width]},
        "color_scheme": scheme,
        "locale": language,
    }
    page = open_page("/healthz", **screen)
    page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.address}])
    page.goto(path)
    page.click(".hand label >> nth=1")
    page.wait_for_selector("#choices .offers button")
    assert page.evaluate(FAULTS) == []
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"table-{width}-{scheme}-{language}.png", full_page=True)
    page.click("#menu-button")
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("language", ["el", pytest.param("ru", marks=pytest.mark.proof)])
@pytest.mark.parametrize("show", SHOWN)
def test_other_pages_fit_a_small_phone(
    open_page: OpenPage, show: Callable[..., Page], language: str
) -> None:
    screen: dict[str, Any] = {"viewport": {"width": 320, "height": SIZES[320]}, "locale": language}
    page = show(open_page, **screen)
    page.screenshot(path=PICTURES / f"{show.__name__}-320-{language}.png", full_page=True)
    assert page.evaluate(FAULTS) == []
