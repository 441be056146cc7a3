"""The catalogues: complete, with the right placeholders, and really translated."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from diloti.core.errors import RulesError
from diloti.core.legality import RULE_OF
from diloti.core.rules import RULE_SETS, SWITCHES, rules_from
from diloti.words import LANGUAGES, LanguageError, Words, pick_language
from diloti.words.refusals import REFUSALS
from diloti.words.rules import rule_lines
from diloti.words.sentences import CHOICE_SENTENCES
from diloti.words.switches import SWITCH_NAMES, SWITCH_SENTENCES

SOURCE = Path(__file__).parent.parent / "src" / "diloti"
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
KEYWORDS = {"N_": None, "say": None, "say_count": (1, 2)}
PLURAL_FORMS = {"el": 2, "pt": 2, "ru": 3}

# Messages that are right as they are in some languages: names, signs and words they share.
SAME_IN = {
    "el": set[str](),
    "pt": {
        "Diloti",
        "Diloti, {day}",
        "Bravo!",
        "normal",
        "Menu",
        "Xeri",
        "Xeristaki",
        "Xeri: {sides}",
        "Xeristaki: {sides}",
        "Xeri: {side}",
        "Xeristaki: {side}",
        "xeri {marks}",
        "xeristaki {marks}",
        "Nikos",
        "Eleni",
        "Kostas",
        "Maria",
    },
    "ru": set[str](),
}


def extracted() -> set[str | tuple[str, ...]]:
    """Every message in the source, plural ones as a tuple."""
    found: set[str | tuple[str, ...]] = set()
    for _file, _line, message, _comments, _context in extract_from_dir(
        SOURCE, METHODS, keywords=KEYWORDS
    ):
        found.add(message if isinstance(message, str) else tuple(message))
    return found


def catalogue(language: str) -> Catalog:
    path = SOURCE / "words" / "catalogues" / language / "LC_MESSAGES" / "diloti.po"
    with path.open("rb") as file:
        return read_po(file, locale=language)


def messages(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def texts(value: object) -> list[str]:
    """The one text or all plural forms of a message."""
    return [value] if isinstance(value, str) else [str(one) for one in value or ()]  # type: ignore[attr-defined]


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w*)[^}]*\}", text))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_message_is_missing_or_left_over(language: str) -> None:
    known = {one.id if isinstance(one.id, str) else tuple(one.id) for one in messages(language)}
    assert known == extracted()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_message_is_translated_for_certain(language: str) -> None:
    for message in messages(language):
        assert not message.fuzzy, message.id
        forms = texts(message.string)
        assert all(form.strip() for form in forms), message.id
        if not isinstance(message.id, str):
            assert len(forms) == PLURAL_FORMS[language], message.id


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_placeholders_match(language: str) -> None:
    for message in messages(language):
        wanted = placeholders(texts(message.id)[-1])
        for form in texts(message.string):
            assert placeholders(form) == wanted, message.id


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_translations_differ_from_their_source(language: str) -> None:
    for message in messages(language):
        letters = re.sub(r"\{\w*\}|\W|\d", "", texts(message.id)[0])
        if letters and texts(message.id)[0] not in SAME_IN[language]:
            assert texts(message.string)[0] != texts(message.id)[0]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_spaces_and_ends_of_sentences_are_kept(language: str) -> None:
    for message in messages(language):
        source = texts(message.id)[0]
        for form in texts(message.string):
            assert form == form.strip() or source != source.strip(), message.id
            assert (source[-1] in ".…") == (form[-1] in ".…"), message.id
            assert "  " not in form or "  " in source


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plural_forms_of_every_language_work(language: str) -> None:
    words = Words(language)
    forms = {words.say_count("{count} card", "{count} cards", count) for count in (1, 2, 5, 21)}
    assert len({re.sub(r"\d+", "", form) for form in forms}) == PLURAL_FORMS.get(language, 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_line_and_refusal_can_be_said(language: str) -> None:
    words = Words(language)
    assert set(REFUSALS) == set(RULE_OF)
    for base in RULE_SETS:
        for players in (2, 4):
            lines = rule_lines(words, rules_from(base, players=players, xeristaki_points=5))
            assert len(lines) > 20
            assert all(sentence and "{" not in sentence for _number, sentence in lines)


def test_every_switch_and_every_choice_has_a_sentence() -> None:
    assert set(SWITCH_SENTENCES) == set(SWITCH_NAMES) == set(SWITCHES)
    for base in RULE_SETS.values():
        for name in SWITCHES:
            value = getattr(base, name)
            if isinstance(value, str):
                assert (name, value) in CHOICE_SENTENCES


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_wrong_value_is_told_with_the_name_of_its_switch_in_that_language(language: str) -> None:
    words = Words(language)
    for switch in SWITCHES:
        with pytest.raises(RulesError) as refused:
            rules_from(**{switch: None})
        told = words.error(refused.value)
        assert f"{words.say(SWITCH_NAMES[switch])} ({switch})" in told
    with pytest.raises(RulesError) as refused:
        rules_from(partners_show_card=True)
    assert "partners_show_card" not in words.error(refused.value)


@pytest.mark.parametrize(
    ("wanted", "environment", "language"),
    [
        ("el", {"LANG": "ru_RU.UTF-8"}, "el"),
        (None, {"LANG": "pt_PT.UTF-8"}, "pt"),
        (None, {"LANG": "pt_BR.UTF-8"}, "pt"),
        (None, {"LANGUAGE": "de:el", "LANG": "en_US.UTF-8"}, "el"),
        (None, {"LC_ALL": "ru_RU.UTF-8", "LANG": "el_GR.UTF-8"}, "ru"),
        (None, {"LANG": "C"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {}, "en"),
        ("EL_gr", {}, "el"),
    ],
)
def test_the_language_is_the_wanted_one_or_that_of_the_environment(
    wanted: str | None, environment: dict[str, str], language: str
) -> None:
    assert pick_language(wanted, environment) == language


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(LanguageError):
        pick_language("tlh", {})


def test_no_sentence_for_people_is_said_from_a_variable_that_is_not_marked() -> None:
    """`say` gets a literal, a marked template, or a name that a marked table holds."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "say":
                assert not isinstance(node.args[0], ast.JoinedStr | ast.BinOp), (path, node.lineno)
