"""The score of a deal (R11) and of a match (R12)."""

from __future__ import annotations

from dataclasses import dataclass

from diloti.core.cards import ACES, TEN_OF_DIAMONDS, TWO_OF_CLUBS
from diloti.core.errors import N_, PositionError
from diloti.core.jit import Ints, kernel, popcount
from diloti.core.position import CAPTURED, XERI, XERISTAKI, Position
from diloti.core.rules import PACK, XERI_POINTS, XERISTAKI_POINTS, Rules

MOST_CARDS_POINTS = 4
TEN_OF_DIAMONDS_POINTS = 2


@kernel
def card_points(captured: int) -> int:
    """Points of the aces, the ten of diamonds and the two of clubs among some cards (R11)."""
    points = popcount(captured & ACES)
    if captured & TEN_OF_DIAMONDS:
        points += TEN_OF_DIAMONDS_POINTS
    if captured & TWO_OF_CLUBS:
        points += 1
    return points


@kernel
def has_most_cards(rules: Ints, captured: int) -> bool:
    """Whether these are more than half of the pack (more than 26 cards)."""
    return 2 * popcount(captured) > popcount(rules[PACK])


@kernel
def points_of(rules: Ints, state: Ints, side: int) -> int:
    """All points of a side for what it has captured so far."""
    captured = state[CAPTURED + side]
    points = card_points(captured)
    if has_most_cards(rules, captured):
        points += MOST_CARDS_POINTS
    points += state[XERI + side] * rules[XERI_POINTS]
    return points + state[XERISTAKI + side] * rules[XERISTAKI_POINTS]


@dataclass(frozen=True)
class Sheet:
    """One side's points in a deal, by heading (R11)."""

    cards: int
    aces: int
    ten_of_diamonds: int
    two_of_clubs: int
    xeri: int
    xeristaki: int

    @property
    def total(self) -> int:
        """The sum of all headings."""
        return sum(vars(self).values())


@dataclass(frozen=True)
class DealScore:
    """The sheets of both sides, the match totals after the deal, and who has won the match."""

    sheets: tuple[Sheet, Sheet]
    scores: tuple[int, int]
    winner: int | None


def sheet_of(position: Position, side: int) -> Sheet:
    """The points that a side has for its captures, by heading."""
    rules, captured = position.rules, position.captured[side]
    return Sheet(
        cards=MOST_CARDS_POINTS if has_most_cards(rules.packed, captured) else 0,
        aces=(captured & ACES).bit_count(),
        ten_of_diamonds=TEN_OF_DIAMONDS_POINTS if captured & TEN_OF_DIAMONDS else 0,
        two_of_clubs=1 if captured & TWO_OF_CLUBS else 0,
        xeri=position.xeri[side] * rules.xeri_points,
        xeristaki=position.xeristaki[side] * rules.xeristaki_points,
    )


def winner_of(rules: Rules, scores: tuple[int, int]) -> int | None:
    """The side that has won a match with these totals after a deal, or None (R12.2)."""
    first, second = scores
    if max(scores) < rules.target or first == second:
        return None
    return 0 if first > second else 1


def score_deal(position: Position) -> DealScore:
    """The score of a deal that is over; `PositionError` while it is not."""
    if not position.is_over:
        raise PositionError(N_("turn: the deal is not over, there is nothing to score"))
    sheets = sheet_of(position, 0), sheet_of(position, 1)
    scores = (
        position.scores[0] + sheets[0].total,
        position.scores[1] + sheets[1].total,
    )
    return DealScore(sheets, scores, winner_of(position.rules, scores))
