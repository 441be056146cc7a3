"""The rules of Diloti written out slowly, to compare the engine with.

Everything here follows the numbered rules one by one, with cards as two-character strings and
positions as the plain JSON objects of the notation. Nothing is imported from the engine, so that
the two can only agree by both being right. It is one long file, to be read beside the rules.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import add, gt
from typing import Any, NamedTuple

Position = dict[str, Any]
Event = dict[str, Any]
Rules = dict[str, Any]
Pile = tuple[str, ...]
Counts = tuple[int, ...]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
PACK: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
ORDER: dict[str, int] = {card: place for place, card in enumerate(PACK)}
WORTHS = {rank: place for place, rank in enumerate(RANKS[:10], start=1)}
COURTS = "JQK"
PLAYS_IN_A_DEAL = 48
HAND = 6


class Refused(ValueError):
    """Text, a rule set or a play that cannot be accepted."""


# ------------------------------------------------------------------ R13: rule sets

CLASSIC: Rules = {
    "players": 2,
    "target": 61,
    "deal_packet": 6,
    "redeal": "equal_courts",
    "equal_cards": "any",
    "sum_groups": "many",
    "court_capture": "one",
    "court_must_capture": True,
    "families": True,
    "raising": "opponents",
    "obligations": True,
    "first_play_xeri": False,
    "last_play_xeri": True,
    "xeri_points": 10,
    "xeristaki_points": 0,
    "forced_capture": False,
    "partners_show_card": False,
}
TAVERNA: Rules = {
    "players": 4,
    "target": 61,
    "deal_packet": 3,
    "redeal": "jacks",
    "equal_cards": "all",
    "sum_groups": "one",
    "court_capture": "all",
    "court_must_capture": False,
    "families": True,
    "raising": "anyone",
    "obligations": False,
    "first_play_xeri": True,
    "last_play_xeri": False,
    "xeri_points": 10,
    "xeristaki_points": 0,
    "forced_capture": False,
    "partners_show_card": False,
}
BASES: dict[str, Rules] = {"classic": CLASSIC, "taverna": TAVERNA}
WORDS: dict[str, tuple[str, ...]] = {
    "redeal": ("equal_courts", "jacks", "never"),
    "equal_cards": ("any", "all"),
    "sum_groups": ("many", "one"),
    "court_capture": ("one", "all", "three_take_three"),
    "raising": ("opponents", "others", "anyone", "never"),
}


def switches(written: str | Mapping[str, Any]) -> Rules:
    """All switches of a rule set given by name or as changes to a base (R13).

    Raises Refused for an unknown base or switch and for an impossible value.
    """
    changes: dict[str, Any] = {"base": written} if isinstance(written, str) else dict(written)
    base = changes.pop("base", "classic")
    if not isinstance(base, str) or base not in BASES:
        raise Refused(f"no rule set is called {base!r}")
    rules = dict(BASES[base])
    for name, value in changes.items():
        if name not in rules:
            raise Refused(f"no switch is called {name!r}")
        if not _possible(name, value):
            raise Refused(f"{name} cannot be {value!r}")
        rules[name] = value
    if rules["partners_show_card"] and rules["players"] != 4:
        raise Refused("partners_show_card needs four players")
    return rules


def _possible(name: str, value: Any) -> bool:
    """Whether a switch may have this value on its own (R13)."""
    if name in WORDS:
        return isinstance(value, str) and value in WORDS[name]
    if isinstance(CLASSIC[name], bool):
        return isinstance(value, bool)
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    if name == "players":
        return value in (2, 4)
    if name == "deal_packet":
        return value in (3, 6)
    return value >= (1 if name == "target" else 0)


# ------------------------------------------------------------------ R1: cards, values, components


def is_court(card: str) -> bool:
    """Whether a card is a jack, queen or king (R1)."""
    return card[0] in COURTS


def worth(card: str) -> int:
    """What a numeral counts: ace 1, the others their face (R1). Courts raise Refused."""
    if is_court(card):
        raise Refused(f"{card} has no numerical value")
    return WORTHS[card[0]]


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards by rank from ace to king, then clubs, diamonds, hearts, spades."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


@cache
def sums(value: int, largest: int = 10) -> tuple[tuple[int, ...], ...]:
    """Every way to write a value as numerals of at most `largest`, each way from high to low.

    These are all the forms a component can have (R1).
    """
    if value == 0:
        return ((),)
    return tuple(
        (first, *rest)
        for first in range(min(value, largest), 0, -1)
        for rest in sums(value - first, first)
    )


@cache
def split_worths(worths: tuple[int, ...], value: int) -> tuple[tuple[int, ...], ...] | None:
    """Numerals, from high to low, as components of one value; None when they cannot be split.

    The highest numeral must be in some component and is the highest there, so every component
    that starts with it is tried, and the rest must split in turn (R5.1, R6.4).
    """
    if not worths:
        return ()
    for component in sums(value):
        if component[0] != worths[0]:
            continue
        left = list(worths)
        for numeral in component:
            if numeral not in left:
                break
            left.remove(numeral)
        else:
            others = split_worths(tuple(left), value)
            if others is not None:
                return (component, *others)
    return None


def split_form(cards: Iterable[str], value: int) -> tuple[tuple[int, ...], ...] | None:
    """What the numerals of each component are worth when cards split; None when they do not."""
    worths: list[int] = []
    for card in cards:
        if is_court(card):
            return None
        worths.append(worth(card))
    if not 1 <= value <= 10:
        return None
    return split_worths(tuple(sorted(worths, reverse=True)), value)


def split(cards: Iterable[str], value: int) -> list[list[str]] | None:
    """Numerals as lists of cards that each add up to a value; None when there is no such split."""
    left = list(cards)
    form = split_form(left, value)
    if form is None:
        return None
    components: list[list[str]] = []
    for worths in form:
        components.append([])
        for numeral in worths:
            card = next(card for card in left if worth(card) == numeral)
            left.remove(card)
            components[-1].append(card)
    return components


# ------------------------------------------------------------------ plays as text


class Play(NamedTuple):
    """A play: `kind` is trail, capture, declare or raise; loose cards and piles are in order.

    A pile is named by all its cards. `value` is the announced value of a declaration or raise.
    `mark` is "*" or "~" where the text carried one, else empty.
    """

    kind: str
    card: str
    loose: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()
    value: int | None = None
    mark: str = ""


_CARD = re.compile(r"(10|[A2-9TJQK])([cdhsCDHS♣♦♥♠])")
_SIGNS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


def parse_card(text: str) -> str:
    """A card in its two-character form. Raises Refused when the text is not one card."""
    found = _CARD.fullmatch(text)
    if found is None:
        raise Refused(f"{text!r} is not a card")
    rank, suit = found.groups()
    return rank.replace("10", "T") + _SIGNS.get(suit, suit.lower())


def _parse_cards(text: str) -> list[str]:
    cards: list[str] = []
    at = 0
    while at < len(text):
        found = _CARD.match(text, at)
        if found is None:
            raise Refused(f"{text[at:]!r} does not start with a card")
        cards.append(parse_card(found.group()))
        at = found.end()
    return cards


def make_play(
    kind: str,
    card: str,
    loose: Iterable[str] = (),
    piles: Iterable[Iterable[str]] = (),
    value: int | None = None,
    mark: str = "",
) -> Play:
    """A play with its cards and piles put in canonical order."""
    ordered = sorted((in_order(pile) for pile in piles), key=lambda pile: ORDER[pile[0]])
    return Play(kind, card, in_order(loose), tuple(ordered), value, mark)


def parse_play(text: str) -> Play:
    """The play a text stands for, in any spelling that reading accepts.

    Raises Refused when the text is not of one of the four forms: also when it names a card
    twice, captures or declares with nothing, or raises anything but one pile.
    """
    rest = re.sub(r"\s", "", text)
    found = _CARD.match(rest)
    if found is None:
        raise Refused(f"{text!r} does not start with a card")
    card = parse_card(found.group())
    rest = rest[found.end() :]
    mark = ""
    if rest[-1:] in ("*", "~"):
        rest, mark = rest[:-1], rest[-1]
    if not rest:
        return Play("trail", card, mark=mark)
    kind = {"x": "capture", "+": "declare", "^": "raise"}.get(rest[0])
    if kind is None:
        raise Refused(f"{text!r} is not a play")
    rest = rest[1:]
    value: int | None = None
    if kind != "capture":
        body = re.fullmatch(r"([^=]*)=([0-9]{1,9})", rest)
        if body is None:
            raise Refused(f"{text!r} announces no value")
        rest, value = body.group(1), int(body.group(2))
    piles = [_parse_cards(inside) for inside in re.findall(r"\[([^\[\]]*)\]", rest)]
    loose = _parse_cards(re.sub(r"\[[^\[\]]*\]", "", rest))
    named = [card, *loose, *itertools.chain.from_iterable(piles)]
    if len(set(named)) != len(named):
        raise Refused(f"{text!r} names a card twice")
    if not all(piles) or not (loose or piles):
        raise Refused(f"{text!r} takes nothing")
    if kind == "raise" and (loose or len(piles) != 1):
        raise Refused(f"{text!r} does not raise one pile")
    return make_play(kind, card, loose, piles, value, mark)


def format_play(play: Play) -> str:
    """The canonical text of a play, without a mark."""
    table = "".join(play.loose) + "".join("[" + "".join(pile) + "]" for pile in play.piles)
    if play.kind == "trail":
        return play.card
    if play.kind == "capture":
        return f"{play.card}x{table}"
    return f"{play.card}{'+' if play.kind == 'declare' else '^'}{table}={play.value}"


# ------------------------------------------------------------------ who is who


def side_of(seat: int) -> int:
    """The side of a seat: seats 0 and 2 are side 0 (R1)."""
    return seat % 2


def pile_cards(pile: Mapping[str, Any]) -> Pile:
    """All cards of a pile in order."""
    return in_order(itertools.chain.from_iterable(pile["components"]))


def is_plain(pile: Mapping[str, Any]) -> bool:
    """Whether a pile is a plain declaration, that is of one component (R1)."""
    return len(pile["components"]) == 1


class Turn:
    """What the rules look at when one seat is to play."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        self.rules = switches(position["rules"])
        self.seat: int = position["turn"]
        self.hand: list[str] = position["hands"][self.seat]
        self.loose: list[str] = position["loose"]
        self.piles: dict[Pile, dict[str, Any]] = {
            pile_cards(pile): pile for pile in position["piles"]
        }
        self.own: list[Pile] = [
            cards for cards, pile in self.piles.items() if pile["owner"] == self.seat
        ]
        self.bound = bool(self.rules["obligations"] and self.own)

    def names_what_is_there(self, play: Play) -> bool:
        """Whether the card is in the hand and everything named lies on the table."""
        return (
            play.card in self.hand
            and all(card in self.loose for card in play.loose)
            and all(pile in self.piles for pile in play.piles)
        )

    def holds_after(self, play: Play, value: int | None) -> bool:
        """Whether the hand, without the played card, has a numeral of a value."""
        return any(
            not is_court(card) and worth(card) == value for card in self.hand if card != play.card
        )

    def could_capture(self, card: str) -> bool:
        """Whether a numeral can take anything at all (R5.1)."""
        value = worth(card)
        if any(pile["value"] == value for pile in self.piles.values()):
            return True
        counts = count_worths(self.loose)
        return any(
            all(component.count(numeral) <= counts[numeral] for numeral in component)
            for component in sums(value)
        )


