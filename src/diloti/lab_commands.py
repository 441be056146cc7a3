"""The commands of the laboratory: what each calls; `diloti.lab_options` says what can be typed."""

from __future__ import annotations

import argparse
import datetime
import io
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from diloti.core.errors import N_, DilotiError
from diloti.tui.streams import standard_output
from diloti.usage import FINE, INTERRUPTED, MissingError, UsageError, check_number, rules_of
from diloti.words import Words

if TYPE_CHECKING:
    from diloti.lab.data.dataset import Dataset

_STUDY, _QUICK_STUDY = Path(".cache", "study"), Path(".cache", "study-quick")
"""Where the two forms of the study are made unless it is said where."""


def duel(words: Words, options: argparse.Namespace) -> int:
    """Measure two bots against each other, and print what was measured."""
    from diloti.lab.duelling import check_pictures, plan_duel, run_duel, tell_duel
    from diloti.tui.start import warm_up

    rules = rules_of(options)
    try:
        plan = plan_duel(
            rules,
            (options.first, options.second),
            pairs=options.pairs,
            matches=options.matches,
            seed=options.seed,
            until_sure=options.until_sure,
            workers=options.workers,
            cluster=options.ray,
            json_file=options.json,
            picture_file=options.picture,
        )
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble
    if options.picture is not None:
        check_pictures()
    _check_cluster(options)
    warm_up(words, io.StringIO() if options.quiet else sys.stderr)
    report = run_duel(words, plan, progress=_progress_stream(options))
    if report is None:
        return INTERRUPTED
    today = datetime.date.today().isoformat() if options.ledger else None
    tell = partial(print, file=standard_output(), flush=True)
    tell_duel(words, plan, report, tell, ledger_date=today)
    return FINE if plan.measurement.is_complete else INTERRUPTED


def _progress_stream(options: argparse.Namespace) -> TextIO | None:
    """Where a line can say how far the work is; None where nobody would see it."""
    watched = sys.stderr is not None and sys.stderr.isatty() and not options.quiet
    return sys.stderr if watched else None


def _check_cluster(options: argparse.Namespace) -> None:
    """Raise `ClusterError` where a cluster is asked for and cannot be used."""
    from diloti.lab.executors.cluster import check_ray

    if options.ray is not None:
        check_ray()


def generate(words: Words, options: argparse.Namespace) -> int:
    """Make a data set, go on with one, or check one."""
    _check_polars()
    if options.check:
        return _check_dataset(words, options)
    from diloti.lab.data.generating import games_line, plan_job
    from diloti.lab.data.generating import generate as make_dataset
    from diloti.lab.executors.crew import pick_executor
    from diloti.tui.start import warm_up

    rules = rules_of(options)
    try:
        job = plan_job(
            rules,
            options.bots,
            games=options.games,
            matches=options.matches,
            paired=options.paired,
            seed=options.seed,
            part_size=options.part_size,
        )
        executor = pick_executor(workers=options.workers, cluster=options.ray, pieces=job.parts)
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble
    _check_cluster(options)
    warm_up(words, io.StringIO() if options.quiet else sys.stderr)
    try:
        with games_line(words, job.games, _progress_stream(options)) as watch:
            dataset = make_dataset(options.folder, job, executor=executor, watch=watch)
    except KeyboardInterrupt:
        _tell_interruption(words, quiet=options.quiet)
        return INTERRUPTED
    _tell_size(words, dataset, quiet=options.quiet)
    return FINE


def _tell_interruption(words: Words, *, quiet: bool) -> None:
    """Say that what was made before an interruption stays."""
    if not quiet:
        about = words.say("Interrupted; the same command goes on with what is there.")
        print(about, file=sys.stderr)


def _check_polars() -> None:
    """Raise `MissingError` where data sets can be neither written nor read."""
    try:
        import polars  # noqa: F401
    except ModuleNotFoundError as trouble:
        raise MissingError(
            N_("data sets need more: install diloti[lab], as with: pip install diloti[lab]")
        ) from trouble


def _check_dataset(words: Words, options: argparse.Namespace) -> int:
    from diloti.lab.data.check import check_dataset
    from diloti.lab.data.dataset import open_dataset
    from diloti.lab.data.generating import games_line
    from diloti.lab.executors.crew import pick_executor

    if options.ray is not None:
        raise UsageError(N_("--check does its work on this machine, without --ray"))
    dataset = open_dataset(options.folder)
    try:
        executor = pick_executor(workers=options.workers, cluster=None, pieces=dataset.job.parts)
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble
    with games_line(words, dataset.job.games, _progress_stream(options)) as watch:
        check_dataset(dataset, executor=executor, watch=watch)
    _tell_size(words, dataset, quiet=options.quiet)
    return FINE


def _tell_size(words: Words, dataset: Dataset, *, quiet: bool) -> None:
    """Say how much is in a data set."""
    if not quiet:
        line = words.say(
            "{folder}: {games} games, {deals} deals, {plays} plays",
            folder=dataset.folder,
            games=dataset.job.games,
            deals=dataset.count_deals(),
            plays=dataset.count_plays(),
        )
        print(line, file=standard_output())


def study(words: Words, options: argparse.Namespace) -> int:
    """Make the study of the game, and say where its document is."""
    _check_polars()
    from diloti.lab.data.generating import games_line
    from diloti.lab.duelling import check_pictures
    from diloti.lab.executors.crew import pick_executor
    from diloti.lab.games import SEEDS
    from diloti.lab.study.plan import FULL, QUICK, count_games, jobs_of
    from diloti.lab.study.running import run_study

    check_number("--seed", options.seed, 0, SEEDS - 1)
    sizes = QUICK if options.quick else FULL
    games = count_games(jobs_of(sizes, options.seed))
    executor = pick_executor(workers=options.workers, cluster=options.ray, pieces=games)
    check_pictures()
    _check_cluster(options)
    folder = options.folder or (_QUICK_STUDY if options.quick else _STUDY)
    try:
        with games_line(words, games, _progress_stream(options)) as watch:
            document = run_study(sizes, options.seed, folder, executor=executor, watch=watch)
    except KeyboardInterrupt:
        _tell_interruption(words, quiet=options.quiet)
        return INTERRUPTED
    if not options.quiet:
        print(document, file=standard_output())
    return FINE
