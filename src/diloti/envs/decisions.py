"""The decisions of a deal that was played, as arrays: for programs that learn from records.

Each is a moment at which a seat was asked for an action: what it saw, what it was allowed, what it
did, and what came of the deal. All numbers are those of the environments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from diloti.core.effects import apply_play
from diloti.core.jit import Ints, allocating_kernel, inlined_kernel
from diloti.core.match import DealLog
from diloti.core.plays import TRAIL
from diloti.core.position import DEALER, LOOSE, NOBODY, PLAYS
from diloti.core.tallies import suits, workspace_for
from diloti.envs.actions import ACTIONS, Bytes, action_of, mark_steps
from diloti.envs.drafts import (
    DONE_STEP,
    DRAFT_SIZE,
    HAND_STEP,
    SHOWS,
    Steps,
    begin_deal,
    clear_draft,
    find_steps,
    seat_asked,
    step_towards,
    take_show,
    take_step,
)
from diloti.envs.encode import (
    OBSERVATION_SIZE,
    SEATS,
    encode_log,
    encode_state,
    history_shape,
)

_NO_HISTORIES: Bytes = np.zeros((0, 0, 0), dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions of a deal in their order, a row each in every array."""

    observations: Bytes
    """What the seat that was asked saw; shape ``(decisions, OBSERVATION_SIZE)``."""
    masks: Bytes
    """1 for each action that was allowed, else 0; shape ``(decisions, ACTIONS)``."""
    actions: Ints
    """What was done; shape ``(decisions,)``."""
    seats: Ints
    """Who was asked; shape ``(decisions,)``."""
    leads: Ints
    """The points that the seat's side was ahead by in the end; shape ``(decisions,)``."""
    histories: Bytes
    """What the seat knew of the deal, each of `history_shape`; no rows where not wanted."""

    def __len__(self) -> int:
        return len(self.actions)


class _Rows(NamedTuple):
    """The arrays of `Decisions` while they are written."""

    observations: Bytes
    masks: Bytes
    actions: Ints
    seats: Ints
    histories: Bytes


def decisions_of(deal: DealLog, *, history: bool = False) -> Decisions:
    """The decisions of a deal that is over; `ValueError` where it is not.

    As in the environments, a step without an alternative is none.
    """
    if deal.score is None:
        raise ValueError("the deal is not over")
    start, first, second = deal.start, *deal.score.sheets
    most = start.rules.players + sum(
        3 + play.loose.bit_count() + len(play.piles) for play in deal.plays
    )
    rows = _Rows(
        observations=np.zeros((most, OBSERVATION_SIZE), dtype=np.int8),
        masks=np.zeros((most, ACTIONS), dtype=np.int8),
        actions=np.zeros(most, dtype=np.int64),
        seats=np.zeros(most, dtype=np.int64),
        histories=np.zeros((most, *history_shape(start.rules)), dtype=np.int8)
        if history
        else _NO_HISTORIES,
    )
    shown = [NOBODY if card is None else card for card in start.shown or (None,) * SEATS]
    log = [(TRAIL, 0, start.loose, 0, 0), *(play.packed for play in deal.plays)]
    count = _write_all(start.rules.packed, start.state.copy(), np.array(shown), np.array(log), rows)
    seats = rows.seats[:count]
    ahead = first.total - second.total
    return Decisions(
        observations=rows.observations[:count],
        masks=rows.masks[:count],
        actions=rows.actions[:count],
        seats=seats,
        leads=np.where(seats % 2, -ahead, ahead),
        histories=rows.histories[:count],
    )


@allocating_kernel
def _write_all(rules: Ints, state: Ints, showing: Ints, log: Ints, rows: _Rows) -> int:
    """Write the decisions of a deal, from its state before the first play; how many there are.

    `showing` has by seat the card that it shows its partner, or `NOBODY`; `log` is as
    `encode_log` reads it.
    """
    draft = np.zeros(DRAFT_SIZE, dtype=np.int64)
    begin_deal(rules, draft)
    shown = np.full(SEATS, NOBODY, dtype=np.int64)
    work = workspace_for(0)
    row = 0
    while draft[SHOWS]:
        seat = seat_asked(rules, state, draft)
        card = showing[seat]
        kind = DONE_STEP if card == NOBODY else HAND_STEP
        steps = find_steps(rules, state, work, draft)
        _write(rules, state, draft, shown, log, steps, action_of(kind, card), rows, row)
        row += 1
        take_show(draft, kind, card)
        shown[seat] = card
    for number in range(1, len(log)):
        kind, card, loose, piles, value = log[number]
        clear_draft(draft)
        if not suits(work, state[LOOSE]):
            work = workspace_for(state[LOOSE])
        is_complete, steps = False, find_steps(rules, state, work, draft)
        while not is_complete:
            step, named = step_towards(state, draft, steps, kind, card, loose, piles, value)
            _write(rules, state, draft, shown, log, steps, action_of(step, named), rows, row)
            row += 1
            is_complete, steps = take_step(rules, state, work, draft, step, named)
        apply_play(rules, state, kind, card, loose, piles, value)
    return row


@inlined_kernel
def _write(
    rules: Ints,
    state: Ints,
    draft: Ints,
    shown: Ints,
    log: Ints,
    steps: Steps,
    action: int,
    rows: _Rows,
    row: int,
) -> None:
    """Write one decision."""
    seat = seat_asked(rules, state, draft)
    encode_state(rules, state, draft, shown, seat, rows.observations[row])
    mark_steps(steps, rows.masks[row])
    rows.actions[row] = action
    rows.seats[row] = seat
    if len(rows.histories):
        encode_log(rules, state[DEALER], log, state[PLAYS], seat, rows.histories[row])
