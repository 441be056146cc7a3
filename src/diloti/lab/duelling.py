"""A duel as it is asked for on the command line: checked first, then played and reported."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from diloti.core.errors import N_, DilotiError
from diloti.core.rules import Rules
from diloti.lab.duel import Clock, Duel
from diloti.lab.executors.crew import pick_executor
from diloti.lab.executors.executor import Executor
from diloti.lab.games import SEEDS
from diloti.lab.measurement import Measurement
from diloti.lab.player import parse_player
from diloti.lab.progress import ProgressLine
from diloti.lab.report import (
    Report,
    format_gain,
    format_json,
    format_reach,
    ledger_row,
    table_lines,
)
from diloti.stats import Sample
from diloti.usage import UsageError, check_number
from diloti.words import Words
from diloti.words.files import file_trouble

USUAL_PAIRS = 1000
"""Pairs of a duel unless it is said how many."""

_MOST_PAIRS = 10**9
_PICTURES = (".png", ".svg")


class DuelError(UsageError):
    """Something asked of a duel that cannot be."""


class NoPicturesError(DilotiError):
    """What draws pictures is not installed."""


@dataclass(frozen=True)
class Plan:
    """A duel with all that was asked for, and found possible."""

    measurement: Measurement
    executor: Executor
    json_file: Path | None
    picture_file: Path | None


def plan_duel(
    rules: Rules,
    players: tuple[str, str],
    *,
    pairs: int | None = None,
    matches: int | None = None,
    seed: int,
    until_sure: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    json_file: Path | None = None,
    picture_file: Path | None = None,
) -> Plan:
    """The duel that is asked for; `UsageError` and those of `parse_player` say what is wrong.

    With `matches` so many whole matches are played, two a pair. `cluster` is the address of one.
    The files are tried out, so that no long duel ends with nowhere to write.
    """
    if matches is not None:
        check_number("--matches", matches, 2, 2 * _MOST_PAIRS)
        if matches % 2:
            raise DuelError(N_("--matches must be even: every match is played with both sides"))
        pairs = matches // 2
    wanted = USUAL_PAIRS if pairs is None else pairs
    check_number("--pairs", wanted, 1, _MOST_PAIRS)
    check_number("--seed", seed, 0, SEEDS - 1)
    executor = pick_executor(workers=workers, cluster=cluster, pieces=wanted)
    first, second = (parse_player(player) for player in players)
    if picture_file is not None and picture_file.suffix.lower() not in _PICTURES:
        raise DuelError(
            N_("{file} must end in {known}"), file=picture_file, known=" / ".join(_PICTURES)
        )
    for file in (json_file, picture_file):
        if file is not None:
            check_writable(file)
    if json_file and picture_file and json_file.resolve() == picture_file.resolve():
        raise DuelError(N_("--json and --picture need two files"))
    duel = Duel(rules, (first, second), seed, whole_matches=matches is not None)
    measurement = Measurement(duel, pairs=wanted, until_sure=until_sure)
    return Plan(measurement, executor, json_file, picture_file)


def check_writable(file: Path) -> None:
    """Raise `DuelError` unless the file can be written; what is in it stays."""
    is_new = not file.exists()
    try:
        with file.open("ab"):
            pass
        if is_new:
            file.unlink()
    except (OSError, ValueError) as trouble:
        raise DuelError(
            N_("{file} cannot be written: {reason}"), file=file, reason=file_trouble(trouble)
        ) from trouble


def check_pictures() -> None:
    """Raise `NoPicturesError` unless pictures can be drawn."""
    try:
        import diloti.lab.picture  # noqa: F401
    except ModuleNotFoundError as trouble:
        raise NoPicturesError(
            N_("pictures need more: install diloti[lab], as with: pip install diloti[lab]")
        ) from trouble


class DuelLine(ProgressLine):
    """The line of a duel: pairs played, the mean so far with its interval, and what is left."""

    def __init__(
        self, words: Words, measurement: Measurement, stream: TextIO, *, clock: Clock
    ) -> None:
        super().__init__(words, measurement.pairs, stream, clock=clock)
        self._measurement = measurement
        self._sample = Sample()

    def show(self, sample: Sample) -> None:
        """Show the differences so far."""
        self._sample = sample
        self.reach(sample.count)

    def tell(self, *, bar: str, done: int, total: int, left: str) -> str:
        """What the line says."""
        return self._words.say(
            "[{bar}] {done}/{pairs} pairs   {mean} ± {reach}   {left} left",
            bar=bar,
            done=done,
            pairs=total,
            mean=format_gain(self._sample.mean),
            reach=format_reach(self._measurement.half_width(self._sample)),
            left=left,
        )


def run_duel(words: Words, plan: Plan, *, progress: TextIO | None) -> Report | None:
    """Play the duel until its end or an interruption, with a line on `progress` meanwhile.

    None where it was interrupted before the first pair was played.
    """
    clock = time.perf_counter
    measurement = plan.measurement
    line = progress and DuelLine(words, measurement, progress, clock=clock)
    started = clock()
    try:
        if line:
            line.prepare()
            measurement.duel.warm_up()  # once, rather than by every process
            measurement.run(executor=plan.executor, clock=clock, watch=line.show)
        else:
            measurement.run(executor=plan.executor, clock=clock)
    except KeyboardInterrupt:
        pass  # the report says so
    finally:
        if line:
            line.clear()
    if not measurement.results:
        return None
    return Report(measurement, plan.executor.workers, clock() - started)


def tell_duel(
    words: Words,
    plan: Plan,
    report: Report,
    tell: Callable[[str], object],
    *,
    ledger_date: str | None,
) -> None:
    """Tell the table, or with a date the row of the ledger; then write the files asked for."""
    if ledger_date is None:
        for line in table_lines(words, report):
            tell(line)
    else:
        tell(ledger_row(report, date=ledger_date))
    if plan.json_file is not None:
        plan.json_file.write_text(format_json(report), encoding="utf-8")
    if plan.picture_file is not None:
        from diloti.lab.picture import draw_report

        draw_report(words, report, plan.picture_file)
