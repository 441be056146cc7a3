"""The table: a seat's hand under the board, and the choosing of a play by keys or by the mouse."""

from __future__ import annotations

import asyncio
import contextlib
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static
from textual.widgets.option_list import Option

from diloti.core.cards import cards_in
from diloti.core.plays import Play
from diloti.core.view import View
from diloti.teacher.instead import instead_of
from diloti.tui.full.board import Board
from diloti.tui.full.commands import COMMANDS, Commands
from diloti.tui.full.flow import Flow
from diloti.tui.full.paint import paint
from diloti.tui.full.seating import Seating
from diloti.tui.full.settings import Settings
from diloti.tui.full.steering import nearest, plain_key
from diloti.tui.full.widgets import CardBox, KeyBar, PileBox, PlayList, TableThing
from diloti.tui.session import Session
from diloti.words import Words
from diloti.words.cards import card_sign
from diloti.words.choosing import Choosing
from diloti.words.plays import describe_play
from diloti.words.telling import tell_play, tell_plays

HAND_KEYS = "123456"
PLAY_KEYS = "qrstuvwxyz"
_MOST_LISTED = 60


class TableScreen(Commands, Screen[None]):
    """A match at the table, from the next thing to happen to its end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "confirm", show=False),
        Binding("space", "choose", show=False),
        Binding("escape", "clear", show=False),
        *(Binding(way, f"move('{way}')", show=False) for way in ("left", "right", "up", "down")),
        *(Binding(command.keys, command.action, show=False) for command in COMMANDS),
    ]

    def __init__(self, words: Words, session: Session, settings: Settings) -> None:
        super().__init__()
        self.words = words
        self.session = session
        self.settings = settings
        self.seating = Seating(words, session)
        self.board = Board(words, self.seating)
        self.viewer: int | None = None
        """The seat whose hand is open; None while nobody may see one."""
        self.is_asking = False
        """Whether the viewer's play is awaited."""
        self.resigning: int | None = None
        """The seat that gives the match up, until the match knows."""
        self.headline = ""
        """What is celebrated, until the person's next play."""
        self._announced: tuple[int, Play] | None = None
        self._decision: Play | None = None
        self._wake = asyncio.Event()
        self._choosing: Choosing | None = None
        self._offered: list[Play] = []

    def compose(self) -> ComposeResult:
        """The board, the hand with the plays beside it, the keys."""
        yield self.board
        hand = (CardBox(id=f"hand-{slot}") for slot in range(1, len(HAND_KEYS) + 1))
        yield Horizontal(
            Vertical(Static(id="my-name"), Horizontal(*hand, id="hand"), id="me"),
            Vertical(Static(id="hint"), PlayList(id="plays", markup=False), id="choice"),
            id="bottom",
        )
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Start the match, or go on with it."""
        self.draw_keys()
        self.run_worker(Flow(self).run(), name="flow", exclusive=True)

    def on_resize(self) -> None:
        """Use larger cards in a larger window."""
        self.set_class(self.size.width >= 110 and self.size.height >= 32, "-large")
        self.call_after_refresh(self.board.fit_cards)

    # --- What the flow of the match asks for ------------------------------------

    async def next_play(self, seat: int) -> Play | None:
        """The play of a person, None where the person gives up instead."""
        self.viewer, self.is_asking = seat, True
        self._choosing = None
        self.draw()
        if not isinstance(self.focused, TableThing) or not self.focused.display:
            self.hand[0].focus()
        await self._woken()
        self.is_asking, self.headline = False, ""
        return None if self.resigning is not None else self._decision

    async def announce(self, seat: int, play: Play) -> None:
        """Show a play before it is made, as long as the pace has it."""
        if not self.settings.delay:
            return
        self._announced = seat, play
        self.draw()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken(), self.settings.delay)
        self._announced = None

    async def _woken(self) -> None:
        if self.resigning is None:
            self._wake.clear()
            await self._wake.wait()

    def wake(self) -> None:
        """Let whatever waits for a person or for the pace go on."""
        self._wake.set()

    # --- Drawing ---------------------------------------------------------------

    @property
    def view(self) -> View:
        """What the open hand's seat may see; with no hand open, that of the first person."""
        seat = self.seating.first_person if self.viewer is None else self.viewer
        return self.session.view(seat)

    @property
    def hand(self) -> list[CardBox]:
        """The places of the cards in the hand; some may be empty."""
        return list(self.query_one("#hand").query_children(CardBox))

    def draw(self) -> None:
        """Show everything as the viewer may see it now."""
        view, four_colours = self.view, self.settings.four_colours
        if not self.is_asking:
            self._choosing = None
        elif self._choosing is None:
            self._choosing = Choosing(view)
        announced = self._announced[1] if self._announced else None
        self.board.show(view, four_colours=four_colours, announced=announced)
        self.board.tell(self._told(view), self.headline, four_colours=four_colours)
        me = self.query_one("#my-name", Static)
        me.update(Content("" if self.viewer is None else self.seating.own(view)))
        me.set_class(self.is_asking, "-turn")
        cards = [] if self.viewer is None else list(cards_in(view.hand))
        for slot, box in enumerate(self.hand):
            card = cards[slot] if slot < len(cards) else None
            box.show_card(card, HAND_KEYS[slot], four_colours=four_colours)
        self._draw_choice()

    def _told(self, view: View) -> list[str]:
        """The plays since the viewer's own, and the one that is just being made."""
        words, names = self.words, self.seating.names
        if self._announced:
            seat, play = self._announced
            earlier = tell_plays(words, names, view, len(names) - 2)
            return [*earlier, f"▶ {tell_play(words, names[seat], play)}"]
        told = tell_plays(words, names, view, len(names) - 1)
        return told or [words.say("{name} has dealt.", name=names[view.dealer])]

    def _draw_choice(self) -> None:
        """Show what is chosen and the plays that fit."""
        choosing = self._choosing
        chosen = choosing or Choosing(self.view)
        for box in self.hand:
            box.chosen = box.card is not None and box.card == chosen.card
        for box in self.board.loose:
            mask = 0 if box.card is None else 1 << box.card
            box.chosen = bool(chosen.loose & mask)
            box.usable = bool(chosen.usable & mask)
        for pile in self.board.piles:
            cards = pile.pile.cards if pile.pile else 0
            pile.chosen = cards in chosen.piles
            pile.usable = bool(chosen.usable & cards)
        self._offered = self._to_offer(choosing) if choosing else []
        plays = self.query_one(PlayList)
        plays.set_options(self._options())
        plays.display = bool(self._offered)
        plays.highlighted = 0 if self._offered else None
        refused = bool(choosing and choosing.denied and not choosing.fits)
        self.hint(choosing.refusal(self.words) if choosing and refused else self._hint(), refused)

    def _to_offer(self, choosing: Choosing) -> list[Play]:
        """The plays that fit, or where none does what is legal instead."""
        if choosing.fits or choosing.denied is None:
            return choosing.fits[:_MOST_LISTED]
        return [*instead_of(choosing.view, choosing.denied[0])]

    def _options(self) -> list[Option]:
        options = []
        for place, play in enumerate(self._offered):
            letter = PLAY_KEYS[place] if place < len(PLAY_KEYS) else " "
            enter = " ⏎" if self._choosing and play == self._choosing.play else ""
            text = f"{letter}  {describe_play(self.words, play)}{enter}"
            options.append(Option(paint(text, four_colours=self.settings.four_colours)))
        more = len(self._choosing.fits) - len(self._offered) if self._choosing else 0
        if more > 0:
            text = self.words.say(
                "… and {count} more: choose table cards to see fewer.", count=more
            )
            options.append(Option(text, disabled=True))
        return options

    def hint(self, text: str, refused: bool = False) -> None:
        """Say something beside the hand: what to do, or why something is not allowed."""
        hint = self.query_one("#hint", Static)
        hint.update(paint(text, four_colours=self.settings.four_colours))
        hint.display = bool(text)
        hint.set_class(refused, "-refused")

    def _hint(self) -> str:
        words, choosing = self.words, self._choosing
        if choosing is None:
            turn = self.session.turn
            if turn is None:
                return ""
            return words.say("{name} is choosing a play …", name=self.seating.names[turn])
        if choosing.card is None and choosing.has_table:
            return words.say("Now choose the card from your hand that you play.")
        if choosing.card is None:
            return words.say("Choose a card from your hand, and table cards if you like.")
        if not choosing.is_complete and choosing.play is None:
            return words.say(
                "Very many plays are possible: choose exactly the table cards you want."
            )
        if len(choosing.fits) == 1:
            return words.say("Enter plays it, Esc puts it back.") if choosing.play else ""
        return words.say("{card} can be played in these ways:", card=card_sign(choosing.card))

    def draw_keys(self) -> None:
        """Show the keys that always work."""
        self.query_one(KeyBar).show_keys(self.key_hints())

    # --- Choosing --------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Choose by the key that stands on a card, a pile or a play."""
        key = plain_key(event.character)
        if not key or len(key) != 1:
            return
        for thing in self._things():
            if thing.letter == key:
                event.stop()
                thing.focus()
                self._toggle(thing)
                return
        place = PLAY_KEYS.find(key)
        if 0 <= place < len(self._offered):
            event.stop()
            self._decide(self._offered[place])

    def _things(self) -> list[TableThing]:
        """The cards and piles that can be pointed at now."""
        things = [*self.hand, *self.board.loose, *self.board.piles]
        return [thing for thing in things if thing.display]

    @on(TableThing.Pressed)
    def _on_pressed(self, message: TableThing.Pressed) -> None:
        self._toggle(message.thing)

    @on(PlayList.OptionSelected)
    def _on_play(self, message: PlayList.OptionSelected) -> None:
        if message.option_index < len(self._offered):
            self._decide(self._offered[message.option_index])

    def _toggle(self, thing: TableThing) -> None:
        choosing = self._choosing
        if choosing is None:
            return
        if isinstance(thing, PileBox):
            if thing.pile is not None:
                choosing = choosing.with_pile(thing.pile.cards)
        elif isinstance(thing, CardBox) and thing.card is not None:
            in_hand = thing in self.hand
            choosing = (choosing.with_hand if in_hand else choosing.with_loose)(thing.card)
        self._choosing = choosing
        self._draw_choice()

    def action_choose(self) -> None:
        """Choose what has the focus, or put it back."""
        if isinstance(self.focused, TableThing):
            self._toggle(self.focused)

    def action_confirm(self) -> None:
        """Choose what has the focus; where it is chosen, play."""
        choosing = self._choosing
        if choosing is None:
            return
        if isinstance(self.focused, TableThing) and not self.focused.chosen:
            self._toggle(self.focused)
        elif choosing.play is not None:
            self._decide(choosing.play)
        elif choosing.exact:
            self.query_one(PlayList).focus()
        elif choosing.card is not None:
            self.hint(choosing.refusal(self.words), refused=True)

    def action_clear(self) -> None:
        """Put everything back."""
        if self._choosing is not None:
            self._choosing = Choosing(self._choosing.view)
            self._draw_choice()
            if isinstance(self.focused, PlayList):
                self.hand[0].focus()

    def action_move(self, way: str) -> None:
        """Move the focus to what lies left, right, up or down of it."""
        start = self.focused
        plays = self.query_one(PlayList)
        others = [*self._things(), *([plays] if plays.display else [])]
        if start is None or start not in others:
            self.hand[0].focus()
            return
        found = nearest(start.region, way, (other for other in others if other is not start))
        if found is not None:
            found.focus()

    def _decide(self, play: Play) -> None:
        if self.is_asking and self.settings.coach and self.session.is_against_bots:
            self.run_worker(self.warn_of(self.view, play), group="teacher", exclusive=True)
        else:
            self.make(play)

    def make(self, play: Play) -> None:
        """Let the person's play be this one."""
        if self.is_asking:
            self.is_asking = False
            self._decision = play
            self.wake()
