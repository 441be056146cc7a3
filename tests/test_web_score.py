"""Score sheets on the server: asked without script, as the script asks, and by strangers."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy.exc import OperationalError
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from diloti.core.rules import CLASSIC
from diloti.scorebook.book import Book
from diloti.scorebook.count import DealCount, write_count
from diloti.scorebook.entries import (
    MOST_ENTRIES,
    Setup,
    first_entries,
    read_entries,
    write_entries,
)
from diloti.web import score, sheets
from diloti.web.app import HEADERS
from diloti.web.limits import COMMANDS, NEW_TABLES, Limits
from diloti.web.render import STATIC
from diloti.web.score import MOST_AT_ONCE, worker_script
from diloti.web.sheets import Sheets
from diloti.web.store import Store, StoreError
from diloti.words import LANGUAGES
from tests.test_web_pages import Browser
from tests.test_web_store import EARLIER, database  # noqa: F401 - a fixture
from tests.web_app import app_at

GOOD = DealCount((28, 24), (3, 1), 0, 1, (0, 1))
START = first_entries(Setup(("Anna", "Boris"), CLASSIC), name="setup")
SETUP: dict[str, Any] = {
    "players": "2",
    "name0": "Anna",
    "name1": "Boris",
    "dealer": "0",
    "rules": "classic",
}
COUNT: dict[str, Any] = {
    "cards0": "28",
    "aces": "3",
    "ten": "0",
    "two": "1",
    "xeri0": "0",
    "xeri1": "1",
    "do": "enter",
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = app_at(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def anna(client: TestClient) -> Browser:
    return Browser(client)


def begin(browser: Browser, **form: Any) -> str:
    """The address of a new sheet, to write on."""
    answer = browser.post("/score", **{**SETUP, **form})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def to_look_on(link: str) -> str:
    return link.rpartition("/")[0]


def entries_of(browser: Browser, link: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = browser.get(f"{to_look_on(link)}/entries").json()["entries"]
    return entries


def book_of(browser: Browser, link: str) -> Book:
    return Book(read_entries(entries_of(browser, link)))


def send(client: TestClient, link: str, entries: object, **headers: str) -> Response:
    kind = {"content-type": "application/json"}
    return client.post(f"{link}/entries", content=json.dumps(entries), headers={**kind, **headers})


def deal(name: str, time: int, seen: int, count: DealCount | None = GOOD) -> dict[str, Any]:
    written = count and write_count(count)
    return {"id": name, "time": time, "seen": seen, "deal": name, "count": written}


# --- Pages and forms --------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_in_every_language(anna: Browser, language: str) -> None:
    link = begin(anna)
    anna.post(link, **COUNT)
    for path in ("/score", link, to_look_on(link)):
        answer = anna.get(path, **{"accept-language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in answer.text
        assert "<script>" not in answer.text
        assert "style=" not in answer.text
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    assert 'href="/score"' in anna.get("/").text


def test_a_sheet_without_script(anna: Browser) -> None:
    link = begin(anna)
    assert "Deal 1: Anna deals." in anna.get(link).text
    assert anna.post(link, **COUNT).headers["location"] == link
    page = anna.get(link).text
    assert "Deal 2: Boris deals." in page
    assert "Check: 11 points shared + 10 for xeri = 21" in page
    assert '<b data-total="0">9</b>' in page
    assert '<b data-total="1">12</b>' in page
    [name] = set(re.findall(r'<tr data-deal="([\w-]+)">', page))
    correcting = anna.get(f"{link}?deal={name}").text
    assert "Correct deal 1" in correcting
    assert re.search(r'name="aces" value="3" checked', correcting)
    assert (
        anna.post(link, **{**COUNT, "deal": name, "seen": "1", "cards0": "26"}).status_code == 303
    )
    page = anna.get(link).text
    assert '<b data-total="0">5</b>' in page
    assert "cards 28:24, aces 3:1, ten 1:0, two 0:1, xeri 0:1" in page
    assert anna.post(link, do="remove", deal=name, seen="2").status_code == 303
    assert "No deal has been entered yet." in anna.get(link).text


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"cards0": "53"}, "53 and 0 cards make 53, but the pack has 52."),
        ({"cards0": "28", "cards1": "25"}, "28 and 25 cards make 53"),
        ({"cards0": ""}, "How many cards has each side?"),
        ({"cards0": "²"}, "How many cards has each side?"),
        ({"aces": ""}, "How many aces has each side?"),
        ({"ten": ""}, "Which side has the ten of diamonds?"),
        ({"two": "7"}, "Which side has the two of clubs?"),
        ({"cards0": "3", "aces": "4"}, "Anna has fewer cards (3) than aces, ten and two"),
        ({"cards0": "0", "aces": "0", "two": "0"}, "Anna has fewer cards (0)"),
        ({"cards0": "51"}, "Boris cannot have a single card"),
        ({"xeri1": "13"}, "Boris has too few cards (24) for so many xeri (13): each takes two."),
        ({"nothing": "yes"}, "With these rules somebody captures in every deal"),
        ({"xeristaki0": "1"}, "These rules know no xeristaki."),
        ({"deal": "unknown"}, "There is no deal unknown"),
    ],
)
def test_what_cannot_be_is_refused_and_the_form_stays_filled(
    anna: Browser, form: dict[str, str], told: str
) -> None:
    link = begin(anna)
    answer = anna.post(link, **{**COUNT, **form})
    assert answer.status_code == 422
    assert told in answer.text
    assert (
        'name="xeri1" min="0" max="52" inputmode="numeric" autocomplete="off" value="1'
        in answer.text
    )
    assert len(entries_of(anna, link)) == 1


def test_the_other_side_is_filled_in_whichever_is_given(anna: Browser) -> None:
    link = begin(anna)
    anna.post(link, **{**COUNT, "cards0": "", "cards1": "24"})
    assert book_of(anna, link).rows[0].count == GOOD


def test_a_match_ends_and_another_one_begins(anna: Browser) -> None:
    link = begin(anna, target="12", xeri_points="5", name1="Γιώργος")
    anna.post(link, **{**COUNT, "xeri0": "2"})
    page = anna.get(link).text
    assert "The match is over: Anna has won." in page
    again = page.partition('id="again"')[2].partition("</form>")[0]
    form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', again))
    form.pop("form_token")
    fresh = begin(anna, **form)
    setup = book_of(anna, fresh).setup
    assert (setup.names, setup.first_dealer) == (("Anna", "Γιώργος"), 1)
    assert (setup.rules.target, setup.rules.xeri_points) == (12, 5)


def test_names_and_rules_are_set_otherwise(anna: Browser) -> None:
    link = begin(anna)
    anna.post(link, **COUNT)
    form: dict[str, Any] = {"name0": "Ann", "name1": "Bo", "dealer": "1", "target": "9"}
    form |= {"xeri_points": "5", "xeristaki_points": "3", "do": "setup"}
    assert anna.post(link, **form).status_code == 303
    book = book_of(anna, link)
    assert (book.setup.names, book.scores, book.next_dealer) == (("Ann", "Bo"), (9, 7), 0)
    assert anna.post(link, **{**form, "target": "0"}).status_code == 422
    assert anna.post(link, **{**form, "target": "x"}).status_code == 422
    assert anna.post(link, **{**form, "dealer": "3"}).status_code == 422


def test_four_play_in_pairs(anna: Browser) -> None:
    link = begin(anna, players="4", name2="Clio", name3="Dora", rules="taverna", dealer="3")
    page = anna.get(link).text
    assert "Deal 1: Dora deals." in page
    assert "Anna and Clio" in page
    assert anna.post(link, **{**COUNT, "nothing": "yes"}).status_code == 303
    assert book_of(anna, link).scores == (0, 0)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"players": "3"}, 422),
        ({"players": ""}, 422),
        ({"rules": "chess"}, 422),
        ({"target": "0"}, 422),
        ({"target": "-1"}, 422),
        ({"target": "9" * 30}, 422),
        ({"xeri_points": "٣"}, 422),
        ({"dealer": "2"}, 422),
        ({"dealer": "x"}, 422),
    ],
)
def test_sheets_that_cannot_be(anna: Browser, form: dict[str, str], status: int) -> None:
    assert anna.post("/score", **{**SETUP, **form}).status_code == status


@pytest.mark.parametrize("number", ["abc", "0", "-1", "٣", "9" * 30])
def test_a_refused_form_keeps_what_was_typed(anna: Browser, number: str) -> None:
    typed: dict[str, Any] = {"name0": "Zoë", "name1": "Ilias", "dealer": "1", "target": number}
    link = begin(anna)
    begun = {**SETUP, **typed, "players": "4", "rules": "taverna", "name3": "Dora"}
    refused = [anna.post("/score", **begun), anna.post(link, do="setup", **typed)]
    for answer in refused:
        assert answer.status_code == 422
        assert "Target must be from 1 to 1000000, not" in answer.text
        for name in ("name0", "name1", "target"):
            assert re.search(rf'name="{name}"[^>]* value="{typed[name]}"', answer.text)
        assert re.search(r'name="dealer" value="1" checked', answer.text)
        assert re.search(r"<details[^>]* open>", answer.text)
    for name, value in (("players", "4"), ("rules", "taverna")):
        assert re.search(rf'name="{name}" value="{value}" checked', refused[0].text)
    assert book_of(anna, link).setup.names == ("Anna", "Boris")


def test_only_the_last_deal_is_taken_away(anna: Browser) -> None:
    link = begin(anna)
    anna.post(link, **COUNT)
    anna.post(link, **COUNT)
    first, last = (row.deal for row in book_of(anna, link).rows)
    assert anna.post(link, do="remove", deal=first).status_code == 422
    assert anna.post(link, do="remove", deal="unknown").status_code == 422
    assert anna.post(link, do="remove", deal=last).status_code == 303


def test_hostile_names_stay_text(anna: Browser) -> None:
    link = begin(anna, name0="<img src=x onerror='x'>", name1="\"'</script>")
    anna.post(link, **COUNT)
    for path in (link, to_look_on(link)):
        page = anna.get(path).text
        assert "<img" not in page
        assert "'</script" not in page
        [data] = re.findall(r"data-sheet='([^']*)'", page)
        [_, words] = re.findall(r"data-(?:sheet|words)='([^']*)'", page)
        assert json.loads(data.replace("&#39;", "'"))["entries"]
        assert json.loads(words)["won_2"]


# --- Links ------------------------------------------------------------------------------------


def test_who_looks_on_cannot_write(client: TestClient, anna: Browser) -> None:
    link = begin(anna)
    seen = to_look_on(link)
    page = anna.get(seen).text
    assert link not in page
    assert link.rpartition("/")[2] not in page
    assert "<form id=" in anna.get(link).text
    assert 'id="count"' not in page
    for wrong in (f"{seen}/wrong", f"{seen}/é"):
        assert anna.get(wrong).status_code == 404
        assert anna.post(wrong, **COUNT).status_code == 404
        assert send(client, wrong, [deal("x", 2, 0)]).status_code == 404
    assert len(entries_of(anna, link)) == 1


@pytest.mark.parametrize(
    "path",
    [
        "/score/none",
        "/score/none/key",
        "/score/none/entries",
        "/score/%00",
        "/score/none/sheet.csv",
    ],
)
def test_what_is_not_there_is_said_to_be_missing(anna: Browser, path: str) -> None:
    assert anna.get(f"/score/{path}").status_code == 404


def test_a_sheet_is_downloaded(anna: Browser) -> None:
    link = begin(anna, name0="Άννα")
    anna.post(link, **COUNT)
    text = anna.get(f"{to_look_on(link)}/sheet.txt", **{"accept-language": "en"})
    assert text.headers["content-disposition"] == 'attachment; filename="diloti.txt"'
    assert "Match: Άννα 9 · Boris 12 (to 61 points)" in text.text
    table = anna.get(f"{to_look_on(link)}/sheet.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert "\r\n1,Άννα,28,3,1,0,0,0,9,9,24,1,0,1,1,0,12,12\r\n" in table.text


# --- Entries of devices -----------------------------------------------------------------------


def test_entries_are_sent_and_asked_for(client: TestClient, anna: Browser) -> None:
    link = begin(anna)
    path = f"{to_look_on(link)}/entries"
    first = anna.get(path)
    assert anna.get(path, **{"if-none-match": first.headers["etag"]}).status_code == 304
    answer = send(client, link, [deal("a", 2, 0), deal("b", 3, 1)])
    assert (answer.status_code, len(answer.json()["entries"])) == (200, 3)
    fresh = anna.get(path, **{"if-none-match": first.headers["etag"]})
    assert (fresh.status_code, fresh.json()) == (200, answer.json())
    assert fresh.headers["etag"] == answer.headers["etag"]
    again = send(client, link, [deal("b", 3, 1), deal("a", 2, 0)])
    assert (again.json(), again.headers["etag"]) == (answer.json(), answer.headers["etag"])


def test_no_entry_is_read_to_say_that_there_is_nothing_new(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = begin(anna)
    path = f"{to_look_on(link)}/entries"
    known = {"if-none-match": anna.get(path).headers["etag"]}
    with monkeypatch.context() as patch:
        patch.setattr("diloti.web.sheets.read_entries", None)
        answer = anna.get(path, **known)
        assert (answer.status_code, answer.headers["etag"]) == (304, known["if-none-match"])
    for missing in ("none", "%00", "%ED%A0%80"):
        for tag in (known["if-none-match"], '"None"'):
            found = anna.get(f"/score/{missing}/entries", **{"if-none-match": tag})
            assert found.status_code == 404, (missing, tag)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 5000, 400),
        (b"9" * 5000, 400),
        (b"{}", 422),
        (b"[1]", 422),
        (b"[NaN]", 400),
        (b'[{"id": "x"}]', 422),
        (json.dumps([deal(f"d{n}", 2, 0, None) for n in range(MOST_AT_ONCE + 1)]).encode(), 413),
        (json.dumps([{**deal("x", 2, 0), "time": 99}]).encode(), 422),
        (json.dumps([{**deal("x", 2, 0), "deal": "y"}]).encode(), 422),
        (b" " * 9000, 413),
    ],
)
def test_bodies_that_are_no_entries(
    client: TestClient, anna: Browser, body: bytes, status: int
) -> None:
    link = begin(anna)
    headers = {"content-type": "application/json"}
    answer = client.post(f"{link}/entries", content=body, headers=headers)
    assert answer.status_code == status
    assert answer.json()["message"]
    assert len(entries_of(anna, link)) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"id": "\ud800"},
        {"deal": "\udfff"},
        {"count": {"\ud800": 1}},
        {"setup": {"names": ["A", "B\ud800"], "rules": "classic", "dealer": 0}},
        {"setup": {"names": ["A", "B"], "rules": {"base": "\ud800"}, "dealer": 0}},
        {"setup": {"names": ["A", "B"], "rules": {"\ud800": 1}, "dealer": 0}},
    ],
)
def test_half_a_character_is_refused(
    client: TestClient, anna: Browser, change: dict[str, Any]
) -> None:
    link = begin(anna)
    answer = send(client, link, [{**deal("x", 2, 0), **change}], **{"accept-language": "en"})
    assert (answer.status_code, answer.json()["message"]) == (400, "Only JSON is understood here")
    assert len(entries_of(anna, link)) == 1


def test_pages_of_others_send_nothing(client: TestClient, anna: Browser) -> None:
    link = begin(anna)
    for headers in (
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ):
        assert send(client, link, [deal("x", 2, 0)], **headers).status_code == 403
    plain = client.post(f"{link}/entries", content=b"[]", headers={"content-type": "text/plain"})
    assert plain.status_code == 415
    assert anna.post(link, token="0" * 32, **COUNT).status_code == 403
    assert anna.post("/score", token="", **SETUP).status_code == 403
    assert len(entries_of(anna, link)) == 1


def test_a_refusal_says_its_reason_in_the_language_of_the_device(
    client: TestClient, anna: Browser
) -> None:
    link = begin(anna)
    answer = send(client, link, [{**deal("x", 2, 0), "deal": "y"}], **{"accept-language": "en"})
    assert answer.json() == {"message": 'There is no deal "y"'}


def test_a_full_sheet_says_so(client: TestClient, anna: Browser) -> None:
    link = begin(anna)
    for first in range(2, MOST_ENTRIES + 1, MOST_AT_ONCE):
        times = range(first, min(first + MOST_AT_ONCE, MOST_ENTRIES + 1))
        more = [deal(f"d{time}", time, time - 2) for time in times]
        assert send(client, link, more).status_code == 200
    told = "This sheet is full: begin another one"
    for time in (MOST_ENTRIES, MOST_ENTRIES + 1, MOST_ENTRIES + 2):
        answer = send(client, link, [deal("x", time, 0)], **{"accept-language": "en"})
        assert (answer.status_code, answer.json()["message"]) == (422, told)
    answer = anna.post(link, **COUNT)
    assert answer.status_code == 422
    assert told in answer.text


def test_a_database_that_fails_is_said_and_tried_again(
    client: TestClient, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = begin(anna)

    async def fail(_statement: object) -> int:
        raise OperationalError("update", {}, Exception("database is locked"))

    with monkeypatch.context() as patch:
        patch.setattr(client.app.state.store, "run", fail)  # type: ignore[attr-defined]
        assert send(client, link, [deal("x", 2, 0)]).status_code == 503
        assert anna.post(link, **COUNT).status_code == 503
    assert send(client, link, [deal("x", 2, 0)]).status_code == 200


def test_the_worker_is_ours_and_names_its_version(anna: Browser) -> None:
    answer = anna.get("/score/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert re.search(r'CACHE = "diloti score [0-9a-f]{16}"', answer.text)
    assert "worker-src 'self'" in answer.headers["content-security-policy"]


def kept_files(script: str) -> list[str]:
    [names] = re.findall(r'new Set\("([^"]*)"', script)
    return str(names).split()


def test_the_worker_keeps_every_file_of_the_pages(anna: Browser) -> None:
    link = begin(anna)
    kept = set(kept_files(anna.get("/score/worker.js").text))
    for path in ("/score", link, to_look_on(link)):
        assert set(re.findall(r'(?:src|href)="/static/([^"]+)"', anna.get(path).text)) <= kept


def test_a_change_of_any_file_that_the_worker_keeps_is_a_new_version(tmp_path: Path) -> None:
    static = tmp_path / "static"
    shutil.copytree(STATIC, static)
    scripts = [worker_script(STATIC)]
    for name in kept_files(scripts[0]):
        (static / name).write_bytes(b"changed")
        worker_script.cache_clear()
        scripts.append(worker_script(static))
    assert len(set(scripts)) == len(scripts) > 1
    worker_script.cache_clear()


def test_who_asks_too_much_waits() -> None:
    async def fine(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("fine")(scope, receive, send)

    async def refuse(_request: Request, seconds: int) -> PlainTextResponse:
        return PlainTextResponse(str(seconds), 429)

    client = TestClient(Limits(fine, refuse, clock=lambda: 0.0))
    for ask, path, burst in (
        (client.post, "/score", NEW_TABLES.burst),
        (client.get, "/score/sheet/entries", COMMANDS.burst),
    ):
        answers = [ask(path).status_code for _ in range(int(burst) + 3)]
        assert answers == [200] * int(burst) + [429] * 3
    assert client.post("/score/sheet/key/entries").status_code == 429
    for path in ("", "/key", "/sheet.txt", "/sheet.csv"):
        assert client.get(f"/score/sheet{path}").status_code == 429
    assert client.get("/score").status_code == 200


def test_a_family_at_a_table_never_waits() -> None:
    """Ten phones at one address load the page, ask for news every 4 s, and write now and then."""
    now = 0.0

    async def fine(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("fine")(scope, receive, send)

    async def refuse(_request: Request, _seconds: int) -> PlainTextResponse:
        return PlainTextResponse("too much", 429)

    client = TestClient(Limits(fine, refuse, clock=lambda: now))
    for turn in range(50):
        for phone in range(10):
            asked = [client.get("/score/sheet/entries")]
            if turn % 10 == 0:
                asked.append(client.get("/score/sheet/key"))
                asked.append(client.get("/score/worker.js"))
            if turn % 10 == phone:
                asked.append(client.post("/score/sheet/key/entries"))
            assert {answer.status_code for answer in asked} == {200}
        now += 4


def test_what_takes_long_for_a_long_sheet_leaves_the_loop_alone(
    client: TestClient, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = begin(anna)
    assert client.portal is not None
    loop = client.portal.call(threading.get_ident)
    busy: dict[str, set[int]] = {}

    def watch(module: ModuleType, name: str) -> None:
        work = getattr(module, name)

        def watched(*args: Any, **details: Any) -> Any:
            busy.setdefault(name, set()).add(threading.get_ident())
            return work(*args, **details)

        monkeypatch.setattr(module, name, watched)

    for name in ("sheet_details", "book_lines", "book_table", "write_entries", "refusal_of"):
        watch(score, name)
    for name in ("read_entries", "write_entries", "join"):
        watch(sheets, name)
    for path in ("", "/entries", "/sheet.txt", "/sheet.csv"):
        assert anna.get(to_look_on(link) + path).status_code == 200
    assert anna.get(link).status_code == 200
    assert anna.post(link, **COUNT).status_code == 303
    assert anna.post(link, **{**COUNT, "aces": ""}).status_code == 422
    assert send(client, link, [deal("x", 3, 1)]).status_code == 200
    assert len(busy) == 7
    assert all(loop not in threads for threads in busy.values()), busy


# --- The database -----------------------------------------------------------------------------


async def test_saves_of_many_devices_lose_nothing(database: str) -> None:  # noqa: F811
    async with Store.open(database) as store, Store.open(database) as other:
        kept = await Sheets(store, lambda: 1.0).add(START)
        entries = [read_entries([deal(f"d{number}", 2, 0)]) for number in range(12)]
        both = [Sheets(one, lambda: 2.0) for one in (store, other)]
        await asyncio.gather(*(both[n % 2].join(kept, more) for n, more in enumerate(entries)))
        found = await both[0].load(kept.id)
        assert found is not None
        assert found.number == 12
        assert {entry.id for entry in found.entries} == {"setup", *(f"d{n}" for n in range(12))}
        assert found.is_key(kept.key)
        assert not found.is_key(kept.key + "x")


async def test_sheets_that_nobody_writes_on_are_forgotten(database: str) -> None:  # noqa: F811
    now = 1000.0
    async with Store.open(database) as store:
        sheets = Sheets(store, lambda: now)
        old, kept = await sheets.add(START), await sheets.add(START)
        now = 2000.0
        await sheets.join(kept, read_entries([deal("x", 2, 0)]))
        await sheets.forget(1500.0)
        assert await sheets.load(old.id) is None
        assert await sheets.load(kept.id) is not None
        with pytest.raises(StoreError):
            await sheets.join(old, read_entries([deal("x", 2, 0)]))
        await sheets.forget(now + 1)


async def test_a_file_that_is_gone_takes_no_more(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    async with Store.open(str(path)) as store:
        sheets = Sheets(store, lambda: 1.0)
        kept = await sheets.add(START)
        path.unlink()
        with pytest.raises(StoreError):
            await sheets.join(kept, read_entries([deal("x", 2, 0)]))


async def test_a_database_of_an_earlier_version_gets_a_place_for_sheets(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(EARLIER.read_text())
    for _ in range(2):
        async with Store.open(str(path)) as store:
            sheets = Sheets(store, lambda: 1.0)
            kept = await sheets.add(START)
            await sheets.join(kept, read_entries([deal(secrets.token_hex(8), 2, 0)]))
            assert len(await store.rooms_of("anna")) == 5
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select count(*) from sheets").fetchall() == [(2,)]


def test_entries_are_kept_as_they_came(client: TestClient, anna: Browser) -> None:
    link = begin(anna)
    sent = [deal("a", 2, 0), {**deal("c", 3, 1), "deal": "a"}]
    got = send(client, link, sent).json()["entries"]
    assert got[1:] == sent
    assert write_entries(read_entries(got)) == got
