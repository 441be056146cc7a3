"""Every rule of docs/rules.md by its number: `test_r5_4_…` carries R5.4."""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from diloti.core.cards import FULL_PACK, cards_in, mask_of
from diloti.core.deal import exchange_layout, lay_out, needs_redeal
from diloti.core.effects import show_card
from diloti.core.errors import PackError, RulesError
from diloti.core.legality import RULE_OF, IllegalPlay
from diloti.core.match import Match
from diloti.core.notation import format_cards, parse_card, parse_cards
from diloti.core.plays import count_legal_plays, legal_play
from diloti.core.position import side_of
from diloti.core.rules import CLASSIC, RULE_SETS, SWITCHES, TAVERNA, Rules, rules_from
from diloti.core.scoring import score_deal, sheet_of, winner_of
from diloti.core.shuffle import Shuffle
from diloti.core.view import view_of
from tests.setting import legal, names, play, position, some_play, why_not

DOCS = Path(__file__).parent.parent / "docs"


# R1 Words


def test_r1_a_numeral_is_worth_its_number_and_a_court_nothing() -> None:
    assert why_not(position("Js", "5c6d"), "Jsx5c6d") == "R5.7"
    assert why_not(position("Ts", "4c6d"), "Tsx4c6d") is None
    assert why_not(position("Ts", "9cAd"), "Tsx9cAd") is None


