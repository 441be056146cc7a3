"""What a course is made of: lessons of a few steps, each with a prepared position or a question."""

from __future__ import annotations

from dataclasses import dataclass

from diloti.core.cards import FULL_PACK, cards_in, mask_of
from diloti.core.consistency import check_position, progress
from diloti.core.notation import parse_cards
from diloti.core.position import Pile, Position, new_state
from diloti.core.rules import rules_from

LEARNER, OPPONENT = range(2)
"""The seats of every lesson."""

_HANDS_BEFORE = 24
"""Plays in the first two hands of a deal for two: lessons happen in the third."""


@dataclass(frozen=True)
class Slip:
    """Legal plays that are not what a step asks for, and what there is to say about them."""

    plays: str
    """A regular expression for their canonical texts."""
    says: str


@dataclass(frozen=True)
class Scene:
    """A prepared position under the classic rules, the learner in turn; what it does not say is
    made up so that it is whole.

    `piles` are written as owner, value and components with commas between: `(1, 5, "3c2d")`.
    """

    hand: str
    loose: str = ""
    piles: tuple[tuple[int, int, str], ...] = ()
    other: str = ""
    """Cards that the opponent holds."""
    gone: str = ""
    """Cards that have been captured."""
    is_last_play: bool = False
    """Whether the learner's card is the last of the deal; the opponent has captured before."""

    def position(self) -> Position:
        """The whole position: all 52 cards, checked for consistency."""
        rules = rules_from("classic")
        hand, other, gone = map(parse_cards, (self.hand, self.other, self.gone))
        piles = [
            Pile(value, owner, tuple(parse_cards(part) for part in parts.split(",")))
            for owner, value, parts in self.piles
        ]
        if self.is_last_play:
            dealer, plays = LEARNER, rules.plays_in_deal - 1
        else:
            dealer = OPPONENT
            plays = _HANDS_BEFORE + rules.players * (rules.hand_size - hand.bit_count())
        turn, sizes, stock = progress(rules, dealer, plays)
        table = parse_cards(self.loose) | sum(pile.cards for pile in piles)
        rest = _scattered(FULL_PACK & ~(hand | other | gone | table))
        missing = sizes[OPPONENT] - other.bit_count()
        other |= mask_of(rest[:missing])
        captured = [*cards_in(gone), *rest[missing + stock :]]
        state = new_state(
            rules,
            dealer=dealer,
            turn=turn,
            plays=plays,
            hands=(hand, other),
            loose=parse_cards(self.loose),
            piles=piles,
            stock=rest[missing : missing + stock],
            captured=(mask_of(captured[::2]), mask_of(captured[1::2])),
            last_capture=OPPONENT,
        )
        position = Position(rules, state, {pile.cards: pile.components for pile in piles})
        check_position(position)
        return position


def _scattered(mask: int) -> list[int]:
    """The cards of a mask in an order without order, always the same."""
    return sorted(cards_in(mask), key=lambda card: (card + 1) * 20 % 53)


@dataclass(frozen=True)
class Step:
    """One new idea, and a task that only its solutions solve."""

    text: str
    task: str
    hint: str
    praise: str
    rule: str
    """The number of the rule that it teaches."""
    solutions: tuple[str, ...]
    """The plays that solve it, as canonical texts."""
    scene: Scene | None = None
    """The position; None: the one after the step before, with the opponent's reply."""
    reply: str = ""
    """What the opponent plays before the next step."""
    slips: tuple[Slip, ...] = ()
    elsewhere: str = ""
    """What is different in the tavernas."""


@dataclass(frozen=True)
class Answer:
    """One of the answers to choose from, and what there is to say to whoever chooses it."""

    text: str
    says: str
    is_right: bool = False


@dataclass(frozen=True)
class Question:
    """A step that asks for something else than a play."""

    text: str
    task: str
    hint: str
    rule: str
    answers: tuple[Answer, ...]
    cards: str = ""
    """Cards that are shown with it."""
    elsewhere: str = ""

    @property
    def praise(self) -> str:
        """What is said about the right answer."""
        return next(answer.says for answer in self.answers if answer.is_right)


@dataclass(frozen=True)
class Lesson:
    """A few steps about one thing, known by its key."""

    key: str
    title: str
    steps: tuple[Step | Question, ...]
