"""The figures of a player: found in the database, on their page, as a table, and deleted."""

from __future__ import annotations

import csv
import io
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select
from starlette.testclient import TestClient

from diloti.core.match import Match
from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.core.rules import CLASSIC, TAVERNA
from diloti.teacher.figures import PEOPLE, figures_of
from diloti.teacher.review_json import write_review
from diloti.web.archive import NOBODY, Finished, Player, without_names
from diloti.web.figures_page import figures_table, tell_figures
from diloti.web.identity import COOKIE
from diloti.web.matches import matches, participants
from diloti.web.render import words_for
from diloti.web.store import Store
from diloti.words import LANGUAGES
from tests.played import DAY, LATER, deal, finished, keep, many, played
from tests.postgresql import POSTGRESQL
from tests.reviewing import reviewed
from tests.test_web_archive import RECORDS
from tests.test_web_match_pages import CLASSIC as RECORD
from tests.test_web_match_pages import ended, handed_in, plain
from tests.test_web_pages import Browser
from tests.thinking import INTERPRETED
from tests.web_app import app_at

DEALS = [deal(30, (7, 4)), deal(26, (0, 18), (0, 1)), deal(20, (3, 8), (1, 0))]


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "postgresql" and POSTGRESQL is None:
        pytest.skip("there is no PostgreSQL here")
    database = POSTGRESQL or "" if request.param == "postgresql" else str(tmp_path / "tables.db")
    async with Store.open(database) as store:
        yield store


def somebody() -> str:
    return secrets.token_hex(8)


def two(anna: str, boris: str = "", *, level: str = "") -> list[Player]:
    return [Player("Άννα", anna), Player("" if level else "Boris", boris, level)]


def four(*people: str) -> list[Player]:
    names = ("Άννα", "Boris", "Clio", "Δώρα")
    return [Player(name, person) for name, person in zip(names, people, strict=True)]


# --- What counts ------------------------------------------------------------------------


async def test_a_match_is_seen_from_the_own_side(store: Store) -> None:
    anna, boris = somebody(), somebody()
    one = finished(
        anna,
        two(anna, boris),
        DEALS,
        winner=1,
        ended=LATER + 3 * DAY,
        accuracy=(61.5, 80.0),
        resigned=0,
    )
    await keep(store, [one])
    [own] = await store.played_by(anna)
    [other] = await store.played_by(boris)
    assert (own.id, own.day, own.rules, own.seats) == (anna, "2096-10-05", CLASSIC, (0,))
    assert (own.is_won, other.is_won) == (False, True)
    assert (own.is_given_up, other.is_given_up) == (True, False)
    assert (own.accuracy, other.accuracy) == (61.5, 80.0)
    assert [one.lead for one in own.deals] == [3, -18, -5]
    assert [one.lead for one in other.deals] == [-3, 18, 5]
    assert other.deals[2].cards == (32, 20)
    assert other.deals[2].xeri == (0, 1)
    assert await store.played_by(somebody()) == await store.played_by("") == []


async def test_partners_share_the_figures_of_their_side(store: Store) -> None:
    people = [somebody() for _ in range(4)]
    await keep(store, [finished(people[0], four(*people), DEALS, winner=1, resigned=3)])
    found = [(await store.played_by(person))[0] for person in people]
    assert [one.is_won for one in found] == [False, True, False, True]
    assert [one.is_given_up for one in found] == [False, True, False, True]
    assert found[0].deals == found[2].deals != found[1].deals == found[3].deals
    assert found[2].other_seats == (1, 3)


async def test_who_holds_both_seats_of_a_side_has_played_one_match(store: Store) -> None:
    anna = somebody()
    await keep(store, [finished(anna, four(somebody(), anna, "", anna), DEALS, winner=1)])
    [one] = await store.played_by(anna)
    assert one.seats == (1, 3)
    assert one.opponent == PEOPLE
    assert one.is_won


async def test_what_does_not_count_is_not_found(store: Store) -> None:
    anna = somebody()
    not_counting = [
        finished(f"{anna}-1", two(anna), DEALS, winner=0, is_practice=True),
        finished(f"{anna}-2", two(anna), DEALS, winner=0, uploaded_by=anna),
        finished(f"{anna}-3", two("", ""), DEALS, winner=0, uploaded_by=anna),
        finished(f"{anna}-4", two(anna, anna), DEALS, winner=0),
        finished(f"{anna}-5", two(somebody(), somebody()), DEALS, winner=0),
    ]
    await keep(store, not_counting)
    assert await store.played_by(anna) == []
    assert (await store.matches_of(anna))[1] == 4


