"""The full-screen game, played by keys and by the mouse."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.geometry import Region

from diloti.bots import LEVELS, Choice, choose
from diloti.core.cards import cards_in
from diloti.core.notation import parse_cards
from diloti.core.view import View
from diloti.tui.full.cycler import Cycler
from diloti.tui.full.screens import CoverScreen, PickCardScreen, TextScreen
from diloti.tui.full.settings import PACES, Settings
from diloti.tui.full.setup import PERSON, StartScreen
from diloti.tui.full.sheet import EndScreen, SheetScreen
from diloti.tui.full.table import TableScreen
from diloti.tui.full.widgets import CardBox, PileBox
from diloti.tui.session import Session
from diloti.tui.store import Store
from diloti.words.levels import LEVEL_SENTENCES
from tests.app_driver import (
    BrokenStore,
    GamePilot,
    Stretched,
    cards_on,
    click,
    new_session,
    play_anything,
    playing,
    press,
    session_at,
    settle,
    table,
    text,
    until,
    words_on,
)
from tests.setting import position
from tests.thinking import INTERPRETED

MANY_LOOSE = "Ac Ad 2c 3d 4s 6d 7c 9d Ts Jc Qd Kh"
TWO_PILES = [(0, 8, "3s5s"), (1, 9, "2d7d,9h")]


def crowded(loose: str = MANY_LOOSE) -> Session:
    """A table with many loose cards and two piles, in a match with Boris."""
    at = position(
        "8c 8h 5c 6c Tc Jd", loose, piles=TWO_PILES, others=["9c 9s 2h 3h 4h Td"], last_capture=0
    )
    return session_at(at, None, "greedy")


# --- Whole deals -------------------------------------------------------------


@pytest.mark.skipif(INTERPRETED, reason="a whole deal of screens takes long")
async def test_a_deal_by_keys_shows_no_hidden_card(tmp_path: Path) -> None:
    session = new_session(None, "greedy")
    async with playing(tmp_path, session) as pilot:
        plays = 0
        while isinstance(pilot.app.screen, TableScreen):
            view = session.view(0)
            assert cards_on(pilot) <= set(cards_in(view.seen))
            assert set(cards_in(view.hand)) <= cards_on(pilot)
            await play_anything(pilot)
            plays += 1
        assert plays == 24
        assert isinstance(pilot.app.screen, SheetScreen)
        await press(pilot, "enter")
        assert len(session.match.deals) == 2
        assert table(pilot).is_asking


@pytest.mark.skipif(INTERPRETED, reason="a whole deal of screens takes long")
async def test_a_deal_by_mouse(tmp_path: Path) -> None:
    session = new_session(None, "greedy", seed=3)
    async with playing(tmp_path, session) as pilot:
        while isinstance(pilot.app.screen, TableScreen):
            for slot in range(1, 7):
                await click(pilot, f"#hand-{slot}")
                if table(pilot).query_one("#plays").display:
                    break
            await click(pilot, "#plays", (4, 0))
        await click(pilot, "#go-on")
        assert len(session.match.deals) == 2


async def test_four_seats_see_the_next_on_the_right(tmp_path: Path) -> None:
    session = new_session(None, "greedy", "greedy", "random", base="taverna")
    async with playing(tmp_path, session) as pilot:
        middle = table(pilot).query_one("#seat-middle").region
        right = table(pilot).query_one("#seat-right").region
        left = table(pilot).query_one("#seat-left").region
        assert left.x < middle.x < right.x
        row = text(pilot).splitlines()[2]
        assert row.index("Dion") < row.index("Clio") < row.index("Boris")
        for _ in range(12):
            await play_anything(pilot)
        assert isinstance(pilot.app.screen, SheetScreen)
        assert "Anna and Clio" in words_on(pilot)


# --- Choosing ----------------------------------------------------------------


async def test_several_meanings_are_offered_and_none_is_picked(tmp_path: Path) -> None:
    at = position("4c 4d 8s", "4h", others=["2c 3c 5c"])
    session = session_at(at, None, "greedy")
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "1", "a")
        shown = text(pilot)
        assert "4♣ takes 4♥" in shown
        assert "4♣ on 4♥: declare 8" in shown
        assert "4♣ on 4♥: family of fours" in shown
        await press(pilot, "enter", "down", "enter")
        assert session.view(0).plays == 12
        pile = next(pile for pile in session.view(0).piles)
        assert pile.cards == parse_cards("4c4h")


async def test_enter_on_a_card_that_can_do_several_things_only_moves_to_the_list(
    tmp_path: Path,
) -> None:
    session = session_at(position("6h 2d Kc", "6d 2c 4s", others=["9c 9d 9h"]), None, "greedy")
    async with playing(tmp_path, session) as pilot:
        await pilot.press("2", "enter")
        await pilot.pause()
        assert session.view(0).plays == 10
        assert table(pilot).focused is table(pilot).query_one("#plays")


async def test_table_cards_first_and_the_hand_card_last(tmp_path: Path) -> None:
    session = session_at(position("6h 2d Kc", "6d 2c 4s", others=["9c 9d 9h"]), None, "greedy")
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "a", "b")
        assert "Now choose the card" in words_on(pilot)
        await press(pilot, "2")
        assert "6♥ takes 2♣ 4♠" in text(pilot)
        await press(pilot, "enter")
        assert session.view(0).loose & parse_cards("2c4s") == 0


async def test_arrows_and_space_alone_make_a_play(tmp_path: Path) -> None:
    session = session_at(position("6h Kc", "6d 2c 4s", others=["9c 9d"]), None, "greedy")
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "space", "up", *["right"] * 3, "space")
        chosen = [box.id for box in table(pilot).query(".-chosen")]
        assert chosen == ["loose-3", "hand-1"]
        await press(pilot, "down", "right", "down", "enter")
        assert session.view(0).plays > 10
        assert not session.view(0).loose & parse_cards("6d")


@pytest.mark.parametrize(
    ("hand", "keys", "reason"),
    [
        ("2c 8c Jd", "3", "A court of the same rank lies on the table: J♦ may not be laid"),
        ("2c 8c 9d", "2a", "4♥ cannot be split into cards of value 8 and groups that add up to 8."),
        ("4c 5d Kd", "2a", "To declare 9 you must keep a card of 9 in your hand. (R6.2)"),
    ],
)
async def test_an_illegal_wish_says_why_and_which_rule(
    tmp_path: Path, hand: str, keys: str, reason: str
) -> None:
    session = session_at(position(hand, "4h Jh", others=["9c 9h 2s"]), None, "greedy")
    async with playing(tmp_path, session) as pilot:
        await press(pilot, *keys, "enter")
        assert session.view(0).plays == 10
        assert reason in words_on(pilot, "#hint")
        assert "(R" in words_on(pilot, "#hint")


async def test_an_owner_who_lays_a_card_is_told_of_the_declaration(tmp_path: Path) -> None:
    at = position("8c 6c 2d", "Kc", piles=[(0, 8, "3s5s")], others=["9c 9d 9h"])
    session = session_at(at, None, "greedy")
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "2")
        hint = words_on(pilot, "#hint")
        assert "Your declaration of 8 is still on the table" in hint
        assert "(R8.1)" in hint


async def test_escape_puts_everything_back(tmp_path: Path) -> None:
    async with playing(tmp_path, crowded()) as pilot:
        await press(pilot, "1", "a", "b")
        assert len(table(pilot).query(".-chosen")) == 3
        await press(pilot, "escape")
        assert not table(pilot).query(".-chosen")


async def test_greek_and_russian_keyboards_choose_by_the_same_keys(tmp_path: Path) -> None:
    async with playing(tmp_path, crowded()) as pilot:
        await press(pilot, "α", "ы")
        chosen = [thing.letter for thing in table(pilot).query(".-chosen").results(CardBox)]
        assert chosen == ["a"]


# --- Layout ------------------------------------------------------------------


def overlapping(regions: list[Region]) -> bool:
    return any(
        first.intersection(second).area
        for place, first in enumerate(regions)
        for second in regions[:place]
    )


def check_nothing_is_cut(pilot: GamePilot) -> None:
    """Every card and pile lies wholly inside its place, and none lies on another."""
    things = [box for box in table(pilot).query("CardBox, PileBox") if box.display]
    window = pilot.app.screen.region
    for thing in things:
        place = table(pilot).query_one(f"#{(thing.parent or thing).id}").region
        assert window.contains_region(thing.region), thing
        assert place.contains_region(thing.region), (thing, thing.region, place)
    assert not overlapping([thing.region for thing in things])


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize("stretched", [False, True])
async def test_twelve_loose_cards_and_two_piles_are_not_cut(
    tmp_path: Path, size: tuple[int, int], stretched: bool
) -> None:
    words = Stretched() if stretched else None
    async with playing(tmp_path, crowded(), size=size, words=words) as pilot:
        check_nothing_is_cut(pilot)
        piles = [box for box in table(pilot).query(PileBox) if box.pile]
        assert len(piles) == 2
        for box in piles:
            assert box.legend in words_on(pilot, f"#{box.id}")
            assert box.can in words_on(pilot, f"#{box.id}")
        assert cards_on(pilot) == set(cards_in(table(pilot).view.seen))
        await press(pilot, "4")
        check_nothing_is_cut(pilot)


async def test_twenty_eight_loose_cards_are_shown(tmp_path: Path) -> None:
    loose = "Ac Ad Ah As 2c 2s 3c 3d 4c 4d 4s 5d 6d 6h 6s 7c 7h 7s 8d 8s Ts Jc Jh Qc Qd Qh Kh Kd"
    async with playing(tmp_path, crowded(loose)) as pilot:
        check_nothing_is_cut(pilot)
        assert cards_on(pilot) == set(cards_in(table(pilot).view.seen))


async def test_four_seats_with_twelve_loose_cards_and_two_piles(tmp_path: Path) -> None:
    at = position(
        "8c 8h 5c 6c Tc Jd",
        MANY_LOOSE,
        piles=TWO_PILES,
        others=["9c 9s 2h 3h 4h Td", "2s 3c 4c 5d 6h 7h", "Ah As 4d 5h 6s 7s"],
        players=4,
    )
    session = session_at(at, None, "greedy", "greedy", "greedy")
    async with playing(tmp_path, session, words=Stretched()) as pilot:
        check_nothing_is_cut(pilot)
        assert "Clio" in text(pilot)


async def test_piles_say_value_kind_and_owner_and_show_them_by_shape(tmp_path: Path) -> None:
    async with playing(tmp_path, crowded()) as pilot:
        shown = text(pilot)
        assert "plain 8 · Anna" in shown
        assert "family of nines · Boris" in shown
        assert "8 ▲" in shown
        assert "9 ■" in shown
        assert "2♦ 7♦ + 9♥" in shown
        assert "can be raised" in shown
        assert "cannot be raised" in shown


async def test_captures_stay_face_down_until_the_deal_is_counted(tmp_path: Path) -> None:
    async with playing(tmp_path, new_session(None, "greedy")) as pilot:
        for _ in range(6):
            await play_anything(pilot)
        await press(pilot, "f4")
        assert "No deal has been counted yet" in words_on(pilot)


# --- Commands ----------------------------------------------------------------


async def test_rules_plays_and_menu_can_be_read(tmp_path: Path) -> None:
    async with playing(tmp_path, new_session(None, "greedy")) as pilot:
        await play_anything(pilot)
        await press(pilot, "f2")
        assert "R2.1" in text(pilot)
        await press(pilot, "escape", "f3")
        assert isinstance(pilot.app.screen, TextScreen)
        assert "Anna" in text(pilot)
        await press(pilot, "escape", "question_mark")
        assert "Give up the match" in text(pilot)
        await press(pilot, "enter")
        assert "R2.1" in text(pilot)


async def test_the_keys_in_the_bar_can_be_clicked(tmp_path: Path) -> None:
    async with playing(tmp_path, new_session(None, "greedy")) as pilot:
        await click(pilot, "#keys", (12, 0))
        assert "R2.1" in text(pilot)
        await click(pilot, "#close")
        assert table(pilot).is_asking


@pytest.mark.parametrize("key", ["f10", "ctrl+c", "ctrl+q"])
async def test_one_can_leave_from_everywhere(tmp_path: Path, key: str) -> None:
    async with playing(tmp_path, new_session(None, None)) as pilot:
        assert isinstance(pilot.app.screen, CoverScreen)
        await pilot.press(key)
        await pilot.pause()
        assert pilot.app.return_value == 0


async def test_giving_up_asks_first(tmp_path: Path) -> None:
    session = new_session(None, "greedy")
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "f8", "enter")
        assert session.match.resigned is None
        await press(pilot, "f8", "right", "enter")
        assert session.match.resigned == 0
        assert isinstance(pilot.app.screen, EndScreen)
        assert "The match goes to Boris!" in text(pilot)
        assert "Anna has given up." in text(pilot)


async def test_leave_and_come_back_to_the_same_cards(tmp_path: Path) -> None:
    session = new_session(None, "greedy", store=Store(tmp_path))
    async with playing(tmp_path, session) as pilot:
        for _ in range(3):
            await play_anything(pilot)
        before = session.view(0)
        await pilot.press("f10")
        await pilot.pause()
    assert pilot.app.return_value == 0
    async with playing(tmp_path) as pilot:
        assert isinstance(pilot.app.screen, StartScreen)
        assert "Go on: Anna 0 : 0 Boris" in text(pilot)
        await press(pilot, "enter")
        assert table(pilot).view == before


async def test_pace_suits_and_light_are_kept(tmp_path: Path) -> None:
    async with playing(tmp_path, new_session(None, "greedy")) as pilot:
        await press(pilot, "f5", "f6", "f7")
        settings = table(pilot).settings
        assert (settings.pace, settings.four_colours, settings.dark) == ("normal", True, False)
    kept = (tmp_path / "settings.json").read_text()
    assert '"four_colours": true' in kept


async def test_trouble_with_the_store_is_shown_and_the_game_goes_on(tmp_path: Path) -> None:
    session = session_at(
        position("6h 2d Kc", "6d 2c 4s", others=["9c 9d 9h"]),
        None,
        "greedy",
        store=BrokenStore(tmp_path),
    )
    async with playing(tmp_path, session) as pilot:
        await play_anything(pilot)
        assert session.view(0).plays == 12
        await pilot.pause()
        assert "full of cats" in words_on(pilot)
        assert "goes on without being kept" in words_on(pilot)


# --- Several people ----------------------------------------------------------


async def test_between_people_the_table_is_covered(tmp_path: Path) -> None:
    session = new_session(None, None)
    async with playing(tmp_path, session) as pilot:
        for _ in range(4):
            turn = session.turn
            assert turn is not None
            assert isinstance(pilot.app.screen, CoverScreen)
            assert not cards_on(pilot) & {
                card for seat in (0, 1) for card in cards_in(session.view(seat).hand)
            }
            assert f"Please pass to {'Anna' if turn == 0 else 'Boris'}" in text(pilot)
            await press(pilot, "enter")
            assert table(pilot).viewer == turn
            assert cards_on(pilot) <= set(cards_in(session.view(turn).seen))
            await play_anything(pilot)


async def test_partners_may_show_a_card(tmp_path: Path) -> None:
    session = new_session(None, "greedy", None, "greedy", base="taverna", partners_show_card=True)
    async with playing(tmp_path, session) as pilot:
        shown = 0
        while not isinstance(pilot.app.screen, TableScreen):
            if isinstance(pilot.app.screen, PickCardScreen):
                await press(pilot, "2")
                shown += 1
            else:
                await press(pilot, "enter")
        assert shown == 2
        viewer = table(pilot).viewer
        assert viewer is not None
        partner = session.view(viewer).shown
        assert partner is not None
        assert partner[(viewer + 2) % 4] is not None
        assert " has " in words_on(pilot)


# --- The end of a deal and of a match -------------------------------------------


def last_play(scores: tuple[int, int] = (0, 0)) -> Session:
    """The last play of a deal: Anna, who also gets what is left."""
    return session_at(
        position(
            "Kc",
            "Kd 2c 3h",
            stock="",
            plays=47,
            dealer=0,
            captured=("Ac Ad Td 4c 5c 6c 7c", "9c 9d"),
            last_capture=1,
            scores=scores,
        ),
        None,
        "greedy",
    )


async def test_the_sheet_counts_and_waits(tmp_path: Path) -> None:
    session = last_play()
    async with playing(tmp_path, session) as pilot:
        assert "Last hand" in text(pilot)
        await press(pilot, "1", "q")
        assert isinstance(pilot.app.screen, SheetScreen)
        shown = words_on(pilot)
        assert "Anna takes K♦ with K♣." in shown
        assert "Left on the table: 2♣ 3♥. Anna captured last and got it." in shown
        assert "Cards: 11 to 2" in shown
        assert "Points of this deal 5 0" in shown
        await press(pilot, "a", "right", "enter")
        assert len(session.match.deals) == 2


async def test_the_end_of_a_match_and_a_rematch(tmp_path: Path) -> None:
    session = last_play(scores=(58, 40))
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "1", "q", "enter")
        assert isinstance(pilot.app.screen, EndScreen)
        assert "The match goes to Anna!" in text(pilot)
        await click(pilot, "#rematch")
        again = table(pilot).session
        assert again is not session
        assert again.match.deal_log.dealer == 1
        assert again.chairs == session.chairs


async def test_a_xeri_is_celebrated_until_the_next_play(tmp_path: Path) -> None:
    session = session_at(
        position("6h 2d Kc", "2c 4s", others=["9c 9d 9h"], stock="Ks Qs Qd Qh Js Jh"),
        None,
        "greedy",
    )
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "2", "a", "b", "enter")
        assert "Xeri! Anna clears the table: 10 points." in text(pilot)
        assert "xeri ✶" in text(pilot)
        assert "Boris lays" in text(pilot)
        await play_anything(pilot)
        assert "clears the table" not in text(pilot)


# --- The start ------------------------------------------------------------------


async def test_start_a_match_for_four_with_names(tmp_path: Path) -> None:
    async with playing(tmp_path) as pilot:
        await click(pilot, "#players")
        await click(pilot, "#preset")
        await click(pilot, "#name-0")
        await pilot.press(*"Zoe")
        await click(pilot, "#start")
        session = table(pilot).session
        assert session.match.rules.base == "taverna"
        assert [chair.bot for chair in session.chairs] == [None, "regular", "regular", "regular"]
        assert session.chairs[0].name == "Zoe"


async def test_every_level_can_be_chosen_and_is_described(tmp_path: Path) -> None:
    async with playing(tmp_path) as pilot:
        screen = pilot.app.screen
        assert "The regular forgets nothing" in words_on(pilot)
        kinds = screen.query_one("#kind-1", Cycler)
        assert list(kinds.choices) == [PERSON, *LEVELS]
        kinds.focus()
        seen = set()
        for _ in kinds.choices:
            await press(pilot, "right")
            seen.add((kinds.value, words_on(pilot, "#level").strip()))
        assert seen == {(PERSON, ""), *LEVEL_SENTENCES.items()}


async def test_house_rules_by_keys(tmp_path: Path) -> None:
    async with playing(tmp_path) as pilot:
        await click(pilot, "#house")
        await press(pilot, "right", "down", "down", "down", "right", "escape")
        await press(pilot, "enter")
        rules = table(pilot).session.match.rules
        assert rules.target == 71
        assert rules.equal_cards == "all"
        assert "Classic with house rules" in text(pilot)


async def test_another_language_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as pilot:
        await click(pilot, "#language", (10, 0))
        assert pilot.app.words.language == "pt"  # type: ignore[attr-defined]
        await settle(pilot)
        assert isinstance(pilot.app.screen, StartScreen)
        await press(pilot, "left")
        assert pilot.app.words.language == "en"  # type: ignore[attr-defined]


async def test_a_new_match_asks_before_the_running_one_goes(tmp_path: Path) -> None:
    new_session(None, "greedy", store=Store(tmp_path)).deal()
    async with playing(tmp_path, notice="Mind the gap.") as pilot:
        assert "Mind the gap." in text(pilot)
        await click(pilot, "#start")
        assert "still running" in text(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StartScreen)
        await click(pilot, "#start")
        await click(pilot, "#yes")
        assert isinstance(pilot.app.screen, TableScreen)


@pytest.mark.parametrize("stretched", [False, True])
async def test_the_start_screen_fits(tmp_path: Path, stretched: bool) -> None:
    new_session(None, "greedy", store=Store(tmp_path)).deal()
    words = Stretched() if stretched else None
    async with playing(tmp_path, words=words) as pilot:
        await click(pilot, "#players")
        for name in ("start", "quit", "house", "continue", "name-3", "kind-3", "level"):
            widget = pilot.app.screen.query_one(f"#{name}")
            assert pilot.app.screen.region.contains_region(widget.region), name


async def test_giving_up_does_not_wait_for_a_slow_bot(tmp_path: Path) -> None:
    session = new_session(None, "greedy", seed=5)
    async with playing(tmp_path, session, settings=Settings(pace="normal")) as pilot:
        table(pilot).settings.pace = "slow"
        before = session.view(0).plays
        await pilot.press("3", "q", "f8", "right", "enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, EndScreen)
        assert session.view(0).plays == before + 1
        assert session.match.winner == 1


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Bots that think until they are told to play: that one has begun, and that it may end."""
    begun, end = threading.Event(), threading.Event()

    def think(view: View, bot: str, *, seed: int) -> Choice:
        begun.set()
        assert end.wait(60)
        return choose(view, bot, seed=seed)

    monkeypatch.setattr("diloti.tui.session.choose", think)
    yield begun, end
    end.set()


