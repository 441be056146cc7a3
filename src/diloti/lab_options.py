"""What can be typed to use the laboratory: the commands `duel`, `generate` and `study`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from diloti.parser import Parser, add_rule_options
from diloti.words import Words


def add_lab_commands(add: Callable[[str, str], Parser], words: Words) -> None:
    """Add the commands of the laboratory; `add` takes the name of one and what it does."""
    say = words.say
    _add_duel_options(add("duel", say("Measure two bots against each other.")), words)
    about = say("Make a data set of games that bots play.")
    _add_generate_options(add("generate", about), words)
    about = say("Make the study: figures about the game, from games that bots play.")
    _add_study_options(add("study", about), words)


def _add_duel_options(command: Parser, words: Words) -> None:
    say = words.say
    players = command.add_argument_group(say("Players"))
    about = say(
        "A bot: NAME, NAME:400 (400 simulations a play) or NAME:0.1s (a tenth of a second)."
    )
    players.add_argument("first", metavar="A", help=about)
    players.add_argument("second", metavar="B", help=about)
    add_rule_options(command, words)
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
    _add_work_options(command, words)
    file = say("FILE")
    add("--json", type=Path, metavar=file, help=say("Write all results into a file as JSON."))
    add(
        "--picture", type=Path, metavar=file, help=say("Draw the results into a .png or .svg file.")
    )
    add("--ledger", action="store_true", help=say("Print a row of a Markdown table instead."))
    add("--quiet", action="store_true", help=say("Say nothing while the duel is played."))


def _add_work_options(command: Parser, words: Words) -> None:
    """What chance starts from, and who does the work."""
    say, add = words.say, command.options.add_argument
    add("--seed", type=int, default=1, metavar="N", help=say("The number that chance starts from."))
    about = say("How many processes play; otherwise one for every core.")
    add("--workers", type=int, metavar="N", help=about)
    about = say(
        "Play on a Ray cluster: the one at an address, otherwise one started on this machine."
    )
    add("--ray", nargs="?", const="local", metavar=say("ADDRESS"), help=about)


def _add_generate_options(command: Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    folder = say("FOLDER")
    about = say("Where the data set is; one that was begun there is gone on with.")
    command.add_argument_group(say("Folder")).add_argument(
        "folder", type=Path, metavar=folder, help=about
    )
    task = command.options.add_mutually_exclusive_group(required=True)
    about = say("One bot, or one for each side: NAME, or NAME:400 (400 simulations a play).")
    task.add_argument("--bots", nargs="+", metavar=say("NAME"), help=about)
    about = say("Play the records of the data set again, and compare every row with them.")
    task.add_argument("--check", action="store_true", help=about)
    add_rule_options(command, words)
    games = command.options.add_mutually_exclusive_group()
    games.add_argument(
        "--games", type=int, metavar="N", help=say("How many single deals to play; otherwise 1000.")
    )
    games.add_argument("--matches", type=int, metavar="N", help=say("Play so many whole matches."))
    about = say("Play each pack twice, with the sides swapped.")
    add("--paired", action="store_true", help=about)
    about = say("How many games are in a file; otherwise 100.")
    add("--part-size", type=int, metavar="N", help=about)
    _add_work_options(command, words)
    add("--quiet", action="store_true", help=say("Say nothing meanwhile."))


def _add_study_options(command: Parser, words: Words) -> None:
    say, add = words.say, command.options.add_argument
    about = say("Play fewer games: a few minutes instead of twenty, and wider intervals.")
    add("--quick", action="store_true", help=about)
    about = say("Where the study is made; one that was begun there is gone on with.")
    add("--folder", type=Path, metavar=say("FOLDER"), help=about)
    _add_work_options(command, words)
    add("--quiet", action="store_true", help=say("Say nothing meanwhile."))
