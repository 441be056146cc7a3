"""What a play leaves behind, as far as its seat can tell, and what others might do with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from diloti.core.cards import HIGHEST_VALUE, JACK, RANKS, cards_of_rank, rank_of, totals_of
from diloti.core.jit import lowest
from diloti.core.legality import refusal_of
from diloti.core.plays import CAPTURE, RAISE, TRAIL, Play
from diloti.core.position import Pile, Position, new_state, seat_after, side_of
from diloti.core.selection import Selection
from diloti.core.tallies import split
from diloti.core.view import View


def out_of(view: View) -> int:
    """The cards that others may hold or draw, as a mask: neither in the own hand nor known to lie
    on the table or among the captures."""
    gone = view.hand | view.loose | sum(pile.cards for pile in view.piles)
    if view.history is not None:
        gone |= view.history.layout
        for _seat, play in view.history.plays:
            gone |= 1 << play.card
    return view.rules.pack & ~gone


@dataclass(frozen=True, eq=False)
class Aftermath:
    """The table after a legal play of the view's seat, before anything else happens."""

    view: View
    play: Play

    @property
    def gained(self) -> int:
        """The cards that the play captures, its own among them, as a mask."""
        if self.play.kind != CAPTURE:
            return 0
        return 1 << self.play.card | self.play.loose | self.play.pile_cards

    @property
    def hand(self) -> int:
        """What is left in the own hand."""
        return self.view.hand & ~(1 << self.play.card)

    @property
    def loose(self) -> int:
        """The loose cards."""
        laid = 1 << self.play.card if self.play.kind == TRAIL else 0
        return self.view.loose & ~self.play.loose | laid

    @cached_property
    def made(self) -> Pile | None:
        """The pile that the play makes."""
        play = self.play
        if play.kind in (TRAIL, CAPTURE):
            return None
        cards = play.loose | 1 << play.card
        if play.kind == RAISE:
            return Pile(play.value, self.view.seat, (cards | play.pile_cards,))
        joined = [part for pile in self.used for part in pile.components]
        return Pile(play.value, self.view.seat, (*joined, *split(cards, play.value)))

    @property
    def used(self) -> tuple[Pile, ...]:
        """The piles that the play takes, joins or raises, as they lay."""
        return tuple(pile for pile in self.view.piles if pile.cards in self.play.piles)

    @property
    def piles(self) -> tuple[Pile, ...]:
        """The piles on the table."""
        left = tuple(pile for pile in self.view.piles if pile.cards not in self.play.piles)
        return left if self.made is None else (*left, self.made)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left on the table."""
        return not self.loose and not self.piles

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self.view.plays + 1 == self.view.rules.plays_in_deal

    @property
    def sweep(self) -> str:
        """`xeri` or `xeristaki` where the play makes one (R9), else nothing."""
        rules, first = self.view.rules, self.view.plays == 0
        if self.play.kind != CAPTURE or self.loose or len(self.piles) > 1:
            return ""
        if (first and not rules.first_play_xeri) or (self.is_over and not rules.last_play_xeri):
            return ""
        if self.piles:
            return "xeristaki" if rules.xeristaki_points else ""
        return "xeri"

    @cached_property
    def out(self) -> int:
        """The cards that others may hold or draw."""
        return out_of(self.view)

    @cached_property
    def next(self) -> Position:
        """The table for the next seat, as if it held every card that may be out there."""
        view = self.view
        seat = seat_after(view.seat, view.rules)
        state = new_state(
            view.rules,
            dealer=view.dealer,
            turn=seat,
            plays=view.plays + 1,
            hands=[self.out if other == seat else 0 for other in range(view.rules.players)],
            loose=self.loose,
            piles=self.piles,
        )
        return Position(view.rules, state, {pile.cards: pile.components for pile in self.piles})

    @cached_property
    def clearers(self) -> int:
        """The cards, as a mask, with which the next seat would make a xeri if it held them."""
        rules = self.view.rules
        is_last = self.view.plays + 2 == self.view.rules.plays_in_deal
        if self.is_over or self.is_empty or (is_last and not rules.last_play_xeri):
            return 0
        piles = tuple(pile.cards for pile in self.piles)
        found = 0
        for rank in range(RANKS):
            equal = cards_of_rank(self.out, rank)
            if equal:
                everything = Selection(lowest(equal), self.loose, piles).play(CAPTURE)
                if not refusal_of(self.next, everything):
                    found |= equal
        return found

    def is_within_reach(self, card: int) -> bool:
        """Whether the next seat could capture a loose card, if it held the right one."""
        if cards_of_rank(self.out, rank_of(card)):
            return True
        if rank_of(card) >= JACK:
            return False
        value = rank_of(card) + 1
        others = totals_of(self.loose & ~(1 << card))
        return any(
            others >> 4 * (total - value) & 1 and self.can_be_taken(total)
            for total in range(value + 1, HIGHEST_VALUE + 1)
        )

    def can_be_raised(self, pile: Pile) -> bool:
        """Whether somebody else may be able to raise a pile (R7), with the right cards."""
        rules = self.view.rules
        if pile.is_family or rules.raising == "never":
            return False
        seats = [seat for seat in range(rules.players) if seat != self.view.seat]
        if rules.raising == "opponents":
            seats = [seat for seat in seats if side_of(seat) != side_of(pile.owner)]
        elif rules.raising == "others":
            seats = [seat for seat in seats if seat != pile.owner]
        if not seats:
            return False
        # The card added and the one kept for the new value differ: a pile is worth something.
        return any(
            self.can_be_taken(added) and self.can_be_taken(pile.value + added)
            for added in range(1, HIGHEST_VALUE - pile.value + 1)
        )

    def can_be_taken(self, value: int) -> bool:
        """Whether somebody else may hold a card that takes piles of a value."""
        return bool(cards_of_rank(self.out, value - 1))
