"""Starting the server: addresses, ports that are taken, and what it says."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest

from diloti import cli
from diloti.usage import FAILED, MISUSED
from diloti.web import serve
from diloti.web.serve import ServeError, address_of, listen
from diloti.web.settings import Settings
from tests.thinking import INTERPRETED
from tests.web_server import Server


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_port_that_is_taken_is_said_to_be(taken: int) -> None:
    with pytest.raises(ServeError, match=str(taken)):
        listen(Settings(database="", port=taken))
    with pytest.raises(ServeError):
        listen(Settings(database="", host="203.0.113.1", port=0))


def test_where_the_usual_port_is_taken_another_one_serves(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "USUAL_PORT", taken)
    with listen(Settings(database="")) as listener:
        port = listener.getsockname()[1]
        assert port not in (0, taken)
        assert address_of(listener) == f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--port", "70000"], "--port must be a whole number"),
        (["--port", "-1"], "--port must be a whole number"),
        (["--workers", "2"], "PostgreSQL"),
        (["--workers", "0", "--database", "postgresql://x/y"], "--workers must be"),
        (["--forget-days", "0"], "--forget-days must be"),
    ],
)
def test_options_that_cannot_be(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = cli.main(["serve", "--lang", "en", "--data-dir", str(tmp_path), *options])
    assert status == MISUSED
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("variable", ["DILOTI_PORT", "DILOTI_WORKERS", "DILOTI_FORGET_DAYS"])
def test_an_environment_that_cannot_be(
    variable: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(variable, "many")
    assert cli.main(["serve", "--lang", "en", "--data-dir", str(tmp_path)]) == MISUSED
    assert f"{variable} must be a whole number" in capsys.readouterr().err


def test_the_settings_that_are_described_are_those_that_are_read() -> None:
    root = Path(__file__).parent.parent
    sources = "".join(path.read_text() for path in (root / "src").rglob("*.py"))
    read = set(re.findall(r"DILOTI_[A-Z_]+", sources))
    described = (root / "docs/serving.md").read_text()
    assert read == set(re.findall(r"DILOTI_[A-Z_]+", described))
    for name in ("compose.yaml", "Containerfile"):
        assert set(re.findall(r"DILOTI_[A-Z_]+", (root / name).read_text())) <= read


@pytest.mark.parametrize(
    "database", ["", "garbage", "mysql://x/y", "postgresql://u:p@127.0.0.1:9/x"]
)
def test_a_database_that_cannot_be_opened(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "garbage").write_bytes(b"this is no database" * 100)
    named = database if "://" in database else str(tmp_path / database)
    told = [cli.main(["serve", "--lang", "en", "--port", "0", "--database", named])]
    shown = capsys.readouterr()
    assert told == [FAILED]
    assert "the tables cannot be opened" in shown.err
    assert "Traceback" not in shown.err
    assert "http" not in shown.out


slow_interpreted = pytest.mark.skipif(
    INTERPRETED, reason="a server takes long to start interpreted"
)


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[Server]:
    server = Server(str(folder / "tables.db"), folder / "log", **environment)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@slow_interpreted
def test_an_end_closes_streams_and_keeps_tables(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx2.Client(base_url=server.address) as client:
        token = client.post("api/people").json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        laid = client.post("api/tables", json={"seats": ["me", "novice"]}).json()
        ready = {"command": "ready", "number": laid["number"]}
        laid = client.post(f"api/tables/{laid['table']}/commands", json=ready).json()
        with client.stream("GET", f"api/tables/{laid['table']}/events") as stream:
            lines = stream.iter_lines()
            assert next(line for line in lines if line.startswith("id: "))
            assert server.stop() in (0, -signal.SIGTERM)
            with suppress(httpx2.HTTPError):
                list(lines)
        told = (tmp_path / "log").read_text()
        assert "Traceback" not in told
        server.start()
        again = client.get(f"api/tables/{laid['table']}").json()
        assert again["view"]["hands"][0] == laid["view"]["hands"][0]


def cookie_of(address: str, **headers: str) -> str:
    return httpx2.get(address, headers=headers).headers["set-cookie"]


@slow_interpreted
def test_a_proxy_in_front_is_believed_where_it_is_named(tmp_path: Path) -> None:
    https = {"x-forwarded-proto": "https"}
    with serving(tmp_path) as server:
        assert "secure" not in cookie_of(server.address).lower()
        assert "secure" in cookie_of(server.address, **https).lower()
    with serving(tmp_path, DILOTI_PROXIES="203.0.113.1") as server:
        assert "secure" not in cookie_of(server.address, **https).lower()
    with serving(tmp_path, DILOTI_PROXIES="203.0.113.1", DILOTI_SECURE="1") as server:
        assert "secure" in cookie_of(server.address).lower()


@slow_interpreted
def test_limits_count_the_visitors_of_a_proxy(tmp_path: Path) -> None:
    with serving(tmp_path, DILOTI_UNLIMITED="") as server:

        def ask(visitor: str) -> int:
            headers = {"x-forwarded-for": visitor}
            return httpx2.post(f"{server.address}api/people", headers=headers).status_code

        answers = [ask("198.51.100.1") for _ in range(40)]
        assert set(answers) == {201, 429}
        assert ask("198.51.100.2") == 201
