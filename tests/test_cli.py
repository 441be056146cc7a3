"""The command line, called and as the real program in a pipe."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from diloti import __version__, cli, options
from diloti.bots import LEVELS, USUAL_LEVEL, warmup
from diloti.core.record import format_record
from diloti.core.rules import CLASSIC
from diloti.lab.duel import Duel, PairResult
from diloti.tui import start
from diloti.tui.rulebook import PARTS
from diloti.tui.session import Chair, Session
from diloti.tui.start import set_table, warm_up
from diloti.tui.store import Store
from diloti.words import LANGUAGES, Words
from diloti.words.rules import rule_lines
from tests.scripted import (
    ENGLISH,
    GREEDY,
    MARIA,
    new_session,
    run_program,
    run_typist,
    start_program,
)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line here; its matches are in a folder of the test."""
    monkeypatch.setenv("DILOTI_DATA", str(tmp_path))
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(start, "is_prepared", lambda: True)

    def call(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        status = cli.main(arguments)
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


# --- Help, version, misuse ---------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "",
        "play",
        "learn",
        "score",
        "replay",
        "review",
        "rules",
        "engine",
        "bench",
        "bench random-play",
        "duel",
        "generate",
    ],
)
@pytest.mark.parametrize("language", ["en", "el", "pt", "ru"])
def test_help(run: Run, command: str, language: str) -> None:
    status, said, errors = run(*command.split(), "--help", "--lang", language)
    assert status == 0
    assert "--lang" in said
    assert not errors


def test_help_comes_without_the_compiler() -> None:
    code = (
        "import sys; from diloti.cli import main; status = main(['play', '--help']);"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules; sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"diloti {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "COMMAND"),
        (["fly"], "fly"),
        (["play", "--rules", "chess"], "chess"),
        (["play", "--set", "color=red"], 'there is no switch "color"'),
        (["play", "--set", "raising=sometimes"], "raising can be opponents / others"),
        (["play", "--set", "raising"], "raising does not set a switch"),
        (["play", "--target", "0"], "target must be from 1"),
        (["play", "--target", "many"], "many"),
        (["play", "--players", "3"], "3"),
        (["play", "--seats", "Maria"], "this table has 2 seats"),
        (["play", "--seats", "Maria,,Nikos,"], "this table has 4 seats"),
        (["play", "--seats", "a,b,c,d", "--players", "2"], "this table has 2 seats"),
        (["play", "--new", "--resume"], "--resume"),
        (["play", "--lang", "tlh"], "there is no language tlh"),
        (["--lang=tlh"], "there is no language tlh"),
        (["rules", "--lang"], "--lang"),
        (["rules", "--set", "partners_show_card=true"], "needs four players"),
        (["replay"], "FILE"),
        (["review"], "FILE"),
        (["bench", "random-play", "--seconds", "0"], "--seconds"),
        (["bench", "random-play", "--seconds", "nan"], "--seconds"),
        (["duel", "greedy"], "B"),
        (["duel", "greedy", "grandmaster"], "there is no bot grandmaster"),
        (["duel", "greedy:fast", "random"], "greedy:fast is no player"),
        (["duel", "greedy:0", "random"], "greedy:0 is no player"),
        (["duel", "greedy:0s", "random"], "greedy:0s is no player"),
        (["duel", "greedy", "random", "--pairs", "0"], "--pairs must be a whole number from 1"),
        (["duel", "greedy", "random", "--pairs", "-5"], "--pairs"),
        (["duel", "greedy", "random", "--pairs", "few"], "few"),
        (["duel", "greedy", "random", "--matches", "0"], "--matches must be a whole number from 2"),
        (["duel", "greedy", "random", "--matches", "3"], "--matches must be even"),
        (["duel", "greedy", "random", "--matches", "2", "--pairs", "2"], "--pairs"),
        (["duel", "greedy", "random", "--workers", "0"], "--workers must be a whole number from 1"),
        (["duel", "greedy", "random", "--seed", "-1"], "--seed must be a whole number from 0"),
        (["duel", "greedy", "random", "--set", "color=red"], 'there is no switch "color"'),
        (["duel", "greedy", "random", "--json", "/no/such/folder/a.json"], "cannot be written"),
        (["duel", "greedy", "random", "--json", "/"], "cannot be written"),
        (["duel", "greedy", "random", "--picture", "a.gif"], "a.gif must end in .png / .svg"),
        (["duel", "greedy", "random", "--picture", "/no/such/folder/a.png"], "cannot be written"),
        (["generate", "--bots", "greedy", "--games", "3"], "FOLDER"),
        (["generate", "set"], "--bots"),
        (["generate", "set", "--check", "--bots", "greedy"], "--bots"),
        (["generate", "set", "--check", "--ray"], "--ray"),
        (["generate", "set", "--bots", "greedy", "random", "greedy"], "one for each side"),
        (["generate", "set", "--bots", "expert"], "expert thinks by the clock"),
        (["generate", "set", "--bots", "expert:1s"], "expert:400"),
        (["generate", "set", "--bots", "greedy", "--games", "0"], "--games must be"),
        (["generate", "set", "--bots", "greedy", "--games", "1", "--matches", "1"], "--matches"),
        (["generate", "set", "--bots", "greedy", "--part-size", "0"], "--part-size must be"),
        (["generate", "set", "--bots", "greedy", "--workers", "0"], "--workers must be"),
        (["generate", "set", "--bots", "greedy", "--games", "5", "--paired"], "must be even"),
    ],
)
def test_misuse(run: Run, arguments: list[str], complaint: str) -> None:
    status, said, errors = run(*arguments)
    assert status == 2
    assert not said
    assert complaint in errors
    assert "Traceback" not in errors


