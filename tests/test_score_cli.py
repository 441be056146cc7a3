"""The score sheet in the terminal, called and as the real program in a pipe."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diloti import cli
from diloti.core.rules import CLASSIC
from diloti.scorebook.book import Book
from diloti.scorebook.count import DealCount, ScorebookError
from diloti.scorebook.entries import Setup, clean_name, first_entries
from diloti.scorebook.scribe import Scribe
from diloti.tui.plain.commands import COMMANDS as GAME_COMMANDS
from diloti.tui.plain.score import COMMANDS
from diloti.tui.score_file import ScoreFile
from diloti.words import LANGUAGES, Words
from tests.scripted import run_program

Run = Callable[..., tuple[int, str, str]]
BOTH = ("score", "--names", "Anna,Boris", "--dealer", "1")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line here, its sheet in a folder of the test."""
    monkeypatch.setenv("DILOTI_DATA", str(tmp_path))
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)

    def call(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        status = cli.main(arguments)
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


def test_a_sheet_by_a_pipe_of_the_real_program(tmp_path: Path) -> None:
    typed = b"28\n3\n1\n2\n0 1\n26 2 2 1\n"
    status, said, errors = run_program(*BOTH, data=tmp_path, typed=typed)
    assert (status, errors) == (0, "")
    assert "Check: 11 points shared + 10 for xeri = 21\nMatch: Anna 9 · Boris 12" in said
    assert "Check: 7 points shared + 0 for xeri = 7\nMatch: Anna 12 · Boris 16" in said
    assert "Deal 3: Anna deals." in said
    status, said, errors = run_program("score", data=tmp_path, typed=b"quit\n")
    assert (status, errors) == (0, "")
    assert said.startswith("Score sheet: Classic, to 61 points\n\nDeal 1: Anna dealt.\n")
    assert "Match: Anna 12 · Boris 16" in said
    assert said.endswith(f"The score sheet is kept as {tmp_path / 'score.json'}.\n")


def test_names_and_the_first_dealer_are_asked_for(run: Run) -> None:
    status, said, _errors = run(
        "score", "--players", "4", typed="Anna\n\nClio\nDora\nnobody\nclio\n"
    )
    assert status == 0
    assert "Who deals first? 1 Anna, 2 Player B, 3 Clio, 4 Dora:" in said
    assert "Match: Anna and Clio 0 · Player B and Dora 0" in said
    assert "Deal 1: Clio deals." in said


def test_what_cannot_be_is_refused_and_asked_for_again(run: Run) -> None:
    _status, said, _errors = run(
        *BOTH,
        typed="x\n53 2 1 1\n28 5 1 1\n1 0 2 2\n28 3 3 1\n30 22 1\n28 3 1 2 15 0\n0 0\n28 3 1 2\n",
    )
    for told in (
        "Type how many cards Anna has, from 0 to 52; or the whole deal in one line:",
        "53 and 0 cards make 53, but the pack has 52.",
        "5 and 0 aces make 5, but there are 4.",
        "Anna cannot have a single card: every capture takes two at least.",
        "Which side has the ten of diamonds?",
        "Anna has too few cards (28) for so many xeri (15): each takes two.",
        "With these rules somebody captures in every deal: the cards make 52.",
    ):
        assert told in said
    assert said.count("Deal 1: Anna dealt.") == 1


def test_a_missing_number_is_asked_for_by_its_name(run: Run) -> None:
    _status, said, _errors = run(*BOTH, typed="correct 1\n28 3 1\n\n28\n\n3 1\n3\n1\n2\n\n")
    assert "There is no deal to correct yet." in said
    assert said.count("Type how many cards Anna has, from 0 to 52;") == 2
    assert said.count("Type one number: how many aces Anna has, from 0 to 4.") == 2
    assert said.count("Deal 1: Anna dealt.") == 1


def test_a_name_that_is_cut_shows_it(run: Run) -> None:
    _status, said, _errors = run(
        "score",
        "--names",
        "Konstantinos Papadopoulos,Alexandra",
        "--dealer",
        "1",
        typed="28 3 1 2\n",
    )
    assert "Deal 1: Konstantinos Papado… dealt." in said
    assert clean_name("Konstantinos Papado…") == "Konstantinos Papado…"
    assert clean_name("  twenty letters long  ") == "twenty letters long"


def test_corrections_removal_and_undo(run: Run) -> None:
    _status, said, _errors = run(
        *BOTH,
        typed="28 3 1 2\n26 2 1 1\ncorrect 1\n20 3 1 2\ncorrect 7\nremove\nundo\nundo\nundo\n"
        "undo\nundo\nremove\n",
    )
    standing = [line for line in said.splitlines() if line.startswith("Match: ")]
    assert "Which deal? Type correct and its number: 1, 2." in said
    assert "There is nothing to take back." in said
    assert "There is nothing to take away." in said
    assert standing[-5:] == [
        "Match: Anna 5 · Boris 6 (to 61 points)",  # without the second deal
        "Match: Anna 10 · Boris 8 (to 61 points)",  # with it
        "Match: Anna 14 · Boris 4 (to 61 points)",  # not corrected
        "Match: Anna 9 · Boris 2 (to 61 points)",  # without the second deal
        "Match: Anna 0 · Boris 0 (to 61 points)",
    ]


def test_a_command_leaves_what_was_asked_for(run: Run) -> None:
    _status, said, _errors = run(*BOTH, typed="28\n3\nsheet\n30\n4\n1\n1\n\n")
    assert "Captured cards: Anna 30 · Boris 22" in said
    assert "Captured cards: Anna 28" not in said


def test_a_match_ends_and_another_one_begins(run: Run, tmp_path: Path) -> None:
    _status, said, _errors = run(
        *BOTH, "--target", "20", typed="28 3 1 2 2 0\nwhat\nnew\n26 2 1 1\n"
    )
    assert "The match is over: Anna has won." in said
    assert "That is none of the commands." in said
    assert "Deal 1: Boris deals." in said
    old, new = (ScoreFile(tmp_path / name).load() for name in ("score-old.json", "score.json"))
    assert old is not None
    assert new is not None
    assert (Book(old).scores, Book(new).scores) == ((29, 2), (5, 2))


def test_r12_2_a_tie_at_the_target_is_played_on(run: Run) -> None:
    _status, said, _errors = run(*BOTH, "--target", "11", typed="20 4 1 1\n32 0 2 2\n20 4 1 1\n")
    assert "Match: Anna 11 · Boris 11 (to 11 points)\n\nDeal 3: Anna deals." in said
    assert said.count("The match is over: Anna has won.") == 1


def test_xeristaki_are_asked_for_where_they_count(run: Run) -> None:
    _status, said, _errors = run(
        *BOTH, "--set", "xeristaki_points=5", typed="28\n3\nanna\nboris\n\n1 0\n28 3 1 2 1 0 0 2\n"
    )
    assert "Xeristaki: Anna 5 · Boris 0" in said
    assert "Xeristaki: Anna 0 · Boris 10" in said
    assert "Check: 11 points shared + 20 for xeri = 31" in said


def test_nobody_captures(run: Run) -> None:
    _status, said, _errors = run(
        "score", "--names", "A,B", "--dealer", "1", "--rules", "taverna", typed="0 0\n"
    )
    assert "Check: 0 points shared + 0 for xeri = 0" in said


@pytest.mark.parametrize("name", ["sheet.txt", "sheet.csv"])
def test_a_sheet_is_exported(run: Run, tmp_path: Path, name: str) -> None:
    run(*BOTH, typed=f"28 3 1 2\nexport {tmp_path / name}\nexport /no/such/folder/a\n")
    first = (tmp_path / name).read_bytes()
    assert run("score", "--export", str(tmp_path / "again")) == (0, "", "")
    assert run("score", "--export", str(tmp_path / f"2{name}"), "--lang", "en") == (0, "", "")
    assert (tmp_path / f"2{name}").read_bytes() == first
    text = first.decode("utf-8-sig")
    assert ("1,Anna,28,3,1,0,0,0,9,9,24,1,0,1,0,0,2,2" in text) == name.endswith("csv")
    assert first.startswith("\ufeff".encode()) == name.endswith("csv")


def test_a_sheet_is_not_written_over_by_its_export(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "score.json"
    _status, said, _errors = run(*BOTH, typed=f"28 3 1 2\nexport {file}\n")
    assert "is what is read: name another file to write" in said
    text = file.read_bytes()
    status, said, errors = run("score", "--export", str(file))
    assert (status, said) == (1, "")
    assert "is what is read: name another file to write" in errors
    assert file.read_bytes() == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_conversation_in_every_language(run: Run, language: str) -> None:
    words = Words(language)
    typed = [
        *("28", "3", "1", "2", "1 0"),
        *(words.say(COMMANDS[name]) for name in ("help", "sheet", "undo")),
        "53",
        words.say(COMMANDS["quit"]),
    ]
    status, said, errors = run(*BOTH, "--lang", language, typed="\n".join(typed))
    assert (status, errors) == (0, "")
    assert "{" not in said
    assert " 11 " in said
    assert len(set(COMMANDS) & set(GAME_COMMANDS)) == 2


def test_no_two_commands_are_the_same_word_in_a_language() -> None:
    for language in LANGUAGES:
        words = Words(language)
        assert len({words.say(command).casefold() for command in COMMANDS.values()}) == len(
            COMMANDS
        )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--names", "Anna"), "players"),
        (("--names", "A,B,C"), "3"),
        (("--names", "A,B", "--players", "4"), "4 players need as many names"),
        (("--dealer", "3"), "the first dealer is one of the players"),
        (("--dealer", "0"), "the first dealer is one of the players"),
        (("--export", "x.txt"), "there is no score sheet in"),
        (("--set", "color=red"), 'there is no switch "color"'),
    ],
)
def test_misuse(run: Run, arguments: tuple[str, ...], told: str) -> None:
    status, said, errors = run("score", *arguments, "--lang", "en")
    assert (status, said) == (2, "")
    assert told in errors


