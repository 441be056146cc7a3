"""What the advice of the rule book is worth: each piece in a form that can be measured.

The bounds are conventions. A piece that is not confirmed may still be good advice: the bots may not
play by it, or the figure may not be what it means.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from diloti.core.cards import COURTS, JACK, SUITS, TEN_OF_DIAMONDS
from diloti.lab.study.estimates import (
    Cell,
    Column,
    Estimate,
    Table,
    share_difference,
    share_of,
)
from diloti.lab.study.questions import MANY_LEFTOVERS
from diloti.lab.study.turns import by_deal, count_cards, equals_of, lone_cards
from diloti.words.advice import ADVICE

CONFIRMED, REFUTED, UNMEASURED = "confirmed", "not confirmed", "not measured"

_TEN_OF_DIAMONDS = TEN_OF_DIAMONDS.bit_length() - 1
_IS_COURT = pl.col("card") >= JACK * SUITS
_TAKEN_AT_ONCE = (pl.col("next_taken") & pl.col("mask")) != 0


@dataclass(frozen=True)
class Evidence:
    """What can be counted of a piece of advice, and when that confirms it."""

    piece: str
    """The name of the piece in `diloti.words.advice`."""
    figure: str
    """What is counted, in words."""
    measure: Callable[[pl.DataFrame, pl.DataFrame], Estimate] | None = None
    """From the turns and deals of a data set; None where nothing here could show it."""
    above: float = -math.inf
    below: float = math.inf
    """The whole interval must be between these."""
    is_difference: bool = False

    def verdict(self, estimate: Estimate) -> str:
        """What an estimate says about the advice."""
        return CONFIRMED if self.above < estimate.low and estimate.high < self.below else REFUTED

    @property
    def bound(self) -> str:
        """The bound in words."""
        if self.is_difference:
            return "above 0"
        return f"below {self.below:.0%}" if self.below < math.inf else f"above {self.above:.0%}"


def advice_table(turns: pl.DataFrame, deals: pl.DataFrame) -> Table:
    """Every piece of advice with its evidence and verdict, in the order of the rule book."""
    titles = {piece.name: piece.title for piece in ADVICE}
    rows: list[tuple[Cell, ...]] = []
    for evidence in EVIDENCE:
        said = titles[evidence.piece], evidence.figure
        if evidence.measure is None:
            rows.append((*said, "–", "–", "–", UNMEASURED))
            continue
        found = evidence.measure(turns, deals)
        figures = ("–", found) if evidence.is_difference else (found, "–")
        rows.append((*said, *figures, evidence.bound, evidence.verdict(found)))
    return Table(
        (
            Column("advice"),
            Column("measured"),
            Column("share", "share"),
            Column("difference", "signed share"),
            Column("confirmed if"),
            Column("verdict"),
        ),
        tuple(rows),
    )


def _share(deals: pl.DataFrame, cases: pl.DataFrame, hit: pl.Expr) -> Estimate:
    """The share of some plays that are hits."""
    return share_of(by_deal(deals, cases.filter(hit)), by_deal(deals, cases))


def _more(deals: pl.DataFrame, cases: pl.DataFrame, others: pl.DataFrame, hit: pl.Expr) -> Estimate:
    """By how much the share of hits is larger among some plays than among others."""
    return share_difference(
        by_deal(deals, cases.filter(hit)),
        by_deal(deals, cases),
        by_deal(deals, others.filter(hit)),
        by_deal(deals, others),
    )


def _more_xeri_wins(_turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    uneven = deals.filter(pl.col("xeri_0") != pl.col("xeri_1"))
    xeri = uneven["xeri_0"] > uneven["xeri_1"]
    points = uneven["points_0"] > uneven["points_1"]
    even = uneven["points_0"] == uneven["points_1"]
    return share_of(((xeri == points) & ~even).to_numpy(), np.ones(len(uneven)))


def _lone_rather_seen(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    lone = lone_cards(turns)
    seen = pl.col("gone") >= 2
    return _more(deals, lone.filter(~seen), lone.filter(seen), pl.col("next_xeri"))


def _lone_rather_high(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    """Two loose numerals of different ranks that no card can take together."""
    clear = turns.filter(pl.col("left_piles") == 0)
    cards = pl.col("left")
    low = cards & (~cards + 1)
    high = cards - low
    two = (count_cards(cards) == 2) & (cards & pl.lit(COURTS, pl.UInt64) == 0)
    ranks = [_rank_of(card) for card in (low, high)]
    pairs = clear.filter(two).filter(ranks[0] != ranks[1], ranks[0] + ranks[1] + 2 > 10)
    return _more(deals, lone_cards(turns), pairs, pl.col("next_xeri"))


def _rank_of(mask: pl.Expr) -> pl.Expr:
    """The rank of the only card of a mask."""
    return (mask - 1).bitwise_count_ones() // SUITS


def _laid_numerals(turns: pl.DataFrame) -> pl.DataFrame:
    """Numerals laid beside others, with `adds_up`: whether one of these makes a sum up to ten."""
    laid = turns.filter(pl.col("kind") == "trail", ~_IS_COURT, pl.col("left").is_not_null())
    value = pl.col("card") // SUITS + 1
    partners = pl.lit(16, pl.UInt64).pow((10 - value).cast(pl.UInt64)) - 1
    numerals = pl.col("loose") & pl.lit(~COURTS & (1 << 52) - 1, pl.UInt64)
    return laid.filter(numerals != 0).with_columns(adds_up=(numerals & partners) != 0)


def _sums_are_taken(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    laid = _laid_numerals(turns)
    return _more(deals, laid.filter("adds_up"), laid.filter(~pl.col("adds_up")), _TAKEN_AT_ONCE)


def _laid_ten_is_kept(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    laid = turns.filter(pl.col("kind") == "trail", pl.col("card") == _TEN_OF_DIAMONDS)
    unseen = count_cards(pl.col("seen") & equals_of(pl.col("card"))) < SUITS
    return _share(deals, laid.filter(unseen), pl.col("kept"))


def _close_cards(_turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    """A capture of five instead of two moves three cards from side to side."""
    close = (deals["cards_0"].cast(pl.Int32) - 26).abs() <= 3
    return share_of(close.to_numpy(), np.ones(len(deals)))


def _declared_is_kept(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    declared = turns.filter(pl.col("kind") == "declare")
    laid = turns.filter(pl.col("kind") == "trail", ~_IS_COURT)
    return _more(deals, declared, laid, pl.col("kept"))


def _bound_has_few(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    """Among turns with cards to choose from and something on the table."""
    choosing = turns.filter(count_cards(pl.col("hand")) >= 2, pl.col("loose") != 0)
    bound = pl.col("own_pile")
    return _more(deals, choosing.filter(bound), choosing.filter(~bound), pl.col("legal_count") <= 2)


def _raised_is_kept(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    return _share(deals, turns.filter(pl.col("kind") == "raise"), pl.col("kept"))


def _laid_court_stays(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    laid = turns.filter(
        pl.col("kind") == "trail", pl.col("loose") != 0, pl.col("left").is_not_null()
    )
    return _more(deals, laid.filter(~_IS_COURT), laid.filter(_IS_COURT), _TAKEN_AT_ONCE)


def _lone_court_rather_gone(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    lone = lone_cards(turns).filter(pl.col("rank") >= JACK)
    gone = pl.col("gone") == 3
    return _more(deals, lone.filter(~gone), lone.filter(gone), pl.col("next_xeri"))


def _safe_court_is_kept(turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    laid = turns.filter(pl.col("kind") == "trail", _IS_COURT)
    safe = count_cards(pl.col("seen") & equals_of(pl.col("card"))) == SUITS
    return _more(deals, laid.filter(safe), laid.filter(~safe), pl.col("kept"))


def _many_are_left(_turns: pl.DataFrame, deals: pl.DataFrame) -> Estimate:
    many = (deals["leftovers"] >= MANY_LEFTOVERS).to_numpy()
    return share_of(many, np.ones(len(deals)))


EVIDENCE: tuple[Evidence, ...] = (
    Evidence(
        "xeri",
        "deals that the side with more xeri wins, where one has more",
        _more_xeri_wins,
        above=0.9,
    ),
    Evidence(
        "lone",
        "xeri right after a lone card is left of whose rank the player has seen at most one other,"
        " less those where two or three others",
        _lone_rather_seen,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "lone",
        "xeri right after a lone card is left, less those after two numerals of different ranks"
        " that add up to more than ten",
        _lone_rather_high,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "sums",
        "laid numerals that the next player takes, where one lay there that makes up to ten with"
        " it, less those where none did",
        _sums_are_taken,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "ten",
        "tens of diamonds laid while another ten was unseen that the same side has in the end",
        _laid_ten_is_kept,
        below=0.5,
    ),
    Evidence(
        "count",
        "deals in which three cards more for one side decide who has more, or whether anybody has",
        _close_cards,
        above=0.2,
    ),
    Evidence(
        "block",
        "cards played to declare that the same side has in the end, less those of laid numerals",
        _declared_is_kept,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "bound",
        "turns with at most two legal plays, of those who own a pile, less those of who owns none",
        _bound_has_few,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "raise",
        "cards played to raise that the same side has in the end",
        _raised_is_kept,
        above=0.5,
    ),
    Evidence(
        "courts",
        "laid numerals that the next player takes, less those of laid courts, where cards lie",
        _laid_court_stays,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "courts",
        "xeri right after a lone court is left of whose rank others are unseen, less those where"
        " none is",
        _lone_court_rather_gone,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "gone",
        "laid courts that the same side has in the end where the player has seen all of the rank,"
        " less those of other laid courts",
        _safe_court_is_kept,
        above=0,
        is_difference=True,
    ),
    Evidence(
        "last",
        f"deals in which {MANY_LEFTOVERS} cards or more are left over",
        _many_are_left,
        above=0.25,
    ),
    Evidence("end", "no figure here can tell: who solves the last hand here is stronger anyway"),
)
"""What is counted for each piece, in the order of the rule book; a piece may have several."""

_GROUPS = (("A", 0, 0), ("2 – 4", 1, 3), ("5 – 7", 4, 6), ("8 – 10", 7, 9), ("J, Q, K", 10, 12))


def lone_card_table(turns: pl.DataFrame, deals: pl.DataFrame) -> Table:
    """How often a lone card is taken for a xeri at once, by rank and by how many have been seen."""
    lone = lone_cards(turns)
    rows: list[tuple[Cell, ...]] = []
    for name, least, most in _GROUPS:
        ranked = lone.filter(pl.col("rank").is_between(least, most))
        shares = [
            _share(deals, ranked.filter(pl.col("gone") == gone), pl.col("next_xeri"))
            for gone in range(SUITS)
        ]
        rows.append((name, len(ranked), *shares))
    return Table(
        (
            Column("lone card"),
            Column("times", "count"),
            *(Column(f"{gone} of its rank seen", "share") for gone in ("none", 1, 2, 3)),
        ),
        tuple(rows),
    )
