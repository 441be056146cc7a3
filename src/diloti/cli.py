"""The command line: sub-commands that parse and call, nothing more.

What is heavy is imported by the sub-command that needs it, so that help comes at once.
"""

from __future__ import annotations

import argparse
import datetime
import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from diloti import __version__
from diloti.core.errors import N_, DilotiError
from diloti.tui.streams import (
    forget_output,
    is_terminal,
    prepare_streams,
    standard_input,
    standard_input_bytes,
    standard_output,
)
from diloti.words import LANGUAGES, LanguageError, Words, pick_language
from diloti.words.printable import printable

if TYPE_CHECKING:
    from diloti.core.rules import Rules
    from diloti.scorebook.entries import Entries
    from diloti.tui.plain.teletype import Teletype
    from diloti.tui.start import Table

FINE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""

DATA_VARIABLE = "DILOTI_DATA"
"""The environment variable that names the folder of the matches."""

_RULE_SETS = ("classic", "taverna")
_LEVELS = ("novice", "casual", "regular", "strong", "expert")
_CHAPTERS = ("rules", "minute", "examples", "questions", "glossary", "advice")
_SEEDS = 1 << 64
_MOST_SIMULATIONS = 10**9


class UsageError(DilotiError):
    """Values of options that cannot be."""


class MissingError(DilotiError):
    """Something that the installation lacks."""


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
        options = _parser(words).parse_args(arguments)
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


# --- What can be typed -------------------------------------------------------------


class _Formatter(argparse.HelpFormatter):
    """Help with the word for usage in the language of the game."""

    def __init__(self, prog: str, *, words: Words) -> None:
        super().__init__(prog)
        self._words = words

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        usage_word = self._words.say("Usage: ") if prefix is None else prefix
        super().add_usage(usage, actions, groups, usage_word)


