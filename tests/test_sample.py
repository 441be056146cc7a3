"""Sampling: positions that look like the view, every one as likely as any other, and no other."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import factorial, prod

import pytest
from hypothesis import given

from diloti.bots.arrangements import CERTAIN
from diloti.bots.knowledge import knowledge_of
from diloti.bots.sample import sample_position, sampler_of
from diloti.core.cards import cards_in, mask_of
from diloti.core.consistency import check_position, table_of
from diloti.core.effects import make_play
from diloti.core.errors import PositionError
from diloti.core.legality import IllegalPlay
from diloti.core.match import Match
from diloti.core.notation import format_card, format_cards
from diloti.core.position import CAPTURED, HANDS, ORDER, Position
from diloti.core.rules import TAVERNA, Rules
from diloti.core.view import View, view_of
from diloti.core.wire import read_position
from tests.hidden import rehidden
from tests.matches import new_match, play_out
from tests.reference import Position as Written
from tests.sampling import FULL, RAISED, check_sample, deals, dealt, drawn
from tests.strategies import positions, seeds

TWO = Rules(pack=(1 << 4 * 3) - 1, hand_size=2)
TWO_LONG = replace(TWO, pack=(1 << 4 * 5) - 1, hand_size=4, raising="others")
FOUR = replace(TAVERNA, pack=(1 << 4 * 4) - 1, hand_size=3, partners_show_card=True)
FOUR_SHORT = replace(FOUR, pack=(1 << 4 * 3) - 1, hand_size=2)
SMALL = (
    TWO,
    replace(TWO_LONG, obligations=False),
    TWO_LONG,
    FOUR,
    FOUR_SHORT,
    replace(FOUR_SHORT, obligations=True),
)


# ------------------------------------------------------------------ what a sample looks like


@given(positions(), seeds())
def test_a_sample_of_a_view_looks_like_it(written: Written, seed: int) -> None:
    here = read_position(written)
    for seat in range(here.rules.players):
        check_sample(view_of(here, seat), seed)


@pytest.mark.parametrize("number", range(len(FULL)))
def test_samples_look_like_the_view_throughout_a_deal(number: int) -> None:
    rng = random.Random(number)
    match = new_match(rng, FULL[number])
    for _ in range(FULL[number].plays_in_deal + 1):
        play_out(rng, match, plays=1)
        for seat in range(match.rules.players):
            here = match.view(seat)
            check_sample(here, rng.getrandbits(32))
            check_sample(replace(here, history=None), rng.getrandbits(32))


@given(positions(), seeds())
def test_what_is_hidden_changes_no_sample(written: Written, seed: int) -> None:
    rng = random.Random(seed)
    for seat in range(len(written["hands"])):
        here = read_position(written)
        other = read_position(rehidden(rng, written, seat))
        samples = [sample_position(view_of(one, seat), seed) for one in (here, other)]
        assert samples[0].state.tolist() == samples[1].state.tolist()


@pytest.mark.parametrize(
    ("remembers", "hands", "captured", "stock"),
    [
        (
            True,
            "AdAs4s6d8c",
            " JcJh",
            "6s3h4d2dKd3s7c9h5d8s2hQs3c9c2cAcTsJs7s8h5h4h9s6h8d6cTd7h4c7dThKcKs2s5cTc",
        ),
        (
            False,
            "AdAs4s6h8c",
            " 5hTh",
            "6c8dJs3c2c8s2s9s8hJc4hJhQs7c2d3s3h4d4c6dTs9h6s5d7hAcKd2h7s9cKs7dKcTd5cTc",
        ),
    ],
)
def test_a_sample_is_the_same_everywhere(
    remembers: bool, hands: str, captured: str, stock: str
) -> None:
    view = view_of(dealt(RAISED, "3d+5s=8", "JcxJh"), 1)
    sample = sample_position(view if remembers else replace(view, history=None), 2026)
    assert format_cards(sample.hands[0]) == hands
    assert " ".join(map(format_cards, sample.captured)) == captured
    assert "".join(map(format_card, sample.stock)) == stock


# ------------------------------------------------------------------ all are equally likely


def hand_choices(unseen: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to deal hands of such sizes from some cards, as masks."""
    if not sizes:
        yield ()
        return
    for cards in itertools.combinations(cards_in(unseen), sizes[0]):
        hand = mask_of(cards)
        for others in hand_choices(unseen ^ hand, sizes[1:]):
            yield (hand, *others)


