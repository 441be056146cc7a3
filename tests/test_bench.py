"""The benchmark counts what it says, with a clock that is handed in."""

from __future__ import annotations

import itertools

import pytest

from diloti.bench import random_play
from diloti.core.playouts import RandomPlay
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from


def test_random_play_measures_and_checks_itself() -> None:
    ticks = itertools.count(0.0, 0.5)
    figures = random_play(CLASSIC, seconds=1.0, seed=1, clock=lambda: next(ticks))
    assert figures["deals"] == 50
    assert figures["plays"] == 48 * 50
    assert figures["ns_per_play"] == pytest.approx(1e9 / 2400, rel=1e-3)
    assert figures["fingerprint"] == CLASSIC.fingerprint
    points = figures["points"]
    assert isinstance(points, list)
    assert all(0 < side < 15 for side in points)


@pytest.mark.parametrize("rules", [CLASSIC, TAVERNA, rules_from("taverna", players=2)])
def test_random_deals_are_repeatable_in_every_rule_set(rules: Rules) -> None:
    runs = []
    for _ in range(2):
        play = RandomPlay(rules, 7)
        play.play(12)
        runs.append(play.figures())
    assert runs[0] == runs[1]
    assert runs[0].plays == 12 * 48
    assert sum(runs[0].points) > 6
