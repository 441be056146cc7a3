"""Recorded matches as templates show them: a match, a deal, and a moment with all hands open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diloti.core.cards import cards_in
from diloti.core.match import DealLog
from diloti.core.position import Position, side_of
from diloti.core.record import Record
from diloti.web.archive import DAILY, DAILY_TAG, Finished, date_of
from diloti.web.drawing import draw_table
from diloti.words import Words
from diloti.words.accounts import closing_lines, deal_lines, opening_lines, side_names
from diloti.words.cards import cards_sign
from diloti.words.dates import tell_day
from diloti.words.levels import LEVEL_NAMES, everybodys_names
from diloti.words.replay import ReplayStep, names_in_record, replay_steps
from diloti.words.sheets import sheet_rows
from diloti.words.telling import rule_set_name


def tell_match(words: Words, finished: Finished, record: Record) -> dict[str, Any]:
    """A match for its page: who, by which rules, how it ended, and what each deal brought."""
    match, names = record.match, names_in_record(words, record)
    return {
        "id": finished.id,
        "title": " · ".join(names),
        "day": tell_day(words, date_of(finished.ended)),
        "is_daily": DAILY_TAG in record.tags,
        "is_practice": finished.is_practice,
        "is_uploaded": bool(finished.uploaded_by),
        "opening": [*opening_lines(words, names, match.rules, is_over=match.is_over)][1:],
        "closing": [*closing_lines(words, names, match)],
        "seats": [
            {"name": name, "level": _level(words, player.level)}
            for name, player in zip(names, finished.players, strict=True)
        ],
        "rules_name": rule_set_name(words, match.rules),
        "target": match.rules.target,
        "sides": side_names(words, names),
        "scores": match.scores,
        "deals": [_count(words, log) for log in match.deals],
    }


def _level(words: Words, bot: str) -> str:
    """Which bot it was; empty for a person."""
    return words.say(LEVEL_NAMES[bot]) if bot in LEVEL_NAMES else bot


def _count(words: Words, log: DealLog) -> dict[str, Any] | None:
    """A counted deal by side; None where it has not come to its end."""
    if log.score is None:
        return None
    first, second = (captured.bit_count() for captured in log.position.captured)
    return {
        "rows": sheet_rows(words, log.position.rules, (first, second), log.score.sheets),
        "totals": [sheet.total for sheet in log.score.sheets],
        "scores": log.score.scores,
    }


def tell_deal(words: Words, record: Record, deal: int) -> tuple[list[ReplayStep], dict[str, Any]]:
    """The moments of a deal (by its number from 0), and what its page says besides."""
    names = names_in_record(words, record)
    steps = replay_steps(words, names, record.match.deals[deal])
    title, *opening = deal_lines(words, names, record.match, deal)
    return steps, {
        "players": " · ".join(names),
        "title": title,
        "deal": deal + 1,
        "deals": len(record.match.deals),
        "opening": " ".join(opening),
        "plays": [" ".join(step.told) for step in steps[1:]],
        "marks": [],
    }


def draw_step(words: Words, record: Record, deal: int, step: ReplayStep) -> dict[str, Any]:
    """A moment of a deal (by its number from 0) for its picture."""
    names, log, position = names_in_record(words, record), record.match.deals[deal], step.position
    return {
        "number": step.number,
        "told": step.told,
        "table": draw_table(words, position.loose, position.piles, names=names),
        "played": None if step.play is None else step.play.card,
        "hands": [_hand(position, names, seat) for seat in range(len(names))],
        "stock": len(position.stock),
        "captures": _captures(words, names, position),
        "is_over": position.is_over,
        "count": _count(words, log) if position.is_over else None,
    }


def _hand(position: Position, names: Sequence[str], seat: int) -> dict[str, Any]:
    hand = position.hands[seat]
    shown = position.shown[seat] if position.shown else None
    return {
        "name": names[seat],
        "cards": list(cards_in(hand)),
        "is_turn": position.turn == seat,
        "is_dealer": position.dealer == seat,
        "shown": shown if shown is not None and hand >> shown & 1 else None,
        "side": side_of(seat),
    }


def _captures(words: Words, names: Sequence[str], position: Position) -> list[dict[str, Any]]:
    return [
        {
            "side": side,
            "count": captured.bit_count(),
            "signs": cards_sign(captured),
            "xeri": xeri,
            "xeristaki": xeristaki,
        }
        for side, captured, xeri, xeristaki in zip(
            side_names(words, names), position.captured, position.xeri, position.xeristaki
        )
    ]


def list_match(words: Words, finished: Finished) -> dict[str, Any]:
    """A finished match in a list, without reading its record."""
    players = finished.players
    names = [player.name for player in players]
    named = everybodys_names(words, names, [bool(player.level) for player in players])
    return {
        "link": f"/match/{finished.id}",
        "title": " · ".join(named),
        "standing": " : ".join(map(str, finished.summary["scores"])),
        "day": tell_day(words, date_of(finished.ended)),
        "is_practice": finished.is_practice,
        "is_daily": bool(finished.summary.get(DAILY)),
        "is_uploaded": bool(finished.uploaded_by),
    }
