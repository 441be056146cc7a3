"""The rules for people: a page for every rule set, and one that says how the named ones differ."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diloti.core.errors import DilotiError
from diloti.core.record_reader import parse_switch
from diloti.core.rules import RULE_SETS, SWITCHES, Rules, rules_from
from diloti.web.drawing import draw_table
from diloti.web.render import words_for
from diloti.web.requests import Visit
from diloti.words import Words
from diloti.words.advice import advice_for
from diloti.words.examples import (
    MARKS,
    YOU,
    Example,
    allowed,
    counted,
    examples_for,
    names_in,
    position_of,
    refused,
    won,
)
from diloti.words.glossary import glossary_for
from diloti.words.minute import in_a_minute
from diloti.words.questions import questions_for
from diloti.words.rules import rule_chapters, score_rows
from diloti.words.switches import RULE_OF_SWITCH, choice_of, switch_sentence
from diloti.words.telling import rule_set_name

_LESSON = re.compile(r"/learn/[a-z]+/[0-9]+(\?[\w.=&%+-]*)?", re.ASCII)
"""The address of a step of the lessons, with what was played or chosen there."""
_KEPT = 64
"""Rule sets and languages whose pages are kept ready."""


async def rule_sets(request: Request) -> Response:
    """Which rule sets there are, and what differs between them."""
    visit = Visit(request)
    return visit.show("rule_sets.html", differences=_differences(visit.page.words))


async def rules_page(request: Request) -> Response:
    """The rules of a named rule set, with the switches that the query sets otherwise.

    `lesson` in the query is where somebody came from and goes back to.
    """
    visit = Visit(request)
    base = request.path_params["base"]
    if base not in RULE_SETS:
        raise HTTPException(404, "rules")
    asked = dict(request.query_params)
    lesson = asked.pop("lesson", "")
    switches = {name: parse_switch(text) for name, text in asked.items() if text}
    try:
        rules = rules_from(base, **switches)
    except DilotiError as trouble:
        return visit.show(
            "trouble.html",
            title=visit.page.words.say("There are no such rules"),
            text=visit.page.told(trouble),
            back="/rules",
            status=400,
        )
    query = request.url.query
    back = request.url.path + (f"?{query}" if query else "")
    lesson = lesson if _LESSON.fullmatch(lesson) else ""
    return show_rules(visit, rules, back=back, lesson=lesson)


def rules_for_lesson(address: str) -> str:
    """The rules that are taught, with the way back to a step of the lessons."""
    return f"/rules/classic?{urlencode({'lesson': address})}"


def show_rules(
    visit: Visit, rules: Rules, *, back: str, table: str = "", lesson: str = ""
) -> Response:
    """The page of a rule set.

    `table` is the address of the table whose rules these are, `lesson` that of the step of the
    lessons to go back to.
    """
    contents = _contents(visit.language, rules)
    return visit.show("rules.html", **contents, back=back, table=table, lesson=lesson)


def address_of(rules: Rules) -> str:
    """The page of a rule set: the named one that is nearest, with what it changes there."""
    changes = {
        switch: str(value).lower() if isinstance(value, bool) else value
        for switch, value in rules.changes(rules.base).items()
    }
    return f"/rules/{rules.base}" + (f"?{urlencode(changes)}" if changes else "")


def _for_others(rules: Rules) -> Rules:
    """The same rules for as many players as it is not for."""
    if rules.players == 2:
        return replace(rules, players=4)
    return replace(rules, players=2, partners_show_card=False)


@lru_cache(_KEPT)
def _contents(language: str, rules: Rules) -> dict[str, Any]:
    """What the page of a rule set shows."""
    words = words_for(language)
    base = rules.base
    return {
        "rules_name": rule_set_name(words, rules),
        "players": rules.players,
        "for_others": address_of(_for_others(rules)),
        "changes": [
            _switch_row(words, switch, rules)
            for switch in rules.changes(base)
            if switch != "players"
        ],
        "minute": in_a_minute(words, rules),
        "chapters": rule_chapters(words, rules),
        "examples": _drawn_examples(words, rules),
        "counted": counted(words, rules),
        "won": won(words, rules),
        "score_rows": score_rows(words, rules),
        "questions": questions_for(words, rules),
        "glossary": glossary_for(words, rules),
        "advice": advice_for(words, rules),
    }


def _drawn_examples(words: Words, rules: Rules) -> dict[str, list[dict[str, Any]]]:
    """The examples by chapter, with their pictures."""
    drawn: dict[str, list[dict[str, Any]]] = {}
    for example in examples_for(rules):
        drawn.setdefault(example.chapter, []).append(_drawn(words, rules, example))
    return drawn


def _drawn(words: Words, rules: Rules, example: Example) -> dict[str, Any]:
    here = position_of(example, rules)
    names = names_in(words, rules)
    return {
        "number": example.number,
        "title": words.say(example.title),
        "drawing": draw_table(
            words, here.loose, here.piles, here.hands[YOU], names=names, seat=YOU
        ),
        "allowed": [
            {"text": judged.text, "mark": MARKS[judged.makes] and words.say(MARKS[judged.makes])}
            for judged in allowed(words, example, rules)
        ],
        "refused": refused(words, example, rules),
    }


def _switch_row(words: Words, switch: str, *rule_sets: Rules) -> dict[str, Any]:
    """A switch in words, its rule, and its values in some rule sets."""
    return {
        "sentence": switch_sentence(words, switch),
        "rule": RULE_OF_SWITCH[switch],
        "choices": [choice_of(words, switch, rules) for rules in rule_sets],
    }


def _differences(words: Words) -> list[dict[str, Any]]:
    """The switches that the named rule sets do not agree on."""
    named = list(RULE_SETS.values())
    return [
        _switch_row(words, switch, *named)
        for switch in SWITCHES
        if len({getattr(rules, switch) for rules in named}) > 1
    ]
