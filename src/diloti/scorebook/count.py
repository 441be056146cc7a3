"""What people count after a deal with real cards: what can be, and the points for it (R11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from diloti.core.cards import ACES, FULL_PACK, PACK_SIZE, TEN_OF_DIAMONDS, TWO_OF_CLUBS, cards_in
from diloti.core.errors import N_, DilotiError, quote
from diloti.core.position import Position, new_state, seat_after
from diloti.core.rules import CLASSIC, Rules
from diloti.core.scoring import MOST_CARDS_POINTS, DealScore, Sheet, card_points, score_deal

Pair = tuple[int, int]
"""A number for each side."""

ACES_IN_PACK = ACES.bit_count()
MOST_XERI = CLASSIC.plays_in_deal // 2
"""No deal has more: after a xeri the table is empty and the next card can only be laid; and no side
captures more often than it plays."""


class ScorebookError(DilotiError):
    """What cannot be written on a score sheet."""


@dataclass(frozen=True)
class DealCount:
    """What the sides have captured in a deal.

    Where nobody has captured anything (R10.1), all numbers are 0 and nobody has the ten or the two.
    """

    cards: Pair
    aces: Pair
    ten: int | None
    """The side with the ten of diamonds."""
    two: int | None
    """The side with the two of clubs."""
    xeri: Pair = (0, 0)
    xeristaki: Pair = (0, 0)

    def good_cards(self, side: int) -> int:
        """How many of the ten of diamonds and the two of clubs a side has."""
        return (self.ten == side) + (self.two == side)

    def sweeps(self, side: int) -> int:
        """How many xeri and xeristaki a side has made."""
        return self.xeri[side] + self.xeristaki[side]


NOTHING = DealCount(cards=(0, 0), aces=(0, 0), ten=None, two=None)
"""The count of a deal in which nobody has captured."""

# --- What cannot be ----------------------------------------------------------------

REFUSALS: Mapping[str, str] = {
    "cards": N_("{first} and {second} cards make {sum}, but the pack has {pack}."),
    "nobody": N_("With these rules somebody captures in every deal: the cards make {pack}."),
    "nothing": N_("Where nobody has captured anything, there is nothing to count."),
    "aces": N_("{first} and {second} aces make {sum}, but there are {pack}."),
    "ten": N_("Which side has the ten of diamonds?"),
    "two": N_("Which side has the two of clubs?"),
    "one": N_("{name} cannot have a single card: every capture takes two at least."),
    "good": N_("{name} has fewer cards ({cards}) than aces, ten and two together ({good})."),
    "sweeps": N_("{name} has too few cards ({cards}) for so many xeri ({xeri}): each takes two."),
    "pairs": N_(
        "With {cards} cards and {xeri} xeri, {name} has captured nothing but pairs of equal cards:"
        " the aces, the ten and the two cannot be right."
    ),
    "most": N_("There cannot be more than {most} xeri in a deal."),
    "xeristaki": N_("These rules know no xeristaki."),
}
"""By name, why a count cannot be; the script of the page has the same names."""


@dataclass(frozen=True)
class Refusal:
    """Why a count cannot be: its name in `REFUSALS`, and what is filled in."""

    name: str
    side: int | None = None
    """The side whose name is filled in."""
    numbers: tuple[tuple[str, int], ...] = ()


def refusal_of(count: DealCount, rules: Rules) -> Refusal | None:
    """Why a deal under these rules cannot end so; None where it can, as far as one can tell."""
    if count.cards == (0, 0) and rules.court_must_capture:
        return Refusal("nobody", numbers=(("pack", PACK_SIZE),))
    if any(count.xeristaki) and not rules.xeristaki_points:
        return Refusal("xeristaki")
    return impossible_in(count)


def impossible_in(count: DealCount) -> Refusal | None:
    """What of a count cannot be under any rules."""
    if count.cards == (0, 0):
        return None if count == NOTHING else Refusal("nothing")
    for name, pair, whole in (
        ("cards", count.cards, PACK_SIZE),
        ("aces", count.aces, ACES_IN_PACK),
    ):
        if sum(pair) != whole:
            numbers = {"first": pair[0], "second": pair[1], "sum": sum(pair), "pack": whole}
            return Refusal(name, numbers=tuple(numbers.items()))
    if count.ten is None:
        return Refusal("ten")
    if count.two is None:
        return Refusal("two")
    for side in (0, 1):
        if refusal := _impossible_for(count, side):
            return refusal
    if max(sum(count.xeri), count.sweeps(0), count.sweeps(1)) > MOST_XERI:
        return Refusal("most", numbers=(("most", MOST_XERI),))
    return None


def _impossible_for(count: DealCount, side: int) -> Refusal | None:
    """What of the count of one side cannot be."""
    cards, aces, sweeps = count.cards[side], count.aces[side], count.sweeps(side)
    good = aces + count.good_cards(side)
    if cards == 1:
        return Refusal("one", side)
    if good > cards:
        return Refusal("good", side, (("cards", cards), ("good", good)))
    if 2 * sweeps > cards:
        return Refusal("sweeps", side, (("cards", cards), ("xeri", sweeps)))
    if cards and cards == 2 * max(1, sweeps):
        # Every capture took one card with another one of its rank, and nothing was left over.
        if aces % 2 or aces // 2 + count.good_cards(side) > cards // 2:
            return Refusal("pairs", side, (("cards", cards), ("xeri", sweeps)))
    return None


# --- Points ------------------------------------------------------------------------


def score_count(
    rules: Rules, count: DealCount, scores: Pair = (0, 0), *, dealer: int = 0
) -> DealScore:
    """The points of a deal, with the match totals after it; `scores` are those before it.

    The core scores it, as the end of a deal with some cards that make these numbers.
    """
    state = new_state(
        rules,
        dealer=dealer,
        turn=None,
        plays=rules.plays_in_deal,
        hands=[0] * rules.players,
        loose=0,
        captured=_captures(count),
        xeri=count.xeri,
        xeristaki=count.xeristaki,
        scores=scores,
    )
    return score_deal(Position(rules, state, {}))


def _captures(count: DealCount) -> Pair:
    """Cards by side that are as many and as good as was counted."""
    aces = list(cards_in(ACES))
    others = list(cards_in(FULL_PACK & ~(ACES | TEN_OF_DIAMONDS | TWO_OF_CLUBS)))
    captured = []
    for side in (0, 1):
        mask = sum(1 << aces.pop() for _ in range(count.aces[side]))
        mask |= (count.ten == side) * TEN_OF_DIAMONDS | (count.two == side) * TWO_OF_CLUBS
        for _ in range(count.cards[side] - mask.bit_count()):
            mask |= 1 << others.pop()
        captured.append(mask)
    return captured[0], captured[1]


def shared_points(sheets: tuple[Sheet, Sheet]) -> int:
    """What both sides together have but for xeri: 11, or 7 at 26 : 26 (R11)."""
    return sum(sheet.total - sheet.xeri - sheet.xeristaki for sheet in sheets)


def item_points() -> dict[str, int]:
    """The points of what is in the pack, for the script of the page."""
    return {
        "most": MOST_CARDS_POINTS,
        "ace": int(card_points(ACES)) // ACES_IN_PACK,
        "ten": int(card_points(TEN_OF_DIAMONDS)),
        "two": int(card_points(TWO_OF_CLUBS)),
    }


def dealer_after(first_dealer: int, deals: int, rules: Rules) -> int:
    """Who deals after so many deals (R2.2)."""
    dealer = first_dealer
    for _ in range(deals % rules.players):
        dealer = seat_after(dealer, rules)
    return dealer


# --- As JSON -----------------------------------------------------------------------


def write_count(count: DealCount) -> dict[str, Any]:
    """A count as JSON."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in vars(count).items()
    }


def read_count(written: object) -> DealCount:
    """The count that a JSON value is; `ScorebookError` where it is none that can be."""
    if not isinstance(written, dict) or set(written) != set(DealCount.__dataclass_fields__):
        raise ScorebookError(N_("a count has other parts than {found}"), found=quote(written))
    count = DealCount(
        cards=_pair(written["cards"]),
        aces=_pair(written["aces"]),
        ten=_side(written["ten"]),
        two=_side(written["two"]),
        xeri=_pair(written["xeri"]),
        xeristaki=_pair(written["xeristaki"]),
    )
    if impossible_in(count):
        raise ScorebookError(N_("no deal can end with {found}"), found=quote(written))
    return count


def _pair(written: object) -> Pair:
    if isinstance(written, list) and len(written) == 2:
        first, second = written
        if all(type(one) is int and 0 <= one <= PACK_SIZE for one in written):
            return first, second
    raise ScorebookError(N_("{found} is not a number for each side"), found=quote(written))


def _side(written: object) -> int | None:
    if written is None or (type(written) is int and written in (0, 1)):
        return written
    raise ScorebookError(N_("{found} is no side"), found=quote(written))
