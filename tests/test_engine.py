"""The line protocol: every operation, every error, and no line that stops it."""

from __future__ import annotations

import copy
import io
import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diloti import engine
from diloti.bots import BOTS
from diloti.core.rules import SWITCHES
from diloti.engine import LONGEST_LINE, MOST_LISTED, OPERATIONS, answer, run
from diloti.words import LANGUAGES
from tests import reference
from tests.hidden import rehidden
from tests.reference import normal
from tests.strategies import positions, random_position, random_wish, seeds
from tests.test_wire import (
    CLASSIC_POSITION,
    FOUR_POSITION,
    OVER_POSITION,
    REFUSED,
    REFUSED_VIEWS,
    changed,
    setting,
)
from tests.thinking import FEW, INTERPRETED, SEARCHING

Json = Any
VECTORS = Path(__file__).parent / "data" / "vectors"
CODES = {"bad_json", "too_many", "bad_request", "bad_position", "illegal_play", "unknown_bot"}
PACK = list(reference.PACK)


def ask(op: str, **fields: Json) -> Json:
    """The answer to a request, with its `id` taken away and its JSON read back."""
    got = json.loads(json.dumps(answer(json.dumps({"id": 5, "op": op, **fields})), allow_nan=False))
    assert got.pop("id") == 5
    return got


def error_of(op: str, **fields: Json) -> Json:
    got = ask(op, **fields)
    assert set(got) == {"error"}, got
    error = got["error"]
    assert error["code"] in CODES
    assert isinstance(error["message"], str)
    assert error["message"]
    assert ("rule" in error) == (error["code"] == "illegal_play")
    assert ("count" in error) == (error["code"] == "too_many")
    return error


def same(written: Json) -> Json:
    """A position without the freedoms of writing it."""
    plain = normal(written)
    plain.pop("format", None)
    if plain.get("history"):
        plain["history"]["table"] = sorted(plain["history"]["table"])
    return plain


def sorted_events(events: Json) -> Json:
    return [
        {key: sorted(value) if key == "cards" else value for key, value in event.items()}
        for event in events
    ]