# --- Seats and rules ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "base", "chairs"),
    [
        (None, "classic", [Chair("Player"), Chair("regular", "regular")]),
        ("Maria,expert", "classic", [MARIA, Chair("expert", "expert")]),
        ("human,human", "classic", [Chair("Player A"), Chair("Player B")]),
        (" Maria ,greedy", "taverna", [MARIA, GREEDY]),
        ("Maria,greedy,Nikos,greedy", "classic", [
            MARIA, Chair("greedy B", "greedy"), Chair("Nikos"), Chair("greedy D", "greedy"),
        ]),
        ("Ma\x1bria\udcff\n!,greedy", None, [Chair("Ma ria !"), GREEDY]),
        ("x" * 200 + ",Γιώργος", None, [Chair("x" * 40), Chair("Γιώργος")]),
    ],
)  # fmt: skip
def test_seats(seats: str | None, base: str | None, chairs: list[Chair]) -> None:
    table = set_table(ENGLISH, base=base, switches={}, seats=seats)
    assert list(table.chairs) == chairs
    assert table.rules.players == len(chairs)


def test_the_help_names_the_levels(run: Run) -> None:
    assert options._LEVELS == LEVELS
    assert USUAL_LEVEL in LEVELS
    said = " ".join(run("play", "--help")[1].split())
    assert f"bots by their level ({', '.join(LEVELS)})" in said


def test_switches_reach_the_match(run: Run, tmp_path: Path) -> None:
    run("play", "--rules", "taverna", "--players", "2", "--target", "31", "--set", "xeri_points=5")
    session = Session.resume(Store(tmp_path))
    assert session is not None
    assert session.match.rules.changes("taverna") == {"players": 2, "target": 31, "xeri_points": 5}


def test_rules_are_printed(run: Run) -> None:
    status, classic, _errors = run("rules")
    assert status == 0
    for number, sentence in rule_lines(Words("en"), CLASSIC):
        assert f"{number:<6}{sentence}\n" in classic
    assert "R8.1  While you own a pile" in classic
    assert run("rules", "--rules", "taverna")[1] != classic


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_the_rule_book_is_printed(run: Run, part: str, language: str) -> None:
    command = ["rules", "--chapter", part, "--rules", "taverna", "--set", "raising=never"]
    status, said, errors = run(*command, "--lang", language)
    assert (status, errors) == (0, "")
    assert said.count("\n") > 5
    assert "{" not in said


