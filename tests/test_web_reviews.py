"""Reviews on the server: asked for, made one after the other, kept, and shown with the match."""

from __future__ import annotations

import asyncio
import html
import json
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from sqlalchemy import update
from starlette.testclient import TestClient

from diloti.core.record_reader import parse_record
from diloti.teacher.marks import MARKS
from diloti.teacher.review import MatchReview, Moment, review_match
from diloti.teacher.review_json import read_review, write_review
from diloti.web import match_pages, reviews
from diloti.web.api_document import DOCUMENT
from diloti.web.limits import REVIEWS
from diloti.web.matches import matches
from diloti.web.render import words_for
from diloti.web.reviewing import slips_around
from diloti.words import LANGUAGES, Words
from diloti.words.numbers import decimal
from diloti.words.review import MARK_NAMES, MARK_SIGNS
from tests.test_web_api import Program
from tests.test_web_match_pages import CLASSIC, FOUR, ended, handed_in, plain
from tests.test_web_pages import Browser
from tests.thinking import INTERPRETED
from tests.web_app import app_at
from tests.web_browser import first_deal

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plays hands out by the thousand")

SIMULATIONS = 100


@cache
def made(text: str) -> MatchReview:
    """The review that a server makes of a record, made here."""
    return review_match(parse_record(text).match, simulations=SIMULATIONS, workers=1)


@cache
def written(text: str) -> str:
    return json.dumps(write_review(made(text)))


