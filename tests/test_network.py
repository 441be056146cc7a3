"""The network: whole numbers, the same whatever it starts from; and what it is told."""

from __future__ import annotations

import random
from importlib import resources
from math import comb

import numpy as np
import pytest

from diloti.bots import features as f
from diloti.bots.features import CERTAIN, FEATURES, describe, find_chances, unseen_by
from diloti.bots.network import (
    HIDDEN,
    Network,
    empty_network,
    evaluate,
    greedy_network,
    load_network,
    network_for,
    new_scratch,
    quantized,
    start_from,
)
from diloti.bots.policy import lay_and_judge, look_around, new_desk
from diloti.core import wire
from diloti.core.cards import RANKS
from diloti.core.jit import Ints
from diloti.core.notation import parse_cards, parse_play
from diloti.core.position import HANDS, TURN, Position
from diloti.core.rules import CLASSIC, RULE_SETS, TAVERNA, rules_from
from diloti.core.view import view_of
from tests.hidden import rehidden
from tests.sampling import deals
from tests.setting import position, some_play
from tests.thinking import INTERPRETED

NAMES = tuple(RULE_SETS)
TRIES = 4 if INTERPRETED else 200
SMALL_FILE = 100_000


# ------------------------------------------------------------------ judging


def random_network(rng: np.random.Generator) -> Network:
    return Network(
        rng.integers(-4000, 4000, (FEATURES, HIDDEN)).astype(np.int32),
        rng.integers(-9000, 9000, HIDDEN).astype(np.int32),
        rng.integers(-90_000, 90_000, HIDDEN + 1),
    )


def random_features(rng: np.random.Generator) -> Ints:
    chosen = rng.random(FEATURES) < rng.choice((0.1, 0.5, 1.0))
    return rng.integers(-64, 400, FEATURES) * chosen


def literally(network: Network, features: Ints) -> int:
    """What the network says, by the formula."""
    sums = network.bias.astype(np.int64) + features @ network.inputs.astype(np.int64)
    total = int(np.maximum(sums, 0) @ network.output[:-1])
    return (total >> 16) + int(network.output[-1])


def test_judgements_follow_the_formula_whatever_they_start_from() -> None:
    rng = np.random.default_rng(1)
    scratch = new_scratch()
    networks = [load_network(name) for name in NAMES] + [random_network(rng)]
    for number in range(TRIES):
        network = networks[number % len(networks)]
        scratch.features[:] = random_features(rng)
        start_from(network, scratch)
        for place in range(4):
            if place:
                scratch.features[:] = random_features(rng)
            assert evaluate(network, scratch) == literally(network, scratch.features)


def test_sums_of_the_shipped_networks_fit_their_numbers() -> None:
    most = np.full(FEATURES, 64)
    most[f.THREAT_ANY] = most[f.THREAT_XERI] = CERTAIN * RANKS
    most[f.THREAT_CARDS] = CERTAIN * RANKS * 53 // 8
    most[f.THREAT_POINTS] = CERTAIN * RANKS * 7 // 4
    most[f.OWN_PILE_CHANCE] = most[f.THREAT_BY_RANK : f.PRIZE_BY_RANK] = CERTAIN * 53 // 8
    most[f.MATCH_BY_RANK :] = CERTAIN
    most[f.LOOSE_SUM] = 220
    for name in NAMES:
        network = load_network(name)
        largest = np.abs(network.inputs).astype(np.int64).T @ most + np.abs(network.bias)
        assert largest.max() < 1 << 31


def test_a_network_in_whole_numbers_is_near_the_one_in_real_numbers() -> None:
    rng = np.random.default_rng(2)
    inputs = rng.normal(0, 0.05, (FEATURES, HIDDEN))
    bias, output = rng.normal(0, 0.5, HIDDEN), rng.normal(0, 0.2, HIDDEN)
    network = quantized(inputs, bias, output, -1.25)
    scratch = new_scratch()
    for _ in range(3 if INTERPRETED else 50):
        numbers = rng.integers(0, 12, FEATURES)
        scratch.features[:] = numbers
        start_from(network, scratch)
        points = np.maximum(numbers @ inputs + bias, 0) @ output - 1.25
        assert abs(evaluate(network, scratch) / 1000 - points) < 0.05


