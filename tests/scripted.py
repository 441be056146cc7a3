"""What the tests of the terminal game share: matches, and people who type by a script."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from diloti.bots import choose
from diloti.core.notation import format_play
from diloti.core.plays import TRAIL, Play
from diloti.core.rules import rules_from
from diloti.tui.plain.game import run_plain
from diloti.tui.session import Chair, Session
from diloti.tui.store import Store
from diloti.words import Words

ENGLISH = Words("en")
MARIA, NIKOS = Chair("Maria"), Chair("Nikos")
GREEDY, RANDOM = Chair("greedy", "greedy"), Chair("random", "random")


def new_session(
    *chairs: Chair,
    store: Store | None = None,
    seed: int = 1,
    base: str = "classic",
    **switches: object,
) -> Session:
    """A match for these chairs, always the same for a seed."""
    rules = rules_from(base, players=len(chairs), **switches)
    return Session.start(rules, chairs, store=store, seed=seed)


def typed(play: Play) -> str:
    """How to type a play so that nothing is asked."""
    return f"lay {format_play(play)}" if play.kind == TRAIL else format_play(play)


class Typist:
    """Types what a bot would play in the turn of every person, for as many plays as wanted."""

    def __init__(self, session: Session, plays: int = 10**6) -> None:
        self.session = session
        self.left = plays

    def readline(self, _most: int, /) -> str:
        turn = self.session.turn
        if turn is None:
            return "\n"
        if self.left == 0:
            return ""
        self.left -= 1
        return typed(choose(self.session.view(turn), "greedy").play) + "\n"


def run_script(
    session: Session, lines: Iterable[str] = (), *, interactive: bool = False
) -> tuple[int, str]:
    """The exit status and all that is said when these lines are typed."""
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    target = io.StringIO()
    return run_plain(ENGLISH, session, source, target, interactive=interactive), target.getvalue()


def run_typist(
    session: Session, plays: int = 10**6, *, interactive: bool = False
) -> tuple[int, str]:
    """The same with a typist."""
    target = io.StringIO()
    status = run_plain(ENGLISH, session, Typist(session, plays), target, interactive=interactive)
    return status, target.getvalue()


def start_program(*arguments: str, data: Path) -> subprocess.Popen[bytes]:
    """The real program, its streams piped, its matches in a folder of the test."""
    environment = {
        **os.environ,
        "DILOTI_DATA": str(data),
        "NUMBA_DISABLE_JIT": "1",
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "en",
    }
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "diloti", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )


def run_program(*arguments: str, data: Path, typed: bytes = b"") -> tuple[int, str, str]:
    """Exit status, output and errors of the real program when these bytes are typed."""
    with start_program(*arguments, data=data) as program:
        output, errors = program.communicate(typed, timeout=120)
    return program.returncode, output.decode(), errors.decode()
