"""The slow reference against examples worked out elsewhere, and the generators against it."""

from __future__ import annotations

import itertools
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests import reference
from tests.strategies import (
    KINDS,
    SWITCH_VALUES,
    Kind,
    positions,
    random_position,
    random_rules,
    random_wish,
    respelt,
    rule_sets,
)

VECTORS = Path(__file__).parent / "data" / "vectors"
PERFT_NODES = 1000


@cache
def lines(name: str) -> list[dict[str, Any]]:
    """The lines of a file of vectors."""
    text = (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def without_order(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with the cards in them sorted."""
    return [
        {key: sorted(value) if key == "cards" else value for key, value in event.items()}
        for event in events
    ]


# ------------------------------------------------------------------ vectors


def test_legal_plays_of_vectors() -> None:
    for line in lines("legal"):
        assert reference.legal(line["position"]) == line["plays"]


def test_applied_plays_of_vectors() -> None:
    for line in lines("apply"):
        after, events = reference.apply(line["position"], line["play"])
        assert reference.normal(after) == reference.normal(line["after"])
        assert without_order(events) == without_order(line["events"])


def test_forbidden_plays_of_vectors() -> None:
    for line in lines("illegal"):
        against = reference.forbidden_by(line["position"], line["play"])
        assert against == (set(line["rules"]) or None), line["play"]
        with pytest.raises(reference.Refused):
            reference.apply(line["position"], line["play"])


def test_deals_of_vectors() -> None:
    for line in lines("deals"):
        position = reference.deal(line["rules"], line["dealer"], pack=line["pack"])
        for play in line["plays"]:
            position, _ = reference.apply(position, play)
        assert position.pop("history")["plays"][-1][1] == line["plays"][-1]
        assert reference.normal(position) == reference.normal(line["after"])
        expected = {key: line[key] for key in ("deal", "scores", "winner")}
        assert reference.score(position) == expected


def test_matches_of_vectors() -> None:
    for line in lines("matches"):
        scores = [0, 0]
        for one in line["deals"]:
            finished = {
                "rules": line["rules"],
                "turn": None,
                "plays": reference.PLAYS_IN_A_DEAL,
                "captured": one["captured"],
                "xeri": one["xeri"],
                "xeristaki": one["xeristaki"],
                "scores": scores,
            }
            expected = {key: one[key] for key in ("deal", "scores", "winner")}
            assert reference.score(finished) == expected
            scores = one["scores"]


def test_redeals_of_vectors() -> None:
    for line in lines("redeals"):
        rules = reference.switches(line["rules"])
        dealt = reference.HAND * rules["players"]
        pack = line["pack"]
        assert reference.redeal_needed(pack[dealt : dealt + 4], rules)
        position = reference.deal(line["rules"], line["dealer"], pack=pack)
        assert not reference.redeal_needed(position["loose"], rules)
        assert sorted(position["loose"] + position["stock"]) == sorted(pack[dealt:])
        assert sorted(itertools.chain(*position["hands"])) == sorted(pack[:dealt])


def count(position: reference.Position, depth: int) -> int:
    """How many sequences of so many plays start at a position."""
    plays = reference.legal(position)
    if depth == 1:
        return len(plays)
    return sum(count(reference.apply(position, play)[0], depth - 1) for play in plays)


def test_perft_of_vectors() -> None:
    for line in json.loads((VECTORS / "perft.json").read_text(encoding="utf-8")):
        for depth, expected in enumerate(line["counts"], start=1):
            if expected <= PERFT_NODES:
                assert count(line["position"], depth) == expected, line["name"]


# ------------------------------------------------------------------ the shuffle, dealing, text


@pytest.mark.parametrize(
    ("seed", "start"),
    [
        (0, "Qs 6d 6s 7c 4h 7s 5h Th 5d Jh 3d Kh Kd 7h 9h Jc 3c"),
        (2026, "Qd 9c Js Th 2d Td 4s Kh 3d 4h 5s Qs 7h 2c 6c 6h Jh"),
    ],
)
def test_shuffle(seed: int, start: str) -> None:
    pack = list(reference.PACK)
    reference.shuffle(pack, reference.seed_words(seed))
    assert pack[:17] == start.split()


def test_redeal_goes_on_with_the_words_of_the_seed() -> None:
    assert reference.deal("classic", 0, seed=27)["loose"] == ["3c", "5h", "8h", "3d"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("5h", "5h"),
        ("6h x 6d 2c4S", "6hx2c4s6d"),
        ("8hx[5s3d]8♣", "8hx8c[3d5s]"),
        ("2d+[5s3d]6s=8", "2d+6s[3d5s]=8"),
        ("Ah^[5s 3d]=9", "Ah^[3d5s]=9"),
        ("10dx10♠*", "TdxTs"),
        ("2cx[9h10c][3h4h]", "2cx[3h4h][9hTc]"),
    ],
)
def test_spelling(text: str, canonical: str) -> None:
    assert reference.format_play(reference.parse_play(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        *("", "6", "6x", "6h6d", "6hx", "6h+=6", "6h+6d", "6h^6d=12", "6hx6h", "6hx[]"),
        *("6h^[2c3d][4c5d]=9", "6hx6d6d", "ah", "6hx6d=6", "6h+[6d=12", "6h*x6d"),
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(reference.Refused):
        reference.parse_play(text)


@pytest.mark.parametrize(
    "written",
    [
        "whist",
        {"base": "whist"},
        {"hands": 6},
        {"players": 3},
        {"players": True},
        {"deal_packet": 2},
        {"target": 0},
        {"xeri_points": -1},
        {"families": 1},
        {"raising": "always"},
        {"partners_show_card": True},
    ],
)
def test_impossible_rules_are_refused(written: Any) -> None:
    with pytest.raises(reference.Refused):
        reference.switches(written)


def test_wrong_marks_are_refused() -> None:
    seen = set()
    for line in lines("apply"):
        names = {event["event"] for event in line["events"]}
        right = "*" if "xeri" in names else "~" if "xeristaki" in names else ""
        for mark in "*~":
            if mark == right:
                reference.apply(line["position"], line["play"] + mark)
                seen.add(mark)
            else:
                with pytest.raises(reference.Refused):
                    reference.apply(line["position"], line["play"] + mark)
    assert seen == {"*", "~"}


# ------------------------------------------------------------------ every conceivable play


def conceivable(position: reference.Position) -> set[str]:
    """All well-formed plays with cards and piles that are there, sensible or not."""
    hand = position["hands"][position["turn"]]
    piles = [reference.pile_cards(pile) for pile in position["piles"]]
    texts = set(hand)
    taken = [
        (loose, some)
        for size in range(len(position["loose"]) + 1)
        for loose in itertools.combinations(position["loose"], size)
        for number in range(len(piles) + 1)
        for some in itertools.combinations(piles, number)
        if loose or some
    ]
    plays = [reference.make_play("capture", card, *table) for card in hand for table in taken]
    for card, value in itertools.product(hand, range(1, 12)):
        plays += [reference.make_play("declare", card, *table, value) for table in taken]
        plays += [reference.make_play("raise", card, (), [pile], value) for pile in piles]
    return texts | {reference.format_play(play) for play in plays}


def test_legal_plays_are_the_conceivable_ones_that_nothing_forbids() -> None:
    rng = random.Random(1)
    tried = 0
    while tried < 40:
        position = random_position(rng, way="constructed")
        if len(position["loose"]) > 5 or len(position["piles"]) > 2:
            continue
        tried += 1
        allowed = {
            text
            for text in conceivable(position)
            if reference.forbidden_by(position, text) == set()
        }
        assert sorted(allowed) == reference.legal(position)


def test_splitting_agrees_with_trying_every_partition() -> None:
    def splits(worths: tuple[int, ...], value: int) -> bool:
        if not worths:
            return True
        rest = worths[1:]
        return any(
            worths[0] + sum(rest[place] for place in places) == value
            and splits(tuple(w for at, w in enumerate(rest) if at not in places), value)
            for size in range(len(rest) + 1)
            for places in itertools.combinations(range(len(rest)), size)
        )

    rng = random.Random(2)
    for _ in range(300):
        worths = tuple(sorted((rng.randint(1, 6) for _ in range(rng.randint(1, 7))), reverse=True))
        for value in range(1, 11):
            form = reference.split_worths(worths, value)
            assert (form is not None) == splits(worths, value)
            if form is not None:
                assert sorted(itertools.chain(*form), reverse=True) == list(worths)
                assert {sum(component) for component in form} == {value}


# ------------------------------------------------------------------ the generators


@settings(max_examples=200, deadline=None)
@given(rule_sets())
def test_random_rules_are_possible(written: dict[str, Any]) -> None:
    assert set(reference.switches(written)) == set(reference.CLASSIC)


def test_random_rules_reach_every_value() -> None:
    seen = [reference.switches(random_rules(random.Random(seed))) for seed in range(500)]
    for name, values in SWITCH_VALUES.items():
        assert {rules[name] for rules in seen} >= set(values)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(positions())
def test_random_positions_are_consistent(position: reference.Position) -> None:
    assert reference.faults(position) == []
    assert position["turn"] is not None


@pytest.mark.parametrize("kind", KINDS)
def test_random_positions_are_of_their_kind(kind: Kind) -> None:
    for seed in range(200):
        position = random_position(random.Random(seed), kind=kind)
        assert reference.faults(position) == []
        owners = [pile["owner"] for pile in position["piles"]]
        numerals = [card for card in position["loose"] if not reference.is_court(card)]
        assert {
            "owner": position["turn"] in owners,
            "two_piles": len(owners) >= 2,
            "wide": len(numerals) >= 12,
            "last": not position["stock"],
        }[kind]


def test_the_same_seed_gives_the_same_position() -> None:
    for seed in range(50):
        first = random_position(random.Random(seed))
        assert random_position(random.Random(seed)) == first
        rng, again = random.Random(seed), random.Random(seed)
        assert random_wish(rng, first) == random_wish(again, first)


def test_wishes_meet_every_rule() -> None:
    met: set[str] = set()
    results = {"legal": 0, "forbidden": 0, "not there": 0}
    for seed in range(6000):
        rng = random.Random(seed)
        position = random_position(rng, way="constructed")
        wish = random_wish(rng, position)
        assert reference.format_play(reference.parse_play(wish)) == wish
        other = respelt(rng, wish)
        assert reference.format_play(reference.parse_play(other)) == wish
        against = reference.forbidden_by(position, wish)
        met |= against or set()
        results["not there" if against is None else "forbidden" if against else "legal"] += 1
    assert met == set(reference.CHECKS)
    assert results["forbidden"] > 3000
    assert min(results.values()) > 100


def test_random_play_keeps_positions_consistent_to_the_end() -> None:
    for seed in range(12):
        rng = random.Random(seed)
        written = random_rules(rng)
        players = reference.switches(written)["players"]
        position = reference.deal(written, rng.randrange(players), seed=seed)
        while position["turn"] is not None:
            plays = reference.legal(position)
            assert plays  # R3.2
            before = reference.copied(position)
            after, _ = reference.apply(position, rng.choice(plays))
            assert position == before
            position = after
            assert reference.faults(position) == []
        assert reference.legal(position) == []
        assert reference.forbidden_by(position, "Ac") is None
        reference.score(position)


def test_score_waits_for_the_end() -> None:
    with pytest.raises(reference.Refused):
        reference.score(reference.deal("classic", 0))
