"""The rules in words: whole for every rule set, in every language, and as the engine has them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from diloti.core import wire
from diloti.core.cards import FULL_PACK
from diloti.core.legality import RULE_OF, Refusal, refusal_of
from diloti.core.notation import format_play, parse_card, parse_cards, parse_play
from diloti.core.position import Position, new_state
from diloti.core.rules import CHOICES, CLASSIC, RULE_SETS, SWITCHES, Rules, rules_from
from diloti.core.scoring import sheet_of
from diloti.words import LANGUAGES, Words
from diloti.words.advice import ADVICE, advice_for
from diloti.words.examples import (
    EXAMPLES,
    Example,
    allowed,
    counted,
    example_lines,
    examples_for,
    position_of,
    refused,
    won,
)
from diloti.words.glossary import GLOSSARY, glossary_for
from diloti.words.minute import in_a_minute
from diloti.words.questions import QUESTIONS, questions_for
from diloti.words.rules import rule_chapters, rule_lines, score_rows
from diloti.words.switches import RULE_OF_SWITCH, SWITCH_SENTENCES, choice_of
from tests import reference
from tests.strategies import random_position, random_rules, random_wish

DOCS = Path(__file__).parent.parent / "docs"

ENGLISH = Words("en")
NUMBERS = {"players": (2, 4), "target": (1, 101), "deal_packet": (3, 6)}


def values_of(switch: str) -> tuple[Any, ...]:
    """The values of a switch that can be tried, all where they are few."""
    if switch in CHOICES:
        return CHOICES[switch]
    if isinstance(getattr(RULE_SETS["classic"], switch), bool):
        return (False, True)
    return NUMBERS.get(switch, (0, 5))


def rule_sets() -> Iterator[Rules]:
    """The named rule sets for two and four, every single change of them, and random mixtures."""
    for base in RULE_SETS:
        for players in (2, 4):
            yield rules_from(base, players=players)
            for switch in SWITCHES:
                for value in values_of(switch):
                    if (switch, value) != ("partners_show_card", True) or players == 4:
                        yield rules_from(base, **{"players": players, switch: value})
    rng = random.Random(5)
    for _ in range(60):
        yield wire.read_rules(random_rules(rng))


ALL = sorted(set(rule_sets()), key=lambda rules: rules.fingerprint)


def numbers_of(rules: Rules) -> set[str]:
    """The rule numbers that a rule set's book has, those of whole chapters included."""
    chapters = rule_chapters(ENGLISH, rules)
    lines = [rule.number for chapter in chapters for rule in chapter.rules]
    chapter_numbers = [chapter.number for chapter in chapters if chapter.number]
    assert len(lines + chapter_numbers) == len({*lines, *chapter_numbers})
    return {*lines, *chapter_numbers}


def sentences(words: Words, rules: Rules) -> dict[str, str]:
    """Everything that the book says to people, by a name for each piece."""
    said = {f"minute {place}": text for place, text in enumerate(in_a_minute(words, rules))}
    for chapter in rule_chapters(words, rules):
        said[chapter.name] = chapter.title
        for rule in chapter.rules:
            said[rule.number] = rule.text
            said |= {f"{rule.number} note {i}": note for i, note in enumerate(rule.notes)}
    said |= {f"score {i}": what for i, (what, _points) in enumerate(score_rows(words, rules))}
    for one in questions_for(words, rules):
        said |= {f"asks {one.name}": one.asks, f"answer {one.name}": one.answer}
    for entry in glossary_for(words, rules):
        said |= {f"word {entry.name}": entry.word, f"meaning {entry.name}": entry.meaning}
    for piece in advice_for(words, rules):
        said |= {f"title {piece.name}": piece.title, f"text {piece.name}": piece.text}
    said |= {f"example {one.number}": words.say(one.title) for one in examples_for(rules)}
    said |= {"count": counted(words, rules), "won": " ".join(won(words, rules))}
    return said


