"""The standard players: flat Monte Carlo and the tree search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from diloti.bots.budget import Budget
from diloti.bots.network import greedy_network
from diloti.bots.policy import new_desk
from diloti.bots.sample import sampler_of
from diloti.bots.standard import choose_by_tree, choose_flat
from diloti.bots.tree import (
    CHILD,
    MOST_STEPS,
    NOTHING,
    OFFERED,
    SIBLING,
    VISITS,
    Tree,
    cards_used,
    child_of,
    grow_some,
    name_of,
    new_tree,
)
from diloti.core.dice import new_dice
from diloti.core.notation import parse_play
from diloti.core.plays import Play, legal_plays
from diloti.core.position import STATE_SIZE
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.view import View, view_of
from tests.sampling import deals
from tests.test_endgame import merged
from tests.thinking import INTERPRETED

SIMULATIONS = 4 if INTERPRETED else 300


def turn_of(rules: Rules, seed: int, place: int) -> View:
    """The view of the seat in turn in a deal."""
    here = list(deals(rules, seed, "greedy"))[place]
    assert here.turn is not None
    return view_of(here, here.turn)


def grown(view: View, simulations: int, *, nodes: int = 4000, seed: int = 1) -> Tree:
    """A tree after some simulations."""
    tree = new_tree(nodes)
    grow_some(
        view.rules.packed,
        greedy_network(),
        tree,
        sampler_of(view).tables,
        np.zeros(STATE_SIZE, dtype=np.int64),
        new_desk(view.loose | view.hand),
        np.zeros((MOST_STEPS, 2), dtype=np.int64),
        new_dice(seed),
        simulations,
        6000.0,
    )
    return tree


def children(tree: Tree, node: int) -> Iterator[int]:
    """The children of a node."""
    child = int(tree.nodes[node, CHILD])
    while child != NOTHING:
        yield child
        child = int(tree.nodes[child, SIBLING])


@pytest.mark.parametrize(("rules", "place"), [(CLASSIC, 8), (CLASSIC, 33), (TAVERNA, 14)])
def test_visits_add_up(rules: Rules, place: int) -> None:
    view = turn_of(rules, 2, place)
    tree = grown(view, SIMULATIONS)
    size = int(tree.size[0])
    assert sum(int(tree.nodes[child, VISITS]) for child in children(tree, 0)) == SIMULATIONS
    assert 1 < size <= SIMULATIONS + 1
    reached = 0
    for node in range(1, size):
        visits, offered = int(tree.nodes[node, VISITS]), int(tree.nodes[node, OFFERED])
        below = [int(tree.nodes[child, VISITS]) for child in children(tree, node)]
        # A node is made at the end of a simulation, and may be the last play of the hand.
        assert sum(below) < visits or sum(below) == 0
        assert sum(below) in (0, visits - 1)
        assert visits <= offered
        assert abs(tree.gains[node]) <= 100_000 * visits
        reached += 1
    assert reached == size - 1
    keys = [[tuple(tree.nodes[c, :2]) for c in children(tree, node)] for node in range(size)]
    assert all(len(set(some)) == len(some) for some in keys)


def test_a_full_tree_grows_no_further() -> None:
    view = turn_of(CLASSIC, 2, 8)
    number = 4 if INTERPRETED else 60
    tree = grown(view, number, nodes=3)
    assert int(tree.size[0]) == 3
    assert sum(int(tree.nodes[child, VISITS]) for child in children(tree, 0)) <= number


def key_of(play: Play) -> tuple[int, int]:
    """The two numbers by which a node is found."""
    packed = np.array(play.packed)
    return int(name_of(packed)), int(cards_used(packed))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("9c", "9h", True),
        ("9c", "8c", False),
        ("Tc", "Td", False),  # the ten of diamonds scores
        ("2c", "2d", False),  # and so does the two of clubs
        ("9cx5h4s", "9dx5c4c", True),
        ("9cx5h4s", "9cx6h3s", False),
        ("TcxTh", "TcxTd", False),
        ("8cx3c5c", "8cx[3c5c]", False),
        ("8cx8d", "8cx8d[3c5c]", False),
        ("3c+5h=8", "3d+5s=8", True),
        ("3c+5h=8", "3c+5h4s4d=8", False),
        ("4c+4h=8", "4c+4h=4", False),
        ("Ah^[3d5s]=9", "As^[3d5s]=9", True),
    ],
)
def test_plays_that_differ_by_equal_cards_share_a_node(one: str, other: str, same: bool) -> None:
    keys = [key_of(parse_play(text)) for text in (one, other)]
    assert (keys[0] == keys[1]) is same


def test_every_distinct_play_has_a_node_of_its_own() -> None:
    for rules in (CLASSIC, TAVERNA):
        for here in list(deals(rules, 5, "random"))[:: 9 if INTERPRETED else 2]:
            if here.is_over or len(plays := legal_plays(here)) > 500:
                continue
            distinct = {merged(here, play) for play in plays}
            keys = {key_of(play) for play in plays}
            assert len(keys) <= len(distinct)
            assert keys == {key_of(play) for play in distinct}


def test_the_play_tried_most_often_is_made() -> None:
    view = turn_of(CLASSIC, 2, 8)
    for simulations in (2, 4) if INTERPRETED else (16, 160):
        choice = choose_by_tree(view, 3, Budget(simulations))
        tree = grown(view, 1)
        assert tree.size[0] == 2
        assert choice == choose_by_tree(view, 3, Budget(simulations))
    assert choice.analysis[0].points is not None


def test_flat_tries_all_plays_and_orders_them_by_points() -> None:
    view = turn_of(TAVERNA, 2, 14)
    choice = choose_flat(view, 3, Budget(2 if INTERPRETED else 100))
    assert choice == choose_flat(view, 3, Budget(2 if INTERPRETED else 100))
    points = [candidate.points or 0.0 for candidate in choice.analysis]
    assert points == sorted(points, reverse=True)


def test_a_child_is_found_by_its_play() -> None:
    tree = new_tree(4)
    assert child_of(tree, 0, np.array(parse_play("5h").packed)) == NOTHING
