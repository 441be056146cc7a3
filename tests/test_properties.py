"""Properties of whole deals, by random play over random rule sets."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from diloti.core.cards import FULL_PACK
from diloti.core.effects import Outcome
from diloti.core.match import Match
from diloti.core.plays import CAPTURE, Play, count_legal_plays, legal_play
from diloti.core.position import Position, side_of
from diloti.core.rules import Rules
from diloti.core.scoring import score_deal
from diloti.core.view import view_of
from diloti.core.wire import read_position, read_rules, write_position
from tests.strategies import random_rules

SEEDS = range(60)
MANY_SEEDS = range(1_000, 4_000)


def random_match(seed: int) -> tuple[Match, random.Random]:
    rng = random.Random(seed)
    rules = read_rules(random_rules(rng))
    match = Match(rules, first_dealer=rng.randrange(rules.players))
    match.deal_seed(rng.randbytes(32))
    return match, rng


def steps(match: Match, rng: random.Random) -> Iterator[tuple[Position, Play, Outcome]]:
    """Random legal plays to the end of the deal, with the position before each."""
    while match.turn is not None:
        before = match.position
        count = count_legal_plays(before)
        assert count > 0  # R3.2
        play = legal_play(before, rng.randrange(count))
        yield before, play, match.play(play)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_deal_keeps_the_laws(seed: int) -> None:
    keep_the_laws(seed)


@pytest.mark.proof
@pytest.mark.parametrize("first", range(MANY_SEEDS.start, MANY_SEEDS.stop, 250))
def test_many_random_deals_keep_the_laws(first: int) -> None:
    for seed in range(first, first + 250):
        keep_the_laws(seed)


def keep_the_laws(seed: int) -> None:
    match, rng = random_match(seed)
    rules = match.rules
    recount = Recount(rules)
    for before, play, outcome in steps(match, rng):
        after = outcome.position
        check_cards(after)
        check_obligations(outcome)
        recount.add(before, play)
        for seat in range(rules.players):
            assert view_of(after, seat).captured is None or after.is_over
        if rng.random() < 0.1:
            again = read_position(write_position(after))
            assert write_position(again) == write_position(after)
    recount.check(match.position)


def check_cards(position: Position) -> None:
    """Every card is in exactly one place."""
    piles = [pile.cards for pile in position.piles]
    stock = [1 << card for card in position.stock]
    places = [*position.hands, position.loose, *piles, *position.captured, *stock]
    assert sum(places) == FULL_PACK
    assert sum(map(int.bit_count, places)) == 52


def check_obligations(outcome: Outcome) -> None:
    """The consequences that R8.5 names."""
    after = outcome.position
    if not after.rules.obligations:
        return
    owners = [pile.owner for pile in after.piles]
    assert len(owners) == len(set(owners))
    for pile in after.piles:
        assert after.hands[pile.owner] >> 4 * (pile.value - 1) & 15
    if outcome.has("refill") or outcome.has("deal_over"):
        assert not after.piles


class Recount:
    """The points of a deal, from its plays alone and by other means than the engine's."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._taken: tuple[set[int], set[int]] = (set(), set())
        self._sweeps = [0, 0]
        self._table: set[int] = set()
        self._last: int | None = None

    def add(self, before: Position, play: Play) -> None:
        turn = before.turn
        assert turn is not None
        side = side_of(turn)
        if before.plays == 0:
            self._table = cards(before.loose)
        used = cards(play.loose) | cards(play.pile_cards)
        assert used <= self._table
        if play.kind != CAPTURE:
            self._table |= {play.card}
            return
        self._table -= used
        self._taken[side].update(used, {play.card})
        self._last = side
        first, last = before.plays == 0, before.plays == 47
        allowed = (not first or self._rules.first_play_xeri) and (
            not last or self._rules.last_play_xeri
        )
        if not self._table and allowed:
            self._sweeps[side] += self._rules.xeri_points
        left = [pile for pile in before.piles if cards(pile.cards) <= self._table]
        if allowed and len(left) == 1 and cards(left[0].cards) == self._table:
            self._sweeps[side] += self._rules.xeristaki_points

    def check(self, over: Position) -> None:
        if self._last is not None:
            self._taken[self._last].update(self._table)
        totals = []
        for side in (0, 1):
            taken = self._taken[side]
            aces = len(taken & {0, 1, 2, 3})
            goods = 2 * (37 in taken) + (4 in taken)
            most = 4 * (len(taken) > 26)
            totals.append(aces + goods + most + self._sweeps[side])
        score = score_deal(over)
        assert [sheet.total for sheet in score.sheets] == totals
        without = sum(totals) - sum(self._sweeps)
        if self._last is not None:
            assert without == (7 if len(self._taken[0]) == 26 else 11)


def cards(mask: int) -> set[int]:
    return {card for card in range(52) if mask >> card & 1}
