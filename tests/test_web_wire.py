"""Every byte on the wire: no card that a seat has not seen, no trace of one, and none in the log.

People, onlookers and programs each reach the server through a forwarder of their own that keeps
what went by. Afterwards the match is taken from the database and shows who had seen what by when.
"""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
import select
import socket
import socketserver
import sqlite3
import threading
import time
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import h11
import httpx2
import pytest
from playwright.sync_api import Browser, Page

from diloti.core.cards import cards_in
from diloti.core.errors import NotationError
from diloti.core.match import Match
from diloti.core.notation import (
    RANK_SIGNS,
    SUIT_SIGNS,
    SUIT_SYMBOLS,
    format_card,
    format_play,
    parse_card,
    parse_play,
)
from diloti.core.plays import Play, legal_plays
from diloti.core.position import side_of
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.shuffle import SEED_SIZE, Shuffle
from diloti.web.identity import COOKIE, Identity
from diloti.web.room import Room, Seat, Settings
from diloti.web.store import Kept, Store
from diloti.words import LANGUAGES, Words
from diloti.words.cards import card_name, card_sign
from tests.thinking import INTERPRETED
from tests.web_browser import table_of
from tests.web_server import Server, needs_chromium

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a server takes long to start interpreted")

Result = TypeVar("Result")

ALL = (1 << 52) - 1
State = tuple[int, int]
"""Which deal of the match it is, and how many plays have been made in it."""

# --- The cards that a text names ---------------------------------------------------

_TOKEN = re.compile(r"[\w\[\]+^=*~-]+")
_NOTATION = re.compile(r"(?:[hpt]-)?(?:[A2-9TJQK][cdhs]|[\[\]x+^])+(?:=\d+)?[*~]?")
_ARTICLE = re.compile(r"\bAs(?= [^\W\dA-Z])")
"""The Portuguese word, which no ace of spades stands before."""
_CARD = re.compile(r"([A2-9TJQK])([cdhs])")
_SIGN = re.compile(rf"(10|[A2-9JQK])([{SUIT_SYMBOLS}])")
_FACE = re.compile(r'class="face ([cdhs])"[^>]*><b>(10|[A2-9JQK])</b>')
_NAMES = {card_name(Words(language), card): card for language in LANGUAGES for card in range(52)}


def _card(rank: str, suit: str) -> int:
    return RANK_SIGNS.index(rank.replace("10", "T")) * 4 + SUIT_SIGNS.index(suit)


def in_notation(text: str) -> set[int]:
    """Cards as `Td`, by themselves or in plays; not those within random words."""
    tokens = [
        token for token in _TOKEN.findall(_ARTICLE.sub("", text)) if _NOTATION.fullmatch(token)
    ]
    return {_card(*found) for token in tokens for found in _CARD.findall(token)}


def in_signs(text: str) -> set[int]:
    return {_card(rank, SUIT_SIGNS[SUIT_SYMBOLS.index(suit)]) for rank, suit in _SIGN.findall(text)}


def in_words(text: str) -> set[int]:
    lower = text.lower()
    return {card for name, card in _NAMES.items() if name in lower}


def in_faces(text: str) -> set[int]:
    return {_card(rank, suit) for suit, rank in _FACE.findall(text)}


FORMS = (in_notation, in_signs, in_words, in_faces)


def _examples() -> list[str]:
    """What is said to everybody who writes a card or a play that is none."""
    told = []
    for read in (parse_card, parse_play):
        with pytest.raises(NotationError) as refused:
            read("??")
        told += [Words(language).error(refused.value) for language in LANGUAGES]
    return [*told, *(json.dumps(example, ensure_ascii=False)[1:-1] for example in told)]


EXAMPLES = _examples()


def named(text: str) -> set[int]:
    """The cards that a text names, in whatever form."""
    for example in EXAMPLES:
        text = text.replace(example, "")
    return {card for form in FORMS for card in form(text)}


