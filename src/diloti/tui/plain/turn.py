"""A person's turn line by line: what is typed, until it is a play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from diloti.core.errors import DilotiError
from diloti.core.legality import RULE_OF, Refusal
from diloti.core.notation import format_play
from diloti.core.plays import Play
from diloti.core.selection import Selection
from diloti.core.view import View
from diloti.teacher.advice import Advice, advise, mistake_of
from diloti.teacher.instead import instead_of
from diloti.tui.advice import hint_lines, warning_lines
from diloti.tui.plain.commands import command_of, help_lines, is_yes
from diloti.tui.plain.teletype import LineTooLong, Teletype
from diloti.tui.plain.text import hand_line, table_lines
from diloti.tui.plain.typed import Typed, lay, offer, understand
from diloti.words import Words
from diloti.words.cards import card_sign
from diloti.words.plays import describe_play
from diloti.words.rules import rule_lines
from diloti.words.telling import capitalized

_READABLE = ("table", "hand", "plays", "rules")
"""Commands that ask for something to read about the position."""


class Turn:
    """The conversation from the moment a seat is to play until it has chosen."""

    def __init__(
        self,
        words: Words,
        teletype: Teletype,
        names: Sequence[str],
        view: View,
        *,
        has_teacher: bool = False,
        has_coach: bool = False,
        refuse: Callable[[Play, Refusal], tuple[str, str]] | None = None,
    ) -> None:
        """`has_teacher` says that hints are given, `has_coach` that plays are looked at first.

        `refuse` tells why a play is not allowed and the number of the rule, where that is said
        otherwise than at a table.
        """
        self._words = words
        self._teletype = teletype
        self._names = names
        self._view = view
        self._has_teacher = has_teacher
        self._has_coach = has_coach
        self._tell_refusal = refuse or self._usual_refusal
        self._advice: Advice | None = None
        self._offers: Sequence[Play] = ()

    def table_lines(self) -> Iterator[str]:
        """The table as the seat sees it, its own hand at the end."""
        yield from table_lines(self._words, self._names, self._view)
        yield hand_line(self._words, self._view.hand)

    def ask(self, *, last: Callable[[], Iterable[str]], score: Callable[[], str]) -> Play | None:
        """The play that is chosen, or None to give the match up; `EOFError` to leave.

        `last` and `score` tell the last play and the score when they are asked for.
        """
        while True:
            text = ask_line(self._words, self._teletype, self._words.say("Your play (? for help):"))
            command, _rest = command_of(self._words, text)
            if command == "resign":
                question = self._words.say("Give the match up? Type yes to do so.")
                if is_yes(self._words, ask_line(self._words, self._teletype, question)):
                    return None
            elif command == "quit":
                raise EOFError
            elif command == "last":
                self._say(*list(last()) or [self._words.say("Nobody has played yet.")])
            elif command == "score":
                self._say(score())
            elif command == "help":
                self._say(*help_lines(self._words))
            elif command == "hint":
                self._hint()
            elif (play := self.take(text)) is not None and self._is_meant(play):
                return play

    def take(self, text: str) -> Play | None:
        """The play that a typed line chooses; None where it asks for something to read, which is
        told, or where it chooses none, after saying why."""
        command, rest = command_of(self._words, text)
        if command in _READABLE:
            self._tell(command)
            return None
        return self._choose(text, rest if command == "lay" else None)

    def _tell(self, command: str) -> None:
        """Answer a command that asks for something to read."""
        if command == "table":
            self._say(*table_lines(self._words, self._names, self._view))
        elif command == "hand":
            self._say(hand_line(self._words, self._view.hand))
        elif command == "plays":
            self._offer(offer(self._view))
        elif command == "rules":
            rules = rule_lines(self._words, self._view.rules)
            self._say(*(f"{number} {sentence}" for number, sentence in rules))

    def _hint(self) -> None:
        """Say what the strongest bot would play."""
        if self._has_teacher:
            self._say(*hint_lines(self._words, self._advised()))
        else:
            self._say(self._words.say("Hints are given against bots only."))

    def _is_meant(self, play: Play) -> bool:
        """Whether a play is to be made, also where the coach has warned of it."""
        mistake = mistake_of(self._advised(), play) if self._has_coach else None
        if mistake is None:
            return True
        self._say(*warning_lines(self._words, mistake))
        question = self._words.say("Type yes to play it anyway, or press Enter to choose again.")
        return is_yes(self._words, ask_line(self._words, self._teletype, question))

    def _advised(self) -> Advice:
        """What the strongest bot thinks of this turn, worked out once."""
        if self._advice is None:
            self._advice = advise(self._view)
        return self._advice

    def _choose(self, text: str, laid: str | None) -> Play | None:
        """The play that a text chooses, or None after saying why it chooses none.

        `laid` is the card of the command to lay one.
        """
        if text.isdecimal():
            return self._pick(text)
        try:
            typed = understand(self._view, text) if laid is None else lay(self._view, laid)
        except DilotiError as trouble:
            self._say(capitalized(self._words.error(trouble)), self._words.say("Type ? for help."))
            return None
        if typed.play is None and typed.refused is not None:
            self._refuse(typed, typed.refused)
        elif typed.play is None:
            self._offer(typed)
        return typed.play

    def _pick(self, number: str) -> Play | None:
        """The play of a number in the list shown last."""
        if not self._offers:
            self._say(self._words.say("There is no list to choose from yet: name a card first."))
        elif len(number) > 4 or not 1 <= int(number) <= len(self._offers):
            self._say(self._words.say("The list goes from 1 to {most}.", most=len(self._offers)))
        else:
            return self._offers[int(number) - 1]
        return None

    def _refuse(self, typed: Typed, play: Play) -> None:
        """Say why a play is not allowed, and what else its card can do."""
        reason, rule = self._tell_refusal(play, typed.refusal)
        self._say(self._words.say("{reason} (Rule {rule})", reason=reason, rule=rule))
        if not self._view.hand >> play.card & 1:
            self._say(hand_line(self._words, self._view.hand))
            return
        instead = offer(self._view, Selection(play.card))
        if not instead.count:
            card = card_sign(play.card)
            self._say(self._words.say("Nothing can be done with {card} now.", card=card))
            others = instead_of(self._view, play)
            instead = Typed(offers=others, count=len(others))
        self._offer(instead)

    def _usual_refusal(self, play: Play, refusal: Refusal) -> tuple[str, str]:
        return self._words.refusal(refusal, self._view.known, play), RULE_OF[refusal]

    def _offer(self, typed: Typed) -> None:
        """Number the plays to choose from, or say that they are too many."""
        self._offers = typed.offers
        for number, play in enumerate(typed.offers, start=1):
            self._say(f"{number}. {describe_play(self._words, play)}   {format_play(play)}")
        if not typed.offers:
            self._say(
                self._words.say_count(
                    "{count} play is possible. Name a card to see what it can do, and table"
                    " cards with it to see less.",
                    "{count} plays are possible. Name a card to see what it can do, and table"
                    " cards with it to see less.",
                    typed.count,
                )
            )

    def _say(self, *lines: str) -> None:
        self._teletype.say(*lines)


def ask_line(words: Words, teletype: Teletype, prompt: str) -> str:
    """The next line that is typed; one that is too long is asked for again."""
    while True:
        try:
            return teletype.ask(prompt)
        except LineTooLong:
            teletype.say(words.say("That line is too long."))
