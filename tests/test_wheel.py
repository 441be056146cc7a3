"""The built wheel by itself: in an empty environment, outside the clone, nothing written to it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from diloti.core.wire import read_position
from tests import reference
from tests.web_server import Server

ROOT = Path(__file__).parent.parent
VECTORS = Path(__file__).parent / "data" / "vectors"

pytestmark = [pytest.mark.proof, pytest.mark.xdist_group("wheel")]


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA")}
    clean.pop("PYTHONPATH", None)
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**clean, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return done.stdout


def state_of(folder: Path) -> dict[str, str]:
    """Every file of a folder and what it holds."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the clone, with the program installed in `venv`."""
    folder = tmp_path_factory.mktemp("elsewhere")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist")]
    run(*build, ROOT, cwd=folder)
    [wheel] = (folder / "dist").glob("*.whl")
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    pip: list[str | Path] = [folder / "venv/bin/python", "-m", "pip", "install", "--quiet"]
    run(*pip, "--require-hashes", "-r", ROOT / "requirements/play.txt", cwd=folder)
    run(*pip, "--no-deps", wheel, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def untouched(home: Path) -> Iterator[Path]:
    """The same, its packages write-protected and afterwards exactly as they were."""
    [packages] = (home / "venv").glob("lib/python*/site-packages")
    installed = packages / "diloti"
    before = state_of(installed)
    assert {Path(name).suffix for name in before} >= {".py", ".mo", ".tcss"}
    for path in [installed, *installed.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    yield home
    assert state_of(installed) == before
    for path in [installed, *installed.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)


def ask(home: Path, requests: list[dict[str, object]]) -> list[dict[str, object]]:
    """The installed engine's answers."""
    lines = "\n".join(json.dumps({"id": i, **request}) for i, request in enumerate(requests))
    done = subprocess.run(
        [home / "venv/bin/diloti", "engine"],
        cwd=home,
        env={**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")},
        input=lines + "\n",
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == list(range(len(requests)))
    return answers


def vectors(name: str) -> list[dict[str, object]]:
    with (VECTORS / f"{name}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_the_installed_engine_agrees_with_the_vectors(untouched: Path) -> None:
    lines = vectors("legal")
    asked: list[dict[str, object]] = [
        {"op": "legal", "position": line["position"]} for line in lines
    ]
    for line, answer in zip(lines, ask(untouched, asked), strict=True):
        assert answer["plays"] == line["plays"]
    lines = vectors("apply")
    asked = [{"op": "apply", "position": one["position"], "play": one["play"]} for one in lines]
    for line, answer in zip(lines, ask(untouched, asked), strict=True):
        got, wanted = answer["position"], line["after"]
        assert isinstance(got, dict)
        assert isinstance(wanted, dict)
        assert reference.normal(got) == {**reference.normal(wanted), "format": 1}
        read_position(got)


@pytest.mark.parametrize("language", ["el", "en", "pt", "ru"])
def test_the_installed_program_plays_a_deal(untouched: Path, language: str) -> None:
    done = subprocess.run(
        [
            untouched / "venv/bin/diloti",
            *("play", "--plain", "--seed", "3", "--lang", language, "--target", "1"),
            *("--data-dir", untouched / f"data-{language}"),
        ],
        cwd=untouched,
        env={**os.environ, "HOME": str(untouched), "XDG_CACHE_HOME": str(untouched / "cache")},
        input="plays\n1\n" * 24,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    [record] = (untouched / f"data-{language}" / "finished").iterdir()
    assert re.search(r"^24\. ", record.read_text(encoding="utf-8"), re.MULTILINE)
    assert "Traceback" not in done.stderr


def test_the_installed_program_serves_the_table(untouched: Path) -> None:
    server = Server(
        str(untouched / "served" / "tables.db"),
        untouched / "log",
        program=[str(untouched / "venv/bin/diloti")],
        HOME=str(untouched),
        XDG_CACHE_HOME=str(untouched / "cache"),
        PYTHONPATH="",
        NUMBA_CACHE_DIR="",
    )
    server.start()
    try:
        for language, title in {"el": "Δηλωτή", "ru": "Дилоти"}.items():
            page = httpx2.get(server.address, headers={"accept-language": language}).text
            assert f"<h1>{title}</h1>" in page
        assert httpx2.get(f"{server.address}static/table.js").status_code == 200
        with httpx2.Client(base_url=f"{server.address}api/", timeout=60) as client:
            token = client.post("people").json()["token"]
            client.headers["authorization"] = f"Bearer {token}"
            laid = client.post("tables", json={"seats": ["strong", "me"]}).json()
            table = f"tables/{laid['table']}"
            wanted = {"command": "ready", "number": client.get(table).json()["number"]}
            assert client.post(f"{table}/commands", json=wanted).status_code == 200
            with client.stream("GET", f"{table}/events") as stream:
                frames = (line for line in stream.iter_lines() if line.startswith("data: "))
                views = (json.loads(line[6:])["view"] for line in frames)
                assert next(view for view in views if view and view["turn"] == 1)
    finally:
        server.stop()
    assert "Traceback" not in (untouched / "log").read_text()