def test_r1_partners_sit_opposite() -> None:
    assert [side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


# R2 Players, cards, deal


@pytest.mark.parametrize("players", [2, 4])
def test_r2_1_two_or_four_share_one_pack(players: int) -> None:
    start = lay_out(rules_from(players=players), dealer=0, pack=range(52))
    cards = [*start.hands, start.loose, mask_of(start.stock)]
    assert sum(cards) == FULL_PACK
    assert [hand.bit_count() for hand in start.hands] == [6] * players


def test_r2_2_the_deal_passes_to_the_next_seat() -> None:
    match = Match(rules_from("taverna", target=10_000), first_dealer=2)
    for number, dealer in enumerate([2, 3, 0, 1, 2]):
        match.deal_seed(number.to_bytes(32, "big"))
        assert match.position.dealer == dealer
        while match.turn is not None:
            match.play(some_play(match.position))


def test_r2_3_the_whole_order_comes_from_the_shuffle() -> None:
    packs = {tuple(Shuffle(seed.to_bytes(32, "big")).pack(CLASSIC)) for seed in range(50)}
    assert len(packs) == 50
    assert all(mask_of(pack) == FULL_PACK for pack in packs)
    with pytest.raises(PackError):
        lay_out(CLASSIC, dealer=0, pack=[0, *range(51)])


@pytest.mark.parametrize(
    ("packet", "hands"),
    [
        (6, ["Ac Ad Ah As 2c 2d", "2h 2s 3c 3d 3h 3s"]),
        (3, ["Ac Ad Ah 2d 2h 2s", "As 2c 3c 3d 3h 3s"]),
    ],
)
def test_r2_4_hands_go_round_in_packets_the_dealer_last(packet: int, hands: list[str]) -> None:
    pack = list(range(52))
    if packet == 3:
        pack[3:9] = [3, 4, 8, 5, 6, 7]
    start = lay_out(rules_from(deal_packet=packet), dealer=0, pack=pack)
    assert format_cards(start.hands[1], " ") == hands[0]
    assert start.turn == 1
    assert format_cards(start.loose) == "4c4d4h4s"
    assert start.stock == tuple(range(16, 52))


@pytest.mark.parametrize(
    ("redeal", "layout", "exchanged"),
    [
        ("equal_courts", "QcQdQh5s", True),
        ("equal_courts", "KcKdKhKs", True),
        ("equal_courts", "JcJdQcQd", False),
        ("equal_courts", "9c9d9h9s", False),
        ("jacks", "JcJdJhKs", True),
        ("jacks", "QcQdQhQs", False),
        ("never", "JcJdJhJs", False),
    ],
)
def test_r2_5_some_layouts_are_exchanged(redeal: str, layout: str, exchanged: bool) -> None:
    rules = rules_from(redeal=redeal)
    table = parse_cards(layout)
    assert needs_redeal(rules.packed, table) == exchanged
    others = [card for card in range(52) if not table >> card & 1]
    pack = [*others[:12], *cards_in(table), *others[12:]]
    final = exchange_layout(rules, pack, Shuffle(bytes(32)))
    assert (tuple(pack) != final) == exchanged
    assert tuple(pack[:12]) == final[:12]
    assert sorted(pack) == sorted(final)
    assert not needs_redeal(rules.packed, mask_of(final[12:16]))


@pytest.mark.parametrize(("players", "refills"), [(2, 3), (4, 1)])
def test_r2_6_empty_hands_are_refilled_and_the_table_is_not(players: int, refills: int) -> None:
    match = Match(rules_from(players=players), first_dealer=0)
    match.deal_seed(bytes(32))
    seen = 0
    while match.turn is not None:
        before = match.position
        outcome = match.play(some_play(before))
        if outcome.has("refill"):
            seen += 1
            assert outcome.position.turn == 1
            assert [hand.bit_count() for hand in outcome.position.hands] == [6] * players
            assert before.stock[6 * players :] == outcome.position.stock
    assert seen == refills


def test_r2_7_one_card_may_be_shown_to_the_partner_before_the_first_play() -> None:
    rules = rules_from("taverna", partners_show_card=True)
    start = lay_out(rules, dealer=3, pack=Shuffle(bytes(32)).pack(rules))
    card = next(cards_in(start.hands[1]))
    shown = show_card(start, 1, card)
    assert view_of(shown, 3).shown == (None, card, None, None) == view_of(shown, 1).shown
    assert view_of(shown, 0).shown == (None, None, None, None)
    refused = [
        (shown, 1, card),  # twice
        (start, 0, card),  # not in that hand
        (play(shown, format_cards(1 << next(cards_in(start.hands[0])))).position, 2, 0),  # too late
        (lay_out(TAVERNA, dealer=3, pack=range(52)), 0, 0),  # switched off
    ]
    for where, seat, one in refused:
        with pytest.raises(IllegalPlay) as trouble:
            show_card(where, seat, one)
        assert trouble.value.rule == "R2.7"


# R3 Turns


@pytest.mark.parametrize("players", [2, 4])
def test_r3_1_the_seat_after_the_dealer_leads_and_turns_go_round(players: int) -> None:
    match = Match(rules_from(players=players), first_dealer=1)
    match.deal_seed(bytes(32))
    for number in range(48):
        assert match.turn == (2 + number) % players
        match.play(some_play(match.position))
    assert match.turn is None


def test_r3_1_only_what_is_there_can_be_used() -> None:
    here = position("5h9d", "5c", piles=[(1, 9, "4c5d")])
    assert [why_not(here, text) for text in ("5s", "5hx5d", "9dx[4c5s]")] == ["R3.1"] * 3


def test_r3_2_there_is_always_a_legal_play() -> None:
    tight = position("8c", "2d", piles=[(0, 8, "3d5s")])
    assert legal(tight) == {"8cx[3d5s]"}
    forced = position("Jc", "JdJh", forced_capture=True)
    assert legal(forced) == {"JcxJd", "JcxJh"}


# R4 The four ways to play a card


def test_r4_1_a_card_can_be_laid_loose() -> None:
    after = play(position("5h9d", "2c"), "5h").position
    assert format_cards(after.loose) == "2c5h"


def test_r4_2_a_capture_goes_to_the_side_with_the_card_that_took_it() -> None:
    outcome = play(position("6h9d", "2c4sKd"), "6hx2c4s")
    assert format_cards(outcome.position.captured[0]) == "2c4s6h"
    assert format_cards(outcome.position.loose) == "Kd"
    assert outcome.position.last_capture == 0


def test_r4_3_declared_cards_lie_together_and_have_an_owner() -> None:
    [pile] = play(position("3c8d", "5h"), "3c+5h=8").position.piles
    assert (pile.value, pile.owner, pile.is_family) == (8, 0, False)
    assert format_cards(pile.cards) == "3c5h"


def test_r4_4_a_raise_adds_the_played_card() -> None:
    [pile] = play(position("Ah9d", piles=[(1, 8, "3d5s")]), "Ah^[3d5s]=9").position.piles
    assert (pile.value, pile.owner, pile.is_family) == (9, 0, False)
    assert format_cards(pile.cards) == "Ah3d5s"


# R5 Capture


def test_r5_1_equal_cards_groups_and_piles_in_any_combination() -> None:
    here = position("9h", "9c2d7s4c5d", piles=[(1, 9, "3d6s")])
    assert len(legal(here, "9hx")) == 2**4 - 1
    assert why_not(here, "9hx2d4c") == "R5.1"
    assert why_not(position("9h", "Jc"), "9hxJc") == "R5.1"
    assert why_not(position("9h", "Tc"), "9hxTc") == "R5.1"


def test_r5_1_a_card_counts_once() -> None:
    assert why_not(position("6h", "2c4s4d"), "6hx2c4s4d") == "R5.1"


def test_r5_2_the_same_cards_are_the_same_play() -> None:
    here = position("6h", "Ac5dAd5c")
    assert legal(here, "6hx") == {"6hxAc5c", "6hxAc5d", "6hxAd5c", "6hxAd5d", "6hxAcAd5c5d"}


def test_r5_3_piles_are_taken_whole_by_their_value_alone() -> None:
    here = position("TcThAd", "2d", piles=[(1, 8, "3d5s"), (1, 9, "4c5h,9d")], obligations=False)
    assert why_not(here, "Tcx2d[3d5s]") == "R5.3"
    assert why_not(here, "Tcx[4c5h9d]") == "R5.3"
    assert legal(position("9h", piles=[(1, 9, "4c5d")]), "9hx") == {"9hx[4c5d]"}


def test_r5_4_equal_cards_all_or_any() -> None:
    loose = "8c8d3s5d"
    assert legal(position("8h", loose), "8hx") == {
        "8hx8c",
        "8hx8d",
        "8hx8c8d",
        "8hx3s5d",
        "8hx3s5d8c",
        "8hx3s5d8d",
        "8hx3s5d8c8d",
    }
    every = position("8h", loose, equal_cards="all")
    assert legal(every, "8hx") == {"8hx8c8d", "8hx3s5d", "8hx3s5d8c8d"}
    assert why_not(every, "8hx8c") == "R5.4"


def test_r5_5_one_group_or_many() -> None:
    here = position("8h", "3s5dAh7d8c", piles=[(1, 8, "2c6d")], sum_groups="one")
    assert why_not(here, "8hxAh3s5d7d") == "R5.5"
    assert why_not(here, "8hx3s5d8c[2c6d]") is None
    assert why_not(position("8h", "3s5dAh7d"), "8hxAh3s5d7d") is None


def test_r5_6_a_numeral_capture_may_be_declined() -> None:
    assert why_not(position("8h", "8c"), "8h") is None


@pytest.mark.parametrize(
    ("switch", "loose", "captures"),
    [
        ("one", "JhJdJc", {"JsxJc", "JsxJd", "JsxJh"}),
        ("all", "JhJdJc", {"JsxJcJdJh"}),
        ("all", "JhJd", {"JsxJdJh"}),
        ("three_take_three", "JhJd", {"JsxJd", "JsxJh"}),
        ("three_take_three", "JhJdJc", {"JsxJcJdJh"}),
        ("one", "QhKd5c6c", set()),
    ],
)
def test_r5_7_courts_take_courts_of_their_rank(switch: str, loose: str, captures: set[str]) -> None:
    assert legal(position("Js", loose, court_capture=switch), "Jsx") == captures


def test_r5_7_is_what_refuses_other_court_captures() -> None:
    assert why_not(position("Js", "JhJd"), "JsxJhJd") == "R5.7"
    assert why_not(position("Js", "JhJd", court_capture="all"), "JsxJh") == "R5.7"
    three = position("Js", "JhJdJc", court_capture="three_take_three")
    assert why_not(three, "JsxJh") == "R5.7"
    assert why_not(position("Js", "Qh"), "JsxQh") == "R5.7"
    assert why_not(position("Js", piles=[(1, 9, "4c5d")]), "Jsx[4c5d]") == "R5.7"


def test_r5_8_a_court_may_not_be_laid_beside_its_rank() -> None:
    assert why_not(position("Js5c", "Jh"), "Js") == "R5.8"
    assert why_not(position("Js5c", "Jh"), "5c") is None
    assert why_not(position("Js5c", "Jh", court_must_capture=False), "Js") is None


@pytest.mark.parametrize("loose", ["8c", "3c5d", "Ac3c4d"])
def test_r5_9_a_numeral_that_can_capture_may_not_be_laid(loose: str) -> None:
    here = position("8h3h", loose, forced_capture=True)
    assert why_not(here, "8h") == "R5.9"
    assert why_not(position("8h", loose), "8h") is None


def test_r5_9_piles_count_and_declaring_stays_allowed() -> None:
    assert why_not(position("8h", piles=[(1, 8, "2c6d")], forced_capture=True), "8h") == "R5.9"
    assert why_not(position("8h8s", "8c", forced_capture=True), "8h+8c=8") is None
    assert why_not(position("8h", "2c5d", forced_capture=True), "8h") is None


# R6 Declare


def test_r6_1_courts_never_enter_a_declaration() -> None:
    assert why_not(position("Js8c", "5c"), "Js+5c=8") == "R6.1"
    assert why_not(position("3c8c", "5cJd"), "3c+5cJd=8") == "R6.1"


def test_r6_2_the_hand_must_still_hold_the_declared_value() -> None:
    assert why_not(position("3c8d", "5h"), "3c+5h=8") is None
    assert why_not(position("3c9d", "5h"), "3c+5h=8") == "R6.2"
    assert why_not(position("8c9d", "8h"), "8c+8h=8") == "R6.2"


def test_r6_3_a_plain_declaration_is_a_sum_of_at_most_ten() -> None:
    here = position("3cTd8d", "5h2c9s")
    assert why_not(here, "3c+2c5h=10") is None
    assert why_not(here, "3c+9s=12") == "R6.3"
    assert why_not(here, "3c+5h=9") == "R6.3"


def test_r6_4_a_family_has_components_of_one_value() -> None:
    here = position("3c8d", "5h8c2s6sAd7d", piles=[(1, 8, "4c4h")])
    assert why_not(here, "3c+5h8c=8") is None
    assert why_not(here, "3c+Ad2s5h6s7d8c[4c4h]=8") is None
    [pile] = play(here, "3c+5h8c[4c4h]=8").position.piles
    assert pile.is_family
    assert len(pile.components) == 3
    assert why_not(here, "3c+5h2s=8") == "R6.3"
    assert why_not(position("9c9d", piles=[(1, 8, "4c4h")]), "9c+[4c4h]=9") == "R6.4"


def test_r6_5_the_value_tells_which_pile_is_meant() -> None:
    assert legal(position("4c4d8s", "4h"), "4c+") == {"4c+4h=8", "4c+4h=4"}


def test_r6_6_without_families_there_are_only_plain_declarations() -> None:
    here = position("3c8d8h", "5h8c", piles=[(1, 8, "2c6d")], families=False)
    assert why_not(here, "3c+5h=8") is None
    assert why_not(here, "3c+5h8c=8") == "R6.6"
    assert why_not(here, "8d+[2c6d]=8") == "R6.6"
    assert legal(here) == {"3c", "8d", "8h"} | legal(here, "8dx") | legal(here, "8hx") | {"3c+5h=8"}


def test_r6_7_joining_a_pile_of_equal_value_is_a_choice() -> None:
    here = position("3c8d", "5h", piles=[(1, 8, "2c6d")])
    assert legal(here, "3c+") == {"3c+5h=8", "3c+5h[2c6d]=8"}
    assert len(play(here, "3c+5h=8").position.piles) == 2


def test_r6_8_the_declarer_owns_the_pile_and_others_are_released() -> None:
    outcome = play(position("3c8d", "5h", piles=[(1, 8, "2c6d")]), "3c+5h[2c6d]=8")
    assert [(pile.owner, pile.value) for pile in outcome.position.piles] == [(0, 8)]
    assert names(outcome) == ["declare", "released"]
    assert outcome.events[1].owner == 1


# R7 Raise


def test_r7_1_only_plain_piles_by_one_card_up_to_ten() -> None:
    here = position("4s9d", piles=[(1, 5, "2d3c")])
    assert why_not(here, "4s^[2d3c]=9") is None
    assert why_not(here, "4s^[2d3c]=8") == "R7.1"
    assert why_not(position("4s9d", piles=[(1, 5, "2d3c,5h")]), "4s^[2d3c5h]=9") == "R7.1"
    assert why_not(position("4s9d", piles=[(1, 8, "2d6c")]), "4s^[2d6c]=12") == "R7.1"
    assert why_not(position("Js9d", piles=[(1, 8, "2d6c")]), "Js^[2d6c]=8") == "R7.1"


def test_r7_2_the_hand_must_still_hold_the_new_value() -> None:
    assert why_not(position("4s8d", piles=[(1, 5, "2d3c")]), "4s^[2d3c]=9") == "R7.2"


@pytest.mark.parametrize(
    ("switch", "owner", "allowed"),
    [
        ("opponents", 1, True),
        ("opponents", 3, True),
        ("opponents", 2, False),
        ("opponents", 0, False),
        ("others", 1, True),
        ("others", 2, True),
        ("others", 0, False),
        ("anyone", 2, True),
        ("anyone", 0, True),
        ("never", 1, False),
        ("never", 0, False),
    ],
)
def test_r7_3_whose_piles_can_be_raised(switch: str, owner: int, allowed: bool) -> None:
    here = position("4s9d5c", piles=[(owner, 5, "2d3c")], players=4, raising=switch)
    assert why_not(here, "4s^[2d3c]=9") == (None if allowed else "R7.3")


def test_r7_4_the_raised_pile_can_be_raised_back() -> None:
    here = position("Ah9d", piles=[(1, 5, "2d3c")], others=["3h5dTs"], turn=0)
    after = play(position("3h8d", piles=[(1, 5, "2d3c")], others=["2sTs5d"]), "3h^[2d3c]=8")
    assert names(after) == ["raise", "released"]
    assert why_not(after.position, "2s^[2d3c3h]=10") is None
    assert here.piles[0].owner == 1


# R8 Obligations


def test_r8_1_an_owner_may_not_lay_a_card() -> None:
    here = position("2d8c", "6s", piles=[(0, 8, "3d5s")])
    assert why_not(here, "2d") == "R8.1"
    assert why_not(position("2d8c", piles=[(0, 8, "3d5s")], obligations=False), "2d") is None


def test_r8_2_an_owner_declares_only_with_the_own_pile() -> None:
    here = position("2d8c9h", "6s7c", piles=[(0, 8, "3d5s")])
    assert why_not(here, "2d+6s=8") == "R8.2"
    assert why_not(here, "2d+7c=9") == "R8.2"
    assert why_not(here, "2d+6s[3d5s]=8") is None
    other = position("2d8c9h7c", "6s", piles=[(0, 8, "3d5s"), (1, 5, "Ad4s")])
    assert why_not(other, "2d^[Ad4s]=7") == "R8.2"
    own = position("2d8cTh", "6s", piles=[(0, 8, "3d5s")], raising="anyone")
    assert why_not(own, "2d^[3d5s]=10") is None


def test_r8_3_an_owner_may_capture_other_cards() -> None:
    here = position("2d8c9h", "9s2c", piles=[(0, 8, "3d5s")])
    assert legal(here, "9hx") == {"9hx9s"}
    assert legal(here, "2dx") == {"2dx2c"}


def test_r8_4_the_last_card_for_the_pile_is_spent_on_nothing_else() -> None:
    one = position("8c2d", "8h", piles=[(0, 8, "3d5s")])
    assert why_not(one, "8cx8h") == "R8.4"
    assert why_not(one, "8cx8h[3d5s]") is None
    two = position("8c8d2d", "8h", piles=[(0, 8, "3d5s")])
    assert why_not(two, "8cx8h") is None
    raised = position("2d8cTh", piles=[(0, 8, "3d5s")], raising="anyone")
    assert why_not(raised, "2d^[3d5s]=10") is None


def test_r8_5_no_pile_outlasts_the_hands() -> None:
    for seed in range(20):
        match = Match(CLASSIC, first_dealer=0)
        match.deal_seed(seed.to_bytes(32, "big"))
        rng = random.Random(seed)
        while match.turn is not None:
            seat, count = match.turn, count_legal_plays(match.position)
            outcome = match.play(legal_play(match.position, rng.randrange(count)))
            own = [pile for pile in outcome.position.piles if pile.owner == seat]
            assert len(own) <= 1
            if outcome.has("refill") or outcome.has("deal_over"):
                assert not outcome.position.piles
            elif own:
                assert outcome.position.hands[seat] >> 4 * (own[0].value - 1) & 15


# R9 Xeri


def test_r9_1_an_empty_table_is_a_xeri() -> None:
    outcome = play(position("6h9d", "2c4s"), "6hx2c4s")
    assert names(outcome) == ["capture", "xeri"]
    assert outcome.position.xeri == (1, 0)
    assert "xeri" not in names(play(position("6h9d", "2c4s6d"), "6hx2c4s"))
    assert "xeri" not in names(play(position("6h9d", "6d", piles=[(1, 5, "2d3c")]), "6hx6d"))


@pytest.mark.parametrize("allowed", [False, True])
def test_r9_2_the_first_play(allowed: bool) -> None:
    here = position("6h9d", "2c4s", plays=0, first_play_xeri=allowed)
    assert play(here, "6hx2c4s").has("xeri") == allowed


@pytest.mark.parametrize("allowed", [False, True])
def test_r9_3_the_last_play(allowed: bool) -> None:
    here = position("6h", "2c4s", plays=47, stock="", last_play_xeri=allowed)
    outcome = play(here, "6hx2c4s")
    assert outcome.has("deal_over")
    assert outcome.has("xeri") == allowed


@pytest.mark.parametrize(
    ("plays", "points", "expected"), [(10, 5, True), (10, 0, False), (0, 5, False)]
)
def test_r9_4_one_pile_left_is_a_xeristaki(plays: int, points: int, expected: bool) -> None:
    here = position("6h9d", "6d", piles=[(1, 5, "2d3c")], plays=plays, xeristaki_points=points)
    outcome = play(here, "6hx6d")
    assert outcome.has("xeristaki") == expected
    assert outcome.position.xeristaki == (int(expected), 0)
    two = position(
        "6h9d", "6d", piles=[(1, 5, "2d3c"), (1, 7, "3d4c")], xeristaki_points=5, obligations=False
    )
    assert not play(two, "6hx6d").has("xeristaki")


def test_r9_5_declaring_and_raising_are_no_xeri() -> None:
    assert names(play(position("3c8d", "5h"), "3c+5h=8")) == ["declare"]
    assert names(play(position("Ah9d", piles=[(1, 8, "3d5s")]), "Ah^[3d5s]=9")) == [
        "raise",
        "released",
    ]


# R10 End of a deal


def test_r10_1_leftovers_go_to_the_side_that_captured_last() -> None:
    here = position("6h", "2cKd", plays=47, stock="", captured=("", "9c9d"), last_capture=1)
    outcome = play(here, "6h")
    assert names(outcome) == ["leftovers", "deal_over"]
    assert outcome.events[0].side == 1
    assert format_cards(outcome.position.captured[1]) == "2c6h9c9dKd"
    assert outcome.position.xeri == (0, 0)


def test_r10_1_without_any_capture_they_stay() -> None:
    outcome = play(position("6h", "2cKd", plays=47, stock=""), "6h")
    assert outcome.events[0].side is None
    assert format_cards(outcome.position.loose) == "2c6hKd"


def test_r10_2_captures_are_hidden_until_the_deal_is_over() -> None:
    here = position("6h", "2c4s", plays=46, stock="", others=["9c"])
    outcome = play(here, "6hx2c4s")
    for seat in (0, 1):
        assert view_of(outcome.position, seat).captured is None
        assert view_of(outcome.position, seat).xeri == (1, 0)
    over = play(outcome.position, "9c").position
    assert view_of(over, 1).captured == over.captured


# R11 and R12


def test_r11_the_points_of_a_deal() -> None:
    rules = rules_from(xeristaki_points=5)
    everything = position("", captured=("AcAdTd2c", "AhAs"), xeristaki_points=5)
    sheet = sheet_of(everything, 0)
    assert (sheet.cards, sheet.aces, sheet.ten_of_diamonds, sheet.two_of_clubs) == (0, 2, 2, 1)
    assert sheet_of(everything, 1).total == 2
    pack = format_cards(FULL_PACK)
    half, more = pack[:52], pack[:54]
    assert sheet_of(position("", captured=(half, pack[52:])), 0).cards == 0
    assert sheet_of(position("", captured=(half, pack[52:])), 1).cards == 0
    assert sheet_of(position("", captured=(more, pack[54:])), 0).cards == 4
    assert rules.xeri_points == 10


def test_r12_1_points_add_up_from_zero() -> None:
    match = Match(CLASSIC, first_dealer=0)
    assert match.scores == (0, 0)
    totals = [0, 0]
    for number in range(3):
        match.deal_seed(number.to_bytes(32, "big"))
        while match.turn is not None:
            match.play(some_play(match.position))
        score = match.deal_log.score
        assert score is not None
        totals = [total + sheet.total for total, sheet in zip(totals, score.sheets, strict=True)]
        assert match.scores == tuple(totals)


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ((61, 20), 0),
        ((20, 61), 1),
        ((60, 59), None),
        ((64, 63), 0),
        ((63, 64), 1),
        ((65, 65), None),
    ],
)
def test_r12_2_the_higher_total_at_the_target_wins(
    scores: tuple[int, int], winner: int | None
) -> None:
    assert winner_of(CLASSIC, scores) == winner


