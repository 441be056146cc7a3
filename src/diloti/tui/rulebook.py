"""The rule book line by line, as a terminal prints it: the chapters of the page, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from diloti.core.rules import Rules
from diloti.words import Words
from diloti.words.advice import advice_for
from diloti.words.glossary import glossary_for
from diloti.words.minute import in_a_minute
from diloti.words.questions import questions_for
from diloti.words.rules import rule_chapters

_MARGIN = "      "


def rulebook_lines(words: Words, rules: Rules, part: str) -> Iterator[str]:
    """A part of the rule book, named as in `PARTS`."""
    return PARTS[part](words, rules)


def _minute(words: Words, rules: Rules) -> Iterator[str]:
    yield from in_a_minute(words, rules)


def _rules(words: Words, rules: Rules) -> Iterator[str]:
    for chapter in rule_chapters(words, rules):
        yield f"{chapter.title} ({chapter.number})" if chapter.number else chapter.title
        for rule in chapter.rules:
            yield f"{rule.number:<6}{rule.text}"
            for note in rule.notes:
                yield f"{_MARGIN}[{note}]"
        yield ""


def _examples(words: Words, rules: Rules) -> Iterator[str]:
    from diloti.words.examples import counted, example_lines, examples_for, won  # the engine

    for example in examples_for(rules):
        yield from example_lines(words, rules, example)
        yield ""
    yield counted(words, rules)
    yield from won(words, rules)


def _questions(words: Words, rules: Rules) -> Iterator[str]:
    for one in questions_for(words, rules):
        yield one.asks
        yield _MARGIN + words.say("{reason} ({rule})", reason=one.answer, rule=one.rule)


def _glossary(words: Words, rules: Rules) -> Iterator[str]:
    for entry in glossary_for(words, rules):
        greek = "" if entry.greek == entry.word else f" [{entry.greek}]"
        yield f"{entry.word}{greek}: {entry.meaning}"


def _advice(words: Words, rules: Rules) -> Iterator[str]:
    for piece in advice_for(words, rules):
        yield piece.title
        yield _MARGIN + piece.text
        yield _MARGIN + piece.figures


PARTS: Mapping[str, Callable[[Words, Rules], Iterator[str]]] = {
    "rules": _rules,
    "minute": _minute,
    "examples": _examples,
    "questions": _questions,
    "glossary": _glossary,
    "advice": _advice,
}
"""The parts of the rule book by name."""
