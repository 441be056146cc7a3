"""Training the networks that judge positions, by play against themselves.

Each round plays deals by the network of the round before, with some plays at random for variety,
and fits the network further: in the first rounds to how the deals ended, later to what it says
itself at the end of the hand (temporal differences, after Tesauro's TD-Gammon). `make weights`
trains all the networks that are shipped, each in some ten minutes on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler

from diloti.bots.features import FEATURES
from diloti.bots.network import HIDDEN, WEIGHTS, Network, empty_network, quantized
from diloti.bots.policy import (
    POINT,
    Desk,
    best_of,
    final_lead,
    judge_all,
    lay_and_judge,
    lead,
    look_around,
    new_desk,
    play_out,
)
from diloti.core.deal import next_seat
from diloti.core.dice import new_dice, roll
from diloti.core.effects import DEAL_OVER, follow_play, hands_are_empty
from diloti.core.jit import Ints, kernel
from diloti.core.playouts import deal_random
from diloti.core.position import LOOSE, NOBODY, STATE_SIZE, TURN, side_of
from diloti.core.rules import PLAYERS, RULE_SETS, Rules
from diloti.core.scoring import points_of
from diloti.core.tallies import suits

BATCH = 4096


class Habit(NamedTuple):
    """How deals are played for training.

    Of a hundred plays `strays` are drawn evenly; the others are the best once up to `spread`
    thousandths of a point have been added to each. `trusts` says whether the network's judgement at
    the end of a hand stands for the rest of the deal.
    """

    strays: int
    spread: int
    trusts: bool


class Record(NamedTuple):
    """What is noted of positions after a play: one row each."""

    features: NDArray[np.int16]
    gains: Ints
    """What the side gained from there on, in thousandths of a point."""


@kernel
def settle(gains: Ints, sides: Ints, first: int, end: int, ahead: int) -> None:
    """Turn leads into gains in the rows from `first` up to `end`, side 0 being `ahead` at last."""
    for row in range(first, end):
        gains[row] = (ahead if sides[row] == 0 else -ahead) - gains[row]


@kernel
def play_deals(
    rules: Ints,
    network: Network,
    desk: Desk,
    state: Ints,
    pack: Ints,
    dice: Ints,
    deals: int,
    habit: Habit,
    record: Record,
    sides: Ints,
) -> int:
    """Play deals, and note every position after a play and what the side gained from there on.

    Where the habit trusts the network, a hand is settled by what it says at the end of the hand,
    and only the last position of the hand by the next one. Returns the number of rows filled.
    """
    row = 0
    for deal in range(deals):
        deal_random(rules, state, pack, dice, deal % rules[PLAYERS])
        start = first = row
        over = False
        while not over:
            if not suits(desk.work, state[LOOSE]):
                first = row = start  # too wide a table: the deal is left out
                break
            seat = state[TURN]
            side = side_of(seat)
            number = judge_all(rules, network, state, desk, dice)
            for play in range(number):
                desk.worth[play] += roll(dice, habit.spread + 1)
            best = best_of(desk.worth, number)
            if roll(dice, 100) < habit.strays:
                best = roll(dice, number)
            unseen = look_around(rules, state, desk)
            chosen = desk.plays[best]
            value = lay_and_judge(rules, network, state, chosen, unseen, desk, False)
            if state[TURN] != NOBODY:
                for place in range(FEATURES):
                    record.features[row, place] = desk.scratch.features[place]
                record.gains[row] = lead(rules, state, side) * POINT
                sides[row] = side
                row += 1
                if habit.trusts and hands_are_empty(rules, state):
                    settle(record.gains, sides, first, row - 1, value if side == 0 else -value)
                    first = row - 1
            over = state[TURN] == NOBODY or follow_play(rules, state) & DEAL_OVER != 0
        settle(record.gains, sides, first, row, final_lead(rules, state, 0) * POINT)
    return row


def gather(rules: Rules, network: Network, deals: int, seed: int, habit: Habit) -> Record:
    """Rows of features and gains from so many deals."""
    rows = deals * rules.plays_in_deal
    record = Record(np.zeros((rows, FEATURES), dtype=np.int16), np.zeros(rows, dtype=np.int64))
    filled = play_deals(
        rules.packed,
        network,
        new_desk(0),
        np.zeros(STATE_SIZE, dtype=np.int64),
        np.array(rules.cards, dtype=np.int64),
        new_dice(seed),
        deals,
        habit,
        record,
        np.zeros(rows, dtype=np.int64),
    )
    return Record(record.features[:filled], record.gains[:filled])


class Round(NamedTuple):
    """So many deals of play, and a pass over them for each learning rate."""

    deals: int
    habit: Habit
    rates: tuple[float, ...]


ROUNDS = (
    Round(15_000, Habit(20, 500, trusts=False), (2e-3, 2e-3)),
    Round(20_000, Habit(10, 500, trusts=False), (2e-3, 2e-3)),
    Round(30_000, Habit(8, 300, trusts=False), (1e-3, 1e-3)),
    *[Round(60_000, Habit(6, 300, trusts=True), (1e-3,))] * 5,
    *[Round(60_000, Habit(5, 200, trusts=True), (5e-4,))] * 5,
    *[Round(60_000, Habit(4, 150, trusts=True), (2e-4,))] * 4,
    *[Round(60_000, Habit(4, 150, trusts=True), (5e-5,))] * 3,
)
FIRST_SEED = 1000


class Learner:
    """A network in real numbers, fitted to more and more rows."""

    def __init__(self, seed: int) -> None:
        self._scaler = StandardScaler()
        self._model = MLPRegressor(
            hidden_layer_sizes=(HIDDEN,),
            alpha=1e-6,
            batch_size=BATCH,
            random_state=seed,
            shuffle=True,
        )

    def fit(self, record: Record, *, rates: Sequence[float]) -> None:
        """One pass over the rows for each learning rate."""
        if not hasattr(self._scaler, "scale_"):
            self._scaler.fit(record.features)
            self._scaler.scale_ = np.maximum(self._scaler.scale_, 0.05)
        rows = self._scaler.transform(record.features.astype(np.float32))
        points = record.gains.astype(np.float32) / POINT
        for rate in rates:
            self._model.learning_rate_init = rate
            if hasattr(self._model, "_optimizer"):
                self._model._optimizer.learning_rate_init = rate
            self._model.partial_fit(rows, points)

    def network(self) -> Network:
        """The nearest network in whole numbers; what never varied has no weight."""
        inputs = self._model.coefs_[0].astype(np.float64) / self._scaler.scale_[:, None]
        inputs[self._scaler.var_ == 0] = 0
        bias = self._model.intercepts_[0] - self._scaler.mean_ @ inputs
        return quantized(
            inputs, bias, self._model.coefs_[1][:, 0], float(self._model.intercepts_[1][0])
        )


def train(rules: Rules, tell: Callable[[str], None], rounds: Sequence[Round] = ROUNDS) -> Network:
    """Train a network for a rule set."""
    network = empty_network()
    learner = Learner(seed=1)
    for number, plan in enumerate(rounds):
        record = gather(rules, network, plan.deals, FIRST_SEED + number, plan.habit)
        learner.fit(record, rates=plan.rates)
        network = learner.network()
        tell(f"{rules.base}: round {number + 1} of {len(rounds)}, {len(record.gains)} plays")
    return network


@kernel
def play_many(
    rules: Ints, network: Network, desk: Desk, state: Ints, pack: Ints, dice: Ints, ends: Ints
) -> int:
    """Play deals by the network; how many points the side that leads gets, and the other.

    Deals whose table grows too wide for the desk are left out. Returns the number of rows filled.
    """
    row = 0
    for deal in range(ends.shape[0]):
        deal_random(rules, state, pack, dice, deal % rules[PLAYERS])
        leader = side_of(next_seat(rules, deal % rules[PLAYERS]))
        play_out(rules, network, state, desk, dice, 0, True)
        if state[TURN] == NOBODY:
            ends[row, 0] = points_of(rules, state, leader)
            ends[row, 1] = points_of(rules, state, 1 - leader)
            row += 1
    return row


def ends_of(rules: Rules, network: Network, deals: int = 4000) -> dict[str, Ints]:
    """How deals of a network against itself end, and how often each way."""
    ends = np.zeros((deals, 2), dtype=np.int64)
    filled = play_many(
        rules.packed,
        network,
        new_desk(0),
        np.zeros(STATE_SIZE, dtype=np.int64),
        np.array(rules.cards, dtype=np.int64),
        new_dice(1),
        ends,
    )
    ways, often = np.unique(ends[:filled], axis=0, return_counts=True)
    return {"ends": np.ascontiguousarray(ways), "often": often.astype(np.int64)}


def main() -> None:
    """Train the networks named on the command line, and put them where they are shipped from."""
    parser = argparse.ArgumentParser(description="Trains the networks that judge positions.")
    parser.add_argument("names", nargs="+", choices=list(RULE_SETS))
    parser.add_argument("--folder", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    for name in options.names:
        network = train(RULE_SETS[name], print)
        np.savez_compressed(options.folder / f"{name}.npz", **network._asdict())
        ends = ends_of(RULE_SETS[name], network)
        np.savez_compressed(options.folder / f"{name}.ends.npz", **ends)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
