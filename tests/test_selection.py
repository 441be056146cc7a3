"""Choosing by pointing: what fits a selection, and why nothing does."""

from __future__ import annotations

import random

import pytest

from diloti.core import wire
from diloti.core.cards import cards_in
from diloti.core.legality import RULE_OF, Refusal
from diloti.core.notation import format_play, parse_card, parse_cards
from diloti.core.plays import count_legal_plays, legal_plays
from diloti.core.selection import Selection, exact_plays, fitting_plays, why_not
from tests.setting import position
from tests.strategies import random_position

TABLE = position("3c8d9hJs", "5h8cKd", piles=[(1, 8, "2c6d")])


def select(card: str, loose: str = "", piles: str = "") -> Selection:
    return Selection(
        parse_card(card), parse_cards(loose), tuple(parse_cards(pile) for pile in piles.split())
    )


def test_a_selection_that_can_mean_one_play_means_it() -> None:
    assert list(map(format_play, exact_plays(TABLE, select("3c", "5h")))) == ["3c+5h=8"]
    assert list(map(format_play, exact_plays(TABLE, select("Js")))) == ["Js"]
    assert exact_plays(TABLE, select("9h", "5h")) == []


def test_fitting_plays_use_at_least_what_is_selected() -> None:
    texts = list(map(format_play, fitting_plays(TABLE, select("8d", "8c"))))
    assert texts == ["8dx8c", "8dx8c[2c6d]"]
    assert format_play(fitting_plays(TABLE, select("3c"))[0]) == "3c"


@pytest.mark.parametrize(
    ("selection", "rule"),
    [
        (select("Js", "Kd"), "R5.7"),
        (select("8d", "Kd"), "R5.1"),
        (select("8d", "5h"), "R5.1"),
        (select("9h", "", "2c6d"), "R7.1"),
        (select("3c", "5h", "2c6d"), None),
        (select("3c", "8c", "2c6d"), "R6.3"),
        (select("9h", "5h8c"), "R5.1"),
        (select("Js"), None),
    ],
)
def test_why_not_names_the_rule(selection: Selection, rule: str | None) -> None:
    _play, refusal = why_not(TABLE, selection)
    assert (RULE_OF[refusal] if refusal else None) == rule


def test_every_legal_play_is_reached_by_selecting_what_it_uses() -> None:
    for seed in range(60):
        here = wire.read_position(random_position(random.Random(seed)))
        if count_legal_plays(here) > 300:
            continue
        for play in legal_plays(here):
            selection = Selection(play.card, play.loose, play.piles)
            assert play in exact_plays(here, selection)
            assert play in fitting_plays(here, selection)
            assert why_not(here, selection)[1] is Refusal.NONE


def test_a_table_with_very_many_plays_is_not_listed() -> None:
    wide = position("Td8cKs", "AcAdAhAs2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h6c6d6h7c7d8d9c9d9h")
    assert list(map(format_play, fitting_plays(wide, select("Td", "AcAd8d")))) == ["TdxAcAd8d"]
    assert [fitting_plays(wide, Selection(card)) for card in cards_in(1 << 51)] == [
        exact_plays(wide, Selection(51))
    ]
