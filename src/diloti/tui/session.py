"""A match at one terminal: who sits where, who plays next, and keeping it after every play."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from diloti.bots import BOTS, Choice, choose
from diloti.core.effects import Outcome
from diloti.core.errors import N_
from diloti.core.match import Match
from diloti.core.plays import Play
from diloti.core.record import Record
from diloti.core.rules import Rules
from diloti.core.shuffle import SEED_SIZE
from diloti.core.view import View
from diloti.tui.store import Store, StoreError
from diloti.words.replay import HUMAN, PLAYER_TAG


@dataclass(frozen=True)
class Chair:
    """Who plays a seat: a person, or the bot of that name."""

    name: str
    bot: str | None = None


class Session:
    """A match with its chairs, kept in a store after every step (None: not kept).

    A step that cannot be kept is made all the same, and `StoreError` says so; the next one tries
    again.
    """

    def __init__(
        self,
        record: Record,
        chairs: Sequence[Chair],
        store: Store | None,
        new_seed: Callable[[], bytes],
    ) -> None:
        self._record = record
        self._store = store
        self._new_seed = new_seed
        self.chairs = tuple(chairs)

    @classmethod
    def start(
        cls,
        rules: Rules,
        chairs: Sequence[Chair],
        *,
        store: Store | None = None,
        seed: int | None = None,
    ) -> Session:
        """A new match, the first dealer drawn by lot (R2.2); a `seed` makes it repeatable.

        A match that is still running in the store is put away first. `StoreError` where that or
        keeping the new one fails.
        """
        if store is not None:
            store.put_away()
        new_seed = seeds_from(seed)
        first_dealer = new_seed()[0] % rules.players
        match = Match(rules, first_dealer=first_dealer, names=[chair.name for chair in chairs])
        tags = {
            PLAYER_TAG.format(seat=seat): chair.bot or HUMAN for seat, chair in enumerate(chairs)
        }
        session = cls(Record(match, tags), chairs, store, new_seed)
        session._save()
        return session

    @classmethod
    def resume(cls, store: Store) -> Session | None:
        """The match in the store, None where there is none.

        `StoreError` where it is no good; it is kept under another name then.
        """
        record = store.load()
        if record is None:
            return None
        players = [
            record.tags.get(PLAYER_TAG.format(seat=seat), HUMAN)
            for seat in range(record.match.rules.players)
        ]
        for player in players:
            if player != HUMAN and player not in BOTS:
                raise store.set_aside(
                    StoreError(N_("there is no bot {name} in this program"), name=player)
                )
        chairs = [
            Chair(name, None if player == HUMAN else player)
            for name, player in zip(record.match.names, players, strict=True)
        ]
        return cls(record, chairs, store, seeds_from(None))

    def rematch(self) -> Session:
        """A match with the same rules and chairs after this one; the deal passes on (R2.2).

        It is kept from its first deal on.
        """
        before = self.match
        match = Match(before.rules, first_dealer=before.next_dealer, names=before.names)
        tags = {
            PLAYER_TAG.format(seat=seat): chair.bot or HUMAN
            for seat, chair in enumerate(self.chairs)
        }
        return Session(Record(match, tags), self.chairs, self._store, self._new_seed)

    @property
    def match(self) -> Match:
        """The match itself; whatever shows it to people uses `view`."""
        return self._record.match

    @property
    def kept(self) -> Path | None:
        """The file in which the match was kept last, None where it was not."""
        return None if self._store is None else self._store.kept

    @property
    def has_store(self) -> bool:
        """Whether there is a place to keep the match in."""
        return self._store is not None

    @property
    def turn(self) -> int | None:
        """The seat that plays next, None between deals and at the end."""
        return self.match.turn

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.bot is None)

    @property
    def is_against_bots(self) -> bool:
        """Whether there is one person, whom nobody minds being helped."""
        return len(self.people) == 1

    def is_person(self, seat: int | None) -> bool:
        """Whether a person plays that seat."""
        return seat is not None and self.chairs[seat].bot is None

    def view(self, seat: int) -> View:
        """What `seat` may see now."""
        return self.match.view(seat)

    def deal(self) -> None:
        """Deal the next deal."""
        self.match.deal_seed(self._new_seed())
        self._save()

    def play(self, play: Play) -> Outcome:
        """Make a play of the seat in turn; `IllegalPlay` changes nothing."""
        outcome = self.match.play(play)
        self._save()
        return outcome

    def choose(self) -> Choice:
        """What the bot in turn plays, from its view alone."""
        seat = self.match.turn
        assert seat is not None
        bot = self.chairs[seat].bot
        assert bot is not None
        return choose(self.view(seat), bot, seed=self.match.deal_log.choice_seed)

    def show(self, seat: int, card: int) -> None:
        """Show a card of `seat` to its partner (R2.7)."""
        self.match.show(seat, card)
        self._save()

    def resign(self, seat: int) -> None:
        """Give the match up for `seat`'s side."""
        self.match.resign(seat)
        self._save()

    def _save(self) -> None:
        if self._store is not None:
            self._store.save(self._record)


def seeds_from(seed: int | None) -> Callable[[], bytes]:
    """A source of seeds for deals: secret ones, or always the same for a given `seed`."""
    if seed is None:
        return lambda: secrets.token_bytes(SEED_SIZE)
    count = 0

    def next_seed() -> bytes:
        nonlocal count
        count += 1
        return hashlib.sha256(f"{seed} {count}".encode()).digest()

    return next_seed
