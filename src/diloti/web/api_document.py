"""The description of the HTTP interface: what may be sent, and what comes back (OpenAPI 3.1)."""

from __future__ import annotations

from typing import Any

from diloti import __version__
from diloti.bots import LEVELS
from diloti.core.rules import CHOICES, RULE_SETS, SWITCHES, Rules
from diloti.teacher.instead import MOST_INSTEAD
from diloti.web.archive import LARGEST_RECORD
from diloti.web.commands import COMMANDS
from diloti.web.phrases import PHRASES
from diloti.web.room import LONGEST_NAME

Schema = dict[str, Any]

MOST_SECONDS = 3600
LARGEST_UPLOAD = 4 * LARGEST_RECORD
"""Bytes of JSON that hold a record at most."""


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: list[str], **properties: Schema) -> Schema:
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


def _switch(name: str) -> Schema:
    default = getattr(Rules(), name)
    if name in CHOICES:
        return {"enum": list(CHOICES[name])}
    if isinstance(default, bool):
        return {"type": "boolean"}
    return {"type": "integer", "minimum": 0, "maximum": 1_000_000}


CARD: Schema = {"type": "string", "maxLength": 4, "description": "A card, as `Td`."}
CARDS: Schema = {"type": "array", "items": CARD, "maxItems": 52}
NUMBER: Schema = {
    "type": "integer",
    "minimum": 0,
    "maximum": 2**53,
    "description": "The state that this is based on.",
}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
NAME: Schema = {"type": "string", "maxLength": LONGEST_NAME}

RULES: Schema = {
    "description": "A named rule set, or one with other switches.",
    "anyOf": [
        {"enum": list(RULE_SETS)},
        _object(
            [], base={"enum": list(RULE_SETS)}, **{switch: _switch(switch) for switch in SWITCHES}
        ),
    ],
}

_OR_NULL: Schema = {"type": ["integer", "null"]}
_PAIR: Schema = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
"""A number for each side."""

