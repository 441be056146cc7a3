"""How many tables one machine holds: people play live at all of them, and the wait is measured.

A server is started for the run. At every table two people have the page open and make a play every
two seconds in turn. As the page does, they ask what their cards can do until one can take
something, and make the last play that it offers; the time counts from sending it until both pages
have the new board. Clients and server share the cores of the machine. Only this machine is talked
to.

    python bench/table_load.py --tables 150 300 500
    python bench/table_load.py --database postgresql://… --workers 2
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

PERIOD = 2.0
"""Seconds from play to play at a table."""
PATIENCE = 20.0
"""Seconds after which a board that has not come counts as lost."""
AT_ONCE = 8
"""Tables that are laid at the same time."""

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")


class LostError(Exception):
    """A board that did not come."""


class Player:
    """Somebody with a page open at a table."""

    def __init__(self, connector: aiohttp.TCPConnector, address: str) -> None:
        self._session = aiohttp.ClientSession(
            address,
            connector=connector,
            connector_owner=False,
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            timeout=aiohttp.ClientTimeout(total=None),
        )
        self._token = ""
        self.board = ""
        self.number = -1
        self.came_at = 0.0
        self.came = asyncio.Event()
        self.stream: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Close the page."""
        if self.stream:
            self.stream.cancel()
            await asyncio.gather(self.stream, return_exceptions=True)
        await self._session.close()

    async def post(self, path: str, **form: str) -> aiohttp.ClientResponse:
        """Send a form; the answer, read to its end."""
        if not self._token:
            self._token = _found(r'name="form_token" value="(\w+)"', await self.get("/"))
        data = {"form_token": self._token, **form}
        async with self._session.post(path, data=data, headers={"x-diloti": "1"}) as answer:
            await answer.read()
            return answer

    async def get(self, path: str) -> str:
        """A page."""
        async with self._session.get(path, headers={"x-diloti": "1"}) as answer:
            return await answer.text()

    async def listen(self, table: str) -> None:
        """Take the boards of a table as they come."""
        async with self._session.get(f"{table}/events") as answer:
            event: list[bytes] = []
            async for line in answer.content:
                if line != b"\n":
                    event.append(line)
                    continue
                fields = dict(part.split(b": ", 1) for part in event if b": " in part)
                if b"id" in fields:
                    self.came_at = time.perf_counter()
                    self.number = int(fields[b"id"])
                    self.board = b"".join(event).decode()
                    self.came.set()
                event = []

    async def reach(self, number: int) -> None:
        """Wait for the board with this number or a later one."""
        while self.number < number:
            self.came.clear()
            try:
                await asyncio.wait_for(self.came.wait(), PATIENCE)
            except TimeoutError:
                raise LostError from None


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        raise LostError(pattern)
    return match[1]


@dataclass
class Tally:
    """What has been seen so far."""

    waits: list[float] = field(default_factory=list)
    """Seconds from a play to both pages."""
    late: int = 0
    """Plays that could not be sent when it was time."""
    lost: int = 0


async def lay(connector: aiohttp.TCPConnector, address: str) -> tuple[str, list[Player]]:
    """A table with two players, and its address."""
    players = [Player(connector, address) for _ in range(2)]
    answer = await players[0].post("/new", players="2", rules="classic", name="A")
    table = answer.url.path
    invitation = _found(r'value="(/join/[\w-]+)"', await players[0].get(table))
    await players[1].post(invitation, seat="1", name="B")
    return table, players


async def play_on(table: str, players: list[Player], tally: Tally, until: float) -> None:
    """Play at a table."""
    due = time.perf_counter() + random.random() * PERIOD
    while due < until:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tally.late += time.perf_counter() - due > PERIOD
        try:
            await _step(table, players, tally)
        except (LostError, aiohttp.ClientError):
            tally.lost += 1
        due = max(due + PERIOD, time.perf_counter())


async def _step(table: str, players: list[Player], tally: Tally) -> None:
    number = players[0].number
    mine = [player for player in players if 'data-my-turn="yes"' in player.board]
    if not mine:
        for count, player in enumerate(players):
            await player.post(f"{table}/ready", number=str(number + count))
        await asyncio.gather(*(player.reach(number + 2) for player in players))
        return
    player = mine[0]
    plays: list[str] = []
    for card in re.findall(r'name="card" value="(\w+)"', player.board):
        offered = await player.get(f"{table}/choices?number={number}&card={card}")
        plays = re.findall(r'name="play" value="([^"]+)"', offered) or plays
        if len(plays) > 1:
            break
    play = plays[-1]
    began = time.perf_counter()
    await asyncio.gather(
        player.post(f"{table}/play", number=str(number), play=play),
        *(one.reach(number + 1) for one in players),
    )
    tally.waits.append(max(one.came_at for one in players) - began)