# ------------------------------------------------------------------ one predicate for each rule


def breaks_r1(turn: Turn, play: Play) -> bool:
    """Courts match their own rank alone and have no value; piles have a value of at most 10."""
    if play.kind == "capture":
        if is_court(play.card):
            return bool(play.piles) or any(card[0] != play.card[0] for card in play.loose)
        return any(is_court(card) for card in play.loose)
    if play.kind == "declare":
        courts = is_court(play.card) or any(is_court(card) for card in play.loose)
        return courts or not _value_can_be(play)
    return play.kind == "raise" and is_court(play.card)


def _value_can_be(play: Play) -> bool:
    return play.value is not None and 1 <= play.value <= 10


def breaks_r5_1(turn: Turn, play: Play) -> bool:
    """A numeral takes equal cards, groups of its value, and piles of its value, nothing else."""
    if play.kind != "capture" or is_court(play.card):
        return False
    value = worth(play.card)
    return split_form(play.loose, value) is None or any(
        turn.piles[pile]["value"] != value for pile in play.piles
    )


def breaks_r5_3(turn: Turn, play: Play) -> bool:
    """A pile goes with a card or declaration of its exact value only, and never with a court."""
    if play.kind == "capture":
        value = None if is_court(play.card) else worth(play.card)
    elif play.kind == "declare" and not is_court(play.card):
        value = play.value
    else:
        return False
    return any(turn.piles[pile]["value"] != value for pile in play.piles)


