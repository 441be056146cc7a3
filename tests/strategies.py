"""Rule sets, positions and plays made up for the tests, the same for the same random numbers.

Positions are consistent in the sense of the notation. Most are constructed, which is quick and
reaches corners that play seldom does; some are reached by random play of the slow reference.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from typing import Any, Literal

from hypothesis import strategies as st

from tests.reference import (
    CLASSIC,
    HAND,
    PACK,
    PLAYS_IN_A_DEAL,
    RANKS,
    SUITS,
    Pile,
    Position,
    apply,
    deal,
    format_play,
    is_court,
    legal,
    make_play,
    parse_play,
    pile_cards,
    sums,
    switches,
    worth,
)

Kind = Literal["owner", "two_piles", "wide", "last"]
Way = Literal["constructed", "reached"]

KINDS: tuple[Kind, ...] = ("owner", "two_piles", "wide", "last")
REACHED_SHARE = 0.03
SWITCH_VALUES: dict[str, tuple[Any, ...]] = {
    "players": (2, 4),
    "target": (1, 31, 61, 101),
    "deal_packet": (3, 6),
    "redeal": ("equal_courts", "jacks", "never"),
    "equal_cards": ("any", "all"),
    "sum_groups": ("many", "one"),
    "court_capture": ("one", "all", "three_take_three"),
    "court_must_capture": (True, False),
    "families": (True, True, False),
    "raising": ("opponents", "others", "anyone", "never"),
    "obligations": (True, False),
    "first_play_xeri": (True, False),
    "last_play_xeri": (True, False),
    "xeri_points": (0, 5, 10),
    "xeristaki_points": (0, 1, 5),
    "forced_capture": (True, False),
    "partners_show_card": (True, False),
}


# ------------------------------------------------------------------ rule sets


def random_rules(rng: random.Random) -> dict[str, Any]:
    """A rule set as written in a position: a base, named or implied, and changed switches."""
    base = rng.choice(("classic", "taverna"))
    rules: dict[str, Any] = {"base": base}
    if base == "classic" and rng.random() < 0.2:
        rules = {}
    how_many = rng.choice((0.0, 0.2, 0.5, 1.0))
    for name in CLASSIC:
        if name != "partners_show_card" and rng.random() < how_many:
            rules[name] = rng.choice(SWITCH_VALUES[name])
    if rng.random() < how_many:
        four = switches(rules)["players"] == 4
        rules["partners_show_card"] = four and rng.random() < 0.5
    return rules


# ------------------------------------------------------------------ positions


class Impossible(Exception):
    """A construction that ran into a corner; another attempt follows."""


def random_position(
    rng: random.Random,
    *,
    rules: str | Mapping[str, Any] | None = None,
    kind: Kind | None = None,
    way: Way | None = None,
) -> Position:
    """A consistent full position in which somebody is to play.

    `kind` asks for one where the player in turn owns a pile ("owner"), with two or more piles
    ("two_piles"), with twelve or more loose numerals ("wide": more are rarer, up to 28 and now
    and then a few above) or in the last hand of the deal ("last"). Such positions are
    constructed. Without a kind, `way` chooses how the position comes about; by default a few
    are reached by play.
    """
    if kind is None and way is None:
        way = "reached" if rng.random() < REACHED_SHARE else "constructed"
    written = random_rules(rng) if rules is None else rules
    if kind is None and way == "reached":
        return reached_position(rng, written)
    while True:
        try:
            return _Construction(rng, written, kind).position
        except Impossible:
            continue


def reached_position(rng: random.Random, written: str | Mapping[str, Any]) -> Position:
    """A position after some random legal plays from a random deal, half of them with history.

    The reference lists all plays on the way, so this takes tens of milliseconds.
    """
    rules = switches(written)
    dealer = rng.randrange(rules["players"])
    position = deal(written, dealer, seed=rng.getrandbits(256), scores=_random_scores(rng, rules))
    for _ in range(rng.randrange(PLAYS_IN_A_DEAL)):
        position, _ = apply(position, rng.choice(legal(position)))
    if rng.random() < 0.5:
        del position["history"]
    return position


def _random_scores(rng: random.Random, rules: Mapping[str, Any]) -> list[int]:
    """Match totals that do not yet decide the match."""
    chance = rng.random()
    if chance < 0.5:
        return [0, 0]
    if chance < 0.6:
        return [rules["target"] + rng.randrange(5)] * 2
    return [rng.randrange(rules["target"]), rng.randrange(rules["target"])]


class _Construction:
    """A position laid out from a shuffled pack: piles first, then hands, table and captures."""

    def __init__(
        self, rng: random.Random, written: str | Mapping[str, Any], kind: Kind | None
    ) -> None:
        self.rng, self.kind = rng, kind
        self.rules = switches(written)
        self.players: int = self.rules["players"]
        self.plays = self._plays()
        self.round = HAND * self.players
        self.in_round = self.plays % self.round
        self.dealer = rng.randrange(self.players)
        self.first = (self.dealer + 1) % self.players
        self.turn = (self.first + self.plays) % self.players
        self.pool = list(PACK)
        rng.shuffle(self.pool)
        self.open = self.plays + 4  # cards that are on the table or captured
        self.room = [HAND - self._made(seat, self.in_round) for seat in range(self.players)]
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.piles: list[dict[str, Any]] = []
        self.loose: list[str] = []

        if self.plays == 0:
            self.position = deal(written, self.dealer, seed=rng.getrandbits(256))
            self.position["scores"] = _random_scores(rng, self.rules)
            return
        self._build_piles()
        if kind == "wide":
            self._spread_numerals()
        for seat, room in enumerate(self.room):
            self._fill(self.hands[seat], room)
        stock: list[str] = []
        self._fill(stock, PLAYS_IN_A_DEAL - self.round * (self.plays // self.round + 1))
        captured = self._capture()
        self.position = {
            "rules": written if isinstance(written, str) else dict(written),
            "dealer": self.dealer,
            "turn": self.turn,
            "hands": self.hands,
            "loose": self.loose,
            "piles": self.piles,
            "stock": stock,
            "captured": captured,
            "xeri": [0, 0],
            "xeristaki": [0, 0],
            "last_capture": None,
            "plays": self.plays,
            "scores": _random_scores(rng, self.rules),
        }
        self._mark_captures(captured)
        if self.rules["partners_show_card"] and self.plays < self.round and rng.random() < 0.5:
            self.position["shown"] = [
                rng.choice([*hand, None]) if hand else None for hand in self.hands
            ]

    def _plays(self) -> int:
        """How many plays have been made, as far as the wanted kind leaves a choice."""
        round_plays = HAND * self.players
        plays = list(range(PLAYS_IN_A_DEAL))
        if self.kind == "last":
            plays = plays[-round_plays:]
        elif self.kind == "wide":
            plays = plays[9:]
        elif self.kind == "owner":
            plays = [one for one in plays if one % round_plays >= self.players]
        elif self.kind == "two_piles":
            plays = [one for one in plays if one % round_plays >= 2]
        return self.rng.choice(plays)

    def _made(self, seat: int, plays: int) -> int:
        """How many of so many plays from the lead on were made by a seat."""
        made: int = (plays - (seat - self.first) % self.players + self.players - 1) // self.players
        return made

    def _take(self, card: str) -> str:
        self.pool.remove(card)
        return card

    def _fill(self, cards: list[str], number: int) -> None:
        """Bring a list of cards to its length from the pool."""
        while len(cards) < number:
            cards.append(self.pool.pop())

    # -- piles

    def _build_piles(self) -> None:
        """Piles whose owners could own them; as many as the kind wants or chance allows."""
        rng = self.rng
        owners = self._possible_owners()
        wanted = rng.choice((0, 0, 1, 1, 1, 2, 2, 3, 5))
        if self.kind == "two_piles":
            wanted = max(2, wanted)
        if self.kind == "owner":
            if self.turn not in owners:
                raise Impossible
            owners.remove(self.turn)
            owners.insert(0, self.turn)
            wanted = max(1, wanted)
        common = rng.randint(1, 10)
        for number in range(wanted):
            if not owners:
                break
            value = (
                common if rng.random() < 0.3 else rng.choice((3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10))
            )
            if self._build_pile(owners[0], value):
                owners.pop(0)
            elif number == 0 and self.kind == "owner":
                raise Impossible
        if self.kind == "two_piles" and len(self.piles) < 2:
            raise Impossible

    def _possible_owners(self) -> list[int]:
        """Seats, each as often as it may own a pile: it has declared each with a play of its own.

        With obligations it holds one pile at most, made since the hands were last dealt (R8.5).
        """
        rng = self.rng
        if self.rules["obligations"]:
            owners = [
                seat
                for seat in range(self.players)
                if self._made(seat, self.in_round) and self.room[seat]
            ]
        else:
            owners = [
                seat
                for seat in range(self.players)
                for _ in range(min(4, self._made(seat, self.plays)))
            ]
        rng.shuffle(owners)
        return owners

    def _build_pile(self, owner: int, value: int) -> bool:
        """Try to lay a pile; false when cards or the room for them run out."""
        rng = self.rng
        keep = self.rules["obligations"] or rng.random() < 0.6
        held = any(card[0] == RANKS[value - 1] for card in self.hands[owner])
        kept = ""
        if keep and not held and len(self.hands[owner]) < self.room[owner]:
            kept = next((card for card in self.pool if card[0] == RANKS[value - 1]), "")
        if self.rules["obligations"] and not (held or kept):
            return False
        left = [card for card in self.pool if card != kept and not is_court(card)]
        components: list[list[str]] = []
        family = self.rules["families"] and rng.random() < 0.45
        for _ in range(rng.choice((2, 2, 2, 3, 4)) if family else 1):
            component = _component(rng, left, value, at_least=1 if family else 2)
            if component is None:
                break
            left = [card for card in left if card not in component]
            components.append(component)
        cards = list(itertools.chain.from_iterable(components))
        spare = self.open - sum(len(pile_cards(pile)) for pile in self.piles)
        if len(cards) < 2 or len(cards) > spare:
            return False
        for card in cards:
            self._take(card)
        if kept:
            self.hands[owner].append(self._take(kept))
        self.piles.append({"value": value, "owner": owner, "components": components})
        return True

    # -- table and captures

    def _spare(self) -> int:
        """How many cards that have left the stock and the hands have no place yet."""
        return self.open - len(self.loose) - sum(len(pile_cards(one)) for one in self.piles)

    def _spread_numerals(self) -> None:
        """Twelve loose numerals or more."""
        most = min(28, self._spare())
        if most < 12:
            raise Impossible
        number = 12
        while number < most and self.rng.random() < 0.7:
            number += 1
        if self.rng.random() < 0.03:
            number = most
        numerals = [card for card in self.pool if not is_court(card)][:number]
        if len(numerals) < number:
            raise Impossible
        for card in numerals:
            self.loose.append(self._take(card))

    def _capture(self) -> list[list[str]]:
        """Leave some of the other open cards loose and give the rest to the sides."""
        rng = self.rng
        spare = self._spare()
        loose = min(spare, rng.choice((0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 20)))
        if self.kind == "wide":
            loose = min(loose, rng.randrange(5))
        if spare - loose == 1:
            loose = spare
        self._fill(self.loose, len(self.loose) + loose)
        captured: list[list[str]] = [[], []]
        here = rng.randint(0, len(self.pool))
        if rng.random() < 0.15:
            here = rng.choice((0, len(self.pool)))
        here = {1: 0, len(self.pool) - 1: len(self.pool)}.get(here, here)
        if self.plays == 1:  # only the seat that led has played
            here = len(self.pool) if self.first % 2 == 0 else 0
        self._fill(captured[0], here)
        self._fill(captured[1], len(self.pool))
        return captured

    def _mark_captures(self, captured: list[list[str]]) -> None:
        """Who captured last, and some xeri and xeristaki that the captures have room for."""
        rng = self.rng
        sides = [side for side in (0, 1) if captured[side]]
        if sides:
            self.position["last_capture"] = rng.choice(sides)
        for side in sides:
            most = min(3, len(captured[side]) // 4)
            if rng.random() < 0.3:
                self.position["xeri"][side] = rng.randint(0, most)
            if self.rules["xeristaki_points"] and rng.random() < 0.3:
                self.position["xeristaki"][side] = rng.randint(0, most)


def _component(
    rng: random.Random, cards: list[str], value: int, *, at_least: int
) -> list[str] | None:
    """Some of the numerals that add up to a value, in a random form; None when none was found."""
    forms = [form for form in sums(value) if len(form) >= at_least]
    for _ in range(4 if forms else 0):
        form = rng.choice(forms[:12])
        left, chosen = list(cards), []
        for numeral in form:
            card = next((card for card in left if card[0] == RANKS[numeral - 1]), None)
            if card is None:
                break
            left.remove(card)
            chosen.append(card)
        else:
            return chosen
    return None


# ------------------------------------------------------------------ wishes


def random_wish(rng: random.Random, position: Position) -> str:
    """A play in canonical spelling that somebody might ask for; most are not allowed.

    It often starts from something sensible, which is then spoilt in one way or another. A few
    name cards or piles that are not there.
    """
    seat = 0 if position["turn"] is None else position["turn"]
    hand: list[str] = position["hands"][seat]
    table: list[str] = position["loose"]
    piles: list[Pile] = [pile_cards(pile) for pile in position["piles"]]
    values: dict[Pile, int] = {pile_cards(pile): pile["value"] for pile in position["piles"]}
    card = rng.choice(hand) if hand and rng.random() < 0.97 else rng.choice(PACK)
    kind = rng.choice(("trail", "capture", "capture", "declare", "declare", "declare", "raise"))
    courts = [
        one for one in hand if is_court(one) and sum(one[0] == other[0] for other in table) > 1
    ]
    if kind == "capture" and courts and rng.random() < 0.5:
        card = rng.choice(courts)
    if kind == "raise" and piles:
        return _wish_to_raise(rng, card, hand, piles, values)
    if kind == "trail" or not (table or piles):
        return card

    value = _wished_value(rng, kind, card, hand, values)
    loose: list[str] = []
    named: list[Pile] = []
    if is_court(card) and rng.random() < 0.7:
        equal = [other for other in table if other[0] == card[0]]
        loose = rng.sample(equal, rng.randint(0, len(equal)))
    else:
        need = value - worth(card) if kind == "declare" and not is_court(card) else value
        for sought in (need, value, value):
            left = [other for other in table if not is_court(other) and other not in loose]
            if 1 <= sought <= 10 and (
                found := _component(rng, left, sought, at_least=rng.choice((1, 1, 2)))
            ):
                loose += found
            if rng.random() < 0.5:
                break
        named = [pile for pile in piles if values[pile] == value and rng.random() < 0.7]
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        value, loose, named = _spoilt(rng, position, value, loose, named)
    loose = [one for one in dict.fromkeys(loose) if one != card]
    inside = set(itertools.chain.from_iterable(named))
    loose = [one for one in loose if one not in inside]
    named = [pile for pile in _apart(named) if card not in pile]
    if not loose and not named:
        if piles and rng.random() < 0.5 and card not in piles[0]:
            named = [piles[0]]
        else:
            others = [one for one in table if one != card]
            if not others:
                return card
            loose = [rng.choice(others)]
    if kind == "capture":
        return format_play(make_play("capture", card, loose, named))
    return format_play(make_play("declare", card, loose, named, value))


def _apart(piles: list[Pile]) -> list[Pile]:
    """Piles without those that share a card with an earlier one."""
    kept: list[Pile] = []
    for pile in piles:
        if not any(set(pile) & set(other) for other in kept):
            kept.append(pile)
    return kept


def _wish_to_raise(
    rng: random.Random,
    card: str,
    hand: list[str],
    piles: list[Pile],
    values: Mapping[Pile, int],
) -> str:
    pile = rng.choice(piles)
    fitting = [
        (one, target)
        for one in hand
        for target in piles
        for kept in hand
        if kept != one
        and not is_court(one)
        and not is_court(kept)
        and values[target] + worth(one) == worth(kept)
    ]
    if fitting and rng.random() < 0.6:
        card, pile = rng.choice(fitting)
    value = values[pile] + (0 if is_court(card) else worth(card))
    if rng.random() < 0.25:
        value = rng.choice([values[pile], value + 1, rng.randint(1, 12)])
    elif rng.random() < 0.2:
        kept = [worth(other) for other in hand if not is_court(other)]
        value = rng.choice(kept or [value])
    if rng.random() < 0.1 and len(pile) > 2:
        pile = pile[1:]
    if card in pile:
        return card
    return format_play(make_play("raise", card, (), [pile], value))


def _wished_value(
    rng: random.Random, kind: str, card: str, hand: list[str], values: Mapping[Pile, int]
) -> int:
    """The value a wish aims at: usually one that could be right."""
    kept = [worth(other) for other in hand if other != card and not is_court(other)]
    if kind == "capture":
        return rng.randint(1, 10) if is_court(card) else worth(card)
    if kept and rng.random() < 0.75:
        return rng.choice(kept)
    if values and rng.random() < 0.5:
        return rng.choice(list(values.values()))
    return rng.randint(1, 12)


def _spoilt(
    rng: random.Random, position: Position, value: int, loose: list[str], named: list[Pile]
) -> tuple[int, list[str], list[Pile]]:
    """A wish with one thing about it changed."""
    table: list[str] = position["loose"]
    piles: list[Pile] = [pile_cards(pile) for pile in position["piles"]]
    others = [card for card in table if card not in loose]
    change = rng.choice(("value", "drop", "add", "add", "swap", "court", "pile", "pile", "gone"))
    if change == "value":
        value = rng.choice((value + 1, max(1, value - 1), rng.randint(1, 14)))
    elif change == "drop" and loose:
        loose = rng.sample(loose, len(loose) - 1)
    elif change == "add" and others:
        loose = [*loose, rng.choice(others)]
    elif change == "swap" and loose and others:
        loose = [*rng.sample(loose, len(loose) - 1), rng.choice(others)]
    elif change == "court":
        loose = [*loose, *[card for card in others if is_court(card)][:1]]
    elif change == "pile" and piles:
        pile = rng.choice(piles)
        named = [one for one in named if one != pile] + ([] if pile in named else [pile])
    elif change == "gone" and rng.random() < 0.4:
        if named and len(named[-1]) > 2:
            named = [*named[:-1], named[-1][:-1]]
        else:
            loose = [*loose, rng.choice(PACK)]
    return value, loose, named


def respelt(rng: random.Random, text: str) -> str:
    """The same play in some other spelling that reading accepts."""
    play = parse_play(text)

    def card(one: str) -> str:
        rank = "10" if one[0] == "T" and rng.random() < 0.5 else one[0]
        sign = "♣♦♥♠"[SUITS.index(one[1])]
        return rank + rng.choice((one[1], one[1].upper(), sign)) + rng.choice(("", "", " "))

    parts = [card(one) for one in play.loose]
    for pile in play.piles:
        parts.append("[" + "".join(card(one) for one in rng.sample(pile, len(pile))) + "]")
    rng.shuffle(parts)
    sign = {"trail": "", "capture": "x", "declare": "+", "raise": "^"}[play.kind]
    end = "" if play.value is None else f"{rng.choice(('', ' '))}={play.value}"
    return rng.choice(("", " ")) + card(play.card) + sign + "".join(parts) + end


# ------------------------------------------------------------------ for Hypothesis


def seeds() -> st.SearchStrategy[int]:
    """Seeds of random numbers."""
    return st.integers(min_value=0, max_value=2**32 - 1)


def rule_sets() -> st.SearchStrategy[dict[str, Any]]:
    """Rule sets as `random_rules` makes them."""
    return seeds().map(lambda seed: random_rules(random.Random(seed)))


def positions(
    *,
    rules: str | Mapping[str, Any] | None = None,
    kind: Kind | None = None,
    way: Way | None = None,
) -> st.SearchStrategy[Position]:
    """Positions as `random_position` makes them."""
    return seeds().map(
        lambda seed: random_position(random.Random(seed), rules=rules, kind=kind, way=way)
    )
