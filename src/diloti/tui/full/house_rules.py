"""The house rules: every switch of a rule set, with a sentence about what it decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Static

from diloti.core.rules import SWITCHES, Rules
from diloti.tui.full.cycler import Cycler
from diloti.tui.full.setup import FORM_KEYS
from diloti.words import Words
from diloti.words.switches import choices_of, switch_sentence
from diloti.words.telling import rule_set_name


class HouseRulesScreen(Screen[Rules]):
    """Every switch but the number of players; gives back the rules as they were left."""

    BINDINGS: ClassVar[list[BindingType]] = [*FORM_KEYS, Binding("escape", "done", show=False)]

    def __init__(self, words: Words, rules: Rules) -> None:
        super().__init__()
        self.words = words
        self.rules = rules
        self._start = rules

    def compose(self) -> ComposeResult:
        """A row for each switch."""
        words = self.words
        with Vertical(classes="form"):
            yield Static(id="banner", markup=False)
            with Vertical(id="rows"):
                for switch in SWITCHES:
                    if switch == "players":
                        continue
                    if switch == "partners_show_card" and self.rules.players != 4:
                        continue
                    value = str(getattr(self.rules, switch))
                    yield Horizontal(
                        Static(switch_sentence(words, switch), classes="sentence", markup=False),
                        Cycler(choices_of(words, switch, self.rules), value, id=switch),
                        classes="row",
                    )
            with Horizontal(classes="buttons"):
                yield Button(words.say("Done (Esc)"), id="done", compact=True)
                yield Button(words.say("As they were"), id="undo", compact=True)

    def on_mount(self) -> None:
        """Begin at the first switch."""
        self._show_name()
        self.query(Cycler).first().focus()

    def _show_name(self) -> None:
        self.query_one("#banner", Static).update(rule_set_name(self.words, self.rules))

    @on(Cycler.Changed)
    def _changed(self, message: Cycler.Changed) -> None:
        switch = message.cycler.id or ""
        kind = type(getattr(self.rules, switch))
        value = message.value == "True" if kind is bool else kind(message.value)
        changes: dict[str, Any] = {switch: value}
        self.rules = replace(self.rules, **changes)
        self._show_name()

    @on(Button.Pressed, "#undo")
    def _undo(self) -> None:
        self.rules = self._start
        for cycler in self.query(Cycler):
            cycler.value = str(getattr(self.rules, cycler.id or ""))
        self._show_name()

    @on(Button.Pressed, "#done")
    def action_done(self) -> None:
        """Back to the start screen."""
        self.dismiss(self.rules)