# R13 Rule sets


def test_r13_the_named_rule_sets_are_those_of_the_rules_page() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|", text, re.MULTILINE))
    assert set(SWITCHES) <= set(rows)
    for name in SWITCHES:
        value = getattr(CLASSIC, name)
        assert re.match(
            str(value).lower() if isinstance(value, bool) else str(value), rows[name].strip(" `")
        )


@pytest.mark.parametrize(
    "switches",
    [
        {"players": 3},
        {"players": True},
        {"deal_packet": 2},
        {"target": 0},
        {"target": "61"},
        {"xeri_points": -1},
        {"xeristaki_points": -5},
        {"redeal": "aces"},
        {"equal_cards": None},
        {"families": 1},
        {"partners_show_card": True},
        {"jokers": 2},
    ],
)
def test_r13_impossible_rule_sets_are_refused(switches: dict[str, object]) -> None:
    with pytest.raises(RulesError):
        rules_from("classic", **switches)
    with pytest.raises(RulesError):
        rules_from("whist")


def test_r13_a_rule_set_is_a_value_with_a_fingerprint() -> None:
    assert rules_from("taverna", players=2) == rules_from("taverna", players=2)
    prints = {rules.fingerprint for rules in RULE_SETS.values()}
    prints |= {rules_from(target=target).fingerprint for target in (31, 101)}
    assert len(prints) == 4
    assert CLASSIC.fingerprint == rules_from("classic").fingerprint


