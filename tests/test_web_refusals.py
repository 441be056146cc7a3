"""Every reason why a play is refused, as a browser meets it, in each language with its rule."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from diloti.core.cards import cards_in
from diloti.core.legality import RULE_OF, Refusal, refusal_of
from diloti.core.notation import format_card, parse_card, parse_play
from diloti.core.position import Position
from diloti.core.selection import Selection, why_not
from diloti.web.identity import COOKIE
from diloti.web.room import Room, Seat
from diloti.web.room import Settings as RoomSettings
from diloti.words import LANGUAGES, Words
from tests.setting import PileText, position
from tests.web_app import app_at

ANNA = "anna"
NOT_FROM_A_PAGE = {
    Refusal.NONE: "a play that is allowed",
    Refusal.DEAL_OVER: "nobody is in turn then, so the table refuses before the rules are asked",
    Refusal.CAPTURE_OF_NOTHING: "no text writes it, and a card selected alone means laying it",
    Refusal.DECLARE_ON_NOTHING: "no text writes it, and a card selected alone means laying it",
}
"""The refusals that no page can cause, and why."""


@dataclass(frozen=True)
class Case:
    """A play that is refused, and whether what it uses, selected on the page, is read as it."""

    refusal: Refusal
    play: str
    hand: str
    loose: str = ""
    piles: tuple[PileText, ...] = ()
    is_selected: bool = True
    rules: dict[str, Any] = field(default_factory=dict)

    @property
    def position(self) -> Position:
        return position(self.hand, self.loose, piles=self.piles, **self.rules)


EIGHT, OWN_EIGHT, NINE = (1, 8, "3d5s"), (0, 8, "3d5s"), (1, 9, "4c5c")
CASES = [
    Case(Refusal.NOT_IN_HAND, "5c", "6h", "4s", is_selected=False),
    Case(Refusal.NOT_LOOSE, "6hx2d4s", "6h2c", "4s", is_selected=False),
    Case(Refusal.NO_SUCH_PILE, "6hx[2d4s]", "6h2c", "2d4s", is_selected=False),
    Case(Refusal.TRAIL_WHILE_OWNING, "2d", "8c2d", piles=(OWN_EIGHT,)),
    Case(Refusal.TRAIL_BESIDE_COURT, "Js", "JsKc", "Jh"),
    Case(Refusal.TRAIL_WHEN_FORCED, "5h", "5hKc", "5c", rules={"forced_capture": True}),
    Case(Refusal.NUMERAL_ON_COURT, "6hxKc", "6h", "Kc"),
    Case(Refusal.SUMS_MISS, "9hx5h8c", "9h", "5h8c"),
    Case(Refusal.PILE_OF_OTHER_VALUE, "9hx[3d5s]", "9h", piles=(EIGHT,), is_selected=False),
    Case(Refusal.NOT_ALL_EQUAL, "6hx6c", "6h", "6c6d", rules={"equal_cards": "all"}),
    Case(Refusal.MORE_THAN_ONE_GROUP, "6hx2c4s5dAc", "6h", "2c4s5dAc", rules={"base": "taverna"}),
    Case(Refusal.COURT_ON_OTHERS, "JsxKd", "Js", "Kd"),
    Case(Refusal.COURT_TAKES_ONE, "JsxJdJh", "Js", "JdJh"),
    Case(Refusal.COURT_TAKES_ALL, "JsxJd", "Js", "JdJh", rules={"court_capture": "all"}),
    Case(
        Refusal.COURT_TAKES_ONE_OR_THREE,
        "JsxJcJd",
        "Js",
        "JcJdJh",
        rules={"court_capture": "three_take_three"},
    ),
    Case(Refusal.LAST_CARD_FOR_PILE, "8cx8d", "8c2d9h", "8d", (OWN_EIGHT,)),
    Case(Refusal.DECLARE_WITH_COURT, "Js+5h=8", "Js8c", "5h", is_selected=False),
    Case(Refusal.DECLARE_ON_COURT, "3c+Kd=8", "3c8c", "Kd", is_selected=False),
    Case(Refusal.DECLARE_TOO_HIGH, "9h+5h=14", "9h8c", "5h", is_selected=False),
    Case(Refusal.DECLARE_SUMS_MISS, "3c+8c[3d5s]=8", "3c8d", "8c", (EIGHT,)),
    Case(Refusal.DECLARE_ON_OTHER_PILE, "3c+5h[3d5s][4c5c]=8", "3c8d", "5h", (EIGHT, NINE)),
    Case(
        Refusal.DECLARE_FAMILY_OFF,
        "4c+4h=4",
        "4c4d",
        "4h",
        rules={"families": False},
        is_selected=False,
    ),
    Case(Refusal.DECLARE_WITHOUT_CARD, "3c+5h=8", "3c9d", "5h"),
    Case(Refusal.DECLARE_WHILE_OWNING, "2d+3c=5", "8c2d5d", "3c", (OWN_EIGHT,)),
    Case(Refusal.RAISE_WITH_COURT, "Js^[3d5s]=9", "Js9c", piles=(EIGHT,), is_selected=False),
    Case(Refusal.RAISE_OF_FAMILY, "4s^[2c3d5s]=9", "4s9d", piles=((1, 5, "2c3d,5s"),)),
    Case(Refusal.RAISE_TOO_HIGH, "9h^[3d5s]=17", "9hKc", piles=(EIGHT,)),
    Case(Refusal.RAISE_SUM_WRONG, "Ah^[3d5s]=10", "AhTc", piles=(EIGHT,), is_selected=False),
    Case(Refusal.RAISE_OF_MANY, "Ah^2c[3d5s]=9", "Ah9c", "2c", piles=(EIGHT,), is_selected=False),
    Case(Refusal.RAISE_WITHOUT_CARD, "Ah^[3d5s]=9", "AhTc", piles=(EIGHT,)),
    Case(Refusal.RAISE_OFF, "Ah^[3d5s]=9", "Ah9c", piles=(EIGHT,), rules={"raising": "never"}),
    Case(Refusal.RAISE_OF_OWN, "Ah^[3d5s]=9", "Ah9c8c", piles=(OWN_EIGHT,)),
    Case(
        Refusal.RAISE_OF_PARTNER,
        "Ah^[3d5s]=9",
        "Ah9c",
        piles=((2, 8, "3d5s"),),
        rules={"players": 4},
    ),
    Case(Refusal.RAISE_WHILE_OWNING, "Ah^[3d5s]=9", "Ah5h9d", piles=(EIGHT, (0, 5, "2c3c"))),
]
SHOWN: dict[Refusal, tuple[dict[str, Any], str]] = {
    Refusal.SHOW_OFF: ({"players": 4, "plays": 0}, "6h"),
    Refusal.SHOW_TOO_LATE: ({"players": 4, "partners_show_card": True}, "6h"),
    Refusal.SHOW_NOT_IN_HAND: ({"players": 4, "partners_show_card": True, "plays": 0}, "7h"),
    Refusal.SHOW_TWICE: ({"players": 4, "partners_show_card": True, "plays": 0}, "6h"),
}
"""Cards that may not be shown, and where (R2.7)."""


class Table:
    """A server with tables at which Anna is in turn, everybody else being a bot."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        identity = client.app.state.identity  # type: ignore[attr-defined]
        client.cookies.set(COOKIE, identity.sign(ANNA))
        self.token = identity.form_token(ANNA)

    def lay(self, here: Position) -> str:
        """The address of a new table whose deal stands there."""
        seats = [Seat(name="Anna", person=ANNA)]
        seats += [Seat(bot="novice") for _ in range(here.rules.players - 1)]
        room = Room.lay(here.rules, seats, RoomSettings(), first_dealer=here.dealer)
        room.match.deal_seed(bytes(32))
        room.match.deals[-1].position = here
        keeper = self.client.app.state.keeper  # type: ignore[attr-defined]
        assert self.client.portal is not None
        return f"/table/{self.client.portal.call(keeper.add, room)}"

    def send(self, path: str, language: str, *, script: bool = True, **form: str) -> Any:
        headers = {"accept-language": language, **({"x-diloti": "1"} if script else {})}
        form = {"form_token": self.token, "number": "0", **form}
        return self.client.post(path, data=form, headers=headers)

    def select(self, path: str, case: Case, language: str) -> Any:
        play, here = parse_play(case.play), case.position
        piles = [place for place, pile in enumerate(here.piles) if pile.cards in play.piles]
        return self.client.get(
            f"{path}/choices",
            params={
                "number": "0",
                "card": format_card(play.card),
                "loose": [*map(format_card, cards_in(play.loose))],
                "pile": [str(place) for place in piles],
            },
            headers={"accept-language": language},
        )


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder: Path = tmp_path_factory.mktemp("refusals")
    app = app_at(folder)
    with TestClient(app) as client:
        yield Table(client)


