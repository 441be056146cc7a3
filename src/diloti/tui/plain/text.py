"""What the line-by-line game and the replay say about a table, a deal and a match, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diloti.core.effects import Event
from diloti.core.errors import N_
from diloti.core.match import Match
from diloti.core.position import side_of
from diloti.core.record import format_rules
from diloti.core.rules import Rules
from diloti.core.scoring import DealScore
from diloti.core.view import View
from diloti.words import Words
from diloti.words.cards import card_sign, cards_sign
from diloti.words.plays import describe_pile
from diloti.words.telling import rule_set_name, side_name

_BETWEEN = " · "
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
    return _BETWEEN.join(f"{side} {number}" for side, number in zip(sides, numbers))


def opening_lines(words: Words, names: Sequence[str], rules: Rules) -> Iterator[str]:
    """Which game it is and who plays: what stands above a match."""
    _base, _comma, switches = format_rules(rules).partition(", ")
    name = rule_set_name(words, rules)
    if switches:
        yield words.say("Rules: {name} ({switches})", name=name, switches=switches)
    else:
        yield words.say("Rules: {name}", name=name)
    if rules.players == 2:
        first, second = names
        yield words.say("{first} plays against {second}.", first=first, second=second)
    else:
        first, second = side_names(words, names)
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


def table_lines(words: Words, names: Sequence[str], view: View) -> Iterator[str]:
    """Everything that lies or is known to lie at the table, the seat's own hand aside."""
    if view.loose:
        yield words.say("On the table: {cards}", cards=cards_sign(view.loose))
    elif view.piles:
        yield words.say("On the table: no loose cards")
    else:
        yield words.say("The table is empty.")
    for pile in view.piles:
        yield words.say(
            "Pile: {pile}: {cards}",
            pile=describe_pile(words, pile, names[pile.owner]),
            cards=" + ".join(cards_sign(component) for component in pile.components),
        )
    others = [seat for seat in range(view.rules.players) if seat != view.seat]
    sizes = _BETWEEN.join(f"{names[seat]} {view.hand_sizes[seat]}" for seat in others)
    yield words.say("Cards in hand: {sizes}", sizes=sizes)
    yield stock_line(words, view)
    sides = side_names(words, names)
    if any(view.xeri):
        yield words.say("Xeri in this deal: {sides}", sides=by_side(sides, view.xeri))
    if any(view.xeristaki):
        yield words.say("Xeristaki in this deal: {sides}", sides=by_side(sides, view.xeristaki))
    played = {play.card for _seat, play in view.history.plays} if view.history else set()
    for seat, card in enumerate(view.shown or ()):
        if card is not None and card not in played:
            yield words.say("{name} has shown {card}.", name=names[seat], card=card_sign(card))


def stock_line(words: Words, view: View) -> str:
    """How many cards are still to be dealt, or that these hands are the last."""
    if view.is_last_hand:
        return words.say("The stock is empty: these are the last hands of the deal.")
    return words.say_count(
        "{count} card in the stock", "{count} cards in the stock", view.stock_size
    )


def hand_line(words: Words, hand: int) -> str:
    """The cards of one's own hand."""
    return words.say("Your hand: {cards}", cards=cards_sign(hand))


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
