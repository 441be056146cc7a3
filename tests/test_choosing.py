"""Pointing at the full screen: a card never picks its play, however wide the table is."""

from __future__ import annotations

from diloti.core.notation import format_play, parse_card, parse_cards
from diloti.core.view import view_of
from diloti.words import Words
from diloti.words.choosing import Choosing
from tests.setting import position

WIDE = "AcAdAhAs2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h6c6d6h7c7d8d9c9d9h"


def test_a_card_that_can_only_be_laid_needs_no_choice() -> None:
    choosing = Choosing(view_of(position("Js5c", "2c"), 0), parse_card("Js"))
    assert choosing.play is not None
    assert format_play(choosing.play) == "Js"


def test_a_card_that_can_do_several_things_waits_for_a_choice() -> None:
    choosing = Choosing(view_of(position("5d9c", "5c"), 0), parse_card("5d"))
    assert choosing.play is None
    chosen = choosing.with_loose(parse_card("5c"))
    assert chosen.play is not None
    assert format_play(chosen.play) == "5dx5c"


def test_on_a_very_wide_table_laying_is_not_mistaken_for_the_only_play() -> None:
    choosing = Choosing(view_of(position("Td8cKs", WIDE), 0), parse_card("Td"))
    assert not choosing.is_complete
    assert choosing.play is None
    exact = Choosing(choosing.view, choosing.card, parse_cards("4c6d"))
    assert exact.play is not None
    assert format_play(exact.play) == "Tdx4c6d"


def test_a_wish_that_is_not_allowed_says_why() -> None:
    choosing = Choosing(view_of(position("Js5c", "Kd"), 0), parse_card("Js"), parse_cards("Kd"))
    assert choosing.refusal(Words("en")).endswith("(R5.7)")