@cache
def in_english(rules: Rules) -> dict[str, str]:
    return sentences(ENGLISH, rules)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_book_is_whole_and_translated_for_every_rule_set(language: str) -> None:
    words = Words(language)
    for rules in ALL:
        said = sentences(words, rules)
        english = in_english(rules)
        assert said.keys() == english.keys()
        for name, text in said.items():
            assert text.strip() == text != "", (name, rules)
            assert "{" not in text, name
            assert language == "en" or text != english[name], (name, text)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.fingerprint)
def test_every_refusal_finds_its_rule(rules: Rules) -> None:
    """Every rule that can refuse anything stands in the book, and what questions rest on, too."""
    numbers = numbers_of(rules)
    without = {"R7.2"} if rules.raising == "never" else set()
    assert set(RULE_OF.values()) - numbers == without
    assert {one.rule for one in questions_for(ENGLISH, rules)} <= numbers
    assert set(RULE_OF_SWITCH.values()) <= numbers
    assert [number for number, _text in rule_lines(ENGLISH, rules)] == sorted(
        numbers - {"R2", "R3", "R5", "R6", "R7", "R8", "R9", "R10", "R12"},
        key=lambda number: [int(part) for part in number[1:].split(".")],
    )


def test_refusals_of_random_plays_find_their_rules() -> None:
    met = set()
    for seed in range(400):
        rng = random.Random(f"book {seed}")
        written = random_position(rng)
        position = wire.read_position(written)
        numbers = numbers_of(position.rules)
        for _ in range(4):
            refusal = refusal_of(position, parse_play(random_wish(rng, written)))
            if refusal != Refusal.NONE:
                met.add(RULE_OF[refusal])
                assert RULE_OF[refusal] in numbers
    assert {"R3.1", "R5.1", "R6.3", "R7.1", "R8.1"} <= met


@pytest.mark.parametrize("base", RULE_SETS)
def test_notes_stand_where_the_named_rule_sets_differ(base: str) -> None:
    rules = RULE_SETS[base]
    noted = {
        rule.number: rule.notes
        for chapter in rule_chapters(ENGLISH, rules)
        for rule in chapter.rules
        if rule.notes
    }
    other = next(name for name in RULE_SETS if name != base)
    differing = {
        RULE_OF_SWITCH[switch] for switch in rules.changes(other) if switch != "players"
    } - {"R8"}
    assert noted.keys() == differing | {"R8.1", "R8.2", "R8.4"}
    assert all(len(notes) == 1 and f"In {other}: " in notes[0] for notes in noted.values())


def test_a_house_rule_has_notes_of_both_or_one_for_both() -> None:
    def notes(number: str, **switches: Any) -> tuple[str, ...]:
        chapters = rule_chapters(ENGLISH, rules_from("taverna", **switches))
        return next(rule.notes for one in chapters for rule in one.rules if rule.number == number)

    assert len(notes("R7.3", raising="never")) == 2
    both = ("In classic and in taverna: Points that win the match: 61.",)
    assert notes("R12.2", target=101) == both
    assert notes("R12.2") == ()


def test_points_in_words_are_those_of_the_count() -> None:
    rules = rules_from("classic", xeristaki_points=3)
    state = new_state(
        rules,
        dealer=0,
        turn=None,
        plays=48,
        hands=(),
        loose=0,
        captured=(FULL_PACK, 0),
        xeri=(1, 0),
        xeristaki=(1, 0),
    )
    sheet = sheet_of(Position(rules, state, {}), 0)
    points = [points for _what, points in score_rows(ENGLISH, rules)]
    assert [points[0], 4 * points[1], *points[2:]] == list(vars(sheet).values())


# --- Examples ------------------------------------------------------------------------


def judged(number: str, base: str) -> tuple[dict[str, str], dict[str, str]]:
    """The allowed plays of an example with what they make, and the refused ones with their rule."""
    example = next(one for one in EXAMPLES if one.number == number)
    rules = RULE_SETS[base]
    yes = {format_play(one.play): one.makes for one in allowed(ENGLISH, example, rules)}
    no = {format_play(one.play): one.rule for one in refused(ENGLISH, example, rules)}
    return yes, no


