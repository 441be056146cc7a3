"""Rule sets (R13): every switch is data, and any combination is a rule set."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from diloti.core.cards import FULL_PACK, JACK, KING, QUEEN, SUITS, cards_in
from diloti.core.errors import N_, RulesError, quote
from diloti.core.jit import Ints

CHOICES: Mapping[str, tuple[str, ...]] = {
    "redeal": ("equal_courts", "jacks", "never"),
    "equal_cards": ("any", "all"),
    "sum_groups": ("many", "one"),
    "court_capture": ("one", "all", "three_take_three"),
    "raising": ("opponents", "others", "anyone", "never"),
}
"""The switches that are words, with their values in the order of the numbers below."""

REDEAL_EQUAL_COURTS, REDEAL_JACKS, REDEAL_NEVER = range(3)
EQUAL_ANY, EQUAL_ALL = range(2)
GROUPS_MANY, GROUPS_ONE = range(2)
COURTS_ONE, COURTS_ALL, COURTS_THREE = range(3)
RAISING_OPPONENTS, RAISING_OTHERS, RAISING_ANYONE, RAISING_NEVER = range(4)

(
    PLAYERS,
    TARGET,
    DEAL_PACKET,
    REDEAL,
    EQUAL_CARDS,
    SUM_GROUPS,
    COURT_CAPTURE,
    COURT_MUST_CAPTURE,
    FAMILIES,
    RAISING,
    OBLIGATIONS,
    FIRST_PLAY_XERI,
    LAST_PLAY_XERI,
    XERI_POINTS,
    XERISTAKI_POINTS,
    FORCED_CAPTURE,
    PARTNERS_SHOW_CARD,
    PACK,
    HAND_SIZE,
    LAYOUT_SIZE,
) = range(20)
"""Where the kernels find each switch in the packed form: the order of the fields of `Rules`."""

LARGEST_NUMBER = 1_000_000
"""Targets and points above this are refused: totals must stay far from the kernels' limits."""

LARGEST_SCORE = 1_000_000_000
"""Match totals above this are refused; a match could not get there in a lifetime."""

_LEAST = {"target": 1, "xeri_points": 0, "xeristaki_points": 0}
"""The least that a number can be."""
_ALLOWED = {"players": (2, 4), "deal_packet": (3, 6)}
"""What else a number can be, where it is one of few."""


