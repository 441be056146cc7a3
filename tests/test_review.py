"""The review of a match: luck and skill, chances, summaries, JSON; threads change nothing."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from diloti.core.cards import cards_in
from diloti.core.match import Match
from diloti.core.plays import TRAIL, Play
from diloti.core.position import side_of
from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.stats import Sample, student_half_width
from diloti.teacher.marks import MARKS
from diloti.teacher.review import (
    DealReview,
    MatchReview,
    ReviewError,
    review_deal,
    review_match,
    turns_of,
)
from diloti.teacher.review_json import read_review, write_review
from tests.matches import deal_next, new_match, play_out
from tests.reviewing import SIMULATIONS, reviewed, some_match
from tests.thinking import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="what thinks takes long interpreted")

XERISTAKI = rules_from("taverna", players=2, xeristaki_points=5, target=15)
few = pytest.mark.skipif(INTERPRETED, reason="nothing new for the kernels, and it takes long")
KINDS = {
    "classic": CLASSIC,
    "taverna": rules_from("taverna", target=21),
    "xeristaki": XERISTAKI,
    "cheap": rules_from(target=200, xeri_points=0),
}


def check_deal(deal: DealReview) -> None:
    """Luck and skill add up, and what is exact has no luck."""
    parts = [deal.start, *deal.luck_of_cards, deal.luck_of_unknown, deal.skill[0], -deal.skill[1]]
    assert abs(math.fsum(parts) - deal.result) < 1e-9
    assert abs(deal.start + deal.luck + deal.skill[0] - deal.skill[1] - deal.result) < 1e-9
    hand = deal.rules.players * deal.rules.hand_size
    assert len(deal.luck_of_cards) == len(deal.plays) // hand
    for place, play in enumerate(deal.plays, start=1):
        assert play.seat == (deal.dealer + place) % deal.rules.players
    for side in (0, 1):
        lost = sum(play.loss for play in deal.plays if play.side == side)
        assert deal.skill[side] == pytest.approx(-lost, abs=1e-9)


def check_review(match: Match, review: MatchReview) -> None:
    """What holds for every review."""
    whole = [log for log in match.deals if log.score is not None]
    assert len(review.deals) == len(whole)
    for log, deal in zip(whole, review.deals, strict=True):
        check_deal(deal)
        assert [play.play for play in deal.plays] == log.plays
        assert log.score is not None
        assert deal.points == tuple(sheet.total for sheet in log.score.sheets)
    for play in (play for deal in review.deals for play in deal.plays):
        assert 0 <= play.win_chance <= 1
    total = review.start + review.luck_of_cards + review.luck_of_unknown
    assert abs(total + review.skill[0] - review.skill[1] - review.result) < 1e-9
    plays = sum(len(deal.plays) for deal in review.deals)
    assert len(review.chances) in (plays + 1, plays + 2)
    assert review.milestones[0] == review.chances[0]
    assert review.milestones[-1] == review.chances[-1]
    if match.winner is not None:
        assert review.chances[-1] == float(match.winner == 0)
    for side, summary in enumerate(review.sides):
        assert sum(summary.marks) == summary.decisions <= summary.plays
        assert 0 <= summary.accuracy <= 100
        for moment in (*summary.best_moments, *summary.worst_moments):
            assert review.play_at(moment).side == side
        losses = [review.play_at(moment).loss for moment in summary.worst_moments]
        assert losses == sorted(losses, reverse=True)
        assert all(review.play_at(moment).mark == "best" for moment in summary.best_moments)
    assert read_review(json.loads(json.dumps(write_review(review)))) == review


@pytest.mark.parametrize("kind", ["classic"] if INTERPRETED else KINDS)
def test_luck_and_skill_add_up(kind: str) -> None:
    match, review = reviewed(5, KINDS[kind], 1 if kind == "classic" else 2)
    check_review(match, review)


def test_where_everything_is_known_there_is_no_luck() -> None:
    for seed in (5,) if INTERPRETED else (5, 6):
        _match, review = reviewed(seed, CLASSIC)
        for deal in review.deals:
            last = deal.plays[36:]
            assert all(play.is_exact for play in last)
            for play, following in zip(last, last[1:]):
                assert play.points == -following.best_points
            end = deal.result if last[-1].side == 0 else -deal.result
            assert last[-1].points == end
            assert not any(play.is_exact for play in deal.plays[:36])


@few
def test_a_play_is_judged_by_its_view_and_its_place() -> None:
    """The review of a deal knows no more than that of the deal with all that was hidden moved."""
    match, review = reviewed(5, CLASSIC)
    again = review_deal(match.deals[0], simulations=SIMULATIONS, seed=5, workers=1)
    assert again == review.deals[0]
    elsewhere = review_deal(match.deals[0], simulations=SIMULATIONS, seed=5, number=1, workers=1)
    assert elsewhere != again
    views = [view for view, _play in turns_of(match.deals[0])]
    assert all(view.seat == view.turn and view.captured is None for view in views)


@few
def test_threads_change_nothing_and_progress_is_told() -> None:
    match, review = reviewed(5, CLASSIC)
    told: list[tuple[int, int]] = []
    again = review_match(
        match,
        simulations=SIMULATIONS,
        seed=5,
        workers=3,
        progress=lambda done, total: told.append((done, total)),
    )
    assert again == review
    assert told == [(number, 48) for number in range(1, 49)]


@few
def test_what_progress_raises_ends_the_review() -> None:
    class Enough(Exception):
        pass

    def stop(done: int, _total: int) -> None:
        if done == 3:
            raise Enough

    with pytest.raises(Enough):
        review_match(some_match(5), simulations=SIMULATIONS, progress=stop, workers=1)


@few
def test_unfinished_and_resigned_matches() -> None:
    rng = random.Random(3)
    match = some_match(3)
    deal_next(rng, match)
    play_out(rng, match, plays=5)
    review = review_match(match, simulations=SIMULATIONS, workers=1)
    check_review(match, review)
    assert (review.winner, review.is_cut, len(review.deals)) == (None, True, 1)
    assert review.chances[-1] == review.deals[0].chance_after
    match.resign(0)
    given_up = review_match(match, simulations=SIMULATIONS, workers=1)
    check_review(match, given_up)
    assert (given_up.winner, given_up.is_cut) == (1, True)
    assert given_up.chances == (*review.chances, 0.0)
    assert given_up.deals == review.deals


@pytest.mark.parametrize("plays", [None, 0, 7])
def test_without_a_whole_deal_there_is_nothing_to_review(plays: int | None) -> None:
    rng = random.Random(1)
    match = new_match(rng, CLASSIC)
    if plays is not None:
        deal_next(rng, match)
        play_out(rng, match, plays=plays)
        with pytest.raises(ReviewError):
            review_deal(match.deals[0])
    with pytest.raises(ReviewError):
        review_match(match)


def deal_without_captures(rules: Rules) -> Match:
    rng = random.Random(2)
    match = new_match(rng, rules)
    deal_next(rng, match)
    while match.turn is not None:
        hand = match.position.hands[match.turn]
        match.play(Play(TRAIL, next(cards_in(hand))))
    assert match.deals[0].score is not None
    assert match.position.captured == (0, 0)
    return match


@few
def test_a_deal_in_which_nobody_captured() -> None:
    rules = rules_from("taverna", players=2)
    small = replace(rules, pack=(1 << 28) - 1)
    match = deal_without_captures(small)
    review = review_match(match, simulations=64, workers=1)
    [deal] = review.deals
    check_deal(deal)
    assert deal.result == 0
    assert deal.skill[0] < 0


@pytest.mark.proof
def test_a_deal_of_the_whole_pack_in_which_nobody_captured() -> None:
    match = deal_without_captures(rules_from("taverna", players=2))
    check_review(match, review_match(match, simulations=200))


@few
def test_a_pack_given_by_hand_is_reviewed_as_any_other() -> None:
    rng = random.Random(4)
    match = new_match(rng, CLASSIC)
    deal_next(rng, match, seeded=False)
    play_out(rng, match, plays=48, bot="greedy")
    read = parse_record(format_record(Record(match))).match
    assert read.deals[0].seed is None
    first, second = (review_match(one, simulations=SIMULATIONS, workers=1) for one in (match, read))
    assert first == second
    check_review(read, first)


@few
def test_random_matches_of_all_rules_can_be_reviewed() -> None:
    for seed in range(6):
        rng = random.Random(seed)
        rules = replace(CLASSIC, players=rng.choice((2, 4)), raising="anyone", xeristaki_points=3)
        match = some_match(seed, rules, bot="random")
        check_review(match, review_match(match, simulations=32))


# --- As JSON --------------------------------------------------------------------------


def written() -> dict[str, Any]:
    return copy.deepcopy(json.loads(json.dumps(write_review(reviewed(5, CLASSIC)[1]))))


def at(where: str) -> tuple[list[str | int], str | int]:
    path = [int(step) if step.isdigit() else step for step in where.split(".")]
    return path[:-1], path[-1]


def change(where: str, value: object) -> Callable[[dict[str, Any]], None]:
    def do(review: dict[str, Any]) -> None:
        path, last = at(where)
        part: Any = review
        for step in path:
            part = part[step]
        if value is DELETED:
            del part[last]
        else:
            part[last] = value

    return do


DELETED = object()
PLAY = "deals.0.plays.7."
WRONG: dict[str, object] = {
    "format": 2,
    "rules": {"base": "chess"},
    "seed": -1,
    "simulations": 0,
    "winner": 2,
    "is_cut": "no",
    "deals": [],
    "deals.0": 7,
    "deals.0.dealer": 3,
    "deals.0.points": [1],
    "deals.0.points.0": 1.5,
    "deals.0.points.1": 9,
    "deals.0.scores.0": True,
    "deals.0.start": 99.0,
    "deals.0.luck_of_cards": [0, 0, 0, 0],
    "deals.0.luck_of_unknown": 1e3,
    "deals.0.skill": [0.0, 0.0],
    "deals.0.chance_after": 1.0,
    "deals.0.plays": [],
    PLAY + "seat": 5,
    PLAY + "play": "Zz",
    PLAY + "best": 7,
    PLAY + "points": math.nan,
    PLAY + "best_points": math.inf,
    PLAY + "loss": -1,
    PLAY + "error": "0",
    PLAY + "is_exact": 1,
    PLAY + "mark": "brilliant",
    PLAY + "win_chance": 1.5,
    PLAY + "chance_loss": -2,
    PLAY + "candidates": [],
    PLAY + "candidates.0": "5h",
    PLAY + "candidates.0.play": "5h",
    PLAY + "candidates.0.points": None,
    "sides": [],
    "sides.0.accuracy": 101,
    "chances": [0.5],
}


def test_a_review_is_read_again() -> None:
    review = reviewed(5, CLASSIC)[1]
    assert read_review(written()) == review


@pytest.mark.parametrize("where", WRONG)
def test_what_is_no_review_is_refused(where: str) -> None:
    for value in (WRONG[where], DELETED):
        review = written()
        change(where, value)(review)
        with pytest.raises(ReviewError):
            read_review(review)


@pytest.mark.parametrize("text", [None, [], "x", 7, {}, {"format": 1}])
def test_other_json_is_refused(text: object) -> None:
    with pytest.raises(ReviewError):
        read_review(text)


def test_fields_that_are_not_known_are_refused() -> None:
    for where in ("more", "deals.0.more", PLAY + "more", PLAY + "candidates.0.more"):
        review = written()
        change(where, 1)(review)
        with pytest.raises(ReviewError):
            read_review(review)


def test_a_mark_that_does_not_follow_from_the_loss_is_refused() -> None:
    for mark in MARKS:
        review = written()
        was = review["deals"][0]["plays"][7]["mark"]
        change(PLAY + "mark", mark)(review)
        if mark != was:
            with pytest.raises(ReviewError):
                read_review(review)


# --- Whether it says what it should ------------------------------------------------------


def losses(bot: str, deals: int, rules: Rules = CLASSIC, simulations: int = 400) -> Sample:
    """What a side loses in a deal of a bot against itself."""
    sample = Sample()
    for seed in range(deals):
        log = some_match(seed, rules, bot=bot).deals[0]
        review = review_deal(log, simulations=simulations, seed=seed)
        sample.add(-sum(review.skill) / 2)
    return sample


def check_apart(worse: Sample, better: Sample) -> None:
    low = worse.mean - student_half_width(worse)
    high = better.mean + student_half_width(better)
    assert low > high, (worse, better)


@few
def test_novices_lose_more_than_experts() -> None:
    check_apart(losses("novice", 8, simulations=96), losses("expert", 8, simulations=96))


@pytest.mark.proof
def test_sixty_deals_of_each_level_are_apart() -> None:
    samples = [losses(bot, 60) for bot in ("novice", "casual", "regular", "expert")]
    for worse, better in zip(samples, samples[1:]):
        check_apart(worse, better)


@pytest.mark.proof
def test_four_novices_lose_more_than_four_experts() -> None:
    check_apart(losses("novice", 30, TAVERNA), losses("expert", 30, TAVERNA))


@few
def test_sides_are_those_of_the_seats() -> None:
    _match, review = reviewed(5, KINDS["taverna"])
    for deal in review.deals:
        assert all(play.side == side_of(play.seat) for play in deal.plays)
