"""Moments of an episode in which chance deals the cards one by one, as game trees want it.

A `Moment` is a value: dealing a card or taking an action makes another one. The cards of a hand are
dealt when it begins, in the order of R2.4; a layout that has to be exchanged (R2.5) goes back among
the undealt cards, and others are turned up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from diloti.bots.sample import sample_position
from diloti.core.cards import cards_in, mask_of
from diloti.core.deal import lay_out, needs_redeal
from diloti.core.effects import make_play, show_card
from diloti.core.plays import Play
from diloti.core.position import DEALT, ORDER, Position, seat_after
from diloti.core.rules import Rules
from diloti.core.scoring import DealScore, score_deal
from diloti.core.view import View, view_of
from diloti.envs.actions import DONE_ACTION, HAND_ACTION, Draft, Show, actions_of
from diloti.envs.terms import DEAL, Terms


@dataclass(frozen=True, eq=False)
class Moment:
    """A deal or a match at one moment, hidden cards included."""

    terms: Terms
    dealer: int
    scores: tuple[int, int] = (0, 0)
    dealt: tuple[int, ...] = ()
    """The cards dealt so far of the first hands and the layout, or of a refill."""
    position: Position | None = None
    """The deal being played, or the last one; None while its first cards are dealt."""
    draft: Draft | None = None
    last_play: Play | None = None
    """The play that empties the hands: it is made once the refill is dealt."""
    past: tuple[Position, ...] = ()
    """The deals of the match that are over, when another has begun."""
    score: DealScore | None = None
    """The score of the last deal, once the episode is over."""

    def __deepcopy__(self, _memo: dict[int, Any]) -> Moment:
        """Itself: a moment never changes."""
        return self

    @property
    def rules(self) -> Rules:
        """The rule set that is played."""
        return self.terms.rules

    @property
    def is_over(self) -> bool:
        """Whether the episode is over."""
        return self.score is not None

    @property
    def is_dealing(self) -> bool:
        """Whether a card is to be dealt."""
        return not self.is_over and (self.position is None or self.last_play is not None)

    @property
    def undealt(self) -> int:
        """The cards that can be dealt next, as a mask."""
        if self.position is None:
            hidden = self.rules.pack
        else:
            hidden = mask_of(self.position.stock)
        return hidden & ~mask_of(self.dealt)

    @property
    def asked(self) -> int | None:
        """The seat that is asked for an action; None while cards are dealt and in the end."""
        return None if self.is_dealing or self.draft is None else self.draft.seat

    def view(self, seat: int) -> View | None:
        """What a seat may see of the deal; None while its first cards are dealt."""
        return None if self.position is None else view_of(self.position, seat)

    def deal(self, card: int) -> Moment:
        """The moment after `card` is dealt."""
        after = replace(self, dealt=(*self.dealt, card))
        hands = self.rules.players * self.rules.hand_size
        if self.position is not None:
            return after._refill() if len(after.dealt) == hands else after
        if len(after.dealt) < hands + self.rules.layout_size:
            return after
        if needs_redeal(self.rules.packed, mask_of(after.dealt[hands:])):
            return replace(self, dealt=after.dealt[:hands])
        pack = (*after.dealt, *cards_in(after.undealt))
        position = lay_out(self.rules, dealer=self.dealer, pack=pack, scores=self.scores)
        shows = self.rules.players if self.rules.partners_show_card else 0
        return replace(after, position=position, dealt=(), draft=Draft(position, shows=shows))

    def _refill(self) -> Moment:
        """The moment after the play that emptied the hands, the dealt cards in the new ones."""
        assert self.position is not None
        assert self.last_play is not None
        state = self.position.state.copy()
        first = ORDER + int(state[DEALT])
        order = (*self.dealt, *cards_in(self.undealt))
        state[first : first + len(order)] = order
        refilled = replace(self, position=self.position.replaced(state=state), dealt=())
        return replace(refilled, last_play=None)._play(self.last_play)

    def take(self, action: int) -> Moment:
        """The moment after the seat that is asked takes an action; `ActionError` if it may not."""
        assert self.position is not None
        assert self.draft is not None
        draft = self.draft.copy()
        made = draft.take(action)
        if made is None:
            return replace(self, draft=draft)
        if isinstance(made, Show):
            return self._show(made)
        empties = sum(map(int.bit_count, self.position.hands)) == 1
        if empties and not self.position.is_last_hand:
            return replace(self, draft=draft, last_play=made)
        return self._play(made)

    def _show(self, show: Show) -> Moment:
        position, draft = self.position, self.draft
        assert position is not None
        assert draft is not None
        assert draft.seat is not None
        if show.card is not None:
            position = show_card(position, draft.seat, show.card)
        return replace(self, position=position, draft=Draft(position, shows=draft.shows - 1))

    def _play(self, play: Play) -> Moment:
        """The moment after a play."""
        assert self.position is not None
        position = make_play(self.position, play).position
        after = replace(self, position=position, draft=Draft(position))
        if not position.is_over:
            return after
        score = score_deal(position)
        deals = len(self.past) + 1
        if self.terms.episode == DEAL or score.winner is not None or deals == self.terms.most_deals:
            return replace(after, score=score)
        return Moment(
            self.terms,
            dealer=seat_after(self.dealer, self.rules),
            scores=score.scores,
            past=(*self.past, position),
        )

    def twin(self, seat: int, seed: int) -> list[int]:
        """The cards and actions from the beginning to a moment that `seat` takes for this one.

        Hidden cards are drawn evenly from all that fit what the seat knows. What another seat is
        putting together, and which cards opponents have shown each other, is left out. While cards
        are dealt, they are the cards and actions up to the last time that somebody was asked.
        """
        beginning = self.past[0].dealer if self.past else self.dealer
        retelling = _Retelling(Moment(self.terms, dealer=beginning))
        for position in self.past:
            retelling.tell(view_of(position, seat), position.hands, shows=0)
        view = self.view(seat)
        if view is not None and self.draft is not None:
            retelling.tell(view, sample_position(view, seed).hands, shows=self.draft.shows)
            if self.asked == seat:
                for action in self.draft.taken:
                    retelling.step(action)
        return retelling.steps


class _Retelling:
    """An episode told again from the beginning, step by step."""

    def __init__(self, beginning: Moment) -> None:
        self.steps: list[int] = []
        self._moment = beginning

    def step(self, number: int) -> None:
        """Deal a card, or take an action."""
        self.steps.append(number)
        moment = self._moment
        self._moment = moment.deal(number) if moment.is_dealing else moment.take(number)

    def tell(self, view: View, hands: Sequence[int], *, shows: int) -> None:
        """Tell a deal as `view` knows it, `hands` being the cards that are still held.

        So many seats (`shows`) have not yet been asked for a card to show.
        """
        history, rules = view.history, view.rules
        assert history is not None
        turns = rules.players * rules.hand_size
        for first in range(0, len(history.plays) + (0 if view.is_over else 1), turns):
            plays = history.plays[first : first + turns]
            held = list(hands) if len(plays) < turns else [0] * rules.players
            for seat, play in plays:
                held[seat] |= 1 << play.card
            for card in dealing_order(rules, view.dealer, held):
                self.step(card)
            if first == 0:
                self._tell_layout(view, shows)
            for _seat, play in plays:
                assert self._moment.position is not None
                for action in actions_of(self._moment.position, play):
                    self.step(action)

    def _tell_layout(self, view: View, shows: int) -> None:
        assert view.history is not None
        for card in cards_in(view.history.layout):
            self.step(card)
        if view.rules.partners_show_card:
            for turn in range(view.rules.players - shows):
                seat = (view.dealer + 1 + turn) % view.rules.players
                shown = view.shown[seat] if view.shown else None
                self.step(DONE_ACTION if shown is None else HAND_ACTION + shown)


def dealing_order(rules: Rules, dealer: int, hands: Sequence[int]) -> Iterator[int]:
    """The cards of full hands in an order in which they can have been dealt (R2.4)."""
    left = [list(cards_in(hand)) for hand in hands]
    for _ in range(-(-rules.hand_size // rules.deal_packet)):
        for turn in range(1, rules.players + 1):
            hand = left[(dealer + turn) % rules.players]
            yield from hand[: rules.deal_packet]
            del hand[: rules.deal_packet]
