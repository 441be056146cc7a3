"""Two simple players: one at random, one that looks at its own turn only."""

from __future__ import annotations

import numpy as np

from diloti.bots.choice import SHOWN, Candidate, Choice
from diloti.bots.distinct import rows_drawn_once
from diloti.bots.evaluate import judge_play
from diloti.core.dice import new_dice, roll
from diloti.core.jit import Ints, allocating_kernel
from diloti.core.plays import count_plays, find_play, unpack_play
from diloti.core.position import LOOSE
from diloti.core.tallies import count_choices, suits, workspace_for
from diloti.core.view import View

MOST_JUDGED, FEWEST_JUDGED, WORK = 4000, 64, 500_000
"""Greedy judges all plays up to `MOST_JUDGED`. Where there are more, or where the table has so many
sums that judging them all would take more than `WORK` looks at one, it judges fewer, drawn evenly
from all, but not fewer than `FEWEST_JUDGED`."""


@allocating_kernel
def draw_play(rules: Ints, state: Ints, dice: Ints) -> tuple[int, int, int, int, int]:
    """A play drawn evenly from all legal ones."""
    work = workspace_for(state[LOOSE])
    legal = count_plays(rules, state, work)
    return find_play(rules, state, work, roll(dice, legal))


def choose_random(view: View, seed: int) -> Choice:
    """A play drawn evenly from all legal ones."""
    known = view.known
    packed = draw_play(view.rules.packed, known.state, new_dice(seed))
    play = unpack_play(known, packed)
    return Choice(play, (Candidate(play, None),))


@allocating_kernel
def judge_plays(rules: Ints, state: Ints, unseen: int, dice: Ints) -> Ints:
    """All legal plays, or some drawn evenly from very many, six numbers a row.

    The first five are the play, the last its worth in thousandths of a point.
    """
    work = workspace_for(state[LOOSE])
    legal = count_plays(rules, state, work)
    after = workspace_for(state[LOOSE])
    affordable = max(FEWEST_JUDGED, WORK // count_choices(state[LOOSE]))
    rows = min(legal, affordable, MOST_JUDGED)
    judged = np.empty((rows, 6), dtype=np.int64)
    for row in range(rows):
        index = row if legal == rows else roll(dice, legal)
        kind, card, loose, piles, value = find_play(rules, state, work, index)
        judged[row, 0] = kind
        judged[row, 1] = card
        judged[row, 2] = loose
        judged[row, 3] = piles
        judged[row, 4] = value
        if not suits(after, state[LOOSE] | 1 << card):
            after = workspace_for(state[LOOSE] | 1 << card)
        judged[row, 5] = judge_play(rules, state, after, unseen, kind, card, loose, piles, value)
    return judged


def choose_greedy(view: View, seed: int) -> Choice:
    """The play that looks best by what it takes, promises and leaves for the next player."""
    known = view.known
    unseen = view.rules.pack & ~view.seen
    judged = judge_plays(view.rules.packed, known.state, unseen, new_dice(seed))
    judged = judged[rows_drawn_once(judged[:, :5])]
    best = np.lexsort((*judged[:, 4::-1].T, -judged[:, 5]))[:SHOWN]
    candidates = tuple(
        Candidate(unpack_play(known, judged[row, :5]), int(judged[row, 5]) / 1000) for row in best
    )
    return Choice(candidates[0].play, candidates)
