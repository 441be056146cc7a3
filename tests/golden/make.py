"""Writes the playthroughs: the first deal of some golden records, play by play, seat by seat.

Run `python -m tests.golden.make` after a change that is meant, and read what has changed in the
files before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from diloti.core.effects import Event
from diloti.core.match import DealLog
from diloti.core.notation import format_card, format_cards, format_play
from diloti.core.position import Pile, Position
from diloti.core.record import format_rules
from diloti.core.record_reader import parse_record
from diloti.core.scoring import Sheet
from diloti.core.view import View, view_of

GOLDEN = Path(__file__).parent
RECORDS = GOLDEN / "records"
PLAYTHROUGHS = GOLDEN / "playthroughs"
NAMES = ("classic_two", "taverna_four", "taverna_two")
"""Records whose first deal has a playthrough of the same name."""


def playthrough(name: str) -> str:
    """The first deal of a record as a text."""
    match = parse_record((RECORDS / f"{name}.txt").read_text(encoding="utf-8")).match
    return "\n".join(_lines(match.deals[0])) + "\n"


def _lines(log: DealLog) -> Iterator[str]:
    position = log.start
    yield f"{format_rules(position.rules)}, seat {log.dealer} deals"
    for number, (play, outcome) in enumerate(zip(log.plays, log.outcomes, strict=True), start=1):
        yield ""
        yield f"{number}. seat {position.turn} is to play"
        yield from _what_is_seen(position)
        happened = ", ".join(map(_event, outcome.events))
        played = f"   seat {position.turn} plays   {format_play(play)}"
        yield f"{played}   ({happened})" if happened else played
        position = outcome.position
    yield ""
    yield "the deal is over"
    yield from _what_is_seen(position)
    if log.score is not None:
        yield ""
        for heading in (*Sheet.__dataclass_fields__, "total"):
            first, second = (getattr(sheet, heading) for sheet in log.score.sheets)
            yield f"   {heading:<16}{first:>3} :{second:>3}"
        first, second = log.score.scores
        yield f"   {'match':<16}{first:>3} :{second:>3}"


def _what_is_seen(position: Position) -> Iterator[str]:
    """What each seat sees, each line from its own view; what all see alike is told once."""
    views = [view_of(position, seat) for seat in range(position.rules.players)]
    for told in zip(*map(_open_lines, views), strict=True):
        if len(set(told)) == 1:
            yield f"   {told[0]}"
        else:
            yield from (f"   seat {seat} sees: {line}" for seat, line in enumerate(told))
    for view in views:
        shown = [
            f" · shown by {seat}: {format_card(card)}"
            for seat, card in enumerate(view.shown or ())
            if card is not None
        ]
        yield f"   seat {view.seat} holds   {format_cards(view.hand, ' ') or '–'}{''.join(shown)}"


def _open_lines(view: View) -> list[str]:
    """What a view tells of the table, of what lies hidden and of what has happened."""
    table = [*filter(None, [format_cards(view.loose, " ")]), *map(_pile, view.piles)]
    hands = " ".join(map(str, view.hand_sizes))
    plays = view.history.plays if view.history else ()
    last = f"seat {plays[-1][0]}, {format_play(plays[-1][1])}" if plays else "nothing"
    lines = [
        f"table    {' · '.join(table) or 'bare'}",
        f"last     {last}",
        f"taken    last by {_side(view.last_capture)}, "
        f"xeri {view.xeri[0]}:{view.xeri[1]}, xeristaki {view.xeristaki[0]}:{view.xeristaki[1]}",
        f"hidden   hands {hands}, stock {view.stock_size}",
    ]
    for side, cards in enumerate(view.captured or ()):
        lines.append(f"side {side}   {cards.bit_count()} cards: {format_cards(cards, ' ')}")
    return lines


def _pile(pile: Pile) -> str:
    kind = "family" if pile.is_family else "plain"
    parts = ", ".join(format_cards(component) for component in pile.components)
    return f"[{parts}] {kind} {pile.value} of seat {pile.owner}"


def _side(side: int | None) -> str:
    return "nobody" if side is None else f"side {side}"


def _event(event: Event) -> str:
    if event.name == "released":
        return f"released seat {event.owner}"
    if event.name == "leftovers":
        return f"leftovers {format_cards(event.cards)} to {_side(event.side)}"
    return f"{event.name} {format_cards(event.cards)}".rstrip()


def main() -> None:
    """Write all playthroughs."""
    for name in NAMES:
        file = PLAYTHROUGHS / f"{name}.txt"
        file.write_text(playthrough(name), encoding="utf-8", newline="\n")
        print(file)


if __name__ == "__main__":
    main()
