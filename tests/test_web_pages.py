"""The pages and commands of the table in the browser, asked as a browser or a stranger would."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.testclient import TestClient

from diloti.core.rules import SWITCHES
from diloti.web.app import HEADERS
from diloti.web.identity import Identity
from diloti.web.limits import COMMANDS, Buckets
from diloti.web.requests import read_form
from diloti.words import LANGUAGES
from tests.web_app import app_at

TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
SCRIPT = {"x-diloti": "1"}


class Browser:
    """Somebody with cookies of their own."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self.cookies: dict[str, str] = {}

    def get(self, path: str, **headers: str) -> Response:
        return self._ask("GET", path, headers=headers)

    def post(
        self, path: str, *, token: str | None = None, script: bool = False, **form: Any
    ) -> Response:
        data = {"form_token": self.token if token is None else token, **form}
        headers = SCRIPT if script else {}
        return self._ask("POST", path, data=data, headers=headers)

    def _ask(self, method: str, path: str, **details: Any) -> Response:
        self._client.cookies.clear()
        for name, value in self.cookies.items():
            self._client.cookies.set(name, value)
        answer = self._client.request(method, path, follow_redirects=False, **details)
        self.cookies.update(dict(answer.cookies))
        return answer

    @property
    def token(self) -> str:
        """The form token of this person."""
        found = TOKEN.search(self.get("/new").text)
        assert found is not None
        return found[1]

    def play_now(self, **form: Any) -> str:
        """The address of a new table against a bot."""
        wanted: dict[str, Any] = {"level": "novice", "rules": "classic", "players": "2", **form}
        answer = self.post("/play", **wanted)
        assert answer.status_code == 303, answer.text
        table = str(answer.headers["location"])
        self.cut(table)
        return table

    def cut(self, table: str, text: str = "cut") -> None:
        """Cut the pack of the first deal, and be ready for it."""
        assert self.post(f"{table}/ready", deal="0", cut=text, script=True).status_code == 204


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = app_at(tmp_path, is_limited=True)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def anna(client: TestClient) -> Browser:
    return Browser(client)


@pytest.fixture
def boris(client: TestClient) -> Browser:
    return Browser(client)


def number_of(html: str) -> str:
    found = re.search(r'data-number="(\d+)"', html)
    assert found is not None
    return found[1]


def hand_of(html: str) -> list[str]:
    return re.findall(r'name="card" value="(..)"', html)


def lay_for_two(anna: Browser, boris: Browser, **form: Any) -> str:
    asked = {"name": "Anna", "rules": "classic", "players": "2", "clock": "0", **form}
    answer = anna.post("/new", **asked)
    table = str(answer.headers["location"])
    link = re.search(r'value="(/join/[^"]+)"', anna.get(table).text)
    assert link is not None
    assert boris.post(link[1], name="Boris", seat="1").headers["location"] == table
    for player in (anna, boris):
        player.cut(table)
    return table


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new",
        "/score",
        "/games",
        "/tables",
        "/rules",
        "/shuffle",
        "/daily",
        "/learn",
        "/learn/done",
        "/learn/values/1",
    ],
)
def test_every_page_is_there_in_every_language(anna: Browser, path: str, language: str) -> None:
    answer = anna.get(path, **{"accept-language": f"{language}-XX;q=0.9,xx"})
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "<script>" not in answer.text
    assert "style=" not in answer.text


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("ru,el", "ru"),
        ("ru, en", "ru"),
        ("el-GR,pt;q=0.9", "el"),
        ("fr,pt;q=0.4,ru;q=0.5", "ru"),
        ("pt;q=0,el;q=0.1", "el"),
        ("pt;q=x,ru", "ru"),
        ("fr", "en"),
        ("", "en"),
    ],
)
def test_of_the_languages_that_a_browser_asks_for_the_first_is_spoken(
    anna: Browser, asked: str, language: str
) -> None:
    assert f'<html lang="{language}">' in anna.get("/", **{"accept-language": asked}).text


def test_a_language_is_remembered(anna: Browser) -> None:
    assert anna.post("/language", lang="el", back="/new").headers["location"] == "/new"
    assert '<html lang="el">' in anna.get("/").text
    for back in ("//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example"):
        assert anna.post("/language", lang="ru", back=back).headers["location"] == "/"
    assert anna.post("/language", lang="xx").status_code == 400


