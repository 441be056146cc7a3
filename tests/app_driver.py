"""Playing the full-screen game in tests: matches to begin with, waiting, reading the screen."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from diloti.core.match import Match
from diloti.core.notation import parse_card
from diloti.core.position import History, Position
from diloti.core.record import Record
from diloti.core.rules import Rules, rules_from
from diloti.tui.full.app import DilotiApp
from diloti.tui.full.settings import Settings, save_settings
from diloti.tui.full.table import TableScreen
from diloti.tui.session import Chair, Session, seeds_from
from diloti.tui.store import Store, StoreError
from diloti.words import Words

_CARD = re.compile(r"(?<![0-9])(10|[A2-9JQK])([♠♥♦♣])")
_LETTERS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
_LONGEST_WAIT = 120.0

GamePilot = Pilot[int]


class Stretched(Words):
    """English that is 40 % longer, as other languages are."""

    def __init__(self) -> None:
        super().__init__("en")

    def say(self, template: str, **details: object) -> str:
        return _stretched(super().say(template, **details))

    def say_count(self, one: str, many: str, count: int, **details: object) -> str:
        return _stretched(super().say_count(one, many, count, **details))


def _stretched(text: str) -> str:
    """The text with every long word half as long again, and marked so that a cut is seen."""
    return re.sub(r"[A-Za-z]{3,}", lambda word: word.group() + "~" * (len(word.group()) // 2), text)


def chairs(*bots: str | None) -> list[Chair]:
    """Chairs with short names: None is a person."""
    names = ("Anna", "Boris", "Clio", "Dion")
    return [Chair(name, bot) for name, bot in zip(names, bots)]


def session_at(position: Position, *bots: str | None, store: Store | None = None) -> Session:
    """A match whose deal stands at a position."""
    match = Match(
        position.rules, first_dealer=position.dealer, names=[chair.name for chair in chairs(*bots)]
    )
    match.deal_seed(bytes(32))
    match.deals[-1].position = position.replaced(history=History(position.loose))
    return Session(Record(match), chairs(*bots), store, seeds_from(1))


def new_session(
    *bots: str | None,
    seed: int = 1,
    store: Store | None = None,
    base: str = "classic",
    **changes: object,
) -> Session:
    """A new match between these bots and people."""
    rules: Rules = rules_from(base, players=len(bots), **changes)
    return Session.start(rules, chairs(*bots), store=store, seed=seed)


class BrokenStore(Store):
    """A store in which nothing can be kept."""

    def save(self, record: Record) -> None:  # noqa: ARG002
        raise StoreError("the disk is full of {what}", what="cats")


@asynccontextmanager
async def playing(
    folder: Path,
    session: Session | None = None,
    *,
    words: Words | None = None,
    size: tuple[int, int] = (80, 24),
    notice: str | None = None,
    seed: int | None = 1,
    settings: Settings | None = None,
) -> AsyncIterator[GamePilot]:
    """The game on a screen of that size, bots at once, waiting for the first thing to do."""
    save_settings(settings or Settings(pace="off"), folder)
    app = DilotiApp(words or Words("en"), Store(folder), session, notice=notice, seed=seed)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield pilot


def table(pilot: GamePilot) -> TableScreen:
    """The table, which must be on top."""
    screen = pilot.app.screen
    assert isinstance(screen, TableScreen), screen
    return screen


async def until(pilot: GamePilot, done: Callable[[], bool]) -> None:
    """Let the game go on until something is so."""
    start = time.monotonic()
    while not done():
        assert time.monotonic() < start + _LONGEST_WAIT, "nothing more happens"
        await pilot.pause(0.001)
    await pilot.pause()


async def settle(pilot: GamePilot) -> None:
    """Wait until a person is needed: for a play, or for a screen over the table."""

    def is_waiting() -> bool:
        screen = pilot.app.screen
        return len(pilot.app.screen_stack) > 1 and (
            not isinstance(screen, TableScreen) or screen.is_asking
        )

    await pilot.pause()
    await until(pilot, is_waiting)


async def press(pilot: GamePilot, *keys: str) -> None:
    """Press keys, and wait."""
    await pilot.press(*keys)
    await settle(pilot)


async def click(pilot: GamePilot, where: str, offset: tuple[int, int] | None = None) -> None:
    """Click on something, and wait."""
    if offset is None:
        assert await pilot.click(where)
    else:
        assert await pilot.click(where, offset=offset)
    await settle(pilot)


def lines(pilot: GamePilot) -> list[str]:
    """The screen as text, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def text(pilot: GamePilot) -> str:
    """The screen as text."""
    return "\n".join(lines(pilot))


def words_on(pilot: GamePilot, where: str = "Screen") -> str:
    """The words on the screen, or in a part of it, with all box lines and breaks taken out."""
    region = pilot.app.screen.query_one(where).region if where != "Screen" else None
    rows = lines(pilot)
    if region is not None:
        rows = [row[region.x : region.right] for row in rows[region.y : region.bottom]]
    return re.sub(r"[\s│╭╮╰╯─║╔╗╚╝═┃┏┓┗┛━▏]+", " ", "\n".join(rows))


def cards_on(pilot: GamePilot) -> set[int]:
    """The cards that can be read on the screen."""
    found = _CARD.findall(text(pilot))
    return {parse_card(("T" if rank == "10" else rank) + _LETTERS[suit]) for rank, suit in found}


async def play_anything(pilot: GamePilot) -> None:
    """Make a play by keys alone: the first that any card of the hand offers."""
    for digit in "123456":
        await pilot.press("escape", digit)
        if table(pilot).query_one("#plays").display:
            break
    await press(pilot, "q")
