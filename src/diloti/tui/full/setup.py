"""The start: go on with the running match, or make a new one: rules, seats, language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from diloti.bots import USUAL_LEVEL
from diloti.core.errors import N_
from diloti.core.rules import CLASSIC, RULE_SETS, Rules
from diloti.tui.full.cycler import Cycler
from diloti.tui.full.screens import ConfirmScreen
from diloti.tui.full.seating import names_of
from diloti.tui.session import Chair, Session
from diloti.words import LANGUAGES, Words
from diloti.words.levels import BOT_NAMES, LEVEL_NAMES, LEVEL_SENTENCES
from diloti.words.switches import PRESET_SENTENCES
from diloti.words.telling import LETTERS, RULE_SET_NAMES, rule_set_name, side_name

if TYPE_CHECKING:
    from diloti.tui.full.app import DilotiApp

PERSON = "person"
_KINDS: Mapping[str, str] = {PERSON: N_("a person"), **LEVEL_NAMES}
LONGEST_NAME = 12

FORM_KEYS: list[BindingType] = [
    Binding("up", "app.focus_previous", show=False),
    Binding("down", "app.focus_next", show=False),
]


@dataclass
class Plan:
    """A match to be started: its rules, and who sits where (four seats, of which two may play)."""

    rules: Rules = CLASSIC
    kinds: list[str] = field(default_factory=lambda: [PERSON] + [USUAL_LEVEL] * 3)
    names: list[str] = field(default_factory=lambda: [""] * 4)
    """Empty: the seat goes by its default name."""

    def default_name(self, words: Words, seat: int) -> str:
        """The name of a seat that has not been given one."""
        if self.kinds[seat] != PERSON:
            return words.say(BOT_NAMES[seat])
        if self.kinds[: self.rules.players].count(PERSON) == 1:
            return words.say("Player")
        return words.say("Player {letter}", letter=LETTERS[seat])

    def chairs(self, words: Words) -> list[Chair]:
        """The seats that play."""
        return [
            Chair(
                self.names[seat].strip() or self.default_name(words, seat),
                None if self.kinds[seat] == PERSON else self.kinds[seat],
            )
            for seat in range(self.rules.players)
        ]


class StartScreen(Screen[None]):
    """What to do: go on, or start a match."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *FORM_KEYS,
        Binding("escape", "leave", show=False),
    ]

    def __init__(
        self, words: Words, plan: Plan, running: Session | None, notice: str, *, focus: str = ""
    ) -> None:
        super().__init__()
        self.words = words
        self.plan = plan
        self.running = running
        self.notice = notice
        self._first = focus or ("continue" if running is not None else "start")
        self._described = 1
        """The seat whose kind of player is described."""

    @property
    def game(self) -> DilotiApp:
        """The program around the screen."""
        return cast("DilotiApp", self.app)

    def compose(self) -> ComposeResult:
        """The form."""
        words, plan = self.words, self.plan
        with Vertical(classes="form"):
            yield Static("♠ ♥  D I L O T I  ♦ ♣", id="banner", markup=False)
            yield Static(
                self.notice, id="notice", classes="" if self.notice else "-none", markup=False
            )
            with Vertical(id="rows"):
                if self.running is not None:
                    yield Button(_going_on(words, self.running), id="continue", compact=True)
                    yield Static()
                yield self._row(
                    words.say("Language"), Cycler(LANGUAGES, words.language, id="language")
                )
                yield self._row(
                    words.say("Rules"),
                    Cycler(
                        {name: words.say(text) for name, text in RULE_SET_NAMES.items()},
                        plan.rules.base,
                        id="preset",
                    ),
                )
                yield Static(id="about", classes="note", markup=False)
                yield Button(words.say("House rules: every switch"), id="house", compact=True)
                yield Static()
                yield self._row(
                    words.say("Players"),
                    Cycler({"2": "2", "4": "4"}, str(plan.rules.players), id="players"),
                )
                for seat in range(4):
                    yield self._seat_row(seat)
                yield Static(id="level", classes="note", markup=False)
                yield Static()
                with Horizontal(classes="buttons"):
                    yield Button(words.say("Start a match"), id="start", compact=True)
                    yield Button(words.say("Quit (Esc)"), id="quit", compact=True)
            yield Static()
            yield Static(
                words.say("Arrows up and down: move. Left and right: change. Enter: press."),
                classes="note",
                markup=False,
            )

    def _row(self, label: str, *things: Cycler | Input) -> Horizontal:
        return Horizontal(Static(label, classes="label", markup=False), *things, classes="row")

    def _seat_row(self, seat: int) -> Horizontal:
        words, plan = self.words, self.plan
        kinds = {kind: words.say(text) for kind, text in _KINDS.items()}
        row = self._row(
            words.say("Seat {number}", number=seat + 1),
            Cycler(kinds, plan.kinds[seat], id=f"kind-{seat}"),
            Input(
                plan.names[seat],
                placeholder=plan.default_name(words, seat),
                max_length=LONGEST_NAME,
                compact=True,
                id=f"name-{seat}",
            ),
        )
        row.id = f"seat-{seat}"
        return row

    def on_mount(self) -> None:
        """Go straight to what one most likely wants."""
        self._refresh()
        self.query_one(f"#{self._first}").focus()

    def _refresh(self) -> None:
        words, plan = self.words, self.plan
        about = words.say(PRESET_SENTENCES[plan.rules.base])
        if set(plan.rules.changes(plan.rules.base)) - {"players"}:
            about = f"{rule_set_name(words, plan.rules)}. {about}"
        self.query_one("#about", Static).update(about)
        for seat in range(4):
            self.query_one(f"#seat-{seat}").display = seat < plan.rules.players
            name = self.query_one(f"#name-{seat}", Input)
            name.placeholder = plan.default_name(words, seat)
        kind = plan.kinds[min(self._described, plan.rules.players - 1)]
        sentence = "" if kind == PERSON else words.say(LEVEL_SENTENCES[kind])
        self.query_one("#level", Static).update(sentence)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Describe the player of the seat that one is about to change."""
        name = event.widget.id or ""
        if name.startswith("kind-"):
            self._described = int(name[-1])
            self._refresh()

    @on(Cycler.Changed)
    def _changed(self, message: Cycler.Changed) -> None:
        name, value, plan = message.cycler.id or "", message.value, self.plan
        if name == "language":
            self.game.speak(Words(value))
            return
        if name == "preset":
            plan.rules = RULE_SETS[value]
            self.query_one("#players", Cycler).value = str(plan.rules.players)
        elif name == "players":
            shows = plan.rules.partners_show_card and value == "4"
            plan.rules = replace(plan.rules, players=int(value), partners_show_card=shows)
        elif name.startswith("kind-"):
            plan.kinds[int(name[-1])] = value
        self._refresh()

    @on(Input.Changed)
    def _named(self, message: Input.Changed) -> None:
        self.plan.names[int((message.input.id or "")[-1])] = message.value

    @on(Input.Submitted)
    def _name_done(self) -> None:
        self.focus_next()

    @on(Button.Pressed)
    def _pressed(self, message: Button.Pressed) -> None:
        pressed = message.button.id
        if pressed == "continue" and self.running is not None:
            self.game.open_table(self.running)
        elif pressed == "house":
            self.game.open_house_rules()
        elif pressed == "start":
            self._start()
        elif pressed == "quit":
            self.action_leave()

    def _start(self) -> None:
        words = self.words
        if self.running is None:
            self.game.start_match()
            return

        def sure(yes: bool | None) -> None:
            if yes:
                self.game.start_match()

        question = words.say("A match is still running. Put it away for a new one?")
        keep, drop = words.say("Keep it"), words.say("Start a new match")
        self.game.push_screen(ConfirmScreen(words, question, drop, keep), sure)

    def action_leave(self) -> None:
        """Leave the program."""
        self.game.exit(0)


def _going_on(words: Words, running: Session) -> str:
    """What the button says that goes on with the running match."""
    match = running.match
    names = names_of(words, running)
    return words.say(
        "Go on: {first} {a} : {b} {second}",
        first=side_name(words, names, 0),
        a=match.scores[0],
        b=match.scores[1],
        second=side_name(words, names, 1),
    )
