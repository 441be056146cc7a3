"""Solving the last hand: how long it takes over random endings of `classic`.

The endings are reached by uniformly random play from random deals: six cards in each hand, nothing
in the stock. Every one is solved in several rounds, nothing being known from before, and its least
processor time counts. Run it with the Python of the project: `python bench/endings.py`.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from diloti.bots.endgame import NO_LIMIT, Room
from diloti.bots.ending_search import NODES, SOLVED, STATUS, solve
from diloti.core.dice import new_dice, roll
from diloti.core.effects import apply_play
from diloti.core.jit import Ints
from diloti.core.playouts import deal_random
from diloti.core.plays import count_plays, find_play
from diloti.core.position import DEALT, LOOSE, STATE_SIZE
from diloti.core.rules import CLASSIC
from diloti.core.tallies import workspace_for

ENDINGS = 200
ROUNDS = 5


def random_endings(number: int, seed: int = 1) -> list[Ints]:
    """The states of last hands reached by random play."""
    rules, dice = CLASSIC.packed, new_dice(seed)
    pack = np.array(CLASSIC.cards, dtype=np.int64)
    endings = []
    for deal in range(number):
        state = np.zeros(STATE_SIZE, dtype=np.int64)
        deal_random(rules, state, pack, dice, deal % 2)
        while state[DEALT] < CLASSIC.pack_size:
            work = workspace_for(state[LOOSE])
            index = roll(dice, count_plays(rules, state, work))
            apply_play(rules, state, *find_play(rules, state, work, index))
        endings.append(state)
    return endings


def solving_times() -> tuple[list[float], list[int]]:
    """Of each ending the least time in milliseconds, and the positions searched."""
    room = Room()
    endings = random_endings(ENDINGS)
    least = [float("inf")] * ENDINGS
    nodes = [0] * ENDINGS
    for lap in range(ROUNDS + 1):
        for place, state in enumerate(endings):
            room.forget()
            room.fit(state)
            start = time.process_time()
            solve(CLASSIC.packed, state, *room.arrays, NO_LIMIT)
            spent = (time.process_time() - start) * 1000
            assert room.report[STATUS] == SOLVED
            nodes[place] = int(room.report[NODES])
            if lap:  # the first round compiles
                least[place] = min(least[place], spent)
    return least, nodes


def main() -> None:
    least, nodes = solving_times()
    for name, figures in (("ms", sorted(least)), ("positions", sorted(nodes))):
        middle, most = statistics.median(figures), figures[-1]
        high = figures[ENDINGS * 95 // 100]
        print(f"{name:12}median {middle:10.2f}   95 % {high:10.2f}   worst {most:10.2f}")
    print(f"{1e6 * sum(least) / sum(nodes):.0f} ns a position")


if __name__ == "__main__":
    main()
