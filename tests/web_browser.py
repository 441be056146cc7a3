"""Browsers at a server of their own: fixtures and what people do at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.web.archive import copy_until
from diloti.web.identity import COOKIE, Identity
from diloti.web.room import Room
from diloti.web.store import Kept, Store
from tests.played import keep, many
from tests.web_server import CHROMIUM, FLAGS, Server

RECORDS = Path(__file__).parent / "golden" / "records"

PATIENCE = 120_000
"""Milliseconds for a review, which stands back behind whatever else the machine does."""

_RUNNING: dict[str, Server] = {}
"""The servers of the fixtures, by their addresses."""

OpenPage = Callable[..., Page]
Result = TypeVar("Result")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    server = Server(str(folder / "tables.db"), folder / "log")
    server.start()
    _RUNNING[server.address] = server
    yield server
    del _RUNNING[server.address]
    server.stop()
    told = (folder / "log").read_text()
    assert "Finished server process" in told
    assert "Traceback" not in told


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Opens a page for somebody new, at once and without pauses before cuts or between plays."""
    contexts = []

    def open_one(path: str = "/", **details: Any) -> Page:
        usual = {"base_url": server.address, "locale": "en", "reduced_motion": "reduce"}
        context = browser.new_context(**{**usual, **details})
        contexts.append(context)
        context.add_init_script("localStorage.pace ??= '0'")
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.close()


def my_turn_or_sheet(page: Page) -> bool:
    """Whether it is this page's turn, once something is to be done there."""
    page.wait_for_selector("#board[data-my-turn], #sheet")
    return page.query_selector("#board[data-my-turn]") is not None


def play_something(page: Page, which: int = 0) -> None:
    """Make the first play that any hand card offers, or another of its plays, by mouse."""
    page.wait_for_load_state()  # the script listens
    page.eval_on_selector("#play", "(form) => form.reset()")  # a card chosen before can be again
    number = page.get_attribute("#board", "data-number")
    for card in page.query_selector_all(".hand label"):
        page.eval_on_selector("#choices", "(choices) => choices.replaceChildren()")
        card.click()
        page.wait_for_selector("#choices .offers button, #choices .refusal")
        if offers := page.query_selector_all("#choices .offers button"):
            offers[which].click()
            page.wait_for_selector(f"#board:not([data-number='{number}'])")
            return
    raise AssertionError("no card can be played")


def hand(page: Page) -> list[str | None]:
    return [card.get_attribute("value") for card in page.query_selector_all(".hand input")]


def table_for_two(open_page: OpenPage) -> tuple[Page, Page]:
    anna, boris = open_page("/new"), open_page()
    anna.fill("input[name=name]", "Anna")
    anna.click("button.go")
    boris.goto(anna.input_value("#invitation"))
    boris.fill("input[name=name]", "Boris")
    boris.click("button.go")
    for page in (anna, boris):
        page.wait_for_selector("#board[data-phase='playing']")
    return anna, boris


def sit_down(page: Page, invitation: str, name: str, seat: int = 1) -> None:
    page.goto(invitation)
    page.fill("input[name=name]", name)
    page.check(f"input[name=seat][value='{seat}']")
    page.click("button.go")
    page.wait_for_selector("#board")
    page.wait_for_load_state()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run something asynchronous beside Playwright, which has a loop of its own in this thread."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, work).result()


def in_turn(pages: Sequence[Page]) -> Page:
    """The page whose turn it is."""
    return next(page for page in pages if page.query_selector("#board[data-my-turn]"))


def table_of(page: Page) -> str:
    """The name of the table that a page shows."""
    name = page.get_attribute("#table", "data-id")
    assert name
    return name


def rearrange(server: Server, table: str, change: Callable[[Room], object]) -> Room:
    """Change a table in the database of a server that is not running, and say what it is now.

    `change` makes it follow its state as commands do; those who look on see it after the start.
    """

    async def rewrite() -> Room:
        async with Store.open(server.database) as store:
            kept = await store.load(table)
            assert kept is not None
            room = Room.read(kept.body)
            change(room)
            people = tuple({seat.person for seat in room.seats if seat.person})
            fresh = Kept(table, room.number, room.body(), kept.changed, people=people)
            await store.save(fresh, follows=kept.number)
            return room

    return run(rewrite())


# --- Score sheets -----------------------------------------------------------------


def begin_sheet(
    open_page: OpenPage, *, players: int = 2, target: int | None = None, **details: Any
) -> Page:
    """A new sheet, to write on."""
    page = open_page("/score", **details)
    page.check(f"input[name=players][value='{players}']", force=True)
    for seat, name in enumerate(("Anna", "Boris", "Clio", "Dora")[:players]):
        page.fill(f"input[name=name{seat}]", name)
    if target is not None:
        page.click("form.setup summary")
        page.fill("input[name=target]", str(target))
    page.click("form.setup button.go")
    page.wait_for_selector("#score")
    page.wait_for_load_state()
    return page


