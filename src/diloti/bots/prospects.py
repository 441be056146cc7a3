"""What the rest of a last hand can bring: bounds of it, the last play, a first look at a play.

Everything is for two players without stock, and in points of the seat in turn minus the other's.
"""

from __future__ import annotations

from diloti.core.cards import JACK, NUMERALS, RANKS, cards_of_rank, count_rank, rank_of, sum_of
from diloti.core.jit import Ints, kernel, lowest, popcount
from diloti.core.plays import CAPTURE, TRAIL
from diloti.core.position import (
    CAPTURED,
    HANDS,
    LAST_CAPTURE,
    LOOSE,
    NOBODY,
    PILE_COUNT,
    PILES,
    TURN,
    pile_cards,
    pile_is_family,
    pile_value,
)
from diloti.core.rules import (
    COURT_CAPTURE,
    COURTS_ALL,
    COURTS_ONE,
    COURTS_THREE,
    GROUPS_ONE,
    LAST_PLAY_XERI,
    SUM_GROUPS,
    XERI_POINTS,
    XERISTAKI_POINTS,
)
from diloti.core.scoring import MOST_CARDS_POINTS, card_points, has_most_cards
from diloti.core.shapes import can_take
from diloti.core.tallies import splits_into_groups

KIND, CARD, TAKEN_LOOSE, TAKEN_PILES, VALUE, PROMISE = range(6)
"""Columns of a list of plays: the five numbers of a play, then how good it looks at a glance."""
COLUMNS = 6

POINT, ONE_CARD = 100, 20
"""A first look counts in hundredths of a point, and a captured card as a fifth of a point."""
THREAT_SHARE = 90
"""How much of a xeri that the other may answer with counts in a first look, in hundredths. Looking
for such xeri at all took a sixth off the positions searched (200 random endings of `classic`)."""


@kernel
def cards_of_table(state: Ints) -> int:
    """All cards on the table, as a mask."""
    cards = state[LOOSE]
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        cards |= pile_cards(state[slot])
    return cards


@kernel
def dead_courts(hands: int, loose: int) -> int:
    """The dead courts among the cards of all hands, the stock being empty, and the loose cards.

    No card can ever take them any more, nor they any card. Dead courts of all ranks are alike: they
    lie there until somebody receives the leftovers.
    """
    dead = 0
    for rank in range(JACK, RANKS):
        held = count_rank(hands, rank)
        if held == 0 or (held == 1 and count_rank(loose, rank) == 0):
            dead |= cards_of_rank(hands | loose, rank)
    return dead


@kernel
def points_for(rules: Ints, captured: int, more: int) -> int:
    """Points that `more` cards bring to a side that has `captured` (R11), xeri aside."""
    points = card_points(more)
    if has_most_cards(rules, captured | more) and not has_most_cards(rules, captured):
        points += MOST_CARDS_POINTS
    return points


@kernel
def can_take_all(rules: Ints, state: Ints, work: Ints, rank: int) -> bool:
    """Whether a card of `rank` can capture the whole table, which must not be bare.

    The workspace must suit the table.
    """
    loose = state[LOOSE]
    below = loose & ((1 << 4 * rank) - 1)
    if rank >= JACK:
        equal = popcount(loose)
        if state[PILE_COUNT] or loose != cards_of_rank(loose, rank):
            return False
        if rules[COURT_CAPTURE] == COURTS_ALL:
            return True
        return equal == 1 or (equal == 3 and rules[COURT_CAPTURE] == COURTS_THREE)
    value = rank + 1
    if loose >> 4 * value:
        return False
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_value(state[slot]) != value:
            return False
    total = sum_of(below)
    if total <= value:
        return total == 0 or total == value
    if total % value or rules[SUM_GROUPS] == GROUPS_ONE:
        return False
    return splits_into_groups(work, below, value)


@kernel
def is_plain_last_play(rules: Ints, state: Ints) -> bool:
    """Whether one play is left in the deal and `points_of_last_play` knows what it brings."""
    mine, other = state[HANDS + state[TURN]], state[HANDS + 1 - state[TURN]]
    plain = rules[XERISTAKI_POINTS] == 0 or rules[LAST_PLAY_XERI] == 0
    return plain and other == 0 and mine & (mine - 1) == 0


@kernel
def points_of_last_play(rules: Ints, state: Ints, work: Ints) -> int:
    """Points that the best last play of a deal brings.

    Whoever captures with it receives all that lies there besides (R10.1). A trail brings no more,
    so that it is chosen where there is nothing to capture only.
    """
    turn = state[TURN]
    hand = state[HANDS + turn]
    rank = rank_of(lowest(hand))
    table = cards_of_table(state)
    side = state[LAST_CAPTURE]
    bonus = 0
    if table and can_take(state, rank):
        side = turn
        if rules[LAST_PLAY_XERI] and can_take_all(rules, state, work, rank):
            bonus = rules[XERI_POINTS]
    if side == NOBODY:
        return 0
    points = points_for(rules, state[CAPTURED + side], table | hand) + bonus
    return points if side == turn else -points


