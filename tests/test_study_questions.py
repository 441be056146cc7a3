"""The questions of the study, on small frames whose answers are known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from diloti.core.cards import PACK_SIZE, TEN_OF_DIAMONDS, mask_of
from diloti.core.notation import parse_card
from diloti.core.scoring import card_points
from diloti.lab.study.card_questions import (
    card_kinds,
    card_values_table,
    declarations_table,
    fates_table,
    plays_table,
)
from diloti.lab.study.estimates import Cell, Estimate, Table
from diloti.lab.study.findings import (
    CONFIRMED,
    EVIDENCE,
    REFUTED,
    UNMEASURED,
    advice_table,
    lone_card_table,
)
from diloti.lab.study.questions import (
    base_table,
    first_side_table,
    leftovers_table,
    lengths_table,
    luck_table,
    points_distribution,
    points_table,
    skill_table,
    switches_table,
)
from diloti.lab.study.turns import turns_of, with_play_counts
from diloti.words.advice import ADVICE
from tests.study_frames import deal, deals_of, play, plays_of


def cell(table: Table, heading: str, *, row: str | None = None) -> Cell:
    column = [column.heading for column in table.columns].index(heading)
    [found] = [cells[column] for cells in table.rows if row in (None, cells[0])]
    return found


def value(table: Table, heading: str, *, row: str | None = None) -> float:
    found = cell(table, heading, row=row)
    assert isinstance(found, Estimate)
    return found.value


def test_who_plays_first_is_ahead_whichever_side_it_is() -> None:
    deals = deals_of(
        deal(0, leader=0, points_0=10, points_1=4),
        deal(1, leader=1, points_0=3, points_1=5),
        deal(2, leader=1, points_0=6, points_1=5),
        deal(3, leader=0, points_0=7, points_1=7),
    )
    table = first_side_table({"x": deals})
    assert value(table, "points that the first side is ahead") == pytest.approx((6 + 2 - 1) / 4)
    assert value(table, "deals won by the first side") == 0.5
    assert value(table, "by the dealer's side") == 0.25
    assert value(luck_table({"x": deals}), "points between the sides") == pytest.approx(9 / 4)


def test_points_xeri_and_even_cards() -> None:
    deals = deals_of(
        deal(0, points_0=11, points_1=0, cards_0=30, cards_1=22),
        deal(1, points_0=3, points_1=24, cards_0=26, cards_1=26, xeri_1=2),
    )
    table = points_table({"x": deals})
    assert value(table, "points a side") == pytest.approx((11 + 27) / 4)
    assert value(table, "xeri a deal, both sides") == 1
    assert value(table, "deals without a xeri") == 0.5
    assert value(table, "26 : 26 cards") == 0.5
    counts = points_distribution(deals).rows
    assert [points for points, sides in counts if sides] == [0, 3, 11, 24]


def test_a_match_is_as_long_as_its_deals() -> None:
    deals = deals_of(
        deal(0, deal=0, leader=1),
        deal(0, deal=1, leader=0),
        deal(0, deal=2, leader=1, winner=1),
        deal(1, deal=0, leader=0, winner=1),
    )
    table = lengths_table({"61": deals})
    assert cell(table, "matches") == 2
    assert value(table, "deals a match") == 2
    assert value(table, "won by the side that plays first in the first deal") == 0.5


def test_leftovers_go_to_a_side_or_to_nobody() -> None:
    deals = deals_of(
        deal(0, leader=0, leftovers=6, leftovers_side=0),
        deal(1, leader=1, leftovers=4, leftovers_side=0),
        deal(2, leader=1, leftovers=2, leftovers_side=-1),
        deal(3, leader=1, leftovers=0, leftovers_side=-1),
    )
    table = leftovers_table({"x": deals})
    assert value(table, "cards left") == 3
    assert value(table, "none") == 0.25
    assert value(table, "5 or more") == 0.25
    assert value(table, "where some are left, the first side gets them") == pytest.approx(1 / 3)
    assert value(table, "the dealer's side or nobody") == pytest.approx(2 / 3)


def test_switches_are_compared_on_the_same_packs() -> None:
    plays = plays_of([play("trail", "2c")])
    base = deals_of(*(deal(n, points_0=n, cards_0=30) for n in range(10)))
    more = deals_of(*(deal(n, points_0=n + 2 * (n < 2), cards_0=30) for n in range(4)))
    before, after = with_play_counts(base, plays), with_play_counts(more, plays)
    table = switches_table(before, {"more": after, "nothing": before.head(5)})
    assert cell(table, "deals", row="more") == 4
    assert value(table, "points a side", row="more") == pytest.approx(0.5)
    assert value(table, "lead of the first side", row="more") == pytest.approx(1)
    assert value(table, "deals that end otherwise", row="more") == 0.5
    assert value(table, "deals that end otherwise", row="nothing") == 0
    assert np.isnan(value(table, "points a side", row="nothing"))
    assert value(base_table({"x": before}), "points a side") == pytest.approx(4.5 / 2)


def test_the_better_player_changes_sides_within_a_pair() -> None:
    leads = [(8, -4), (0, 0), (2, 2), (6, -6)]  # side 0 less side 1, both games of a pair
    games = [lead for pair in leads for lead in pair]
    deals = deals_of(
        *(deal(n, points_0=max(lead, 0), points_1=max(-lead, 0)) for n, lead in enumerate(games))
    )
    table = skill_table({"x": deals})
    pairs = [6.0, 0.0, 0.0, 6.0]
    assert value(table, "lead a deal") == pytest.approx(3)
    assert value(table, "of the mean of two with one pack") == pytest.approx(np.std(pairs, ddof=1))
    needed = cell(table, "in pairs with one pack")
    assert isinstance(needed, Estimate)
    assert needed.value == pytest.approx(2 * (1.6449 * np.std(pairs, ddof=1) / 3) ** 2, rel=1e-3)
    assert needed.high == np.inf  # four pairs do not tell who is better


def test_kinds_of_cards_are_the_pack() -> None:
    kinds = card_kinds()
    assert sum(kinds.values()) == (1 << PACK_SIZE) - 1
    assert kinds["10♦"] == TEN_OF_DIAMONDS
    assert kinds["other 2"].bit_count() == 3


def random_deals(count: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Deals in which only the cards of each side count, and plays that say who held which."""
    dice = np.random.default_rng(3)
    deals, games = [], []
    for number in range(count):
        cards = dice.permutation(PACK_SIZE)
        share = int(dice.integers(20, 33))
        sides = mask_of(cards[:share]), mask_of(cards[share:])
        points = [card_points(side) for side in sides]
        deals.append(
            deal(
                number,
                leader=number % 2,
                captured_0=sides[0],
                captured_1=sides[1],
                points_0=points[0],
                points_1=points[1],
            )
        )
        games.append([play("trail", "Td", seat=int(bool(sides[1] & TEN_OF_DIAMONDS)))])
    return plays_of(*games), deals_of(*deals)


