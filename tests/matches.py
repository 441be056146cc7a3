"""Matches made up for the tests, the same for the same random numbers."""

from __future__ import annotations

import random

from diloti.bots import choose
from diloti.core.cards import cards_in
from diloti.core.deal import exchange_layout
from diloti.core.match import Match
from diloti.core.plays import Play
from diloti.core.rules import Rules
from diloti.core.shuffle import Shuffle
from diloti.core.wire import read_rules
from tests.strategies import random_rules

NAMES = ("Άννα", "Борис", "", "Zé da Silva: o 4.º")


def some_rules(rng: random.Random, *, players: int | None = None, most: int = 40) -> Rules:
    """A rule set of any switches whose matches are short."""
    written = random_rules(rng) | {"target": rng.randint(1, most)}
    if players is not None:
        written |= {"players": players, "partners_show_card": False}
    return read_rules(written)


def new_match(rng: random.Random, rules: Rules) -> Match:
    """A match before its first deal."""
    return Match(rules, first_dealer=rng.randrange(rules.players), names=NAMES[: rules.players])


def deal_next(rng: random.Random, match: Match, *, seeded: bool | None = None) -> None:
    """Deal the next deal from a seed or from a pack, and show some cards where that is allowed."""
    rules = match.rules
    if rng.random() < 0.7 if seeded is None else seeded:
        match.deal_seed(rng.randbytes(32))
    else:
        pack = rng.sample(rules.cards, rules.pack_size)
        match.deal_pack(pack, exchange_layout(rules, pack, Shuffle(rng.randbytes(32))))
    for seat, hand in enumerate(match.position.hands if rules.partners_show_card else ()):
        if rng.random() < 0.5:
            match.show(seat, rng.choice(list(cards_in(hand))))


def pick(rng: random.Random, match: Match, bot: str = "random") -> Play:
    """A legal play of the seat in turn, as a bot picks it."""
    turn = match.turn
    assert turn is not None
    return choose(match.view(turn), bot, seed=rng.getrandbits(32)).play


def play_out(rng: random.Random, match: Match, *, plays: int = 100_000, bot: str = "random") -> int:
    """Play and deal on until the match is over or that many plays are made; returns how many."""
    for made in range(plays):
        if match.is_over:
            return made
        if match.is_between_deals:
            deal_next(rng, match)
        match.play(pick(rng, match, bot))
    return plays


def random_match(rng: random.Random, rules: Rules) -> Match:
    """A match played to its end, left somewhere, or given up."""
    match = new_match(rng, rules)
    ending = rng.choice(("over", "unfinished", "unfinished", "resigned", "between", "fresh"))
    if ending in ("unfinished", "resigned"):
        play_out(rng, match, plays=rng.randrange(120))
    elif ending == "over":
        play_out(rng, match)
    elif ending == "between":
        play_out(rng, match, plays=rules.plays_in_deal)
    if ending == "resigned" and not match.is_over:
        match.resign(rng.randrange(rules.players))
    elif ending == "fresh":
        deal_next(rng, match)
    return match
