"""Rule sets, positions, views and seeds as JSON values, both ways (docs/notation.md).

Whatever is read is checked: a wrong shape or an impossible position is refused with a
`PositionError` or `RulesError` that names the field and the card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from diloti.core.cards import cards_in, mask_of
from diloti.core.consistency import check_position, check_view
from diloti.core.errors import N_, NotationError, PositionError, RulesError
from diloti.core.fields import Fields
from diloti.core.notation import format_card, format_play
from diloti.core.position import History, Pile, Position, new_state
from diloti.core.rules import Rules, rules_from
from diloti.core.shuffle import SEED_SIZE
from diloti.core.view import View

Json: TypeAlias = Any
"""A value as the standard library's `json` reads and writes it."""

_SEED = re.compile(f"[0-9A-Fa-f]{{{2 * SEED_SIZE}}}")

FORMAT = 1
"""Version of the form of positions and views, in their field `format`."""


def write_rules(rules: Rules) -> Json:
    """A rule set: its nearest name, and the switches that differ from it."""
    return {"base": rules.base, **rules.changes(rules.base)}


def read_rules(written: Json) -> Rules:
    """The rule set of a name, or of a name and switches; `RulesError` says what is wrong."""
    if isinstance(written, str):
        return rules_from(written)
    if not isinstance(written, dict):
        raise RulesError(N_("rules are a name, or a name and switches"))
    switches = dict(written)
    return rules_from(switches.pop("base", "classic"), **switches)


def write_cards(mask: int) -> list[str]:
    """The cards of a mask, in canonical order."""
    return [format_card(card) for card in cards_in(mask)]


def read_seed(written: Json) -> bytes:
    """The seed that 64 hexadecimal digits or a number below 2**256 stand for."""
    if isinstance(written, int) and not isinstance(written, bool):
        if 0 <= written < 1 << 8 * SEED_SIZE:
            return written.to_bytes(SEED_SIZE, "big")
    elif isinstance(written, str) and _SEED.fullmatch(written):
        return bytes.fromhex(written)
    raise NotationError(N_("a seed is 64 hexadecimal digits or a whole number from 0 to 2**256-1"))


def write_position(position: Position) -> Json:
    """A whole position, hidden cards included."""
    written = {
        "format": FORMAT,
        "rules": write_rules(position.rules),
        "dealer": position.dealer,
        "turn": position.turn,
        "hands": [write_cards(hand) for hand in position.hands],
        "loose": write_cards(position.loose),
        "piles": _write_piles(position.piles),
        "stock": [format_card(card) for card in position.stock],
        "captured": [write_cards(cards) for cards in position.captured],
        "xeri": list(position.xeri),
        "xeristaki": list(position.xeristaki),
        "last_capture": position.last_capture,
        "plays": position.plays,
        "scores": list(position.scores),
    }
    if position.shown is not None:
        written["shown"] = _write_shown(position.shown)
    if position.history is not None:
        written["history"] = _write_history(position.history)
    return written


def write_view(view: View) -> Json:
    """A seat's view: other hands and the stock as numbers, captures null until the deal is over."""
    written = {
        "format": FORMAT,
        "seat": view.seat,
        "rules": write_rules(view.rules),
        "dealer": view.dealer,
        "turn": view.turn,
        "hands": [
            write_cards(view.hand) if seat == view.seat else size
            for seat, size in enumerate(view.hand_sizes)
        ],
        "loose": write_cards(view.loose),
        "piles": _write_piles(view.piles),
        "stock": view.stock_size,
        "captured": view.captured and [write_cards(cards) for cards in view.captured],
        "xeri": list(view.xeri),
        "xeristaki": list(view.xeristaki),
        "last_capture": view.last_capture,
        "plays": view.plays,
        "scores": list(view.scores),
        "history": view.history and _write_history(view.history),
    }
    if view.shown is not None:
        written["shown"] = _write_shown(view.shown)
    return written


def _write_piles(piles: Iterable[Pile]) -> Json:
    return [
        {
            "value": pile.value,
            "owner": pile.owner,
            "components": [write_cards(component) for component in pile.components],
        }
        for pile in piles
    ]


def _write_shown(shown: Iterable[int | None]) -> Json:
    return [None if card is None else format_card(card) for card in shown]


def _write_history(history: History) -> Json:
    return {
        "table": write_cards(history.layout),
        "plays": [[seat, format_play(play)] for seat, play in history.plays],
    }


def is_view(written: Json) -> bool:
    """Whether a JSON value has the form of a view rather than of a whole position."""
    return isinstance(written, dict) and type(written.get("stock")) is int


def read_position(written: Json) -> Position:
    """The position that a JSON value describes, checked for consistency."""
    fields = Fields(written)
    fields.check_format(FORMAT)
    rules = read_rules(fields.get("rules"))
    piles = fields.piles(rules)
    state = new_state(
        rules,
        hands=fields.masks("hands", rules.players),
        loose=fields.mask("loose"),
        piles=piles,
        stock=fields.cards("stock", fields.get("stock")),
        captured=fields.masks("captured", 2),
        **fields.counts(rules),
    )
    fields.check_all_met(rules)
    laid = {pile.cards: pile.components for pile in piles}
    position = Position(rules, state, laid, fields.shown(rules), fields.history(rules))
    check_position(position)
    return position


def read_view(written: Json) -> View:
    """The view that a JSON value describes; its seat is the one whose hand is listed."""
    fields = Fields(written)
    fields.check_format(FORMAT)
    rules = read_rules(fields.get("rules"))
    hands = fields.list_of("hands", fields.get("hands"), rules.players)
    listed = [seat for seat, hand in enumerate(hands) if isinstance(hand, list)]
    if len(listed) != 1:
        raise PositionError(N_("hands: a view lists the hand of one seat"))
    [seat] = listed
    if fields.seat("seat", fields.get("seat", seat), rules) != seat:
        raise PositionError(N_("seat: the hand that is listed is that of seat {seat}"), seat=seat)
    captured = fields.get("captured", None)
    view = View(
        seat=seat,
        rules=rules,
        hand=mask_of(fields.cards(f"hands.{seat}", hands[seat])),
        hand_sizes=tuple(
            len(hand) if other == seat else fields.number(f"hands.{other}", hand)
            for other, hand in enumerate(hands)
        ),
        loose=fields.mask("loose"),
        piles=fields.piles(rules),
        stock_size=fields.number("stock", fields.get("stock")),
        captured=None if captured is None else (*fields.masks("captured", 2),),  # type: ignore[arg-type]
        shown=fields.shown(rules),
        history=fields.history(rules),
        **fields.counts(rules),
    )
    if captured is None:
        fields.check_none_foreign(rules)
    else:
        fields.check_all_met(rules)
    check_view(view)
    return view
