"""Outlook: what a lead in this deal is worth in the match.

From how deals end when the network plays itself, by the named rules, follows for any two totals the
chance to win the match (R12). Near the target that is what counts: at 55 : 55 the first points
decide, at 20 : 20 each counts alike. Xeristaki are left out, and two sides that would end level
beyond the target count as half a win.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb

import numpy as np

from diloti.bots.network import WEIGHTS, shipped_for
from diloti.core.jit import Floats, Ints, kernel
from diloti.core.rules import Rules

SURE = 100_000
"""Worth of a won match; a chance is that many parts of it."""
LEADS = 80
"""Leads are counted from -80 to 80 points; beyond that they are all alike."""

_MOST_MISSING = 130
"""Points that a side misses are told apart up to so many; beyond, both sides are moved closer."""
_XERI_COUNTS = 8
_SHARED = 11
_SPREADS = (0, 50, 100, 150)
"""Four times the variance of a lead at the end of a hand, in square points, by the refills left:
measured, per hand, in deals of the network against itself."""


@kernel
def fill_chances(ends: Ints, often: Ints, chances: Floats) -> None:
    """Fill in the chance of side 0 by what it misses, what the other misses, and who leads next."""
    most = chances.shape[0] - 1
    total = often.sum()
    for both in range(2, 2 * most + 1):
        for own in range(max(1, both - most), min(most, both - 1) + 1):
            other = both - own
            for leader in range(2):
                won = 0.0
                for row in range(often.size):
                    mine = own - ends[row, leader]
                    theirs = other - ends[row, 1 - leader]
                    if mine > 0 and theirs > 0:
                        won += often[row] * chances[mine, theirs, 1 - leader]
                    elif mine == theirs:
                        won += often[row] * 0.5
                    elif mine < theirs:
                        won += often[row]
                chances[own, other, leader] = won / total


@lru_cache(maxsize=16)
def match_chances(rules: Rules) -> Floats:
    """The chance of side 0 to win by what each side misses and which side leads the next deal."""
    ends, often = load_ends(rules.players)
    most = min(rules.target, _MOST_MISSING)
    chances = np.zeros((most + 1, most + 1, 2))
    fill_chances(ends, often, chances)
    return chances


@cache
def load_ends(players: int) -> tuple[Ints, Ints]:
    """How deals end: the points of the side that leads and of the other, and how often.

    From deals of the network against itself, by the named rules for so many players.
    """
    with np.load(WEIGHTS / f"{shipped_for(players)}.ends.npz") as stored:
        return stored["ends"], stored["often"]


@dataclass(frozen=True)
class Outlook:
    """What leads of side 0 at the end of a hand are worth, in a match that stands as it stands.

    `worth` is by number of xeri so far (both sides) and lead, from -`LEADS` points on.
    """

    worth: Ints

    def chance(self, lead: float, xeri: int) -> float:
        """The chance of side 0 to win the match with a lead in this deal, in points."""
        row = self.worth[min(xeri, _XERI_COUNTS - 1)]
        place = min(max(lead + LEADS, 0.0), 2.0 * LEADS - 1)
        low = int(place)
        return float(row[low] + (row[low + 1] - row[low]) * (place - low)) / SURE


def outlook(rules: Rules, scores: tuple[int, int], next_leader: int, refills: int) -> Outlook:
    """What leads are worth at the end of a hand after which `refills` are left.

    `scores` are the totals before the deal, `next_leader` the side that leads the next one.
    """
    chances = match_chances(rules)
    worth = np.zeros((_XERI_COUNTS, 2 * LEADS + 1))
    for xeri in range(_XERI_COUNTS):
        both = _SHARED + xeri * rules.xeri_points
        for place in range(2 * LEADS + 1):
            for twice in (both + place - LEADS, both + place - LEADS + 1):
                first = min(max(twice // 2, 0), both)  # two ways where the lead is not even
                totals = scores[0] + first, scores[1] + both - first
                worth[xeri, place] += _chance_at(rules, chances, totals, next_leader) / 2
    spread = _SPREADS[min(refills, 3)]
    if spread:
        parts = np.array([comb(spread, part) / 2**spread for part in range(spread + 1)])
        padded = np.pad(worth, ((0, 0), (spread // 2, spread - spread // 2)), mode="edge")
        worth = np.array([np.convolve(row, parts, mode="valid") for row in padded])
    return Outlook(np.round(worth * SURE).astype(np.int64))


def _chance_at(rules: Rules, chances: Floats, totals: tuple[int, int], next_leader: int) -> float:
    """The chance of side 0 with these totals after a deal."""
    own, other = rules.target - totals[0], rules.target - totals[1]
    if min(own, other) <= 0:
        return 0.5 if own == other else float(own < other)
    beyond = max(own, other) - (chances.shape[0] - 1)
    if beyond > 0:
        own, other = max(own - beyond, 1), max(other - beyond, 1)
    return float(chances[own, other, next_leader])


@kernel
def worth_of_lead(worth: Ints, lead: int, xeri: int) -> int:
    """What a lead of side 0, in thousandths of a point, is worth, in parts of `SURE`."""
    row = min(xeri, worth.shape[0] - 1)
    place = min(max(lead + LEADS * 1000, 0), (2 * LEADS - 1) * 1000)
    low = place // 1000
    return int(worth[row, low] + (worth[row, low + 1] - worth[row, low]) * (place % 1000) // 1000)
