"""The command line: what each sub-command calls; `diloti.options` says what can be typed.

What is heavy is imported by the sub-command that needs it, so that help comes at once.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from diloti.core.errors import N_, DilotiError
from diloti.lab_commands import duel, generate, study
from diloti.options import DATA_VARIABLE, Action, make_parser
from diloti.tui.streams import (
    forget_output,
    is_terminal,
    prepare_streams,
    standard_input,
    standard_input_bytes,
    standard_output,
)
from diloti.usage import (
    FAILED,
    FINE,
    INTERRUPTED,
    MISUSED,
    MissingError,
    UsageError,
    check_number,
    rules_of,
    switches_of,
)
from diloti.words import LanguageError, Words, pick_language
from diloti.words.printable import printable

if TYPE_CHECKING:
    from diloti.scorebook.entries import Entries
    from diloti.tui.plain.teletype import Teletype
    from diloti.tui.start import Table

_SEEDS = 1 << 64
_MOST_SIMULATIONS = 10**9


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; returns the exit status."""
    prepare_streams()
    try:
        status = _run(sys.argv[1:] if arguments is None else list(arguments))
        standard_output().flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as trouble:  # a full disk behind the output, or a reader who has gone
        if not isinstance(trouble, BrokenPipeError):
            _complain(str(trouble))
        forget_output()
        return FAILED


def _run(arguments: Sequence[str]) -> int:
    """The exit status of a sub-command; what goes wrong is told."""
    words = Words("en")
    try:
        words = Words(pick_language(_language_of(arguments), os.environ))
        options = make_parser(words, _ACTIONS).parse_args(arguments)
        status: int = options.run(words, options)
        return status
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except (UsageError, LanguageError) as trouble:
        _complain(words.error(trouble))
        return MISUSED
    except DilotiError as trouble:
        _complain(words.error(trouble))
        return FAILED


def _complain(text: str) -> None:
    print(f"diloti: {printable(text)}", file=sys.stderr, flush=True)


def _language_of(arguments: Sequence[str]) -> str | None:
    """The language that `--lang` asks for; it must be known before there is a parser."""
    wanted = None
    for argument, following in zip(arguments, [*arguments[1:], None]):
        if argument == "--lang":
            wanted = following
        elif argument.startswith("--lang="):
            wanted = argument.removeprefix("--lang=")
    return wanted


# --- What is called ----------------------------------------------------------------


def _play(words: Words, options: argparse.Namespace) -> int:
    from diloti.tui.start import play_in_terminal, warm_up
    from diloti.tui.store import Store

    table = _table(words, options)
    store = Store(_data_folder(options))
    warm_up(words, sys.stderr)
    return play_in_terminal(
        words,
        store,
        table,
        resume=options.resume,
        plain=options.plain or not is_terminal() or os.environ.get("TERM") == "dumb",
        coach=options.coach,
        complain=_complain,
    )


def _learn(words: Words, options: argparse.Namespace) -> int:
    from diloti.tui.learn import learn_in_terminal
    from diloti.tui.start import warm_up

    folder = _data_folder(options)
    warm_up(words, sys.stderr)
    return learn_in_terminal(words, folder, again=options.again)


def _table(words: Words, options: argparse.Namespace) -> Table:
    from diloti.tui.start import set_table

    try:
        return set_table(
            words,
            base=options.rules,
            switches=switches_of(options),
            seats=options.seats,
            seed=options.seed,
        )
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble


def _data_folder(options: argparse.Namespace) -> Path:
    named = options.data_dir or os.environ.get(DATA_VARIABLE)
    if named:
        return Path(named).expanduser()
    try:
        from platformdirs import user_data_path
    except ModuleNotFoundError as trouble:
        raise MissingError(
            N_("the game in a terminal needs more: install diloti[terminal], or name --data-dir")
        ) from trouble
    return user_data_path("diloti", appauthor=False)


def _score(words: Words, options: argparse.Namespace) -> int:
    import secrets

    from diloti.scorebook.book import Book
    from diloti.scorebook.entries import clean_name, first_entries
    from diloti.tui.plain.score import ask_setup, export_book, run_score
    from diloti.tui.score_file import ScoreFile

    file = ScoreFile(options.file or _data_folder(options) / "score.json")
    new_name = partial(secrets.token_urlsafe, 12)
    names = None if options.names is None else [clean_name(one) for one in options.names.split(",")]
    if names is not None and options.players is None:
        options.players = len(names)
    rules = rules_of(options)
    if names is not None and len(names) != rules.players:
        raise UsageError(N_("{players} players need as many names"), players=rules.players)
    if options.dealer is not None and not 1 <= options.dealer <= rules.players:
        raise UsageError(N_("the first dealer is one of the players"))
    entries = None if options.new else file.load()
    if options.export is not None:
        if entries is None:
            raise UsageError(N_("there is no score sheet in {file}"), file=file.path)
        export_book(words, Book(entries), options.export, sheet=file.path)
        return FINE
    chosen = (options.names, options.rules, options.players, options.target, options.dealer)
    if entries is not None and (any(one is not None for one in chosen) or options.set):
        raise UsageError(
            N_("{file} has a score sheet already: --new begins another one"), file=file.path
        )

    def begin(teletype: Teletype) -> Entries:
        if entries is not None:
            return entries
        dealer = None if options.dealer is None else options.dealer - 1
        setup = ask_setup(words, teletype, rules, names, dealer)
        away = file.put_away()
        if away is not None:
            teletype.say(words.say("What was in the file is kept as {file}.", file=away))
        return first_entries(setup, name=new_name())

    return run_score(
        words,
        file,
        begin,
        new_name,
        standard_input(),
        standard_output(),
        interactive=is_terminal(),
    )


