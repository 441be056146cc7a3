"""A score sheet in words: refusals, deals, totals, and all of it as lines or as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from diloti.core.errors import N_
from diloti.core.scoring import Sheet
from diloti.scorebook.book import Book, Row
from diloti.scorebook.count import (
    REFUSALS,
    DealCount,
    Pair,
    Refusal,
    ScorebookError,
    shared_points,
)
from diloti.words import Words
from diloti.words.printable import cell_text
from diloti.words.telling import rule_set_name, seat_names, side_name

SHARED = N_("Check: {shared} points shared + {xeri} for xeri = {sum}")
"""What lets people trust the sum (R11)."""
DEALT = N_("Deal {number}: {name} dealt.")
NEXT_DEAL = N_("Deal {number}: {name} deals.")
DOUBTFUL = N_(
    "Another deal was entered at the same time on another device. If it is the same deal, take one"
    " of them away."
)
RIVAL = N_("Corrected on two devices at the same time; this one does not count: {count}.")
NOT_COUNTED = N_("Not counted: the match was over before.")
TAKEN_AWAY = N_("taken away")
COUNTED = N_("cards {cards}, aces {aces}, ten {ten}, two {two}, xeri {xeri}")
COUNTED_MORE = N_(
    "cards {cards}, aces {aces}, ten {ten}, two {two}, xeri {xeri}, xeristaki {xeristaki}"
)
TITLE = N_("Score sheet: {rules}, to {target} points")
WON = {2: N_("The match is over: {name} has won."), 4: N_("The match is over: {names} have won.")}
"""By the number of players."""

_HEADINGS: Mapping[str, str] = {
    "cards": N_("Points for most cards: {sides}"),
    "aces": N_("Aces: {sides}"),
    "ten_of_diamonds": N_("Ten of diamonds: {sides}"),
    "two_of_clubs": N_("Two of clubs: {sides}"),
    "xeri": N_("Xeri: {sides}"),
    "xeristaki": N_("Xeristaki: {sides}"),
    "total": N_("Points of this deal: {sides}"),
}
_COLUMNS = (
    N_("Cards: {side}"),
    N_("Aces: {side}"),
    N_("Ten of diamonds: {side}"),
    N_("Two of clubs: {side}"),
    N_("Xeri: {side}"),
    N_("Xeristaki: {side}"),
    N_("Points: {side}"),
    N_("Total: {side}"),
)


def book_names(words: Words, book: Book) -> tuple[str, ...]:
    """A name for every seat."""
    return seat_names(words, book.setup.names)


def book_sides(words: Words, book: Book) -> tuple[str, str]:
    """The names of both sides."""
    names = book_names(words, book)
    return side_name(words, names, 0), side_name(words, names, 1)


def refuse(sides: Sequence[str], refusal: Refusal) -> ScorebookError:
    """The error for a count that cannot be."""
    name = "" if refusal.side is None else sides[refusal.side]
    return ScorebookError(REFUSALS[refusal.name], name=name, **dict(refusal.numbers))


def title_line(words: Words, book: Book) -> str:
    """By which rules, and for how many points."""
    rules = book.setup.rules
    return words.say(TITLE, rules=rule_set_name(words, rules), target=rules.target)


def book_lines(words: Words, book: Book) -> Iterator[str]:
    """The whole sheet."""
    yield title_line(words, book)
    for row in book.rows:
        yield ""
        yield from row_lines(words, book, row)
    yield ""
    yield standing_line(words, book)


def row_lines(words: Words, book: Book, row: Row) -> Iterator[str]:
    """A deal of the sheet: its headings, the points, and what is to be said of it."""
    sides, sheets = book_sides(words, book), row.score.sheets
    yield words.say(DEALT, number=row.number, name=book_names(words, book)[row.dealer])
    yield words.say("Captured cards: {sides}", sides=_by_side(sides, row.count.cards))
    for heading, template in _HEADINGS.items():
        if heading != "xeristaki" or book.setup.rules.xeristaki_points:
            points = [getattr(sheet, heading) for sheet in sheets]
            yield words.say(template, sides=_by_side(sides, points))
    yield check_line(words, sheets)
    if row.is_counted:
        yield score_line(words, book, row.score.scores)
    else:
        yield words.say(NOT_COUNTED)
    if row.is_doubtful:
        yield words.say(DOUBTFUL)
    for rival in row.rivals:
        yield words.say(RIVAL, count=tell_count(words, rival.count))


def check_line(words: Words, sheets: tuple[Sheet, Sheet]) -> str:
    """The sum of a deal, taken apart."""
    shared, whole = shared_points(sheets), sum(sheet.total for sheet in sheets)
    return words.say(SHARED, shared=shared, xeri=whole - shared, sum=whole)


def score_line(words: Words, book: Book, scores: Sequence[int]) -> str:
    """The score of the match."""
    return words.say_count(
        "Match: {sides} (to {count} point)",
        "Match: {sides} (to {count} points)",
        book.setup.rules.target,
        sides=_by_side(book_sides(words, book), scores),
    )


def standing_line(words: Words, book: Book) -> str:
    """Who has won, or how it stands."""
    if book.winner is None:
        return score_line(words, book, book.scores)
    name = book_sides(words, book)[book.winner]
    return words.say(WON[book.setup.rules.players], name=name, names=name)


def next_line(words: Words, book: Book) -> str:
    """Which deal is next, and who deals."""
    name = book_names(words, book)[book.next_dealer]
    return words.say(NEXT_DEAL, number=len(book.rows) + 1, name=name)


def tell_count(words: Words, count: DealCount | None) -> str:
    """What was counted, in one line; the first side comes first."""
    if count is None:
        return words.say(TAKEN_AWAY)
    pairs = {name: "{}:{}".format(*pair) for name, pair in _pairs_of(count).items()}
    return words.say(COUNTED_MORE if any(count.xeristaki) else COUNTED, **pairs)


def _pairs_of(count: DealCount) -> dict[str, Pair]:
    """Everything that is counted by side, in the order of the columns; who has the ten has one."""
    return {
        name: value if isinstance(value, tuple) else (int(value == 0), int(value == 1))
        for name, value in vars(count).items()
    }


def book_table(words: Words, book: Book) -> str:
    """The sheet as a table for other programs: values between commas, a line a deal."""
    sides, names = book_sides(words, book), book_names(words, book)
    target = io.StringIO()
    table = csv.writer(target)
    headings = [words.say(column, side=side) for side in sides for column in _COLUMNS]
    first = words.say("Number of the deal"), words.say("Dealer")
    table.writerow([*first, *map(cell_text, headings)])
    for row in book.rows:
        values: list[object] = [row.number, cell_text(names[row.dealer])]
        for side in (0, 1):
            values += (pair[side] for pair in _pairs_of(row.count).values())
            values += row.score.sheets[side].total, row.score.scores[side]
        table.writerow(values)
    return target.getvalue()


def _by_side(sides: Sequence[str], numbers: Sequence[object]) -> str:
    return " · ".join(f"{side} {number}" for side, number in zip(sides, numbers))
