"""The shuffle `sha256-1`: the values of docs/notation.md, and the same as the slow reference."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diloti.core.match import Match
from diloti.core.notation import format_card, format_cards, parse_card
from diloti.core.rules import CLASSIC
from diloti.core.shuffle import ALGORITHM, LONGEST_CUT, SEED_SIZE, Cut, Shuffle
from tests.reference import PACK, seed_words, shuffle


def seed_of(number: int) -> bytes:
    return number.to_bytes(SEED_SIZE, "big")


def texts(cards: list[int]) -> list[str]:
    return [format_card(card) for card in cards]


@pytest.mark.parametrize(
    ("seed", "start"),
    [
        (0, "Qs 6d 6s 7c 4h 7s 5h Th 5d Jh 3d Kh Kd 7h 9h Jc 3c"),
        (2026, "Qd 9c Js Th 2d Td 4s Kh 3d 4h 5s Qs 7h 2c 6c 6h Jh"),
    ],
)
def test_the_packs_of_two_seeds(seed: int, start: str) -> None:
    pack = texts(Shuffle(seed_of(seed)).pack(CLASSIC))
    assert pack[:17] == start.split()
    assert sorted(pack) == sorted(PACK)


def test_seed_27_exchanges_its_layout() -> None:
    match = Match(CLASSIC, first_dealer=0)
    match.deal_seed(seed_of(27))
    log = match.deal_log
    assert texts(list(log.pack[12:16])) == "Jh Jd 8c Jc".split()  # noqa: SIM905
    assert texts(list(log.final[12:16])) == "3c 5h 8h 3d".split()  # noqa: SIM905
    assert format_cards(match.position.loose) == "3c3d5h8h"


@given(st.integers(min_value=0, max_value=2**256 - 1))
def test_packs_are_those_of_the_reference(seed: int) -> None:
    stream, words = Shuffle(seed_of(seed)), seed_words(seed)
    expected = list(PACK)
    shuffle(expected, words)
    assert texts(stream.pack(CLASSIC)) == expected
    rest = expected[12:]  # what an exchange of the layout mixes, with the words that follow
    shuffle(rest, words)
    mixed = [parse_card(card) for card in expected[12:]]
    stream.mix(mixed)
    assert texts(mixed) == rest


def test_words_are_those_of_the_blocks_in_order() -> None:
    seed = seed_of(12345)
    blocks = [hashlib.sha256(seed + block.to_bytes(8, "big")).digest() for block in range(3)]
    data = b"".join(blocks)
    words = [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]
    stream = Shuffle(seed)
    assert [stream.draw(2**32) for _ in words] == words


@pytest.mark.parametrize("below", [3, 52, 2**31 + 1, 2**32 - 1])
def test_words_beyond_the_last_multiple_are_thrown_away(below: int) -> None:
    limit = 2**32 // below * below
    stream, words = Shuffle(seed_of(7)), seed_words(7)
    for _ in range(200):
        word = next(words)
        while word >= limit:
            word = next(words)
        assert stream.draw(below) == word % below


def test_draws_are_even() -> None:
    stream = Shuffle(seed_of(1))
    counts = Counter(stream.draw(6) for _ in range(6000))
    assert sorted(counts) == list(range(6))
    assert all(900 < count < 1100 for count in counts.values())
    assert {stream.draw(1) for _ in range(10)} == {0}


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_seed_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Shuffle(bytes(size))


def test_its_name() -> None:
    assert ALGORITHM == "sha256-1"


def test_a_seed_is_made_of_a_secret_and_of_cuts() -> None:
    cut = Cut(bytes(32), {2: "Ναι", 0: "a b"})
    lines = b"diloti-seed-1\n" + b"0" * 64 + b"\n0 a b\n2 " + "Ναι".encode()
    assert cut.seed == hashlib.sha256(lines).digest()
    assert cut.commitment == hashlib.sha256(bytes(32)).hexdigest()
    assert Cut(bytes(32)).seed == hashlib.sha256(lines[:78]).digest()


@given(st.binary(min_size=32, max_size=32), st.dictionaries(st.integers(0, 3), st.text("ab ")))
def test_every_part_of_a_cut_counts(secret: bytes, texts: dict[int, str]) -> None:
    texts = {seat: " ".join(text.split())[:LONGEST_CUT].strip() for seat, text in texts.items()}
    seeds = [Cut(secret, texts).seed]
    for byte in range(SEED_SIZE):
        changed = bytes(one ^ (place == byte) for place, one in enumerate(secret))
        seeds.append(Cut(changed, texts).seed)
        assert Cut(changed).commitment != Cut(secret).commitment
    for seat in range(4):
        seeds.append(Cut(secret, {**texts, seat: texts.get(seat, "") + "x"}).seed)
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize(
    "text", [" a", "a ", "a  b", "a\nb", "a\tb", "\u202ea", "x" * 65, "\ud800"]
)
def test_what_is_no_line_of_text_is_no_cut(text: str) -> None:
    with pytest.raises(ValueError, match="line of text"):
        Cut(bytes(32), {0: text})
