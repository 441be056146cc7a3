"""A deal in which whoever leads takes two aces or loses much."""

from __future__ import annotations

from diloti.core.cards import cards_in
from diloti.core.notation import parse_cards

GOOD, BAD = "AcxAdAs", "Qd"
"""What is best, and what leaves the aces."""


def pack_of_aces(*, twin: bool = False) -> tuple[int, ...]:
    """The pack for two players; a twin has other cards where the leader does not see them."""
    hand, table = parse_cards("Ac6s7h8sJhQd"), parse_cards("AdAsTdKc")
    left = [card for card in cards_in((1 << 52) - 1) if not (hand | table) >> card & 1]
    if twin:
        left = [*left[7:], *left[:7]]
    return (*cards_in(hand), *left[:6], *cards_in(table), *left[6:])
