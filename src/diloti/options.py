"""What can be typed on the command line: sub-commands, their options and the help for them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from diloti import __version__
from diloti.lab_options import add_lab_commands
from diloti.parser import RULE_SETS, Parser, add_rule_options
from diloti.words import Words

DATA_VARIABLE = "DILOTI_DATA"
"""The environment variable that names the folder of the matches."""

Action = Callable[[Words, argparse.Namespace], int]
"""What a sub-command does: it speaks with these words, and returns the exit status."""

_LEVELS = ("novice", "casual", "regular", "strong", "expert")
_CHAPTERS = ("rules", "minute", "examples", "questions", "glossary", "advice")


def make_parser(words: Words, actions: Mapping[str, Action]) -> argparse.ArgumentParser:
    """The parser of the command line; `run` of what it reads is the action of its sub-command."""
    say = words.say
    program = Parser(words=words, prog="diloti", description=say("The Greek card game Diloti."))
    program.options.add_argument(
        "--version",
        action="version",
        version=f"diloti {__version__}",
        help=say("Print the version and stop."),
    )
    commands = program.add_subparsers(title=say("Commands"), metavar=say("COMMAND"), required=True)

    def add(name: str, about: str) -> Parser:
        to, last = (kinds, name.split()[1]) if " " in name else (commands, name)
        command: Parser = to.add_parser(last, words=words, help=about, description=about)
        command.set_defaults(run=actions[name])
        return command

    _add_play_options(add("play", say("Play a match in this terminal.")), words)
    _add_learn_options(add("learn", say("Learn the game by playing.")), words)
    _add_serve_options(add("serve", say("Serve the table for browsers.")), words)
    about = say("Keep the score sheet of people who play with real cards.")
    _add_score_options(add("score", about), words)
    about = say("Copy the tables of the browser into a file, also while they are in use.")
    _add_backup_options(add("backup", about), words)
    replay = add("replay", say("Tell a recorded match, all hands open."))
    _add_record(replay, words)
    replay.options.add_argument(
        "--bots",
        action="store_true",
        help=say("Instead, have the bots that it names choose again, and compare."),
    )
    about = say("Review a recorded match: what each play lost, and what was luck.")
    _add_review_options(add("review", about), words)
    rules = add("rules", say("Print the rules of a rule set."))
    add_rule_options(rules, words)
    rules.options.add_argument(
        "--chapter",
        choices=_CHAPTERS,
        default=_CHAPTERS[0],
        help=say("The part of the rule book: {known}.", known=", ".join(_CHAPTERS)),
    )
    about = say("Answer requests of other programs, one JSON object a line.")
    add("engine", about)
    bench = commands.add_parser(
        "bench", words=words, help=say("Measure speed."), description=say("Measure speed.")
    )
    kinds = bench.add_subparsers(title=say("Commands"), metavar=say("COMMAND"), required=True)
    about = say("Measure random play on one core.")
    random_play = add("bench random-play", about)
    _add_bench_options(random_play, words)
    add_lab_commands(add, words)
    return program


def _add_play_options(command: Parser, words: Words) -> None:
    say = words.say
    add_rule_options(command, words)
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


def _add_data_option(command: Parser, words: Words) -> None:
    say = words.say
    about = say(
        "Where matches are kept; otherwise {variable}, or the usual place.", variable=DATA_VARIABLE
    )
    command.options.add_argument("--data-dir", metavar=say("FOLDER"), help=about)


def _add_learn_options(command: Parser, words: Words) -> None:
    about = words.say("Begin the lessons anew.")
    command.options.add_argument("--again", action="store_true", help=about)
    _add_data_option(command, words)


def _add_score_options(command: Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    add_rule_options(command, words)
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


def _add_serve_options(command: Parser, words: Words) -> None:
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


def _add_database_options(command: Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    about = say("A file, or postgresql://…; otherwise a file in the folder of the matches.")
    add("--database", metavar=say("DATABASE"), help=about)
    about = say("The folder of the matches; otherwise the user's data folder.")
    add("--data-dir", metavar=say("FOLDER"), help=about)


def _add_backup_options(command: Parser, words: Words) -> None:
    about = words.say("Where the copy goes; it must not be there yet.")
    command.options.add_argument("file", type=Path, metavar=words.say("FILE"), help=about)
    _add_database_options(command, words)


def _add_record(command: Parser, words: Words) -> None:
    say, add = words.say, command.add_argument_group(words.say("File")).add_argument
    add("file", metavar=say("FILE"), help=say("The record; - is standard input."))
    about = say("Which record of a file that holds several, from 1.")
    add("--game", type=int, metavar="N", help=about)


def _add_review_options(command: Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    file = say("FILE")
    _add_record(command, words)
    add("--all", action="store_true", help=say("Tell every play, not only those that lost points."))
    about = say("How many hands are played out to judge a play; more is slower and more exact.")
    add("--simulations", type=int, metavar="N", help=about)
    add("--seed", type=int, default=0, metavar="N", help=say("The number that chance starts from."))
    about = say("Write the review into a file for a browser, with all cards drawn.")
    add("--html", type=Path, metavar=file, help=about)
    add("--json", type=Path, metavar=file, help=say("Write the review into a file as JSON."))
    about = say("Draw the chances through the match into a .png or .svg file.")
    add("--picture", type=Path, metavar=file, help=about)


def _add_bench_options(command: Parser, words: Words) -> None:
    say = words.say
    add = command.options.add_argument
    add("--seconds", type=float, default=5.0, metavar="S", help=say("How long to play."))
    add("--rules", choices=RULE_SETS, default=RULE_SETS[0], help=say("The rule set."))
    add("--seed", type=int, default=1, metavar="N", help=say("The number that chance starts from."))
    add("--json", action="store_true", help=say("Print one line of JSON."))
