"""What the strongest bot thinks of a turn: from the view alone, the same every time."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from diloti.core import wire
from diloti.core.notation import format_play, parse_play
from diloti.core.plays import legal_plays
from diloti.core.view import View, view_of
from diloti.teacher.advice import MUCH, Advice, advise, mistake_of
from diloti.words import Words
from diloti.words.hints import tell_loss, tell_meaning, tell_why
from tests.hidden import rehidden
from tests.strategies import random_position
from tests.thinking import INTERPRETED, view_with, views_of_deals

pytestmark = pytest.mark.skipif(INTERPRETED, reason="searches long")

SIMULATIONS = 400
RICH = view_with("AcJhQd", "AdAsTdKc9h", plays=18)
"""Whoever does not take the aces here loses much."""


def brief(view: View) -> Advice:
    return advise(view, simulations=SIMULATIONS)


def test_other_hidden_cards_change_nothing() -> None:
    for seed in range(12):
        dice = random.Random(f"advice {seed}")
        written = random_position(dice)
        seat = written["turn"]
        other = rehidden(dice, written, seat)
        views = [view_of(wire.read_position(one), seat) for one in (written, other)]
        assert views[0] == views[1]
        one, same = map(brief, views)
        assert one == same
        for play in legal_plays(views[0].known)[:3]:
            assert mistake_of(one, play, simulations=SIMULATIONS) == mistake_of(
                same, play, simulations=SIMULATIONS
            )


def test_the_best_is_what_the_bot_plays_and_the_rest_comes_in_order() -> None:
    for view in views_of_deals(6):
        advice = brief(view)
        near = min(view.rules.target - score for score in view.scores) <= 40
        assert advice.by_chance == near
        assert advice == brief(view)
        plays = [option.play for option in advice.options]
        assert len({*plays}) == len(plays)
        assert {*plays} <= {*legal_plays(view.known)}
        rest = [option.win_chance if near else option.points for option in advice.options[1:]]
        assert rest == sorted(rest, key=lambda worth: -(worth or 0.0))


def test_near_the_target_the_chance_counts() -> None:
    view = replace(RICH, scores=(52, 55))
    advice = brief(view)
    assert advice.by_chance
    mistake = mistake_of(advice, parse_play("Qd"), simulations=SIMULATIONS)
    assert mistake is not None
    assert mistake.chances is not None
    assert mistake.chances[0] > mistake.chances[1]
    told = tell_loss(Words("en"), mistake.points, mistake.chances)
    assert told.startswith("This play lowers your chance to win the match from ")


def test_who_leaves_aces_is_warned() -> None:
    advice = brief(RICH)
    assert not advice.by_chance
    assert format_play(advice.best.play) == "AcxAdAs"
    mistake = mistake_of(advice, parse_play("Qd"), simulations=SIMULATIONS)
    assert mistake is not None
    assert mistake.points >= MUCH
    assert mistake.better == advice.best.play
    assert any("A♦" in tell_why(Words("en"), [motive]) for motive in mistake.motives)
    assert mistake_of(advice, advice.best.play) is None


def test_equal_cards_are_judged_alike() -> None:
    view = view_with("KhKdQd", "4c6d", plays=18)
    advice = brief(view)
    kings = [advice.option(parse_play(text)) for text in ("Kh", "Kd")]
    assert kings[0] is not None
    assert kings[0] == kings[1]


def test_a_play_that_was_not_looked_at_is_tried_after_all() -> None:
    advice = brief(RICH)
    short = replace(advice, options=advice.options[:1])
    assert short.option(parse_play("Qd")) is None
    mistake = mistake_of(short, parse_play("Qd"), simulations=SIMULATIONS)
    known = mistake_of(advice, parse_play("Qd"), simulations=SIMULATIONS)
    assert mistake is not None
    assert known is not None
    assert abs(mistake.points - known.points) < 1.5


def test_every_language_says_what_numbers_mean() -> None:
    for language in ("el", "en", "pt", "ru"):
        words = Words(language)
        assert tell_meaning(words, by_chance=True) != tell_meaning(words, by_chance=False)
        assert tell_why(words, ()).endswith(".")
        assert "4" in tell_loss(words, 3.6, None)