def test_a_card_brings_its_own_points_and_nothing_else_where_nothing_else_counts() -> None:
    plays, deals = random_deals(120)
    table = card_values_table(turns_of(plays, deals), deals)
    for name, own in (("A", 1), ("2♣", 1), ("10♦", 2), ("K", 0), ("other 10", 0)):
        assert cell(table, "own points", row=name) == own
        assert value(table, "lead for capturing it", row=name) == pytest.approx(own, abs=1e-6)
        assert value(table, "besides its own points", row=name) == pytest.approx(0, abs=1e-6)
    held = np.where(deals["captured_0"].to_numpy() & TEN_OF_DIAMONDS, 1, -1)
    lead = deals["points_0"].to_numpy().astype(int) - deals["points_1"].to_numpy().astype(int)
    dealt = value(table, "lead for being dealt it", row="10♦")
    assert dealt == pytest.approx((held * lead).mean())
    assert np.isnan(value(table, "lead for being dealt it", row="K"))  # nobody was


def piles_of_four() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Four deals: a pile is taken by its owner, stolen, raised and taken, joined and left over."""
    eight, nine, family = ("3d5s", 8, 1), ("Ah3d5s", 9, 0), ("+2h6h3d5s", 8, 1)
    plays = plays_of(
        [
            play("declare", "3d", seat=1, loose="5s"),
            play("trail", "Kh", piles=(eight,)),
            play("capture", "8c", seat=1, loose="Kh", piles=(eight,), taken="3d5s"),
        ],
        [
            play("declare", "3d", seat=1, loose="5s"),
            play("capture", "8c", seat=0, piles=(eight,), taken="3d5s"),
        ],
        [
            play("declare", "3d", seat=1, loose="5s"),
            play("raise", "Ah", seat=0, piles=(eight,)),
            play("trail", "Kh", seat=1, piles=(nine,)),
            play("capture", "9h", seat=2, loose="Kh", piles=(nine,), taken="Ah3d5s"),
        ],
        [
            play("declare", "3d", seat=1, loose="5s2h"),
            play("trail", "Kh", loose="2h", piles=(eight,)),
            play("declare", "6h", seat=1, loose="2hKh", piles=(eight,)),
            play("capture", "Kd", loose="Kh", piles=(family,), taken="Kh"),
        ],
    )
    return plays, deals_of(*map(deal, range(4)))


def test_piles_are_followed_to_their_end() -> None:
    plays, deals = piles_of_four()
    turns = turns_of(plays, deals)
    fates = fates_table(turns, deals)
    of_five = {
        "captured by its owner": 1,
        "captured by the owner's partner": 1,
        "captured by the other side": 1,
        "joined by the owner's side": 1,
        "joined by the other side": 0,
        "raised by the owner's side": 0,
        "raised by the other side": 1,
        "left over": 0,
        "stolen: captured, joined or raised by the other side": 2,
    }
    found = {str(row[0]): value(fates, "plain", row=str(row[0])) for row in fates.rows}
    assert found == pytest.approx({fate: count / 5 for fate, count in of_five.items()})
    assert value(fates, "family", row="left over") == 1
    made = declarations_table(turns, deals)
    assert value(made, "a deal", row="plain") == 5 / 4
    assert value(made, "a deal", row="family") == 1 / 4
    assert value(made, "turns that one lies there", row="plain") == pytest.approx(8 / 5)
    assert value(plays_table(turns, deals), "a deal", row="declare") == 5 / 4


def lone_cards() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Two lone jacks: one whose like are unseen, taken for a xeri, and one that is the last."""
    plays = plays_of(
        [
            play("trail", "Jh", seat=0, hand="2d"),
            play("capture", "Js", seat=1, loose="Jh", taken="Jh", xeri=True),
            play("trail", "9d", seat=0, hand="2d"),
            play("trail", "2d", seat=1, loose="9d"),
        ],
        [
            play("capture", "Jh", seat=0, hand="2d", loose="Js", taken="Js"),
            play("trail", "Jd", seat=1, hand="Jc"),
            play("trail", "2d", seat=0, loose="Jd"),
        ],
    )
    deals = deals_of(deal(0, captured_1="JhJs"), deal(1, captured_1="JdJc"))
    return plays, deals


