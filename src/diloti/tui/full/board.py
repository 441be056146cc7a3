"""The board: everything of the table that is not the own hand. It draws a view and nothing else."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from diloti.core.plays import CAPTURE, Play
from diloti.core.position import Pile
from diloti.core.view import View
from diloti.tui.full.paint import paint
from diloti.tui.full.seating import Seating
from diloti.tui.full.widgets import CardBox, PileBox
from diloti.words import Words
from diloti.words.plays import describe_pile

TABLE_KEYS = "abcdefghijklmnop"
_CARD_SIZES = ((9, 7, 1), (7, 5, 1), (5, 3, 1), (5, 3, 0))
"""Width, height and gap of the loose cards; the largest with which all of them fit is taken."""


class Board(Vertical):
    """Scores, the other seats, the loose cards, the piles and the last plays."""

    def __init__(self, words: Words, seating: Seating) -> None:
        super().__init__(id="board")
        self.words = words
        self.seating = seating

    def compose(self) -> ComposeResult:
        """The parts, from top to bottom."""
        yield Horizontal(Static(id="title"), Static(id="stock"), id="top")
        yield Horizontal(Static(id="side-0"), Static(id="side-1"), id="sides")
        yield Horizontal(*(Static(id=f"seat-{place}") for place in self.seating.places), id="seats")
        yield Horizontal(
            Container(id="loose"),
            Vertical(id="piles"),
            id="middle",
        )
        yield Static(id="headline")
        yield Static(id="last")

    def show(self, view: View, *, four_colours: bool, announced: Play | None = None) -> None:
        """Draw a view. `announced` is a play just being made: what it will use is marked."""
        seating = self.seating
        self.query_one("#title", Static).update(Content(seating.title()))
        stock = seating.stock(view)
        self.query_one("#stock", Static).update(
            Content.styled(f" {stock} ", "bold reverse") if view.is_last_hand else Content(stock)
        )
        for side in range(2):
            self.query_one(f"#side-{side}", Static).update(Content(seating.side(view, side)))
        for place, seat in seating.places_for(view.seat):
            shown = self.query_one(f"#seat-{place}", Static)
            shown.update(paint(seating.seat(view, seat), four_colours=four_colours))
            shown.set_class(view.turn == seat, "-turn")
        recent = _fresh(view) if announced is None else announced.loose | announced.pile_cards
        self._show_loose(view, recent, four_colours=four_colours)
        self._show_piles(view, recent, four_colours=four_colours)
        self.call_after_refresh(self.fit_cards)

    def _show_loose(self, view: View, recent: int, *, four_colours: bool) -> None:
        cards = _by_arrival(view)
        boxes = self.loose
        while len(boxes) < len(cards):
            boxes.append(CardBox(id=f"loose-{len(boxes) + 1}"))
            self.query_one("#loose").mount(boxes[-1])
        for slot, box in enumerate(boxes):
            card = cards[slot] if slot < len(cards) else None
            box.show_card(card, _letter(slot), four_colours=four_colours)
            box.recent = card is not None and bool(recent >> card & 1)

    def _show_piles(self, view: View, recent: int, *, four_colours: bool) -> None:
        boxes = self.piles
        while len(boxes) < len(view.piles):
            boxes.append(PileBox(id=f"pile-{len(boxes) + 1}"))
            self.query_one("#piles").mount(boxes[-1])
        for slot, box in enumerate(boxes):
            pile = view.piles[slot] if slot < len(view.piles) else None
            legend, can = self._words_for(pile)
            letter = _letter(view.loose.bit_count() + slot)
            box.show_pile(pile, letter, legend, can, four_colours=four_colours)
            box.recent = pile is not None and bool(pile.cards & recent)
        self.query_one("#piles").set_class(not view.piles, "-none")

    def _words_for(self, pile: Pile | None) -> tuple[str, str]:
        if pile is None:
            return "", ""
        owner = self.seating.names[pile.owner]
        return describe_pile(self.words, pile, owner), self.seating.can(pile)

    def tell(self, lines: list[str], headline: str, *, four_colours: bool) -> None:
        """Say what has happened, under the table; `headline` is what is celebrated, if anything."""
        self.query_one("#last", Static).update(paint("\n".join(lines), four_colours=four_colours))
        festive = self.query_one("#headline", Static)
        festive.update(Content(headline))
        festive.display = bool(headline)
        self.call_after_refresh(self.fit_cards)

    @property
    def loose(self) -> list[CardBox]:
        """The places of the loose cards; some may be empty."""
        return list(self.query_one("#loose").query_children(CardBox))

    @property
    def piles(self) -> list[PileBox]:
        """The places of the piles; some may be empty."""
        return list(self.query_one("#piles").query_children(PileBox))

    def fit_cards(self) -> None:
        """Lay the loose cards out, as large as the room allows."""
        place = self.query_one("#loose")
        piles = self.query_one("#piles")
        width = self.size.width - (0 if piles.has_class("-none") else piles.outer_size.width)
        height = self.query_one("#middle").size.height
        if width <= 0 or height <= 0:
            return
        boxes = [box for box in self.loose if box.card is not None]
        for card_width, card_height, gap in _CARD_SIZES:
            columns = max(1, min(len(boxes), width // (card_width + gap)))
            rows = -(-len(boxes) // columns)
            if rows * card_height <= height:
                place.styles.overflow_y = "hidden"
                break
        else:
            place.styles.overflow_y = "auto"
            # Too many for any size: they scroll, and the bar of that takes a column.
            columns = max(1, (width - 1) // card_width)
            rows = -(-len(boxes) // columns)
        columns = max(1, -(-len(boxes) // max(rows, 1)))
        place.styles.grid_size_columns = columns
        place.styles.grid_columns = str(card_width + gap)
        place.styles.grid_rows = str(card_height)
        for box in boxes:
            box.styles.width, box.styles.height = card_width, card_height


def _letter(slot: int) -> str:
    return TABLE_KEYS[slot] if slot < len(TABLE_KEYS) else ""


def _by_arrival(view: View) -> list[int]:
    """The loose cards in the order in which they came to lie there."""
    order: list[int] = []
    if view.history is not None:
        layout = view.history.layout
        order = [card for card in range(layout.bit_length()) if layout >> card & 1]
        order += [play.card for _seat, play in view.history.plays]
    order += [card for card in range(view.loose.bit_length()) if card not in order]
    return [card for card in order if view.loose >> card & 1]


def _fresh(view: View) -> int:
    """The cards that the last play left on the table, as a mask."""
    if view.history is None or not view.history.plays:
        return 0
    _seat, play = view.history.plays[-1]
    return 0 if play.kind == CAPTURE else 1 << play.card
