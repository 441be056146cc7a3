"""The house rules: every switch of a rule set, with a sentence about what it decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Static

from diloti.core.errors import N_
from diloti.core.rules import CHOICES, SWITCHES, Rules
from diloti.tui.full.cycler import Cycler
from diloti.tui.full.setup import FORM_KEYS
from diloti.tui.telling import rule_set_name
from diloti.words import Words
from diloti.words.rules import switch_sentence

_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "target": (21, 31, 41, 51, 61, 71, 81, 91, 101, 121, 151, 201),
    "deal_packet": (3, 6),
    "xeri_points": (0, 5, 10, 15, 20),
    "xeristaki_points": (0, 1, 3, 5, 10),
}
_NAMES: Mapping[str, str] = {
    "equal_courts": N_("three equal courts"),
    "jacks": N_("three jacks"),
    "any": N_("it may"),
    "all": N_("it takes all"),
    "many": N_("any number"),
    "one": N_("one"),
    "three_take_three": N_("one, or three of three"),
    "opponents": N_("the opponents'"),
    "others": N_("all but one's own"),
    "anyone": N_("everybody's"),
    "never": N_("none"),
}


def choices_of(words: Words, switch: str, rules: Rules) -> dict[str, str]:
    """The values of a switch as text, each with its words."""
    value = getattr(rules, switch)
    if switch in CHOICES:
        return {name: words.say(_NAMES[name]) for name in CHOICES[switch]}
    if isinstance(value, bool):
        return {"True": words.say("yes"), "False": words.say("no")}
    return {str(number): str(number) for number in sorted({*_NUMBERS[switch], value})}


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
