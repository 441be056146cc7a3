"""Keeping matches: none is lost, whatever is in the folder and whoever else writes there."""

from __future__ import annotations

from pathlib import Path

import pytest

from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.tui.plain.typed import offer
from diloti.tui.session import Session
from diloti.tui.store import Store, StoreError
from diloti.words import Words
from tests.scripted import ENGLISH, GREEDY, MARIA, RANDOM, new_session, run_typist


def kept_session(folder: Path, seed: int = 1) -> Session:
    session = new_session(MARIA, GREEDY, store=Store(folder), seed=seed)
    run_typist(session, 3)
    return session


def text_of(session: Session) -> str:
    return format_record(session._record)


def test_empty_folder_has_no_match(tmp_path: Path) -> None:
    store = Store(tmp_path / "not" / "there")
    assert store.load() is None
    assert not store.has_match
    assert store.put_away() is None


def test_match_is_kept_after_every_play(tmp_path: Path) -> None:
    session = new_session(RANDOM, GREEDY, store=Store(tmp_path))
    session.deal()
    for _play in range(48):
        session.play(session.choose().play)
        assert (tmp_path / "match.txt").read_text("utf-8") == text_of(session)


def test_loading_gives_the_same_match(tmp_path: Path) -> None:
    session = kept_session(tmp_path)
    record = Store(tmp_path).load()
    assert record is not None
    assert format_record(record) == text_of(session)


def test_finished_matches_are_kept_side_by_side(tmp_path: Path) -> None:
    for _match in range(2):
        session = new_session(RANDOM, GREEDY, store=Store(tmp_path))
        session.deal()
        session.resign(0)
        assert not Store(tmp_path).has_match
    names = sorted(file.name for file in (tmp_path / "finished").iterdir())
    assert names == ["match-2.txt", "match.txt"]
    record = parse_record((tmp_path / "finished" / "match.txt").read_text("utf-8"))
    assert record.match.winner == 1


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"Diloti record 1\nRules: chess\n", b"\x00" * 5000]
)
def test_unreadable_match_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "match.txt").write_bytes(content)
    store = Store(tmp_path)
    with pytest.raises(StoreError) as caught:
        store.load()
    assert str(tmp_path / "match-unreadable.txt") in ENGLISH.error(caught.value)
    assert (tmp_path / "match-unreadable.txt").read_bytes() == content
    assert store.load() is None


def test_every_unreadable_match_gets_its_own_name(tmp_path: Path) -> None:
    for content in (b"one", b"two"):
        (tmp_path / "match.txt").write_bytes(content)
        with pytest.raises(StoreError):
            Store(tmp_path).load()
    assert (tmp_path / "match-unreadable.txt").read_bytes() == b"one"
    assert (tmp_path / "match-unreadable-2.txt").read_bytes() == b"two"


def test_folder_in_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "match.txt").mkdir()
    with pytest.raises(StoreError):
        Store(tmp_path).load()
    assert Store(tmp_path).load() is None


def test_file_in_place_of_the_folder(tmp_path: Path) -> None:
    occupied = tmp_path / "occupied"
    occupied.write_text("mine")
    store = Store(occupied)
    with pytest.raises(StoreError, match="cannot be moved away"):
        store.load()
    assert not store.has_match
    with pytest.raises(StoreError, match="could not be saved"):
        store.save(Record(new_session(MARIA, GREEDY).match))
    assert occupied.read_text() == "mine"


def test_failed_write_leaves_the_match_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = kept_session(tmp_path)
    before = (tmp_path / "match.txt").read_text("utf-8")

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        with pytest.raises(StoreError, match="the disk is full"):
            run_step(session)
    assert (tmp_path / "match.txt").read_text("utf-8") == before
    assert [file.name for file in tmp_path.iterdir()] == ["match.txt"]
    run_step(session)
    assert (tmp_path / "match.txt").read_text("utf-8") == text_of(session)


def run_step(session: Session) -> None:
    """A play that needs no choice of a person."""
    turn = session.turn
    assert turn is not None
    session.play(offer(session.view(turn)).offers[0])


# --- Two programs with the same folder ---------------------------------------------


def test_two_programs_do_not_overwrite_each_other(tmp_path: Path) -> None:
    first = kept_session(tmp_path)
    second = Session.resume(Store(tmp_path))
    assert second is not None
    run_step(second)
    run_step(first)
    run_step(second)
    run_step(first)
    assert (tmp_path / "match.txt").read_text("utf-8") == text_of(second)
    assert (tmp_path / "match-2.txt").read_text("utf-8") == text_of(first)
    assert first.kept == tmp_path / "match-2.txt"


def test_match_that_had_to_move_is_found_again(tmp_path: Path) -> None:
    first = kept_session(tmp_path)
    second = Session.resume(Store(tmp_path))
    assert second is not None
    run_step(second)
    run_step(first)
    second.resign(0)
    again = Session.resume(Store(tmp_path))
    assert again is not None
    assert text_of(again) == text_of(first)


def test_other_files_are_no_matches(tmp_path: Path) -> None:
    (tmp_path / "match-unreadable.txt").write_text("x")
    (tmp_path / "match-mine.txt").write_text("x")
    assert not Store(tmp_path).has_match


def test_new_match_puts_the_running_one_away(tmp_path: Path) -> None:
    first = kept_session(tmp_path)
    second = kept_session(tmp_path, seed=2)
    assert (tmp_path / "unfinished" / "match.txt").read_text("utf-8") == text_of(first)
    assert (tmp_path / "match.txt").read_text("utf-8") == text_of(second)
    run_step(first)
    assert (tmp_path / "match.txt").read_text("utf-8") == text_of(second)
    assert (tmp_path / "match-2.txt").read_text("utf-8") == text_of(first)


def test_running_match_that_cannot_be_put_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_session(tmp_path)

    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StoreError, match="could not be put away"):
        Store(tmp_path).put_away()
    (tmp_path / "match.txt").write_text("broken")
    with pytest.raises(StoreError, match="nothing was changed"):
        Store(tmp_path).load()
    assert (tmp_path / "match.txt").read_text() == "broken"


def test_trouble_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "match.txt").write_text("Diloti record 1\nRules: chess\n")
    with pytest.raises(StoreError) as caught:
        Store(tmp_path).load()
    sentence = Words("en").error(caught.value)
    assert "line 2" in sentence
    assert "chess" in sentence
