"""Whole random deals inside one kernel: what search plays out, and what the benchmark counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from diloti.core.deal import deal_hands, deal_layout, needs_redeal
from diloti.core.dice import new_dice, roll, roll_order
from diloti.core.effects import DEAL_OVER, apply_play
from diloti.core.jit import Ints, allocating_kernel, kernel, popcount
from diloti.core.plays import count_plays, find_play
from diloti.core.position import (
    CAPTURED,
    DEALER,
    LAST_CAPTURE,
    LOOSE,
    NOBODY,
    ORDER,
    PILE_COUNT,
    STATE_SIZE,
    XERI,
    side_of,
)
from diloti.core.rules import HAND_SIZE, LAYOUT_SIZE, PACK, PLAYERS, Rules
from diloti.core.scoring import points_of
from diloti.core.tallies import suits, workspace_for

(
    DEALS,
    PLAYED,
    LEGAL,
    MOST_LEGAL,
    POINTS_LEADER,
    POINTS_OTHER,
    XERI_SEEN,
    TIES,
    PILE_TURNS,
    LEADER_WINS,
) = range(10)
"""What `play_random_deals` counts. The leader's side is that of the seat that plays first."""


@kernel
def deal_random(rules: Ints, state: Ints, pack: Ints, dice: Ints, dealer: int) -> None:
    """Deal a fresh random pack into `state`; `pack` holds the cards and is shuffled in place."""
    before = rules[PLAYERS] * rules[HAND_SIZE]
    roll_order(dice, pack, 0)
    while True:
        layout = 0
        for place in range(before, before + rules[LAYOUT_SIZE]):
            layout |= 1 << pack[place]
        if not needs_redeal(rules, layout):
            break
        roll_order(dice, pack, before)
    for place in range(ORDER):
        state[place] = 0
    state[DEALER] = dealer
    state[LAST_CAPTURE] = NOBODY
    for place in range(pack.size):
        state[ORDER + place] = pack[place]
    deal_hands(rules, state)
    deal_layout(rules, state)


@allocating_kernel
def play_random_deals(rules: Ints, pack: Ints, dice: Ints, deals: int, counts: Ints) -> None:
    """Play whole deals, every play drawn evenly from all legal ones; adds to `counts`.

    The deal passes to the next seat each time, from seat 0 on.
    """
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    work = workspace_for(0)
    for number in range(deals):
        dealer = number % rules[PLAYERS]
        leader = side_of((dealer + 1) % rules[PLAYERS])
        deal_random(rules, state, pack, dice, dealer)
        over = False
        while not over:
            if not suits(work, state[LOOSE]):
                work = workspace_for(state[LOOSE])
            legal = count_plays(rules, state, work)
            counts[PLAYED] += 1
            counts[LEGAL] += legal
            counts[MOST_LEGAL] = max(counts[MOST_LEGAL], legal)
            counts[PILE_TURNS] += min(state[PILE_COUNT], 1)
            kind, card, loose, piles, value = find_play(rules, state, work, roll(dice, legal))
            happened = apply_play(rules, state, kind, card, loose, piles, value)
            over = happened & DEAL_OVER != 0
        count_result(rules, state, leader, counts)


@kernel
def count_result(rules: Ints, state: Ints, leader: int, counts: Ints) -> None:
    """Add a finished deal to `counts`."""
    mine, other = points_of(rules, state, leader), points_of(rules, state, 1 - leader)
    counts[DEALS] += 1
    counts[POINTS_LEADER] += mine
    counts[POINTS_OTHER] += other
    counts[XERI_SEEN] += state[XERI] + state[XERI + 1]
    if popcount(state[CAPTURED]) * 2 == popcount(rules[PACK]):
        counts[TIES] += 1
    if mine > other:
        counts[LEADER_WINS] += 1


@dataclass(frozen=True)
class RandomDeals:
    """What random play looked like over a number of deals."""

    deals: int
    plays: int
    legal_per_turn: float
    most_legal: int
    points: tuple[float, float]
    """Mean points a deal, the side that plays first and the other."""
    xeri_per_deal: float
    tie_rate: float
    """Share of deals in which both sides captured as many cards."""
    turns_with_pile: float
    """Share of turns with a pile on the table."""
    first_wins: float
    """Share of deals in which the side that plays first got more points."""


class RandomPlay:
    """Random deals of one rule set, one batch after another."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._dice = new_dice(seed)
        self._pack = np.array(rules.cards, dtype=np.int64)
        self._counts = np.zeros(10, dtype=np.int64)

    def play(self, deals: int) -> None:
        """Play that many more deals."""
        play_random_deals(self._rules.packed, self._pack, self._dice, deals, self._counts)

    def figures(self) -> RandomDeals:
        """What has been counted so far; at least one deal must have been played."""
        counts = [int(count) for count in self._counts]
        deals, turns = counts[DEALS], counts[PLAYED]
        return RandomDeals(
            deals=deals,
            plays=turns,
            legal_per_turn=counts[LEGAL] / turns,
            most_legal=counts[MOST_LEGAL],
            points=(counts[POINTS_LEADER] / deals, counts[POINTS_OTHER] / deals),
            xeri_per_deal=counts[XERI_SEEN] / deals,
            tie_rate=counts[TIES] / deals,
            turns_with_pile=counts[PILE_TURNS] / turns,
            first_wins=counts[LEADER_WINS] / deals,
        )