def test_lone_cards_are_counted_by_what_the_player_has_seen() -> None:
    plays, deals = lone_cards()
    turns = turns_of(plays, deals)
    table = lone_card_table(turns, deals)
    assert cell(table, "times", row="J, Q, K") == 2
    assert value(table, "none of its rank seen", row="J, Q, K") == 1
    assert value(table, "3 of its rank seen", row="J, Q, K") == 0
    assert np.isnan(value(table, "1 of its rank seen", row="J, Q, K"))
    assert value(table, "none of its rank seen", row="8 – 10") == 0


def figure_of(piece: str, plays: pl.DataFrame, deals: pl.DataFrame, *, number: int = 0) -> float:
    evidence = [evidence for evidence in EVIDENCE if evidence.piece == piece][number]
    assert evidence.measure is not None
    return evidence.measure(turns_of(plays, deals), deals).value


def test_advice_about_lone_cards_and_courts() -> None:
    plays, deals = lone_cards()
    assert figure_of("lone", plays, deals) == pytest.approx(1 / 2)  # 1 of 2 less 0 of 1
    assert figure_of("courts", plays, deals, number=1) == 1
    assert figure_of("gone", plays, deals) == 1  # the last jack is kept, the first was lost


def test_advice_about_xeri_and_counting() -> None:
    none = plays_of([play("trail", "2c")])
    deals = deals_of(
        deal(0, xeri_0=1, points_0=14, points_1=7, cards_0=23, cards_1=29),
        deal(1, xeri_1=1, points_0=11, points_1=10, cards_0=40, cards_1=12),
        deal(2, xeri_0=1, points_0=10, points_1=10, cards_0=26, cards_1=26),
        deal(3, points_0=9, points_1=2, cards_0=30, cards_1=22, leftovers=5),
    )
    assert figure_of("xeri", none, deals) == pytest.approx(1 / 3)
    assert figure_of("count", none, deals) == 0.5
    assert figure_of("last", none, deals) == 0.25


