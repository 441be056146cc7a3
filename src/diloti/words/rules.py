"""The rules as people read them: chapters of numbered sentences, made for the switches of a table.

This is the one place for the rules in words; pages and the terminal show what stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from diloti.core.errors import N_
from diloti.core.rules import RULE_SETS, Rules, rules_from
from diloti.words.language import Words
from diloti.words.sentences import sentences_for, templates_of
from diloti.words.switches import RULE_OF_SWITCH


@dataclass(frozen=True)
class Rule:
    """A rule of a table: its number, what it says, and what named rule sets say otherwise."""

    number: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chapter:
    """Rules that one needs together. `number` is that of all of them, empty where there is none."""

    name: str
    number: str
    title: str
    rules: tuple[Rule, ...]


_CHAPTERS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("needs", "", N_("What is needed"), ("R1", "R2.1")),
    ("deal", "R2", N_("The deal"), ("R2.2", "R2.3", "R2.4", "R2.5", "R2.6", "R2.7")),
    ("turn", "R3", N_("A turn"), ("R3.1", "R4", "R4.1", "R4.2", "R4.3", "R4.4")),
    ("capture", "R5", N_("Capturing"), ("R5.1", "R5.3", "R5.4", "R5.5", "R5.7", "R5.8", "R5.9")),
    (
        "declare",
        "R6",
        N_("Declaring"),
        ("R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.6", "R6.7", "R6.8"),
    ),
    ("raise", "R7", N_("Raising"), ("R7.1", "R7.2", "R7.3", "R7.4")),
    ("obligations", "R8", N_("Obligations"), ("R8.1", "R8.2", "R8.3", "R8.4", "R8.5")),
    ("xeri", "R9", N_("The xeri"), ("R9.1", "R9.2", "R9.3", "R9.4", "R9.5")),
    ("end", "R10", N_("The end of a deal"), ("R10.1", "R10.2")),
    ("count", "", N_("The count"), ("R11",)),
    ("match", "R12", N_("The match"), ("R12.1", "R12.2")),
)

_NOTES: Mapping[str, str] = {
    "classic": N_("In classic: {sentence}"),
    "taverna": N_("In taverna: {sentence}"),
}
_BOTH_NOTE = N_("In classic and in taverna: {sentence}")

_SWITCH_OF_RULE: Mapping[str, str] = {
    **{rule: switch for switch, rule in RULE_OF_SWITCH.items()},
    **dict.fromkeys(("R8.1", "R8.2", "R8.4"), "obligations"),
}
"""The rules that have a note where a named rule set gives this switch another value."""


def rule_chapters(words: Words, rules: Rules) -> list[Chapter]:
    """The rules of a rule set by chapter, with a note where a named rule set differs."""
    named = {name: rules_from(name, players=rules.players) for name in RULE_SETS}
    said = {
        number: sentences_for(words, rules, *templates)
        for number, templates in templates_of(rules).items()
    }

    def notes(number: str) -> tuple[str, ...]:
        switch = _SWITCH_OF_RULE.get(number)
        if switch is None:
            return ()
        differing = {
            name: theirs
            for name, theirs in named.items()
            if getattr(theirs, switch) != getattr(rules, switch)
        }
        return _notes(words, number, said[number], differing)

    return [
        Chapter(
            name,
            chapter_number,
            words.say(title),
            tuple(
                Rule(number, " ".join(said[number]), notes(number))
                for number in numbers
                if number in said
            ),
        )
        for name, chapter_number, title, numbers in _CHAPTERS
    ]


def _notes(
    words: Words, number: str, said: list[str], differing: Mapping[str, Rules]
) -> tuple[str, ...]:
    """What named rule sets say of a rule that is not said here."""
    notes = {}
    for name, rules in differing.items():
        theirs = sentences_for(words, rules, *templates_of(rules)[number])
        notes[name] = " ".join(sentence for sentence in theirs if sentence not in said)
    if len(notes) == len(RULE_SETS) and len(set(notes.values())) == 1:
        return (words.say(_BOTH_NOTE, sentence=notes.popitem()[1]),)
    return tuple(words.say(_NOTES[name], sentence=note) for name, note in notes.items())


def rule_lines(words: Words, rules: Rules) -> list[tuple[str, str]]:
    """The rules of a rule set in order: the number of each and a sentence or two."""
    return [
        (rule.number, rule.text)
        for chapter in rule_chapters(words, rules)
        for rule in chapter.rules
    ]


def score_rows(words: Words, rules: Rules) -> list[tuple[str, int]]:
    """What counts in a deal (R11), and the points for it."""
    rows = [
        (N_("more than 26 cards"), 4),
        (N_("each ace"), 1),
        (N_("the ten of diamonds"), 2),
        (N_("the two of clubs"), 1),
        (N_("each xeri"), rules.xeri_points),
    ]
    if rules.xeristaki_points:
        rows.append((N_("each xeristaki"), rules.xeristaki_points))
    return [(words.say(what), points) for what, points in rows]