@cache
def lines(name: str) -> list[Json]:
    text = (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


# ------------------------------------------------------------------ test data


def test_legal_plays_of_the_test_data() -> None:
    for line in lines("legal"):
        assert ask("legal", position=line["position"]) == {"plays": line["plays"]}


def test_applied_plays_of_the_test_data() -> None:
    for line in lines("apply"):
        got = ask("apply", position=line["position"], play=line["play"])
        assert set(got) == {"position", "events"}
        assert same(got["position"]) == same(line["after"])
        assert sorted_events(got["events"]) == sorted_events(line["events"])
        explained = ask("explain", position=line["position"], play=line["play"])
        assert explained == {"legal": True}


def test_forbidden_plays_of_the_test_data() -> None:
    for line in lines("illegal"):
        got = ask("explain", position=line["position"], play=line["play"])
        assert set(got) == {"legal", "rule", "message"}
        assert got["legal"] is False
        assert got["rule"] in (line["rules"] or ["R3.1"])
        error = error_of("apply", position=line["position"], play=line["play"])
        assert error["code"] == "illegal_play"
        assert (error["rule"], error["message"]) == (got["rule"], got["message"])


def test_deals_of_the_test_data() -> None:
    for line in lines("deals"):
        fields = {key: line[key] for key in ("rules", "dealer", "pack")}
        position = ask("deal", **fields)["position"]
        for play in line["plays"]:
            position = ask("apply", position=position, play=play)["position"]
        history = position.pop("history")
        assert [play for _seat, play in history["plays"]] == line["plays"]
        assert same(position) == same(line["after"])
        score = ask("score", position=position)
        assert score == {key: line[key] for key in ("deal", "scores", "winner")}
        assert ask("legal", position=position) == {"plays": []}


def test_redeals_of_the_test_data() -> None:
    for line in lines("redeals"):
        fields = {key: line[key] for key in ("rules", "dealer", "pack")}
        position = ask("deal", **fields)["position"]
        assert position == ask("deal", **fields, seed=0)["position"]
        assert same(position) == same(
            reference.deal(line["rules"], line["dealer"], pack=line["pack"])
        )
        other = ask("deal", **fields, seed=9)["position"]
        assert other["hands"] == position["hands"]
        assert sorted(other["loose"] + other["stock"]) == sorted(
            position["loose"] + position["stock"]
        )


# ------------------------------------------------------------------ the operations


def test_legal() -> None:
    assert ask("legal", position=CLASSIC_POSITION) == {
        "plays": ["3c", "3c+6s9s=9", "3c+6s=9", "9d", "9dx9s", "Ah", "Ah^[3d5s]=9"]
    }
    assert ask("legal", position=OVER_POSITION) == {"plays": []}


def wide_position() -> Json:
    """Two players have trailed and done nothing else; one of them holds a ten."""
    hands = [["Td", "Jh", "Jd"], ["Qh", "Qd", "Kd"]]
    held = {card for hand in hands for card in hand}
    return {
        "rules": {"court_must_capture": False},
        "dealer": 1,
        "turn": 0,
        "hands": hands,
        "loose": [card for card in PACK if card not in held],
        "piles": [],
        "stock": [],
        "captured": [[], []],
        "xeri": [0, 0],
        "xeristaki": [0, 0],
        "last_capture": None,
        "plays": 42,
        "scores": [0, 0],
    }


def test_too_many_plays_are_counted_and_not_listed() -> None:
    position = wide_position()
    error = error_of("legal", position=position)
    assert error["code"] == "too_many"
    assert error["count"] > MOST_LISTED
    assert str(error["count"]) in error["message"]
    # nothing else minds
    assert ask("explain", position=position, play="TdxTc")["legal"]
    assert ask("apply", position=position, play="TdxTc9cAc")["position"]["plays"] == 43
    play = ask("choose", position=position, bot="random", seed=1)["play"]
    assert ask("explain", position=position, play=play) == {"legal": True}


@pytest.mark.proof  # long only where it is interpreted
@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_copes_with_too_many_plays(bot: str) -> None:
    if INTERPRETED and bot in SEARCHING:
        pytest.skip("takes minutes interpreted")
    play = ask("choose", position=wide_position(), bot=bot, seed=1, simulations=1)["play"]
    assert ask("explain", position=wide_position(), play=play) == {"legal": True}


@pytest.mark.parametrize("limit", [7, 6])
def test_as_many_as_are_listed(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(engine, "MOST_LISTED", limit)
    got = ask("legal", position=CLASSIC_POSITION)
    assert ("plays" in got) == (limit == 7)
    if limit == 6:
        assert got["error"]["count"] == 7


def test_explain_speaks_the_language_it_is_asked_for() -> None:
    messages = set()
    for language in [None, *LANGUAGES]:
        lang = {} if language is None else {"lang": language}
        got = ask("explain", position=CLASSIC_POSITION, play="Ah+6s=7", **lang)
        assert (got["legal"], got["rule"]) == (False, "R6.2")
        messages.add(got["message"])
        error = error_of("apply", position=CLASSIC_POSITION, play="Ah+6s=7", **lang)
        assert (error["rule"], error["message"]) == ("R6.2", got["message"])
    assert ask("explain", position=CLASSIC_POSITION, play="Ah+6s=7", lang="en") == ask(
        "explain", position=CLASSIC_POSITION, play="Ah+6s=7"
    )


def test_marks_are_checked() -> None:
    position = changed(CLASSIC_POSITION, setting("rules.xeristaki_points", 5))
    for card in ("6s", "9s"):
        position["loose"].remove(card)
        position["captured"][0].append(card)
    # on the table: the pile only
    after = ask("apply", position=position, play="Ah^[3d5s]=9")["position"]
    for op in ("apply", "explain"):
        assert "error" not in ask(op, position=after, play="9hx[Ah3d5s]*")
        assert "error" not in ask(op, position=after, play="9hx[Ah3d5s]")
        assert error_of(op, position=after, play="9hx[Ah3d5s]~")["code"] == "bad_request"
        for mark in "*~":
            play = f"Ah^[3d5s]=9{mark}"
            assert error_of(op, position=position, play=play)["code"] == "bad_request"
    position["loose"].append("9s")
    position["captured"][0].remove("9s")
    for op in ("apply", "explain"):
        assert "error" not in ask(op, position=position, play="9dx9s~")
        assert error_of(op, position=position, play="9dx9s*")["code"] == "bad_request"
    # an illegal play is illegal whatever its mark
    assert ask("explain", position=position, play="Ah+9s=10*")["legal"] is False


def test_apply_tells_what_happens_in_order() -> None:
    raised = ask("apply", position=CLASSIC_POSITION, play="Ah ^ [5s 3d] = 9")
    assert raised["events"] == [{"event": "raise"}, {"event": "released", "owner": 1}]
    assert "history" not in raised["position"]
    position = changed(CLASSIC_POSITION, setting("history", None))
    assert "history" not in ask("apply", position=position, play="Ah^[3d5s]=9")["position"]
    position = raised["position"]
    events = []
    while position["turn"] is not None:
        play = ask("legal", position=position)["plays"][0]
        got = ask("apply", position=position, play=play)
        position, events = got["position"], got["events"]
    assert events[-1] == {"event": "deal_over"}
    assert (position["turn"], position["hands"]) == (None, [[], []])


def test_view() -> None:
    view = ask("view", position=CLASSIC_POSITION, seat=1)["view"]
    assert view["hands"] == [3, ["8c", "9h", "Kd"]]
    assert view["captured"] is None
    over = ask("view", position=OVER_POSITION, seat=0)["view"]
    assert over["captured"] is not None
    for seat in (2, -1, None, True, "0", 0.0):
        assert error_of("view", position=CLASSIC_POSITION, seat=seat)["code"] == "bad_request"


def test_score() -> None:
    got = ask("score", position=OVER_POSITION)
    assert got == reference.score(OVER_POSITION)
    assert error_of("score", position=CLASSIC_POSITION)["code"] == "bad_position"


def test_deal() -> None:
    by_number = ask("deal", rules="classic", dealer=0, seed=27)
    assert by_number["position"]["loose"] == ["3c", "3d", "5h", "8h"]
    assert by_number == ask("deal", rules={}, dealer=0, seed=f"{27:064x}")
    assert by_number["position"]["scores"] == [0, 0]
    assert by_number["position"]["history"]["plays"] == []
    scored = ask("deal", rules="classic", dealer=0, seed=27, scores=[60, 59])
    assert scored["position"] == by_number["position"] | {"scores": [60, 59]}
    from_pack = ask("deal", rules="taverna", dealer=2, pack=PACK)["position"]
    assert same(from_pack) == same(reference.deal("taverna", 2, pack=PACK))
    spelt = [card.replace("T", "10").replace("d", "♦") for card in PACK]
    assert ask("deal", rules="taverna", dealer=2, pack=spelt)["position"] == from_pack


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"dealer": 0, "seed": 1},
        {"rules": "classic", "seed": 1},
        {"rules": "classic", "dealer": 0},
        {"rules": "whist", "dealer": 0, "seed": 1},
        {"rules": {"players": 3}, "dealer": 0, "seed": 1},
        {"rules": "classic", "dealer": 2, "seed": 1},
        {"rules": "classic", "dealer": None, "seed": 1},
        {"rules": "classic", "dealer": 0, "seed": None},
        {"rules": "classic", "dealer": 0, "seed": -1},
        {"rules": "classic", "dealer": 0, "seed": "1"},
        {"rules": "classic", "dealer": 0, "seed": "00" * 31 + "  "},
        {"rules": "classic", "dealer": 0, "pack": None},
        {"rules": "classic", "dealer": 0, "pack": PACK[1:]},
        {"rules": "classic", "dealer": 0, "pack": [*PACK[1:], "Ad"]},
        {"rules": "classic", "dealer": 0, "pack": [*PACK[1:], "1d"]},
        {"rules": "classic", "dealer": 0, "pack": [*PACK[1:], 7]},
        {"rules": "classic", "dealer": 0, "pack": " ".join(PACK)},
        {"rules": "classic", "dealer": 0, "pack": PACK, "seed": "x"},
        {"rules": "classic", "dealer": 0, "seed": 1, "scores": [1]},
        {"rules": "classic", "dealer": 0, "seed": 1, "scores": [1, -1]},
        {"rules": "classic", "dealer": 0, "seed": 1, "scores": [1, True]},
        {"rules": "classic", "dealer": 0, "seed": 1, "scores": None},
        {"rules": "classic", "dealer": 0, "seed": 1, "scores": [0, 10**12]},
    ],
)
def test_deals_that_cannot_be(fields: Json) -> None:
    assert error_of("deal", **fields)["code"] == "bad_request"


