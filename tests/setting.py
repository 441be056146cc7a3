"""Positions for tests in a few words, and plays by their text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diloti.core.effects import Outcome, make_play
from diloti.core.legality import RULE_OF, Refusal, refusal_of
from diloti.core.notation import format_play, parse_card, parse_cards, parse_play
from diloti.core.plays import Play, count_legal_plays, legal_play, legal_plays
from diloti.core.position import Pile, Position, new_state
from diloti.core.rules import rules_from

PileText = tuple[int, int, str]
"""Owner, value and components with commas between, as `(1, 8, "3d5s,8c")`."""


def position(
    hand: str,
    loose: str = "",
    *,
    piles: Sequence[PileText] = (),
    others: Sequence[str] = (),
    base: str = "classic",
    turn: int = 0,
    dealer: int | None = None,
    plays: int = 10,
    stock: str = "Ks",
    captured: tuple[str, str] = ("", ""),
    last_capture: int | None = None,
    scores: tuple[int, int] = (0, 0),
    **switches: Any,
) -> Position:
    """A position in which `turn` holds `hand` and the next seats hold `others`.

    It need not be complete: most rules look at the hand in turn and at the table only.
    """
    rules = rules_from(base, **switches)
    hands = [0] * rules.players
    for offset, cards in enumerate([hand, *others]):
        hands[(turn + offset) % rules.players] = parse_cards(cards)
    laid = [
        Pile(value, owner, tuple(parse_cards(part) for part in parts.split(",")))
        for owner, value, parts in piles
    ]
    state = new_state(
        rules,
        dealer=(turn - 1) % rules.players if dealer is None else dealer,
        turn=turn,
        plays=plays,
        hands=hands,
        loose=parse_cards(loose),
        piles=laid,
        stock=[parse_card(card) for card in stock.split()],
        captured=[parse_cards(cards) for cards in captured],
        last_capture=last_capture,
        scores=scores,
    )
    return Position(rules, state, {pile.cards: pile.components for pile in laid})


def legal(position: Position, start: str = "") -> set[str]:
    """The texts of the legal plays that begin with `start`, counted in both ways."""
    plays = legal_plays(position)
    assert len(plays) == len(set(plays)) == count_legal_plays(position)
    return {text for text in map(format_play, plays) if text.startswith(start)}


def why_not(position: Position, text: str) -> str | None:
    """The rule that forbids a play, None for a legal one."""
    refusal = refusal_of(position, parse_play(text))
    assert (refusal is Refusal.NONE) == (format_play(parse_play(text)) in legal(position))
    return None if refusal is Refusal.NONE else RULE_OF[refusal]


def play(position: Position, *texts: str) -> Outcome:
    """What the last of some plays brings about."""
    for text in texts:
        outcome = make_play(position, parse_play(text))
        position = outcome.position
    return outcome


def names(outcome: Outcome) -> list[str]:
    """The names of what happened."""
    return [event.name for event in outcome.events]


def some_play(position: Position) -> Play:
    """A legal play, seldom a trail, so that tables stay small."""
    return legal_play(position, count_legal_plays(position) - 1)
