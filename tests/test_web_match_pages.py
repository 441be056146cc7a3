"""The pages of finished matches over HTTP: seeing them again, downloads, uploads, trying."""

from __future__ import annotations

import gzip
import html
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from diloti.core.record import format_record
from diloti.core.record_reader import parse_record
from diloti.tui.replay import replay_lines
from diloti.web.archive import LARGEST_RECORD
from diloti.web.limits import NEW_TABLES
from diloti.web.pages import LISTED
from diloti.web.render import words_for
from diloti.words import LANGUAGES
from tests.test_web_archive import RECORDS
from tests.test_web_pages import Browser, hand_of, lay_for_two, number_of
from tests.thinking import INTERPRETED
from tests.web_app import app_at
from tests.web_server import Server

CLASSIC = (RECORDS[0].parent / "classic_two.txt").read_bytes().decode()
FOUR = (RECORDS[0].parent / "taverna_four.txt").read_bytes().decode()


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


def hand_in(somebody: Browser, text: str = "", *, file: bytes | None = None) -> Response:
    """Upload a pasted text or a file, as the form does."""
    files = {"file": ("record.txt", file or b"", "text/plain")}
    data = {"form_token": somebody.token, "text": text}
    return somebody._ask("POST", "/upload", data=data, files=files)


def handed_in(somebody: Browser, text: str = CLASSIC) -> str:
    answer = hand_in(somebody, file=text.encode())
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def plain(page: str) -> str:
    """What a page says, without its marks."""
    text = re.sub(r"<style.*?</style>|<svg.*?</svg>|<[^>]+>", " ", page, flags=re.S)
    return " ".join(html.unescape(text).split())


def ended(anna: Browser, boris: Browser, **form: Any) -> str:
    """The address of a table whose match Anna has given up."""
    table = lay_for_two(anna, boris, **form)
    anna.post(f"{table}/resign")
    return table


# --- The page of a match ------------------------------------------------------------


def test_a_match_gets_a_page_that_a_stranger_can_open(
    client: TestClient, anna: Browser, boris: Browser
) -> None:
    table = ended(anna, boris)
    page = boris.get(table).text
    assert f'href="{table}/match"' in page
    answer = anna.get(f"{table}/match")
    link = str(answer.headers["location"])
    assert boris.get(f"{table}/match").headers["location"] == link
    told = plain(Browser(client).get(link).text)
    assert "Anna has resigned." in told
    assert "Seat B" not in told
    for person in (anna, boris):
        assert link in person.get("/games").text
    assert link not in Browser(client).get("/games").text


def test_a_running_match_has_no_page(anna: Browser, boris: Browser) -> None:
    table = lay_for_two(anna, boris)
    assert anna.get(f"{table}/match").status_code == 422
    page = anna.get(table).text
    assert f"{table}/match" not in page
    record = anna.get(f"{table}/record.txt")
    assert record.status_code == 200
    assert "Deal" not in record.text
    match = parse_record(record.text).match
    assert (match.deals, match.winner) == ([], None)
    assert match.names[0] == "Anna"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [CLASSIC, FOUR])