def test_advice_about_what_is_laid_and_declared() -> None:
    plays = plays_of(
        [
            play("trail", "4c", seat=0, loose="5h"),
            play("capture", "9d", seat=1, loose="5h4c", taken="5h4c"),
            play("trail", "Td", seat=0, loose="9h", legal=1),
            play("capture", "Ts", seat=1, loose="9hTd", taken="Td"),
            play("trail", "8s", seat=0, loose="9h", hand="2c"),
            play("declare", "Ac", seat=1, loose="8s9h2h", hand="3c"),
            play("trail", "Qs", seat=0, loose="8s9h", piles=(("Ac2h", 3, 1),), hand="3h"),
            play(
                "trail", "Ks", seat=1, loose="8s9hQs", piles=(("Ac2h", 3, 1),), hand="3c", legal=2
            ),
            play("raise", "5d", seat=0, loose="8s9hQsKs", piles=(("Ac2h", 3, 1),), hand="8h"),
        ],
        [play("trail", "Td", seat=0, loose="ThTsTc"), play("trail", "Qd", seat=1)],
    )
    deals = deals_of(
        deal(0, captured_0="5d8h", captured_1="9d5h4cTsTdAc2h8s"), deal(1, captured_0="Td")
    )
    assert figure_of("sums", plays, deals) == pytest.approx(1 - 1 / 3)  # of 8s and two Td one
    assert figure_of("ten", plays, deals) == 0
    assert figure_of("block", plays, deals) == pytest.approx(1 - 1 / 4)
    assert figure_of("bound", plays, deals) == 1
    assert figure_of("raise", plays, deals) == 1


def test_every_piece_of_advice_has_a_verdict() -> None:
    plays, deals = lone_cards()
    table = advice_table(turns_of(plays, deals), deals)
    named = dict.fromkeys(evidence.piece for evidence in EVIDENCE)
    assert list(named) == [piece.name for piece in ADVICE]
    assert len(table.rows) == len(EVIDENCE)
    assert {row[-1] for row in table.rows} <= {CONFIRMED, REFUTED, UNMEASURED}


def test_a_verdict_wants_the_whole_interval() -> None:
    [evidence] = [evidence for evidence in EVIDENCE if evidence.piece == "last"]
    assert evidence.bound == "above 25%"
    assert evidence.verdict(Estimate(0.3, 0.26, 0.34, 99)) == CONFIRMED
    assert evidence.verdict(Estimate(0.3, 0.24, 0.36, 99)) == REFUTED
    [evidence] = [evidence for evidence in EVIDENCE if evidence.piece == "ten"]
    assert evidence.bound == "below 50%"
    assert evidence.verdict(Estimate(0.3, 0.2, 0.4, 99)) == CONFIRMED


def test_cards_and_masks_agree() -> None:
    plays = plays_of([play("trail", "Td", hand="Ks"), play("trail", "Ks", seat=1, loose="Td")])
    turns = turns_of(plays, deals_of(deal(captured_0="Td")))
    assert turns["mask"].to_list() == [1 << parse_card("Td"), 1 << parse_card("Ks")]
    assert turns["kept"].to_list() == [True, False]
    assert turns["seen"].to_list() == [mask_of([37, 51]), mask_of([37, 51])]
    assert turns["left"].to_list() == [1 << 37, None]
