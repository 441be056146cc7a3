"""The pages of the rules: whole HTML for every rule set, with an anchor for every rule."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from starlette.testclient import TestClient

from diloti.core import wire
from diloti.core.legality import RULE_OF
from diloti.core.rules import CLASSIC, RULE_SETS
from diloti.web.app import HEADERS
from diloti.web.rulebook import address_of
from diloti.words import LANGUAGES
from tests.strategies import random_rules
from tests.web_app import app_at

HEAVIEST = 20_000
"""Bytes of a page when it is compressed; it comes with what tables load anyway."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(app_at(tmp_path_factory.mktemp("rules"))) as client:
        yield client


class Reader(HTMLParser):
    """The ids and links of a page, and whether every element that was opened is closed."""

    EMPTY = frozenset({"meta", "link", "input", "br", "use", "path"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        details = dict(attrs)
        if name := details.get("id"):
            self.ids.append(name)
        if tag == "a":
            self.links.append(details.get("href") or "")
        if tag not in self.EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def read(page: str) -> Reader:
    """The page, with unique ids and no link to a place that it lacks."""
    reader = Reader(page)
    assert len(reader.ids) == len(set(reader.ids))
    inside = {link[1:] for link in reader.links if link.startswith("#")}
    assert inside <= set(reader.ids)
    return reader


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/rules", *(f"/rules/{base}" for base in RULE_SETS)])
def test_the_pages_are_whole_and_light(client: TestClient, path: str, language: str) -> None:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "style=" not in answer.text
    assert "<script" not in answer.text
    read(answer.text)
    assert len(gzip.compress(answer.content)) < HEAVIEST


def test_every_rule_set_has_a_page_with_an_anchor_for_every_refusal(client: TestClient) -> None:
    rng = random.Random(11)
    for turn in range(24):
        rules = wire.read_rules(random_rules(rng))
        language = rng.choice(list(LANGUAGES))
        answer = client.get(address_of(rules), headers={"accept-language": language})
        assert answer.status_code == 200, turn
        reader = read(answer.text)
        ids = set(reader.ids)
        without = {"R7.2"} if rules.raising == "never" else set()
        assert set(RULE_OF.values()) - ids == without
        assert "R8" in ids
        others = replace(rules, players=6 - rules.players, partners_show_card=False)
        if not rules.partners_show_card:
            assert address_of(others) in reader.links


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rasing=never", "there is no switch"),
        ("raising=sometimes", "raising can be"),
        ("target=0", "target must be"),
        ("target=61x", "target must be from 1 to 1000000, not"),
        ("players=3", "players can be"),
        ("families=perhaps", "families can be"),
        ("partners_show_card=true", "needs four players"),
        ("pack=3", "there is no switch"),
        ("<b>=1", "there is no switch"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_the_reason(
    client: TestClient,
    query: str,
    said: str,
) -> None:
    answer = client.get(f"/rules/classic?{query}")
    assert answer.status_code == 400
    assert said in answer.text.lower()
    assert "<b>=" not in answer.text


def test_an_address_tells_a_rule_set() -> None:
    assert address_of(CLASSIC) == "/rules/classic"
    house = replace(CLASSIC, players=4, families=False, partners_show_card=True)
    told = "players=4&families=false&partners_show_card=true"
    assert address_of(house) == f"/rules/classic?{told}"


def test_there_are_no_other_rule_sets(client: TestClient) -> None:
    assert client.get("/rules/chess").status_code == 404
    assert client.get("/rules/").text == client.get("/rules").text


def test_switches_in_the_address_change_the_page(client: TestClient) -> None:
    page = client.get("/rules/taverna?raising=never&target=101&families=").text
    assert "Taverna with house rules" in page
    assert "House rules here" in page
    assert "At this table declarations cannot be raised." in page
    assert "101" in page
    assert 'id="R14.10"' not in page
    assert "House rules here" not in client.get("/rules/taverna?players=2").text


def test_the_language_form_comes_back_to_the_same_rules(client: TestClient) -> None:
    page = client.get("/rules/taverna?raising=never&target=101").text
    assert 'name="back" value="/rules/taverna?raising=never&amp;target=101"' in page


def test_a_table_shows_its_own_rules_and_the_way_back(client: TestClient) -> None:
    token = re.search(r'name="form_token" value="(\w+)"', client.get("/new").text)
    assert token is not None
    form: dict[str, Any] = {"form_token": token[1], "rules": "classic", "players": "2"}
    changed = {"with": "here", "switch_raising": "anyone", "switch_target": "31"}
    answer = client.post("/new", data={**form, **changed}, follow_redirects=False)
    table = str(answer.headers["location"]).partition("?")[0]
    page = client.get(f"{table}/rules").text
    reader = read(page)
    assert table in reader.links
    assert "Classic with house rules" in page
    assert "Any declaration can be raised, even your own." in page
    assert f'name="back" value="{table}/rules"' in page
    assert not any(link.startswith("/rules/") for link in reader.links)


def test_the_overview_tells_all_differences(client: TestClient) -> None:
    page = client.get("/rules").text
    reader = read(page)
    assert page.count('<th scope="row">') == len(CLASSIC.changes("taverna"))
    known: dict[str, set[str]] = {}
    for link in reader.links:
        path, _hash, place = link.partition("#")
        if path.startswith("/rules/"):
            if path not in known:
                known[path] = set(read(client.get(path).text).ids)
            assert not place or place in known[path], link
    assert known


def test_pages_link_to_the_rules(client: TestClient) -> None:
    assert "/rules" in Reader(client.get("/").text).links


def test_the_macro_links_to_a_rule(client: TestClient) -> None:
    from diloti.web.render import _environment

    macros = _environment().get_template("rule.html").module
    usual = '<a class="rule" href="/rules/classic#R8.1">R8.1</a>'
    assert macros.rule("R8.1") == usual  # type: ignore[attr-defined]
    assert 'href="/table/x/rules#R1"' in macros.rule("R1", "/table/x/rules")  # type: ignore[attr-defined]
