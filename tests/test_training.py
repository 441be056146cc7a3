"""Training: networks that can be made again, and are better than none."""

from __future__ import annotations

import numpy as np
import pytest

from diloti.bots.network import Network, empty_network, greedy_network, load_network
from diloti.bots.policy import POINT
from diloti.core.rules import CLASSIC
from diloti.lab.training import Habit, Round, gather, settle, train
from tests.thinking import INTERPRETED

TINY = (
    Round(600, Habit(20, 500, trusts=False), (2e-3, 2e-3)),
    Round(600, Habit(10, 300, trusts=True), (1e-3,)),
)
DEALS = 1 if INTERPRETED else 40


def error(network: Network, deals: int) -> float:
    """Mean square of what a network is wrong by in deals that it was not trained by."""
    record = gather(CLASSIC, greedy_network(), deals, 77, Habit(5, 100, trusts=False))
    numbers = record.features.astype(np.int64)
    sums = np.maximum(numbers @ network.inputs.astype(np.int64) + network.bias, 0)
    said = (sums @ network.output[:-1] >> 16) + network.output[-1]
    return float(np.mean(((said - record.gains) / POINT) ** 2))


def test_leads_become_gains() -> None:
    gains, sides = np.array([0, 1000, -2000, 5]), np.array([0, 1, 0, 1])
    settle(gains, sides, 1, 3, 4000)
    assert gains.tolist() == [0, -5000, 6000, 5]


@pytest.mark.parametrize("trusts", [False, True])
def test_rows_are_the_same_each_time_and_add_up(trusts: bool) -> None:
    habit = Habit(10, 300, trusts)
    record, again = (gather(CLASSIC, load_network("classic"), DEALS, 5, habit) for _ in range(2))
    assert (record.features == again.features).all()
    assert (record.gains == again.gains).all()
    rows = CLASSIC.plays_in_deal - 1  # the last play of a deal is followed by nothing
    assert len(record.features) == len(record.gains) == DEALS * rows
    if not trusts:
        assert (record.gains % POINT == 0).all()


@pytest.mark.skipif(INTERPRETED, reason="deals take long interpreted")
def test_the_shipped_network_judges_better_than_none() -> None:
    assert error(load_network("classic"), 200) < 0.95 * error(empty_network(), 200)


@pytest.mark.proof
def test_training_can_be_repeated_and_is_better_than_none() -> None:
    told: list[str] = []
    networks = [train(CLASSIC, told.append, TINY) for _ in range(2)]
    for one, other in zip(*networks, strict=True):
        assert (one == other).all()
    assert told[:2] == told[2:]
    assert len(told) == 4
    assert error(networks[0], 400) < 0.98 * error(empty_network(), 400)
