"""What is kept of a match that is over, and what is taken of what people hand in."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from diloti.bots import choose
from diloti.core.errors import DilotiError
from diloti.core.match import Match
from diloti.core.notation import format_card
from diloti.core.record import Record, format_record
from diloti.core.record_reader import RecordError, parse_record
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.wire import write_position
from diloti.tui.replay import replay_lines
from diloti.web.archive import (
    LARGEST_RECORD,
    copy_until,
    file_name,
    finished_match,
    read_upload,
    summary_of,
    table_record,
    uploaded_match,
)
from diloti.web.render import words_for
from diloti.web.replaying import draw_step, tell_deal
from diloti.web.room import COUNTING, OVER, PLAYING, Room, Seat, Settings
from diloti.words import LANGUAGES
from diloti.words.replay import names_in_record
from tests.matches import play_out, random_match, some_rules
from tests.test_replay import damage
from tests.test_web_room import Seeds

RECORDS = sorted((Path(__file__).parent / "golden" / "records").glob("*.txt"))
SHORT = replace(CLASSIC, target=20)


def laid(
    rules: Rules = SHORT, *, settings: Settings | None = None, seeds: Seeds | None = None
) -> Room:
    seats = [Seat(name="Άννα", person="anna"), *[Seat(bot="novice")] * (rules.players - 1)]
    room = Room.lay(rules, seats, settings or Settings(), first_dealer=0)
    room.deal(seeds or Seeds())
    return room


def play_deal(room: Room) -> None:
    while room.phase == PLAYING:
        assert room.turn is not None
        room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)


def play_match(room: Room, seeds: Seeds) -> None:
    play_deal(room)
    while room.phase == COUNTING:
        room.deal(seeds)
        play_deal(room)
    assert room.phase == OVER


# --- What is kept --------------------------------------------------------------------


def test_the_same_match_has_the_same_name_whenever_it_is_asked_for() -> None:
    seeds = Seeds()
    room = laid(seeds=seeds)
    play_match(room, seeds)
    first = finished_match("table", room, ended=1000.0)
    room.say(0, "hello")
    room.leave("anna", "regular")
    later = finished_match("table", Room.read(room.body()), ended=2000.0)
    assert later.id == first.id
    assert finished_match("elsewhere", room, ended=1000.0).id != first.id
    room.rematch()
    room.deal(seeds)
    room.resign(0)
    assert finished_match("table", room, ended=3000.0).id != first.id


def test_whoever_knows_the_table_cannot_guess_the_name_of_its_match() -> None:
    names: set[str] = set()
    for _ in range(2):
        room = laid()
        room.match.deals[0].pack = tuple(random.Random(len(names)).sample(range(52), 52))
        room.resign(0)
        names.add(finished_match("table", room, ended=0.0).id)
    assert len(names) == 2


def test_what_is_kept_tells_who_played_and_how_it_went() -> None:
    room = laid(replace(TAVERNA, players=4, target=20), settings=Settings(is_practice=True))
    play_match(room, Seeds())
    kept = finished_match("table", room, ended=86400.0)
    assert [(one.name, one.person, one.level) for one in kept.players] == [
        ("Άννα", "anna", ""),
        *[("", "", "novice")] * 3,
    ]
    assert kept.is_practice
    read = parse_record(kept.record)
    assert read.match.scores == room.match.scores
    assert read.match.names == ("Άννα", "", "", "")
    assert read.tags == {"Date": "1970-01-02"} | {
        "Player 0": "human",
        **{f"Player {seat}": "novice" for seat in (1, 2, 3)},
    }
    assert names_in_record(words_for("el"), read) == ("Άννα", "Ελένη", "Κώστας", "Μαρία")
    summary = kept.summary
    assert summary["winner"] == room.match.winner
    assert [sum(points) for points in zip(*(deal["points"] for deal in summary["deals"]))] == list(
        room.match.scores
    )
    for deal, log in zip(summary["deals"], room.match.deals, strict=True):
        assert deal["xeri"] == list(log.position.xeri)
        assert log.score is not None
        assert [sheet.xeri for sheet in log.score.sheets] == [10 * one for one in deal["xeri"]]


def test_a_person_for_whom_a_bot_stands_in_is_still_that_person() -> None:
    room = laid()
    room.seats[0] = replace(room.seats[0], bot="regular")
    room.resign(1)
    kept = finished_match("table", room, ended=0.0)
    assert (kept.players[0].person, kept.players[0].level) == ("anna", "")
    assert parse_record(kept.record).tags["Player 0"] == "human"


@pytest.mark.parametrize("rules", [SHORT, replace(TAVERNA, target=20)])
def test_the_record_of_a_running_match_says_nothing_of_the_running_deal(rules: Rules) -> None:
    seeds = Seeds()
    room = laid(rules, seeds=seeds)
    told = format_record(table_record(room))
    assert "Deal" not in told
    assert "Result: unfinished" in told
    while room.phase != OVER:
        while room.phase == PLAYING:
            now = format_record(table_record(Room.read(room.body())))
            assert now == told
            log = room.match.deal_log
            assert " ".join(map(format_card, log.pack)) not in now
            assert log.seed is not None
            assert log.seed.hex() not in now
            assert room.turn is not None
            room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)
        told = format_record(table_record(room))
        assert parse_record(told).match.scores == room.match.scores
        assert told.count("\nDeal ") == room.deal_number
        if room.phase == COUNTING:
            assert told.endswith("Result: unfinished\n")
            room.deal(seeds)
    assert told.endswith(f"Result: side {room.match.winner} won\n")


def test_a_match_that_was_given_up_is_kept_with_its_last_deal() -> None:
    room = laid()
    assert room.turn is not None
    room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)
    room.resign(1)
    read = parse_record(finished_match("table", room, ended=0.0).record).match
    assert (read.resigned, read.winner, len(read.deals[0].plays)) == (1, 0, 1)


@pytest.mark.parametrize(
    ("names", "ended", "name"),
    [
        (["Άννα", "Boris"], 86400.0, "diloti-1970-01-02-Άννα-Boris.txt"),
        (["../../etc/passwd", 'a"b\\c\r\nd'], None, "diloti-etc-passwd-a-b-c-d.txt"),
        (["", "/"], None, "diloti.txt"),
        (["..", "🃏"], 0.0, "diloti-1970-01-01.txt"),
    ],
)
def test_names_of_files_are_safe(names: list[str], ended: float | None, name: str) -> None:
    assert file_name(names, ended) == name


# --- What people hand in ---------------------------------------------------------------


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_records_are_taken_as_they_are(file: Path) -> None:
    text = file.read_bytes().decode()
    for written in (
        text,
        text.encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("\n", "\r\n").encode(),
    ):
        assert format_record(read_upload(written)) == text


@pytest.mark.parametrize(
    ("written", "trouble"),
    [
        (b"", "nothing"),
        (b" \r\n\t", "nothing"),
        (b"\xef\xbb\xbf", "nothing"),
        ("Diloti record 1".encode("utf-16"), "UTF-8"),
        (b"\xff" * 100, "UTF-8"),
        (b"Diloti record 1\nRules: classic\nSeat 0: a\0b\nResult: unfinished\n", "UTF-8"),
        ("Diloti record 1\nRules: classic\nSeat 0: Άννα".encode("iso8859-7"), "UTF-8"),
        (b"PK\x03\x04" + b"\0" * 50, "UTF-8"),
        (b"a" * (LARGEST_RECORD + 1), "too long"),
        ("Ω" * (LARGEST_RECORD // 2 + 1), "too long"),
        (b"[" * 50_000, "not a match record"),
        (b'{"rules": "classic"}', "not a match record"),
        (b"Diloti record 99999999999", "not a match record"),
        (b"Diloti record 2", "format 2"),
        (b"Diloti record 1\nRules: classic\n" + b"Deal 1\n" * 10_000, "deal 2 was expected"),
        (
            b"Diloti record 1\nRules: classic\n"
            + b"".join(b"Deal %d\n" % number for number in range(1, 10_001)),
            "Pack",
        ),
        (b"Diloti record 1\nRules: " + b"classic, " * 10_000, "a switch"),
        (b"Diloti record 1\nRules: classic, target=999999999\nResult: won\n", "target"),
        (b"Diloti record 1\n" + b"x: y\n" * 20_000, "second time"),
    ],
    ids=range(19),
)
def test_what_is_no_record_is_refused_with_a_reason(written: bytes | str, trouble: str) -> None:
    with pytest.raises(DilotiError) as refused:
        read_upload(written)
    assert trouble in words_for("en").error(refused.value)
    for language in LANGUAGES:
        assert words_for(language).error(refused.value)


def test_damaged_records_are_refused_by_line_or_kept_as_they_can_be_read_again() -> None:
    dice = random.Random(7)
    texts = [file.read_bytes().decode() for file in RECORDS]
    refused = 0
    for _ in range(60):
        try:
            record = read_upload(damage(dice.choice(texts), dice).encode())
        except DilotiError as trouble:
            refused += isinstance(trouble, RecordError)
        else:
            kept = uploaded_match(record, "anna", at=0.0)
            assert format_record(read_upload(kept.record)) == kept.record
    assert refused > 30


def test_bytes_of_any_kind_are_refused() -> None:
    dice = random.Random(3)
    for _ in range(50):
        with pytest.raises(DilotiError):
            read_upload(b"Diloti record 1\n" * dice.randrange(2) + dice.randbytes(200))


def test_names_and_levels_of_a_record_are_made_harmless() -> None:
    text = RECORDS[0].read_bytes().decode()
    long = text.replace("Seat 1: Boris", f"Seat 1: {'B' * 5000}\u202e\nPlayer 1: {'x' * 5000}")
    record = read_upload(long)
    assert record.match.names[1] == "B" * 20
    assert "Player 1" not in record.tags
    kept = uploaded_match(record, "anna", at=0.0)
    assert kept.players[1].level == ""
    assert kept.uploaded_by == "anna"
    assert not any(player.person for player in kept.players)
    assert uploaded_match(record, "anna", at=9.0).id == kept.id
    assert uploaded_match(record, "boris", at=9.0).id != kept.id


# --- Seeing it again ---------------------------------------------------------------------


def records() -> list[Record]:
    dice = random.Random(5)
    made = [parse_record(file.read_bytes().decode()) for file in RECORDS]
    for players in (2, 4):
        rules = replace(some_rules(dice, players=players), target=5)
        match = random_match(dice, rules)
        if not match.deals:
            match = Match(rules, first_dealer=0)
            play_out(dice, match, plays=20)
        made.append(Record(match))
    return made


@pytest.mark.parametrize("record", records())
def test_every_moment_is_the_position_after_so_many_plays(record: Record) -> None:
    words, match = words_for("en"), record.match
    for deal, log in enumerate(match.deals):
        steps, told = tell_deal(words, record, deal)
        positions = [log.start, *(outcome.position for outcome in log.outcomes)]
        assert len(told["plays"]) == len(log.plays)
        assert [step.number for step in steps] == list(range(len(log.plays) + 1))
        for step, position in zip(steps, positions, strict=True):
            assert write_position(step.position) == write_position(position)
            drawn = draw_step(words, record, deal, step)
            assert sum(1 << card for card in drawn["table"]["loose"]) == position.loose
            assert [set(pile["cards"]) for pile in drawn["table"]["piles"]] == [
                {card for card in range(52) if pile.cards >> card & 1} for pile in position.piles
            ]
            for hand, cards in zip(drawn["hands"], position.hands, strict=True):
                assert sum(1 << card for card in hand["cards"]) == cards
            turns = [seat for seat, hand in enumerate(drawn["hands"]) if hand["is_turn"]]
            assert turns == ([] if position.turn is None else [position.turn])
            assert [one["count"] for one in drawn["captures"]] == [
                cards.bit_count() for cards in position.captured
            ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("record", records())
def test_the_page_says_what_the_terminal_says(record: Record, language: str) -> None:
    words = words_for(language)
    lines = [*replay_lines(words, record)]
    for deal in range(len(record.match.deals)):
        steps, told = tell_deal(words, record, deal)
        assert told["title"] in lines
        for step in steps[1:]:
            play, *happened = step.told
            at = lines.index(f"{step.number}. {play}")
            assert lines[at + 1 : at + 1 + len(happened)] == happened
            del lines[at]


def test_a_copy_goes_on_with_the_same_cards() -> None:
    record = parse_record((RECORDS[0].parent / "taverna_four.txt").read_bytes().decode())
    for deal, log in enumerate(record.match.deals):
        for plays in (0, 1, 17, 47):
            copy = copy_until(record.match, deal, plays)
            expected = log.start if not plays else log.outcomes[plays - 1].position
            assert write_position(copy.position) == write_position(expected)
            assert copy.turn == expected.turn
            assert copy.scores == expected.scores
            play = log.plays[plays]
            assert write_position(copy.play(play).position) == write_position(
                log.outcomes[plays].position
            )
            again = parse_record(format_record(Record(copy))).match
            assert write_position(again.position) == write_position(copy.position)


def test_a_summary_of_a_match_without_a_deal() -> None:
    summary = summary_of(Match(CLASSIC, first_dealer=0))
    assert (summary["deals"], summary["scores"], summary["winner"]) == ([], [0, 0], None)
