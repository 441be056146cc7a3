"""The search: trials on equal samples, and plays given up that are surely behind."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from diloti.bots.belief import nothing_witnessed
from diloti.bots.budget import Budget
from diloti.bots.levels import expert_method, strong_method
from diloti.bots.network import Network, greedy_network, load_network
from diloti.bots.outlook import Outlook
from diloti.bots.policy import POINT, final_lead, new_desk, play_out
from diloti.bots.sample import sampler_of
from diloti.bots.search import Method, Search, draw_likely, try_plays
from diloti.core.dice import new_dice
from diloti.core.effects import make_play
from diloti.core.jit import Ints
from diloti.core.plays import unpack_play
from diloti.core.position import NOBODY, STATE_SIZE, TURN, Position, side_of
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.view import View, view_of
from tests.sampling import deals
from tests.thinking import INTERPRETED

STEPS = 2 if INTERPRETED else 8
NO_OUTLOOK: Ints = np.zeros((0, 0), dtype=np.int64)


def turn_of(rules: Rules, seed: int, place: int) -> View:
    """The view of the seat in turn in a deal."""
    here = list(deals(rules, seed, "greedy"))[place]
    assert here.turn is not None
    return view_of(here, here.turn)


def whole_samples(view: View, number: int, seed: int) -> Ints:
    """Some samples, one a row."""
    samples = np.zeros((number, STATE_SIZE), dtype=np.int64)
    draw_likely(
        view.rules.packed,
        greedy_network(),
        sampler_of(view).tables,
        nothing_witnessed(),
        np.ones(1),
        samples,
        new_desk(view.loose | view.hand),
        new_dice(seed),
        1,
    )
    return samples


def last_turns(seed: int) -> list[Position]:
    """The turns of the last two cards of each hand in a deal."""
    return list(deals(CLASSIC, seed, "greedy"))[-5:-1]


def result_of(here: Position, play: Ints, network: Network, dice: Ints) -> int:
    """By positions made one after the other, the lead after a play and the rest by the network."""
    assert here.turn is not None
    side = side_of(here.turn)
    after = make_play(here, unpack_play(here, play)).position
    state = after.state.copy()
    if state[TURN] == NOBODY:
        return int(final_lead(here.rules.packed, state, side)) * POINT
    lead = play_out(here.rules.packed, network, state, new_desk(0), dice, 0, False)
    return int(lead if side == 0 else -lead)


def test_results_are_leads_at_the_end_of_the_deal() -> None:
    network = load_network("classic")
    for here in last_turns(3):
        assert here.turn is not None
        search = Search(view_of(here, here.turn), Method(network), seed=1)
        number = len(search.plays)
        results = np.zeros(number, dtype=np.int64)
        sums, products = np.zeros((2, number), np.int64), np.zeros((number, number))
        try_plays(
            here.rules.packed,
            network,
            here.state[None].copy(),
            search.plays,
            np.arange(number),
            new_desk(0),
            np.zeros(STATE_SIZE, dtype=np.int64),
            new_dice(1),
            NO_OUTLOOK,
            results,
            sums,
            products,
            False,
        )
        expected = [result_of(here, play, network, new_dice(1)) for play in search.plays]
        assert results.tolist() == sums[0].tolist() == sums[1].tolist() == expected
        assert (products == np.tril(np.outer(results, results))).all()


def test_a_step_tries_every_play_alive_on_each_sample() -> None:
    search = Search(turn_of(CLASSIC, 3, 14), strong_method(CLASSIC), seed=5)
    plays = len(search.plays)
    assert plays > 1
    search.step()
    assert len(set(search.trials.tolist())) == 1
    assert search.simulations == int(search.trials.sum())
    assert search.alive.size == plays


@pytest.mark.parametrize("infer", [True, False])
def test_plays_that_are_given_up_are_behind_and_stay_as_they_were(infer: bool) -> None:
    for rules, place in ((CLASSIC, 15), (TAVERNA, 11)):
        view = turn_of(rules, 4, place)
        search = Search(view, replace(expert_method(rules), infer=infer), seed=2)
        given_up: dict[int, tuple[int, float]] = {}
        for _ in range(STEPS):
            if search.is_decided:
                break
            search.step()
            assert search.best in search.alive
            for row in set(range(len(search.plays))) - set(search.alive.tolist()):
                seen = int(search.trials[row]), search.lead(row)
                assert given_up.setdefault(row, seen) == seen
        leads = [search.lead(int(row)) for row in search.alive]
        assert search.lead(search.best) == max(leads)
        choice = search.choice()
        assert len(choice.analysis) == len(search.plays)
        assert choice.play == unpack_play(view.known, search.plays[search.best])


def test_without_a_race_no_play_is_given_up() -> None:
    view = turn_of(CLASSIC, 4, 15)
    method = replace(strong_method(CLASSIC), race=False)
    search = Search(view, method, seed=2)
    for _ in range(STEPS):
        search.step()
    assert search.alive.size == len(search.plays)
    points = [candidate.points or 0.0 for candidate in search.choice().analysis]
    assert points == sorted(points, reverse=True)


@pytest.mark.skipif(INTERPRETED, reason="a few samples tell nothing")
def test_a_race_keeps_the_play_that_is_best_over_many_samples() -> None:
    lost = 0
    for seed, place in itertools.product(range(6), (7, 19, 33)):
        view = turn_of(CLASSIC, seed, place)
        race = Search(view, strong_method(CLASSIC), seed=1)
        even = Search(view, replace(strong_method(CLASSIC), race=False), seed=2)
        for _ in range(40):
            even.step()
            if not race.is_decided:
                race.step()
        behind = even.lead(even.best) - even.lead(race.best)
        assert behind < 0.6, (seed, place)
        lost += behind > 0.25
    assert lost <= 2


def test_without_time_the_first_thought_counts() -> None:
    view = turn_of(CLASSIC, 3, 14)
    search = Search(view, strong_method(CLASSIC), seed=5)
    clock = itertools.count(0.0, 10.0)
    search.run(Budget(1, 0.5, lambda: next(clock)))
    assert search.simulations == 0
    assert search.best == 0
    points = [candidate.points for candidate in search.choice().analysis]
    assert points == [round(int(one) / POINT, 3) for one in search.first_thoughts]


def test_samples_of_a_search_look_like_the_view() -> None:
    for rules, place in ((CLASSIC, 15), (TAVERNA, 11)):
        view = turn_of(rules, 6, place)
        for state in whole_samples(view, 3 if INTERPRETED else 40, seed=9):
            assert view_of(view.known.replaced(state=state), view.seat) == view


def test_with_an_outlook_the_chance_counts_and_not_the_points() -> None:
    here = list(deals(CLASSIC, 6, "greedy"))[43]
    assert here.turn is not None
    view = view_of(here, here.turn)
    sign = 1 if side_of(view.seat) == 0 else -1
    worst = Outlook(np.tile(-sign * np.arange(161) * 600 + (sign > 0) * 100_000, (8, 1)))
    points = Search(view, strong_method(CLASSIC), seed=1)
    against = Search(view, strong_method(CLASSIC), seed=1, outlook=worst)
    assert len(points.plays) > 1
    points.step()
    against.step()
    assert [points.lead(row) for row in range(len(points.plays))] == [
        against.lead(row) for row in range(len(points.plays))
    ]
    leads = [against.lead(row) for row in range(len(points.plays))]
    assert points.lead(points.best) == max(leads)
    assert against.lead(against.best) == min(leads)


def test_the_dice_alone_decide_what_is_drawn() -> None:
    rng = random.Random(3)
    view = turn_of(CLASSIC, rng.randrange(9), 20)
    assert (whole_samples(view, 2, 1) == whole_samples(view, 2, 1)).all()
    assert (whole_samples(view, 2, 1) != whole_samples(view, 2, 2)).any()
