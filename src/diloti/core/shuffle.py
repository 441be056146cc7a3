"""The shuffle `sha256-1`: a pack from a seed, hard to guess and easy to repeat.

The seed is 32 bytes. Block *i* is SHA-256 of the seed followed by *i* as eight bytes, high byte
first; the blocks in order are a stream of 32-bit words, high byte first. A draw below *n* takes
words until one is below the largest multiple of *n* up to 2**32, and gives its remainder. Mixing
goes from the last card to the second and swaps each with the card drawn among it and those before.

Where the dealer is not simply to be trusted, the seed is a `Cut`: made of a secret, to which the
dealer is bound beforehand, and of what the players add. Afterwards anybody can check all of it
(docs/shuffle.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, MutableSequence
from dataclasses import dataclass, field

from diloti.core.rules import Rules

ALGORITHM = "sha256-1"
"""The name that records give this shuffle."""

SEED_SIZE = 32
"""Bytes in a seed."""

LONGEST_CUT = 64
"""Characters of a cut at most."""

_SEED_HEADING = "diloti-seed-1"
_WORD_SIZE = 4
_WORDS = 1 << 32


class Shuffle:
    """One stream of draws. Everything drawn from it follows from its seed."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_SIZE:
            raise ValueError(f"a seed has {SEED_SIZE} bytes")
        self._words = _words(seed)

    def draw(self, below: int) -> int:
        """A number from 0 up to `below`, exclusive, all equally likely."""
        limit = _WORDS // below * below
        while True:
            word = next(self._words)
            if word < limit:
                return word % below

    def mix(self, cards: MutableSequence[int]) -> None:
        """Shuffle `cards` in place."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.draw(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    def pack(self, rules: Rules) -> list[int]:
        """The rules' pack, shuffled from canonical order."""
        pack = list(rules.cards)
        self.mix(pack)
        return pack


def fits_cut(text: str) -> bool:
    """Whether this can be cut with: a line of visible text with single spaces, not too long."""
    return len(text) <= LONGEST_CUT and text.isprintable() and text == " ".join(text.split())


@dataclass(frozen=True)
class Cut:
    """Where a seed comes from that nobody could choose alone: a secret, and what seats add to it.

    `texts` are by seat; there may be none. `ValueError` where one is not `fits_cut`.
    """

    secret: bytes
    texts: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not all(map(fits_cut, self.texts.values())):
            raise ValueError("a cut that is no line of text, or too long")

    @property
    def commitment(self) -> str:
        """What binds the dealer to the secret before the cut: its SHA-256 in hexadecimal."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def seed(self) -> bytes:
        """The SHA-256 of lines in UTF-8, without a line break at the end: a heading, the secret in
        hexadecimal digits, and each seat with its text, in the order of seats.
        """
        added = (f"{seat} {self.texts[seat]}" for seat in sorted(self.texts))
        lines = "\n".join([_SEED_HEADING, self.secret.hex(), *added])
        return hashlib.sha256(lines.encode()).digest()


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(seed + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), _WORD_SIZE):
            yield int.from_bytes(digest[start : start + _WORD_SIZE], "big")
        block += 1
