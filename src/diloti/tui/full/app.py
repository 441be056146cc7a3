"""The full-screen game: the start screen, the table, and what passes between them."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from diloti.core.rules import Rules
from diloti.tui.full.house_rules import HouseRulesScreen
from diloti.tui.full.settings import Settings, load_settings, save_settings
from diloti.tui.full.setup import Plan, StartScreen
from diloti.tui.full.table import TableScreen
from diloti.tui.session import Session
from diloti.tui.store import Store, StoreError
from diloti.words import Words

_DARK = Theme(
    name="diloti-dark",
    primary="#d9a441",
    accent="#e0ac4c",
    foreground="#e9e7df",
    background="#14251f",
    surface="#1b3029",
    panel="#22392f",
    error="#ff8a80",
    dark=True,
    variables={"red-suit": "#ff8f8f", "blue-suit": "#8fb8ff", "green-suit": "#86d99a"},
)
_LIGHT = Theme(
    name="diloti-light",
    primary="#7a4d00",
    accent="#7a4d00",
    foreground="#1d2a24",
    background="#e3ebe4",
    surface="#edf3ee",
    panel="#d2ded5",
    error="#a01020",
    dark=False,
    variables={"red-suit": "#b3122b", "blue-suit": "#0a4fc4", "green-suit": "#0b6b2e"},
)
_NOTICE_SECONDS = 12


class DilotiApp(App[int]):
    """The program in a terminal."""

    CSS_PATH = "diloti.tcss"
    TITLE = "Diloti"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f10,ctrl+q,ctrl+c", "leave", show=False, priority=True),
    ]

    def __init__(
        self,
        words: Words,
        store: Store,
        session: Session | None = None,
        *,
        notice: str | None = None,
        seed: int | None = None,
        coach: bool = False,
    ) -> None:
        super().__init__()
        self.words = words
        self.store = store
        self.settings: Settings = load_settings(store.folder)
        self.settings.coach |= coach
        self.plan = Plan()
        self._session = session
        self._notice = notice or ""
        self._seed = seed
        self.register_theme(_DARK)
        self.register_theme(_LIGHT)

    def on_mount(self) -> None:
        """Open the table of a given match, or the start."""
        self._use_theme()
        if self._session is None:
            self.open_start()
        else:
            self.open_table(self._session)
            if self._notice:
                self.warn(self._notice)

    def _use_theme(self) -> None:
        self.theme = (_DARK if self.settings.dark else _LIGHT).name

    def keep_settings(self) -> None:
        """Use the settings as they are now, and keep them for the next time."""
        self._use_theme()
        save_settings(self.settings, self.store.folder)

    def warn(self, sentence: str) -> None:
        """Show trouble that is no reason to stop."""
        self.notify(sentence, severity="error", timeout=_NOTICE_SECONDS, markup=False)

    def _show(self, screen: StartScreen | TableScreen) -> None:
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def action_leave(self) -> None:
        """Leave the program; the match is kept."""
        self.exit(0)

    def open_start(self, *, focus: str = "") -> None:
        """The start screen, with the running match of the store if there is one."""
        running = None
        try:
            running = Session.resume(self.store)
        except StoreError as trouble:
            self._notice = " ".join(filter(None, [self._notice, self.words.error(trouble)]))
        self._show(StartScreen(self.words, self.plan, running, self._notice, focus=focus))
        self._notice = ""

    def speak(self, words: Words) -> None:
        """Go on in another language."""
        self.words = words
        self.open_start(focus="language")

    def open_house_rules(self) -> None:
        """The switches behind the rule set."""

        def done(rules: Rules | None) -> None:
            if rules is not None:
                self.plan.rules = rules
                self.open_start()

        self.push_screen(HouseRulesScreen(self.words, self.plan.rules), done)

    def open_table(self, session: Session) -> None:
        """The table of a match."""
        self._show(TableScreen(self.words, session, self.settings))

    def start_match(self) -> None:
        """Start the match that is planned."""
        rules, chairs = self.plan.rules, self.plan.chairs(self.words)
        try:
            session = Session.start(rules, chairs, store=self.store, seed=self._seed)
        except StoreError as trouble:
            self.warn(self.words.error(trouble))
            session = Session.start(rules, chairs, seed=self._seed)
        self.open_table(session)

    def after_match(self, session: Session, choice: str) -> None:
        """Do what was chosen at the end of a match: `rematch`, `new` or `leave`."""
        if choice == "rematch":
            self.open_table(session.rematch())
        elif choice == "new":
            self.open_start()
        else:
            self.exit(0)


def run_app(
    words: Words,
    store: Store,
    session: Session | None = None,
    *,
    notice: str | None = None,
    seed: int | None = None,
    coach: bool = False,
) -> int:
    """Play in the whole terminal; returns the exit status.

    Without a session it begins with the start screen. `notice` is shown there, or over the table;
    `seed` makes the matches that are started repeatable; a `coach` warns of bad plays.
    """
    app = DilotiApp(words, store, session, notice=notice, seed=seed, coach=coach)
    return app.run() or 0
