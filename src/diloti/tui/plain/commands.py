"""The words that can be typed instead of a play, in English and in the language of the game."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from diloti.core.errors import N_
from diloti.words import Words

COMMANDS = {
    "help": N_("help"),
    "table": N_("table"),
    "hand": N_("hand"),
    "plays": N_("plays"),
    "hint": N_("hint"),
    "last": N_("last"),
    "lay": N_("lay"),
    "rules": N_("rules"),
    "score": N_("score"),
    "quit": N_("quit"),
    "resign": N_("resign"),
}
"""Each command by its English word, which always works, with what is translated."""

_ALIASES = {"?": "help", "save": "quit", "exit": "quit"}
_YES = N_("yes")

_HELP = {
    "plays": N_("{word}: all legal plays, numbered"),
    "hint": N_("{word}: what the strongest bot would play, against bots only"),
    "lay": N_("{word} 5h: lay a card, whatever else it could do"),
    "table": N_("{word}: the table again"),
    "hand": N_("{word}: your hand again"),
    "last": N_("{word}: the last play again"),
    "rules": N_("{word}: the rules of this table"),
    "score": N_("{word}: the score of the match"),
    "quit": N_("{word}: leave; the match is kept and goes on next time"),
    "resign": N_("{word}: give the match up"),
}


def command_of(
    words: Words,
    text: str,
    commands: Mapping[str, str] = COMMANDS,
    followed: Sequence[str] = ("lay",),
) -> tuple[str | None, str]:
    """The command that a text is, by its English word, and what follows; None where it is none.

    Something follows only the commands `followed`.
    """
    typed = _plain(text)
    for command, translated in commands.items():
        for word in (command, _plain(words.say(translated))):
            if typed == word:
                return command, ""
            if command in followed and typed.startswith(f"{word} "):
                return command, text.split(maxsplit=word.count(" ") + 1)[-1]
    return _ALIASES.get(typed), ""


def is_yes(words: Words, text: str) -> bool:
    """Whether a text says yes."""
    return is_word(words, text, _YES)


def is_word(words: Words, text: str, word: str) -> bool:
    """Whether a text is a word, in English or in the language of the game."""
    return _plain(text) in (word, _plain(words.say(word)))


def help_lines(words: Words) -> Iterator[str]:
    """What can be typed in a turn."""
    yield from typing_lines(words)
    for command, template in _HELP.items():
        yield words.say(template, word=words.say(COMMANDS[command]))


def typing_lines(words: Words) -> Iterator[str]:
    """How plays and cards are typed."""
    yield words.say(
        "Type a play: 6hx2c4s captures, 3c+5h=8 declares, Ah^[3d5s]=9 raises the pile in brackets."
    )
    yield words.say(
        "Or name a card, alone or with cards of the table, to see the plays that fit; a number"
        " then chooses one. A card that can only be laid is laid at once."
    )
    yield words.say(
        "Cards are a rank (A 2 3 4 5 6 7 8 9 T J Q K) and a suit (c d h s), as Td or 5h."
    )


def _plain(text: str) -> str:
    """The text without capitals and accents, which nobody types in a hurry."""
    letters = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
