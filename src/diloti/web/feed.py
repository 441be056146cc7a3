"""What goes to one onlooker or seat: frames of a table, each complete in itself.

A frame holds what that seat may see and nothing else; whoever has missed some needs the last alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from diloti.core.effects import Event
from diloti.core.match import DealLog
from diloti.core.position import side_of
from diloti.core.rules import Rules
from diloti.core.scoring import Sheet
from diloti.core.shuffle import Cut
from diloti.core.view import View
from diloti.web.room import OVER, PLAYING, Remark, Room, Seat, Settings

SEEN_EVENTS = ("xeri", "xeristaki", "leftovers", "deal_over", "refill")
"""Events of the last play that everybody at the table sees."""


@dataclass(frozen=True)
class Count:
    """A deal that has been counted, by side."""

    cards: tuple[int, int]
    sheets: tuple[Sheet, Sheet]
    scores: tuple[int, int]
    """Match totals after it."""
    cut: Cut | None
    """What its pack was made of, for whoever wants to check it."""


@dataclass(frozen=True)
class Shuffling:
    """What everybody may know of the pack in play, or of the next one: how it is bound."""

    match: int
    """How many matches have been played at the table before this one."""
    deal: int
    commitment: str
    """What binds the secret; empty where there is none."""
    cutters: tuple[int, ...]
    """The seats that are to cut; none once the cards are dealt."""
    cuts: Mapping[int, str]
    """By seat what has gone into the pack, once the cards are dealt."""


UNBOUND = Shuffling(match=0, deal=0, commitment="", cutters=(), cuts={})
"""A pack that no secret binds."""


@dataclass(frozen=True)
class Frame:
    """A table as one seat sees it, or an onlooker (`seat` None), in one of its states."""

    number: int
    phase: str
    rules: Rules
    seats: tuple[Seat, ...]
    settings: Settings
    seat: int | None
    view: View | None
    deal: int
    """Which deal of the match it is, from 1 on; 0 before the first."""
    events: tuple[Event, ...]
    """What the last play brought about."""
    counts: tuple[Count, ...]
    """The deals that are over."""
    scores: tuple[int, int]
    winner: int | None
    resigned: int | None
    seconds_left: float | None
    """Seconds for the present play, where there is a clock."""
    votes: tuple[int, ...]
    """The seats that want a bot to play for the one in turn."""
    remarks: tuple[Remark, ...]
    invitation: str
    """The secret of the link for friends, where this seat is a person's."""
    shuffling: Shuffling = UNBOUND
    next_dealer: int = 0
    is_covered: bool = False
    """Whether the hand is hidden because two people share the screen."""

    @property
    def is_ready(self) -> bool:
        """Whether the reader waits for the others to see the score."""
        return self.seat is not None and self.seats[self.seat].is_ready

    @property
    def cuts(self) -> bool:
        """Whether the reader is to cut the next pack."""
        return self.is_covered or self.seat in self.shuffling.cutters

    @property
    def turn(self) -> int | None:
        """The seat that plays next."""
        return None if self.view is None or self.phase != "playing" else self.view.turn

    @property
    def may_show(self) -> bool:
        """Whether this seat may show its partner a card now (R2.7)."""
        view = self.view
        if view is None or self.seat is None or not self.rules.partners_show_card:
            return False
        is_open = self.phase == "playing" and view.plays == 0
        return is_open and (view.shown is None or view.shown[self.seat] is None)

    @property
    def is_my_turn(self) -> bool:
        """Whether this seat plays next."""
        return self.seat is not None and self.turn == self.seat

    @property
    def is_against_bots(self) -> bool:
        """Whether this seat is the only one that people hold, so that nobody minds its hints."""
        others = (seat for place, seat in enumerate(self.seats) if place != self.seat)
        if self.settings.daily:
            return False  # there everybody compares with everybody
        return self.seat is not None and all(seat.bot and not seat.person for seat in others)

    @property
    def side(self) -> int:
        """The side that is shown first."""
        return 0 if self.seat is None else side_of(self.seat)


def frame_for(
    room: Room, person: str, wanted: int | None = None, *, now: float | None = None
) -> Frame:
    """The frame of a room for a person, at the time `now` where a clock may run.

    Whoever holds several seats shares the screen with others: the hand of a seat is shown when that
    seat is `wanted`, and covered as soon as it is the turn of another one of theirs.
    """
    seats = room.seats_of(person)
    if len(seats) < 2:
        return frame_of(room, seats[0] if seats else None, now=now)
    if wanted in seats and (room.turn == wanted or room.turn not in seats):
        return frame_of(room, wanted, now=now)
    return frame_of(room, None, now=now, is_covered=True)


def frame_of(
    room: Room, seat: int | None, *, now: float | None = None, is_covered: bool = False
) -> Frame:
    """The frame of a room for a seat, or for an onlooker."""
    log = room.match.deals[-1] if room.match.deals else None
    events = log.outcomes[-1].events if log and log.outcomes else ()
    return Frame(
        number=room.number,
        phase=room.phase,
        rules=room.rules,
        seats=tuple(room.seats),
        settings=room.settings,
        seat=seat,
        view=room.view(seat),
        deal=room.deal_number,
        events=tuple(event for event in events if event.name in SEEN_EVENTS),
        counts=tuple(_count(log) for log in room.match.deals if log.score is not None),
        scores=room.match.scores,
        winner=room.match.winner,
        resigned=room.match.resigned,
        seconds_left=_seconds_left(room, now),
        votes=tuple(room.votes),
        remarks=tuple(room.remarks),
        invitation="" if seat is None and not is_covered else room.invitation,
        shuffling=_shuffling(room),
        next_dealer=room.match.next_dealer,
        is_covered=is_covered,
    )


def _shuffling(room: Room) -> Shuffling:
    if room.phase == PLAYING:
        cut = room.match.deal_log.cut
        bound = ("", {}) if cut is None else (cut.commitment, cut.texts)
        return Shuffling(room.match_number, room.deal_number, bound[0], (), bound[1])
    commitment = "" if room.secret is None else Cut(room.secret).commitment
    match, deal = room.match_number, room.deal_number + 1
    if room.phase == OVER:
        match, deal = match + 1, 1
    return Shuffling(match, deal, commitment, room.cutters, {})


def _seconds_left(room: Room, now: float | None) -> float | None:
    if now is None or room.settings.clock is None or room.turn is None or room.bot_in_turn:
        return None
    return max(0.0, room.turn_began + room.settings.clock - now)


def _count(log: DealLog) -> Count:
    assert log.score is not None
    first, second = (captured.bit_count() for captured in log.position.captured)
    return Count((first, second), log.score.sheets, log.score.scores, log.cut)
