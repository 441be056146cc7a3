"""The table as a room: seats, phases, commands, and what is kept."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from diloti.bots import choose
from diloti.core.cards import cards_in, mask_of
from diloti.core.legality import IllegalPlay
from diloti.core.notation import format_card
from diloti.core.plays import TRAIL, Play, legal_plays
from diloti.core.record import Record, format_record
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.shuffle import SEED_SIZE, fits_cut
from diloti.web.feed import frame_for, frame_of
from diloti.web.render import names_of, words_for
from diloti.web.room import (
    COUNTING,
    OVER,
    PATIENCE,
    PLAYING,
    WAITING,
    Room,
    RoomError,
    Seat,
    Settings,
    StaleError,
    clean_cut,
    clean_name,
)

SMALL = replace(CLASSIC, pack=mask_of(range(20)), hand_size=4, layout_size=4, target=9)
ANNA, BORIS = "anna", "boris"
PLAIN = Settings()


class Seeds:
    """Seeds of deals, one after the other."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def __call__(self) -> bytes:
        return next(self._numbers).to_bytes(SEED_SIZE, "big")


def two_people(rules: Rules = CLASSIC, settings: Settings = PLAIN) -> Room:
    seats = [Seat(name="Anna", person=ANNA), Seat(name="Boris", person=BORIS)]
    return Room.lay(rules, seats, settings, first_dealer=1)


def dealt(rules: Rules = CLASSIC, settings: Settings = PLAIN) -> Room:
    room = two_people(rules, settings)
    room.deal(Seeds())
    return room


def play_deal(room: Room) -> None:
    deals = len(room.match.deals)
    while room.phase == PLAYING and len(room.match.deals) == deals:
        assert room.turn is not None
        room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)


def test_a_table_waits_until_all_seats_are_taken() -> None:
    seats = [Seat(name="Anna", person=ANNA), Seat(), Seat(bot="regular"), Seat()]
    room = Room.lay(TAVERNA, seats, Settings(), first_dealer=0, invitation="secret")
    assert room.phase == WAITING
    with pytest.raises(RoomError):
        room.deal(Seeds())
    room.sit_down(1, BORIS, "Boris")
    room.seat_bot(3, "novice")
    assert (room.phase, room.number) == (COUNTING, 2)
    for seat in range(4):
        with pytest.raises(RoomError, match="taken"):
            room.sit_down(seat, "carla", "Carla")
    with pytest.raises(RoomError, match="no seat"):
        room.sit_down(4, "carla", "Carla")


def test_a_match_from_deal_to_rematch() -> None:
    room, seeds = two_people(SMALL), Seeds()
    while room.phase != OVER:
        room.deal(seeds)
        play_deal(room)
        if room.phase == COUNTING:
            assert not room.get_ready(ANNA)
            assert room.get_ready(BORIS)
    dealer = room.match.next_dealer
    room.rematch()
    assert room.phase == COUNTING
    assert room.match.next_dealer == dealer
    assert not any(seat.is_ready for seat in room.seats)


# --- The cut -----------------------------------------------------------------------


def test_the_secret_is_there_before_the_cut_and_shown_after_the_deal() -> None:
    room, seeds = two_people(), Seeds()
    assert frame_of(room, 0).shuffling.commitment == ""
    room.prepare(seeds)
    bound = frame_of(room, None).shuffling
    room.prepare(seeds)  # nothing new
    assert frame_of(room, 1).shuffling == bound
    assert bound.cutters == (0,), "seat 1 deals, so seat 0 leads and cuts (R2.3)"
    room.cut(0, "  for  luck\n")
    assert frame_of(room, 1).shuffling.cuts == {}
    again = Room.read(room.body())
    assert again.body() == room.body()
    again.deal(seeds)
    cut = again.match.deal_log.cut
    assert cut is not None
    assert (cut.commitment, cut.texts) == (bound.commitment, {0: "for luck"})
    assert again.match.deal_log.seed == cut.seed
    during = frame_of(again, 1)
    assert (during.shuffling.commitment, during.shuffling.cuts) == (cut.commitment, cut.texts)
    assert not during.counts
    with pytest.raises(RoomError):
        again.cut(0, "too late")
    play_deal(again)
    assert frame_of(again, None).counts[0].cut == cut


