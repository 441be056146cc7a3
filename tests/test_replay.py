"""Telling a recorded match."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from diloti.bots import choose
from diloti.core.errors import DilotiError
from diloti.core.notation import parse_card
from diloti.core.record import Record, format_record
from diloti.core.record_reader import RecordError, parse_record
from diloti.tui.replay import ReplayError, read_record, repetition_lines, replay_lines
from diloti.tui.session import Session
from diloti.words import LANGUAGES, Words
from diloti.words.cards import card_sign
from tests.scripted import ENGLISH, GREEDY, MARIA, NIKOS, RANDOM, new_session, run_typist


def lines_of(session: Session) -> list[str]:
    """The replay of the record of a match, read back from its text."""
    return list(replay_lines(ENGLISH, parse_record(format_record(session._record))))


def played(session: Session) -> Session:
    run_typist(session)
    return session


def test_whole_match_is_told() -> None:
    session = played(new_session(MARIA, GREEDY, seed=5))
    lines = lines_of(session)
    assert lines[:3] == [
        "Rules: Classic",
        "Maria played against greedy.",
        "61 points win the match.",
    ]
    deals = session.match.deals
    assert [line for line in lines if line.startswith("Deal ")] == [
        f"Deal {number}" for number in range(1, len(deals) + 1)
    ]
    assert "Dealer: greedy. First to play: Maria." in lines
    assert sum(line.startswith("48. ") for line in lines) == len(deals)
    assert sum(line.startswith("Hand of Maria: ") for line in lines) == 4 * len(deals)
    assert sum(line.startswith("Points of this deal: ") for line in lines) == len(deals)
    assert lines[-1].startswith("The match is over: ")


def test_plays_marks_and_tables_are_told() -> None:
    lines = lines_of(played(new_session(MARIA, GREEDY, seed=5)))
    assert "1. Maria puts A♣ on 3♦ 4♦ and declares 8." in lines
    assert "On the table: 5♠ K♦ [A♣ 3♦ 4♦]=8" in lines
    assert "Maria no longer owns the pile." in lines
    assert "Xeri for Maria: 10 points!" in lines
    assert "New hands are dealt." in lines


def test_four_players_and_shown_cards() -> None:
    session = new_session(
        MARIA, GREEDY, NIKOS, RANDOM, base="taverna", partners_show_card=True, seed=5
    )
    session.deal()
    card = parse_card("6d")
    session.show(0, card)
    turn = session.turn
    assert turn is not None
    session.play(choose(session.view(turn), "greedy").play)
    lines = lines_of(session)
    assert "Rules: Taverna with house rules (partners_show_card=true)" in lines
    assert f"Maria has shown {card_sign(card)}." in lines
    assert lines[-1] == "The match is unfinished."


def test_resigned_match() -> None:
    session = new_session(MARIA, GREEDY)
    session.deal()
    session.resign(0)
    assert lines_of(session)[-3:] == [
        "Match: Maria 0 · greedy 0 (to 61 points)",
        "Maria has resigned.",
        "The match is over: greedy has won.",
    ]


def test_match_without_a_deal() -> None:
    assert lines_of(new_session(MARIA, GREEDY))[-1] == "The match is unfinished."


def test_seats_without_names_have_letters() -> None:
    record = Record(new_session(MARIA, GREEDY).match)
    text = format_record(record).replace("Seat 0: Maria", "Seat 0:")
    assert "Player A plays against greedy." in replay_lines(ENGLISH, parse_record(text))


# --- Reading -----------------------------------------------------------------------


def test_record_is_read_from_a_file_or_from_standard_input(tmp_path: Path) -> None:
    text = format_record(new_session(MARIA, GREEDY)._record)
    file = tmp_path / "match.txt"
    file.write_text(text, "utf-8")
    assert format_record(read_record(str(file), io.BytesIO())) == text
    assert format_record(read_record("-", io.BytesIO(text.encode()))) == text


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.txt", "there is no such file or folder"),
        ("missing/record.txt", "there is no such file or folder"),
        (".", "it is a folder"),
        ("a\0b", "this is not the name of a file"),
        ("binary.txt", "it is not text in UTF-8"),
        ("binary.txt/record.txt", "part of its path is not a folder"),
        ("x" * 300, "its name is too long"),
    ],
)
def test_file_that_cannot_be_read(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe")
    file = str(tmp_path / name)
    with pytest.raises(ReplayError) as refused:
        read_record(file, io.BytesIO())
    assert str(refused.value) == f"{file} cannot be read: {reason}"
    for language in LANGUAGES:
        told = Words(language).error(refused.value).replace(file, "")
        assert (reason in told) == (language == "en")
        assert "Errno" not in told


def test_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ReplayError, match="you lack the permission"):
        read_record(str(tmp_path / "record.txt"), io.BytesIO())


def test_of_several_records_in_a_file_one_is_chosen() -> None:
    texts = [format_record(new_session(MARIA, GREEDY, seed=seed)._record) for seed in (1, 2, 3)]

    def read(text: str, game: int | None = None) -> str:
        return format_record(read_record("-", io.BytesIO(text.encode()), game=game))

    for between in ("", "\n"):
        together = between.join(texts)
        assert [read(together, game) for game in (1, 2, 3)] == texts
        with pytest.raises(ReplayError, match="- holds 3 records: say which one with --game"):
            read(together)
        for game in (-1, 0, 4):
            with pytest.raises(ReplayError, match=f"no record {game} in -: it holds 3"):
                read(together, game)
    assert read(texts[0], 1) == texts[0]
    before, _, after = texts[2].partition("First dealer: ")
    wrong = f"{before}First dealer: 9{after[1:]}"
    line = len("".join([*texts[:2], before]).splitlines()) + 1
    with pytest.raises(RecordError, match=f"^line {line}: "):
        read("".join([*texts[:2], wrong]), 3)


def test_a_record_that_names_no_bots_says_so() -> None:
    match = parse_record(format_record(new_session(MARIA, GREEDY)._record)).match
    [told] = repetition_lines(ENGLISH, match)
    assert told.startswith("The record does not say which bots have played")


def test_too_long_record_is_refused() -> None:
    with pytest.raises(DilotiError, match="too long"):
        read_record("-", io.BytesIO(b"#" * 20_000_000))


def test_damaged_records_are_told_or_refused_by_line() -> None:
    session = new_session(MARIA, GREEDY, seed=5, target=1)
    run_typist(session)
    text = format_record(session._record)
    chance = random.Random(1)
    refused = 0
    for _time in range(60):
        try:
            list(replay_lines(ENGLISH, parse_record(damage(text, chance))))
        except DilotiError as trouble:
            refused += ENGLISH.error(trouble).startswith("line ")
    assert refused > 40


def damage(text: str, chance: random.Random) -> str:
    """The text with a piece of it deleted, doubled or replaced."""
    at = chance.randrange(len(text))
    piece = text[at : at + chance.randrange(1, 30)]
    instead = chance.choice(["", piece * 2, "9" * 5000, "\x1b", "Kd", "\n", ":", "²"])
    return text[:at] + instead + text[at + len(piece) :]
