"""The golden files mean what they always meant, and whole deals look as they always looked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diloti.core.notation import format_card, format_cards, format_play
from diloti.core.plays import legal_plays
from diloti.core.record import format_record, format_rules
from diloti.core.record_reader import parse_record
from diloti.core.view import view_of
from diloti.core.wire import read_position, read_view, write_position, write_view
from tests.golden.make import GOLDEN, NAMES, PLAYTHROUGHS, RECORDS, playthrough


def text_of(file: Path) -> str:
    return file.read_bytes().decode()


def names_in(folder: str) -> set[str]:
    return {file.stem for file in (GOLDEN / folder).iterdir()}


# ------------------------------------------------------------------ records


class Told(NamedTuple):
    """What a record says."""

    rules: str
    names: tuple[str, ...]
    first_dealer: int
    plays: tuple[int, ...]
    """In each deal."""
    last: str
    points: tuple[tuple[int, int], ...]
    """Of each deal that is over, by side."""
    scores: tuple[int, int]
    winner: int | None
    resigned: int | None = None
    tags: dict[str, str] = {}  # noqa: RUF012
    deal_tags: dict[str, str] = {}  # noqa: RUF012
    given: bool = False


TOLD = {
    "classic_two": Told(
        rules="classic",
        names=("Άννα", "Boris"),
        first_dealer=1,
        plays=(48, 48, 48),
        last="4hx4c",
        points=((17, 4), (37, 24), (12, 9)),
        scores=(66, 37),
        winner=0,
        tags={"Event": "golden file", "Date": "2026-11-29"},
    ),
    "taverna_four": Told(
        rules="taverna",
        names=("Eleni", "Jorge", "Κώστας", "Иван"),
        first_dealer=3,
        plays=(48, 48),
        last="8cxAh7s",
        points=((6, 15), (3, 48)),
        scores=(9, 63),
        winner=1,
    ),
    "taverna_two": Told(
        rules="taverna, players=2, target=101, sum_groups=many, xeristaki_points=5",
        names=("A", "B"),
        first_dealer=0,
        plays=(48, 17),
        last="3dx[AcAs2d2s3c]",
        points=((12, 14),),
        scores=(12, 14),
        winner=None,
    ),
    "resigned": Told(
        rules="classic, court_capture=three_take_three, raising=anyone, forced_capture=true",
        names=("", ""),
        first_dealer=0,
        plays=(48, 12),
        last="Th",
        points=((17, 4),),
        scores=(17, 4),
        winner=0,
        resigned=1,
    ),
    "switches": Told(
        rules="taverna, target=31, deal_packet=6, redeal=equal_courts, equal_cards=any, "
        "families=false, raising=others, obligations=true, xeri_points=5, xeristaki_points=5, "
        "partners_show_card=true",
        names=("North", "East", "", "West"),
        first_dealer=2,
        plays=(35,),
        last="KdxKs",
        points=(),
        scores=(0, 0),
        winner=None,
        tags={"Site": "Πειραιάς"},
        deal_tags={"Clock": "12:30 : 11:05"},
        given=True,
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_records_tell_what_they_always_told(name: str) -> None:
    told = TOLD[name]
    record = parse_record(text_of(RECORDS / f"{name}.txt"))
    match = record.match
    assert format_rules(match.rules) == told.rules
    assert (match.names, match.first_dealer) == (told.names, told.first_dealer)
    assert tuple(len(log.plays) for log in match.deals) == told.plays
    assert format_play(match.deals[-1].plays[-1]) == told.last
    sheets = [log.score.sheets for log in match.deals if log.score is not None]
    assert tuple((first.total, second.total) for first, second in sheets) == told.points
    assert (match.scores, match.winner) == (told.scores, told.winner)
    assert match.resigned == told.resigned
    assert record.tags == told.tags
    assert match.deals[0].tags == told.deal_tags
    assert [log.seed is None for log in match.deals] == [told.given] * len(match.deals)


@pytest.mark.parametrize("name", TOLD)
def test_records_are_still_written_like_that(name: str) -> None:
    text = text_of(RECORDS / f"{name}.txt")
    assert format_record(parse_record(text)) == text


def test_the_record_with_everything() -> None:
    match = parse_record(text_of(RECORDS / "switches.txt")).match
    log = match.deal_log
    assert log.pack != log.final
    assert [format_card(card) for card in log.pack[24:28]] == ["Qc", "Qd", "Qh", "2c"]
    assert format_cards(log.start.loose, " ") == "9c Jd Qd Kh"
    assert [card and format_card(card) for card in match.position.shown or ()] == [
        *("3c", None, "6c", "Ad"),
    ]
    assert log.outcomes[-1].has("xeristaki")
    assert (match.position.xeri, match.position.xeristaki) == ((0, 0), (0, 1))


def test_every_record_is_looked_at() -> None:
    assert names_in("records") == set(TOLD)


# ------------------------------------------------------------------ positions and views


def json_of(folder: str, name: str) -> Any:
    return json.loads(text_of(GOLDEN / folder / f"{name}.json"))


LEGAL = {
    "classic_bare": "3c 3c+6s9s=9 3c+6s=9 9d 9dx9s Ah Ah^[3d5s]=9",
    "classic_start": "2s 2s+3h=5 3d 3dx3h 4d 5d 5h As As+3h=4",
    "switches": "9hx[2c7s] 9sx[2c7s]",
    "taverna_two": "5s 9c 9cx[2c7d] Jc JcxJdJs Tc TcxTh",
    "over": "",
}


@pytest.mark.parametrize("name", LEGAL)
def test_positions_are_what_they_always_were(name: str) -> None:
    written = json_of("positions", name)
    position = read_position(written)
    if "format" in written:
        assert write_position(position) == written
    else:
        assert write_position(position).keys() - written.keys() == {"format"}
    plays = sorted(format_play(play) for play in legal_plays(position))
    assert " ".join(plays) == LEGAL[name]


@pytest.mark.parametrize("name", sorted(LEGAL.keys() - {"classic_bare"}))
def test_views_are_what_they_always_were(name: str) -> None:
    position = read_position(json_of("positions", name))
    for seat in range(position.rules.players):
        written = json_of("views", f"{name}_{seat}")
        view = read_view(written)
        assert view == view_of(position, seat)
        assert write_view(view) == written


def test_the_position_with_everything() -> None:
    position = read_position(json_of("positions", "switches"))
    assert format_rules(position.rules) == TOLD["switches"].rules
    assert (position.dealer, position.turn, position.plays) == (2, 2, 35)
    assert [format_cards(hand) for hand in position.hands] == [
        *("7h8dQh", "8sTcTh", "9h9sTdQc", "8hJcJs"),
    ]
    [pile] = position.piles
    assert (pile.value, pile.owner, pile.is_family) == (9, 2, False)
    assert [format_cards(component) for component in pile.components] == ["2c7s"]
    assert position.loose == 0
    assert (position.xeri, position.xeristaki, position.last_capture) == ((0, 0), (0, 1), 1)
    assert position.scores == (0, 0)
    assert [card and format_card(card) for card in position.shown or ()] == ["3c", None, "6c", "Ad"]
    assert position.history is not None
    assert format_cards(position.history.layout) == "9cJdQdKh"
    assert position.history.plays[6][0] == 1
    assert format_play(position.history.plays[6][1]) == "5cx2h3h"


def test_every_position_and_view_is_looked_at() -> None:
    assert names_in("positions") == set(LEGAL)
    views = {name.rsplit("_", 1)[0] for name in names_in("views")}
    assert views == set(LEGAL) - {"classic_bare"}


# ------------------------------------------------------------------ playthroughs


@pytest.mark.parametrize("name", NAMES)
def test_a_deal_looks_to_each_seat_as_it_always_looked(name: str) -> None:
    """Where the change is meant: `python -m tests.golden.make`, and read what it changes."""
    expected = text_of(PLAYTHROUGHS / f"{name}.txt")
    assert playthrough(name).splitlines() == expected.splitlines()


def test_every_playthrough_is_looked_at() -> None:
    assert names_in("playthroughs") == set(NAMES)
