"""The daily deal: the same packs for everybody, one try, and a result beside the expert's."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select
from starlette.testclient import TestClient

from diloti.bots import choose
from diloti.core.notation import format_play
from diloti.core.record_reader import parse_record
from diloti.teacher.daily import daily_lead
from diloti.teacher.repetition import repeat_bots
from diloti.web import days as days_module
from diloti.web import store as store_module
from diloti.web.app import forget_old
from diloti.web.archive import finished_match
from diloti.web.daily_results import daily_marks, daily_results
from diloti.web.days import RULES, Days, streaks
from diloti.web.keeper import Keeper
from diloti.web.room import COUNTING, DAILY_DEALS, OVER, SIMULATIONS, Room, RoomError
from diloti.web.store import Store
from tests.clock import Clock
from tests.postgresql import POSTGRESQL
from tests.test_web_pages import Browser, hand_of, number_of
from tests.test_web_store import new_name
from tests.thinking import INTERPRETED
from tests.web_app import app_at

DAY, NEXT_DAY = "2026-11-30", "2026-12-01"
NOON = 1796040000.0  # of that day
DAY_SECONDS = 24 * 3600


def secret() -> bytes:
    return bytes(32)


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "postgresql" and POSTGRESQL is None:
        pytest.skip("there is no PostgreSQL here")
    database = str(tmp_path / "tables.db") if request.param == "sqlite" else str(POSTGRESQL)
    async with AsyncExitStack() as stack:
        yield await stack.enter_async_context(Store.open(database))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest bot plays at once."""
    monkeypatch.setattr(days_module, "daily_lead", lambda *_args, **_kwargs: 7)


def days_of(store: Store, *, key: str = "key") -> Days:
    return Days(store, key=key, now=lambda: NOON)


def keeper_of(store: Store) -> Keeper:
    return Keeper(store, now=lambda: NOON, new_secret=secret, executor=None)  # type: ignore[arg-type]


def play_out(room: Room) -> Room:
    """Greedy plays for the person, who is ready at once, and for the bot."""
    while room.phase != OVER:
        if room.phase == COUNTING:
            room.deal(lambda: pytest.fail("the packs of a day are fixed beforehand"))
        assert room.turn is not None
        room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)
    return room


async def test_everybody_gets_the_same_packs_and_each_leads_once(store: Store) -> None:
    one, other = (play_out(days_of(store).room(DAY, name, name)) for name in ("anna", "boris"))
    packs = [[log.pack for log in room.match.deals] for room in (one, other)]
    assert packs[0] == packs[1]
    assert len(set(packs[0])) == DAILY_DEALS
    assert {log.dealer for log in one.match.deals} == {0, 1}
    assert [log.cut.texts for log in one.match.deals if log.cut] == [{}, {}]
    again = Room.read(one.body())
    assert (again.body(), again.phase) == (one.body(), OVER)


async def test_other_days_and_servers_have_other_packs(store: Store) -> None:
    packs = {
        play_out(days_of(store, key=key).room(day, "anna", "anna")).match.deals[deal].pack
        for key in ("key", "other key")
        for day in (DAY, "2026-12-01")
        for deal in range(DAILY_DEALS)
    }
    assert len(packs) == 8


async def test_one_table_is_laid_however_often_it_is_asked_for(store: Store, quick: None) -> None:
    days, keeper, person = days_of(store), keeper_of(store), new_name()
    async with AsyncExitStack() as stack:
        database = store._engine.url.render_as_string(hide_password=False)
        other = keeper_of(await stack.enter_async_context(Store.open(database)))
        begun = [days.begin(DAY, "Anna", person, one.add) for one in (keeper, other) * 4]
        names = {*await asyncio.gather(*begun)}
        await other.close()
    assert len(names) == 1
    assert names == {room.id for room in await store.rooms_of(person)}
    assert names == {(await days.standing(DAY, person)).room}
    await keeper.close()
    await days.close()


