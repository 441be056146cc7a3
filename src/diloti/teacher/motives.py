"""Why a play is good or bad, from what its seat sees.

Each motive is a fact about the play, the table after it and the cards that may still be out; none
is a guess. How much each matters is rough and only puts the strongest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from diloti.core.cards import ACES, TEN_OF_DIAMONDS, TWO_OF_CLUBS, cards_of_rank, rank_of
from diloti.core.plays import CAPTURE, DECLARE, RAISE, TRAIL, Play, count_legal_plays, legal_plays
from diloti.core.position import Pile, binding_pile, side_of
from diloti.core.scoring import card_points
from diloti.core.selection import can_list
from diloti.core.view import View
from diloti.teacher.aftermath import Aftermath
from diloti.words.motives import Motive

MOST_MOTIVES = 3
"""More reasons than that are not read."""
SCORING = ACES | TEN_OF_DIAMONDS | TWO_OF_CLUBS
"""The cards that score by themselves (R11)."""

_MOST_OTHERS = 40
"""Other plays that a play is compared with."""
_CARD = 0.2
"""What a captured card is worth, as a share in the points for most cards."""
_WEAK = 0.2
"""What matters less does not make a play better than another one."""
_RISK = 0.3
"""What a xeri of the next seat counts, as long as nobody knows whether it holds the card."""


@dataclass(frozen=True, eq=False)
class _Scene:
    """A play, what it leaves, and the other plays of its turn."""

    view: View
    play: Play

    @cached_property
    def after(self) -> Aftermath:
        return Aftermath(self.view, self.play)

    @cached_property
    def others(self) -> Sequence[Play]:
        """Other legal plays, none where they are very many."""
        if not can_list(self.view.known):
            return ()
        return [play for play in legal_plays(self.view.known) if play != self.play][:_MOST_OTHERS]

    def is_theirs(self, pile: Pile) -> bool:
        return side_of(pile.owner) != self.view.side

    def is_partners(self, pile: Pile) -> bool:
        return pile.owner != self.view.seat and not self.is_theirs(pile)

    def is_bound(self) -> bool:
        known = self.view.known
        return bool(binding_pile(known.rules.packed, known.state, self.view.seat))


def motives_of(view: View, play: Play) -> tuple[Motive, ...]:
    """What speaks for a legal play of the view's seat and against it, the strongest first."""
    return _strongest(all_motives(view, play))


def all_motives(view: View, play: Play) -> tuple[Motive, ...]:
    """The same in no order, and all of it."""
    return tuple(_all_of(_Scene(view, play)))


def motives_against(view: View, best: Play, chosen: Play) -> tuple[Motive, ...]:
    """Why a legal play is better than another one that was chosen, the strongest first.

    That is what speaks for the better one alone, and what speaks against the chosen one alone.
    """
    for_best, for_chosen = all_motives(view, best), all_motives(view, chosen)
    good = [one for one in for_best if one.weight > _WEAK and one not in for_chosen]
    bad = [one for one in for_chosen if one.weight < 0 and one.name not in _names(for_best)]
    return _strongest([*good, *(replace(one, is_of_other=True) for one in bad)])


def _names(motives: Sequence[Motive]) -> set[str]:
    return {motive.name for motive in motives}


def _strongest(motives: Sequence[Motive]) -> tuple[Motive, ...]:
    return tuple(sorted(motives, key=lambda one: -abs(one.weight))[:MOST_MOTIVES])


def _worth(cards: int) -> float:
    return float(card_points(cards))


def _all_of(scene: _Scene) -> Iterator[Motive]:
    """All motives that hold."""
    if count_legal_plays(scene.view.known) == 1:
        yield Motive("forced", 100.0)
    yield from _of_gain(scene)
    yield from _of_piles_used(scene)
    yield from _of_pile_made(scene)
    yield from _of_own_pile(scene)
    yield from _of_what_is_left(scene)
    yield from _of_the_end(scene)


def _of_gain(scene: _Scene) -> Iterator[Motive]:
    """What the play captures (R9, R11)."""
    rules, gained = scene.view.rules, scene.after.gained
    sweep = scene.after.sweep
    points = {"xeri": rules.xeri_points, "xeristaki": rules.xeristaki_points}.get(sweep, 0)
    if points:
        yield Motive(sweep, points, count=points)
    if gained & SCORING:
        worth = card_points(gained)
        yield Motive("points", worth + 0.1, cards=gained & SCORING, count=worth)
    if gained:
        yield Motive("cards", _CARD * gained.bit_count(), count=gained.bit_count())


