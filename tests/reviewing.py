"""Matches to review, and reviews that cost little."""

from __future__ import annotations

import random
from functools import cache

from diloti.bots import choose
from diloti.core.match import Match
from diloti.core.rules import CLASSIC, Rules
from diloti.teacher.review import MatchReview, review_match
from tests.matches import deal_next, new_match
from tests.thinking import INTERPRETED

SIMULATIONS = 4 if INTERPRETED else 96


def some_match(seed: int, rules: Rules = CLASSIC, *, deals: int = 1, bot: str = "novice") -> Match:
    """A match of so many whole deals, or fewer where it ends before."""
    rng = random.Random(seed)
    match = new_match(rng, rules)
    while len(match.deals) < deals and not match.is_over:
        deal_next(rng, match)
        while match.turn is not None:
            view = match.view(match.turn)
            play = choose(view, bot, seed=rng.getrandbits(32), simulations=SIMULATIONS).play
            match.play(play)
    return match


@cache
def reviewed(seed: int, rules: Rules = CLASSIC, deals: int = 1) -> tuple[Match, MatchReview]:
    """Such a match and its review, made once."""
    match = some_match(seed, rules, deals=deals)
    return match, review_match(match, simulations=SIMULATIONS, seed=seed, workers=1)
