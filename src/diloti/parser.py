"""The parser of the command line, in the language of the game, and options that commands share."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from typing import Any, NoReturn

from diloti.words import LANGUAGES, Words
from diloti.words.printable import printable

RULE_SETS = ("classic", "taverna")
"""The rule sets that have a name: here too, since `diloti.core.rules` is slow to import."""


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


class Parser(argparse.ArgumentParser):
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


def add_rule_options(command: Parser, words: Words) -> None:
    """Which rules: the rule set, and what is changed of it."""
    say = words.say
    command.options.add_argument("--rules", choices=RULE_SETS, help=say("The rule set."))
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
