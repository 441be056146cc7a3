"""Features: what a player sees of a position after the own play, as small whole numbers.

They are what the network of `diloti.bots.network` judges by, and hold nothing that the seat does
not know: its hand, the table, what has been captured, and which cards it has not seen.
"""

from __future__ import annotations

from math import comb

import numpy as np

from diloti.core.cards import (
    JACK,
    NUMERALS,
    RANKS,
    TEN_OF_DIAMONDS,
    TWO_OF_CLUBS,
    cards_of_rank,
    choose_cards,
    count_rank,
    rank_of,
    sum_of,
)
from diloti.core.jit import Ints, inlined_kernel, kernel, lowest, popcount, without_lowest
from diloti.core.position import (
    CAPTURED,
    DEALT,
    HANDS,
    LAST_CAPTURE,
    LOOSE,
    PILE_COUNT,
    PILES,
    TURN,
    pile_cards,
    pile_owner,
    pile_value,
    side_of,
)
from diloti.core.rules import (
    COURT_CAPTURE,
    COURTS_ALL,
    EQUAL_ALL,
    EQUAL_CARDS,
    FAMILIES,
    FORCED_CAPTURE,
    GROUPS_ONE,
    HAND_SIZE,
    LAST_PLAY_XERI,
    OBLIGATIONS,
    PACK,
    PLAYERS,
    RAISING,
    RAISING_NEVER,
    SUM_GROUPS,
    XERI_POINTS,
    XERISTAKI_POINTS,
)
from diloti.core.scoring import card_points, has_most_cards
from diloti.core.subsets import MOST_MEMBERS, groups_word, list_words
from diloti.core.tallies import WORDS

CERTAIN = 64
"""Chances are counted in 64ths."""

LOOSE_BY_RANK, HAND_BY_RANK, UNSEEN_BY_RANK = range(0, 3 * RANKS, RANKS)
"""Thirteen numbers each: how many cards of each rank lie loose, are in the hand, are unseen."""

HAND_LEFT, NEXT_HAND = 39, 40
"""Cards in the own hand, and in that of the next seat."""
REFILLS_LEFT = 41
"""Four numbers, of which that for the refills still to come is 1."""
LEAD_IN_CARDS, OWN_CARDS, OTHER_CARDS, OWN_MAJORITY, OTHER_MAJORITY = range(45, 50)
"""Captured cards: the difference, those of each side, and whether they are most of the pack."""
LAST_CAPTURE_OWN, LAST_CAPTURE_OTHER = 50, 51
TEN_PLACE, TWO_PLACE = 52, 57
"""Five numbers each, for the ten of diamonds and the two of clubs: 1 where the card lies loose, is
in the own hand, is unseen, lies in a pile of the own side, or in one of the other."""
LOOSE_CARDS, PILES_LEFT, LOOSE_SUM = range(62, 65)
OWN_PILE_CARDS, OWN_PILE_POINTS, OWN_PILE_CHANCE = range(65, 68)
"""What lies in the own side's piles, and how much of it the next seat can be expected to take."""
OTHER_PILE_CARDS, OTHER_PILE_POINTS, OTHER_PILE_HELD_CARDS, OTHER_PILE_HELD_POINTS = range(68, 72)
"""What lies in the other side's piles, and in those for which the own hand has a card."""
THREAT_CARDS, THREAT_POINTS, THREAT_XERI, THREAT_ANY = range(72, 76)
"""What the next seat can be expected to take: over all ranks, chance times prize."""
PRIZE_CARDS, PRIZE_POINTS, PRIZE_XERI = range(76, 79)
"""The most cards, and the most points, that a card of the own hand could take, and how many ranks
could clear the table."""
EMPTY_TABLE, SINGLE_CARD = 79, 80
"""Whether the table is empty; the chance that the next seat takes the only card on it."""
RULES_FROM = 81
"""Eleven numbers for the switches, and one that is always 0. The shipped networks were trained for
one rule set each and give them no weight."""
THREAT_BY_RANK, PRIZE_BY_RANK, MATCH_BY_RANK = range(RULES_FROM + 12, RULES_FROM + 51, RANKS)
"""Thirteen numbers each: how many cards the next seat takes with a card of each rank, times the
chance that it has one; how many the own hand takes; and the chance that the next seat has a card
equal to one of the own hand, times their number."""
FEATURES = MATCH_BY_RANK + RANKS

_MOST_UNSEEN, _MOST_HELD = 52, 18