SCHEMAS: dict[str, Schema] = {
    "NewTable": _object(
        ["seats"],
        rules=RULES,
        seats={
            "type": "array",
            "minItems": 2,
            "maxItems": 4,
            "items": {"enum": ["me", "free", *LEVELS]},
            "description": "Who sits where: `me` once at least, a free seat, or a bot of a level.",
        },
        name=NAME,
        clock={"type": ["integer", "null"], "minimum": 5, "maximum": MOST_SECONDS},
        listed={"type": "boolean"},
        practice={"type": "boolean"},
    ),
    "SitDown": _object(
        ["seat"], seat=SEAT, name=NAME, invitation={"type": "string", "maxLength": 64}
    ),
    "Selection": _object(
        ["number", "card"],
        number=NUMBER,
        card=CARD,
        loose=CARDS,
        piles={"type": "array", "items": {"type": "integer", "minimum": 0}, "maxItems": 30},
        seat=SEAT,
    ),
    "Command": _object(
        ["number", "command"],
        number=NUMBER,
        command={
            "enum": list(COMMANDS),
            "description": "`play` needs `play`, `show` needs `card`, `say` needs `phrase`, `bot` "
            "(for a free seat) and `standin` (for somebody who is away) need `seat`, `cut` needs "
            "`cut`. `ready` begins the next deal, also the first, once all people say it; it may "
            "bring the `cut` along.",
        },
        play={"type": "string", "maxLength": 400, "description": "The play, in notation."},
        card=CARD,
        phrase={"enum": list(PHRASES)},
        cut={
            "type": "string",
            "maxLength": 64,
            "description": "What goes into the next pack, unforeseeable: see docs/shuffle.md.",
        },
        level={"enum": list(LEVELS)},
        seat=SEAT,
        on_behalf={**SEAT, "description": "Which of several seats of one's own is meant."},
    ),
    "Frame": {
        "type": "object",
        "description": "A table as one seat may see it.",
        "required": ["table", "number", "phase", "seats", "seat", "view", "scores", "counts"],
        "additionalProperties": False,
        "properties": {
            "table": {"type": "string"},
            "number": NUMBER,
            "phase": {"enum": ["waiting", "playing", "counting", "over"]},
            "rules": {"type": "object", "description": "The switches of the rule set."},
            "seats": {
                "type": "array",
                "items": _object(
                    ["name", "bot", "free"],
                    name={"type": "string"},
                    bot={"type": ["string", "null"]},
                    free={"type": "boolean"},
                ),
            },
            "seat": {**_OR_NULL, "description": "The reader's; null for onlookers."},
            "view": {
                "type": ["object", "null"],
                "description": "What the seat sees, as in docs/notation.md; null before the deal.",
            },
            "deal": {"type": "integer", "description": "Which deal it is, from 1 on."},
            "scores": _PAIR,
            "counts": {
                "type": "array",
                "description": "The deals that are over.",
                "items": _object(
                    ["cards", "points", "scores"],
                    cards=_PAIR,
                    points={"type": "array", "items": {"type": "object"}},
                    scores=_PAIR,
                    shuffle={
                        "type": ["object", "null"],
                        "description": "The `secret` and the `cuts` that its pack came from, and "
                        "the `commitment` that was shown before: see docs/shuffle.md.",
                    },
                ),
            },
            "shuffle": _object(
                ["commitment", "cutters", "cuts"],
                commitment={
                    "type": "string",
                    "description": "What binds the secret of the pack in play, or of the next one.",
                },
                cutters={
                    "type": "array",
                    "items": SEAT,
                    "description": "The seats that are to cut now.",
                },
                cuts={"type": "object", "description": "By seat what has gone into the pack."},
            ),
            "winner": {**_OR_NULL, "description": "The side that has won."},
            "resigned": {**_OR_NULL, "description": "The seat that has given up."},
            "clock": {**_OR_NULL, "description": "Seconds for a play; then a bot makes it."},
            "seconds_left": {"type": ["number", "null"]},
            "votes": {
                "type": "array",
                "description": "The seats that want a bot to play for the one in turn.",
                "items": SEAT,
            },
            "practice": {"type": "boolean"},
            "remarks": {
                "type": "array",
                "description": "What has been said last: `at` is the number of the frame.",
                "items": _object(
                    ["seat", "phrase", "at"], seat=SEAT, phrase={"enum": list(PHRASES)}, at=NUMBER
                ),
            },
            "invitation": {"type": ["string", "null"]},
        },
    },
    "Record": _object(
        ["record"],
        record={
            "type": "string",
            "description": "The text of a record, as in docs/notation.md; at most "
            f"{LARGEST_RECORD // 1024} KiB.",
        },
    ),
    "Match": _object(
        [
            "match",
            "ended",
            "practice",
            "uploaded",
            "rules",
            "seats",
            "scores",
            "deals",
            "record",
            "review",
            "reviewing",
        ],
        match={"type": "string"},
        ended={"type": "string", "format": "date", "description": "Or when it was uploaded."},
        practice={"type": "boolean"},
        daily={"type": "string", "description": "The day whose packs were played, or empty."},
        uploaded={"type": "boolean", "description": "Whether it was played elsewhere."},
        rules={"type": "string", "description": "As in the record."},
        fingerprint={"type": "string", "description": "That of the rules."},
        players={"enum": [2, 4]},
        target={"type": "integer"},
        seats={
            "type": "array",
            "items": _object(
                ["name", "bot"], name={"type": "string"}, bot={"type": ["string", "null"]}
            ),
        },
        winner={**_OR_NULL, "description": "The side that has won."},
        resigned={**_OR_NULL, "description": "The seat that has given up."},
        scores=_PAIR,
        deals={
            "type": "array",
            "description": "The deals that have come to their end; `xeri` counts them.",
            "items": _object(
                ["cards", "points", "xeri", "scores"],
                cards=_PAIR,
                points=_PAIR,
                xeri=_PAIR,
                scores=_PAIR,
            ),
        },
        record={"type": "string", "description": "All of it, as in docs/notation.md."},
        review={
            "type": ["object", "null"],
            "description": "What each play lost, luck and skill, as in docs/review.md; null until "
            "the match has been reviewed.",
        },
        reviewing={
            "anyOf": [
                {"type": "null"},
                _object(
                    ["ahead", "done", "total", "deals"],
                    ahead={
                        "type": "integer",
                        "minimum": 0,
                        "description": "Reviews of other matches that come first.",
                    },
                    done={"type": "integer", "minimum": 0, "description": "Plays judged so far."},
                    total={"type": "integer", "minimum": 1},
                    deals={"type": "integer", "minimum": 1},
                ),
            ],
            "description": "How far the review is; null unless it is being made.",
        },
    ),
    "Hint": _object(
        ["number", "play", "motives", "by_chance", "options"],
        number=NUMBER,
        play={"type": "string", "description": "The play, in notation."},
        motives={
            "type": "array",
            "description": "Why, in sentences; none where no reason is plain to see.",
            "items": {"type": "string"},
        },
        by_chance={
            "type": "boolean",
            "description": "Whether the chance to win the match counts before the points.",
        },
        options={
            "type": "array",
            "description": "The best plays, the best first, with the lead of the own side that is "
            "expected at the end of the deal and the chance to win the match.",
            "items": _object(
                ["play", "points", "win_chance"],
                play={"type": "string"},
                points={"type": ["number", "null"]},
                win_chance={"type": ["number", "null"]},
            ),
        },
    ),
    "Trouble": {
        "type": "object",
        "required": ["error", "message"],
        "properties": {
            "error": {"type": "string"},
            "message": {"type": "string"},
            "line": {"type": "integer", "description": "Which line of a record is wrong."},
            "rule": {"type": "string", "description": "The rule that forbids a play."},
            "instead": {
                "type": "array",
                "description": "The legal plays nearest to a refused one, in notation.",
                "items": {"type": "string"},
                "maxItems": MOST_INSTEAD,
            },
        },
    },
}