def test_show() -> None:
    position = changed(FOUR_POSITION, setting("shown", None))
    shown = ask("show", position=position, seat=0, card="7♥")["position"]
    assert shown["shown"] == ["7h", None, None, None]
    both = ask("show", position=shown, seat=2, card="Kh")["position"]
    assert both["shown"] == ["7h", None, "Kh", None]
    for seat, card in ((0, "2c"), (1, "7h"), (1, "3h")):
        error = error_of("show", position=both, seat=seat, card=card)
        assert (error["code"], error["rule"]) == ("illegal_play", "R2.7")
    played = ask("apply", position=both, play="9c")["position"]
    assert played["shown"] == ["7h", None, "Kh", None]
    assert error_of("show", position=played, seat=1, card="Kd")["rule"] == "R2.7"
    hidden = ask("view", position=both, seat=1)["view"]
    assert hidden["shown"] == [None] * 4
    assert error_of("show", position=CLASSIC_POSITION, seat=0, card="Ah")["rule"] == "R2.7"
    assert error_of("show", position=position, seat=4, card="Ah")["code"] == "bad_request"
    no_cards: list[Json] = ["", "7", 7, None]
    for no_card in no_cards:
        assert error_of("show", position=position, seat=0, card=no_card)["code"] == "bad_request"


