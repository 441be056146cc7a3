"""The pieces of the table: cards, piles, the list of plays, the bar of keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import OptionList, Static

from diloti.core.position import Pile
from diloti.tui.full.paint import ink, paint
from diloti.words.cards import card_sign, cards_sign

CHOSEN, RECENT, USABLE = "✓", "•", "+"
PLAIN_SIGN, FAMILY_SIGN = "▲", "■"
_ROUND = tuple("╭─╮│╰╯")
_DOUBLE = tuple("╔═╗║╚╝")
_HEAVY = tuple("┏━┓┃┗┛")


class TableThing(Widget, can_focus=True):
    """Something on the table that can be pointed at: by its key, by the mouse, by the focus."""

    class Pressed(Message):
        """It was clicked."""

        def __init__(self, thing: TableThing) -> None:
            super().__init__()
            self.thing = thing

    letter = reactive("")
    """The key that chooses it."""
    chosen = reactive(False)
    recent = reactive(False)
    """Whether the last play put it there, or is about to take it."""
    usable = reactive(False)
    """Whether a play that fits what is chosen uses it."""
    four_colours = reactive(False)

    def on_click(self, event: events.Click) -> None:
        """Tell the table."""
        event.stop()
        self.post_message(self.Pressed(self))

    def watch_chosen(self, chosen: bool) -> None:
        """Let the style sheet know."""
        self.set_class(chosen, "-chosen")

    def watch_usable(self, usable: bool) -> None:
        """Let the style sheet know."""
        self.set_class(usable, "-usable")

    def marks(self) -> str:
        """The signs in its lower edge."""
        chosen = CHOSEN if self.chosen else USABLE if self.usable else ""
        return (RECENT if self.recent else "") + chosen

    def edges(self, resting: tuple[str, ...]) -> tuple[str, ...]:
        """The six box characters that show its state by shape."""
        return _HEAVY if self.chosen else _DOUBLE if self.has_focus else resting


class CardBox(TableThing):
    """A card that lies open: in the hand or loose on the table."""

    card: reactive[int | None] = reactive(None)

    def show_card(self, card: int | None, letter: str, *, four_colours: bool) -> None:
        """Show a card, or None: the place is empty."""
        self.card, self.letter, self.four_colours = card, letter, four_colours
        self.set_class(card is None, "-gone")

    def render(self) -> Content:
        """The card as large as its place allows."""
        width, height = self.size.width - 2, self.size.height - 2
        if self.card is None or width < 3 or height < 1:
            return Content("")
        sign = card_sign(self.card)
        colour = f"bold {ink(sign[-1], four_colours=self.four_colours)}"
        rows = [" " * width for _ in range(height)]
        if height == 1:
            rows[0] = sign.center(width) if width > 3 else sign.rjust(width)
        else:
            rows[0] = (sign if width < 4 else " " + sign).ljust(width)
            rows[-1] = (sign if width < 4 else sign + " ").rjust(width)
            if height >= 5:
                rows[height // 2] = sign[-1].center(width)
        left_top, across, right_top, down, left_low, right_low = self.edges(_ROUND)
        top = self.letter + across * (width - len(self.letter))
        marks = self.marks()
        low = across * (width - len(marks)) + marks
        parts: list[str | tuple[str, str]] = [left_top + top + right_top]
        for row in rows:
            parts += ["\n" + down, (row, colour), down]
        parts.append("\n" + left_low + low + right_low)
        return Content.assemble(*parts)


class PileBox(TableThing):
    """A pile with its value, kind, owner and cards, each said in words and shown by shape."""

    pile: reactive[Pile | None] = reactive(None, layout=True)
    legend = reactive("", layout=True)
    """Value, kind and owner in words."""
    can = reactive("")
    """Whether it can be raised, in words."""

    def show_pile(
        self, pile: Pile | None, letter: str, legend: str, can: str, *, four_colours: bool
    ) -> None:
        """Show a pile with its words, or None: the place is empty."""
        self.pile, self.letter, self.legend, self.can = pile, letter, legend, can
        self.four_colours = four_colours
        self.set_class(pile is None, "-gone")

    def lines(self, width: int) -> list[str]:
        """What stands in the box, wrapped to a width."""
        if self.pile is None:
            return []
        parts = [cards_sign(part) for part in self.pile.components]
        return [*wrap(self.legend, width), *wrap(" + ".join(parts), width)]

    def get_content_height(
        self,
        container: Size,  # noqa: ARG002
        viewport: Size,  # noqa: ARG002
        width: int,
    ) -> int:
        """As high as its lines and edges."""
        return len(self.lines(width - 4)) + 2

    def render(self) -> Content:
        """The box."""
        if self.pile is None:
            return Content("")
        width = self.size.width - 2
        left_top, across, right_top, down, left_low, right_low = self.edges(
            _DOUBLE if self.pile.is_family else _ROUND
        )
        sign = FAMILY_SIGN if self.pile.is_family else PLAIN_SIGN
        title = f"{self.letter}{across} {self.pile.value} {sign} "
        top = title + across * (width - cell_len(title))
        marks, can = self.marks(), f" {self.can} " if self.can else ""
        if cell_len(can) > width - 3:
            can = ""
        low = across + can + across * (width - 1 - cell_len(can) - len(marks)) + marks
        parts: list[str | Content | tuple[str, str]] = [(left_top + top + right_top, "bold")]
        for line in self.lines(width - 2):
            parts += [f"\n{down} ", paint(line, four_colours=self.four_colours)]
            parts += [" " * (width - 1 - cell_len(line)), down]
        parts.append("\n" + left_low + low + right_low)
        return Content.assemble(*parts)


class PlayList(OptionList):
    """The plays that fit what is chosen; arrows to the side leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.move('left')", show=False),
        Binding("right", "screen.move('right')", show=False),
        Binding("space", "select", show=False),
        Binding("up", "up", show=False),
    ]

    async def action_up(self) -> None:
        """One line up, and out at the top."""
        if self.highlighted:
            self.action_cursor_up()
        else:
            await self.run_action("screen.move('up')")


class KeyBar(Static):
    """The keys of a screen; a click on one does the same."""

    def show_keys(self, keys: Iterable[tuple[str, str, str]]) -> None:
        """Show keys: the key itself, what it does in words, and the action."""
        parts = [
            Content.from_markup(
                f"[@click={action}][b $accent]$key[/] $what[/]",
                key=key,
                what=what.replace(" ", "\N{NO-BREAK SPACE}"),
            )
            for key, what, action in keys
        ]
        self.update(Content("  ").join(parts))


def wrap(text: str, width: int) -> list[str]:
    """A text in lines of at most `width` cells, broken between words where that is possible."""
    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += " " + word
        else:
            while cell_len(word) > width > 0:
                lines.append(word[:width])
                word = word[width:]
            lines.append(word)
    return lines