def _holding_chances() -> Ints:
    """By unseen cards, unseen cards of a rank and size of a hand: the chance that it has one."""
    table = np.zeros((_MOST_UNSEEN + 1, 5, _MOST_HELD + 1), dtype=np.int64)
    for unseen in range(_MOST_UNSEEN + 1):
        for equal in range(min(unseen, 4) + 1):
            for held in range(_MOST_HELD + 1):
                if held >= unseen:
                    table[unseen, equal, held] = CERTAIN * (equal > 0)
                else:
                    missing = CERTAIN * comb(unseen - equal, held)
                    table[unseen, equal, held] = CERTAIN - missing // comb(unseen, held)
    return table


_HOLDING = _holding_chances()


@kernel
def unseen_by(rules: Ints, state: Ints, seat: int) -> int:
    """The cards that `seat`, who remembers everything, has not seen in this deal."""
    seen = state[LOOSE] | state[CAPTURED] | state[CAPTURED + 1] | state[HANDS + seat]
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        seen |= pile_cards(state[slot])
    return int(rules[PACK] & ~seen)


@kernel
def find_chances(rules: Ints, state: Ints, unseen: int, seat: int, chances: Ints) -> None:
    """For each rank the chance that `seat`, who comes next, holds a card of it, in 64ths.

    Where the owner of a pile is bound to hold a card for it, that is certain (R8.4).
    """
    total = popcount(unseen)
    held = min(popcount(state[HANDS + seat]), _MOST_HELD)
    for rank in range(RANKS):
        chances[rank] = _HOLDING[total, count_rank(unseen, rank), held]
    if rules[OBLIGATIONS]:
        for slot in range(PILES, PILES + state[PILE_COUNT]):
            if pile_owner(state[slot]) == seat:
                chances[pile_value(state[slot]) - 1] = CERTAIN


@inlined_kernel
def lowest_members(cards: int) -> int:
    """The lowest cards, as many as fit a word."""
    left = popcount(cards) - MOST_MEMBERS
    while left > 0:
        cards &= (1 << highest_bit(cards)) - 1
        left -= 1
    return cards


@inlined_kernel
def highest_bit(cards: int) -> int:
    """Place of the highest card."""
    place = 0
    while cards >> (place + 1):
        place += 1
    return place


@inlined_kernel
def cards_in_word(members: int, word: int) -> int:
    """All cards that some subset of a word takes."""
    taken = 0
    while word:
        taken |= lowest(word)
        word = without_lowest(word)
    return choose_cards(members, taken)


@kernel
def describe(
    rules: Ints, state: Ints, seat: int, unseen: int, chances: Ints, work: Ints, features: Ints
) -> None:
    """Fill `features` for `seat`, which has just played; nothing has been refilled yet.

    `chances` are those of the next seat. `work` needs the row of words alone.
    """
    hand = state[HANDS + seat]
    loose = state[LOOSE]
    side = side_of(seat)
    for rank in range(RANKS):
        features[LOOSE_BY_RANK + rank] = count_rank(loose, rank)
        features[HAND_BY_RANK + rank] = count_rank(hand, rank)
        features[UNSEEN_BY_RANK + rank] = count_rank(unseen, rank)
    for place in range(3 * RANKS, FEATURES):
        features[place] = 0
    describe_progress(rules, state, seat, features)
    describe_piles(state, seat, unseen, chances, features)
    features[LOOSE_CARDS] = popcount(loose)
    features[PILES_LEFT] = state[PILE_COUNT]
    features[LOOSE_SUM] = sum_of(loose)
    if loose == 0 and state[PILE_COUNT] == 0:
        features[EMPTY_TABLE] = 1
    if loose and loose & (loose - 1) == 0 and state[PILE_COUNT] == 0:
        features[SINGLE_CARD] = chances[rank_of(lowest(loose))]
    describe_prizes(rules, state, hand, chances, work, features)
    describe_rules(rules, features)
    features[LEAD_IN_CARDS] = popcount(state[CAPTURED + side]) - popcount(
        state[CAPTURED + 1 - side]
    )


@inlined_kernel
def describe_progress(rules: Ints, state: Ints, seat: int, features: Ints) -> None:
    """How far the deal has come, and who leads."""
    side = side_of(seat)
    own, other = state[CAPTURED + side], state[CAPTURED + 1 - side]
    features[HAND_LEFT] = popcount(state[HANDS + seat])
    features[NEXT_HAND] = popcount(state[HANDS + state[TURN]])
    stock = popcount(rules[PACK]) - state[DEALT]
    refills = stock // (rules[PLAYERS] * rules[HAND_SIZE])
    features[REFILLS_LEFT + min(refills, 3)] = 1
    features[OWN_CARDS] = popcount(own)
    features[OTHER_CARDS] = popcount(other)
    if has_most_cards(rules, own):
        features[OWN_MAJORITY] = 1
    if has_most_cards(rules, other):
        features[OTHER_MAJORITY] = 1
    if state[LAST_CAPTURE] == side:
        features[LAST_CAPTURE_OWN] = 1
    if state[LAST_CAPTURE] == 1 - side:
        features[LAST_CAPTURE_OTHER] = 1