def breaks_r5_4(turn: Turn, play: Play) -> bool:
    """With `equal_cards` all, whoever takes one loose card of the value takes each of them."""
    if play.kind != "capture" or is_court(play.card) or turn.rules["equal_cards"] != "all":
        return False
    equal = {card for card in turn.loose if card[0] == play.card[0]}
    taken = equal & set(play.loose)
    return bool(taken) and taken != equal


def breaks_r5_5(turn: Turn, play: Play) -> bool:
    """With `sum_groups` one, a capture has at most one group of two or more cards."""
    if play.kind != "capture" or is_court(play.card) or turn.rules["sum_groups"] != "one":
        return False
    components = split_form(play.loose, worth(play.card))
    return components is not None and sum(len(component) > 1 for component in components) > 1


def breaks_r5_7(turn: Turn, play: Play) -> bool:
    """Courts are taken by courts of their rank, in the number that `court_capture` asks for."""
    if play.kind != "capture":
        return False
    if not is_court(play.card):
        return any(is_court(card) for card in play.loose)
    if play.piles or any(card[0] != play.card[0] for card in play.loose):
        return True
    return len(play.loose) != courts_to_take(turn, play.card)


def courts_to_take(turn: Turn, court: str) -> int:
    """How many loose courts of its rank a court has to take when it takes any (R5.7)."""
    there = sum(card[0] == court[0] for card in turn.loose)
    if turn.rules["court_capture"] == "all":
        return there
    if turn.rules["court_capture"] == "three_take_three" and there == 3:
        return 3
    return 1


