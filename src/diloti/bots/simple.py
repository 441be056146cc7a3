"""Two simple players: one at random, one that looks at its own turn only."""

from __future__ import annotations

import numpy as np

from diloti.bots.choice import Candidate, Choice
from diloti.bots.evaluate import judge_play
from diloti.core.dice import new_dice, roll
from diloti.core.jit import Ints, kernel
from diloti.core.plays import count_plays, find_play, unpack_play
from diloti.core.sums import new_workspace
from diloti.core.view import View

MOST_JUDGED = 4000
"""On a table with more plays than this, greedy looks at this many drawn evenly from them."""

_SHOWN = 12


@kernel
def draw_play(rules: Ints, state: Ints, dice: Ints) -> tuple[int, int, int, int, int]:
    """A play drawn evenly from all legal ones."""
    work, legal = count_plays(rules, state, new_workspace())
    return find_play(rules, state, work, roll(dice, legal))


def choose_random(view: View, seed: int) -> Choice:
    """A play drawn evenly from all legal ones."""
    known = view.known
    packed = draw_play(view.rules.packed, known.state, new_dice(seed))
    play = unpack_play(known, packed)
    return Choice(play, (Candidate(play, None),))


@kernel
def judge_plays(rules: Ints, state: Ints, unseen: int, dice: Ints) -> Ints:
    """All legal plays, or `MOST_JUDGED` drawn from them, six numbers a row.

    The first five are the play, the last its worth in thousandths of a point.
    """
    work, legal = count_plays(rules, state, new_workspace())
    scratch = new_workspace()
    rows = min(legal, MOST_JUDGED)
    judged = np.empty((rows, 6), dtype=np.int64)
    for row in range(rows):
        index = row if legal == rows else roll(dice, legal)
        kind, card, loose, piles, value = find_play(rules, state, work, index)
        judged[row, 0] = kind
        judged[row, 1] = card
        judged[row, 2] = loose
        judged[row, 3] = piles
        judged[row, 4] = value
        scratch, worth = judge_play(
            rules, state, scratch, unseen, kind, card, loose, piles, value
        )
        judged[row, 5] = worth
    return judged


def choose_greedy(view: View, seed: int) -> Choice:
    """The play that looks best by what it takes, promises and leaves for the next player."""
    known = view.known
    unseen = view.rules.pack & ~view.seen
    judged = judge_plays(view.rules.packed, known.state, unseen, new_dice(seed))
    best = np.lexsort((*judged[:, 4::-1].T, -judged[:, 5]))[:_SHOWN]
    candidates = tuple(
        Candidate(unpack_play(known, judged[row, :5]), int(judged[row, 5]) / 1000) for row in best
    )
    return Choice(candidates[0].play, candidates)


