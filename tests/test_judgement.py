"""Judging one play: from what its seat could know, on equal samples, exactly where that can be."""

from __future__ import annotations

import random

import pytest

from diloti.bots.endgame import SOLVED, Room, is_ending, judge_ending
from diloti.bots.levels import expert_method
from diloti.bots.search import MOST_TRIED, Search
from diloti.core.effects import make_play
from diloti.core.notation import parse_card, parse_play
from diloti.core.plays import TRAIL, legal_plays
from diloti.core.position import Position, side_of
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.view import View, view_of
from diloti.core.wire import read_position, write_position
from diloti.teacher.chances import chance_after, expected_start
from diloti.teacher.judgement import LISTED, JudgedPlay, judge_play
from diloti.teacher.marks import MARKS, accuracy_of, mark_of
from diloti.teacher.trial import Race, likeness
from tests.hidden import rehidden
from tests.reviewing import SIMULATIONS, some_match
from tests.sampling import deals
from tests.thinking import INTERPRETED, view_with

pytestmark = pytest.mark.skipif(INTERPRETED, reason="what thinks takes long interpreted")

FOUR = rules_from("taverna", partners_show_card=True, obligations=True)


def judged(view: View, play: object, **details: int) -> JudgedPlay:
    details = {"simulations": SIMULATIONS, "seed": 5} | details
    return judge_play(view, play, **details)  # type: ignore[arg-type]


def view_in_turn(here: Position) -> View:
    assert here.turn is not None
    return view_of(here, here.turn)


def check(judgement: JudgedPlay) -> None:
    """What holds for every judgement."""
    assert judgement.loss >= 0
    assert judgement.loss == pytest.approx(judgement.best_points - judgement.points, abs=1e-9)
    assert (judgement.loss > 0) == (judgement.best != judgement.play)
    assert judgement.mark == mark_of(judgement.loss, judgement.error, judgement.chance_loss)
    assert 1 <= len(judgement.candidates) <= LISTED
    first = judgement.candidates[0]
    assert (first.play, first.points) == (judgement.best, judgement.best_points)
    points = [candidate.points for candidate in judgement.candidates]
    assert points == sorted(points, reverse=True)  # type: ignore[type-var]
    [own] = [one for one in judgement.candidates if one.play == judgement.play]
    assert own.points == judgement.points
    alike = [likeness(one.play.packed) for one in judgement.candidates]
    assert len(set(alike)) == len(alike)
    assert 0 <= judgement.win_chance <= 1


@pytest.mark.parametrize("rules", [CLASSIC] if INTERPRETED else [CLASSIC, TAVERNA, FOUR])
def test_hidden_cards_change_nothing(rules: Rules) -> None:
    rng = random.Random(8)
    positions = [here for here in deals(rules, 4, "greedy") if here.turn is not None]
    changed = 0
    for here in positions[2 :: 20 if INTERPRETED else 8]:
        assert here.turn is not None
        play = rng.choice(legal_plays(here))
        expected = judged(view_in_turn(here), play)
        check(expected)
        other = read_position(rehidden(rng, write_position(here), here.turn))
        changed += other.hands != here.hands or other.stock != here.stock
        assert judged(view_in_turn(other), play) == expected
    assert changed >= 1


def test_every_legal_play_can_be_judged_however_bad() -> None:
    for seed, place in ((3, 14), (5, 27)):
        here = list(deals(CLASSIC, seed, "greedy"))[place]
        view = view_in_turn(here)
        found = [judged(view, play) for play in legal_plays(here)]
        for one in found:
            check(one)
        assert any(one.loss == 0 for one in found)
        if not INTERPRETED:
            assert max(one.loss for one in found) > 0.5


