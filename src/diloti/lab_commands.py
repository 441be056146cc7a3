"""The commands of the laboratory: what each calls; `diloti.lab_options` says what can be typed."""

from __future__ import annotations

import argparse
import datetime
import io
import sys
from functools import partial
from typing import TYPE_CHECKING, TextIO

from diloti.core.errors import N_, DilotiError
from diloti.tui.streams import standard_output
from diloti.usage import FINE, INTERRUPTED, MissingError, UsageError, rules_of
from diloti.words import Words

if TYPE_CHECKING:
    from diloti.lab.dataset import Dataset


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
    from diloti.lab.cluster import check_ray

    if options.ray is not None:
        check_ray()


def generate(words: Words, options: argparse.Namespace) -> int:
    """Make a data set, go on with one, or check one."""
    try:
        import polars  # noqa: F401
    except ModuleNotFoundError as trouble:
        raise MissingError(
            N_("data sets need more: install diloti[lab], as with: pip install diloti[lab]")
        ) from trouble
    if options.check:
        return _check_dataset(words, options)
    from diloti.lab.crew import pick_executor
    from diloti.lab.generating import games_line, plan_job
    from diloti.lab.generating import generate as make_dataset
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
        if not options.quiet:
            about = words.say("Interrupted; the same command goes on with what is there.")
            print(about, file=sys.stderr)
        return INTERRUPTED
    _tell_size(words, dataset, quiet=options.quiet)
    return FINE


def _check_dataset(words: Words, options: argparse.Namespace) -> int:
    from diloti.lab.crew import pick_executor
    from diloti.lab.dataset import open_dataset
    from diloti.lab.dataset_check import check_dataset
    from diloti.lab.generating import games_line

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