# ------------------------------------------------------------------ choose


@pytest.mark.parametrize("bot", BOTS)
def test_choose_from_a_position_or_its_view(bot: str) -> None:
    rng = random.Random(2)
    searches = bot in SEARCHING
    for _ in range(12):
        position = random_position(rng, way="constructed")
        if len(position["loose"]) > (8 if INTERPRETED else 16):
            continue
        got = ask("choose", position=position, bot=bot, seed=3, simulations=FEW)
        assert set(got) == {"play", "analysis"}
        plays = [candidate["play"] for candidate in got["analysis"]]
        assert plays[0] == got["play"]
        legal = ask("legal", position=position)["plays"]
        assert set(plays) <= set(legal)
        points = [candidate["points"] for candidate in got["analysis"]]
        if bot == "random":
            assert points == [None]
        elif not searches:
            assert points == sorted(points, reverse=True)
        view = ask("view", position=position, seat=position["turn"])["view"]
        for fields in ({"position": view}, {"view": view}, {"position": position, "seconds": 0.1}):
            assert ask("choose", **fields, bot=bot, seed=3, simulations=FEW) == got
        seed = f"{3:064x}"
        assert ask("choose", position=position, bot=bot, seed=seed, simulations=FEW) == got
        if not searches:
            assert ask("choose", position=position, bot=bot, seed=3, seconds=0.1) == got
            assert ask("choose", position=view, bot=bot) == ask(
                "choose", position=view, bot=bot, seed=0
            )


@given(positions(way="constructed"), seeds())
def test_choose_does_not_depend_on_what_is_hidden(written: Json, seed: int) -> None:
    other = rehidden(random.Random(seed), written, written["turn"])
    for bot in sorted(set(BOTS) - set(SEARCHING)):  # those that search: tests/test_levels.py
        assert ask("choose", position=written, bot=bot, seed=seed) == ask(
            "choose", position=other, bot=bot, seed=seed
        )


