"""What a data set is made of: everything in it follows from its job."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from diloti.core.errors import N_, DilotiError
from diloti.core.match import Match
from diloti.core.record import format_rules
from diloti.core.rules import SWITCHES, Rules
from diloti.core.wire import read_rules
from diloti.lab.games import SEEDS, deal_game
from diloti.lab.player import Player, parse_player
from diloti.lab.program import program_name

FORM = 1
"""Version of the form of data sets."""

PART_SIZE = 100
"""Games of a part unless it is said how many."""

MOST_GAMES = 10**9
LARGEST_PART = 10_000


class JobError(DilotiError):
    """A text that is no job, or one of another form."""


@dataclass(frozen=True)
class Job:
    """Who plays, by which rules, how many games, from which seed.

    A game is a single deal at 0 : 0, or with `whole_matches` a match to the target. The first of
    the players has side 0, the second side 1. With `paired` games 2k and 2k + 1 have the same
    packs, dealers and seeds, as pair k of a duel, and the second has the sides swapped.
    """

    rules: Rules
    players: tuple[Player, Player]
    seed: int
    games: int
    whole_matches: bool = False
    paired: bool = False
    part_size: int = PART_SIZE
    """Games of a part; the last part may have fewer."""
    program: str = field(default_factory=program_name)
    """What makes the data set, as `program_name` tells it."""

    def check_program(self) -> None:
        """Raise `JobError` unless it is this program that makes the data set."""
        if self.program != program_name():
            raise JobError(
                N_("the data set is made by {program}, and this is {here}"),
                program=self.program,
                here=program_name(),
            )

    @property
    def parts(self) -> int:
        """Number of parts."""
        return -(-self.games // self.part_size)

    def games_of(self, part: int) -> range:
        """The numbers of the games of a part."""
        first = part * self.part_size
        return range(first, min(first + self.part_size, self.games))

    def deals_of(self, game: int) -> Iterator[tuple[Match, list[int]]]:
        """The deals of a game, to be played one after the other, as `deal_game` gives them."""
        return deal_game(
            self.rules,
            game // 2 if self.paired else game,
            seed=self.seed,
            whole_match=self.whole_matches,
            names=self.names_of(game),
        )

    def player_of(self, game: int, seat: int) -> Player:
        """Who has a seat in a game."""
        swapped = self.paired and game % 2
        return self.players[(seat + swapped) % 2]

    def names_of(self, game: int) -> tuple[str, ...]:
        """The names of the players of a game, by seat."""
        return tuple(str(self.player_of(game, seat)) for seat in range(self.rules.players))

    @property
    def tags(self) -> dict[str, str]:
        """What every file of tables says about itself."""
        return {
            "form": str(FORM),
            "program": self.program,
            "fingerprint": self.rules.fingerprint,
            "rules": format_rules(self.rules),
            "players": " ".join(map(str, self.players)),
            "seed": str(self.seed),
        }


def write_job(job: Job) -> dict[str, Any]:
    """A job as JSON."""
    return {
        "form": FORM,
        "program": job.program,
        "rules": {
            "base": job.rules.base,
            **{name: getattr(job.rules, name) for name in SWITCHES},
        },
        "fingerprint": job.rules.fingerprint,
        "players": [str(player) for player in job.players],
        "seed": job.seed,
        "games": job.games,
        "whole_matches": job.whole_matches,
        "paired": job.paired,
        "part_size": job.part_size,
    }


def read_job(written: Any) -> Job:
    """The job that was written; `JobError`, or an error of its rules or players, where none was.

    A value of another kind than `write_job` gives is none, even an equal one, as 1 for true.
    """
    form = written.get("form") if isinstance(written, dict) else None
    if form != FORM:
        raise JobError(
            N_("this data set has form {found}; this program knows {known}"),
            found=form,
            known=FORM,
        )
    try:
        first, second = map(parse_player, written["players"])
        job = Job(
            rules=read_rules(written["rules"]),
            players=(first, second),
            seed=written["seed"],
            games=written["games"],
            whole_matches=written["whole_matches"],
            paired=written["paired"],
            part_size=written["part_size"],
            program=written["program"],
        )
        is_job = _has_kinds(job) and _as_text(write_job(job)) == _as_text(written)
    except (AttributeError, KeyError, TypeError, ValueError) as trouble:
        raise JobError(N_("this does not say what is in a data set")) from trouble
    if not is_job:
        raise JobError(N_("this does not say what is in a data set"))
    return job


def _has_kinds(job: Job) -> bool:
    """Whether the fields of a job that was read have the kinds and ranges of those planned."""
    bounds = (
        (job.seed, 0, SEEDS - 1),
        (job.games, 1, MOST_GAMES),
        (job.part_size, 1, LARGEST_PART),
    )
    return (
        all(type(number) is int and least <= number <= most for number, least, most in bounds)
        and type(job.whole_matches) is type(job.paired) is bool
        and type(job.program) is str
    )


def _as_text(written: Any) -> str:
    """JSON as a text that tells 1, 1.0 and true apart."""
    return json.dumps(written, sort_keys=True)
