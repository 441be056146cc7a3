"""What a seat can ask of its table, in forms and in JSON alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from diloti.bots import LEVELS
from diloti.core.errors import N_
from diloti.core.notation import parse_card, parse_play
from diloti.web.phrases import PHRASES
from diloti.web.room import COUNTING, OVER, NewSecret, Room, RoomError, StaleError

STAND_IN = "regular"
"""The bot that plays for people."""

Details = Mapping[str, Any]
"""What comes with a command: texts of a form, or values of JSON."""


class MalformedError(RoomError):
    """A command that lacks something, or has something else in its place."""


class StrangerError(RoomError):
    """A command of somebody who has no seat."""


def run_command(
    name: str,
    details: Details,
    *,
    person: str,
    wanted: int | None,
    new_secret: NewSecret,
    now: float,
    room: Room,
) -> None:
    """Run a command of a person; who holds several seats speaks for the one that is `wanted`.

    `MalformedError` and `StrangerError` where it cannot be one; what the room does not take is
    refused as `Room` and the rules refuse it.
    """
    seats = room.seats_of(person)
    if not seats:
        raise StrangerError(N_("you have no seat at this table"))
    if wanted is not None and wanted in seats:
        seat = wanted
    else:  # at a shared screen it is the one in turn who is there
        seat = room.turn if room.turn in seats and room.turn is not None else seats[0]
    if name == "ready":
        if str(details.get("deal", room.deal_number)) != str(room.deal_number):
            raise StaleError(N_("the table has moved on meanwhile"))
        if details.get("cut"):
            _cut(room, seats, details)
        room.get_ready(person)
        go_on(room, new_secret)
    elif name == "cut":
        _cut(room, seats, details)
    elif name == "leave":
        room.leave(person, STAND_IN)
        go_on(room, new_secret)
    elif name == "standin":
        room.vote_stand_in(_seat(details), seat, STAND_IN, now=now)
    elif name == "bot":
        _seat_bot(room, _seat(details), str(details.get("level", STAND_IN)))
    else:
        _COMMANDS[name](room, seat, details)


def _cut(room: Room, seats: list[int], details: Details) -> None:
    """Cut for the seat of this person that is to."""
    seat = next((seat for seat in seats if seat in room.cutters), seats[0])
    room.cut(seat, str(details.get("cut", "")))


def go_on(room: Room, new_secret: NewSecret, *, without: bool = False) -> None:
    """Begin what all have waited for: the next deal, or another match.

    `without` those who are away, where others wait.
    """
    is_ready = room.is_ready or (without and room.is_awaited)
    if room.phase == OVER and room.is_ready:
        room.rematch()
        room.deal(new_secret)
    elif room.phase == COUNTING and is_ready:
        room.deal(new_secret)


def _seat_bot(room: Room, seat: int, level: str) -> None:
    if level not in LEVELS:
        raise MalformedError(N_("there is no such level"))
    room.seat_bot(seat, level)


def _say(room: Room, seat: int, details: Details) -> None:
    phrase = str(details.get("phrase"))
    if phrase not in PHRASES:
        raise MalformedError(N_("this cannot be said here"))
    room.say(seat, phrase)


def _seat(details: Details) -> int:
    text = str(details.get("seat", ""))
    if text not in tuple("0123"):
        raise MalformedError(N_("there is no seat {seat}"), seat=text[:8])
    return int(text)


_COMMANDS: Mapping[str, Callable[[Room, int, Details], object]] = {
    "play": lambda room, seat, details: room.play(seat, parse_play(str(details.get("play", "")))),
    "show": lambda room, seat, details: room.show(seat, parse_card(str(details.get("card", "")))),
    "say": _say,
    "back": lambda room, seat, _details: room.come_back(seat),
    "close": lambda room, _any_seat, _details: room.close_invitation(),
    "resign": lambda room, seat, _details: room.resign(seat),
    "takeback": lambda room, seat, _details: room.take_back(seat),
}

COMMANDS = ("ready", "cut", "leave", "bot", "standin", *_COMMANDS)
"""The names of all commands."""
NUMBERED = ("play", "takeback")
"""Commands that must say which state they are based on; `ready` says only which deal."""
