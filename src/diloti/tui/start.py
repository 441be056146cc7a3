"""How a match at the terminal begins: the one that was asked for, or the one still running."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from diloti.bots import BOTS, USUAL_LEVEL
from diloti.core.errors import N_, DilotiError
from diloti.core.jit import is_prepared, note_prepared
from diloti.core.rules import Rules, rules_from
from diloti.tui.session import Chair, Session
from diloti.tui.store import Store, StoreError
from diloti.tui.streams import is_terminal, standard_input, standard_output
from diloti.words import Words
from diloti.words.printable import printable
from diloti.words.telling import LETTERS

HUMAN = "human"
"""The entry of `--seats` for a person without a name."""

_LONGEST_NAME = 40


class SeatsError(DilotiError):
    """Seats that do not make a table."""


class NoMatchError(DilotiError):
    """No match to go on with."""


@dataclass(frozen=True)
class Table:
    """A new match as it was asked for: rules, who sits where, and a seed that repeats it.

    `is_usual` where nothing about rules and seats was asked for.
    """

    rules: Rules
    chairs: tuple[Chair, ...]
    seed: int | None = None
    is_usual: bool = True


def set_table(
    words: Words,
    *,
    base: str | None = None,
    switches: Mapping[str, object],
    seats: str | None = None,
    seed: int | None = None,
) -> Table:
    """The match that is asked for; `RulesError` or `SeatsError` says what cannot be.

    `seats` are names and bots with commas between; as many as there are will play, unless the
    switches say how many. Without them a person plays against bots.
    """
    entries = None if seats is None else [_clean(entry) for entry in seats.split(",")]
    changed = dict(switches)
    if entries is not None and len(entries) in (2, 4):
        changed.setdefault("players", len(entries))
    rules = rules_from(base or "classic", **changed)
    is_usual = base is None and seats is None and not switches
    if entries is None:
        entries = [HUMAN] + [USUAL_LEVEL] * (rules.players - 1)
    if len(entries) != rules.players or not all(entries):
        raise SeatsError(N_("this table has {players} seats"), players=rules.players)
    return Table(rules, _chairs(words, entries), seed, is_usual)


def _clean(name: str) -> str:
    """A name that fits into a line."""
    return " ".join(printable(name).split())[:_LONGEST_NAME].rstrip()


def _chairs(words: Words, entries: Sequence[str]) -> tuple[Chair, ...]:
    """The chairs; those without a name of their own get one that no other has."""
    alike = Counter(entries)
    chairs = []
    for seat, entry in enumerate(entries):
        bot = entry if entry in BOTS else None
        name = entry
        if entry == HUMAN and alike[entry] == 1:
            name = words.say("Player")
        elif entry == HUMAN:
            name = words.say("Player {letter}", letter=LETTERS[seat])
        elif bot and alike[entry] > 1:
            name = f"{entry} {LETTERS[seat]}"
        chairs.append(Chair(name, bot))
    return tuple(chairs)


def play_in_terminal(
    words: Words,
    store: Store,
    table: Table,
    *,
    resume: bool | None,
    plain: bool,
    coach: bool = False,
    complain: Callable[[str], object],
) -> int:
    """Play the running match or a new one, in the full screen or line by line; an exit status.

    `resume` says which match. With None it is the running one; the full screen asks where nothing
    about a new one was asked for. With a `coach` people alone with bots are warned of bad plays.
    """
    if not plain:
        try:
            from diloti.tui.full.app import run_app
        except ModuleNotFoundError:
            complain(words.say("The full screen needs the package textual; playing line by line."))
        else:
            notices: list[str] = []
            session = None
            if resume is not None or not (table.is_usual or store.has_match):
                session = open_session(words, table, store, notices.append, resume=resume)
            elif not table.is_usual:
                notices.append(_goes_on(words))
            notice = "\n".join(notices) or None
            status = run_app(words, store, session, notice=notice, seed=table.seed, coach=coach)
            if store.kept is not None:
                print(words.say("The match is kept as {file}.", file=store.kept))
            return status
    from diloti.tui.plain.game import run_plain

    session = open_session(words, table, store, complain, resume=resume)
    source, target = standard_input(), standard_output()
    return run_plain(words, session, source, target, interactive=is_terminal(), coach=coach)


def open_session(
    words: Words,
    table: Table,
    store: Store,
    tell: Callable[[str], object],
    *,
    resume: bool | None = None,
) -> Session:
    """The running match of the store, or a new one.

    `resume` says which; with None it is the running one where there is one that is good. Troubles
    with the store are told, and keep nobody from playing. `NoMatchError` and `StoreError` where
    the running match is asked for and is not there or no good.
    """
    session = None if resume is False else _resume(words, store, tell, must=resume is True)
    if session is not None:
        if resume is None and not table.is_usual:
            tell(_goes_on(words))
        return session
    try:
        away = store.put_away()
        if away is not None:
            tell(words.say("The match that was running is put away as {file}.", file=away))
        return Session.start(table.rules, table.chairs, store=store, seed=table.seed)
    except StoreError as trouble:
        tell(words.error(trouble))
        tell(words.say("The game goes on without being kept."))
        return Session.start(table.rules, table.chairs, seed=table.seed)


def _resume(
    words: Words, store: Store, tell: Callable[[str], object], *, must: bool
) -> Session | None:
    try:
        session = Session.resume(store)
    except StoreError as trouble:
        if must:
            raise
        tell(words.error(trouble))
        return None
    if session is None and must:
        raise NoMatchError(N_("there is no running match"))
    return session


def _goes_on(words: Words) -> str:
    return words.say(
        "A match is running and goes on with its own rules and players; --new begins another."
    )


def warm_up(words: Words, stream: TextIO) -> None:
    """Compile what the game needs, unless an earlier start has, and say on `stream` how far it is.

    On a terminal this is a single line that goes away afterwards.
    """
    if is_prepared():
        return
    from diloti.bots.warmup import steps

    moves = stream.isatty()
    todo = steps()
    line = ""
    for number, step in enumerate(todo, start=1):
        line = words.say(
            "Preparing the game for the first time ({number} of {all})…",
            number=number,
            all=len(todo),
        )
        print(line, end="\r" if moves else "\n", file=stream, flush=True)
        step()
    note_prepared()
    if moves:
        print(" " * len(line), end="\r", file=stream, flush=True)
