"""Standard players to measure others by: flat Monte Carlo and information-set tree search.

Both sample the hidden cards evenly and play deals out to their end as the greedy player would.
"""

from __future__ import annotations

import numpy as np

from diloti.bots.budget import Budget
from diloti.bots.choice import SHOWN, Candidate, Choice
from diloti.bots.distinct import rows_drawn_once
from diloti.bots.network import greedy_network
from diloti.bots.policy import judge_all, new_desk
from diloti.bots.sample import draw_hidden, sampler_of
from diloti.bots.search import NO_CARDS, Method, Search
from diloti.bots.tree import MOST_STEPS, VISITS, Tree, child_of, grow_some, new_tree
from diloti.core.dice import new_dice
from diloti.core.plays import unpack_play
from diloti.core.position import STATE_SIZE
from diloti.core.view import View

SIMULATIONS = 1000
EXPLORE = 24_000
"""How much a play is tried that has been tried little, in thousandths of a point. Of 6, 12, 24 and
48 points, 24 did best against greedy, 12 and 48 a little worse (docs/strength.md)."""

_BATCH = 16
_NODES = 200_000


def choose_flat(view: View, seed: int, budget: Budget) -> Choice:
    """Every play is tried equally often, and the one with the best mean made."""
    method = Method(greedy_network(), infer=False, to_the_end=True, race=False)
    search = Search(view, method, seed)
    search.run(budget)
    return search.choice()


class _Growth:
    """A tree that grows in steps."""

    def __init__(self, view: View, seed: int) -> None:
        self.simulations = 0
        self._tables = sampler_of(view).tables
        self._rules = view.rules.packed
        self._desk = new_desk(NO_CARDS)
        self._dice = new_dice(seed)
        self._state = np.zeros(STATE_SIZE, dtype=np.int64)
        self._path = np.zeros((MOST_STEPS, 2), dtype=np.int64)
        self.tree: Tree = new_tree(_NODES)
        draw_hidden(self._tables, self._state, self._dice)
        desk = new_desk(view.loose)
        number = int(judge_all(self._rules, greedy_network(), self._state, desk, self._dice))
        rows = rows_drawn_once(desk.plays[:number])
        self.plays = desk.plays[rows[np.argsort(-desk.worth[rows], kind="stable")]]

    @property
    def grows(self) -> bool:
        """Whether the tree has a node; not on a table too wide for its desk, where it cannot."""
        return int(self.tree.size[0]) > 1

    def step(self, number: int) -> None:
        """So many more simulations."""
        grow_some(
            self._rules,
            greedy_network(),
            self.tree,
            self._tables,
            self._state,
            self._desk,
            self._path,
            self._dice,
            number,
            float(EXPLORE),
        )
        self.simulations += number


def choose_by_tree(view: View, seed: int, budget: Budget) -> Choice:
    """The play that the tree search has tried most often."""
    growth = _Growth(view, seed)
    while len(growth.plays) > 1 and (room := budget.room(growth.simulations, _BATCH)) > 0:
        growth.step(room)
        if not growth.grows:
            break
    nodes, gains = growth.tree.nodes, growth.tree.gains
    rated = []
    for row in range(len(growth.plays)):
        child = int(child_of(growth.tree, 0, growth.plays[row]))
        visits = int(nodes[child, VISITS]) if child > 0 else 0
        points = round(float(gains[child]) / visits / 1000, 3) if visits else None
        rated.append((visits, Candidate(unpack_play(view.known, growth.plays[row]), points)))
    rated.sort(key=lambda pair: -pair[0])
    return Choice(rated[0][1].play, tuple(candidate for _visits, candidate in rated[:SHOWN]))
