"""What people ask about the rules, and argue about, answered for a rule set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from diloti.core.errors import N_
from diloti.core.rules import Rules
from diloti.words.language import Words
from diloti.words.sentences import CHOICE_SENTENCES, Templates, sentences_for


@dataclass(frozen=True)
class Question:
    """A question, the answer for a rule set, and the rule that it rests on."""

    name: str
    asks: str
    rule: str
    answer: Callable[[Rules], Templates]
    where: Callable[[Rules], bool] = lambda _rules: True
    """The rule sets under which anybody asks."""


@dataclass(frozen=True)
class Answered:
    """A question with its answer, in words."""

    name: str
    asks: str
    answer: str
    rule: str


def questions_for(words: Words, rules: Rules) -> list[Answered]:
    """The common questions with the answers for a rule set."""
    return [
        Answered(
            question.name,
            " ".join(sentences_for(words, rules, question.asks)),
            " ".join(sentences_for(words, rules, *question.answer(rules))),
            question.rule,
        )
        for question in QUESTIONS
        if question.where(rules)
    ]


def _always(*templates: str) -> Callable[[Rules], Templates]:
    return lambda _rules: templates


def _by(switch: str, answers: Mapping[object, Templates]) -> Callable[[Rules], Templates]:
    return lambda rules: answers[getattr(rules, switch)]


def _why_not_lay(rules: Rules) -> Templates:
    """All that can forbid laying a card."""
    reasons = []
    if rules.obligations:
        reasons.append(N_("While you own a pile, you may not simply lay a card."))
    if rules.court_must_capture:
        reasons.append(CHOICE_SENTENCES["court_must_capture", True])
    if rules.forced_capture:
        reasons.append(CHOICE_SENTENCES["forced_capture", True])
    return tuple(reasons) or (N_("At this table every card may be laid."),)


def _must_capture(rules: Rules) -> Templates:
    return tuple(
        CHOICE_SENTENCES[switch, getattr(rules, switch)]
        for switch in ("forced_capture", "court_must_capture")
    )


QUESTIONS: tuple[Question, ...] = (
    Question(
        "look",
        N_("May I look through what I have captured?"),
        "R10.2",
        _always(
            N_(
                "No, nor count it: it lies face down until the count. What you want to know,"
                " you have to remember."
            )
        ),
    ),
    Question(
        "must",
        N_("Must I capture when I can?"),
        "R5.9",
        _must_capture,
    ),
    Question(
        "lay",
        N_("Why may I not lay this card?"),
        "R4.1",
        _why_not_lay,
    ),
    Question(
        "leave",
        N_("May I leave my declaration where it is and capture something else?"),
        "R8.3",
        _by(
            "obligations",
            {
                True: (
                    N_("Yes, as long as a card that takes your pile stays in your hand."),
                    N_("What you may not do is lay a card, or begin another pile."),
                ),
                False: (
                    N_("Yes. You may even lay a card, or declare something else."),
                    N_("But anybody who has the card may take your pile meanwhile."),
                ),
            },
        ),
    ),
    Question(
        "split",
        N_("Can I split a pile, and take only some of its cards?"),
        "R5.3",
        _always(
            N_("No. A pile is taken whole or not at all, and its cards add up with nothing else.")
        ),
    ),
    Question(
        "ten",
        N_("May a ten take 8 + 2 when the 8 is declared?"),
        "R5.3",
        _always(
            N_("No. Only an eight takes a pile of eight."),
            N_("If both the 8 and the 2 lie loose, the ten may take them."),
        ),
    ),
    Question(
        "partner",
        N_("May my partner take my declaration?"),
        "R5.3",
        _always(
            N_("Yes, whoever has a card of its value: your partner as well as the other side."),
            N_("But you may declare only what you can take yourself."),
        ),
        where=lambda rules: rules.players == 4,
    ),
    Question(
        "opponent",
        N_("May the other player take my declaration?"),
        "R5.3",
        _always(
            N_("Yes, whoever has a card of its value may take it."),
        ),
        where=lambda rules: rules.players == 2,
    ),
    Question(
        "raise-own",
        N_("May I raise my own declaration?"),
        "R7.3",
        _by(
            "raising",
            {
                "opponents": (
                    N_("No, only one of the other side."),
                    N_(
                        "If somebody has raised yours, it is theirs now, and you may raise it back."
                    ),
                ),
                "others": (
                    N_("No, but anybody else's."),
                    N_(
                        "If somebody has raised yours, it is theirs now, and you may raise it back."
                    ),
                ),
                "anyone": (N_("Yes, if you keep a card of the new value."),),
                "never": (N_("No. Nobody raises anything at this table."),),
            },
        ),
    ),
    Question(
        "jacks",
        N_("Two jacks lie on the table. Does mine take both?"),
        "R5.7",
        _by(
            "court_capture",
            {
                "one": (N_("No, one of them; you choose which."),),
                "all": (N_("Yes, it takes all the jacks that lie there."),),
                "three_take_three": (
                    N_("No, one of them; you choose which."),
                    N_("Only where three lie there, it takes all three."),
                ),
            },
        ),
    ),
    Question(
        "eleven",
        N_("Is a jack 11, and can an ace be 1 or 11?"),
        "R1",
        _always(
            N_("No. An ace is always 1, and a jack has no value: it takes jacks and no sums."),
        ),
    ),
    Question(
        "suits",
        N_("Do the suits matter?"),
        "R11",
        _always(
            N_("Not when you capture: any seven takes any seven."),
            N_(
                "Only in the count, where the ten of diamonds and the two of clubs have points of"
                " their own."
            ),
        ),
    ),
    Question(
        "declare-all",
        N_("Is it a xeri when I declare all that lies on the table?"),
        "R9.5",
        _always(
            N_("No, for the cards are still there."),
            N_("But whoever then takes that pile, alone on the table, makes one."),
        ),
    ),
    Question(
        "rest",
        N_("Who takes the rest at the end of a deal?"),
        "R10.1",
        _always(
            N_("The side that captured last, however long ago that was. It is no xeri."),
        ),
    ),
    Question(
        "seven",
        N_("Why are there 11 points in one deal, and only 7 in another?"),
        "R11",
        _always(
            N_("Aces, ten of diamonds and two of clubs make 7 in every deal."),
            N_("Four more go to whoever has more than 26 cards; at 26 to 26 nobody gets them."),
        ),
    ),
    Question(
        "both",
        N_("What if both sides reach {target}?"),
        "R12.2",
        _always(
            N_("The one with more points has won. If they are equal, another deal is played."),
        ),
    ),
)
"""In the order in which they are read."""
