"""Repeating what bots have played: each chooses again from what its seat could see.

A bot at a table of ours plays from its view, the seed of the deal and the number of the play alone,
so whoever has the record can have it choose again (docs/shuffle.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from diloti.bots import BOTS, choose
from diloti.core.errors import N_, DilotiError
from diloti.core.match import DealLog, Match
from diloti.core.plays import Play

BOTS_TAG = "Bots"
"""The line of a deal in a record that names the bots at the table."""


class BotsLineError(DilotiError):
    """A line of bots in a record that cannot be."""


@dataclass(frozen=True)
class Repetition:
    """A play of a bot, and what the same bot chooses there now; deals and plays count from 1."""

    deal: int
    number: int
    seat: int
    bot: str
    play: Play
    chosen: Play

    @property
    def is_same(self) -> bool:
        """Whether the bot has played as it does."""
        return self.play == self.chosen


def format_bots(bots: Mapping[int, str], simulations: Mapping[str, int]) -> str:
    """The line that names bots by their seats, with their simulations where they count these."""
    return ", ".join(
        f"{seat} {bot}:{simulations[bot]}" if bot in simulations else f"{seat} {bot}"
        for seat, bot in sorted(bots.items())
    )


def parse_bots(text: str, players: int) -> dict[int, tuple[str, int | None]]:
    """By seat the bot of such a line, and its simulations; `BotsLineError` where it cannot be."""
    bots: dict[int, tuple[str, int | None]] = {}
    for part in text.split(","):
        seat, _, called = part.strip().partition(" ")
        bot, colon, number = called.partition(":")
        is_seat = seat in map(str, range(players)) and int(seat) not in bots
        is_number = not colon or (number.isascii() and number.isdigit() and 0 < int(number) < 10**6)
        if not is_seat or bot not in BOTS or not is_number:
            raise BotsLineError(N_("these are no bots: {text}"), text=text[:60])
        bots[int(seat)] = (bot, int(number) if colon else None)
    return bots


def repeat_bots(match: Match) -> Iterator[Repetition]:
    """All plays of bots that the match names, each chosen again."""
    again = Match(match.rules, first_dealer=match.first_dealer)
    for deal, log in enumerate(match.deals, start=1):
        named = log.tags.get(BOTS_TAG)
        bots = parse_bots(named, match.rules.players) if named is not None and log.seed else {}
        fresh = _deal_again(again, log)
        for number, play in enumerate(log.plays, start=1):
            seat = again.turn
            assert seat is not None
            if seat in bots:
                bot, simulations = bots[seat]
                view, seed = again.view(seat), fresh.choice_seed
                chosen = choose(view, bot, seed=seed, simulations=simulations).play
                yield Repetition(deal, number, seat, bot, play, chosen)
            again.play(play)


def _deal_again(again: Match, log: DealLog) -> DealLog:
    """The same deal before its first play."""
    again.deal_pack(log.pack, log.final, seed=log.seed)
    for seat, card in enumerate(log.position.shown or ()):
        if card is not None:
            again.show(seat, card)
    return again.deal_log
