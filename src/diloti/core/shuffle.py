"""The shuffle `sha256-1`: a pack from a seed, hard to guess and easy to repeat.

The seed is 32 bytes. Block *i* is SHA-256 of the seed followed by *i* as eight bytes, high byte
first; the blocks in order are a stream of 32-bit words, high byte first. A draw below *n* takes
words until one is below the largest multiple of *n* up to 2**32, and gives its remainder. Mixing
goes from the last card to the second and swaps each with the card drawn among it and those before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, MutableSequence

from diloti.core.rules import Rules

ALGORITHM = "sha256-1"
"""The name that records give this shuffle."""

SEED_SIZE = 32
"""Bytes in a seed."""

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


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(seed + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), _WORD_SIZE):
            yield int.from_bytes(digest[start : start + _WORD_SIZE], "big")
        block += 1
