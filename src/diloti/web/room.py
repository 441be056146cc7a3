"""A table with its seats and its match: what is asked of it, and what comes of that.

A room knows no clock, chance, file or network. Every command that it accepts makes its number one
higher; `body` is all there is to keep, and `Room.read` makes the room of it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from diloti.core.effects import Outcome
from diloti.core.errors import N_, DilotiError
from diloti.core.match import Match
from diloti.core.plays import Play
from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.core.rules import Rules
from diloti.core.shuffle import LONGEST_CUT, Cut
from diloti.core.view import View, onlookers_view
from diloti.core.wire import read_rules, write_rules
from diloti.teacher.repetition import BOTS_TAG, format_bots
from diloti.words.printable import printable

FORMAT = 1
"""Version of the form of what is kept."""
LONGEST_NAME = 20
PATIENCE = 60.0
"""Seconds that somebody is awaited before a bot may play for them."""
DAILY_DEALS = 2
"""Deals of a day: each side leads once."""
SIMULATIONS = {"expert": 4000}
"""What bots think at a table: no seconds, so that anybody can repeat their plays from a record."""
MOST_REMARKS = 6
"""How many of the latest remarks are shown."""

WAITING, PLAYING, COUNTING, OVER = "waiting", "playing", "counting", "over"
"""Phases: seats are free; a deal is played; a deal has been counted; the match is over."""

NewSecret = Callable[[], bytes]
"""Where the secrets of deals come from."""


class RoomError(DilotiError):
    """A command that this room does not take, or not from this person."""


class TakenError(RoomError):
    """A seat that somebody has taken before."""


class StaleError(RoomError):
    """A command that was based on a state that has passed."""


@dataclass(frozen=True)
class Seat:
    """Who sits there: a person, a bot, a bot for a person who is away, or nobody."""

    name: str = ""
    person: str = ""
    """The identity of whoever holds the seat."""
    bot: str = ""
    """The level of the bot that plays it."""
    is_ready: bool = False
    """Whether the person has seen the score, or wants another match."""
    moves: int = 0
    """How often the person has gone to another device with it."""

    @property
    def is_free(self) -> bool:
        """Whether somebody may sit down."""
        return not self.person and not self.bot


@dataclass(frozen=True)
class Remark:
    """A phrase that a seat has said, by its name, in the room's number `at`."""

    seat: int
    phrase: str
    at: int


@dataclass(frozen=True)
class Settings:
    """What was chosen when the table was laid."""

    is_listed: bool = False
    """Whether anybody may find it and join."""
    is_practice: bool = False
    """Whether plays may be taken back: against bots only, and it counts for nothing."""
    clock: int | None = None
    """Seconds for a play, after which a bot makes it; None: all the time in the world."""
    daily: str = ""
    """The day whose packs are played here, as 2026-11-30: no cuts, and over after `DAILY_DEALS`."""


