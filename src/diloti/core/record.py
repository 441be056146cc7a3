"""The match record: a text that a person can read and edit, and that proves itself.

The form is described in docs/notation.md; `diloti.core.record_reader` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from diloti.core.effects import Outcome
from diloti.core.match import DealLog, Match
from diloti.core.notation import (
    XERI_MARK,
    XERISTAKI_MARK,
    format_card,
    format_play,
)
from diloti.core.rules import Rules
from diloti.core.scoring import DealScore, Sheet
from diloti.core.shuffle import ALGORITHM

FORMAT = 1
"""Version of the form of records."""

FIRST_LINE = "Diloti record"
"""What a record begins with, before the version."""
_HEADINGS = tuple(Sheet.__dataclass_fields__)
GIVEN = "given"
"""What stands for the shuffle of a pack that came from elsewhere."""


@dataclass
class Record:
    """A match with the further header lines of its record, in their order."""

    match: Match
    tags: dict[str, str] = field(default_factory=dict)


def format_record(record: Record) -> str:
    """The text of a match, over or not."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    match = record.match
    yield f"{FIRST_LINE} {FORMAT}"
    yield f"Rules: {format_rules(match.rules)}"
    yield f"Fingerprint: {match.rules.fingerprint}"
    for seat, name in enumerate(match.names):
        yield _tag(f"Seat {seat}", name)
    yield f"First dealer: {match.first_dealer}"
    for name, value in record.tags.items():
        yield _tag(name, value)
    for number, log in enumerate(match.deals, start=1):
        yield ""
        yield f"Deal {number}"
        yield from _deal_lines(log)
    yield ""
    yield f"Result: {result_of(match)}"


def _deal_lines(log: DealLog) -> Iterator[str]:
    rules = log.position.rules
    hands = rules.players * rules.hand_size
    yield f"Dealer: {log.dealer}"
    if log.seed is not None:
        yield f"Shuffle: {ALGORITHM} {log.seed.hex()}"
    elif "Shuffle" not in log.tags:
        yield f"Shuffle: {GIVEN}"
    if log.cut is not None:
        yield f"Commitment: {log.cut.commitment}"
        yield f"Secret: {log.cut.secret.hex()}"
        for seat, text in sorted(log.cut.texts.items()):
            yield f"Cut {seat}: {text}"
    yield f"Pack: {_cards(log.pack)}"
    if log.final != log.pack:
        yield f"Layout again: {_cards(log.final[hands:])}"
    for seat, card in enumerate(log.position.shown or ()):
        if card is not None:
            yield f"Shown {seat}: {format_card(card)}"
    for name, value in log.tags.items():
        yield _tag(name, value)
    texts = [
        format_play(play) + mark_of(done)
        for play, done in zip(log.plays, log.outcomes, strict=True)
    ]
    width = max(map(len, texts), default=0)
    for first in range(0, len(texts), rules.players):
        if first % hands == 0:
            yield ""
        turns = "  ".join(text.ljust(width) for text in texts[first : first + rules.players])
        yield f"{first // rules.players + 1:2}. {turns}".rstrip()
    if log.score is not None:
        yield ""
        for name, value in results_of(log.score):
            yield f"{name}: {value}"


def _tag(name: str, value: str) -> str:
    """A heading and its value, whatever breaks of line the value may hold."""
    return f"{name}: {' '.join(value.split())}".rstrip()


def _cards(cards: Iterable[int]) -> str:
    return " ".join(format_card(card) for card in cards)


def _both(numbers: Iterable[int]) -> str:
    return " : ".join(map(str, numbers))


def result_of(match: Match) -> str:
    """How a match stands, as the last line of its record says it."""
    if match.resigned is not None:
        return f"seat {match.resigned} resigned"
    return "unfinished" if match.winner is None else f"side {match.winner} won"


def mark_of(outcome: Outcome) -> str:
    """The mark behind a play in a record."""
    if outcome.has("xeri"):
        return XERI_MARK
    return XERISTAKI_MARK if outcome.has("xeristaki") else ""


def format_rules(rules: Rules) -> str:
    """A rule set in one line: its nearest name and the switches that differ."""
    switches = rules.changes(rules.base).items()
    return ", ".join([rules.base, *(f"{name}={_word(value)}" for name, value in switches)])


def _word(value: int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def results_of(score: DealScore | None) -> Iterator[tuple[str, str]]:
    """The result lines of a deal and what they must say; nothing before its end."""
    for heading in _HEADINGS:
        yield heading, _both(getattr(sheet, heading) for sheet in score.sheets) if score else ""
    yield "points", _both(sheet.total for sheet in score.sheets) if score else ""
    yield "match", _both(score.scores) if score else ""