@kernel
def may_be_cleared(rules: Ints, state: Ints, hands: int) -> bool:
    """Whether captures with the cards of `hands` might ever leave the table bare."""
    courts = state[LOOSE] & ~NUMERALS
    while courts:
        rank = rank_of(lowest(courts))
        lying = cards_of_rank(courts, rank)
        courts ^= lying
        needed = popcount(lying) if rules[COURT_CAPTURE] == COURTS_ONE else 1
        if count_rank(hands, rank) < needed:
            return False
    highest = 10
    while highest and count_rank(hands, highest - 1) == 0:
        highest -= 1
    if (state[LOOSE] & NUMERALS) >> 4 * highest:
        return False
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        value = pile_value(state[slot])
        if value > highest:
            return False
        if pile_is_family(state[slot]) and count_rank(hands, value - 1) == 0:
            return False
    return True


@kernel
def pairs_between(mine: int, other: int) -> int:
    """How many pairs of equal ranks can be made, one card from each hand."""
    pairs = 0
    while mine:
        rank = rank_of(lowest(mine))
        pairs += min(count_rank(mine, rank), count_rank(other, rank))
        mine ^= cards_of_rank(mine, rank)
    return pairs


@kernel
def most_xeri(mine: int, other: int, table: int) -> int:
    """The hand `mine` makes no more xeri than this.

    A court makes one only with a second of its rank. And after a xeri the table is bare, so the
    other trails: either that very card is taken, by one of its rank, or a card has to be spent
    before the next xeri.
    """
    able = popcount(mine & NUMERALS)
    courts = mine & ~NUMERALS
    while courts:
        rank = rank_of(lowest(courts))
        held = count_rank(courts, rank)
        courts ^= cards_of_rank(courts, rank)
        able += min(held, count_rank(mine | other | table, rank) // 2)
    at_once = 1 if table else 0
    later = popcount(mine) - at_once
    answers = min(later, pairs_between(mine, other))
    return min(able, at_once + answers + (later - answers) // 2)


@kernel
def bounds_of(rules: Ints, state: Ints) -> tuple[int, int]:
    """Bounds of the points to come: no less than the first number, no more than the second."""
    turn = state[TURN]
    mine, other = state[HANDS + turn], state[HANDS + 1 - turn]
    table = cards_of_table(state)
    cards = mine | other | table
    most = points_for(rules, state[CAPTURED + turn], cards)
    least = -points_for(rules, state[CAPTURED + 1 - turn], cards)
    if rules[XERISTAKI_POINTS]:
        bonus = max(rules[XERI_POINTS], rules[XERISTAKI_POINTS])
        most += bonus * popcount(mine)
        least -= bonus * popcount(other)
    elif rules[XERI_POINTS] and may_be_cleared(rules, state, mine | other):
        most += rules[XERI_POINTS] * most_xeri(mine, other, table)
        least -= rules[XERI_POINTS] * most_xeri(other, mine, table)
    return least, most


@kernel
def is_threatened(loose: int, value: int, hand: int) -> bool:
    """Whether a card of `hand` looks as if it could take the whole table.

    On it lie `loose` and, where `value` is not 0, piles of that value.
    """
    total = sum_of(loose)
    rest = hand
    while rest:
        rank = rank_of(lowest(rest))
        rest ^= cards_of_rank(rest, rank)
        if rank >= JACK:
            if value == 0 and loose == cards_of_rank(loose, rank) and loose & (loose - 1) == 0:
                return True
        elif (value == 0 or value == rank + 1) and loose >> 4 * (rank + 1) == 0:
            if total % (rank + 1) == 0:
                return True
    return False


@kernel
def promise_of(rules: Ints, state: Ints, plays: Ints, row: int) -> int:
    """How good the play in a row looks at a glance: the higher, the sooner it is searched."""
    kind, card, value = plays[row, KIND], plays[row, CARD], plays[row, VALUE]
    taken = plays[row, TAKEN_LOOSE] | plays[row, TAKEN_PILES] | 1 << card
    worth = card_points(taken) * POINT + popcount(taken) * ONE_CARD
    other = state[HANDS + 1 - state[TURN]]
    left = state[LOOSE] & ~taken
    piles_value = 0
    if kind == TRAIL:
        left |= taken
        worth = -worth if count_rank(other, rank_of(card)) else 0
    elif kind != CAPTURE:
        piles_value = value
        worth = -worth // 2 if count_rank(other, value - 1) else worth // 2
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_cards(state[slot]) & taken == 0:
            if piles_value != 0 and piles_value != pile_value(state[slot]):
                return worth
            piles_value = pile_value(state[slot])
    if left == 0 and piles_value == 0:
        return worth + rules[XERI_POINTS] * POINT
    if is_threatened(left, piles_value, other):
        worth -= rules[XERI_POINTS] * THREAT_SHARE
    return worth
