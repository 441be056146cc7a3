"""Search: every play is tried on sampled arrangements of the hidden cards, and the hand played out.

All plays are tried on the same arrangements, so what is compared are differences; a play that is
surely behind is given up, and the others get the time. The hand is played out by the network, each
seat by what it sees itself, and the network judges where that leads. The last hand of two players
never comes here: `diloti.bots.levels` has it solved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from diloti.bots.belief import Witnessed, likelihood, nothing_witnessed, witnessed
from diloti.bots.budget import Budget
from diloti.bots.choice import Candidate, Choice
from diloti.bots.distinct import rows_drawn_once
from diloti.bots.network import Network
from diloti.bots.outlook import SURE, Outlook, worth_of_lead
from diloti.bots.policy import Desk, judge_all, lay_and_judge, look_around, new_desk, play_out
from diloti.bots.sample import Tables, draw_hidden, sampler_of
from diloti.core.dice import new_dice, roll
from diloti.core.jit import Floats, Ints, kernel
from diloti.core.plays import unpack_play
from diloti.core.position import STATE_SIZE, TURN, XERI, side_of
from diloti.core.view import View

BATCH = 16
"""Samples that are tried between two looks at the results."""
PILOT = 192
"""Samples by which it is judged how likely a likely arrangement is."""
MOST_TRIED = 24
"""Plays that are tried, the best at first sight."""
FEWEST_TRIALS = 48
"""Samples after which a play may be given up."""
BEHIND = 3.0
"""Standard errors of the difference that a play must be behind to be given up."""

NO_CARDS = 0
"""The desk of the playouts suits common tables: on a very wide one the network judges at once."""

_CERTAIN = 1 << 30
_MOST_DRAWN = 64
_LIKELY = 4


@kernel
def draw_likely(
    rules: Ints,
    network: Network,
    tables: Tables,
    seen: Witnessed,
    limit: Floats,
    samples: Ints,
    desk: Desk,
    dice: Ints,
    pilot: int,
) -> None:
    """Fill rows with whole positions, each as often as it is likely.

    All that are more likely than `limit` says count alike; where it is 0 yet, it is found out by so
    many samples of a `pilot`: as likely as the likeliest, but not more than some times the mean.
    """
    total, most = 0.0, 0.0
    drawn, row = 0, 0
    is_pilot = limit[0] == 0.0
    while row < samples.shape[0]:
        draw_hidden(tables, samples[row], dice)
        weight = 1.0
        if seen.plays.shape[0]:
            weight = likelihood(rules, network, seen, samples[row], desk, dice)
        drawn += 1
        if is_pilot:
            total += weight
            most = max(most, weight)
            if drawn == pilot:
                limit[0] = min(most, _LIKELY * total / pilot)
                is_pilot = False
                drawn = 0
        elif drawn == _MOST_DRAWN or roll(dice, _CERTAIN) < weight / limit[0] * _CERTAIN:
            drawn = 0
            row += 1


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
    worth: Ints,
    results: Ints,
    sums: Ints,
    products: Floats,
    to_the_end: bool,
) -> None:
    """Play out each of the plays that are alive on each of the samples.

    What each is worth to the side in turn goes into `results` and is added to row 0 of `sums`, its
    lead in thousandths of a point to row 1; the products of every two results on one sample are
    added to `products`. Leads are worth what `worth` says (`diloti.bots.outlook`), and themselves
    where that is empty.
    """
    for number in range(samples.shape[0]):
        for place in range(alive.size):
            row = alive[place]
            for field in range(STATE_SIZE):
                state[field] = samples[number, field]
            side = side_of(state[TURN])
            unseen = look_around(rules, state, desk)
            lead = lay_and_judge(rules, network, state, plays[row], unseen, desk, True)
            lead = lead if side == 0 else -lead
            lead = play_out(rules, network, state, desk, dice, lead, to_the_end)
            result = lead if side == 0 else -lead
            sums[1, row] += result
            if worth.size:
                result = worth_of_lead(worth, lead, state[XERI] + state[XERI + 1])
                result = result if side == 0 else -result
            results[row] = result
            sums[0, row] += result
        for place in range(alive.size):
            one = alive[place]
            for other in range(place + 1):
                products[one, alive[other]] += float(results[one]) * results[alive[other]]


@dataclass(frozen=True)
class Method:
    """How a search is made."""

    network: Network
    infer: bool = True
    """Whether hidden cards are judged by how the others have played."""
    to_the_end: bool = False
    """Whether deals are played out to their end, rather than judged at the end of the hand."""
    race: bool = True
    """Whether plays that are surely behind are given up."""


class Search:
    """The trial of the plays of one turn."""

    def __init__(
        self, view: View, method: Method, seed: int, *, outlook: Outlook | None = None
    ) -> None:
        """With an `outlook` it looks for the best chance to win the match, else for points."""
        self._view = view
        self._method = method
        self._rules = view.rules.packed
        self._dice = new_dice(seed)
        self._desk = new_desk(NO_CARDS)
        self._worth = np.zeros((0, 0), dtype=np.int64) if outlook is None else outlook.worth
        sampler = sampler_of(view)
        self._tables = sampler.tables
        infer = method.infer and not sampler.is_contradictory
        self._seen = witnessed(view) if infer else nothing_witnessed()
        self._state = np.zeros(STATE_SIZE, dtype=np.int64)
        self._samples = np.zeros((BATCH, STATE_SIZE), dtype=np.int64)
        draw_hidden(self._tables, self._state, self._dice)
        desk = new_desk(view.loose)
        number = judge_all(self._rules, method.network, self._state, desk, self._dice)
        rows = rows_drawn_once(desk.plays[:number])
        worth = desk.worth[rows]
        order = np.argsort(-worth, kind="stable")[:MOST_TRIED]
        self.plays = desk.plays[rows[order]]
        self.first_thoughts = worth[order]
        self.alive = np.arange(len(order), dtype=np.int64)
        self.trials = np.zeros(len(order), dtype=np.int64)
        self.simulations = 0
        self._next = 1
        self._results = np.zeros(len(order), dtype=np.int64)
        self._sums = np.zeros((2, len(order)), dtype=np.int64)
        self._products = np.zeros((len(order), len(order)))
        self._limit = np.array([0.0 if len(self._seen.plays) else 1.0])

    def run(self, budget: Budget) -> None:
        """Go on while there is time and more than one play is left."""
        while not self.is_decided:
            room = budget.room(self.simulations, self._next * len(self.alive))
            if room <= 0:
                break
            self.step(-(-room // len(self.alive)))
            self._next = min(2 * self._next, BATCH)

    def step(self, number: int = BATCH) -> None:
        """Try the plays that are alive on some more samples, and give up those far behind."""
        samples = self._samples[:number]
        draw_likely(
            self._rules,
            self._method.network,
            self._tables,
            self._seen,
            self._limit,
            samples,
            self._desk,
            self._dice,
            PILOT,
        )
        try_plays(
            self._rules,
            self._method.network,
            samples,
            self.plays,
            self.alive,
            self._desk,
            self._state,
            self._dice,
            self._worth,
            self._results,
            self._sums,
            self._products,
            self._method.to_the_end,
        )
        self.trials[self.alive] += number
        self.simulations += number * len(self.alive)
        if self._method.race and self.trials[self.alive[0]] >= FEWEST_TRIALS:
            best = self.best
            kept = [row for row in self.alive if row == best or not self._is_behind(int(row), best)]
            self.alive = np.array(kept, dtype=np.int64)

    def _is_behind(self, row: int, best: int) -> bool:
        """Whether a play is behind the best by `BEHIND` standard errors of their difference."""
        trials = int(self.trials[row])
        behind = int(self._sums[0, best] - self._sums[0, row]) / trials
        both = float(self._products[max(best, row), min(best, row)])
        squares = float(self._products[best, best] + self._products[row, row])
        variance = (squares - 2 * both) / trials - behind * behind
        return behind * behind * trials > BEHIND * BEHIND * variance

    @property
    def best(self) -> int:
        """The row of the play with the highest mean among those alive."""
        return int(self.alive[int(np.argmax(self._sums[0, self.alive]))])

    @property
    def is_decided(self) -> bool:
        """Whether one play is left."""
        return len(self.alive) == 1

    def lead(self, row: int) -> float:
        """The lead that a play is expected to end the deal with, in points."""
        if self.trials[row]:
            return int(self._sums[1, row]) / int(self.trials[row]) / 1000
        return int(self.first_thoughts[row]) / 1000

    def chance(self, row: int) -> float | None:
        """The chance to win the match with a play; None where it was not looked for."""
        if not self._worth.size or not self.trials[row]:
            return None
        mean = int(self._sums[0, row]) / int(self.trials[row]) / SURE
        return round(mean if self._view.side == 0 else 1 + mean, 4)

    def choice(self) -> Choice:
        """The best play so far; the others follow, those given up last first."""
        known = self._view.known
        rest = [row for row in range(len(self.plays)) if row != self.best]
        order = [self.best, *sorted(rest, key=lambda row: (-self.trials[row], -self.lead(row)))]
        candidates = tuple(
            Candidate(
                unpack_play(known, self.plays[row]), round(self.lead(row), 3), self.chance(row)
            )
            for row in order
        )
        return Choice(candidates[0].play, candidates)