@inlined_kernel
def describe_piles(state: Ints, seat: int, unseen: int, chances: Ints, features: Ints) -> None:
    """What lies in piles, who can take it, and where the two scoring cards are."""
    hand = state[HANDS + seat]
    own, other = 0, 0
    for slot in range(PILES, PILES + state[PILE_COUNT]):
        pile = state[slot]
        cards = pile_cards(pile)
        number = popcount(cards)
        if side_of(pile_owner(pile)) == side_of(seat):
            own |= cards
            features[OWN_PILE_CHANCE] += chances[pile_value(pile) - 1] * number // 8
        else:
            other |= cards
            if count_rank(hand, pile_value(pile) - 1):
                features[OTHER_PILE_HELD_CARDS] += number
                features[OTHER_PILE_HELD_POINTS] += card_points(cards)
    features[OWN_PILE_CARDS] = popcount(own)
    features[OWN_PILE_POINTS] = card_points(own)
    features[OTHER_PILE_CARDS] = popcount(other)
    features[OTHER_PILE_POINTS] = card_points(other)
    places = (state[LOOSE], hand, unseen, own, other)
    for place in range(5):
        if places[place] & TEN_OF_DIAMONDS:
            features[TEN_PLACE + place] = 1
        if places[place] & TWO_OF_CLUBS:
            features[TWO_PLACE + place] = 1


@inlined_kernel
def describe_prizes(
    rules: Ints, state: Ints, hand: int, chances: Ints, work: Ints, features: Ints
) -> None:
    """What a card of each rank could take from the table: the next seat's, and the own hand's."""
    loose = state[LOOSE]
    numerals = loose & NUMERALS
    members = lowest_members(numerals & ((1 << 36) - 1))
    list_words(work, members)
    words = work[WORDS]
    for rank in range(RANKS):
        chance = chances[rank]
        held = count_rank(hand, rank)
        features[MATCH_BY_RANK + rank] = chance * held // 4
        if chance == 0 and held == 0:
            continue
        cards = cards_of_rank(loose, rank)
        lower, word, piles, taken = 0, 1, 0, 0
        if rank >= JACK:
            if rules[COURT_CAPTURE] != COURTS_ALL:
                cards &= -cards
        else:
            lower = members & ((1 << 4 * rank) - 1)
            if words[rank + 1]:
                word = groups_word(work, rank + 1)
            for slot in range(PILES, PILES + state[PILE_COUNT]):
                if pile_value(state[slot]) == rank + 1:
                    taken |= pile_cards(state[slot])
                    piles += 1
        every_lower = (1 << popcount(lower)) - 1
        sweeps = (
            loose & ~(cards | lower) == 0 and piles == state[PILE_COUNT] and word >> every_lower & 1
        )
        cards |= taken | cards_in_word(members, word)
        if cards == 0:
            continue
        number = popcount(cards) + 1
        points = card_points(cards)
        features[THREAT_BY_RANK + rank] = chance * number // 8
        features[THREAT_ANY] += chance
        features[THREAT_CARDS] += chance * number // 8
        features[THREAT_POINTS] += chance * points // 4
        if sweeps:
            features[THREAT_XERI] += chance
        if held:
            features[PRIZE_BY_RANK + rank] = number
            features[PRIZE_CARDS] = max(features[PRIZE_CARDS], number)
            features[PRIZE_POINTS] = max(features[PRIZE_POINTS], points)
            if sweeps:
                features[PRIZE_XERI] += 1


@inlined_kernel
def describe_rules(rules: Ints, features: Ints) -> None:
    """The switches that change what a position is worth."""
    at = RULES_FROM
    features[at] = 1 if rules[PLAYERS] == 4 else 0
    features[at + 1] = 1 if rules[EQUAL_CARDS] == EQUAL_ALL else 0
    features[at + 2] = 1 if rules[SUM_GROUPS] == GROUPS_ONE else 0
    features[at + 3] = 1 if rules[COURT_CAPTURE] == COURTS_ALL else 0
    features[at + 4] = rules[FAMILIES]
    features[at + 5] = 1 if rules[RAISING] == RAISING_NEVER else 0
    features[at + 6] = rules[OBLIGATIONS]
    features[at + 7] = rules[LAST_PLAY_XERI]
    features[at + 8] = min(rules[XERI_POINTS], 20)
    features[at + 9] = min(rules[XERISTAKI_POINTS], 20)
    features[at + 10] = rules[FORCED_CAPTURE]
