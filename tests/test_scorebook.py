"""The score sheet: what deals count, what cannot be, and devices that write on one sheet."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import count as numbers_from
from itertools import permutations, product
from typing import Any

import pytest

from diloti.core.cards import ACES, TEN_OF_DIAMONDS, TWO_OF_CLUBS
from diloti.core.errors import DilotiError
from diloti.core.position import Position
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.scoring import score_deal
from diloti.core.wire import read_rules
from diloti.scorebook.book import Book
from diloti.scorebook.count import (
    MOST_XERI,
    NOTHING,
    REFUSALS,
    DealCount,
    ScorebookError,
    read_count,
    refusal_of,
    score_count,
    shared_points,
    write_count,
)
from diloti.scorebook.entries import (
    MOST_ENTRIES,
    Entries,
    Entry,
    Setup,
    first_entries,
    join,
    read_entries,
    write_entries,
)
from diloti.scorebook.scribe import Scribe
from diloti.scorebook.telling import book_lines, book_sides, book_table, refuse
from diloti.words import LANGUAGES, Words
from diloti.words.printable import cell_text
from tests.matches import deal_next, new_match, pick
from tests.strategies import random_rules

SETUP = Setup(("Anna", "Boris"), CLASSIC)
START = first_entries(SETUP, name="setup")
GOOD = DealCount((28, 24), (3, 1), 0, 1, (0, 1))
"""Anna has 9 points, Boris 12."""


def scribe(entries: Entries = START, name: str = "a") -> Scribe:
    names = numbers_from(1)
    return Scribe(entries, lambda: f"{name}{next(names)}")


def plain(first: int, second: int, xeri: tuple[int, int] = (0, 0)) -> DealCount:
    """Side 0 takes the ten, side 1 the two, aces are even."""
    return DealCount((first, second), (2, 2), 0, 1, xeri)


# --- R11: points, and the sum that people check ------------------------------------------


def recounted(count: DealCount, side: int) -> int:
    """The points of a side by the table of R11, xeri left out."""
    points = 4 if count.cards[side] > 26 else 0
    return points + count.aces[side] + 2 * (count.ten == side) + (count.two == side)


def test_r11_the_sides_share_11_points_or_7_however_the_cards_are_distributed() -> None:
    seen = 0
    for cards, aces, ten, two in product(range(53), range(5), (0, 1), (0, 1)):
        count = DealCount((cards, 52 - cards), (aces, 4 - aces), ten, two)
        if refusal_of(count, CLASSIC):
            continue
        sheets = score_count(CLASSIC, count).sheets
        assert shared_points(sheets) == (7 if cards == 26 else 11), count
        assert [sheet.total for sheet in sheets] == [recounted(count, side) for side in (0, 1)]
        seen += 1
    assert seen > 900


@pytest.mark.parametrize("points", [(10, 0), (5, 5), (0, 3)])
def test_r11_xeri_and_xeristaki_come_on_top(points: tuple[int, int]) -> None:
    rules = replace(CLASSIC, xeri_points=points[0], xeristaki_points=points[1])
    count = replace(GOOD, xeri=(2, 3), xeristaki=(1, 0))
    first, second = score_count(rules, count).sheets
    assert shared_points((first, second)) == 11
    assert (first.xeri, first.xeristaki) == (2 * points[0], points[1])
    assert (second.xeri, second.xeristaki) == (3 * points[0], 0)


def test_r14_11_the_worked_example() -> None:
    count = DealCount((28, 24), (2, 2), 0, 1, (1, 0))
    assert score_count(CLASSIC, count).sheets[0].total == 18


# --- What can be -------------------------------------------------------------------------


def count_of(position: Position) -> DealCount:
    """What people would count after a deal."""
    captured = position.captured
    if not any(captured):
        return NOTHING

    def holder(card: int) -> int:
        return 0 if captured[0] & card else 1

    return DealCount(
        cards=(captured[0].bit_count(), captured[1].bit_count()),
        aces=((captured[0] & ACES).bit_count(), (captured[1] & ACES).bit_count()),
        ten=holder(TEN_OF_DIAMONDS),
        two=holder(TWO_OF_CLUBS),
        xeri=position.xeri,
        xeristaki=position.xeristaki,
    )


def played_deals(seeds: range, bots: tuple[str, ...]) -> Iterator[tuple[Rules, Position]]:
    for seed in seeds:
        rng = random.Random(seed)
        written: dict[str, Any] = random_rules(rng) if seed % 4 else {"base": "classic"}
        rules = replace(read_rules(written), xeristaki_points=rng.choice((0, 5)))
        match = new_match(rng, rules)
        deal_next(rng, match)
        while match.turn is not None:
            match.play(pick(rng, match, rng.choice(bots)))
        yield rules, match.position


def check_played(seeds: range) -> None:
    for rules, position in played_deals(seeds, ("random", "greedy")):
        count = count_of(position)
        if not rules.xeristaki_points:
            count = replace(count, xeristaki=(0, 0))
        assert refusal_of(count, rules) is None, (rules, count)
        assert score_count(rules, count, position.scores).sheets == score_deal(position).sheets
        assert score_count(rules, count, position.scores).scores == score_deal(position).scores


def test_no_deal_that_was_played_is_refused() -> None:
    check_played(range(60))


@pytest.mark.proof
def test_no_deal_of_many_that_were_played_is_refused() -> None:
    check_played(range(1000, 4000))


POSSIBLE = [
    DealCount((52, 0), (4, 0), 0, 0),
    DealCount((0, 52), (0, 4), 1, 1, (0, MOST_XERI)),
    DealCount((2, 50), (0, 4), 1, 1),  # a pair of jacks
    DealCount((2, 50), (2, 2), 1, 1),  # a pair of aces
    DealCount((2, 50), (0, 4), 0, 1, (1, 0)),  # the ten of diamonds and another ten: a xeri
    DealCount((3, 49), (1, 3), 1, 0),  # 3 takes A and 2
    DealCount((3, 49), (3, 1), 1, 1),  # a pair of aces, and one that was left over
    DealCount((4, 48), (2, 2), 0, 1, (2, 0)),  # aces, and tens: two xeri
    DealCount((5, 47), (1, 3), 0, 0, (2, 0)),
    DealCount((27, 25), (4, 0), 1, 1),
    DealCount((26, 26), (2, 2), 0, 1, (13, 11)),
]


@pytest.mark.parametrize("count", POSSIBLE)
def test_what_can_be_is_taken(count: DealCount) -> None:
    assert refusal_of(count, CLASSIC) is None


IMPOSSIBLE = {
    "cards": [((53, 0), (4, 0)), ((30, 23), (2, 2)), ((0, 51), (0, 4)), ((26, 25), (2, 2))],
    "aces": [((26, 26), (3, 2)), ((26, 26), (0, 0)), ((26, 26), (5, 0))],
    "one": [((1, 51), (0, 4)), ((51, 1), (3, 1))],
    "good": [((3, 49), (4, 0)), ((49, 3), (0, 4))],
}


@pytest.mark.parametrize(
    ("name", "cards", "aces"),
    [(name, *pairs) for name, cases in IMPOSSIBLE.items() for pairs in cases],
)
def test_what_cannot_be_is_refused_with_its_reason(
    name: str, cards: tuple[int, int], aces: tuple[int, int]
) -> None:
    ten = two = 0 if cards[0] > cards[1] else 1
    refusal = refusal_of(DealCount(cards, aces, ten, two), CLASSIC)
    assert refusal is not None
    assert refusal.name == name


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("ten", replace(GOOD, ten=None)),
        ("two", replace(GOOD, two=None)),
        ("good", DealCount((0, 52), (0, 4), 0, 1)),  # the ten of diamonds without a card
        ("good", DealCount((52, 0), (4, 0), 0, 1)),
        ("good", DealCount((2, 50), (1, 3), 0, 0)),
        ("sweeps", DealCount((0, 52), (0, 4), 1, 1, (1, 0))),
        ("sweeps", DealCount((3, 49), (0, 4), 1, 1, (2, 0))),
        ("sweeps", DealCount((4, 48), (0, 4), 1, 1, (2, 0), (1, 0))),
        ("pairs", DealCount((2, 50), (1, 3), 1, 1)),
        ("pairs", DealCount((2, 50), (0, 4), 0, 0)),  # the good ten does not take the good two
        ("pairs", DealCount((2, 50), (1, 3), 0, 1, (1, 0))),
        ("pairs", DealCount((4, 48), (3, 1), 1, 1, (2, 0))),
        ("most", DealCount((52, 0), (4, 0), 0, 0, (MOST_XERI + 1, 0))),
        ("most", DealCount((26, 26), (2, 2), 0, 1, (12, 13))),
        ("nothing", replace(NOTHING, ten=0)),
        ("nothing", replace(NOTHING, aces=(2, 2))),
        ("nothing", replace(NOTHING, xeri=(1, 0))),
    ],
)
def test_the_rest_that_cannot_be_is_refused_with_its_reason(name: str, count: DealCount) -> None:
    refusal = refusal_of(count, replace(TAVERNA, xeristaki_points=5))
    assert refusal is not None
    assert refusal.name == name


def test_r10_1_nobody_captures_only_where_courts_need_not() -> None:
    refusal = refusal_of(NOTHING, CLASSIC)
    assert refusal is not None
    assert refusal.name == "nobody"
    assert refusal_of(NOTHING, TAVERNA) is None
    score = score_count(TAVERNA, NOTHING)
    assert [sheet.total for sheet in score.sheets] == [0, 0]


def test_r9_4_xeristaki_are_refused_where_there_are_none() -> None:
    count = replace(GOOD, xeristaki=(1, 0))
    refusal = refusal_of(count, CLASSIC)
    assert refusal is not None
    assert refusal.name == "xeristaki"
    assert refusal_of(count, replace(CLASSIC, xeristaki_points=5)) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_said(language: str) -> None:
    words = Words(language)
    for rules in (CLASSIC, TAVERNA):
        for cards, aces, xeri in product(range(54), range(6), (0, 2, 30)):
            count = DealCount(
                (cards, 52 - min(cards, 52)), (aces, 4 - min(aces, 4)), 0, 1, (xeri, 0)
            )
            if refusal := refusal_of(count, rules):
                said = words.error(refuse(("Anna", "Boris"), refusal))
                assert "{" not in said
    assert all(words.say(text, **dict.fromkeys(NAMES, "x")) for text in REFUSALS.values())


NAMES = ("first", "second", "sum", "pack", "name", "cards", "good", "xeri", "most")


# --- R12: totals, ties and the winner ------------------------------------------------------


def written(*counts: DealCount, rules: Rules = CLASSIC, first_dealer: int = 0) -> Book:
    names = ("Anna", "Boris", "Clio", "Dora")[: rules.players]
    pen = scribe(first_entries(Setup(names, rules, first_dealer), name="setup"))
    for count in counts:
        pen.enter(count)
    return pen.book


def test_r12_1_points_are_added_up() -> None:
    book = written(GOOD, plain(26, 26), plain(20, 32))
    assert [row.score.scores for row in book.rows] == [(9, 12), (13, 15), (17, 22)]
    assert book.winner is None


def test_r12_2_the_side_over_the_target_wins() -> None:
    book = written(plain(28, 24, (5, 0)), rules=replace(CLASSIC, target=51))
    assert (book.scores, book.winner) == ((58, 3), 0)


def test_r12_2_if_both_are_over_the_target_the_higher_total_wins() -> None:
    book = written(plain(24, 28, (2, 2)), rules=replace(CLASSIC, target=21))
    assert (book.scores, book.winner) == ((24, 27), 1)


def test_r12_2_a_tie_at_or_over_the_target_is_played_on() -> None:
    tie = DealCount((20, 32), (4, 0), 0, 0)  # 7 : 4
    other = DealCount((32, 20), (0, 4), 1, 1)  # 4 : 7
    rules = replace(CLASSIC, target=11)
    book = written(tie, other, rules=rules)
    assert (book.scores, book.winner) == ((11, 11), None)
    book = written(tie, other, tie, rules=rules)
    assert (book.scores, book.winner) == ((18, 15), 0)
    above = written(tie, other, rules=replace(CLASSIC, target=10))
    assert (above.scores, above.winner) == ((11, 11), None)


def test_what_comes_after_the_end_is_not_counted() -> None:
    book = written(plain(28, 24, (1, 0)), GOOD, rules=replace(CLASSIC, target=15))
    assert [row.is_counted for row in book.rows] == [True, False]
    assert book.scores == book.rows[0].score.scores == (18, 3)
    assert book.winner == 0


@pytest.mark.parametrize("first_dealer", range(4))
def test_r2_2_the_deal_passes_to_the_next_seat(first_dealer: int) -> None:
    book = written(*[GOOD] * 5, rules=TAVERNA, first_dealer=first_dealer)
    assert [row.dealer for row in book.rows] == [(first_dealer + deal) % 4 for deal in range(5)]
    assert book.next_dealer == (first_dealer + 5) % 4
    assert book_sides(Words("en"), book) == ("Anna and Clio", "Boris and Dora")


# --- Corrections and undo -------------------------------------------------------------------


def test_a_past_deal_is_corrected_and_all_totals_follow() -> None:
    pen = scribe()
    for _ in range(3):
        pen.enter(GOOD)
    pen.change(pen.book.rows[1].deal, plain(26, 26))
    assert [row.score.scores for row in pen.book.rows] == [(9, 12), (13, 15), (22, 27)]
    assert [entry.count for entry in pen.book.rows[1].versions] == [GOOD, plain(26, 26)]
    assert not pen.book.rows[1].rivals


def test_a_correction_can_end_a_match_and_open_it_again() -> None:
    pen = scribe(first_entries(replace(SETUP, rules=replace(CLASSIC, target=40)), name="setup"))
    pen.enter(GOOD)
    pen.enter(GOOD)
    first = pen.book.rows[0].deal
    pen.change(first, plain(28, 24, (4, 0)))
    assert (pen.book.winner, [row.is_counted for row in pen.book.rows]) == (0, [True, False])
    pen.undo()
    assert (pen.book.winner, pen.book.scores) == (None, (18, 24))


def test_the_last_deal_is_taken_away_and_comes_back() -> None:
    pen = scribe()
    pen.enter(GOOD)
    pen.enter(plain(26, 26))
    assert [pen.book.may_remove(row) for row in pen.book.rows] == [False, True]
    pen.change(pen.book.rows[1].deal, None)
    assert pen.book.scores == (9, 12)
    assert pen.undo()
    assert pen.book.scores == (13, 15)


def test_everything_can_be_undone_step_by_step() -> None:
    pen = scribe()
    states = [pen.book.rows]
    rng = random.Random(1)
    for _ in range(12):
        rows = pen.book.rows
        if len(rows) < 2 or rng.random() < 0.5:
            pen.enter(GOOD)
        elif rng.random() < 0.5:
            pen.change(rng.choice(rows).deal, plain(26, 26, (rng.randrange(3), 0)))
        else:
            pen.change(rows[-1].deal, None)
        states.append(pen.book.rows)

    def counts(rows: Any) -> list[tuple[str, DealCount]]:
        return [(row.deal, row.count) for row in rows]

    for before in reversed(states[:-1]):
        assert pen.undo()
        assert counts(pen.book.rows) == counts(before)
    assert not pen.undo()


def test_what_somebody_else_has_changed_since_is_not_undone() -> None:
    pen = scribe()
    pen.enter(GOOD)
    other = scribe(pen.book.entries, "b")
    other.change(pen.book.rows[0].deal, plain(26, 26))
    pen.book = Book(join(pen.book.entries, other.book.entries))
    assert not pen.undo()
    assert pen.book.rows[0].count == plain(26, 26)


def test_names_and_rules_can_be_set_otherwise() -> None:
    pen = scribe()
    pen.enter(GOOD)
    pen.set_up(Setup(("Ann", "Bo"), replace(CLASSIC, target=12, xeri_points=5), 1))
    assert (pen.book.scores, pen.book.winner, pen.book.rows[0].dealer) == ((9, 7), None, 1)
    pen.set_up(Setup(("Ann", "Bo"), replace(CLASSIC, target=9), 1))
    assert pen.book.winner == 1


# --- Several devices ------------------------------------------------------------------------


def test_two_devices_that_enter_deals_apart_lose_none_and_see_that_they_may_be_one() -> None:
    one, other = scribe(START, "a"), scribe(START, "b")
    one.enter(GOOD)
    other.enter(GOOD)
    joined = join(one.book.entries, other.book.entries)
    assert joined == join(other.book.entries, one.book.entries)
    book = Book(joined)
    assert [row.is_doubtful for row in book.rows] == [True, True]
    assert all(book.may_remove(row) for row in book.rows)
    pen = scribe(joined, "c")
    pen.change(book.rows[0].deal, None)
    assert [row.is_doubtful for row in pen.book.rows] == [False]


def test_of_two_corrections_of_a_deal_the_later_counts_and_the_other_is_shown() -> None:
    start = scribe()
    start.enter(GOOD)
    deal = start.book.rows[0].deal
    one, other = scribe(start.book.entries, "b"), scribe(start.book.entries, "c")
    one.change(deal, plain(26, 26))
    other.change(deal, plain(30, 22))
    [row] = Book(join(one.book.entries, other.book.entries)).rows
    assert row.count == plain(30, 22)
    assert [rival.count for rival in row.rivals] == [plain(26, 26)]
    said = "\n".join(book_lines(Words("en"), Book(join(one.book.entries, other.book.entries))))
    assert "this one does not count: cards 26:26, aces 2:2, ten 1:0, two 0:1, xeri 0:0." in said


def test_a_duplicate_that_is_taken_away_casts_no_doubt_on_later_deals() -> None:
    pen = scribe()
    pen.enter(GOOD)
    other = scribe(pen.book.entries, "b")
    pen.enter(plain(26, 26))
    other.enter(plain(26, 26))
    pen.book = Book(join(pen.book.entries, other.book.entries))
    pen.enter(GOOD)
    assert [row.is_doubtful for row in pen.book.rows] == [False, True, True, False]
    pen.change(pen.book.rows[2].deal, None)
    pen.enter(GOOD)
    assert [row.is_doubtful for row in pen.book.rows] == [False] * 4
    assert [pen.book.may_remove(row) for row in pen.book.rows] == [False, False, False, True]


def test_a_sheet_whose_devices_counted_only_the_deals_that_were_left_goes_on() -> None:
    """As an earlier version wrote: the new deal saw two, and three had been entered."""
    old = [
        Entry("d1", 2, "d1", 0, count=GOOD),
        Entry("d2", 3, "d2", 1, count=GOOD),
        Entry("twice", 3, "twice", 1, count=GOOD),
        Entry("gone", 4, "twice", 1),
        Entry("d3", 5, "d3", 2, count=GOOD),
    ]
    pen = scribe(join(START, old))
    for _ in range(3):
        pen.enter(GOOD)
        assert not any(row.is_doubtful for row in pen.book.rows)


Knowledge = dict[str, set[str]]
"""By deal the others that its writer knew when it was entered."""


def random_devices(seed: int, knowledge: Knowledge | None = None) -> list[Entries]:
    """The sheets of three devices that wrote and met as chance would have it.

    What the writers of deals knew is put into `knowledge`.
    """
    rng = random.Random(seed)
    pens = [scribe(START, name) for name in "abc"]
    for _ in range(30):
        pen = rng.choice(pens)
        rows = pen.book.rows
        what = rng.random()
        if what < 0.4 or not rows:
            known = {entry.deal for entry in pen.book.entries if entry.is_new_deal}
            pen.enter(rng.choice((GOOD, plain(26, 26), plain(30, 22, (1, 0)))))
            if knowledge is not None:
                knowledge[pen.book.entries[-1].deal] = known
        elif what < 0.6:
            pen.change(rng.choice(rows).deal, rng.choice((GOOD, plain(20, 32), None)))
        elif what < 0.7:
            pen.undo()
        elif what < 0.75:
            pen.set_up(Setup((f"A{rng.randrange(9)}", "B"), CLASSIC))
        else:
            pen.book = Book(join(pen.book.entries, rng.choice(pens).book.entries))
    return [pen.book.entries for pen in pens]


@pytest.mark.parametrize("seed", range(40))
def test_devices_agree_in_whatever_order_they_meet(seed: int) -> None:
    knowledge: Knowledge = {}
    sheets = random_devices(seed, knowledge)
    results = set()
    for order in permutations(sheets):
        joined = START
        for entries in (*order, *order):
            joined = join(joined, read_entries(write_entries(entries)))
        results.add(joined)
    [joined] = results
    assert {entry.id for entry in joined} == {entry.id for one in sheets for entry in one}
    rows = Book(joined).rows
    assert len({row.deal for row in rows}) == len(rows)
    for row in rows:
        known = knowledge[row.deal]
        apart = [
            knowledge[other.deal]
            for other in rows
            if other.deal not in known and row.deal not in knowledge[other.deal] | {other.deal}
        ]
        assert row.is_doubtful <= bool(apart)  # nobody who knew a deal is asked whether it is his
        assert row.is_doubtful >= (known in apart)


# --- As text --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_is_told_in_every_language(language: str) -> None:
    book = written(GOOD, plain(26, 26), rules=replace(TAVERNA, xeristaki_points=5))
    lines = list(book_lines(Words(language), book))
    assert sum("11" in line and "10" in line and "21" in line for line in lines) == 1
    assert all("{" not in line for line in lines)
    table = list(csv.reader(io.StringIO(book_table(Words(language), book))))
    assert {len(line) for line in table} == {18}
    assert table[1][2:10] == ["28", "3", "1", "0", "0", "0", "9", "9"]
    assert table[2][-1] == "15"


@pytest.mark.parametrize("name", ['=1+2,"x"', "+1", "-3", "@x", "\t=1", "\r=1"])
def test_no_spreadsheet_takes_a_name_for_a_formula(name: str) -> None:
    assert cell_text(name) == f"'{name}"
    assert cell_text("a" + name) == "a" + name
    pen = scribe(first_entries(Setup((name, "Boris"), CLASSIC), name="setup"))
    pen.enter(GOOD)
    table = list(csv.reader(io.StringIO(book_table(Words("en"), pen.book), newline="")))
    assert table[1][1].startswith("'")
    assert all(cell == cell_text(cell) for line in table for cell in line)


# --- What comes from elsewhere ----------------------------------------------------------------


def test_counts_and_entries_survive_being_written() -> None:
    for count in POSSIBLE:
        assert read_count(write_count(count)) == count
    pen = scribe()
    pen.enter(GOOD)
    pen.change(pen.book.rows[0].deal, None)
    assert read_entries(write_entries(pen.book.entries)) == pen.book.entries


GOOD_ENTRY: dict[str, Any] = {"id": "x", "time": 2, "seen": 0, "deal": "x", "count": None}


@pytest.mark.parametrize(
    "changes",
    [
        {"id": ""},
        {"id": "a b"},
        {"id": "x" * 41},
        {"id": 7},
        {"id": None},
        {"time": -1},
        {"time": True},
        {"time": 1.5},
        {"time": 10**9},
        {"seen": "0"},
        {"seen": 10**30},
        {"deal": "unknown"},
        {"deal": ""},
        {"deal": ["x"]},
        {"count": []},
        {"count": {"cards": [26, 26]}},
        {"count": {**write_count(GOOD), "more": 1}},
        {"count": {**write_count(GOOD), "cards": [53, 0]}},
        {"count": {**write_count(GOOD), "cards": [True, 51]}},
        {"count": {**write_count(GOOD), "cards": ["28", "24"]}},
        {"count": {**write_count(GOOD), "cards": [28, 24, 0]}},
        {"count": {**write_count(GOOD), "aces": [3, 3]}},
        {"count": {**write_count(GOOD), "ten": 2}},
        {"count": {**write_count(GOOD), "ten": True}},
        {"count": {**write_count(GOOD), "xeri": [-1, 0]}},
        {"count": {**write_count(GOOD), "xeri": [99, 0]}},
        {"time": 4},
        {"setup": {}},
        {"extra": 1},
    ],
)
def test_entries_that_cannot_be_are_refused(changes: dict[str, Any]) -> None:
    assert join(START, read_entries([GOOD_ENTRY]))
    with pytest.raises(DilotiError):
        join(START, read_entries([{**GOOD_ENTRY, **changes}]))


@pytest.mark.parametrize(
    "setup",
    [
        {},
        [],
        {"names": ["A"], "rules": "classic", "dealer": 0},
        {"names": ["A", "B"], "rules": "chess", "dealer": 0},
        {"names": ["A", "B"], "rules": {"base": []}, "dealer": 0},
        {"names": ["A", "B"], "rules": "classic", "dealer": 2},
        {"names": ["A", "B"], "rules": "classic", "dealer": None},
        {"names": ["A", 1], "rules": "classic", "dealer": 0},
        {"names": "AB", "rules": "classic", "dealer": 0},
        {"names": list("ABCD"), "rules": "taverna", "dealer": 0},
    ],
)
def test_names_and_rules_that_cannot_be_are_refused(setup: object) -> None:
    with pytest.raises(DilotiError):
        join(START, read_entries([{"id": "x", "time": 2, "seen": 1, "setup": setup}]))


@pytest.mark.parametrize(
    "written", [None, {}, "x", 1, [1], [[]], [GOOD_ENTRY] * (MOST_ENTRIES + 1)]
)
def test_what_are_no_entries_is_refused(written: object) -> None:
    with pytest.raises(ScorebookError):
        read_entries(written)


def test_names_are_short_and_in_one_line() -> None:
    setup = {"names": ["  A\n\u202e\ud800 b" + "x" * 99, ""], "rules": "classic", "dealer": 0}
    [entry] = read_entries([{"id": "x", "time": 2, "seen": 1, "setup": setup}])
    assert entry.setup is not None
    assert entry.setup.names == ("A b" + "x" * 16 + "…", "")


def test_a_sheet_has_an_end() -> None:
    entries = START
    for time in range(2, MOST_ENTRIES + 1):
        entries = (*entries, Entry(f"e{time}", time, f"e{time}", 0, count=GOOD))
    assert len(join(START, entries)) == MOST_ENTRIES
    with pytest.raises(ScorebookError):
        join(entries, [Entry("more", MOST_ENTRIES, "more", 0, count=GOOD)])


def test_what_is_known_already_stays_as_it_was() -> None:
    pen = scribe()
    pen.enter(GOOD)
    forged = replace(pen.book.entries[-1], count=None)
    assert join(pen.book.entries, [forged]) == pen.book.entries


def test_a_correction_does_not_come_before_its_deal() -> None:
    pen = scribe()
    pen.enter(GOOD)
    deal = pen.book.rows[0].deal
    with pytest.raises(ScorebookError):
        join(pen.book.entries, [Entry("x", 1, deal, 1)])