def _of_piles_used(scene: _Scene) -> Iterator[Motive]:
    """Whose declarations the play takes, joins or raises (R5.3, R6.4, R7)."""
    view, kind, after = scene.view, scene.play.kind, scene.after
    for pile in after.used:
        worth = _worth(pile.cards) + _CARD * pile.cards.bit_count()
        if scene.is_theirs(pile):
            name = {CAPTURE: "takes_theirs", DECLARE: "joins_theirs", RAISE: "raises_theirs"}[kind]
            yield Motive(name, worth + 0.5, value=pile.value, count=scene.play.value)
        elif kind == CAPTURE and pile.owner == view.seat:
            is_at_risk = after.can_be_taken(pile.value) or after.can_be_raised(pile)
            if is_at_risk and not after.is_over:
                yield Motive("rescues_own", worth + 0.4, value=pile.value)
            else:
                yield Motive("takes_own", 0.4, value=pile.value)
        elif kind == CAPTURE:
            yield Motive("takes_partners", -0.5, value=pile.value)
    if kind == CAPTURE and scene.is_bound() and view.rules.obligations and after.hand:
        if not any(pile.owner == view.seat for pile in after.piles):
            yield Motive("frees", 0.3)


def _of_pile_made(scene: _Scene) -> Iterator[Motive]:
    """What a declaration or a raise is good for (R5.3, R6, R7)."""
    after, made = scene.after, scene.after.made
    if made is None:
        return
    locked = (1 << scene.play.card | scene.play.loose) & SCORING
    count = made.cards.bit_count() + 1
    yield Motive("builds", _CARD * count, value=made.value, count=count)
    if locked:
        yield Motive("locks", _worth(locked), cards=locked, value=made.value)
    if not after.can_be_taken(made.value) and not after.can_be_raised(made):
        yield Motive("only_you", 1 + _worth(made.cards), value=made.value)


def _of_own_pile(scene: _Scene) -> Iterator[Motive]:
    """Whether a card is kept for the own declaration, where another play would spend it."""
    after = scene.after
    for pile in after.piles:
        if pile.owner != scene.view.seat or pile is after.made:
            continue
        worth = 0.5 + _worth(pile.cards)
        if not _keeps(after, pile):
            yield Motive("gives_up", -worth, value=pile.value)
        elif any(
            pile.cards not in other.piles and not _keeps(Aftermath(scene.view, other), pile)
            for other in scene.others
        ):
            yield Motive("keeps", worth, value=pile.value)


def _keeps(after: Aftermath, pile: Pile) -> bool:
    return bool(cards_of_rank(after.hand, pile.value - 1))


def _of_what_is_left(scene: _Scene) -> Iterator[Motive]:
    """What the next seat may do with the table."""
    view, after = scene.view, scene.after
    for pile in after.piles:
        if scene.is_partners(pile) and any(pile.cards in other.piles for other in scene.others):
            yield Motive("leaves_partners", 0.5, value=pile.value)
    if after.is_over:
        return
    risk = view.rules.xeri_points * _RISK
    if risk and after.clearers:
        yield Motive("leaves_xeri", -risk, cards=after.clearers, count=after.clearers.bit_count())
    elif risk and not after.is_empty:
        if any(Aftermath(view, other).clearers for other in scene.others):
            yield Motive("no_xeri", risk)
    if scene.play.kind == TRAIL:
        laid = 1 << scene.play.card
        equal = cards_of_rank(after.hand, rank_of(scene.play.card))
        if not after.is_within_reach(scene.play.card):
            yield Motive("safe", 0.6 + _worth(laid), cards=laid)
        elif laid & SCORING:
            yield Motive("exposes", -_worth(laid), cards=laid)
        elif not equal:
            yield Motive("scores_nothing", 0.1, cards=laid)
        if equal:
            yield Motive("retakes", 0.3, cards=equal)


def _of_the_end(scene: _Scene) -> Iterator[Motive]:
    """Who gets what is left at the end of the deal (R10.1)."""
    view, after = scene.view, scene.after
    left = after.loose | sum(pile.cards for pile in after.piles)
    if not after.is_over or not left:
        return
    worth = _worth(left) + _CARD * left.bit_count()
    if scene.play.kind == CAPTURE:
        yield Motive("last_capture", worth, count=left.bit_count())
    elif view.last_capture == view.side:
        yield Motive("rest", worth)
    elif view.last_capture is not None:
        yield Motive("rest_lost", -worth)
