"""What a seat knows: never more than the truth allows, and all that the plays give away."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from math import factorial

import pytest

from diloti.bots.knowledge import knowledge_of
from diloti.bots.sample import sample_position, sampler_of
from diloti.core.cards import cards_in, count_rank, mask_of
from diloti.core.consistency import check_position, check_view
from diloti.core.effects import make_play
from diloti.core.errors import PositionError
from diloti.core.match import Match
from diloti.core.notation import parse_cards, parse_play
from diloti.core.plays import Play, count_legal_plays, legal_play
from diloti.core.position import CAPTURED, History, Position
from diloti.core.rules import CLASSIC, rules_from
from diloti.core.view import View, view_of
from tests.matches import pick, some_rules
from tests.sampling import FULL, ONE_EIGHT, RAISED, check_sample, deals, dealt, drawn

# ------------------------------------------------------------------ the truth is allowed


def check_truth(truth: Position, view: View) -> None:
    """The true position is one of those that the view allows."""
    knowledge = knowledge_of(view)
    assert not sampler_of(view).is_contradictory
    hidden = [hand for seat, hand in enumerate(truth.hands) if seat != view.seat]
    unseen = sum(hidden) | mask_of(truth.stock)
    if view.history is None and not view.is_over:
        unseen |= sum(truth.captured)
    else:
        assert knowledge.sides_known
        assert (int(knowledge.state[CAPTURED]), int(knowledge.state[CAPTURED + 1])) == (
            truth.captured
        )
    assert knowledge.unseen == unseen
    for seat, ranks in enumerate(knowledge.promised):
        for rank in cards_in(ranks):
            assert count_rank(truth.hands[seat], rank)
    for sighting in knowledge.sightings:
        captured = sum(truth.captured) >> sighting.card & 1
        held = sighting.holder is not None and truth.hands[sighting.holder] >> sighting.card & 1
        assert held or (captured and sighting.may_be_captured)


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("seed", range(8))
def test_promises_never_exclude_the_truth(seed: int, bot: str) -> None:
    rules = some_rules(random.Random(seed)) if seed >= len(FULL) else FULL[seed]
    promises = 0
    for truth in deals(rules, seed, bot):
        for seat in range(rules.players):
            here = view_of(truth, seat)
            check_truth(truth, here)
            check_truth(truth, replace(here, history=None))
            promises += sum(map(int.bit_count, knowledge_of(here).promised))
    assert promises or bot == "greedy"


# ------------------------------------------------------------------ promises and shown cards


@pytest.mark.parametrize(
    ("texts", "ranks"),
    [
        ((), ""),
        (("3d+5s=8",), "8"),
        (("3d+5s=8", "Ah^[3d5s]=9"), "8"),  # released, but the eight is still there
        (("3d+5s=8", "Ah^[3d5s]=9", "9hx[Ah3d5s]"), "8"),
        (("3d+5s=8", "Ah^[3d5s]=9", "9hx[Ah3d5s]", "JcxJh", "8c"), ""),
        (("3d+5s=8", "JcxJh", "8cx[3d5s]"), ""),
    ],
)
def test_a_promise_lasts_until_a_card_of_its_rank_is_played(
    texts: tuple[str, ...], ranks: str
) -> None:
    knowledge = knowledge_of(view_of(dealt(RAISED, *texts), 1))
    promised = [int(rank) for rank in ranks]
    assert knowledge.promised == (sum(1 << rank - 1 for rank in promised), 0)


def test_new_hands_have_promised_nothing() -> None:
    for truth in deals(replace(CLASSIC, obligations=False), 3, "random"):
        if truth.plays % 12 == 0:
            assert knowledge_of(view_of(truth, 0)).promised == (0, 0)


def test_keeping_a_pile_under_obligations_promises_a_card_again() -> None:
    cards = "3d8c8s9hKcKdAhQcQdJcJd2s5sQhJhKh"
    here = dealt(cards, "3d+5s=8", "JcxJh", "8c+[3d5s]=8", "Jd")
    assert knowledge_of(view_of(here, 1)).promised == (1 << 7, 0)


def test_without_history_owners_under_obligations_promise_a_card() -> None:
    for switch, ranks in ((True, 1 << 7), (False, 0)):
        here = dealt(RAISED, "3d+5s=8")
        here = here.replaced(history=None, rules=replace(CLASSIC, obligations=switch))
        assert knowledge_of(view_of(here, 1)).promised == (ranks, 0)


def test_the_only_card_that_can_keep_a_promise_is_always_there() -> None:
    view = view_of(dealt(ONE_EIGHT, "3d+5s=8"), 1)
    for sample in drawn(sampler_of(view), 200, 1):
        assert sample.hands[0] & parse_cards("8c")


def test_a_shown_card_stays_in_the_hand_until_it_is_played() -> None:
    match = Match(rules_from("taverna", partners_show_card=True), first_dealer=3)
    match.deal_seed(bytes(32))
    shown = next(cards_in(match.position.hands[0]))
    match.show(0, shown)
    for seat, knows in ((2, True), (1, False)):
        held = [
            sample.hands[0] >> shown & 1 == 1
            for sample in drawn(sampler_of(match.view(seat)), 100, 1)
        ]
        assert all(held) == knows
    rng = random.Random(1)
    while match.position.hands[0] >> shown & 1:
        assert [sighting.card for sighting in knowledge_of(match.view(2)).sightings] == [shown]
        match.play(pick(rng, match))
    assert knowledge_of(match.view(2)).sightings == ()


def test_without_promises_every_arrangement_is_possible() -> None:
    rules = rules_from("taverna", obligations=True)
    start = next(deals(rules, 1, "random"))
    view = view_of(start, 0)
    sampler = sampler_of(view)
    assert sampler.tables.walk.size == 0
    assert sampler.arrangements == factorial(42) // factorial(6) ** 3


# ------------------------------------------------------------------ impossible views


def test_promises_that_cannot_be_kept_are_dropped() -> None:
    here = dealt("3d8cKcKd2s9hAhQc8d8h8sJd5sQhJhKh", "3d+5s=8")
    view = replace(view_of(here, 1), history=None)
    assert not sampler_of(view).is_contradictory
    impossible = replace(view, hand=parse_cards("8c8d8h8sQcAh"))
    assert sampler_of(impossible).is_contradictory
    assert view_of(sample_position(impossible, 1), 1) == impossible


@pytest.mark.parametrize("false", ["2sx5s", "8c", "3d+5sJh=8", "9hx[5sQh]", "2s+5s=7", "2s^[5s]=7"])
def test_a_history_that_cannot_be_leaves_the_captures_to_chance(false: str) -> None:
    here = dealt(RAISED, "3d+5s=8", "JcxJh")
    assert here.history is not None
    (_, first), (_, second) = here.history.plays
    forged = replace(parse_play(false), card=first.card)
    view = view_of(here, 0)
    view = replace(view, history=History(here.history.layout, ((0, forged), (1, second))))
    sampler = sampler_of(view)
    assert sampler.is_contradictory
    for sample in drawn(sampler, 20, 1):
        assert view_of(sample, 0) == view
        check_position(sample)
        assert sum(sample.captured) == parse_cards("JcJh")


def test_numbers_of_cards_that_do_not_add_up_are_refused() -> None:
    view = view_of(dealt(RAISED, "3d+5s=8"), 1)
    for wrong in (
        replace(view, hand=view.hand & (view.hand - 1)),
        replace(view, hand=view.hand | 1 << 30, history=None),
        replace(view, stock_size=view.stock_size + 1),
        replace(view, hand_sizes=(6, 6)),
    ):
        with pytest.raises(PositionError):
            sample_position(wrong, 1)


def test_a_shown_card_that_the_seat_holds_itself_is_passed_over() -> None:
    match = Match(rules_from("taverna", partners_show_card=True), first_dealer=3)
    match.deal_seed(bytes(32))
    view = match.view(2)
    own, hidden = next(cards_in(view.hand)), next(cards_in(match.position.hands[1]))
    assert sampler_of(replace(view, shown=(own, None, None, None))).is_contradictory
    assert not sampler_of(replace(view, shown=(hidden, None, None, None))).is_contradictory
    played = match.position
    for seed in range(30):
        assert played.turn is not None
        played = make_play(played, pick_any(played, seed)).position
    late = replace(view_of(played, 2), shown=(next(cards_in(played.hands[1])), None, None, None))
    assert sampler_of(late).is_contradictory
    check_sample(late, 1)


def pick_any(here: Position, number: int) -> Play:
    """Some legal play."""
    return legal_play(here, number % count_legal_plays(here))


def few_open(plays: int) -> View:
    """A classic view of seat 0 without history, two cards on the table."""
    here = next(deals(CLASSIC, 1, "random"))
    while here.plays < plays:
        here = make_play(here, pick_any(here, 0)).position
    view = replace(view_of(here, 0), history=None, piles=())
    table = [card for card in range(52) if not view.hand >> card & 1][:2]
    return replace(view, loose=mask_of(table))


def test_captures_are_split_so_that_xeri_and_last_capture_can_be() -> None:
    for xeri, last, played in (((0, 1), 0, 8), ((2, 0), 1, 8), ((0, 0), 0, 1), ((1, 0), 1, 1)):
        view = replace(few_open(played), xeri=xeri, last_capture=last)
        check_view(view)
        sampler = sampler_of(view)
        splits = Counter(
            tuple(map(int.bit_count, sample.captured)) for sample in drawn(sampler, 200, 1)
        )
        for cards in splits:
            assert sum(cards) == played + 2
            assert cards[last] >= 2
            assert played == 1 or all(2 * made <= some for made, some in zip(xeri, cards))