def test_playing_against_a_bot(anna: Browser) -> None:
    table = anna.play_now()
    page = anna.get(table).text
    assert len(hand_of(page)) == 6
    assert anna.get("/games").text.count(table) == 1


def test_plays_are_asked_for_and_made(client: TestClient, anna: Browser, boris: Browser) -> None:
    table = lay_for_two(anna, boris)
    players = [anna, boris]
    pages = [player.get(table).text for player in players]
    turn = next(place for place, page in enumerate(pages) if "data-my-turn" in page)
    player, other, page = players[turn], players[1 - turn], pages[turn]
    number, card = number_of(page), hand_of(page)[0]
    offered = player.get(f"{table}/choices?number={number}&card={card}").text
    plays = re.findall(r'name="play" value="([^"]+)"', offered)
    assert plays
    assert other.get(f"{table}/choices?number={number}&card={card}").status_code == 409
    refused = other.post(f"{table}/play", number=number, play=plays[0], script=True)
    assert refused.status_code == 422
    assert "refusal" in refused.text
    done = player.post(f"{table}/play", number=number, play=plays[0], script=True)
    assert done.status_code == 204
    fresh = player.get(table).text
    assert int(number_of(fresh)) == int(number) + 1
    again = player.post(f"{table}/play", number=number, play=plays[0], script=True)
    assert again.status_code == 409
    assert number_of(again.text) == number_of(fresh)
    assert "data-my-turn" in other.get(table).text


@pytest.mark.parametrize("name", ["Ελένη", "Иван", "João", "🃏 & <b>", "a;b=c", "%41"])
def test_a_name_in_any_script_is_shown_and_remembered(
    anna: Browser, boris: Browser, name: str
) -> None:
    table = lay_for_two(anna, boris, name=name)
    shown = html.escape(name)
    assert f'<span class="name">{shown}</span>' in boris.get(table).text
    assert f'value="{shown}"' in anna.get("/new").text


def test_who_leaves_has_no_seat_any_more(anna: Browser, boris: Browser) -> None:
    table = lay_for_two(anna, boris)
    left = boris.post(f"{table}/leave")
    assert (left.status_code, left.headers["location"]) == (303, "/")
    assert table not in boris.get("/games").text
    assert not hand_of(boris.get(table).text)
    assert boris.post(f"{table}/resign", script=True).status_code == 422
    assert len(hand_of(anna.get(table).text)) >= 5


@pytest.mark.parametrize("play", ["", "??", "6d", "6d=", "x" * 4000, "As=Ks", "<script>"])
def test_a_play_that_cannot_be_is_refused(anna: Browser, boris: Browser, play: str) -> None:
    table = lay_for_two(anna, boris)
    player = anna if "data-my-turn" in anna.get(table).text else boris
    page = player.get(table).text
    if play == hand_of(page)[0]:
        play = "??"
    answer = player.post(f"{table}/play", number=number_of(page), play=play, script=True)
    if answer.status_code == 204:
        pytest.skip("it can be here")
    assert answer.status_code == 422
    assert "<script>" not in answer.text
    assert number_of(player.get(table).text) == number_of(page)


def test_nobody_sees_the_hand_of_another(anna: Browser, boris: Browser, client: TestClient) -> None:
    table = lay_for_two(anna, boris)
    pages = [anna.get(table).text, boris.get(table).text, Browser(client).get(table).text]
    hands = [hand_of(page) for page in pages]
    assert [len(hand) for hand in hands] == [6, 6, 0]
    for place, page in enumerate(pages):
        for card in {*hands[0], *hands[1]} - set(hands[place]):
            assert f'"{card}"' not in page


@pytest.mark.parametrize("command", ["play", "ready", "say", "resign", "close", "takeback", "bot"])
def test_a_stranger_commands_nothing(
    client: TestClient, anna: Browser, boris: Browser, command: str
) -> None:
    table = lay_for_two(anna, boris)
    page = anna.get(table).text
    stranger = Browser(client)
    form: dict[str, Any] = {"number": number_of(page), "play": "6d", "phrase": "hello", "seat": "1"}
    assert stranger.post(f"{table}/{command}", script=True, **form).status_code == 422
    assert number_of(anna.get(table).text) == number_of(page)


