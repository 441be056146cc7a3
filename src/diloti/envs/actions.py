"""Actions: the steps of a draft as the numbers 0 to 117, and the draft as a friendly object.

=========  =======================  ==========================================================
numbers    name                     what it means
=========  =======================  ==========================================================
0-51       the card, as ``Ac``      play this card of the hand (or show it to the partner)
52         ``trail``                lay it on the table
53         ``capture``              take cards with it
54         ``raise``                add it to a pile
55-64      ``declare 1`` to ``10``  declare this value with it
65-116     ``use Ac``               use this loose card, or the pile whose lowest card it is
117        ``done``                 the play is complete (or: show no card)
=========  =======================  ==========================================================

Cards are numbered as everywhere: by rank from the ace, then clubs, diamonds, hearts, spades.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diloti.core.cards import PACK_SIZE
from diloti.core.jit import Ints, inlined_kernel, lowest
from diloti.core.legality import check_play
from diloti.core.notation import format_card
from diloti.core.plays import Play, unpack_play
from diloti.core.position import NOBODY, Position
from diloti.core.tallies import suits, workspace_for
from diloti.envs.drafts import (
    CAPTURE_WAY,
    DECLARE_WAY,
    DONE_STEP,
    HAND_STEP,
    RAISE_WAY,
    SHOWN,
    SHOWS,
    TABLE_STEP,
    TRAIL_WAY,
    WAY_STEP,
    WAYS,
    Steps,
    drafted_play,
    find_steps,
    new_draft,
    seat_asked,
    step_towards,
    take_show,
    take_step,
)

Bytes = NDArray[np.int8]
"""Masks and observations: small whole numbers, mostly 0 and 1."""

HAND_ACTION = 0
WAY_ACTION = PACK_SIZE
TABLE_ACTION = WAY_ACTION + WAYS
DONE_ACTION = TABLE_ACTION + PACK_SIZE
ACTIONS = DONE_ACTION + 1
"""Where the actions of each kind of step begin, and how many there are: 118."""

_WAY_NAMES = {TRAIL_WAY: "trail", CAPTURE_WAY: "capture", RAISE_WAY: "raise"}
_here = threading.local()


class ActionError(ValueError):
    """An action that is not allowed now."""


@dataclass(frozen=True)
class Show:
    """What a seat shows its partner before the first play (R2.7): a card, or None."""

    card: int | None


@inlined_kernel
def action_of(kind: int, number: int) -> int:
    """The action that takes a step."""
    if kind == HAND_STEP:
        return HAND_ACTION + number
    if kind == WAY_STEP:
        return WAY_ACTION + number
    if kind == TABLE_STEP:
        return TABLE_ACTION + number
    return DONE_ACTION


@inlined_kernel
def step_of(action: int) -> tuple[int, int]:
    """The step that an action takes: its kind and its number."""
    if action < WAY_ACTION:
        return HAND_STEP, action - HAND_ACTION
    if action < TABLE_ACTION:
        return WAY_STEP, action - WAY_ACTION
    if action < DONE_ACTION:
        return TABLE_STEP, action - TABLE_ACTION
    return DONE_STEP, 0


@inlined_kernel
def mark_steps(steps: Steps, mask: Bytes) -> None:
    """Set the actions of some steps to 1 in `mask`, which must be all 0."""
    hand, ways, table, done = steps
    while hand:
        mask[HAND_ACTION + lowest(hand)] = 1
        hand &= hand - 1
    while ways:
        mask[WAY_ACTION + lowest(ways)] = 1
        ways &= ways - 1
    while table:
        mask[TABLE_ACTION + lowest(table)] = 1
        table &= table - 1
    if done:
        mask[DONE_ACTION] = 1


def format_way(way: int) -> str:
    """The name of a way to play a card, as ``declare 8``."""
    return _WAY_NAMES.get(way) or f"declare {way - DECLARE_WAY + 1}"


def format_action(action: int) -> str:
    """The name of an action, as in the table above; `ActionError` where there is no such."""
    if action not in range(ACTIONS):
        raise ActionError(f"there is no action {action}")
    kind, number = step_of(action)
    if kind == DONE_STEP:
        return "done"
    if kind == WAY_STEP:
        return format_way(number)
    return format_card(number) if kind == HAND_STEP else f"use {format_card(number)}"


class Draft:
    """The play that the seat asked is putting together, or its choice of a card to show.

    `shows` is the number of seats that are still to be asked for a card to show.
    """

    def __init__(self, position: Position, *, shows: int = 0) -> None:
        self.position = position
        self.numbers = new_draft()
        self.numbers[SHOWS] = shows
        self.taken: tuple[int, ...] = ()
        """The actions taken so far."""
        self._steps = self._find_steps()

    @property
    def seat(self) -> int | None:
        """The seat that is asked, or None when the deal is over."""
        seat = int(seat_asked(self.position.rules.packed, self.position.state, self.numbers))
        return None if seat == NOBODY else seat

    @property
    def shows(self) -> int:
        """How many seats are still to be asked for a card to show."""
        return int(self.numbers[SHOWS])

    @property
    def mask(self) -> Bytes:
        """1 for each action that is allowed, else 0; shape ``(ACTIONS,)``."""
        mask = np.zeros(ACTIONS, dtype=np.int8)
        mark_steps(self._steps, mask)
        return mask

    @property
    def actions(self) -> list[int]:
        """The actions that are allowed, in order; none when the deal is over."""
        allowed: list[int] = np.flatnonzero(self.mask).tolist()
        return allowed

    def copy(self) -> Draft:
        """A draft that goes on independently of this one."""
        twin = object.__new__(Draft)
        twin.position, twin.numbers = self.position, self.numbers.copy()
        twin.taken, twin._steps = self.taken, self._steps
        return twin

    def take(self, action: int) -> Play | Show | None:
        """Take a step; the play or the choice that it completes, or None where more is to come.

        `ActionError` where the action is not allowed.
        """
        if action not in self.actions:
            raise ActionError(f"action {action} is not allowed now")
        rules, state = self.position.rules.packed, self.position.state
        kind, number = step_of(action)
        self.taken = (*self.taken, action)
        if self.shows:
            take_show(self.numbers, kind, number)
            card = int(self.numbers[SHOWN])
            return Show(None if card == NOBODY else card)
        work = _workspace(self.position.loose)
        complete, self._steps = take_step(rules, state, work, self.numbers, kind, number)
        return unpack_play(self.position, drafted_play(state, self.numbers)) if complete else None

    def _find_steps(self) -> Steps:
        steps: Steps = find_steps(
            self.position.rules.packed,
            self.position.state,
            _workspace(self.position.loose),
            self.numbers,
        )
        return steps


def actions_of(position: Position, play: Play) -> list[int]:
    """The actions that make a play in a position, the only ones that do.

    `IllegalPlay` where it is not legal.
    """
    check_play(position, play)
    rules, state = position.rules.packed, position.state
    work, numbers = _workspace(position.loose), new_draft()
    actions, is_complete, steps = [], False, find_steps(rules, state, work, numbers)
    while not is_complete:
        kind, number = step_towards(state, numbers, steps, *play.packed)
        actions.append(action_of(kind, number))
        is_complete, steps = take_step(rules, state, work, numbers, kind, number)
    return actions


def _workspace(loose: int) -> Ints:
    """A workspace of this thread that suits a table."""
    work: Ints | None = getattr(_here, "work", None)
    if work is None or not suits(work, loose):
        work = _here.work = workspace_for(loose)
    return work
