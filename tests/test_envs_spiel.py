"""The OpenSpiel game: its own test kit, perfect recall, states drawn from what a player knows."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import get_all_states
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.observation import make_observation
from open_spiel.python.policy import UniformRandomPolicy

import diloti.envs.spiel  # noqa: F401 (registers the game)
from diloti.core.deal import needs_redeal
from diloti.core.rules import CHOICES
from tests.environments import NAMED, SWITCHED, name_of
from tests.golden.spiel.make import FOLDER, GAMES, written

SMALL = "diloti(pack=AcAd2c2d3c3d,hand_size=2,layout_size=2)"
"""A game small enough to be searched to its ends."""


def loaded(terms: dict[str, Any]) -> Any:
    """The game of some terms, in which yes and no are 1 and 0."""
    parameters = {
        name: value if name in ("rules", *CHOICES) else int(value) for name, value in terms.items()
    }
    return pyspiel.load_game("diloti", parameters)


@pytest.mark.parametrize("terms", NAMED, ids=name_of)
def test_the_kit_of_openspiel(terms: dict[str, Any]) -> None:
    pyspiel.random_sim_test(loaded(terms), num_sims=1, serialize=True, verbose=False)


@pytest.mark.proof
@pytest.mark.parametrize("terms", [*NAMED, *SWITCHED], ids=name_of)
def test_the_kit_of_openspiel_with_every_switch(terms: dict[str, Any]) -> None:
    pyspiel.random_sim_test(loaded(terms), num_sims=10, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "name", ["diloti(episode=match,target=9)", "diloti(rules=taverna,partners_show_card=1)", SMALL]
)
def test_the_kit_on_other_games(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def walk(state: Any, rng: random.Random) -> Any:
    """Every state of an episode played at random in which somebody is asked, and the last."""
    while not state.is_terminal():
        if not state.is_chance_node():
            yield state
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            state.apply_action(rng.choice(state.chance_outcomes())[0])
    yield state


@pytest.mark.parametrize(
    "name",
    [
        "diloti",
        "diloti(rules=taverna,partners_show_card=1)",
        "diloti(rules=taverna,players=2,episode=match,target=9)",
    ],
)
def test_states_drawn_from_information_states(name: str) -> None:
    rng = random.Random(name)
    game = pyspiel.load_game(name)
    hidden = set()
    for number, state in enumerate(walk(game.new_initial_state(), rng)):
        if state.is_terminal() or number % 7:
            continue
        for player in range(game.num_players()):
            twin = state.resample_from_infostate(player, rng.random)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.information_state_tensor(player) == state.information_state_tensor(player)
            assert twin.observation_string(player) == state.observation_string(player)
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            if player == state.current_player():
                assert twin.legal_actions() == state.legal_actions()
            hidden.add(str(twin) == str(state))
    assert hidden == {True, False} or hidden == {False}


def test_what_chance_deals() -> None:
    """Each card once, evenly, and never a layout that has to be exchanged (R2.5)."""
    rng = random.Random(3)
    game = pyspiel.load_game("diloti(redeal=equal_courts)")
    exchanged = 0
    for _ in range(40):
        state = game.new_initial_state()
        dealt = 0
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert abs(sum(chance for _card, chance in outcomes) - 1) < 1e-9
            # Courts first, so that layouts of equal courts come up.
            card = max(outcomes)[0] if dealt >= 12 else rng.choice(outcomes)[0]
            if dealt >= 12 and rng.random() < 0.5:
                card = rng.choice(outcomes)[0]
            state.apply_action(card)
            dealt += 1
        exchanged += dealt > 16
        assert dealt in (16, 20, 24, 28, 32, 36, 40)
        position = state.moment.position
        assert not needs_redeal(position.rules.packed, position.loose)
    assert exchanged


def test_refills_are_dealt_when_the_hands_are_empty() -> None:
    game = pyspiel.load_game("diloti")
    state, rng = game.new_initial_state(), random.Random(1)
    runs, run = [], 0
    while not state.is_terminal():
        if state.is_chance_node():
            run += 1
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            runs += [run] if run else []
            run = 0
            state.apply_action(rng.choice(state.legal_actions()))
    assert runs[0] >= 16
    assert runs[1:] == [12, 12, 12]
    assert len(set(state.moment.position.history.plays)) == 48
    first, second = state.returns()
    assert first == -second


def test_players_recall_all_that_they_have_seen() -> None:
    """Whatever tells two states apart for a player still does after any later step."""
    rng = random.Random(8)
    game = pyspiel.load_game("diloti(rules=taverna,players=2)")
    for state in walk(game.new_initial_state(), rng):
        if state.is_terminal():
            break
        player = state.current_player()
        told = state.information_state_string(player)
        plays = told.split("plays ")[1].split("\n")[0].split()
        after = state.child(rng.choice(state.legal_actions()))
        if not after.is_terminal():
            later = after.information_state_string(player)
            assert later.split("plays ")[1].split("\n")[0].split()[: len(plays)] == plays


def test_nobody_sees_what_others_are_putting_together() -> None:
    rng = random.Random(2)
    game = pyspiel.load_game("diloti")
    seen = 0
    for state in walk(game.new_initial_state(), rng):
        if state.is_terminal():
            break
        player = state.current_player()
        other = 1 - player
        for action in state.legal_actions():
            after = state.child(action)
            if after.current_player() == player and len(after.moment.draft.taken) > 0:
                seen += 1
                assert after.information_state_string(other) == state.information_state_string(
                    other
                )
                assert after.observation_tensor(other) == state.observation_tensor(other)
    assert seen > 10


def test_a_small_game_whole() -> None:
    """Nobody can be told apart wrongly, and no policy gains against itself."""
    game = pyspiel.load_game("diloti(pack=AcAd2c2d,hand_size=1,layout_size=2)")
    states = get_all_states.get_all_states(game, include_chance_states=True)
    assert len(states) > 50
    actions: dict[str, set[tuple[int, ...]]] = {}
    for state in states.values():
        if not state.is_chance_node() and not state.is_terminal():
            key = state.information_state_string()
            actions.setdefault(key, set()).add(tuple(state.legal_actions()))
    assert all(len(sets) == 1 for sets in actions.values())
    assert nash_conv(game, UniformRandomPolicy(game)) >= 0


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"rules": "bridge"}, "bridge"),
        ({"players": 3}, "players"),
        ({"episode": "evening"}, "evening"),
        ({"dealer": 2}, "no seat 2"),
        ({"pack": "AcAd"}, "pack"),
        ({"families": 2}, "families"),
    ],
)
def test_parameters_that_cannot_be(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(Exception, match=told):
        pyspiel.load_game("diloti", wrong)


@pytest.mark.parametrize("name", GAMES)
def test_the_playthroughs_are_as_they_were(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert written(name) == kept


@pytest.mark.parametrize("recalls", [False, True])
def test_observations_in_parts(recalls: bool) -> None:
    """What is public and what is a player's own, by themselves and together."""
    game = pyspiel.load_game("diloti(rules=taverna,partners_show_card=1)")
    one, none = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    made = {
        (public, private): make_observation(
            game,
            pyspiel.IIGObservationType(
                perfect_recall=recalls, public_info=public, private_info=one if private else none
            ),
        )
        for public in (False, True)
        for private in (False, True)
    }
    for state in walk(game.new_initial_state(), random.Random(4)):
        for observer in made.values():
            observer.set_from(state, 0)
        whole = made[True, True].dict
        for (public, private), observer in made.items():
            names = set(observer.dict) - {"player"}
            assert ("hand" in names) == private
            assert ("loose" in names) == public
            assert ("history" in names) == (public and recalls)
            assert all((observer.dict[name] == whole[name]).all() for name in names)
        texts = {key: observer.string_from(state, 0).split("\n") for key, observer in made.items()}
        assert sorted(texts[True, True][1:]) == sorted(
            texts[True, False][1:] + texts[False, True][1:]
        )


def test_tensors_have_the_documented_parts() -> None:
    game = pyspiel.load_game("diloti")
    assert game.observation_tensor_shape() == [2 + 1552]
    assert game.information_state_tensor_shape() == [2 + 1552 + 49 * 122]
    state = next(walk(game.new_initial_state(), random.Random(1)))
    assert np.array(state.observation_tensor(0)).sum() > 10
