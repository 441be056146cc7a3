"""Random play: Diloti compiled, the same source interpreted, and python-chess, in one run.

Each program plays uniformly random legal moves of whole games for a few seconds, in turns and
several rounds, so that a machine that slows down slows them all; the median of each is set beside
the compiled engine. Run it with `make bench`.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import chess

ROUNDS = 5
SECONDS = 2.0
LONGEST_GAME = 400


def diloti(*, interpreted: bool = False) -> float:
    """Nanoseconds a play of `diloti bench random-play`."""
    command = [sys.executable, "-m", "diloti", "bench", "random-play", "--json"]
    command += ["--seconds", str(SECONDS), "--rules", "classic"]
    environment = {**os.environ, **({"NUMBA_DISABLE_JIT": "1"} if interpreted else {})}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["ns_per_play"])


def python_chess() -> float:
    """Nanoseconds a move of random chess games with python-chess."""
    rng, moves, start = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < LONGEST_GAME:
            board.push(rng.choice(list(board.legal_moves)))
            moves += 1
    return (time.perf_counter() - start) * 1e9 / moves


def main() -> None:
    players: dict[str, Callable[[], float]] = {
        "diloti, compiled": diloti,
        "diloti, interpreted": lambda: diloti(interpreted=True),
        "python-chess": python_chess,
    }
    measured: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(ROUNDS):
        for name, player in players.items():
            measured[name].append(player())
    baseline = statistics.median(measured["diloti, compiled"])
    print(f"{'':22}{'ns a play':>12}{'least':>12}{'most':>12}{'ratio':>10}")
    for name, times in measured.items():
        middle = statistics.median(times)
        print(
            f"{name:22}{middle:12.0f}{min(times):12.0f}{max(times):12.0f}{middle / baseline:10.1f}"
        )


if __name__ == "__main__":
    main()
