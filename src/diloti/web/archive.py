"""What is kept of a match for good: its record, who played, and a summary for lists and figures.

Nobody's cards are secret any more then. What people hand in is checked here, too.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from diloti.bots import BOTS
from diloti.core.errors import N_, DilotiError
from diloti.core.match import DealLog, Match
from diloti.core.notation import format_card
from diloti.core.record import Record, format_record, format_rules
from diloti.core.record_reader import parse_record
from diloti.teacher.repetition import BOTS_TAG
from diloti.web.room import Room, Seat, clean_name
from diloti.words.replay import HUMAN, PLAYER_TAG, bots_in_record

LARGEST_RECORD = 128 * 1024
"""Bytes of a record that somebody hands in; a long match has a tenth of that."""
NOBODY = "nobody"
"""Who has handed a record in, where that is not to be known any more; it is no identity."""
_DATE = "Date"
DAILY = "daily"
"""What a summary calls the day whose packs were played; empty where it was another match."""
DAILY_TAG = "Daily"
"""The line of a record that names the day whose packs were played."""
_BEFORE_DEALS = re.compile(r".*?(?=^Deal 1$|\Z)", re.DOTALL | re.MULTILINE)


class UnknownMatchError(DilotiError):
    """A match that is not kept here, or no longer."""


class UploadError(DilotiError):
    """Something handed in that is not even a text."""


@dataclass(frozen=True)
class Player:
    """Who had a seat: a person (identity, empty where it is not known) or a bot, by its name."""

    name: str
    person: str = ""
    level: str = ""


@dataclass(frozen=True)
class Finished:
    """A match that is kept for good."""

    id: str
    record: str
    summary: dict[str, Any]
    """As `summary_of` writes it; with a review the `accuracy` of each side, too."""
    fingerprint: str
    """That of the rules."""
    ended: float
    """When it ended, or was handed in."""
    players: tuple[Player, ...]
    is_practice: bool = False
    uploaded_by: str = ""
    """Who has handed it in, perhaps `NOBODY`; empty where it was played here."""
    review: str | None = None
    """What has been found out about its plays, as JSON."""


def finished_match(table: str, room: Room, *, ended: float) -> Finished:
    """The match of a table that is over; the same match has the same id whenever it is asked for.

    Whoever knows the table cannot guess it: the packs go into it.
    """
    match = room.match
    players = tuple(Player(seat.name, seat.person, _level(seat)) for seat in room.seats)
    first = " ".join(map(format_card, match.deals[0].pack)) if match.deals else ""
    return Finished(
        id=_short_digest("match", table, str(room.match_number), first),
        record=format_record(table_record(room, ended=ended)),
        summary={**summary_of(match), DAILY: room.settings.daily},
        fingerprint=match.rules.fingerprint,
        ended=ended,
        players=players,
        is_practice=room.settings.is_practice or bool(room.settings.daily),
    )


def _level(seat: Seat) -> str:
    """The level of a bot that has a seat; a person for whom one stands in has it still."""
    return "" if seat.person else seat.bot


def table_record(room: Room, *, ended: float | None = None) -> Record:
    """The record of a table's match with names; while it goes on, of the deals that are over."""
    match = room.match
    names = [seat.name for seat in room.seats]
    told = Match(match.rules, first_dealer=match.first_dealer, names=names)
    told.deals = [log for log in match.deals if match.is_over or log.score is not None]
    told.resigned = match.resigned
    tags = {} if ended is None else {_DATE: date_of(ended)}
    if room.settings.daily:
        tags[DAILY_TAG] = room.settings.daily
    for place, seat in enumerate(room.seats):
        if not seat.is_free:
            tags[PLAYER_TAG.format(seat=place)] = _level(seat) or HUMAN
    return Record(told, tags)


def date_of(moment: float) -> str:
    """The day of a moment, by universal time."""
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def summary_of(match: Match) -> dict[str, Any]:
    """What lists and figures need of a match: rules, result, and each deal that is over by side."""
    return {
        "rules": format_rules(match.rules),
        "players": match.rules.players,
        "target": match.rules.target,
        "winner": match.winner,
        "resigned": match.resigned,
        "scores": list(match.scores),
        "deals": [_deal(log) for log in match.deals if log.score is not None],
    }


