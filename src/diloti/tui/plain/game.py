"""The game line by line: for pipes, for screen readers, and for terminals that can do no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TextIO

from diloti.core.effects import Event
from diloti.core.errors import DilotiError
from diloti.core.plays import Play
from diloti.core.view import View
from diloti.tui.keeping import Keeper
from diloti.tui.plain.commands import command_of
from diloti.tui.plain.teletype import LineSource, Teletype
from diloti.tui.plain.text import stock_line
from diloti.tui.plain.turn import Turn, ask_line
from diloti.tui.plain.typed import read_card
from diloti.tui.session import Session
from diloti.words import Words
from diloti.words.accounts import (
    deal_lines,
    event_lines,
    opening_lines,
    result_line,
    score_line,
    sheet_lines,
    side_names,
)
from diloti.words.telling import capitalized, seat_names, tell_play

FINE, INTERRUPTED = 0, 130
"""Exit statuses: at an end, also when somebody leaves; and after Ctrl-C."""


def run_plain(
    words: Words,
    session: Session,
    source: LineSource,
    target: TextIO,
    *,
    interactive: bool,
    coach: bool = False,
) -> int:
    """Play the match of a session to its end, or until nothing more is typed; an exit status.

    `interactive` says that a person sits there who can be asked to press Enter; what comes from a
    pipe needs no such lines. With a `coach` a person alone with bots is warned of bad plays.
    """
    teletype = Teletype(source, target, interactive=interactive)
    game = _PlainGame(words, session, teletype, coach=coach)
    try:
        game.play_match()
    except EOFError:
        game.say_goodbye()
    except KeyboardInterrupt:
        game.say_goodbye()
        return INTERRUPTED
    return FINE


class _PlainGame:
    """The conversation about one match."""

    def __init__(self, words: Words, session: Session, teletype: Teletype, *, coach: bool) -> None:
        self._words = words
        self._session = session
        self._teletype = teletype
        self._has_coach = coach and session.is_against_bots
        self._names = seat_names(words, session.match.names)
        self._sides = side_names(words, self._names)
        self._at_device: int | None = None
        self._keeper = Keeper(words, session)

    # --- The course of a match -----------------------------------------------------

    def play_match(self) -> None:
        """Everything up to the end of the match."""
        match = self._session.match
        self._say(*opening_lines(self._words, self._names, match.rules))
        if match.deals:
            self._tell_where()
        while not match.is_over:
            if match.is_between_deals:
                self._step(self._session.deal)
                self._say("", *deal_lines(self._words, self._names, match))
            if not match.deal_log.outcomes:
                self._show_partners()
            self._play_deal()
        self._tell_result()

    def _tell_where(self) -> None:
        """What somebody needs to know who comes back to the match."""
        match = self._session.match
        self._say("", self._words.say("The match goes on."), self._score_line())
        if not match.is_between_deals and not match.is_over:
            self._say(*deal_lines(self._words, self._names, match))
            self._say(*self._recent(self._session.view(0), 1))

    def _play_deal(self) -> None:
        while (seat := self._session.turn) is not None:
            if self._session.is_person(seat):
                self._take_turn(seat)
            else:
                self._make(seat, self._session.choose().play)
        if self._session.match.deal_log.score is not None:
            self._tell_sheet()

    def _make(self, seat: int, play: Play) -> None:
        self._step(lambda: self._session.play(play))
        self._say(*self._told(seat, play, self._session.match.deal_log.outcomes[-1].events))

    def _told(self, seat: int, play: Play, events: Sequence[Event]) -> Iterator[str]:
        """A play and what came of it."""
        yield tell_play(self._words, self._names[seat], play)
        yield from event_lines(self._words, self._names, self._session.match.rules, seat, events)
        if any(event.name == "refill" for event in events):
            yield stock_line(self._words, self._session.view(seat))

    def _step(self, step: Callable[[], object]) -> None:
        """Take a step of the session, and say where it is no longer kept as before."""
        self._say(*self._keeper.take(step))

    def _tell_sheet(self) -> None:
        match = self._session.match
        score, captured = match.deal_log.score, self._session.view(0).captured
        assert score is not None
        assert captured is not None
        self._at_device = None  # no hand is in sight any more
        self._say("", *sheet_lines(self._words, self._sides, match.rules, score, captured))
        if self._teletype.interactive and self._session.people and not match.is_over:
            text = self._ask(self._words.say("Press Enter for the next deal."))
            if command_of(self._words, text)[0] == "quit":
                raise EOFError

    def _tell_result(self) -> None:
        match = self._session.match
        if match.resigned is not None:
            self._say(self._words.say("{name} has resigned.", name=self._names[match.resigned]))
            self._say(self._score_line())
        self._say("", result_line(self._words, self._sides, match))
        if self._keeper.is_kept:
            self._say(self._words.say("Its record is kept as {file}.", file=self._session.kept))

    def say_goodbye(self) -> None:
        """What is said to somebody who leaves before the end."""
        if self._keeper.is_kept:
            self._say("", self._words.say("The match is kept as {file}.", file=self._session.kept))
        else:
            self._say("", self._words.say("The match is not kept."))

    # --- People --------------------------------------------------------------------

    def _take_turn(self, seat: int) -> None:
        view = self._session.view(seat)
        self._pass_to(seat)
        turn = Turn(
            self._words,
            self._teletype,
            self._names,
            view,
            has_teacher=self._session.is_against_bots,
            has_coach=self._has_coach,
        )
        self._say("", *turn.table_lines())
        play = turn.ask(last=lambda: self._recent(view, 1), score=self._score_line)
        if play is None:
            self._step(partial(self._session.resign, seat))
        else:
            self._make(seat, play)

    def _pass_to(self, seat: int) -> None:
        """With several people at one device: who is to have it, and nobody else's hand in sight."""
        if len(self._session.people) < 2 or seat == self._at_device:
            return
        name = self._names[seat]
        if self._teletype.interactive:
            if self._at_device is not None:
                self._teletype.hide()
            self._ask(
                self._words.say("Pass the device to {name}, who then presses Enter.", name=name)
            )
        self._at_device = seat
        self._say("", self._words.say("{name} is next.", name=name))
        if self._teletype.interactive:
            self._say(*self._recent(self._session.view(seat), len(self._names) - 1))

    def _recent(self, view: View, most: int) -> Iterator[str]:
        """The last plays of the deal and what came of them."""
        plays = view.history.plays if view.history else ()
        outcomes = self._session.match.deal_log.outcomes
        for (seat, play), outcome in list(zip(plays, outcomes))[-most:]:
            yield from self._told(seat, play, outcome.events)

    # --- Showing a card to the partner (R2.7) --------------------------------------

    def _show_partners(self) -> None:
        if not self._session.match.rules.partners_show_card:
            return
        for seat in self._session.people:
            shown = self._session.view(seat).shown
            if shown is None or shown[seat] is None:
                self._pass_to(seat)
                self._show_partner(seat)

    def _show_partner(self, seat: int) -> None:
        turn = Turn(self._words, self._teletype, self._names, self._session.view(seat))
        partner = self._names[(seat + 2) % 4]
        self._say("", *turn.table_lines())
        while True:
            text = self._ask(
                self._words.say(
                    "Which card do you show {partner}? Press Enter to show none.", partner=partner
                )
            )
            if not text:
                return
            if command_of(self._words, text)[0] == "quit":
                raise EOFError
            try:
                card = read_card(text)
                self._step(partial(self._session.show, seat, card))
                return
            except DilotiError as trouble:
                self._say_trouble(trouble)

    # --- Saying and asking ---------------------------------------------------------

    def _score_line(self) -> str:
        match = self._session.match
        return score_line(self._words, self._sides, match.rules, match.scores)

    def _say(self, *lines: str) -> None:
        self._teletype.say(*lines)

    def _say_trouble(self, trouble: DilotiError) -> None:
        self._say(capitalized(self._words.error(trouble)))

    def _ask(self, prompt: str) -> str:
        return ask_line(self._words, self._teletype, prompt)
