"""Memory: a bot that thinks again and again needs no more of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory in use"),
]

START = """
import os
from diloti.bots import choose
from diloti.core.rules import CLASSIC
from tests.sampling import deals

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

positions = list(deals(CLASSIC, 3, "greedy"))
"""

AGAIN = """
from diloti.core.view import view_of
here = positions[14]
view = view_of(here, here.turn)
last = positions[-9]
ending = view_of(last, last.turn)

def think(times):
    for seed in range(times):
        choose(view, "expert", seed=seed, simulations=32)
        if seed % 100 == 0:
            for bot in ("strong", "casual", "regular", "flat", "ismcts", "greedy"):
                choose(view, bot, seed=seed, simulations=32)
            choose(ending, "expert", seed=seed, simulations=32)

think(500)
before = resident()
think(10_000)
print(resident() - before)
"""

# Not `ru_maxrss`: that begins with what the process that starts this one has needed.
ONE_SECOND = """
from diloti.core.view import view_of
here = positions[6]
choose(view_of(here, here.turn), "expert", seconds=1)
with open("/proc/self/status") as file:
    most = next(line for line in file if line.startswith("VmHWM:"))
print(int(most.split()[1]) * 1024)
"""


def printed(program: str) -> int:
    """The number that a program prints at its end."""
    run = subprocess.run(
        [sys.executable, "-c", START + program], capture_output=True, text=True, check=True
    )
    return int(run.stdout.split()[-1])


def test_ten_thousand_searches_need_no_more_than_a_few() -> None:
    assert printed(AGAIN) < 4_000_000


def test_a_search_of_a_second_is_content_with_little() -> None:
    printed(ONE_SECOND.replace("seconds=1", "simulations=100"))  # compiles what is missing
    assert printed(ONE_SECOND) < 300_000_000
