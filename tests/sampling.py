"""Deals and samples for the tests of what a seat knows and of sampling."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from diloti.bots.sample import Sampler, sample_position
from diloti.core.cards import mask_of
from diloti.core.consistency import check_position, table_of
from diloti.core.dice import new_dice
from diloti.core.match import Match
from diloti.core.notation import parse_card, parse_play
from diloti.core.position import STATE_SIZE, Position
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.view import View, view_of
from tests.matches import deal_next, new_match, pick

FULL = (
    CLASSIC,
    TAVERNA,
    rules_from("taverna", players=2),
    rules_from(players=4, raising="anyone"),
    rules_from("taverna", partners_show_card=True, obligations=True),
)

RAISED = "3d8c9hKcKd2sAh9dQcQdJcJd5sQhJhKh"
"""Two hands and a layout for the plays of R14.10."""
ONE_EIGHT = "3d8c9hKcKd2sAh9dQc8sJcJd5s8d8hKh"
"""The same with only one eight that seat 1 does not see."""


def dealt(cards: str, *texts: str) -> Position:
    """A classic deal by seat 1 of a pack that begins with some cards, after some plays."""
    first = [parse_card(cards[at : at + 2]) for at in range(0, len(cards), 2)]
    match = Match(CLASSIC, first_dealer=1)
    pack = [*first, *(card for card in range(52) if card not in first)]
    match.deal_pack(pack, pack)
    for text in texts:
        match.play(parse_play(text))
    return match.position


def deals(rules: Rules, seed: int, bot: str) -> Iterator[Position]:
    """The positions of a deal after each play."""
    rng = random.Random(seed)
    match = new_match(rng, rules)
    deal_next(rng, match)
    yield match.position
    while match.turn is not None:
        match.play(pick(rng, match, bot))
        yield match.position


def drawn(sampler: Sampler, number: int, seed: int) -> Iterator[Position]:
    """Many samples of one sampler; each is good until the next."""
    state = np.empty(STATE_SIZE, dtype=np.int64)
    dice = new_dice(seed)
    known = sampler.knowledge.view.known
    for _ in range(number):
        sampler.draw(state, dice)
        yield known.replaced(state=state)


def check_sample(view: View, seed: int) -> None:
    """A sample of a view looks like the view, can occur, and has every card once."""
    sample = sample_position(view, seed)
    assert view_of(sample, view.seat) == view
    check_position(sample)
    hands_and_more = (*sample.hands, table_of(sample), *sample.captured, mask_of(sample.stock))
    assert sum(hands_and_more) == view.rules.pack
    assert sum(map(int.bit_count, hands_and_more)) == view.rules.pack_size
