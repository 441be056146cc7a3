"""What goes by between a server and those who speak with it: a wire that keeps it, and reads it."""

from __future__ import annotations

import html
import re
import select
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from urllib.parse import urlsplit

import h11

from tests.web_server import Server

State = tuple[int, int]
"""Which deal of the match it is, and how many plays have been made in it."""


class _Pipe(socketserver.BaseRequestHandler):
    """A connection: passes on what comes from either end, kept first."""

    server: Wire

    def handle(self) -> None:
        here, talk = self.request, next(self.server.talks)
        with suppress(OSError), socket.create_connection(self.server.to) as there:
            self.server.ends.add(here)
            for end in (here, there):  # at once, as without a wire
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                for end in select.select([here, there], [], [])[0]:
                    piece = end.recv(1 << 16)
                    if not piece:
                        return
                    self.server.pieces.append((talk, end is there, piece))
                    (here if end is there else there).sendall(piece)

    def finish(self) -> None:
        self.server.ends.discard(self.request)


class Wire(socketserver.ThreadingTCPServer):
    """A way to the server that keeps every byte, and of which all connections can be cut.

    Chromium's own switch refuses new connections and leaves the stream that is open as it is.
    """

    daemon_threads = True

    def __init__(self, server: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Pipe)
        host, _, port = urlsplit(server.address).netloc.partition(":")
        self.to = host, int(port)
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"
        self.talks = count()
        self.ends: set[socket.socket] = set()
        self.pieces: list[tuple[int, bool, bytes]] = []
        """In the order of coming: the connection, whether from the server, and what comes."""
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def cut(self) -> None:
        """Break the connections that are open; new ones can be made."""
        for end in tuple(self.ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def server_close(self) -> None:
        self.cut()
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