def test_an_empty_network_says_nothing() -> None:
    scratch = new_scratch()
    scratch.features[:] = 3
    start_from(empty_network(), scratch)
    assert evaluate(empty_network(), scratch) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_network_is_small_and_has_its_shapes(name: str) -> None:
    file = resources.files("diloti.bots").joinpath("weights", f"{name}.npz")
    assert len(file.read_bytes()) < SMALL_FILE
    network = load_network(name)
    assert [part.shape for part in network] == [(FEATURES, HIDDEN), (HIDDEN,), (HIDDEN + 1,)]
    assert [str(part.dtype) for part in network] == ["int32", "int32", "int64"]
    assert all(part.flags.c_contiguous for part in network)
    assert all(part.any() for part in network)


def test_rules_choose_their_network() -> None:
    assert network_for(CLASSIC) is load_network("classic")
    assert network_for(TAVERNA) is load_network("taverna")
    assert network_for(rules_from("classic", target=31, deal_packet=3)) is load_network("classic")
    assert network_for(rules_from("taverna", players=2)) is load_network("classic")
    assert network_for(rules_from("classic", players=4)) is load_network("taverna")


def test_the_first_judgement_of_a_turn_does_not_change_the_others() -> None:
    here = list(deals(CLASSIC, 3, "greedy"))[17]
    rules, desk = CLASSIC.packed, new_desk(0)
    unseen = look_around(rules, here.state, desk)
    network = load_network("classic")
    play = np.array(some_play(here).packed)
    worth = [
        lay_and_judge(rules, network, here.state.copy(), play, unseen, desk, is_first)
        for is_first in (True, False)
    ]
    assert worth[0] == worth[1]
    greedy = lay_and_judge(rules, greedy_network(), here.state.copy(), play, unseen, desk, True)
    assert greedy != worth[0]


# ------------------------------------------------------------------ features


def described(here: Position, text: str | None = None) -> Ints:
    """The features that the seat in turn sees after a play, its lowest card trailed by default."""
    rules, state, desk = here.rules.packed, here.state.copy(), new_desk(here.loose)
    unseen = look_around(rules, state, desk)
    play = some_play(here) if text is None else parse_play(text)
    lay_and_judge(rules, empty_network(), state, np.array(play.packed), unseen, desk, True)
    return desk.scratch.features.copy()


def test_features_hold_nothing_hidden() -> None:
    rng = random.Random(5)
    for rules in (CLASSIC, TAVERNA):
        positions = list(deals(rules, 6, "greedy"))
        for place in (2, 30) if INTERPRETED else range(0, rules.plays_in_deal - 2, 3):
            here = positions[place]
            assert here.turn is not None
            other = wire.read_position(rehidden(rng, wire.write_position(here), here.turn))
            assert view_of(other, here.turn) == view_of(here, here.turn)
            assert described(here).tolist() == described(other).tolist()


def simple(hand: str, loose: str, **more: object) -> Position:
    """A position of two players with four cards in the other's hand."""
    return position(hand, loose, others=["JsQsKd3s"], stock="", plays=20, **more)  # type: ignore[arg-type]


def chance(here: Position, hand: str, rank: str) -> int:
    """By the formula, the chance that four of the unseen cards have one of a rank, in 64ths."""
    hidden = 52 - (here.loose | here.hands[0]).bit_count()
    ranks = parse_cards(f"{rank}c{rank}d{rank}h{rank}s")
    equal = (ranks & ~(here.loose | here.hands[0])).bit_count()
    return CERTAIN - CERTAIN * comb(hidden - equal, 4) // comb(hidden, 4)


def test_what_is_in_the_hand_on_the_table_and_unseen() -> None:
    here = simple("2c9d9h", "5cKs")
    got = described(here, "9d")
    assert got[f.HAND_BY_RANK : f.HAND_BY_RANK + RANKS].tolist() == [
        0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
    ]  # fmt: skip
    assert got[f.LOOSE_BY_RANK : f.LOOSE_BY_RANK + RANKS].tolist() == [
        0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,
    ]  # fmt: skip
    assert got[f.UNSEEN_BY_RANK : f.UNSEEN_BY_RANK + RANKS].tolist() == [
        4, 3, 4, 4, 3, 4, 4, 4, 2, 4, 4, 4, 3,
    ]  # fmt: skip
    assert (got[f.HAND_LEFT], got[f.NEXT_HAND]) == (2, 4)
    assert (got[f.LOOSE_CARDS], got[f.LOOSE_SUM]) == (3, 14)
    assert got[f.TWO_PLACE : f.TWO_PLACE + 5].tolist() == [0, 1, 0, 0, 0]
    assert got[f.TEN_PLACE : f.TEN_PLACE + 5].tolist() == [0, 0, 1, 0, 0]


