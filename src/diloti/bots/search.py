"""Search: every play is tried against sampled arrangements of the hidden cards, and played out."""

from __future__ import annotations

import numpy as np

from diloti.bots.belief import Floats, Witnessed, likelihood, nothing_witnessed, witnessed
from diloti.bots.choice import Candidate, Choice
from diloti.bots.network import Network
from diloti.bots.policy import Desk, judge_all, lay_and_judge, look_around, new_desk, play_hand
from diloti.bots.sample import Tables, draw_hidden, sampler_of
from diloti.core.dice import new_dice, roll
from diloti.core.jit import Ints, kernel
from diloti.core.plays import unpack_play
from diloti.core.position import STATE_SIZE, TURN, side_of
from diloti.core.view import View

CERTAIN = 1 << 30
BATCH = 16
"""Samples that are drawn and tried between two looks at the clock and at the results."""
PILOT = 192
"""Samples by which it is judged how likely a likely arrangement is."""
MOST_TRIES = 64
FEWEST_TRIALS = 48
MOST_TRIED = 24
SURE = 3.0
"""Standard errors that a play must be behind to be given up."""


@kernel
def weigh_pilot(
    rules: Ints,
    network: Network,
    tables: Tables,
    seen: Witnessed,
    desk: Desk,
    state: Ints,
    dice: Ints,
    weights: Floats,
) -> None:
    """The likelihoods of some samples."""
    for number in range(weights.size):
        draw_hidden(tables, state, dice)
        weights[number] = likelihood(rules, network, seen, state, desk, dice)


@kernel
def draw_likely(
    rules: Ints,
    network: Network,
    tables: Tables,
    seen: Witnessed,
    limit: float,
    samples: Ints,
    desk: Desk,
    dice: Ints,
) -> None:
    """Fill rows with whole positions, each as often as it is likely, up to `limit`."""
    for number in range(samples.shape[0]):
        for _ in range(MOST_TRIES):
            draw_hidden(tables, samples[number], dice)
            if seen.plays.shape[0] == 0:
                break
            weight = likelihood(rules, network, seen, samples[number], desk, dice)
            if roll(dice, CERTAIN) < weight / limit * CERTAIN:
                break


@kernel
def try_plays(
    rules: Ints,
    network: Network,
    samples: Ints,
    plays: Ints,
    alive: Ints,
    desk: Desk,
    state: Ints,
    dice: Ints,
    sums: Ints,
    products: Ints,
) -> None:
    """Play out each of the plays that are alive on each of the samples.

    Adds the results, in thousandths of a point for the seat in turn, to `sums`, and the products of
    every two of them on one sample to `products`.
    """
    results = sums[1]
    for sample in samples:
        for number in range(alive.size):
            row = alive[number]
            for place in range(STATE_SIZE):
                state[place] = sample[place]
            side = side_of(state[TURN])
            unseen = look_around(rules, state, desk)
            value = lay_and_judge(rules, network, state, plays[row], unseen, desk)
            value = play_hand(rules, network, state, desk, dice, value if side == 0 else -value)
            results[row] = value if side == 0 else -value
            sums[0, row] += results[row]
        for number in range(alive.size):
            one = alive[number]
            for other in range(number + 1):
                products[one, alive[other]] += results[one] * results[alive[other]]


class Search:
    """The trial of the plays of one turn."""

    def __init__(self, view: View, network: Network, seed: int, *, infer: bool = True) -> None:
        self._view = view
        self._rules = view.rules.packed
        self._network = network
        self._dice = new_dice(seed)
        self._desk = new_desk(view.loose)
        self._state = np.zeros(STATE_SIZE, dtype=np.int64)
        self._samples = np.zeros((BATCH, STATE_SIZE), dtype=np.int64)
        self._tables = sampler_of(view).tables
        self._seen = witnessed(view) if infer else nothing_witnessed()
        draw_hidden(self._tables, self._state, self._dice)
        number = judge_all(self._rules, network, self._state, self._desk, self._dice)
        worth = self._desk.worth[:number]
        order = np.argsort(-worth, kind="stable")[:MOST_TRIED]
        self.plays = self._desk.plays[order].copy()
        self.first_thoughts = worth[order].copy()
        self.alive = np.arange(len(order), dtype=np.int64)
        self.trials = np.zeros(len(order), dtype=np.int64)
        self.tried = 0
        self._sums = np.zeros((2, MOST_TRIED), dtype=np.int64)
        self._products = np.zeros((MOST_TRIED, MOST_TRIED), dtype=np.int64)
        self._limit = self._pilot()

    def _pilot(self) -> float:
        if not len(self._seen.plays) or len(self.plays) < 2:
            return 1.0
        weights = np.zeros(PILOT)
        weigh_pilot(
            self._rules,
            self._network,
            self._tables,
            self._seen,
            self._desk,
            self._state,
            self._dice,
            weights,
        )
        return min(float(weights.max()), 4 * float(weights.mean()))

    def step(self) -> None:
        """Try the plays that are alive on some more samples, and give up those far behind."""
        draw_likely(
            self._rules,
            self._network,
            self._tables,
            self._seen,
            self._limit,
            self._samples,
            self._desk,
            self._dice,
        )
        try_plays(
            self._rules,
            self._network,
            self._samples,
            self.plays,
            self.alive,
            self._desk,
            self._state,
            self._dice,
            self._sums,
            self._products,
        )
        self.trials[self.alive] += BATCH
        self.tried += BATCH * len(self.alive)
        self._give_up()

    def _give_up(self) -> None:
        trials = int(self.trials[self.alive[0]])
        if trials < FEWEST_TRIALS:
            return
        best = self.best
        kept = []
        for row in self.alive:
            behind = (int(self._sums[0, best]) - int(self._sums[0, row])) / trials
            low, high = min(best, row), max(best, row)
            square = (
                int(self._products[best, best])
                - 2 * int(self._products[high, low])
                + int(self._products[row, row])
            ) / trials
            if behind * behind <= SURE * SURE * (square - behind * behind) / trials or row == best:
                kept.append(row)
        self.alive = np.array(kept, dtype=np.int64)

    @property
    def best(self) -> int:
        """The row of the play with the highest mean among those alive."""
        return int(self.alive[int(np.argmax(self._sums[0, self.alive]))])

    @property
    def is_decided(self) -> bool:
        """Whether one play is left."""
        return len(self.alive) == 1

    def choice(self) -> Choice:
        """The best play so far, and the means of all."""
        known = self._view.known
        points = np.where(
            self.trials > 0,
            self._sums[0, : len(self.plays)] / np.maximum(self.trials, 1),
            self.first_thoughts,
        )
        best = self.best
        order = sorted(
            range(len(self.plays)), key=lambda row: (row != best, -self.trials[row], -points[row])
        )
        candidates = tuple(
            Candidate(unpack_play(known, self.plays[row]), round(float(points[row])) / 1000)
            for row in order
        )
        return Choice(candidates[0].play, candidates)


def search(
    view: View, network: Network, seed: int, simulations: int, *, infer: bool = True
) -> Choice:
    """Search with a number of playouts."""
    trial = Search(view, network, seed, infer=infer)
    while not trial.is_decided and trial.tried < simulations:
        trial.step()
    return trial.choice()
