"""Hints and the coach as fragments of the page: what the strongest bot thinks of a turn."""

from __future__ import annotations

from diloti.core.errors import N_
from diloti.core.plays import Play
from diloti.teacher.advice import Advice, mistake_of
from diloti.teacher.motives import motives_of
from diloti.web.feed import Frame
from diloti.web.render import Page
from diloti.words.hints import tell_loss, tell_meaning, tell_why
from diloti.words.numbers import decimal, percent

MOST_OPTIONS = 8
"""Plays whose expected points are shown."""
NO_HINTS = N_("hints are given at tables against bots only")


def tell_advice(page: Page, advice: Advice, frame: Frame, name: str) -> str:
    """A hint: the best play with its reasons, and what the best plays promise."""
    words, options = page.words, advice.options[:MOST_OPTIONS]
    offers = page.offers(option.play for option in options)
    return page.render(
        "hint.html",
        id=name,
        number=frame.number,
        why=tell_why(words, motives_of(advice.view, advice.best.play)),
        meaning=tell_meaning(words, by_chance=advice.by_chance),
        by_chance=advice.by_chance,
        options=[
            {
                **offer,
                "points": decimal(words, option.points or 0.0, signed=True),
                "chance": percent(words, option.win_chance or 0.0),
            }
            for option, offer in zip(options, offers, strict=True)
        ],
    )


def warn(page: Page, advice: Advice, play: Play, frame: Frame, name: str) -> str:
    """What the coach says to a play before it is made; nothing where it does not lose much."""
    mistake = mistake_of(advice, play)
    if mistake is None:
        return ""
    chosen, better = page.offers([mistake.chosen, mistake.better])
    return page.render(
        "warning.html",
        id=name,
        number=frame.number,
        loss=tell_loss(page.words, mistake.points, mistake.chances),
        why=tell_why(page.words, mistake.motives),
        chosen=chosen,
        better=better,
    )
