"""A match at one terminal: chairs, bots, repeatable chance, and coming back to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from diloti.bots import Choice, choose
from diloti.core.legality import IllegalPlay
from diloti.core.notation import parse_play
from diloti.core.record import format_record
from diloti.core.view import View
from diloti.tui.session import Session, seeds_from
from diloti.tui.store import Store, StoreError
from tests.scripted import GREEDY, MARIA, NIKOS, RANDOM, new_session


def play_deals(session: Session, deals: int) -> Session:
    while len(session.match.deals) < deals or session.turn is not None:
        if session.turn is None:
            session.deal()
        session.play(session.choose().play)
    return session


def test_same_seed_is_the_same_match() -> None:
    first = play_deals(new_session(RANDOM, GREEDY, seed=3), 2)
    second = play_deals(new_session(RANDOM, GREEDY, seed=3), 2)
    assert format_record(first._record) == format_record(second._record)
    other = play_deals(new_session(RANDOM, GREEDY, seed=4), 1)
    assert other.match.deals[0].pack != first.match.deals[0].pack


def test_seeds_are_secret_without_a_seed() -> None:
    new_seed = seeds_from(None)
    assert len({new_seed() for _time in range(20)}) == 20
    assert {len(new_seed()) for _time in range(3)} == {32}


def test_first_dealer_is_drawn() -> None:
    # R2.2
    dealers = {new_session(MARIA, GREEDY, seed=seed).match.first_dealer for seed in range(20)}
    assert dealers == {0, 1}


def test_people_and_bots() -> None:
    session = new_session(MARIA, GREEDY, NIKOS, RANDOM)
    assert session.people == (0, 2)
    assert session.is_person(0)
    assert not session.is_person(1)
    assert not session.is_person(None)


def test_bots_get_views(monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session(RANDOM, GREEDY)
    session.deal()
    seen: list[View] = []

    def watch(view: View, bot: str, *, seed: int) -> Choice:
        seen.append(view)
        return choose(view, bot, seed=seed)

    monkeypatch.setattr("diloti.tui.session.choose", watch)
    session.choose()
    assert seen == [session.view(session.turn or 0)]


def test_bot_chooses_the_same_after_coming_back(tmp_path: Path) -> None:
    session = new_session(RANDOM, RANDOM, store=Store(tmp_path))
    session.deal()
    for _play in range(7):
        session.play(session.choose().play)
    again = Session.resume(Store(tmp_path))
    assert again is not None
    assert again.choose() == session.choose()


def test_coming_back_gives_seats_cards_and_score(tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, NIKOS, RANDOM, base="taverna", store=Store(tmp_path))
    session.deal()
    again = Session.resume(Store(tmp_path))
    assert again is not None
    assert again.chairs == session.chairs
    assert again.match.rules == session.match.rules
    assert again.match.scores == session.match.scores
    for seat in range(4):
        assert again.view(seat) == session.view(seat)


def test_nothing_to_come_back_to(tmp_path: Path) -> None:
    assert Session.resume(Store(tmp_path)) is None


def test_match_with_an_unknown_bot_is_set_aside(tmp_path: Path) -> None:
    new_session(MARIA, GREEDY, store=Store(tmp_path))
    file = tmp_path / "match.txt"
    written = file.read_text("utf-8").replace("Player 1: greedy", "Player 1: oracle")
    file.write_text(written, "utf-8")
    with pytest.raises(StoreError, match="oracle"):
        Session.resume(Store(tmp_path))
    assert (tmp_path / "match-unreadable.txt").read_text("utf-8") == written


def test_record_by_hand_is_played_by_people(tmp_path: Path) -> None:
    new_session(MARIA, GREEDY, store=Store(tmp_path))
    file = tmp_path / "match.txt"
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith("Player")), "utf-8")
    again = Session.resume(Store(tmp_path))
    assert again is not None
    assert again.people == (0, 1)


def test_illegal_play_changes_nothing(tmp_path: Path) -> None:
    session = new_session(MARIA, NIKOS, store=Store(tmp_path), seed=5)
    session.deal()
    before = (tmp_path / "match.txt").read_text("utf-8")
    with pytest.raises(IllegalPlay):
        session.play(parse_play("Jdx5s"))
    assert (tmp_path / "match.txt").read_text("utf-8") == before
    assert not session.match.deal_log.outcomes


def test_step_that_cannot_be_kept_is_made(tmp_path: Path) -> None:
    session = new_session(MARIA, NIKOS, store=Store(tmp_path / "a"), seed=5)
    session.deal()
    (tmp_path / "a" / "match.txt").unlink()
    (tmp_path / "a").rmdir()
    (tmp_path / "a").write_text("in the way")
    with pytest.raises(StoreError):
        session.play(parse_play("Jd"))
    assert session.match.deal_log.plays == [parse_play("Jd")]
    (tmp_path / "a").unlink()
    session.play(parse_play("2s"))
    again = Session.resume(Store(tmp_path / "a"))
    assert again is not None
    assert again.match.deal_log.plays == [parse_play("Jd"), parse_play("2s")]


def test_session_without_a_store_is_not_kept() -> None:
    session = new_session(MARIA, GREEDY)
    session.deal()
    assert session.kept is None


def test_resigning_ends_the_match(tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path))
    session.deal()
    session.resign(0)
    assert session.turn is None
    assert session.match.winner == 1
    assert Session.resume(Store(tmp_path)) is None
    assert session.kept == tmp_path / "finished" / "match.txt"