FIRST = {"6h": "", "6hx6d": "", "6hx2c4s": "", "6hx2c4s6d": "xeri"}
OWN = {"8cx[3d5s]": "", "2d+6s[3d5s]=8": ""}


@pytest.mark.parametrize(
    ("number", "base", "yes", "no"),
    [
        ("R14.1", "classic", FIRST, {}),
        ("R14.1", "taverna", FIRST, {}),
        ("R14.3", "classic", {"Js": ""}, {"Jsx5c6d": "R5.7"}),
        ("R14.4", "classic", {"JsxJh": "", "JsxJd": ""}, {"JsxJdJh": "R5.7", "Js": "R5.8"}),
        ("R14.4", "taverna", {"Js": "", "JsxJdJh": "xeri"}, {"JsxJh": "R5.7"}),
        ("R14.5", "classic", {"3c": "", "3c+5h=8": ""}, {}),
        ("R14.5b", "classic", {"3c": ""}, {"3c+5h=8": "R6.2"}),
        ("R14.6", "taverna", {"4c": "", "4cx4h": "xeri", "4c+4h=8": "", "4c+4h=4": ""}, {}),
        (
            "R14.7",
            "classic",
            {**OWN, "8hx[3d5s]": "", "8c+[3d5s]=8": "", "8h+[3d5s]=8": ""},
            {"2d": "R8.1", "2d+6s=8": "R8.2"},
        ),
        (
            "R14.8",
            "classic",
            {**OWN, "9hx9s": ""},
            {"8c": "R8.1", "8c+[3d5s]=8": "R6.2", "2d": "R8.1", "2d+6s=8": "R8.2"},
        ),
        (
            "R14.8",
            "taverna",
            {**OWN, "9hx9s": "", "8c": "", "2d": "", "9h": "", "2d+6s=8": ""},
            {"8c+[3d5s]=8": "R6.2"},
        ),
        ("R14.9", "classic", {"4s": "", "4s^[2d3c]=9": ""}, {}),
        ("R14.9b", "taverna", {"4s": ""}, {"4s^[2d3c5h]=9": "R7.1"}),
        ("R14.10", "classic", {"8c": "", "9h": "", "9hx[Ah3d5s]": "xeri"}, {}),
        ("R14.12", "classic", {"Th": "", "ThxAc2c3d4s": ""}, {}),
        ("R14.12", "taverna", {"Th": "", "ThxAc2c3d4s": "xeri"}, {}),
        ("R14.13", "classic", {"Th": "", "Thx4c6s": "xeri"}, {}),
        ("R14.13", "taverna", {"Th": "", "Thx4c6s": ""}, {}),
    ],
)
def test_examples_are_those_of_r14(
    number: str, base: str, yes: dict[str, str], no: dict[str, str]
) -> None:
    assert judged(number, base) == (yes, no)


@pytest.mark.parametrize(("base", "captures"), [("classic", 7), ("taverna", 5)])
def test_the_example_of_sums_has_as_many_captures_as_r14_says(base: str, captures: int) -> None:
    yes, no = judged("R14.2", base)
    assert (len(yes) - 1, no) == (captures, {})


def test_examples_agree_with_the_reference() -> None:
    for rules in ALL[::4]:
        for example in examples_for(rules):
            agree(example, rules)


