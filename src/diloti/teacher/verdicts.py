"""What a teacher says to a play or an answer: whether it is what was asked for, and if not, why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from diloti.core.errors import N_
from diloti.core.legality import RULE_OF, Refusal, refusal_of
from diloti.core.notation import format_play
from diloti.core.plays import CAPTURE, DECLARE, TRAIL, Play
from diloti.core.position import Position
from diloti.teacher.lessons import PLACES, Place, step_at
from diloti.teacher.steps import Question, Step
from diloti.words import Words
from diloti.words.cards import card_sign
from diloti.words.plays import FAMILY_OF, table_cards

_TAUGHT_AT: Mapping[Place, tuple[Refusal, ...]] = {
    ("values", 2): (Refusal.SUMS_MISS, Refusal.MORE_THAN_ONE_GROUP),
    ("courts", 1): (Refusal.TRAIL_BESIDE_COURT, Refusal.NUMERAL_ON_COURT),
    ("declaring", 1): (
        Refusal.NO_SUCH_PILE,
        Refusal.TRAIL_WHILE_OWNING,
        Refusal.PILE_OF_OTHER_VALUE,
        Refusal.LAST_CARD_FOR_PILE,
        Refusal.DECLARE_WITH_COURT,
        Refusal.DECLARE_ON_COURT,
        Refusal.DECLARE_TOO_HIGH,
        Refusal.DECLARE_ON_NOTHING,
        Refusal.DECLARE_SUMS_MISS,
        Refusal.DECLARE_ON_OTHER_PILE,
        Refusal.DECLARE_WITHOUT_CARD,
    ),
    ("families", 2): (Refusal.DECLARE_FAMILY_OFF, Refusal.DECLARE_WHILE_OWNING),
    ("raising", 1): (
        Refusal.RAISE_WITH_COURT,
        Refusal.RAISE_OF_FAMILY,
        Refusal.RAISE_TOO_HIGH,
        Refusal.RAISE_SUM_WRONG,
        Refusal.RAISE_OF_MANY,
        Refusal.RAISE_WITHOUT_CARD,
        Refusal.RAISE_OFF,
        Refusal.RAISE_OF_OWN,
        Refusal.RAISE_OF_PARTNER,
        Refusal.RAISE_WHILE_OWNING,
    ),
}
"""The step from which on a learner knows the words of a refusal; of the others they do at once."""


@dataclass(frozen=True)
class Verdict:
    """What is said, and the number of the rule that it rests on, where it rests on one."""

    is_right: bool
    text: str
    rule: str = ""


def verdict_on_play(words: Words, place: Place, position: Position, play: Play) -> Verdict:
    """The verdict on a play, legal or not, in the position of a step that asks for one."""
    step = step_at(place)
    assert isinstance(step, Step)
    refusal = refusal_of(position, play)
    if refusal:
        return Verdict(False, *tell_refusal(words, place, position, play, refusal))
    text = format_play(play)
    if text in step.solutions:
        return Verdict(True, words.say(step.praise), step.rule)
    for slip in step.slips:
        if re.fullmatch(slip.plays, text):
            return Verdict(False, words.say(slip.says))
    return Verdict(False, _name(words, play))


def tell_refusal(
    words: Words, place: Place, position: Position, play: Play, refusal: Refusal
) -> tuple[str, str]:
    """Why a play of a step is not allowed, and the number of the rule.

    Where that takes words that are taught later, it is what the step is about.
    """
    for taught, refusals in _TAUGHT_AT.items():
        if refusal in refusals and PLACES.index(place) < PLACES.index(taught):
            step = step_at(place)
            told = words.say(
                "That does not work with these cards. {task}", task=words.say(step.task)
            )
            return told, step.rule
    return words.refusal(refusal, position, play), RULE_OF[refusal]


def verdict_on_answer(words: Words, question: Question, number: int) -> Verdict | None:
    """The verdict on one of the answers of a question, from 1 on; None where there is no such."""
    if not 1 <= number <= len(question.answers):
        return None
    answer = question.answers[number - 1]
    return Verdict(
        answer.is_right, words.say(answer.says), question.rule if answer.is_right else ""
    )


def _name(words: Words, play: Play) -> str:
    """What a legal play does, which is not what was asked for."""
    card, used = card_sign(play.card), table_cards(play)
    if play.kind == TRAIL:
        return words.say(
            N_("You may lay {card}, but it takes nothing. Look for what the task asks."), card=card
        )
    if play.kind == CAPTURE:
        return words.say(
            N_("You may take {cards} with {card}, but the task asks for something else."),
            card=card,
            cards=used,
        )
    if play.kind != DECLARE:
        return words.say(
            N_("You may raise {cards} to {value}, but the task asks for something else."),
            cards=used,
            value=play.value,
        )
    if play.is_family:
        return words.say(
            N_("This makes a {family}. It is allowed, but the task asks for something else."),
            family=words.say(FAMILY_OF[play.value - 1]),
        )
    return words.say(
        N_("This declares {value}. It is allowed, but the task asks for something else."),
        value=play.value,
    )