def _serve(words: Words, options: argparse.Namespace) -> int:
    try:
        from diloti.web.serve import serve
    except ModuleNotFoundError as trouble:
        raise MissingError(
            N_("the table in the browser needs more: install diloti[web]")
        ) from trouble
    from diloti.tui.start import warm_up
    from diloti.web.settings import Settings, is_shared

    database = _database(options)
    port = _number(options.port, "DILOTI_PORT", "--port", 0, (1 << 16) - 1)
    workers = _number(options.workers, "DILOTI_WORKERS", "--workers", 1, 64) or 1
    days = _number(options.forget_days, "DILOTI_FORGET_DAYS", "--forget-days", 1, 36_500)
    kept = _number(options.keep_days, "DILOTI_KEEP_DAYS", "--keep-days", 1, 36_500)
    simulations = _number(None, "DILOTI_REVIEW_SIMULATIONS", "", 1, 1_000_000)
    if workers > 1 and not is_shared(database):
        raise UsageError(N_("more than one process needs PostgreSQL: name it with --database"))
    settings = Settings(
        database=database,
        host=options.host,
        port=port,
        workers=workers,
        forget_days=days or Settings.forget_days,
        keep_days=kept or Settings.keep_days,
        is_limited=os.environ.get("DILOTI_UNLIMITED") != "1",
        proxies=os.environ.get("DILOTI_PROXIES", Settings.proxies),
        secure=os.environ.get("DILOTI_SECURE") == "1",
        review_simulations=simulations or Settings.review_simulations,
    )
    warm_up(words, sys.stderr)
    tell = partial(print, file=standard_output(), flush=True)
    serve(
        settings,
        tell=lambda address: tell(words.say("Diloti is at {address}", address=address)),
        opens=options.open,
    )
    return FINE


def _database(options: argparse.Namespace) -> str:
    named: str = options.database or os.environ.get("DILOTI_DATABASE", "")
    return named or str(_data_folder(options) / "tables.db")


def _number(given: int | None, variable: str, option: str, least: int, most: int) -> int | None:
    """A whole number from an option, else from the environment; None where neither says one."""
    text = os.environ.get(variable, "")
    if given is None and not text:
        return None
    try:
        number = int(text) if given is None else given
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise UsageError(
            N_("{name} must be a whole number from {least} to {most}"),
            name=variable if given is None else option,
            least=least,
            most=most,
        )
    return number


def _backup(words: Words, options: argparse.Namespace) -> int:
    from diloti.web.backup import back_up

    back_up(_database(options), options.file)
    print(words.say("The tables are in {file}", file=options.file), file=standard_output())
    return FINE


def _replay(words: Words, options: argparse.Namespace) -> int:
    from diloti.tui.replay import read_record, repetition_lines, replay_lines
    from diloti.tui.start import warm_up

    warm_up(words, sys.stderr)
    record = read_record(options.file, standard_input_bytes(), game=options.game)
    lines = repetition_lines(words, record.match) if options.bots else replay_lines(words, record)
    for line in lines:
        print(printable(line), file=standard_output())
    return FINE


def _review(words: Words, options: argparse.Namespace) -> int:
    from diloti.lab.reviewing import ReviewFiles
    from diloti.teacher.judgement import SIMULATIONS
    from diloti.teacher.review import review_match
    from diloti.tui.replay import read_record
    from diloti.tui.review import ReviewProgress, review_lines
    from diloti.tui.start import warm_up

    simulations = SIMULATIONS if options.simulations is None else options.simulations
    check_number("--simulations", simulations, 1, _MOST_SIMULATIONS)
    check_number("--seed", options.seed, 0, _SEEDS - 1)
    files = ReviewFiles(options.html, options.json, options.picture)
    try:
        files.check(Path(options.file))
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble
    files.check_tools()
    warm_up(words, sys.stderr)
    match = read_record(options.file, standard_input_bytes(), game=options.game).match
    progress = ReviewProgress(words, sys.stderr or io.StringIO())
    try:
        review = review_match(
            match, simulations=simulations, seed=options.seed, progress=progress.show
        )
    finally:
        progress.clear()
    files.write(words, match, review)
    for line in review_lines(words, match, review, all_plays=options.all):
        print(printable(line), file=standard_output())
    return FINE


def _rules(words: Words, options: argparse.Namespace) -> int:
    from diloti.tui.rulebook import rulebook_lines

    for line in rulebook_lines(words, rules_of(options), options.chapter):
        print(line, file=standard_output())
    return FINE


def _engine(_words: Words, _options: argparse.Namespace) -> int:
    from diloti.engine import run

    run(standard_input(), standard_output())
    return FINE


def _bench_random_play(_words: Words, options: argparse.Namespace) -> int:
    from diloti.bench import random_play
    from diloti.core.rules import RULE_SETS

    if not (math.isfinite(options.seconds) and options.seconds > 0):
        raise UsageError(N_("{name} must be a number above 0"), name="--seconds")
    if not 0 <= options.seed < _SEEDS:
        raise UsageError(
            N_("{name} must be a whole number from 0 to {most}"), name="--seed", most=_SEEDS - 1
        )
    figures = random_play(RULE_SETS[options.rules], seconds=options.seconds, seed=options.seed)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name}: {figure}")
    return FINE


if __name__ == "__main__":
    sys.exit(main())


_ACTIONS: Mapping[str, Action] = {
    "play": _play,
    "learn": _learn,
    "serve": _serve,
    "score": _score,
    "backup": _backup,
    "replay": _replay,
    "review": _review,
    "rules": _rules,
    "engine": _engine,
    "bench random-play": _bench_random_play,
    "duel": duel,
    "generate": generate,
    "study": study,
}
