"""What is laid over the table for a moment: texts, questions, the menu, the cover of a hot seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from diloti.core.cards import cards_in
from diloti.tui.full.paint import paint
from diloti.tui.full.widgets import CardBox, TableThing
from diloti.words import Words

BETWEEN_BUTTONS: list[BindingType] = [
    Binding("left,up", "app.focus_previous", show=False),
    Binding("right,down", "app.focus_next", show=False),
]


class TextScreen(ModalScreen[None]):
    """A text to read; Enter or Escape closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,f1,f2,f3,f4", "close", show=False),
    ]

    def __init__(self, words: Words, heading: str, text: Content, *, at_end: bool = False) -> None:
        super().__init__()
        self.words = words
        self.heading = heading
        self.text = text
        self.at_end = at_end

    def compose(self) -> ComposeResult:
        """The heading, the text in a scroller, a button."""
        with Vertical(classes="window"):
            yield Static(Content(self.heading), classes="heading")
            yield VerticalScroll(Static(self.text), id="text")
            with Horizontal(classes="buttons"):
                yield Button(self.words.say("Close (Esc)"), id="close", compact=True)

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        scroller = self.query_one("#text", VerticalScroll)
        scroller.focus()
        if self.at_end:
            self.call_after_refresh(scroller.scroll_end, animate=False)

    @on(Button.Pressed)
    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)


class ConfirmScreen(ModalScreen[bool]):
    """A question with two answers; the harmless one has the focus and is Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "no", show=False),
        *BETWEEN_BUTTONS,
    ]

    def __init__(self, words: Words, question: str, yes: str, no: str) -> None:
        super().__init__()
        self.words = words
        self.question = question
        self.yes, self.no = yes, no

    def compose(self) -> ComposeResult:
        """The question and the answers."""
        with Vertical(classes="window"):
            with Vertical(classes="scroller"):
                yield Static(Content(self.question))
            with Horizontal(classes="buttons"):
                yield Button(Content(self.no), id="no", compact=True)
                yield Button(Content(self.yes), id="yes", compact=True)

    def action_no(self) -> None:
        """The harmless answer."""
        self.dismiss(False)

    @on(Button.Pressed)
    def _answer(self, message: Button.Pressed) -> None:
        self.dismiss(message.button.id == "yes")


class MenuScreen(ModalScreen[str | None]):
    """The commands, and below them how to choose a play by keys and by the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1", "close", show=False)]

    def __init__(self, words: Words, items: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.words = words
        self.items = items

    def compose(self) -> ComposeResult:
        """The list and the explanation."""
        words = self.words
        with Vertical(classes="window"):
            yield Static(words.say("Menu"), classes="heading", markup=False)
            with Vertical(classes="scroller"):
                yield OptionList(
                    *(Option(f"{sign:>3}  {what}", action) for action, sign, what in self.items),
                    markup=False,
                    id="items",
                )
                yield Static(
                    "\n"
                    + words.say(
                        "1–6 choose a card of your hand, a–p cards and piles of the table, q–z a"
                        " play. Or: arrows or Tab to move, Space to choose, Enter to choose and"
                        " then to play, Esc to put everything back. Everything can be clicked."
                    ),
                    markup=False,
                    classes="note",
                )
                yield Static(
                    words.say(
                        "On cards: ✓ chosen, + fits what is chosen, • from the last play."
                        " ▲ a plain declaration, ■ a family. ✶ a xeri."
                    ),
                    markup=False,
                    classes="note",
                )
            with Horizontal(classes="buttons"):
                yield Button(words.say("Close (Esc)"), id="close", compact=True)

    @on(OptionList.OptionSelected)
    def _chosen(self, message: OptionList.OptionSelected) -> None:
        self.dismiss(message.option_id)

    @on(Button.Pressed)
    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)


class CoverScreen(Screen[None]):
    """Hides the table while the terminal is handed to somebody else."""

    def __init__(self, words: Words, name: str, told: Sequence[str]) -> None:
        super().__init__(classes="cover")
        self.words = words
        self.name_of_next = name
        self.told = told

    def compose(self) -> ComposeResult:
        """Whose turn it is, what everybody has seen, and a button."""
        words = self.words
        with Vertical(classes="window"):
            yield Static(
                words.say("Please pass to {name}.", name=self.name_of_next),
                classes="heading",
                markup=False,
            )
            if self.told:
                yield Static(paint("\n".join(self.told), four_colours=False))
            with Horizontal(classes="buttons"):
                yield Button(
                    Content(words.say("I am {name}: show my cards", name=self.name_of_next)),
                    id="ready",
                    compact=True,
                )

    @on(Button.Pressed)
    def _ready(self) -> None:
        self.dismiss(None)


class PickCardScreen(Screen[int | None]):
    """Which card to show the partner (R2.7), if any."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "none", show=False),
        Binding("enter,space", "pick", show=False),
        *BETWEEN_BUTTONS,
    ]

    def __init__(self, words: Words, hand: int, partner: str, *, four_colours: bool) -> None:
        super().__init__(classes="cover")
        self.words = words
        self.cards = list(cards_in(hand))
        self.partner = partner
        self.four_colours = four_colours

    def compose(self) -> ComposeResult:
        """The hand, and a button for none."""
        words = self.words
        with Vertical(classes="window"):
            yield Static(
                words.say(
                    "Before the first play you may show {name} one of your cards. Which one?",
                    name=self.partner,
                ),
                classes="heading",
                markup=False,
            )
            with Center():
                yield Horizontal(*(CardBox(id=f"show-{slot}") for slot in range(1, 7)), id="hand")
            with Horizontal(classes="buttons"):
                yield Button(words.say("None (Esc)"), id="none", compact=True)

    def on_mount(self) -> None:
        """Fill in the cards."""
        for slot, box in enumerate(self.query(CardBox)):
            card = self.cards[slot] if slot < len(self.cards) else None
            box.show_card(card, str(slot + 1), four_colours=self.four_colours)
        for slot in range(len(self.cards)):
            self._bindings.bind(str(slot + 1), f"card({slot})", show=False)

    def action_card(self, slot: int) -> None:
        """Show the card with that number."""
        self.dismiss(self.cards[slot])

    def action_pick(self) -> None:
        """Show the card that has the focus."""
        if isinstance(self.focused, CardBox):
            self.dismiss(self.focused.card)

    @on(TableThing.Pressed)
    def _on_pressed(self, message: TableThing.Pressed) -> None:
        if isinstance(message.thing, CardBox):
            self.dismiss(message.thing.card)

    @on(Button.Pressed)
    def action_none(self) -> None:
        """Show none."""
        self.dismiss(None)