def texts_of(card: int) -> list[str]:
    """Texts that give a card away."""
    text, sign = format_card(card), card_sign(card)
    face = f'<span class="face {text[1]}" aria-hidden="true"><b>{sign[:-1]}</b>'
    names = [card_name(Words(language), card) for language in LANGUAGES]
    return [f'"{text}"', f"h-{text}", f"{text}x{text}*", f"{text}+[{text}]=6", sign, face, *names]


# --- What went by on a wire ---------------------------------------------------


class _Pipe(socketserver.BaseRequestHandler):
    """A connection: passes on what comes from either end, kept first."""

    server: Wire

    def handle(self) -> None:
        here, talk = self.request, next(self.server.talks)
        try:
            with socket.create_connection(self.server.to) as there:
                for one in (here, there):  # at once, as without a forwarder
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while True:
                    for one in select.select([here, there], [], [])[0]:
                        piece = one.recv(1 << 16)
                        if not piece:
                            return
                        self.server.pieces.append((talk, one is there, piece))
                        (here if one is there else there).sendall(piece)
        except OSError:  # an end is gone, as when the server was killed
            return


class Wire(socketserver.ThreadingTCPServer):
    """A way to the server that keeps every byte, in the order of its coming."""

    daemon_threads = True

    def __init__(self, server: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Pipe)
        host, _, port = urlsplit(server.address).netloc.partition(":")
        self.to = host, int(port)
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"
        self.talks = count()
        self.pieces: list[tuple[int, bool, bytes]] = []
        """By connection: whether it comes from the server, and what comes."""
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def server_close(self) -> None:
        self.shutdown()
        super().server_close()


@dataclass
class Heard:
    """An answer, or an event of a stream: what was asked, and all the text that came of it."""

    asked: str
    status: int
    text: str

    @property
    def state(self) -> State | None:
        """The state of the table that it shows, where it does."""
        if board := re.search(r'data-deal="(\d+)" data-played="(\d+)"', self.text):
            return int(board[1]), int(board[2])
        if deal := re.search(r'"deal": ?(\d+)', self.text):
            plays = re.search(r'"plays": ?(\d+)', self.text)
            return int(deal[1]), int(plays[1]) if plays else 0
        return None


@dataclass
class _Talk:
    """The two ends of a connection, followed by what they say."""

    browser: h11.Connection = field(default_factory=lambda: h11.Connection(h11.SERVER))
    server: h11.Connection = field(default_factory=lambda: h11.Connection(h11.CLIENT))
    asked: str = ""
    status: int = 0
    is_stream: bool = False
    body: bytes = b""

    def hear(self, is_answer: bool, piece: bytes) -> Iterator[Heard]:
        speaker, listener = self.browser, self.server
        if is_answer:
            speaker, listener = listener, speaker
        speaker.receive_data(piece)
        while isinstance(event := speaker.next_event(), h11.Event):
            if not isinstance(event, h11.ConnectionClosed):
                listener.send(event)
            if isinstance(event, h11.Request):
                self.asked = f"{event.method.decode()} {event.target.decode()}"
            elif isinstance(event, h11.Response):
                self.status = event.status_code
                head = b"\n".join(b": ".join(line) for line in event.headers.raw_items())
                self.is_stream = b"text/event-stream" in head
                self.body = head + b"\n\n"
            elif is_answer and isinstance(event, h11.Data):
                self.body += event.data
                while self.is_stream and b"\n\n" in self.body:
                    one, _, self.body = self.body.partition(b"\n\n")
                    yield self.told(one)
            elif is_answer and isinstance(event, h11.EndOfMessage):
                yield from self.rest()
        if self.browser.our_state is self.browser.their_state is h11.DONE:
            self.browser.start_next_cycle()
            self.server.start_next_cycle()

    def rest(self) -> Iterator[Heard]:
        """What has come without an end."""
        if self.body:
            yield self.told(self.body)
        self.body = b""

    def told(self, body: bytes) -> Heard:
        if "/static/" in self.asked:  # the same for everybody, and compressed
            return Heard(self.asked, self.status, "")
        text = body.decode(errors="replace")
        plain = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
        return Heard(self.asked, self.status, html.unescape(plain))


