"""Many deals at once in compiled code: a vector environment for training.

It follows Gymnasium's `VectorEnv`: arrays in, arrays out, one row a deal. Everybody at each table
is played by whoever calls `step`; a row always shows the table as the seat that is asked for an
action sees it. A deal that ends is followed by a fresh one in the same step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from diloti.core.dice import new_dice, roll
from diloti.core.effects import DEAL_OVER, apply_play
from diloti.core.jit import Floats, Ints, allocating_kernel, inlined_kernel, kernel
from diloti.core.playouts import deal_random
from diloti.core.position import DEALER, LOOSE, NOBODY, PLAYS, STATE_SIZE, side_of
from diloti.core.rules import PLAYERS, Rules
from diloti.core.scoring import points_of
from diloti.core.tallies import suits, workspace_for
from diloti.envs.actions import ACTIONS, ActionError, Bytes, action_of, mark_steps, step_of
from diloti.envs.drafts import (
    DRAFT_SIZE,
    NO_STEPS,
    SHOWN,
    SHOWS,
    Steps,
    begin_deal,
    clear_draft,
    count_steps,
    drafted_play,
    find_steps,
    first_step,
    seat_asked,
    take_show,
    take_step,
)
from diloti.envs.encode import (
    OBSERVATION_SIZE,
    PLAY_SIZE,
    PLAYED_LOOSE,
    SEATS,
    encode_log,
    encode_state,
    history_shape,
)
from diloti.envs.spaces import action_space, observation_space
from diloti.envs.terms import DEAL, TermsError, terms_of

Flags = NDArray[np.bool_]

DICE_SIZE = 2
_ALL_FINE = -1
_NO_HISTORY: Bytes = np.zeros((0, 0, 0), dtype=np.int8)


class Rows(NamedTuple):
    """All deals, a row each in every array."""

    states: Ints
    packs: Ints
    """The cards, shuffled in place."""
    dice: Ints
    drafts: Ints
    shown: Ints
    """By seat the card shown to the partner, or `NOBODY`."""
    logs: Ints
    """The layout and the plays, as `encode_log` reads them."""
    steps: Ints
    """The steps that are allowed next."""
    seats: Ints
    """Who is asked for one."""


@kernel
def first_forbidden(steps: Ints, actions: Ints) -> int:
    """The first row whose action is not among its steps, or `_ALL_FINE`."""
    for row in range(actions.size):
        if not 0 <= actions[row] < ACTIONS:
            return row
        kind, number = step_of(actions[row])
        if steps[row, kind] >> number & 1 == 0:
            return row
    return _ALL_FINE


@kernel
def draw_actions(steps: Ints, dice: Ints, actions: Ints) -> None:
    """Draw an action for each row, evenly from those of its steps."""
    for row in range(actions.size):
        hand, ways, table, done = steps[row, 0], steps[row, 1], steps[row, 2], steps[row, 3]
        for _ in range(roll(dice, count_steps((hand, ways, table, done)))):
            if hand:
                hand &= hand - 1
            elif ways:
                ways &= ways - 1
            else:
                table &= table - 1
        kind, number = first_step((hand, ways, table, done))
        actions[row] = action_of(kind, number)


@inlined_kernel
def begin(rules: Ints, rows: Rows, row: int) -> None:
    """Deal a fresh deal, the dealer drawn by lot."""
    state, dice = rows.states[row], rows.dice[row]
    deal_random(rules, state, rows.packs[row], dice, roll(dice, rules[PLAYERS]))
    begin_deal(rules, rows.drafts[row])
    rows.shown[row] = NOBODY
    rows.logs[row, 0, PLAYED_LOOSE] = state[LOOSE]


@inlined_kernel
def note_steps(found: Steps, steps: Ints) -> None:
    """Write steps into a row."""
    for kind in range(len(found)):
        steps[kind] = found[kind]


@allocating_kernel
def begin_all(rules: Ints, rows: Rows) -> None:
    """Deal a fresh deal in each row."""
    work = workspace_for(0)
    for row in range(len(rows.states)):
        begin(rules, rows, row)
        state, draft = rows.states[row], rows.drafts[row]
        note_steps(find_steps(rules, state, work, draft), rows.steps[row])
        rows.seats[row] = seat_asked(rules, state, draft)


@allocating_kernel
def step_all(
    rules: Ints,
    rows: Rows,
    actions: Ints,
    rewards: Floats,
    ends: Bytes,
    finals: Bytes,
    final_histories: Bytes,
) -> None:
    """Take an allowed action in each row, and note which are allowed next.

    Where a deal ends, `ends` is set to 1, `rewards` to what each seat's side is ahead by, `finals`
    to what the seat that played last sees, `final_histories` to what it knows of the deal (unless
    that has no rows), and a fresh deal is dealt.
    """
    work = workspace_for(0)
    for row in range(len(rows.states)):
        state, draft = rows.states[row], rows.drafts[row]
        ends[row] = 0
        rewards[row] = 0
        seat = rows.seats[row]
        kind, number = step_of(actions[row])
        done, found = True, NO_STEPS
        if draft[SHOWS]:
            take_show(draft, kind, number)
            rows.shown[row, seat] = draft[SHOWN]
        else:
            if not suits(work, state[LOOSE]):
                work = workspace_for(state[LOOSE])
            done, found = take_step(rules, state, work, draft, kind, number)
            if done and play_drafted(rules, state, draft, rows.logs[row]):
                ends[row] = 1
                ahead = points_of(rules, state, 0) - points_of(rules, state, 1)
                for other in range(rules[PLAYERS]):
                    rewards[row, other] = -ahead if side_of(other) else ahead
                finals[row] = 0
                encode_state(rules, state, draft, rows.shown[row], seat, finals[row])
                if len(final_histories):
                    final_histories[row] = 0
                    log, plays = rows.logs[row], state[PLAYS]
                    encode_log(rules, state[DEALER], log, plays, seat, final_histories[row])
                begin(rules, rows, row)
        if done:
            if not suits(work, state[LOOSE]):
                work = workspace_for(state[LOOSE])
            found = find_steps(rules, state, work, draft)
        note_steps(found, rows.steps[row])
        rows.seats[row] = seat_asked(rules, state, draft)


@inlined_kernel
def play_drafted(rules: Ints, state: Ints, draft: Ints, log: Ints) -> bool:
    """Make the play that is drafted, and note it; whether it was the last of the deal."""
    play = drafted_play(state, draft)
    for field in range(PLAY_SIZE):
        log[state[PLAYS] + 1, field] = play[field]
    happened = apply_play(rules, state, play[0], play[1], play[2], play[3], play[4])
    clear_draft(draft)
    return happened & DEAL_OVER != 0


@kernel
def look_all(rules: Ints, rows: Rows, observations: Bytes, masks: Bytes) -> None:
    """Write for each row what the seat that is asked sees, and what it is allowed."""
    for row in range(len(rows.states)):
        state, draft, steps = rows.states[row], rows.drafts[row], rows.steps[row]
        observations[row] = 0
        encode_state(rules, state, draft, rows.shown[row], rows.seats[row], observations[row])
        masks[row] = 0
        mark_steps((steps[0], steps[1], steps[2], steps[3]), masks[row])


@kernel
def recall_all(rules: Ints, rows: Rows, histories: Bytes) -> None:
    """Write for each row the history of its deal as the seat that is asked knows it."""
    for row in range(len(rows.states)):
        histories[row] = 0
        state = rows.states[row]
        encode_log(
            rules, state[DEALER], rows.logs[row], state[PLAYS], rows.seats[row], histories[row]
        )


class DilotiVectorEnv(VectorEnv[Any, NDArray[Any], Any]):
    """`num_envs` single deals at 0 : 0, all by one rule set, named as for `terms_of`.

    Observations are a dictionary: ``observation``, shape ``(num_envs, OBSERVATION_SIZE)``, and
    ``action_mask``, shape ``(num_envs, ACTIONS)``, and with ``history=True`` also ``history``; all
    of `diloti.envs.encode`, for the seat that is asked. They are overwritten by the next step
    unless ``copy`` is true.

    Beware of the reward that `step` returns: it is that of the seat that has just acted, which at
    the end of a deal is always the dealer. What every seat gets is in the information as
    ``rewards``, shape ``(num_envs, players)``, and ``seat`` says who is asked now. Where deals have
    ended there are also ``final_obs`` and ``final_info``, as Gymnasium has them: what the seat that
    played last sees at the end, and the rewards and the seat it was.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (the base class has it so)

    def __init__(
        self,
        num_envs: int,
        rules: str | Rules = "classic",
        *,
        history: bool = False,
        copy: bool = True,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError("num_envs must be at least 1")
        terms = terms_of(rules, **options)
        if terms.episode != DEAL:
            raise TermsError("here an episode is always a deal")
        self.num_envs = num_envs
        self.rules = rules = terms.rules
        self._copies = copy
        self._views: dict[str, Bytes] = {
            "observation": np.zeros((num_envs, OBSERVATION_SIZE), dtype=np.int8),
            "action_mask": np.zeros((num_envs, ACTIONS), dtype=np.int8),
        }
        if history:
            shape = (num_envs, *history_shape(rules))
            self._views["history"] = np.zeros(shape, dtype=np.int8)
        self.single_observation_space = observation_space(rules, history=history)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = Rows(
            states=np.zeros((num_envs, STATE_SIZE), dtype=np.int64),
            packs=np.zeros((num_envs, rules.pack_size), dtype=np.int64),
            dice=np.zeros((num_envs, DICE_SIZE), dtype=np.int64),
            drafts=np.zeros((num_envs, DRAFT_SIZE), dtype=np.int64),
            shown=np.zeros((num_envs, SEATS), dtype=np.int64),
            logs=np.zeros((num_envs, rules.plays_in_deal + 1, PLAY_SIZE), dtype=np.int64),
            steps=np.zeros((num_envs, len(NO_STEPS)), dtype=np.int64),
            seats=np.zeros(num_envs, dtype=np.int64),
        )
        self._rewards = np.zeros((num_envs, rules.players), dtype=np.float64)
        self._ends = np.zeros(num_envs, dtype=np.int8)
        self._finals = {name: np.zeros_like(view) for name, view in self._views.items()}
        self._own_dice: Ints | None = None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Bytes], dict[str, Any]]:
        """Deal a fresh deal in every row; everything that follows comes from the seed.

        Without a seed the rows go on drawing, or begin with one that nobody knows.
        """
        if isinstance(seed, list) or options:
            raise ValueError("reset() takes one seed for all rows, and no options")
        if seed is not None or self._own_dice is None:
            words = np.random.SeedSequence(seed).generate_state(self.num_envs + 1, np.uint64)
            self._own_dice, *dice = (new_dice(int(word)) for word in words)
            self._rows.dice[:] = dice
            self._rows.packs[:] = self.rules.cards
        begin_all(self.rules.packed, self._rows)
        return self._look(), {"seat": self._rows.seats.copy()}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[dict[str, Bytes], Floats, Flags, Flags, dict[str, Any]]:
        """Take an action in every row; `ActionError` (and nothing done) where one is forbidden."""
        if self._own_dice is None:
            raise RuntimeError("reset() comes before step()")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise ActionError(f"there must be {self.num_envs} whole numbers in a row")
        taken = np.ascontiguousarray(given, dtype=np.int64)
        forbidden = first_forbidden(self._rows.steps, taken)
        if forbidden != _ALL_FINE:
            raise ActionError(f"action {taken[forbidden]} is not allowed in row {forbidden}")
        acting = self._rows.seats.copy()
        step_all(
            self.rules.packed,
            self._rows,
            taken,
            self._rewards,
            self._ends,
            self._finals["observation"],
            self._finals.get("history", _NO_HISTORY),
        )
        ended = self._ends.astype(np.bool_)
        seen = self._look()
        told: dict[str, Any] = {
            "seat": self._rows.seats.copy(),
            "rewards": self._rewards.copy(),
        }
        if ended.any():
            told |= self._last_looks(ended, acting)
        rewards = self._rewards[np.arange(self.num_envs), acting]
        return seen, rewards, ended, np.zeros(self.num_envs, dtype=np.bool_), told

    def draw_actions(self) -> Ints:
        """An action for each row, drawn evenly from those that are allowed."""
        if self._own_dice is None:
            raise RuntimeError("reset() comes before draw_actions()")
        actions = np.zeros(self.num_envs, dtype=np.int64)
        draw_actions(self._rows.steps, self._own_dice, actions)
        return actions

    def _last_looks(self, ended: Flags, acting: Ints) -> dict[str, Any]:
        """What Gymnasium wants to be told of deals that have ended."""
        seen = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(ended):
            seen[row] = {name: final[row].copy() for name, final in self._finals.items()}
        rewards = np.where(ended[:, None], self._rewards, 0)
        final = {"seat": acting, "_seat": ended, "rewards": rewards, "_rewards": ended}
        return {
            "final_obs": seen,
            "_final_obs": ended,
            "final_info": final,
            "_final_info": ended,
        }

    def _look(self) -> dict[str, Bytes]:
        """What the seats that are asked see now."""
        views = self._views
        look_all(self.rules.packed, self._rows, views["observation"], views["action_mask"])
        if "history" in views:
            recall_all(self.rules.packed, self._rows, views["history"])
        return {name: view.copy() for name, view in views.items()} if self._copies else dict(views)
