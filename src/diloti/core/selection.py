"""Choosing a play by pointing: a hand card and any cards of the table, in any order.

Nothing here lists all plays of a table unless they are few: what fits a selection exactly is found
by checking the dozen plays that it can mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from diloti.core.cards import COURTS, HIGHEST_VALUE, JACK, rank_of, sum_of
from diloti.core.jit import lowest
from diloti.core.legality import Refusal, refusal_of
from diloti.core.plays import (
    CAPTURE,
    DECLARE,
    RAISE,
    TRAIL,
    Play,
    count_legal_plays,
    list_plays,
    unpack_plays,
)
from diloti.core.position import Position

_FEW = 2000


@dataclass(frozen=True)
class Selection:
    """A hand card, the loose cards (mask) and the piles (their cards as masks) pointed at."""

    card: int
    loose: int = 0
    piles: tuple[int, ...] = ()

    def play(self, kind: int, value: int = 0) -> Play:
        """The play of one kind that uses exactly what is selected."""
        return Play(kind, self.card, self.loose, tuple(sorted(self.piles, key=lowest)), value)


def exact_plays(position: Position, selection: Selection) -> list[Play]:
    """The legal plays that use exactly what is selected."""
    return [play for play in _meanings(position, selection) if not refusal_of(position, play)]


def _meanings(position: Position, selection: Selection) -> Iterator[Play]:
    if not selection.loose and not selection.piles:
        yield selection.play(TRAIL)
        return
    yield selection.play(CAPTURE)
    for value in range(1, HIGHEST_VALUE + 1):
        yield selection.play(DECLARE, value)
    if len(selection.piles) == 1:
        yield selection.play(RAISE, _raised_value(position, selection))


def _raised_value(position: Position, selection: Selection) -> int:
    values = [pile.value for pile in position.piles if pile.cards in selection.piles]
    return sum(values) + sum_of(1 << selection.card)


def can_list(position: Position) -> bool:
    """Whether a position's plays are few enough to look for those that fit a selection."""
    return count_legal_plays(position) <= _FEW


def fitting_plays(position: Position, selection: Selection) -> list[Play]:
    """The legal plays of the selected card that use at least what is selected, fewest cards first.

    On a table with very many plays (`can_list`) only those that use exactly that.
    """
    if not can_list(position):
        return exact_plays(position, selection)
    rows = list_plays(position.rules.packed, position.state)
    loose, piles = selection.loose, sum(selection.piles)
    fits = (rows[:, 1] == selection.card) & (rows[:, 2] & loose == loose)
    fits &= rows[:, 3] & piles == piles
    fitting = unpack_plays(position, rows[fits].tolist())
    return sorted(fitting, key=lambda play: ((play.loose | play.pile_cards).bit_count(), play))


def why_not(position: Position, selection: Selection) -> tuple[Play, Refusal]:
    """The play that a selection most likely means, and why it is refused.

    The refusal is `Refusal.NONE` where the selection means a legal play.
    """
    legal = exact_plays(position, selection)
    meant = legal[0] if legal else _likeliest(position, selection)
    return meant, refusal_of(position, meant)


def _likeliest(position: Position, selection: Selection) -> Play:
    """What someone means who selects this: a sum with a card in hand reads as a declaration."""
    if not selection.loose and not selection.piles:
        return selection.play(TRAIL)
    if rank_of(selection.card) >= JACK or selection.loose & COURTS:
        return selection.play(CAPTURE)
    captured = selection.play(CAPTURE)
    if refusal_of(position, captured) not in (Refusal.SUMS_MISS, Refusal.PILE_OF_OTHER_VALUE):
        return captured
    if len(selection.piles) == 1 and not selection.loose:
        return selection.play(RAISE, _raised_value(position, selection))
    together = sum_of(selection.loose | 1 << selection.card)
    values = [pile.value for pile in position.piles if pile.cards in selection.piles]
    value = values[0] if values else together
    return selection.play(DECLARE, value) if value <= HIGHEST_VALUE else captured