def test_the_parts_of_the_rule_book_are_those_that_can_be_asked_for(run: Run) -> None:
    assert tuple(PARTS) == options._CHAPTERS
    assert "May I raise my own declaration?" in run("rules", "--chapter", "questions")[1]
    assert "a family [σόι]" in run("rules", "--chapter", "glossary")[1]
    assert run("rules", "--chapter", "chess")[0] == 2


# --- Playing -----------------------------------------------------------------------


def test_match_is_resumed_where_there_is_one(run: Run) -> None:
    _status, first, _errors = run("play", "--seed", "5")
    status, second, errors = run("play")
    assert status == 0
    assert "The match goes on." in second
    assert not errors
    assert hand_of(first) == hand_of(second) != ""


def hand_of(said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith("Your hand: "))


def test_new_match_says_where_the_old_one_is(run: Run, tmp_path: Path) -> None:
    run("play", "--seed", "5")
    status, said, errors = run("play", "--new", "--seed", "6")
    assert status == 0
    assert "The match goes on." not in said
    assert str(tmp_path / "unfinished" / "match.txt") in errors
    assert (tmp_path / "unfinished" / "match.txt").exists()


def test_wishes_for_a_new_match_do_not_touch_the_running_one(run: Run) -> None:
    run("play", "--seed", "5")
    _status, said, errors = run("play", "--rules", "taverna")
    assert "Rules: Classic" in said
    assert "--new begins another" in errors


def test_resuming_needs_a_match(run: Run) -> None:
    status, said, errors = run("play", "--resume")
    assert (status, said) == (1, "")
    assert errors == "diloti: there is no running match\n"


def test_broken_match_is_set_aside_and_a_new_one_begins(run: Run, tmp_path: Path) -> None:
    (tmp_path / "match.txt").write_text("broken")
    status, said, errors = run("play")
    assert status == 0
    assert str(tmp_path / "match-unreadable.txt") in errors
    assert (tmp_path / "match-unreadable.txt").read_text() == "broken"
    assert "Deal 1" in said


def test_resuming_a_broken_match_fails(run: Run, tmp_path: Path) -> None:
    (tmp_path / "match.txt").write_text("broken")
    status, _said, errors = run("play", "--resume")
    assert status == 1
    assert "match-unreadable.txt" in errors


def test_game_goes_on_where_nothing_can_be_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "occupied").write_text("")
    status, said, errors = run("play", "--data-dir", str(tmp_path / "occupied"))
    assert status == 0
    assert "The game goes on without being kept." in errors
    assert "The match is not kept." in said
    assert "Your hand: " in said


def test_data_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", "--data-dir", str(tmp_path / "named"))
    assert (tmp_path / "named" / "match.txt").exists()
    monkeypatch.setenv("DILOTI_DATA", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "usual"))
    monkeypatch.setenv("HOME", str(tmp_path / "usual"))
    run("play")
    assert list((tmp_path / "usual").rglob("match.txt"))


def test_package_for_folders_may_be_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DILOTI_DATA", "")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    status, _said, errors = run("play")
    assert status == 1
    assert "diloti[terminal]" in errors


# --- The full screen ---------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Session | None, str | None]]:
    """What the full screen is opened with, on a terminal."""
    app = pytest.importorskip("diloti.tui.full.app")
    calls: list[tuple[Session | None, str | None]] = []

    def open_app(
        _words: object,
        _store: Store,
        session: Session | None = None,
        *,
        notice: str | None = None,
        seed: int | None = None,
        coach: bool = False,
    ) -> int:
        calls.append((session, notice))
        return 40 if coach else seed or 0

    monkeypatch.setattr(app, "run_app", open_app)
    monkeypatch.setattr(cli, "is_terminal", lambda: True)
    monkeypatch.delenv("TERM", raising=False)
    return calls


