"""Bots choose again what they have played, from what their seats could see."""

from __future__ import annotations

import pytest

from diloti.bots import choose
from diloti.core.match import Match
from diloti.core.plays import legal_plays
from diloti.core.record import Record, format_record
from diloti.core.record_reader import parse_record
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.shuffle import Cut
from diloti.teacher.repetition import (
    BOTS_TAG,
    BotsLineError,
    format_bots,
    parse_bots,
    repeat_bots,
)
from tests.thinking import INTERPRETED

BOTS = {0: "casual", 1: "strong"}


def played(rules: Rules, plays: int) -> Match:
    """A match in which seats 0 and 1 are bots, and the others make their first plays."""
    match = Match(rules, first_dealer=0)
    match.deal_cut(Cut(bytes(32), {0: "x"}))
    match.deal_log.tags[BOTS_TAG] = format_bots(BOTS, {"strong": 40})
    if rules.partners_show_card:
        match.show(2, min(card for card in range(52) if match.position.hands[2] >> card & 1))
    for _ in range(plays):
        seat = match.turn
        assert seat is not None
        if seat in BOTS:
            simulations = 40 if BOTS[seat] == "strong" else None
            seed = match.deal_log.choice_seed
            choice = choose(match.view(seat), BOTS[seat], seed=seed, simulations=simulations)
            match.play(choice.play)
        else:
            match.play(legal_plays(match.position)[0])
    return match


@pytest.mark.skipif(INTERPRETED, reason="bots take long interpreted")
@pytest.mark.parametrize(
    "rules", [CLASSIC, rules_from("taverna", partners_show_card=True)], ids=["classic", "taverna"]
)
def test_bots_choose_again_what_they_have_played(rules: Rules) -> None:
    match = parse_record(format_record(Record(played(rules, 21)))).match
    repeated = list(repeat_bots(match))
    assert len(repeated) == sum(number % rules.players in (0, 1) for number in range(1, 22))
    assert all(one.is_same for one in repeated)


@pytest.mark.skipif(INTERPRETED, reason="bots take long interpreted")
def test_a_play_that_is_not_the_bots_own_is_found() -> None:
    match = played(CLASSIC, 4)
    seat = match.turn
    assert seat is not None
    chosen = choose(match.view(seat), BOTS[seat], seed=match.deal_log.choice_seed, simulations=40)
    match.play(next(play for play in legal_plays(match.position) if play != chosen.play))
    assert [one.is_same for one in repeat_bots(match)] == [True] * 4 + [False]


def test_bots_are_named_in_a_line() -> None:
    line = format_bots({1: "expert", 0: "novice"}, {"expert": 8000})
    assert line == "0 novice, 1 expert:8000"
    assert parse_bots(line, 2) == {0: ("novice", None), 1: ("expert", 8000)}


@pytest.mark.parametrize(
    "line", ["", "0", "2 novice", "0 wizard", "0 novice, 0 novice", "0 expert:", "0 expert:0", "x"]
)
def test_a_line_that_names_no_bots_is_refused(line: str) -> None:
    with pytest.raises(BotsLineError):
        parse_bots(line, 2)


def test_where_no_bots_are_named_none_is_asked() -> None:
    match = Match(TAVERNA, first_dealer=0)
    match.deal_seed(bytes(32))
    match.play(legal_plays(match.position)[0])
    assert list(repeat_bots(match)) == []