def test_a_lone_card_is_a_threat_by_the_chance_that_it_is_held() -> None:
    here = simple("9dJd2s", "")
    got = described(here, "9d")
    expected = chance(here, "9dJd2s", "9")
    assert got[f.SINGLE_CARD] == got[f.THREAT_XERI] == got[f.THREAT_ANY] == expected
    assert got[f.THREAT_BY_RANK + 8] == got[f.THREAT_CARDS] == expected * 2 // 8
    assert got[f.THREAT_POINTS] == 0
    assert got[f.PRIZE_BY_RANK : f.PRIZE_BY_RANK + RANKS].any() == 0


def test_the_ten_of_diamonds_is_a_threat_and_a_prize() -> None:
    here = simple("Th9cJd2s", "Td")
    got = described(here, "Jd")
    tens = chance(here, "Th9cJd2s", "T")
    assert got[f.THREAT_POINTS] == tens * 2 // 4
    assert got[f.PRIZE_POINTS] == 2
    assert got[f.PRIZE_BY_RANK + 9] == 2
    assert got[f.PRIZE_XERI] == 0
    assert got[f.MATCH_BY_RANK + 9] == tens // 4


def test_a_sum_is_a_prize_with_all_that_fits() -> None:
    got = described(simple("9c2sKd", "4d5h9h"), "Kd")
    assert got[f.PRIZE_BY_RANK + 8] == got[f.PRIZE_CARDS] == 4
    got = described(simple("9c2sKd", "4d5h9h"), "2s")
    assert got[f.PRIZE_XERI] == 0


def test_r8_4_an_owner_surely_holds_a_card_for_the_pile() -> None:
    here = simple("9dKd2s", "", piles=[(1, 8, "3d5s")])
    got = described(here, "9d")
    assert got[f.THREAT_BY_RANK + 7] == CERTAIN * 3 // 8
    assert got[f.OTHER_PILE_CARDS] == 2
    chances = np.zeros(RANKS, dtype=np.int64)
    rules, state = here.rules.packed, here.state
    find_chances(rules, state, unseen_by(rules, state, 0), 1, chances)
    assert chances[7] == CERTAIN
    free = position(
        "9dKd2s", "", piles=[(1, 8, "3d5s")], others=["JsQsKc3s"], stock="", obligations=False
    )
    find_chances(free.rules.packed, free.state, unseen_by(rules, free.state, 0), 1, chances)
    assert 0 < chances[7] < CERTAIN


def test_chances_are_those_of_drawing_without_looking() -> None:
    rng = random.Random(8)
    chances = np.zeros(RANKS, dtype=np.int64)
    for here in list(deals(CLASSIC, 9, "random"))[:: 12 if INTERPRETED else 3]:
        if here.turn is None or here.piles:
            continue
        seat, rules = here.turn, here.rules.packed
        unseen = int(unseen_by(rules, here.state, seat))
        find_chances(rules, here.state, unseen, 1 - seat, chances)
        held = int(here.state[HANDS + 1 - seat]).bit_count()
        for rank in rng.sample(range(RANKS), 4):
            equal = (unseen >> 4 * rank & 15).bit_count()
            ways = comb(unseen.bit_count(), held)
            missing = CERTAIN * comb(unseen.bit_count() - equal, held) // ways
            assert chances[rank] == CERTAIN - missing


def test_describing_changes_nothing_but_the_features() -> None:
    here = list(deals(TAVERNA, 2, "greedy"))[12]
    desk, state = new_desk(0), here.state.copy()
    rules, seat = here.rules.packed, int(here.state[TURN])
    unseen = int(look_around(rules, state, desk))
    describe(rules, state, seat, unseen, desk.chances, desk.words, desk.scratch.features)
    assert state.tolist() == here.state.tolist()