def test_choose_refuses() -> None:
    view = ask("view", position=CLASSIC_POSITION, seat=1)["view"]
    assert error_of("choose", position=CLASSIC_POSITION, bot="zeus")["code"] == "unknown_bot"
    for fields in (
        {"bot": "random"},
        {"position": CLASSIC_POSITION},
        {"position": CLASSIC_POSITION, "bot": None},
        {"position": CLASSIC_POSITION, "bot": ["random"]},
        {"position": view, "bot": "random"},  # not its turn
        {"position": OVER_POSITION, "bot": "random"},
        {"position": CLASSIC_POSITION, "bot": "random", "seed": "x"},
        {"position": CLASSIC_POSITION, "bot": "random", "seed": 1.5},
        {"position": CLASSIC_POSITION, "bot": "random", "seconds": 0},
        {"position": CLASSIC_POSITION, "bot": "random", "seconds": "1"},
        {"position": CLASSIC_POSITION, "bot": "random", "seconds": None},
        {"position": CLASSIC_POSITION, "bot": "random", "simulations": -1},
        {"position": CLASSIC_POSITION, "bot": "random", "simulations": True},
    ):
        assert error_of("choose", **fields)["code"] == "bad_request"
    others: list[Json] = [[], None, 7, "classic"]
    for position in others:
        assert error_of("choose", position=position, bot="random")["code"] == "bad_position"


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize("name", REFUSED)
def test_positions_that_cannot_be(name: str) -> None:
    written, change, message = REFUSED[name]
    position = changed(written, change)
    for op, fields in (
        ("legal", {}),
        ("apply", {"play": "9d"}),
        ("explain", {"play": "9d"}),
        ("view", {"seat": 0}),
        ("score", {}),
        ("show", {"seat": 0, "card": "9d"}),
    ):
        error = error_of(op, position=position, **fields)
        assert error["code"] == "bad_position"
        assert message in error["message"]
    assert error_of("choose", position=position, bot="random")["code"] == "bad_position"


@pytest.mark.parametrize("name", REFUSED_VIEWS)
def test_views_that_cannot_be(name: str) -> None:
    written, change, _message = REFUSED_VIEWS[name]
    error = error_of("choose", position=changed(written, change), bot="random")
    assert error["code"] == "bad_position"


@pytest.mark.parametrize("switch", SWITCHES)
def test_impossible_rules_name_the_switch(switch: str) -> None:
    values: list[Json] = [None, "?", -1, [], {}, 2.5]
    for value in values:
        position = changed(CLASSIC_POSITION, setting("rules", {switch: value}))
        error = error_of("legal", position=position)
        assert error["code"] == "bad_request"
        assert switch in error["message"]


@pytest.mark.parametrize("op", ["apply", "explain"])
@pytest.mark.parametrize("play", ["", "6", "6hx", "6hx ", "3c+6s", None, 5, [], "3c**", "x" * 5000])
def test_plays_that_cannot_be_read(op: str, play: Json) -> None:
    assert error_of(op, position=CLASSIC_POSITION, play=play)["code"] == "bad_request"


def test_missing_fields() -> None:
    full: dict[str, dict[str, Json]] = {
        "legal": {"position": CLASSIC_POSITION},
        "view": {"position": CLASSIC_POSITION, "seat": 0},
        "apply": {"position": CLASSIC_POSITION, "play": "9d"},
        "explain": {"position": CLASSIC_POSITION, "play": "9d"},
        "score": {"position": OVER_POSITION},
        "deal": {"rules": "classic", "dealer": 0, "seed": 0},
        "show": {
            "position": changed(FOUR_POSITION, setting("shown", None)),
            "seat": 0,
            "card": "7h",
        },
        "choose": {"position": CLASSIC_POSITION, "bot": "random"},
    }
    assert set(full) == set(OPERATIONS)
    for op, fields in full.items():
        assert "error" not in ask(op, **fields, remark="other fields do not matter")
        for name in fields:
            rest = {key: value for key, value in fields.items() if key != name}
            error = error_of(op, **rest)
            assert error["code"] == "bad_request"
            missing = {"position": "position|view", "seed": "seed"}.get(name, name).split("|")
            assert any(one in error["message"] for one in missing)


def test_unknown_operations_and_languages() -> None:
    unknown: list[Json] = ["fly", "", "__class__", "Legal", None, 5, ["legal"], {}]
    for op in unknown:
        got = answer(json.dumps({"id": 1, "op": op}))
        assert (got["id"], got["error"]["code"]) == (1, "bad_request")
    assert answer('{"id": 2}')["error"]["code"] == "bad_request"
    for lang in ("xx", "", None, 5, ["en"], {"en": 1}, "../en"):
        got = answer(json.dumps({"id": 3, "op": "legal", "lang": lang}))
        assert (got["id"], got["error"]["code"]) == (3, "bad_request")


