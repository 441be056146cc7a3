"""Work for processes that dies or fails: a module of its own, so that they start at once."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path


def work_or_fail(number: int) -> int:
    """Good until number 5."""
    if number == 5:
        from diloti.core.legality import IllegalPlay, Refusal
        from diloti.core.plays import TRAIL, Play
        from tests.setting import position

        raise IllegalPlay(position("6h", "2c"), Play(TRAIL, 51), Refusal.NOT_IN_HAND)
    if number == 7:
        raise ValueError("never reached")
    return number * number


def work_or_die(number: int) -> int:
    if number == 3:
        os._exit(9)
    return number


def work_or_be_killed(folder: Path, number: int) -> int:
    """Ten times the number; the first worker that gets number 3 is killed."""
    if number == 3:
        with contextlib.suppress(FileExistsError):
            (folder / "killed").touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
    return number * 10


def work_visibly(folder: Path, number: int) -> int:
    """The number, with a file of its name."""
    (folder / str(number)).touch()
    return number


class Stubborn(Exception):
    """An error that cannot be pickled."""

    def __init__(self) -> None:
        super().__init__()
        self.reason = lambda: "stubborn"


def fail_stubbornly(number: int = 0) -> int:
    raise Stubborn


def bring_what_stays(number: int) -> object:
    """The number, but of 3 something that cannot be pickled."""
    return (lambda: number) if number == 3 else number
