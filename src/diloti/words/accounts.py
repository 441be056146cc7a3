"""A match as it is told in lines: who plays, its deals, what the plays bring about, the result.

The line-by-line game, the replay and the page of a match say the same, here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diloti.core.effects import Event
from diloti.core.errors import N_
from diloti.core.match import Match
from diloti.core.position import side_of
from diloti.core.record import format_rules
from diloti.core.rules import Rules
from diloti.core.scoring import DealScore
from diloti.words.cards import cards_sign
from diloti.words.language import Words
from diloti.words.telling import rule_set_name, side_name

BETWEEN = " · "
"""What stands between the two sides."""
_SHEET = {
    "cards": N_("Points for most cards: {sides}"),
    "aces": N_("Aces: {sides}"),
    "ten_of_diamonds": N_("Ten of diamonds: {sides}"),
    "two_of_clubs": N_("Two of clubs: {sides}"),
    "xeri": N_("Xeri: {sides}"),
    "xeristaki": N_("Xeristaki: {sides}"),
    "total": N_("Points of this deal: {sides}"),
}


def side_names(words: Words, names: Sequence[str]) -> tuple[str, str]:
    """The names of both sides."""
    return side_name(words, names, 0), side_name(words, names, 1)


def by_side(sides: tuple[str, str], numbers: Sequence[object]) -> str:
    """A number for each side, as “Eleni 4 · Nikos 0”."""
    return BETWEEN.join(f"{side} {number}" for side, number in zip(sides, numbers))


def opening_lines(
    words: Words, names: Sequence[str], rules: Rules, *, is_over: bool = False
) -> Iterator[str]:
    """Which game it is and who plays, or has played: what stands above a match."""
    _base, _comma, switches = format_rules(rules).partition(", ")
    name = rule_set_name(words, rules)
    if switches:
        yield words.say("Rules: {name} ({switches})", name=name, switches=switches)
    else:
        yield words.say("Rules: {name}", name=name)
    first, second = side_names(words, names)
    if is_over:
        yield words.say("{first} played against {second}.", first=first, second=second)
    elif rules.players == 2:
        yield words.say("{first} plays against {second}.", first=first, second=second)
    else:
        yield words.say("{first} play against {second}.", first=first, second=second)
    yield words.say_count(
        "{count} point wins the match.", "{count} points win the match.", rules.target
    )


def deal_lines(words: Words, names: Sequence[str], match: Match, number: int = -1) -> Iterator[str]:
    """The heading of a deal, by its number from 0, or of the last one."""
    log = match.deals[number]
    yield words.say("Deal {number}", number=range(1, len(match.deals) + 1)[number])
    first = names[(log.dealer + 1) % match.rules.players]
    yield words.say(
        "Dealer: {dealer}. First to play: {first}.", dealer=names[log.dealer], first=first
    )
    if log.final != log.pack:
        yield words.say("The first cards on the table were exchanged for others (R2.5).")


def event_lines(
    words: Words, names: Sequence[str], rules: Rules, seat: int, events: Sequence[Event]
) -> Iterator[str]:
    """What a play of `seat` brought about besides itself."""
    sides = side_names(words, names)
    for event in events:
        if event.name == "xeri":
            yield words.say_count(
                "Xeri for {side}: {count} point!",
                "Xeri for {side}: {count} points!",
                rules.xeri_points,
                side=sides[side_of(seat)],
            )
        elif event.name == "xeristaki":
            yield words.say_count(
                "Xeristaki for {side}: {count} point!",
                "Xeristaki for {side}: {count} points!",
                rules.xeristaki_points,
                side=sides[side_of(seat)],
            )
        elif event.name == "released" and event.owner is not None:
            yield words.say("{name} no longer owns the pile.", name=names[event.owner])
        elif event.name == "refill":
            yield words.say("New hands are dealt.")
        elif event.name == "leftovers":
            yield _leftovers_line(words, sides, event)


def _leftovers_line(words: Words, sides: tuple[str, str], event: Event) -> str:
    cards = cards_sign(event.cards)
    if event.side is None:
        return words.say("Nobody has captured; this stays on the table: {cards}.", cards=cards)
    return words.say(
        "Left on the table: {cards}. The last capture was that of {side}, and these go with it.",
        cards=cards,
        side=sides[event.side],
    )


def sheet_lines(
    words: Words,
    sides: tuple[str, str],
    rules: Rules,
    score: DealScore,
    captured: tuple[int, int],
) -> Iterator[str]:
    """The count of a deal that is over, by heading and side, and the score of the match."""
    yield words.say("The deal is over; this is the count.")
    sizes = [cards.bit_count() for cards in captured]
    yield words.say("Captured cards: {sides}", sides=by_side(sides, sizes))
    for heading, template in _SHEET.items():
        points = [getattr(sheet, heading) for sheet in score.sheets]
        if heading != "xeristaki" or rules.xeristaki_points:
            yield words.say(template, sides=by_side(sides, points))
    yield score_line(words, sides, rules, score.scores)


def score_line(words: Words, sides: tuple[str, str], rules: Rules, scores: tuple[int, int]) -> str:
    """The score of the match."""
    return words.say_count(
        "Match: {sides} (to {count} point)",
        "Match: {sides} (to {count} points)",
        rules.target,
        sides=by_side(sides, scores),
    )


def result_line(words: Words, sides: tuple[str, str], match: Match) -> str:
    """Who has won, or that nobody has yet."""
    if match.winner is None:
        return words.say("The match is unfinished.")
    name = sides[match.winner]
    if match.rules.players == 2:
        return words.say("The match is over: {name} has won.", name=name)
    return words.say("The match is over: {names} have won.", names=name)


def closing_lines(words: Words, names: Sequence[str], match: Match) -> Iterator[str]:
    """How a match has ended, or that it has not: what stands below it."""
    sides = side_names(words, names)
    if match.resigned is not None:
        yield score_line(words, sides, match.rules, match.scores)
        yield words.say("{name} has resigned.", name=names[match.resigned])
    yield result_line(words, sides, match)
