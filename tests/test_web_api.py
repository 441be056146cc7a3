"""The HTTP interface for programs: as it is described, and for nobody else's eyes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from httpx2 import Response
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance
from starlette.testclient import TestClient

from diloti.web.api_document import DOCUMENT
from tests.thinking import INTERPRETED
from tests.web_app import app_at
from tests.web_server import Server

GOLDEN = Path(__file__).parent / "golden" / "records"


class Program:
    """Somebody with a token."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        token = client.post("/api/people").json()["token"]
        self.headers = {"authorization": f"Bearer {token}"}

    def get(self, path: str) -> Response:
        return self._client.get(f"/api{path}", headers=self.headers)

    def post(self, path: str, **body: Any) -> Response:
        return self._client.post(f"/api{path}", headers=self.headers, json=body)

    def frame(self, table: str) -> dict[str, Any]:
        frame: dict[str, Any] = self.get(f"/tables/{table}").json()
        return frame

    def cut(self, table: str) -> None:
        """Cut the pack, and be ready for the deal."""
        wanted = {"command": "ready", "cut": "cut", "number": self.frame(table)["number"]}
        assert self.post(f"/tables/{table}/commands", **wanted).status_code == 200


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = app_at(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def laid_for_two(client: TestClient, **details: Any) -> tuple[str, Program, Program]:
    anna, boris = Program(client), Program(client)
    laid = anna.post("/tables", seats=["me", "free"], name="Anna", **details).json()
    invitation = laid["invitation"]
    joined = boris.post(
        f"/tables/{laid['table']}/seats", seat=1, name="Boris", invitation=invitation
    )
    assert joined.status_code == 200, joined.text
    for player in (anna, boris):
        player.cut(laid["table"])
    return laid["table"], anna, boris


def hand_of(frame: dict[str, Any]) -> list[str]:
    hand: list[str] = frame["view"]["hands"][frame["seat"]]
    return hand


def play_first(table: str, player: Program, frame: dict[str, Any]) -> Response:
    """Make the first play that a card of the hand offers."""
    for card in hand_of(frame):
        found = player.post(f"/tables/{table}/fits", number=frame["number"], card=card).json()
        for play in (*found["exact"], *found["others"]):
            return player.post(
                f"/tables/{table}/commands", number=frame["number"], command="play", play=play
            )
    raise AssertionError(frame)


def test_the_description_is_a_schema() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    json.dumps(DOCUMENT)


@pytest.mark.skipif(INTERPRETED, reason="asks for plays a hundred times")
def test_a_deal_between_two_programs(client: TestClient) -> None:
    table, anna, boris = laid_for_two(client)
    players = [anna, boris]
    validator = Draft202012Validator({"$ref": "#/components/schemas/Frame", **DOCUMENT})
    seen: list[set[str]] = [set(), set()]
    while (frame := anna.frame(table))["phase"] == "playing":
        for place, player in enumerate(players):
            told = player.get(f"/tables/{table}").text
            mine = json.loads(told)
            validator.validate(mine)
            seen[place] |= {*hand_of(mine), *mine["view"]["loose"]}
            others = hand_of(players[1 - place].frame(table))
            hidden = set(others) - seen[place]
            assert not any(f'"{card}"' in told for card in hidden)
        turn = frame["view"]["turn"]
        assert play_first(table, players[turn], players[turn].frame(table)).status_code == 200
    assert frame["phase"] in ("counting", "over")
    assert sum(frame["counts"][0]["cards"]) in (48, 52)


def test_stale_and_double_commands_change_nothing(client: TestClient) -> None:
    table, anna, boris = laid_for_two(client)
    frame = anna.frame(table)
    player = (anna, boris)[frame["view"]["turn"]]
    frame = player.frame(table)
    assert play_first(table, player, frame).status_code == 200
    after = player.frame(table)
    card = hand_of(after)[0]
    again = player.post(
        f"/tables/{table}/commands", number=frame["number"], command="play", play=card
    )
    assert again.status_code == 409
    assert player.frame(table) == after


def test_refusals_name_the_rule(client: TestClient) -> None:
    table, anna, boris = laid_for_two(client)
    turn = anna.frame(table)["view"]["turn"]
    player, other = (anna, boris)[turn], (boris, anna)[turn]
    foreign = hand_of(other.frame(table))[0]
    refused = player.post(
        f"/tables/{table}/commands",
        number=player.frame(table)["number"],
        command="play",
        play=foreign,
    )
    assert refused.status_code == 422
    assert refused.json()["rule"].startswith("R")


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer x", "Basic eA==", "Bearer é"])
def test_without_a_token_nothing_is_told(client: TestClient, token: str) -> None:
    table, _anna, _boris = laid_for_two(client)
    for path in (f"/tables/{table}", f"/tables/{table}/events", "/tables"):
        answer = client.get(f"/api{path}", headers={b"authorization": token.encode()})
        assert answer.status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"NaN",
        b'{"number": NaN, "command": "ready"}',
        b"[" * 5000,
        b'{"number": 1}',
        b'{"number": 1, "command": "win"}',
        b'{"number": 1, "command": "play", "more": 1}',
        b'{"number": "1", "command": "play"}',
        b"\xff\xfe",
    ],
)
def test_what_is_not_as_described_is_refused(client: TestClient, body: bytes) -> None:
    table, anna, _boris = laid_for_two(client)
    headers = {**anna.headers, "content-type": "application/json"}
    answer = client.post(f"/api/tables/{table}/commands", headers=headers, content=body)
    assert answer.status_code == 400
    too_long = client.post(
        f"/api/tables/{table}/commands", headers=headers, content=b'"' + b"a" * 9000 + b'"'
    )
    assert too_long.status_code == 413


