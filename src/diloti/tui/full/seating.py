"""Who sits where, seen from one seat, and the lines of words about each."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from diloti.core.position import Pile, side_of
from diloti.core.shapes import is_raisable
from diloti.core.view import View
from diloti.tui.session import Session
from diloti.words import Words
from diloti.words.cards import card_sign
from diloti.words.telling import rule_set_name, seat_names, side_name

_PLACES = {2: ("middle",), 4: ("left", "middle", "right")}
_STEPS = {"right": 1, "middle": 2, "left": 3}
"""Play runs counter-clockwise: the seat after one's own is on the right (R2.1)."""
_LONGEST_NAME = 16
_BACK, _MARK, _TURN = "▮", "✶", "▶"


def names_of(words: Words, session: Session) -> list[str]:
    """The names of the seats as the screen shows them: fit to be printed, and not too long."""
    names = seat_names(words, [chair.name for chair in session.chairs])
    return [clipped(name) for name in names]


def clipped(name: str) -> str:
    """A name that leaves room for others in a line."""
    if cell_len(name) <= _LONGEST_NAME:
        return name
    return set_cell_size(name, _LONGEST_NAME - 1).rstrip() + "…"


class Seating:
    """The people and bots of a match, in words."""

    def __init__(self, words: Words, session: Session) -> None:
        self.words = words
        self.session = session
        self.names = names_of(words, session)
        self.places = _PLACES[len(self.names)]

    @property
    def first_person(self) -> int:
        """The first seat of a person; seat 0 where only bots play."""
        return (*self.session.people, 0)[0]

    def places_for(self, seat: int) -> Iterator[tuple[str, int]]:
        """The places at the table, each with the seat that sits there as `seat` sees it."""
        if len(self.names) == 2:
            yield "middle", 1 - seat
            return
        for place in self.places:
            yield place, (seat + _STEPS[place]) % 4

    def title(self) -> str:
        """The rule set, the number of the deal, the target."""
        match = self.session.match
        return self.words.say_count(
            "{rules} · deal {number} · to {count} point",
            "{rules} · deal {number} · to {count} points",
            match.rules.target,
            rules=rule_set_name(self.words, match.rules),
            number=len(match.deals),
        )

    def stock(self, view: View) -> str:
        """How much there is to come in this deal."""
        if view.is_last_hand:
            return self.words.say("Last hand")
        return self.words.say("Stock: {count}", count=view.stock_size)

    def side(self, view: View, side: int) -> str:
        """A side with its points before this deal, and its xeri and xeristaki in this deal."""
        words = self.words
        parts = [f"{side_name(words, self.names, side)}  {view.scores[side]}"]
        if view.xeri[side]:
            parts.append(words.say("xeri {marks}", marks=_MARK * view.xeri[side]))
        if view.xeristaki[side]:
            parts.append(words.say("xeristaki {marks}", marks=_MARK * view.xeristaki[side]))
        return " · ".join(parts)

    def seat(self, view: View, seat: int) -> str:
        """Another seat: its name, number of cards, and marks."""
        words, count = self.words, view.hand_sizes[seat]
        marks = [self.names[seat]]
        if seat == view.dealer:
            marks.append(words.say("dealer"))
        if len(self.names) == 4 and side_of(seat) == view.side:
            marks.append(words.say("partner"))
        turn = f"{_TURN} " if view.turn == seat else ""
        cards = words.say_count("{count} card", "{count} cards", count)
        shown = self._shown(view, seat)
        if len(self.names) == 2:
            return f"{turn}{' · '.join(marks)} · {_BACK * count} {cards}"
        return f"{turn}{' · '.join(marks)}\n{_BACK * count} {cards}{shown}"

    def _shown(self, view: View, seat: int) -> str:
        """The card that a partner has shown, as long as it has not been played (R2.7)."""
        card = view.shown[seat] if view.shown else None
        played = {play.card for _seat, play in view.history.plays} if view.history else set()
        if card is None or card in played:
            return ""
        return " · " + self.words.say("has {card}", card=card_sign(card))

    def own(self, view: View) -> str:
        """The viewer's own name and marks."""
        words = self.words
        parts = [self.names[view.seat]]
        if view.seat == view.dealer:
            parts.append(words.say("dealer"))
        if view.turn != view.seat:
            return " · ".join(parts)
        parts.append(words.say("your turn"))
        return f"{_TURN} {' · '.join(parts)}"

    def can(self, pile: Pile) -> str:
        """Whether a pile can be raised, in words."""
        if is_raisable(self.session.match.rules, pile):
            return self.words.say("can be raised")
        return self.words.say("cannot be raised")
