"""The levels of play for people, from gentle to as strong as we can.

The weak ones do not play at random. They forget cards, as people do, and overlook plays that take
many cards at once; `novice` does not mind what it leaves, either. `regular` looks one play ahead by
the network, `strong` searches a little, `expert` all it can, and judges the hidden cards by how the
others have played; both solve the last hand. `docs/strength.md` has what lies between them.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from diloti.bots.budget import Budget
from diloti.bots.choice import SHOWN, Candidate, Choice
from diloti.bots.distinct import rows_drawn_once
from diloti.bots.endgame import SOLVED, Room, is_ending, judge_ending, solve_ending
from diloti.bots.network import Network, greedy_network, network_for
from diloti.bots.outlook import Outlook, outlook
from diloti.bots.policy import POINT, judge_all, new_desk
from diloti.bots.sample import draw_hidden, sampler_of
from diloti.bots.search import Method, Search
from diloti.core.dice import new_dice, roll
from diloti.core.plays import unpack_play
from diloti.core.position import CAPTURED, STATE_SIZE, seat_after, side_of
from diloti.core.rules import Rules
from diloti.core.view import View

EXPERT_SECONDS = 1.0
"""How long `expert` thinks unless it is told otherwise."""
STRONG_SIMULATIONS = 64

NEAR = 40
"""Points that a side is short of the target when the match counts rather than the deal; 99 deals of
a hundred bring a side less."""

_NODES = 120_000
"""Positions of an ending that are searched; the longest of 200 random ones took 74,150."""

_rooms = threading.local()


@dataclass(frozen=True)
class Habits:
    """What a weak player sees and remembers."""

    notices: int
    """The chance in a hundred to see a play, for each card or pile it uses beyond the first."""
    remembers: int
    """How many plays back captured cards are remembered."""
    minds_threats: bool
    """Whether it minds what the next player can take."""


NOVICE = Habits(notices=55, remembers=0, minds_threats=False)
CASUAL = Habits(notices=80, remembers=8, minds_threats=True)


def choose_by_habit(view: View, habits: Habits, seed: int) -> Choice:
    """The play that looks best to a player with such habits."""
    dice = new_dice(seed)
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    draw_hidden(sampler_of(view).tables, state, dice)
    recent = 0
    if view.history is not None and habits.remembers:
        for _seat, play in view.history.plays[-habits.remembers :]:
            recent |= 1 << play.card
    state[CAPTURED : CAPTURED + 2] &= recent
    network = greedy_network(minds_threats=habits.minds_threats)
    judged = _judged(view, network, state, dice)
    seen = [
        candidate for candidate in judged if _is_noticed(candidate, habits.notices, dice)
    ] or judged
    return Choice(seen[0].play, tuple(seen[:SHOWN]))


def _is_noticed(candidate: Candidate, notices: int, dice: np.ndarray) -> bool:
    """Whether a play is seen: the more it uses, the harder."""
    play = candidate.play
    beyond = play.loose.bit_count() + len(play.piles) - 1
    return all(int(roll(dice, 100)) < notices for _ in range(max(beyond, 0)))


def choose_at_sight(view: View, seed: int) -> Choice:
    """The play that the network likes best."""
    dice = new_dice(seed)
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    draw_hidden(sampler_of(view).tables, state, dice)
    judged = _judged(view, network_for(view.rules), state, dice)
    return Choice(judged[0].play, tuple(judged[:SHOWN]))


def _judged(view: View, network: Network, state: np.ndarray, dice: np.ndarray) -> list[Candidate]:
    """All distinct plays by what a network says, the best first."""
    desk = new_desk(view.loose)
    number = int(judge_all(view.rules.packed, network, state, desk, dice))
    rows = rows_drawn_once(desk.plays[:number])
    plays, worth = desk.plays[rows], desk.worth[rows]
    known = view.known
    return [
        Candidate(unpack_play(known, plays[row]), int(worth[row]) / POINT)
        for row in np.argsort(-worth, kind="stable")
    ]


def choose_by_search(view: View, method: Method, seed: int, budget: Budget) -> Choice:
    """The play that a search finds best within a budget, and the chance to win the match with it.

    Near the target it looks for that chance, before that for points. The last hand of two players
    is solved for points, where the hands are known and it is not too large.
    """
    side = side_of(view.seat)
    prospect = _outlook_of(view)
    solved = _solve(view, seed)
    if solved is not None:
        found = solved
    else:
        near = min(view.rules.target - score for score in view.scores) <= NEAR
        search = Search(view, method, seed, outlook=prospect if near else None)
        search.run(budget)
        found = search.choice()
    xeri = sum(view.xeri)
    rated = []
    for candidate in found.analysis:
        chance = candidate.win_chance
        if chance is None:
            lead = candidate.points or 0.0
            chance = prospect.chance(lead if side == 0 else -lead, xeri)
            chance = round(chance if side == 0 else 1 - chance, 4)
        rated.append(Candidate(candidate.play, candidate.points, chance))
    return Choice(found.play, tuple(rated))


def _outlook_of(view: View) -> Outlook:
    refills = view.stock_size // (view.rules.players * view.rules.hand_size)
    next_leader = side_of(seat_after(seat_after(view.dealer, view.rules), view.rules))
    return outlook(view.rules, view.scores, next_leader, refills)


def expert_method(rules: Rules) -> Method:
    """How `expert` searches."""
    return Method(network_for(rules))


def strong_method(rules: Rules) -> Method:
    """How `strong` searches."""
    return Method(network_for(rules), infer=False)


def _solve(view: View, seed: int) -> Choice | None:
    """The exact leads of the plays of a last hand, or None where they cannot be had."""
    known = view.known
    if not is_ending(known):
        return None
    sampler = sampler_of(view)
    if sampler.arrangements != 1 or sampler.is_contradictory:
        return None
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    sampler.draw(state, new_dice(seed))
    position = known.replaced(state=state)
    room = _room()
    room.forget()
    best = solve_ending(position, room, node_limit=_NODES)
    if best.status != SOLVED:
        return None
    judged = judge_ending(position, room, node_limit=_NODES)
    plays = judged.plays if judged.status == SOLVED else best.plays
    others = [(play, lead) for play, lead in plays if play != best.best]
    return Choice(
        best.best,
        tuple(Candidate(play, float(lead)) for play, lead in [(best.best, best.lead), *others]),
    )


def _room() -> Room:
    """This thread's own room for endings."""
    if not hasattr(_rooms, "room"):
        _rooms.room = Room()
    room: Room = _rooms.room
    return room