@asynccontextmanager
async def server(database: str, workers: int) -> AsyncIterator[tuple[str, int]]:
    """A server of its own: its address, and its process."""
    command = [sys.executable, "-m", "diloti", "serve", "--lang", "en", "--port", "0"]
    command += ["--database", database, "--workers", str(workers)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "DILOTI_UNLIMITED": "1"},
    )
    assert process.stdout is not None
    try:
        line = next(line for line in process.stdout if "http://" in line)
        yield _found(r"(http://\S+)/", line), process.pid
    finally:
        process.terminate()
        process.wait(20)


def _family(pid: int) -> list[int]:
    """A process and those it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(other for child in children for other in _family(int(child)))]


def memory_of(pid: int) -> float:
    """Megabytes that a server has in memory."""
    pages = (int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in _family(pid))
    return sum(pages) * _PAGE_SIZE / 1e6


def busy_seconds(pid: int) -> float:
    """Seconds of a core that a server has used."""
    used = 0
    for one in _family(pid):
        numbers = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        used += int(numbers[11]) + int(numbers[12])
    return used / _TICKS


async def _quiet(pid: int) -> None:
    """Wait until a server has done what it does at its start."""
    used = -1.0
    while (now := busy_seconds(pid)) > used + 0.05:
        used = now
        await asyncio.sleep(1.0)


@dataclass(frozen=True)
class Figures:
    """What a run has shown; times in milliseconds, memory in kilobytes for each table."""

    tables: int
    plays_a_second: float
    median: float
    p95: float
    p99: float
    late: int
    lost: int
    server_cores: float
    client_cores: float
    idle_memory: float
    watched_memory: float

    def row(self) -> str:
        """A row of a table."""
        numbers = [f"{number:.2f}" for number in (self.server_cores, self.client_cores)]
        counts = [self.tables, self.plays_a_second, self.median, self.p95, self.p99]
        counts += [self.late, self.lost]
        memory = [self.idle_memory, self.watched_memory]
        cells = [f"{one:.0f}" for one in counts] + numbers + [f"{one:.0f}" for one in memory]
        return f"| {' | '.join(cells)} |"


HEAD = """\
| tables | plays/s | median ms | 95 % | 99 % | late | lost | server | clients | kB idle | watched |
|---|---|---|---|---|---|---|---|---|---|---|"""


async def measure(database: str, workers: int, tables: int, seconds: float) -> Figures:
    """Have this many tables played at."""
    async with (
        server(database, workers) as (address, pid),
        aiohttp.TCPConnector(limit=0) as connector,
        AsyncExitStack() as stack,
    ):
        few = asyncio.Semaphore(AT_ONCE)

        async def lay_one() -> tuple[str, list[Player]]:
            async with few:
                table, players = await lay(connector, address)
            for player in players:
                stack.push_async_callback(player.close)
            return table, players

        await lay_one()  # what is made once is made
        await _quiet(pid)
        empty = memory_of(pid)
        laid = await asyncio.gather(*(lay_one() for _ in range(tables)))
        idle = memory_of(pid)
        for table, players in laid:
            for player in players:
                player.stream = asyncio.create_task(player.listen(table))
        for _table, players in laid:
            for player in players:
                await player.reach(0)
        watched = memory_of(pid)
        tally = Tally()
        began, used, own = time.perf_counter(), busy_seconds(pid), time.process_time()
        await asyncio.gather(*(play_on(*table, tally, began + seconds) for table in laid))
        took = time.perf_counter() - began
        if len(tally.waits) < 2:
            raise LostError("nothing could be played")
        cuts = statistics.quantiles(tally.waits, n=100)
        return Figures(
            tables=tables,
            plays_a_second=len(tally.waits) / took,
            median=1000 * cuts[49],
            p95=1000 * cuts[94],
            p99=1000 * cuts[98],
            late=tally.late,
            lost=tally.lost,
            server_cores=(busy_seconds(pid) - used) / took,
            client_cores=(time.process_time() - own) / took,
            idle_memory=1000 * (idle - empty) / tables,
            watched_memory=1000 * (watched - empty) / tables,
        )


def main() -> int:
    """Measure, and print a table; 1 where a play was lost or the wait was too long."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--tables", type=int, nargs="+", default=[50, 150, 300, 450], metavar="N")
    add("--seconds", type=float, default=30.0, help="how long each number of tables is played at")
    add("--database", default="", help="otherwise a SQLite file of the run's own")
    add("--workers", type=int, default=1, help="processes that serve")
    add("--at-most", type=float, metavar="MS", help="fail where 99 %% of the plays take longer")
    options = parser.parse_args()
    print(HEAD)
    status = 0
    for tables in options.tables:
        with tempfile.TemporaryDirectory() as folder:
            database = options.database or str(Path(folder) / "load.sqlite3")
            run = measure(database, options.workers, tables, options.seconds)
            figures = asyncio.run(run)
        print(figures.row(), flush=True)
        if figures.lost or (options.at_most and figures.p99 > options.at_most):
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
