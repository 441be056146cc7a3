"""The score sheet in real browsers: by taps, by keys, by two, without a network, and killed."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import ConsoleMessage, Page, Route, expect

from diloti.core.rules import RULE_SETS
from diloti.scorebook.book import Book
from diloti.scorebook.count import (
    NOTHING,
    DealCount,
    item_points,
    refusal_of,
    shared_points,
    write_count,
)
from diloti.scorebook.entries import Setup, first_entries, read_entries, write_entries
from diloti.words import LANGUAGES
from tests.test_scorebook import random_devices, scribe
from tests.thinking import INTERPRETED
from tests.web_browser import OpenPage, begin_sheet, fill_count, meet, scores
from tests.web_server import Server, needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server takes long to start interpreted"),
]


def tap(page: Page, what: str, step: int, times: int = 1) -> None:
    """Press a plus or minus so many times: what is `cards0`, `xeri1` and so on."""
    button = page.locator(f".stepper:has(input[name={what}]) button[data-step='{step}']")
    for _ in range(times):
        button.click()


def pick(page: Page, name: str, value: int) -> None:
    page.click(f"label:has(input[name={name}][value='{value}'])")


def deals(page: Page) -> list[str]:
    """What a page says of every deal, the last one first."""
    return page.locator("#deals tr.more").all_inner_texts()


def until(page: Page, condition: str) -> None:
    """Wait until something is so in a page, whose policy lets Playwright's own way not in."""
    pause = "new Promise((done) => setTimeout(done, 30))"
    page.evaluate(f"async () => {{ while (!({condition})) await {pause}; }}")


def row_count(page: Page, number: int) -> None:
    expect(page.locator("#deals tr[data-deal]")).to_have_count(number)


def lose_the_network(*pages: Page) -> None:
    for page in pages:
        page.context.set_offline(True)
        page.wait_for_selector("#wire", state="visible")


def find_the_network(*pages: Page) -> None:
    for page in pages:
        page.context.set_offline(False)
    for page in pages * 2:  # each learns what the others have sent
        meet(page)
        page.wait_for_selector("#wire", state="hidden")