def fits_history(start: Position, hands: Sequence[int], view: View) -> bool:
    """Whether seats with such hands now could have played as they did since the hands were dealt.

    `start` is the position at which they were dealt.
    """
    assert view.history is not None
    since = view.history.plays[start.plays :]
    dealt = list(hands)
    for seat, play in since:
        dealt[seat] |= 1 << play.card
    for seat, card in enumerate(view.shown or ()):
        if card is not None and start.plays == 0 and not dealt[seat] >> card & 1:
            return False
    state = start.state.copy()
    state[HANDS : HANDS + len(dealt)] = dealt
    here = start.replaced(state=state)
    try:
        for _seat, play in since:
            here = make_play(here, play).position
    except IllegalPlay:
        return False
    return True


def hidden_cards(view: View) -> int:
    """What is in other hands and in the stock, as a mask."""
    return view.rules.pack & ~replace(view, shown=None).seen


@dataclass(frozen=True)
class Case:
    """A view and the position at which its hands were dealt."""

    start: Position
    view: View

    def fitting_hands(self) -> set[tuple[int, ...]]:
        """The hands that fit the view, by brute force."""
        view = self.view
        unseen = hidden_cards(view)
        sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
        found = set()
        for choice in hand_choices(unseen, sizes):
            hands = [view.hand if seat == view.seat else hand for seat, hand in enumerate(choice)]
            if fits_history(self.start, hands, view):
                found.add(tuple(hands))
        return found


def small_cases(rules: Rules, seed: int, most: int) -> Iterator[Case]:
    """Views of small deals in which the hands can lie in a few ways."""
    start = None
    for here in deals(rules, seed, "random"):
        if here.plays % (rules.players * rules.hand_size) == 0:
            start = here
        for seat in range(rules.players):
            view = view_of(here, seat)
            hidden = hidden_cards(view).bit_count()
            sizes = [size for other, size in enumerate(view.hand_sizes) if other != seat]
            rest = hidden - sum(sizes)
            ways = factorial(hidden) // prod(map(factorial, (*sizes, rest)))
            if start is not None and not here.is_over and ways <= most:
                yield Case(start, view)


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_as_many_arrangements_are_drawn_from_as_fit_the_history(number: int) -> None:
    knowing = 0
    for case in itertools.chain(*(small_cases(SMALL[number], seed, 200) for seed in range(4))):
        sampler = sampler_of(case.view)
        knowing += any(sampler.knowledge.promised) or bool(sampler.knowledge.sightings)
        expected = len(case.fitting_hands()) * factorial(case.view.stock_size)
        assert sampler.arrangements == expected
        assert not sampler.is_contradictory
    assert knowing


