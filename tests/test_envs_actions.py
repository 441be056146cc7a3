"""Plays in steps: exactly what legal plays begin with, and one way only to each play."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from diloti.core.dice import new_dice
from diloti.core.legality import IllegalPlay
from diloti.core.match import Match
from diloti.core.notation import format_play, parse_cards, parse_play
from diloti.core.plays import count_legal_plays, legal_plays
from diloti.core.position import Pile, Position, new_state
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.wire import read_position, read_rules
from diloti.envs.actions import (
    ACTIONS,
    ActionError,
    Draft,
    Show,
    actions_of,
    format_action,
)
from tests.drafting import DRAFTS, FAULTS, ILLEGAL, PLAYS, STATES, STUCK, UNSORTED, check_deals
from tests.reference import Position as Written
from tests.strategies import Kind, positions, random_position, random_rules

NAMES = {format_action(action): action for action in range(ACTIONS)}


def at(rules: Rules, hand: str, loose: str, *piles: Pile) -> Position:
    """Seat 0 is to play with a hand, at a table with loose cards and piles."""
    state = new_state(
        rules,
        dealer=rules.players - 1,
        turn=0,
        plays=0,
        hands=[parse_cards(hand)],
        loose=parse_cards(loose),
        piles=piles,
    )
    return Position(rules, state, {pile.cards: pile.components for pile in piles})


def drafts_of(position: Position) -> dict[str, list[str]]:
    """Every play that drafts end in, with the names of its actions."""
    found: dict[str, list[str]] = {}

    def follow(draft: Draft, names: list[str]) -> None:
        assert draft.actions, "a draft is stuck"
        for action in draft.actions:
            after = draft.copy()
            made = after.take(action)
            here = [*names, format_action(action)]
            if made is None:
                follow(after, here)
            else:
                assert not isinstance(made, Show)
                text = format_play(made)
                assert text not in found, f"two ways to {text}"
                found[text] = here

    follow(Draft(position), [])
    return found


def test_the_table_of_actions() -> None:
    """As the documents have it."""
    assert ACTIONS == len(NAMES) == 118
    assert [NAMES[name] for name in ("Ac", "Ks", "trail", "capture", "raise")] == [
        0,
        51,
        52,
        53,
        54,
    ]
    assert [NAMES[f"declare {value}"] for value in (1, 10)] == [55, 64]
    assert [NAMES[name] for name in ("use Ac", "use Ks", "done")] == [65, 116, 117]


# --- What is asked and what is not -------------------------------------------------------------


def test_r14_1_captures_in_steps() -> None:
    found = drafts_of(at(CLASSIC, "6h", "6d 2c 4s"))
    assert found == {
        "6h": ["6h", "trail"],
        "6hx2c4s": ["6h", "capture", "use 2c", "done"],
        "6hx2c4s6d": ["6h", "capture", "use 2c", "use 6d"],
        "6hx6d": ["6h", "capture", "use 6d"],
    }


def test_a_card_that_can_only_be_trailed_is_trailed_by_naming_it() -> None:
    assert drafts_of(at(CLASSIC, "Js", "5c 6d")) == {"Js": ["Js"]}  # R14.3


def test_r14_4_courts() -> None:
    assert drafts_of(at(CLASSIC, "Js", "Jh Jd")) == {
        "JsxJd": ["Js", "use Jd"],
        "JsxJh": ["Js", "use Jh"],
    }
    assert drafts_of(at(TAVERNA, "Js", "Jh Jd")) == {
        "Js": ["Js", "trail"],
        "JsxJdJh": ["Js", "capture"],
    }
    three = rules_from("classic", court_capture="three_take_three")
    assert drafts_of(at(three, "Js", "Jc Jd Jh")) == {"JsxJcJdJh": ["Js"]}


def test_r14_6_one_table_two_declarations() -> None:
    found = drafts_of(at(CLASSIC, "4c 4d 8s", "4h"))
    assert found["4c+4h=8"] == ["4c", "declare 8"]
    assert found["4c+4h=4"] == ["4c", "declare 4"]


def test_r14_9_a_raise_ends_with_its_pile() -> None:
    pile = Pile(5, 1, (parse_cards("3c 2d"),))
    found = drafts_of(at(CLASSIC, "4s 9d", "Kh", pile))
    assert found["4s^[2d3c]=9"] == ["4s", "raise"]
    two = (Pile(5, 1, (parse_cards("2d 3c"),)), Pile(3, 1, (parse_cards("Ac 2h"),)))
    free = rules_from("classic", obligations=False)
    found = drafts_of(at(free, "4s 9d 7d", "Kh", *two))
    assert found["4s^[2d3c]=9"] == ["4s", "raise", "use 2d"]
    assert found["4s^[Ac2h]=7"] == ["4s", "raise", "use Ac"]


def test_r8_4_the_last_card_for_a_pile_takes_nothing_else() -> None:
    own = Pile(8, 0, (parse_cards("3d 5s"),))
    found = drafts_of(at(CLASSIC, "8c 2d 9h", "6s 9s 8h", own))
    assert {play for play in found if play.startswith("8c")} == {"8cx8h[3d5s]", "8cx[3d5s]"}
    assert found["8cx[3d5s]"] == ["8c", "done"]
    assert found["8cx8h[3d5s]"] == ["8c", "use 8h"]


def test_r5_4_equal_cards_go_together_or_not_at_all() -> None:
    found = drafts_of(at(TAVERNA, "8h", "8c 8d 5s 3d"))
    assert found["8hx3d5s"] == ["8h", "capture", "use 3d", "done"]
    assert found["8hx8c8d"] == ["8h", "capture", "use 8c"]
    assert found["8hx3d5s8c8d"] == ["8h", "capture", "use 3d", "use 8c"]


# --- What cannot be ----------------------------------------------------------------------------


def test_what_is_not_allowed_is_refused_and_changes_nothing() -> None:
    draft = Draft(at(CLASSIC, "6h 2h", "6d 2c 4s"))
    before = draft.numbers.copy(), draft.actions
    for action in set(range(-1, ACTIONS + 1)) - set(draft.actions):
        with pytest.raises(ActionError):
            draft.take(action)
    assert (draft.numbers == before[0]).all()
    assert draft.actions == before[1]
    assert draft.taken == ()


def test_nobody_is_asked_when_the_deal_is_over() -> None:
    over = at(CLASSIC, "", "6d")
    over.state[1] = -1
    draft = Draft(over)
    assert (draft.seat, draft.actions, draft.mask.sum()) == (None, [], 0)


# --- Showing a card (R2.7) ---------------------------------------------------------------------


def test_r2_7_each_seat_is_asked_for_a_card_to_show() -> None:
    match = Match(replace(TAVERNA, partners_show_card=True), first_dealer=2)
    match.deal_seed(bytes(32))
    position = match.position
    order = [(position.dealer + turn) % 4 for turn in (1, 2, 3, 4)]
    for number, seat in enumerate(order):
        draft = Draft(position, shows=4 - number)
        assert draft.seat == seat
        hand = [action for action in draft.actions if action < 52]
        assert sum(1 << card for card in hand) == position.hands[seat]
        assert draft.actions[-1] == NAMES["done"]
        assert draft.copy().take(NAMES["done"]) == Show(None)
        assert draft.take(hand[0]) == Show(hand[0])


# --- Everything --------------------------------------------------------------------------------


@given(positions())
def test_drafts_and_legal_plays_are_the_same(written: Written) -> None:
    position = read_position(written)
    if count_legal_plays(position) > 300:
        return
    found = drafts_of(position)
    plays = legal_plays(position)
    assert sorted(found) == sorted(map(format_play, plays))
    for play in plays:
        assert [format_action(one) for one in actions_of(position, play)] == found[
            format_play(play)
        ]


@pytest.mark.parametrize("action", [-1, ACTIONS, "x", None])
def test_what_is_no_action_has_no_name(action: Any) -> None:
    with pytest.raises(ActionError, match="there is no action"):
        format_action(action)


@pytest.mark.parametrize("text", ["9s", "5cx8d", "3cx2c", "6hx6d2c"])
def test_an_illegal_play_has_no_actions(text: str) -> None:
    here = at(CLASSIC, "6h5c3c", "6d2c4s")
    with pytest.raises(IllegalPlay):
        actions_of(here, parse_play(text))


@pytest.mark.parametrize("kind", ["wide", "two_piles", "owner"])
def test_drafts_on_tables_of_every_kind(kind: Kind) -> None:
    rng = random.Random(kind)
    for _ in range(10):
        position = read_position(random_position(rng, kind=kind))
        if count_legal_plays(position) <= 500:
            assert len(drafts_of(position)) == count_legal_plays(position)
        for _ in range(5):
            draft = Draft(position)
            made = None
            while made is None:
                made = draft.take(rng.choice(draft.actions))
            assert not isinstance(made, Show)
            assert list(draft.taken) == actions_of(position, made)


def check_random_states(seed: int, *, rule_sets: int, states: int) -> np.ndarray:
    """Compare drafts and plays in so many states of each rule set."""
    rng = random.Random(seed)
    counts = np.zeros(8, dtype=np.int64)
    for number in range(rule_sets):
        rules = read_rules(random_rules(rng))
        cards = np.array(rules.cards, dtype=np.int64)
        check_deals(rules.packed, cards, new_dice(number), states, 3000, counts)
    for fault in (ILLEGAL, STUCK, UNSORTED, FAULTS):
        assert counts[fault] == 0
    assert counts[PLAYS] == counts[DRAFTS] > 0
    return counts


def test_drafts_end_in_all_legal_plays_and_only_once() -> None:
    assert check_random_states(1, rule_sets=10, states=120)[STATES] == 1200


@pytest.mark.proof
def test_drafts_in_a_hundred_thousand_states() -> None:
    assert check_random_states(2, rule_sets=250, states=400)[STATES] == 100_000
