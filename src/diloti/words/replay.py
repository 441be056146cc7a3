"""A recorded deal, told step by step: what the page of a match and `diloti replay` show alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diloti.core.match import DealLog
from diloti.core.plays import Play
from diloti.core.position import Position
from diloti.core.record import Record
from diloti.words.accounts import event_lines
from diloti.words.language import Words
from diloti.words.levels import everybodys_names
from diloti.words.telling import tell_play

PLAYER_TAG = "Player {seat}"
"""The heading by which a record says who has played a seat: `HUMAN`, or the name of a bot."""
HUMAN = "human"


@dataclass(frozen=True)
class ReplayStep:
    """A moment of a deal: the position after so many plays, and what has led to it.

    It is found by its number, and so is what others have to say about its play.
    """

    number: int
    """How many plays have been made; 0 is the deal as it was dealt."""
    position: Position
    seat: int | None = None
    """Who made the last play."""
    play: Play | None = None
    told: tuple[str, ...] = ()
    """The last play and what it brought about besides, each a sentence."""


def replay_steps(words: Words, names: Sequence[str], log: DealLog) -> list[ReplayStep]:
    """All moments of a deal, from the first cards to the last play."""
    steps = [ReplayStep(0, log.start)]
    for number, (play, outcome) in enumerate(zip(log.plays, log.outcomes), start=1):
        seat = steps[-1].position.turn
        assert seat is not None
        told = (
            tell_play(words, names[seat], play),
            *event_lines(words, names, log.position.rules, seat, outcome.events),
        )
        steps.append(ReplayStep(number, outcome.position, seat, play, told))
    return steps


def bots_in_record(record: Record) -> list[str]:
    """By seat the name of the bot that played it, empty for a person, as the record says."""
    seats = range(record.match.rules.players)
    players = [record.tags.get(PLAYER_TAG.format(seat=seat), HUMAN) for seat in seats]
    return ["" if player == HUMAN else player for player in players]


def names_in_record(words: Words, record: Record) -> tuple[str, ...]:
    """A name for every seat of a recorded match."""
    bots = [bool(level) for level in bots_in_record(record)]
    return everybodys_names(words, record.match.names, bots)
