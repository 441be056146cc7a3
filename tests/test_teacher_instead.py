"""What is legal instead of a play that is not."""

from __future__ import annotations

import random

import pytest

from diloti.core import wire
from diloti.core.legality import IllegalPlay, check_play, refusal_of
from diloti.core.notation import format_play, parse_play
from diloti.core.plays import Play, count_legal_plays, legal_plays
from diloti.core.position import Position
from diloti.core.view import view_of
from diloti.teacher.instead import MOST_INSTEAD, instead_of, instead_of_refused
from tests.setting import position
from tests.strategies import random_position
from tests.thinking import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="what thinks takes long interpreted")

WIDE = "AcAdAhAs2c2d2h2s3c3d3h3s4c4d4h4s5c5d5h6c6d6h7c7d8d9c9d9h"


def instead(here: Position, text: str) -> list[str]:
    return [*map(format_play, instead_of(view_of(here, 0), parse_play(text)))]


def test_without_the_card_to_keep_one_captures_with_it() -> None:
    here = position("5c9dKs", "5h3dKc")
    assert instead(here, "5c+5h=10") == ["5cx5h", "5c"]
    assert instead(here, "5c+3d=8") == ["5c", "5cx5h"]


def test_who_owes_a_capture_hears_what_pays() -> None:
    here = position("8c8h2d", "6s", piles=[(0, 8, "3d5s")])
    assert instead(here, "2d") == ["2d+6s[3d5s]=8"]


def test_the_same_kind_comes_first() -> None:
    here = position("8d", "8c5h3cAh7d")
    assert instead(here, "8dx8c5h") == ["8dx3c5h8c", "8dxAh3c5h7d8c", "8dx8c"]


def test_a_card_of_somebody_else_leads_to_the_same_table_cards() -> None:
    here = position("6h9d", "6d2c4s")
    assert instead(here, "6cx6d") == ["6hx6d", "6hx2c4s6d"]
    assert instead(here, "Kc")


def test_a_table_with_very_many_plays_is_answered_from_nearby() -> None:
    here = position("Td8cKs", WIDE)
    assert count_legal_plays(here) > 2000
    found = instead(here, "TdxAcAd9c")
    assert len(found) == MOST_INSTEAD
    assert found[0].startswith("TdxAcAd9c")
    assert not any(refusal_of(here, parse_play(text)) for text in found)


def test_out_of_turn_there_is_nothing() -> None:
    here = position("6h", "4s")
    assert instead_of(view_of(here, 1), parse_play("6h")) == ()


def test_whoever_was_refused_hears_of_it_by_their_own_cards() -> None:
    here = position("8c8h2d", "6s", piles=[(0, 8, "3d5s")], others=["Td"])
    with pytest.raises(IllegalPlay) as refused:
        check_play(here, parse_play("2d"))
    assert [*map(format_play, instead_of_refused(refused.value))] == ["2d+6s[3d5s]=8"]


def test_all_are_legal_near_and_few() -> None:
    for seed in range(10 if INTERPRETED else 150):
        dice = random.Random(f"instead {seed}")
        here = wire.read_position(random_position(dice))
        if here.turn is None or count_legal_plays(here) > 300:
            continue
        legal = legal_plays(here)
        for _ in range(4):
            wish = wished(here, dice)
            if not refusal_of(here, wish):
                continue
            found = instead_of(view_of(here, here.turn), wish)
            assert 0 < len(found) <= MOST_INSTEAD
            assert {*found} <= {*legal}
            best = max(shared(play, wish) for play in legal)
            assert shared(found[0], wish) == best
            assert [shared(play, wish) for play in found] == sorted(
                (shared(play, wish) for play in found), reverse=True
            )


def wished(here: Position, dice: random.Random) -> Play:
    """A play of a card in hand with some cards of the table, whatever the rules say."""
    assert here.turn is not None
    hand = [card for card in range(52) if here.hands[here.turn] >> card & 1]
    loose = sum(1 << card for card in range(52) if here.loose >> card & 1 and dice.random() < 0.4)
    return Play(dice.randrange(3), dice.choice(hand), loose, (), dice.randint(1, 10))


def shared(one: Play, other: Play) -> int:
    mask = (1 << one.card | one.loose | one.pile_cards) & (
        1 << other.card | other.loose | other.pile_cards
    )
    return mask.bit_count()
