"""The score sheet line by line, for people who play with real cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from diloti.core.cards import PACK_SIZE
from diloti.core.errors import N_, DilotiError
from diloti.core.rules import Rules
from diloti.scorebook.book import Book, Row
from diloti.scorebook.count import ACES_IN_PACK, NOTHING, DealCount, Pair, refusal_of
from diloti.scorebook.entries import Entries, Setup, clean_name, first_entries
from diloti.scorebook.scribe import Scribe
from diloti.scorebook.telling import (
    book_lines,
    book_sides,
    book_table,
    next_line,
    refuse,
    row_lines,
    standing_line,
)
from diloti.tui.plain.commands import command_of
from diloti.tui.plain.teletype import LineSource, Teletype
from diloti.tui.plain.turn import ask_line
from diloti.tui.score_file import ScoreFile
from diloti.words import Words
from diloti.words.files import check_other, file_trouble
from diloti.words.telling import capitalized, seat_names

FINE, INTERRUPTED = 0, 130

COMMANDS = {
    "help": N_("help"),
    "sheet": N_("sheet"),
    "correct": N_("correct"),
    "remove": N_("remove"),
    "undo": N_("undo"),
    "export": N_("export"),
    "new": N_("new"),
    "quit": N_("quit"),
}
"""What can be typed instead of a count: by its English word, which always works."""

_FOLLOWED = ("correct", "remove", "export")
_HELP = {
    "sheet": N_("{word}: the whole sheet"),
    "correct": N_("{word} 2: enter the second deal again"),
    "remove": N_("{word}: take the last deal away"),
    "undo": N_("{word}: take back what was written last"),
    "export": N_("{word} FILE: write the sheet into a file; a name with .csv makes a table"),
    "new": N_("{word}: another match of the same people; this sheet is kept"),
    "quit": N_("{word}: leave; the sheet is kept and goes on next time"),
}
_MOST_NUMBER = 99


class _Leave(Exception):
    """Somebody leaves what they were asked for."""


def run_score(
    words: Words,
    file: ScoreFile,
    begin: Callable[[Teletype], Entries],
    new_name: Callable[[], str],
    source: LineSource,
    target: TextIO,
    *,
    interactive: bool,
) -> int:
    """Keep the sheet of a file until nothing more is typed; an exit status.

    `begin` gives the entries to go on with, and may ask for what it needs.
    """
    teletype = Teletype(source, target, interactive=interactive)
    status = FINE
    try:
        _Score(words, teletype, file, begin(teletype), new_name).keep()
    except EOFError:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
    if file.path.exists():
        kept = words.say("The score sheet is kept as {file}.", file=file.path)
        teletype.say(*["", kept])
    return status


def ask_setup(
    words: Words, teletype: Teletype, rules: Rules, names: list[str] | None, dealer: int | None
) -> Setup:
    """Names and the first dealer, asked for where they are not given."""
    if names is None:
        names = []
        for place in range(1, rules.players + 1):
            prompt = words.say("Name of player {number} (Enter: none):", number=place)
            names.append(clean_name(ask_line(words, teletype, prompt)))
    shown = seat_names(words, names)
    if dealer is None:
        people = ", ".join(f"{place} {name}" for place, name in enumerate(shown, start=1))
        prompt = words.say("Who deals first? {people}:", people=people)
        while dealer is None:
            typed = ask_line(words, teletype, prompt)
            dealer = next(
                (
                    place
                    for place, name in enumerate(shown)
                    if typed == str(place + 1) or typed.casefold() == name.casefold()
                ),
                None,
            )
            if dealer is None:
                teletype.say(words.say("Type the number or the name of one of them."))
    return Setup(tuple(names), rules, dealer)


class _Score:
    """The conversation about one sheet."""

    def __init__(
        self,
        words: Words,
        teletype: Teletype,
        file: ScoreFile,
        entries: Entries,
        new_name: Callable[[], str],
    ) -> None:
        self._words = words
        self._teletype = teletype
        self._file = file
        self._new_name = new_name
        self._scribe = Scribe(entries, new_name)

    @property
    def _book(self) -> Book:
        return self._scribe.book

    @property
    def _sides(self) -> tuple[str, str]:
        return book_sides(self._words, self._book)

    def keep(self) -> None:
        """Everything up to the end of what is typed."""
        say = self._words.say
        self._save()
        self._say(*book_lines(self._words, self._book))
        while True:
            try:
                if self._book.winner is None:
                    self._say("", next_line(self._words, self._book))
                    count = self._ask_count()
                    self._scribe.enter(count)
                    self._save()
                    self._tell(self._book.rows[-1])
                else:
                    self._obey(self._ask(say("What now? (help: what can be typed)")))
                    self._say(say("That is none of the commands."))
            except _Leave:
                continue
            except DilotiError as trouble:
                self._say(capitalized(self._words.error(trouble)))

    # --- Counting a deal -----------------------------------------------------------

    def _ask_count(self) -> DealCount:
        """A count that can be; what cannot is refused with its reason and asked for again."""
        while True:
            count = self._read_count()
            refusal = refusal_of(count, self._book.setup.rules)
            if refusal is None:
                return count
            self._say(capitalized(self._words.error(refuse(self._sides, refusal))))

    def _read_count(self) -> DealCount:
        say, (first, second) = self._words.say, self._sides
        has_xeristaki = bool(self._book.setup.rules.xeristaki_points)
        sizes = (1, 2, 4, 6, 8) if has_xeristaki else (1, 2, 4, 6)
        numbers = self._ask_numbers(
            say("Cards of {name} ({other} has the others):", name=first, other=second),
            sizes,
            say(
                "Type how many cards {name} has, from 0 to {most}; or the whole deal in one line:"
                " cards and aces of {name}, 1 or 2 for who has the ten, 1 or 2 for who has the two,"
                " and the xeri of both.",
                name=first,
                most=PACK_SIZE,
            ),
        )
        cards = numbers[0], numbers[1] if len(numbers) == 2 else max(0, PACK_SIZE - numbers[0])
        if cards == (0, 0):
            return NOTHING
        if len(numbers) < 4:
            [aces] = self._ask_numbers(
                say("Aces of {name}:", name=first),
                (1,),
                say(
                    "Type one number: how many aces {name} has, from 0 to {most}.",
                    name=first,
                    most=ACES_IN_PACK,
                ),
            )
            ten = self._ask_side(
                say(
                    "Who has the ten of diamonds? 1 {first}, 2 {second}:",
                    first=first,
                    second=second,
                )
            )
            two = self._ask_side(
                say("Who has the two of clubs? 1 {first}, 2 {second}:", first=first, second=second)
            )
            xeri = self._ask_pair(
                say(
                    "Xeri of {first} and of {second}, as 1 0 (Enter: none):",
                    first=first,
                    second=second,
                )
            )
            xeristaki = (0, 0)
            if has_xeristaki:
                xeristaki = self._ask_pair(
                    say(
                        "Xeristaki of {first} and of {second}, as 1 0 (Enter: none):",
                        first=first,
                        second=second,
                    )
                )
            return DealCount(cards, (aces, max(0, ACES_IN_PACK - aces)), ten, two, xeri, xeristaki)
        _cards, aces, ten, two, *sweeps = numbers
        sweeps += [0] * (4 - len(sweeps))
        return DealCount(
            cards,
            (aces, max(0, ACES_IN_PACK - aces)),
            _side_of(ten),
            _side_of(two),
            (sweeps[0], sweeps[1]),
            (sweeps[2], sweeps[3]),
        )

    def _ask_numbers(self, prompt: str, sizes: tuple[int, ...], wanted: str) -> list[int]:
        """As many numbers as may be; `wanted` says what is asked for to whoever types others."""
        while True:
            typed = self._ask(prompt)
            found = self._obey(typed)
            if found and len(found) in sizes:
                return found
            self._say(wanted)

    def _ask_pair(self, prompt: str) -> Pair:
        while True:
            found = self._obey(self._ask(prompt))
            if found == []:
                return 0, 0
            if found and len(found) == 2:
                return found[0], found[1]
            self._say(self._words.say("Type two numbers, as 1 0."))

    def _ask_side(self, prompt: str) -> int:
        while True:
            typed = self._ask(prompt)
            if typed.casefold() in [side.casefold() for side in self._sides]:
                return [side.casefold() for side in self._sides].index(typed.casefold())
            found = self._obey(typed)
            if found in ([1], [2]):
                return found[0] - 1
            self._say(self._words.say("Type 1 or 2."))

    # --- Commands ------------------------------------------------------------------

    def _obey(self, typed: str) -> list[int] | None:
        """The numbers that are typed, None where it is something else; a command is obeyed.

        After a command what was asked for is begun again.
        """
        command, rest = command_of(self._words, typed, COMMANDS, _FOLLOWED)
        if command is None:
            parts = typed.replace(":", " ").replace(",", " ").split()
            numbers = [int(part) for part in parts if part.isascii() and part.isdigit()]
            is_good = len(numbers) == len(parts) and all(one <= _MOST_NUMBER for one in numbers)
            return numbers if is_good else None
        if command == "quit":
            raise EOFError
        if command == "help":
            self._help()
        elif command == "sheet":
            self._say(*book_lines(self._words, self._book))
        elif command == "correct":
            self._correct(rest)
        elif command == "remove":
            self._remove()
        elif command == "undo":
            self._undo()
        elif command == "export":
            self._export(rest)
        else:
            self._begin_again()
        raise _Leave

    def _help(self) -> None:
        say = self._words.say
        self._say(
            say(
                "Answer with numbers, or type a whole deal in one line: cards and aces of the first"
                " side, 1 or 2 for who has the ten and the two, and the xeri of both."
            )
        )
        for command, template in _HELP.items():
            self._say(say(template, word=say(COMMANDS[command])))

    def _correct(self, rest: str) -> None:
        rows = {str(row.number): row for row in self._book.rows}
        if rest not in rows:
            say, word = self._words.say, self._words.say(COMMANDS["correct"])
            wanted = say(
                "Which deal? Type {word} and its number: {numbers}.",
                word=word,
                numbers=", ".join(rows),
            )
            self._say(wanted if rows else say("There is no deal to correct yet."))
            return
        self._tell(rows[rest])
        self._scribe.change(rows[rest].deal, self._ask_count())
        self._save()
        self._say(*book_lines(self._words, self._book))

    def _remove(self) -> None:
        if not self._book.rows:
            self._say(self._words.say("There is nothing to take away."))
            return
        self._scribe.change(self._book.rows[-1].deal, None)
        self._save()
        self._say(standing_line(self._words, self._book))

    def _undo(self) -> None:
        if self._scribe.undo():
            self._save()
            self._say(standing_line(self._words, self._book))
        else:
            self._say(self._words.say("There is nothing to take back."))

    def _export(self, name: str) -> None:
        path = Path(name or "diloti.txt").expanduser()
        export_book(self._words, self._book, path, sheet=self._file.path)
        self._say(self._words.say("The score sheet is written to {file}.", file=path))

    def _begin_again(self) -> None:
        setup = replace(self._book.setup, first_dealer=self._book.next_dealer)
        away = self._file.put_away()
        self._scribe = Scribe(first_entries(setup, name=self._new_name()), self._new_name)
        self._save()
        self._say(self._words.say("The score sheet is kept as {file}.", file=away))
        self._say("", *book_lines(self._words, self._book))

    # --- Saying, asking and keeping ------------------------------------------------

    def _save(self) -> None:
        joined = self._file.save(self._book.entries)
        if joined != self._book.entries:
            self._scribe.book = Book(joined)

    def _tell(self, row: Row) -> None:
        self._say("", *row_lines(self._words, self._book, row))
        if self._book.winner is not None:
            self._say("", standing_line(self._words, self._book))

    def _say(self, *lines: str) -> None:
        self._teletype.say(*lines)

    def _ask(self, prompt: str) -> str:
        return ask_line(self._words, self._teletype, prompt)


def _side_of(typed: int) -> int | None:
    return typed - 1 if typed in (1, 2) else None


def export_book(words: Words, book: Book, path: Path, *, sheet: Path) -> None:
    """Write a sheet into a file: a table where its name ends in .csv, else as text.

    `sheet` is the file of the sheet itself, which is never written over so.
    """
    check_other(path, sheet)
    if path.suffix.lower() == ".csv":
        text, encoding = book_table(words, book), "utf-8-sig"
    else:
        text, encoding = "\n".join(book_lines(words, book)) + "\n", "utf-8"
    try:
        path.write_text(text, encoding=encoding, newline="")
    except OSError as trouble:
        raise DilotiError(
            N_("{file} could not be written: {reason}"), file=path, reason=file_trouble(trouble)
        ) from trouble