@pytest.mark.skipif(INTERPRETED, reason="a few samples tell nothing")
def test_a_play_that_the_race_gives_up_is_measured_on_as_many_samples_as_the_best() -> None:
    view = view_with("8s9dQc", "8h2cKd", plays=18)
    missed = parse_play("8s")
    race = Race(view, 1)
    for _ in range(20):
        if not race.is_decided:
            race.step(16)
    given_up = {likeness(race.plays[row]) for row in range(len(race.plays))} - {
        likeness(race.plays[row]) for row in race.alive
    }
    assert likeness(missed.packed) in given_up
    found = judged(view, missed, simulations=2000)
    check(found)
    assert found.mark in MARKS[2:]
    assert 0 < found.error < found.loss / 2


def test_equal_cards_are_equal_plays() -> None:
    view = view_with("5h5sKd", "5c9dQc", plays=18)
    one, other = judged(view, parse_play("5hx5c")), judged(view, parse_play("5sx5c"))
    assert (one.loss, one.points, one.mark) == (other.loss, other.points, other.mark)
    trails = [judged(view, parse_play(card)) for card in ("5h", "5s")]
    assert trails[0].points == trails[1].points


def test_a_play_outside_those_tried_at_first_sight_is_added() -> None:
    """More distinct plays than are tried: the worst at first sight is judged as well."""
    here = next(
        here
        for seed in range(200)
        for here in deals(CLASSIC, seed, "random")
        if here.turn is not None
        and not here.is_last_hand
        and len({likeness(play.packed) for play in legal_plays(here)}) > 2 * MOST_TRIED
    )
    view = view_in_turn(here)
    tried = {likeness(row) for row in Search(view, expert_method(CLASSIC), 1).plays}
    left_out = [play for play in legal_plays(here) if likeness(play.packed) not in tried]
    assert left_out
    for play in left_out[:: 20 if INTERPRETED else 5]:
        check(judged(view, play))


def test_one_play_alone_loses_nothing() -> None:
    found = 0
    for here in deals(CLASSIC, 6, "greedy"):
        if here.turn is None or len({likeness(one.packed) for one in legal_plays(here)}) > 1:
            continue
        one = judged(view_in_turn(here), legal_plays(here)[0])
        assert (one.loss, one.error, one.mark, one.is_decision) == (0, 0, "best", False)
        found += 1
    assert found > 3


@pytest.mark.parametrize("seed", range(2 if INTERPRETED else 12))
def test_endings_are_exact(seed: int) -> None:
    room = Room()
    rng = random.Random(seed)
    for here in deals(CLASSIC, seed, "novice"):
        if here.turn is None or not is_ending(here) or here.plays < 38:
            continue
        room.forget()
        truth = judge_ending(here, room)
        assert truth.status == SOLVED
        leads = {likeness(play.packed): lead for play, lead in truth.plays}
        one = judged(view_in_turn(here), rng.choice(legal_plays(here)))
        check(one)
        assert (one.is_exact, one.error) == (True, 0.0)
        assert leads[likeness(one.best.packed)] == truth.lead == one.best_points
        assert leads[likeness(one.play.packed)] == one.points
        assert one.loss == int(one.loss)


def test_four_players_and_first_hands_are_not_exact() -> None:
    last = list(deals(TAVERNA, 3, "greedy"))[-3]
    first = list(deals(CLASSIC, 3, "greedy"))[3]
    for here in (last, first):
        assert not judged(view_in_turn(here), legal_plays(here)[0]).is_exact


def test_an_ending_that_was_not_seen_from_its_beginning_is_judged_by_samples() -> None:
    """Without history the other hand is not known."""
    here = list(deals(CLASSIC, 3, "greedy"))[40].replaced(history=None)
    one = judged(view_in_turn(here), legal_plays(here)[0])
    check(one)
    assert not one.is_exact


def test_the_seed_decides() -> None:
    here = list(deals(CLASSIC, 9, "greedy"))[8]
    view, play = view_in_turn(here), legal_plays(here)[0]
    assert judged(view, play) == judged(view, play)
    assert judged(view, play).points != judged(view, play, seed=6).points


