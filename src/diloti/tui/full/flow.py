"""The course of a match at the table: who is asked when, and what is shown in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from diloti.core.view import View
from diloti.tui.full.screens import CoverScreen, PickCardScreen
from diloti.tui.full.sheet import EndScreen, SheetScreen
from diloti.tui.keeping import Keeper
from diloti.words.telling import tell_plays

if TYPE_CHECKING:
    from diloti.tui.full.table import TableScreen


class Flow:
    """Takes a match on from wherever it stands to its end."""

    def __init__(self, table: TableScreen) -> None:
        self.table = table
        self.session = table.session
        self.words = table.words
        self._keeper = Keeper(table.words, table.session)
        self._asked: set[int] = set()
        """The seats that have been asked for a card to show in this deal."""

    async def run(self) -> None:
        """Play until the match is over, then offer what there is to do next."""
        table, session = self.table, self.session
        if len(session.people) == 1:
            table.viewer = session.people[0]
        while not session.match.is_over:
            if table.resigning is not None:
                await self._keep(partial(session.resign, table.resigning))
            elif session.match.is_between_deals:
                await self._next_deal()
            elif (seat := self._to_ask()) is not None:
                await self._ask_for_shown_card(seat)
            else:
                await self._turn()
        table.draw()
        if session.match.resigned is None:
            await self._show_sheet()
        choice = await table.app.push_screen_wait(EndScreen(self.words, session))
        table.game.after_match(session, choice)

    async def _keep(self, step: Callable[[], object]) -> None:
        """Take a step of the match; where it is no longer kept as before, say so and go on."""
        told = await asyncio.to_thread(self._keeper.take, step)
        if told:
            self.table.game.warn("\n".join(told))

    async def _next_deal(self) -> None:
        if self.session.match.deals:
            await self._show_sheet()
        if len(self.session.people) > 1:
            self.table.viewer = None
        self._asked.clear()
        await self._keep(self.session.deal)
        self.table.headline = ""
        self.table.draw()

    async def _show_sheet(self) -> None:
        await self.table.app.push_screen_wait(SheetScreen(self.words, self.session))

    def _to_ask(self) -> int | None:
        """The next person who may show the partner a card (R2.7) and has not been asked."""
        if not self.session.match.rules.partners_show_card:
            return None
        for seat in self.session.people:
            if seat not in self._asked and self._may_show(self.session.view(seat)):
                return seat
        return None

    def _may_show(self, view: View) -> bool:
        return not view.plays and (view.shown is None or view.shown[view.seat] is None)

    async def _ask_for_shown_card(self, seat: int) -> None:
        self._asked.add(seat)
        await self._hand_over(seat)
        view, names = self.session.view(seat), self.table.seating.names
        picked = await self.table.app.push_screen_wait(
            PickCardScreen(
                self.words,
                view.hand,
                names[(seat + 2) % len(names)],
                four_colours=self.table.settings.four_colours,
            )
        )
        if picked is not None:
            await self._keep(partial(self.session.show, seat, picked))

    async def _hand_over(self, seat: int) -> None:
        """Make sure that the person of a seat is the one who looks at the screen."""
        table = self.table
        if table.viewer == seat:
            return
        table.viewer = None
        table.draw()
        names = table.seating.names
        told = tell_plays(self.words, names, self.session.view(seat), len(names) - 1)
        await table.app.push_screen_wait(CoverScreen(self.words, names[seat], told))
        table.viewer = seat
        table.draw()

    async def _turn(self) -> None:
        table, session = self.table, self.session
        seat = session.turn
        assert seat is not None
        table.draw()
        if session.is_person(seat):
            await self._hand_over(seat)
            play = await table.next_play(seat)
        else:
            choice = await asyncio.to_thread(session.choose)
            play = choice.play
            await table.announce(seat, play)
        if play is None or table.resigning is not None:
            return
        before = session.view(seat)
        await self._keep(partial(session.play, play))
        table.headline = self._headline(before, session.view(seat)) or table.headline
        table.draw()

    def _headline(self, before: View, after: View) -> str:
        """What deserves to be celebrated, or nothing."""
        name, rules = self.table.seating.names[before.seat], before.rules
        if after.xeri != before.xeri:
            return self.words.say_count(
                "✶ ♠ ♥  Xeri! {name} clears the table: {count} point.  ♦ ♣ ✶",
                "✶ ♠ ♥  Xeri! {name} clears the table: {count} points.  ♦ ♣ ✶",
                rules.xeri_points,
                name=name,
            )
        if after.xeristaki != before.xeristaki:
            return self.words.say_count(
                "✶ Xeristaki! {name} leaves a single pile: {count} point. ✶",
                "✶ Xeristaki! {name} leaves a single pile: {count} points. ✶",
                rules.xeristaki_points,
                name=name,
            )
        return ""
