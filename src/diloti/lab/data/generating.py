"""Data sets as they are asked for: planned, made part by part, and gone on with."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from diloti.core.errors import N_
from diloti.core.rules import Rules
from diloti.lab.data.card import format_card_of
from diloti.lab.data.dataset import CARD_FILE, Dataset, begin_dataset, write_whole
from diloti.lab.data.job import LARGEST_PART, MOST_GAMES, PART_SIZE, Job
from diloti.lab.data.parts import Part, make_part, warm_up
from diloti.lab.data.writing import writing_alone
from diloti.lab.executors.executor import Executor
from diloti.lab.games import SEEDS
from diloti.lab.player import Player, parse_player
from diloti.lab.progress import ProgressLine
from diloti.usage import UsageError, check_number
from diloti.words import Words

USUAL_GAMES = 1000
"""Games of a data set unless it is said how many."""


def plan_job(
    rules: Rules,
    bots: Sequence[str],
    *,
    games: int | None = None,
    matches: int | None = None,
    paired: bool = False,
    seed: int,
    part_size: int | None = None,
) -> Job:
    """The job that is asked for; `UsageError` and those of `parse_player` say what is wrong.

    One bot plays on both sides. With `matches` so many whole matches are played.
    """
    if len(bots) > 2:
        raise UsageError(N_("--bots takes one bot, or one for each side"))
    players = [_repeatable(bot) for bot in bots]
    name, number = ("--games", games) if matches is None else ("--matches", matches)
    wanted = USUAL_GAMES if number is None else number
    check_number(name, wanted, 1, MOST_GAMES)
    check_number("--seed", seed, 0, SEEDS - 1)
    size = PART_SIZE if part_size is None else part_size
    check_number("--part-size", size, 1, LARGEST_PART)
    if paired and wanted % 2:
        raise UsageError(N_("with --paired the number of games must be even"))
    return Job(
        rules,
        (players[0], players[-1]),
        seed,
        wanted,
        whole_matches=matches is not None,
        paired=paired,
        part_size=size,
    )


def _repeatable(bot: str) -> Player:
    player = parse_player(bot)
    if player.is_timed:
        raise UsageError(
            N_(
                "{player} thinks by the clock, and a data set must be repeatable;"
                " say how many simulations, as {bot}:400"
            ),
            player=player,
            bot=player.bot,
        )
    return player


def generate(
    folder: Path,
    job: Job,
    *,
    executor: Executor,
    watch: Callable[[int], object] = lambda _games: None,
) -> Dataset:
    """The data set of a job in a folder, its parts made unless they are there.

    What was made before an interruption or an error stays. `watch` is told how many games there
    are, at the beginning and after every part. `DatasetError` where the folder holds something
    else.
    """
    [dataset] = generate_all({folder: job}, executor=executor, watch=watch)
    return dataset


def generate_all(
    jobs: Mapping[Path, Job],
    *,
    executor: Executor,
    watch: Callable[[int], object] = lambda _games: None,
) -> list[Dataset]:
    """The data sets of several jobs by their folders, each as `generate` makes one.

    Their parts are shared out together, so that the processes start once for all of them.
    `BusyError` where another program is making one of them.
    """
    with contextlib.ExitStack() as alone:
        for folder in jobs:
            alone.enter_context(writing_alone(folder))
        datasets = [begin_dataset(folder, job) for folder, job in jobs.items()]
        for dataset in datasets:
            dataset.check_tables()
        _make_missing(datasets, executor=executor, watch=watch)
        for dataset in datasets:
            write_whole(dataset.folder / CARD_FILE, format_card_of(dataset).encode())
    return datasets


def _make_missing(
    datasets: Sequence[Dataset], *, executor: Executor, watch: Callable[[int], object]
) -> None:
    missing = [(dataset, number) for dataset in datasets for number in dataset.missing]
    if not missing:
        return
    wanted = sum(len(dataset.job.games_of(number)) for dataset, number in missing)
    done = sum(dataset.job.games for dataset in datasets) - wanted
    kinds = _unlike([dataset.job for dataset, _number in missing])
    _warm_up_all(kinds)  # compiles once, rather than in every process
    watch(done)
    work = partial(_make_task, [(dataset.job, number) for dataset, number in missing])
    prepare = partial(_warm_up_all, kinds)
    with contextlib.closing(executor.run(work, range(len(missing)), prepare=prepare)) as parts:
        for part, (dataset, number) in zip(parts, missing):
            dataset.keep(part)
            done += len(dataset.job.games_of(number))
            watch(done)


def _make_task(tasks: Sequence[tuple[Job, int]], task: int) -> Part:
    return make_part(*tasks[task])


def _warm_up_all(jobs: Sequence[Job]) -> None:
    for job in jobs:
        warm_up(job)


def _unlike(jobs: Sequence[Job]) -> list[Job]:
    """One of the jobs for each choice of bots and number of seats: others compile nothing more."""
    kinds = {(job.rules.players, *(player.bot for player in job.players)): job for job in jobs}
    return list(kinds.values())


class GamesLine(ProgressLine):
    """The line of games that are made or checked."""

    def tell(self, *, bar: str, done: int, total: int, left: str) -> str:
        """What the line says."""
        return self._words.say(
            "[{bar}] {done}/{games} games   {left} left", bar=bar, done=done, games=total, left=left
        )


@contextlib.contextmanager
def games_line(
    words: Words, games: int, stream: TextIO | None
) -> Iterator[Callable[[int], object]]:
    """Something to tell how many games are done; while it lasts, a line on `stream` says so."""
    if stream is None:
        yield lambda _games: None
        return
    line = GamesLine(words, games, stream, clock=time.perf_counter)
    try:
        line.prepare()
        yield line.reach
    finally:
        line.clear()
