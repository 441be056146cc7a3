"""Sampling: from a view to whole positions that look like it, each as likely as any other.

What the seat cannot see is drawn evenly from all arrangements that fit what it knows: the cards it
has seen, the cards that others have promised to hold (R6.2, R7.2, R8.4) and shown (R2.7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from diloti.bots.arrangements import (
    CERTAIN,
    LIMIT,
    NEXT,
    SHARES,
    Arrangements,
    count_splits_of_captures,
    limits_of,
)
from diloti.bots.knowledge import Knowledge, knowledge_of
from diloti.core.cards import cards_in
from diloti.core.dice import new_dice, roll
from diloti.core.jit import Ints, kernel, lowest, popcount
from diloti.core.plays import nth_card
from diloti.core.position import CAPTURED, HANDS, ORDER, STATE_SIZE, Position
from diloti.core.view import View


class Tables(NamedTuple):
    """What the kernel draws from; `tables_of` makes it, the kernel only reads it."""

    known: Ints
    """The state as far as it is known."""
    hands: Ints
    """Of each other hand the seat and the number of cards, tied seats first."""
    free: Ints
    """The unseen cards outside the groups."""
    groups: Ints
    """Of each group the cards, as a mask, and 1 where those left over have been captured."""
    walk: Ints
    """How the groups are split: see `diloti.bots.arrangements`."""
    sides: Ints
    """The chance that side 0 has up to 0, 1, 2, … of the captures; empty where they are known."""
    end: int
    """The place in the state behind the stock."""


@dataclass(frozen=True, eq=False)
class Sampler:
    """All that is needed to draw whole positions for a view, worked out once."""

    knowledge: Knowledge
    tables: Tables
    arrangements: int
    """From how many it draws."""
    is_contradictory: bool
    """Whether the view claims what cannot all be so; samples then leave some of it out."""

    def draw(self, state: Ints, dice: Ints) -> None:
        """Make `state` a whole position that looks like the view."""
        draw_hidden(self.tables, state, dice)


@kernel
def draw_hidden(tables: Tables, state: Ints, dice: Ints) -> None:
    """Make `state` a whole position: the known part, and the rest drawn evenly from what fits.

    The order of the cards that have left the stock means nothing.
    """
    for place in range(STATE_SIZE):
        state[place] = tables.known[place]
    free_end = deal_groups(tables, state, dice)
    top = free_end - tables.free.size
    for place in range(tables.free.size):
        state[top + place] = tables.free[place]
    for hand in range(tables.hands.shape[0]):
        into = HANDS + tables.hands[hand, 0]
        number = tables.hands[hand, 1] - popcount(state[into])
        tied = hand < tables.walk.shape[1] - SHARES
        top = deal_evenly(state, into, number, top, free_end if tied else tables.end, dice)
    if tables.sides.size:
        number = tables.sides.size - 1 - popcount(state[CAPTURED])
        top = deal_evenly(state, CAPTURED, number, top, tables.end, dice)
        split_captures(tables.sides, state, dice)
    for last in range(tables.end - 1, top, -1):
        other = top + roll(dice, last - top + 1)
        held = state[last]
        state[last] = state[other]
        state[other] = held


@kernel
def deal_groups(tables: Tables, state: Ints, dice: Ints) -> int:
    """Give the tied seats their shares of each group.

    What is left over goes to the captures or to the back of the order, which then begins at the
    place that is returned.
    """
    back = tables.end
    row = 0
    for group in range(tables.groups.shape[0]):
        cards = tables.groups[group, 0]
        if tables.walk[row, LIMIT] < CERTAIN:
            chance = roll(dice, CERTAIN)
            while tables.walk[row, LIMIT] <= chance:
                row += 1
        for place in range(tables.walk.shape[1] - SHARES):
            for _ in range(tables.walk[row, SHARES + place]):
                card = nth_card(cards, roll(dice, popcount(cards)))
                cards ^= card
                state[HANDS + tables.hands[place, 0]] |= card
        if tables.groups[group, 1]:
            state[CAPTURED] |= cards
            cards = 0
        while cards:
            back -= 1
            state[back] = lowest(cards)
            cards &= cards - 1
        row = tables.walk[row, NEXT]
    return back


@kernel
def deal_evenly(state: Ints, into: int, number: int, first: int, end: int, dice: Ints) -> int:
    """Deal so many of the cards in the places from `first` up to `end` into a mask of the state.

    Returns the first place of those that are left.
    """
    for place in range(first, first + number):
        other = place + roll(dice, end - place)
        card = state[other]
        state[other] = state[place]
        state[place] = card
        state[into] |= 1 << card
    return first + number


@kernel
def split_captures(sides: Ints, state: Ints, dice: Ints) -> None:
    """Split the captures, all of them with side 0 so far, between the sides."""
    chance = roll(dice, CERTAIN)
    here = 0
    while sides[here] <= chance:
        here += 1
    cards = state[CAPTURED]
    for left in range(popcount(cards), 0, -1):
        card = cards & -cards
        cards ^= card
        if roll(dice, left) < here:
            here -= 1
        else:
            state[CAPTURED] ^= card
            state[CAPTURED + 1] |= card


def sampler_of(view: View) -> Sampler:
    """A sampler for a view; `PositionError` where the numbers of cards do not add up.

    Promises and shown cards that cannot all be kept are dropped, the promises first.
    """
    knowledge = knowledge_of(view)
    arrangements = Arrangements(knowledge)
    contradictory = knowledge.is_contradictory
    for shown in (True, False):
        if arrangements.count == 0:
            contradictory = True
            arrangements = Arrangements(knowledge, promises=False, shown=shown)
    splits = sum(count_splits_of_captures(knowledge)) or 1
    return Sampler(
        knowledge,
        tables_of(knowledge, arrangements),
        arrangements.count * splits,
        contradictory,
    )


def tables_of(knowledge: Knowledge, arrangements: Arrangements) -> Tables:
    """The tables by which to draw from some arrangements."""
    view = knowledge.view
    hands = [[seat, view.hand_sizes[seat]] for seat in arrangements.tied + arrangements.others]
    groups = [[group.cards, int(group.to_captures)] for group in arrangements.groups]
    splits = count_splits_of_captures(knowledge)
    return Tables(
        known=knowledge.state,
        hands=np.array(hands, dtype=np.int64),
        free=np.array(list(cards_in(arrangements.free)), dtype=np.int64),
        groups=np.array(groups, dtype=np.int64).reshape(len(groups), 2),
        walk=arrangements.walk(),
        sides=np.array(limits_of(splits), dtype=np.int64),
        end=ORDER + view.rules.pack_size,
    )


def sample_position(view: View, seed: int) -> Position:
    """A position drawn evenly from those that look like `view`; the same for the same seed."""
    state = np.empty(STATE_SIZE, dtype=np.int64)
    draw_hidden(sampler_of(view).tables, state, new_dice(seed))
    return view.known.replaced(state=state)
