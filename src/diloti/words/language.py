"""Languages: finding the one to use, and looking sentences up in its catalogue."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from diloti.core.errors import N_, DilotiError

# The command line speaks before it loads the compiler; so here it is loaded by a refusal only.
if TYPE_CHECKING:
    from diloti.core.legality import Refusal
    from diloti.core.plays import Play
    from diloti.core.position import Position

LANGUAGES: Mapping[str, str] = {
    "el": "Ελληνικά",
    "en": "English",
    "pt": "Português",
    "ru": "Русский",
}
"""The languages of the game, by code, each with its own name."""

_FOLDER = Path(__file__).parent / "catalogues"
_ENGLISH = "en"


class LanguageError(DilotiError):
    """A language that the game does not speak."""


def pick_language(wanted: str | None, environment: Mapping[str, str]) -> str:
    """The code of the language to use: the one wanted, else that of the environment, else English.

    `LanguageError` where a language is wanted that there is not.
    """
    if wanted is not None:
        code = _code(wanted)
        if code is None:
            raise LanguageError(
                N_("there is no language {name}; there are {known}"),
                name=wanted,
                known=", ".join(LANGUAGES),
            )
        return code
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for name in environment.get(variable, "").split(":"):
            code = _code(name)
            if code is not None:
                return code
    return _ENGLISH


def _code(locale: str) -> str | None:
    """The language of a locale such as `pt_PT.UTF-8`, None where the game does not speak it."""
    code = locale.replace("-", "_").split("_")[0].split(".")[0].lower()
    return code if code in LANGUAGES else None


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == _ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation("diloti", _FOLDER, [language], fallback=True)


class Words:
    """The sentences of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = _catalogue(language)

    def say(self, template: str, **details: object) -> str:
        """A sentence with its details filled in."""
        return self._catalogue.gettext(template).format(**details)

    def say_count(self, one: str, many: str, count: int, **details: object) -> str:
        """A sentence in the form that goes with `count`, which it may name as {count}."""
        return self._catalogue.ngettext(one, many, count).format(count=count, **details)

    def error(self, trouble: DilotiError) -> str:
        """What went wrong, as a sentence."""
        if trouble.code == "illegal_play":
            from diloti.core.legality import IllegalPlay

            assert isinstance(trouble, IllegalPlay)
            return self.refusal(trouble.refusal, trouble.position, trouble.play)
        details = {name: self._detail(name, detail) for name, detail in trouble.details.items()}
        return self.say(trouble.template, **details)

    def _detail(self, name: str, detail: object) -> object:
        """A detail of an error as it is read: an error in it, or a switch, in this language.

        A switch has its code behind its name: that is what was typed.
        """
        if isinstance(detail, DilotiError):
            return self.error(detail)
        if name == "switch":
            from diloti.words.switches import SWITCH_NAMES

            code = str(detail)
            name = self.say(SWITCH_NAMES.get(code, code))
            return name if name == code else f"{name} ({code})"
        return detail

    def refusal(self, refusal: Refusal, position: Position, play: Play) -> str:
        """Why a play is not allowed, as a sentence."""
        from diloti.words.cards import card_sign, cards_sign
        from diloti.words.refusals import REFUSALS

        own = [pile.value for pile in position.piles if pile.owner == position.turn]
        used = [pile.value for pile in position.piles if pile.cards in play.piles]
        together = (play.card >> 2) + 1 + sum(used)
        return self.say(
            REFUSALS[refusal],
            card=card_sign(play.card),
            cards=cards_sign(play.loose),
            value=(play.card >> 2) + 1,
            declared=play.value,
            pile=used[0] if used else "–",
            own=own[0] if own else "–",
            together=together,
        )