def check_even(counts: Counter[Hashable], cases: int) -> None:
    """Chi-square: as even as chance would have it, within five standard deviations."""
    assert len(counts) == cases
    expected = counts.total() / cases
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    freedom = cases - 1
    assert abs(chi_square - freedom) <= 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_all_hands_that_fit_the_history_are_equally_likely(number: int) -> None:
    knowing = []
    for seed in range(10):
        for case in small_cases(SMALL[number], seed, 250):
            knowledge = knowledge_of(case.view)
            if any(knowledge.promised) or knowledge.sightings:
                knowing.append(case)
    knowing.sort(key=lambda case: sampler_of(case.view).arrangements)
    for case in knowing[-1], knowing[len(knowing) // 2]:
        fitting = case.fitting_hands()
        counts: Counter[Hashable] = Counter(
            sample.hands for sample in drawn(sampler_of(case.view), 20 * len(fitting), number)
        )
        assert counts.keys() == fitting
        check_even(counts, len(fitting))


def test_hands_and_stock_are_dealt_evenly_together() -> None:
    match = Match(TWO, first_dealer=0)
    match.deal_pack(TWO.cards, TWO.cards)
    sampler = sampler_of(match.view(1))
    assert sampler.arrangements == 360
    counts: Counter[Hashable] = Counter(
        (sample.hands, sample.stock) for sample in drawn(sampler, 20 * 360, 1)
    )
    check_even(counts, 360)


def fits_table(sample: Position, view: View) -> bool:
    """Whether a whole position can be what a view without history shows."""
    try:
        check_position(sample)
    except PositionError:
        return False
    if any(cards.bit_count() == 1 for cards in sample.captured):
        return False
    if sample.plays == 1 and sample.captured[1 - (sample.dealer + 1) % 2]:
        return False
    first_hand = view.plays < view.rules.players * view.rules.hand_size
    captured = sum(sample.captured)
    for seat, card in enumerate(view.shown or ()):
        if card is None or table_of(view) >> card & 1 or view.hand >> card & 1:
            continue
        has_played = not first_hand or view.hand_sizes[seat] < view.rules.hand_size
        if not (sample.hands[seat] >> card & 1 and first_hand) and not (
            captured >> card & 1 and has_played
        ):
            return False
    return True


def whole_positions(view: View) -> Iterator[Position]:
    """All ways to lay the cards that a view without history does not show."""
    hidden = view.rules.pack & ~(view.hand | table_of(view))
    sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
    captured = hidden.bit_count() - sum(sizes) - view.stock_size
    for here in range(captured + 1):
        for *hands, first, second in hand_choices(hidden, [*sizes, here, captured - here]):
            hands[view.seat] = view.hand
            stock = hidden & ~(first | second | sum(hands))
            state = view.known.state.copy()
            state[HANDS : HANDS + len(hands)] = hands
            state[CAPTURED], state[CAPTURED + 1] = first, second
            for order in itertools.permutations(cards_in(stock)):
                end = ORDER + view.rules.pack_size
                state[end - len(order) : end] = order
                yield view.known.replaced(state=state)


@pytest.mark.parametrize(
    "rules", [TWO, FOUR_SHORT, replace(FOUR_SHORT, obligations=True), replace(TWO, players=4)]
)
def test_without_history_all_positions_that_fit_the_table_are_equally_likely(rules: Rules) -> None:
    cases = []
    for seed in range(20):
        for here in deals(rules, seed, "random"):
            view = replace(view_of(here, seed % rules.players), history=None)
            if view.is_over:
                continue
            sampler = sampler_of(view)
            knowledge = sampler.knowledge
            if 1 < sampler.arrangements < 700 and knowledge.captured_unseen:
                matters = any(knowledge.promised) + 2 * len(knowledge.sightings)
                cases.append((matters, sampler.arrangements, seed, view))
    cases.sort(key=lambda case: case[:3])
    for _, arrangements, _, view in cases[-1], cases[0]:
        fitting = Counter(
            (one.hands, one.captured, one.stock)
            for one in whole_positions(view)
            if fits_table(one, view)
        )
        assert len(fitting) == fitting.total() == arrangements
        counts: Counter[Hashable] = Counter(
            (sample.hands, sample.captured, sample.stock)
            for sample in drawn(sampler_of(view), 15 * arrangements, 7)
        )
        assert counts.keys() <= fitting.keys()
        check_even(counts, arrangements)


def test_chances_are_whole_numbers_that_end_in_certainty() -> None:
    view = view_of(dealt(RAISED, "3d+5s=8"), 1)
    walk = sampler_of(view).tables.walk
    limits = walk[:, 0].tolist()
    assert limits == sorted(set(limits))
    assert limits[-1] == CERTAIN