@dataclass(frozen=True)
class Rules:
    """A rule set as a value: the switches of R13, then the cards and sizes of the pack.

    The defaults are `classic`. Anything impossible raises `RulesError` when it is made.
    """

    players: int = 2
    target: int = 61
    deal_packet: int = 6
    redeal: str = "equal_courts"
    equal_cards: str = "any"
    sum_groups: str = "many"
    court_capture: str = "one"
    court_must_capture: bool = True
    families: bool = True
    raising: str = "opponents"
    obligations: bool = True
    first_play_xeri: bool = False
    last_play_xeri: bool = True
    xeri_points: int = 10
    xeristaki_points: int = 0
    forced_capture: bool = False
    partners_show_card: bool = False
    pack: int = FULL_PACK
    """The cards in use, as a mask. Only experiments change this and the two sizes."""
    hand_size: int = 6
    layout_size: int = 4

    def __post_init__(self) -> None:
        for name in SWITCHES + ("pack", "hand_size", "layout_size"):
            self._check_value(name)
        if self.partners_show_card and self.players != 4:
            raise RulesError(N_("partners_show_card needs four players"))
        self._check_sizes()

    def _check_value(self, name: str) -> None:
        value, default = getattr(self, name), getattr(type(self), name)
        is_of_kind = type(value) is type(default)
        if name in _LEAST:
            if not is_of_kind or not _LEAST[name] <= value <= LARGEST_NUMBER:
                raise RulesError(
                    N_("{switch} must be from {least} to {most}, not {value}"),
                    switch=name,
                    least=_LEAST[name],
                    most=LARGEST_NUMBER,
                    value=quote(value),
                )
            return
        allowed = _ALLOWED.get(name) or CHOICES.get(name)
        if not is_of_kind or (allowed is not None and value not in allowed):
            kind = "true / false" if isinstance(default, bool) else "0, 1, 2, …"
            raise RulesError(
                N_("{switch} can be {allowed}, not {value}"),
                switch=name,
                allowed=" / ".join(map(str, allowed)) if allowed else kind,
                value=quote(value),
            )

    def _check_sizes(self) -> None:
        """The pack must fill whole hands once the layout is taken away."""
        hands = self.players * self.hand_size
        dealt = self.pack.bit_count() - self.layout_size
        if (
            not 0 < self.pack <= FULL_PACK
            or self.hand_size < 1
            or self.layout_size < 0
            or dealt < hands
            or dealt % hands
        ):
            raise RulesError(N_("the pack does not fill whole hands and the layout"))
        if not self._has_layout_to_keep(hands):
            raise RulesError(
                N_("with this pack a layout could be exchanged for ever; set redeal to never")
            )

    def _has_layout_to_keep(self, hands: int) -> bool:
        """Whether some layout need not be exchanged (R2.5), whatever `hands` cards are in hands.

        Such a layout has two courts of a rank at most.
        """
        if self.redeal == "never":
            return True
        exchanged = (JACK,) if self.redeal == "jacks" else (JACK, QUEEN, KING)
        held = ((self.pack >> SUITS * rank & 15).bit_count() for rank in exchanged)
        surplus = sum(max(0, number - 2) for number in held)
        return surplus == 0 or self.pack_size - surplus - hands >= self.layout_size

    @property
    def pack_size(self) -> int:
        """Number of cards in the pack."""
        return self.pack.bit_count()

    @property
    def plays_in_deal(self) -> int:
        """Number of plays in a deal: 48 with the full pack."""
        return self.pack_size - self.layout_size

    @property
    def cards(self) -> tuple[int, ...]:
        """The pack in canonical order."""
        return tuple(cards_in(self.pack))

    @cached_property
    def packed(self) -> Ints:
        """What the kernels read: one number a field, words by their place in `CHOICES`."""
        numbers = [
            CHOICES[field.name].index(getattr(self, field.name))
            if field.name in CHOICES
            else int(getattr(self, field.name))
            for field in fields(self)
        ]
        packed = np.array(numbers, dtype=np.int64)
        packed.flags.writeable = False
        return packed

    def __getstate__(self) -> dict[str, object]:
        """The fields alone: a copied array could be written to, another type to kernels."""
        return {name: value for name, value in vars(self).items() if name != "packed"}

    @property
    def base(self) -> str:
        """The named rule set that needs the fewest changes to become this one."""
        return min(RULE_SETS, key=lambda name: len(self.changes(name)))

    def changes(self, base: str) -> dict[str, int | str]:
        """The switches in which this rule set differs from the named one."""
        named = RULE_SETS[base]
        return {
            name: getattr(self, name)
            for name in SWITCHES
            if getattr(self, name) != getattr(named, name)
        }

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that stand for all switches: equal exactly for equal rules."""
        text = json.dumps({name: getattr(self, name) for name in SWITCHES}, sort_keys=True)
        if (self.pack, self.hand_size, self.layout_size) != (FULL_PACK, 6, 4):
            text += f" {self.pack:x} {self.hand_size} {self.layout_size}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


SWITCHES: tuple[str, ...] = tuple(field.name for field in fields(Rules))[:PACK]
"""The names of the switches of R13, in its order."""

CLASSIC = Rules()
TAVERNA = Rules(
    players=4,
    deal_packet=3,
    redeal="jacks",
    equal_cards="all",
    sum_groups="one",
    court_capture="all",
    court_must_capture=False,
    raising="anyone",
    obligations=False,
    first_play_xeri=True,
    last_play_xeri=False,
)
RULE_SETS: Mapping[str, Rules] = {"classic": CLASSIC, "taverna": TAVERNA}
"""The rule sets that have a name (R13)."""


def rules_from(base: str = "classic", /, **switches: object) -> Rules:
    """The named rule set with some switches set otherwise; `RulesError` says what cannot be."""
    if not isinstance(base, str) or base not in RULE_SETS:
        raise RulesError(
            N_("there is no rule set {name}; there are {known}"),
            name=quote(base),
            known=", ".join(RULE_SETS),
        )
    for name in switches:
        if name not in SWITCHES:
            raise RulesError(N_("there is no switch {name}"), name=quote(name))
    return replace(RULE_SETS[base], **switches)  # type: ignore[arg-type]
