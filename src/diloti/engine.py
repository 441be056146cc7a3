"""The line protocol: one JSON object a line in, one out (docs/notation.md)."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping
from io import TextIOWrapper
from typing import Any, TextIO

from diloti.bots import choose
from diloti.core import wire
from diloti.core.deal import exchange_layout, lay_out
from diloti.core.effects import Event, Outcome, make_play, show_card
from diloti.core.errors import N_, DilotiError, PackError
from diloti.core.legality import RULE_OF, IllegalPlay, Refusal, refusal_of
from diloti.core.notation import PlayText, format_play, parse_card, parse_marked_play
from diloti.core.plays import count_legal_plays, legal_plays
from diloti.core.position import Position
from diloti.core.record import mark_of
from diloti.core.rules import LARGEST_SCORE, Rules
from diloti.core.scoring import score_deal
from diloti.core.shuffle import Shuffle
from diloti.core.view import View, view_of
from diloti.words import LANGUAGES, Words

Json = Any
Request = Mapping[str, Any]

MOST_LISTED = 100_000
"""`legal` refuses to list more plays than this."""

MOST_SIMULATIONS = 1_000_000_000
MOST_SECONDS = 86_400.0
"""A bot thinks no longer than a day, whatever it is asked for."""

LONGEST_LINE = 1_000_000
"""Characters of a line that is read; a longer one is an error."""


class RequestError(DilotiError):
    """A request that lacks something or asks for what there is not."""


class BadJsonError(DilotiError):
    """A line that is not JSON."""

    code = "bad_json"


class TooManyError(DilotiError):
    """A position with more legal plays than are listed."""

    code = "too_many"


def field(request: Request, name: str) -> Json:
    """A field that the operation needs."""
    if name not in request:
        raise RequestError(N_("the field {name} is missing"), name=name)
    return request[name]


def number(request: Request, name: str, most: int, *, least: int = 0) -> int:
    """A whole number from `least` to `most`."""
    value = field(request, name)
    if type(value) is not int or not least <= value <= most:
        raise RequestError(
            N_("{name} must be a whole number from {least} to {most}"),
            name=name,
            least=least,
            most=most,
        )
    return value


def position_of(request: Request) -> Position:
    """The full position of a request."""
    return wire.read_position(field(request, "position"))


def play_of(request: Request) -> PlayText:
    """The play of a request and its mark."""
    return parse_marked_play(field(request, "play"))


def outcome_of(position: Position, read: PlayText) -> Outcome:
    """What a play brings about; its mark, if it has one, must be true."""
    outcome = make_play(position, read.play)
    if read.mark and read.mark != mark_of(outcome):
        raise RequestError(N_("{mark} does not belong to this play"), mark=read.mark)
    return outcome


def legal(request: Request) -> Json:
    """Every legal play of the seat in turn, sorted."""
    position = position_of(request)
    count = count_legal_plays(position)
    if count > MOST_LISTED:
        raise TooManyError(N_("there are {count} legal plays, too many to list"), count=count)
    return {"plays": sorted(format_play(play) for play in legal_plays(position))}


def view(request: Request) -> Json:
    """What a seat may see."""
    position = position_of(request)
    seat = number(request, "seat", position.rules.players - 1)
    return {"view": wire.write_view(view_of(position, seat))}


def apply(request: Request) -> Json:
    """The position after a play, and the events on the way."""
    outcome = outcome_of(position_of(request), play_of(request))
    return {
        "position": wire.write_position(outcome.position),
        "events": [write_event(event) for event in outcome.events],
    }


def write_event(event: Event) -> Json:
    """An event as the protocol writes it."""
    written: dict[str, Json] = {"event": event.name}
    if event.name == "released":
        written["owner"] = event.owner
    if event.name == "leftovers":
        written["side"] = event.side
    if event.name in ("capture", "leftovers"):
        written["cards"] = wire.write_cards(event.cards)
    return written


def explain(request: Request) -> Json:
    """Whether a play is legal; if not, the rule against it and a sentence."""
    position = position_of(request)
    read = play_of(request)
    refusal = refusal_of(position, read.play)
    if refusal is Refusal.NONE:
        outcome_of(position, read)
        return {"legal": True}
    message = words_of(request).refusal(refusal, position, read.play)
    return {"legal": False, "rule": RULE_OF[refusal], "message": message}


def score(request: Request) -> Json:
    """The points of a deal that is over."""
    result = score_deal(position_of(request))
    return {
        "deal": [{**vars(sheet), "total": sheet.total} for sheet in result.sheets],
        "scores": list(result.scores),
        "winner": result.winner,
    }


def deal(request: Request) -> Json:
    """A fresh deal from a pack or from a seed."""
    rules = wire.read_rules(field(request, "rules"))
    dealer = number(request, "dealer", rules.players - 1)
    shuffle = Shuffle(wire.read_seed(request.get("seed", 0)))
    pack = pack_of(request, rules) if "pack" in request else None
    if pack is None:
        field(request, "seed")
        pack = shuffle.pack(rules)
    final = exchange_layout(rules, pack, shuffle)
    position = lay_out(rules, dealer=dealer, pack=final, scores=scores_of(request))
    return {"position": wire.write_position(position)}


def pack_of(request: Request, rules: Rules) -> list[int]:
    """The pack of a request."""
    cards = request["pack"]
    if not isinstance(cards, list):
        raise PackError(
            N_("a pack holds each of its {size} cards exactly once"), size=rules.pack_size
        )
    return [parse_card(card) for card in cards]


def scores_of(request: Request) -> tuple[int, int]:
    """The match totals of a request, zeros by default."""
    scores = request.get("scores", [0, 0])
    if (
        not isinstance(scores, list)
        or len(scores) != 2
        or any(type(one) is not int or not 0 <= one <= LARGEST_SCORE for one in scores)
    ):
        raise RequestError(
            N_("scores must be two whole numbers from 0 to {most}"), most=LARGEST_SCORE
        )
    return scores[0], scores[1]


def show(request: Request) -> Json:
    """The position after a card has been shown to the partner."""
    position = position_of(request)
    seat = number(request, "seat", position.rules.players - 1)
    shown = show_card(position, seat, parse_card(field(request, "card")))
    return {"position": wire.write_position(shown)}


def choose_play(request: Request) -> Json:
    """The play of a bot, and what it considered."""
    name = "view" if "view" in request and "position" not in request else "position"
    view = seat_view(field(request, name))
    if view.turn is None:
        raise RequestError(N_("the deal is over"))
    if view.turn != view.seat:
        raise RequestError(N_("it is not the turn of this seat"))
    bot = field(request, "bot")
    if not isinstance(bot, str):
        raise RequestError(N_("{name} must be a text"), name="bot")
    seed = int.from_bytes(wire.read_seed(request.get("seed", 0)), "big")
    choice = choose(
        view,
        bot,
        seed=seed,
        seconds=read_seconds(request),
        simulations=number(request, "simulations", MOST_SIMULATIONS, least=1)
        if "simulations" in request
        else None,
    )
    return {
        "play": format_play(choice.play),
        "analysis": [
            {
                "play": format_play(candidate.play),
                "points": candidate.points,
                "win_chance": candidate.win_chance,
            }
            for candidate in choice.analysis
        ],
    }


def read_seconds(request: Request) -> float | None:
    """The field `seconds`: a number above 0, or None where there is none."""
    if "seconds" not in request:
        return None
    seconds = request["seconds"]
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise RequestError(N_("{name} must be a number above 0"), name="seconds")
    return float(max(min(seconds, MOST_SECONDS), 0))


def seat_view(written: Json) -> View:
    """The view of the seat in turn, from its view or from a whole position."""
    if wire.is_view(written):
        return wire.read_view(written)
    position = wire.read_position(written)
    if position.turn is None:
        raise RequestError(N_("the deal is over"))
    return view_of(position, position.turn)


OPERATIONS: Mapping[str, Callable[[Request], Json]] = {
    "legal": legal,
    "view": view,
    "apply": apply,
    "explain": explain,
    "score": score,
    "deal": deal,
    "show": show,
    "choose": choose_play,
}
"""What the protocol can be asked for, by the field `op`."""


def words_of(request: Request) -> Words:
    """The language that a request asks for, English by default."""
    language = request.get("lang", "en")
    if not isinstance(language, str) or language not in LANGUAGES:
        raise RequestError(
            N_("{name} must be one of {known}"), name="lang", known=", ".join(LANGUAGES)
        )
    return Words(language)


def answer(line: str) -> Json:
    """The answer to one line; errors are answers too."""
    identity: Json = None
    words = Words("en")
    try:
        request = read_line(line)
        identity = request.get("id")
        words = words_of(request)
        operation = request.get("op")
        if not isinstance(operation, str) or operation not in OPERATIONS:
            raise RequestError(
                N_("{name} must be one of {known}"), name="op", known=", ".join(OPERATIONS)
            )
        return {"id": identity, **OPERATIONS[operation](request)}
    except DilotiError as trouble:
        return {"id": identity, "error": write_error(trouble, words)}


def read_line(line: str) -> Request:
    """The request of a line."""
    if len(line) > LONGEST_LINE:
        raise RequestError(N_("the line is longer than {most} characters"), most=LONGEST_LINE)
    try:
        request = json.loads(line, parse_constant=finite, parse_float=finite)
    except (ValueError, RecursionError):
        raise BadJsonError(N_("the line is not JSON")) from None
    if not isinstance(request, dict):
        raise RequestError(N_("a request is a JSON object"))
    return request


def finite(text: str) -> float:
    """The number of a text; `ValueError` for NaN, Infinity and what is larger than any float."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def write_error(trouble: DilotiError, words: Words) -> Json:
    """An error as the protocol writes it."""
    written: dict[str, Json] = {"code": trouble.code, "message": words.error(trouble)}
    if isinstance(trouble, IllegalPlay):
        written["rule"] = trouble.rule
    if isinstance(trouble, TooManyError):
        written["count"] = trouble.details["count"]
    return written


def run(source: TextIO | None = None, target: TextIO | None = None) -> None:
    """Answer every line of `source` (standard input) on `target` (standard output).

    Both are UTF-8, whatever the machine prefers. Blank lines are passed over.
    """
    source, target = source or sys.stdin, target or sys.stdout
    if isinstance(source, TextIOWrapper):
        source.reconfigure(encoding="utf-8-sig", errors="replace")
    if isinstance(target, TextIOWrapper):
        # Half a surrogate pair, which JSON can hold and UTF-8 cannot, stays a JSON escape.
        target.reconfigure(encoding="utf-8", errors="backslashreplace")
    for line in source:
        if line.strip():
            text = json.dumps(answer(line), ensure_ascii=False, allow_nan=False)
            print(text, file=target, flush=True)