# R14 Worked examples


@pytest.mark.parametrize("base", ["classic", "taverna"])
def test_r14_1(base: str) -> None:
    here = position("6h9d", "6d2c4s", base=base)
    assert legal(here, "6hx") == {"6hx6d", "6hx2c4s", "6hx2c4s6d"}


def test_r14_2() -> None:
    assert len(legal(position("8h", "5s3d8cAh7d"), "8hx")) == 7
    assert legal(position("8h", "5s3d8cAh7d", base="taverna"), "8hx") == {
        "8hx8c",
        "8hx3d5s",
        "8hxAh7d",
        "8hx3d5s8c",
        "8hxAh7d8c",
    }


def test_r14_3() -> None:
    assert legal(position("Js", "5c6d")) == {"Js"}


def test_r14_4() -> None:
    assert legal(position("Js", "JhJd")) == {"JsxJh", "JsxJd"}
    assert legal(position("Js", "JhJd", base="taverna")) == {"JsxJdJh", "Js"}


def test_r14_5() -> None:
    assert why_not(position("3c8d", "5h"), "3c+5h=8") is None
    assert why_not(position("3c7d", "5h"), "3c+5h=8") == "R6.2"


def test_r14_6() -> None:
    assert legal(position("4c4d8s", "4h"), "4c+") == {"4c+4h=8", "4c+4h=4"}


