"""The teacher at a terminal: hints and the coach's warnings, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from diloti.teacher.advice import Advice, Mistake
from diloti.teacher.motives import motives_of
from diloti.words import Words
from diloti.words.hints import tell_loss, tell_meaning, tell_why
from diloti.words.numbers import decimal, percent
from diloti.words.plays import describe_play

MOST_OPTIONS = 5
"""Plays whose expected points are shown."""


def hint_lines(words: Words, advice: Advice) -> Iterator[str]:
    """What the strongest bot would play, why, and what the best plays promise."""
    best = describe_play(words, advice.best.play)
    yield words.say("Hint: {play}.", play=best)
    yield tell_why(words, motives_of(advice.view, advice.best.play))
    for option in advice.options[:MOST_OPTIONS]:
        numbers = decimal(words, option.points or 0.0, signed=True)
        if advice.by_chance:
            numbers = f"{numbers}  {percent(words, option.win_chance or 0.0)}"
        yield f"{numbers}  {describe_play(words, option.play)}"
    yield tell_meaning(words, by_chance=advice.by_chance)


def warning_lines(words: Words, mistake: Mistake) -> Iterator[str]:
    """What a play loses, what is better, and why."""
    yield tell_loss(words, mistake.points, mistake.chances)
    yield words.say("Better: {play}.", play=describe_play(words, mistake.better))
    yield tell_why(words, mistake.motives)
