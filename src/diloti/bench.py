"""Measuring the engine from the command line."""

from __future__ import annotations

import time
from collections.abc import Callable

from diloti.core.playouts import RandomPlay
from diloti.core.rules import Rules

_BATCH = 50


def random_play(
    rules: Rules,
    *,
    seconds: float,
    seed: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, object]:
    """Uniform random play over all legal plays for some seconds on one core, dealing included.

    The compiler is not measured. `ns_per_play` is wall-clock time; the other figures check the
    rules: legal plays a turn, points of the side that plays first and of the other, xeri a deal,
    share of deals with 26 : 26 cards, of turns with a pile on the table, and of deals in which the
    side that plays first has more points.
    """
    RandomPlay(rules, seed).play(1)
    play = RandomPlay(rules, seed)
    start = clock()
    while (spent := clock() - start) < seconds or not spent:
        play.play(_BATCH)
    figures = play.figures()
    return {
        "rules": rules.base,
        "fingerprint": rules.fingerprint,
        "seed": seed,
        "ns_per_play": round(spent * 1e9 / figures.plays, 1),
        "deals": figures.deals,
        "plays": figures.plays,
        "legal_per_turn": {"mean": round(figures.legal_per_turn, 4), "max": figures.most_legal},
        "points": [round(points, 4) for points in figures.points],
        "xeri_per_deal": round(figures.xeri_per_deal, 4),
        "tie_rate": round(figures.tie_rate, 4),
        "turns_with_pile": round(figures.turns_with_pile, 4),
        "first_wins": round(figures.first_wins, 4),
    }
