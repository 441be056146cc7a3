"""Every byte on the wire: no card that a seat has not seen, no trace of one, and none in the log.

People, onlookers and programs each reach the server through a wire of their own that keeps what
went by. Afterwards the match is taken from the database and shows who had seen what by when.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from diloti.web.identity import COOKIE
from diloti.web.room import Room
from diloti.web.store import Store
from tests.secrecy import assert_silent, assert_tight, seen_by
from tests.thinking import INTERPRETED
from tests.web_browser import in_turn, play_something, run, sit_down, table_of
from tests.web_server import Server, needs_chromium
from tests.wire import Wire, heard_on

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a server takes long to start interpreted")

LONG = {"xeri_points": 0, "xeristaki_points": 0, "target": 12}
"""A deal is worth 11 points at most then, so a match has several."""
LONG_FORM = {f"switch_{switch}": str(value) for switch, value in LONG.items()}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(str(tmp_path / "tables.db"), tmp_path / "log")
    server.start()
    yield server
    server.stop()


def read_room(server: Server, table: str) -> Room:
    """A table as a server that has ended has left it."""

    async def read() -> Room:
        async with Store.open(server.database) as store:
            kept = await store.load(table)
            assert kept is not None
            return Room.read(kept.body)

    return run(read())


def assert_told(
    server: Server, table: str, wires: Sequence[Wire], statuses: set[int], secrets: Sequence[str]
) -> Room:
    """End a server after a match, and look at all that came to each seat and an onlooker."""
    server.stop()
    room = read_room(server, table)
    assert room.match.is_over
    for seat, wire in enumerate(wires):
        heard = heard_on(wire)
        assert {one.status for one in heard} >= statuses
        assert_tight(heard, seen_by(room.match, seat if seat < len(room.seats) else None))
    assert_silent(server.log.read_text(), room, *secrets)
    return room


# --- People in browsers -----------------------------------------------------------------

_ASK = """([path, form]) => fetch(path, form && {
    method: "POST", body: new URLSearchParams(form), headers: {"x-diloti": "1"},
}).then((answer) => answer.text().then(() => answer.status))"""
_FILL = """(form, values) => form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of Object.entries(values)) formData.set(name, value);
})"""


@dataclass
class Company:
    """People at a table in browsers, the last of them an onlooker, each with a wire."""

    wires: list[Wire]
    pages: list[Page]
    table: str
    secrets: list[str]


@contextmanager
def company(
    browser: Browser, server: Server, languages: Sequence[str], form: dict[str, str]
) -> Iterator[Company]:
    with ExitStack() as stack:
        wires = [stack.enter_context(Wire(server)) for _ in languages]
        pages = []
        for wire, language in zip(wires, languages, strict=True):
            context = browser.new_context(
                base_url=wire.address, locale=language, reduced_motion="reduce"
            )
            stack.callback(context.close)
            pages.append(context.new_page())
            pages[-1].set_default_timeout(15_000)
        first, *others, onlooker = pages
        first.goto("/new")
        first.eval_on_selector("form[action='/new']", _FILL, {"name": "Persephone", **form})
        first.click("button.go")
        invitation = urlsplit(first.input_value("#invitation")).path
        table = table_of(first)
        onlooker.goto(f"/table/{table}")
        for seat, page in enumerate(others, start=1):
            sit_down(page, invitation, "Hippolytos", seat)
        for page in pages:
            page.wait_for_selector("#board[data-phase='playing']")
            page.wait_for_load_state()
        cookies = [cookie for page in pages for cookie in page.context.cookies()]
        secrets = [cookie["value"] for cookie in cookies if cookie["name"] == COOKIE]
        assert len(secrets) == len(pages)
        tokens = [page.get_attribute("#table", "data-form-token") or "?" for page in pages]
        yield Company(wires, pages, table, [*secrets, *tokens, invitation.rpartition("/")[2]])


def ask_amiss(page: Page) -> None:
    """Ask for what is refused, is too late or is not there."""
    table = f"/table/{table_of(page)}"
    number = page.get_attribute("#board", "data-number")
    found = page.query_selector(".cloth [data-card]")
    lying = (found and found.get_attribute("data-card")) or "??"
    token = page.get_attribute("#table", "data-form-token")
    form = {"form_token": token, "number": number, "play": lying}
    unfit = 422 if page.query_selector("#board[data-my-turn]") else 409
    first = page.query_selector("#board[data-deal='1']")
    for path, fields, status in (
        (f"{table}/play", form, 422),
        (f"{table}/play", {**form, "number": "1"}, 409),
        (f"{table}/play", {**form, "form_token": "x"}, 403),
        (f"{table}/play", {**form, "play": "??"}, 422),
        (f"{table}/nothing", form, 404),
        (f"{table}/choices?number={number}&card={lying}", None, unfit),
        (f"{table}/choices?number=1&card={lying}", None, 409),
        (f"/table/none?card={lying}", None, 404),
        ("/table/none/events", None, 404),
        (f"{table}/match", None, 422),
        *([(f"{table}/record.txt", None, 200)] if first else []),  # later it tells earlier deals
        ("/games", None, 200),
        ("/tables", None, 200),
        (f"/sit/{table_of(page)}", None, 404),
    ):
        assert page.evaluate(_ASK, [path, fields]) == status, path


def press(page: Page, *what: str) -> None:
    number = page.get_attribute("#board", "data-number")
    for selector in what:
        page.click(selector)
    page.wait_for_selector(f"#board:not([data-number='{number}'])")


def play_match(here: Company, server: Server, amiss_at: Sequence[int]) -> None:
    """Play until the match is over; after some plays everything goes wrong that can."""
    *players, _onlooker = pages = here.pages

    def all_see(page: Page) -> None:
        number = page.get_attribute("#board", "data-number")
        for one in pages:
            one.wait_for_selector(f"#board[data-number='{number}']")

    plays = 0
    while not players[0].query_selector("#board[data-phase='over']"):
        if players[0].query_selector("#board[data-phase='counting']"):
            for page in players:
                press(page, "#sheet button.go")
                all_see(page)
            continue
        for page in players:
            if page.query_selector("button[name=show]"):
                press(page, ".hand label", "button[name=show]")
                all_see(page)
        if plays in amiss_at:
            for page in pages:
                ask_amiss(page)
            server.kill()
            server.start()
            for page in pages:
                page.wait_for_selector("#offline", state="hidden")
                page.reload()
        page = in_turn(players)
        play_something(page, -1)  # a capture where there is one
        all_see(page)
        plays += 1


def check_match(
    browser: Browser, server: Server, languages: Sequence[str], amiss_at: Sequence[int], **form: str
) -> Room:
    """Have a match played, and look at all that came to each of those at the table."""
    with company(browser, server, languages, form) as here:
        play_match(here, server, amiss_at)
    return assert_told(server, here.table, here.wires, {200, 403, 404, 409, 422}, here.secrets)


@needs_chromium
def test_browsers_are_told_of_no_card_unseen(browser: Browser, server: Server) -> None:
    check_match(browser, server, ["en", "el", "ru"], [5], switch_target="1")


@pytest.mark.proof
@needs_chromium
@pytest.mark.parametrize("languages", [("ru", "pt", "el"), ("el", "en", "pt")])
def test_browsers_are_told_of_no_card_unseen_in_a_whole_match(
    browser: Browser, server: Server, languages: Sequence[str]
) -> None:
    room = check_match(browser, server, languages, [0, 20, 47, 70], **LONG_FORM)
    assert len(room.match.deals) > 1


@pytest.mark.proof
@needs_chromium
def test_partners_in_browsers_are_told_of_no_card_unseen(browser: Browser, server: Server) -> None:
    languages = ("en", "el", "ru", "pt", "en")
    form = {**LONG_FORM, "switch_partners_show_card": "True", "players": "4", "rules": "taverna"}
    room = check_match(browser, server, languages, [0, 11, 50], **form)
    assert len(room.match.deals) > 1
    assert all(log.position.shown for log in room.match.deals)


# --- Programs ---------------------------------------------------------------------------


class Program:
    """A program with a token, a wire and the stream of a table."""

    def __init__(self, wire: Wire) -> None:
        self.client = httpx2.Client(base_url=f"{wire.address}api/", timeout=20)
        self.token = self.client.post("people").json()["token"]
        self.client.headers["authorization"] = f"Bearer {self.token}"
        self.table = ""
        self._stream = ExitStack()

    def watch(self, table: str) -> None:
        """Listen to a table from now on."""
        self._stream.close()
        self.table = table
        answer = self._stream.enter_context(self.client.stream("GET", f"tables/{table}/events"))
        self._lines = answer.iter_lines()

    def wait_for(self, number: int) -> None:
        """Listen until the table is in that state."""
        while next(self._lines) != f"id: {number}":
            pass
        while next(self._lines):
            pass

    def frame(self) -> dict[str, Any]:
        frame: dict[str, Any] = self.client.get(f"tables/{self.table}").json()
        return frame

    def post(self, what: str, **body: Any) -> httpx2.Response:
        return self.client.post(f"tables/{self.table}/{what}", json=body)

    def command(self, command: str, **body: Any) -> httpx2.Response:
        return self.post("commands", command=command, **body)

    def play_largest(self) -> int:
        """Make the last play that the first card with any offers; the number of the state then."""
        frame = self.frame()
        for card in frame["view"]["hands"][frame["seat"]]:
            fits = self.post("fits", number=frame["number"], card=card).json()
            if plays := [*fits["exact"], *fits["others"]]:
                play = plays[-1]
                done = self.command("play", number=frame["number"], play=play)
                assert done.status_code == 200
                return int(done.json()["number"])
        raise AssertionError(frame)

    def ask_amiss(self) -> None:
        """Ask for what is refused, is too late or is not there."""
        frame = self.frame()
        number, lying = frame["number"], frame["view"]["history"]["table"][0]  # seen by all
        for answer, status in (
            (self.command("play", number=number, play=lying), 422),
            (self.command("play", number=number, play="??"), 422),
            (self.command("play", number=1, play=lying), 409),
            (self.command("ready", number=number), 422),
            (self.command("win", number=number), 400),
            (self.post("fits", number=1, card=lying), 409),
            (self.post("seats", seat=0), 422),
            (self.client.get("tables/none"), 404),
            (self.client.get("nothing"), 404),
            (self.client.get(f"tables/{self.table}?seat=1"), 200),
            (self.client.get("tables", headers={"authorization": ""}), 401),
        ):
            assert answer.status_code == status, answer.text

    def close(self) -> None:
        self._stream.close()
        self.client.close()


def play_programs(server: Server, programs: Sequence[Program], rules: dict[str, Any]) -> list[str]:
    """Have a match played by programs, the last one looking on: its table and its invitation."""
    *players, onlooker = programs
    seats = ["me", *["free"] * (len(players) - 1)]
    laying = {"seats": seats, "name": "Persephone", "rules": rules}
    laid = players[0].client.post("tables", json=laying).json()
    for program in programs:
        program.watch(laid["table"])
    for seat, player in enumerate(players[1:], start=1):
        sitting = player.post("seats", seat=seat, name="Hippolytos", invitation=laid["invitation"])
        assert sitting.status_code == 200
    plays = 0
    while (frame := onlooker.frame())["phase"] != "over":
        if frame["phase"] == "counting":
            for player in players:
                assert player.command("ready", number=player.frame()["number"]).status_code == 200
            continue
        if rules["base"] == "taverna" and frame["view"]["plays"] == 0:
            card = players[1].frame()["view"]["hands"][1][0]
            showing = players[1].command("show", number=frame["number"], card=card)
            assert showing.status_code == 200
        if plays == 5:
            for program in programs:
                program.ask_amiss()
            server.kill()
            server.start()
            for program in programs:
                program.watch(laid["table"])
        number = players[frame["view"]["turn"]].play_largest()
        for program in programs:
            program.wait_for(number)
        plays += 1
    return [laid["table"], laid["invitation"]]


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (2, {"base": "classic", "target": 1}),
        pytest.param(2, {"base": "classic", **LONG}, marks=pytest.mark.proof),
        pytest.param(
            4, {"base": "taverna", **LONG, "partners_show_card": True}, marks=pytest.mark.proof
        ),
    ],
)
def test_programs_are_told_of_no_card_unseen(
    server: Server, players: int, rules: dict[str, Any]
) -> None:
    with ExitStack() as stack:
        wires = [stack.enter_context(Wire(server)) for _ in range(players + 1)]
        programs = [stack.enter_context(closing(Program(wire))) for wire in wires]
        table, invitation = play_programs(server, programs, rules)
    secrets = [invitation, *(program.token for program in programs)]
    room = assert_told(server, table, wires, {200, 400, 401, 404, 409, 422}, secrets)
    assert len(room.match.deals) > 1 or rules["target"] == 1


# --- The log when something breaks ------------------------------------------------------


def test_a_database_that_fails_puts_no_secret_in_the_log(server: Server) -> None:
    """What cannot be saved is told of in the log, but not what it was."""
    with closing(httpx2.Client(base_url=f"{server.address}api/")) as client:
        token = client.post("people").json()["token"]
        client.headers |= {"authorization": f"Bearer {token}", "connection": "close"}
        laying = {"seats": ["me", "free"], "name": "Persephone"}
        table = client.post("tables", json=laying).json()["table"]
        with closing(sqlite3.connect(server.database)) as database:
            for what in ("UPDATE", "INSERT"):
                database.execute(
                    f"CREATE TRIGGER no_{what} BEFORE {what} ON rooms"
                    " BEGIN SELECT RAISE(ABORT, 'no room'); END"
                )
        seat_a_bot = {"number": 0, "command": "bot", "seat": 1}
        assert client.post(f"tables/{table}/commands", json=seat_a_bot).status_code == 503
        anew = {"seats": ["me", "novice"], "name": "Persephone"}
        assert client.post("tables", json=anew).status_code == 503
    server.stop()
    log = server.log.read_text()
    assert "no room" in log
    assert_silent(log, read_room(server, table), token)
