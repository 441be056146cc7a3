"""The last hand solved exactly: two players, both hands known, no stock."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from diloti.bots.ending_search import (
    BEST,
    GENERATION,
    NODES,
    REPORT_SIZE,
    SOLVED,
    STACK_COLUMNS,
    STATUS,
    STOPPED,
    TOO_LARGE,
    judge_all,
    solve,
)
from diloti.bots.prospects import COLUMNS, PROMISE
from diloti.bots.transpositions import new_table
from diloti.core.jit import Ints
from diloti.core.plays import Play, unpack_play
from diloti.core.position import HANDS, LOOSE, Position
from diloti.core.tallies import count_choices, suits, workspace_for

STACK_ROWS = 50
"""A position for each play of a deal that is one hand, and the one before."""
PLAY_ROWS = 8192
"""Rows for plays, 400 kB; the 200 random endings of `bench/endings.py` need far fewer."""
MOST_CHOICES = 1 << 16
"""No workspace is made for more sums than this, which is 5 MB."""
NO_LIMIT = 1 << 62


class Room:
    """The arrays of a solver, to be used again and again, by one thread at a time."""

    def __init__(self, *, entries: int = 1 << 16, play_rows: int = PLAY_ROWS) -> None:
        self.stack = np.zeros((STACK_ROWS, STACK_COLUMNS), dtype=np.int64)
        self.plays = np.zeros((play_rows, COLUMNS), dtype=np.int64)
        self.work = workspace_for(0)
        self.table = new_table(entries)
        self.report = np.zeros(REPORT_SIZE, dtype=np.int64)

    def fit(self, state: Ints) -> None:
        """Make the workspace larger where a position needs it and can have it."""
        cards = int(state[LOOSE] | state[HANDS] | state[HANDS + 1])
        if not suits(self.work, cards) and count_choices(cards) <= MOST_CHOICES:
            self.work = workspace_for(cards)

    def forget(self) -> None:
        """Forget what has been found out; the next search begins as in a new room."""
        self.report[GENERATION] += 1

    @property
    def arrays(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """What the kernels take, in their order."""
        return self.stack, self.plays, self.work, self.table, self.report


@dataclass(frozen=True)
class Ending:
    """What a search of the last hand found.

    `status` is `SOLVED`, or what kept it from it; then there are no plays. `plays` are the distinct
    plays with the lead of the side in turn at the end of the deal, in points: all of them, the
    best first, or the best one alone. `nodes` is the number of positions searched.
    """

    status: int
    nodes: int
    plays: tuple[tuple[Play, int], ...]

    @property
    def best(self) -> Play:
        """The best play."""
        return self.plays[0][0]

    @property
    def lead(self) -> int:
        """The lead of the side in turn at the end of the deal, in points."""
        return self.plays[0][1]


def is_ending(position: Position) -> bool:
    """Whether this is a last hand that can be solved: two players, no stock, the deal not over."""
    return position.rules.players == 2 and position.is_last_hand and not position.is_over


def solve_ending(position: Position, room: Room, *, node_limit: int = NO_LIMIT) -> Ending:
    """The best play of an ending and what it leads to; `ValueError` where it is no ending."""
    _prepare(position, room)
    state = position.state
    lead = int(solve(position.rules.packed, state, *room.arrays, node_limit))
    row = int(room.report[BEST])
    return _ending(position, room, [(row, lead)])


def judge_ending(position: Position, room: Room, *, node_limit: int = NO_LIMIT) -> Ending:
    """All distinct plays of an ending and what each leads to; `ValueError` where it is none."""
    _prepare(position, room)
    found = int(judge_all(position.rules.packed, position.state, *room.arrays, node_limit))
    judged = [(row, int(room.plays[row, PROMISE])) for row in range(found)]
    return _ending(position, room, sorted(judged, key=lambda pair: -pair[1]))


def _prepare(position: Position, room: Room) -> None:
    if not is_ending(position):
        raise ValueError("not an ending of two players")
    room.fit(position.state)


def _ending(position: Position, room: Room, judged: list[tuple[int, int]]) -> Ending:
    status, nodes = int(room.report[STATUS]), int(room.report[NODES])
    if status != SOLVED:
        return Ending(status, nodes, ())
    plays = [(unpack_play(position, room.plays[row, :PROMISE]), lead) for row, lead in judged]
    return Ending(status, nodes, tuple(plays))


__all__ = [
    "NO_LIMIT",
    "SOLVED",
    "STOPPED",
    "TOO_LARGE",
    "Ending",
    "Room",
    "is_ending",
    "judge_ending",
    "solve_ending",
]
