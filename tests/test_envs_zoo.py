"""The PettingZoo environment: its own test kit, and that it is the game."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.test import (
    api_test,
    performance_benchmark,
    render_test,
    seed_test,
)

from diloti.bots.simple import choose_random
from diloti.core.cards import PACK_SIZE
from diloti.core.errors import DilotiError
from diloti.core.notation import format_card
from diloti.core.rules import TAVERNA
from diloti.core.scoring import score_deal
from diloti.envs import diloti_v0
from diloti.envs.actions import ActionError, actions_of
from diloti.envs.terms import TermsError
from tests.environments import NAMED, SWITCHED, name_of

# Their own environments with dictionaries as observations are exempt from these by name.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


def run_test_kit(terms: dict[str, Any], *, cycles: int) -> None:
    """Everything that PettingZoo tries on an environment."""
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(diloti_v0.env(**terms), num_cycles=cycles)
        seed_test(lambda: diloti_v0.env(**terms), num_cycles=cycles)
        render_test(lambda **mode: diloti_v0.env(**terms, **mode))


@pytest.mark.parametrize("terms", NAMED, ids=name_of)
def test_the_kit_of_pettingzoo(terms: dict[str, Any]) -> None:
    run_test_kit(terms, cycles=60)


@pytest.mark.proof
@pytest.mark.parametrize("terms", SWITCHED, ids=name_of)
def test_the_kit_of_pettingzoo_with_every_switch(terms: dict[str, Any]) -> None:
    run_test_kit(terms, cycles=400)


@pytest.mark.proof
@pytest.mark.parametrize("terms", NAMED, ids=name_of)
def test_the_benchmark_of_pettingzoo_runs(terms: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as told:
        performance_benchmark(diloti_v0.env(**terms))
    assert "turns per second" in told.getvalue()


def play_out(env: AECEnv[str, Any, int], seed: int, **options: Any) -> dict[str, float]:
    """Play an episode at random; what each agent got."""
    rng = random.Random(seed)
    env.reset(seed=seed, options=options)
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, termination, truncation, _told = env.last()
        got[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        assert seen is not None
        for other in env.possible_agents:
            mask = env.observe(other)["action_mask"]
            assert mask.any() == (other == agent)
        env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    return got


@pytest.mark.parametrize("terms", NAMED, ids=name_of)
def test_a_deal_is_worth_its_points(terms: dict[str, Any]) -> None:
    for seed in range(3):
        raw = diloti_v0.raw_env(**terms)
        got = play_out(raw, seed)
        first, second = (sheet.total for sheet in score_deal(raw._match.position).sheets)
        expected = [first - second, second - first] * 2
        assert list(got.values()) == expected[: len(got)]


def test_a_match_is_won_or_lost() -> None:
    raw = diloti_v0.raw_env(rules="taverna", episode="match", target=21)
    got = play_out(raw, 5)
    winner = raw._match.winner
    assert winner is not None
    assert len(raw._match.deals) > 1
    assert [got[f"player_{seat}"] for seat in range(4)] == [
        1.0 if seat % 2 == winner else -1.0 for seat in range(4)
    ]


def test_an_endless_match_is_broken_off() -> None:
    """Without aces and courts of worth, some packs bring no points at all."""
    raw = diloti_v0.raw_env(
        episode="match", most_deals=3, pack="3c3d4c4d5c5d", hand_size=2, layout_size=2, target=500
    )
    got = play_out(raw, 1)
    assert len(raw._match.deals) == 3
    assert set(got.values()) == {0.0}
    raw.reset(seed=1)
    while not any(raw.truncations.values()):
        raw.step(int(raw.observe(raw.agent_selection)["action_mask"].argmax()))
    assert not any(raw.terminations.values())


def test_the_same_pack_can_be_dealt_again() -> None:
    pack = random.Random(3).sample(range(52), 52)
    hands = []
    for dealer in (0, 1):
        raw = diloti_v0.raw_env()
        raw.reset(seed=9, options={"pack": pack, "dealer": dealer})
        assert raw.agent_selection == f"player_{1 - dealer}"
        hands.append(raw._match.position.hands)
    assert hands[0] == hands[1][::-1]


def test_an_action_that_is_not_allowed() -> None:
    raw = diloti_v0.raw_env()
    raw.reset(seed=1)
    with pytest.raises(ActionError):
        raw.step(117)
    wrapped = diloti_v0.env()
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    with contextlib.redirect_stderr(io.StringIO()):
        wrapped.step(117)
    assert wrapped.rewards[agent] < -100  # no deal is lost by so much
    assert all(wrapped.terminations.values())


def test_cards_are_shown_to_the_partner() -> None:
    env = diloti_v0.raw_env(rules="taverna", partners_show_card=True)
    env.reset(seed=4)
    first = env.agent_selection
    card = int(env.observe(first)["action_mask"].argmax())
    env.step(card)
    seat = int(first[-1])
    shown = env._match.position.shown
    assert shown is not None
    assert shown[seat] == card
    before = {agent: env.observe(agent)["observation"] for agent in env.agents}
    env.reset(seed=4)
    env.step(int(np.flatnonzero(env.observe(first)["action_mask"])[1]))
    for other, agent in enumerate(env.agents):
        changed = (env.observe(agent)["observation"] != before[agent]).any()
        assert changed == (other % 2 == seat % 2)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(DilotiError):
        diloti_v0.env(rules="bridge")
    with pytest.raises(DilotiError):
        diloti_v0.env(players=3)
    with pytest.raises(TermsError):
        diloti_v0.env(episode="evening")
    for wrong in ({"hand_size": 3}, {"layout_size": -3}, {"most_deals": 2.5}, {"rules": None}):
        with pytest.raises(TermsError):
            diloti_v0.env(**wrong)
    with pytest.raises(DilotiError, match="for ever"):
        diloti_v0.env(pack="AcAdJcJdJhJs2c2d", hand_size=2, layout_size=4)
    diloti_v0.env(pack="AcAdJcJdJhJs2c2d", hand_size=2, layout_size=4, redeal="never")
    with pytest.raises(ValueError, match="render_mode"):
        diloti_v0.env(render_mode="rgb_array")


def test_a_rule_set_as_a_value() -> None:
    assert diloti_v0.raw_env(rules=TAVERNA).rules == TAVERNA
    assert diloti_v0.raw_env(rules=TAVERNA, target=101).rules.target == 101
    assert len(diloti_v0.raw_env(rules=TAVERNA).possible_agents) == 4


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(copied: Callable[[Any], Any]) -> None:
    """So searches can branch; in both the same packs will come."""
    env = diloti_v0.raw_env(rules="taverna", players=2, episode="match", target=11)
    env.reset(seed=1)
    other = copied(env)
    for _ in range(100):
        agent = env.agent_selection
        assert other.agent_selection == agent
        mask = env.observe(agent)["action_mask"]
        assert (other.observe(agent)["observation"] == env.observe(agent)["observation"]).all()
        env.step(int(mask.argmax()))
        if env.agents and any(env.terminations.values()):
            break
        other.step(int(mask.argmax()))


def test_options_of_reset() -> None:
    env = diloti_v0.raw_env()
    with pytest.raises(TypeError):
        env.reset(options={"dealer": 1.5})
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(1.5)  # type: ignore[arg-type]


def test_the_parallel_form() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        env = diloti_v0.parallel_env()
        seen, told = env.reset(seed=1)
        while env.agents:
            actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in env.agents}
            seen, rewards, _ends, _breaks, told = env.step(actions)
    assert sum(rewards.values()) == 0
    assert told is not None


def test_the_table_as_text() -> None:
    env = diloti_v0.raw_env(render_mode="ansi")
    env.reset(seed=2, options={"dealer": 1})
    drawn = env.render()
    assert drawn is not None
    assert drawn.startswith("table: ")
    assert "> player 0: " in drawn


def test_a_pack_is_named_by_numbers_or_by_names() -> None:
    env, pack = diloti_v0.raw_env(), random.Random(3).sample(range(PACK_SIZE), PACK_SIZE)
    seen = []
    for named in (pack, [format_card(card) for card in pack]):
        env.reset(seed=1, options={"pack": named, "dealer": 0})
        seen.append(env.observe("player_1")["observation"])
    assert np.array_equal(seen[0], seen[1])
    for wrong in (["Zz"], pack[:9]):
        with pytest.raises(DilotiError, match=r"not a card|exactly once"):
            env.reset(options={"pack": wrong})


def test_whoever_plays_all_at_once_is_told_who_is_asked() -> None:
    env = diloti_v0.parallel_env(rules="taverna")
    seen, told = env.reset(seed=2)
    while env.agents:
        [asked] = {info["active_agent"] for info in told.values()}
        assert [agent for agent in env.agents if seen[agent]["action_mask"].any()] == [asked]
        actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in env.agents}
        seen, _, ended, _, told = env.step(actions)
        if any(ended.values()):
            break


@pytest.mark.parametrize("terms", NAMED, ids=name_of)
def test_bots_play_by_what_an_agent_may_see(terms: dict[str, Any]) -> None:
    env = diloti_v0.raw_env(**terms)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        agent = env.agent_selection
        view = env.view(agent)
        assert env.possible_agents[view.seat] == agent
        for action in actions_of(view.known, choose_random(view, seed=1).play):
            assert env.agent_selection == agent
            env.step(action)