def breaks_r5_8(turn: Turn, play: Play) -> bool:
    """With `court_must_capture`, no trailing of a court that could take another."""
    return (
        play.kind == "trail"
        and is_court(play.card)
        and bool(turn.rules["court_must_capture"])
        and any(card[0] == play.card[0] for card in turn.loose)
    )


def breaks_r5_9(turn: Turn, play: Play) -> bool:
    """With `forced_capture`, no trailing of a numeral that could take anything."""
    return (
        play.kind == "trail"
        and not is_court(play.card)
        and bool(turn.rules["forced_capture"])
        and turn.could_capture(play.card)
    )


def breaks_r13(turn: Turn, play: Play) -> bool:
    """With `court_capture` three_take_three, the number of equal courts it asks for is taken."""
    if play.kind != "capture" or not is_court(play.card):
        return False
    if turn.rules["court_capture"] != "three_take_three":
        return False
    taken = sum(card[0] == play.card[0] for card in play.loose)
    return taken > 0 and taken != courts_to_take(turn, play.card)


def breaks_r6_1(turn: Turn, play: Play) -> bool:
    """No court in a declaration, nor added to one."""
    return play.kind in ("declare", "raise") and (
        is_court(play.card) or any(is_court(card) for card in play.loose)
    )


def breaks_r6_2(turn: Turn, play: Play) -> bool:
    """Whoever declares keeps a card of the declared value."""
    return play.kind == "declare" and not turn.holds_after(play, play.value)


def has_plain_form(turn: Turn, play: Play) -> bool:
    """Whether a declaration is a plain one: card and loose numerals that add up (R6.3)."""
    cards = [play.card, *play.loose]
    return (
        not play.piles
        and bool(play.loose)
        and not any(is_court(card) for card in cards)
        and _value_can_be(play)
        and sum(worth(card) for card in cards) == play.value
    )


def has_family_form(turn: Turn, play: Play) -> bool:
    """Whether a declaration is a family: two or more components of one value (R6.4)."""
    if play.value is None:
        return False
    laid = split_form([play.card, *play.loose], play.value)
    if laid is None or any(turn.piles[pile]["value"] != play.value for pile in play.piles):
        return False
    joined = sum(len(turn.piles[pile]["components"]) for pile in play.piles)
    return len(laid) + joined >= 2


def breaks_r6_3(turn: Turn, play: Play) -> bool:
    """A declaration that is not plain is allowed as a family only, where there are families."""
    if play.kind != "declare" or has_plain_form(turn, play):
        return False
    return not (turn.rules["families"] and has_family_form(turn, play))


def breaks_r6_4(turn: Turn, play: Play) -> bool:
    """A declaration is either plain or a family."""
    return play.kind == "declare" and not (
        has_plain_form(turn, play) or has_family_form(turn, play)
    )


def breaks_r6_6(turn: Turn, play: Play) -> bool:
    """Without `families`, nothing is joined and only plain declarations are made."""
    if play.kind != "declare" or turn.rules["families"]:
        return False
    return bool(play.piles) or has_family_form(turn, play)


def breaks_r7_1(turn: Turn, play: Play) -> bool:
    """A raise adds one numeral to a plain pile, and the sum is at most 10."""
    if play.kind != "raise":
        return False
    pile = turn.piles[play.piles[0]]
    if is_court(play.card) or not is_plain(pile) or not _value_can_be(play):
        return True
    return raised_value(turn, play) != play.value


def breaks_r7_2(turn: Turn, play: Play) -> bool:
    """Whoever raises keeps a card of the new value: of the sum, and of what is announced."""
    if play.kind != "raise":
        return False
    return not (
        turn.holds_after(play, raised_value(turn, play)) and turn.holds_after(play, play.value)
    )


def raised_value(turn: Turn, play: Play) -> int:
    """The value that a raise gives its pile, whatever it announces; a court adds nothing."""
    old: int = turn.piles[play.piles[0]]["value"]
    return old if is_court(play.card) else old + worth(play.card)