def lower(text: str) -> str:
    return html.unescape(text).casefold()


def check_told(told: str, path: str, refusal: Refusal, sentence: str) -> None:
    """The sentence is there, and a link to the rule at this table."""
    assert sentence.casefold() in lower(told)
    rule = RULE_OF[refusal]
    assert f'<a class="rule" href="{path}/rules#{rule}">{rule}</a>' in told
    assert told.count('class="rule"') == 1


def instead(told: str) -> list[str]:
    group = re.search(r'<p class="small">[^<]*</p>\s*<div class="offers".*?</div>', told, re.S)
    return re.findall(r'name="play" value="([^"]*)"', group[0]) if group else []


def check_instead(told: str, here: Position) -> None:
    """What is offered instead is legal."""
    plays = [*map(parse_play, instead(told))]
    assert len(plays) == len({*plays}) <= 3
    assert not any(refusal_of(here, play) for play in plays)


def test_every_refusal_has_its_case() -> None:
    met = [case.refusal for case in CASES]
    assert len(met) == len({*met})
    assert {*met, *SHOWN, *NOT_FROM_A_PAGE} == {*Refusal}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.refusal.name.lower())
def test_a_play_is_refused_with_its_sentence_and_rule(table: Table, case: Case) -> None:
    here, play = case.position, parse_play(case.play)
    assert refusal_of(here, play) == case.refusal
    path = table.lay(here)
    for language in LANGUAGES:
        sentence = Words(language).refusal(case.refusal, here, play)
        answer = table.send(f"{path}/play", language, play=case.play)
        assert answer.status_code == 422
        check_told(answer.text, path, case.refusal, sentence)
        check_instead(answer.text, here)
        assert instead(answer.text)
        whole = table.send(f"{path}/play", language, script=False, play=case.play)
        assert whole.status_code == 422
        assert 'id="board"' in whole.text
        check_told(whole.text, path, case.refusal, sentence)
        if case.is_selected:
            answer = table.select(path, case, language)
            assert answer.status_code == 200
            check_told(answer.text, path, case.refusal, sentence)
            check_instead(answer.text, here)
            assert "<button" in answer.text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.refusal.name.lower())
def test_what_is_selected_is_read_as_the_case_says(case: Case) -> None:
    play = parse_play(case.play)
    here = case.position
    is_there = here.hands[0] >> play.card & 1 and not play.loose & ~here.loose
    if not is_there or not {*play.piles} <= {pile.cards for pile in here.piles}:
        assert not case.is_selected  # what is not there nobody can point at
        return
    _meant, refusal = why_not(here, Selection(play.card, play.loose, play.piles))
    assert (refusal == case.refusal) == case.is_selected


@pytest.mark.parametrize("refusal", SHOWN)
def test_a_card_that_may_not_be_shown(table: Table, refusal: Refusal) -> None:
    details, card = SHOWN[refusal]
    here = position("6hKc", "4s", **details)
    if refusal == Refusal.SHOW_TWICE:
        here = here.replaced(shown=(parse_card("Kc"), None, None, None))
    path = table.lay(here)
    for language in LANGUAGES:
        answer = table.send(f"{path}/show", language, card=card)
        assert answer.status_code == 422
        sentence = Words(language).refusal(refusal, here, parse_play(card))
        check_told(answer.text, path, refusal, sentence)
        assert not instead(answer.text)
