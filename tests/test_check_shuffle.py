"""The shuffle that anyone can check: the page, the documented program and the engine agree."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from diloti.core.match import Match
from diloti.core.record import Record, format_record
from diloti.core.record_reader import RecordError, parse_record
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.shuffle import Cut
from tests.thinking import INTERPRETED
from tests.web_browser import OpenPage, play_something, table_for_two
from tests.web_server import needs_chromium

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "examples" / "check_shuffle.py"
RULES = [CLASSIC, TAVERNA, rules_from("classic", players=4, redeal="never")]


def record_of_one(rules: Rules, cut: Cut) -> str:
    """The record of a match of which one deal has been dealt."""
    match = Match(rules, first_dealer=0)
    match.deal_cut(cut)
    return format_record(Record(match))


def some_cut(rng: random.Random, players: int) -> Cut:
    seats = rng.sample(range(players), rng.randint(0, players))
    texts = {seat: rng.choice(["Κόψε!", f"{rng.random()}", "a b", ""]) for seat in seats}
    return Cut(rng.randbytes(32), texts)


def deals_together(number: int) -> Iterator[tuple[Rules, str]]:
    """By rule set as many deals as are wanted in the form of one record, for who checks packs."""
    rng = random.Random(2026)
    for rules in RULES:
        record = record_of_one(rules, some_cut(rng, rules.players))
        deals = [record_of_one(rules, some_cut(rng, rules.players)) for _ in range(number)]
        bodies = [deal.partition("Deal 1")[2].partition("Result")[0] for deal in deals]
        header = record.partition("Deal 1")[0]
        yield rules, header + "".join(f"Deal {n}{body}" for n, body in enumerate(bodies, start=1))


def run_program(record: str, folder: Path) -> tuple[int, list[str]]:
    (folder / "record.txt").write_text(record, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", PROGRAM, folder / "record.txt"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


def flip(record: str, heading: str) -> str:
    """A record in which one sign of a line is another one."""

    def change(found: re.Match[str]) -> str:
        line = found[0]
        return line[:-1] + ("1" if line[-1] == "0" else "0")

    if heading == "Pack":
        return re.sub(r"(Pack: )(..) (..)", r"\1\3 \2", record, count=1)
    return re.sub(rf"^{heading}: .+$", change, record, count=1, flags=re.MULTILINE)


def test_the_document_holds_the_program() -> None:
    assert f"```python\n{PROGRAM.read_text()}```" in (ROOT / "docs" / "shuffle.md").read_text()


def test_the_program_agrees_on_a_thousand_deals(tmp_path: Path) -> None:
    layouts = 0
    for _rules, record in deals_together(334):
        code, lines = run_program(record, tmp_path)
        assert code == 0
        assert lines == [f"Deal {number}: fine" for number in range(1, 335)]
        layouts += record.count("Layout again")
    assert layouts > 1


def test_the_examples_of_the_document_are_true() -> None:
    document = (ROOT / "docs" / "shuffle.md").read_text()
    secret = bytes(range(32))
    for value in (
        Cut(secret).commitment,
        Cut(secret).seed.hex(),
        Cut(secret, {0: "Κόψε!", 2: ""}).seed.hex(),
    ):
        assert f"`{value}` |" in document


SECRET, SEED, PACK = "the secret", "the seed", "the pack"
"""What does not belong together with what it should come from."""
FAULTS = {
    "Secret": {SECRET, SEED},
    "Cut 0": {SEED},
    "Commitment": {SECRET},
    "Shuffle": {SEED, PACK},
    "Pack": {PACK},
}
"""What each changed line breaks."""
SAID = {
    SECRET: ("is not the one that was committed to", "NOT the one that the server was bound to"),
    SEED: ("do not give the seed", "do NOT give the seed"),
    PACK: ("does not give the pack", "does NOT give the pack"),
}
"""How the program and the page say so."""


@pytest.mark.parametrize("heading", FAULTS)
def test_one_changed_bit_is_found_by_all(heading: str, tmp_path: Path) -> None:
    record = record_of_one(CLASSIC, Cut(b"s" * 32, {0: "1"}))
    changed = flip(record, heading)
    assert changed != record
    code, [line] = run_program(changed, tmp_path)
    assert code == 1
    assert {fault for fault, (said, _) in SAID.items() if said in line} == FAULTS[heading]
    with pytest.raises(RecordError):
        parse_record(changed)
    assert parse_record(record).match.deal_log.cut == Cut(b"s" * 32, {0: "1"})


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"no record", b"Deal 1\nSecret: 00\n", None]
)
def test_what_is_no_record_is_told_in_a_line(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "record.txt"
    if content is not None:
        file.write_bytes(content)
    done = subprocess.run([sys.executable, "-I", PROGRAM, file], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"{file} is no record\n"


@pytest.mark.parametrize("line", ["Secret: xyz", "Shuffle: sha256-2", "Pack: "])
def test_a_line_that_cannot_be_read_is_told(tmp_path: Path, line: str) -> None:
    record = record_of_one(CLASSIC, Cut(b"s" * 32, {0: "1"}))
    heading = line.partition(":")[0]
    code, lines = run_program(re.sub(rf"(?m)^{heading}: .*$", line, record), tmp_path)
    assert (code, len(lines), "fine" in lines[0]) == (1, 1, False)


def test_a_secret_that_came_afterwards_is_found(tmp_path: Path) -> None:
    """A server shows a commitment, sees the cut, and takes the secret that suits it."""
    shown = Cut(b"s" * 32).commitment
    record = record_of_one(CLASSIC, Cut(b"t" * 32, {0: "cut"}))
    honest_looking = re.sub(r"Commitment: .+", f"Commitment: {shown}", record)
    assert run_program(record, tmp_path)[0] == 0  # by itself the record is in order
    assert run_program(honest_looking, tmp_path)[0] == 1


# --- In the browser ------------------------------------------------------------------

in_browser = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]
CHECK_ALL = """async (record) => {
    const { readDeals, checkDeal } = await import("/static/shuffle.js");
    return readDeals(record).map((deal) => Object.values(checkDeal(deal)).join());
}"""


class TestInTheBrowser:
    pytestmark = in_browser

    def test_the_page_agrees_on_a_thousand_deals(self, open_page: OpenPage) -> None:
        page = open_page("/shuffle")
        for _rules, record in deals_together(334):
            assert page.evaluate(CHECK_ALL, record) == ["true,true,true"] * 334

    @pytest.mark.parametrize("heading", FAULTS)
    def test_the_page_finds_one_changed_bit(self, open_page: OpenPage, heading: str) -> None:
        page = open_page("/shuffle")
        record = record_of_one(CLASSIC, Cut(b"s" * 32, {0: "1"}))
        page.fill("#record", record)
        page.click("form#check button")
        assert page.locator("#found .good").count() == 3
        page.fill("#record", flip(record, heading))
        page.click("form#check button")
        told = page.locator("#found .bad").all_inner_texts()
        found = {fault for fault, (_, said) in SAID.items() if any(said in line for line in told)}
        assert (found, len(told)) == (FAULTS[heading], len(found))

    @pytest.mark.proof
    def test_both_players_check_their_deal(self, open_page: OpenPage) -> None:
        pages = table_for_two(open_page)
        for page in pages:
            page.click("#menu-button")
            page.click("#menu details summary >> nth=0")
        pages[0].click("form[action$=resign] button")
        for page in pages:
            page.wait_for_selector("#sheet")
        play_a_deal(pages)
        told = [checks_of(page) for page in pages]
        assert [bad for _good, bad in told] == [0, 0]
        assert sorted(good for good, _bad in told) == [4, 5]  # the one who leads has cut

    @pytest.mark.proof
    def test_a_server_that_chooses_its_secret_afterwards_is_found(
        self, open_page: OpenPage
    ) -> None:
        page = open_page()
        page.click("button.go")
        page.wait_for_selector("#board[data-my-turn]")
        page.evaluate(
            """() => {
                const all = JSON.parse(localStorage.shuffles);
                const table = document.getElementById("table").dataset.id;
                all[table]["0 1"].commitment = "0".repeat(64); // what another server showed
                localStorage.shuffles = JSON.stringify(all);
            }"""
        )
        finish_deal(page)
        good, bad = checks_of(page)
        assert (good, bad) == (4, 1)
        assert "ANOTHER" in page.inner_text("#found .bad")

    def test_one_can_cut_oneself(self, open_page: OpenPage) -> None:
        page = open_page("/", reduced_motion="no-preference")
        page.evaluate("localStorage.pace = '900'")
        page.click("button.go")
        page.wait_for_selector("#first-cut")
        page.click(".shuffling summary")
        page.fill("#cut", "  Καλή  τύχη ")
        page.evaluate("localStorage.pace = '0'")
        page.click("#go-on")
        page.wait_for_selector("#board[data-my-turn]")
        finish_deal(page)
        assert checks_of(page) == (5, 0)
        assert ": Καλή τύχη\n" in page.input_value("#record")


def play_a_deal(pages: tuple[Page, Page]) -> None:
    """Another match, of which the first deal is played to its end."""
    for page in pages:
        page.click("#sheet button.go")
    for page in pages:
        page.wait_for_selector("#board[data-phase='playing']")
    while pages[0].query_selector("#board[data-phase='playing']"):
        for page in pages:
            if page.query_selector("#board[data-my-turn]"):
                play_something(page)
                break


def finish_deal(page: Page) -> None:
    """Play until the deal is counted."""
    while True:
        page.wait_for_selector("#board[data-my-turn], #sheet")
        if page.query_selector("#sheet"):
            return
        play_something(page)


def checks_of(page: Page) -> tuple[int, int]:
    """What the page of the table finds good and bad in its first deal."""
    table = page.get_attribute("#table", "data-id")
    page.goto(f"/table/{table}/shuffle")
    page.wait_for_selector("#found li")
    return page.locator("#found .good").count(), page.locator("#found .bad").count()


@needs_chromium
@pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted")
def test_the_page_takes_a_file(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/shuffle")
    page.keyboard.press("Tab")
    for _ in range(20):
        if page.evaluate("document.activeElement.id") == "file":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "file"
    record = tmp_path / "record.txt"
    record.write_text(record_of_one(CLASSIC, some_cut(random.Random(5), 2)), encoding="utf-8")
    page.set_input_files("#file", record)
    page.wait_for_selector("#found .good")
    assert page.locator("#found .bad").count() == 0
    assert page.input_value("#record") == record.read_text(encoding="utf-8")
    page.fill("#record", "What is this?")
    page.click("form#check button")
    page.wait_for_selector("#found:has-text('no record')")
    picture = tmp_path / "picture.txt"
    picture.write_bytes(b"\xff\xfe\x00")
    page.set_input_files("#file", picture)
    page.wait_for_selector("#found:has-text('not text')")
    assert page.input_value("#record") == ""


@needs_chromium
@pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted")
def test_without_script_nothing_asks_for_a_file(open_page: OpenPage) -> None:
    page = open_page("/shuffle", java_script_enabled=False)
    assert page.locator("#file").is_hidden()
    assert page.locator("#record").is_visible()