def review_app(folder: Path, **settings: Any) -> Any:
    return app_at(folder, review_simulations=SIMULATIONS, **settings)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(review_app(tmp_path), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def anna(client: TestClient) -> Browser:
    return Browser(client)


def keep(client: TestClient, link: str, text: str) -> None:
    """Keep a text as the review of a match."""
    assert client.portal is not None
    store = client.app.state.store  # type: ignore[attr-defined]
    client.portal.call(partial(store.save_review, link.rpartition("/")[2], text))


def put(client: TestClient, link: str, text: str) -> None:
    """Have a text, whatever it is, where the review of a match would be."""
    assert client.portal is not None
    store = client.app.state.store  # type: ignore[attr-defined]
    this = matches.c.id == link.rpartition("/")[2]
    client.portal.call(store.run, update(matches).where(this).values(review=text))


def kept(client: TestClient, link: str) -> str | None:
    assert client.portal is not None
    store = client.app.state.store  # type: ignore[attr-defined]
    found = client.portal.call(store.load_match, link.rpartition("/")[2])
    review: str | None = found.review
    return review


def finish(client: TestClient) -> None:
    """Wait for the reviews that have been asked for."""
    assert client.portal is not None
    work = client.app.state.reviews._work  # type: ignore[attr-defined]

    async def wait() -> None:
        await asyncio.wait([work])

    client.portal.call(wait)


def reviewed(client: TestClient, somebody: Browser, text: str = CLASSIC) -> str:
    """The address of a match whose review is kept."""
    link = handed_in(somebody, text)
    keep(client, link, written(text))
    return link


# --- Asking, waiting, keeping ---------------------------------------------------------------


def test_a_review_is_made_kept_and_shown_to_all_also_after_a_restart(tmp_path: Path) -> None:
    text = first_deal()
    with TestClient(review_app(tmp_path)) as client:
        anna = Browser(client)
        link = handed_in(anna, text)
        page = anna.get(link).text
        assert "Review this match" in page
        assert 'class="chart"' not in page
        assert anna.get(f"{link}/progress").json() == {"state": "none"}
        answer = anna.post(f"{link}/review")
        assert (answer.status_code, answer.headers["location"]) == (303, f"{link}#review")
        finish(client)
        assert anna.get(f"{link}/progress").json() == {"state": "done"}
        review = kept(client, link)
        assert review is not None
        assert read_review(json.loads(review)) == made(text)  # what `diloti review` says, too
        keep(client, link, review + " ")
        assert anna.post(f"{link}/review").status_code == 303
        assert anna.get(f"{link}/progress").json() == {"state": "done"}
        assert kept(client, link) == review + " "  # not made again
    with TestClient(review_app(tmp_path)) as client:
        page = Browser(client).get(link).text
        assert 'class="chart"' in page
        assert "Review this match" not in page


class Held:
    """Stands for the review of a match: judges a play whenever it is let."""

    def __init__(self) -> None:
        self.begun, self.steps, self.heard = threading.Event(), threading.Semaphore(0), 0
        self.trouble: Exception | None = None

    def __call__(self, match: Any, *, progress: Callable[[int, int], object], **_rest: Any) -> Any:
        self.begun.set()
        total = 48 * len(match.deals)
        for done in range(1, total + 1):
            self.steps.acquire()
            progress(done, total)
            self.heard = done
            if self.trouble is not None:
                raise self.trouble
        return made(CLASSIC)

    def let(self, plays: int) -> None:
        """Have so many more plays judged."""
        self.steps.release(plays)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held()
    monkeypatch.setattr(reviews, "review_match", held)
    yield held
    held.let(100_000)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for another thread; an error where what is waited for does not come."""
    for _ in range(6000):
        if is_so():
            return
        sleep(0.01)
    raise AssertionError("what is waited for does not come")


def judged_so_far(anna: Browser, link: str, wanted: int) -> dict[str, Any]:
    """What is said once so many plays have been judged."""
    told: dict[str, Any] = {}

    def has_come_so_far() -> bool:
        told.update(anna.get(f"{link}/progress").json())
        assert told["state"] == "running"
        return int(told["done"]) >= wanted

    wait_until(has_come_so_far)
    return told


def test_progress_is_said_and_others_wait(client: TestClient, anna: Browser, held: Held) -> None:
    first, second = handed_in(anna), handed_in(anna, FOUR)
    for link in (first, first, second):
        assert anna.post(f"{link}/review").status_code == 303
    held.begun.wait()
    held.let(60)
    assert judged_so_far(anna, first, 60) == {
        "state": "running",
        "told": "Deal 2 of 3 is being judged.",
        "done": 60,
        "total": 144,
    }
    page = anna.get(first).text
    assert f'max="144" value="60" data-from="{first}/progress"' in page
    assert "Deal 2 of 3 is being judged." in page
    waiting = anna.get(f"{second}/progress").json()
    assert (waiting["state"], waiting["told"]) == ("waiting", "1 other review comes first.")
    assert "1 other review comes first." in anna.get(second).text
    assert kept(client, first) is None
    held.let(100_000)
    finish(client)
    assert kept(client, first) == written(CLASSIC)


def test_no_more_than_some_are_waited_for(client: TestClient, anna: Browser, held: Held) -> None:
    links = [
        handed_in(anna, CLASSIC.replace("Seat 1: Boris", f"Seat 1: B{number}"))
        for number in range(reviews.MOST_ASKED + 1)
    ]
    answers = [anna.post(f"{link}/review") for link in links]
    assert [answer.status_code for answer in answers] == [303] * reviews.MOST_ASKED + [503]
    assert "Too many matches are being reviewed now" in answers[-1].text
    assert anna.post(f"{links[0]}/review").status_code == 303
    program = Program(client)
    refused = program.post(f"/matches/{links[-1].rpartition('/')[2]}/review")
    assert (refused.status_code, refused.json()["error"]) == (503, "busy")


def test_what_fails_is_said_logged_and_can_be_asked_for_again(
    client: TestClient, anna: Browser, held: Held, caplog: pytest.LogCaptureFixture
) -> None:
    link = handed_in(anna)
    held.trouble = RuntimeError("no")
    anna.post(f"{link}/review")
    held.let(1)
    finish(client)
    assert "a review could not be made" in caplog.messages
    assert anna.get(f"{link}/progress").json() == {"state": "failed"}
    page = plain(anna.get(link).text)
    assert "The review could not be made. You can ask for it again." in page
    held.trouble = None
    held.let(100_000)
    anna.post(f"{link}/review")
    finish(client)
    assert "could not be made" not in anna.get(link).text
    assert kept(client, link) == written(CLASSIC)


def test_the_end_of_the_server_ends_a_review(tmp_path: Path, held: Held) -> None:
    with TestClient(review_app(tmp_path)) as client:
        anna = Browser(client)
        link = handed_in(anna)
        anna.post(f"{link}/review")
        held.begun.wait()
        ending_reviews = client.app.state.reviews  # type: ignore[attr-defined]
        assert client.portal is not None
        ending = client.portal.start_task_soon(ending_reviews.close)
        wait_until(lambda: bool(ending_reviews._is_ending))
        held.let(1)
        ending.result()
        assert held.heard == 0
    with TestClient(review_app(tmp_path)) as client:
        assert "Review this match" in Browser(client).get(link).text


def test_whoever_asks_for_too_many_reviews_has_to_wait(tmp_path: Path) -> None:
    with TestClient(review_app(tmp_path, is_limited=True)) as client:
        anna = Browser(client)
        for path in ("/match/x/review", "/api/matches/x/review"):
            answers = [anna.post(path).status_code for _ in range(int(REVIEWS.burst) + 1)]
            assert answers[-1] == 429
        assert anna.get("/match/x/progress").status_code == 404


# --- What cannot be reviewed --------------------------------------------------------------


@pytest.mark.parametrize("name", ["none", "%00", "é", "x" * 300, "..%2f", "1/1"])
def test_what_is_not_there_is_not_reviewed(anna: Browser, name: str) -> None:
    assert anna.post(f"/match/{name}/review").status_code in (404, 405)
    assert anna.get(f"/match/{name}/progress").status_code == 404


def test_forms_that_are_not_ours_start_nothing(client: TestClient, anna: Browser) -> None:
    link = handed_in(anna)
    assert anna.post(f"{link}/review", token="0" * 32).status_code == 403
    data = {"form_token": anna.token}
    headers = {"origin": "https://elsewhere.example"}
    assert anna._ask("POST", f"{link}/review", data=data, headers=headers).status_code == 403
    assert anna.get(f"{link}/review").status_code == 404
    assert anna.get(f"{link}/progress").json() == {"state": "none"}


def test_a_match_without_a_whole_deal_says_so(client: TestClient, anna: Browser) -> None:
    link = str(anna.get(f"{ended(anna, Browser(client))}/match").headers["location"])
    page = anna.get(link).text
    assert "Only whole deals can be reviewed, and this match has none." in page
    assert "Review this match" not in page
    answer = anna.post(f"{link}/review")
    assert answer.status_code == 422
    assert "There is no whole deal to review" in answer.text


def test_a_match_that_is_too_long_says_so(
    anna: Browser, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = handed_in(anna)
    monkeypatch.setattr(reviews, "MOST_DEALS", 2)
    monkeypatch.setattr(match_pages, "MOST_DEALS", 2)
    page = anna.get(link).text
    assert "Matches of more than 2 deals are not reviewed here" in page
    assert "Review this match" not in page
    answer = anna.post(f"{link}/review")
    assert answer.status_code == 422
    assert "Matches of more than 2 deals" in answer.text
    keep(client, link, written(CLASSIC))
    assert 'class="chart"' in anna.get(link).text


def test_a_deal_without_its_end_is_not_reviewed_and_that_is_said(
    client: TestClient, anna: Browser
) -> None:
    text = first_deal(5)
    link = handed_in(anna, text)
    said = "The last deal was not played to its end; it is not reviewed."
    assert said in anna.get(link).text
    keep(client, link, written(text))
    assert said in anna.get(link).text
    page = anna.get(f"{link}/2/3").text
    assert "This deal was not played to its end; it is not reviewed." in page
    assert 'id="judged"' not in page
    assert 'id="grade"' in anna.get(f"{link}/1/3").text


def test_a_broken_review_is_ignored_with_a_line_in_the_log(
    client: TestClient, anna: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    link = handed_in(anna)
    fitting = json.loads(written(CLASSIC))
    strange = {**fitting, "winner": 1 - fitting["winner"]}
    for text in (
        "",
        "{",
        "[]",
        "[" * 100_000,
        json.dumps(strange),
        written(FOUR),
        written(first_deal()),
    ):
        caplog.clear()
        put(client, link, text)
        assert "Review this match" in anna.get(link).text
        assert anna.get(f"{link}/1/9").status_code == 200
        assert [
            one.getMessage()[:13] for one in caplog.records if "kept review" in one.message
        ] == ["a kept review"]
    anna.post(f"{link}/review")
    finish(client)
    assert kept(client, link) == written(CLASSIC)


# --- What is shown --------------------------------------------------------------------------


@pytest.mark.parametrize("text", [CLASSIC, FOUR])
def test_the_page_of_the_match_shows_the_whole_review(
    client: TestClient, anna: Browser, text: str
) -> None:
    link, review = reviewed(client, anna, text), made(text)
    page = anna.get(link).text
    assert page.count('<svg class="chart"') == 1
    assert re.search(r'<svg class="chart"[^>]* role="img" aria-label="[^"]+before the first', page)
    marked = page.count('class="slip ')
    assert marked == len(review.slips) > 0
    told = plain(page)
    for side in review.sides:
        for moment in (*side.best_moments, *side.worst_moments):
            assert f'href="{link}/{moment.deal + 1}/{moment.play + 1}"' in page
    for mark, counts in zip(MARKS, zip(*(side.marks for side in review.sides))):
        assert f"{MARK_SIGNS[mark]} " in told
        assert re.search(rf"{re.escape(MARK_SIGNS[mark])} \w[\w ]+ {counts[0]} {counts[1]} ", told)
    assert decimal(Words("en"), review.result, signed=True) in told
    assert told.count("Who played first") == len(review.deals) + 1
    for deal in review.deals:
        assert decimal(Words("en"), deal.result, signed=True) in told
    assert "up to 100 hands for a play" in told


@pytest.mark.parametrize("mark", MARKS)
def test_the_replay_shows_each_mark_by_sign_and_word(
    client: TestClient, anna: Browser, mark: str
) -> None:
    link, review = reviewed(client, anna), made(CLASSIC)
    deal, play, judged = next(
        (number, place, one)
        for number, whole in enumerate(review.deals, start=1)
        for place, one in enumerate(whole.plays, start=1)
        if one.mark == mark and one.is_decision
    )
    for language in LANGUAGES:
        words = words_for(language)
        page = anna.get(f"{link}/{deal}/{play}", **{"accept-language": language}).text
        grade = re.search(rf'<span id="grade" class="grade {mark}">(.*?)</span>', page, re.S)
        assert grade is not None
        assert f">{MARK_SIGNS[mark]}<" in grade[1]
        assert words.say(MARK_NAMES[mark]) in plain(grade[1])
        listed = page.partition('class="jump"')[2].partition("</details>")[0]
        assert re.findall(r'class="grade (\w+)"', listed) == [
            one.mark for one in review.deals[deal - 1].plays
        ]
        assert plain(listed).count(words.say(MARK_NAMES[mark])) >= 1
    part = anna.get(f"{link}/{deal}/{play}?part=judged").text
    told = plain(part)
    assert ("Better:" in told) == (judged.best != judged.play)
    offered = f'form="try" formaction="{link}/{deal}/{play - 1}/try"' in part
    assert offered == (mark in MARKS[2:])
    candidates = part.partition('class="candidates"')[2].partition("</table>")[0]
    assert candidates.count("<tr") == len(judged.candidates)
    assert candidates.count('class="chosen"') == 1
    assert "form_token" not in part


def test_from_a_mistake_to_the_next(client: TestClient, anna: Browser) -> None:
    link, review = reviewed(client, anna), made(CLASSIC)
    places = [
        Moment(number, place)
        for number, deal in enumerate(review.deals)
        for place, one in enumerate(deal.plays)
        if one.mark in ("mistake", "blunder")
    ]
    assert [one for _place, one in review.slips] == [review.play_at(place) for place in places]
    assert {place.deal for place in places} == {0, 1, 2}
    assert slips_around(review, 0, 0) == (None, places[0])
    for before, here, after in zip([None, *places], places, [*places[1:], None], strict=False):
        assert slips_around(review, here.deal, here.play + 1) == (before, after)
    assert slips_around(review, places[0].deal, places[0].play + 2)[0] == places[0]
    assert slips_around(review, places[0].deal, places[0].play)[1] == places[0]
    page = anna.get(f"{link}/3/48").text
    last = [place for place in places if place != Moment(2, 47)][-1]
    assert f'id="slip-back" href="{link}/{last.deal + 1}/{last.play + 1}"' in page
    first = anna.get(f"{link}/1").text
    assert 'id="slip-back" role="link" aria-disabled="true"' in first
    assert 'id="grade"' not in first


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [CLASSIC, FOUR])
def test_every_language_has_it_all(
    client: TestClient, anna: Browser, text: str, language: str
) -> None:
    link = reviewed(client, anna, text)
    for path in (link, f"{link}/1", f"{link}/2/30"):
        answer = anna.get(path, **{"accept-language": language})
        assert answer.status_code == 200
        assert "<script>" not in answer.text
        assert "style=" not in answer.text
        said = ("points lost", "Luck and skill", "hidden cards", "Better:", "Next mistake")
        if language != "en":
            assert not any(one in html.unescape(answer.text) for one in said)


def test_names_in_a_review_stay_text(client: TestClient, anna: Browser) -> None:
    text = CLASSIC.replace("Seat 1: Boris", "Seat 1: <img src=x>").replace("Άννα", '"><u>')
    link = handed_in(anna, text)
    keep(client, link, written(CLASSIC))
    for path in (link, f"{link}/1/44"):
        page = anna.get(path).text
        assert 'id="review"' in page or 'id="judged"' in page
        assert "<img" not in page
        assert '"><u>' not in page


# --- For programs -----------------------------------------------------------------------------


def test_programs_ask_for_a_review_and_read_it(client: TestClient, held: Held) -> None:
    program, other = Program(client), Program(client)
    validator = Draft202012Validator({"$ref": "#/components/schemas/Match", **DOCUMENT})
    match = program.post("/matches", record=CLASSIC).json()
    assert (match["review"], match["reviewing"]) == (None, None)
    path = f"/matches/{match['match']}"
    asked = program.post(f"{path}/review")
    validator.validate(asked.json())
    assert asked.status_code == 202
    assert asked.json()["reviewing"] == {"ahead": 0, "done": 0, "total": 144, "deals": 3}
    held.let(100_000)
    finish(client)
    seen = other.get(path).json()
    validator.validate(seen)
    assert read_review(seen["review"]) == made(CLASSIC)
    assert seen["reviewing"] is None
    again = other.post(f"{path}/review")
    assert (again.status_code, again.json()) == (200, seen)
    assert program.post("/matches", record=CLASSIC).json() == seen


def test_programs_hear_why_there_is_no_review(client: TestClient, anna: Browser) -> None:
    program = Program(client)
    assert program.post("/matches/none/review").status_code == 404
    link = str(anna.get(f"{ended(anna, Browser(client))}/match").headers["location"])
    refused = program.post(f"/matches/{link.rpartition('/')[2]}/review")
    assert (refused.status_code, refused.json()["message"]) == (
        422,
        "there is no whole deal to review",
    )
    assert client.post("/api/matches/none/review").status_code == 401