def breaks_r7_3(turn: Turn, play: Play) -> bool:
    """Whose piles may be raised is the switch `raising`."""
    if play.kind != "raise":
        return False
    owner: int = turn.piles[play.piles[0]]["owner"]
    if turn.rules["raising"] == "opponents":
        return side_of(owner) == side_of(turn.seat)
    if turn.rules["raising"] == "others":
        return owner == turn.seat
    return bool(turn.rules["raising"] == "never")


def breaks_r8_1(turn: Turn, play: Play) -> bool:
    """An owner may not trail."""
    return turn.bound and play.kind == "trail"


def breaks_r8_2(turn: Turn, play: Play) -> bool:
    """An owner declares only with the own pile, and raises at most that, where anyone may."""
    if not turn.bound or play.kind not in ("declare", "raise"):
        return False
    with_own = any(pile in turn.own for pile in play.piles)
    if play.kind == "declare":
        return not with_own
    return not with_own or turn.rules["raising"] != "anyone"


def breaks_r8_4(turn: Turn, play: Play) -> bool:
    """An owner whose pile is still theirs after the play holds a card of its value then."""
    if not turn.bound:
        return False
    for pile in turn.own:
        value: int = turn.piles[pile]["value"]
        if pile in play.piles:
            if play.kind == "capture":
                continue
            if play.kind == "raise":
                value = raised_value(turn, play)
        if not turn.holds_after(play, value):
            return True
    return False


CHECKS: dict[str, Callable[[Turn, Play], bool]] = {
    "R1": breaks_r1,
    "R5.1": breaks_r5_1,
    "R5.3": breaks_r5_3,
    "R5.4": breaks_r5_4,
    "R5.5": breaks_r5_5,
    "R5.7": breaks_r5_7,
    "R5.8": breaks_r5_8,
    "R5.9": breaks_r5_9,
    "R6.1": breaks_r6_1,
    "R6.2": breaks_r6_2,
    "R6.3": breaks_r6_3,
    "R6.4": breaks_r6_4,
    "R6.6": breaks_r6_6,
    "R7.1": breaks_r7_1,
    "R7.2": breaks_r7_2,
    "R7.3": breaks_r7_3,
    "R8.1": breaks_r8_1,
    "R8.2": breaks_r8_2,
    "R8.4": breaks_r8_4,
    "R13": breaks_r13,
}


def forbidden_by(position: Mapping[str, Any], play_text: str) -> set[str] | None:
    """The numbers of all rules that forbid a play; the empty set means that it is legal.

    None means that the play names a card that is not in the hand, or a loose card or pile that
    is not on the table, or that nobody is in turn. Text of another form raises Refused.
    """
    play = parse_play(play_text)
    if position["turn"] is None:
        return None
    turn = Turn(position)
    if not turn.names_what_is_there(play):
        return None
    return {number for number, breaks in CHECKS.items() if breaks(turn, play)}


# ------------------------------------------------------------------ R4: every legal play


def count_worths(cards: Iterable[str]) -> Counts:
    """How many numerals of each worth there are among cards; place 0 is always 0."""
    worths = [worth(card) for card in cards if not is_court(card)]
    return tuple(worths.count(numeral) for numeral in range(11))


@cache
def component_counts(value: int) -> tuple[Counts, ...]:
    """The forms of a component, each as how many numerals of each worth it has."""
    return tuple(tuple(form.count(numeral) for numeral in range(11)) for form in sums(value))


def unions(value: int, available: Counts, start: Counts, *, most_groups: int) -> set[Counts]:
    """`start` with any number of components of a value added, as far as cards are available.

    At most `most_groups` of the components may have two or more cards. How many there are does
    not depend on the split: together they add up to that many times the value.
    """
    reached = {start}
    for added in component_counts(value):
        if any(map(gt, added, available)):
            continue
        for begin in list(reached):
            made = tuple(map(add, begin, added))
            while not any(map(gt, made, available)):
                in_groups = sum(n * made[n] for n in range(11) if n != value)
                if in_groups > most_groups * value:
                    break
                reached.add(made)
                made = tuple(map(add, made, added))
    return reached


def choices(loose: Sequence[str], counts: Counts) -> Iterator[tuple[str, ...]]:
    """Every choice of loose cards with so many numerals of each worth."""
    by_worth = [
        itertools.combinations([card for card in loose if card[0] == RANKS[numeral - 1]], number)
        for numeral, number in enumerate(counts)
        if number
    ]
    for chosen in itertools.product(*by_worth):
        yield tuple(itertools.chain.from_iterable(chosen))