def test_a_table_against_bots(client: TestClient) -> None:
    anna = Program(client)
    laid = anna.post("/tables", rules="taverna", seats=["me", "novice", "novice", "novice"])
    assert laid.status_code == 201
    assert (laid.json()["phase"], laid.json()["view"]) == ("counting", None)
    anna.cut(laid.json()["table"])
    assert anna.frame(laid.json()["table"])["phase"] == "playing"
    assert anna.post("/tables", seats=["novice", "novice"]).status_code == 422
    assert anna.post("/tables", seats=["me", "free", "free"]).status_code == 422
    rules = {"base": "classic", "target": 0}
    assert anna.post("/tables", rules=rules, seats=["me", "novice"]).status_code == 422


def test_a_record_is_uploaded_and_read_by_whoever_has_its_name(client: TestClient) -> None:
    anna, boris = Program(client), Program(client)
    text = (GOLDEN / "classic_two.txt").read_bytes().decode()
    made = anna.post("/matches", record=text)
    assert made.status_code == 201
    validator = Draft202012Validator({"$ref": "#/components/schemas/Match", **DOCUMENT})
    validator.validate(made.json())
    match = made.json()
    assert match["record"] == text
    assert (match["scores"], match["winner"], match["uploaded"]) == ([66, 37], 0, True)
    assert [deal["points"] for deal in match["deals"]] == [[17, 4], [37, 24], [12, 9]]
    assert boris.get(f"/matches/{match['match']}").json() == match
    assert anna.post("/matches", record=text).json()["match"] == match["match"]
    assert boris.get("/matches/none").status_code == 404
    assert client.get(f"/api/matches/{match['match']}").status_code == 401


