"""Pages and fragments: frames and choices made into HTML, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from diloti.bots import USUAL_LEVEL
from diloti.core.cards import cards_in
from diloti.core.errors import DilotiError
from diloti.core.legality import RULE_OF, IllegalPlay
from diloti.core.notation import format_card, format_cards, format_play
from diloti.core.plays import Play
from diloti.core.position import side_of
from diloti.core.rules import RULE_SETS, SWITCHES, Rules
from diloti.teacher.instead import instead_of, instead_of_refused
from diloti.web.drawing import draw_card, draw_piles
from diloti.web.feed import Count, Frame
from diloti.web.phrases import PHRASES
from diloti.web.room import PATIENCE
from diloti.words import LANGUAGES, Words
from diloti.words.choosing import Choosing
from diloti.words.levels import LEVEL_TITLES, everybodys_names
from diloti.words.plays import describe_play
from diloti.words.sheets import sheet_rows, tell_leftovers
from diloti.words.switches import PRESET_SENTENCES, choice_of, choices_of, switch_sentence
from diloti.words.telling import RULE_SET_NAMES, rule_set_name, side_name, tell_play

_TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"

MOST_OFFERED = 24
"""Plays that are offered at once; a selection that fits more has to become larger."""


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def words_for(language: str) -> Words:
    """The sentences of a language."""
    return Words(language)


@cache
def _shared(language: str) -> Mapping[str, Any]:
    """What all templates have in a language."""
    words = words_for(language)

    def say_each(messages: Mapping[str, str]) -> dict[str, str]:
        return {name: words.say(message) for name, message in messages.items()}

    return {
        "lang": language,
        "languages": LANGUAGES,
        "say": words.say,
        "say_count": words.say_count,
        "levels": say_each(LEVEL_TITLES),
        "usual_level": USUAL_LEVEL,
        "rule_sets": say_each(RULE_SET_NAMES),
        "preset_sentences": say_each(PRESET_SENTENCES),
        "phrases": say_each(PHRASES),
        "card": partial(draw_card, words),
    }


class Page:
    """Renders templates in a language, for somebody."""

    def __init__(self, language: str, *, form_token: str = "") -> None:
        self.words = words_for(language)
        self._shared = {**_shared(language), "form_token": form_token}

    def refused(self, refused: IllegalPlay, name: str) -> str:
        """Why a play is not allowed at the table of that name, and what would be instead."""
        reason = self.words.error(refused)
        return self.render(
            "refusal.html",
            reason=reason[:1].upper() + reason[1:],
            rule_number=RULE_OF[refused.refusal],
            instead=self.offers(instead_of_refused(refused)),
            id=name,
        )

    def offers(self, plays: Iterable[Play]) -> list[dict[str, str]]:
        """Plays as they are sent and as they are read."""
        return [
            {"text": format_play(play), "words": describe_play(self.words, play)} for play in plays
        ]

    def told(self, trouble: DilotiError) -> str:
        """What was wrong, as a sentence by itself, with the number of the rule where it was one."""
        text = self.words.error(trouble)
        if isinstance(trouble, IllegalPlay):
            rule = RULE_OF[trouble.refusal]
            text = self.words.say("{reason} ({rule})", reason=text, rule=rule)
        return text[:1].upper() + text[1:]

    def render(self, template: str, **details: Any) -> str:
        """A template, filled in."""
        return _environment().get_template(template).render(**self._shared, **details)

    def board(
        self, frame: Frame, name: str, *, choices: str = "", selected: Iterable[str] = ()
    ) -> str:
        """The table of that name as a seat sees it, with the plays that fit what is selected."""
        details = self.board_details(frame, selected=selected)
        return self.render("board/board.html", id=name, choices=choices, **details)

    def board_details(self, frame: Frame, *, selected: Iterable[str] = ()) -> dict[str, Any]:
        """What the templates of a board need to show a frame.

        `selected` are the hand card, the loose cards and the numbers of the piles that are.
        """
        words, view = self.words, frame.view
        names = names_of(words, frame)
        plays = view.history.plays if view is not None and view.history is not None else ()
        return {
            "frame": frame,
            "view": view,
            "names": names,
            "order": _around(frame),
            "sides": [side_name(words, names, side) for side in _sides(frame)],
            "scores": [frame.scores[side] for side in _sides(frame)],
            "xeri": [0, 0] if view is None else [view.xeri[side] for side in _sides(frame)],
            "hand": [] if view is None else list(cards_in(view.hand)),
            "loose": [] if view is None else list(cards_in(view.loose)),
            "piles": [] if view is None else draw_piles(words, view.piles, names, frame.seat),
            "last_plays": [
                {"seat": seat, "text": tell_play(words, names[seat], play), **self._travel(play)}
                for seat, play in plays[-len(frame.seats) :]
            ],
            "played": len(plays),
            "rules_name": rule_set_name(words, frame.rules),
            "notices": self._notices(frame, names, plays),
            "is_xeri": any(event.name in ("xeri", "xeristaki") for event in frame.events),
            "counts": [self._count(frame, count) for count in frame.counts],
            "side_of": side_of,
            "may_act": frame.seat is not None or frame.is_covered,
            "is_ready": frame.is_ready,
            "cuts": frame.cuts,
            "dealer": frame.next_dealer,
            "query": _query(frame),
            "selected": frozenset(selected),
            "patience": int(PATIENCE),
        }

    def _travel(self, play: Play) -> dict[str, Any]:
        """Where the cards of a play go, for whoever moves them on the screen."""
        return {
            "card": format_card(play.card),
            "kind": ("lay", "capture", "declare", "raise")[play.kind],
            "used": format_cards(play.loose | play.pile_cards, " "),
        }

    def _notices(
        self, frame: Frame, names: Sequence[str], plays: Sequence[tuple[int, Play]]
    ) -> list[str]:
        """What the last play brought about that deserves a word."""
        words, told = self.words, []
        for happened in frame.events:
            name = names[plays[-1][0]] if plays else ""
            if happened.name == "xeri":
                told.append(
                    words.say_count(
                        "Xeri! {name} clears the table: {count} point.",
                        "Xeri! {name} clears the table: {count} points.",
                        frame.rules.xeri_points,
                        name=name,
                    )
                )
            elif happened.name == "xeristaki":
                told.append(
                    words.say_count(
                        "Xeristaki! {name} leaves a single pile: {count} point.",
                        "Xeristaki! {name} leaves a single pile: {count} points.",
                        frame.rules.xeristaki_points,
                        name=name,
                    )
                )
            elif happened.name == "leftovers":
                told.append(tell_leftovers(words, names, happened))
            elif happened.name == "refill" and frame.view is not None and frame.view.is_last_hand:
                told.append(words.say("The last hand of this deal."))
        return told

    def _count(self, frame: Frame, count: Count) -> dict[str, Any]:
        """A counted deal: its rows, the points and the match totals, the reader's side first."""
        own, other = _sides(frame)
        sheets = count.sheets[own], count.sheets[other]
        cards = count.cards[own], count.cards[other]
        return {
            "rows": sheet_rows(self.words, frame.rules, cards, sheets),
            "totals": (sheets[0].total, sheets[1].total),
            "scores": (count.scores[own], count.scores[other]),
        }

    def choices(
        self, choosing: Choosing, name: str = "", *, number: int, refusal: str | None = None
    ) -> str:
        """The plays that fit what is selected, or why there are none and what there is instead.

        Where that is said otherwise than at the table of that name, `refusal` is what is said, as
        HTML.
        """
        exact, fits = choosing.exact, choosing.fits
        offered = [*exact, *(play for play in fits if play not in exact)]
        reason, rule = "", ""
        instead: tuple[Play, ...] = ()
        if refusal is None and choosing.denied is not None:
            play, why = choosing.denied
            reason, rule = self.words.refusal(why, choosing.view.known, play), RULE_OF[why]
            instead = () if offered else instead_of(choosing.view, play)
        return self.render(
            "choices.html",
            number=number,
            offers=[
                {
                    "text": format_play(play),
                    "words": describe_play(self.words, play),
                    "is_exact": play in exact,
                }
                for play in offered[:MOST_OFFERED]
            ],
            left_out=len(offered) > MOST_OFFERED or not choosing.is_complete,
            reason=reason,
            rule_number=rule,
            instead=self.offers(instead),
            refusal=None if refusal is None else Markup(refusal),
            id=name,
            usable=[format_card(card) for card in cards_in(choosing.usable)],
        )

    def switches(self, rules: Rules) -> list[dict[str, Any]]:
        """The switches of the house rules but the number of players, each with its values.

        `usual` are the values that the named rule sets give it, by their names.
        """
        return [
            {
                "name": switch,
                "sentence": switch_sentence(self.words, switch),
                "choices": choices_of(self.words, switch, rules),
                "usual": {
                    name: choice_of(self.words, switch, named) for name, named in RULE_SETS.items()
                },
            }
            for switch in SWITCHES
            if switch != "players"
        ]


def names_of(words: Words, frame: Frame) -> tuple[str, ...]:
    """A name for every seat; bots take none that a person has."""
    names = [seat.name for seat in frame.seats]
    return everybodys_names(
        words, names, [bool(seat.bot and not seat.person) for seat in frame.seats]
    )


def _around(frame: Frame) -> list[int]:
    """The seats from the reader's own on, in the order of play."""
    first = frame.seat or 0
    return [(first + step) % len(frame.seats) for step in range(len(frame.seats))]


def _query(frame: Frame) -> str:
    """What tells commands which seat is meant, where one person holds several."""
    if frame.seat is None:
        return ""
    person = frame.seats[frame.seat].person
    is_shared = sum(seat.person == person for seat in frame.seats) > 1
    return f"?seat={frame.seat}" if is_shared else ""


def _sides(frame: Frame) -> tuple[int, int]:
    """The reader's side, and the other."""
    return frame.side, 1 - frame.side