def subsets(piles: Sequence[Pile]) -> Iterator[tuple[Pile, ...]]:
    """Every choice of piles, none and all included."""
    for number in range(len(piles) + 1):
        yield from itertools.combinations(piles, number)


def possible_captures(turn: Turn, card: str) -> Iterator[Play]:
    """What a card may take by its form (R5.1, R5.7)."""
    if is_court(card):
        equal = [other for other in turn.loose if other[0] == card[0]]
        for number in range(1, len(equal) + 1):
            for taken in itertools.combinations(equal, number):
                yield make_play("capture", card, taken)
        return
    value = worth(card)
    equal_piles = [cards for cards, pile in turn.piles.items() if pile["value"] == value]
    most = 1 if turn.rules["sum_groups"] == "one" else len(PACK)
    for counts in unions(value, count_worths(turn.loose), (0,) * 11, most_groups=most):
        for chosen in choices(turn.loose, counts):
            for piles in subsets(equal_piles):
                if chosen or piles:
                    yield make_play("capture", card, chosen, piles)


def possible_declarations(turn: Turn, card: str) -> Iterator[Play]:
    """What can be declared with a card by its form, for the values the hand can keep."""
    if is_court(card):
        return
    available = count_worths(turn.loose)
    kept = {worth(other) for other in turn.hand if other != card and not is_court(other)}
    for value in kept:
        equal_piles = [cards for cards, pile in turn.piles.items() if pile["value"] == value]
        laid: set[Counts] = set()
        for form in component_counts(value):
            if form[worth(card)]:
                beside = (*form[: worth(card)], form[worth(card)] - 1, *form[worth(card) + 1 :])
                if not any(map(gt, beside, available)):
                    laid |= unions(value, available, beside, most_groups=len(PACK))
        for counts in laid:
            for chosen in choices(turn.loose, counts):
                for piles in subsets(equal_piles):
                    if chosen or piles:
                        yield make_play("declare", card, chosen, piles, value)


def possible_raises(turn: Turn, card: str) -> Iterator[Play]:
    """Any pile with a numeral added to it (R7.1)."""
    if not is_court(card):
        for cards, pile in turn.piles.items():
            yield make_play("raise", card, (), [cards], pile["value"] + worth(card))


def legal(position: Mapping[str, Any]) -> list[str]:
    """Every legal play of the seat in turn as canonical text, sorted by code point.

    Empty when nobody is in turn.
    """
    if position["turn"] is None:
        return []
    turn = Turn(position)
    texts: set[str] = set()
    for card in turn.hand:
        for play in itertools.chain(
            [Play("trail", card)],
            possible_captures(turn, card),
            possible_declarations(turn, card),
            possible_raises(turn, card),
        ):
            if not any(breaks(turn, play) for breaks in CHECKS.values()):
                texts.add(format_play(play))
    return sorted(texts)


# ------------------------------------------------------------------ playing


def copied(position: Mapping[str, Any]) -> Position:
    """A position that shares no list with the given one."""

    def copy(thing: Any) -> Any:
        if isinstance(thing, Mapping):
            return {key: copy(value) for key, value in thing.items()}
        if isinstance(thing, list | tuple):
            return [copy(value) for value in thing]
        return thing

    made: Position = copy(position)
    return made


def apply(position: Mapping[str, Any], play_text: str) -> tuple[Position, list[Event]]:
    """The position after a legal play and everything that follows by itself, and the events.

    Raises Refused for a play that is not legal and for a wrong mark.
    """
    play = parse_play(play_text)
    against = forbidden_by(position, play_text)
    if against is None or against:
        raise Refused(f"{play_text} is not legal: {against or 'no such card or pile'}")
    rules = switches(position["rules"])
    after = copied(position)
    seat: int = after["turn"]
    events: list[Event] = []
    mark = ""

    after["hands"][seat].remove(play.card)
    joined = [pile for pile in after["piles"] if pile_cards(pile) in play.piles]
    released = [
        {"event": "released", "owner": owner}
        for owner in (pile["owner"] for pile in joined)
        if owner != seat
    ]
    after["loose"] = [card for card in after["loose"] if card not in play.loose]
    after["piles"] = [pile for pile in after["piles"] if pile not in joined]
    if play.kind == "trail":
        after["loose"].append(play.card)
    elif play.kind == "capture":
        taken = in_order(
            [play.card, *play.loose, *itertools.chain.from_iterable(map(pile_cards, joined))]
        )
        side = side_of(seat)
        after["captured"][side].extend(taken)
        after["last_capture"] = side
        events.append({"event": "capture", "cards": list(taken)})
        mark = _swept(after, rules)
        if mark:
            name = "xeri" if mark == "*" else "xeristaki"
            after[name][side] += 1
            events.append({"event": name})
    elif play.kind == "declare":
        laid = split([*play.loose, play.card], play.value or 0) or []
        components = [part for pile in joined for part in pile["components"]] + laid
        after["piles"].append({"value": play.value, "owner": seat, "components": components})
        events.append({"event": "declare"})
        events.extend(released)
    else:
        components = [[*joined[0]["components"][0], play.card]]
        after["piles"].append({"value": play.value, "owner": seat, "components": components})
        events.append({"event": "raise"})
        events.extend(released)
    if play.mark and play.mark != mark:
        raise Refused(f"{play_text} has a wrong mark")

    after["plays"] += 1
    after["turn"] = (seat + 1) % rules["players"]
    if after.get("history") is not None:
        after["history"]["plays"].append([seat, format_play(play)])
    if not any(after["hands"]):
        if after["stock"]:
            _hand_out(after["hands"], after["stock"], rules, after["dealer"])
            events.append({"event": "refill"})
        else:
            events.extend(_end_of_deal(after))
    return after, events


