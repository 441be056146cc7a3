"""The levels and the other bots: legal, repeatable, and blind to what is hidden."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from diloti.bots import BOTS, LEVELS, Choice, choose
from diloti.bots.choice import SHOWN
from diloti.bots.endgame import Room, judge_ending
from diloti.core import wire
from diloti.core.legality import Refusal, refusal_of
from diloti.core.notation import format_play
from diloti.core.position import Position
from diloti.core.rules import CLASSIC, TAVERNA
from diloti.core.view import View, view_of
from diloti.engine import answer
from tests.hidden import rehidden
from tests.sampling import deals
from tests.strategies import KINDS, Kind, random_position
from tests.test_endgame import TooLong, lead_after
from tests.thinking import (
    FEW,
    INTERPRETED,
    SEARCHING,
    little_thought,
    random_view,
    view_with,
    views_of_deals,
)

Json = Any

SEEDS = 1 if INTERPRETED else 4
IN_A_DEAL = 2 if INTERPRETED else 8
WIDE = "AcAdAhAs2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h5s6c6d6h6s7c7d7h7s"
HIDDEN_TURNS = (27,) if INTERPRETED else (0, 1, 5, 13, 22, 31, 38, 43, 46)


def check_choice(view: View, choice: Choice) -> None:
    """A legal play, and an analysis of different legal plays that begins with it."""
    assert choice.analysis[0].play == choice.play
    plays = [candidate.play for candidate in choice.analysis]
    assert len(plays) == len(set(plays))
    for play in plays:
        assert refusal_of(view.known, play) is Refusal.NONE
    for candidate in choice.analysis:
        assert candidate.points is None or math.isfinite(candidate.points)
        assert candidate.win_chance is None or 0 <= candidate.win_chance <= 1


def check_bot(bot: str, view: View, seed: int) -> None:
    """It makes a sound choice, and the same one again."""
    choice = choose(view, bot, seed=seed, simulations=FEW)
    check_choice(view, choice)
    assert choose(view, bot, seed=seed, simulations=FEW) == choice


def bots_and_kinds() -> Iterator[Any]:
    for bot in BOTS:
        for kind in (None, *KINDS):
            slow = INTERPRETED and bot in SEARCHING and kind == "wide"
            yield pytest.param(bot, kind, marks=[pytest.mark.proof] if slow else [])


@pytest.mark.parametrize(("bot", "kind"), list(bots_and_kinds()))
def test_every_bot_makes_a_legal_play_and_the_same_for_the_same_seed(
    bot: str, kind: Kind | None
) -> None:
    for seed in range(SEEDS):
        check_bot(bot, random_view(kind, seed), seed)


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_plays_throughout_a_deal(bot: str) -> None:
    for seed, view in enumerate(views_of_deals(IN_A_DEAL)):
        check_bot(bot, view, seed)
        if not INTERPRETED:
            check_bot(bot, replace(view, history=None), seed)


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_plays_its_last_card(bot: str) -> None:
    for rules in (CLASSIC, TAVERNA):
        *_, last, over = deals(rules, 4, "greedy")
        assert over.is_over
        assert last.turn is not None
        view = view_of(last, last.turn)
        assert view.hand_sizes[view.seat] == 1
        check_bot(bot, view, 3)
        check_bot(bot, replace(view, history=None), 3)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("number", [20, 24, 28])
def test_every_bot_copes_with_wide_tables(bot: str, number: int) -> None:
    if INTERPRETED:
        pytest.skip("takes minutes interpreted")
    view = view_with("8cTdKs9h", WIDE[: 2 * number], plays=40)
    check_choice(view, choose(view, bot, seed=1, simulations=1))


@pytest.mark.parametrize("bot", BOTS)
def test_what_is_hidden_changes_nothing(bot: str) -> None:
    rng = random.Random(bot)
    for rules in (CLASSIC, TAVERNA):
        positions = list(deals(rules, 7, "greedy"))
        for place in HIDDEN_TURNS:
            here = positions[place]
            assert here.turn is not None
            assert here.history is not None
            other = wire.read_position(rehidden(rng, wire.write_position(here), here.turn))
            choices = [
                choose(view_of(one, here.turn), bot, seed=place, simulations=FEW)
                for one in (here, other)
            ]
            assert choices[0] == choices[1]


@pytest.mark.parametrize("bot", BOTS)
def test_the_protocol_sees_nothing_hidden_either(bot: str) -> None:
    rng = random.Random(bot)
    for rules, place in ((CLASSIC, 29), (TAVERNA, 34)):
        here = list(deals(rules, 8, "greedy"))[place]
        assert here.turn is not None
        written = wire.write_position(here)
        view = wire.write_view(view_of(here, here.turn))
        asked = [{"position": written}, {"position": rehidden(rng, written, here.turn)}]
        asked += [{"view": view}, {"position": view}]
        answers = [
            answer(json.dumps({"op": "choose", "bot": bot, "seed": 3, "simulations": FEW, **given}))
            for given in asked[: 2 if INTERPRETED else 4]
        ]
        assert "play" in answers[0]
        assert all(other == answers[0] for other in answers[1:])


@pytest.mark.parametrize("bot", BOTS)
def test_a_history_that_cannot_be_is_no_trouble(bot: str) -> None:
    here = list(deals(CLASSIC, 5, "greedy"))[9]
    assert here.turn is not None
    written = wire.write_view(view_of(here, here.turn))
    for number, (seat, play) in enumerate(written["history"]["plays"]):
        changed = json.loads(json.dumps(written))
        strange = play[:2] if len(play) > 2 else f"{play}x[2h6h]"
        changed["history"]["plays"][number] = [seat, strange]
        if INTERPRETED and number % 4:
            continue
        got = answer(
            json.dumps({"op": "choose", "view": changed, "bot": bot, "seed": 1, "simulations": FEW})
        )
        assert "play" in got or got["error"]["code"] == "bad_position", (number, strange, got)


def test_a_history_with_more_piles_than_a_table_has_room_for_is_no_trouble() -> None:
    here = list(deals(TAVERNA, 5, "greedy"))[45]
    assert here.turn is not None
    written = wire.write_view(view_of(here, here.turn))
    plays = written["history"]["plays"]
    written["history"]["plays"] = [[seat, f"{play[:2]}+7h=7"] for seat, play in plays]
    asked = {"op": "choose", "view": written, "bot": "expert", "simulations": FEW}
    assert "play" in answer(json.dumps(asked))


# ------------------------------------------------------------------ what they see


@pytest.mark.parametrize("bot", ["regular", "strong", "expert", "greedy", "flat"])
@pytest.mark.parametrize(
    ("hand", "loose", "best"),
    [
        ("6h9d", "6d2c4s", "6hx2c4s6d"),  # a xeri
        ("Th5c", "TdKs4d", "ThxTd"),  # the ten of diamonds
    ],
)
def test_good_bots_take_what_is_on_the_table(bot: str, hand: str, loose: str, best: str) -> None:
    if INTERPRETED and bot in SEARCHING:
        pytest.skip("a few simulations tell nothing")
    choice = choose(view_with(hand, loose, plays=8), bot, seed=1, simulations=400)
    assert format_play(choice.play) == best


@pytest.mark.parametrize("bot", ["regular", "strong", "expert"])
def test_r8_4_good_bots_leave_no_xeri_to_a_card_that_is_surely_held(bot: str) -> None:
    # Seat 1 holds an eight: after 4hx4c it would clear the table with it.
    if INTERPRETED and bot in SEARCHING:
        pytest.skip("a few simulations tell nothing")
    view = view_with("4hKd", "8d4c", piles=[(1, 8, "3d5s")], plays=44)
    choice = choose(view, bot, seed=1, simulations=400)
    assert format_play(choice.play) == "Kd"


def test_levels_are_bots() -> None:
    assert set(LEVELS) <= set(BOTS)


# ------------------------------------------------------------------ the last hand of two


def endings(seed: int) -> Iterator[Position]:
    """The last turns of a deal of two players."""
    positions = [here for here in deals(CLASSIC, seed, "greedy") if not here.is_over]
    yield from positions[-3 if INTERPRETED else -7 :]


def test_expert_knows_how_the_last_hand_ends() -> None:
    room = Room()
    compared = 0
    for seed in range(2 if INTERPRETED else 8):
        for here in endings(seed):
            assert here.turn is not None
            view = view_of(here, here.turn)
            choice = choose(view, "expert", simulations=1)
            room.forget()
            judged = dict(judge_ending(here, room).plays)
            assert {one.play: one.points for one in choice.analysis} == judged
            points = [one.points or 0 for one in choice.analysis]
            assert points == sorted(points, reverse=True)
            left = [300 if INTERPRETED else 3000]
            try:
                found = lead_after(
                    here.rules.packed, here.state, choice.play.packed, view.seat, left
                )
            except TooLong:
                continue
            compared += 1
            assert found == choice.analysis[0].points
    assert compared > 3


# ------------------------------------------------------------------ always the same


@pytest.fixture
def _small_steps() -> Iterator[None]:
    with little_thought():
        yield


GOLDEN = """
0 novice 3s 10.0 None
0 casual Ts 7.966 None
0 regular Jc 9.221 None
0 strong Jc 8.985 0.7378
0 expert 3s 8.364 0.7214
0 random 3s None None
0 greedy 3s -0.032 None
0 flat Ts 7.0 None
0 ismcts 3s -1.0 None
1 novice 6c -10.0 None
1 casual 9h -10.748 None
1 regular 9h -11.48 None
1 strong 9h -11.462 0.1932
1 expert 9h -11.639 0.1888
1 random 6c None None
1 greedy 9h -0.034 None
1 flat 6c -8.0 None
1 ismcts 6c -4.0 None
2 novice 2c -10.0 None
2 casual 7h -11.602 None
2 regular 2c -15.492 None
2 strong 2c -15.0 0.0905
2 expert 2c -15.0 0.0905
2 random 2c None None
2 greedy 2c -0.09 None
2 flat 2c -15.0 None
2 ismcts 2c -15.0 None
3 novice 2d 0.0 None
3 casual 9h 3.635 None
3 regular 4c 4.203 None
3 strong 4c 6.061 0.6833
3 expert 4c 6.56 0.6972
3 random 2d None None
3 greedy 9h -0.126 None
3 flat 9h 9.0 None
3 ismcts 9h 9.0 None
4 novice 3h 2.247 None
4 casual 4h 1.125 None
4 regular 6h -4.079 None
4 strong 6h -5.0 0.3456
4 expert 6h 3.0 0.5981
4 random 3h None None
4 greedy 3h -0.731 None
4 flat 3h -5.0 None
4 ismcts 3h -5.0 None
"""
"""By view and bot the play, its points and the chance to win, for 3 simulations in small steps."""


def golden_view(number: int) -> View:
    """One of the views that choices are pinned for."""
    rules, place = ((CLASSIC, 3), (CLASSIC, 20), (CLASSIC, 40), (TAVERNA, 9), (TAVERNA, 30))[number]
    here = list(deals(rules, 11, "greedy"))[place]
    assert here.turn is not None
    return view_of(here, here.turn)


@pytest.mark.usefixtures("_small_steps")
@pytest.mark.parametrize("number", range(5))
def test_choices_are_the_same_everywhere(number: int) -> None:
    view = golden_view(number)
    found = []
    for bot in BOTS:
        best = choose(view, bot, seed=2026, simulations=3).analysis[0]
        found.append(f"{number} {bot} {format_play(best.play)} {best.points} {best.win_chance}")
    assert found == [line for line in GOLDEN.split("\n") if line.startswith(str(number))]


@pytest.mark.proof
@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_copes_with_any_rules_and_tables(bot: str) -> None:
    for number in range(60):
        for kind in (None, *KINDS):
            rng = random.Random(f"fuzz {number} {kind}")
            here = wire.read_position(random_position(rng, kind=kind))
            assert here.turn is not None
            view = view_of(here, here.turn)
            check_choice(view, choose(view, bot, seed=number, simulations=8))


def test_a_view_that_contradicts_itself_is_answered() -> None:
    """The owner of a pile of tens is bound to hold one, yet all of them lie open."""
    request = (Path(__file__).parent / "data" / "contradictory_view.json").read_text()
    answered = answer(request)
    assert "play" in answered or answered["error"]["code"] == "bad_position"


def test_a_tree_that_cannot_grow_ends_at_once() -> None:
    if INTERPRETED:
        pytest.skip("takes minutes interpreted")
    view = view_with("8cTdKs9h", WIDE, plays=40)
    choice = choose(view, "ismcts", seed=1, simulations=1_000_000)
    assert choice.play == choice.analysis[0].play
    assert len(choice.analysis) <= SHOWN