def test_forms_of_other_pages_are_refused(anna: Browser) -> None:
    table = anna.play_now()
    for token in ("", "0" * 32, "é"):
        assert anna.post(f"{table}/resign", token=token).status_code == 403
    token = anna.token
    for headers in (
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ):
        anna._client.cookies.clear()
        for name, value in anna.cookies.items():
            anna._client.cookies.set(name, value)
        answer = anna._client.post(f"{table}/resign", data={"form_token": token}, headers=headers)
        assert answer.status_code == 403


def test_bodies_that_are_no_forms_are_refused(anna: Browser) -> None:
    table = anna.play_now()
    client = anna._client
    assert client.post(f"{table}/say", content=b"{}").status_code == 415
    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post(f"{table}/say", content=b"a" * 9000, headers=kind).status_code == 413
    assert client.post(f"{table}/say", content=b"%ff%00=&&&=", headers=kind).status_code == 403


@pytest.mark.parametrize("chunks", [[9000], [8000, 1000], [8000, 1000, 1000], [9000, 0]])
@pytest.mark.parametrize("upload", [0, 100])
async def test_a_body_that_does_not_say_how_long_it_is_can_be_too_long(
    chunks: list[int], upload: int
) -> None:
    heard: list[int] = []

    async def receive() -> dict[str, Any]:
        size = chunks[len(heard)]
        heard.append(size)
        return {"type": "http.request", "body": b"a" * size, "more_body": len(heard) < len(chunks)}

    kind = (b"content-type", b"application/x-www-form-urlencoded")
    with pytest.raises(HTTPException) as refused:
        await read_form(Request({"type": "http", "headers": [kind]}, receive), upload=upload)
    assert refused.value.status_code == 413
    assert heard == chunks


@pytest.mark.parametrize("path", ["/upload", "/new", "/play"])
def test_who_goes_away_in_the_middle_of_a_form_is_no_trouble(
    client: TestClient, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "root_path": ""}
    headers = [(b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"9")]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    assert client.portal is not None
    client.portal.call(client.app, {**scope, "headers": headers}, receive, send)
    assert sent[0]["status"] == 400
    assert not caplog.records


def test_an_invitation_is_used_once_for_a_seat_and_can_be_closed(
    client: TestClient, anna: Browser, boris: Browser
) -> None:
    answer = anna.post("/new", name="Anna", rules="classic", players="4", clock="0")
    table = str(answer.headers["location"])
    link = re.search(r'value="(/join/[^"]+)"', anna.get(table).text)
    assert link is not None
    assert boris.post(link[1], name="Boris", seat="2").status_code == 303
    late = Browser(client)
    assert late.post(link[1], name="Late", seat="2").status_code == 409
    assert anna.post(f"{table}/close", number=number_of(anna.get(table).text)).status_code == 303
    assert late.get(link[1]).status_code == 422
    assert link[1] not in Browser(client).get(table).text


def test_hostile_names_stay_text(anna: Browser, boris: Browser, client: TestClient) -> None:
    name = '<img src=x onerror="x">'
    answer = anna.post("/new", name=name, rules="classic", players="2", clock="0", listed="yes")
    table = str(answer.headers["location"])
    for page in (anna.get(table).text, boris.get("/tables").text):
        assert "<img" not in page
        assert "&lt;img src=x" in page


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/table/none",
        "/table/none/events",
        "/table/none/choices",
        "/table/none/rules",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/sit/none",
        "/table/%00",
        "/table/" + "x" * 300,
    ],
)
def test_what_is_not_there_is_said_to_be_missing(anna: Browser, path: str) -> None:
    assert anna.get(path).status_code == 404


@pytest.mark.parametrize(
    "form",
    [
        {"level": "god"},
        {"players": "3"},
        {"rules": "none"},
        {"players": ""},
    ],
)
def test_tables_that_cannot_be(anna: Browser, form: dict[str, Any]) -> None:
    wanted: dict[str, Any] = {"level": "novice", "rules": "classic", "players": "2", **form}
    assert anna.post("/play", **wanted).status_code in (400, 422)