def heard_on(wire: Wire) -> list[Heard]:
    """All that came over a wire from the server, in the order of its end."""
    talks: dict[int, _Talk] = {}
    heard: list[Heard] = []
    for talk, is_answer, piece in wire.pieces:
        heard += talks.setdefault(talk, _Talk()).hear(is_answer, piece)
    for left in talks.values():
        assert left.server.trailing_data[0] == b""
        heard += left.rest()
    return heard


def seen_by(match: Match, seat: int | None) -> dict[State, int]:
    """What a seat had seen in each state of a match, or an onlooker: worked out from all cards."""
    seen = {(0, 0): 0}
    for number, log in enumerate(match.deals, start=1):
        again = Match(match.rules, first_dealer=log.dealer)
        again.deal_pack(log.pack, log.final)
        cards = 0
        for place, card in enumerate(log.position.shown or ()):
            if card is not None and seat is not None and side_of(place) == side_of(seat):
                cards |= 1 << card
        for played, play in enumerate([None, *log.plays]):
            if play is not None:
                again.play(play)
                cards |= 1 << play.card
            here = again.position
            cards |= here.loose | (0 if seat is None else here.hands[seat])
            seen[number, played] = ALL if here.is_over else cards
    return seen


def leaks(heard: Iterable[Heard], seen: Mapping[State, int]) -> list[tuple[Heard, set[int]]]:
    """The texts that name a card unseen: in the state they show, or else in the last one shown."""
    state: State = (0, 0)
    found = []
    for one in heard:
        state = one.state or state
        unseen = {card for card in named(one.text) if not seen[state] >> card & 1}
        if unseen:
            found.append((one, unseen))
    return found


