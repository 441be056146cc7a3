"""What a seat may see (R10.2): its own hand, the table, and how much there is of the rest."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest
from hypothesis import given

from diloti.core.cards import FULL_PACK, mask_of
from diloti.core.legality import refusal_of
from diloti.core.match import Match
from diloti.core.notation import format_cards, format_play, parse_card, parse_cards, parse_play
from diloti.core.plays import count_legal_plays, legal_plays
from diloti.core.rules import rules_from
from diloti.core.view import View, view_of
from diloti.core.wire import read_position, read_view, write_view
from tests.hidden import rehidden
from tests.matches import new_match, pick, play_out, some_rules
from tests.reference import Position
from tests.strategies import positions, random_wish, seeds


def test_a_view_has_these_fields_and_no_others() -> None:
    assert {field.name for field in fields(View)} == {
        *("seat", "rules", "dealer", "turn", "hand", "hand_sizes", "loose", "piles", "stock_size"),
        *("captured", "xeri", "xeristaki", "last_capture", "plays", "scores", "shown", "history"),
    }


@given(positions())
def test_what_is_open_is_seen_by_everyone(written: Position) -> None:
    position = read_position(written)
    for seat in range(position.rules.players):
        view = view_of(position, seat)
        assert (view.seat, view.side) == (seat, seat % 2)
        assert view.hand == position.hands[seat]
        assert view.hand_sizes == tuple(hand.bit_count() for hand in position.hands)
        assert view.stock_size == len(position.stock)
        assert (view.loose, view.piles) == (position.loose, position.piles)
        assert (view.dealer, view.turn, view.plays) == (
            position.dealer,
            position.turn,
            position.plays,
        )
        assert (view.xeri, view.xeristaki) == (position.xeri, position.xeristaki)
        assert (view.last_capture, view.scores) == (position.last_capture, position.scores)
        assert view.history == position.history
        assert view.captured is None
        assert view.is_last_hand == (not position.stock)


@given(positions(), seeds())
def test_what_is_hidden_changes_no_view(written: Position, seed: int) -> None:
    rng = random.Random(seed)
    for seat in range(len(written["hands"])):
        other = rehidden(rng, written, seat)
        assert view_of(read_position(other), seat) == view_of(read_position(written), seat)


@given(positions(), seeds())
def test_the_known_part_is_enough_for_the_own_plays(written: Position, seed: int) -> None:
    position = read_position(written)
    assert position.turn is not None
    known = view_of(position, position.turn).known
    count = count_legal_plays(position)
    assert count_legal_plays(known) == count
    if count < 1000:
        assert legal_plays(known) == legal_plays(position)
    wish = parse_play(random_wish(random.Random(seed), written))
    assert refusal_of(known, wish) == refusal_of(position, wish)


@given(positions(), seeds())
def test_the_known_part_knows_nothing_else(written: Position, seed: int) -> None:
    position = read_position(written)
    seat = seed % position.rules.players
    view = view_of(position, seat)
    known = view.known
    assert [hand for other, hand in enumerate(known.hands) if other != seat] == [0] * (
        position.rules.players - 1
    )
    assert known.captured == (0, 0)
    assert set(known.stock) <= {0}
    assert write_view(view_of(known, seat))["loose"] == write_view(view)["loose"]


def test_captures_are_seen_when_the_deal_is_over_and_not_before() -> None:
    rng = random.Random(1)
    for players in (2, 4):
        match = new_match(rng, some_rules(rng, players=players))
        play_out(rng, match, plays=47)
        for seat in range(players):
            assert match.view(seat).captured is None
        play_out(rng, match, plays=1)
        for seat in range(players):
            view = match.view(seat)
            assert view.captured == match.position.captured
            assert view.is_over
            assert view.seen == FULL_PACK


@pytest.mark.parametrize("seed", range(4))
def test_what_has_been_seen_grows_by_what_is_played_and_dealt(seed: int) -> None:
    rng = random.Random(seed)
    rules = some_rules(rng, players=2 * (seed % 2 + 1))
    match = new_match(rng, rules)
    play_out(rng, match, plays=1)
    seen = [match.view(seat).seen for seat in range(rules.players)]
    while match.turn is not None:
        turn = match.turn
        play = pick(rng, match)
        match.play(play)
        for seat in range(rules.players):
            view = match.view(seat)
            seen[seat] |= 1 << play.card | view.hand
            if not view.is_over:
                assert view.seen == seen[seat]
                hidden = [hand for other, hand in enumerate(match.position.hands) if other != seat]
                assert not view.seen & (sum(hidden) | mask_of(match.position.stock))
        assert view_of(match.position, turn).history == match.position.history


def test_shown_cards_are_seen_by_the_partner_only() -> None:
    match = Match(rules_from("taverna", partners_show_card=True), first_dealer=3)
    match.deal_seed((2026).to_bytes(32, "big"))
    for seat in range(4):
        assert match.view(seat).shown is None
    shows = {0: "7h", 1: "Kd", 3: "Qs"}
    for seat, card in shows.items():
        match.show(seat, parse_card(card))
    cards = [parse_card(shows[seat]) if seat in shows else None for seat in range(4)]
    for seat in (0, 2):
        view = match.view(seat)
        assert view.shown == (cards[0], None, None, None)
        assert view.seen == view.hand | view.loose | parse_cards(shows[0])
    for seat in (1, 3):
        assert match.view(seat).shown == (None, cards[1], None, cards[3])


def test_without_history_only_what_lies_open_has_been_seen() -> None:
    view = read_view(
        {
            "rules": "classic",
            "dealer": 1,
            "turn": 0,
            "hands": [["Ah", "3c", "9d"], 3],
            "loose": ["6s", "9s"],
            "piles": [{"value": 8, "owner": 1, "components": [["3d", "5s"]]}],
            "stock": 0,
            "captured": None,
            "xeri": [0, 1],
            "xeristaki": [0, 0],
            "last_capture": 1,
            "plays": 42,
            "scores": [31, 44],
        }
    )
    assert format_cards(view.seen) == "Ah3c3d5s6s9d9s"
    assert view.history is None
    assert "Ah^[3d5s]=9" in map(format_play, legal_plays(view.known))