def fill_count(page: Page, cards: int, aces: int, ten: int, two: int, xeri: int = 0) -> None:
    """Enter what Anna's side has, and which side has the ten and the two."""
    page.fill("input[name=cards0]", str(cards))
    for name, value in (("aces", aces), ("ten", ten), ("two", two)):
        page.click(f"label:has(input[name={name}][value='{value}'])")
    page.fill("input[name=xeri0]", str(xeri))


def meet(page: Page) -> None:
    """Have a page send what it has, and ask for what others have."""
    page.evaluate("sync()")


def scores(page: Page) -> list[int]:
    return [int(one) for one in page.locator("[data-total]").all_inner_texts()]


# --- Pages, and what a table opens -----------------------------------------------


def show_new(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/new", **details)
    page.click("summary")
    return page


def show_choices(open_page: OpenPage, **details: Any) -> Page:
    page = open_page(**details)
    page.click("button.go")
    page.wait_for_selector("#board[data-my-turn]")
    page.click(".hand label >> nth=0")
    page.wait_for_selector("#choices .offers button, #choices .refusal")
    return page


def show_hint(open_page: OpenPage, **details: Any) -> Page:
    page = open_page(**details)
    page.click("button.go")
    page.wait_for_selector("#board[data-my-turn]")
    page.wait_for_load_state()
    page.click("#ask-hint button")
    page.wait_for_selector("#advice table")
    return page


def show_refusal(open_page: OpenPage, **details: Any) -> Page:
    page = show_choices(open_page, **details)
    held = hand(page)
    other = next(card for card in ("2h", "3h", "4h", "5h", "6h", "7h", "8h") if card not in held)
    page.eval_on_selector("#choices button", f"(button) => (button.value = '{other}')")
    page.click("#choices button")
    page.wait_for_selector("#message .rule")
    return page


def show_menu(open_page: OpenPage, **details: Any) -> Page:
    page = show_choices(open_page, **details)
    page.click("#menu-button")
    for summary in page.query_selector_all("#menu summary"):
        summary.click()
    return page


def show_transfer(open_page: OpenPage, **details: Any) -> Page:
    page = show_menu(open_page, **details)
    page.click("form[action$=transfer] button")
    page.wait_for_selector(".qr")
    return page


def show_rules(open_page: OpenPage, **details: Any) -> Page:
    page = show_menu(open_page, **details)
    page.click("#menu a[href$=rules]")
    page.wait_for_selector(".rules")
    return page


def show_rule_sets(open_page: OpenPage, **details: Any) -> Page:
    return open_page("/rules", **details)


def show_house_rules(open_page: OpenPage, **details: Any) -> Page:
    return open_page("/rules/taverna?raising=others&target=101&xeristaki_points=5", **details)


def show_sheet(open_page: OpenPage, **details: Any) -> Page:
    page = show_menu(open_page, **details)
    page.click("form[action$=resign] button")
    page.wait_for_selector("#sheet")
    return page


def show_waiting(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/new", **details)
    page.click("button.go")
    page.wait_for_selector("#invitation")
    return page


def show_join(open_page: OpenPage, **details: Any) -> Page:
    link = show_waiting(open_page, **details).input_value("#invitation")
    return open_page(link, **details)


def show_score_new(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/score", **details)
    page.click("form.setup summary")
    page.click("label:has(input[name=players][value='4'])")
    return page


def show_score(open_page: OpenPage, **details: Any) -> Page:
    page = begin_sheet(open_page, players=4, **details)
    for cards in (53, 28, 26):
        fill_count(page, cards, 3, 0, 1)
        page.click("#enter")
    page.click("#deals .correct >> nth=0")
    page.click("#enter")
    page.click("details.setup > summary")
    page.click("#deals .earlier > summary")
    fill_count(page, 53, 3, 0, 1)
    page.click("#enter")
    page.wait_for_selector("#refusal")
    return page


def upload_record(open_page: OpenPage, name: str, **details: Any) -> Page:
    """The page of a golden record, uploaded by somebody new."""
    page = open_page("/upload", **details)
    page.set_input_files("input[type=file]", RECORDS / f"{name}.txt")
    page.click("main button.go")
    page.wait_for_url("**/match/*")
    return page


def show_match(open_page: OpenPage, **details: Any) -> Page:
    page = upload_record(open_page, "classic_two", **details)
    for summary in page.query_selector_all("main summary"):
        summary.click()
    return page


def show_replay(open_page: OpenPage, **details: Any) -> Page:
    page = upload_record(open_page, "taverna_four", **details)
    page.goto(f"{page.url}/2/9")
    page.wait_for_selector("#run")
    for summary in page.query_selector_all("main summary"):
        summary.click()
    return page


def show_end_of_deal(open_page: OpenPage, **details: Any) -> Page:
    page = upload_record(open_page, "classic_two", **details)
    page.goto(f"{page.url}/2/48")
    page.wait_for_selector("#run")
    return page


def first_deal(plays: int = 0) -> str:
    """A golden record up to the end of its first deal, or so many plays further."""
    match = parse_record((RECORDS / "classic_two.txt").read_bytes().decode()).match
    short = copy_until(match, 1, plays) if plays else copy_until(match, 0, 48)
    short.names = match.names
    return format_record(Record(short))


def review_match(open_page: OpenPage, text: str, **details: Any) -> Page:
    """The page of a record, uploaded by somebody new, once its review is there."""
    page = open_page("/upload", **details)
    page.fill("textarea", text)
    page.click("main button.go")
    page.wait_for_url("**/match/*")
    page.click("#review button.go")
    page.wait_for_selector(".chances", timeout=PATIENCE)
    return page


def show_review(open_page: OpenPage, **details: Any) -> Page:
    page = review_match(open_page, first_deal(5), **details)
    for summary in page.query_selector_all("main summary"):
        summary.click()
    return page


def show_blunder(open_page: OpenPage, **details: Any) -> Page:
    page = review_match(open_page, first_deal(), **details)
    page.goto(f"{page.url.partition('#')[0]}/1/44")
    page.wait_for_selector("#grade.blunder")
    for summary in page.query_selector_all("main summary"):
        summary.click()
    return page


def show_refused_upload(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/upload", **details)
    page.fill("textarea", "Diloti record 1\nRules: classic, raising=nev" + "e" * 200 + "r\n")
    page.click("main button.go")
    page.wait_for_selector("#trouble")
    return page


def show_finished(open_page: OpenPage, **details: Any) -> Page:
    page = upload_record(open_page, "taverna_four", **details)
    page.goto("/games")
    return page


def play_matches(page: Page, count: int) -> None:
    """Have whoever has this page's cookie have played some matches."""
    server = next(one for address, one in _RUNNING.items() if page.url.startswith(address))
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}

    async def play() -> None:
        async with Store.open(server.database) as store:
            identity = Identity(await store.secret("signing key", ""))
            person = identity.person_of(cookies[COOKIE])
            assert person is not None
            await keep(store, many(person, count))

    run(play())


def show_figures(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/games", **details)
    play_matches(page, 40)
    page.goto("/figures")
    for summary in page.query_selector_all("main summary"):
        summary.click()
    return page


def show_deleting(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/figures/delete", **details)
    page.eval_on_selector("form[action='/figures/delete']", "(form) => (form.noValidate = true)")
    page.click("main button.danger")
    page.wait_for_selector(".trouble")
    return page


def show_first_cut(open_page: OpenPage, **details: Any) -> Page:
    page = open_page(**details)
    page.evaluate("localStorage.pace = '900'")
    page.click("button.go")
    page.click("#first-cut .shuffling summary")
    return page


def show_checks(open_page: OpenPage, **details: Any) -> Page:
    page = show_sheet(open_page, **details)
    page.goto(f"/table/{table_of(page)}/shuffle")
    return page


def show_lesson(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/learn/owning/1", **details)
    page.click(".hint summary")
    page.click(".hand label[data-card='8c']")
    page.click(".cloth label[data-card='8d']")
    page.wait_for_selector("#choices .rule")
    return page


def show_slip(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/learn/groups/2", **details)
    page.click(".hand label[data-card='8h']")
    page.click("#choices button[value='8hx8c']")
    page.wait_for_selector(".verdict")
    return page


def show_solved(open_page: OpenPage, **details: Any) -> Page:
    return open_page("/learn/joining/1?play=2d%2B6s[3d5s]=8", **details)


def show_question(open_page: OpenPage, **details: Any) -> Page:
    page = open_page("/learn/counting/2", **details)
    page.click("#choices button >> nth=0")
    page.wait_for_selector(".verdict")
    return page


SHOWN = [
    show_first_cut,
    show_choices,
    show_hint,
    show_menu,
    show_sheet,
    show_score,
    show_lesson,
    show_question,
    show_rules,
    show_replay,
    show_review,
    show_blunder,
    show_figures,
    *(
        pytest.param(show, marks=pytest.mark.proof)
        for show in (
            show_score_new,
            show_new,
            show_checks,
            show_refusal,
            show_transfer,
            show_rule_sets,
            show_house_rules,
            show_waiting,
            show_join,
            show_slip,
            show_solved,
            show_match,
            show_end_of_deal,
            show_refused_upload,
            show_finished,
            show_deleting,
        )
    ),
]
"""Pages as they look in use; most of what is seldom seen is looked at in proofs."""
