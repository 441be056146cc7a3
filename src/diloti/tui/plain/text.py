"""What the line-by-line game says about a table as a seat sees it, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diloti.core.view import View
from diloti.words import Words
from diloti.words.accounts import BETWEEN, by_side, side_names
from diloti.words.cards import card_sign, cards_sign
from diloti.words.plays import describe_pile


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
    sizes = BETWEEN.join(f"{names[seat]} {view.hand_sizes[seat]}" for seat in others)
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
