"""Random play: Diloti beside OpenSpiel's C++ games, its own source interpreted, and python-chess.

Each program is a process that waits for its turn, all of them pinned to one core. In every round
each plays for a moment, one after the other, so that a machine that slows down slows them all. The
ratios are medians over the rounds, and the least time of each is what it can do undisturbed. Run it
with `make bench`.

What is measured, in nanoseconds a decision of a player:

* Diloti: whole deals of `classic`, dealing included, each play drawn evenly from all legal ones;
* OpenSpiel, whole games: `evaluate_bots` with uniform random bots, all in C++, dealing included and
  with what the bots cost, which list and choose among the legal actions as any random player must;
* OpenSpiel, rollouts: `RandomRolloutEvaluator` from dealt positions, all in C++, without dealing
  and without bots. The tree search that calls it, `ISMCTSBot`, makes two simulations, each of a
  thousand rollouts: the first from the position, the second one decision later. (Crazy eights is
  left out here: its draws are chance, and its figures in this search made no sense);
* python-chess: random games in Python, the legal moves listed for each.
"""

from __future__ import annotations

import itertools
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

ROUNDS = 40
MOMENT = 0.05
LONGEST_GAME = 400
ROLLOUTS = 1000

Batch = Callable[[], int]
"""Plays a little, and returns the number of decisions."""


def diloti() -> Batch:
    """Whole random deals of `classic`."""
    from diloti.core.playouts import RandomPlay
    from diloti.core.rules import CLASSIC

    deals = 1 if os.environ.get("NUMBA_DISABLE_JIT") else 50
    play = RandomPlay(CLASSIC, 1)

    def batch() -> int:
        play.play(deals)
        return deals * CLASSIC.plays_in_deal

    return batch


def play_randomly(state: Any, rng: random.Random, *, until_dealt: bool = False) -> int:
    """Play a game of OpenSpiel on, to its end or until it is dealt; the number of decisions."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(actions, weights)[0])
        elif until_dealt:
            return 0
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions


def whole_games(name: str) -> Batch:
    """Whole random games of OpenSpiel."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)
    mean = statistics.mean(play_randomly(game.new_initial_state(), rng) for _ in range(500))
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    seeds = iter(range(1, 1 << 30))

    def batch() -> int:
        for _ in range(20):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return round(20 * mean)

    return batch


def rollouts(name: str) -> Batch:
    """Random rollouts of OpenSpiel from dealt positions."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)
    deals = []
    while len(deals) < 20:
        state = game.new_initial_state()
        play_randomly(state, rng, until_dealt=True)
        if len(state.legal_actions()) > 1:  # of a single action the search does not think
            deals.append((state, play_randomly(state.clone(), rng)))
    turns = itertools.cycle(deals)

    def batch() -> int:
        state, decisions = next(turns)
        pyspiel.ISMCTSBot(
            rng.randrange(1 << 30),
            pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1),
            1.0,
            2,
            -1,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
        ).step(state)
        return ROLLOUTS * (2 * decisions - 1)

    return batch


def python_chess() -> Batch:
    """Random games of chess."""
    import chess

    rng = random.Random(1)

    def batch() -> int:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < LONGEST_GAME:
            board.push(rng.choice(list(board.legal_moves)))
        return board.ply()

    return batch


PLAYERS: dict[str, Callable[[], Batch]] = {
    "Diloti, whole deals": diloti,
    "OpenSpiel hearts, whole games": lambda: whole_games("hearts"),
    "OpenSpiel hearts, rollouts": lambda: rollouts("hearts"),
    "OpenSpiel crazy_eights, whole games": lambda: whole_games("crazy_eights"),
    "Diloti, interpreted": diloti,
    "python-chess": python_chess,
}


def serve(name: str) -> None:
    """Play for a moment whenever a line comes in, and answer with the nanoseconds a decision."""
    batch = PLAYERS[name]()
    batch()
    print("ready", flush=True)
    for _line in sys.stdin:
        decisions, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < MOMENT or not decisions:
            decisions += batch()
        print(spent * 1e9 / decisions, flush=True)


class Player:
    """A program in a process of its own."""

    def __init__(self, name: str) -> None:
        interpreted = {"NUMBA_DISABLE_JIT": "1"} if "interpreted" in name else {}
        self._process = subprocess.Popen(
            [sys.executable, __file__, name],
            env={**os.environ, **interpreted},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def measure(self) -> float:
        """Nanoseconds a decision, over a moment."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._answer())


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    players = {name: Player(name) for name in PLAYERS}
    measured: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(ROUNDS):
        for name, player in players.items():
            measured[name].append(player.measure())
    first = next(iter(measured.values()))
    print(f"{'ns a decision':38}{'least':>10}{'median':>10}{'ratio':>9}")
    for name, times in measured.items():
        ratio = statistics.median(time / own for time, own in zip(times, first))
        print(f"{name:38}{min(times):10.0f}{statistics.median(times):10.0f}{ratio:9.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve(sys.argv[1])
    else:
        main()