@pytest.mark.parametrize(
    "line",
    [
        *("{", "}", '{"id": 12, "op": "legal"', "legal", "'", '{"id": 1,}', "{'id': 1}", "\0"),
        *('{"id": NaN}', '{"id": Infinity}', '{"id": -Infinity}', '{"id": 1e999}', '{"id": 1} {}'),
        *('{"id": ' + "9" * 5000 + "}", "[" * 100_000, '{"a":' * 100_000, "\ufeff\ufeff{}", "nul"),
        *('"\n"', '{"id": 01}', '{"id": .5}', '{"id": "\\u12"}', "// no", "\ud800"),
    ],
)
def test_lines_that_are_not_json(line: str) -> None:
    got = answer(line)
    assert got["id"] is None
    assert got["error"]["code"] == "bad_json"


@pytest.mark.parametrize("line", ["[]", "1", '"legal"', "null", "true", '[{"id": 1}]', " 3 "])
def test_lines_that_are_no_object(line: str) -> None:
    got = answer(line)
    assert got["id"] is None
    assert got["error"]["code"] == "bad_request"


def test_lines_that_are_too_long() -> None:
    line = json.dumps({"id": 1, "op": "legal", "position": CLASSIC_POSITION})
    assert "plays" in answer(line + " " * (LONGEST_LINE - len(line)))
    got = answer(line + " " * (LONGEST_LINE - len(line) + 1))
    assert (got["id"], got["error"]["code"]) == (None, "bad_request")


@pytest.mark.parametrize(
    "identity",
    [0, -1, 1.5, 10**300, "", "a", "é♥\n", "\ud800", True, None, [1, {"a": []}], {"id": 1}],
)
def test_every_id_comes_back(identity: Json) -> None:
    for request in ({"op": "legal", "position": OVER_POSITION}, {"op": "?"}, {}):
        got = answer(json.dumps({"id": identity, **request}))
        assert json.loads(json.dumps(got))["id"] == identity


# ------------------------------------------------------------------ broken lines


@cache
def good_lines() -> list[str]:
    """A request of each kind, on small positions."""
    rng = random.Random(11)
    requests: list[dict[str, Json]] = []
    for position in (CLASSIC_POSITION, FOUR_POSITION, OVER_POSITION, lines("legal")[3]["position"]):
        play = "Ah" if position["turn"] is None else random_wish(rng, position)
        requests += [
            {"op": "legal", "position": position},
            {"op": "apply", "position": position, "play": play},
            {"op": "explain", "position": position, "play": play, "lang": "el"},
            {"op": "view", "position": position, "seat": 1},
            {"op": "score", "position": position},
            {"op": "show", "position": position, "seat": 0, "card": "7h"},
            {"op": "choose", "position": position, "bot": "greedy", "seconds": 1, "seed": 3},
            {"op": "deal", "rules": position["rules"], "dealer": 0, "pack": PACK, "seed": 3},
        ]
    view = ask("view", position=CLASSIC_POSITION, seat=0)["view"]
    requests.append({"op": "choose", "position": view, "bot": "random", "seed": "0" * 64})
    return [json.dumps({"id": number, **request}) for number, request in enumerate(requests)]


STRANGE: tuple[Json, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 52, 2**31, 2**63, 10**30, 0.5, -0.0, 1e300, "", "Ah", "🂡"),
    *("classic", "ah", "10♥", "\ud800", "x" * 2000, [], {}, [[]], [None], ["Ah"], ["Ah", "Ah"]),
    *([[0, "Ah"]], {"base": []}, {"": 0}, {"value": 3, "owner": 0, "components": [["Ac", "2c"]]}),
)


def spoilt(rng: random.Random, line: str) -> str:
    """A request in which a value somewhere is another, missing, doubled or moved."""
    request = json.loads(line)
    for _ in range(rng.choice((1, 1, 2, 4))):
        places: list[tuple[Json, Json]] = []
        todo: list[Json] = [request]
        while todo:
            value = todo.pop()
            keys = list(value) if isinstance(value, dict) else range(len(value))
            places += [(value, key) for key in keys if key != "id"]
            todo += [value[key] for key in keys if isinstance(value[key], list | dict)]
        if not places:
            break
        place, key = rng.choice(places)
        change = rng.randrange(4)
        if change == 0:
            del place[key]
        elif change == 1 and isinstance(place, list):
            place.insert(rng.randrange(len(place) + 1), place[key])
        elif change == 2:
            other, other_key = rng.choice(places)
            if not isinstance(other[other_key], list | dict):
                place[key] = other[other_key]
        else:
            place[key] = copy.deepcopy(rng.choice(STRANGE))
    return json.dumps(request)