async def test_a_table_that_is_not_kept_takes_no_day(
    store: Store, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_connection: object, _people: object) -> None:
        raise OSError("the disk is full")

    days, keeper, person = days_of(store), keeper_of(store), new_name()
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "_save_places", fail)
        with pytest.raises(OSError, match="full"):
            await days.begin(DAY, "Anna", person, keeper.add)
    assert (await days.standing(DAY, person)).room == ""
    name = await days.begin(DAY, "Anna", person, keeper.add)
    assert (await days.standing(DAY, person)).room == name
    await keeper.close()
    await days.close()


async def test_the_result_of_a_day(store: Store, quick: None) -> None:
    days, keeper, person = days_of(store), keeper_of(store), new_name()
    assert (await days.standing(DAY, person)).room == ""
    name = await days.begin(DAY, "Anna", person, keeper.add)
    assert (await days.standing(DAY, person)).lead is None
    await keeper.do(name, play_out)
    await asyncio.gather(*days._working.values())
    standing = await days.standing(DAY, person)
    async with keeper.room(name) as room:
        scores = room.match.scores
        finished = finished_match(name, room, ended=NOON)
    assert (standing.lead, standing.mark) == (scores[0] - scores[1], 7)
    assert standing.difference == scores[0] - scores[1] - 7
    assert [one.day for one in await days.played(person)] == [DAY]
    assert scores[0] - scores[1] in await days.leads(DAY)
    assert f"Daily: {DAY}" in finished.record
    assert finished.is_practice
    assert await store.load_match(finished.id) is not None
    assert standing.link == (await days.played(person))[0].link == f"/match/{finished.id}"


async def test_a_seat_that_is_handed_over_changes_no_other_result(
    store: Store, quick: None
) -> None:
    days, keeper, anna, boris = days_of(store), keeper_of(store), new_name(), new_name()
    names = [await days.begin(DAY, "", person, keeper.add) for person in (anna, boris)]
    await keeper.do(names[0], lambda room: room.hand_over(0, boris))
    await keeper.do(names[0], play_out)
    standing = await days.standing(DAY, boris)
    assert (standing.room, standing.lead) == (names[1], None)
    await days.close()


