"""The pages of the lessons, asked as a browser, a program or a stranger would."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from diloti.teacher.lessons import PLACES, step_at
from diloti.teacher.progress import Progress, format_progress, parse_progress
from diloti.teacher.steps import Question
from diloti.web.learn import link_to
from diloti.web.requests import PROGRESS_COOKIE
from diloti.words import LANGUAGES, Words
from tests.test_web_pages import Browser, hand_of
from tests.web_app import app_at

FIRST = "/learn/values/1"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("learn")
    app = app_at(folder)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def anna(client: TestClient) -> Browser:
    return Browser(client)


def progress_of(browser: Browser) -> Progress:
    return parse_progress(browser.cookies.get(PROGRESS_COOKIE, "").strip('"'))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_shown_in_every_language(anna: Browser, language: str) -> None:
    words = Words(language)
    for place in PLACES:
        page = anna.get(link_to(place), **{"accept-language": language})
        assert page.status_code == 200
        text = page.text.replace("&#39;", "'")
        for sentence in (step_at(place).text, step_at(place).task, step_at(place).hint):
            assert words.say(sentence) in text


def test_forms_alone_lead_through_the_whole_course(anna: Browser) -> None:
    for place in PLACES:
        step = step_at(place)
        if isinstance(step, Question):
            right = next(n for n, answer in enumerate(step.answers, 1) if answer.is_right)
            form: dict[str, Any] = {"answer": str(right)}
        else:
            form = {"play": step.solutions[-1]}
        answer = anna.post(link_to(place), **form)
        assert answer.status_code == 303
        page = anna.get(answer.headers["location"]).text
        found = re.search(r'id="next" href="([^"]+)"', page)
        assert found is not None
        following = PLACES.index(place) + 1
        assert found[1] == (
            link_to(PLACES[following]) if following < len(PLACES) else "/learn/done"
        )
        assert f'#{step.rule}"' in page
    assert progress_of(anna).is_complete
    assert anna.get("/learn").text.count("✓") == len({key for key, _number in PLACES})
    assert 'name="level" value="novice"' in anna.get("/learn/done").text


def test_a_wrong_play_is_explained_and_counts_for_nothing(anna: Browser) -> None:
    answer = anna.post(FIRST, play="6h")
    page = anna.get(answer.headers["location"]).text
    assert "That only lays your six" in page
    assert hand_of(page) == ["2d", "6h", "Kc"]
    assert progress_of(anna).is_empty
    refused = anna.get(anna.post("/learn/courts/1", play="Js").headers["location"]).text
    assert "may not be laid beside it." in refused
    assert "#R5.8" in refused


def test_our_script_gets_the_board_or_the_reason(anna: Browser) -> None:
    wrong = anna.post(FIRST, play="6h", script=True)
    assert wrong.status_code == 422
    assert 'role="alert"' in wrong.text
    right = anna.post(FIRST, play="6hx6d", script=True)
    assert right.status_code == 200
    assert right.text.lstrip().startswith('<section id="board"')
    assert progress_of(anna).solved == {("values", 1)}
    wrong = anna.post("/learn/counting/2", answer="1", script=True)
    assert wrong.status_code == 422
    assert anna.post("/learn/counting/2", answer="3", script=True).status_code == 200


def test_a_selection_is_offered_its_plays_with_and_without_script(anna: Browser) -> None:
    offered = anna.get("/learn/groups/1/choices?card=6h").text
    assert 'value="6hx2c4s6d"' in offered
    refused = anna.get("/learn/owning/1/choices?card=8c&loose=8d").text
    assert '#R8.4"' in refused
    answer = anna.post("/learn/declaring/2", look="yes", card="8d", pile="0", play="8d")
    assert answer.status_code == 303
    page = anna.get(answer.headers["location"]).text
    assert 'value="8dx[3c5h]"' in page


@pytest.mark.parametrize(
    ("place", "asked", "selected"),
    [
        ("courts/1", "play=Js", ["Js"]),
        ("courts/1", "play=JsxJh", []),
        ("owning/1", "card=8c&loose=8d", ["8d", "8c"]),
        ("declaring/2", "play=Qsx%5B3c5h%5D", ["0", "Qs"]),
        ("counting/2", "answer=3", []),
    ],
)
def test_a_rule_leads_back_to_the_step_as_it_was(
    anna: Browser, place: str, asked: str, selected: list[str]
) -> None:
    address = f"/learn/{place}?{asked}"
    page = anna.get(address).text
    checked = re.findall(r'value="(\w+)" id="[^"]+" checked', page)
    assert checked == selected
    links = re.findall(r'class="rule" href="([^"#]+)#', page)
    assert links
    for link in links:
        rules = anna.get(html.unescape(link)).text
        back = re.search(r'<a class="button" href="([^"]+)">Back to the lesson</a>', rules)
        assert back is not None
        assert html.unescape(back[1]) == address


@pytest.mark.parametrize(
    "lesson",
    ["https://elsewhere.example", "//x", "/learn/x/1?<b>", "/table/x", "/learn/values/1/x"],
)
def test_rules_lead_back_to_lessons_only(anna: Browser, lesson: str) -> None:
    answer = anna.get(f"/rules/classic?lesson={quote(lesson)}")
    assert answer.status_code == 200
    assert "Back to the lesson" not in answer.text
    assert 'class="ways return"' not in answer.text


def test_the_way_goes_on_where_one_was(anna: Browser) -> None:
    assert f'class="button go" href="{FIRST}"' in anna.get("/learn").text
    anna.post("/learn/raising/1", play="4s^[2d3c]=9")
    assert 'class="button go" href="/learn/raising/2"' in anna.get("/learn").text
    assert "Go on learning" in anna.get("/").text
    everything = Progress(frozenset(PLACES), PLACES[-1])
    anna.cookies[PROGRESS_COOKIE] = quote(format_progress(everything))
    page = anna.get("/learn").text
    assert "Go on" not in page
    assert "Play a match against the novice" in page


def test_the_start_invites_whoever_is_new(anna: Browser) -> None:
    assert "Never played before?" in anna.get("/").text
    anna.play_now()
    page = anna.get("/").text
    assert "Never played before?" not in page
    assert 'href="/learn">Learn to play</a>' in page


@pytest.mark.parametrize("cookie", ["x", "values-", "%", "%FF", "at-values-1", "a" * 3000, '"'])
def test_a_cookie_of_nonsense_does_no_harm(anna: Browser, cookie: str) -> None:
    anna.cookies[PROGRESS_COOKIE] = cookie
    for path in ("/", "/learn", FIRST, "/learn/done"):
        assert anna.get(path).status_code == 200
    anna.post(FIRST, play="6hx6d")
    assert progress_of(anna).solved == {("values", 1)}


def test_what_is_not_there_or_cannot_be_is_no_trouble(anna: Browser) -> None:
    for path in (
        "/learn/values/4",
        "/learn/values/0",
        "/learn/nowhere/1",
        "/learn/values/x",
        "/learn/values/" + "9" * 5000,
    ):
        assert anna.get(path).status_code == 404
    assert anna.get("/learn/values/4/choices?card=6h").status_code == 404
    assert anna.get("/learn/counting/2/choices?card=6h").status_code == 404
    assert anna.post(FIRST, token="0", play="6hx6d").status_code == 403
    assert anna.post(FIRST, play="nonsense", script=True).status_code == 400
    assert anna.post(FIRST, play="nonsense").status_code == 303
    for query in ("play=<script>", "card=<b>", "card=Ac", "card=6h&pile=7", "card=6h&loose=Ks"):
        answer = anna.get(f"{FIRST}?{query}")
        assert answer.status_code < 500
        assert "<script>" not in answer.text
    for wrong in ("0", "9", "x", "²", ""):
        assert anna.post("/learn/counting/2", answer=wrong, script=True).status_code == 400
    assert progress_of(anna).is_empty