@pytest.mark.parametrize(
    ("seats", "dealer", "cutters"),
    [
        ("pp", 0, (1,)),
        ("pp", 1, (0,)),
        ("pb", 0, (0,)),  # a bot leads: the other cuts
        ("pb", 1, (0,)),
        ("pppp", 2, (3, 0, 1, 2)),
        ("pbpb", 3, (0, 2)),
        ("bbbp", 0, (3,)),
    ],
)
def test_who_cuts(seats: str, dealer: int, cutters: tuple[int, ...]) -> None:
    sitting = [Seat(person=ANNA) if kind == "p" else Seat(bot="regular") for kind in seats]
    rules = rules_from("classic", players=len(seats))
    room = Room.lay(rules, sitting, Settings(), first_dealer=dealer)
    assert room.cutters == cutters


def test_the_cut_of_another_counts_only_where_the_right_one_is_missing() -> None:
    for cuts, counted in (
        ({}, {}),
        ({1: "mine"}, {1: "mine"}),
        ({0: "hers", 1: "mine"}, {0: "hers"}),
    ):
        room = two_people()
        for seat, text in cuts.items():
            room.cut(seat, text)
        room.deal(Seeds())
        cut = room.match.deal_log.cut
        assert cut is not None
        assert cut.texts == counted


@pytest.mark.parametrize(
    ("text", "kept"),
    [("", ""), ("\u202e a\tb", "a b"), ("x" * 99, "x" * 64), ("  ", ""), ("Κόψε!", "Κόψε!")],
)
def test_a_cut_is_a_line_of_text(text: str, kept: str) -> None:
    assert clean_cut(text) == kept
    assert fits_cut(kept)


def test_the_open_match_ends_before_the_deal_in_play() -> None:
    room, seeds = two_people(), Seeds()
    for _ in range(2):
        room.deal(seeds)
        play_deal(room)
    assert room.phase == COUNTING
    room.deal(seeds)
    shown = room.open_match(["Anna", "Boris"])
    text = format_record(Record(shown))
    assert (len(shown.deals), len(room.match.deals)) == (2, 3)
    assert room.match.deal_log.cut is not None
    assert room.match.deal_log.cut.secret.hex() not in text
    assert "Seat 1: Boris" in text


def test_a_refused_command_changes_nothing() -> None:
    room = dealt()
    body, turn = room.body(), room.turn
    assert turn is not None
    other = 1 - turn
    foreign = next(cards_in(room.match.position.hands[other]))
    refused: list[Callable[[], object]] = [
        lambda: room.play(other, Play(TRAIL, foreign)),
        lambda: room.play(turn, Play(TRAIL, foreign)),
        lambda: room.deal(Seeds()),
        lambda: room.get_ready(ANNA),
        lambda: room.rematch(),
        lambda: room.take_back(turn),
        lambda: room.come_back(turn),
        lambda: room.show(turn, foreign),
        lambda: room.vote_stand_in(5, turn, "regular", now=0.0),
        lambda: room.vote_stand_in(other, turn, "regular", now=2 * PATIENCE),
        lambda: room.vote_stand_in(turn, other, "regular", now=0.0),
    ]
    for command in refused:
        with pytest.raises((RoomError, IllegalPlay)):
            command()
        assert room.body() == body


def test_commands_are_for_one_state_only() -> None:
    room = dealt()
    room.check_number(room.number)
    for number in (room.number - 1, room.number + 1):
        with pytest.raises(StaleError):
            room.check_number(number)


def test_a_bot_stands_in_until_the_person_comes_back() -> None:
    room = dealt()
    room.turn_began = 1000.0
    if room.turn == 0:
        room.play(0, legal_plays(room.match.position)[0])
    with pytest.raises(RoomError, match="minute"):
        room.vote_stand_in(1, 0, "regular", now=1000.0 + PATIENCE - 1)
    room.vote_stand_in(1, 0, "regular", now=1000.0 + PATIENCE)
    assert room.seats[1] == Seat(name="Boris", person=BORIS, bot="regular")
    with pytest.raises(RoomError):
        room.vote_stand_in(1, 0, "regular", now=5000.0)
    room.come_back(1)
    assert not room.seats[1].bot


def four_people(bots: int = 0) -> Room:
    people = [Seat(name=name, person=name) for name in "ABCD"[: 4 - bots]]
    seats = [*people, *[Seat(bot="regular")] * bots]
    room = Room.lay(TAVERNA, seats, PLAIN, first_dealer=3)
    room.deal(Seeds())
    return room


@pytest.mark.parametrize("bots", [0, 1])
def test_all_who_wait_can_have_a_bot_play_at_once(bots: int) -> None:
    room = four_people(bots)
    assert room.turn == 0
    for voter in range(1, 4 - bots):
        assert not room.seats[0].bot
        room.vote_stand_in(0, voter, "regular", now=room.turn_began)
    assert room.seats[0].bot == "regular"
    assert room.votes == []


