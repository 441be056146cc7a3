"""The tables of a data set: what each column holds, and the row of each play and each deal.

A row of `plays` is what the seat in turn saw, what was legal, and what it chose. Hidden cards are
in the records and in `deals` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import polars as pl

from diloti.bots.choice import Candidate
from diloti.core.cards import ACES, TEN_OF_DIAMONDS, TWO_OF_CLUBS
from diloti.core.effects import Outcome
from diloti.core.match import DealLog, Match
from diloti.core.notation import format_play
from diloti.core.plays import (
    CAPTURE,
    DECLARE,
    RAISE,
    TRAIL,
    Play,
    count_legal_plays,
    legal_plays,
)
from diloti.core.position import side_of
from diloti.core.view import View, view_of

MOST_LEGAL = 1000
"""Where more plays are legal, they are counted and not listed."""

NOBODY = -1

KINDS = {TRAIL: "trail", CAPTURE: "capture", DECLARE: "declare", RAISE: "raise"}

Row: TypeAlias = dict[str, Any]


class Column(NamedTuple):
    """A column of a table."""

    name: str
    kind: Any
    """A data type of polars."""
    meaning: str


_PILE = pl.Struct({"cards": pl.UInt64, "value": pl.UInt8, "owner": pl.UInt8, "family": pl.Boolean})

PLAY_COLUMNS = (
    Column("match", pl.UInt32, "number of the game, from 0"),
    Column("deal", pl.UInt16, "number of the deal in the game, from 0"),
    Column("play", pl.UInt8, "number of the play in the deal, from 0"),
    Column("seat", pl.UInt8, "who plays"),
    Column("player", pl.String, "the bot that has the seat"),
    Column("dealer", pl.UInt8, "the seat that dealt"),
    Column("hand", pl.UInt64, "the hand of the seat, a mask"),
    Column("loose", pl.UInt64, "the loose cards, a mask"),
    Column("piles", pl.List(_PILE), "the piles, oldest first; the owner is a seat"),
    Column("stock", pl.UInt8, "cards not yet dealt"),
    Column("score_own", pl.Int32, "match total of the seat's side before the deal"),
    Column("score_other", pl.Int32, "that of the other side"),
    Column("legal_count", pl.UInt64, "how many plays are legal"),
    Column("legal", pl.List(pl.String), f"the legal plays; null where above {MOST_LEGAL}"),
    Column("chosen", pl.String, "the play that was made"),
    Column("kind", pl.String, " / ".join(KINDS.values())),
    Column("card", pl.UInt8, "the played card, 0 to 51"),
    Column("events", pl.List(pl.String), "what the play brought about, in order"),
    Column("taken", pl.UInt64, "all cards of a capture, the played one included; else 0"),
    Column("leftovers", pl.UInt64, "what the deal's last play left on the table; else 0"),
    Column("plays_judged", pl.List(pl.String), "the plays that the bot named, the best first"),
    Column("values", pl.List(pl.Float32), "what it thinks of each, in points; null: nothing"),
    Column("win_chances", pl.List(pl.Float32), "the chance to win the match; null: not judged"),
)

JUDGED = ("plays_judged", "values", "win_chances")
"""The columns that only the bot could tell; the others follow from the record."""


def _for_sides(name: str, kind: Any, meaning: str) -> Iterator[Column]:
    for side in (0, 1):
        yield Column(f"{name}_{side}", kind, f"{meaning} side {side}")


DEAL_COLUMNS = (
    Column("match", pl.UInt32, "number of the game, from 0"),
    Column("deal", pl.UInt16, "number of the deal in the game, from 0"),
    Column("dealer", pl.UInt8, "the seat that dealt"),
    Column("leader", pl.UInt8, "the side that played first"),
    Column("seed", pl.String, "the seed of the shuffle, 64 hexadecimal digits"),
    Column("plays", pl.UInt8, "number of plays"),
    *_for_sides("points", pl.UInt32, "all points of"),
    *_for_sides("cards", pl.UInt16, "number of cards captured by"),
    *_for_sides("aces", pl.UInt16, "number of aces captured by"),
    *_for_sides("xeri", pl.UInt16, "number of xeri of"),
    *_for_sides("xeristaki", pl.UInt16, "number of xeristaki of"),
    Column("ten_of_diamonds", pl.Int8, f"the side that captured it; {NOBODY}: nobody"),
    Column("two_of_clubs", pl.Int8, f"the side that captured it; {NOBODY}: nobody"),
    Column("leftovers", pl.UInt8, "number of cards left on the table"),
    Column("leftovers_side", pl.Int8, f"the side that got them; {NOBODY}: nobody"),
    *_for_sides("captured", pl.UInt64, "mask of all captures, leftovers included, of"),
    *_for_sides("score", pl.Int32, "match total after the deal of"),
    Column("winner", pl.Int8, f"the side that has won the match; {NOBODY}: it goes on"),
)


def table(columns: Sequence[Column], rows: Sequence[Row]) -> pl.DataFrame:
    """The rows as a table of polars."""
    schema = pl.Schema({column.name: column.kind for column in columns})
    return pl.DataFrame(rows, schema=schema)


def play_rows(match: Match, game: int) -> Iterator[Row]:
    """A row for every play of a match, without the columns `JUDGED`."""
    for number, log in enumerate(match.deals):
        position = log.start
        for play, outcome in zip(log.plays, log.outcomes, strict=True):
            assert position.turn is not None
            view = view_of(position, position.turn)
            yield {
                "match": game,
                "deal": number,
                "player": match.names[view.seat],
                **view_row(view),
                **_chosen(play, outcome),
            }
            position = outcome.position


def view_row(view: View) -> Row:
    """The columns of a play that show what its seat saw: a view is all they are made from."""
    known = view.known
    count = count_legal_plays(known)
    return {
        "play": view.plays,
        "seat": view.seat,
        "dealer": view.dealer,
        "hand": view.hand,
        "loose": view.loose,
        "piles": [
            {
                "cards": pile.cards,
                "value": pile.value,
                "owner": pile.owner,
                "family": pile.is_family,
            }
            for pile in view.piles
        ],
        "stock": view.stock_size,
        "score_own": view.scores[view.side],
        "score_other": view.scores[1 - view.side],
        "legal_count": count,
        "legal": [*map(format_play, legal_plays(known))] if count <= MOST_LEGAL else None,
    }


def _chosen(play: Play, outcome: Outcome) -> Row:
    cards = {event.name: event.cards for event in outcome.events}
    return {
        "chosen": format_play(play),
        "kind": KINDS[play.kind],
        "card": play.card,
        "events": [event.name for event in outcome.events],
        "taken": cards.get("capture", 0),
        "leftovers": cards.get("leftovers", 0),
    }


def judged_row(analysis: Sequence[Candidate]) -> Row:
    """The columns `JUDGED` of a play."""
    return {
        "plays_judged": [format_play(candidate.play) for candidate in analysis],
        "values": [candidate.points for candidate in analysis],
        "win_chances": [candidate.win_chance for candidate in analysis],
    }


def deal_rows(match: Match, game: int) -> Iterator[Row]:
    """A row for every deal of a match; all of them must be over."""
    for number, log in enumerate(match.deals):
        yield {"match": game, "deal": number, **_deal_row(log)}


def _deal_row(log: DealLog) -> Row:
    score, position = log.score, log.position
    assert score is not None
    assert log.seed is not None
    leader = log.start.turn
    assert leader is not None
    left = [event for event in log.outcomes[-1].events if event.name == "leftovers"]
    getter = left[0].side if left else None
    by_side = {
        "points": [sheet.total for sheet in score.sheets],
        "cards": [cards.bit_count() for cards in position.captured],
        "aces": [(cards & ACES).bit_count() for cards in position.captured],
        "xeri": position.xeri,
        "xeristaki": position.xeristaki,
        "captured": position.captured,
        "score": score.scores,
    }
    return {
        "dealer": log.dealer,
        "leader": side_of(leader),
        "seed": log.seed.hex(),
        "plays": len(log.outcomes),
        **{f"{name}_{side}": both[side] for name, both in by_side.items() for side in (0, 1)},
        "ten_of_diamonds": _captor(position.captured, TEN_OF_DIAMONDS),
        "two_of_clubs": _captor(position.captured, TWO_OF_CLUBS),
        "leftovers": sum(event.cards.bit_count() for event in left),
        "leftovers_side": NOBODY if getter is None else getter,
        "winner": NOBODY if score.winner is None else score.winner,
    }


def _captor(captured: tuple[int, int], card: int) -> int:
    """The side that captured a card (a mask), or `NOBODY`."""
    return next((side for side in (0, 1) if captured[side] & card), NOBODY)
