"""The commands of the table: the keys that always work, and what each does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from textual.content import Content

from diloti.core.errors import N_
from diloti.core.plays import Play
from diloti.core.view import View
from diloti.teacher.advice import advise, mistake_of
from diloti.tui.advice import hint_lines, warning_lines
from diloti.tui.full.paint import paint
from diloti.tui.full.screens import ConfirmScreen, MenuScreen, TextScreen
from diloti.tui.full.settings import PACE_NAMES
from diloti.tui.full.sheet import match_so_far
from diloti.words.rules import rule_lines
from diloti.words.telling import rule_set_name, tell_plays

if TYPE_CHECKING:
    from diloti.tui.full.app import DilotiApp
    from diloti.tui.full.table import TableScreen


@dataclass(frozen=True)
class Command:
    """Something a player can always ask for."""

    keys: str
    sign: str
    action: str
    what: str


COMMANDS = (
    Command("f1,question_mark", "F1", "menu", N_("Menu and keys")),
    Command("f2", "F2", "rules", N_("Rules")),
    Command("f3", "F3", "plays", N_("The last plays")),
    Command("f4", "F4", "scores", N_("Scores")),
    Command("f5", "F5", "pace", N_("Pace: {pace}")),
    Command("f6", "F6", "suits", N_("Four suit colours on or off")),
    Command("f7", "F7", "light", N_("Light or dark")),
    Command("f8", "F8", "resign", N_("Give up the match")),
    Command("f9", "F9", "hint", N_("Hint, against bots")),
    Command("0", "0", "coach", N_("Coach on or off, against bots")),
    Command("f10", "F10", "leave", N_("Leave, the match is kept")),
)
_IN_BAR = {
    "menu": N_("Menu"),
    "rules": N_("Rules"),
    "plays": N_("Plays"),
    "scores": N_("Scores"),
    "pace": N_("Pace: {pace}"),
    "leave": N_("Leave"),
}


class Commands:
    """What the commands do, for the table screen."""

    @property
    def _table(self) -> TableScreen:
        return cast("TableScreen", self)

    @property
    def game(self) -> DilotiApp:
        """The program around the table."""
        return cast("DilotiApp", self._table.app)

    def _what(self, template: str) -> str:
        words = self._table.words
        return words.say(template, pace=words.say(PACE_NAMES[self._table.settings.pace]))

    def key_hints(self) -> Iterator[tuple[str, str, str]]:
        """Key, meaning and action of each command in the bar."""
        for command in COMMANDS:
            if command.action in _IN_BAR:
                yield command.sign, self._what(_IN_BAR[command.action]), f"screen.{command.action}"

    async def action_menu(self) -> None:
        """All commands, and the keys of the table."""
        items = [(command.action, command.sign, self._what(command.what)) for command in COMMANDS]

        async def act(action: str | None) -> None:
            if action and action != "menu":
                await self._table.run_action(action)

        self.game.push_screen(MenuScreen(self._table.words, items[1:]), act)

    def action_rules(self) -> None:
        """The rules of this table."""
        words, rules = self._table.words, self._table.session.match.rules
        lines = [
            Content.assemble((number, "bold $accent"), f"  {text}")
            for number, text in rule_lines(words, rules)
        ]
        heading = words.say("The rules of this table: {name}", name=rule_set_name(words, rules))
        self.game.push_screen(TextScreen(words, heading, Content("\n").join(lines)))

    def action_plays(self) -> None:
        """The last play of each seat in words: nobody may look through older captures (R10.2)."""
        table = self._table
        words = table.words
        players = table.session.match.rules.players
        lines = tell_plays(words, table.seating.names, table.view, last=players)
        lines = lines or [words.say("Nothing has been played yet.")]
        text = paint("\n".join(lines), four_colours=table.settings.four_colours)
        heading = words.say("The last plays")
        self.game.push_screen(TextScreen(words, heading, text, at_end=True))

    def action_scores(self) -> None:
        """The scores of the deals that are over."""
        table = self._table
        heading = table.words.say("The match so far")
        lines = match_so_far(table.words, table.session)
        text = Content("\n".join(lines))
        self.game.push_screen(TextScreen(table.words, heading, text))

    def action_pace(self) -> None:
        """The next pace of the bots."""
        self._table.settings.next_pace()
        self._table.draw_keys()
        self.game.keep_settings()

    def action_suits(self) -> None:
        """Four colours for the suits, or two."""
        settings = self._table.settings
        settings.four_colours = not settings.four_colours
        self._table.draw()
        self.game.keep_settings()

    def action_light(self) -> None:
        """Light instead of dark, or dark instead of light."""
        self._table.settings.dark = not self._table.settings.dark
        self.game.keep_settings()

    def action_hint(self) -> None:
        """What the strongest bot would play, to be played or not."""
        table = self._table
        if table.is_asking and table.session.is_against_bots:
            table.run_worker(self.give_hint(table.view), group="teacher", exclusive=True)

    async def give_hint(self, view: View) -> None:
        """Show a hint, and play it where that is wanted."""
        table, words = self._table, self._table.words
        advice = await asyncio.to_thread(advise, view)
        question = "\n".join(hint_lines(words, advice))
        wanted = await self._asked(question, words.say("Play it"), words.say("Close (Esc)"))
        if wanted and table.is_asking and table.view == view:
            table.make(advice.best.play)

    def action_coach(self) -> None:
        """Warnings before plays that lose much, or none."""
        table = self._table
        table.settings.coach = not table.settings.coach
        self.game.keep_settings()
        told = (
            N_("The coach warns you of plays that lose much.")
            if table.settings.coach
            else N_("The coach says nothing.")
        )
        self.game.notify(table.words.say(told), markup=False)

    async def warn_of(self, view: View, play: Play) -> None:
        """Make a play, unless it loses much and the person thinks better of it."""
        table, words = self._table, self._table.words
        advice = await asyncio.to_thread(advise, view)
        mistake = await asyncio.to_thread(mistake_of, advice, play)
        is_sure = mistake is None or await self._asked(
            "\n".join(warning_lines(words, mistake)),
            words.say("Play it anyway"),
            words.say("Choose again"),
        )
        if is_sure and table.is_asking and table.view == view:
            table.make(play)

    async def _asked(self, question: str, yes: str, no: str) -> bool:
        return await self.game.push_screen_wait(ConfirmScreen(self._table.words, question, yes, no))

    def action_resign(self) -> None:
        """Give up, once that is confirmed."""
        table = self._table
        words = table.words

        def give_up(sure: bool | None) -> None:
            if sure:
                table.resigning = table.view.seat
                table.wake()

        question = words.say("Give up this match? The other side wins it.")
        self.game.push_screen(
            ConfirmScreen(words, question, words.say("Give up"), words.say("Play on")), give_up
        )

    def action_leave(self) -> None:
        """Leave; the match can be continued next time."""
        self.game.exit(0)