def test_a_table_that_is_over_is_a_match(client: TestClient) -> None:
    table, anna, boris = laid_for_two(client)
    frame = anna.frame(table)
    done = anna.post(f"/tables/{table}/commands", number=frame["number"], command="resign")
    assert done.json()["phase"] == "over"
    store = client.app.state.store  # type: ignore[attr-defined]
    assert client.portal is not None
    person = client.app.state.identity.person_of(boris.headers["authorization"].split()[1])  # type: ignore[attr-defined]
    [kept], count = client.portal.call(store.matches_of, person)
    assert count == 1
    match = boris.get(f"/matches/{kept.id}").json()
    Draft202012Validator({"$ref": "#/components/schemas/Match", **DOCUMENT}).validate(match)
    assert match["seats"] == [{"name": "Anna", "bot": None}, {"name": "Boris", "bot": None}]
    assert (match["resigned"], match["winner"], match["uploaded"]) == (0, 1, False)


@pytest.mark.parametrize(
    ("record", "status", "line"),
    [
        ("", 422, None),
        ("Diloti record 1\nRules: none\nResult: unfinished\n", 422, 2),
        ("Diloti record 1\nRules: classic\nSeat 0: \0\nResult: unfinished\n", 422, None),
        ("x" * 140_000, 422, None),
        ("x" * 600_000, 413, None),
    ],
    ids=range(5),
)
def test_records_that_are_wrong_are_refused_by_line(
    client: TestClient, record: str, status: int, line: int | None
) -> None:
    refused = Program(client).post("/matches", record=record)
    assert refused.status_code == status
    assert refused.json()["message"]
    assert refused.json().get("line") == line


TOKEN: dict[str, str] = {}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("seats", '{"seat": 1.0, "invitation": "x"}'),
        ("seats", '{"seat": 1, "invitation": "\\ud800"}'),
        ("commands", '{"number": 1, "command": "say", "phrase": "hello", "on_behalf": 0.0}'),
        ("commands", '{"number": 1, "command": "play", "play": "\\ud800"}'),
        ("fits", '{"number": 1, "card": "\\udfff"}'),
        ("commands", '{"number": NaN, "command": "play"}'),
        ("commands", "[" * 5000),
    ],
)
def test_bodies_that_are_nearly_json(client: TestClient, path: str, body: str) -> None:
    table, anna, _boris = laid_for_two(client)
    headers = {**anna.headers, "content-type": "application/json"}
    answer = client.post(f"/api/tables/{table}/{path}", headers=headers, content=body)
    assert answer.status_code == 400
    assert answer.json()["message"]


description = schemathesis.openapi.from_dict(DOCUMENT)
ended = description.exclude(path="/tables/{table}/events")  # that stream does not end


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("api")
    server = Server(str(folder / "tables.db"), folder / "log")
    server.start()
    token = httpx2.post(f"{server.address}api/people").json()["token"]
    TOKEN["authorization"] = f"Bearer {token}"
    yield server
    server.stop()
    assert "Traceback" not in (folder / "log").read_text()


def call(case: Any, server: Server) -> None:
    """Send a request that was made up, and compare the answer with the description."""
    # The rules refuse more than a schema can say, and a token always goes along.
    excluded = [ignored_auth, positive_data_acceptance]
    base = f"{server.address}api"
    answer = case.call(base_url=base, headers=TOKEN)
    if answer.text == "Invalid HTTP request received.":
        assert answer.status_code == 400  # refused before any of our code saw it
    else:
        case.validate_response(answer, excluded_checks=excluded)


@ended.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@pytest.mark.skipif(INTERPRETED, reason="a server takes long to start interpreted")
def test_nothing_described_breaks_the_server(case: Any, server: Server) -> None:
    call(case, server)


@pytest.mark.proof
@ended.parametrize()
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_nothing_at_all_that_is_described_breaks_the_server(case: Any, server: Server) -> None:
    call(case, server)


@pytest.mark.skipif(INTERPRETED, reason="a server takes long to start interpreted")
def test_the_example_plays_a_match(server: Server) -> None:
    example = Path(__file__).parent.parent / "examples" / "http_bot.py"
    done = subprocess.run(
        [sys.executable, str(example), server.address],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("I have ")
