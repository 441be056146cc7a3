"""A choice in one line: ‹ value ›, changed with the arrow keys or by clicking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class Cycler(Widget, can_focus=True):
    """One of several values, each with its words."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right,enter,space", "step(1)", show=False),
    ]

    class Changed(Message):
        """Another value has been chosen by the player."""

        def __init__(self, cycler: Cycler, value: str) -> None:
            super().__init__()
            self.cycler = cycler
            self.value = value

    value = reactive("")

    def __init__(self, choices: Mapping[str, str], value: str, *, id: str) -> None:
        super().__init__(id=id)
        self.choices = dict(choices)
        self.set_reactive(Cycler.value, value)

    def render(self) -> Content:
        """The value between the two signs that change it."""
        return Content(f"‹ {self.choices[self.value]} ›")

    def action_step(self, step: int) -> None:
        """The next value, or the one before."""
        values = list(self.choices)
        self.value = values[(values.index(self.value) + step) % len(values)]
        self.post_message(self.Changed(self, self.value))

    def on_click(self, event: events.Click) -> None:
        """A click on the sign at the left goes back, elsewhere on."""
        self.action_step(-1 if event.x <= 2 else 1)