def test_every_page_of_a_match_is_there_in_every_language(
    anna: Browser, text: str, language: str
) -> None:
    link = handed_in(anna, text)
    for path in (link, f"{link}/1", f"{link}/2/48", "/upload", "/games"):
        answer = anna.get(path, **{"accept-language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in answer.text
        assert "<script>" not in answer.text
        assert "style=" not in answer.text
        assert len(gzip.compress(answer.content)) < 60_000


def test_the_page_of_a_match_tells_its_deals(anna: Browser) -> None:
    told = plain(anna.get(handed_in(anna)).text)
    assert "Άννα · Boris" in told
    assert "The match is over: Άννα has won." in told
    assert "Deal 1 17 4 Deal 2 37 24 Deal 3 12 9 Match, to 61 66 37" in told
    assert "61 points win the match." in told
    assert "Cards: 29 to 23 4 0" in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [CLASSIC, FOUR])
def test_the_steps_say_what_the_terminal_says(anna: Browser, text: str, language: str) -> None:
    link = handed_in(anna, text)
    record = parse_record(text)
    lines = [line for line in replay_lines(words_for(language), record) if line]
    plays = [line for line in lines if re.match(r"\d+\. ", line)]
    asked = {"accept-language": language}
    for deal, log in enumerate(record.match.deals, start=1):
        for play in (1, 2, 12, 13, 47, 48):
            told = plain(anna.get(f"{link}/{deal}/{play}?part=step", **asked).text)
            sentence = plays[(deal - 1) * 48 + play - 1].partition(" ")[2]
            assert sentence in told
        listed = plain(anna.get(f"{link}/{deal}", **asked).text)
        for line in plays[(deal - 1) * 48 : deal * 48]:
            assert line.partition(" ")[2] in listed
        assert len(log.plays) == 48


def test_a_step_shows_all_hands_and_leads_on(anna: Browser) -> None:
    link = handed_in(anna)
    page = anna.get(f"{link}/2/14").text
    for address in ("/2", "/2/13", "/2/15", "/2/48", "/1", "/3"):
        assert f'href="{link}{address}"' in page
    position = parse_record(CLASSIC).match.deals[1].outcomes[13].position
    shown = position.loose | position.hands[0] | position.hands[1]
    in_piles = sum(pile.cards.bit_count() for pile in position.piles)
    assert page.count('class="face ') == shown.bit_count() + in_piles
    part = anna.get(f"{link}/2/14?part=step")
    assert part.text.strip() in page
    assert "form_token" not in part.text
    assert anna.get(f"{link}/2?play=14").text.count("Play 14 of 48") == 1
    last = anna.get(f"{link}/2/48").text
    assert 'data-over="yes"' in last
    assert "Points of this deal" in last
    assert re.search(r'id="try"[^>]* hidden', last)


@pytest.mark.parametrize(
    "path",
    [
        "/match/none",
        "/match/none/1",
        "/match/none/record.txt",
        "/match/%00",
        "/match/é",
        "/match/" + "x" * 300,
        "{}/0",
        "{}/4",
        "{}/1/49",
        "{}/1/-1",
        "{}/1/x",
        "{}/²",
        "{}/1?play=99999999999",
        "{}/" + "9" * 5000,
        "{}/1/1/1",
        "/table/none/match",
        "/table/none/record.txt",
    ],
)
def test_what_is_not_there_is_said_to_be_missing(anna: Browser, path: str) -> None:
    assert anna.get(path.format(handed_in(anna))).status_code == 404


# --- Downloads --------------------------------------------------------------------------


def test_a_record_comes_as_a_file_that_can_be_handed_in_again(
    anna: Browser, boris: Browser
) -> None:
    table = ended(anna, boris, name="Ελένη")
    link = str(anna.get(f"{table}/match").headers["location"])
    first, second = anna.get(f"{table}/record.txt"), boris.get(f"{link}/record.txt")
    assert first.text == second.text
    for answer in (first, second):
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert "%CE%95%CE%BB%CE%AD%CE%BD%CE%B7-Boris.txt" in answer.headers["content-disposition"]
    again = handed_in(anna, first.text)
    assert again != link
    assert anna.get(f"{again}/record.txt").text == first.text


def test_a_match_against_a_bot_names_the_bot(anna: Browser) -> None:
    table = anna.play_now(level="casual", practice="yes")
    anna.post(f"{table}/resign")
    record = anna.get(f"{table}/record.txt").text
    assert "Player 1: casual\n" in record
    link = str(anna.get(f"{table}/match").headers["location"])
    told = plain(anna.get(link).text)
    assert "Eleni bot: casual player" in told
    assert "It was practice" in told
    greek = plain(anna.get(link, **{"accept-language": "el"}).text)
    assert "Ελένη" in greek
    games = plain(anna.get("/games").text)
    assert re.search(r"Player · Eleni \d{4}-\d\d-\d\d · practice", games)


def test_another_match_begins_and_the_first_is_kept(anna: Browser) -> None:
    table = anna.play_now()
    anna.post(f"{table}/resign")
    first = str(anna.get(f"{table}/match").headers["location"])
    anna.post(f"{table}/ready", deal=re.findall(r'data-deal="(\d+)"', anna.get(table).text)[0])
    assert anna.get(f"{table}/match").status_code == 422
    anna.post(f"{table}/resign")
    second = str(anna.get(f"{table}/match").headers["location"])
    assert first != second
    assert anna.get("/games").text.count('href="/match/') == 2
    assert anna.get(first).status_code == anna.get(second).status_code == 200


def test_the_list_of_matches_has_pages(anna: Browser) -> None:
    links = []
    for number in range(LISTED + 3):
        text = CLASSIC.replace("Seat 1: Boris", f"Seat 1: B{number}")
        links.append(handed_in(anna, text))
    first, second = anna.get("/games").text, anna.get("/games?page=2").text
    listed = [re.findall(r'href="(/match/[^"]+)"', page) for page in (first, second)]
    assert [len(page) for page in listed] == [LISTED, 3]
    assert {*listed[0], *listed[1]} == {*links}
    assert "/games?page=2" in first
    assert "/games?page=1" in second
    for page in ("0", "9" * 40, "x", "-1", "77"):
        assert anna.get(f"/games?page={page}").status_code == 200


# --- Uploads ---------------------------------------------------------------------------


def test_a_pasted_record_and_a_file_lead_to_the_same_page(anna: Browser, boris: Browser) -> None:
    pasted = hand_in(anna, CLASSIC.replace("\n", "\r\n"))
    assert pasted.status_code == 303
    link = str(pasted.headers["location"])
    assert handed_in(anna, "\ufeff" + CLASSIC) == link
    assert handed_in(boris) != link
    assert link in anna.get("/games").text
    assert link not in boris.get("/games").text
    assert "uploaded on" in boris.get(link).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_with_its_line_and_nothing_is_kept(
    anna: Browser, language: str
) -> None:
    wrong = CLASSIC.replace(" 2. Ac+5c=6", " 2. Ac+5c=7 <b>")
    anna.post("/language", lang=language)
    for answer in (hand_in(anna, wrong), hand_in(anna, file=wrong.encode())):
        assert answer.status_code == 422
        assert f'<html lang="{language}">' in answer.text
        told = html.unescape(answer.text)
        assert "16" in plain(answer.text)
        assert " 2. Ac+5c=7 <b>" in told
        assert "<b>" not in answer.text
    assert "/match/" not in anna.get("/games").text


@pytest.mark.parametrize(
    ("file", "status"),
    [
        (b"\0" * 50_000, 422),
        (b"\xff\xfe" + CLASSIC.encode("utf-16-le"), 422),
        (CLASSIC.encode("utf-16"), 422),
        (CLASSIC.encode("utf-8").replace("Άννα".encode(), "Άννα".encode("iso8859-7")), 422),
        (b"Diloti record 1\n" + b"[" * 100_000, 422),
        (CLASSIC.encode() + b"Deal 4\n" * 10_000, 422),
        (b"a" * (LARGEST_RECORD + 1), 422),
        (b"a" * (LARGEST_RECORD + 100_000), 413),
        (b"a" * 5_000_000, 413),
        (b"", 422),
    ],
    ids=range(10),
)
def test_hostile_files_get_an_answer(anna: Browser, file: bytes, status: int) -> None:
    answer = hand_in(anna, file=file)
    assert answer.status_code == status
    assert 'id="trouble"' in answer.text
    assert "/match/" not in anna.get("/games").text


def test_forms_that_are_not_ours_upload_nothing(anna: Browser) -> None:
    files = {"file": ("record.txt", CLASSIC.encode(), "text/plain")}
    for token in ("", "0" * 32):
        answer = anna._ask("POST", "/upload", data={"form_token": token}, files=files)
        assert answer.status_code == 403
    data = {"form_token": anna.token}
    for headers in ({"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}):
        answer = anna._ask("POST", "/upload", data=data, files=files, headers=headers)
        assert answer.status_code == 403
    two = [("file", ("a", b"a")), ("file", ("b", b"b"))]
    assert anna._ask("POST", "/upload", data=data, files=two).status_code == 400
    kind = {"content-type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--x", b"--x\r\n\r\n--x--", b"--y--"):
        answer = anna._ask("POST", "/upload", content=body, headers=kind)
        assert answer.status_code in (400, 403)
    elsewhere = anna._ask("POST", "/language", data=data, files=files)
    assert elsewhere.status_code == 415


def test_whoever_uploads_too_much_has_to_wait(tmp_path: Path) -> None:
    app = app_at(tmp_path, is_limited=True)
    with TestClient(app) as client:
        anna = Browser(client)
        answers = [hand_in(anna, "x").status_code for _ in range(int(NEW_TABLES.burst) + 2)]
        assert answers[0] == 422
        assert answers[-1] == 429
        assert client.post("/match/x/1/1/try").status_code == 429


def test_names_of_a_record_stay_text(anna: Browser) -> None:
    text = CLASSIC.replace("Seat 1: Boris", "Seat 1: <img src=x>\nNote: <script>")
    link = handed_in(anna, text)
    for path in (link, f"{link}/1/5", "/games"):
        page = anna.get(path).text
        assert "<img" not in page
        assert "<script>" not in page
        assert "&lt;img src=x&gt;" in page


# --- Trying from there -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "deal", "play"), [(CLASSIC, 2, 14), (FOUR, 2, 31), (CLASSIC, 1, 0)]
)
def test_a_table_goes_on_from_a_moment(anna: Browser, text: str, deal: int, play: int) -> None:
    link = handed_in(anna, text)
    log = parse_record(text).match.deals[deal - 1]
    position = log.outcomes[play - 1].position if play else log.start
    answer = anna.post(f"{link}/{deal}/{play}/try", level="novice")
    assert answer.status_code == 303
    table = str(answer.headers["location"])
    page = anna.get(table).text
    turn = position.turn
    assert turn is not None
    assert len(hand_of(page)) == position.hands[turn].bit_count()
    assert "data-my-turn" in page
    assert "practice" in page
    assert f'data-deal="{deal}" data-played="{play}"' in page
    asked = f"{table}/choices?number={number_of(page)}&card="
    offered = "".join(anna.get(asked + card).text for card in hand_of(page))
    plays = re.findall(r'name="play" value="([^"]+)"', offered)
    made = anna.post(f"{table}/play", number=number_of(page), play=plays[0], script=True)
    assert made.status_code == 204
    if deal > 1:  # what is over can be read, and what goes on cannot
        told = parse_record(anna.get(f"{table}/record.txt").text).match
        assert len(told.deals) == deal - 1
        assert told.scores == position.scores


def test_where_nobody_is_in_turn_nobody_can_try(anna: Browser) -> None:
    link = handed_in(anna)
    assert anna.post(f"{link}/1/48/try", level="novice").status_code == 404
    assert anna.post(f"{link}/1/3/try", level="god").status_code == 400
    assert anna.post(f"{link}/1/3/try", token="x", level="novice").status_code == 403
    assert anna.get(f"{link}/1/3/try").status_code == 405


# --- After a loss of power ------------------------------------------------------------------


@pytest.mark.skipif(INTERPRETED, reason="a server takes long to start interpreted")
def test_a_match_is_kept_before_its_end_is_answered(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    server = Server(str(database), tmp_path / "log")
    server.start()
    with httpx2.Client(base_url=server.address) as client:
        token = re.findall(r'name="form_token" value="(\w+)"', client.get("/new").text)[0]
        form = {"form_token": token, "level": "novice", "rules": "classic", "players": "2"}
        table = client.post("/play", data=form).headers["location"]
        done = client.post(f"{table}/resign", data=form, headers={"x-diloti": "1"})
        server.kill()
        assert done.status_code == 204
        with closing(sqlite3.connect(database)) as connection:
            [(name, record)] = connection.execute("select id, record from matches").fetchall()
        server.start()
        page = client.get("/games").text
        assert f'href="/match/{name}"' in page
        assert client.get(f"/match/{name}/record.txt").text == record
        assert client.get(f"{table}/match").headers["location"] == f"/match/{name}"
    server.stop()
    assert format_record(parse_record(record)) == record
