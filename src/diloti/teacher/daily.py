"""The daily deal: what the strongest bot makes of the packs that everybody gets on a day."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from diloti.bots import choose
from diloti.core.match import Match
from diloti.core.rules import Rules
from diloti.core.shuffle import Cut

OPPONENT = "regular"
"""The bot that everybody plays against."""
YARDSTICK = "expert"
"""The bot that plays the same packs in everybody's place."""


def daily_lead(
    rules: Rules,
    secrets: Sequence[bytes],
    *,
    first_dealer: int,
    simulations: int,
    is_wanted: Callable[[], bool] = lambda: True,
) -> int | None:
    """The lead in points that `YARDSTICK` in seat 0 has after the deals of these secrets.

    Without a clock, so the same on every machine. None where it is no longer wanted meanwhile,
    which is asked before every play.
    """
    match = Match(rules, first_dealer=first_dealer)
    for secret in secrets:
        match.deal_cut(Cut(secret))
        log = match.deal_log
        while match.turn is not None:
            if not is_wanted():
                return None
            view, seed = match.view(match.turn), log.choice_seed
            if match.turn == 0:
                choice = choose(view, YARDSTICK, seed=seed, simulations=simulations)
            else:
                choice = choose(view, OPPONENT, seed=seed)
            match.play(choice.play)
    return match.scores[0] - match.scores[1]
