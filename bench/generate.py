"""Data sets: deals a second by one process and by two, in turns in one run, and their ratio.

Each makes the same deals anew, in a folder that is deleted. Compiling and starting the processes
come first and are not counted: the clock runs from the end of the first part to that of the last.
Run it with the Python of the project: `python bench/generate.py`.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from diloti.core.rules import CLASSIC
from diloti.lab.data.generating import generate, plan_job
from diloti.lab.data.job import Job
from diloti.lab.executors.processes import LocalProcesses

WORKERS = (1, 2)
ROUNDS = 2
PART = 25


def deals_a_second(job: Job, workers: int) -> float:
    """How fast one data set comes."""
    ends: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        generate(
            Path(folder),
            job,
            executor=LocalProcesses(workers),
            watch=lambda games: ends.append((time.perf_counter(), games)),
        )
    (start, before), (end, after) = ends[workers], ends[-1]
    return (after - before) / (end - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bot", default="regular")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    job = plan_job(CLASSIC, (options.bot,), games=options.games, seed=1, part_size=PART)
    rates: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    for _ in range(ROUNDS):
        for workers in WORKERS:
            rates[workers].append(deals_a_second(job, workers))
    print(f"{options.bot} against itself, {options.games} deals of classic, {ROUNDS} rounds")
    print("processes  deals a second  plays a second")
    for workers, rate in rates.items():
        middle = statistics.median(rate)
        print(f"{workers:9}  {middle:14.1f}  {middle * CLASSIC.plays_in_deal:14.0f}")
    one, two = (statistics.median(rate) for rate in rates.values())
    print(f"two : one  {two / one:14.2f}")


if __name__ == "__main__":
    main()
