"""The lessons: every step can be solved, and whatever else is played is explained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import chain, combinations, cycle
from pathlib import Path

import pytest

from diloti.core.cards import cards_in, mask_of, sum_of
from diloti.core.legality import Refusal, refusal_of
from diloti.core.notation import format_play, parse_play
from diloti.core.plays import CAPTURE, DECLARE, RAISE, TRAIL, Play, legal_plays
from diloti.core.position import Position
from diloti.core.wire import read_position, write_position
from diloti.teacher.lessons import (
    COURSE,
    PLACES,
    Place,
    lesson_of,
    place_after,
    situation_at,
    step_at,
)
from diloti.teacher.progress import Progress, format_progress, parse_progress
from diloti.teacher.steps import LEARNER, Question, Scene, Step
from diloti.teacher.verdicts import tell_refusal, verdict_on_answer, verdict_on_play
from diloti.words import LANGUAGES, Words
from diloti.words.plays import describe_play

RULES = (Path(__file__).parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
NUMBERS = set(re.findall(r"\bR\d+(?:\.\d+)?\b", RULES))

PLAYS = [place for place in PLACES if isinstance(step_at(place), Step)]
QUESTIONS = [place for place in PLACES if isinstance(step_at(place), Question)]


def step_of(place: Place) -> Step:
    step = step_at(place)
    assert isinstance(step, Step)
    return step


def question_of(place: Place) -> Question:
    question = step_at(place)
    assert isinstance(question, Question)
    return question


def sentences(part: object) -> Iterator[str]:
    """Every text of the course for people."""
    if isinstance(part, tuple):
        for one in part:
            yield from sentences(one)
    elif is_dataclass(part) and not isinstance(part, Scene):
        for field in fields(part):
            value = getattr(part, field.name)
            if field.name not in ("key", "rule", "solutions", "reply", "plays", "cards"):
                yield from sentences(value)
    elif isinstance(part, str) and part and not part.isdecimal():
        yield part


def test_the_course_is_what_was_promised() -> None:
    assert len(PLACES) == len(set(PLACES)) >= 28
    assert len({lesson.key for lesson in COURSE}) == len(COURSE)
    assert {step_at(place).rule for place in PLACES} <= NUMBERS
    first = {rule.partition(".")[0] for rule in (step_at(place).rule for place in PLACES)}
    assert first == {"R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12"}


@pytest.mark.parametrize("place", PLAYS)
def test_positions_are_whole_and_the_learner_is_in_turn(place: Place) -> None:
    position = situation_at(place).position
    assert position.turn == LEARNER
    again = read_position(write_position(position.replaced(history=None)))
    assert (again.state == position.state).all()


@pytest.mark.parametrize("place", PLAYS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legal_play_solves_the_step_or_is_explained(place: Place, language: str) -> None:
    step, position, words = step_of(place), situation_at(place).position, Words(language)
    legal = legal_plays(position)
    assert set(step.solutions) <= set(map(format_play, legal))
    for play in legal:
        verdict = verdict_on_play(words, place, position, play)
        assert verdict.is_right == (format_play(play) in step.solutions)
        assert verdict.text.strip()
        assert "{" not in verdict.text
        assert (verdict.text == words.say(step.praise)) == verdict.is_right
        assert verdict.rule == (step.rule if verdict.is_right else "")


def strange_plays(position: Position) -> Iterator[Play]:
    """Plays that somebody might try, most of them not allowed: every card with few or all cards of
    the table, in every way."""
    loose = list(cards_in(position.loose))
    some = chain.from_iterable(combinations(loose, size) for size in (0, 1, 2, len(loose)))
    selections = [
        (mask_of(cards), piles)
        for cards in {*some}
        for piles in {(), tuple(pile.cards for pile in position.piles)}
    ]
    hand = position.hands[LEARNER] | 1 << next(cards_in(position.hands[1] or position.loose))
    for card in cards_in(hand):
        yield Play(TRAIL, card)
        for chosen, piles in selections:
            value = sum_of(1 << card) if card < 40 else 11
            total = sum_of(chosen | 1 << card)
            used = sum(pile.value for pile in position.piles if pile.cards in piles)
            yield Play(CAPTURE, card, chosen, piles)
            for declared in {value, total, total + used, used, 8}:
                yield Play(DECLARE, card, chosen, piles, declared)
            yield Play(RAISE, card, chosen, piles, total + used)


@pytest.mark.parametrize("place", PLAYS)
def test_every_play_that_is_not_allowed_is_refused_with_its_rule(place: Place) -> None:
    position = situation_at(place).position
    languages = cycle([Words(language) for language in LANGUAGES])
    refused = 0
    for play in strange_plays(position):
        if refusal_of(position, play) is Refusal.NONE:
            continue
        words = next(languages)
        verdict = verdict_on_play(words, place, position, play)
        refused += 1
        assert not verdict.is_right
        assert verdict.rule in NUMBERS
        assert verdict.text.strip()
        assert "{" not in verdict.text
    assert refused > 20


TAUGHT = {
    r"\bgroup": ("values", 2),
    r"\bnumeral": ("values", 3),
    r"\bcourt": ("courts", 1),
    r"\bpile|\bdecla": ("declaring", 1),
    r"\bfamil": ("families", 2),
    r"\brais": ("raising", 1),
}
"""The steps that teach the words of the game."""


@pytest.mark.parametrize("place", PLAYS)
def test_no_refusal_says_a_word_that_is_taught_later(place: Place) -> None:
    step, position, words = step_of(place), situation_at(place).position, Words("en")
    known = step.text + step.task
    for play in strange_plays(position):
        refusal = refusal_of(position, play)
        if not refusal:
            continue
        told, rule = tell_refusal(words, place, position, play, refusal)
        assert told == verdict_on_play(words, place, position, play).text
        assert rule in NUMBERS
        for word, taught in TAUGHT.items():
            if PLACES.index(place) < PLACES.index(taught) and not re.search(word, known):
                assert not re.search(word, told, re.IGNORECASE), told


def test_a_refusal_says_the_task_before_its_words_are_taught() -> None:
    position, play = situation_at(("values", 1)).position, parse_play("2d+3s=5")
    told = "That does not work with these cards. Take the six that lies on the table."
    assert verdict_on_play(Words("en"), ("values", 1), position, play).text == told
    place = ("families", 1)
    declared = verdict_on_play(
        Words("en"), place, situation_at(place).position, parse_play("8s+4h=9")
    )
    assert "declar" in declared.text


@pytest.mark.parametrize("place", PLAYS)
def test_nothing_is_said_to_plays_that_nobody_can_make(place: Place) -> None:
    step, words = step_of(place), Words("en")
    position = situation_at(place).position
    said = {verdict_on_play(words, place, position, play).text for play in legal_plays(position)}
    assert {slip.says for slip in step.slips} <= said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_has_one_right_answer_and_explains_the_others(language: str) -> None:
    words = Words(language)
    for place in QUESTIONS:
        question = question_of(place)
        verdicts = [
            verdict_on_answer(words, question, number)
            for number in range(1, len(question.answers) + 1)
        ]
        assert sum(verdict is not None and verdict.is_right for verdict in verdicts) == 1
        assert len({verdict.text for verdict in verdicts if verdict}) == len(question.answers)
        assert verdict_on_answer(words, question, 0) is None
        assert verdict_on_answer(words, question, len(question.answers) + 1) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_there_and_does_not_tell_the_play(language: str) -> None:
    words = Words(language)
    for place in PLACES:
        step = step_at(place)
        hint = words.say(step.hint)
        assert hint not in ("", words.say(step.task), words.say(step.text), words.say(step.praise))
        if isinstance(step, Step):
            for text in step.solutions:
                assert text not in hint
                assert describe_play(words, parse_play(text)) not in hint


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_sentence_is_translated(language: str) -> None:
    words = Words(language)
    said = list(sentences(COURSE))
    assert len(said) > 150
    assert [text for text in said if words.say(text) == text] == []


def test_a_step_says_two_sentences_at_most_before_its_task() -> None:
    for place in PLACES:
        assert len(re.findall(r"[.?!](?= |$)", step_at(place).text)) <= 2


def test_the_small_game_is_that_of_the_rules() -> None:
    # R14.10
    situation = situation_at(("exchange", 2))
    [pile] = situation.position.piles
    assert (pile.value, pile.owner) == (9, 1)
    after = situation.after(parse_play("9hx[Ah3d5s]"))
    assert "xeri" in [event.name for event in after.events]
    assert situation_at(("exchange", 3)).position.xeri == (1, 0)


def test_the_last_card_of_a_deal_brings_what_is_left() -> None:
    # R10.1
    step, situation = step_of(("counting", 3)), situation_at(("counting", 3))
    names = [event.name for event in situation.after(parse_play(step.solutions[0])).events]
    assert names == ["capture", "leftovers", "deal_over"]


# --- Progress ----------------------------------------------------------------------


def test_progress_is_written_and_read_again() -> None:
    progress = Progress()
    assert parse_progress(format_progress(progress)) == progress
    for place in PLACES:
        assert progress.next == place
        progress = progress.with_solved(place)
        assert parse_progress(format_progress(progress)) == progress
    assert progress.is_complete
    assert progress.next is None
    assert len(format_progress(progress)) < 300
    assert all(progress.count(lesson.key) == len(lesson.steps) for lesson in COURSE)


def test_who_begins_in_the_middle_goes_on_from_there_and_then_from_the_beginning() -> None:
    progress = Progress().with_solved(("raising", 1))
    assert progress.next == ("raising", 2)
    progress = Progress().with_solved(PLACES[-1])
    assert progress.next == PLACES[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "at-",
        "at-values",
        "values",
        "values-",
        "values-0",
        "values-zz",
        "values-1111111111",
        "nowhere-7",
        "at-nowhere-1",
        "at-values-9",
        "values:1",
        "<script>",
        "é" * 5000,
        "\x00-1",
        "values-²",
    ],
)
def test_nonsense_is_no_progress(text: str) -> None:
    assert parse_progress(text) == Progress()


def test_what_makes_sense_beside_nonsense_is_kept() -> None:
    progress = parse_progress("nonsense.values-ff.courts-2.at-courts-2.at-values-7")
    assert progress.count("values") == len(lesson_of("values").steps)
    assert progress.count("courts") == 1
    assert progress.last == ("courts", 2)


def test_places_follow_one_another_to_the_end() -> None:
    assert [place_after(place) for place in PLACES] == [*PLACES[1:], None]
    for missing in (("values", 0), ("values", 99), ("nowhere", 1)):
        with pytest.raises(KeyError):
            step_at(missing)
    with pytest.raises(KeyError):
        lesson_of("nowhere")
