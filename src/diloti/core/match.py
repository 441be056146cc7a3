"""A match: deals one after another until a side has reached the target (R12).

A match knows no clock, chance or file: packs come in from outside, and whoever keeps it asks for
its record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from diloti.core.deal import check_exchange, exchange_layout, lay_out
from diloti.core.effects import Outcome, make_play, show_card
from diloti.core.errors import N_, DilotiError
from diloti.core.plays import Play
from diloti.core.position import Position, seat_after, side_of
from diloti.core.rules import Rules
from diloti.core.scoring import DealScore, score_deal
from diloti.core.shuffle import Cut, Shuffle
from diloti.core.view import View, view_of


class MatchError(DilotiError):
    """Something asked of a match that is not its turn, such as a play between two deals."""


@dataclass
class DealLog:
    """One deal of a match, as it is recorded.

    `pack` is the order before any exchange of the layout (R2.5), `final` the order in which the
    cards are dealt. `seed` is that of the shuffle, None where the pack came from elsewhere.
    """

    dealer: int
    pack: tuple[int, ...]
    final: tuple[int, ...]
    seed: bytes | None
    position: Position
    cut: Cut | None = None
    """What the seed was made of, where it was made of a secret and of cuts."""
    outcomes: list[Outcome] = field(default_factory=list)
    """What each play brought about, in order."""
    score: DealScore | None = None
    tags: dict[str, str] = field(default_factory=dict)
    """Further lines of the deal in a record, kept as they are."""

    @property
    def start(self) -> Position:
        """The position before the first play, cards shown to partners included."""
        rules, scores = self.position.rules, self.position.scores
        start = lay_out(rules, dealer=self.dealer, pack=self.final, scores=scores)
        return start.replaced(shown=self.position.shown)

    @property
    def choice_seed(self) -> int:
        """A number for the bot in turn, below 2**64: another one at each play of each deal."""
        mixed = (self.seed or b"") + len(self.outcomes).to_bytes(2, "big")
        return int.from_bytes(hashlib.sha256(mixed).digest()[:8], "big")

    @property
    def plays(self) -> list[Play]:
        """The plays so far, in order."""
        history = self.position.history
        return [play for _seat, play in history.plays] if history else []


class Match:
    """A match between two sides, from the first deal to the last."""

    def __init__(self, rules: Rules, *, first_dealer: int, names: Sequence[str] = ()) -> None:
        if not 0 <= first_dealer < rules.players:
            raise MatchError(N_("there is no seat {seat}"), seat=first_dealer)
        if names and len(names) != rules.players:
            raise MatchError(N_("{players} seats need as many names"), players=rules.players)
        self.rules = rules
        self.names = tuple(names) or ("",) * rules.players
        self.first_dealer = first_dealer
        self.deals: list[DealLog] = []
        self.resigned: int | None = None

    @property
    def scores(self) -> tuple[int, int]:
        """Match totals by side, of the deals that are over."""
        for log in reversed(self.deals):
            if log.score is not None:
                return log.score.scores
        return 0, 0

    @property
    def winner(self) -> int | None:
        """The side that has won, or None while the match goes on."""
        if self.resigned is not None:
            return 1 - side_of(self.resigned)
        score = self.deals[-1].score if self.deals else None
        return None if score is None else score.winner

    @property
    def is_over(self) -> bool:
        """Whether a side has won."""
        return self.winner is not None

    @property
    def is_between_deals(self) -> bool:
        """Whether the next thing to happen is a deal."""
        return not self.is_over and (not self.deals or self.deals[-1].score is not None)

    @property
    def next_dealer(self) -> int:
        """The seat that deals next (R2.2)."""
        return seat_after(self.deals[-1].dealer, self.rules) if self.deals else self.first_dealer

    @property
    def deal_log(self) -> DealLog:
        """The deal being played, or the last one played; `MatchError` before the first."""
        if not self.deals:
            raise MatchError(N_("nothing has been dealt yet"))
        return self.deals[-1]

    @property
    def position(self) -> Position:
        """The position of the deal being played, or of the last one; secrets included."""
        return self.deal_log.position

    @property
    def turn(self) -> int | None:
        """The seat that plays next; None between deals and when the match is over."""
        if self.is_over or self.is_between_deals:
            return None
        return self.position.turn

    def view(self, seat: int) -> View:
        """What `seat` may see now."""
        return view_of(self.position, seat)

    def deal_seed(self, seed: bytes) -> Position:
        """Deal the next deal with the shuffle `sha256-1` from a seed."""
        shuffle = Shuffle(seed)
        pack = shuffle.pack(self.rules)
        return self.deal_pack(pack, exchange_layout(self.rules, pack, shuffle), seed=seed)

    def deal_cut(self, cut: Cut) -> Position:
        """Deal the next deal with the seed that a secret and cuts make."""
        position = self.deal_seed(cut.seed)
        self.deal_log.cut = cut
        return position

    def deal_pack(
        self, pack: Sequence[int], final: Sequence[int], *, seed: bytes | None = None
    ) -> Position:
        """Deal the next deal from a pack; `final` is its order after any exchange (R2.5)."""
        if not self.is_between_deals:
            raise MatchError(N_("the match is not between two deals"))
        check_exchange(self.rules, pack, final)
        position = lay_out(self.rules, dealer=self.next_dealer, pack=final, scores=self.scores)
        self.deals.append(DealLog(self.next_dealer, tuple(pack), tuple(final), seed, position))
        return position

    def play(self, play: Play) -> Outcome:
        """Make a play of the seat in turn, and score the deal when it was the last.

        `IllegalPlay` and `MatchError` leave the match as it was.
        """
        if self.turn is None:
            raise MatchError(N_("nobody has a turn now"))
        log = self.deal_log
        outcome = make_play(log.position, play)
        log.position = outcome.position
        log.outcomes.append(outcome)
        if outcome.position.is_over:
            log.score = score_deal(outcome.position)
        return outcome

    def show(self, seat: int, card: int) -> None:
        """Show a card of `seat` to the partner (R2.7), or raise `IllegalPlay`."""
        if self.turn is None:
            raise MatchError(N_("nobody has a turn now"))
        self.deal_log.position = show_card(self.position, seat, card)

    def resign(self, seat: int) -> None:
        """Give the match up: the other side wins."""
        if self.is_over:
            raise MatchError(N_("the match is over"))
        if not 0 <= seat < self.rules.players:
            raise MatchError(N_("there is no seat {seat}"), seat=seat)
        self.resigned = seat