def agree(example: Example, rules: Rules) -> None:
    written = wire.write_position(position_of(example, rules))
    shown = parse_cards(example.of or example.hand)
    yes = {format_play(one.play) for one in allowed(ENGLISH, example, rules)}
    assert (
        yes
        == {text for text in reference.legal(written) if shown >> parse_card(text[:2]) & 1}
        != set()
    )
    no = refused(ENGLISH, example, rules)
    for one in no:
        assert one.rule in (reference.forbidden_by(written, format_play(one.play)) or ())
        assert one.reason
    tried = {format_play(parse_play(text)) for text in example.tried}
    assert {format_play(one.play) for one in no} == tried - yes
    for one in allowed(ENGLISH, example, rules):
        events = reference.apply(written, format_play(one.play))[1]
        made = {event["event"] for event in events} & {"xeri", "xeristaki"}
        assert {one.makes} - {""} == made


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_can_be_read_as_text(language: str) -> None:
    words = Words(language)
    rules = RULE_SETS["classic"]
    for example in EXAMPLES:
        lines = list(example_lines(words, rules, example))
        assert len(lines) > 3
        assert all("{" not in line for line in lines)


def test_the_count_and_the_end_of_the_match_are_those_of_r14() -> None:
    rules = RULE_SETS["classic"]
    assert "4 + 2 + 2 + 10 = 18" in counted(ENGLISH, rules)
    assert "4 + 2 + 2 + 5 = 13" in counted(ENGLISH, rules_from("classic", xeri_points=5))
    higher, equal = won(ENGLISH, rules)
    assert "64 : 63" in higher
    assert "65 : 65" in equal


# --- Questions, words, advice --------------------------------------------------------


def test_names_are_given_once() -> None:
    named: list[list[str]] = [
        [one.number for one in EXAMPLES],
        [one.name for one in QUESTIONS],
        [one.name for one in GLOSSARY],
        [one.name for one in ADVICE],
    ]
    for names in named:
        assert len(names) == len(set(names))


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_there_are_questions_and_advice_enough(rules: Rules) -> None:
    assert 10 <= len(questions_for(ENGLISH, rules)) <= 15
    assert 8 <= len(advice_for(ENGLISH, rules)) <= 12


def test_advice_tells_what_the_study_found() -> None:
    """A figure of each piece and its verdict, as they stand in the study's tables."""
    study = json.loads((DOCS / "study" / "figures.json").read_text(encoding="utf-8"))
    verdicts = {"confirmed": "Measured, and confirmed", "not confirmed": "Measured, but not proven"}
    assert study["study"]["rows"][0][1] == "full"
    for piece in ADVICE:
        rows = [row for row in study["advice"]["rows"] if row[0] == piece.title]
        found = {
            (verdicts.get(row[5], "Not measured"), round(100 * figure["value"]))
            for row in rows
            for figure in row[2:4]
            if isinstance(figure, dict)
        } or {("Not measured", 0)}
        assert (re.split("[:.]", piece.figures)[0], piece.measured) in found
        told = {one.name: one.figures for one in advice_for(ENGLISH, CLASSIC)}
        assert not piece.measured or str(piece.measured) in re.findall(r"\d+", told[piece.name])


def answer(name: str, **switches: Any) -> str:
    rules = rules_from("classic", **switches)
    return next(one.answer for one in questions_for(ENGLISH, rules) if one.name == name)


def test_answers_are_those_of_the_rule_set() -> None:
    assert answer("raise-own", raising="anyone").startswith("Yes")
    for raising in ("opponents", "others", "never"):
        assert answer("raise-own", raising=raising).startswith("No")
    assert answer("jacks", court_capture="all").startswith("Yes")
    assert answer("leave") != answer("leave", obligations=False)
    assert answer("lay", obligations=False, court_must_capture=False) == (
        "At this table every card may be laid."
    )
    assert "numeral" in answer("lay", forced_capture=True)
    rules = rules_from("classic", target=101)
    assert any("101" in one.asks for one in questions_for(ENGLISH, rules))


def test_the_greek_words_are_those_of_the_greek_book() -> None:
    greek = Words("el")
    for entry in GLOSSARY:
        assert greek.say(entry.word) == entry.greek


def test_every_switch_has_a_rule_and_its_value_a_name() -> None:
    assert RULE_OF_SWITCH.keys() == SWITCH_SENTENCES.keys() == set(SWITCHES)
    for rules in ALL:
        for switch in SWITCHES:
            assert choice_of(ENGLISH, switch, rules)
