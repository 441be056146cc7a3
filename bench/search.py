"""Thinking: playouts, simulations and solved endings, in one run, as one table.

Uniform random playouts and playouts by the network both start from random deals of `classic`; of
the first a deal is all 48 plays, of the second the first hand, twelve plays. The search chooses the
first play of random deals. Everything is measured in moments, in turns, and the best moment counts:
what the machine can do undisturbed. Run it with the Python of the project: `make bench`.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from diloti.bots.network import network_for
from diloti.bots.policy import new_desk, play_out
from diloti.bots.search import Method, Search
from diloti.core.dice import new_dice
from diloti.core.match import Match
from diloti.core.playouts import RandomPlay, deal_random
from diloti.core.position import STATE_SIZE
from diloti.core.rules import CLASSIC
from diloti.core.shuffle import SEED_SIZE
from diloti.core.view import View

sys.path.insert(0, str(Path(__file__).parent))
from endings import solving_times

ROUNDS = 15
MOMENT = 0.2
DEALS = 64

Batch = Callable[[], int]
"""Does a little, and returns how much of what is counted."""


def random_playouts() -> Batch:
    """Whole deals by uniform random play."""
    play = RandomPlay(CLASSIC, 1)

    def batch() -> int:
        play.play(50)
        return 50

    return batch


def policy_playouts() -> Batch:
    """First hands by the network, from random deals; copying the deal is included."""
    rules, network = CLASSIC.packed, network_for(CLASSIC)
    desk, dice = new_desk(0), new_dice(1)
    pack = np.array(CLASSIC.cards, dtype=np.int64)
    deals = np.zeros((DEALS, STATE_SIZE), dtype=np.int64)
    for number, state in enumerate(deals):
        deal_random(rules, state, pack, dice, number % CLASSIC.players)
    state = np.zeros(STATE_SIZE, dtype=np.int64)

    def batch() -> int:
        for deal in deals:
            state[:] = deal
            play_out(rules, network, state, desk, dice, 0, False)
        return DEALS

    return batch


def first_view(number: int) -> View:
    """What the first seat sees before the first play of a deal."""
    match = Match(CLASSIC, first_dealer=0)
    match.deal_seed(number.to_bytes(SEED_SIZE, "big"))
    assert match.turn is not None
    return match.view(match.turn)


def searches(first: int) -> Batch:
    """Simulations of the search, in deals of their own for each thread."""
    method = Method(network_for(CLASSIC))
    views = [first_view(first + number) for number in range(8)]
    turn = 0

    def batch() -> int:
        nonlocal turn
        turn += 1
        search = Search(views[turn % len(views)], method, turn)
        while not search.is_decided and search.simulations < 2000:
            search.step()
        return search.simulations

    return batch


def rate(batch: Batch) -> float:
    """How much a second is done in a moment."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < MOMENT:
        done += batch()
    return done / spent


def two_at_once(one: Batch, other: Batch) -> Callable[[], float]:
    """How much two threads do together a second; the kernels hold no lock."""

    def measure() -> float:
        with ThreadPoolExecutor(2) as threads:
            return sum(threads.map(rate, (one, other)))

    return measure


def main() -> None:
    uniform, policy, search, second = (
        random_playouts(),
        policy_playouts(),
        searches(0),
        searches(1000),
    )
    measures: dict[str, Callable[[], float]] = {
        "uniform random deals / s": lambda: rate(uniform),
        "hands by the network / s": lambda: rate(policy),
        "simulations / s, one thread": lambda: rate(search),
        "simulations / s, two threads": two_at_once(search, second),
    }
    for batch in (uniform, policy, search, second):
        batch()  # compiles
    measured: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(ROUNDS):
        for name, measure in measures.items():
            measured[name].append(measure())
    print(f"{'':34}{'most':>12}{'median':>12}")
    for name, rates in measured.items():
        print(f"{name:34}{max(rates):12,.0f}{statistics.median(rates):12,.0f}")
    one, two = list(measured.values())[2:]
    gain = statistics.median(both / single for both, single in zip(two, one))
    print(f"{'two threads to one':34}{'':12}{gain:12.2f}")
    least, _nodes = solving_times()
    least.sort()
    print(f"{'':34}{'median':>12}{'95 %':>12}{'worst':>12}")
    high = least[len(least) * 95 // 100]
    print(f"{'ms an ending':34}{statistics.median(least):12.2f}{high:12.2f}{least[-1]:12.2f}")


if __name__ == "__main__":
    main()