def test_votes_are_for_one_turn() -> None:
    room = four_people()
    for voter in (1, 2, 2):
        room.vote_stand_in(0, voter, "regular", now=room.turn_began)
    assert Room.read(room.body()).votes == [1, 2]
    room.play(0, legal_plays(room.match.position)[0])
    assert room.votes == []
    room.vote_stand_in(1, 3, "regular", now=room.turn_began)
    assert not room.seats[1].bot


def test_leaving_gives_the_seat_to_a_bot_or_to_others() -> None:
    waiting = Room.lay(CLASSIC, [Seat(person=ANNA), Seat()], PLAIN, first_dealer=0)
    waiting.leave(ANNA, "regular")
    assert waiting.seats == [Seat(), Seat()]
    room = dealt()
    room.leave(BORIS, "regular")
    assert (room.seats_of(BORIS), room.seats[1]) == ([], Seat(bot="regular"))
    if room.turn == 0:
        room.play(0, legal_plays(room.match.position)[0])
    assert room.bot_in_turn == "regular"
    room.leave(ANNA, "regular")
    assert room.bot_in_turn == "", "bots alone do not play on"
    assert not room.is_ready


def test_another_device_takes_the_seat_over() -> None:
    room = dealt()
    room.hand_over(0, "anna's phone")
    assert room.seats_of("anna's phone") == [0]
    assert room.seats_of(ANNA) == []
    assert room.seats_of("") == []


@pytest.mark.parametrize("plays", [2, 5, 16])
def test_taking_back(plays: int) -> None:
    room = dealt(SMALL, Settings(is_practice=True))
    before = []
    for _ in range(plays):
        before.append(room.match.position)
        assert room.turn is not None
        room.play(room.turn, legal_plays(room.match.position)[0])
    seat = before[-1].turn
    assert seat is not None
    room.take_back(seat)
    assert (room.match.position.state == before[-1].state).all()
    assert room.phase == PLAYING
    with pytest.raises(RoomError):
        two_people().take_back(0)


def test_what_is_kept_is_all() -> None:
    for plays in (0, 1, 7, 24):
        room = dealt(CLASSIC, Settings(is_listed=True, clock=30))
        room.say(0, "hello")
        for _ in range(plays):
            assert room.turn is not None
            room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)
        again = Room.read(room.body())
        assert again.body() == room.body()
        assert again.number == room.number
        for seat in (0, 1, None):
            assert frame_of(again, seat) == frame_of(room, seat)


def test_a_frame_holds_what_its_seat_may_see() -> None:
    room = dealt()
    mine, theirs = frame_of(room, 0), frame_of(room, 1)
    assert mine.view is not None
    assert theirs.view is not None
    assert mine.view.hand != theirs.view.hand
    onlooker = frame_of(room, None)
    assert onlooker.view is not None
    assert (onlooker.view.hand, onlooker.invitation) == (0, "")


def test_who_shares_a_screen_sees_one_hand_at_a_time() -> None:
    room = Room.lay(CLASSIC, [Seat(person=ANNA)] * 2, Settings(), first_dealer=1)
    room.deal(Seeds())
    turn = room.turn
    assert turn is not None
    for wanted in (None, 1 - turn, 7):
        frame = frame_for(room, ANNA, wanted)
        assert frame.is_covered
        assert frame.view is not None
        assert frame.view.hand == 0
    assert frame_for(room, ANNA, turn).seat == turn
    room.play(turn, legal_plays(room.match.position)[0])
    assert frame_for(room, ANNA, turn).is_covered


def test_nothing_kept_names_what_an_onlooker_sees_and_more() -> None:
    room = dealt()
    kept = json.loads(room.body())
    assert format_card(next(cards_in(room.match.position.hands[0]))) in kept["record"]


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("  Ελένη  ", "Ελένη"),
        ("a\n\tb", "a b"),
        ("\u202eabc\u200f", "abc"),
        ("\x1b[31mred", "[31mred"),
        ("x" * 50, "x" * 20),
        ("\u0000", ""),
        ("<b>Иван</b>", "<b>Иван</b>"),
    ],
)
def test_names_are_cleaned(given: str, clean: str) -> None:
    assert clean_name(given) == clean


@pytest.mark.parametrize("name", ["Eleni", "eleni", "Nikos"])
def test_bots_have_names_that_no_person_has(name: str) -> None:
    seats = [Seat(name=name, person=ANNA), *[Seat(bot="novice")] * 3]
    room = Room.lay(replace(TAVERNA, players=4), seats, PLAIN, first_dealer=0)
    names = names_of(words_for("en"), frame_of(room, 0))
    assert len({shown.casefold() for shown in names}) == 4