Opened = list[tuple[Session | None, str | None]]


def test_full_screen_asks_first(run: Run, opened: Opened) -> None:
    assert run("play", "--seed", "3")[0] == 3
    assert opened == [(None, None)]
    assert run("play", "--coach")[0] == 40


def test_full_screen_opens_what_was_asked_for(run: Run, opened: Opened) -> None:
    run("play", "--seats", "Maria,greedy")
    session, notice = opened[0]
    assert session is not None
    assert session.chairs == (MARIA, GREEDY)
    assert notice is None
    run("play", "--seats", "Nikos,greedy")
    session, notice = opened[1]
    assert session is None
    assert notice is not None
    run("play", "--resume")
    session, notice = opened[2]
    assert session is not None
    assert session.chairs == (MARIA, GREEDY)
    run("play", "--new")
    session, notice = opened[3]
    assert session is not None
    assert notice is not None
    assert "put away" in notice


def test_plain_and_dumb_terminals_play_line_by_line(
    run: Run, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Your hand: " in run("play", "--plain")[1]
    monkeypatch.setenv("TERM", "dumb")
    assert "Your hand: " in run("play")[1]
    assert not opened


def test_textual_may_be_missing(run: Run, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "diloti.tui.full.app", None)
    status, said, errors = run("play")
    assert status == 0
    assert "textual" in errors
    assert "Your hand: " in said


# --- The other commands ------------------------------------------------------------


def test_finished_match_can_be_replayed(run: Run, tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=5, target=1)
    run_typist(session)
    status, said, errors = run("replay", str(session.kept))
    assert status == 0
    assert not errors
    assert "48. " in said
    assert "The match is over: " in said


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("", "line 1"), ("Diloti record 1\nRules: chess\n", "line 2"), (None, "cannot be read")],
)
def test_replay_of_a_bad_file(
    run: Run, tmp_path: Path, content: str | None, complaint: str
) -> None:
    file = tmp_path / "record.txt"
    if content is not None:
        file.write_text(content)
    status, said, errors = run("replay", str(file))
    assert (status, said) == (1, "")
    assert complaint in errors
    assert "Traceback" not in errors


def test_replay_shows_nothing_that_steers_the_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "record.txt"
    text = format_record(new_session(Chair("Ma\x1b[2Jria"), GREEDY)._record)
    file.write_text(text, "utf-8")
    assert "\x1b" not in run("replay", str(file))[1]


def test_engine_answers(run: Run) -> None:
    status, said, _errors = run("engine", typed='{"id": 7, "op": "fly"}\n')
    assert status == 0
    assert json.loads(said)["id"] == 7


def test_bench_prints_figures(run: Run) -> None:
    status, said, _errors = run("bench", "random-play", "--seconds", "0.01", "--json")
    assert status == 0
    assert json.loads(said)["seed"] == 1
    status, said, _errors = run("bench", "random-play", "--seconds", "0.01", "--rules", "taverna")
    assert status == 0
    assert "rules: taverna\n" in said


DUEL = ("duel", "greedy", "random", "--workers", "1", "--quiet")


