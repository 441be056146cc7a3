"""Reviewing a match: how long it takes, and what remains of noise and bias, in one run.

The time is that of some deals, 48 plays each, by one thread and by two, in turns; the ratio is what
the second core brings. A match of `classic` has six deals or so. Noise: the same deals reviewed
with other seeds, as the spread of what a side lost in a deal. Bias: what is lost a deal by the
number of simulations, which should not depend on it; beside it what the race alone would say,
whose winner is flattered. Run it with the Python of the project: `python bench/review.py`.
"""

from __future__ import annotations

import statistics
import time

from diloti.bots import choose
from diloti.core.match import DealLog, Match
from diloti.core.rules import CLASSIC
from diloti.core.shuffle import SEED_SIZE
from diloti.teacher.judgement import SIMULATIONS
from diloti.teacher.review import DealReview, review_deal, turns_of
from diloti.teacher.trial import likeness, run_race

DEALS = 4
ROUNDS = 1
SEEDS = 2
SMALLER = (250, 1000, 4000)


def played_deal(number: int, bot: str) -> DealLog:
    """A deal of a bot against itself."""
    match = Match(CLASSIC, first_dealer=number % 2)
    match.deal_seed(number.to_bytes(SEED_SIZE, "big"))
    while match.turn is not None:
        view = match.view(match.turn)
        match.play(choose(view, bot, seed=match.deal_log.choice_seed).play)
    return match.deals[0]


def lost(review: DealReview) -> float:
    """What a side lost, the mean of both."""
    return -sum(review.skill) / 2


def lost_by_race(log: DealLog, simulations: int) -> float:
    """The same where the race chose the best play and measured it, too; endings left out."""
    total = 0.0
    for number, (view, play) in enumerate(turns_of(log)):
        if view.is_last_hand:
            continue
        race = run_race(view, simulations, number)
        own = likeness(play.packed)
        rows = [row for row, one in enumerate(race.plays) if likeness(one) == own]
        total += sum(race.behind(row) for row in rows)
    return total / 2


def seconds(logs: list[DealLog], workers: int) -> tuple[float, float]:
    """How long a match of these deals takes, and the processor time that it takes."""
    start, work = time.perf_counter(), time.process_time()
    for number, log in enumerate(logs):
        review_deal(log, number=number, workers=workers)
    return time.perf_counter() - start, time.process_time() - work


def main() -> None:
    logs = [played_deal(number, "strong") for number in range(DEALS)]
    review_deal(logs[0], simulations=16)  # compiles and loads
    times = [(seconds(logs, 1), seconds(logs, 2)) for _ in range(ROUNDS)]
    one, two = ([pair[place][0] for pair in times] for place in (0, 1))
    work = min(pair[0][1] for pair in times)
    ratio = statistics.median(a / b for a, b in zip(one, two))
    print(f"{DEALS} deals, {SIMULATIONS} simulations a play, least seconds of {ROUNDS}:")
    print(f"  one thread {min(one):.1f} ({work:.1f} of a processor), two {min(two):.1f};", end=" ")
    print(f"one to two, median {ratio:.2f}", flush=True)
    endings = statistics.fmean(
        sum(play.loss for play in review.plays if play.is_exact) / 2
        for review in (review_deal(log, simulations=16) for log in logs)
    )
    print(f"{'simulations':>12}{'lost a deal':>14}{'spread':>10}{'by the race':>14}")
    for simulations in (*SMALLER, SIMULATIONS):
        figures = [
            [lost(review_deal(log, simulations=simulations, seed=seed)) for seed in range(SEEDS)]
            for log in logs
        ]
        mean = statistics.fmean(statistics.fmean(row) for row in figures)
        spread = statistics.fmean(statistics.variance(row) for row in figures) ** 0.5
        race = statistics.fmean(lost_by_race(log, simulations) for log in logs) + endings
        print(f"{simulations:12}{mean:14.2f}{spread:10.2f}{race:14.2f}", flush=True)


if __name__ == "__main__":
    main()
