"""Compiling all kernels before they are needed, step by step, so that a screen can say how far."""

from __future__ import annotations

from collections.abc import Callable

from diloti.bots import LEVELS, choose
from diloti.core.effects import make_play
from diloti.core.match import Match
from diloti.core.plays import count_legal_plays, legal_plays
from diloti.core.rules import CLASSIC
from diloti.core.selection import Selection, fitting_plays
from diloti.core.shuffle import SEED_SIZE

_WITH_A_PAST, _NEAR_THE_END = 7, 44
"""Plays after which a bot has something to conclude from, and after which it solves the rest."""


def steps() -> list[Callable[[], object]]:
    """What there is to prepare: run one after the other, after that every call is quick."""
    match = Match(CLASSIC, first_dealer=0)
    return [
        lambda: match.deal_seed(bytes(SEED_SIZE)),
        lambda: count_legal_plays(match.position),
        lambda: legal_plays(match.position),
        lambda: fitting_plays(match.position, Selection(match.view(1).hand.bit_length() - 1)),
        lambda: make_play(match.position, legal_plays(match.position)[0]),
        *(lambda bot=bot: choose(match.view(1), bot, simulations=1) for bot in LEVELS),
        lambda: _choose_after(match, _WITH_A_PAST),
        lambda: _choose_after(match, _NEAR_THE_END),
    ]


def _choose_after(match: Match, plays: int) -> None:
    """Have every level choose when so many plays of the deal have been made."""
    while len(match.deal_log.plays) < plays:
        match.play(legal_plays(match.position)[-1])
    assert match.turn is not None
    for bot in LEVELS:
        choose(match.view(match.turn), bot, simulations=1)