_BAD = {
    status: {"description": text, "content": {"application/json": {"schema": _ref("Trouble")}}}
    for status, text in {
        "400": "Not as described here.",
        "401": "No token, or none of ours.",
        "404": "There is no such table or match.",
        "409": "The table has moved on, or the seat is taken.",
        "413": "Too large.",
        "415": "Not JSON.",
        "422": "The table or the rules do not allow it.",
        "429": "Too much at once; `retry-after` says how many seconds to wait.",
        "503": "The tables cannot be reached now, or too much is asked for.",
    }.items()
}
_TABLE: Schema = {
    "name": "table",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$"},
}

_MATCH: Schema = {**_TABLE, "name": "match"}


def _answer(schema: Schema, text: str, status: str = "200") -> Schema:
    return {
        status: {"description": text, "content": {"application/json": {"schema": schema}}},
        **_BAD,
    }


def _body(name: str) -> Schema:
    return {"required": True, "content": {"application/json": {"schema": _ref(name)}}}


_TOKEN = _object(["token"], token={"type": "string"})

DOCUMENT: Schema = {
    "openapi": "3.1.0",
    "info": {
        "title": "Diloti",
        "version": __version__,
        "description": "Tables of Diloti for programs. A program is somebody by a token, sees what "
        "its seat may see, and sends the same commands as the page.",
    },
    "servers": [{"url": "/api"}],
    "components": {
        "schemas": SCHEMAS,
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    },
    "security": [{"token": []}],
    "paths": {
        "/people": {
            "post": {
                "operationId": "become_somebody",
                "summary": "A token: who holds it holds the seats taken with it.",
                "security": [],
                "responses": _answer(_TOKEN, "The token.", "201"),
            }
        },
        "/tables": {
            "get": {
                "operationId": "list_tables",
                "summary": "The open tables.",
                "responses": _answer({"type": "array", "items": _ref("Frame")}, "The tables."),
            },
            "post": {
                "operationId": "lay_table",
                "summary": "Lay a table; where no seat is free the first deal is dealt.",
                "requestBody": _body("NewTable"),
                "responses": _answer(_ref("Frame"), "The table.", "201"),
            },
        },
        "/tables/{table}": {
            "parameters": [_TABLE],
            "get": {
                "operationId": "see_table",
                "summary": "The table as it is now.",
                "parameters": [
                    {"name": "seat", "in": "query", "required": False, "schema": SEAT},
                ],
                "responses": _answer(_ref("Frame"), "The table."),
            },
        },
        "/tables/{table}/seats": {
            "parameters": [_TABLE],
            "post": {
                "operationId": "sit_down",
                "summary": "Take a free seat, by an invitation or at a listed table.",
                "requestBody": _body("SitDown"),
                "responses": _answer(_ref("Frame"), "The table."),
            },
        },
        "/tables/{table}/fits": {
            "parameters": [_TABLE],
            "post": {
                "operationId": "find_plays",
                "summary": "The plays that fit a selection, those that use exactly it first.",
                "requestBody": _body("Selection"),
                "responses": _answer(
                    _object(
                        ["exact", "others", "complete", "refusal", "rule", "instead"],
                        exact={"type": "array", "items": {"type": "string"}},
                        others={"type": "array", "items": {"type": "string"}},
                        complete={"type": "boolean"},
                        refusal={"type": "string"},
                        rule={"type": ["string", "null"]},
                        instead={"type": "array", "items": {"type": "string"}},
                    ),
                    "The plays, in notation.",
                ),
            },
        },
        "/tables/{table}/hint": {
            "parameters": [_TABLE],
            "get": {
                "operationId": "give_hint",
                "summary": "What the strongest bot would play in this seat's turn; at tables where "
                "all others are bots.",
                "parameters": [
                    {"name": "seat", "in": "query", "required": False, "schema": SEAT},
                ],
                "responses": _answer(_ref("Hint"), "The hint."),
            },
        },
        "/tables/{table}/commands": {
            "parameters": [_TABLE],
            "post": {
                "operationId": "command",
                "summary": "Play, and whatever else a seat can ask of its table.",
                "requestBody": _body("Command"),
                "responses": _answer(_ref("Frame"), "The table afterwards."),
            },
        },
        "/tables/{table}/events": {
            "parameters": [_TABLE],
            "get": {
                "operationId": "watch_table",
                "summary": "The states of the table as they come (server-sent events, `frame`).",
                "responses": {
                    "200": {
                        "description": "A stream that does not end.",
                        "content": {"text/event-stream": {"schema": {"type": "string"}}},
                    },
                    **_BAD,
                },
            },
        },
        "/matches": {
            "post": {
                "operationId": "upload_match",
                "summary": "Upload the record of a match; every card of it is checked.",
                "requestBody": _body("Record"),
                "responses": _answer(_ref("Match"), "The match, with its name.", "201"),
            },
        },
        "/matches/{match}": {
            "parameters": [_MATCH],
            "get": {
                "operationId": "see_match",
                "summary": "A finished match with its record; nothing of it is secret any more.",
                "responses": _answer(_ref("Match"), "The match."),
            },
        },
        "/matches/{match}/review": {
            "parameters": [_MATCH],
            "post": {
                "operationId": "ask_review",
                "summary": "Have a finished match reviewed; ask for the match to see how far it "
                "is, and the review once it is made.",
                "responses": {
                    **_answer(_ref("Match"), "The match, which has been reviewed."),
                    **_answer(_ref("Match"), "The match; it is being reviewed.", "202"),
                },
            },
        },
    },
}
"""The whole description."""


def _operations() -> list[dict[str, Any]]:
    found = []
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            content = operation.get("requestBody", {}).get("content", {})
            found.append(
                {
                    "method": method.upper(),
                    "path": path,
                    "summary": operation["summary"],
                    "body": "".join(
                        one["schema"]["$ref"].split("/")[-1] for one in content.values()
                    ),
                    "answers": {
                        status: answer["description"]
                        for status, answer in operation["responses"].items()
                    },
                }
            )
    return found


OPERATIONS = _operations()
"""What can be asked, one after the other, for whoever reads it."""
