"""Games of bots by themselves: everything follows from a seed and the number of the game.

That is the packs, who deals, and the seed of every choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from diloti.core.match import Match
from diloti.core.rules import Rules
from diloti.core.shuffle import SEED_SIZE

SEEDS = 1 << 64
"""Seeds are below this."""

_WORD_SIZE = 8
_PACK_WORDS = SEED_SIZE // _WORD_SIZE


def deal_game(
    rules: Rules, number: int, *, seed: int, whole_match: bool, names: Sequence[str] = ()
) -> Iterator[tuple[Match, list[int]]]:
    """Deal game `number` (0 or more) deal by deal: a single deal at 0 : 0, or a whole match.

    Each time you get the match and a seed for every choice of the deal, by the number of the play.
    Play the deal to its end before you ask for the next.
    """
    match = Match(rules, first_dealer=number % rules.players, names=names)
    while not match.deals or (whole_match and not match.is_over):
        source = np.random.SeedSequence(seed, spawn_key=(number, len(match.deals)))
        words = source.generate_state(_PACK_WORDS + rules.plays_in_deal, np.uint64)
        match.deal_seed(words[:_PACK_WORDS].astype(">u8").tobytes())
        yield match, words[_PACK_WORDS:].tolist()