@dataclass
class Room:
    """A table, its seats and its match."""

    rules: Rules
    seats: list[Seat]
    settings: Settings
    match: Match
    invitation: str = ""
    """The secret of the link by which friends join; empty where it is closed."""
    number: int = 0
    remarks: list[Remark] = field(default_factory=list)
    turn_began: float = 0.0
    """When the present turn began, by the clock of whoever keeps the room."""
    votes: list[int] = field(default_factory=list)
    """The seats that want a bot to play for the one in turn."""
    match_number: int = 0
    """How many matches have been played here before this one."""
    secrets: list[bytes] = field(default_factory=list)
    """Secrets of coming deals that are fixed beforehand, the next one first."""
    secret: bytes | None = None
    """What the next pack is made of, beside the cuts; chosen before anybody cuts."""
    cuts: dict[int, str] = field(default_factory=dict)
    """What seats have added to it."""

    @classmethod
    def lay(
        cls,
        rules: Rules,
        seats: Iterable[Seat],
        settings: Settings,
        *,
        first_dealer: int,
        invitation: str = "",
        secrets: Iterable[bytes] = (),
    ) -> Room:
        """A new table; its first packs come from these `secrets`, if there are any."""
        match = Match(rules, first_dealer=first_dealer)
        room = cls(rules, list(seats), settings, match, invitation)
        room.secrets = list(secrets)
        return room

    # --- What there is to see ---------------------------------------------------

    @property
    def phase(self) -> str:
        """One of the four phases."""
        if self.match.is_over or self.is_daily_over:
            return OVER
        if any(seat.is_free for seat in self.seats):
            return WAITING
        if self.match.is_between_deals:
            return COUNTING
        return PLAYING

    @property
    def is_daily_over(self) -> bool:
        """Whether all deals of its day have been played here."""
        is_last = len(self.match.deals) == DAILY_DEALS and self.match.is_between_deals
        return bool(self.settings.daily) and is_last

    @property
    def turn(self) -> int | None:
        """The seat that plays next; None where nobody can."""
        return self.match.turn if self.phase == PLAYING else None

    @property
    def bot_in_turn(self) -> str:
        """The level of the bot that plays next; empty where a person does, or nobody.

        Bots do not play on when all people have left.
        """
        return "" if self.turn is None or not self.people else self.seats[self.turn].bot

    @property
    def deal_number(self) -> int:
        """Which deal of the match it is, from 1 on; 0 before the first."""
        return len(self.match.deals)

    def seats_of(self, person: str) -> list[int]:
        """The seats that a person holds."""
        return [place for place, seat in enumerate(self.seats) if person and seat.person == person]

    def view(self, seat: int | None) -> View | None:
        """What a seat may see, or an onlooker; None before the first deal."""
        if not self.match.deals:
            return None
        return onlookers_view(self.match.position) if seat is None else self.match.view(seat)

    def open_match(self, names: Iterable[str]) -> Match:
        """The match as anybody may know it, without the deal that is being played."""
        match = Match(self.rules, first_dealer=self.match.first_dealer, names=tuple(names))
        match.deals = [log for log in self.match.deals if log.score is not None]
        match.resigned = self.match.resigned
        return match

    @property
    def people(self) -> list[int]:
        """The seats that are held by people, present or not."""
        return [place for place, seat in enumerate(self.seats) if seat.person]

    # --- What can be asked of it -------------------------------------------------

    def check_number(self, number: int) -> None:
        """Raise `StaleError` unless a command was based on the present state."""
        if number != self.number:
            raise StaleError(N_("the table has moved on meanwhile"))

    def sit_down(self, seat: int, person: str, name: str) -> None:
        """Take a free seat."""
        self._check_seat(seat)
        if not self.seats[seat].is_free:
            raise TakenError(N_("this seat is taken"))
        if self.seats_of(person):
            raise TakenError(N_("you have a seat at this table"))
        self.seats[seat] = Seat(name=clean_name(name), person=person)
        self._step()

    def seat_bot(self, seat: int, level: str) -> None:
        """Give a free seat to a bot."""
        self._check_seat(seat)
        if not self.seats[seat].is_free:
            raise TakenError(N_("this seat is taken"))
        self.seats[seat] = Seat(bot=level)
        self._step()

    def vote_stand_in(self, seat: int, by: int, level: str, *, now: float) -> None:
        """Ask for a bot to play for a person in turn who seems to be away.

        It does when all others ask for it, at least two; after a minute one is enough.
        """
        self._check_seat(seat)
        if not self.seats[seat].person or self.seats[seat].bot or self.turn != seat:
            raise RoomError(N_("nobody is missing there"))
        asking = {self.seats[place].person for place in (*self.votes, by)}
        others = {other.person for other in self.seats if not other.bot}
        others.remove(self.seats[seat].person)
        is_long = now >= self.turn_began + PATIENCE
        if len(others) < 2 and not is_long:
            raise RoomError(N_("a bot may play when somebody has been awaited for a minute"))
        if is_long or asking >= others:
            self.seats[seat] = replace(self.seats[seat], bot=level)
            self.votes = []
        elif by not in self.votes:
            self.votes = [*self.votes, by]
        self._step()

    def come_back(self, seat: int) -> None:
        """Take a seat back from the bot that has stood in."""
        if not self.seats[seat].person or not self.seats[seat].bot:
            raise RoomError(N_("nobody is missing there"))
        self.seats[seat] = replace(self.seats[seat], bot="")
        self._step()

    def hand_over(self, seat: int, person: str) -> None:
        """Give a seat to the same person at another device."""
        self._check_seat(seat)
        if not self.seats[seat].person:
            raise RoomError(N_("there is nobody in this seat"))
        moves = self.seats[seat].moves + 1
        self.seats[seat] = replace(self.seats[seat], person=person, bot="", moves=moves)
        self._step()

    def leave(self, person: str, level: str) -> None:
        """Give up the seats of a person: to bots, or to others where nothing has been dealt."""
        left = Seat() if self.phase == WAITING else Seat(bot=level)
        for seat in self.seats_of(person):
            self.seats[seat] = left
        self._step()

    def close_invitation(self) -> None:
        """Have the link for friends lead nowhere."""
        self.invitation = ""
        self._step()

    def prepare(self, new_secret: NewSecret) -> None:
        """Choose the secret of the next deal as soon as that is what comes next, once."""
        if self.secret is None and (self.match.is_between_deals or self.match.is_over):
            self.secret = self.secrets.pop(0) if self.secrets else new_secret()

    @property
    def cutters(self) -> tuple[int, ...]:
        """The seats whose cuts make the next pack (R2.3): of two players the one who leads, or the
        other where that is a bot, and of four all people. The packs of a day are the same for all.
        """
        if self.settings.daily:
            return ()
        dealer = self.match.next_dealer
        order = [(dealer + 1 + place) % len(self.seats) for place in range(len(self.seats))]
        people = [
            place for place in order if self.seats[place].person and not self.seats[place].bot
        ]
        return tuple(people if len(self.seats) > 2 else people[:1])

    def cut(self, seat: int, text: str) -> None:
        """Add something to the next pack, instead of what this seat has added before."""
        if self.phase not in (COUNTING, OVER) or self.settings.daily:
            raise RoomError(N_("there is nothing to cut now"))
        self.cuts = {**self.cuts, seat: clean_cut(text)}
        self._step()

    def deal(self, new_secret: NewSecret) -> None:
        """Deal the next deal with the cuts of those who are to cut, or else of others."""
        if self.phase != COUNTING:
            raise RoomError(N_("the table is not between two deals"))
        self.prepare(new_secret)
        assert self.secret is not None
        awaited = {seat: text for seat, text in self.cuts.items() if seat in self.cutters}
        self.match.deal_cut(Cut(self.secret, awaited or self.cuts))
        self.match.deal_log.tags.update(self._bots())
        self.secret, self.cuts = None, {}
        self.seats = [replace(seat, is_ready=False) for seat in self.seats]
        self._step()

    def _bots(self) -> dict[str, str]:
        """The line of a record that tells which bots play, so that their plays can be repeated."""
        bots = {
            place: seat.bot for place, seat in enumerate(self.seats) if seat.bot and not seat.person
        }
        return {BOTS_TAG: format_bots(bots, SIMULATIONS)} if bots else {}

    def get_ready(self, person: str) -> bool:
        """Note that a person has seen the score or wants another match; whether all do now."""
        if self.phase not in (COUNTING, OVER) or (self.phase == OVER and self.settings.daily):
            raise RoomError(N_("there is nothing to wait for"))
        for seat in self.seats_of(person):
            self.seats[seat] = replace(self.seats[seat], is_ready=True)
        self._step()
        return self.is_ready

    @property
    def is_ready(self) -> bool:
        """Whether there are people, and all of them are ready for what comes next."""
        return bool(self.people) and all(seat.is_ready or seat.bot for seat in self.seats)

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for others who have not seen the score yet."""
        return self.phase == COUNTING and not self.is_ready and any(s.is_ready for s in self.seats)

    def play(self, seat: int, play: Play) -> Outcome:
        """Make a play of a seat; `IllegalPlay` changes nothing."""
        if self.turn != seat:
            raise RoomError(N_("it is not your turn"))
        outcome = self.match.play(play)
        self.votes = []
        self._step()
        return outcome

    def show(self, seat: int, card: int) -> None:
        """Show a card to the partner before the first play (R2.7)."""
        if self.phase != PLAYING:
            raise RoomError(N_("nobody has a turn now"))
        self.match.show(seat, card)
        self._step()

    def take_back(self, seat: int) -> None:
        """Take back the last play of a seat, and all that came after it, at a practice table."""
        if not self.settings.is_practice:
            raise RoomError(N_("plays can be taken back at practice tables only"))
        log = self.match.deal_log
        seats = [by for by, _play in log.position.history.plays] if log.position.history else []
        if seat not in seats or self.match.is_over:
            raise RoomError(N_("there is nothing to take back"))
        kept = log.plays[: len(seats) - 1 - seats[::-1].index(seat)]
        log.position, log.score, log.outcomes = log.start, None, []
        for play in kept:
            self.match.play(play)
        self._step()

    def resign(self, seat: int) -> None:
        """Give the match up."""
        if self.phase == WAITING:
            raise RoomError(N_("nothing has been dealt yet"))
        if self.is_daily_over:  # the match of a day goes on for the rules
            raise RoomError(N_("the match is over"))
        self.match.resign(seat)
        self._step()

    def rematch(self) -> None:
        """Begin another match with the same people; the deal passes on (R2.2)."""
        if self.phase != OVER:
            raise RoomError(N_("the match is not over"))
        self.match = Match(self.rules, first_dealer=self.match.next_dealer)
        self.match_number += 1
        self.seats = [replace(seat, is_ready=False) for seat in self.seats]
        self._step()

    def say(self, seat: int, phrase: str) -> None:
        """Say one of the phrases."""
        self.remarks = [*self.remarks[1 - MOST_REMARKS :], Remark(seat, phrase, self.number + 1)]
        self._step()

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise RoomError(N_("there is no seat {seat}"), seat=seat)

    def _step(self) -> None:
        self.number += 1

    # --- What is kept --------------------------------------------------------------

    def body(self) -> str:
        """All of the room, as a text; secrets included."""
        return json.dumps(
            {
                "format": FORMAT,
                "rules": write_rules(self.rules),
                "seats": [vars(seat) for seat in self.seats],
                "settings": vars(self.settings),
                "invitation": self.invitation,
                "number": self.number,
                "remarks": [vars(remark) for remark in self.remarks],
                "turn_began": self.turn_began,
                "votes": self.votes,
                "match_number": self.match_number,
                "secrets": [secret.hex() for secret in self.secrets],
                "secret": None if self.secret is None else self.secret.hex(),
                "cuts": {str(seat): text for seat, text in self.cuts.items()},
                "record": format_record(Record(self.match)),
            }
        )

    @classmethod
    def read(cls, body: str) -> Room:
        """The room that was kept as this text."""
        kept: dict[str, Any] = json.loads(body)
        secret = kept.get("secret")
        return cls(
            rules=read_rules(kept["rules"]),
            seats=[Seat(**seat) for seat in kept["seats"]],
            settings=Settings(**kept["settings"]),
            match=parse_record(kept["record"]).match,
            invitation=kept["invitation"],
            number=kept["number"],
            remarks=[Remark(**remark) for remark in kept["remarks"]],
            turn_began=kept["turn_began"],
            # The first tables had none of these.
            votes=kept.get("votes", []),
            match_number=kept.get("match_number", 0),
            secrets=[bytes.fromhex(one) for one in kept.get("secrets", [])],
            secret=None if secret is None else bytes.fromhex(secret),
            cuts={int(seat): text for seat, text in kept.get("cuts", {}).items()},
        )


def clean_name(name: str) -> str:
    """A name in one line, not too long; empty where nothing is left of it."""
    return " ".join(printable(name).split())[:LONGEST_NAME].strip()


def clean_cut(text: str) -> str:
    """A text as it can be cut with: in one line, not too long."""
    return " ".join(printable(text).split())[:LONGEST_CUT].strip()