def assert_tight(heard: list[Heard], seen: Mapping[State, int]) -> None:
    """No leak in what was heard, and the check finds one wherever it is put in."""
    assert [(one.asked, one.text[:300], cards) for one, cards in leaks(heard, seen)] == []
    shown = [one for one in heard if one.state is not None and seen[one.state] != ALL]
    assert {one.state for one in shown} >= {state for state in seen if state[1]} - over(seen)
    for one in shown[:: max(1, len(shown) // 5)]:
        assert one.state is not None
        unseen = next(cards_in(ALL & ~seen[one.state]))
        for text in texts_of(unseen):
            planted = Heard(one.asked, one.status, f"{one.text} {text} ")
            later = Heard("GET choices", 200, f"<b>{text}</b>")
            assert [cards for _one, cards in leaks([planted], seen)] == [{unseen}], text
            assert [cards for _one, cards in leaks([one, later], seen)] == [{unseen}], text


def over(seen: Mapping[State, int]) -> set[State]:
    return {state for state, cards in seen.items() if cards == ALL}


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run something in a thread of its own, since that of browsers has a loop already."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, work).result()


def read_room(database: str, table: str) -> Room:
    """A table as a server that has ended has left it."""

    async def read() -> Room:
        async with Store.open(database) as store:
            kept = await store.load(table)
            assert kept is not None
            return Room.read(kept.body)

    return run(read())


def assert_silent(log: str, room: Room, *more: str) -> None:
    """Nothing in a log of the cards, the names, the people or the secrets of a table."""
    secrets = [text for seat in room.seats for text in (seat.name, seat.person)]
    for secret in (*secrets, room.invitation, *more):
        assert not secret or secret not in log, secret
    assert named(log) == set()
    assert "Started server process" in log


# --- People in browsers ---------------------------------------------------

_ASK = """([path, form]) => fetch(path, form && {
    method: "POST", body: new URLSearchParams(form), headers: {"x-diloti": "1"},
}).then((answer) => answer.text().then(() => answer.status))"""
_FILL = """(values) => {
    const form = document.querySelector("form[action='/new']");
    for (const [name, value] of Object.entries(values)) {
        for (const old of form.querySelectorAll(`[name='${name}']`)) old.remove();
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name, value });
        form.append(field);
    }
}"""


def ask_amiss(page: Page) -> None:
    """Ask for what is refused, is too late or is not there."""
    table = f"/table/{table_of(page)}"
    token = page.get_attribute("#table", "data-form-token")
    number = page.get_attribute("#board", "data-number")
    mine = page.query_selector("#board[data-my-turn]") is not None
    has_seat = page.query_selector(".hand") is not None
    lying = page.get_attribute(".cloth [data-card]", "data-card") or "??"
    form = {"form_token": token, "number": number, "play": lying}
    for path, fields, status in (
        (f"{table}/play", form, 422),
        (f"{table}/play", {**form, "number": "1"}, 409),
        (f"{table}/play", {**form, "form_token": "x"}, 403),
        (f"{table}/play", {**form, "play": "??"}, 422),
        (f"{table}/nothing", form, 404),
        (f"{table}/choices?number={number}&card={lying}", None, 422 if mine else 409),
        (f"{table}/choices?number=1&card={lying}", None, 409),
        (f"/table/none?card={lying}", None, 404),
        ("/table/none/events", None, 404),
        ("/games", None, 200),
        ("/tables", None, 200),
        (f"/sit/{table_of(page)}", None, 404),
    ):
        assert page.evaluate(_ASK, [path, fields]) == status, path
    assert has_seat or not mine


@dataclass
class Company:
    """People at a table in browsers, the last of them an onlooker, each with a wire."""

    wires: list[Wire]
    pages: list[Page]
    table: str
    secrets: list[str]


@contextmanager
def company(
    browser: Browser, server: Server, languages: Sequence[str], **form: str
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
        first.evaluate(_FILL, {"name": "Persephone", **form})
        first.click("button.go")
        invitation = urlsplit(first.input_value("#invitation")).path
        onlooker.goto(f"/table/{table_of(first)}")
        for page in others:
            page.goto(invitation)
            page.fill("input[name=name]", "Hippolytos")
            page.click("button.go")
            page.wait_for_selector("#board")
        for page in pages:
            page.wait_for_selector("#board[data-phase='playing']")
            page.wait_for_load_state()
        cookies = [cookie for page in pages for cookie in page.context.cookies()]
        secrets = [cookie["value"] for cookie in cookies if cookie["name"] == COOKIE]
        assert len(secrets) == len(pages)
        tokens = [page.get_attribute("#table", "data-form-token") or "?" for page in pages]
        yield Company(
            wires, pages, table_of(first), [*secrets, *tokens, invitation.removeprefix("/join/")]
        )


def play_largest(page: Page) -> None:
    """Make the last play that the first hand card with any offers: a capture where there is one."""
    number = page.get_attribute("#board", "data-number")
    for card in page.query_selector_all(".hand label"):
        page.eval_on_selector("#choices", "(choices) => choices.replaceChildren()")
        card.dispatch_event("click")
        page.wait_for_selector("#choices .offers button, #choices .refusal")
        if offers := page.query_selector_all("#choices .offers button"):
            offers[-1].dispatch_event("click")
            page.wait_for_selector(f"#board:not([data-number='{number}'])")
            return
    raise AssertionError("no card can be played")


def all_see(pages: Sequence[Page], number: str | None) -> None:
    for page in pages:
        page.wait_for_selector(f"#board[data-number='{number}']")


def play_match(company: Company, server: Server, *, amiss_at: Sequence[int]) -> None:
    """Play until the match is over; after some plays everything goes wrong that can."""
    *players, _onlooker = pages = company.pages
    plays = 0
    while not players[0].query_selector("#board[data-phase='over']"):
        if players[0].query_selector("#board[data-phase='counting']"):
            for page in players:
                number = page.get_attribute("#board", "data-number")
                page.click("#sheet button.go")
                page.wait_for_selector(f"#board:not([data-number='{number}'])")
                all_see(pages, page.get_attribute("#board", "data-number"))
            continue
        if shower := next((p for p in players if p.query_selector("button[name=show]")), None):
            number = shower.get_attribute("#board", "data-number")
            shower.click(".hand label")
            shower.click("button[name=show]")
            shower.wait_for_selector(f"#board:not([data-number='{number}'])")
            all_see(pages, shower.get_attribute("#board", "data-number"))
            continue
        if plays in amiss_at:
            for page in pages:
                ask_amiss(page)
            server.kill()
            server.start()
            for page in pages:
                page.wait_for_selector("#offline", state="hidden")
                page.reload()
        page = next(page for page in players if page.query_selector("#board[data-my-turn]"))
        play_largest(page)
        all_see(pages, page.get_attribute("#board", "data-number"))
        plays += 1


def check_match(
    browser: Browser, folder: Path, languages: Sequence[str], amiss_at: Sequence[int], **form: str
) -> Room:
    """Have a match played, and look at all that came to each of those at the table."""
    server = Server(str(folder / "tables.db"), folder / "log")
    server.start()
    try:
        with company(browser, server, languages, **form) as here:
            play_match(here, server, amiss_at=amiss_at)
    finally:
        server.stop()
    room = read_room(server.database, here.table)
    assert room.match.is_over
    for seat, wire in enumerate(here.wires):
        heard = heard_on(wire)
        assert {one.status for one in heard} >= {200, 403, 404, 409, 422}
        assert_tight(heard, seen_by(room.match, seat if seat < len(room.seats) else None))
    assert_silent(server.log.read_text(), room, *here.secrets)
    return room


@needs_chromium
def test_browsers_are_told_of_no_card_unseen(browser: Browser, tmp_path: Path) -> None:
    room = check_match(browser, tmp_path, ["en", "el", "ru"], [5], switch_target="1")
    assert len(room.match.deals) >= 1


LONG = {"xeri_points": 0, "xeristaki_points": 0, "target": 12}
"""A deal is worth 11 points at most then, so a match has several."""
LONG_FORM = {f"switch_{switch}": str(value) for switch, value in LONG.items()}


@pytest.mark.proof
@needs_chromium
@pytest.mark.parametrize("languages", [("ru", "pt", "el"), ("el", "en", "pt")])
def test_browsers_are_told_of_no_card_unseen_in_a_whole_match(
    browser: Browser, tmp_path: Path, languages: Sequence[str]
) -> None:
    room = check_match(browser, tmp_path, languages, [0, 20, 47, 70], **LONG_FORM)
    assert len(room.match.deals) > 1


@pytest.mark.proof
@needs_chromium
def test_partners_in_browsers_are_told_of_no_card_unseen(browser: Browser, tmp_path: Path) -> None:
    languages = ("en", "el", "ru", "pt", "en")
    form = {**LONG_FORM, "switch_partners_show_card": "True", "players": "4"}
    room = check_match(browser, tmp_path, languages, [0, 11, 50], rules="taverna", **form)
    assert len(room.match.deals) > 1
    assert all(log.position.shown for log in room.match.deals)


# --- Programs ---------------------------------------------------


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
        number, lying = frame["number"], (frame["view"]["loose"] or ["Td"])[0]
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


def play_programs(server: Server, wires: Sequence[Wire], rules: Any, stack: ExitStack) -> Room:
    """Have a match played by programs, the last one looking on, and look at what they were told."""
    programs = [stack.enter_context(closing(Program(wire))) for wire in wires]
    *players, onlooker = programs
    free = ["free"] * (len(players) - 1)
    laid = (
        players[0]
        .client.post("tables", json={"seats": ["me", *free], "name": "Persephone", "rules": rules})
        .json()
    )
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
            card = next(cards for cards in players[1].frame()["view"]["hands"] if cards != 6)[0]
            players[1].command("show", number=frame["number"], card=card)
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
    tokens = [program.token for program in programs]
    stack.close()
    server.stop()
    room = read_room(server.database, laid["table"])
    for seat, wire in enumerate(wires):
        heard = heard_on(wire)
        assert {one.status for one in heard} >= {200, 400, 401, 404, 409, 422}
        assert_tight(heard, seen_by(room.match, seat if seat < len(players) else None))
    assert_silent(server.log.read_text(), room, laid["invitation"], *tokens)
    return room


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
    tmp_path: Path, players: int, rules: dict[str, Any]
) -> None:
    server = Server(str(tmp_path / "tables.db"), tmp_path / "log")
    server.start()
    with ExitStack() as stack:
        stack.callback(server.stop)
        wires = [stack.enter_context(Wire(server)) for _ in range(players + 1)]
        room = play_programs(server, wires, rules, ExitStack())
        assert room.match.is_over
        assert (len(room.match.deals) > 1) == (rules.get("target") != 1)


# --- Two tables that look the same ---------------------------------------------------

KEY = "the same key"
MINE = 0
HOST = "table.example"
_DATE = re.compile(rb"(?m)^date: .*\r\n", re.IGNORECASE)
_ALIVE = b"9\r\n: alive\n\n\r\n"
_STRANGE = re.compile(
    rb'(?m)^set-cookie: diloti=.*\r\n|form[_-]token"?( value)?="[0-9a-f]{32}"', re.IGNORECASE
)
"""What is another one for everybody who comes without a cookie."""


@dataclass
class Twins:
    """Two rooms that look the same to one seat and to onlookers, and plays they both take."""

    name: str
    rooms: tuple[Room, Room]
    kept: list[int]
    """The cards that have changed places: one of another hand, one of the stock."""
    plays: list[tuple[int, Play]]

    @property
    def rules(self) -> Rules:
        return self.rooms[0].rules


def dealt(rules: Rules, pack: Sequence[int], name: str) -> Room:
    people = [Seat(name=f"Kastor {seat}", person=f"{name}/{seat}") for seat in range(rules.players)]
    room = Room.lay(rules, people, Settings(), first_dealer=0, invitation=f"come-{name}")
    room.match.deal_pack(pack, pack)
    room.number += 1
    return room


def twins(rules: Rules, seed: int) -> Twins:
    """Two deals that differ in what one seat and onlookers cannot see, and a few plays."""
    name = f"twins-{rules.players}-{seed}"
    dice = random.Random(seed)
    pack = list(Shuffle(seed.to_bytes(SEED_SIZE, "big")).pack(rules))
    here = dealt(rules, pack, name).match.position
    hidden = [dice.choice(list(cards_in(here.hands[seat]))) for seat in range(1, rules.players)]
    kept = [dice.choice(hidden), dice.choice(list(here.stock))]
    swap = dict(zip(kept, reversed(kept), strict=True))
    packs = pack, [swap.get(card, card) for card in pack]
    one, other = (dealt(rules, cards, name) for cards in packs)
    plays = []
    for _ in range(5 * rules.players):
        both = [play for play in legal_plays(one.match.position) if play.card not in kept]
        both = [play for play in both if play in legal_plays(other.match.position)]
        if not both:
            break
        assert one.turn is not None
        plays.append((one.turn, dice.choice(both)))
        for room in (one, other):
            room.play(*plays[-1])
    again = dealt(rules, packs[0], name), dealt(rules, packs[1], name)
    return Twins(name, again, kept, plays)


SEEDS = range(3)
PAIRS = {(rules, seed): twins(rules, seed) for rules in (CLASSIC, TAVERNA) for seed in SEEDS}


class Raw:
    """Somebody who speaks to a server by hand, and takes down every byte of the answers."""

    def __init__(self, server: Server, person: str = "", *, is_program: bool = False) -> None:
        host, _, port = urlsplit(server.address).netloc.partition(":")
        self._to = host, int(port)
        self._person = person
        self._is_program = is_program
        self._identity = Identity(KEY)

    def _open(self, method: str, path: str, kind: str = "", body: bytes = b"") -> socket.socket:
        lines = [f"{method} {path} HTTP/1.1", f"host: {HOST}", "connection: close"]
        if self._person:
            token = self._identity.sign(self._person)
            lines.append(
                f"authorization: Bearer {token}" if self._is_program else f"cookie: diloti={token}"
            )
        if kind:
            lines += [f"content-type: {kind}", f"content-length: {len(body)}", "x-diloti: 1"]
        asking = socket.create_connection(self._to, timeout=30)
        asking.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        return asking

    def _all(self, asking: socket.socket) -> bytes:
        with asking:
            told = b"".join(iter(lambda: asking.recv(1 << 16), b""))
        return _DATE.sub(b"", told)

    def get(self, path: str) -> bytes:
        return self._all(self._open("GET", path))

    def send(self, path: str, **form: object) -> bytes:
        """A form, or JSON where it is a program that sends it."""
        if self._is_program:
            return self._all(
                self._open("POST", path, "application/json", json.dumps(form).encode())
            )
        form["form_token"] = self._identity.form_token(self._person)
        kind = "application/x-www-form-urlencoded"
        return self._all(self._open("POST", path, kind, urlencode(form).encode()))

    def listen(self, path: str) -> Stream:
        return Stream(self._open("GET", path))


class Stream:
    """A stream that has been opened."""

    def __init__(self, listening: socket.socket) -> None:
        self._socket = listening
        self._told = b""

    def until(self, number: int) -> bytes:
        """All that has come when the event of a number has."""
        event = re.compile(rb"\r\nid: %d\n.*\n\n\r\n" % number, re.DOTALL)
        while not event.search(self._told):
            piece = self._socket.recv(1 << 16)
            assert piece
            self._told += piece
        return _DATE.sub(b"", self._told).replace(_ALIVE, b"")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two servers with the same key and the tables of all twins, one of each."""
    servers = []
    for which in range(2):
        folder = tmp_path_factory.mktemp(f"twin{which}")
        server = Server(str(folder / "tables.db"), folder / "log")
        run(lay_twins(server.database, which))
        server.start()
        servers.append(server)
    yield servers[0], servers[1]
    for server in servers:
        server.stop()
        log = server.log.read_text()
        for pair in PAIRS.values():
            people = [seat.person for seat in pair.rooms[0].seats]
            assert_silent(log, pair.rooms[0], KEY, *map(Identity(KEY).sign, people))


async def lay_twins(database: str, which: int) -> None:
    async with Store.open(database) as store:
        await store.secret("signing key", KEY)
        for pair in PAIRS.values():
            room = pair.rooms[which]
            people = tuple(seat.person for seat in room.seats)
            kept = Kept(pair.name, room.number, room.body(), time.time(), room.invitation)
            await store.save(replace(kept, people=people), follows=-1)


def told_by(server: Server, pair: Twins, stack: ExitStack) -> list[bytes]:
    """Everything that a seat and onlookers are told while the plays of twins are made."""
    people = [seat.person for seat in pair.rooms[0].seats]
    page, api = f"/table/{pair.name}", f"/api/tables/{pair.name}"
    me, myself = Raw(server, people[MINE]), Raw(server, people[MINE], is_program=True)
    guest, watcher = Raw(server, "a guest"), Raw(server, "a guest", is_program=True)
    stranger = Raw(server)
    streams = [
        *(stack.enter_context(closing(one.listen(f"{page}/events"))) for one in (me, guest)),
        *(stack.enter_context(closing(one.listen(f"{api}/events"))) for one in (myself, watcher)),
    ]
    told = [one.get(path) for one in (me, guest) for path in (f"{page}/rules", "/games", "/new")]
    told += [myself.get("/api/tables")]
    number = pair.rooms[0].number
    for turn, play in pair.plays:
        for one in (me, guest):
            told += [one.get(page), one.get(f"{page}?seat=1")]
        told += [_STRANGE.sub(b"", stranger.get(page))]
        for program in (myself, watcher):
            told += [program.get(api), program.get(f"{api}?seat=1")]
        for text in map(format_card, range(52)):
            told += [me.get(f"{page}/choices?number={number}&card={text}")]
        for text in (*map(format_card, pair.kept), "6dx4s2c", "??"):
            here = {"number": number, "play": text}
            told += [one.send(f"{page}/play", **here) for one in (me, guest)]
            told += [
                one.send(f"{api}/commands", **here, command="play") for one in (myself, watcher)
            ]
            told += [me.get(f"{page}/choices?number={number}&card={text}&loose={text}")]
            told += [myself.send(f"{api}/fits", number=number, card=text)]
        form = {"number": number, "play": format_play(play)}
        if turn != MINE:
            Raw(server, people[turn]).send(f"{page}/play", **form)
        elif number % 3:
            told += [me.send(f"{page}/play", **form)]
        else:
            told += [myself.send(f"{api}/commands", **form, command="play")]
        told += [me.send(f"{page}/play", **form), guest.send(f"{page}/play", **form)]
        told += [myself.send(f"{api}/commands", **form, command="play")]
        number += 1
        told += [stream.until(number) for stream in streams]
    return told


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", [CLASSIC, TAVERNA])
def test_other_hidden_cards_change_no_byte(
    two_servers: tuple[Server, Server], rules: Rules, seed: int
) -> None:
    pair = PAIRS[rules, seed]
    assert len(pair.plays) > 2 * rules.players
    with ExitStack() as stack:
        one, other = (told_by(server, pair, stack) for server in two_servers)
    for number, (first, second) in enumerate(zip(one, other, strict=True)):
        assert first == second, number
    statuses = {told.split(b" ", 2)[1] for told in one}
    assert statuses == {b"200", b"204", b"400", b"409", b"422"}
    holders = [seat.person for seat in pair.rooms[0].seats[1:]]
    hands = [
        [Raw(server, who).get(f"/table/{pair.name}") for who in holders] for server in two_servers
    ]
    assert sum(first != second for first, second in zip(*hands, strict=True)) == 1


# --- The log when something breaks ---------------------------------------------------


def test_a_database_that_fails_puts_no_secret_in_the_log(tmp_path: Path) -> None:
    """What cannot be saved is told of in the log, but not what it was."""
    server = Server(str(tmp_path / "tables.db"), tmp_path / "log")
    server.start()
    try:
        with closing(httpx2.Client(base_url=f"{server.address}api/")) as client:
            token = client.post("people").json()["token"]
            client.headers |= {"authorization": f"Bearer {token}", "connection": "close"}
            laid = client.post(
                "tables", json={"seats": ["me", "free"], "name": "Persephone"}
            ).json()
            with closing(sqlite3.connect(server.database)) as database:
                for what in ("UPDATE", "INSERT"):
                    database.execute(
                        f"CREATE TRIGGER no_{what} BEFORE {what} ON rooms"
                        " BEGIN SELECT RAISE(ABORT, 'no room'); END"
                    )
            seat_a_bot = {"number": 0, "command": "bot", "seat": 1}
            table = laid["table"]
            assert client.post(f"tables/{table}/commands", json=seat_a_bot).status_code == 500
            anew = {"seats": ["me", "novice"], "name": "Persephone"}
            assert client.post("tables", json=anew).status_code == 500
    finally:
        server.stop()
    log = server.log.read_text()
    assert "no room" in log
    assert_silent(log, read_room(server.database, laid["table"]), token)