class _Parser(argparse.ArgumentParser):
    """A parser whose help speaks the language of the game."""

    def __init__(self, *, words: Words, **details: Any) -> None:
        super().__init__(
            add_help=False,
            allow_abbrev=False,
            formatter_class=partial(_Formatter, words=words),
            **details,
        )
        self.options = self.add_argument_group(words.say("Options"))
        self.options.add_argument(
            "-h", "--help", action="help", help=words.say("Print this help and stop.")
        )
        self.options.add_argument(
            "--lang",
            metavar=words.say("CODE"),
            help=words.say(
                "The language: {known}. Otherwise that of the environment.",
                known=", ".join(LANGUAGES),
            ),
        )

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments, without anything of them that could steer the terminal."""
        super().error(printable(message))


def _parser(words: Words) -> argparse.ArgumentParser:
    say = words.say
    program = _Parser(words=words, prog="diloti", description=say("The Greek card game Diloti."))
    program.options.add_argument(
        "--version",
        action="version",
        version=f"diloti {__version__}",
        help=say("Print the version and stop."),
    )
    commands = program.add_subparsers(title=say("Commands"), metavar=say("COMMAND"), required=True)

    def add(
        to: Any, name: str, about: str, run: Callable[[Words, argparse.Namespace], int]
    ) -> _Parser:
        command: _Parser = to.add_parser(name, words=words, help=about, description=about)
        command.set_defaults(run=run)
        return command

    _add_play_options(add(commands, "play", say("Play a match in this terminal."), _play), words)
    _add_learn_options(add(commands, "learn", say("Learn the game by playing."), _learn), words)
    _add_serve_options(add(commands, "serve", say("Serve the table for browsers."), _serve), words)
    about = say("Keep the score sheet of people who play with real cards.")
    _add_score_options(add(commands, "score", about, _score), words)
    about = say("Copy the tables of the browser into a file, also while they are in use.")
    _add_backup_options(add(commands, "backup", about, _backup), words)
    replay = add(commands, "replay", say("Tell a recorded match, all hands open."), _replay)
    replay.add_argument_group(say("File")).add_argument(
        "file", metavar=say("FILE"), help=say("The record; - is standard input.")
    )
    replay.options.add_argument(
        "--bots",
        action="store_true",
        help=say("Instead, have the bots that it names choose again, and compare."),
    )
    about = say("Review a recorded match: what each play lost, and what was luck.")
    _add_review_options(add(commands, "review", about, _review), words)
    rules = add(commands, "rules", say("Print the rules of a rule set."), _rules)
    _add_rule_options(rules, words)
    rules.options.add_argument(
        "--chapter",
        choices=_CHAPTERS,
        default=_CHAPTERS[0],
        help=say("The part of the rule book: {known}.", known=", ".join(_CHAPTERS)),
    )
    about = say("Answer requests of other programs, one JSON object a line.")
    add(commands, "engine", about, _engine)
    bench = commands.add_parser(
        "bench", words=words, help=say("Measure speed."), description=say("Measure speed.")
    )
    kinds = bench.add_subparsers(title=say("Commands"), metavar=say("COMMAND"), required=True)
    about = say("Measure random play on one core.")
    random_play = add(kinds, "random-play", about, _bench_random_play)
    _add_bench_options(random_play, words)
    duel = add(commands, "duel", say("Measure two bots against each other."), _duel)
    _add_duel_options(duel, words)
    return program


def _add_rule_options(command: _Parser, words: Words) -> None:
    say = words.say
    command.options.add_argument("--rules", choices=_RULE_SETS, help=say("The rule set."))
    command.options.add_argument(
        "--set",
        action="append",
        default=[],
        metavar=say("SWITCH=VALUE"),
        help=say("Change a switch of the rule set, as xeri_points=5; may be repeated."),
    )
    command.options.add_argument("--players", type=int, choices=(2, 4), help=say("How many play."))
    command.options.add_argument(
        "--target", type=int, metavar="N", help=say("The points that win the match.")
    )


def _add_play_options(command: _Parser, words: Words) -> None:
    say = words.say
    _add_rule_options(command, words)
    add = command.options.add_argument
    add(
        "--seats",
        metavar=say("NAME,NAME,…"),
        help=say(
            "Who plays, in order: bots by their level ({levels}), names of people, or human."
            " Partners sit opposite each other.",
            levels=", ".join(_LEVELS),
        ),
    )
    running = command.options.add_mutually_exclusive_group()
    running.add_argument(
        "--resume",
        dest="resume",
        action="store_true",
        default=None,
        help=say("Go on with the running match."),
    )
    running.add_argument(
        "--new",
        dest="resume",
        action="store_false",
        help=say("Begin a new match; a running one is put away."),
    )
    add("--plain", action="store_true", help=say("Play line by line."))
    add(
        "--coach",
        action="store_true",
        help=say("Be warned before a play that loses much; against bots only."),
    )
    add("--seed", type=int, metavar="N", help=say("Deal the same cards for the same number."))
    _add_data_option(command, words)


def _add_data_option(command: _Parser, words: Words) -> None:
    say = words.say
    about = say(
        "Where matches are kept; otherwise {variable}, or the usual place.", variable=DATA_VARIABLE
    )
    command.options.add_argument("--data-dir", metavar=say("FOLDER"), help=about)


def _add_learn_options(command: _Parser, words: Words) -> None:
    about = words.say("Begin the lessons anew.")
    command.options.add_argument("--again", action="store_true", help=about)
    _add_data_option(command, words)


def _add_score_options(command: _Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    _add_rule_options(command, words)
    about = say("Who plays, in order; partners sit opposite each other.")
    add("--names", metavar=say("NAME,NAME,…"), help=about)
    add("--dealer", type=int, metavar="N", help=say("Who deals first: 1 is the first name."))
    add("--new", action="store_true", help=say("Begin a new sheet; the old one is put away."))
    about = say("The file of the sheet; otherwise one in the folder of the matches.")
    add("--file", type=Path, metavar=say("FILE"), help=about)
    about = say("Write the sheet into a file and stop; a name with .csv makes a table.")
    add("--export", type=Path, metavar=say("FILE"), help=about)
    about = say("The folder of the matches; otherwise the user's data folder.")
    add("--data-dir", metavar=say("FOLDER"), help=about)


def _add_serve_options(command: _Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    about = say("The address to serve at; 0.0.0.0 is every address of this machine.")
    add("--host", default=os.environ.get("DILOTI_HOST", "127.0.0.1"), help=about)
    add("--port", type=int, metavar="N", help=say("The port to serve at."))
    _add_database_options(command, words)
    about = say("How many processes serve; more than one needs PostgreSQL.")
    add("--workers", type=int, metavar="N", help=about)
    about = say("Days after which a table that nobody has touched is deleted; otherwise 60.")
    add("--forget-days", type=int, metavar="N", help=about)
    about = say("Days after which a finished match is deleted; otherwise 400.")
    add("--keep-days", type=int, metavar="N", help=about)
    add("--open", action="store_true", help=say("Open the page in a browser."))


def _add_database_options(command: _Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    about = say("A file, or postgresql://…; otherwise a file in the folder of the matches.")
    add("--database", metavar=say("DATABASE"), help=about)
    about = say("The folder of the matches; otherwise the user's data folder.")
    add("--data-dir", metavar=say("FOLDER"), help=about)


def _add_backup_options(command: _Parser, words: Words) -> None:
    about = words.say("Where the copy goes; it must not be there yet.")
    command.options.add_argument("file", type=Path, metavar=words.say("FILE"), help=about)
    _add_database_options(command, words)


def _add_review_options(command: _Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    file = say("FILE")
    command.add_argument_group(say("File")).add_argument(
        "file", metavar=file, help=say("The record; - is standard input.")
    )
    add("--all", action="store_true", help=say("Tell every play, not only those that lost points."))
    about = say("How many hands are played out to judge a play; more is slower and more exact.")
    add("--simulations", type=int, metavar="N", help=about)
    add("--seed", type=int, default=0, metavar="N", help=say("The number that chance starts from."))
    about = say("Write the review into a file for a browser, with all cards drawn.")
    add("--html", type=Path, metavar=file, help=about)
    add("--json", type=Path, metavar=file, help=say("Write the review into a file as JSON."))
    about = say("Draw the chances through the match into a .png or .svg file.")
    add("--picture", type=Path, metavar=file, help=about)


def _add_bench_options(command: _Parser, words: Words) -> None:
    say = words.say
    add = command.options.add_argument
    add("--seconds", type=float, default=5.0, metavar="S", help=say("How long to play."))
    add("--rules", choices=_RULE_SETS, default=_RULE_SETS[0], help=say("The rule set."))
    add("--seed", type=int, default=1, metavar="N", help=say("The number that chance starts from."))
    add("--json", action="store_true", help=say("Print one line of JSON."))


def _add_duel_options(command: _Parser, words: Words) -> None:
    say = words.say
    players = command.add_argument_group(say("Players"))
    about = say(
        "A bot: NAME, NAME:400 (400 simulations a play) or NAME:0.1s (a tenth of a second)."
    )
    players.add_argument("first", metavar="A", help=about)
    players.add_argument("second", metavar="B", help=about)
    _add_rule_options(command, words)
    add = command.options.add_argument
    games = command.options.add_mutually_exclusive_group()
    games.add_argument(
        "--pairs",
        type=int,
        metavar="N",
        help=say("How many packs to play, each twice with the sides swapped."),
    )
    games.add_argument(
        "--matches", type=int, metavar="N", help=say("Play so many whole matches, two a pair.")
    )
    add(
        "--until-sure",
        action="store_true",
        help=say("End as soon as one bot is surely better; the number is then the most."),
    )
    add("--seed", type=int, default=1, metavar="N", help=say("The number that chance starts from."))
    add(
        "--workers",
        type=int,
        metavar="N",
        help=say("How many processes play; otherwise one for every core."),
    )
    file = say("FILE")
    add("--json", type=Path, metavar=file, help=say("Write all results into a file as JSON."))
    add(
        "--picture", type=Path, metavar=file, help=say("Draw the results into a .png or .svg file.")
    )
    add("--ledger", action="store_true", help=say("Print a row of a Markdown table instead."))
    add("--quiet", action="store_true", help=say("Say nothing while the duel is played."))


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
            switches=_switches(options),
            seats=options.seats,
            seed=options.seed,
        )
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble


def _switches(options: argparse.Namespace) -> dict[str, object]:
    """The switches that the options change."""
    from diloti.core.record_reader import parse_switch

    switches: dict[str, object] = {}
    for change in options.set:
        name, equals, value = change.partition("=")
        if not equals:
            raise UsageError(N_("{text} does not set a switch"), text=change)
        switches[name.strip()] = parse_switch(value.strip())
    for name in ("players", "target"):
        if getattr(options, name) is not None:
            switches[name] = getattr(options, name)
    return switches


def _rules_of(options: argparse.Namespace) -> Rules:
    from diloti.core.rules import rules_from

    try:
        return rules_from(options.rules or _RULE_SETS[0], **_switches(options))
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
    rules = _rules_of(options)
    if names is not None and len(names) != rules.players:
        raise UsageError(N_("{players} players need as many names"), players=rules.players)
    if options.dealer is not None and not 1 <= options.dealer <= rules.players:
        raise UsageError(N_("the first dealer is one of the players"))
    entries = None if options.new else file.load()
    if options.export is not None:
        if entries is None:
            raise UsageError(N_("there is no score sheet in {file}"), file=file.path)
        export_book(words, Book(entries), options.export)
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
        file.put_away()
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
    record = read_record(options.file, standard_input_bytes())
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
    _check_number("--simulations", simulations, 1, _MOST_SIMULATIONS)
    _check_number("--seed", options.seed, 0, _SEEDS - 1)
    files = ReviewFiles(options.html, options.json, options.picture)
    try:
        files.check()
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble
    files.check_tools()
    warm_up(words, sys.stderr)
    match = read_record(options.file, standard_input_bytes()).match
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


def _check_number(name: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise UsageError(
            N_("{name} must be a whole number from {least} to {most}"),
            name=name,
            least=least,
            most=most,
        )


def _rules(words: Words, options: argparse.Namespace) -> int:
    from diloti.tui.rulebook import rulebook_lines

    for line in rulebook_lines(words, _rules_of(options), options.chapter):
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


def _duel(words: Words, options: argparse.Namespace) -> int:
    from diloti.lab.duelling import check_pictures, plan_duel, run_duel, tell_duel
    from diloti.tui.start import warm_up

    rules = _rules_of(options)
    try:
        plan = plan_duel(
            rules,
            (options.first, options.second),
            pairs=options.pairs,
            matches=options.matches,
            seed=options.seed,
            until_sure=options.until_sure,
            workers=options.workers,
            json_file=options.json,
            picture_file=options.picture,
        )
    except DilotiError as trouble:
        raise UsageError(trouble.template, **trouble.details) from trouble
    if options.picture is not None:
        check_pictures()
    warm_up(words, io.StringIO() if options.quiet else sys.stderr)
    watched = sys.stderr is not None and sys.stderr.isatty() and not options.quiet
    report = run_duel(words, plan, progress=sys.stderr if watched else None)
    if report is None:
        return INTERRUPTED
    today = datetime.date.today().isoformat() if options.ledger else None
    tell = partial(print, file=standard_output(), flush=True)
    tell_duel(words, plan, report, tell, ledger_date=today)
    return FINE if plan.measurement.is_complete else INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