def _swept(after: Mapping[str, Any], rules: Rules) -> str:
    """The mark of a capture: xeri (R9.1), xeristaki (R9.4) or none; `plays` is not yet raised."""
    if after["plays"] == 0 and not rules["first_play_xeri"]:
        return ""  # R9.2
    if after["plays"] == PLAYS_IN_A_DEAL - 1 and not rules["last_play_xeri"]:
        return ""  # R9.3
    if after["loose"]:
        return ""
    if not after["piles"]:
        return "*"
    return "~" if len(after["piles"]) == 1 and rules["xeristaki_points"] > 0 else ""


def _hand_out(hands: list[list[str]], stock: list[str], rules: Rules, dealer: int) -> None:
    """Six cards to each hand from the top of the stock, in packets, the dealer last (R2.4)."""
    players, packet = rules["players"], rules["deal_packet"]
    for _ in range(HAND // packet):
        for step in range(players):
            hands[(dealer + 1 + step) % players].extend(stock[:packet])
            del stock[:packet]


def _end_of_deal(after: Position) -> list[Event]:
    """What is left goes to the side that captured last, if any did (R10.1)."""
    events: list[Event] = []
    after["turn"] = None
    left = in_order(
        [*after["loose"], *itertools.chain.from_iterable(map(pile_cards, after["piles"]))]
    )
    side = after["last_capture"]
    if left:
        events.append({"event": "leftovers", "side": side, "cards": list(left)})
        if side is not None:
            after["captured"][side].extend(left)
            after["loose"], after["piles"] = [], []
    events.append({"event": "deal_over"})
    return events


# ------------------------------------------------------------------ R11, R12: counting


def score(position: Mapping[str, Any]) -> dict[str, Any]:
    """Points of a finished deal by side (R11), the new totals, and the winner or None (R12.2).

    Raises Refused before the end of the deal.
    """
    if position["turn"] is not None or position["plays"] != PLAYS_IN_A_DEAL:
        raise Refused("the deal is not over")
    rules = switches(position["rules"])
    deal_points: list[dict[str, int]] = []
    for side in (0, 1):
        cards = position["captured"][side]
        points = {
            "cards": 4 if len(cards) > 26 else 0,
            "aces": sum(card[0] == "A" for card in cards),
            "ten_of_diamonds": 2 if "Td" in cards else 0,
            "two_of_clubs": 1 if "2c" in cards else 0,
            "xeri": position["xeri"][side] * rules["xeri_points"],
            "xeristaki": position["xeristaki"][side] * rules["xeristaki_points"],
        }
        points["total"] = sum(points.values())
        deal_points.append(points)
    scores = [
        before + one["total"] for before, one in zip(position["scores"], deal_points, strict=True)
    ]
    winner = None
    if max(scores) >= rules["target"] and scores[0] != scores[1]:
        winner = scores.index(max(scores))
    return {"deal": deal_points, "scores": scores, "winner": winner}


# ------------------------------------------------------------------ dealing


def seed_words(seed: int) -> Iterator[int]:
    """The endless 32-bit words of a seed in the shuffle `sha256-1`."""
    start = seed.to_bytes(32, "big")
    for block in itertools.count():
        digest = hashlib.sha256(start + block.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")


def shuffle(cards: list[str], words: Iterator[int]) -> None:
    """Shuffle cards in place with a stream of words, as `sha256-1` does."""
    for place in range(len(cards) - 1, 0, -1):
        below = place + 1
        word = next(words)
        while word >= 2**32 // below * below:
            word = next(words)
        other = word % below
        cards[place], cards[other] = cards[other], cards[place]


def redeal_needed(table: Sequence[str], rules: Rules) -> bool:
    """Whether four table cards must be exchanged (R2.5)."""
    watched = {"equal_courts": "JQK", "jacks": "J", "never": ""}[rules["redeal"]]
    return any(sum(card[0] == rank for card in table) >= 3 for rank in watched)


def deal(
    written: str | Mapping[str, Any],
    dealer: int,
    *,
    pack: Sequence[str] | None = None,
    seed: int = 0,
    scores: Sequence[int] = (0, 0),
) -> Position:
    """The position before the first play, from a pack (first card dealt first) or a seed."""
    rules = switches(written)
    words = seed_words(seed)
    if pack is None:
        stock = list(PACK)
        shuffle(stock, words)
    else:
        stock = list(pack)
    hands: list[list[str]] = [[] for _ in range(rules["players"])]
    _hand_out(hands, stock, rules, dealer)
    while redeal_needed(stock[:4], rules):
        shuffle(stock, words)
    return {
        "rules": written if isinstance(written, str) else dict(written),
        "dealer": dealer,
        "turn": (dealer + 1) % rules["players"],
        "hands": hands,
        "loose": stock[:4],
        "piles": [],
        "stock": stock[4:],
        "captured": [[], []],
        "xeri": [0, 0],
        "xeristaki": [0, 0],
        "last_capture": None,
        "plays": 0,
        "scores": list(scores),
        "history": {"table": stock[:4], "plays": []},
    }


# ------------------------------------------------------------------ positions as a whole


def faults(position: Mapping[str, Any]) -> list[str]:
    """What makes a full position inconsistent, in words; empty when it is consistent."""
    rules = switches(position["rules"])
    players, plays = rules["players"], position["plays"]
    found: list[str] = []
    everywhere = [
        *itertools.chain.from_iterable(position["hands"]),
        *position["loose"],
        *itertools.chain.from_iterable(map(pile_cards, position["piles"])),
        *position["stock"],
        *itertools.chain.from_iterable(position["captured"]),
    ]
    if sorted(everywhere) != sorted(PACK):
        found.append("not each of the 52 cards once")
    if not 0 <= plays <= PLAYS_IN_A_DEAL or len(position["hands"]) != players:
        return [*found, "plays or players out of range"]
    over = plays == PLAYS_IN_A_DEAL
    first = (position["dealer"] + 1) % players
    if position["turn"] != (None if over else (first + plays) % players):
        found.append("turn")
    round_plays = HAND * players
    in_round = round_plays if over else plays % round_plays
    for seat in range(players):
        place = (seat - first) % players
        made = (in_round - place + players - 1) // players
        if len(position["hands"][seat]) != HAND - made:
            found.append(f"hand of seat {seat}")
    rounds = PLAYS_IN_A_DEAL // round_plays if over else plays // round_plays + 1
    if len(position["stock"]) != PLAYS_IN_A_DEAL - rounds * round_plays:
        found.append("stock")
    for pile in position["piles"]:
        cards = pile_cards(pile)
        if len(cards) < 2:
            found.append("pile of one card")
        if any(is_court(card) for card in cards):
            found.append("court in a pile")
        elif any(sum(map(worth, part)) != pile["value"] for part in pile["components"]):
            found.append("component of another value")
        if not 1 <= pile["value"] <= 10 or not 0 <= pile["owner"] < players:
            found.append("value or owner of a pile")
    if (position["last_capture"] is None) != (not any(position["captured"])):
        found.append("last_capture")
    elif position["last_capture"] is not None:
        if not position["captured"][position["last_capture"]]:
            found.append("last_capture of a side without captures")
    if rules["obligations"]:
        owners = [pile["owner"] for pile in position["piles"]]
        if len(set(owners)) != len(owners):
            found.append("two piles of one owner")
        for pile in position["piles"]:
            hand = position["hands"][pile["owner"]]
            if not any(not is_court(card) and worth(card) == pile["value"] for card in hand):
                found.append("owner without a card for the pile")
    return found


def normal(position: Mapping[str, Any]) -> Position:
    """A position without the freedoms of writing it, so that equal positions compare equal.

    Orders without meaning are sorted away, rules are written out as switches, and a pile is
    reduced to its cards, value, owner and whether it is plain.
    """
    made = copied(position)
    made["rules"] = switches(position["rules"])
    made["hands"] = [list(in_order(hand)) for hand in position["hands"]]
    made["loose"] = list(in_order(position["loose"]))
    made["captured"] = [list(in_order(cards)) for cards in position["captured"]]
    made["piles"] = sorted(
        [list(pile_cards(pile)), pile["value"], pile["owner"], is_plain(pile)]
        for pile in position["piles"]
    )
    return made
