"""Counting how the unseen cards can lie, so that each way can be drawn with the same chance.

Only a few cards make a difference: those of a promised rank and those that were shown. They are
taken in *groups*. For each group it is first drawn how many of its cards go to each of the *tied*
seats, those of which a promise or a shown card is known, by the number of arrangements that follow
from there. Every other card is like any other, and so is every other place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import comb, factorial, prod

import numpy as np

from diloti.bots.knowledge import Knowledge
from diloti.core.cards import RANKS, cards_of_rank, rank_of
from diloti.core.jit import Ints
from diloti.core.position import CAPTURED

CERTAIN = 1 << 60
"""The chance of what happens for certain; other chances are whole numbers below it. The numbers of
arrangements themselves can be too large for kernels."""

LIMIT, NEXT, SHARES = range(3)
"""Columns of a walk: the chance of this row or one above it in its step, the first row of the step
that follows, and from `SHARES` on how many cards of the group each tied seat gets."""


@dataclass(frozen=True)
class Group:
    """Unseen cards that are dealt together, and who may get how many. Lists go by tied seat."""

    cards: int
    least: tuple[int, ...]
    least_if_shown: tuple[int, ...]
    """The same where a seat already has the card that it once showed."""
    most: tuple[int, ...]
    is_shown: bool
    """Whether it is a shown card; otherwise it is what else is unseen of a promised rank."""
    to_captures: bool = False
    """Whether what no tied seat gets has been captured; if not, it can be anywhere."""


@dataclass(frozen=True)
class _Step:
    """Where a walk stands: the next group, and the room that is left."""

    group: int
    rooms: tuple[int, ...]
    captured: int
    shown: bool = False
    """Whether a tied seat has got the card that it once showed."""


class Arrangements:
    """All arrangements of the unseen cards in which the tied seats hold what they must."""

    def __init__(self, knowledge: Knowledge, *, promises: bool = True, shown: bool = True) -> None:
        sizes = knowledge.view.hand_sizes
        sightings = knowledge.sightings if shown else ()
        promised = knowledge.promised if promises else (0,) * len(sizes)
        shown_ranks = {sighting.holder: rank_of(sighting.card) for sighting in sightings}
        self.tied = [
            seat for seat in knowledge.other_seats if promised[seat] or seat in shown_ranks
        ]
        self.others = [seat for seat in knowledge.other_seats if seat not in self.tied]
        self.free = knowledge.unseen
        """The cards outside the groups."""
        self.groups: list[Group] = []
        for sighting in sightings:
            most = tuple(int(seat == sighting.holder) for seat in self.tied)
            least = tuple(0 if sighting.may_be_captured else one for one in most)
            self._add(Group(1 << sighting.card, least, least, most, True, sighting.may_be_captured))
        for rank in range(RANKS):
            least = tuple(promised[seat] >> rank & 1 for seat in self.tied)
            if any(least):
                still = tuple(
                    one if shown_ranks.get(seat) != rank else 0
                    for seat, one in zip(self.tied, least, strict=True)
                )
                cards = cards_of_rank(self.free, rank)
                self._add(Group(cards, least, still, (cards.bit_count(),) * len(still), False))
        self._other_rooms = [sizes[seat] for seat in self.others]
        self._stock = knowledge.view.stock_size
        rooms = tuple(sizes[seat] for seat in self.tied)
        self._first = _Step(0, rooms, knowledge.captured_unseen)
        self._counts: dict[_Step, int] = {}

    def _add(self, group: Group) -> None:
        self.groups.append(group)
        self.free &= ~group.cards

    @property
    def count(self) -> int:
        """How many there are: hands as sets, the stock in order, the captures not by side."""
        return self._count(self._first)

    def _count(self, step: _Step) -> int:
        if step not in self._counts:
            if step.group < len(self.groups):
                count = sum(ways * self._count(after) for _, ways, after in self._splits(step))
            else:
                count = self._count_free(step)
            self._counts[step] = count
        return self._counts[step]

    def _count_free(self, step: _Step) -> int:
        """In how many ways the free cards fill the room left, and other places the rest."""
        spare = self.free.bit_count() - sum(step.rooms)
        if spare < 0:
            return 0
        others = (*self._other_rooms, step.captured)
        ordered = factorial(sum(others) + self._stock)
        return _ways((*step.rooms, spare)) * ordered // prod(map(factorial, others))

    def _splits(self, step: _Step) -> Iterator[tuple[tuple[int, ...], int, _Step]]:
        """Each way to split the next group: the shares, in how many ways, and what follows."""
        group = self.groups[step.group]
        least = group.least_if_shown if step.shown else group.least
        ranges = (
            range(fewest, min(most, room) + 1)
            for fewest, most, room in zip(least, group.most, step.rooms, strict=True)
        )
        for shares in product(*ranges):
            left = group.cards.bit_count() - sum(shares)
            captured = step.captured - (left if group.to_captures else 0)
            if left < 0 or captured < 0:
                continue
            rooms = tuple(room - share for room, share in zip(step.rooms, shares, strict=True))
            shown = step.shown or (group.is_shown and any(shares))
            yield shares, _ways((*shares, left)), _Step(step.group + 1, rooms, captured, shown)

    def walk(self) -> Ints:
        """The table by which to split the groups: a step a group, a row a way to split it.

        The first step begins in row 0. There must be an arrangement.
        """
        rows: list[list[int]] = []
        first_rows: dict[_Step, int] = {}

        def lay(step: _Step) -> int:
            if step.group == len(self.groups):
                return 0
            if step not in first_rows:
                splits = [split for split in self._splits(step) if self._count(split[2])]
                limits = limits_of([ways * self._count(after) for _, ways, after in splits])
                first = first_rows[step] = len(rows)
                for limit, (shares, _, _) in zip(limits, splits, strict=True):
                    rows.append([limit, 0, *shares])
                for place, (_, _, after) in enumerate(splits, first):
                    rows[place][NEXT] = lay(after)
            return first_rows[step]

        lay(self._first)
        return np.array(rows, dtype=np.int64).reshape(len(rows), SHARES + len(self.tied))


def count_splits_of_captures(knowledge: Knowledge) -> list[int]:
    """In how many ways the captures can be split so that side 0 has 0, 1, 2, … of them.

    Empty where it is known who captured what. A side that has captured has two cards at least, and
    two for each xeri and xeristaki; one that has not yet played has none.
    """
    if knowledge.sides_known:
        return []
    view = knowledge.view
    total = knowledge.captured_unseen + int(knowledge.state[CAPTURED]).bit_count()
    least = [2 * (view.xeri[side] + view.xeristaki[side]) for side in (0, 1)]
    most = [total, total]
    if view.last_capture is not None:
        least[view.last_capture] = max(2, least[view.last_capture])
        if view.plays == 1:
            most[1 - view.last_capture] = 0
    ways = [
        comb(total, here)
        if all(
            least[side] <= cards <= most[side] and cards != 1
            for side, cards in enumerate((here, total - here))
        )
        else 0
        for here in range(total + 1)
    ]
    if not any(ways):
        ways[0 if view.last_capture == 1 else total] = 1
    return ways


def limits_of(ways: Sequence[int]) -> list[int]:
    """For each of some cases, in proportion to their ways, the chance of it or one before it."""
    total = sum(ways)
    return [upto * CERTAIN // total for upto in accumulate(ways)]


def _ways(shares: Sequence[int]) -> int:
    """In how many ways cards can be dealt out in such shares."""
    ways, dealt = 1, 0
    for share in shares:
        dealt += share
        ways *= comb(dealt, share)
    return ways