async def test_results_of_an_earlier_version_lead_to_their_tables(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.db")
    async with Store.open(database) as store:
        begun = {"day": DAY, "person": "anna", "room": "a-table", "lead": 3}
        await store.run(insert(daily_results).values(begun))
        await store.run(insert(daily_marks).values(day=DAY, lead=2))
    with closing(sqlite3.connect(database)) as connection:  # as the migration before had it
        connection.execute("alter table daily_results drop column match")
        connection.execute("update alembic_version set version_num = '0004'")
        connection.commit()
    async with Store.open(database) as store:
        (standing,) = await days_of(store).played("anna")
    assert (standing.lead, standing.link) == (3, "/table/a-table/match")


async def test_a_day_that_is_given_up_has_no_result(store: Store, quick: None) -> None:
    days, keeper, person = days_of(store), keeper_of(store), new_name()
    name = await days.begin(DAY, "Boris", person, keeper.add)
    await keeper.do(name, lambda room: room.deal(secret))
    await keeper.do(name, lambda room: room.resign(0))
    standing = await days.standing(DAY, person)
    assert (standing.room, standing.lead, await days.played(person)) == (name, None, [])
    await days.close()


async def test_marks_that_are_missing_are_worked_out_one_at_a_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(days_module, "daily_lead", lambda *_args, **_kwargs: may_end.wait() * 4)
    days = days_of(store)
    person, past = new_name(), ["2026-11-03", "2026-11-02", "2026-11-01"]
    await store.run(delete(daily_marks).where(daily_marks.c.day.in_(past)))
    for day in past:
        await store.run(insert(daily_results).values(day=day, person=person, room="x", lead=3))
    await store.run(insert(daily_marks).values(day=past[1], lead=2))
    marks, working = [], []
    for _visit in range(3):
        may_end.clear()
        marks.append([one.mark for one in await days.played(person)])
        await days.played(person)
        working.append([*days._working])
        may_end.set()
        await asyncio.gather(*days._working.values())
    assert marks == [[None, 2, None], [4, 2, None], [4, 2, 4]]
    assert working == [[past[0]], [past[2]], []]


async def test_nothing_is_worked_out_after_the_end_of_yesterday_either(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(days_module, "daily_lead", lambda *_args, **_kwargs: may_end.wait() * 9)
    days, before = days_of(store), asyncio.all_tasks()
    for day in (DAY, NEXT_DAY):
        days._work_out(day)
    working = asyncio.all_tasks() - before
    await asyncio.sleep(0)
    await days.close()
    is_done = [task.done() for task in working]
    may_end.set()
    assert is_done == [True, True]


async def test_nothing_is_added_to_the_packs_of_a_day(store: Store) -> None:
    room = days_of(store).room(DAY, "Anna", "anna")
    with pytest.raises(RoomError):
        room.cut(0, "cut")
    play_out(room)
    with pytest.raises(RoomError):
        room.get_ready("anna")
    with pytest.raises(RoomError):
        room.take_back(0)
    with pytest.raises(RoomError):
        room.resign(0)
    assert room.match.resigned is None


@pytest.mark.skipif(INTERPRETED, reason="bots take long interpreted")
def test_the_expert_repeats_its_own_result() -> None:
    secrets = [bytes([number]) * 32 for number in range(DAILY_DEALS)]
    leads = [daily_lead(RULES, secrets, first_dealer=0, simulations=20) for _ in range(2)]
    assert leads[0] == leads[1]
    first = daily_lead(RULES, secrets[:1], first_dealer=0, simulations=20)
    assert first is not None
    assert first % 2 == 1, "the sides share an odd number of points"
    assert daily_lead(RULES, secrets, first_dealer=0, simulations=20, is_wanted=bool) is None


@pytest.mark.parametrize(
    ("days", "today", "expected"),
    [
        ([], DAY, (0, 0)),
        ([DAY], DAY, (1, 1)),
        (["2026-11-29"], DAY, (1, 1)),
        (["2026-11-28"], DAY, (0, 1)),
        (["2026-11-30", "2026-11-29", "2026-11-28", "2026-11-20"], DAY, (3, 3)),
        (["2026-02-28", "2026-03-01", "2026-11-30"], DAY, (1, 2)),
        (["2026-12-31", "2027-01-01"], "2027-01-02", (2, 2)),
    ],
)
def test_days_in_a_row(days: list[str], today: str, expected: tuple[int, int]) -> None:
    assert streaks(days, today) == expected


# --- The page --------------------------------------------------------------------------


async def test_old_days_are_forgotten(store: Store) -> None:
    days, person = days_of(store), new_name()
    past = ["2025-10-24", "2025-10-25", "2025-10-26", "2025-10-27"]
    await store.run(delete(daily_marks).where(daily_marks.c.day.in_(past)))
    for day in past:
        await store.run(insert(daily_results).values(day=day, person=person, room="x", lead=3))
        await store.run(insert(daily_marks).values(day=day, lead=2))
    kept = (
        select(table.c.day).where(table.c.day.in_(past)).distinct()
        for table in (daily_results, daily_marks)
    )
    assert await days.forget(NOON - 401 * DAY_SECONDS) >= 1
    assert [one.day for one in await days.played(person)] == past[:0:-1]
    assert [sorted(row.day for row in await store.look(query)) for query in kept] == [past[1:]] * 2
    assert await days.forget(NOON - 1e9 * DAY_SECONDS) == 0, "for good"


@pytest.fixture
def client(tmp_path: Path, quick: None) -> Iterator[TestClient]:
    app = app_at(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def play_the_day(person: Browser) -> str:
    """A person plays both deals, each time the first card that does anything: the table."""
    table = str(person.post("/daily").headers["location"])
    for deal in range(DAILY_DEALS):
        ready = person.post(f"{table}/ready", deal=str(deal), script=True)
        assert ready.status_code == 204, ready.text
        while not re.search(r'data-phase="(counting|over)"', page := person.get(table).text):
            if "data-my-turn" in page:
                play_first(person, table, page)
    return table


def wait_for_marks(client: TestClient) -> None:
    """Let the expert come to its end."""

    async def wait(days: Days) -> None:
        await asyncio.gather(*days._working.values())

    assert client.portal is not None
    client.portal.call(wait, client.app.state.days)  # type: ignore[attr-defined]


def forget_now(client: TestClient) -> None:
    """Have deleted what is due to be."""

    async def forget(state: Any) -> None:
        now = state.keeper.now()
        await forget_old(state.store, state.sheets, state.days, state.settings, now=now)

    assert client.portal is not None
    client.portal.call(forget, client.app.state)  # type: ignore[attr-defined]


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"


def play_first(person: Browser, table: str, page: str) -> None:
    for card in hand_of(page):
        offered = person.get(f"{table}/choices?number={number_of(page)}&card={card}").text
        if found := re.search(r'name="play" value="([^"]+)"', offered):
            done = person.post(
                f"{table}/play", number=number_of(page), play=found[1], coach="yes", script=True
            )
            assert done.status_code == 204, done.text
            return
    raise AssertionError(page)


@pytest.mark.skipif(INTERPRETED, reason="asks for plays a hundred times")
def test_a_day_from_the_page_to_the_result(client: TestClient) -> None:
    anna, boris = Browser(client), Browser(client)
    assert "Go on playing" not in anna.get("/daily").text
    table = play_the_day(anna)
    assert anna.get(f"{table}/hint").status_code == 422, "no hints for what is compared"
    assert 'href="/daily"' in anna.get(table).text
    assert anna.post("/daily").headers["location"] == table
    told = anna.get("/daily").text
    match = parse_record(anna.get(f"{table}/record.txt").text).match
    lead = match.scores[0] - match.scores[1]
    for number in (lead, 7, lead - 7):
        assert f"<td>{signed(number)}</td>" in told
    assert f"{signed(lead - 7)} against the expert" in told
    assert all(one.is_same for one in repeat_bots(match))
    assert table not in anna.get("/").text, "it is over"
    games = anna.get("/games").text
    assert table not in games
    assert games.count("daily deal") == 1, "among the finished ones"
    share = told.partition('id="share"')[2].partition("</textarea>")[0]
    assert not any(format_play(play) in share for log in match.deals for play in log.plays)
    play_the_day(boris)
    assert "2 players have played today; 0 did better than you." in boris.get("/daily").text
    assert "1 day in a row" in boris.get("/daily").text


@pytest.mark.skipif(INTERPRETED, reason="asks for plays a hundred times")
def test_past_days_outlive_their_tables_and_then_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise OSError("the server is killed")

    clock = Clock(step=0.001)
    with TestClient(app_at(tmp_path, clock=clock)) as client, monkeypatch.context() as patch:
        patch.setattr(days_module, "daily_lead", fail)
        anna = Browser(client)
        table = play_the_day(anna)
        assert "The expert is still playing." in anna.get("/daily").text
        link = re.search(r'href="(/match/[^"]+)"', anna.get("/daily").text)
        assert link is not None
        wait_for_marks(client)
    monkeypatch.setitem(SIMULATIONS, "expert", 20)
    for days_later, is_kept in ((61, True), (340, False)):
        clock.time += days_later * DAY_SECONDS
        with TestClient(app_at(tmp_path, clock=clock)) as client:
            forget_now(client)
            visitor = Browser(client)
            visitor.cookies = anna.cookies
            assert visitor.get(f"{table}/match").status_code == 404
            assert visitor.get(link[1]).status_code == (200 if is_kept else 404)
            visitor.get("/daily")
            wait_for_marks(client)
            told = visitor.get("/daily").text
            assert (f'href="{link[1]}"' in told) == is_kept
            assert ("Your longest run: 1 day." in told) == is_kept
            assert "<td>–</td>" not in told, "the expert has played after all"
            assert ">Play<" in told, "there are other packs today"


def test_a_day_that_was_given_up_says_so(client: TestClient) -> None:
    anna = Browser(client)
    table = str(anna.post("/daily").headers["location"])
    anna.post(f"{table}/ready", deal="0", script=True)
    assert "Go on playing" in anna.get("/daily").text
    assert anna.post(f"{table}/resign", script=True).status_code == 204
    told = anna.get("/daily").text
    assert "You have given up the deals of today." in told
    assert "Go on playing" not in told
    assert anna.get(f"{table}/match").status_code == 303


def test_the_form_must_be_ours(client: TestClient) -> None:
    assert Browser(client).post("/daily", token="0" * 32).status_code == 403
