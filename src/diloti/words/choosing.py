"""What a player has pointed at, and what may come of it. No card ever picks its play by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from diloti.core.legality import RULE_OF, Refusal
from diloti.core.plays import Play
from diloti.core.selection import Selection, can_list, exact_plays, fitting_plays, why_not
from diloti.core.view import View
from diloti.words import Words


@dataclass(frozen=True)
class Choosing:
    """A hand card (None: not yet one), loose cards (mask) and piles (masks) pointed at."""

    view: View
    card: int | None = None
    loose: int = 0
    piles: tuple[int, ...] = field(default=())

    def with_hand(self, card: int) -> Choosing:
        """Another hand card; the same one again is put back."""
        return Choosing(self.view, None if card == self.card else card, self.loose, self.piles)

    def with_loose(self, card: int) -> Choosing:
        """A loose card more, or less."""
        return Choosing(self.view, self.card, self.loose ^ 1 << card, self.piles)

    def with_pile(self, cards: int) -> Choosing:
        """A pile more, or less."""
        if cards in self.piles:
            piles = tuple(pile for pile in self.piles if pile != cards)
        else:
            piles = (*self.piles, cards)
        return Choosing(self.view, self.card, self.loose, piles)

    @property
    def is_turn(self) -> bool:
        """Whether a play can be made at all."""
        return self.view.turn == self.view.seat

    @property
    def has_table(self) -> bool:
        """Whether anything of the table is chosen."""
        return bool(self.loose or self.piles)

    @cached_property
    def exact(self) -> list[Play]:
        """The legal plays that use exactly this."""
        if self.card is None or not self.is_turn:
            return []
        return exact_plays(self.view.known, Selection(self.card, self.loose, self.piles))

    @cached_property
    def fits(self) -> list[Play]:
        """The legal plays that use at least this, the exact ones first."""
        if self.card is None or not self.is_turn:
            return []
        fits = fitting_plays(self.view.known, Selection(self.card, self.loose, self.piles))
        return [*self.exact, *(play for play in fits if play not in self.exact)]

    @cached_property
    def is_complete(self) -> bool:
        """Whether `fits` holds all that fits: on very wide tables it holds the exact plays only."""
        return can_list(self.view.known)

    @property
    def play(self) -> Play | None:
        """The play that needs no further choice: the only exact one.

        A card alone means laying it only where it can do nothing else.
        """
        if len(self.exact) == 1 and (self.has_table or (self.is_complete and len(self.fits) == 1)):
            return self.exact[0]
        return None

    @cached_property
    def usable(self) -> int:
        """The table cards that some fitting play uses, as a mask."""
        mask = 0
        for play in self.fits:
            mask |= play.loose | play.pile_cards
        return mask

    @cached_property
    def denied(self) -> tuple[Play, Refusal] | None:
        """What exactly this most likely means, and why it cannot be played; None where it can."""
        if self.card is None or self.exact or not self.is_turn:
            return None
        play, refusal = why_not(self.view.known, Selection(self.card, self.loose, self.piles))
        return None if refusal == Refusal.NONE else (play, refusal)

    def refused(self, words: Words) -> tuple[str, str] | None:
        """Why exactly this cannot be played and the number of the rule; None where it can."""
        if self.denied is None:
            return None
        play, refusal = self.denied
        return words.refusal(refusal, self.view.known, play), RULE_OF[refusal]

    def refusal(self, words: Words) -> str:
        """Why exactly this cannot be played, with the number of the rule; empty where it can."""
        refused = self.refused(words)
        if refused is None:
            return ""
        reason, rule = refused
        return words.say("{reason} ({rule})", reason=reason, rule=rule)
