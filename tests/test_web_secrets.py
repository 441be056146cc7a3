"""What reaches a browser or a program: the cards its seat has seen, and no trace of any other."""

from __future__ import annotations

import json
import random
import re

import pytest

from diloti.bots import choose
from diloti.core.cards import cards_in
from diloti.core.notation import format_card
from diloti.core.plays import legal_plays
from diloti.core.rules import CLASSIC, TAVERNA, Rules
from diloti.core.shuffle import SEED_SIZE, Shuffle
from diloti.web.api import write_frame
from diloti.web.feed import Frame, frame_of
from diloti.web.render import Page
from diloti.web.room import PLAYING, Room, Seat, Settings
from diloti.words import LANGUAGES
from diloti.words.cards import card_name, card_sign

CARD_KEY = re.compile(r'"([A2-9TJQK][cdhs])"')


def people(rules: Rules) -> list[Seat]:
    return [Seat(name=f"P{seat}", person=f"person {seat}") for seat in range(rules.players)]


def dealt(rules: Rules, pack: tuple[int, ...]) -> Room:
    room = Room.lay(rules, people(rules), Settings(), first_dealer=0)
    room.match.deal_pack(pack, pack)
    room.number += 1
    return room


def sent(frame: Frame) -> list[str]:
    """Everything that can be sent of a frame: the board in each language, and JSON."""
    boards = [Page(language).board(frame, "table") for language in LANGUAGES]
    return [*boards, json.dumps(write_frame(frame, "table"))]


@pytest.mark.parametrize("rules", [CLASSIC, TAVERNA])
def test_no_board_names_a_card_that_its_seat_has_not_seen(rules: Rules) -> None:
    pack = Shuffle(bytes(SEED_SIZE)).pack(rules)
    room = dealt(rules, tuple(pack))
    while room.phase == PLAYING:
        for seat in (*range(rules.players), None):
            frame = frame_of(room, seat)
            assert frame.view is not None
            for text in sent(frame):
                named = set(CARD_KEY.findall(text))
                seen = {format_card(card) for card in cards_in(frame.view.seen)}
                assert named <= seen
            english = sent(frame)[1]
            for card in range(52):
                if not frame.view.seen >> card & 1:
                    assert card_sign(card) not in english
                    assert card_name(Page("en").words, card) not in english
        assert room.turn is not None
        room.play(room.turn, choose(room.match.view(room.turn), "greedy").play)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rules", [CLASSIC, TAVERNA])
def test_other_hidden_cards_change_nothing_that_is_sent(rules: Rules, seed: int) -> None:
    """The same plays in two deals that differ in what one seat and onlookers cannot see."""
    dice = random.Random(seed)
    pack = list(Shuffle(seed.to_bytes(SEED_SIZE, "big")).pack(rules))
    mine = 0
    one = dealt(rules, tuple(pack))
    hidden = [
        next(cards_in(hand)) for seat, hand in enumerate(one.match.position.hands) if seat != mine
    ]
    stock = list(one.match.position.stock)
    kept = {dice.choice(hidden), dice.choice(stock)}
    swap = dict(zip(sorted(kept), sorted(kept, reverse=True), strict=True))
    other = dealt(rules, tuple(swap.get(card, card) for card in pack))
    for _ in range(5 * rules.players):
        for seat in (mine, None):
            assert sent(frame_of(one, seat)) == sent(frame_of(other, seat))
        same = [
            play
            for play in legal_plays(one.match.position)
            if play.card not in kept and play in legal_plays(other.match.position)
        ]
        if not same:
            break
        play, turn = dice.choice(same), one.turn
        assert turn is not None
        for room in (one, other):
            room.play(turn, play)
