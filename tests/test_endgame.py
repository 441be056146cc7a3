"""The solver of the last hand against a plain search of everything."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np
import pytest

from diloti.bots.endgame import (
    SOLVED,
    STOPPED,
    TOO_LARGE,
    Ending,
    Room,
    is_ending,
    judge_ending,
    solve_ending,
)
from diloti.core import wire
from diloti.core.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS
from diloti.core.effects import apply_play
from diloti.core.jit import Ints
from diloti.core.notation import format_play, parse_card, parse_cards
from diloti.core.plays import Play, count_legal_plays, legal_plays, list_plays
from diloti.core.position import PLAYS, TURN, Pile, Position, new_state
from diloti.core.rules import rules_from
from diloti.core.scoring import points_of
from tests.setting import position
from tests.strategies import random_position, random_rules

INTERPRETED = bool(numba.config.DISABLE_JIT)
SAMPLE = 120 if INTERPRETED else 400
PROOF = 6_000
MOST_POSITIONS = 300 if INTERPRETED else 3_000
"""Endings whose full search would take more positions than this are not compared."""


class TooLong(Exception):
    """A full search that would take too long."""


def full_search(rules: Ints, state: Ints, left: list[int]) -> int:
    """The lead of the side in turn at the end, all plays tried; `left` counts positions down."""
    left[0] -= 1
    if left[0] < 0:
        raise TooLong
    turn = int(state[TURN])
    best = None
    for play in list_plays(rules, state):
        lead = lead_after(rules, state, play, turn, left)
        if best is None or lead > best:
            best = lead
    assert best is not None
    return best


def lead_after(rules: Ints, state: Ints, play: Any, turn: int, left: list[int]) -> int:
    """The lead of seat `turn` at the end, when it makes a play and all plays are tried then."""
    after = state.copy()
    apply_play(rules, after, *(int(number) for number in play))
    if after[TURN] < 0:
        return int(points_of(rules, after, turn) - points_of(rules, after, 1 - turn))
    return -full_search(rules, after, left)


def random_ending(seed: str) -> Position:
    """A last hand of two players with few cards left, under any rules."""
    rng = random.Random(seed)
    most = rng.choice((2, 3, 4, 5) if INTERPRETED else (3, 4, 5, 6, 7))
    while True:
        rules = {"base": "classic", **random_rules(rng), "players": 2, "partners_show_card": False}
        ending = wire.read_position(random_position(rng, rules=rules, kind="last"))
        if sum(hand.bit_count() for hand in ending.hands) <= most:
            return ending


def merged(ending: Position, play: Play) -> Play:
    """The play with the lowest of equal cards instead of those it uses."""
    hand = ending.hands[int(ending.state[TURN])]
    card = lowest_of(1 << play.card, hand).bit_length() - 1
    return Play(play.kind, card, lowest_of(play.loose, ending.loose), play.piles, play.value)


def lowest_of(taken: int, lying: int) -> int:
    """As many cards of each rank as `taken` has of `lying`, the lowest ones first."""
    special = TEN_OF_DIAMONDS | TWO_OF_CLUBS
    cards = taken & special
    for rank in range(13):
        here = lying & ~special & (15 << 4 * rank)
        for _ in range((taken & ~special & (15 << 4 * rank)).bit_count()):
            cards |= here & -here
            here &= here - 1
    return cards


def compare(seed: str, room: Room) -> bool:
    """Compare one ending; false where the full search would take too long."""
    ending = random_ending(seed)
    rules, turn = ending.rules.packed, int(ending.state[TURN])
    left = [MOST_POSITIONS]
    try:
        expected = {
            play: lead_after(rules, ending.state, play.packed, turn, left)
            for play in legal_plays(ending)
        }
    except TooLong:
        return False
    solved = solve_ending(ending, room)
    assert solved.status == SOLVED
    assert solved.lead == max(expected.values()), seed
    assert expected[solved.best] == solved.lead, seed
    judged = judge_ending(ending, room)
    values = dict(judged.plays)
    assert len(values) == len(judged.plays)
    assert judged.lead == solved.lead
    assert set(values) == {merged(ending, play) for play in expected}
    for play, lead in expected.items():
        assert values[merged(ending, play)] == lead, (seed, format_play(play))
    return True


@pytest.mark.parametrize("part", range(4))
def test_all_plays_are_worth_what_a_full_search_says(part: int) -> None:
    room = Room()
    numbers = range(part * SAMPLE // 4, (part + 1) * SAMPLE // 4)
    compared = sum(compare(f"ending {number}", room) for number in numbers)
    assert compared > len(numbers) // 2


@pytest.mark.proof
@pytest.mark.parametrize("part", range(12))
def test_all_plays_are_worth_what_a_full_search_says_at_length(part: int) -> None:
    room = Room()
    size = PROOF // 12
    compared = sum(compare(f"long {part} {number}", room) for number in range(size))
    assert compared > size // 2


def last_hand(seed: int, cards: int, **switches: Any) -> Position:
    """A random last hand with `cards` cards in each hand and four on the table."""
    rng = random.Random(seed)
    pack = rng.sample(range(52), 52)

    def deal(number: int) -> int:
        return sum(1 << pack.pop() for _ in range(number))

    rules = rules_from("classic", **switches)
    hands, loose = (deal(cards), deal(cards)), deal(4)
    taken = deal(len(pack) // 2)
    state = new_state(
        rules,
        dealer=1,
        turn=0,
        plays=48 - 2 * cards,
        hands=hands,
        loose=loose,
        captured=(taken, deal(len(pack))),
        last_capture=0,
    )
    return Position(rules, state, {})


def suits_exchanged(ending: Position, rng: random.Random) -> Position:
    """The same position with equal cards exchanged, wherever they are."""
    new = list(range(52))
    for rank in range(13):
        cards = [card for card in range(4 * rank, 4 * rank + 4) if card not in (4, 37)]
        for card, other in zip(cards, rng.sample(cards, len(cards))):
            new[card] = other

    def moved(mask: int) -> int:
        return sum(1 << new[card] for card in range(52) if mask >> card & 1)

    piles = [
        Pile(pile.value, pile.owner, tuple(map(moved, pile.components))) for pile in ending.piles
    ]
    state = new_state(
        ending.rules,
        dealer=ending.dealer,
        turn=ending.turn,
        plays=ending.plays,
        hands=map(moved, ending.hands),
        loose=moved(ending.loose),
        piles=piles,
        captured=map(moved, ending.captured),
        xeri=ending.xeri,
        xeristaki=ending.xeristaki,
        last_capture=ending.last_capture,
    )
    return Position(ending.rules, state, {pile.cards: pile.components for pile in piles})


@pytest.mark.parametrize("seed", range(3 if INTERPRETED else 40))
def test_equal_cards_of_other_suits_change_nothing(seed: int) -> None:
    ending = random_ending(f"suits {seed}") if seed % 2 else last_hand(seed, 3)
    other = suits_exchanged(ending, random.Random(seed))
    room = Room()
    first, second = judge_ending(ending, room), judge_ending(other, room)
    assert sorted(lead for _, lead in first.plays) == sorted(lead for _, lead in second.plays)
    # Everything after the first play is known already, but for what another entry has replaced.
    assert second.nodes <= first.nodes


def test_the_answer_does_not_depend_on_what_is_known_already() -> None:
    cards = 2 if INTERPRETED else 6
    endings = [last_hand(seed, cards) for seed in range(5)]
    used, tiny = Room(), Room(entries=16)
    fresh = [solve_ending(ending, Room()) for ending in endings]
    for _ in range(2):
        for ending, expected in zip(endings, fresh):
            assert solve_ending(ending, used).plays == expected.plays
            assert solve_ending(ending, tiny).plays == expected.plays
    used.forget()
    assert solve_ending(endings[0], used).nodes > fresh[0].nodes // 2


def test_rules_are_not_mixed_up_in_one_room() -> None:
    room = Room()
    for xeri_points in (10, 0, 10, 5):
        ending = position("Kc 3h", "Kd", others=["3c"], stock="", plays=45, xeri_points=xeri_points)
        ending.state[PLAYS] = 45
        assert solve_ending(ending, room).lead == solve_ending(ending, Room()).lead


def test_the_number_of_positions_has_a_limit() -> None:
    ending = last_hand(1, 4)
    assert solve_ending(ending, Room(), node_limit=20) == Ending(STOPPED, 20, ())
    assert judge_ending(ending, Room(), node_limit=0).status == STOPPED
    needed = solve_ending(ending, Room()).nodes
    assert solve_ending(ending, Room(), node_limit=needed).status == SOLVED
    assert solve_ending(ending, Room(), node_limit=needed - 1).status == STOPPED


def test_large_tables_are_refused() -> None:
    wide = position(
        "Tc 9c 8c", "Ac Ad 2c 2d 3c 3d 4c 4d 5c 5d 6c 6d 7c 7d", others=["Th 9h 8h"], stock=""
    )
    assert count_legal_plays(wide) > 200
    small = Room(play_rows=40)
    assert solve_ending(wide, small) == Ending(TOO_LARGE, 0, ())
    assert judge_ending(wide, small).plays == ()
    deeper = last_hand(3, 3)
    assert solve_ending(deeper, Room(play_rows=12)).status == TOO_LARGE
    all_numerals = " ".join(rank + suit for rank in "A23456789" for suit in "cdh")
    assert (
        solve_ending(position("Tc", all_numerals, others=["Td"], stock=""), Room()).status
        == TOO_LARGE
    )


def test_what_is_no_ending() -> None:
    assert not is_ending(position("Tc", "9c", others=["8c"], stock="Ks"))
    assert not is_ending(position("Tc", "9c", others=["8c"] * 3, base="taverna", stock=""))
    with pytest.raises(ValueError, match="ending"):
        solve_ending(position("Tc", "9c", others=["8c"], stock="Ks"), Room())


def test_the_last_play_takes_a_xeri() -> None:
    """R14.13: under `classic` it is one."""
    ending = position("Kc", "Kd", stock="", plays=47, last_capture=1)
    assert solve_ending(ending, Room()).lead == 10
    ending = position("Kc", "Kd", stock="", plays=47, last_capture=1, last_play_xeri=False)
    assert solve_ending(ending, Room()).lead == 0


def test_the_ten_of_diamonds_is_told_from_other_tens() -> None:
    ending = position("Tc", "Td Th", stock="", others=["Ks"], plays=46, last_capture=1)
    leads = {format_play(play): lead for play, lead in judge_ending(ending, Room()).plays}
    assert set(leads) == {"Tc", "TcxTd", "TcxTh", "TcxTdTh"}
    assert leads["TcxTdTh"] == 12
    assert np.all(np.array(list(leads.values())) <= 12)
    assert parse_cards("Td") == 1 << parse_card("Td")
