"""The course for somebody who knows nothing of the game, in the order in which it is taught."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from diloti.core.effects import Event, make_play
from diloti.core.notation import parse_play
from diloti.core.plays import Play
from diloti.core.position import Position
from diloti.teacher.first_lessons import FIRST_LESSONS
from diloti.teacher.later_lessons import LATER_LESSONS
from diloti.teacher.steps import Lesson, Question, Step

COURSE: tuple[Lesson, ...] = (*FIRST_LESSONS, *LATER_LESSONS)
"""All lessons."""

NAMES = ("", "Eleni")
"""Who sits where: the learner, whose name the screen knows, and the opponent."""

Place = tuple[str, int]
"""A step by the key of its lesson and its number there, from 1 on."""

PLACES: tuple[Place, ...] = tuple(
    (lesson.key, number) for lesson in COURSE for number in range(1, len(lesson.steps) + 1)
)
"""All steps of the course in order."""


@dataclass(frozen=True)
class Situation:
    """A position of a lesson, the plays of the lesson that have led to it, and what the last of
    them brought about."""

    position: Position
    plays: tuple[tuple[int, Play], ...] = ()
    events: tuple[Event, ...] = ()

    def after(self, play: Play) -> Situation:
        """The situation after a play of the seat in turn; `IllegalPlay` where it is not allowed."""
        turn = self.position.turn
        outcome = make_play(self.position, play)
        assert turn is not None
        return Situation(outcome.position, (*self.plays, (turn, play)), outcome.events)


def lesson_of(key: str) -> Lesson:
    """The lesson with a key; `KeyError` where there is none."""
    for lesson in COURSE:
        if lesson.key == key:
            return lesson
    raise KeyError(key)


def step_at(place: Place) -> Step | Question:
    """The step at a place of the course; `KeyError` where there is none."""
    if place not in PLACES:
        raise KeyError(place)
    key, number = place
    return lesson_of(key).steps[number - 1]


@cache
def situation_at(place: Place) -> Situation:
    """Where a step that asks for a play begins."""
    step = step_at(place)
    assert isinstance(step, Step)
    if step.scene is not None:
        return Situation(step.scene.position())
    key, number = place
    before = step_at((key, number - 1))
    assert isinstance(before, Step)
    situation = situation_at((key, number - 1)).after(parse_play(before.solutions[0]))
    return situation.after(parse_play(before.reply)) if before.reply else situation


def place_after(place: Place) -> Place | None:
    """The step after one, None after the last of the course."""
    following = PLACES.index(place) + 1
    return PLACES[following] if following < len(PLACES) else None
