"""Counting: the sheet of a deal that is over, the match so far, and the end of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from diloti.core.match import DealLog
from diloti.tui.full.paint import paint
from diloti.tui.full.screens import BETWEEN_BUTTONS
from diloti.tui.full.seating import names_of
from diloti.tui.full.widgets import wrap
from diloti.tui.session import Session
from diloti.words import Words
from diloti.words.sheets import sheet_rows, tell_leftovers
from diloti.words.telling import side_name, tell_play

_CALM_SECONDS = 0.5
_LABEL_WIDTH, _COLUMN_WIDTH = 32, 18


def sheet_lines(words: Words, session: Session) -> list[str]:
    """The last deal counted: what each side has, and the points for it (R11)."""
    log = session.match.deal_log
    assert log.score is not None
    position, rules = log.position, log.position.rules
    first, second = log.score.sheets
    taken = (position.captured[0].bit_count(), position.captured[1].bit_count())
    rows: list[tuple[str, object, object]] = [*sheet_rows(words, rules, taken, log.score.sheets)]
    rows += [
        ("", "", ""),
        (words.say("Points of this deal"), first.total, second.total),
        (words.say("Match, to {target}", target=rules.target), *log.score.scores),
    ]
    return [*_heading(words, session), *(line for row in rows for line in _row(*row))]


def _heading(words: Words, session: Session) -> list[str]:
    names = names_of(words, session)
    columns = [wrap(side_name(words, names, side), _COLUMN_WIDTH - 1) for side in range(2)]
    height = max(map(len, columns))
    padded = [[""] * (height - len(column)) + column for column in columns]
    return [line for pair in zip(*padded, strict=True) for line in _row("", *pair)]


def _row(label: str, first: object, second: object) -> list[str]:
    """A row of the sheet; a long label takes several lines."""
    lines = wrap(label, _LABEL_WIDTH - 1) or [""]
    columns = "".join(_right(str(text), _COLUMN_WIDTH) for text in (first, second))
    last = lines[-1] + " " * (_LABEL_WIDTH - cell_len(lines[-1]))
    return [*lines[:-1], (last + columns).rstrip()]


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text


def ending_lines(words: Words, session: Session) -> list[str]:
    """How the last deal ended: its last play, what was left on the table, and who got that."""
    log = session.match.deal_log
    names = names_of(words, session)
    lines = []
    if log.position.history is not None:
        seat, play = log.position.history.plays[-1]
        lines.append(tell_play(words, names[seat], play))
    lines += [
        tell_leftovers(words, names, event)
        for event in log.outcomes[-1].events
        if event.name == "leftovers"
    ]
    return lines


def match_so_far(words: Words, session: Session) -> list[str]:
    """The points of every deal that is over, and the totals."""
    over = [log for log in session.match.deals if log.score is not None]
    if not over:
        return [words.say("No deal has been counted yet.")]
    lines = _heading(words, session)
    for number, log in enumerate(over, start=1):
        lines += _row(words.say("Deal {number}", number=number), *_points(log))
    target = session.match.rules.target
    return [
        *lines,
        "",
        *_row(words.say("Match, to {target}", target=target), *session.match.scores),
    ]


def _points(log: DealLog) -> Sequence[int]:
    assert log.score is not None
    return [sheet.total for sheet in log.score.sheets]


class SheetScreen(ModalScreen[None]):
    """The sheet of the deal that is over; it stays until somebody says to go on."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "close", show=False)]

    def __init__(self, words: Words, session: Session) -> None:
        super().__init__()
        self.words = words
        self.session = session

    def compose(self) -> ComposeResult:
        """How the deal ended, the table of points, a button."""
        words = self.words
        number = len(self.session.match.deals)
        with Vertical(classes="window"):
            yield Static(
                words.say("Deal {number} is over", number=number), classes="heading", markup=False
            )
            ending = "\n".join(ending_lines(words, self.session))
            sheet = "\n".join(sheet_lines(words, self.session))
            yield VerticalScroll(
                Static(paint(ending, four_colours=False)),
                Static(Content("\n" + sheet), id="sheet"),
            )
            with Horizontal(classes="buttons"):
                yield Button(words.say("Go on (Enter)"), id="go-on", compact=True)

    def on_mount(self) -> None:
        """Enter goes on, the arrows scroll."""
        self.query_one(VerticalScroll).focus()

    @on(Button.Pressed)
    def action_close(self) -> None:
        """On to the next deal, or to the end of the match."""
        self.dismiss(None)


class EndScreen(ModalScreen[str]):
    """The end of a match, and what next: `rematch`, `new` or `leave`."""

    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        *BETWEEN_BUTTONS,
    ]

    def __init__(self, words: Words, session: Session) -> None:
        super().__init__()
        self.words = words
        self.session = session

    def on_mount(self) -> None:
        """Let a button have the focus, but only once nobody still presses Enter for the sheet."""
        self.set_timer(_CALM_SECONDS, self.query_one("#rematch").focus)

    def compose(self) -> ComposeResult:
        """Who has won, how, and three buttons."""
        words, match = self.words, self.session.match
        names = names_of(words, self.session)
        assert match.winner is not None
        winner = side_name(words, names, match.winner)
        with Vertical(classes="window"):
            yield Static("✶  ♠  ♥   ✶   ♦  ♣  ✶", classes="heading", id="fireworks")
            yield Static(
                Content.styled(words.say("The match goes to {side}!", side=winner), "bold")
            )
            if match.resigned is not None:
                yield Static(Content(words.say("{name} has given up.", name=names[match.resigned])))
            yield Static(Content("\n" + "\n".join(match_so_far(words, self.session))))
            with Horizontal(classes="buttons"):
                yield Button(words.say("Rematch"), id="rematch", compact=True)
                yield Button(words.say("New match"), id="new", compact=True)
                yield Button(words.say("Leave"), id="leave", compact=True)

    def action_leave(self) -> None:
        """Leave the program."""
        self.dismiss("leave")

    @on(Button.Pressed)
    def _pressed(self, message: Button.Pressed) -> None:
        self.dismiss(message.button.id or "leave")
