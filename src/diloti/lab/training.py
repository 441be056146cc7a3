"""Training the network that judges positions, by play against itself.

Each round plays deals by the network of the round before, with some plays at random for variety,
and fits a new network to how the deals ended. Run it with `make weights`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler

from diloti.bots.features import FEATURES, describe, find_chances, unseen_by
from diloti.bots.network import HIDDEN, Network, quantized
from diloti.bots.policy import Desk, best_of, final_lead, judge_all, lead, new_desk
from diloti.core.deal import next_seat
from diloti.core.dice import new_dice, roll
from diloti.core.effects import (
    DEAL_OVER,
    follow_play,
    hands_are_empty,
    lay_play,
    stock_is_empty,
)
from diloti.core.jit import Ints, kernel
from diloti.core.playouts import deal_random
from diloti.core.position import LOOSE, STATE_SIZE, TURN, side_of
from diloti.core.rules import PLAYERS, Rules
from diloti.core.tallies import suits

BATCH = 2048


@kernel
def play_deals(
    rules: Ints,
    network: Network,
    desk: Desk,
    state: Ints,
    pack: Ints,
    dice: Ints,
    deals: int,
    strays: int,
    spread: int,
    features: NDArray[np.int16],
    gains: Ints,
) -> int:
    """Play deals and note every position after a play and what the side gained from there on.

    One play of a hundred is drawn evenly for each of `strays`, the others are the best once up to
    `spread` thousandths of a point have been added to each. Returns the number of rows filled.
    """
    row = 0
    for deal in range(deals):
        deal_random(rules, state, pack, dice, deal % rules[PLAYERS])
        first = row
        over = False
        while not over:
            if not suits(desk.work, state[LOOSE]):
                row = first
                break
            seat = state[TURN]
            side = side_of(seat)
            number = judge_all(rules, network, state, desk, dice)
            for play in range(number):
                desk.worth[play] += roll(dice, spread + 1)
            best = best_of(desk.worth, number)
            if roll(dice, 100) < strays:
                best = roll(dice, number)
            unseen = unseen_by(rules, state, seat)
            find_chances(rules, state, unseen, next_seat(rules, seat), desk.chances)
            chosen = desk.plays[best]
            lay_play(rules, state, chosen[0], chosen[1], chosen[2], chosen[3], chosen[4])
            if not (stock_is_empty(rules, state) and hands_are_empty(rules, state)):
                describe(rules, state, seat, unseen, desk.chances, desk.words, desk.features)
                for place in range(FEATURES):
                    features[row, place] = desk.features[place]
                gains[row] = lead(rules, state, side) * 2 + side
                row += 1
            over = follow_play(rules, state) & DEAL_OVER != 0
        ahead = final_lead(rules, state, 0)
        for place in range(first, row):
            side = gains[place] & 1
            before = gains[place] >> 1
            gains[place] = (ahead if side == 0 else -ahead) - before
    return row


def gather(
    rules: Rules, network: Network, deals: int, seed: int, strays: int, spread: int
) -> tuple[NDArray[np.int16], Ints]:
    """Rows of features and gains from so many deals."""
    features = np.zeros((deals * rules.plays_in_deal, FEATURES), dtype=np.int16)
    gains = np.zeros(deals * rules.plays_in_deal, dtype=np.int64)
    rows = play_deals(
        rules.packed,
        network,
        new_desk(0),
        np.zeros(STATE_SIZE, dtype=np.int64),
        np.array(rules.cards, dtype=np.int64),
        new_dice(seed),
        deals,
        strays,
        spread,
        features,
        gains,
    )
    return features[:rows], gains[:rows]


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

    def fit(self, features: NDArray[np.int16], gains: Ints, *, rates: Sequence[float]) -> None:
        """One pass over the rows for each learning rate."""
        if not hasattr(self._scaler, "scale_"):
            self._scaler.fit(features)
        rows = self._scaler.transform(features.astype(np.float32))
        points = gains.astype(np.float32)
        for rate in rates:
            self._model.learning_rate_init = rate
            if hasattr(self._model, "_optimizer"):
                self._model._optimizer.learning_rate_init = rate
            self._model.partial_fit(rows, points)

    def error(self, features: NDArray[np.int16], gains: Ints) -> float:
        """Mean square of what it is wrong by, in square points."""
        rows = self._scaler.transform(features.astype(np.float32))
        return float(np.mean((self._model.predict(rows) - gains) ** 2))

    def network(self) -> Network:
        """The nearest network in whole numbers."""
        inputs = self._model.coefs_[0].astype(np.float64) / self._scaler.scale_[:, None]
        bias = self._model.intercepts_[0] - self._scaler.mean_ @ inputs
        return quantized(
            inputs, bias, self._model.coefs_[1][:, 0], float(self._model.intercepts_[1][0])
        )