@pytest.mark.skipif(INTERPRETED, reason="a few samples tell nothing")
def test_losses_of_the_same_play_agree_within_their_errors() -> None:
    far = tried = 0
    for seed in range(8):
        here = list(deals(CLASSIC, seed, "novice"))[9]
        view = view_in_turn(here)
        for play in legal_plays(here)[:6]:
            one, other = (judged(view, play, simulations=1200, seed=s) for s in (1, 2))
            if one.best == other.best != play:
                reach = (one.error**2 + other.error**2) ** 0.5
                far += abs(one.loss - other.loss) > 3 * reach
                tried += 1
    assert tried > 6
    assert far <= 1


# --- Marks and chances ---------------------------------------------------------------


def test_marks_follow_the_loss() -> None:
    losses = [0.0, 0.2, 0.5, 1.4, 1.5, 3.9, 4.0, 20.0]
    marks = [mark_of(loss, 0.01, 0.1) for loss in losses]
    assert marks == ["best", "good", *["inaccuracy"] * 2, *["mistake"] * 2, *["blunder"] * 2]
    assert mark_of(3.0, 1.6, 0.1) == "good"
    assert mark_of(3.0, 1.4, 0.1) == "mistake"
    assert mark_of(5.0, 0.0, 0.0) == mark_of(5.0, 0.1, -0.01) == "good"


def test_accuracy_falls_with_the_loss_of_a_decision() -> None:
    assert accuracy_of(0.0, 10) == accuracy_of(0.0, 0) == 100
    figures = [accuracy_of(cost, 10) for cost in (0, 0.5, 1, 5, 10, 40)]
    assert figures == sorted(figures, reverse=True)
    assert len(set(figures)) == len(figures)
    assert accuracy_of(10, 10) == accuracy_of(20, 20) == 50
    assert accuracy_of(1e6, 1) == 0


def test_chances_between_deals() -> None:
    assert chance_after(CLASSIC, (61, 40), 0) == 1
    assert chance_after(CLASSIC, (40, 64), 0) == 0
    assert chance_after(CLASSIC, (70, 66), 0) == 1
    assert chance_after(CLASSIC, (65, 65), 0) == 0.5
    assert chance_after(CLASSIC, (50, 20), 0) > 0.9 > chance_after(CLASSIC, (20, 20), 0)
    for dealer in (0, 1):
        even = chance_after(CLASSIC, (20, 20), dealer)
        assert even == pytest.approx(1 - chance_after(CLASSIC, (20, 20), 1 - dealer), abs=2e-4)
    far = rules_from(target=1000)
    assert 0.45 < chance_after(far, (0, 0), 0) < 0.55
    assert chance_after(far, (900, 0), 0) > 0.9


def test_leading_is_worth_the_same_on_both_sides() -> None:
    for rules in (CLASSIC, TAVERNA):
        assert expected_start(rules, 0) == -expected_start(rules, 1)
        assert abs(expected_start(rules, 0)) < 3


def test_likeness_tells_scoring_cards_apart() -> None:
    def alike(one: str, other: str) -> bool:
        return likeness(parse_play(one).packed) == likeness(parse_play(other).packed)

    assert alike("5h", "5s")
    assert alike("8hx5c3d", "8cx5d3h")
    assert alike("3c+5h=8", "3d+5s=8")
    assert not alike("Th", "Td")
    assert not alike("ThxTd", "ThxTc")
    assert not alike("8hx2c6d", "8hx2d6d")
    assert not alike("5h", "6h")
    assert not alike("4c+4h=8", "4c+4h=4")
    assert not alike("8hx[3d5s]", "8hx[3h5s]")
    assert likeness((TRAIL, parse_card("Ac"), 0, 0, 0)) != likeness((TRAIL, 3 * 4, 0, 0, 0))


def test_plays_lead_on_to_positions_of_the_other_side() -> None:
    """The lead of a solved ending is that of the side in turn."""
    match = some_match(2)
    position = match.deals[0].outcomes[40].position
    assert position.turn is not None
    one = judged(view_in_turn(position), legal_plays(position)[0])
    after = make_play(position, one.best).position
    other = judged(view_in_turn(after), legal_plays(after)[0])
    assert side_of(after.turn or 0) != one.side
    assert other.best_points == -one.best_points
