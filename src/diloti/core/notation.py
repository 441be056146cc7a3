"""Cards and plays as text, both ways.

Reading is generous (either case of the suit, `10` for `T`, suit signs, any order, spaces); writing
always gives the canonical text, so two plays are the same exactly when their texts are equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from diloti.core.cards import cards_in, mask_of
from diloti.core.errors import N_, NotationError
from diloti.core.jit import lowest
from diloti.core.plays import CAPTURE, DECLARE, RAISE, TRAIL, Play

RANK_SIGNS = "A23456789TJQK"
SUIT_SIGNS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"

_SUIT_OF = {sign: suit for suit, sign in enumerate(SUIT_SIGNS)} | {
    sign: suit for suit, sign in enumerate(SUIT_SYMBOLS)
}
_CARD = r"(?:10|[A2-9TJQK])\s*[cdhsCDHS♣♦♥♠]\N{VARIATION SELECTOR-15}?\N{VARIATION SELECTOR-16}?"
_ONE_CARD = re.compile(_CARD)
_PLAY = re.compile(
    rf"\s*(?P<card>{_CARD})\s*"
    rf"(?:(?P<sign>[x+^])\s*(?P<used>(?:{_CARD}|\[(?:\s*{_CARD})+\s*\]|\s)+)"
    r"(?:=\s*(?P<value>\d{1,2}))?)?\s*(?P<mark>[*~]?)\s*"
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
    stripped = text.strip() if isinstance(text, str) else ""
    if not _ONE_CARD.fullmatch(stripped):
        raise NotationError(N_("{text} is not a card; cards are written like 7h or Td"), text=text)
    return _card(stripped)


def _card(text: str) -> int:
    """The card of a text that is known to be one."""
    compact = re.sub(r"[\s\ufe0e\ufe0f]", "", text)
    rank, suit = compact[:-1].replace("10", "T"), compact[-1]
    return RANK_SIGNS.index(rank) * 4 + _SUIT_OF[suit.lower()]


def format_cards(mask: int, between: str = "") -> str:
    """The cards of a mask, in canonical order."""
    return between.join(format_card(card) for card in cards_in(mask))


def parse_cards(text: str) -> int:
    """The mask of the cards in a text; `NotationError` for other text and for a card twice."""
    rest = _ONE_CARD.sub("", text)
    if rest.strip():
        raise NotationError(N_("{text} is not a card; cards are written like 7h or Td"), text=rest)
    return _distinct([_card(found) for found in _ONE_CARD.findall(text)])


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
    found = _PLAY.fullmatch(text) if isinstance(text, str) and len(text) < _LONGEST_TEXT else None
    if found is None or bool(found["value"]) != (found["sign"] in ("+", "^")):
        raise NotationError(
            N_("{text} is not a play; plays are written like 5h, 6hx2c4s, 3c+5h=8 or Ah^[3d5s]=9"),
            text=text if isinstance(text, str) and len(text) < _LONGEST_TEXT else "…",
        )
    card = _card(found["card"])
    if found["sign"] is None:
        return PlayText(Play(TRAIL, card), found["mark"])
    used = found["used"]
    in_piles = [_ONE_CARD.findall(pile) for pile in re.findall(r"\[([^]]*)\]", used)]
    loose = _ONE_CARD.findall(re.sub(r"\[[^]]*\]", " ", used))
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
