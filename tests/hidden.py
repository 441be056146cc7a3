"""Other positions that look the same to a seat: what it cannot see, laid elsewhere."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.reference import RANKS, faults, switches

Position = dict[str, Any]


def rehidden(rng: random.Random, position: Position, seat: int) -> Position:
    """The position with the cards that `seat` cannot see shuffled among themselves.

    What is known about some of them stays true: owners keep a card for their pile, partners the
    card they showed, and with a history what has been played stays captured.
    """
    changed = copy.deepcopy(position)
    hands, stock, captured = changed["hands"], changed["stock"], changed["captured"]
    groups = [hand for other, hand in enumerate(hands) if other != seat] + [stock]
    if changed["turn"] is not None and changed.get("history") is None:
        groups += captured
    kept = {card for card in changed.get("shown") or () if card is not None}
    if switches(changed["rules"])["obligations"]:
        for pile in changed["piles"]:
            hand = hands[pile["owner"]]
            kept.add(next(card for card in hand if card[0] == RANKS[pile["value"] - 1]))
    places = [(group, i) for group in groups for i, card in enumerate(group) if card not in kept]
    cards = [group[i] for group, i in places]
    rng.shuffle(cards)
    for (group, i), card in zip(places, cards, strict=True):
        group[i] = card
    if changed.get("shown") and changed["plays"] == 0:
        for other, hand in enumerate(hands):
            if other % 2 != seat % 2:
                changed["shown"][other] = rng.choice([None, *hand])
    assert faults(changed) == []
    return changed
