"""Playing by the network: what each play is worth to the seat in turn, and whole hands of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from diloti.bots.distinct import MOST_DISTINCT, list_distinct
from diloti.bots.features import describe, find_chances, unseen_by
from diloti.bots.network import Network, Scratch, evaluate, new_scratch, start_from
from diloti.core.cards import RANKS
from diloti.core.deal import next_seat
from diloti.core.effects import (
    follow_play,
    give_leftovers,
    hands_are_empty,
    lay_play,
    stock_is_empty,
)
from diloti.core.jit import Ints, inlined_kernel, kernel, spliced_kernel
from diloti.core.position import (
    CAPTURED,
    LOOSE,
    NOBODY,
    ORDER,
    TURN,
    XERI,
    XERISTAKI,
    side_of,
)
from diloti.core.rules import XERI_POINTS, XERISTAKI_POINTS
from diloti.core.scoring import card_points, points_of
from diloti.core.tallies import suits, workspace_for

POINT = 1000
"""Worth is counted in thousandths of a point."""


class Desk(NamedTuple):
    """Room to think in, used again and again: one for each thread."""

    work: Ints
    words: Ints
    plays: Ints
    worth: Ints
    state: Ints
    chances: Ints
    scratch: Scratch


def new_desk(table: int) -> Desk:
    """Room for all deals in which the table does not grow wider than `table` and most others."""
    return Desk(
        work=workspace_for(table),
        words=np.zeros((11, 16), dtype=np.int64),
        plays=np.zeros((MOST_DISTINCT, 5), dtype=np.int64),
        worth=np.zeros(MOST_DISTINCT, dtype=np.int64),
        state=np.zeros(ORDER, dtype=np.int64),
        chances=np.zeros(RANKS, dtype=np.int64),
        scratch=new_scratch(),
    )


@inlined_kernel
def lead(rules: Ints, state: Ints, side: int) -> int:
    """Points that a side is ahead by so far, but for the majority of cards."""
    other = 1 - side
    points = card_points(state[CAPTURED + side]) - card_points(state[CAPTURED + other])
    points += (state[XERI + side] - state[XERI + other]) * rules[XERI_POINTS]
    return points + (state[XERISTAKI + side] - state[XERISTAKI + other]) * rules[XERISTAKI_POINTS]


@kernel
def final_lead(rules: Ints, state: Ints, side: int) -> int:
    """Points that a side is ahead by at the end of the deal."""
    return int(points_of(rules, state, side) - points_of(rules, state, 1 - side))


@inlined_kernel
def lay_and_judge(
    rules: Ints,
    network: Network,
    state: Ints,
    play: Ints,
    unseen: int,
    desk: Desk,
    is_first: bool,
) -> int:
    """Lay a play of the seat in turn; how much its side will end the deal ahead, as it expects.

    In thousandths of a point. `unseen` are the cards the seat has not seen, and `desk.chances` hold
    those of the next seat. Nothing follows the play in `state` yet, but for the last of a deal.
    The first judgement of a turn is made in full, the others start from it.
    """
    seat = state[TURN]
    lay_play(rules, state, play[0], play[1], play[2], play[3], play[4])
    side = side_of(seat)
    if stock_is_empty(rules, state) and hands_are_empty(rules, state):
        give_leftovers(state)
        state[TURN] = NOBODY
        return final_lead(rules, state, side) * POINT
    describe(rules, state, seat, unseen, desk.chances, desk.words, desk.scratch.features)
    if is_first:
        start_from(network, desk.scratch)
    return lead(rules, state, side) * POINT + evaluate(network, desk.scratch)


@inlined_kernel
def look_around(rules: Ints, state: Ints, desk: Desk) -> int:
    """The cards that the seat in turn has not seen; `desk.chances` then hold those of the next."""
    unseen = unseen_by(rules, state, state[TURN])
    find_chances(rules, state, unseen, next_seat(rules, state[TURN]), desk.chances)
    return unseen


@kernel
def judge_all(rules: Ints, network: Network, state: Ints, desk: Desk, dice: Ints) -> int:
    """List the distinct plays of the seat in turn, and in `desk.worth` what each is worth.

    Returns their number.
    """
    unseen = look_around(rules, state, desk)
    number = list_distinct(rules, state, desk.work, desk.plays, dice)
    for row in range(number):
        for place in range(ORDER):
            desk.state[place] = state[place]
        desk.worth[row] = lay_and_judge(
            rules, network, desk.state, desk.plays[row], unseen, desk, row == 0
        )
    return number


@inlined_kernel
def best_of(worth: Ints, number: int) -> int:
    """The first row of the highest worth."""
    best = 0
    for row in range(1, number):
        if worth[row] > worth[best]:
            best = row
    return best


@spliced_kernel
def play_out(
    rules: Ints,
    network: Network,
    state: Ints,
    desk: Desk,
    dice: Ints,
    value: int,
    to_the_end: bool,
) -> int:
    """Play by the network to the end of the hand, nothing dealt after it, or of the deal.

    Returns what side 0 ends the deal ahead by, as the last to play expects, in thousandths of a
    point, exactly so after the last hand; `value` where nothing is left to play. It ends sooner
    where the table grows too wide for the desk.
    """
    while state[TURN] != NOBODY and suits(desk.work, state[LOOSE]):
        if hands_are_empty(rules, state):
            if not to_the_end:
                break
            follow_play(rules, state)
        seat = state[TURN]
        number = judge_all(rules, network, state, desk, dice)
        if number == 0:
            break  # only a view that contradicts itself leads there
        best = best_of(desk.worth, number)
        value = desk.worth[best] if side_of(seat) == 0 else -desk.worth[best]
        play = desk.plays[best]
        lay_play(rules, state, play[0], play[1], play[2], play[3], play[4])
        if stock_is_empty(rules, state) and hands_are_empty(rules, state):
            give_leftovers(state)
            state[TURN] = NOBODY
    return value