def test_a_sheet_that_is_there_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    run(*BOTH, typed="28 3 1 2\n")
    status, _said, errors = run(*BOTH)
    assert status == 2
    assert "has a score sheet already: --new begins another one" in errors
    assert run(*BOTH, "--new", typed="")[0] == 0
    kept = ScoreFile(tmp_path / "score-old.json").load()
    assert kept is not None
    assert Book(kept).scores == (9, 2)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "\0", '{"format": 1, "entries": []}', '{"format": 2, "entries": []}']
)
def test_a_file_that_is_no_sheet_stays_as_it_is(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "score.json").write_text(text)
    status, _said, errors = run("score", typed="28 3 1 2\n")
    assert status == 1
    assert "cannot be used" in errors
    assert (tmp_path / "score.json").read_text() == text
    status, said, _errors = run(*BOTH, "--new", typed="28 3 1 2\n")
    assert status == 0
    assert f"What was in the file is kept as {tmp_path / 'score-old.json'}." in said
    assert (tmp_path / "score-old.json").read_text() == text


def test_two_programs_on_one_file_lose_nothing(tmp_path: Path) -> None:
    start = first_entries(Setup(("A", "B"), CLASSIC), name="setup")
    file, other = ScoreFile(tmp_path / "s.json"), ScoreFile(tmp_path / "s.json")
    file.save(start)
    pens = [Scribe(start, iter(names).__next__) for names in ("ab", "cd")]
    count = DealCount((28, 24), (2, 2), 0, 1)
    for pen, one in zip(pens, (file, other)):
        pen.enter(count)
        pen.book = Book(one.save(pen.book.entries))
    assert len(pens[1].book.rows) == 2
    assert file.load() == pens[1].book.entries
    another = first_entries(Setup(("A", "B"), CLASSIC), name="another")
    file.save(another)
    assert (file.path.name, ScoreFile(tmp_path / "s.json").load()) == ("s-2.json", other.load())


def test_a_disk_that_fails_is_told_and_the_sheet_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def fail(path: Path, text: str) -> None:
        written.append(text)
        if len(written) == 2:
            raise OSError("disk full")
        path.write_text(text)

    monkeypatch.setattr("diloti.tui.score_file.write_file", fail)
    _status, said, _errors = run(*BOTH, typed="28 3 1 2\n26 2 1 1\n")
    assert "The score sheet could not be saved: disk full" in said
    assert len(json.loads(written[-1])["entries"]) == 3


def test_a_sheet_in_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScorebookError):
        ScoreFile(tmp_path).load()
