"""Cards and plays as text: one way to write them, many to read them, and what is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diloti.core.errors import NotationError
from diloti.core.notation import (
    format_card,
    format_cards,
    format_play,
    parse_card,
    parse_cards,
    parse_marked_play,
    parse_play,
)
from diloti.core.plays import CAPTURE, DECLARE, RAISE, TRAIL, Play, count_legal_plays, legal_plays
from diloti.core.wire import read_position
from tests.reference import Position
from tests.strategies import positions, random_wish, respelt, seeds

MOST_LISTED = 3000

# ------------------------------------------------------------------ cards


def test_cards_are_written_in_two_characters_and_canonical_order() -> None:
    texts = [format_card(card) for card in range(52)]
    assert texts == [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
    assert [parse_card(text) for text in texts] == list(range(52))


@pytest.mark.parametrize("card", range(52))
def test_every_spelling_of_a_card_is_read(card: int) -> None:
    rank, suit = format_card(card)[0], format_card(card)[1]
    symbol = dict(zip("cdhs", "♣♦♥♠", strict=True))[suit]
    for written in (rank, "10") if rank == "T" else (rank,):
        for end in (suit, suit.upper(), symbol, symbol + "\ufe0e", symbol + "\ufe0f"):
            for text in (written + end, f" {written}{end}\t", f"{written} {end}"):
                assert parse_card(text) == card


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "7", "h", "hh", "h7", "77", "1h", "0h", "11h", "100h", "7hh", "7h7d", "x7h"),
        *("ah", "th", "Xh", "7e", "7♡", "١h", "7h*", "[7h]", "7h\0", "7\u200bh", "10", "1 0"),
        *("7h" * 600, " " * 10_000, "\ud800"),
    ],
)
def test_other_texts_are_no_cards(text: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize("value", [None, 7, 7.0, True, ["7h"], {"7h": 1}, b"7h"])
def test_other_values_are_no_cards(value: object) -> None:
    with pytest.raises(NotationError):
        parse_card(value)  # type: ignore[arg-type]


def test_lists_of_cards() -> None:
    assert format_cards(parse_cards("Kh 10♦2c ")) == "2cTdKh"
    assert format_cards(parse_cards("2cTdKh"), " ") == "2c Td Kh"
    assert parse_cards("") == parse_cards(" \n") == 0
    with pytest.raises(NotationError, match="2c is named twice"):
        parse_cards("2c 3d 2♣")
    for text in ("2c,3d", "2c3", "2c 3d]", "2c " * 1000):
        with pytest.raises(NotationError):
            parse_cards(text)


# ------------------------------------------------------------------ plays


def card(text: str) -> int:
    return parse_card(text)


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("5h", Play(TRAIL, card("5h"))),
        ("6hx2c4s6d", Play(CAPTURE, card("6h"), parse_cards("2c4s6d"))),
        ("8hx8c[3d5s]", Play(CAPTURE, card("8h"), parse_cards("8c"), (parse_cards("3d5s"),))),
        ("3c+5h=8", Play(DECLARE, card("3c"), parse_cards("5h"), (), 8)),
        ("4c+4h=4", Play(DECLARE, card("4c"), parse_cards("4h"), (), 4)),
        (
            "2d+6s[3d5s]=8",
            Play(DECLARE, card("2d"), parse_cards("6s"), (parse_cards("3d5s"),), 8),
        ),
        ("8c+[3d5s]=8", Play(DECLARE, card("8c"), 0, (parse_cards("3d5s"),), 8)),
        ("Ah^[3d5s]=9", Play(RAISE, card("Ah"), 0, (parse_cards("3d5s"),), 9)),
        (
            "Tcx[AcAd8h][2c8s]",
            Play(CAPTURE, card("Tc"), 0, (parse_cards("AcAd8h"), parse_cards("2c8s"))),
        ),
    ],
)
def test_the_four_kinds_of_play(text: str, play: Play) -> None:
    assert parse_play(text) == play
    assert format_play(play) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  5H ", "5h"),
        ("6h x 6d 2c4S", "6hx2c4s6d"),
        ("8h x [5s 3d] 8♣", "8hx8c[3d5s]"),
        ("8hx[5s3d]8c", "8hx8c[3d5s]"),
        ("2d+[5s3d]6s=8", "2d+6s[3d5s]=8"),
        ("2d + 6s [5s\n3d] = 08", "2d+6s[3d5s]=8"),
        ("A♥️^[5♠︎ 3♦]=9", "Ah^[3d5s]=9"),
        ("10dx10♠", "TdxTs"),
        ("1 0dx1 0♠", "TdxTs"),
        ("2cx[9h10c][3h4h]", "2cx[3h4h][9hTc]"),
        ("2cx[9h Ts]Kh[3h 9c]Ac", "2cxAcKh[3h9c][9hTs]"),
    ],
)
def test_any_order_and_spaces_are_read(text: str, canonical: str) -> None:
    assert format_play(parse_play(text)) == canonical


@pytest.mark.parametrize("mark", ["", "*", "~"])
def test_marks_are_read_apart_from_the_play(mark: str) -> None:
    for text in ("5h", "6hx6d", "8hx8c[3d5s]", "3c+5h=8", "Ah^[3d5s]=9"):
        read = parse_marked_play(f"{text} {mark}")
        assert (format_play(read.play), read.mark) == (text, mark)
        assert parse_play(text + mark) == read.play


@pytest.mark.parametrize(
    "text",
    [
        # no card, or no more than half of a play
        *("", " ", "*", "6", "x6d", "[3d5s]", "=8", "6h6d", "6h 6d", "6hx", "6hx ", "6h+", "6h^"),
        *("6hx=6", "6h+=6", "6h^=6", "6h=6", "6hx[]", "6hx[ ]", "6h+[]=6", "6h^[]=9"),
        # values where there are none, and none where they belong
        *("6hx6d=6", "6h+6d", "6h+6d=", "6h^[3d5s]", "6h+6d=-6", "6h+6d=6.0", "6h+6d=100"),
        *("6h+6d=٦", "6h+6d=six", "6h+6d=6=6", "6h+=6 6d"),
        # brackets
        *(
            "6hx[6d",
            "6hx6d]",
            "6hx[[6d]]",
            "6hx[6d][",
            "6h[x6d]",
            "[6h]x6d",
            "6hx(6d)",
            "6h^]3d[=9",
        ),
        # signs
        *("6hX6d", "6h×6d", "6h-6d", "6hxx6d", "6hx+6d=6", "6h^x[3d5s]=9", "6hx6d,2c", "6h x 6d;"),
        # marks
        *("6h**", "6h*~", "*6h", "6h*x6d", "6hx*6d", "6h+6d*=6", "6h!", "6hx6d #"),
        # cards
        *("6hx6x", "6hx1d", "6hxah", "6hx6", "0hx6d", "6hx6d6", "6hx♣6"),
    ],
)
def test_other_texts_are_no_plays(text: str) -> None:
    with pytest.raises(NotationError, match="is not a play"):
        parse_play(text)


@pytest.mark.parametrize(
    "text",
    ["6hx6h", "6hx6d6d", "6hx6d6♦", "6hx2c[2c4d]", "6hx[2c4d][2c4h]", "6h+6h=6", "6h^[2c2c]=9"],
)
def test_a_card_named_twice_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is named twice"):
        parse_play(text)


@pytest.mark.parametrize("value", [None, 6, True, ["6h"], {}, b"6h"])
def test_other_values_are_no_plays(value: object) -> None:
    with pytest.raises(NotationError):
        parse_play(value)  # type: ignore[arg-type]


def test_long_texts_are_refused_at_once_and_not_quoted_whole() -> None:
    for text in ("6hx" + " " * 990 + "!", "6hx" + "6d" * 490 + "!", "6h" * 10**6, "[" * 999):
        with pytest.raises(NotationError) as refusal:
            parse_play(text)
        assert len(str(refusal.value)) < 200
    assert format_play(parse_play("6hx" + " " * 900 + "6d")) == "6hx6d"


# ------------------------------------------------------------------ both ways


def check_texts(written: Position, seed: int) -> None:
    """Every legal play of a position comes back from its text, in whatever way that is spelt."""
    rng = random.Random(seed)
    position = read_position(written)
    plays = legal_plays(position) if count_legal_plays(position) <= MOST_LISTED else []
    texts = [format_play(play) for play in plays]
    assert len(set(texts)) == len(plays)
    for play, text in zip(plays, texts, strict=True):
        assert parse_play(text) == play
        assert parse_play(respelt(rng, text)) == play
    wish = random_wish(rng, written)
    assert format_play(parse_play(wish)) == format_play(parse_play(respelt(rng, wish))) == wish


def check_any_text(text: str) -> None:
    """What is read at all is written in one way."""
    try:
        read = parse_marked_play(text)
    except NotationError:
        return
    canonical = format_play(read.play)
    assert parse_marked_play(canonical + read.mark) == read
    assert format_play(parse_play(canonical)) == canonical
    assert not read.play.loose & read.play.pile_cards
    assert not (read.play.loose | read.play.pile_cards) >> read.play.card & 1


play_like = st.lists(
    st.sampled_from(
        ["5h", "6d", "T♣", "10♦", "AS", "Kh", "x", "+", "^", "=", "[", "]", "8", "9", " ", "*", "~"]
        + ["[3d5s]", "[2c2d]", "=9"]
    ),
    max_size=8,
).map("".join)


@given(positions(way="constructed"), seeds())
def test_every_legal_play_comes_back_from_its_text(written: Position, seed: int) -> None:
    check_texts(written, seed)


@given(st.one_of(play_like, st.text(max_size=20)))
def test_any_text_is_read_in_one_way_or_refused(text: str) -> None:
    check_any_text(text)


@pytest.mark.proof
@given(positions(), seeds())
def test_every_legal_play_comes_back_from_its_text_often(written: Position, seed: int) -> None:
    check_texts(written, seed)


@pytest.mark.proof
@given(st.one_of(play_like, st.text(max_size=20)))
def test_any_text_is_read_in_one_way_or_refused_often(text: str) -> None:
    check_any_text(text)