def test_house_rules(anna: Browser) -> None:
    form: dict[str, Any] = {
        "name": "A",
        "rules": "classic",
        "players": "2",
        "clock": "30",
        "with": "here",
    }
    answer = anna.post("/new", **form, switch_families="False", switch_target="31")
    assert answer.status_code == 303
    rules = anna.get(answer.headers["location"] + "/rules").text
    assert "31" in rules
    for name, typed in (("target", "0"), ("target", "x"), ("raising", "x")):
        refused = anna.post("/new", **{**form, f"switch_{name}": typed})
        assert refused.status_code == 422
        assert 'class="trouble" role="alert"' in refused.text
        assert 'name="switch_target"' in refused.text, "the form comes again"


def chosen_in(page: str) -> set[tuple[str, str]]:
    """Names and values of what is chosen in the forms of a page."""
    found = set()
    for name, value in re.findall(
        r'<input type="(?:radio|checkbox)" name="(\w+)" value="([^"]*)" ?checked', page
    ):
        found.add((name, value))
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', page, re.DOTALL):
        found |= {(name, value) for value in re.findall(r'value="(\w+)" selected', options)}
    return found


def test_the_way_to_the_house_rules_takes_the_choices_along(anna: Browser) -> None:
    start: dict[str, Any] = {
        "level": "expert",
        "rules": "taverna",
        "players": "4",
        "practice": "yes",
    }
    answer = anna.post("/play", **start, go="house-rules")
    assert answer.status_code == 303
    address = str(answer.headers["location"])
    page = anna.get(address).text
    wanted = {("with", "expert"), ("rules", "taverna"), ("players", "4"), ("practice", "yes")}
    assert chosen_in(page) == {*wanted, ("clock", "0")}
    assert "form_token" not in address
    assert f'name="back" value="{html.escape(address)}"' in page
    form: dict[str, Any] = {"with": "expert", "rules": "taverna", "players": "4"}
    laid = anna.post("/new", **form, practice="yes")
    assert "· practice" in anna.get(str(laid.headers["location"])).text
    assert anna.get("/games").text.count("/table/") == 1


def test_house_rules_name_what_the_named_rule_sets_have(anna: Browser) -> None:
    page = anna.get("/new").text
    usual = re.findall(r'<option value=""([^>]*)>([^<]*)</option>', page)
    assert len(usual) == len(SWITCHES) - 1
    told = dict(zip((switch for switch in SWITCHES if switch != "players"), usual, strict=True))
    assert told["target"] == ("", "as in the rules: 61")
    tags, text = told["deal_packet"]
    assert 'data-classic="as in the rules: 6" data-taverna="as in the rules: 3"' in tags
    assert text == "as in the rules (Classic: 6; Taverna: 3)"


def test_a_refused_form_keeps_what_was_chosen(anna: Browser) -> None:
    form: dict[str, Any] = {
        "with": "here",
        "rules": "taverna",
        "players": "2",
        "clock": "60",
        "listed": "yes",
    }
    switches: dict[str, Any] = {"switch_partners_show_card": "True", "switch_target": "31"}
    answer = anna.post("/new", name="Anna", **form, **switches)
    assert answer.status_code == 422
    assert chosen_in(answer.text) == {*form.items(), *switches.items()}
    assert 'name="name" maxlength="20" autocomplete="nickname" value="Anna"' in answer.text
    assert chosen_in(anna.get("/new?with=nobody&rules=x&clock=7").text) == {("players", "2")}


def test_cookies_that_are_not_ours_are_nobody(anna: Browser) -> None:
    table = anna.play_now()
    signed = anna.cookies["diloti"]
    for forged in ("", "x", signed[:-1], signed + "x", "é"):
        anna.cookies["diloti"] = forged.encode("ascii", "ignore").decode()
        assert hand_of(anna.get(table).text) == []


def test_cookies_and_form_tokens_go_with_the_key() -> None:
    here, elsewhere = Identity("one key"), Identity("another")
    person = here.new_person()
    assert here.person_of(here.sign(person)) == person
    assert elsewhere.person_of(here.sign(person)) is None
    assert here.form_token(person) != elsewhere.form_token(person)


def test_buckets_fill_again() -> None:
    now = 0.0
    buckets = Buckets(COMMANDS, lambda: now)
    assert not any(buckets.take("a") for _ in range(120))
    wait = buckets.take("a")
    assert 0 < wait < 1
    assert not buckets.take("b")
    now = wait
    assert not buckets.take("a")


def test_the_server_says_that_it_is_well(anna: Browser) -> None:
    assert anna.get("/healthz").json() == {"status": "fine"}


