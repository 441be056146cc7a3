"""Cards and plays as text, both ways.

Reading is generous (either case of the suit, `10` for `T`, suit signs, any order, spaces); writing
always gives the canonical text, so two plays are the same exactly when their texts are equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from diloti.core.cards import cards_in, mask_of
from diloti.core.errors import N_, NotationError, quote
from diloti.core.jit import lowest
from diloti.core.plays import CAPTURE, DECLARE, RAISE, TRAIL, Play

RANK_SIGNS = "A23456789TJQK"
SUIT_SIGNS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"

_SUIT_OF = {sign: suit for suit, sign in enumerate(SUIT_SIGNS)} | {
    sign: suit for suit, sign in enumerate(SUIT_SYMBOLS)
}
_IGNORED = re.compile(r"[\s\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}]+")
_CARD = "(?:10|[A2-9TJQK])[cdhsCDHS♣♦♥♠]"
_ONE_CARD = re.compile(_CARD)
_CARDS = re.compile(f"(?:{_CARD})*")
_PLAY = re.compile(
    rf"(?P<card>{_CARD})"
    rf"(?:(?P<sign>[x+^])(?P<used>(?:{_CARD}|\[(?:{_CARD})+\])+)"
    r"(?:=(?P<value>[0-9]{1,2}))?)?(?P<mark>[*~]?)"
)
_LONGEST_TEXT = 1000

_SIGN = {CAPTURE: "x", DECLARE: "+", RAISE: "^"}
_KIND = {sign: kind for kind, sign in _SIGN.items()}

XERI_MARK, XERISTAKI_MARK = "*", "~"


def format_card(card: int) -> str:
    """A card as two characters, as `Td`."""
    return RANK_SIGNS[card >> 2] + SUIT_SIGNS[card & 3]


def parse_card(text: str) -> int:
    """The card that a text names; `NotationError` where it names none."""
    compact = _compact(text)
    if not _ONE_CARD.fullmatch(compact):
        raise _no_card(text)
    return _card(compact)


def _compact(text: str) -> str:
    """A text without what reading ignores; for what is no text of sensible length one that fits
    nothing."""
    return _IGNORED.sub("", text) if isinstance(text, str) and len(text) <= _LONGEST_TEXT else "?"


def _no_card(text: str) -> NotationError:
    return NotationError(
        N_("{text} is not a card; cards are written like 7h or Td"), text=quote(text)
    )


def _card(text: str) -> int:
    """The card of a compact text that is known to be one."""
    rank, suit = text[:-1].replace("10", "T"), text[-1]
    return RANK_SIGNS.index(rank) * 4 + _SUIT_OF[suit.lower()]


def format_cards(mask: int, between: str = "") -> str:
    """The cards of a mask, in canonical order."""
    return between.join(format_card(card) for card in cards_in(mask))


def parse_cards(text: str) -> int:
    """The mask of the cards in a text; `NotationError` for other text and for a card twice."""
    compact = _compact(text)
    if not _CARDS.fullmatch(compact):
        raise _no_card(text)
    return _distinct([_card(found) for found in _ONE_CARD.findall(compact)])


def _distinct(cards: list[int]) -> int:
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise NotationError(N_("{card} is named twice"), card=format_card(card))
    return mask_of(cards)


def format_play(play: Play) -> str:
    """The canonical text of a play, without a mark."""
    if play.kind == TRAIL:
        return format_card(play.card)
    piles = "".join(f"[{format_cards(pile)}]" for pile in play.piles)
    text = format_card(play.card) + _SIGN[play.kind] + format_cards(play.loose) + piles
    return text if play.kind == CAPTURE else f"{text}={play.value}"


@dataclass(frozen=True)
class PlayText:
    """A play as it was read, and the mark behind it: `*` for a xeri, `~` for a xeristaki."""

    play: Play
    mark: str


def parse_marked_play(text: str) -> PlayText:
    """The play and mark that a text names; `NotationError` where it is no play."""
    found = _PLAY.fullmatch(_compact(text))
    if found is None or bool(found["value"]) != (found["sign"] in ("+", "^")):
        raise NotationError(
            N_("{text} is not a play; plays are written like 5h, 6hx2c4s, 3c+5h=8 or Ah^[3d5s]=9"),
            text=quote(text),
        )
    card = _card(found["card"])
    if found["sign"] is None:
        return PlayText(Play(TRAIL, card), found["mark"])
    used = found["used"]
    in_piles = [_ONE_CARD.findall(pile) for pile in re.findall(r"\[([^]]*)\]", used)]
    loose = _ONE_CARD.findall(re.sub(r"\[[^]]*\]", "", used))
    _distinct([card, *map(_card, loose), *(_card(one) for pile in in_piles for one in pile)])
    piles = sorted((mask_of(map(_card, pile)) for pile in in_piles), key=lowest)
    return PlayText(
        Play(
            _KIND[found["sign"]],
            card,
            mask_of(map(_card, loose)),
            tuple(piles),
            int(found["value"] or 0),
        ),
        found["mark"],
    )


def parse_play(text: str) -> Play:
    """The play that a text names, its mark left out; `NotationError` where it is no play."""
    return parse_marked_play(text).play
