"""Hints and the coach: against bots only, from the own view alone, also without script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from diloti.bots import choose
from diloti.core.rules import rules_from
from diloti.web.identity import COOKIE
from diloti.web.limits import HINTS, Limits
from diloti.web.room import Room, Seat
from diloti.web.room import Settings as RoomSettings
from diloti.words import LANGUAGES
from tests.aces import BAD, GOOD, pack_of_aces
from tests.thinking import INTERPRETED
from tests.web_app import app_at

pytestmark = pytest.mark.skipif(INTERPRETED, reason="thinks long interpreted")

ANNA, BORIS = "anna", "boris"
BOTS = (Seat(name="Anna", person=ANNA), Seat(bot="novice"))


def aces(*seats: Seat, twin: bool = False, target: int = 61) -> Room:
    """Anna leads with an ace in hand and two on the table; a twin has other hidden cards."""
    room = Room.lay(
        rules_from("classic", target=target), seats or BOTS, RoomSettings(), first_dealer=1
    )
    pack = pack_of_aces(twin=twin)
    room.match.deal_pack(pack, pack)
    return room


class Site:
    """A server, with Anna as its visitor."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        state: Any = client.app.state  # type: ignore[attr-defined]
        self.keeper, self.identity = state.keeper, state.identity
        self.be(ANNA)

    def be(self, person: str) -> None:
        self.client.cookies.clear()
        self.client.cookies.set(COOKIE, self.identity.sign(person))
        self.token = self.identity.form_token(person)
        self.program = {"authorization": f"Bearer {self.identity.sign(person)}"}

    def lay(self, room: Room) -> str:
        assert self.client.portal is not None
        return str(self.client.portal.call(self.keeper.add, room))

    def hint(self, name: str, *, number: int = 0, script: bool = True, lang: str = "en") -> Any:
        headers = {"accept-language": lang, **({"x-diloti": "1"} if script else {})}
        return self.client.get(
            f"/table/{name}/hint?number={number}", headers=headers, follow_redirects=False
        )

    def play(self, name: str, play: str, *, script: bool = True, **form: str) -> Any:
        data = {"form_token": self.token, "number": "0", "play": play, **form}
        headers = {"accept-language": "en", **({"x-diloti": "1"} if script else {})}
        return self.client.post(
            f"/table/{name}/play", data=data, headers=headers, follow_redirects=False
        )

    def room(self, name: str) -> Room:
        return self.keeper._entries[name].room


@pytest.fixture
def site(tmp_path: Any) -> Iterator[Site]:
    app = app_at(tmp_path)
    with TestClient(app) as client:
        yield Site(client)


def test_a_hint_says_what_and_why_and_what_else(site: Site) -> None:
    told = site.hint(site.lay(aces()))
    assert told.status_code == 200
    assert told.headers["cache-control"] == "no-store"
    assert f'name="play" value="{GOOD}"' in told.text
    assert "It brings you A♣ A♦ A♠: 3 points." in told.text
    assert told.text.count("<tr>") == 1 + 8
    assert re.search(r"<td>[+−]\d+\.\d</td>", told.text)
    assert "%" not in told.text


