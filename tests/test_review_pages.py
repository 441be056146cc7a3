"""The review told: line by line, as a page, as a picture, and by the command."""

from __future__ import annotations

import copy
import io
import json
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser

from diloti.core.match import Match
from diloti.core.record import Record, format_record
from diloti.core.rules import CLASSIC, rules_from
from diloti.lab.review_page import review_page
from diloti.lab.reviewing import ReviewFiles
from diloti.teacher.explaining import tell_reason
from diloti.teacher.review import MatchReview, turns_of
from diloti.teacher.review_json import read_review
from diloti.tui.review import ReviewProgress, review_lines
from diloti.words import LANGUAGES, Words
from diloti.words.numbers import decimal, percent
from diloti.words.review import tell_loss
from tests.reviewing import SIMULATIONS, reviewed, some_match
from tests.scripted import ENGLISH
from tests.test_cli import Run, run
from tests.thinking import INTERPRETED
from tests.web_server import needs_chromium

__all__ = ["run"]

pytestmark = pytest.mark.skipif(INTERPRETED, reason="words and pages, no kernels")

FOUR = rules_from("taverna", target=21)
EMPTY = {"area", "br", "circle", "link", "meta", "path", "polyline", "rect"}


class Checker(HTMLParser):
    """Notes tags, and complains of those that are not closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: dict[str, int] = {}
        self.ids: list[str] = []
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        values = dict(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.targets += [values["href"] or ""] if "href" in values else []
        assert not any(name.startswith("on") for name in values)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in EMPTY
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def lines_of(match: Match, review: MatchReview, **details: object) -> list[str]:
    return list(review_lines(ENGLISH, match, review, **details))  # type: ignore[arg-type]


# --- Line by line ---------------------------------------------------------------------


def test_plays_that_lost_something_are_told() -> None:
    match, review = reviewed(5)
    lines = lines_of(match, review)
    slips = [play for play in review.deals[0].plays if play.mark not in ("best", "good")]
    assert sum(bool(re.match(r"\d+\. ", line)) for line in lines) == len(slips) > 0
    assert sum("points lost" in line and line.startswith("    ") for line in lines) == len(slips)
    assert sum(line.startswith("    Better: ") for line in lines) == len(slips)
    assert sum(line.startswith("Points of this deal: ") for line in lines) == 1
    assert sum(": accuracy " in line for line in lines) == 2
    assert "The match is unfinished." in lines


def test_all_plays_are_told_where_asked_for_with_their_reasons() -> None:
    match, review = reviewed(5)
    lines = lines_of(match, review, all_plays=True)
    assert sum(bool(re.match(r"\d+\. ", line)) for line in lines) == 48
    [deal], [log] = review.deals, match.deals
    reasons = [
        tell_reason(ENGLISH, view, judged)
        for (view, _play), judged in zip(turns_of(log), deal.plays, strict=True)
    ]
    told = [line.split(": ", 1)[1] for line in lines if line.startswith("    Why, said to ")]
    assert told == [*filter(None, reasons)]
    assert len(told) > 24
    page = review_page(ENGLISH, match, review)
    assert all(escape(reason) in page for reason in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_two_and_four(language: str) -> None:
    words = Words(language)
    for match, review in (reviewed(5), reviewed(5, FOUR)):
        lines = list(review_lines(words, match, review, all_plays=True))
        lines.append(review_page(words, match, review))
        assert all("{" not in line for line in lines[:-1])
        if language != "en":
            english = ("points lost", "Luck and skill", "On the table", "played", "Better")
            assert not any(said in line for line in lines for said in english)


def test_numbers_are_written_as_the_language_has_them() -> None:
    assert decimal(ENGLISH, -1.25, signed=True) == "−1.2"
    assert decimal(Words("ru"), 0.5, signed=True) == "+0,5"
    assert decimal(ENGLISH, -0.04, signed=True) == decimal(ENGLISH, 0.0, signed=True) == "0.0"
    assert [percent(ENGLISH, chance) for chance in (0, 0.001, 0.5, 0.999, 1)] == [
        "0%",
        "1%",
        "50%",
        "99%",
        "100%",
    ]
    assert percent(Words("ru"), 0.567) == "57\N{NO-BREAK SPACE}%"


def test_a_loss_says_how_sure_it_is_and_whether_it_matters() -> None:
    told = {
        tell_loss(ENGLISH, "mistake", 2.0, 0.125, is_exact=False, matters=True),
        tell_loss(ENGLISH, "mistake", 2.0, 0.0, is_exact=True, matters=True),
        tell_loss(ENGLISH, "good", 2.0, 0.0, is_exact=True, matters=False),
        tell_loss(ENGLISH, "best", 0.0, 0.0, is_exact=True, matters=False),
    }
    assert told == {
        "Mistake: 2.0 points lost (± 0.12).",
        "Mistake: 2.0 points lost, exactly.",
        "Good play: 2.0 points lost, but no chance to win the match.",
        "Best play.",
    }


def test_progress_without_a_terminal_is_ten_lines() -> None:
    stream = io.StringIO()
    progress = ReviewProgress(ENGLISH, stream)
    for done in range(1, 97):
        progress.show(done, 96)
    progress.clear()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[-1] == "96 of 96 plays judged"


def test_progress_at_a_terminal_is_one_line_that_goes_away() -> None:
    stream = io.StringIO()
    stream.isatty = lambda: True  # type: ignore[method-assign]
    progress = ReviewProgress(ENGLISH, stream)
    progress.show(1, 100)
    progress.show(2, 100)
    progress.clear()
    assert "\n" not in stream.getvalue()
    assert stream.getvalue().split("\r")[-2].strip() == ""


# --- As a page ------------------------------------------------------------------------


def test_the_page_is_whole_and_has_no_script() -> None:
    match, review = reviewed(5)
    named = copy.copy(match)
    named.names = ("<b>Anna & Co</b>", '"Zé"')
    page = review_page(ENGLISH, named, review)
    checker = Checker()
    checker.feed(page)
    assert not checker.open
    assert checker.count["details"] == 48
    assert checker.count["svg"] == 1
    assert not {"script", "link", "img", "iframe"} & checker.count.keys()
    assert "&lt;b&gt;Anna &amp; Co" in page
    assert "<b>Anna" not in page
    assert "http" not in page
    assert len(set(checker.ids)) == len(checker.ids)
    assert {target.removeprefix("#") for target in checker.targets} <= set(checker.ids)


def test_the_page_shows_what_the_seat_saw_and_nothing_else() -> None:
    match, review = reviewed(5)
    page = review_page(ENGLISH, match, review)
    first = page[page.index('id="play-1-1"') : page.index('id="play-1-2"')]
    start = match.deals[0].start
    assert first.count('<span class="card') == start.loose.bit_count() + 6


@needs_chromium
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    match, review = reviewed(5, FOUR)
    file = tmp_path / "review.html"
    ReviewFiles(page=file).write(Words(language), match, review)
    for scheme in ("light", "dark") if language == "en" else ("light",):
        details: Any = {"viewport": {"width": 320, "height": 740}, "color_scheme": scheme}
        context = browser.new_context(**details)
        page = context.new_page()
        page.goto(file.as_uri())
        assert page.get_attribute("html", "lang") == language
        opened = "document.querySelectorAll('details').forEach((one, at) => one.open = at % 9 == 0)"
        page.evaluate(opened)
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide)
        small = "[...document.querySelectorAll('summary, a')].filter((one) =>"
        assert page.evaluate(f"{small} one.getBoundingClientRect().height < 44).length") == 0
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        context.close()


# --- The command -----------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "match.txt"
    file.write_text(format_record(Record(some_match(5))), "utf-8")
    return file


def test_the_command_writes_all_it_is_asked_for(run: Run, record: Path, tmp_path: Path) -> None:
    page, kept = tmp_path / "review.html", tmp_path / "review.json"
    options = ("--simulations", str(SIMULATIONS), "--seed", "5")
    status, said, errors = run(
        "review", str(record), *options, "--html", str(page), "--json", str(kept)
    )
    assert status == 0
    assert "48 of 48 plays judged" in errors
    assert said.splitlines() == lines_of(*reviewed(5))
    assert read_review(json.loads(kept.read_text("utf-8"))) == reviewed(5)[1]
    assert page.read_text("utf-8").startswith("<!doctype html>")
    again = run("review", "-", *options, "--all", typed=record.read_text("utf-8"))
    assert again[0] == 0
    assert len(again[1].splitlines()) > len(said.splitlines())


def test_the_command_draws_a_picture(run: Run, record: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = tmp_path / "review.svg"
    options = ("--simulations", "4", "--picture", str(drawn))
    assert run("review", str(record), *options)[0] == 0
    first = drawn.read_text("utf-8")
    assert "<svg" in first
    assert run("review", str(record), *options)[0] == 0
    assert drawn.read_text("utf-8") == first


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--simulations", "0"), "--simulations"),
        (("--seed", "-1"), "--seed"),
        (("--picture", "review.txt"), ".png"),
        (("--json", "/nowhere/at/all"), "cannot be written"),
        (("--json", "same", "--html", "same"), "name of its own"),
    ],
)
def test_options_that_cannot_be_are_refused(
    run: Run,
    record: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, said, errors = run("review", str(record), *options)
    assert (status, said) == (2, "")
    assert complaint in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("option", ["--json", "--html", "--picture"])
def test_the_record_itself_is_never_written_over(
    run: Run, record: Path, tmp_path: Path, option: str
) -> None:
    record = record.rename(record.with_suffix(".svg"))
    text, link = record.read_bytes(), tmp_path / "link.svg"
    link.symlink_to(record)
    for name in (record, tmp_path / "." / record.name, link):
        status, said, errors = run("review", str(record), option, str(name))
        assert (status, said) == (2, "")
        assert "is what is read: name another file to write" in errors
    assert record.read_bytes() == text


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("", "line 1"), ("Diloti record 1\nRules: chess\n", "line 2"), (None, "cannot be read")],
)
def test_a_broken_record_is_refused_with_its_line(
    run: Run, tmp_path: Path, content: str | None, complaint: str
) -> None:
    file = tmp_path / "record.txt"
    if content is not None:
        file.write_text(content)
    status, said, errors = run("review", str(file))
    assert (status, said) == (1, "")
    assert complaint in errors
    assert "Traceback" not in errors


def test_a_match_without_a_whole_deal_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "record.txt"
    file.write_text(format_record(Record(Match(CLASSIC, first_dealer=0))), "utf-8")
    status, said, errors = run("review", str(file))
    assert (status, said) == (1, "")
    assert "no whole deal" in errors


def test_names_steer_no_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "record.txt"
    match = some_match(5)
    match.names = ("Ma\x1b[2Jria", "")
    file.write_text(format_record(Record(match)), "utf-8")
    assert "\x1b" not in run("review", str(file), "--simulations", "4")[1]
