"""The game line by line: everything is told, everything can be typed, nothing is given away."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from diloti.core.cards import cards_in
from diloti.core.errors import N_
from diloti.core.notation import parse_card, parse_play
from diloti.core.view import View
from diloti.tui.plain.game import run_plain
from diloti.tui.plain.teletype import Teletype
from diloti.tui.plain.turn import Turn
from diloti.tui.plain.typed import MOST_OFFERED, TypedError, lay, offer, understand
from diloti.tui.session import Session
from diloti.tui.store import Store, StoreError
from diloti.tui.streams import as_letters
from diloti.words import Words
from diloti.words.cards import card_sign
from diloti.words.printable import printable
from tests.aces import pack_of_aces
from tests.scripted import (
    ENGLISH,
    GREEDY,
    MARIA,
    NIKOS,
    RANDOM,
    Typist,
    new_session,
    run_script,
    run_typist,
)
from tests.setting import position
from tests.thinking import INTERPRETED

# Seed 5: Maria leads with A♣ 2♦ 6♥ 8♦ J♦ Q♠, and 3♦ 4♦ 5♠ K♦ lie on the table.
SEED = 5


def first_view() -> View:
    session = new_session(MARIA, GREEDY, seed=SEED)
    session.deal()
    return session.view(0)


# --- Whole matches -----------------------------------------------------------------


def test_whole_match_for_two() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    status, said = run_typist(session)
    assert status == 0
    assert session.match.is_over
    assert said.startswith("Rules: Classic\nMaria plays against greedy.\n61 points win")
    assert said.count("The deal is over; this is the count.") == len(session.match.deals)
    assert "The match is over: " in said
    assert "New hands are dealt." in said
    assert "The stock is empty: these are the last hands of the deal." in said
    first, second = session.match.scores
    assert f"Match: Maria {first} · greedy {second} (to 61 points)" in said


def test_sheet_goes_by_heading_and_side() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED, target=1)
    _status, said = run_typist(session)
    score = session.match.deals[0].score
    assert score is not None
    first, second = score.sheets
    for heading, a, b in (
        ("Points for most cards", first.cards, second.cards),
        ("Aces", first.aces, second.aces),
        ("Ten of diamonds", first.ten_of_diamonds, second.ten_of_diamonds),
        ("Two of clubs", first.two_of_clubs, second.two_of_clubs),
        ("Xeri", first.xeri, second.xeri),
        ("Points of this deal", first.total, second.total),
    ):
        assert f"{heading}: Maria {a} · greedy {b}\n" in said
    assert "Xeristaki" not in said


def test_xeristaki_has_its_line_where_it_exists() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED, target=1, xeristaki_points=5)
    assert "\nXeristaki: Maria " in run_typist(session)[1]


def test_whole_match_for_four() -> None:
    session = new_session(MARIA, GREEDY, NIKOS, RANDOM, base="taverna", seed=SEED)
    status, said = run_typist(session)
    assert status == 0
    assert "Maria and Nikos play against greedy and random." in said
    assert "Cards in hand: Maria 6 · greedy 6 · random 6" in said
    assert "The match is over: Maria and Nikos have won." in said
    assert "Maria is next." in said


def test_bots_alone_play_to_the_end() -> None:
    status, said = run_script(new_session(RANDOM, GREEDY))
    assert status == 0
    assert "The match is over: greedy has won." in said


def test_events_are_told() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_typist(session)
    assert "Maria no longer owns the pile." in said
    assert "Xeri for Maria: 10 points!" in said
    assert "Xeri in this deal: Maria 1 · greedy 0" in said
    assert "Pile: plain 10 · greedy: A♣ 2♠ 3♦ 4♦" in said
    assert "Left on the table: " in said


def test_exchanged_layout_is_told() -> None:
    # R2.5
    session = new_session(MARIA, GREEDY)
    session.match.deal_seed((27).to_bytes(32, "big"))
    assert "The first cards on the table were exchanged" in run_script(session)[1]


# --- Secrets -----------------------------------------------------------------------


def test_hidden_cards_are_not_shown() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_script(session, ["plays", "table", "hand", "last", "score", "Ac"])
    position = session.match.position
    for card in (*cards_in(position.hands[1]), *position.stock):
        assert card_sign(card) not in said


def test_number_of_captures_is_not_shown_during_the_deal() -> None:
    # R10.2
    session = new_session(MARIA, GREEDY, seed=SEED)
    run_typist(session, 10)
    _status, said = run_script(session, ["table", "score", "last"])
    assert "aptured" not in said


def test_last_tells_the_latest_play_only() -> None:
    # R10.2
    session = new_session(MARIA, GREEDY, seed=SEED)
    run_typist(session, 4)
    _status, said = run_script(session, ["last"])
    told = said.split("Your play (? for help):\n")[1]
    assert told.splitlines()[0].startswith("greedy ")
    assert "Maria" not in told.splitlines()[0]


# --- What can be typed -------------------------------------------------------------


def test_play_in_the_notation() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_script(session, ["a♣ + 4d 3♦ = 8"])
    assert "Maria puts A♣ on 3♦ 4♦ and declares 8." in said
    assert session.match.deal_log.plays[0] == parse_play("Ac+3d4d=8")


@pytest.mark.parametrize("text", ["js", "Js", "J♠", " j s "])
def test_card_that_can_only_be_laid_is_laid(text: str) -> None:
    view = first_view()
    jack = text.replace("s", "d").replace("♠", "♦")
    assert understand(view, jack).play == parse_play("Jd")


def test_card_with_several_plays_lists_them() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_script(session, ["ac"])
    assert "\n1. Lay A♣   Ac\n2. " in said
    assert not session.match.deal_log.outcomes


def test_number_chooses_from_the_list() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    run_script(session, ["ac", "1"])
    assert session.match.deal_log.plays[0] == parse_play("Ac")


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["1"], "There is no list to choose from yet"),
        (["plays", "0"], "The list goes from 1 to "),
        (["plays", "999"], "The list goes from 1 to "),
        (["plays", "9" * 900], "The list goes from 1 to "),
    ],
)
def test_number_that_chooses_nothing(lines: list[str], answer: str) -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    assert answer in run_script(session, lines)[1]
    assert not session.match.deal_log.outcomes


def test_list_does_not_outlive_the_turn() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_script(session, ["plays", "lay jd", "1"])
    assert "There is no list to choose from yet" in said


def test_lay_is_never_another_play() -> None:
    assert lay(first_view(), "ac").play == parse_play("Ac")


def test_cards_of_the_table_narrow_the_choice() -> None:
    view = first_view()
    assert understand(view, "Ac 3d 4d").play == parse_play("Ac+3d4d=8")
    assert understand(view, "4d ac 3d").play == parse_play("Ac+3d4d=8")
    offered = understand(view, "Ac 3d").offers
    assert offered
    assert all(play.loose >> parse_card("3d") & 1 for play in offered)


def test_card_of_a_pile_stands_for_the_pile() -> None:
    session = new_session(MARIA, NIKOS, seed=SEED)
    run_script(session, ["Ac+3d4d=8", "lay 7c"])
    assert understand(session.view(0), "8d 4d").offers or understand(session.view(0), "8d 4d").play


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Ac+3d=4", "R6.2"),
        ("Jdx5s", "R5.7"),
        ("6hx3d", "R5.1"),
        ("Kh", "R3.1"),
        ("lay Kh", "R3.1"),
        ("6hx5h", "R3.1"),
        ("6h^[3d4d]=10", "R3.1"),
        ("2d+3d4d=9", "R6.2"),
    ],
)
def test_illegal_play_says_why_and_what_else(text: str, rule: str) -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    status, said = run_script(session, [text])
    assert status == 0
    assert f"(Rule {rule})" in said
    answer = said.split(f"(Rule {rule})\n")[1]
    assert answer.startswith(("1. ", "Your hand: "))
    assert not session.match.deal_log.outcomes


def test_bound_owner_is_told_what_the_card_can_do() -> None:
    # R8.1
    session = new_session(MARIA, NIKOS, seed=SEED)
    _status, said = run_script(session, ["Ac+3d4d=8", "lay 7c", "jd"])
    assert "Your declaration of 8 is still on the table" in said
    assert "Nothing can be done with J♦ now." in said


@pytest.mark.parametrize(
    "text",
    ["hello", "5", "6hx", "x", "[]", "6h 6h", "99", "ac+3d", "3d4d", "2d 6h", "=", "lay", "lay x"],
)
def test_senseless_text_is_answered(text: str) -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    status, said = run_script(session, [text, "", "hand"])
    assert status == 0
    assert said.count("Your hand: A♣ 2♦ 6♥ 8♦ J♦ Q♠") == 2
    assert not session.match.deal_log.outcomes


def test_no_card_is_no_play() -> None:
    with pytest.raises(TypedError):
        understand(first_view(), "[]")


def test_long_list_is_not_shown() -> None:
    session = new_session(MARIA, RANDOM, seed=SEED, obligations=False)
    count = 0
    while count <= MOST_OFFERED:
        turn = session.turn
        if turn is None:
            session.deal()
            continue
        view = session.view(turn)
        laid = [lay(view, card_sign(card)).play for card in cards_in(view.hand)]
        session.play(next(filter(None, laid), None) or offer(view).offers[0])
        if session.turn == 0:
            count = offer(session.view(0)).count
    _status, said = run_script(session, ["plays"])
    assert f"{count} plays are possible." in said
    assert "1. " not in said


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("?", "Type a play: "),
        ("HELP", "Type a play: "),
        ("table", "On the table: 3♦ 4♦ 5♠ K♦"),
        ("hand", "Your hand: "),
        ("plays", "1. Lay A♣   Ac"),
        ("last", "Nobody has played yet."),
        ("score", "Match: Maria 0 · greedy 0 (to 61 points)"),
        ("rules", "R"),
        ("quit", "The match is not kept."),
        ("save", "The match is not kept."),
    ],
)
def test_command(command: str, answer: str) -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    status, said = run_script(session, [command])
    assert status == 0
    assert said.split("Your play (? for help):\n")[1].strip().startswith(answer)


GREEK = {"table": "Τραπέζι", "lay": "άσε", "yes": "ναι", "resign": "παραιτούμαι"}


class Translated(Words):
    """A language with a few words of its own."""

    def say(self, template: str, **details: object) -> str:
        return super().say(GREEK.get(template, template), **details)


def test_commands_are_translated_and_english_works_too() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    target = io.StringIO()
    source = io.StringIO("ΤΡΑΠΕΖΙ\ntable\nασε ac\nπαραιτουμαι\nΝαι\n")
    assert run_plain(Translated("en"), session, source, target, interactive=False) == 0
    assert target.getvalue().count("On the table: 3♦ 4♦ 5♠ K♦\n") == 3
    assert "Τραπέζι: the table again" not in target.getvalue()
    assert session.match.deal_log.plays[0] == parse_play("Ac")
    assert session.match.resigned == 0


def test_resigning_asks_first() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    run_script(session, ["resign", "no"])
    assert not session.match.is_over
    status, said = run_script(session, ["resign", "yes"])
    assert status == 0
    assert session.match.winner == 1
    assert "Maria has resigned." in said
    assert "The match is over: greedy has won." in said


# --- Leaving -----------------------------------------------------------------------


def test_end_of_input_keeps_the_match(tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=SEED)
    status, said = run_script(session, [])
    assert status == 0
    assert f"The match is kept as {tmp_path / 'match.txt'}." in said
    resumed = Session.resume(Store(tmp_path))
    assert resumed is not None
    assert resumed.view(0) == session.view(0)


class Interrupted:
    """Somebody who types Ctrl-C."""

    def readline(self, _most: int, /) -> str:
        raise KeyboardInterrupt


def test_interrupt_keeps_the_match(tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=SEED)
    target = io.StringIO()
    assert run_plain(ENGLISH, session, Interrupted(), target, interactive=True) == 130
    assert "The match is kept as " in target.getvalue()


def test_interrupt_while_a_bot_thinks_keeps_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_view: object, **_seed: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("diloti.tui.session.choose", interrupted)
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=SEED)
    target = io.StringIO()
    assert run_plain(ENGLISH, session, Typist(session), target, interactive=True) == 130
    assert "The match is kept as " in target.getvalue()
    again = Session.resume(Store(tmp_path))
    assert again is not None
    assert again.turn == session.turn == 1


class Vanished:
    """A terminal that has gone away."""

    def readline(self, _most: int, /) -> str:
        raise OSError(5, "Input/output error")


def test_lost_terminal_is_an_end_of_input() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    assert run_plain(ENGLISH, session, Vanished(), io.StringIO(), interactive=True) == 0


def test_coming_back_says_where_the_match_stands(tmp_path: Path) -> None:
    run_typist(new_session(MARIA, GREEDY, store=Store(tmp_path), seed=SEED), 30)
    session = Session.resume(Store(tmp_path))
    assert session is not None
    _status, said = run_script(session)
    assert "The match goes on.\nMatch: Maria " in said
    assert f"\nDeal {len(session.match.deals)}\n" in said


# --- Keeping -----------------------------------------------------------------------


def test_trouble_with_keeping_is_told_once_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=SEED)

    def fail(*_arguments: object) -> None:
        raise StoreError(N_("the match could not be saved: {trouble}"), trouble="no space left")

    with monkeypatch.context() as broken:
        broken.setattr(Store, "save", fail)
        status, said = run_typist(session, 5)
    assert status == 0
    assert len(session.match.deal_log.plays) >= 10
    assert said.count("The match could not be saved: no space left") == 1
    assert "The game goes on without being kept." in said
    assert "The match is not kept." in said
    assert "The match is kept as" in run_typist(session, 1)[1]


def test_record_of_a_finished_match_is_named(tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=SEED, target=1)
    _status, said = run_typist(session)
    assert f"Its record is kept as {tmp_path / 'finished' / 'match.txt'}." in said


def test_match_that_has_to_move_says_so(tmp_path: Path) -> None:
    session = new_session(MARIA, GREEDY, store=Store(tmp_path), seed=SEED)
    run_script(session)
    other = Session.resume(Store(tmp_path))
    assert other is not None
    run_typist(other, 1)
    _status, said = run_typist(session, 2)
    assert said.count("Another program has changed the saved match.") == 1
    assert "match-2.txt" in said


# --- Several people ----------------------------------------------------------------


def test_hot_seat_hides_the_other_hand() -> None:
    session = new_session(MARIA, NIKOS, seed=SEED)
    _status, said = run_script(session, ["", "lay ac", "", "quit"], interactive=True)
    assert "Pass the device to Maria, who then presses Enter. \nMaria is next.\n" in said
    before, after = said.split("Pass the device to Nikos, who then presses Enter.")
    assert before.endswith("\n" * 50)
    assert after.startswith(" \nNikos is next.\nMaria lays A♣.\n")
    assert "Your hand: 2♠ 6♦ 7♣ 10♦ J♥ K♣" in after
    assert "Q♠" not in after


def test_pipe_needs_no_enter_for_hot_seat_and_next_deal() -> None:
    session = new_session(MARIA, NIKOS, seed=SEED)
    _status, said = run_typist(session)
    assert session.match.is_over
    assert "Pass the device" not in said
    assert "Press Enter" not in said
    assert said.count("Nikos is next.") == 24 * len(session.match.deals)


def test_next_deal_waits_for_enter() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_typist(session, interactive=True)
    waits = said.count("Press Enter for the next deal.")
    assert waits == len(session.match.deals) - 1 > 0


# --- Showing the partner a card (R2.7) ---------------------------------------------


def shown_session() -> Session:
    return new_session(
        MARIA, GREEDY, NIKOS, RANDOM, base="taverna", partners_show_card=True, seed=SEED
    )


def test_partners_show_cards_before_the_first_play() -> None:
    session = shown_session()
    _status, said = run_script(session, ["as", "zz", "6d", "", "quit"])
    assert said.count("Which card do you show ") == 4
    assert "A♠ is not in that hand." in said
    assert session.view(2).shown == (parse_card("6d"), None, None, None)
    assert session.view(1).shown == (None, None, None, None)
    assert "Maria has shown 6♦." in said


def test_quitting_while_a_card_is_to_be_shown() -> None:
    session = shown_session()
    status, said = run_script(session, ["quit"])
    assert status == 0
    assert session.view(0).shown is None
    assert "not kept" in said


# --- Hostile input -----------------------------------------------------------------


def test_control_characters_never_reach_the_terminal() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_script(session, ["\x1b[2J\x07\x00", "\u202e5h", "\x9b31m"])
    assert all(sign.isprintable() or sign == "\n" for sign in said)


def test_very_long_line_is_one_line() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    _status, said = run_script(session, ["5" * 3_000_000, "hand"])
    assert said.count("That line is too long.") == 1
    assert said.count("Your hand: ") == 2


def test_printable_replaces_what_steers() -> None:
    assert printable("a\x1b[1mb\u202ec\ud800") == "a [1mb c "


def test_encodings_without_suits_get_letters() -> None:
    assert as_letters(UnicodeEncodeError("ascii", "10♦·é…", 2, 6, "")) == ("d-?...", 6)
    with pytest.raises(UnicodeDecodeError):
        as_letters(UnicodeDecodeError("utf-8", b"\xff", 0, 1, ""))


def test_typist_types_every_kind_of_play() -> None:
    session = new_session(MARIA, NIKOS, seed=SEED, raising="anyone", obligations=False)
    run_plain(ENGLISH, session, Typist(session), io.StringIO(), interactive=False)
    assert {play.kind for log in session.match.deals for play in log.plays} == {0, 1, 2, 3}


# --- The teacher -------------------------------------------------------------------


@pytest.mark.skipif(INTERPRETED, reason="thinks long interpreted")
def test_a_hint_is_typed_for_and_played_by_its_words() -> None:
    status, said = run_script(new_session(MARIA, GREEDY, seed=SEED), ["hint", "quit"])
    assert status == 0
    assert "Hint: " in said
    assert "Points: the lead that your side can expect at the end of the deal." in said
    assert re.search(r"[+−]\d+\.\d  ", said)


def test_with_a_friend_there_is_no_hint() -> None:
    _status, said = run_script(new_session(MARIA, NIKOS, seed=SEED), ["hint", "quit"])
    assert "Hints are given against bots only." in said
    assert "Hint: " not in said


def coached(lines: list[str], *, coach: bool = True) -> tuple[Session, str]:
    """What is said of a bad first play, and the match after it."""
    session = new_session(MARIA, GREEDY, seed=SEED)
    session.deal()
    assert session.match.deals[-1].dealer == 1
    session.match.deals.pop()
    session.match.deal_pack(pack_of_aces(), pack_of_aces())
    target = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    run_plain(ENGLISH, session, source, target, interactive=False, coach=coach)
    return session, target.getvalue()


@pytest.mark.skipif(INTERPRETED, reason="thinks long interpreted")
def test_the_coach_warns_and_is_obeyed_or_not() -> None:
    session, said = coached(["lay Qd", "", "AcxAdAs", "quit"])
    assert "This play loses about " in said
    assert "Better: A♣ takes A♦ A♠." in said
    assert "It brings you A♣ A♦ A♠: 3 points." in said
    assert "Maria takes A♦ A♠ with A♣." in said
    assert "Maria lays Q♦." not in said
    _session, said = coached(["lay Qd", "yes", "quit"])
    assert "Maria lays Q♦." in said
    _session, said = coached(["lay Qd", "quit"], coach=False)
    assert "This play loses" not in said
    assert "Maria lays Q♦." in said
    assert session.is_against_bots


def test_what_a_card_cannot_do_is_answered_with_what_others_can() -> None:
    session = new_session(MARIA, GREEDY, seed=SEED)
    session.deal()
    here = position("8c2dKs", piles=[(0, 8, "3d5s")])
    session.match.deals[-1].position = here
    said = io.StringIO()
    turn = Turn(
        ENGLISH,
        Teletype(io.StringIO("2d\n1\n"), said, interactive=False),
        ["A", "B"],
        session.view(0),
    )
    play = turn.ask(last=list, score=str)
    assert "Nothing can be done with 2♦ now." in said.getvalue()
    assert "1. 8♣ takes [3♦ 5♠]   8cx[3d5s]" in said.getvalue()
    assert play == parse_play("8cx[3d5s]")
