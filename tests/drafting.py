"""Going through all the ways to build a play in steps, compiled: for the tests of drafts."""

from __future__ import annotations

import numpy as np

from diloti.core.dice import roll
from diloti.core.effects import DEAL_OVER, apply_play
from diloti.core.jit import Ints, allocating_kernel, kernel
from diloti.core.legality import Refusal, refuse
from diloti.core.playouts import deal_random
from diloti.core.plays import count_plays, find_play
from diloti.core.position import LOOSE, ORDER
from diloti.core.rules import PLAYERS
from diloti.core.tallies import suits, workspace_for
from diloti.envs.drafts import (
    DRAFT_SIZE,
    LAST,
    TABLE_STEP,
    clear_draft,
    count_steps,
    drafted_play,
    find_steps,
    first_step,
    take_step,
)

STATES, PLAYS, DRAFTS, ILLEGAL, STUCK, UNSORTED, WIDE, FAULTS = range(8)
"""What `check_deals` counts: states, their legal plays, the drafts that end; then faults: drafts
that end in no legal play, that get stuck, that use cards out of order; states with so many plays
that drafts are only drawn; and states whose drafts are not as many as their plays."""

_DEEPEST = 60
_DRAWN = 200


@kernel
def is_refused(rules: Ints, state: Ints, work: Ints, draft: Ints) -> bool:
    """Whether the play that is drafted is not legal."""
    play = drafted_play(state, draft)
    reason = refuse(rules, state, work, play[0], play[1], play[2], play[3], play[4])
    return reason != Refusal.NONE


@allocating_kernel
def count_drafts(rules: Ints, state: Ints, work: Ints, counts: Ints) -> int:
    """Follow every step from every draft; the number of drafts that end."""
    drafts = np.zeros((_DEEPEST, DRAFT_SIZE), dtype=np.int64)
    rest = np.zeros((_DEEPEST, 4), dtype=np.int64)
    clear_draft(drafts[0])
    found = find_steps(rules, state, work, drafts[0])
    for sort in range(4):
        rest[0, sort] = found[sort]
    depth, ended = 0, 0
    while depth >= 0:
        steps = (rest[depth, 0], rest[depth, 1], rest[depth, 2], rest[depth, 3])
        if count_steps(steps) == 0:
            depth -= 1
            continue
        kind, number = first_step(steps)
        rest[depth, kind] &= rest[depth, kind] - 1
        draft = drafts[depth + 1]
        draft[:] = drafts[depth]
        if kind == TABLE_STEP and number <= draft[LAST]:
            counts[UNSORTED] += 1
        done, following = take_step(rules, state, work, draft, kind, number)
        if done:
            ended += 1
            play = drafted_play(state, draft)
            if (
                refuse(rules, state, work, play[0], play[1], play[2], play[3], play[4])
                != Refusal.NONE
            ):
                counts[ILLEGAL] += 1
        else:
            if count_steps(following) == 0:
                counts[STUCK] += 1
            depth += 1
            for sort in range(4):
                rest[depth, sort] = following[sort]
    return ended


@kernel
def draw_draft(rules: Ints, state: Ints, work: Ints, draft: Ints, dice: Ints) -> None:
    """Build a play of steps drawn at random."""
    clear_draft(draft)
    steps = find_steps(rules, state, work, draft)
    done = False
    while not done and count_steps(steps):
        hand, ways, table, last = steps
        for _ in range(roll(dice, count_steps(steps))):
            kind, _number = first_step((hand, ways, table, last))
            if hand:
                hand &= hand - 1
            elif ways:
                ways &= ways - 1
            elif table:
                table &= table - 1
        kind, number = first_step((hand, ways, table, last))
        done, steps = take_step(rules, state, work, draft, kind, number)


@allocating_kernel
def check_deals(rules: Ints, pack: Ints, dice: Ints, states: int, most: int, counts: Ints) -> None:
    """Compare drafts with legal plays in so many states of deals played at random.

    Where there are more than `most` plays, drafts are drawn at random and tried.
    """
    state = np.zeros(ORDER + pack.size, dtype=np.int64)
    draft = np.zeros(DRAFT_SIZE, dtype=np.int64)
    work = workspace_for(0)
    over = True
    for number in range(states):
        if over:
            deal_random(rules, state, pack, dice, number % rules[PLAYERS])
        if not suits(work, state[LOOSE]):
            work = workspace_for(state[LOOSE])
        legal = count_plays(rules, state, work)
        play = find_play(rules, state, work, roll(dice, legal))
        counts[STATES] += 1
        if legal <= most:
            ended = count_drafts(rules, state, work, counts)
            counts[PLAYS] += legal
            counts[DRAFTS] += ended
            counts[FAULTS] += ended != legal
        else:
            counts[WIDE] += 1
            for _ in range(_DRAWN):
                draw_draft(rules, state, work, draft, dice)
                drawn = drafted_play(state, draft)
                if (
                    refuse(rules, state, work, drawn[0], drawn[1], drawn[2], drawn[3], drawn[4])
                    != Refusal.NONE
                ):
                    counts[ILLEGAL] += 1
        happened = apply_play(rules, state, play[0], play[1], play[2], play[3], play[4])
        over = happened & DEAL_OVER != 0
