"""The cards that a text names, in whatever form, and those that a seat has seen by then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import pytest

from diloti.core.cards import cards_in
from diloti.core.errors import NotationError
from diloti.core.match import Match
from diloti.core.notation import RANK_SIGNS, SUIT_SIGNS, format_card, parse_card, parse_play
from diloti.core.position import side_of
from diloti.web.room import Room
from diloti.words import LANGUAGES, Words
from diloti.words.cards import card_name, card_sign
from tests.wire import Heard, State

ALL = (1 << 52) - 1

# --- The cards that a text names --------------------------------------------------------

_TOKEN = re.compile(r"[\w\[\]+^=*~-]+")
_NOTATION = re.compile(r"(?:[hpt]-)?(?:[A2-9TJQK][cdhs]|[\[\]x+^])+(?:=\d+)?[*~]?")
_ARTICLE = re.compile(r"\bAs(?= [^\W\dA-Z])")
"""The Portuguese word, which no ace of spades stands before."""
_CARD = re.compile(r"(?P<rank>[A2-9TJQK])(?P<suit>[cdhs])")
_FACE = re.compile(r'class="face (?P<suit>[cdhs])"[^>]*><b>(?P<rank>10|[A2-9JQK])</b>')


def _names(card: int) -> list[str]:
    """A card as people read it: its sign, and what it is called in each language."""
    return [card_sign(card), *(card_name(Words(language), card) for language in LANGUAGES)]


_NAMES = {name.lower(): card for card in range(52) for name in _names(card)}


def _examples() -> Iterator[str]:
    """What is said to everybody who writes a card or a play that is none."""
    for read in (parse_card, parse_play):
        with pytest.raises(NotationError) as refused:
            read("??")
        for language in LANGUAGES:
            told = Words(language).error(refused.value)
            yield from (told, told[0].upper() + told[1:])


_EXAMPLES = [*_examples()]


def named(text: str) -> set[int]:
    """The cards that a text names: in words, by signs and faces, and in notation.

    That is a card as `Td`, by itself or in a play; not one within a random word.
    """
    text = text.replace('\\"', '"')  # as in JSON
    for example in _EXAMPLES:
        text = text.replace(example, "")
    lower = text.lower()
    tokens = filter(_NOTATION.fullmatch, _TOKEN.findall(_ARTICLE.sub("", text)))
    written = [*_FACE.finditer(text), *_CARD.finditer(" ".join(tokens))]
    return {card for name, card in _NAMES.items() if name in lower} | {
        RANK_SIGNS.index(one["rank"].replace("10", "T")) * 4 + SUIT_SIGNS.index(one["suit"])
        for one in written
    }


def texts_of(card: int) -> list[str]:
    """Texts that give a card away."""
    text = format_card(card)
    face = f'<span class="face {text[1]}" aria-hidden="true"><b>{card_sign(card)[:-1]}</b>'
    forms = [f'"{text}"', f"h-{text}", f"{text}x{text}*", f"{text}+[{text}]=6", face]
    return [*forms, *_names(card)]


# --- The cards that a seat has seen -----------------------------------------------------


def seen_by(match: Match, seat: int | None) -> dict[State, int]:
    """What a seat had seen in each state of a match, or an onlooker: worked out from all cards."""
    seen = {(0, 0): 0}
    for number, log in enumerate(match.deals, start=1):
        again = Match(match.rules, first_dealer=log.dealer)
        again.deal_pack(log.pack, log.final)
        cards = 0
        for place, card in enumerate(log.position.shown or ()):
            if card is not None and seat is not None and side_of(place) == side_of(seat):
                cards |= 1 << card
        for played, play in enumerate([None, *log.plays]):
            if play is not None:
                again.play(play)
                cards |= 1 << play.card
            here = again.position
            cards |= here.loose | (0 if seat is None else here.hands[seat])
            seen[number, played] = ALL if here.is_over else cards
    return seen


def leaks(heard: Iterable[Heard], seen: Mapping[State, int]) -> list[tuple[Heard, set[int]]]:
    """The texts that name a card unseen: in the state they show, or else in the last one shown."""
    state: State = (0, 0)
    found = []
    for one in heard:
        state = one.state or state
        if unseen := {card for card in named(one.text) if not seen[state] >> card & 1}:
            found.append((one, unseen))
    return found


def assert_tight(heard: list[Heard], seen: Mapping[State, int]) -> None:
    """No leak in what was heard, and the check finds one wherever it is put in."""
    told = [(one.asked, one.state, cards, one.text) for one, cards in leaks(heard, seen)]
    assert told == [], told
    shown = {state: one for one in heard if (state := one.state) and seen[state] != ALL}
    assert shown.keys() >= {state for state, cards in seen.items() if state[1] and cards != ALL}
    for state, one in [*shown.items()][:: max(1, len(shown) // 5)]:
        unseen = next(cards_in(ALL & ~seen[state]))
        for text in texts_of(unseen):
            planted = Heard(one.asked, one.status, f"{one.text} {text} ")
            later = Heard("GET choices", 200, f"<b>{text}</b>")
            assert [cards for _one, cards in leaks([planted], seen)] == [{unseen}], text
            assert [cards for _one, cards in leaks([one, later], seen)] == [{unseen}], text


def assert_silent(log: str, room: Room, *more: str) -> None:
    """Nothing in a log of the cards, the names, the people or the secrets of a table."""
    secrets = [text for seat in room.seats for text in (seat.name, seat.person)]
    for secret in (*secrets, room.invitation, *more):
        assert not secret or secret not in log, secret
    assert named(log) == set()
    assert "Started server process" in log