async def test_matches_come_in_the_order_in_which_they_ended(store: Store) -> None:
    anna = somebody()
    for day in (5, 2, 7, 1):
        await keep(
            store, [finished(f"{anna}-{day}", two(anna), [], winner=0, ended=LATER + day * DAY)]
        )
    assert [one.day[-1] for one in await store.played_by(anna)] == ["3", "4", "7", "9"]


async def test_two_questions_find_any_number_of_matches_and_no_record(store: Store) -> None:
    anna, asked = somebody(), []
    await keep(store, many(anna, 50))

    def hear(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        asked.append(statement)

    event.listen(store._writing_engine, "before_cursor_execute", hear)
    assert len(await store.played_by(anna)) == 50
    event.remove(store._writing_engine, "before_cursor_execute", hear)
    assert len(asked) == 2
    for statement in asked:
        columns = statement.partition("FROM")[0]
        assert "record" not in columns
        assert "review" not in columns


@pytest.mark.skipif(INTERPRETED, reason="a review takes long interpreted")
async def test_a_review_brings_the_accuracy_of_each_side(store: Store) -> None:
    anna, boris = somebody(), somebody()
    await keep(store, [finished(anna, two(anna, boris), DEALS, winner=0)])
    assert [one.accuracy for one in await store.played_by(anna)] == [None]
    _match, review = reviewed(5)
    await store.save_review(anna, json.dumps(write_review(review)))
    for side, person in enumerate((anna, boris)):
        [one] = await store.played_by(person)
        assert one.accuracy == review.sides[side].accuracy
    kept = await store.load_match(anna)
    assert kept is not None
    assert kept.review is not None
    assert kept.summary["scores"] == [10, 30]


async def test_the_review_of_no_match_is_no_trouble(store: Store) -> None:
    await store.save_review(somebody(), "{}")


# --- Letting go -------------------------------------------------------------------------


async def test_nothing_ties_a_person_to_matches_after_letting_go(store: Store) -> None:
    anna, boris = somebody(), somebody()
    kept = [
        finished(f"{anna}-1", two(anna, boris), DEALS, winner=0, accuracy=(70.0, 80.0)),
        finished(f"{anna}-2", two(boris, anna), DEALS, winner=1, is_practice=True),
        finished(f"{anna}-3", four(anna, boris, anna, "nobody"), DEALS, winner=1),
        finished(f"{anna}-4", two("", ""), DEALS, winner=0, uploaded_by=anna),
        finished(f"{anna}-5", two(boris, level="expert"), DEALS, winner=0),
    ]
    await keep(store, kept)
    before = await store.played_by(boris)
    await store.let_go(anna)
    assert await store.played_by(anna) == []
    assert await store.matches_of(anna) == ([], 0)
    after = [await store.load_match(one.id) for one in kept]
    assert after[4] == kept[4]
    for old, new in zip(kept, after, strict=True):
        assert new is not None
        assert new.summary == old.summary
        text = new.record + repr(new.players) + new.uploaded_by
        assert anna not in text
        names = parse_record(new.record).match.names
        if not old.uploaded_by:
            assert names == tuple(
                "" if player.person == anna else player.name for player in old.players
            )
            assert names == tuple(player.name for player in new.players)
    uploaded = after[3]
    assert uploaded is not None
    assert (uploaded.record, uploaded.uploaded_by) == (kept[3].record, NOBODY)
    now = await store.played_by(boris)
    assert figures_of(now) == figures_of(before)
    async with store._engine.connect() as connection:
        found = await connection.execute(select(participants).where(participants.c.person == anna))
        assert found.all() == []
        found = await connection.execute(select(matches).where(matches.c.uploaded_by == anna))
        assert found.all() == []


async def test_letting_go_happens_wholly_or_not_at_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = somebody()
    await keep(store, many(anna, 3))
    before = await store.matches_of(anna)

    def fail(record: str, _seats: object) -> str:
        if fail.calls:  # type: ignore[attr-defined]
            raise RuntimeError("no room")
        fail.calls = 1  # type: ignore[attr-defined]
        return record + "x"

    fail.calls = 0  # type: ignore[attr-defined]
    with monkeypatch.context() as patch:
        patch.setattr("diloti.web.players._TOGETHER", 1)
        patch.setattr("diloti.web.players.without_names", fail)
        with pytest.raises(RuntimeError):
            await store.let_go(anna)
    assert await store.matches_of(anna) == before
    await store.let_go(anna)
    assert await store.matches_of(anna) == ([], 0)


async def test_what_is_let_go_stays_so_when_its_table_is_saved_again(store: Store) -> None:
    anna = somebody()
    one = finished(anna, two(anna), DEALS, winner=0)
    await keep(store, [one])
    await store.let_go(anna)
    await keep(store, [one])
    assert await store.matches_of(anna) == ([], 0)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_only_names_leave_a_record(path: Path) -> None:
    record = parse_record(path.read_bytes().decode())
    names = ("Seat 1: Zé", "Deal 1", "", "Result: x")[: record.match.rules.players]
    record.match.names = names
    record.tags["Seat 9"] = "Deal 1"
    text = format_record(record)
    for seats in ([], [0], [1], [0, 1], range(len(names))):
        record.match.names = tuple("" if seat in seats else name for seat, name in enumerate(names))
        assert without_names(text, seats) == format_record(record)


def test_names_leave_a_record_without_deals_too() -> None:
    match = Match(CLASSIC, first_dealer=0, names=["Anna", "Boris"])
    match.resign(0)
    text = format_record(Record(match))
    match.names = ("Anna", "")
    assert without_names(text, [1]) == format_record(Record(match))


# --- As a table -------------------------------------------------------------------------


def rows_of(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table)))


