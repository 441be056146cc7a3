"""The decisions of deals that were played: those of the environments, one for one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diloti.core.match import DealLog, Match
from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.core.rules import CLASSIC
from diloti.envs import diloti_v0
from diloti.envs.decisions import Decisions, decisions_of
from diloti.envs.encode import history_shape
from tests.environments import NAMED, SWITCHED, name_of
from tests.setting import some_play

Seen = list[tuple[np.ndarray, np.ndarray, np.ndarray, int, int]]


def play_deal(terms: dict[str, Any], seed: int) -> tuple[DealLog, Seen, dict[int, float]]:
    """A deal of random actions in PettingZoo's environment, all that was seen, and the rewards."""
    env, chance = diloti_v0.raw_env(**terms), np.random.default_rng(seed)
    env.reset(seed=seed)
    seen: Seen = []
    while not any(env.terminations.values()):
        agent = env.agent_selection
        seat, here = env.possible_agents.index(agent), env.observe(agent)
        action = int(chance.choice(np.flatnonzero(here["action_mask"])))
        seen.append((here["observation"], here["action_mask"], here["history"], action, seat))
        env.step(action)
    rewards = {env.possible_agents.index(agent): won for agent, won in env.rewards.items()}
    return env._match.deal_log, seen, rewards


def check(made: Decisions, seen: Seen, rewards: dict[int, float]) -> None:
    observations, masks, histories, actions, seats = zip(*seen, strict=True)
    assert np.array_equal(made.actions, actions)
    assert np.array_equal(made.seats, seats)
    assert np.array_equal(made.masks, masks)
    assert np.array_equal(made.observations, observations)
    assert np.array_equal(made.histories, histories)
    assert made.leads.tolist() == [rewards[seat] for seat in seats]


@pytest.mark.parametrize("terms", [*NAMED, *SWITCHED], ids=name_of)
def test_a_record_gives_what_the_agents_saw_and_did(terms: dict[str, Any]) -> None:
    for seed in range(3):
        deal, seen, rewards = play_deal(terms, seed)
        check(decisions_of(deal, history=True), seen, rewards)


def test_the_text_of_a_record_gives_the_same() -> None:
    match = Match(CLASSIC, first_dealer=0)
    match.deal_seed(bytes(32))
    while match.deal_log.score is None:
        match.play(some_play(match.position))
    again = parse_record(format_record(Record(match))).match
    here, read = decisions_of(match.deal_log), decisions_of(again.deal_log)
    assert len(here) == len(read) >= CLASSIC.plays_in_deal
    assert np.array_equal(here.observations, read.observations)
    assert np.array_equal(here.actions, read.actions)


def test_histories_are_left_out_unless_wanted() -> None:
    deal, seen, _ = play_deal(NAMED[0], 1)
    assert not len(decisions_of(deal).histories)
    histories = decisions_of(deal, history=True).histories
    assert histories.shape == (len(seen), *history_shape(CLASSIC))


def test_a_deal_that_is_not_over_has_no_result() -> None:
    match = Match(CLASSIC, first_dealer=0)
    match.deal_seed(bytes(32))
    with pytest.raises(ValueError, match="not over"):
        decisions_of(match.deal_log)
