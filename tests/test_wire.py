"""Positions, views, rule sets and seeds as JSON: both ways, and everything wrong is named."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given

from diloti.core.errors import NotationError, PositionError, RulesError
from diloti.core.rules import CLASSIC, RULE_SETS, SWITCHES, TAVERNA
from diloti.core.view import view_of
from diloti.core.wire import (
    FORMAT,
    is_view,
    read_position,
    read_rules,
    read_seed,
    read_view,
    write_position,
    write_rules,
    write_view,
)
from tests.hidden import rehidden
from tests.reference import Position, apply, legal, normal, switches
from tests.strategies import positions, rule_sets, seeds

Json = Any


def cards(text: str) -> list[str]:
    return text.split()


CLASSIC_POSITION: Json = {
    "rules": {"base": "classic"},
    "dealer": 1,
    "turn": 0,
    "hands": [cards("Ah 3c 9d"), cards("8c 9h Kd")],
    "loose": ["6s", "9s"],
    "piles": [{"value": 8, "owner": 1, "components": [["3d", "5s"]]}],
    "stock": [],
    "captured": [
        cards("Ad As 2c 2h 4c 4d 4h 6d 6h 7d 7h 8d 8s Tc Jh Js Qh Qs Kc Kh"),
        cards("Ac 2d 2s 3h 3s 4s 5c 5d 5h 6c 7c 7s 8h 9c Td Th Ts Jc Jd Qc Qd Ks"),
    ],
    "xeri": [0, 1],
    "xeristaki": [0, 0],
    "last_capture": 1,
    "plays": 42,
    "scores": [31, 44],
}
FOUR_POSITION: Json = {
    "rules": {"base": "taverna", "partners_show_card": True},
    "dealer": 3,
    "turn": 0,
    "hands": [
        cards("2c 6c 7h 9c Js Qd"),
        cards("2d 6h Td Th Jh Kd"),
        cards("2h 3d 4c 4s 9h Kh"),
        cards("3s 4h 5d 5s Qc Qs"),
    ],
    "loose": cards("2s 5h 6d Jc"),
    "piles": [],
    "stock": cards("3h 3c 7d Ts 9s 6s 8s As 8c 7c 9d Ks Kc 4d 8d 5c Jd Tc 8h Ad Ac Ah Qh 7s"),
    "captured": [[], []],
    "xeri": [0, 0],
    "xeristaki": [0, 0],
    "last_capture": None,
    "plays": 0,
    "scores": [0, 0],
    "history": {"table": cards("2s 5h 6d Jc"), "plays": []},
    "shown": ["7h", None, "Kh", None],
}
PLAYED_POSITION: Json = apply(apply(FOUR_POSITION, "6cx6d")[0], "Kd")[0]
OVER_POSITION: Json = apply(apply(CLASSIC_POSITION, "Ah^[3d5s]=9")[0], "9hx[Ah3d5s]9s")[0]
while OVER_POSITION["turn"] is not None:
    OVER_POSITION = apply(OVER_POSITION, legal(OVER_POSITION)[0])[0]

Change = Callable[[Json], object]


def changed(written: Json, change: Change) -> Json:
    """A copy with something changed in place."""
    copied = copy.deepcopy(written)
    change(copied)
    return copied


def setting(path: str, value: Json) -> Change:
    """Sets what lies at a path such as `piles.0.value`."""
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]

    def change(written: Json) -> None:
        for step in way:
            written = written[step]
        written[last] = value

    return change


def leaving_out(field: str) -> Change:
    return lambda written: written.pop(field)


def both(*changes: Change) -> Change:
    return lambda written: [change(written) for change in changes]


def moving(card: str, source: str, target: str) -> Change:
    """Moves a card from one list to another."""

    def change(written: Json) -> None:
        lists = []
        for path in (source, target):
            found = written
            for step in path.split("."):
                found = found[int(step) if step.isdecimal() else step]
            lists.append(found)
        lists[0].remove(card)
        lists[1].append(card)

    return change


def without_order(written: Json) -> Json:
    """A position with all that has no meaning sorted away."""
    plain = normal(written)
    if plain.get("history"):
        plain["history"]["table"] = sorted(plain["history"]["table"])
    return plain


# ------------------------------------------------------------------ both ways


@given(positions())
def test_positions_both_ways(written: Position) -> None:
    position = read_position(written)
    again = json.loads(json.dumps(write_position(position)))
    assert again.pop("format") == FORMAT
    assert without_order(again) == without_order(written)
    assert write_position(read_position(again)) == write_position(position)


@given(positions(), seeds())
def test_views_both_ways(written: Position, seed: int) -> None:
    position = read_position(written)
    seat = seed % position.rules.players
    view = view_of(position, seat)
    json_view = json.loads(json.dumps(write_view(view)))
    assert is_view(json_view)
    assert not is_view(written)
    assert read_view(json_view) == view
    del json_view["seat"], json_view["format"]
    assert read_view(json_view) == view


@pytest.mark.parametrize(
    "written", [CLASSIC_POSITION, FOUR_POSITION, PLAYED_POSITION, OVER_POSITION]
)
def test_examples_both_ways(written: Json) -> None:
    position = read_position(written)
    assert without_order(write_position(position)) == without_order(written) | {"format": FORMAT}
    for seat in range(position.rules.players):
        view = view_of(position, seat)
        assert read_view(write_view(view)) == view


def test_what_a_view_holds() -> None:
    assert write_view(view_of(read_position(CLASSIC_POSITION), 0)) == {
        "format": 1,
        "seat": 0,
        "rules": {"base": "classic"},
        "dealer": 1,
        "turn": 0,
        "hands": [["Ah", "3c", "9d"], 3],
        "loose": ["6s", "9s"],
        "piles": [{"value": 8, "owner": 1, "components": [["3d", "5s"]]}],
        "stock": 0,
        "captured": None,
        "xeri": [0, 1],
        "xeristaki": [0, 0],
        "last_capture": 1,
        "plays": 42,
        "scores": [31, 44],
        "history": None,
    }
    written = write_view(view_of(read_position(PLAYED_POSITION), 1))
    assert written["hands"] == [5, ["2d", "6h", "Td", "Th", "Jh"], 6, 6]
    assert written["stock"] == 24
    assert written["shown"] == [None] * 4
    assert written["history"] == {
        "table": ["2s", "5h", "6d", "Jc"],
        "plays": [[0, "6cx6d"], [1, "Kd"]],
    }
    written = write_view(view_of(read_position(OVER_POSITION), 1))
    assert [sorted(cards) for cards in written["captured"]] == [
        sorted(cards) for cards in OVER_POSITION["captured"]
    ]


@given(positions(), seeds())
def test_a_view_does_not_depend_on_what_is_hidden(written: Position, seed: int) -> None:
    check_hidden(written, seed)


@pytest.mark.proof
@given(positions(), seeds())
def test_a_view_does_not_depend_on_what_is_hidden_often(written: Position, seed: int) -> None:
    check_hidden(written, seed)


def check_hidden(written: Position, seed: int) -> None:
    rng = random.Random(seed)
    for seat in range(switches(written["rules"])["players"]):
        other = rehidden(rng, written, seat)
        seen = [write_view(view_of(read_position(one), seat)) for one in (written, other)]
        assert json.dumps(seen[0]) == json.dumps(seen[1])


def test_order_has_no_meaning_but_in_the_stock() -> None:
    turned = copy.deepcopy(FOUR_POSITION)
    for hand in turned["hands"]:
        hand.reverse()
    turned["loose"].reverse()
    turned["history"]["table"].reverse()
    assert write_position(read_position(turned)) == write_position(read_position(FOUR_POSITION))
    turned["stock"].reverse()
    assert write_position(read_position(turned)) != write_position(read_position(FOUR_POSITION))


def test_other_spellings_and_fields_are_read() -> None:
    spelt = changed(
        CLASSIC_POSITION,
        both(
            setting("hands.0", ["A♥", "3C", " 9 d "]),
            setting("captured.0.13", "10c"),
            setting("remark", "?"),
            setting("piles.0.remark", 1),
            setting("rules", "classic"),
            setting("format", 1),
            setting("shown", None),
            setting("history", None),
        ),
    )
    assert write_position(read_position(spelt)) == write_position(read_position(CLASSIC_POSITION))


# ------------------------------------------------------------------ what is refused


REFUSED: Mapping[str, tuple[Json, Change, str]] = {
    # each of the 52 cards once
    "card twice in a list": (
        CLASSIC_POSITION,
        setting("hands.0.1", "Ah"),
        "Ah is both in hands.0 and in hands.0",
    ),
    "card in two places": (
        CLASSIC_POSITION,
        setting("loose.0", "3♣"),
        "3c is both in loose and in hands.0",
    ),
    "card in a pile and elsewhere": (
        CLASSIC_POSITION,
        setting("hands.1.0", "5s"),
        "5s is both in hands.1 and in piles.0.components.0",
    ),
    "card in the stock and elsewhere": (
        FOUR_POSITION,
        setting("stock.0", "2s"),
        "2s is both in stock and in loose",
    ),
    "card captured and elsewhere": (
        CLASSIC_POSITION,
        setting("captured.1.0", "Ad"),
        "Ad is both in captured.1 and in captured.0",
    ),
    "card nowhere": (
        CLASSIC_POSITION,
        lambda p: p["captured"][1].remove("Td"),
        "these cards are nowhere: Td",
    ),
    "no card": (CLASSIC_POSITION, setting("loose.1", "9x"), 'loose: "9x" is not a card'),
    "number for a card": (CLASSIC_POSITION, setting("stock", [7]), "stock: 7 is not a card"),
    # the sizes of hands and stock, the plays, the turn
    "hand too small": (
        CLASSIC_POSITION,
        moving("Ah", "hands.0", "loose"),
        "hands: after 42 plays they have 3 3 cards, not 2 3",
    ),
    "hand too large": (
        CLASSIC_POSITION,
        moving("6s", "loose", "hands.1"),
        "hands: after 42 plays they have 3 3 cards, not 3 4",
    ),
    "plays too few": (
        CLASSIC_POSITION,
        setting("plays", 41),
        "hands: after 41 plays they have 3 4",
    ),
    "plays of another round": (
        CLASSIC_POSITION,
        setting("plays", 30),
        "stock: after 30 plays it has 12 cards, not 0",
    ),
    "stock too large": (
        FOUR_POSITION,
        moving("5h", "loose", "stock"),
        "stock: after 0 plays it has 24 cards, not 25",
    ),
    "turn of another seat": (
        CLASSIC_POSITION,
        setting("turn", 1),
        "turn: after 42 plays it is 0, not 1",
    ),
    "turn of nobody": (
        CLASSIC_POSITION,
        setting("turn", None),
        "turn: after 42 plays it is 0, not null",
    ),
    "turn after the end": (
        OVER_POSITION,
        setting("turn", 0),
        "turn: after 48 plays it is null, not 0",
    ),
    "dealer that does not fit the turn": (FOUR_POSITION, setting("dealer", 0), "turn: "),
    # piles
    "pile of one card": (
        CLASSIC_POSITION,
        both(
            moving("8d", "captured.0", "piles.0.components.0"),
            moving("3d", "piles.0.components.0", "loose"),
            moving("5s", "piles.0.components.0", "loose"),
        ),
        "piles.0: a pile has two cards or more, not only 8d",
    ),
    "pile of no cards": (
        CLASSIC_POSITION,
        both(
            moving("3d", "piles.0.components.0", "loose"),
            moving("5s", "piles.0.components.0", "loose"),
            setting("piles.0.components", []),
        ),
        "piles.0: a pile has two cards or more, not only –",
    ),
    "court in a pile": (
        CLASSIC_POSITION,
        moving("Kc", "captured.0", "piles.0.components.0"),
        "piles.0: no court goes into a pile, and Kc is one",
    ),
    "pile of another value": (
        CLASSIC_POSITION,
        setting("piles.0.value", 9),
        "piles.0: 3d 5s do not add up to 9",
    ),
    "component of another value": (
        CLASSIC_POSITION,
        both(
            setting("piles.0.components.0", ["3d", "5s"]),
            lambda p: p["piles"][0]["components"].append([]),
        ),
        "piles.0: – do not add up to 8",
    ),
    "value above ten": (
        CLASSIC_POSITION,
        setting("piles.0.value", 11),
        "piles.0.value must be a whole number from 1 to 10, not 11",
    ),
    "owner that is no seat": (
        CLASSIC_POSITION,
        setting("piles.0.owner", 2),
        "piles.0.owner must be a whole number from 0 to 1, not 2",
    ),
    "pile without owner": (
        CLASSIC_POSITION,
        lambda p: p["piles"][0].pop("owner"),
        "piles.0 must have value, owner and components",
    ),
    "pile that is a list": (CLASSIC_POSITION, setting("piles.0", ["3d"]), "piles.0 must have"),
    "family where there are none": (
        CLASSIC_POSITION,
        both(
            setting("rules.families", False),
            lambda p: p["piles"][0]["components"].append(["8d"]),
            lambda p: p["captured"][0].remove("8d"),
        ),
        "piles.0: these rules have no families",
    ),
    "too many piles": (CLASSIC_POSITION, setting("piles", [{}] * 21), "piles must have 20 entries"),
    # obligations
    "two piles of one owner": (
        CLASSIC_POSITION,
        both(
            lambda p: p["piles"].append({"value": 8, "owner": 1, "components": [["2c", "6s"]]}),
            lambda p: p["loose"].remove("6s"),
            lambda p: p["captured"][0].remove("2c"),
        ),
        "piles.1: seat 1 owns another pile, and obligations allow one",
    ),
    "owner without a card": (
        CLASSIC_POSITION,
        both(moving("8c", "hands.1", "captured.0"), moving("Tc", "captured.0", "hands.1")),
        "piles.0: seat 1 holds no card for its pile of 8",
    ),
    # captures
    "last_capture null": (
        CLASSIC_POSITION,
        setting("last_capture", None),
        "last_capture: it names a side that has captured, or is null",
    ),
    "last_capture of nothing": (FOUR_POSITION, setting("last_capture", 0), "last_capture: "),
    "last_capture of the wrong side": (
        PLAYED_POSITION,
        setting("last_capture", 1),
        "last_capture: ",
    ),
    "last_capture of no side": (
        CLASSIC_POSITION,
        setting("last_capture", 2),
        "last_capture must be a whole number from 0 to 1, not 2",
    ),
    "more xeri than captures": (
        PLAYED_POSITION,
        setting("xeri", [2, 0]),
        "xeri: side 0 has captured too few cards for 2 xeri and xeristaki",
    ),
    "xeri of a side without captures": (
        PLAYED_POSITION,
        setting("xeristaki", [0, 1]),
        "xeri: side 1",
    ),
    "cards left at the end": (
        OVER_POSITION,
        moving("Ac", "captured.1", "loose"),
        "loose: the deal is over, what was left belongs to a side",
    ),
    # history
    "history too short": (
        PLAYED_POSITION,
        lambda p: p["history"]["plays"].pop(),
        "history: it has 1 plays, not 2",
    ),
    "history out of turn": (
        PLAYED_POSITION,
        setting("history.plays.1.0", 2),
        "history: play 1 is not by the seat in turn",
    ),
    "history of a card twice": (
        PLAYED_POSITION,
        setting("history.plays.1.1", "6c"),
        "history: play 1: 6c has been laid or played before",
    ),
    "history of a card in hand": (
        PLAYED_POSITION,
        setting("history.plays.1.1", "Td"),
        "history: it does not lead to where these cards are: Td Kd",
    ),
    "history of another layout": (
        FOUR_POSITION,
        setting("history.table.3", "Jd"),
        "history: it does not lead to where these cards are: Jc Jd",
    ),
    "history with a card of the layout twice": (
        FOUR_POSITION,
        setting("history.table.3", "6d"),
        "history.table: a card is named twice",
    ),
    "history of three cards": (
        FOUR_POSITION,
        lambda p: p["history"]["table"].pop(),
        "history.table must have 4 entries, not 3",
    ),
    "history of no play": (
        PLAYED_POSITION,
        setting("history.plays.1.1", "Kx"),
        'history.plays.1: "Kx" is not a play',
    ),
    "history of half an entry": (
        PLAYED_POSITION,
        setting("history.plays.1", ["Kd"]),
        "history.plays.1 must have 2 entries, not 1",
    ),
    "history without plays": (
        PLAYED_POSITION,
        lambda p: p["history"].pop("plays"),
        "history must have table and plays",
    ),
    "history that is a list": (PLAYED_POSITION, setting("history", []), "history must have"),
    # shown cards
    "shown card not in hand": (
        FOUR_POSITION,
        setting("shown.0", "7s"),
        "shown: seat 0 has shown 7s, which is not in its hand",
    ),
    "shown by too few": (FOUR_POSITION, lambda p: p["shown"].pop(), "shown must have 4 entries"),
    "shown no card": (FOUR_POSITION, setting("shown.1", 7), "shown.1: 7 is not a card"),
    "shown where nobody shows": (
        CLASSIC_POSITION,
        setting("shown", [None, None]),
        "shown: these rules have no showing of cards",
    ),
    # shapes
    "seat too high": (CLASSIC_POSITION, setting("dealer", 2), "dealer must be a whole number"),
    "seat below 0": (CLASSIC_POSITION, setting("dealer", -1), "dealer must be a whole number"),
    "true for a number": (CLASSIC_POSITION, setting("turn", False), "turn must be a whole number"),
    "fraction": (CLASSIC_POSITION, setting("plays", 42.0), "plays must be a whole number"),
    "plays beyond the deal": (
        CLASSIC_POSITION,
        setting("plays", 49),
        "plays must be a whole number",
    ),
    "score below 0": (CLASSIC_POSITION, setting("scores.1", -1), "scores.1 must be a whole number"),
    "score too high": (CLASSIC_POSITION, setting("scores.0", 10**30), "scores.0 must be a whole"),
    "three scores": (CLASSIC_POSITION, setting("scores", [0, 0, 0]), "scores must have 2 entries"),
    "hands of three": (
        CLASSIC_POSITION,
        setting("hands", [[], [], []]),
        "hands must have 2 entries",
    ),
    "hands as texts": (CLASSIC_POSITION, setting("hands.0", "Ah"), "hands.0 must be a list"),
    "hand as a number": (CLASSIC_POSITION, setting("hands.1", 3), "hands.1 must be a list"),
    "captured null": (CLASSIC_POSITION, setting("captured", None), "captured must be a list"),
    "a later format": (
        CLASSIC_POSITION,
        setting("format", FORMAT + 1),
        f"format: this is form {FORMAT + 1}, and this program knows {FORMAT}",
    ),
    "a strange format": (CLASSIC_POSITION, setting("format", "1"), "format must be a whole number"),
    **{
        f"no {field}": (CLASSIC_POSITION, leaving_out(field), f"{field} is missing")
        for field in CLASSIC_POSITION
    },
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_by_name(name: str) -> None:
    written, change, message = REFUSED[name]
    read_position(written)
    with pytest.raises(PositionError) as refusal:
        read_position(changed(written, change))
    assert message in str(refusal.value)


@pytest.mark.parametrize("written", [None, 1, "classic", [], [{}]])
def test_other_values_are_no_positions(written: Json) -> None:
    for read in (read_position, read_view):
        with pytest.raises(PositionError, match="is a JSON object"):
            read(written)


def test_without_obligations_owners_are_free() -> None:
    free = changed(
        CLASSIC_POSITION,
        both(
            setting("rules", {"obligations": False}),
            lambda p: p["piles"].append({"value": 8, "owner": 1, "components": [["2c", "6s"]]}),
            lambda p: p["loose"].remove("6s"),
            lambda p: p["captured"][0].remove("2c"),
            moving("8c", "hands.1", "captured.0"),
            moving("Tc", "captured.0", "hands.1"),
        ),
    )
    assert [pile.owner for pile in read_position(free).piles] == [1, 1]


def test_nobody_may_have_captured_at_the_end() -> None:
    everything = [card for cards in OVER_POSITION["captured"] for card in cards]
    nothing = changed(
        OVER_POSITION,
        both(
            setting("loose", everything),
            setting("captured", [[], []]),
            setting("xeri", [0, 0]),
            setting("last_capture", None),
        ),
    )
    position = read_position(nothing)
    assert read_view(write_view(view_of(position, 0))).captured == (0, 0)


def test_shown_cards_may_have_been_played() -> None:
    written = apply(FOUR_POSITION, "7hx2s5h")[0]
    assert read_position(written).shown is not None


# ------------------------------------------------------------------ views that cannot be

VIEW: Json = write_view(view_of(read_position(CLASSIC_POSITION), 1))
FOUR_VIEW: Json = write_view(view_of(read_position(FOUR_POSITION), 2))
PLAYED_VIEW: Json = write_view(view_of(read_position(PLAYED_POSITION), 0))
OVER_VIEW: Json = write_view(view_of(read_position(OVER_POSITION), 0))

REFUSED_VIEWS: Mapping[str, tuple[Json, Change, str]] = {
    "two hands": (VIEW, setting("hands.0", ["Ah", "3c", "9d"]), "hands: a view lists the hand of"),
    "no hand": (VIEW, setting("hands.1", 3), "hands: a view lists the hand of one seat"),
    "hand that is a text": (VIEW, setting("hands.0", "3"), "hands.0 must be a whole number"),
    "negative hand": (VIEW, setting("hands.0", -3), "hands.0 must be a whole number"),
    "other size of a hand": (VIEW, setting("hands.0", 4), "hands: after 42 plays they have 3 3"),
    "other stock": (VIEW, setting("stock", 12), "stock: after 42 plays it has 0 cards, not 12"),
    "stock listed": (VIEW, setting("stock", []), "stock must be a whole number"),
    "card twice": (VIEW, setting("loose.0", "8c"), "8c is both in loose and in hands.1"),
    "another seat": (VIEW, setting("seat", 0), "seat: the hand that is listed is that of seat 1"),
    "no seat": (VIEW, setting("seat", 5), "seat must be a whole number from 0 to 1, not 5"),
    "captures too early": (
        VIEW,
        setting("captured", CLASSIC_POSITION["captured"]),
        "nowhere",
    ),
    "captures of a part": (
        OVER_VIEW,
        lambda v: v["captured"][0].pop(),
        "these cards are nowhere: ",
    ),
    "own pile without a card": (
        VIEW,
        setting("hands.1.0", "Tc"),
        "piles.0: seat 1 holds no card for its pile of 8",
    ),
    "too much on the table": (
        FOUR_VIEW,
        lambda v: v["loose"].append("Ac"),
        "loose: after 0 plays there are 4 cards on the table at most",
    ),
    "too little on the table": (FOUR_VIEW, lambda v: v["loose"].pop(), "last_capture: "),
    "last_capture of nothing": (FOUR_VIEW, setting("last_capture", 1), "last_capture: "),
    "last_capture null": (VIEW, setting("last_capture", None), "last_capture: "),
    "more xeri than captures": (
        PLAYED_VIEW,
        setting("xeri", [1, 1]),
        "xeri: too few cards have been captured for 2 xeri",
    ),
    "history of a card in hand": (
        PLAYED_VIEW,
        setting("history.plays.1.1", "7h"),
        "history: it does not lead to where these cards are: 7h Kd",
    ),
    "history of too many plays": (
        PLAYED_VIEW,
        lambda v: v["history"]["plays"].append([2, "2h"]),
        "history: it has 3 plays, not 2",
    ),
    "shown card not in the own hand": (FOUR_VIEW, setting("shown.2", "7s"), "shown: seat 2"),
    "shown card of the other side": (
        FOUR_VIEW,
        setting("shown.1", "2d"),
        "shown: seat 1 is not the partner, and its card is not seen",
    ),
    "a later format": (VIEW, setting("format", 2), "format: this is form 2"),
    "no hands": (VIEW, lambda v: v.pop("hands"), "hands is missing"),
}


@pytest.mark.parametrize("name", REFUSED_VIEWS)
def test_views_that_cannot_be_are_refused_by_name(name: str) -> None:
    written, change, message = REFUSED_VIEWS[name]
    read_view(written)
    with pytest.raises(PositionError) as refusal:
        read_view(changed(written, change))
    assert message in str(refusal.value)


def test_captures_are_hidden_until_the_end() -> None:
    shown = changed(FOUR_VIEW, setting("captured", [[], []]))
    rest = [c for hand in FOUR_POSITION["hands"] for c in hand if c not in FOUR_VIEW["hands"][2]]
    shown["captured"] = [rest, FOUR_POSITION["stock"]]
    with pytest.raises(PositionError, match="captured: a view shows captures only when"):
        read_view(shown)


# ------------------------------------------------------------------ rule sets


@given(rule_sets())
def test_rule_sets_both_ways(written: dict[str, Any]) -> None:
    rules = read_rules(written)
    assert {name: getattr(rules, name) for name in SWITCHES} == switches(written)
    assert read_rules(json.loads(json.dumps(write_rules(rules)))) == rules


def test_named_rule_sets() -> None:
    assert read_rules("classic") == read_rules({}) == read_rules({"base": "classic"}) == CLASSIC
    assert read_rules("taverna") == read_rules({"base": "taverna"}) == TAVERNA
    assert [write_rules(rules) for rules in RULE_SETS.values()] == [
        {"base": "classic"},
        {"base": "taverna"},
    ]
    assert write_rules(read_rules({"base": "taverna", "players": 2, "xeri_points": 5})) == {
        "base": "taverna",
        "players": 2,
        "xeri_points": 5,
    }


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (None, "rules are a name, or a name and switches"),
        (True, "rules are a name, or a name and switches"),
        (["classic"], "rules are a name, or a name and switches"),
        ("whist", 'there is no rule set "whist"; there are classic, taverna'),
        ("", "there is no rule set"),
        ({"base": "whist"}, "there is no rule set"),
        ({"base": None}, "there is no rule set null"),
        ({"base": []}, "there is no rule set []"),
        ({"base": {"base": "classic"}}, "there is no rule set"),
        ({"hands": 6}, 'there is no switch "hands"'),
        ({"hand_size": 3}, 'there is no switch "hand_size"'),
        ({"pack": 15}, 'there is no switch "pack"'),
        ({"self": 1}, 'there is no switch "self"'),
        ({"players": 3}, "players can be 2 / 4, not 3"),
        ({"players": "2"}, 'players can be 2 / 4, not "2"'),
        ({"players": True}, "players can be 2 / 4, not true"),
        ({"deal_packet": 2}, "deal_packet can be 3 / 6, not 2"),
        ({"target": 0}, "target must be from 1 to 1000000, not 0"),
        ({"target": 10**400}, "target must be from 1 to 1000000"),
        ({"xeri_points": -1}, "xeri_points must be from 0"),
        ({"xeri_points": 2.5}, "xeri_points must be from 0 to 1000000, not 2.5"),
        ({"families": 1}, "families can be true / false, not 1"),
        ({"families": None}, "families can be true / false, not null"),
        ({"raising": "always"}, "raising can be opponents / others / anyone / never"),
        ({"raising": ["never"]}, "raising can be opponents"),
        ({"partners_show_card": True}, "partners_show_card needs four players"),
        ({"base": "taverna", "players": 2, "partners_show_card": True}, "needs four players"),
    ],
)
def test_impossible_rule_sets_are_refused(written: Json, message: str) -> None:
    with pytest.raises(RulesError) as refusal:
        read_rules(written)
    assert message in str(refusal.value)
    with pytest.raises(RulesError):
        read_position({**CLASSIC_POSITION, "rules": written})


def test_deep_nests_are_refused_like_everything_else() -> None:
    deep: Json = []
    for _ in range(900):
        deep = [deep]
    for path in ("dealer", "loose", "piles.0.value", "hands.0.0", "history"):
        with pytest.raises(PositionError):
            read_position(changed(CLASSIC_POSITION, setting(path, deep)))
    for written in ({"base": deep}, {"target": deep}, {"raising": deep}):
        with pytest.raises(RulesError):
            read_rules(written)


# ------------------------------------------------------------------ seeds


def test_seeds_are_digits_or_numbers() -> None:
    assert read_seed(0) == bytes(32) == read_seed("0" * 64)
    assert read_seed(2026) == (2026).to_bytes(32, "big") == read_seed(f"{2026:064x}")
    assert read_seed(2**256 - 1) == b"\xff" * 32 == read_seed("f" * 64) == read_seed("F" * 64)


@pytest.mark.parametrize(
    "written",
    [None, True, -1, 2**256, 1.0, "", "0", "0" * 63, "0" * 65, "g" * 64, "0x" + "0" * 62, [0]]
    + [" 0" * 32, "00" * 31 + "  ", "0" * 63 + "\n", "0" * 64 + "\n", "٠" * 64],
)
def test_other_values_are_no_seeds(written: Json) -> None:
    with pytest.raises(NotationError, match="a seed is 64 hexadecimal digits"):
        read_seed(written)
