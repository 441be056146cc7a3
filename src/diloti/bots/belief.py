"""Belief: how likely each arrangement of the hidden cards is, from how the others have played.

An even sample keeps to what is certain. But a player who has trailed a nine beside a nine hardly
held another one: each sampled arrangement is weighed by the chance that its hands would have made
the plays of this hand that were seen (Bayes' rule), the others being taken for players by the
network who now and then do something else.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

import numpy as np

from diloti.bots.knowledge import start_of_deal
from diloti.bots.network import Network
from diloti.bots.policy import Desk, judge_all, lay_and_judge, look_around
from diloti.core.effects import apply_play
from diloti.core.jit import Ints, inlined_kernel, spliced_kernel
from diloti.core.position import (
    DEALT,
    HANDS,
    LOOSE,
    ORDER,
    STATE_SIZE,
    TURN,
)
from diloti.core.tallies import suits
from diloti.core.view import View

SPREAD = 800
"""How far below the best a play can well be, in thousandths of a point: chances fall by e each."""
STRAY = 0.15
"""Share of plays that follow no judgement."""

_STEP = 16
_LIKELIHOODS = np.array([float((Decimal(-place * _STEP) / SPREAD).exp()) for place in range(600)])


class Witnessed(NamedTuple):
    """The plays of others in this hand: the states before them, and the plays.

    `later` is for each of them the mask of what that seat has played since, that play included.
    """

    states: Ints
    plays: Ints
    later: Ints


def nothing_witnessed() -> Witnessed:
    """As if the others had not played yet."""
    return Witnessed(
        np.zeros((0, STATE_SIZE), dtype=np.int64),
        np.zeros((0, 5), dtype=np.int64),
        np.zeros(0, dtype=np.int64),
    )


def witnessed(view: View) -> Witnessed:
    """What the others have played in the present hand, as far as the view knows."""
    states, plays, seats = [], [], []
    if view.history is not None:
        rules = view.rules
        in_hand = view.plays % (rules.players * rules.hand_size)
        state = start_of_deal(view, view.history)
        played = view.history.layout
        for number, (seat, play) in enumerate(view.history.plays):
            state[HANDS + seat] = rules.pack & ~played
            if number >= view.plays - in_hand and seat != view.seat:
                before = state.copy()
                before[DEALT] = rules.pack_size - view.stock_size
                turns = number - (view.plays - in_hand)
                # Only how many cards the others hold is looked at, not which.
                before[HANDS : HANDS + rules.players] = (1 << rules.hand_size) - 1
                for other, _play in view.history.plays[number - turns : number]:
                    before[HANDS + other] >>= 1
                states.append(before)
                plays.append(play.packed)
                seats.append(seat)
            apply_play(rules.packed, state, *play.packed)
            state[HANDS + seat] = 0
            played |= 1 << play.card
    later = [
        sum(1 << plays[other][1] for other in range(place, len(plays)) if seats[other] == seat)
        for place, seat in enumerate(seats)
    ]
    return Witnessed(
        np.array(states, dtype=np.int64).reshape(len(states), STATE_SIZE),
        np.array(plays, dtype=np.int64).reshape(len(plays), 5),
        np.array(later, dtype=np.int64),
    )


@spliced_kernel
def likelihood(
    rules: Ints, network: Network, seen: Witnessed, sample: Ints, desk: Desk, dice: Ints
) -> float:
    """How likely the hands of a sampled position make the plays that were seen, up to a factor."""
    result = 1.0
    for number in range(seen.plays.shape[0]):
        state = seen.states[number]
        seat = state[TURN]
        if not suits(desk.work, state[LOOSE]):
            continue
        kept = state[HANDS + seat]
        state[HANDS + seat] = sample[HANDS + seat] | seen.later[number]
        rows = judge_all(rules, network, state, desk, dice)
        for place in range(ORDER):
            desk.state[place] = state[place]
        unseen = look_around(rules, state, desk)
        chosen = lay_and_judge(rules, network, desk.state, seen.plays[number], unseen, desk, False)
        best = chosen
        for row in range(rows):
            best = max(best, desk.worth[row])
        total = 0.0
        for row in range(rows):
            total += falling(best - desk.worth[row])
        if rows:
            result *= STRAY / rows + (1.0 - STRAY) * falling(best - chosen) / total
        state[HANDS + seat] = kept
    return result


@inlined_kernel
def falling(below: int) -> float:
    """The weight of a play that is so much below the best."""
    return _LIKELIHOODS[min(below // _STEP, _LIKELIHOODS.size - 1)]
