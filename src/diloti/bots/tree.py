"""Information-set tree search: one tree of what the seat could see, grown over sampled positions.

Single-observer ISMCTS after Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
Search" (2012): each simulation draws the hidden cards afresh, goes down the tree by the plays that
are legal there, adds one node, and plays out the rest. Whoever is in turn prefers what was good for
the own side, so partners play together. The tree ends where the hand ends, and the network's
player goes on to the end of the deal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from diloti.bots.distinct import UNIQUE
from diloti.bots.network import Network
from diloti.bots.policy import Desk, judge_all, play_out
from diloti.bots.sample import Tables, draw_hidden
from diloti.core.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS, tally_of
from diloti.core.effects import hands_are_empty, lay_play
from diloti.core.jit import Ints, inlined_kernel, kernel, spliced_kernel
from diloti.core.position import LOOSE, TURN, side_of
from diloti.core.tallies import suits

NOTHING = -1
MOST_STEPS = 64
"""Rows of a path; a hand has fewer plays."""

_FIRST = 1e15

NAME, USED, CHILD, SIBLING, VISITS, OFFERED = range(6)
"""Of each node: the play that led to it (two numbers), its first child and its next sibling, how
often it was visited, and how often its play was legal when its parent was visited."""


class Tree(NamedTuple):
    """The nodes, the root first; `gains` are sums of results for the side that made the play."""

    nodes: Ints
    gains: NDArray[np.float64]
    size: Ints


def new_tree(nodes: int) -> Tree:
    """A tree of the root alone, with room for so many nodes."""
    tree = Tree(np.zeros((nodes, 6), dtype=np.int64), np.zeros(nodes), np.ones(1, dtype=np.int64))
    tree.nodes[0, CHILD] = tree.nodes[0, SIBLING] = NOTHING
    return tree


@inlined_kernel
def name_of(play: Ints) -> int:
    """What a play is called as far as its card goes, alike for equal cards."""
    scoring = 1 if (1 << play[1]) & UNIQUE else 0
    taken = 1 if play[2] & TEN_OF_DIAMONDS else 0
    taken += 2 if play[2] & TWO_OF_CLUBS else 0
    return int(play[0] | scoring << 2 | taken << 3 | (play[1] >> 2) << 5 | play[4] << 9)


@inlined_kernel
def cards_used(play: Ints) -> int:
    """What a play uses of the table, alike for equal loose cards."""
    return int(tally_of(play[2]) ^ 3 * play[3])


@inlined_kernel
def child_of(tree: Tree, node: int, play: Ints) -> int:
    """The child that a play leads to, or `NOTHING`."""
    name, used = name_of(play), cards_used(play)
    child = tree.nodes[node, CHILD]
    while child != NOTHING and (tree.nodes[child, NAME] != name or tree.nodes[child, USED] != used):
        child = tree.nodes[child, SIBLING]
    return int(child)


@inlined_kernel
def add_child(tree: Tree, node: int, play: Ints) -> int:
    """A new child of a node."""
    child = tree.size[0]
    tree.size[0] += 1
    tree.nodes[child, NAME] = name_of(play)
    tree.nodes[child, USED] = cards_used(play)
    tree.nodes[child, CHILD] = NOTHING
    tree.nodes[child, SIBLING] = tree.nodes[node, CHILD]
    tree.nodes[node, CHILD] = child
    return int(child)


@spliced_kernel
def grow(
    rules: Ints,
    network: Network,
    tree: Tree,
    state: Ints,
    desk: Desk,
    path: Ints,
    dice: Ints,
    explore: float,
) -> None:
    """One simulation from a sampled position, which is played on in `state`.

    `explore` and the results are in thousandths of a point. Plays that have not been tried come
    first, in the order of what the network says of them.
    """
    node, depth, value = 0, 0, 0
    grown = False
    while not grown and not hands_are_empty(rules, state) and suits(desk.work, state[LOOSE]):
        side = side_of(state[TURN])
        number = judge_all(rules, network, state, desk, dice)
        if number == 0:
            break  # only a view that contradicts itself leads there
        best, best_child, best_bound = 0, NOTHING, -_FIRST
        for row in range(number):
            child = child_of(tree, node, desk.plays[row])
            if child == NOTHING:
                bound = _FIRST + desk.worth[row]
            else:
                tree.nodes[child, OFFERED] += 1
                visits = tree.nodes[child, VISITS]
                bound = tree.gains[child] / visits
                bound += explore * np.sqrt(np.log(float(tree.nodes[child, OFFERED])) / visits)
            if bound > best_bound:
                best, best_child, best_bound = row, child, bound
        grown = best_child == NOTHING
        if grown and tree.size[0] < tree.nodes.shape[0]:
            best_child = add_child(tree, node, desk.plays[best])
            tree.nodes[best_child, OFFERED] = 1
        value = desk.worth[best] if side == 0 else -desk.worth[best]
        play = desk.plays[best]
        lay_play(rules, state, play[0], play[1], play[2], play[3], play[4])
        if best_child == NOTHING:
            break
        path[depth, 0] = best_child
        path[depth, 1] = side
        depth += 1
        node = best_child
    value = play_out(rules, network, state, desk, dice, value, True)
    for step in range(depth):
        tree.nodes[path[step, 0], VISITS] += 1
        tree.gains[path[step, 0]] += value if path[step, 1] == 0 else -value


@kernel
def grow_some(
    rules: Ints,
    network: Network,
    tree: Tree,
    tables: Tables,
    state: Ints,
    desk: Desk,
    path: Ints,
    dice: Ints,
    number: int,
    explore: float,
) -> None:
    """Some simulations, each from a new sample."""
    for _ in range(number):
        draw_hidden(tables, state, dice)
        grow(rules, network, tree, state, desk, path, dice, explore)