def test_a_table_has_a_line_for_each_deal() -> None:
    one = played(
        4, -2, seats=(1,), names=("=1+1", "Anna"), levels=("", ""), accuracy=71.5, id="-abc"
    )
    bots = played(
        8,
        seats=(0, 2),
        names=("Anna", "", "Anna", "Boris"),
        levels=("", "expert", "", ""),
        rules=replace(TAVERNA, target=31),
    )
    none = played()
    rows = rows_of(figures_table(words_for("en"), [one, bots, none]))
    assert len(rows) == 3
    assert rows[0] == {
        "Day": "2026-01-01",
        "Match": "'-abc",
        "Rules": "classic",
        "Target": "61",
        "Opponents": "'=1+1",
        "Seat": "B",
        "Number of the deal": "1",
        "Cards": "26",
        "Cards of the other side": "26",
        "Points": "4",
        "Points of the other side": "0",
        "Xeri": "0",
        "Xeri of the other side": "0",
        "Accuracy in the match": "71.5",
    }
    assert [row["Number of the deal"] for row in rows] == ["1", "2", "1"]
    assert rows[2]["Seat"] == "A · C"
    assert rows[2]["Opponents"] == "Eleni (bot: expert) · Boris"
    assert rows[2]["Rules"] == "taverna, target=31"
    assert rows[2]["Accuracy in the match"] == ""


# --- The pages --------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = app_at(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def anna(client: TestClient) -> Browser:
    return Browser(client)


@pytest.fixture
def boris(client: TestClient) -> Browser:
    return Browser(client)


def put(client: TestClient, browser: Browser, make: Callable[[str], list[Finished]]) -> None:
    """Keep matches of whoever has this browser."""
    if COOKIE not in browser.cookies:
        browser.get("/")
    state: Any = client.app.state  # type: ignore[attr-defined]
    person = state.identity.person_of(browser.cookies[COOKIE])
    assert client.portal is not None
    client.portal.call(keep, state.store, make(person))


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_matches_there_is_a_friendly_page(client: TestClient, language: str) -> None:
    for path in ("/figures", "/figures/delete", "/figures/deleted"):
        answer = Browser(client).get(path, **{"accept-language": language})
        assert answer.status_code == 200
        assert f'lang="{language}"' in answer.text
    assert "There are no figures yet" in plain(Browser(client).get("/figures").text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_figures_in_every_language(
    client: TestClient, anna: Browser, language: str
) -> None:
    put(client, anna, lambda person: many(person, 25))
    page = anna.get("/figures", **{"accept-language": language}).text
    assert page.count("<svg") == page.count("<title id=") == page.count("<desc id=") == 3
    assert "style=" not in page
    assert "{" not in plain(page)
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names))
    table = anna.get("/figures.csv", **{"accept-language": language})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert table.content.startswith(b"\xef\xbb\xbf")
    assert table.headers["cache-control"] == "no-store"


