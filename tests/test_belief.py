"""Belief: what the others' plays tell about their hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from diloti.bots.belief import (
    STRAY,
    Witnessed,
    likelihood,
    nothing_witnessed,
    witnessed,
)
from diloti.bots.network import Network, greedy_network, load_network
from diloti.bots.policy import new_desk
from diloti.bots.sample import sampler_of
from diloti.core.dice import new_dice
from diloti.core.jit import Ints
from diloti.core.notation import parse_cards
from diloti.core.position import (
    CAPTURED,
    DEALT,
    HANDS,
    LAST_CAPTURE,
    LOOSE,
    PILE_COUNT,
    PILES,
    STATE_SIZE,
    TURN,
    XERI,
    Position,
)
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.view import View, view_of
from tests.sampling import FULL, deals, dealt
from tests.thinking import INTERPRETED

RICH = "4s6sKhQh8hJc3c5c7dQd8dKc9sTd2cAh"
"""Two hands and a layout in which a ten, a nine, a two or an ace take something of worth."""


def weigh(view: View, seen: Witnessed, network: Network, sample: Ints) -> float:
    """The likelihood of a sample."""
    desk = new_desk(view.loose | view.hand)
    return float(likelihood(view.rules.packed, network, seen, sample, desk, new_dice(1)))


def with_hand(here: Position, seat: int, hand: str) -> Ints:
    """The state with other cards in a hand; the rest is not looked at."""
    state = here.state.copy()
    state[HANDS + seat] = parse_cards(hand)
    return state


def turns(rules: Rules, seed: int, step: int) -> Iterator[Position]:
    """Some turns of a deal."""
    yield from [here for here in deals(rules, seed, "random") if not here.is_over][::step]


@pytest.mark.parametrize("number", range(len(FULL)))
def test_plays_of_others_are_witnessed_as_they_were_made(number: int) -> None:
    rules = FULL[number]
    positions = list(deals(rules, 20 + number, "random"))
    in_hands = rules.players * rules.hand_size
    for at, here in enumerate(positions[:-1]):
        assert here.turn is not None
        assert here.history is not None
        view = view_of(here, here.turn)
        seen = witnessed(view)
        first = at - at % in_hands
        made = [place for place in range(first, at) if positions[place].turn != here.turn]
        assert len(made) == len(seen.plays) == len(seen.states) == len(seen.later)
        for row, place in enumerate(made):
            true, state = positions[place].state, seen.states[row]
            for field in (TURN, DEALT, LOOSE, LAST_CAPTURE, PILE_COUNT, CAPTURED, CAPTURED + 1):
                assert state[field] == true[field]
            assert state[XERI : XERI + 2].tolist() == true[XERI : XERI + 2].tolist()
            piles = slice(PILES, PILES + int(true[PILE_COUNT]))
            assert state[piles].tolist() == true[piles].tolist()
            for seat in range(rules.players):
                sizes = [int(one[HANDS + seat]).bit_count() for one in (state, true)]
                assert sizes[0] == sizes[1]
            seat, play = here.history.plays[place]
            assert true[TURN] == seat
            assert seen.plays[row].tolist() == list(play.packed)
            since = here.history.plays[place:]
            assert seen.later[row] == sum(1 << one.card for who, one in since if who == seat)
            assert here.hands[seat] | seen.later[row] == true[HANDS + seat]


def test_nothing_witnessed_makes_all_equally_likely() -> None:
    here = next(iter(deals(CLASSIC, 1, "greedy")))
    assert here.turn is not None
    view = view_of(here, here.turn)
    assert weigh(view, nothing_witnessed(), greedy_network(), here.state) == 1
    for none in (witnessed(view), witnessed(replace(view, history=None))):
        assert none.plays.shape == (0, 5)
        assert none.states.shape == (0, STATE_SIZE)
        assert none.later.shape == (0,)
        assert weigh(view, none, greedy_network(), here.state) == 1


@pytest.mark.parametrize("name", ["greedy", "classic"])
def test_who_trails_beside_a_prize_hardly_holds_what_takes_it(name: str) -> None:
    network = greedy_network() if name == "greedy" else load_network(name)
    here = dealt(RICH, "4s")
    view = view_of(here, 1)
    seen = witnessed(view)
    assert len(seen.plays) == 1

    def likely(hand: str) -> float:
        return weigh(view, seen, network, with_hand(here, 0, hand))

    plain = likely("6sKhQh8hJh")
    assert likely("TsKhQh8hJh") < plain / 2  # the ten of diamonds
    assert likely("TsKhQh8hJh") > 0


def test_strays_keep_every_arrangement_possible() -> None:
    for rules in (CLASSIC, TAVERNA):
        network = greedy_network()
        for here in turns(rules, 5, 11 if INTERPRETED else 3):
            assert here.turn is not None
            view = view_of(here, here.turn)
            seen = witnessed(view)
            state, dice = np.zeros(STATE_SIZE, dtype=np.int64), new_dice(4)
            sampler = sampler_of(view)
            for _ in range(1 if INTERPRETED else 6):
                sampler.draw(state, dice)
                found = weigh(view, seen, network, state)
                assert 0 < found <= 1
                assert found >= (STRAY / 256) ** len(seen.plays)


def test_weighing_leaves_what_was_witnessed_as_it_was() -> None:
    here = list(deals(CLASSIC, 8, "greedy"))[18]
    assert here.turn is not None
    view = view_of(here, here.turn)
    seen = witnessed(view)
    before = [part.copy() for part in seen]
    first = weigh(view, seen, load_network("classic"), here.state)
    assert weigh(view, seen, load_network("classic"), here.state) == first
    assert all((one == other).all() for one, other in zip(before, seen, strict=True))


def test_only_the_own_hand_of_who_played_matters() -> None:
    here = list(deals(TAVERNA, 8, "greedy"))[2]
    assert here.turn is not None
    view = view_of(here, here.turn)
    seen = witnessed(view)
    assert len(seen.plays) == 2
    other = here.state.copy()
    assert here.history is not None
    for seat in {0, 1, 2, 3} - {seat for seat, _play in here.history.plays}:
        other[HANDS + seat] = 0
    other[CAPTURED] = 0
    network = greedy_network()
    assert weigh(view, seen, network, other) == weigh(view, seen, network, here.state)
