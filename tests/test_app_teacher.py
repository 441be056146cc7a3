"""Hints, the coach and what is legal instead, in the full-screen game."""

from __future__ import annotations

from pathlib import Path

import pytest

from diloti.core.match import Match
from diloti.core.notation import parse_play
from diloti.core.record import Record
from diloti.core.rules import CLASSIC
from diloti.tui.full.screens import ConfirmScreen
from diloti.tui.full.settings import load_settings
from diloti.tui.full.table import TableScreen
from diloti.tui.session import Session, seeds_from
from tests.aces import BAD, GOOD, pack_of_aces
from tests.app_driver import (
    chairs,
    new_session,
    playing,
    press,
    session_at,
    text,
    until,
    words_on,
)
from tests.setting import position
from tests.thinking import INTERPRETED


def with_aces() -> Session:
    match = Match(CLASSIC, first_dealer=1, names=["Anna", "Boris"])
    match.deal_pack(pack_of_aces(), pack_of_aces())
    return Session(Record(match), chairs(None, "greedy"), None, seeds_from(1))


@pytest.mark.skipif(INTERPRETED, reason="thinks long interpreted")
@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
async def test_a_hint_is_read_and_played(tmp_path: Path, size: tuple[int, int]) -> None:
    session = with_aces()
    async with playing(tmp_path, session, size=size) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert "Hint: A♣ takes A♦ A♠." in words_on(pilot)
        assert "It brings you A♣ A♦ A♠: 3 points." in words_on(pilot)
        assert "Play it" in words_on(pilot)
        await press(pilot, "right", "enter")
        await until(pilot, lambda: len(session.match.deal_log.plays) >= 2)
        assert session.match.deal_log.plays[0] == parse_play(GOOD)


async def test_with_a_friend_the_key_gives_no_hint(tmp_path: Path) -> None:
    async with playing(tmp_path, new_session(None, None)) as pilot:
        await press(pilot, "enter")
        await press(pilot, "f9")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TableScreen)


@pytest.mark.skipif(INTERPRETED, reason="thinks long interpreted")
async def test_the_coach_is_turned_on_and_warns(tmp_path: Path) -> None:
    session = with_aces()
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "0", "6", "q")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert "This play loses about" in words_on(pilot)
        assert "Better: A♣ takes A♦ A♠." in words_on(pilot)
        await press(pilot, "escape")
        assert not session.match.deal_log.plays
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await press(pilot, "right", "enter")
        await until(pilot, lambda: len(session.match.deal_log.plays) >= 2)
        assert session.match.deal_log.plays[0] == parse_play(BAD)
    assert load_settings(tmp_path).coach


async def test_what_is_refused_is_listed_with_what_is_legal(tmp_path: Path) -> None:
    session = session_at(
        position("8c2dKs", piles=[(0, 8, "3d5s")], others=["9c9dTc"]), None, "greedy"
    )
    async with playing(tmp_path, session) as pilot:
        await press(pilot, "1")
        assert "R8.1" in text(pilot)
        assert "8♣ takes [3♦ 5♠]" in text(pilot)
        await pilot.press("q")
        await until(pilot, lambda: bool(session.match.position.captured[0]))
