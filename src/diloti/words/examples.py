"""The worked examples of R14: tables to look at, with what may be played there and what may not.

Nothing here says what is legal: the engine does, for the rule set that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from diloti.core.cards import ACES, FULL_PACK, PACK_SIZE, cards_in
from diloti.core.effects import make_play
from diloti.core.errors import N_
from diloti.core.legality import RULE_OF, Refusal, refusal_of
from diloti.core.notation import parse_card, parse_cards, parse_play
from diloti.core.plays import Play, legal_plays
from diloti.core.position import Pile, Position, new_state
from diloti.core.rules import Rules
from diloti.core.scoring import sheet_of
from diloti.words.cards import cards_sign
from diloti.words.language import Words
from diloti.words.plays import describe_pile, describe_play

YOU, OTHER = 0, 1
"""The seats of the examples: who reads them, and whoever plays next."""

_MIDDLE = 10
"""Plays made in a deal that is neither new nor near its end."""


@dataclass(frozen=True)
class Example:
    """A table and a hand, and plays that one could think of there.

    `tried` are plays (NOTATION) to be judged; `of` are the hand cards whose legal plays are told,
    all where it is empty.
    """

    number: str
    chapter: str
    title: str
    hand: str
    loose: str = ""
    piles: tuple[tuple[int, int, str], ...] = ()
    """Owner, value and components with commas between."""
    tried: tuple[str, ...] = ()
    of: str = ""
    plays: int = _MIDDLE
    where: Callable[[Rules], bool] = lambda _rules: True
    """The rule sets under which the table can be met at all."""


EXAMPLES: tuple[Example, ...] = (
    Example(
        "R14.1",
        "capture",
        N_("A six takes a six, a two with a four, or all three."),
        hand="6h",
        loose="6d2c4s",
    ),
    Example(
        "R14.2",
        "capture",
        N_("Two sums and an equal card: how much of it can the eight take?"),
        hand="8h",
        loose="5s3d8cAh7d",
        of="8h",
    ),
    Example(
        "R14.3",
        "capture",
        N_("A jack is not 11: it has no value."),
        hand="Js",
        loose="5c6d",
        tried=("Jsx5c6d",),
    ),
    Example(
        "R14.4",
        "capture",
        N_("Two jacks on the table, and the third in your hand."),
        hand="Js",
        loose="JhJd",
        tried=("JsxJh", "JsxJhJd", "Js"),
    ),
    Example(
        "R14.5",
        "declare",
        N_("Three on five is eight, and you keep an eight."),
        hand="3c8dKc",
        loose="5h",
        of="3c",
        tried=("3c+5h=8",),
    ),
    Example(
        "R14.5b",
        "declare",
        N_("The same without an eight in your hand."),
        hand="3c7dKc",
        loose="5h",
        of="3c",
        tried=("3c+5h=8",),
    ),
    Example(
        "R14.6",
        "declare",
        N_("Four on four can mean two things."),
        hand="4c4d8s",
        loose="4h",
        of="4c",
        tried=("4c+4h=8", "4c+4h=4"),
    ),
    Example(
        "R14.9",
        "raise",
        N_("The other player has declared five; four more make nine."),
        hand="4s9dKc",
        piles=((OTHER, 5, "2d3c"),),
        of="4s",
        tried=("4s^[2d3c]=9",),
    ),
    Example(
        "R14.9b",
        "raise",
        N_("A family of fives stays what it is."),
        hand="4s9dKc",
        piles=((OTHER, 5, "2d3c,5h"),),
        of="4s",
        tried=("4s^[2d3c5h]=9",),
        where=lambda rules: rules.families,
    ),
    Example(
        "R14.7",
        "obligations",
        N_("The eight is yours, and you hold two cards for it."),
        hand="8c8h2d",
        loose="6s",
        piles=((YOU, 8, "3d5s"),),
        tried=("2d", "2d+6s=8"),
    ),
    Example(
        "R14.8",
        "obligations",
        N_("The same with only one card for it."),
        hand="8c2d9h",
        loose="6s9s",
        piles=((YOU, 8, "3d5s"),),
        tried=("8c", "8c+[3d5s]=8", "2d", "2d+6s=8"),
    ),
    Example(
        "R14.10",
        "xeri",
        N_(
            "You laid three on five and declared eight; the other player raised it to nine with the"
            " ace. The pile is no longer yours, but you have a nine."
        ),
        hand="8c9h",
        piles=((OTHER, 9, "Ah3d5s"),),
        where=lambda rules: rules.raising != "never",
    ),
    Example(
        "R14.12",
        "xeri",
        N_("The very first play of a deal, and the ten takes everything."),
        hand="Th9d",
        loose="Ac2c3d4s",
        of="Th",
        tried=("ThxAc2c3d4s",),
        plays=0,
    ),
    Example(
        "R14.13",
        "xeri",
        N_("The very last play of a deal: a ten before six and four."),
        hand="Th",
        loose="4c6s",
        plays=PACK_SIZE - 5,
    ),
)
"""In the order in which they are read. The numbers are those of R14; a letter is a variant."""


@dataclass(frozen=True)
class Judged:
    """A play in words: whether it is allowed, and what it makes or which rule forbids it and why.

    `makes` names the special event of an allowed play: `xeri`, `xeristaki` or nothing.
    """

    play: Play
    text: str
    makes: str = ""
    rule: str = ""
    reason: str = ""


def examples_for(rules: Rules, chapter: str | None = None) -> list[Example]:
    """The examples that can be met under a rule set, of one chapter or of all."""
    return [
        example
        for example in EXAMPLES
        if example.where(rules) and chapter in (None, example.chapter)
    ]


def position_of(example: Example, rules: Rules) -> Position:
    """The position of an example. It holds only what is seen of it, and a card in the stock."""
    is_last = example.plays == rules.plays_in_deal - 1
    # After the last play of a deal nobody holds anything; before, the others must.
    others = [0 if is_last else 1 << parse_card("Kd")] * (rules.players - 1)
    piles = [
        Pile(value, owner, tuple(parse_cards(part) for part in parts.split(",")))
        for owner, value, parts in example.piles
    ]
    is_new = example.plays == 0
    state = new_state(
        rules,
        dealer=YOU if is_last else rules.players - 1,
        turn=YOU,
        plays=example.plays,
        hands=[parse_cards(example.hand), *others],
        loose=parse_cards(example.loose),
        piles=piles,
        stock=() if is_last else (parse_card("Ks"),),
        captured=(0 if is_new else parse_cards("QcQd"), 0),
        last_capture=None if is_new else 0,
    )
    return Position(rules, state, {pile.cards: pile.components for pile in piles})


def allowed(words: Words, example: Example, rules: Rules) -> list[Judged]:
    """The legal plays of an example, of the cards that it is about."""
    here = position_of(example, rules)
    shown = parse_cards(example.of or example.hand)
    return [_allowed(words, here, play) for play in legal_plays(here) if shown >> play.card & 1]


def _allowed(words: Words, here: Position, play: Play) -> Judged:
    outcome = make_play(here, play)
    made = [name for name in ("xeri", "xeristaki") if outcome.has(name)]
    return Judged(play, describe_play(words, play), makes=made[0] if made else "")


def refused(words: Words, example: Example, rules: Rules) -> list[Judged]:
    """The plays that an example tries and the rules forbid."""
    here = position_of(example, rules)
    judged = []
    for play in map(parse_play, example.tried):
        refusal = refusal_of(here, play)
        if refusal != Refusal.NONE:
            reason = words.refusal(refusal, here, play)
            judged.append(
                Judged(play, describe_play(words, play), rule=RULE_OF[refusal], reason=reason)
            )
    return judged


def names_in(words: Words, rules: Rules) -> tuple[str, ...]:
    """What the seats of the examples are called."""
    others = [words.say("the other player")] * (rules.players - 1)
    return (words.say("you"), *others)


def counted(words: Words, rules: Rules) -> str:
    """The count of R14.11: a deal in which a side has 28 cards, two aces, a ten and a xeri."""
    mine = parse_cards("AcAdTd")
    rest = [card for card in cards_in(FULL_PACK & ~(mine | ACES)) if card != parse_card("2c")]
    mine |= sum(1 << card for card in rest[: 28 - mine.bit_count()])
    state = new_state(
        rules,
        dealer=YOU,
        turn=None,
        plays=rules.plays_in_deal,
        hands=(),
        loose=0,
        captured=(mine, FULL_PACK & ~mine),
        xeri=(1, 0),
        last_capture=0,
    )
    sheet = sheet_of(Position(rules, state, {}), 0)
    return words.say(
        "28 cards, two aces, the ten of diamonds and a xeri: {cards} + {aces} + {ten} + {xeri} ="
        " {total}.",
        cards=sheet.cards,
        aces=sheet.aces,
        ten=sheet.ten_of_diamonds,
        xeri=sheet.xeri,
        total=sheet.total,
    )


def won(words: Words, rules: Rules) -> list[str]:
    """The ends of a match of R14.14: both sides have reached the target in one deal."""
    target = rules.target
    return [
        words.say(
            "{first} : {second} after a deal: the side with {first} has won.",
            first=target + 3,
            second=target + 2,
        ),
        words.say("{both} : {both} after a deal: one more deal is played.", both=target + 4),
    ]


def example_lines(words: Words, rules: Rules, example: Example) -> Iterator[str]:
    """An example as text, line by line."""
    here = position_of(example, rules)
    names = names_in(words, rules)
    yield words.say(example.title)
    piles = [
        f"{describe_pile(words, pile, names[pile.owner])} [{cards_sign(pile.cards)}]"
        for pile in here.piles
    ]
    table = " ".join(filter(None, [cards_sign(here.loose), *piles]))
    yield words.say("On the table: {cards}", cards=table)
    yield words.say("Your hand: {cards}", cards=cards_sign(here.hands[YOU]))
    for judged in allowed(words, example, rules):
        yield f"  + {judged.text}{MARKS[judged.makes] and ' ' + words.say(MARKS[judged.makes])}"
    for judged in refused(words, example, rules):
        reason = words.say("{reason} ({rule})", reason=judged.reason, rule=judged.rule)
        yield f"  - {judged.text}. {reason}"


MARKS = {"": "", "xeri": N_("– xeri!"), "xeristaki": N_("– xeristaki!")}
"""What is written after a play that makes more than a capture."""