def test_r14_7() -> None:
    here = position("8c8h2d", "6s", piles=[(0, 8, "3d5s")])
    assert legal(here) == {
        "8cx[3d5s]",
        "8hx[3d5s]",
        "8c+[3d5s]=8",
        "8h+[3d5s]=8",
        "2d+6s[3d5s]=8",
    }
    assert why_not(here, "2d") == "R8.1"
    assert why_not(here, "2d+6s=8") == "R8.2"


def test_r14_8() -> None:
    here = position("8c2d9h", "6s9s", piles=[(0, 8, "3d5s")])
    assert legal(here) == {"8cx[3d5s]", "2d+6s[3d5s]=8", "9hx9s"}


def test_r14_9() -> None:
    assert why_not(position("4s9d", piles=[(1, 5, "2d3c")]), "4s^[2d3c]=9") is None
    assert why_not(position("4s9d", piles=[(1, 5, "2d3c,5h")]), "4s^[2d3c5h]=9") == "R7.1"


def test_r14_10() -> None:
    here = position("3d8c9h", "5s", others=["Ah9d"])
    declared = play(here, "3d+5s=8").position
    raised = play(declared, "Ah^[3d5s]=9")
    assert raised.position.piles[0].owner == 1
    assert raised.events[-1].owner == 0
    taken = play(raised.position, "9hx[Ah3d5s]")
    assert names(taken) == ["capture", "xeri"]
    assert taken.position.captured[0].bit_count() == 4


