"""Chances to win the match: during a deal as a seat sees it, between deals, and before any card."""

from __future__ import annotations

from functools import lru_cache

from diloti.bots.outlook import Outlook, load_ends, match_chances, outlook
from diloti.core.position import seat_after, side_of
from diloti.core.rules import Rules
from diloti.core.scoring import winner_of
from diloti.core.view import View


def outlook_of(view: View) -> Outlook:
    """What leads at the end of the hand now held are worth in the match."""
    rules = view.rules
    refills = view.stock_size // (rules.players * rules.hand_size)
    leader = side_of(seat_after(seat_after(view.dealer, rules), rules))
    return _outlook(rules, view.scores, leader, refills)


@lru_cache(maxsize=64)
def _outlook(rules: Rules, scores: tuple[int, int], leader: int, refills: int) -> Outlook:
    return outlook(rules, scores, leader, refills)


def chance_after(rules: Rules, scores: tuple[int, int], dealer: int) -> float:
    """The chance of side 0 with these totals, after a deal of `dealer` (R12.2)."""
    winner = winner_of(rules, scores)
    if winner is not None:
        return float(winner == 0)
    missing = [rules.target - score for score in scores]
    if missing[0] == missing[1] <= 0:
        return 0.5
    chances = match_chances(rules)
    beyond = max(0, max(missing) - (chances.shape[0] - 1))
    first, second = (max(number - beyond, 1) for number in missing)
    leader = side_of(seat_after(seat_after(dealer, rules), rules))
    return round(float(chances[first, second, leader]), 4)


def expected_start(rules: Rules, dealer: int) -> float:
    """The lead of side 0 that is expected before the cards of a deal are seen.

    From deals of the network against itself by the named rules: what it is worth to lead.
    """
    ends, often = load_ends(rules.players)
    lead = float(((ends[:, 0] - ends[:, 1]) * often).sum() / often.sum())
    leader = side_of(seat_after(dealer, rules))
    return round(lead if leader == 0 else -lead, 3)
