"""The simple bots: random draws evenly, and greedy sees what is on the table."""

from __future__ import annotations

import statistics

import pytest

from diloti.bots import UnknownBotError, choose
from diloti.bots.simple import MOST_JUDGED
from diloti.core.legality import Refusal, refusal_of
from diloti.core.match import Match
from diloti.core.notation import format_play
from diloti.core.plays import count_legal_plays
from diloti.core.rules import CLASSIC, Rules, rules_from
from diloti.core.view import view_of
from tests.setting import legal, position


def test_random_draws_evenly() -> None:
    here = position("6h9d", "6d2c4s")
    view = view_of(here, 0)
    counts: dict[str, int] = {}
    for seed in range(600):
        play = format_play(choose(view, "random", seed=seed).play)
        counts[play] = counts.get(play, 0) + 1
    assert set(counts) == legal(here)
    assert min(counts.values()) > 600 / len(counts) / 2


@pytest.mark.parametrize(
    ("hand", "loose", "best"),
    [
        ("6h9d", "6d2c4s", "6hx2c4s6d"),  # a xeri
        ("Th5c", "TdKs", "ThxTd"),  # the ten of diamonds
    ],
)
def test_greedy_sees_what_is_on_the_table(hand: str, loose: str, best: str) -> None:
    choice = choose(view_of(position(hand, loose), 0), "greedy")
    points = [candidate.points or 0 for candidate in choice.analysis]
    assert points == sorted(points, reverse=True)

    assert format_play(choice.play) == best


def test_greedy_copes_with_more_plays_than_it_judges() -> None:
    wide = position("Td8cKs", "AcAdAhAs2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h6c6d6h7c7d8d9c9d9h")
    assert count_legal_plays(wide) > 100 * MOST_JUDGED
    choice = choose(view_of(wide, 0), "greedy")
    assert refusal_of(wide, choice.play) is Refusal.NONE


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(UnknownBotError):
        choose(view_of(position("6h", "2c"), 0), "grandmaster")


def difference(rules: Rules, seed: int, side: int) -> int:
    """Points of greedy on `side` less those of random, in one deal."""
    match = Match(rules, first_dealer=seed % rules.players)
    match.deal_seed(seed.to_bytes(32, "big"))
    while match.turn is not None:
        bot = "greedy" if match.turn % 2 == side else "random"
        match.play(choose(match.view(match.turn), bot, seed=seed).play)
    score = match.deal_log.score
    assert score is not None
    return score.sheets[side].total - score.sheets[1 - side].total


@pytest.mark.proof
@pytest.mark.parametrize(
    "rules", [CLASSIC, rules_from("taverna"), rules_from("taverna", players=2)]
)
def test_greedy_beats_random(rules: Rules) -> None:
    pairs = [difference(rules, seed, 0) + difference(rules, seed, 1) for seed in range(150)]
    mean = statistics.mean(pairs) / 2
    error = statistics.stdev(pairs) / 2 / len(pairs) ** 0.5
    assert mean - 3 * error > 6