def _deal(log: DealLog) -> dict[str, Any]:
    assert log.score is not None
    return {
        "cards": [cards.bit_count() for cards in log.position.captured],
        "points": [sheet.total for sheet in log.score.sheets],
        "xeri": list(log.position.xeri),
        "scores": list(log.score.scores),
    }


def too_long() -> UploadError:
    """What is said of a record that is larger than what is read here."""
    most = LARGEST_RECORD // 1024
    return UploadError(N_("the record is too long: at most {size} KiB are read here"), size=most)


def accuracy_in(review: str) -> list[float] | None:
    """The accuracy of each side that a review tells; None where it tells none."""
    written = json.loads(review)
    sides = written.get("sides") if isinstance(written, dict) else None
    return [side["accuracy"] for side in sides] if sides else None


def without_names(record: str, seats: Iterable[int]) -> str:
    """The text of a record with the names of some seats left out; all else is as it was.

    `format_record` writes a name in a line of its own before the first deal, and nothing else in
    such a line.
    """
    head = _BEFORE_DEALS.match(record)
    assert head is not None
    text = head[0]
    for seat in seats:
        text = re.sub(rf"^Seat {seat}:.*$", f"Seat {seat}:", text, flags=re.MULTILINE)
    return text + record[head.end() :]


def read_upload(written: bytes | str) -> Record:
    """The record in what somebody has handed in; a `DilotiError` says what is wrong, and where."""
    size = len(written if isinstance(written, bytes) else written.encode())
    if size > LARGEST_RECORD:
        raise too_long()
    try:
        text = written.decode() if isinstance(written, bytes) else written
    except ValueError as trouble:
        raise UploadError(N_("this is not a text in UTF-8")) from trouble
    if "\0" in text:
        raise UploadError(N_("this is not a text in UTF-8"))
    if not text.strip("\ufeff \t\r\n"):
        raise UploadError(N_("there is nothing in it"))
    record = parse_record(text)
    record.match.names = tuple(clean_name(name) for name in record.match.names)
    for place, bot in enumerate(bots_in_record(record)):
        if bot and bot not in BOTS:
            del record.tags[PLAYER_TAG.format(seat=place)]
    return record


def uploaded_match(record: Record, person: str, *, at: float) -> Finished:
    """A record that a person has handed in; the same one has the same id for the same person."""
    match, text = record.match, format_record(record)
    levels = bots_in_record(record)
    return Finished(
        id=_short_digest("upload", person, text),
        record=text,
        summary=summary_of(match),
        fingerprint=match.rules.fingerprint,
        ended=at,
        players=tuple(Player(name, level=level) for name, level in zip(match.names, levels)),
        uploaded_by=person,
    )


def _short_digest(*parts: str) -> str:
    digest = hashlib.sha256("\n".join(parts).encode()).digest()
    return urlsafe_b64encode(digest[:12]).decode()


def file_name(names: Iterable[str], ended: float | None) -> str:
    """A name for the file of a record: the day and the players, safe everywhere."""
    words = [re.sub(r"[^\w]+", "-", name).strip("-_") for name in names]
    day = [] if ended is None else [date_of(ended)]
    return "-".join(["diloti", *day, *filter(None, words)]) + ".txt"


def copy_until(match: Match, deal: int, plays: int) -> Match:
    """The same match up to a moment: the deals before number `deal` (from 0), and so many plays.

    It has the same packs, so it goes on with the same cards.
    """
    copy = Match(match.rules, first_dealer=match.first_dealer)
    for number, log in enumerate(match.deals[: deal + 1]):
        copy.deal_pack(log.pack, log.final, seed=log.seed)
        for seat, card in enumerate(log.position.shown or ()):
            if card is not None:
                copy.show(seat, card)
        for play in log.plays[:plays] if number == deal else log.plays:
            copy.play(play)
        copy.deal_log.cut, copy.deal_log.tags = log.cut, dict(log.tags)
    copy.deal_log.tags.pop(BOTS_TAG, None)  # others go on
    return copy
