"""Two tables that look the same: other hidden cards change no byte of what a seat is told."""

from __future__ import annotations

import json
import random
import re
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cache
from itertools import starmap
from urllib.parse import urlencode, urlsplit

import pytest

from diloti.core.cards import cards_in
from diloti.core.notation import format_card, format_play
from diloti.core.plays import Play, legal_plays
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.shuffle import SEED_SIZE, Shuffle
from diloti.web.identity import Identity
from diloti.web.live import ALIVE, COMMENT
from diloti.web.room import Room, Seat, Settings
from diloti.web.store import Kept, Store
from tests.secrecy import assert_silent
from tests.thinking import INTERPRETED
from tests.web_browser import run
from tests.web_server import Server

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a server takes long to start interpreted")

PAIRS = [(rules, seed) for rules in (CLASSIC, TAVERNA) for seed in range(3)]
"""Of what twins are made."""
KEY = "the same key"
MINE = 0
HOST = "table.example"
_DATE = re.compile(rb"(?m)^date: .*\r\n", re.IGNORECASE)
_BEATS = [b"%x\r\n%s\r\n" % (len(beat), beat.encode()) for beat in (COMMENT, ALIVE)]
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


def dealt(rules: Rules, pack: Sequence[int], name: str) -> Room:
    people = [Seat(name=f"Kastor {seat}", person=f"{name}/{seat}") for seat in range(rules.players)]
    room = Room.lay(rules, people, Settings(), first_dealer=0, invitation=f"come-{name}")
    room.match.deal_pack(pack, pack)
    room.number += 1
    return room


@cache
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
            kind, body = "application/json", json.dumps(form)
        else:
            token = self._identity.form_token(self._person)
            kind, body = (
                "application/x-www-form-urlencoded",
                urlencode(form | {"form_token": token}),
            )
        return self._all(self._open("POST", path, kind, body.encode()))

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
        told = _DATE.sub(b"", self._told)
        for beat in _BEATS:
            told = told.replace(beat, b"")
        return told

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
        for pair in starmap(twins, PAIRS):
            people = [seat.person for seat in pair.rooms[0].seats]
            assert_silent(log, pair.rooms[0], KEY, *map(Identity(KEY).sign, people))


async def lay_twins(database: str, which: int) -> None:
    async with Store.open(database) as store:
        await store.secret("signing key", KEY)
        for pair in starmap(twins, PAIRS):
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
        told += [one.get(f"{page}/hint?number={number}") for one in (me, guest)]
        told += [one.get(f"{api}/hint") for one in (myself, watcher)]
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


@pytest.mark.parametrize(
    ("rules", "seed"),
    [
        pytest.param(
            rules, seed, id=f"{rules.players}-{seed}", marks=pytest.mark.proof if seed else ()
        )
        for rules, seed in PAIRS
    ],
)
def test_other_hidden_cards_change_no_byte(
    two_servers: tuple[Server, Server], rules: Rules, seed: int
) -> None:
    pair = twins(rules, seed)
    assert len(pair.plays) > 2 * rules.players
    with ExitStack() as stack:
        one, other = (told_by(server, pair, stack) for server in two_servers)
    for number, (first, second) in enumerate(zip(one, other, strict=True)):
        assert first == second, number
    statuses = {told.split(b" ", 2)[1] for told in one}
    assert statuses == {b"200", b"204", b"303", b"400", b"409", b"422"}
    holders = [seat.person for seat in pair.rooms[0].seats[1:]]
    hands = [
        [Raw(server, who).get(f"/table/{pair.name}") for who in holders] for server in two_servers
    ]
    assert sum(first != second for first, second in zip(*hands, strict=True)) == 1