async def test_the_table_lives_while_a_bot_thinks(
    tmp_path: Path, thinking: tuple[threading.Event, threading.Event]
) -> None:
    begun, end = thinking
    session = new_session(None, "greedy", seed=5)
    async with playing(tmp_path, session) as pilot:
        await pilot.press("3", "q")
        await until(pilot, begun.is_set)
        assert "Boris is choosing a play" in words_on(pilot, "#hint")
        await pilot.press("f2")
        await pilot.pause()
        assert "R2.1" in text(pilot)
        await pilot.press("escape")
        end.set()
        await settle(pilot)
        assert session.turn == 0


async def test_one_can_leave_while_a_bot_thinks(
    tmp_path: Path, thinking: tuple[threading.Event, threading.Event]
) -> None:
    begun, end = thinking
    session = new_session(None, "greedy", seed=5, store=Store(tmp_path))
    async with playing(tmp_path, session) as pilot:
        await pilot.press("3", "q")
        await until(pilot, begun.is_set)
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert pilot.app.return_value == 0
    end.set()
    again = Session.resume(Store(tmp_path))
    assert again is not None
    assert again.turn == 1


async def test_a_bots_play_is_announced_before_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACES, "slow", 600.0)
    session = new_session(None, "greedy", seed=5)
    async with playing(tmp_path, session) as pilot:
        table(pilot).settings.pace = "slow"
        await pilot.press("3", "q")
        await until(pilot, lambda: "▶ Boris" in words_on(pilot, "#last"))
        assert session.turn == 1
        table(pilot).wake()
        await settle(pilot)
        assert session.turn == 0