def test_a_deal_by_taps_alone(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    expect(page.locator("#next")).to_have_text("Deal 1: Anna deals.")
    tap(page, "cards0", 1, 2)
    assert page.input_value("input[name=cards1]") == "24"
    pick(page, "aces", 3)
    pick(page, "ten", 0)
    pick(page, "two", 1)
    tap(page, "xeri1", 1, 2)
    tap(page, "xeri1", -1)
    expect(page.locator("#points")).to_have_text("Anna 9 : 12 Boris")
    expect(page.locator("#check")).to_have_text("Check: 11 points shared + 10 for xeri = 21")
    page.click("#enter")
    assert scores(page) == [9, 12]
    expect(page.locator("#next")).to_have_text("Deal 2: Boris deals.")
    page.click("#even")
    pick(page, "aces", 2)
    pick(page, "ten", 1)
    pick(page, "two", 1)
    expect(page.locator("#check")).to_contain_text("7 points shared")
    page.click("#enter")
    assert scores(page) == [11, 17]
    meet(page)
    page.reload()
    assert scores(page) == [11, 17]
    row_count(page, 2)


def test_a_finger_that_stays_counts_on(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    page.hover(".stepper:has(input[name=cards0]) button[data-step='1']")
    page.mouse.down()
    until(page, "Number(document.querySelector('[name=cards0]').value) > 29")
    page.mouse.up()
    cards = int(page.input_value("input[name=cards0]"))
    assert int(page.input_value("input[name=cards1]")) == 52 - cards
    tap(page, "cards0", 1)
    assert int(page.input_value("input[name=cards0]")) == cards + 1


def test_a_deal_by_keys_alone(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    page.focus("input[name=cards0]")
    page.keyboard.type("30")
    for name, value in (("aces", "1"), ("ten", "1"), ("two", "0")):
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.name") == name:
                break
        page.keyboard.press("Space")
        for _ in range(5):
            if page.evaluate(f"document.querySelector('#count').elements.{name}.value") == value:
                break
            page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert scores(page) == [6, 5]


@pytest.mark.parametrize(
    ("count", "told"),
    [
        ((53, 2, 0, 0), "53 and 0 cards make 53, but the pack has 52."),
        ((1, 0, 1, 1), "Anna cannot have a single card: every capture takes two at least."),
        ((4, 4, 0, 1), "Anna has fewer cards (4) than aces, ten and two together (5)."),
        ((50, 3, 0, 0), "With 2 cards and 0 xeri, Boris has captured nothing but pairs"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    open_page: OpenPage, count: tuple[int, int, int, int], told: str
) -> None:
    page = begin_sheet(open_page)
    page.click("#enter")
    expect(page.locator("#refusal")).to_have_text("How many cards has each side?")
    fill_count(page, *count)
    page.click("#enter")
    expect(page.locator("#refusal")).to_contain_text(told)
    row_count(page, 0)


def test_corrections_removal_and_undo(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    for _ in range(2):
        fill_count(page, 28, 3, 0, 1)
        page.dblclick("#enter")
    row_count(page, 2)
    assert scores(page) == [18, 4]
    page.click("#deals .correct >> nth=1")
    expect(page.locator("#count-title")).to_have_text("Correct deal 1")
    assert page.is_checked("input[name=aces][value='3']")
    fill_count(page, 26, 2, 0, 1)
    page.click("#enter")
    assert scores(page) == [13, 5]
    expect(page.locator("#deals")).to_contain_text("Earlier entries of this deal")
    page.click("#deals .remove >> nth=0")
    assert scores(page) == [4, 3]
    for expected in ([13, 5], [18, 4], [9, 2], [0, 0]):
        page.click("#undo")
        assert scores(page) == expected
    expect(page.locator("#undo")).to_be_hidden()
    page.click("#deals-title")
    meet(page)
    page.reload()
    row_count(page, 0)


def test_names_and_rules_are_set_otherwise_and_a_match_ends(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    fill_count(page, 28, 3, 0, 1)
    page.click("#enter")
    page.click("details.setup > summary")
    page.fill("#setup input[name=name0]", "Άννα")
    page.fill("#setup input[name=target]", "9")
    page.click("#setup button")
    expect(page.locator("#next")).to_have_text("The match is over: Άννα has won.")
    expect(page.locator("h1")).to_have_text("Score sheet: Classic with house rules, to 9 points")
    expect(page.locator("#count")).to_be_hidden()
    meet(page)
    page.click("#again button")
    expect(page.locator("#next")).to_have_text("Deal 1: Boris deals.")
    expect(page.locator("h1")).to_contain_text("to 9 points")


# --- Two devices ---------------------------------------------------------------------------


def test_two_devices_write_on_one_sheet_and_others_look_on(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    boris, other = open_page(anna.url), open_page(anna.input_value("#look-link"))
    fill_count(anna, 28, 3, 0, 1)
    anna.click("#enter")
    row_count(boris, 1)  # by itself
    fill_count(boris, 20, 1, 1, 1)
    boris.click("#enter")
    for page in (anna, other):
        row_count(page, 2)
        assert scores(page) == scores(boris) == [10, 12]
    assert other.query_selector("#count, .acts, #setup") is None
    anna.click("#deals .correct >> nth=1")
    fill_count(anna, 26, 3, 0, 1)
    anna.click("#enter")
    expect(boris.locator("[data-total='0']")).to_have_text("6")


def test_a_deal_that_another_device_enters_meanwhile_is_told(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    boris = open_page(anna.url)
    fill_count(anna, 28, 3, 0, 1)
    fill_count(boris, 28, 3, 0, 1)
    anna.click("#enter")
    meet(anna)
    meet(boris)
    expect(boris.locator("#meanwhile")).to_have_text(
        "Deal 1 was entered on another device meanwhile."
    )
    boris.click("#enter")
    meet(boris)
    meet(anna)
    for page in (anna, boris):
        expect(page.locator("#deals")).to_contain_text("take one of them away")
    anna.click("#deals .remove >> nth=0")
    meet(anna)
    meet(boris)
    assert scores(boris) == [9, 2]


def test_a_duplicate_that_is_taken_away_casts_no_doubt_on_later_deals(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    boris = open_page(anna.url)

    def enter(page: Page) -> None:
        fill_count(page, 28, 3, 0, 1)
        page.click("#enter")

    def all_meet() -> None:
        for page in (anna, boris, anna):
            meet(page)

    enter(anna)
    all_meet()
    for page in (anna, boris):
        page.context.set_offline(True)
        enter(page)
    find_the_network(anna, boris)
    enter(anna)
    all_meet()
    row_count(boris, 4)
    boris.click("#deals .remove:visible >> nth=1")  # of the two that may be one
    fill_count(anna, 30, 3, 0, 1)
    all_meet()
    expect(anna.locator("#meanwhile")).to_be_hidden()
    anna.click("#enter")
    all_meet()
    for page in (anna, boris, open_page(anna.url)):
        row_count(page, 4)
        expect(page.locator("#deals")).not_to_contain_text("take one of them away")
        expect(page.locator("#deals .remove:visible")).to_have_count(1)
    told = anna.evaluate("[...entries.values()].sort(later)")
    assert anna.evaluate(SAID, [told]) == [said_of(Book(read_entries(told)))]
    assert anna.input_value("[name=seen]") == "5"
    raw = anna.evaluate("fetch(location.href).then((answer) => answer.text())")
    assert 'name="seen" value="5"' in raw


# --- Without a network -----------------------------------------------------------------------


def test_what_is_entered_offline_is_joined_later(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    boris = open_page(anna.url)
    lose_the_network(anna)
    for cards in (28, 30, 20):
        fill_count(anna, cards, 2, 0, 1)
        anna.click("#enter")
    expect(anna.locator("#wire")).to_contain_text("(3 waiting)")
    expect(anna.locator("#deals")).not_to_contain_text("Another deal")
    assert scores(anna) == [20, 13]
    row_count(boris, 0)
    find_the_network(anna)
    meet(boris)
    assert deals(boris) == deals(anna)
    assert scores(boris) == [20, 13]


def test_both_offline_at_once_lose_nothing_and_agree(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    fill_count(anna, 28, 3, 0, 1)
    anna.click("#enter")
    meet(anna)
    boris = open_page(anna.url)
    lose_the_network(anna, boris)
    for page, cards in ((anna, 30), (boris, 32)):
        page.click("#deals .correct >> nth=0")
        fill_count(page, cards, 4, 0, 0)
        page.click("#enter")
        fill_count(page, cards, 2, 1, 1)
        page.click("#enter")
    find_the_network(anna, boris)
    assert deals(anna) == deals(boris)
    row_count(anna, 3)
    told = "\n".join(deals(anna))
    assert told.count("Another deal was entered at the same time on another device.") == 2
    assert told.count("Corrected on two devices at the same time; this one does not count") == 1
    assert "30:22, aces 2:2" in told
    assert "32:20, aces 2:2" in told
    assert scores(anna) == scores(boris)


def test_a_killed_server_loses_nothing_and_the_page_opens_without_it(
    open_page: OpenPage, server: Server
) -> None:
    anna = begin_sheet(open_page)
    boris = open_page(anna.url)
    fill_count(anna, 28, 3, 0, 1)
    anna.click("#enter")
    meet(anna)
    until(anna, "navigator.serviceWorker.controller")
    until(anna, "await caches.match(location.origin + location.pathname)")
    server.kill()
    fill_count(anna, 30, 3, 0, 1)
    anna.click("#enter")
    anna.wait_for_selector("#wire", state="visible")
    anna.reload()
    row_count(anna, 2)
    fill_count(anna, 20, 3, 0, 1)
    anna.click("#enter")
    expect(anna.locator("#wire")).to_contain_text("(2 waiting)")
    server.start()
    meet(anna)
    anna.wait_for_selector("#wire", state="hidden")
    meet(boris)
    assert deals(boris) == deals(anna)
    assert scores(boris) == [23, 10]


@pytest.mark.proof
def test_two_tabs_of_one_browser_keep_what_both_enter(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    tab = anna.context.new_page()
    tab.goto(anna.url)
    lose_the_network(anna)
    fill_count(anna, 28, 3, 0, 1)
    anna.click("#enter")
    row_count(tab, 1)
    fill_count(tab, 30, 3, 0, 1)
    tab.click("#enter")
    row_count(anna, 2)
    expect(tab.locator("#deals")).not_to_contain_text("Another deal")


def test_a_browser_that_keeps_nothing_writes_all_the_same(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    anna.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })"
    )
    anna.reload()
    fill_count(anna, 28, 3, 0, 1)
    anna.click("#enter")
    meet(anna)
    anna.reload()
    assert scores(anna) == [9, 2]


def test_a_sheet_that_the_server_has_no_more_stays_here(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    anna.route("**/entries", lambda route: route.fulfill(status=404, body="gone"))
    fill_count(anna, 28, 3, 0, 1)
    anna.click("#enter")
    expect(anna.locator("#wire")).to_contain_text("it is kept on this device")
    anna.unroute("**/entries")
    meet(anna)
    anna.wait_for_selector("#wire", state="hidden")
    anna.goto("/score")
    expect(anna.locator("#known")).to_contain_text("Anna – Boris · 9 : 2")
    anna.click("#known a")
    assert scores(anna) == [9, 2]


# --- Entries that the server refuses ---------------------------------------------------------


def answer_posts(page: Page, *, status: int, body: str) -> list[str]:
    """Have whatever a page sends answered so from now on; what is sent."""
    sent: list[str] = []

    def answer(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        sent.append(route.request.post_data or "")
        return route.fulfill(status=status, body=body)

    page.route("**/entries", answer)
    return sent


def enter(page: Page, cards: int) -> None:
    fill_count(page, cards, 3, 0, 1)
    page.click("#enter")
    meet(page)


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (400, "<html>", "The server did not take an entry: 400"),
        (413, "too large", "The server did not take an entry: 413"),
        (422, json.dumps({"message": "Full"}), "The server did not take an entry: Full"),
    ],
)
def test_a_refused_entry_waits_for_the_next_one_and_keeps_nobody_elses_away(
    open_page: OpenPage, status: int, body: str, told: str
) -> None:
    anna = begin_sheet(open_page)
    boris = open_page(anna.url)
    sent = answer_posts(anna, status=status, body=body)
    enter(anna, 28)
    expect(anna.locator("#wire")).to_have_text(told)
    enter(boris, 30)
    for _ in range(3):
        meet(anna)
    row_count(anna, 2)
    expect(anna.locator("#wire")).to_have_text(told)
    assert len(sent) == 1
    enter(anna, 20)
    assert [len(json.loads(one)) for one in sent] == [1, 2, 1, 1]
    anna.unroute("**/entries")
    anna.reload()
    find_the_network(anna, boris)
    row_count(boris, 3)
    assert deals(anna) == deals(boris)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_asked_again_and_others_entries_come(
    open_page: OpenPage, status: int
) -> None:
    anna = begin_sheet(open_page)
    boris = open_page(anna.url)
    answer_posts(anna, status=status, body="")
    enter(anna, 28)
    enter(boris, 30)
    meet(anna)
    row_count(anna, 2)
    expect(anna.locator("#wire")).to_contain_text("(1 waiting)")
    anna.unroute("**/entries")
    find_the_network(anna, boris)
    row_count(boris, 2)


def test_an_entry_that_cannot_be_holds_no_later_one_up(open_page: OpenPage) -> None:
    anna = begin_sheet(open_page)
    boris = open_page(anna.url)
    anna.evaluate("write({ deal: 'unknown', seen: 1, count: null })")
    meet(anna)
    told = 'The server did not take an entry: There is no deal "unknown"'
    expect(anna.locator("#wire")).to_have_text(told)
    for number, cards in enumerate((28, 30, 20), start=1):
        enter(anna, cards)
        meet(boris)
        row_count(boris, number)
        expect(anna.locator("#wire")).to_have_text(told)
    assert deals(anna) == deals(boris)
    assert scores(anna) == scores(boris)


# --- The script counts as the core does -------------------------------------------------------


def random_count(rng: random.Random) -> DealCount:
    """A count that may be or not be."""
    cards = rng.choice((rng.randrange(54), rng.choice((0, 1, 2, 3, 4, 26, 50, 51))))
    aces = rng.randrange(6)
    wrong = rng.random() < 0.05

    def sweeps(cards: int) -> int:
        return rng.choice((0, 0, 1, cards // 2, cards // 2 + 1, rng.randrange(30)))

    second = max(0, 52 - cards) + wrong
    if rng.random() < 0.05:
        return replace(NOTHING, ten=rng.choice((None, None, 0)))
    return DealCount(
        cards=(cards, second),
        aces=(aces, max(0, 4 - aces)),
        ten=rng.choice((0, 1, 0, 1, None)),
        two=rng.choice((0, 1, 0, 1, None)),
        xeri=(sweeps(cards), sweeps(second)),
        xeristaki=(rng.choice((0, 0, 0, 1)), 0),
    )


def said_of(book: Book) -> dict[str, Any]:
    """What the script should say of a sheet."""
    return {
        "scores": list(book.scores),
        "winner": book.winner,
        "nextDealer": book.next_dealer,
        "entered": book.entered,
        "rows": [
            [
                row.deal,
                row.number,
                row.dealer,
                [sheet.total for sheet in row.score.sheets],
                shared_points(row.score.sheets),
                list(row.score.scores),
                row.is_counted,
                row.is_doubtful,
                book.may_remove(row),
                [entry.id for entry in row.versions],
                [entry.id for entry in row.rivals],
            ]
            for row in book.rows
        ],
    }


SAID = """(sheets) => sheets.map((entries) => {
  const book = bookOf(entries, facts);
  const rows = book.rows.map((row) => [row.deal, row.number, row.dealer, row.points, row.shared,
    row.totals, row.isCounted, row.isDoubtful, row.mayRemove,
    row.versions.map((entry) => entry.id), row.rivals.map((entry) => entry.id)]);
  const { scores, winner, nextDealer, entered } = book;
  return { scores, winner, nextDealer, entered, rows };
})"""


def random_sheets(number: int) -> list[Book]:
    rng = random.Random(7)
    books = [Book(entries) for seed in range(number // 6) for entries in random_devices(seed)]
    while len(books) < number:
        base = RULE_SETS[rng.choice(("classic", "taverna"))]
        rules = replace(
            base,
            players=rng.choice((2, 4)),
            target=rng.choice((11, 21, 61)),
            xeri_points=rng.choice((10, 5, 0)),
            xeristaki_points=rng.choice((0, 5)),
        )
        names = ("A", "B", "C", "D")[: rules.players]
        setup = Setup(names, rules, rng.randrange(rules.players))
        pen = scribe(first_entries(setup, name="setup"))
        while len(pen.book.rows) < rng.randrange(1, 12):
            count = random_count(rng)
            if refusal_of(count, rules) is None:
                pen.enter(count)
        books.append(pen.book)
    return books


def test_page_and_server_agree_on_hundreds_of_sheets(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    books = random_sheets(400)
    said = page.evaluate(SAID, [write_entries(book.entries) for book in books])
    assert said == [said_of(book) for book in books]
    assert {book.winner for book in books} == {None, 0, 1}
    assert any(book.entered > len(book.rows) for book in books)
    assert page.evaluate("facts.points") == item_points()


@pytest.mark.proof
def test_page_and_server_refuse_the_same_counts(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    rng = random.Random(11)
    counts = [random_count(rng) for _ in range(4000)]
    found = set()
    for base, rules in RULE_SETS.items():
        for points in (0, 5):
            here = replace(rules, xeristaki_points=points)
            said = page.evaluate(
                "([counts, base, points]) => counts.map((count) => refusalOf(count, {"
                "...facts.bases[base], xeristaki_points: points }, facts))",
                [[write_count(count) for count in counts], base, points],
            )
            for count, one in zip(counts, said):
                refusal = refusal_of(count, here)
                if refusal is None:
                    assert one is None, count
                    continue
                found.add(refusal.name)
                side = {} if refusal.side is None else {"side": refusal.side}
                assert one == {"name": refusal.name, **side, **dict(refusal.numbers)}, count
    assert len(found) == 12


# --- How it looks -------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_sheet_in_every_language(open_page: OpenPage, language: str) -> None:
    page = begin_sheet(open_page, locale=language, players=4)
    errors: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    page.on("console", hear)
    page.reload()
    before = page.locator("#next").inner_text()
    fill_count(page, 28, 3, 0, 1)
    page.click("#enter")
    row_count(page, 1)
    assert page.locator("#next").inner_text() != before
    own = page.locator("#deals .more").inner_text()
    meet(page)
    page.reload()
    page.wait_for_load_state()
    assert page.locator("#deals .more").inner_text() == own
    raw = page.evaluate("fetch(location.href).then((answer) => answer.text())")
    for line in own.splitlines():  # the server says the same
        assert line.strip() == "" or line.strip().lower() in raw.lower(), line
    assert "{" not in page.locator("main").inner_text()
    assert errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_when_a_match_is_over(open_page: OpenPage, scheme: str) -> None:
    page = begin_sheet(open_page, color_scheme=scheme, target=9)
    fill_count(page, 28, 3, 0, 1)
    page.click("#enter")
    for shown in (page, open_page(page.input_value("#look-link"), color_scheme=scheme)):
        found = Axe().run(shown)
        assert found.violations_count == 0, found.generate_report()


def test_paper_has_the_sheet_and_nothing_else(open_page: OpenPage) -> None:
    page = begin_sheet(open_page)
    fill_count(page, 28, 3, 0, 1)
    page.click("#enter")
    page.emulate_media(media="print")
    for seen in (".standing", "#deals", "h1"):
        assert page.is_visible(seen)
    for unseen in ("#count", ".share", "header", "footer", "#deals .correct", "details.setup"):
        assert not page.is_visible(unseen)


def test_it_works_without_script(open_page: OpenPage) -> None:
    page = begin_sheet(open_page, java_script_enabled=False)
    fill_count(page, 28, 3, 0, 1)
    page.click("#enter")
    row_count(page, 1)
    page.click("#deals .correct")
    fill_count(page, 30, 3, 0, 1)
    page.fill("input[name=cards1]", "22")
    page.click("#enter")
    expect(page.locator("#deals")).to_contain_text("30:22")
    page.click("#deals .remove")
    row_count(page, 0)