def test_the_page_tells_what_was_counted_by_hand(client: TestClient, anna: Browser) -> None:
    def make(person: str) -> list[Finished]:
        return [
            finished("1", two(person, level="novice"), DEALS, winner=1, resigned=0),
            finished("2", two(person, level="novice"), DEALS[:1], winner=0, ended=LATER + 1),
            finished("3", two(person), DEALS, winner=0, ended=LATER + 2, accuracy=(62.5, 99.0)),
            finished("4", two(person), DEALS, winner=0, is_practice=True),
        ]

    put(client, anna, make)
    told = plain(anna.get("/figures").text)
    assert "Matches 3 Won 2 67% Lost 1 given up: 1" in told
    assert "Wins in a row, at most 2 Deals 7 Deals with 26 : 26 cards 29%" in told
    assert "Novice 1 1 4 −4.2 People 1 0 3 −6.7 All together 2 1 7 −5.3" in told
    assert "Points 3.86 9.14 Xeri 0.29 0.29" in told
    assert "In 1 reviewed match your side's accuracy is 62.5 of 100." in told
    assert "Your lead a deal is −5.29 points on average. With a confidence of 95%" in told
    rows = rows_of(anna.get("/figures.csv").content.decode("utf-8-sig"))
    assert [row["Match"] for row in rows] == ["1", "1", "1", "2", "3", "3", "3"]


def test_a_match_given_up_at_once_has_no_deal_to_tell_of(anna: Browser, boris: Browser) -> None:
    ended(anna, boris)
    told = plain(anna.get("/figures").text)
    assert "Matches 1 Won 0 0% Lost 1 given up: 1" in told
    assert "Deals with 26 : 26 cards –" in told
    assert "No deal has come to its end." in told
    assert "Matches 1 Won 1 100% Lost 0" in plain(boris.get("/figures").text)


def test_nobody_sees_the_figures_of_another(
    client: TestClient, anna: Browser, boris: Browser
) -> None:
    put(client, anna, lambda person: many(person, 3))
    for stranger in (boris, Browser(client)):
        stranger.get("/")
        assert "There are no figures yet" in plain(stranger.get("/figures").text)
        assert len(rows_of(stranger.get("/figures.csv").content.decode("utf-8-sig"))) == 0
    forged = Browser(client)
    forged.cookies[COOKIE] = anna.cookies[COOKIE][:-1] + "!"
    assert "There are no figures yet" in plain(forged.get("/figures").text)


def test_games_and_matches_lead_to_the_figures(anna: Browser, boris: Browser) -> None:
    table = ended(anna, boris)
    assert 'href="/figures"' in anna.get("/games").text
    link = str(anna.get(f"{table}/match").headers["location"])
    assert 'href="/figures"' in anna.get(link).text


def test_deleting_takes_a_tick_and_the_own_form(
    client: TestClient, anna: Browser, boris: Browser
) -> None:
    put(client, anna, lambda person: many(person, 2))
    asked = anna.get("/figures/delete").text
    assert "cannot be undone" in asked
    unsure = anna.post("/figures/delete")
    assert unsure.status_code == 422
    assert "Set the tick first" in unsure.text
    assert anna.post("/figures/delete", sure="yes", token="0" * 32).status_code == 403
    assert anna.post("/figures/delete", sure="yes", token=boris.token).status_code == 403
    assert boris.post("/figures/delete", sure="yes").status_code == 303
    assert "Matches 2" in plain(anna.get("/figures").text)
    assert anna.post("/figures/delete", sure="yes").headers["location"] == "/figures/deleted"
    assert "There are no figures yet" in plain(anna.get("/figures").text)
    assert "You have not played here yet." in plain(anna.get("/games").text)


def test_what_is_deleted_is_gone_from_the_match_and_its_record(
    anna: Browser, boris: Browser
) -> None:
    table = ended(anna, boris)
    link = str(anna.get(f"{table}/match").headers["location"])
    upload = handed_in(anna, RECORD)
    assert "Anna" in plain(boris.get(link).text)
    anna.post("/figures/delete", sure="yes")
    told = plain(boris.get(link).text)
    assert "Anna" not in told
    assert "Player A has resigned." in told
    for record in (f"{link}/record.txt", f"{table}/record.txt"):
        text = boris.get(record).text
        assert "Anna" not in text
        assert parse_record(text).match.names == ("", "Boris")
    assert link in boris.get("/games").text
    assert link not in anna.get("/games").text
    assert "A record that was uploaded" in plain(anna.get(upload).text)
    assert upload not in anna.get("/games").text


def test_figures_are_told_in_words_without_a_page() -> None:
    told = tell_figures(words_for("en"), figures_of([played(4, 4), played(1, opponent="")]))
    assert told["deals"]["lead"] == "+3.00"
    assert told["deals"]["interval"] is None
    assert told["accuracy"] is None
    assert [row["title"] for row in told["opponents"]] == ["Novice", "People"]
