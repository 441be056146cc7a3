"""One play judged from what its seat could know: what it is worth, and what the best was worth."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from diloti.bots.choice import Candidate
from diloti.bots.endgame import SOLVED, Room, is_ending, judge_ending, solve_ending
from diloti.bots.sample import sampler_of
from diloti.core.dice import new_dice
from diloti.core.effects import make_play
from diloti.core.plays import Play, unpack_play
from diloti.core.position import STATE_SIZE, Position, side_of
from diloti.core.scoring import score_deal
from diloti.core.view import View
from diloti.teacher.chances import outlook_of
from diloti.teacher.marks import mark_of
from diloti.teacher.trial import Race, likeness, run_race

SIMULATIONS = 12_000
"""Hands played out for a play at most, unless it is said how many; `bench/review.py` has what that
takes and how exact it is."""
LISTED = 6
"""Candidates that a judged play lists at most."""
NODES = 2_000_000
"""Positions of an ending that are searched, a second or so; the longest of 200 random ones took
74,150."""

_rooms = threading.local()


@dataclass(frozen=True)
class JudgedPlay:
    """A play of a deal, and the best one instead of it.

    Points are leads of the side in turn at the end of the deal, expected from what its seat could
    know. Where a loss is not larger than its standard error, the play counts as the best itself.
    """

    seat: int
    play: Play
    best: Play
    points: float
    best_points: float
    loss: float
    """`best_points` less `points`: 0 or more."""
    error: float
    """Standard error of the loss; 0 where it is exact or the best play was played."""
    is_exact: bool
    """Whether this is a solved ending."""
    mark: str
    candidates: tuple[Candidate, ...]
    """The best first, at most `LISTED`, the played one among them."""
    win_chance: float
    """The chance of side 0 to win the match before this play, with the best play."""
    chance_loss: float
    """The chance to win the match that the play costs its side; below 0 where it gains some."""

    @property
    def side(self) -> int:
        """The side in turn."""
        return side_of(self.seat)

    @property
    def cost(self) -> float:
        """The loss, where it costs a chance to win the match at all, else 0."""
        return self.loss if self.chance_loss > 0 else 0.0

    @property
    def is_decision(self) -> bool:
        """Whether there was a choice: plays that differ by more than equal cards."""
        return len(self.candidates) > 1

    @property
    def ahead(self) -> float:
        """Points that the best play is ahead of the next candidate; 0 where there is none."""
        return self.best_points - (self.candidates[1].points or 0.0) if self.is_decision else 0.0


def judge_play(
    view: View, play: Play, *, simulations: int = SIMULATIONS, seed: int = 0
) -> JudgedPlay:
    """A legal play of the view's seat, which is in turn, judged; the same for the same seed.

    A last hand of two players is solved where the hands are known, anything else is tried on
    samples of what the seat does not see.
    """
    judged = _judge_ending(view, play)
    return judged if judged is not None else _judge_by_samples(view, play, simulations, seed)


# --- By samples ----------------------------------------------------------------------


def _judge_by_samples(view: View, play: Play, simulations: int, seed: int) -> JudgedPlay:
    race = run_race(view, max(1, simulations // 2), seed)
    winner = race.plays[race.best]
    best = play if likeness(winner) == likeness(play.packed) else unpack_play(view.known, winner)
    plays = [play] if best == play else [best, play]
    meeting = race.meet(plays, max(1, simulations // 4), outlook_of(view))
    own = len(plays) - 1
    reach, points, chance = meeting.points(0), meeting.points(own), meeting.chance(own)
    error = 0.0 if best == play else meeting.error
    if reach - points <= error:
        best, best_points, best_chance = play, points, chance
    else:
        best_points, best_chance = reach, meeting.chance(0)
    points, best_points = round(points, 3), round(best_points, 3)
    loss = round(best_points - points, 3)
    cost = best_chance - chance
    chance_loss = round(cost if view.side == 0 else -cost, 4)
    error = round(error, 3)
    listed = [Candidate(best, best_points), Candidate(play, points)][: 1 if best == play else 2]
    return JudgedPlay(
        seat=view.seat,
        play=play,
        best=best,
        points=points,
        best_points=best_points,
        loss=loss,
        error=error,
        is_exact=False,
        mark=mark_of(loss, error, chance_loss),
        candidates=_shortened([*listed, *_others(view, race, listed, reach)], play),
        win_chance=round(best_chance, 4),
        chance_loss=chance_loss,
    )


def _others(view: View, race: Race, listed: list[Candidate], reach: float) -> Iterator[Candidate]:
    """The plays that are not listed yet, by how far the race had them behind its winner.

    `reach` is what the winner came to afterwards. None of them is put above the best.
    """
    known = [likeness(one.play.packed) for one in listed]
    most = listed[0].points or 0.0
    for row, packed in enumerate(race.plays):
        if likeness(packed) not in known:
            points = round(min(reach - race.behind(row), most), 3)
            yield Candidate(unpack_play(view.known, packed), points)


def _shortened(listed: list[Candidate], play: Play) -> tuple[Candidate, ...]:
    """The best of them, the first staying the first, and the one that was played."""
    best, *rest = listed
    ordered = [best, *sorted(rest, key=lambda one: -(one.points or 0.0))]
    kept = ordered[:LISTED]
    if all(one.play != play for one in kept):
        kept[-1] = next(one for one in ordered if one.play == play)
    return tuple(kept)


# --- Exactly -------------------------------------------------------------------------


def _judge_ending(view: View, play: Play) -> JudgedPlay | None:
    """A play of a last hand, judged exactly; None where that cannot be."""
    position = _open_ending(view)
    if position is None:
        return None
    found = judge_ending(position, _room(), node_limit=NODES)
    if found.status != SOLVED:
        return None
    own = likeness(play.packed)
    leads = {likeness(one.packed): (one, lead) for one, lead in found.plays}
    points = leads[own][1] if own in leads else _lead_after(position, play)
    if points is None:
        return None
    leads[own] = play, points
    best_points = max(lead for _one, lead in leads.values())
    best = play if points == best_points else found.best
    listed = [Candidate(best, float(best_points))]
    listed += [Candidate(one, float(lead)) for one, lead in leads.values() if one != best]
    prospect, xeri = outlook_of(view), sum(view.xeri)
    sign = 1 if view.side == 0 else -1
    chance = prospect.chance(sign * best_points, xeri)
    chance_loss = sign * (chance - prospect.chance(sign * points, xeri))
    loss = float(best_points - points)
    return JudgedPlay(
        seat=view.seat,
        play=play,
        best=best,
        points=float(points),
        best_points=float(best_points),
        loss=loss,
        error=0.0,
        is_exact=True,
        mark=mark_of(loss, 0.0, round(chance_loss, 4)),
        candidates=_shortened(listed, play),
        win_chance=round(chance, 4),
        chance_loss=round(chance_loss, 4),
    )


def _open_ending(view: View) -> Position | None:
    """The whole position of a last hand of two players, where the seat knows all of it."""
    known = view.known
    if not is_ending(known):
        return None
    sampler = sampler_of(view)
    if sampler.arrangements != 1 or sampler.is_contradictory:
        return None
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    sampler.draw(state, new_dice(0))
    return replace(known, state=state)


def _lead_after(position: Position, play: Play) -> int | None:
    """The lead of the side in turn after a play and the best from then on."""
    assert position.turn is not None
    side = side_of(position.turn)
    after = make_play(position, play).position
    if after.is_over:
        first, second = (sheet.total for sheet in score_deal(after).sheets)
        return first - second if side == 0 else second - first
    found = solve_ending(after, _room(), node_limit=NODES)
    return -found.lead if found.status == SOLVED else None


def _room() -> Room:
    """This thread's room for endings, with nothing in it."""
    if not hasattr(_rooms, "room"):
        _rooms.room = Room()
    room: Room = _rooms.room
    room.forget()
    return room