def test_duel_prints_a_table_and_nothing_else(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "duel.json"
    status, said, errors = run(*DUEL, "--pairs", "2", "--seed", "7", "--json", str(kept))
    assert (status, errors) == (0, "")
    assert re.search(r"^Player A +greedy$", said, flags=re.MULTILINE)
    assert re.search(r"^Deals +4$", said, flags=re.MULTILINE)
    told = json.loads(kept.read_text(encoding="utf-8"))
    assert (told["pairs"], told["seed"]) == (2, 7)


def test_duel_of_matches_by_other_rules(run: Run) -> None:
    status, said, _errors = run(*DUEL, "--matches", "2", "--rules", "taverna", "--target", "1")
    assert status == 0
    assert re.search(r"^Rules +taverna target=1$", said, flags=re.MULTILINE)
    assert re.search(r"^Matches +2$", said, flags=re.MULTILINE)


def test_duel_prints_a_row_of_the_ledger(run: Run) -> None:
    status, said, _errors = run(*DUEL, "--pairs", "1", "--ledger", "--lang", "ru")
    assert status == 0
    cells = said.strip("|\n ").split(" | ")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", cells[0])
    assert cells[1:5:3] == [__version__, "random"]
    assert cells[-1] == "number of pairs fixed beforehand"


def test_duel_draws_a_picture(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    drawn = tmp_path / "duel.svg"
    assert run(*DUEL, "--pairs", "1", "--picture", str(drawn))[0] == 0
    assert "<svg" in drawn.read_text(encoding="utf-8")
    monkeypatch.setitem(sys.modules, "diloti.lab.picture", None)
    status, said, errors = run(*DUEL, "--pairs", "1", "--picture", str(drawn))
    assert (status, said) == (1, "")
    assert "pip install diloti[lab]" in errors


@pytest.mark.parametrize("pairs", [0, 1])
def test_interrupted_duel_prints_what_there_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, pairs: int
) -> None:
    play_pair = Duel.play_pair

    def interrupted(duel: Duel, number: int, *, clock: Callable[[], float]) -> PairResult:
        if number == pairs:
            raise KeyboardInterrupt
        return play_pair(duel, number, clock=clock)

    monkeypatch.setattr(Duel, "play_pair", interrupted)
    status, said, errors = run(*DUEL, "--pairs", "9")
    assert (status, errors) == (130, "")
    assert ("interrupted after pair 1 of 9" in said) == bool(said) == bool(pairs)


def test_duel_shows_how_far_it_is_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run(*DUEL[:-1], "--pairs", "1")[0] == 0
    assert "1/1 pairs" in terminal.getvalue()


@pytest.mark.parametrize("quiet", [False, True])
def test_generate_makes_a_data_set_and_checks_it(run: Run, tmp_path: Path, quiet: bool) -> None:
    folder = str(tmp_path / "set")
    made = ("generate", folder, "--bots", "greedy", "random", "--rules", "taverna", "--games", "3")
    silence = ["--quiet"] if quiet else []
    said = "" if quiet else f"{folder}: 3 games, 3 deals, 144 plays\n"
    assert run(*made, "--part-size", "2", *silence) == (0, said, "")
    assert run(*made, "--part-size", "2", "--workers", "1", *silence) == (0, said, "")
    assert run("generate", folder, "--check", "--workers", "1", *silence) == (0, said, "")
    status, said, errors = run(*made, "--seed", "9")
    assert (status, said) == (1, "")
    assert "holds another data set; there differ: seed, part_size" in errors
    assert run("generate", str(tmp_path / "no"), "--check")[0] == 1


def test_generate_shows_how_far_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run("generate", str(tmp_path / "set"), "--bots", "greedy", "--games", "2")[0] == 0
    assert "0/2 games   ? left" in terminal.getvalue()
    assert "] 2/2 games   0:00 left" in terminal.getvalue()


def test_interrupted_generate_says_how_to_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("diloti.lab.data.dataset.Dataset.keep", interrupt)
    made = ("generate", str(tmp_path / "set"), "--bots", "greedy", "--games", "2")
    assert run(*made) == (130, "", "Interrupted; the same command goes on with what is there.\n")
    assert run(*made, "--quiet") == (130, "", "")


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("polars", ["generate", "set", "--bots", "greedy"]),
        ("ray", ["generate", "set", "--bots", "greedy", "--ray"]),
        ("ray", ["duel", "greedy", "random", "--ray", "10.0.0.1:6379"]),
    ],
)
def test_what_is_not_installed_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, module: str, command: list[str]
) -> None:
    extra = {"polars": "lab", "ray": "ray"}[module]
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    status, said, errors = run(*command)
    assert (status, said) == (1, "")
    assert f"pip install diloti[{extra}]" in errors


def test_interrupted_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("diloti.tui.rulebook.rulebook_lines", interrupt)
    assert run("rules")[0] == 130