def test_another_device_takes_the_seat_once(
    client: TestClient, anna: Browser, boris: Browser
) -> None:
    table = lay_for_two(anna, boris)
    cards = hand_of(anna.get(table).text)
    page = anna.post(f"{table}/transfer").text
    code = re.search(r'value="http://testserver/take#([^"]+)"', page)
    assert code is not None
    phone, late = Browser(client), Browser(client)
    assert phone.post("/take", code="x" + code[1]).status_code == 409
    assert phone.post("/take", code=code[1]).headers["location"] == table
    assert hand_of(phone.get(table).text) == cards
    assert hand_of(anna.get(table).text) == []
    assert late.post("/take", code=code[1]).status_code == 409
    assert Browser(client).post(f"{table}/transfer").status_code == 422


@pytest.mark.parametrize("digit", ["²", "٣", "-1", "9" * 30])
def test_digits_of_other_kinds_are_no_numbers(anna: Browser, boris: Browser, digit: str) -> None:
    table = lay_for_two(anna, boris)
    page = anna.get(table).text
    number = number_of(page)
    asked = [
        anna.get(f"{table}?seat={digit}"),
        anna.get(f"{table}/choices?number={digit}"),
        anna.get(f"{table}/choices?number={number}&card={hand_of(page)[0]}&pile={digit}"),
        anna.post(f"{table}/play", number=digit, play="6d", script=True),
        anna.post(f"{table}/bot", seat=digit, script=True),
        anna.post("/new", rules="classic", players="2", switch_target=digit),
    ]
    assert all(answer.status_code < 500 for answer in asked)


def test_nobody_sits_down_twice(anna: Browser) -> None:
    table = str(anna.post("/new", rules="classic", players="2").headers["location"])
    link = re.search(r'value="(/join/[^"]+)"', anna.get(table).text)
    assert link is not None
    for answer in (anna.get(link[1]), anna.post(link[1], seat="1")):
        assert answer.headers["location"] == table
    assert 'data-phase="waiting"' in anna.get(table).text


def test_at_a_shared_screen_the_one_in_turn_gives_up(anna: Browser) -> None:
    form: dict[str, Any] = {"rules": "classic", "players": "2", "with": "here"}
    table = str(anna.post("/new", **form).headers["location"])
    anna.cut(table)
    turn = re.search(r"\?seat=(\d)", anna.get(table).text)
    assert turn is not None
    anna.post(f"{table}/resign")
    page = anna.get(table).text
    assert ("Player A has given up" in page) == (turn[1] == "0")


def test_a_bot_of_any_level_can_be_seated(anna: Browser) -> None:
    table = str(anna.post("/new", rules="classic", players="2").headers["location"])
    assert anna.post(f"{table}/bot", seat="1", level="wizard", script=True).status_code == 422
    anna.post(f"{table}/bot", seat="1", level="novice")
    anna.cut(table)
    assert len(hand_of(anna.get(table).text)) >= 5
    form: dict[str, Any] = {"rules": "classic", "players": "4", "with": "casual"}
    laid = anna.post("/new", switch_target="21", **form)
    assert "to 21" in anna.get(str(laid.headers["location"])).text


def test_a_database_that_fails_is_said_to_the_visitor(
    client: TestClient, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_saves: object) -> list[bool]:
        raise OperationalError("insert", {}, Exception("database is locked"))

    monkeypatch.setattr(client.app.state.store, "_commit", fail)  # type: ignore[attr-defined]
    page = anna.post("/play", level="regular", rules="classic", players="2")
    assert (page.status_code, page.headers["retry-after"]) == (503, "5")
    assert "Nothing is lost" in page.text
    assert client.get("/healthz").status_code == 503


def test_who_asks_too_much_is_told_how_long_to_wait(tmp_path: Path) -> None:
    app = app_at(tmp_path, is_limited=True)
    with TestClient(app) as client:
        for path, kind in (("/play", "text/html"), ("/api/people", "application/json")):
            answers = [client.post(path, headers={"accept-language": "el"}) for _ in range(30)]
            last = answers[-1]
            assert last.status_code == 429
            assert 1 <= int(last.headers["retry-after"]) <= 5
            assert last.headers["content-type"].startswith(kind)
            assert "περίμενε" in last.text.lower() or "περιμένετε" in last.text.lower()
            assert last.headers["x-content-type-options"] == "nosniff"