def test_near_the_target_a_hint_tells_the_chance(site: Site) -> None:
    told = site.hint(site.lay(aces(target=31))).text
    assert "Near the target the chance to win the match counts" in told
    assert re.search(r"<td>\d+%</td>", told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_in_every_language(site: Site, language: str) -> None:
    told = site.hint(site.lay(aces()), lang=language)
    assert GOOD in told.text


def test_without_script_a_hint_comes_with_the_table(site: Site) -> None:
    name = site.lay(aces())
    page = site.hint(name, script=False)
    assert page.status_code == 200
    assert 'id="board"' in page.text
    assert "It brings you A♣ A♦ A♠: 3 points." in page.text
    stale = site.hint(name, number=7, script=False)
    assert (stale.status_code, stale.headers["location"]) == (303, f"/table/{name}")


def test_a_hint_for_another_state_is_refused(site: Site) -> None:
    name = site.lay(aces())
    assert site.hint(name, number=1).status_code == 409
    assert site.play(name, GOOD).status_code == 204
    assert site.hint(name).status_code == 409


def test_a_hint_is_thought_about_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    thought = []

    def count(view: Any, bot: str, **details: Any) -> Any:
        thought.append(view)
        return choose(view, bot, **details)

    monkeypatch.setattr("diloti.teacher.advice.choose", count)
    name = site.lay(aces())
    texts = {site.hint(name).text for _ in range(5)}
    assert len(texts) == 1
    site.play(name, BAD, coach="yes")
    assert len(thought) == 1
    assert site.hint(site.lay(aces())).status_code == 200
    assert len(thought) == 2


def test_nobody_asks_for_hints_without_end() -> None:
    async def answer(_request: Request) -> Response:
        return Response()

    async def refuse(_request: Request, seconds: int) -> Response:
        return Response(str(seconds), 429)

    pages = [Route("/table/x/hint", answer), Route("/api/tables/x/hint", answer)]
    limited = Limits(Starlette(routes=pages), refuse, clock=lambda: 0.0)
    client = TestClient(limited)
    burst = int(HINTS.burst)
    assert {client.get("/table/x/hint").status_code for _ in range(burst)} == {200}
    assert client.get("/table/x/hint").text == "1"
    assert client.get("/api/tables/x/hint").status_code == 429


@pytest.mark.parametrize(
    "seats",
    [
        (BOTS[0], Seat(name="Boris", person=BORIS)),
        (BOTS[0], Seat(name="Boris", person=BORIS, bot="regular")),
        (BOTS[0], Seat(name="Boris", person=ANNA)),
    ],
    ids=["friend", "friend away", "shared screen"],
)
def test_with_friends_there_is_no_hint_and_no_coach(site: Site, seats: tuple[Seat, ...]) -> None:
    name = site.lay(aces(*seats))
    page = site.client.get(f"/table/{name}?seat=0").text
    assert "ask-hint" not in page
    assert 'id="coach"' not in page
    told = site.client.get(f"/table/{name}/hint?number=0&seat=0", headers={"x-diloti": "1"})
    assert told.status_code == 422
    assert GOOD not in told.text
    program = site.client.get(f"/api/tables/{name}/hint?seat=0", headers=site.program)
    assert program.status_code == 422
    assert site.play(name, BAD, coach="yes").status_code == 204


def test_onlookers_get_no_hint(site: Site) -> None:
    name = site.lay(aces())
    assert "ask-hint" in site.client.get(f"/table/{name}").text
    site.be(BORIS)
    assert "ask-hint" not in site.client.get(f"/table/{name}").text
    assert site.hint(name).status_code == 409
    answer = site.client.get(f"/api/tables/{name}/hint", headers=site.program)
    assert answer.status_code == 422


def test_the_coach_warns_and_changes_nothing(site: Site) -> None:
    name = site.lay(aces())
    warned = site.play(name, BAD, coach="yes")
    assert warned.status_code == 422
    assert re.search(r"This play loses about \d points\.", warned.text)
    assert "It brings you A♣ A♦ A♠: 3 points." in warned.text
    assert f'name="play" value="{GOOD}"' in warned.text
    assert f'type="hidden" name="play" value="{BAD}"' in warned.text
    assert site.room(name).number == 0
    page = site.play(name, BAD, coach="yes", script=False)
    assert page.status_code == 422
    assert 'id="board"' in page.text
    assert "Play it anyway" in page.text
    assert site.play(name, BAD, coach="yes", anyway="yes").status_code == 204
    assert site.room(name).number >= 1


def test_the_coach_lets_good_plays_pass(site: Site) -> None:
    assert site.play(site.lay(aces()), GOOD, coach="yes").status_code == 204
    assert site.play(site.lay(aces()), GOOD, coach="yes", script=False).status_code == 303


def test_the_coach_leaves_the_rules_to_the_table(site: Site) -> None:
    name = site.lay(aces())
    assert "R3.1" in site.play(name, "5c", coach="yes").text
    assert site.play(name, "??", coach="yes").status_code == 422
    assert site.play(name, BAD, coach="yes", number="3").status_code == 409


def test_other_hidden_cards_change_no_byte(site: Site) -> None:
    names = [site.lay(aces(twin=twin)) for twin in (False, True)]
    rooms = [site.room(name) for name in names]
    assert rooms[0].view(0) == rooms[1].view(0)
    assert rooms[0].match.position.hands[1] != rooms[1].match.position.hands[1]
    for ask in (
        lambda name: site.hint(name),
        lambda name: site.hint(name, script=False),
        lambda name: site.play(name, BAD, coach="yes"),
        lambda name: site.play(name, BAD, coach="yes", script=False),
        lambda name: site.play(name, "5c"),
        lambda name: site.client.get(f"/api/tables/{name}/hint", headers=site.program),
    ):
        one, other = (ask(name).text.replace(name, "table") for name in names)
        assert one == other


def test_a_program_gets_the_same_hint(site: Site) -> None:
    name = site.lay(aces())
    hint = site.client.get(f"/api/tables/{name}/hint", headers=site.program).json()
    assert hint["play"] == hint["options"][0]["play"] == GOOD
    assert hint["number"] == 0
    assert not hint["by_chance"]
    assert "It brings you A♣ A♦ A♠: 3 points." in hint["motives"]
    assert len(hint["options"]) == 8
    site.play(name, GOOD)
    late = site.client.get(f"/api/tables/{name}/hint", headers=site.program)
    assert late.status_code in (200, 422)  # the bot may have played meanwhile


def test_a_program_hears_what_is_legal_instead(site: Site) -> None:
    name = site.lay(aces())
    wanted = {"number": 0, "command": "play", "play": "AcxTd"}
    told = site.client.post(
        f"/api/tables/{name}/commands", json=wanted, headers=site.program
    ).json()
    assert told["rule"] == "R5.1"
    assert told["instead"] == ["AcxAd", "AcxAs", "AcxAdAs"]
    found = site.client.post(
        f"/api/tables/{name}/fits",
        json={"number": 0, "card": "Qd", "loose": ["Kc"]},
        headers=site.program,
    ).json()
    assert (found["rule"], found["instead"]) == ("R5.7", ["Qd"])
