"""The table in real browsers in every phase: disturbed, by four, at one screen, read aloud."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, expect

from diloti.bots import choose
from diloti.core.match import Match
from diloti.core.notation import parse_play
from diloti.core.shuffle import SEED_SIZE
from diloti.web.room import COUNTING, OVER, PLAYING, WAITING, Room
from diloti.words import LANGUAGES, Words
from diloti.words.telling import tell_play
from tests.thinking import INTERPRETED
from tests.web_browser import (
    OpenPage,
    hand,
    in_turn,
    play_something,
    rearrange,
    sit_down,
    table_for_two,
    table_of,
)
from tests.web_server import Server, needs_chromium
from tests.wire import Wire

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(INTERPRETED, reason="a server that thinks takes long interpreted"),
]

READY = "#sheet button.go"
"""Where the next deal or another match is asked for."""
SEEN = """() => {
  const board = document.getElementById("board");
  const all = (selector) => [...board.querySelectorAll(selector)];
  return {
    ...board.dataset,
    score: board.querySelector(".score").textContent,
    sheet: all(".sheet").map((one) => one.textContent),
    invitation: all("#invitation").map((one) => one.value),
    cards: all(".card[data-card]").map((one) => one.dataset.card),
    hand: all(".hand input").map((one) => one.value),
    plays: all(".plays li").map((one) => one.textContent),
    players: all(".player").map((one) => one.textContent),
    choices: all("#choices button").map((one) => one.value),
  };
}"""


# --- What happens at a table while the server is down -----------------------------------


def seed_of(number: int) -> bytes:
    return number.to_bytes(SEED_SIZE, "big")


def play_on(room: Room, until: Callable[[Room], bool]) -> None:
    """Plays of the bot "greedy", deal after deal, until something is so."""
    while not until(room):
        if room.phase == COUNTING:
            room.deal(lambda: seed_of(len(room.match.deals)))
        else:
            assert room.turn is not None
            room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)


def is_last_hand(room: Room) -> bool:
    return room.match.position.turn is not None and room.match.view(0).is_last_hand


def is_last_play(room: Room) -> bool:
    return is_last_hand(room) and sum(room.match.view(0).hand_sizes) == 1


def is_counted(room: Room) -> bool:
    return room.phase == COUNTING


def is_over(room: Room) -> bool:
    return room.phase == OVER


def move_on(server: Server, pages: Sequence[Page], change: Callable[[Room], object]) -> Room:
    """Change the table of these pages as if it had been played there."""
    server.kill()
    room = rearrange(server, table_of(pages[0]), change)
    server.start()
    for page in pages:
        page.reload()
    return room


# --- What people do ---------------------------------------------------------------------


def play_in_turn(pages: Sequence[Page]) -> None:
    """One play of whoever is in turn, which all pages come to see."""
    page = in_turn(pages)
    played = int(page.get_attribute("#board", "data-played") or 0)
    play_something(page)
    for one in pages:
        one.wait_for_selector(f"#board[data-played='{played + 1}']")
    one_in_turn(pages)


def one_in_turn(pages: Sequence[Page]) -> None:
    assert sum(bool(page.query_selector("#board[data-my-turn]")) for page in pages) == 1


def press_ready(page: Page, pages: Sequence[Page]) -> None:
    """Ask for the next deal or another match, which all pages come to know of."""
    number = page.get_attribute("#board", "data-number")
    page.click(READY)
    for one in pages:
        one.wait_for_selector(f"#board:not([data-number='{number}'])")


def go_on(pages: Sequence[Page]) -> None:
    """What comes next: a play, or a new deal as soon as all are ready for it."""
    for page in pages:
        if page.query_selector(READY):
            press_ready(page, pages)
    for page in pages:
        page.wait_for_selector(f"#board[data-phase='{PLAYING}']")
    play_in_turn(pages)


# --- Disturbances in all phases ---------------------------------------------------------


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    with Wire(server) as wire:
        yield wire


def lose_the_network(page: Page, wire: Wire) -> None:
    page.context.set_offline(True)
    wire.cut()
    page.wait_for_selector("#offline", state="visible")


def find_the_network(page: Page) -> None:
    page.context.set_offline(False)
    page.wait_for_selector("#offline", state="hidden")


class Scene:
    """A table in some phase: Anna's page, which is disturbed, and Boris's."""

    def __init__(self, phase: str, open_page: OpenPage, server: Server, wire: Wire) -> None:
        self.phase, self.server, self.wire = phase, server, wire
        self.anna, self.boris = open_page(wire.address + "new"), open_page()
        self.anna.fill("input[name=name]", "Anna")
        self.anna.click("button.go")
        self.anna.wait_for_selector("#invitation")
        self.anna.wait_for_load_state()
        self.pages = [self.anna]
        """The pages that show the table."""
        if phase == "waiting":
            return
        self.sit_down_boris()
        for page in self.pages:
            page.wait_for_selector(f"#board[data-phase='{PLAYING}']")
        for _ in range(3):
            play_in_turn(self.pages)
        if (phase == "own turn") != (in_turn(self.pages) is self.anna):
            play_in_turn(self.pages)
        if phase in LATE:
            move_on(server, self.pages, lambda room: play_on(room, LATE[phase]))
        if phase == "one is ready":
            press_ready(self.anna, self.pages)
            expect(self.anna.locator("#sheet")).to_contain_text("Waiting for the others.")

    def sit_down_boris(self) -> None:
        invitation = self.anna.input_value("#invitation")
        sit_down(self.boris, invitation.removeprefix(self.wire.address), "Boris")
        self.pages.append(self.boris)

    def seen(self) -> list[dict[str, Any]]:
        """What these pages show, the plays with the first card of the hand among it."""
        for page in self.pages:
            if page.query_selector("#board[data-my-turn]"):
                page.click(".hand label >> nth=0")
                page.wait_for_selector("#choices .offers button, #choices .refusal")
        return [page.evaluate(SEEN) for page in self.pages]

    def act_elsewhere(self) -> None:
        """What Boris can do in this phase, if anything."""
        if self.phase == "waiting":
            self.sit_down_boris()
        elif self.boris.query_selector(READY):
            press_ready(self.boris, [self.boris])
        elif self.boris.query_selector("#board[data-my-turn]"):
            play_something(self.boris)

    def end(self) -> None:
        """Both go on."""
        if self.boris not in self.pages:
            self.sit_down_boris()
        self.anna.wait_for_selector(f"#board:not([data-phase='{WAITING}'])")
        go_on(self.pages)


LATE: dict[str, Callable[[Room], bool]] = {
    "last hand": lambda room: is_last_hand(room) and room.turn == 1,
    "sheet": is_counted,
    "one is ready": is_counted,
    "over": is_over,
}
PHASES = ("waiting", "own turn", "other's turn", *LATE)


def reload_page(scene: Scene) -> None:
    before = scene.seen()
    for page in scene.pages:
        page.reload()
    assert scene.seen() == before


def lose_network(scene: Scene) -> None:
    """A page shows all that has happened meanwhile, without being loaded again."""
    anna, boris = scene.anna, scene.boris
    before = scene.seen()[0]
    lose_the_network(anna, scene.wire)
    scene.act_elsewhere()
    assert anna.evaluate(SEEN) == before
    find_the_network(anna)
    if scene.phase == "own turn":
        assert scene.seen()[0] == before
    else:
        number = boris.get_attribute("#board", "data-number")
        assert number != before["number"]
        anna.wait_for_selector(f"#board[data-number='{number}']")


def kill_server(scene: Scene) -> None:
    before = scene.seen()
    scene.server.kill()
    for page in scene.pages:
        page.wait_for_selector("#offline", state="visible")
    scene.server.start()
    for page in scene.pages:
        page.wait_for_selector("#offline", state="hidden")
    assert scene.seen() == before
    reload_page(scene)


DISTURBANCES = (reload_page, lose_network, kill_server)
SAMPLES = {("one is ready", lose_network), ("waiting", reload_page)}


@pytest.mark.parametrize(
    ("phase", "disturb"),
    [
        pytest.param(
            phase,
            disturb,
            id=f"{phase}, {disturb.__name__}",
            marks=() if (phase, disturb) in SAMPLES else pytest.mark.proof,
        )
        for phase in PHASES
        for disturb in DISTURBANCES
    ],
)
def test_a_disturbed_page_shows_the_same_and_both_go_on(
    phase: str,
    disturb: Callable[[Scene], None],
    open_page: OpenPage,
    server: Server,
    wire: Wire,
) -> None:
    scene = Scene(phase, open_page, server, wire)
    disturb(scene)
    scene.end()


def test_a_card_chosen_without_network_has_its_plays_afterwards(
    open_page: OpenPage, server: Server, wire: Wire
) -> None:
    page = Scene("own turn", open_page, server, wire).anna
    lose_the_network(page, wire)
    page.click(".hand label >> nth=0")
    expect(page.locator("#choices .offers")).to_have_count(0)
    find_the_network(page)
    page.wait_for_selector("#choices .offers button, #choices .refusal")


# --- The course of a match ----------------------------------------------------------------


def test_the_last_card_of_a_deal_brings_the_sheet(open_page: OpenPage, server: Server) -> None:
    pages = table_for_two(open_page)
    move_on(server, pages, lambda room: play_on(room, is_last_play))
    last = in_turn(pages)
    assert len(hand(last)) == 1
    play_something(last)
    for page in pages:
        expect(page.locator("#sheet")).to_contain_text("Deal 1")
        expect(page.locator(READY)).to_have_text("Next deal")
        assert hand(page) == []


def test_both_may_press_at_once(open_page: OpenPage, server: Server) -> None:
    """Whoever is a moment later has pressed, too."""
    anna, boris = pages = table_for_two(open_page)
    move_on(server, pages, lambda room: play_on(room, is_counted))

    def after_anna(route: Route) -> None:
        press_ready(anna, [anna])
        route.continue_()

    boris.route("**/ready", after_anna, times=1)
    boris.click(READY)
    for page in pages:
        page.wait_for_selector("#board[data-deal='2'][data-phase='playing']")


def level(room: Room) -> None:
    """Two deals that bring both sides 21 points, where 21 win."""
    assert room.rules.target == 21
    room.match = Match(room.rules, first_dealer=0)
    room.seats = [replace(seat, is_ready=False) for seat in room.seats]
    for number in (126, 127):
        room.match.deal_seed(seed_of(number))
        play_on(room, lambda room: room.phase != PLAYING)
    assert room.match.scores == (21, 21)


def test_level_at_the_target_another_deal_follows_and_then_another_match(
    open_page: OpenPage, server: Server
) -> None:
    """R12.2; and the deal passes on from match to match (R2.2)."""
    anna, boris = open_page("/new"), open_page()
    anna.click("summary")
    anna.select_option("select[name=switch_target]", "21")
    anna.click("button.go")
    sit_down(boris, anna.input_value("#invitation"), "Boris")
    pages = (anna, boris)
    move_on(server, pages, level)
    for page in pages:
        assert page.get_attribute("#board", "data-phase") == COUNTING
        expect(page.locator("#sheet tr.sum >> nth=1")).to_contain_text("21")
        expect(page.locator("#sheet")).not_to_contain_text("won")
        expect(page.locator("#sheet")).not_to_contain_text("wins")
        expect(page.locator(READY)).to_have_text("Next deal")
    go_on(pages)
    assert anna.get_attribute("#board", "data-deal") == "3"
    room = move_on(server, pages, lambda room: play_on(room, is_over))
    titles = {page.inner_text("#sheet-title") for page in pages}
    assert "You have won!" in titles
    assert len(titles) == 2
    for page in pages:
        expect(page.locator(READY)).to_have_text("Another match")
    go_on(pages)
    for page in pages:
        assert page.get_attribute("#board", "data-deal") == "1"
        dealer = page.get_attribute(".player:has(.dealer)", "data-seat")
        assert dealer == str(room.match.next_dealer)
        assert page.locator(".score b").all_inner_texts() == ["0", "0"]


# --- Who sits where -----------------------------------------------------------------------


def test_four_in_partnerships_play_a_hand_live_and_vote_for_a_bot(open_page: OpenPage) -> None:
    anna = open_page("/new")
    anna.fill("input[name=name]", "Anna")
    anna.click("label:has(input[name=players][value='4'])")
    anna.click("button.go")
    invitation, pages = anna.input_value("#invitation"), [anna]
    for name, seat in (("Carla", "with Anna"), ("Boris", "1"), ("Dora", "with Boris")):
        page = open_page(invitation)
        page.fill("input[name=name]", name)
        page.click(f"label:has-text('{seat}')" if "with" in seat else "label:has([name=seat])")
        page.click("button.go")
        pages.append(page)
    for page, partner in zip(pages, ("Carla", "Anna", "Dora", "Boris"), strict=True):
        page.wait_for_selector(f"#board[data-phase='{PLAYING}']")
        assert page.inner_text(".player.top .name") == partner
    for _ in range(24):
        play_in_turn(pages)
    assert all(len(hand(page)) == 6 for page in pages)
    absent = in_turn(pages)
    others = [page for page in pages if page is not absent]
    number = int(absent.get_attribute("#board", "data-number") or 0)
    name = absent.inner_text(".player.me .name")
    for vote, page in enumerate(others, 1):
        for one in pages:  # all have seen the votes before
            one.wait_for_selector(f"#board[data-number='{number + vote - 1}']")
            expect(one.locator("#board")).to_have_attribute("data-played", "24")
        page.click("button[formaction$='/standin']")
        if vote < 3:
            expect(page.locator("#command")).to_contain_text(f"a bot to play for {name}")
    for page in pages:
        page.wait_for_selector("#board[data-played='25']")
        expect(page.locator(".player", has_text="a bot stands in")).to_contain_text(name)
    one_in_turn(pages)
    absent.click("text=I am back")
    for page in pages:
        expect(page.locator("text=a bot stands in")).to_have_count(0)
    for _ in range(3):
        play_in_turn(pages)
    assert in_turn(pages) is absent
    play_in_turn(pages)


def test_an_invitation_to_a_full_table_lets_one_look_on(open_page: OpenPage) -> None:
    anna = open_page("/new")
    anna.click("button.go")
    invitation = anna.input_value("#invitation")
    boris, carla, dora = (open_page(invitation) for _ in range(3))
    boris.click("button.go")
    anna.wait_for_selector(f"#board[data-phase='{PLAYING}']")
    carla.click("button.go")  # her page still had the seat
    expect(carla.get_by_role("alert")).to_have_text("This seat is taken")
    dora.goto(invitation)
    hands = [*hand(anna), *hand(boris)]
    assert len(hands) == 12
    for page in (carla, dora):
        expect(page.locator("main")).to_contain_text("All seats are taken.")
        page.click("text=Look on")
        page.wait_for_selector(f"#board[data-phase='{PLAYING}']")
        assert page.locator(".backs i").count() == 12
        assert page.locator(".hand, #command").count() == 0
        assert not any(f'"{card}"' in page.content() for card in hands)


def test_the_hand_is_covered_after_each_play_at_one_screen(open_page: OpenPage) -> None:
    page = open_page("/new")
    page.click("label:has(input[value=here])")
    page.click("button.go")
    seats = set()
    for _ in range(6):
        expect(page.locator(".hand")).to_have_count(0)
        page.click("text=Show my cards")
        page.wait_for_selector("#board[data-my-turn]")
        assert hand(page)
        seats.add(page.get_attribute(".player.me", "data-seat"))
        play_something(page)
        expect(page.locator(".hand")).to_have_count(0)
        page.reload()
    assert seats == {"0", "1"}


# --- Without eyes, and without script -----------------------------------------------------


def spoken(page: Page) -> list[str]:
    """What the polite live regions of a page hold, as assistive technology has it."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in tree["nodes"]}

    def text(node: dict[str, Any]) -> str:
        if node.get("role", {}).get("value") == "StaticText":
            return str(node["name"]["value"])
        return "".join(text(nodes[child]) for child in node.get("childIds", []) if child in nodes)

    return [
        text(node)
        for node in nodes.values()
        if node.get("role", {}).get("value") == "status"
        and {"name": "live", "value": {"type": "token", "value": "polite"}} in node["properties"]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_of_others_are_announced_in_the_language_of_the_page(
    open_page: OpenPage, language: str
) -> None:
    anna, boris = open_page("/new"), open_page(locale=language)
    anna.fill("input[name=name]", "Anna")
    anna.click("button.go")
    sit_down(boris, anna.input_value("#invitation"), "Boris")
    pages = (anna, boris)
    anna.wait_for_selector(f"#board[data-phase='{PLAYING}']")
    assert boris.get_attribute("html", "lang") == language
    if in_turn(pages) is boris:
        play_in_turn(pages)
    with anna.expect_request("**/play") as sent:
        play_in_turn(pages)
    play = parse_play(parse_qs(sent.value.post_data)["play"][0])
    sentence = tell_play(Words(language), "Anna", play)
    expect(boris.locator("#live")).to_contain_text(sentence)
    assert [told for told in spoken(boris) if told.startswith(sentence)]


def test_a_card_is_played_without_script(open_page: OpenPage) -> None:
    anna, boris = open_page("/new", java_script_enabled=False), open_page()
    anna.click("button.go")
    sit_down(boris, anna.input_value("#invitation"), "Boris")
    anna.reload()
    if anna.query_selector("#cut"):  # it is she who leads
        anna.click(".shuffling summary")
        anna.fill("#cut", "without script")
    anna.click("#go-on")
    boris.wait_for_selector(f"#board[data-phase='{PLAYING}']")
    if boris.query_selector("#board[data-my-turn]"):
        play_something(boris)
        anna.reload()
    played = int(anna.get_attribute("#board", "data-played") or 0)
    anna.click(".hand label >> nth=0")
    anna.click("button[name=look]")
    anna.click("#choices .offers button >> nth=0")
    for page in (anna, boris):
        page.wait_for_selector(f"#board[data-played='{played + 1}']")
    assert len(hand(anna)) == 5


def test_a_stream_that_is_silent_for_long_is_begun_again(open_page: OpenPage) -> None:
    page = open_page("/new")
    page.clock.install()
    page.click("button.go")
    page.wait_for_load_state()
    with page.expect_request("**/events"):
        page.clock.fast_forward(60_000)
    expect(page.locator("#offline")).to_be_hidden()
