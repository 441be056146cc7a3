"""The lessons line by line: taken through a pipe, left, and gone on with."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import pytest

from diloti.core.cards import cards_in
from diloti.core.notation import format_card, parse_play
from diloti.teacher.lessons import COURSE, PLACES, Place, step_at
from diloti.teacher.progress import parse_progress
from diloti.teacher.steps import Question
from diloti.tui.learn import run_lessons
from diloti.words import LANGUAGES, Words
from tests.scripted import run_program


def take(
    file: Path, lines: Iterable[str] = (), *, language: str = "en", interactive: bool = False
) -> tuple[int, str]:
    """The exit status and all that is said when these lines are typed."""
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    target = io.StringIO()
    status = run_lessons(Words(language), file, source, target, interactive=interactive)
    return status, target.getvalue()


def solution(place: Place) -> str:
    """What solves a step, typed."""
    step = step_at(place)
    if isinstance(step, Question):
        return next(str(number) for number, one in enumerate(step.answers, 1) if one.is_right)
    return step.solutions[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new" / "lessons.txt"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_course_in_every_language(file: Path, language: str) -> None:
    words = Words(language)
    status, said = take(file, map(solution, PLACES), language=language)
    assert status == 0
    for place in PLACES:
        step = step_at(place)
        for sentence in (step.text, step.task, step.praise):
            assert words.say(sentence) in said
    assert "diloti play --seats human,novice" in said
    assert parse_progress(file.read_text()).is_complete
    assert words.say(COURSE[0].steps[0].task) not in take(file, language=language)[1]


def test_who_leaves_goes_on_there(file: Path) -> None:
    _status, said = take(file, [*map(solution, PLACES[:5]), "quit"])
    assert "Next time you go on from here." in said
    status, said = take(file)
    assert status == 0
    assert step_at(PLACES[5]).task in said
    assert step_at(PLACES[4]).task not in said


def test_slips_and_what_is_not_allowed_are_explained(file: Path) -> None:
    _status, said = take(file, ["lay 6h", "6hx3s", "6h", "1", "6h 6d"])
    assert said.count("That only lays your six beside the other one") == 2
    assert "(Rule R5.1)" in said
    assert "1. Lay 6♥   6h" in said
    assert "Right! A card takes cards of its own value." in said


def test_cards_of_a_pile_stand_for_it(file: Path) -> None:
    skips = ["skip"] * PLACES.index(("joining", 1))
    play = parse_play("2d+6s[3d5s]=8")
    cards = " ".join(map(format_card, cards_in(play.loose | play.pile_cards)))
    _status, said = take(file, [*skips, f"2d {cards}"])
    assert "Right! Now it is a family" in said


def test_hints_help_and_lists(file: Path) -> None:
    _status, said = take(file, ["hint", "?", "plays", "table", "hand", "rules", "nonsense"])
    assert step_at(PLACES[0]).hint in said
    assert "skip: leave this step for later" in said
    assert "2. Lay 6♥" in said
    assert said.count("On the table: 3♠ 6♦ Q♥") == 2
    assert "R5.1" in said
    assert "Type ? for help." in said
    assert not file.exists()


def test_words_of_the_language_are_understood(file: Path) -> None:
    words = Words("el")
    _status, said = take(file, ["ΥΠΟΔΕΙΞΗ", "παράλειψη", "έξοδος"], language="el")
    assert words.say(step_at(PLACES[0]).hint) in said
    assert words.say(step_at(PLACES[1]).task) in said


def test_questions_take_numbers_and_answers(file: Path) -> None:
    skips = ["skip"] * PLACES.index(("counting", 2))
    _status, said = take(file, [*skips, "77", "x", "14", "1", "18"])
    assert said.count("The list goes from 1 to 4.") == 2
    assert "28 are more than 26" in said
    assert "That leaves out the xeri" in said
    assert "Right! Four for the cards" in said


def test_skipped_steps_come_again(file: Path) -> None:
    _status, said = take(file, ["skip", *map(solution, PLACES[1:])])
    assert "You have taken all lessons" not in said
    _status, said = take(file, [solution(PLACES[0])])
    assert step_at(PLACES[0]).task in said
    assert "You have taken all lessons" in said


@pytest.mark.parametrize("kept", [b"nonsense", b"\xff\xfe", b""])
def test_a_file_of_nonsense_is_a_beginning(file: Path, kept: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(kept)
    assert step_at(PLACES[0]).task in take(file)[1]


def test_lessons_that_cannot_be_kept_are_taken_all_the_same(file: Path) -> None:
    file.parent.write_text("not a folder")
    _status, said = take(file, map(solution, PLACES[:3]))
    assert said.count("Your progress could not be kept") == 1
    assert step_at(PLACES[3]).task in said
    assert "Next time" not in said


def test_the_real_program_through_a_pipe(tmp_path: Path) -> None:
    typed = "".join(f"{solution(place)}\n" for place in PLACES[:4]).encode()
    status, said, errors = run_program("learn", "--lang", "ru", data=tmp_path, typed=typed)
    assert (status, errors) == (0, "")
    assert Words("ru").say(step_at(PLACES[4]).task) in said
    assert len(parse_progress((tmp_path / "lessons.txt").read_text()).solved) == 4
    status, said, _errors = run_program("learn", "--again", data=tmp_path, typed=b"")
    assert status == 0
    assert step_at(PLACES[0]).task in said