def torn(rng: random.Random, line: str) -> str:
    """A request with characters changed, lost or added."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(line))
        cut = rng.choice((0, 1, 1, 3, 40))
        put = rng.choice(("", "", "0", '"', "[", "}", ",", "\\", "9c", "é"))
        line = line[:at] + put + line[at + cut :]
    return line[: rng.choice((len(line), len(line), rng.randrange(len(line) + 1)))]


def check_broken(seed: int) -> None:
    rng = random.Random(seed)
    number = rng.randrange(len(good_lines()))
    line = good_lines()[number]
    for broken, identity in ((spoilt(rng, line), number), (torn(rng, line), None)):
        got = json.loads(json.dumps(answer(broken), allow_nan=False))
        if identity is not None:
            assert got["id"] == identity
        if "error" in got:
            assert set(got) == {"id", "error"}
            assert got["error"]["code"] in CODES
            assert got["error"]["message"]
        if "position" in got:
            # what comes out goes in again
            assert "error" not in ask("view", position=got["position"], seat=0)


@pytest.mark.parametrize("part", range(4))
def test_broken_lines_get_an_error(part: int) -> None:
    for seed in range(part * 150, part * 150 + 150):
        check_broken(seed)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(40))
def test_broken_lines_get_an_error_often(part: int) -> None:
    for seed in range(10_000 + part * 1000, 11_000 + part * 1000):
        check_broken(seed)


@given(st.text(max_size=60))
def test_any_text_gets_an_answer(text: str) -> None:
    assert answer(text)["error"]["code"] in ("bad_json", "bad_request")


# ------------------------------------------------------------------ the process


def test_run_answers_line_by_line() -> None:
    source = io.StringIO('{"id": 1}\n\n   \nnonsense\n{"id": "3", "op": "deal"}')
    target = io.StringIO()
    run(source, target)
    answers = [json.loads(line) for line in target.getvalue().splitlines()]
    assert [one["id"] for one in answers] == [1, None, "3"]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1253"])
def test_a_process_answers_whatever_comes(encoding: str) -> None:
    deal = b'{"id": 3, "op": "deal", "rules": "classic", "dealer": 0, "seed": 27}'
    explain = json.dumps(
        {"id": 4, "op": "explain", "position": CLASSIC_POSITION, "play": "A♥x6♠", "lang": "el"},
        ensure_ascii=False,
    ).encode()
    sent = [
        b'\xef\xbb\xbf{"id": 1, "op": "?"}',
        b"\xff\xfe\x00 rubbish \x80",
        deal,
        explain,
        b'{"id": "\xe2\x99\xa5\\ud800", "op": "\\ud800"}',
        b'{"id": 6, "op": "choose", "bot": "\\ud800\xff", "position": {}}\r',
        b'{"id": 7, "op": "legal"',
    ]
    done = subprocess.run(
        [sys.executable, "-m", "diloti", "engine"],
        input=b"\n".join(sent),
        capture_output=True,
        env={"PATH": "", "PYTHONIOENCODING": encoding, "NUMBA_DISABLE_JIT": "1"},
        check=True,
        timeout=120,
    )
    assert done.stderr == b""
    answers = [json.loads(line) for line in done.stdout.decode().split("\n")[:-1]]
    assert [one["id"] for one in answers] == [1, None, 3, 4, "♥\ud800", 6, None]
    codes = [one.get("error", {}).get("code") for one in answers]
    assert codes == [
        "bad_request",
        "bad_json",
        None,
        None,
        "bad_request",
        "bad_position",
        "bad_json",
    ]
    assert answers[2]["position"]["loose"] == ["3c", "3d", "5h", "8h"]
    assert "6♠" in answers[3]["message"]
    assert "6♠".encode() in done.stdout


def test_a_process_answers_each_line_at_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "diloti", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PATH": "", "NUMBA_DISABLE_JIT": "1"},
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        position = ask("deal", rules="classic", dealer=1, seed=5)["position"]
        for number in range(3):
            request = {"id": number, "op": "choose", "position": position, "bot": "random"}
            print(json.dumps(request), file=process.stdin, flush=True)
            got = json.loads(process.stdout.readline())
            assert got["id"] == number
            position = ask("apply", position=position, play=got["play"])["position"]
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.returncode == 0
