"""What the page of a score sheet shows, and what its script needs to go on without a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import Formatter
from typing import Any

from diloti.core.cards import PACK_SIZE
from diloti.core.errors import N_
from diloti.core.rules import RULE_SETS
from diloti.scorebook.book import Book, Row
from diloti.scorebook.count import (
    ACES_IN_PACK,
    MOST_XERI,
    REFUSALS,
    item_points,
    write_count,
)
from diloti.scorebook.entries import Entries, write_entries
from diloti.scorebook.telling import (
    COUNTED,
    COUNTED_MORE,
    DEALT,
    DOUBTFUL,
    NEXT_DEAL,
    NOT_COUNTED,
    RIVAL,
    SHARED,
    TAKEN_AWAY,
    TITLE,
    WON,
    book_names,
    book_sides,
    check_line,
    next_line,
    standing_line,
    tell_count,
    title_line,
)
from diloti.web.render import Page
from diloti.words import Words
from diloti.words.telling import LETTERS, rule_set_name

NO_CARDS = N_("How many cards has each side?")
NO_ACES = N_("How many aces has each side?")

_SENTENCES: Mapping[str, str] = {
    **{f"refusal_{name}": template for name, template in REFUSALS.items()},
    "no_cards": NO_CARDS,
    "no_aces": NO_ACES,
    "shared": SHARED,
    "dealt": DEALT,
    "next": NEXT_DEAL,
    "what": N_("What the sides have captured"),
    "correcting": N_("Correct deal {number}"),
    "doubtful": DOUBTFUL,
    "rival": RIVAL,
    "not_counted": NOT_COUNTED,
    "taken_away": TAKEN_AWAY,
    "counted": COUNTED,
    "counted_more": COUNTED_MORE,
    "title": TITLE,
    "won_2": WON[2],
    "won_4": WON[4],
    "player": N_("Player {letter}"),
    "both": N_("{first} and {second}"),
    "correct": N_("Correct deal {number}"),
    "remove": N_("Take deal {number} away"),
    "enter": N_("Enter the deal"),
    "save": N_("Save the correction"),
    "meanwhile": N_("Deal {number} was entered on another device meanwhile."),
    "waiting": N_(
        "No connection. What you enter is kept on this device and joined later ({count} waiting)."
    ),
    "quiet": N_("No connection. Others' entries come when it is back."),
    "gone": N_("The server no longer has this sheet; it is kept on this device."),
    "refused": N_("The server did not take an entry: {reason}"),
    "standing": N_("{first} {a} : {b} {second}"),
    "message": N_("{title}. {first} {a} : {b} {second}."),
}
"""What the script says, by name."""

_FORM: Mapping[str, Any] = {
    "deal": "",
    "seen": 0,
    "cards": ("", ""),
    "aces": None,
    "ten": None,
    "two": None,
    "xeri": (0, 0),
    "xeristaki": (0, 0),
    "is_nothing": False,
}


def empty_form(book: Book) -> dict[str, Any]:
    """The form for a new deal."""
    return {**_FORM, "seen": book.entered}


def filled_form(row: Row) -> dict[str, Any]:
    """The form with the count of an old deal."""
    count = row.count
    return {
        **write_count(count),
        "deal": row.deal,
        "seen": len(row.versions),
        "aces": count.aces[0],
        "is_nothing": count.cards == (0, 0),
    }


def sheet_details(
    page: Page, entries: Entries, *, form: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What the template of a sheet needs."""
    words, book = page.words, Book(entries)
    row = book.row(form["deal"]) if form and form["deal"] else None
    return {
        "title": title_line(words, book),
        "names": book_names(words, book),
        "sides": book_sides(words, book),
        "scores": book.scores,
        "winner": book.winner,
        "standing": standing_line(words, book)
        if book.winner is not None
        else next_line(words, book),
        "rows": [_row(words, book, row) for row in reversed(book.rows)],
        "setup": book.setup,
        "rules": book.setup.rules,
        "next_dealer": book.next_dealer,
        "form": form or empty_form(book),
        "correcting": row.number if row else 0,
        "may_be_nothing": not book.setup.rules.court_must_capture,
        "data": {"entries": write_entries(entries), **_constants(words)},
        "sentences": {name: _unfilled(words, text) for name, text in _SENTENCES.items()},
    }


def _row(words: Words, book: Book, row: Row) -> dict[str, Any]:
    notes = [] if row.is_counted else [words.say(NOT_COUNTED)]
    if row.is_doubtful:
        notes.append(words.say(DOUBTFUL))
    notes += [words.say(RIVAL, count=tell_count(words, rival.count)) for rival in row.rivals]
    return {
        "deal": row.deal,
        "number": row.number,
        "dealt": words.say(DEALT, number=row.number, name=book_names(words, book)[row.dealer]),
        "points": [sheet.total for sheet in row.score.sheets],
        "totals": row.score.scores,
        "count": tell_count(words, row.count),
        "check": check_line(words, row.score.sheets),
        "notes": notes,
        "earlier": [tell_count(words, entry.count) for entry in row.versions[:-1]],
        "may_remove": book.may_remove(row),
    }


def _constants(words: Words) -> dict[str, Any]:
    """What the script counts with: points and rules as the core has them."""
    bases = {
        name: {
            "target": rules.target,
            "xeri_points": rules.xeri_points,
            "xeristaki_points": rules.xeristaki_points,
            "court_must_capture": rules.court_must_capture,
            "players": rules.players,
            "name": rule_set_name(words, rules),
            "changed_name": rule_set_name(words, replace(rules, target=rules.target + 1)),
        }
        for name, rules in RULE_SETS.items()
    }
    pack = {"cards": PACK_SIZE, "aces": ACES_IN_PACK, "most_xeri": MOST_XERI}
    return {"bases": bases, "pack": pack, "points": item_points(), "letters": LETTERS}


def _unfilled(words: Words, template: str) -> str:
    """A sentence in the reader's language with its places left open, for the script to fill."""
    places = [place for _text, place, _form, _kind in Formatter().parse(template) if place]
    unfilled = {place: f"{{{place}}}" for place in places}
    return words.say(template, **unfilled)