# --- The first start ---------------------------------------------------------------


class FakeTerminal(io.StringIO):
    """A terminal that remembers what is written."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), FakeTerminal()])
def test_first_start_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO
) -> None:
    done: list[int] = []
    monkeypatch.setattr(start, "is_prepared", lambda: False)
    monkeypatch.setattr(warmup, "steps", lambda: [lambda: done.append(1), lambda: done.append(2)])
    warm_up(ENGLISH, stream)
    assert done == [1, 2]
    end = "\r" if stream.isatty() else "\n"
    for number in (1, 2):
        line = f"Preparing the game for the first time ({number} of 2)…{end}"
        assert line in stream.getvalue()


def test_later_starts_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(start, "is_prepared", lambda: True)
    warm_up(ENGLISH, stream)
    assert stream.getvalue() == ""


# --- The real program --------------------------------------------------------------


def test_program_in_a_pipe_plays_a_match(tmp_path: Path) -> None:
    typed = b"plays\n1\n" * 2000
    status, said, errors = run_program(
        "play", "--seed", "5", "--target", "1", "--set", "obligations=false", data=tmp_path,
        typed=typed,
    )  # fmt: skip
    assert (status, errors) == (0, "")
    assert "Your play (? for help):\n1. " in said


def test_program_survives_hostile_input(tmp_path: Path) -> None:
    typed = b"\xff\xfe\x00\x1b[2J\n" + b"5" * 2_000_000 + b"\n\r\n\x04\x1a\nhand"
    status, said, errors = run_program("play", "--seed", "5", data=tmp_path, typed=typed)
    assert (status, errors) == (0, "")
    assert said.count("That line is too long.") == 1
    assert said.count("Your hand: ") == 2
    assert "\x1b" not in said


def test_killed_program_comes_back_with_the_same_cards(tmp_path: Path) -> None:
    with start_program("play", "--seats", "Maria,Nikos", "--seed", "5", data=tmp_path) as program:
        guard = threading.Timer(100, program.kill)
        guard.start()
        assert program.stdin is not None
        assert program.stdout is not None
        turns = 0
        hand = b""
        for line in program.stdout:
            if line.startswith(b"Your hand: "):
                hand = line
            if line.startswith(b"Your play"):
                turns += 1
                if turns == 7:  # three plays each by number, each after its list
                    program.send_signal(signal.SIGKILL)
                    break
                program.stdin.write(b"plays\n" if turns % 2 else b"1\n")
                program.stdin.flush()
        guard.cancel()
    assert program.returncode == -signal.SIGKILL
    status, said, _errors = run_program("play", data=tmp_path)
    assert status == 0
    assert "The match goes on." in said
    assert hand.decode() in said
    session = Session.resume(Store(tmp_path))
    assert session is not None
    assert len(session.match.deal_log.plays) == 3


def test_interrupted_program_keeps_the_match(tmp_path: Path) -> None:
    with start_program("play", data=tmp_path) as program:
        guard = threading.Timer(100, program.kill)
        guard.start()
        assert program.stdout is not None
        for line in program.stdout:
            if line.startswith(b"Your play"):
                program.send_signal(signal.SIGINT)
                break
        rest, errors = program.communicate(timeout=100)
        guard.cancel()
    assert program.returncode == 130
    assert b"The match is kept as " in rest
    assert errors == b""


def test_broken_pipe_is_no_traceback(tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=5, target=1)
    run_typist(session)
    with start_program("replay", str(session.kept), data=tmp_path) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        errors = program.stderr.read()
    assert program.returncode == 1
    assert errors == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_output_is_no_traceback(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "diloti", "rules"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"diloti: ")
    assert b"Traceback" not in done.stderr


def test_encoding_without_suits_gets_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    status, said, errors = run_program("play", "--seed", "5", data=tmp_path)
    assert (status, errors) == (0, "")
    assert "On the table: " in said
    assert "?" not in said.replace("(? for help)", "")