def test_r14_11() -> None:
    rest = [card for card in cards_in(FULL_PACK) if card > 4 and card != parse_card("Td")]
    mine = parse_cards("AcAdTd") | mask_of(rest[:25])
    here = position("", captured=(format_cards(mine), format_cards(FULL_PACK & ~mine)))
    here.state[12] = 1
    assert mine.bit_count() == 28
    assert sheet_of(here, 0).total == 18


def test_r14_12() -> None:
    here = position("Th9d", "Ac2c3d4s", plays=0)
    assert names(play(here, "ThxAc2c3d4s")) == ["capture"]


@pytest.mark.parametrize(("base", "xeri"), [("classic", True), ("taverna", False)])
def test_r14_13(base: str, xeri: bool) -> None:
    here = position(
        "Th", "4c6s", base=base, plays=47, stock="", captured=("9c9d", ""), last_capture=0
    )
    assert play(here, "Thx4c6s").has("xeri") == xeri
    left = play(here, "Th").position
    assert left.xeri == (0, 0)
    assert format_cards(left.captured[0]) == "4c6s9c9dTh"


def test_r14_14() -> None:
    def after(scores: tuple[int, int]) -> int | None:
        here = position(
            "Kc", plays=47, stock="", scores=scores, captured=("9c", ""), last_capture=0
        )
        return score_deal(play(here, "Kc").position).winner

    assert after((64, 63)) == 0
    assert after((65, 65)) is None


