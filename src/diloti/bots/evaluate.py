"""What a play is worth at a glance: what it takes, what it promises, what it leaves.

Everything is in thousandths of a point and in integers, so every machine judges alike.
"""

from __future__ import annotations

from diloti.core.cards import JACK, RANKS, cards_of_rank, count_rank
from diloti.core.jit import Ints, kernel, popcount
from diloti.core.plays import CAPTURE, TRAIL
from diloti.core.position import (
    HANDS,
    LOOSE,
    PILE_COUNT,
    PILES,
    PLAYS,
    TURN,
    pile_cards,
    pile_value,
)
from diloti.core.rules import (
    COURT_CAPTURE,
    COURTS_ALL,
    FIRST_PLAY_XERI,
    HAND_SIZE,
    PLAYERS,
    XERI_POINTS,
    XERISTAKI_POINTS,
)
from diloti.core.scoring import card_points
from diloti.core.tallies import ENDS, GROUPS, TALLY, find_groups, has_choice, list_choices

POINT = 1000
CARD_WORTH = 180
"""Of a captured card: its share in the four points for most cards."""
LEFT_SHARE = 250
"""How much of what the next player may take counts, in thousandths."""
PROMISE_SHARE = 800
"""How much of a declared pile counts before it is captured, in thousandths."""


@kernel
def worth_of(cards: int) -> int:
    """Worth of capturing some cards."""
    return card_points(cards) * POINT + popcount(cards) * CARD_WORTH


@kernel
def chance_of(unseen: int, rank: int, held: int) -> int:
    """Chance in thousandths that `held` cards drawn from `unseen` hold one of `rank`."""
    total = popcount(unseen)
    missing = POINT
    for gone in range(min(held, total)):
        others = total - count_rank(unseen, rank) - gone
        missing = missing * max(others, 0) // (total - gone)
    return POINT - missing


@kernel
def best_groups(work: Ints, groups: int) -> int:
    """Worth of the best of the listed choices of groups, its suits left aside."""
    best = 0
    for place in range(groups):
        tally = work[TALLY, work[GROUPS, place]]
        worth = (tally & 15) * POINT
        while tally:
            worth += (tally & 15) * CARD_WORTH
            tally >>= 4
        best = max(best, worth)
    return best


@kernel
def prize_for_numeral(
    state: Ints, work: Ints, loose: int, joined: int, rank: int
) -> tuple[int, bool]:
    """Worth of what a numeral of `rank` can take, and whether that is the whole table.

    `loose` and the piles outside `joined` are what lies there.
    """
    value = rank + 1
    groups = find_groups(work, value)
    prize = worth_of(cards_of_rank(loose, rank)) + best_groups(work, groups)
    everything = loose >> 4 * value == 0 and has_choice(work, GROUPS, groups, work[ENDS, value] - 1)
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_cards(state[slot]) & joined == 0:
            if pile_value(state[slot]) == value:
                prize += worth_of(pile_cards(state[slot]))
            else:
                everything = False
    return prize, everything


@kernel
def prize_for_court(rules: Ints, loose: int, piles_left: int, rank: int) -> tuple[int, bool]:
    """Worth of what a court of `rank` can take, and whether that is the whole table."""
    equal = cards_of_rank(loose, rank)
    if rules[COURT_CAPTURE] != COURTS_ALL:
        equal &= -equal
    return worth_of(equal), equal == loose and piles_left == 0


@kernel
def judge_play(
    rules: Ints,
    state: Ints,
    work: Ints,
    unseen: int,
    kind: int,
    card: int,
    loose: int,
    piles: int,
    value: int,
) -> int:
    """Worth of a legal play for the seat in turn, in thousandths of a point.

    `unseen` are the cards the seat has not seen. The workspace must suit a table with
    `card` on it.
    """
    seat = state[TURN]
    played = 1 << card
    left = state[LOOSE] & ~loose
    piles_left = 0
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        if pile_cards(state[slot]) & piles == 0:
            piles_left += 1
    opponents = rules[PLAYERS] // 2
    held = min(rules[HAND_SIZE], popcount(state[HANDS + seat])) * opponents
    worth = 0
    pile = 0
    if kind == CAPTURE:
        worth = worth_of(played | loose | piles)
        if left == 0 and (state[PLAYS] or rules[FIRST_PLAY_XERI]):
            if piles_left == 0:
                worth += rules[XERI_POINTS] * POINT
            elif piles_left == 1:
                worth += rules[XERISTAKI_POINTS] * POINT
    elif kind == TRAIL:
        left |= played
    else:
        pile = played | loose | piles
        piles_left += 1
        safe = POINT - chance_of(unseen, value - 1, held)
        worth = (worth_of(pile) + CARD_WORTH) * safe // POINT * PROMISE_SHARE // POINT
    if held == 0 or (left == 0 and piles_left == 0):
        return worth
    list_choices(work, left)
    at_risk = 0
    for rank in range(RANKS):
        chance = chance_of(unseen, rank, held)
        if chance == 0:
            continue
        if rank >= JACK:
            prize, everything = prize_for_court(rules, left, piles_left, rank)
        else:
            prize, everything = prize_for_numeral(state, work, left, piles, rank)
            if pile:
                if rank + 1 == value:
                    prize += worth_of(pile)
                else:
                    everything = False
        if prize:
            prize += CARD_WORTH
        if everything:
            prize += rules[XERI_POINTS] * POINT
        at_risk += chance * prize // POINT
    return worth - at_risk * LEFT_SHARE // POINT
