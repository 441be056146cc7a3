"""Dealing (R2.3 to R2.6): packets, order, refills, and the exchange of layouts."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from diloti.core.cards import mask_of
from diloti.core.deal import check_exchange, exchange_layout, lay_out, needs_redeal
from diloti.core.errors import PackError
from diloti.core.match import Match
from diloti.core.notation import format_card, parse_card, parse_cards
from diloti.core.rules import CLASSIC, Rules, rules_from
from diloti.core.shuffle import Shuffle
from diloti.core.wire import read_rules, write_position
from tests import reference
from tests.matches import pick
from tests.strategies import random_rules

REDEALS = Path(__file__).parent / "data" / "vectors" / "redeals.jsonl"
CANONICAL = range(52)


def shuffle() -> Shuffle:
    return Shuffle(bytes(32))


def numbers(text: str) -> list[int]:
    return [parse_card(card) for card in text.split()]


def pack_with_layout(rules: Rules, layout: str) -> list[int]:
    """A pack in canonical order but for these four cards, which will be turned up."""
    hands = rules.players * rules.hand_size
    turned = numbers(layout)
    others = [card for card in CANONICAL if card not in turned]
    return [*others[:hands], *turned, *others[hands:]]


# ------------------------------------------------------------------ packets and order


@pytest.mark.parametrize("dealer", [0, 1])
def test_two_players_get_all_six_at_once(dealer: int) -> None:
    position = lay_out(rules_from(deal_packet=6), dealer=dealer, pack=CANONICAL)
    first, last = 1 - dealer, dealer
    assert position.hands[first] == mask_of(range(6))
    assert position.hands[last] == mask_of(range(6, 12))
    assert position.loose == mask_of(range(12, 16))
    assert position.stock == tuple(range(16, 52))
    assert position.turn == first


@pytest.mark.parametrize("dealer", [0, 1])
def test_two_players_get_three_twice(dealer: int) -> None:
    position = lay_out(rules_from(deal_packet=3), dealer=dealer, pack=CANONICAL)
    assert position.hands[1 - dealer] == mask_of([0, 1, 2, 6, 7, 8])
    assert position.hands[dealer] == mask_of([3, 4, 5, 9, 10, 11])
    assert position.loose == mask_of(range(12, 16))


@pytest.mark.parametrize("packet", [3, 6])
@pytest.mark.parametrize("dealer", range(4))
def test_four_players_get_theirs_in_order_and_the_dealer_last(dealer: int, packet: int) -> None:
    position = lay_out(rules_from(players=4, deal_packet=packet), dealer=dealer, pack=CANONICAL)
    for place in range(4):
        seat = (dealer + 1 + place) % 4
        starts = [packet * place] if packet == 6 else [3 * place, 12 + 3 * place]
        dealt = [start + card for start in starts for card in range(packet)]
        assert position.hands[seat] == mask_of(dealt)
    assert position.loose == mask_of(range(24, 28))
    assert position.stock == tuple(range(28, 52))
    assert position.turn == (dealer + 1) % 4


@pytest.mark.parametrize("seed", range(6))
def test_deals_are_those_of_the_reference_up_to_the_last_refill(seed: int) -> None:
    rng = random.Random(seed)
    written = random_rules(rng)
    rules = read_rules(written)
    dealer = rng.randrange(rules.players)
    pack = rng.sample(CANONICAL, 52)
    final = exchange_layout(rules, pack, shuffle())
    match = Match(rules, first_dealer=dealer)
    match.deal_pack(pack, final)
    hands = reference.deal(written, dealer, pack=[format_card(card) for card in pack])
    assert reference.normal(hands)["hands"] == write_position(match.position)["hands"]
    refills = 0
    while match.turn is not None:
        turn = match.turn
        before = match.position.stock
        outcome = match.play(pick(rng, match))
        after = outcome.position
        if not outcome.has("refill"):
            assert after.stock == before
            continue
        refills += 1
        dealt = list(before[: 6 * rules.players])
        expected = [0] * rules.players
        while dealt:
            for place in range(rules.players):
                packet = [dealt.pop(0) for _ in range(rules.deal_packet)]
                expected[(dealer + 1 + place) % rules.players] |= mask_of(packet)
        assert list(after.hands) == expected
        assert after.stock == before[6 * rules.players :]
        assert (turn, after.turn) == (dealer, (dealer + 1) % rules.players)
    assert refills == (3 if rules.players == 2 else 1)


def test_history_begins_with_the_layout() -> None:
    position = lay_out(CLASSIC, dealer=0, pack=CANONICAL, scores=(12, 34))
    assert position.history is not None
    assert (position.history.layout, position.history.plays) == (position.loose, ())
    assert (position.scores, position.plays, position.last_capture) == ((12, 34), 0, None)
    assert position.piles == ()
    assert position.captured == (0, 0)


# ------------------------------------------------------------------ exchanges


@pytest.mark.parametrize(
    ("layout", "equal_courts", "jacks"),
    [
        ("Jc Jd Jh 2c", True, True),
        ("Js Jd Jh Jc", True, True),
        ("2c Js Jd Jh", True, True),
        ("Qc Qd Qh Qs", True, False),
        ("Qc Qd Ac Qs", True, False),
        ("Kc Kd Kh Qs", True, False),
        ("Jc Jd Qc Qd", False, False),
        ("Jc Qc Kc Js", False, False),
        ("Ac Ad Ah As", False, False),
        ("Tc Td Th Jc", False, False),
        ("Kc Kd Qh Js", False, False),
    ],
)
def test_which_layouts_are_exchanged(layout: str, equal_courts: bool, jacks: bool) -> None:
    turned = parse_cards(layout)
    assert needs_redeal(rules_from(redeal="equal_courts").packed, turned) == equal_courts
    assert needs_redeal(rules_from(redeal="jacks").packed, turned) == jacks
    assert not needs_redeal(rules_from(redeal="never").packed, turned)


@pytest.mark.parametrize("base", ["classic", "taverna"])
@pytest.mark.parametrize("layout", ["Jc Jd Jh 2c", "Qc Qd Qh 2c"])
def test_a_layout_is_exchanged_only_where_the_rules_say_so(base: str, layout: str) -> None:
    rules = rules_from(base)
    pack = pack_with_layout(rules, layout)
    final = exchange_layout(rules, pack, shuffle())
    hands = rules.players * 6
    if base == "taverna" and layout.startswith("Q"):
        assert final == tuple(pack)
        lay_out(rules, dealer=0, pack=pack)
        return
    with pytest.raises(PackError, match="the rules have this layout exchanged"):
        lay_out(rules, dealer=0, pack=pack)
    assert final[:hands] == tuple(pack[:hands])
    assert final != tuple(pack)
    assert sorted(final) == list(CANONICAL)
    rest = pack[hands:]
    stream = shuffle()
    stream.mix(rest)
    while needs_redeal(rules.packed, mask_of(rest[:4])):
        stream.mix(rest)
    assert final[hands:] == tuple(rest)


@pytest.mark.parametrize(("seed", "mixes"), [(0, 1), (1, 1), (500, 2), (526, 2), (532, 2)])
def test_an_exchange_repeats_until_the_layout_will_do(seed: int, mixes: int) -> None:
    pack = pack_with_layout(CLASSIC, "Kc Kd Kh Ks")
    stream, again = Shuffle(seed.to_bytes(32, "big")), Shuffle(seed.to_bytes(32, "big"))
    rest = pack[12:]
    for _ in range(mixes):
        assert needs_redeal(CLASSIC.packed, mask_of(rest[:4]))
        again.mix(rest)
    assert exchange_layout(CLASSIC, pack, stream)[12:] == tuple(rest)
    assert stream.draw(2**32) == again.draw(2**32)


def test_redeals_of_the_test_data() -> None:
    lines = [json.loads(line) for line in REDEALS.read_text(encoding="utf-8").splitlines()]
    assert lines
    for line in lines:
        check_redeal(line)


def check_redeal(line: dict[str, Any]) -> None:
    rules = read_rules(line["rules"])
    pack = [parse_card(card) for card in line["pack"]]
    hands = rules.players * 6
    assert needs_redeal(rules.packed, mask_of(pack[hands : hands + 4]))
    match = Match(rules, first_dealer=line["dealer"])
    position = match.deal_pack(pack, exchange_layout(rules, pack, shuffle()))
    assert not needs_redeal(rules.packed, position.loose)
    assert sum(position.hands) == mask_of(pack[:hands])
    assert position.loose | mask_of(position.stock) == mask_of(pack[hands:])


# ------------------------------------------------------------------ packs that will not do


@pytest.mark.parametrize(
    "pack",
    [[], range(51), range(53), [*range(51), 0], [0] * 52, [*range(1, 52), 52], range(1, 53)],
)
def test_a_pack_has_every_card_once(pack: list[int]) -> None:
    for deal in (
        lambda: lay_out(CLASSIC, dealer=0, pack=pack),
        lambda: exchange_layout(CLASSIC, pack, shuffle()),
        lambda: check_exchange(CLASSIC, pack, CANONICAL),
        lambda: check_exchange(CLASSIC, CANONICAL, pack),
    ):
        with pytest.raises(PackError, match="a pack holds each of its 52 cards exactly once"):
            deal()


def test_an_exchange_keeps_the_hands_and_has_a_reason() -> None:
    check_exchange(CLASSIC, CANONICAL, CANONICAL)
    pack = pack_with_layout(CLASSIC, "Jc Jd Jh 2c")
    check_exchange(CLASSIC, pack, [*pack[:12], *reversed(pack[12:])])
    with pytest.raises(PackError, match="leaves the hands as they are"):
        check_exchange(CLASSIC, pack, [*reversed(pack[:12]), *pack[12:]])
    with pytest.raises(PackError, match="do not have this layout exchanged"):
        check_exchange(CLASSIC, CANONICAL, [*range(12), *range(51, 11, -1)])
