"""The lessons in a terminal, line by line."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TextIO

from diloti.core.errors import N_
from diloti.core.notation import parse_cards
from diloti.core.plays import Play
from diloti.core.position import History
from diloti.core.view import View, view_of
from diloti.teacher.lessons import (
    NAMES,
    Place,
    Situation,
    lesson_of,
    place_after,
    situation_at,
    step_at,
)
from diloti.teacher.progress import Progress, format_progress, parse_progress
from diloti.teacher.steps import LEARNER, Question, Step
from diloti.teacher.verdicts import Verdict, tell_refusal, verdict_on_answer, verdict_on_play
from diloti.tui.plain.commands import command_of, is_word, typing_lines
from diloti.tui.plain.teletype import LineSource, Teletype
from diloti.tui.plain.turn import Turn, ask_line
from diloti.tui.streams import is_terminal, standard_input, standard_output
from diloti.words import Words
from diloti.words.accounts import event_lines
from diloti.words.cards import cards_sign
from diloti.words.files import file_trouble
from diloti.words.telling import tell_play

FINE, INTERRUPTED = 0, 130
"""Exit statuses: at the end, also when somebody leaves; and after Ctrl-C."""

_FILE = "lessons.txt"
_HINT, _SKIP = N_("hint"), N_("skip")
_HELP = {
    _HINT: N_("{word}: a hint for this step"),
    _SKIP: N_("{word}: leave this step for later"),
    N_("plays"): N_("{word}: all legal plays, numbered"),
    N_("table"): N_("{word}: the table again"),
    N_("quit"): N_("{word}: leave; next time you go on from here"),
}


def learn_in_terminal(words: Words, folder: Path, *, again: bool) -> int:
    """Take the lessons from where one was, or `again` from the beginning; an exit status."""
    file = folder / _FILE
    if again:
        file.unlink(missing_ok=True)
    source, target = standard_input(), standard_output()
    return run_lessons(words, file, source, target, interactive=is_terminal())


def run_lessons(
    words: Words, file: Path, source: LineSource, target: TextIO, *, interactive: bool
) -> int:
    """The lessons over two streams, with the progress in a file; an exit status."""
    course = _Course(words, file, Teletype(source, target, interactive=interactive))
    try:
        course.take()
    except EOFError:
        course.say_goodbye()
    except KeyboardInterrupt:
        course.say_goodbye()
        return INTERRUPTED
    return FINE


class _Course:
    """The conversation about the lessons."""

    def __init__(self, words: Words, file: Path, teletype: Teletype) -> None:
        self._words = words
        self._file = file
        self._teletype = teletype
        self._names = (words.say("Player"), words.say(NAMES[1]))
        self._progress = self._read()
        self._is_kept = True

    def take(self) -> None:
        """All steps from where the learner was to the end of the course."""
        say = self._words.say
        if self._progress.is_empty:
            self._say(
                say(
                    "Two players hold six cards each, and four cards lie open between them. With"
                    " the cards of your hand you take cards from the table; when the hands are"
                    " empty you both get six more, until the pack is used up."
                ),
                say(
                    "Then the captures are counted, and the next cards are dealt. Whoever reaches"
                    " 61 points wins."
                ),
                say(
                    "Type a card of your hand, and with it cards of the table: 6h 6d takes the six"
                    " of diamonds with the six of hearts. ? is for help."
                ),
            )
        place = self._progress.next
        while place is not None:
            if self._take_step(place):
                self._progress = self._progress.with_solved(place)
                self._keep()
            place = self._following(place)
        if self._progress.is_complete:
            self._say("", say("You have taken all lessons: you can play now."))
        self._say(say("Play a match: {command}", command="diloti play --seats human,novice"))

    def _following(self, place: Place) -> Place | None:
        """The next step from a place on that is not solved."""
        following = place_after(place)
        while following is not None and following in self._progress.solved:
            following = place_after(following)
        return following

    def say_goodbye(self) -> None:
        """What is said to somebody who leaves before the end."""
        if self._is_kept:
            self._say("", self._words.say("Next time you go on from here."))

    # --- Steps ---------------------------------------------------------------------

    def _take_step(self, place: Place) -> bool:
        """Whether a step is solved, rather than skipped."""
        key, number = place
        lesson, step, say = lesson_of(key), step_at(place), self._words.say
        title = say(lesson.title)
        heading = say(
            "{title}, {number} of {all}", title=title, number=number, all=len(lesson.steps)
        )
        self._say("", heading)
        self._say(say(step.text))
        if isinstance(step, Question):
            return self._ask_question(step)
        return self._ask_play(place, step, situation_at(place))

    def _ask_play(self, place: Place, step: Step, situation: Situation) -> bool:
        view = _view(situation)
        refuse = partial(tell_refusal, self._words, place, view.known)
        turn = Turn(self._words, self._teletype, self._names, view, refuse=refuse)
        if situation.plays:
            seat, play = situation.plays[-1]
            self._say(tell_play(self._words, self._names[seat], play))
        self._say(*turn.table_lines(), self._words.say(step.task))
        while (text := self._ask(step)) is not None:
            chosen = turn.take(text)
            if chosen is not None:
                verdict = verdict_on_play(self._words, place, situation.position, chosen)
                if verdict.is_right:
                    self._tell_success(step, verdict, situation.after(chosen), chosen)
                    return True
                self._say(verdict.text)
        return False

    def _ask_question(self, question: Question) -> bool:
        say = self._words.say
        if question.cards:
            self._say(cards_sign(parse_cards(question.cards)))
        self._say(say(question.task))
        answers = [say(answer.text) for answer in question.answers]
        self._say(*(f"{number}. {answer}" for number, answer in enumerate(answers, start=1)))
        while (text := self._ask(question)) is not None:
            number = answers.index(text) + 1 if text in answers else 0
            if not number and text.isdecimal() and len(text) == 1:
                number = int(text)
            verdict = verdict_on_answer(self._words, question, number)
            if verdict is None:
                self._say(say("The list goes from 1 to {most}.", most=len(answers)))
            elif verdict.is_right:
                self._tell_praise(question, verdict)
                return True
            else:
                self._say(verdict.text)
        return False

    def _ask(self, step: Step | Question) -> str | None:
        """What is typed, when it is no request for help; None to skip the step."""
        say = self._words.say
        prompt = (
            say("Your answer (? for help):")
            if isinstance(step, Question)
            else say("Your play (? for help):")
        )
        while True:
            text = ask_line(self._words, self._teletype, prompt)
            command, _rest = command_of(self._words, text)
            if command == "quit":
                raise EOFError
            if command == "help":
                self._say(*typing_lines(self._words))
                self._say(*(say(line, word=say(word)) for word, line in _HELP.items()))
            elif is_word(self._words, text, _HINT):
                self._say(say(step.hint))
            elif is_word(self._words, text, _SKIP):
                return None
            else:
                return text

    # --- Saying --------------------------------------------------------------------

    def _tell_success(self, step: Step, verdict: Verdict, situation: Situation, play: Play) -> None:
        rules = situation.position.rules
        self._say(tell_play(self._words, self._names[LEARNER], play))
        self._say(*event_lines(self._words, self._names, rules, LEARNER, situation.events))
        self._tell_praise(step, verdict)

    def _tell_praise(self, step: Step | Question, verdict: Verdict) -> None:
        text = self._words.say("{reason} (Rule {rule})", reason=verdict.text, rule=verdict.rule)
        self._say(self._words.say("Right! {text}", text=text))
        if step.elsewhere:
            self._say(self._words.say(step.elsewhere))

    def _say(self, *lines: str) -> None:
        self._teletype.say(*lines)

    # --- Keeping -------------------------------------------------------------------

    def _read(self) -> Progress:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return parse_progress(self._file.read_text(encoding="utf-8"))
        return Progress()

    def _keep(self) -> None:
        if not self._is_kept:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(format_progress(self._progress) + "\n", encoding="utf-8")
        except OSError as trouble:
            self._is_kept = False
            why = self._words.error(file_trouble(trouble))
            self._say(self._words.say("Your progress could not be kept: {trouble}", trouble=why))


def _view(situation: Situation) -> View:
    """What the learner sees, with the plays of the lesson."""
    view = view_of(situation.position, LEARNER)
    return replace(view, history=History(0, situation.plays))
