"""A match: who deals (R2.2), whose points count when (R12), and what cannot be asked of it."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from diloti.core.cards import cards_in
from diloti.core.deal import exchange_layout
from diloti.core.effects import make_play
from diloti.core.errors import DilotiError, PackError
from diloti.core.legality import IllegalPlay
from diloti.core.match import Match, MatchError
from diloti.core.notation import format_cards, parse_cards, parse_play
from diloti.core.position import Position, new_state
from diloti.core.record import Record, format_record
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.core.scoring import score_deal, winner_of
from diloti.core.shuffle import Shuffle
from diloti.core.wire import read_rules, write_position
from tests.matches import deal_next, new_match, pick, play_out, some_rules

MATCHES = Path(__file__).parent / "data" / "vectors" / "matches.jsonl"


def text_of(match: Match) -> str:
    """Everything about a match, to see that it has not changed."""
    positions = [json.dumps(write_position(log.position)) for log in match.deals]
    return format_record(Record(match)) + "\n".join(positions)


# ------------------------------------------------------------------ deals one after another


@pytest.mark.parametrize("players", [2, 4])
def test_the_deal_goes_round_and_points_add_up(players: int) -> None:
    rng = random.Random(players)
    match = Match(rules_from(players=players, target=10_000), first_dealer=players - 1)
    scores = (0, 0)
    for number in range(5):
        assert match.is_between_deals
        assert match.next_dealer == (players - 1 + number) % players
        position = match.deal_seed(rng.randbytes(32))
        assert position is match.position is match.deal_log.position
        assert position.dealer == (players - 1 + number) % players
        assert match.turn == (position.dealer + 1) % players
        assert not match.is_between_deals
        for made in range(48):
            assert match.scores == position.scores == scores  # R12.1: never during a deal
            assert match.position.plays == made
            match.play(pick(rng, match))
        score = match.deal_log.score
        assert score is not None
        assert score == score_deal(match.position)
        sheets = [sheet.total for sheet in score.sheets]
        scores = (scores[0] + sheets[0], scores[1] + sheets[1])
        assert match.scores == score.scores == scores
        assert match.turn is None
    assert len(match.deals) == 5
    assert match.winner is None


@pytest.mark.parametrize("base", [CLASSIC, TAVERNA])
def test_a_match_ends_with_the_deal_that_decides_it(base: Rules) -> None:
    rng = random.Random(7)
    match = new_match(rng, base)
    play_out(rng, match)
    assert match.is_over
    assert match.winner is not None
    assert max(match.scores) >= 61
    assert match.scores[match.winner] > match.scores[1 - match.winner]
    for log in match.deals[:-1]:
        assert log.score is not None
        assert max(log.score.scores) < 61
        assert log.score.winner is None
    assert all(log.position.is_over for log in match.deals)
    assert not match.is_between_deals
    assert match.turn is None


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ((60, 60), None),
        ((61, 0), 0),
        ((0, 61), 1),
        ((60, 61), 1),
        ((64, 63), 0),
        ((61, 64), 1),
        ((65, 65), None),  # R12.2: another deal follows
        ((61, 61), None),
        ((200, 200), None),
        ((200, 201), 1),
    ],
)
def test_who_has_won(scores: tuple[int, int], winner: int | None) -> None:
    assert winner_of(CLASSIC, scores) == winner


def finish(match: Match, line: dict[str, Any]) -> None:
    """Put the deal being played one card before its end, with these captures; play the card."""
    log = match.deal_log
    captured = [parse_cards("".join(cards)) for cards in line["captured"]]
    side = 0 if captured[0].bit_count() >= captured[1].bit_count() else 1
    card = captured[side] & -captured[side]
    captured[side] ^= card
    state = new_state(
        match.rules,
        dealer=log.dealer,
        turn=log.dealer,
        plays=47,
        hands=[card if seat == log.dealer else 0 for seat in range(match.rules.players)],
        loose=0,
        captured=captured,
        xeri=line["xeri"],
        xeristaki=line["xeristaki"],
        scores=log.position.scores,
        last_capture=side,
    )
    log.position = Position(match.rules, state, {})
    match.play(parse_play(format_cards(card)))


def test_matches_of_the_test_data() -> None:
    lines = [json.loads(line) for line in MATCHES.read_text(encoding="utf-8").splitlines()]
    ties = 0
    for line in lines:
        match = Match(read_rules(line["rules"]), first_dealer=line["dealer"])
        for number, deal in enumerate(line["deals"]):
            match.deal_seed(number.to_bytes(32, "big"))
            finish(match, deal)
            score = match.deal_log.score
            assert score is not None
            sheets = [{**vars(sheet), "total": sheet.total} for sheet in score.sheets]
            assert sheets == deal["deal"]
            assert list(match.scores) == deal["scores"]
            assert match.winner == deal["winner"]
            assert match.is_over == (deal["winner"] is not None)
            ties += deal["scores"][0] == deal["scores"][1] >= match.rules.target
        assert match.is_over
    assert ties


# ------------------------------------------------------------------ giving up


@pytest.mark.parametrize("players", [2, 4])
def test_who_resigns_loses_for_the_side(players: int) -> None:
    rng = random.Random(4)
    for seat in range(players):
        for plays in (0, 1, 30, 48, 60):
            match = new_match(rng, rules_from(players=players, target=1000))
            play_out(rng, match, plays=plays)
            scores = match.scores
            match.resign(seat)
            assert match.is_over
            assert match.winner == 1 - seat % 2
            assert match.resigned == seat
            assert match.turn is None
            assert not match.is_between_deals
            assert match.scores == scores


# ------------------------------------------------------------------ what cannot be asked


def check_unchanged(match: Match, ask: Callable[[], object], error: type[DilotiError]) -> None:
    before = text_of(match)
    with pytest.raises(error):
        ask()
    assert text_of(match) == before


def test_seats_and_names_must_fit() -> None:
    for dealer in (-1, 2, 4):
        with pytest.raises(MatchError, match="there is no seat"):
            Match(CLASSIC, first_dealer=dealer)
    assert Match(TAVERNA, first_dealer=3).names == ("", "", "", "")
    for names in (["A"], ["A", "B", "C"], list("ABCD")):
        with pytest.raises(MatchError, match="2 seats need as many names"):
            Match(CLASSIC, first_dealer=0, names=names)
    assert Match(CLASSIC, first_dealer=0, names=["A", "B"]).names == ("A", "B")


def test_before_the_first_deal() -> None:
    match = Match(CLASSIC, first_dealer=1)
    play = parse_play("Ac")
    assert (match.turn, match.winner, match.scores) == (None, None, (0, 0))
    check_unchanged(match, lambda: match.play(play), MatchError)
    check_unchanged(match, lambda: match.show(0, 0), MatchError)
    for ask in (lambda: match.position, lambda: match.view(0), lambda: match.deal_log):
        check_unchanged(match, ask, MatchError)
    for seat in (-1, 2):
        check_unchanged(match, partial(match.resign, seat), MatchError)


def test_during_a_deal() -> None:
    rng = random.Random(5)
    match = Match(CLASSIC, first_dealer=1)
    match.deal_seed(bytes(32))
    for _ in range(48):
        turn = match.turn
        assert turn is not None
        other = format_cards(match.position.hands[1 - turn])[:2]
        check_unchanged(match, lambda: match.deal_seed(bytes(32)), MatchError)
        if other:
            check_unchanged(match, partial(match.play, parse_play(other)), IllegalPlay)
        play = pick(rng, match)
        match.play(play)
        again = IllegalPlay if match.turn is not None else MatchError
        check_unchanged(match, partial(match.play, play), again)
    check_unchanged(match, lambda: match.show(0, 0), MatchError)


def test_after_the_end() -> None:
    rng = random.Random(6)
    won = new_match(rng, rules_from(target=1))
    play_out(rng, won)
    given_up = new_match(rng, CLASSIC)
    play_out(rng, given_up, plays=10)
    play = pick(rng, given_up)
    given_up.resign(1)
    for match in (won, given_up):
        check_unchanged(match, partial(match.play, play), MatchError)
        check_unchanged(match, partial(match.deal_seed, bytes(32)), MatchError)
        check_unchanged(match, partial(match.show, 0, play.card), MatchError)
        check_unchanged(match, partial(match.resign, 0), MatchError)


def test_packs_that_will_not_do() -> None:
    match = Match(CLASSIC, first_dealer=0)
    pack = list(range(52))
    courts = [*range(12), 40, 41, 42, *range(12, 40), *range(43, 52)]
    for given, final in (
        (pack[1:], pack[1:]),
        (pack, pack[:51]),
        (pack, [*pack[:12], *reversed(pack[12:])]),
        (pack, [*reversed(pack[:12]), *pack[12:]]),
        (courts, courts),
    ):
        check_unchanged(match, partial(match.deal_pack, given, final), PackError)
    match.deal_pack(courts, exchange_layout(CLASSIC, courts, Shuffle(bytes(32))))
    assert match.deal_log.pack == tuple(courts) != match.deal_log.final
    assert match.deal_log.seed is None


# ------------------------------------------------------------------ shown cards, the log


def test_cards_are_shown_before_the_first_play_of_each_deal() -> None:
    rng = random.Random(8)
    match = new_match(rng, rules_from("taverna", partners_show_card=True, target=1000))
    for _ in range(2):
        match.deal_seed(rng.randbytes(32))
        cards = [next(cards_in(hand)) for hand in match.position.hands]
        check_unchanged(match, partial(match.show, 0, cards[1]), IllegalPlay)
        for seat in (2, 0, 3):
            match.show(seat, cards[seat])
            check_unchanged(match, partial(match.show, seat, cards[seat]), IllegalPlay)
        shown = (cards[0], None, cards[2], cards[3])
        assert match.position.shown == shown
        play_out(rng, match, plays=1)
        check_unchanged(match, partial(match.show, 1, cards[1]), IllegalPlay)
        play_out(rng, match, plays=47)
        assert match.position.shown == shown
        assert match.deal_log.start.shown == shown


def test_the_log_replays_the_deal() -> None:
    rng = random.Random(9)
    for players in (2, 4):
        match = new_match(rng, some_rules(rng, players=players))
        deal_next(rng, match)
        start = write_position(match.position)
        play_out(rng, match, plays=48)
        log = match.deals[0]
        assert write_position(log.start) == start
        position = log.start
        for play, outcome in zip(log.plays, log.outcomes, strict=True):
            position = make_play(position, play).position
            assert write_position(position) == write_position(outcome.position)
        assert write_position(position) == write_position(log.position)


def test_matches_do_not_share_anything() -> None:
    match = Match(CLASSIC, first_dealer=0)
    match.deal_seed(bytes(32))
    other = copy.deepcopy(match)
    before = text_of(other)
    play_out(random.Random(0), match, plays=20)
    assert text_of(other) == before