# The whole book


def test_every_rule_number_has_a_test_that_carries_it() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"\*\*R(\d+\.\d+)\*\*", text)) | {"1", "11", "13"}
    assert len(numbers) > 60
    tests = {name for name in globals() if name.startswith("test_r")}
    for number in numbers:
        prefix = f"test_r{number.replace('.', '_')}"
        assert any(name == prefix or name.startswith(f"{prefix}_") for name in tests), number


def test_every_refusal_names_a_rule_of_the_book() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert {f"**{rule}**" for rule in RULE_OF.values()} <= set(
        re.findall(r"\*\*R\d+\.\d+\*\*", text)
    )


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda rules: pickle.loads(pickle.dumps(rules))])
def test_a_copy_is_what_kernels_know(copied: Callable[[Rules], Rules]) -> None:
    """An array that has been pickled can be written to, and would be compiled for once more."""
    rules = replace(CLASSIC, target=31)
    assert not rules.packed.flags.writeable
    other = copied(rules)
    assert other == rules
    assert other.packed.tolist() == rules.packed.tolist()
    assert not other.packed.flags.writeable


def test_r2_5_a_layout_is_not_exchanged_for_ever() -> None:
    small = parse_cards("AcAdJcJdJhJs2c2d")
    with pytest.raises(RulesError, match="for ever"):
        replace(CLASSIC, pack=small, hand_size=2)
    assert replace(CLASSIC, pack=small, hand_size=2, redeal="never").pack_size == 8
    enough = parse_cards("AcAd2c2d3c3dJcJdJhJs")
    assert replace(CLASSIC, pack=enough, hand_size=2, layout_size=2).redeal == "equal_courts"
