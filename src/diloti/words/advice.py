"""Advice to players: what experience says, in a few pieces, and what figures say of each.

The figures are those of docs/study.md: deals of the classic game between two bots of one level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from diloti.core.errors import N_
from diloti.core.rules import Rules
from diloti.words.language import Words


@dataclass(frozen=True)
class Advice:
    """A piece of advice: its title, why, and what the study found about it.

    `measured` is the figure in the sentence `figures`, in the same unit: of a hundred.
    """

    name: str
    title: str
    text: str
    figures: str
    measured: int = 0
    where: Callable[[Rules], bool] = lambda _rules: True
    """The rule sets for which it holds."""


def advice_for(words: Words, rules: Rules) -> list[Advice]:
    """The advice that holds for a rule set, in words."""
    return [
        replace(
            piece,
            title=words.say(piece.title),
            text=words.say(piece.text),
            figures=words.say(piece.figures, share=piece.measured),
        )
        for piece in ADVICE
        if piece.where(rules)
    ]


ADVICE: tuple[Advice, ...] = (
    Advice(
        "xeri",
        N_("Think of the xeri first"),
        N_(
            "One xeri outweighs nearly all that the cards of a deal can bring. Before you take"
            " anything, look at what you leave: can the next player clear it with one card?"
        ),
        N_(
            "Measured, and confirmed: of 100 deals in which one side makes more xeri, it wins "
            "{share}."
        ),
        measured=98,
        where=lambda rules: rules.xeri_points >= 10,
    ),
    Advice(
        "lone",
        N_("Beware of a lone card"),
        N_(
            "A single card on the table invites a xeri. If one has to lie there, let it be one"
            " whose like has mostly been played. Two cards of different ranks that add up to more"
            " than ten no single card can clear."
        ),
        N_(
            "Measured, and confirmed: a lone card brings a xeri in {share} more cases out of "
            "100 when hardly any of its like has been seen than when most have."
        ),
        measured=18,
    ),
    Advice(
        "sums",
        N_("Build no sums for the other side"),
        N_(
            "Before you lay a card, add it to what lies there. Every sum up to ten is a capture"
            " that you offer. High cards beside high cards add up to nothing."
        ),
        N_(
            "Measured, and confirmed: where a sum lies ready, the next player takes the card "
            "just laid in {share} more cases out of 100 than where none does."
        ),
        measured=18,
    ),
    Advice(
        "ten",
        N_("Guard the ten of diamonds"),
        N_(
            "Once it lies loose, any other ten takes it, and its 2 points. Keep it in your hand for"
            " a sum or a ten that it can take itself. And do not spend another ten while it is"
            " still about."
        ),
        N_(
            "Measured, but not proven: of 100 times that the ten of diamonds is laid while "
            "another ten is about, it comes back to its own side {share} times, about half."
        ),
        measured=46,
    ),
    Advice(
        "count",
        N_("Count aces and cards"),
        N_(
            "Four points go to whoever has more than 26 cards, and four more lie in the aces. Keep"
            " both numbers in mind, for nobody may look. When it is close, a capture of five cards"
            " beats a pretty one of two."
        ),
        N_(
            "Measured, and confirmed: in {share} of 100 deals three cards more would change "
            "who gets the four points, or whether anybody does."
        ),
        measured=48,
    ),
    Advice(
        "block",
        N_("Declare to block"),
        N_(
            "Declared cards no longer add up with anything: only one value takes them. Declare what"
            " the other side could otherwise take, and best a value whose cards you hold or"
            " have seen."
        ),
        N_(
            "Measured, and confirmed: declared cards end with their own side in {share} more "
            "cases out of 100 than laid ones."
        ),
        measured=36,
    ),
    Advice(
        "bound",
        N_("Bind yourself with care"),
        N_(
            "While your pile lies there, every turn has to be a capture or a family. Declare when"
            " you know what you will play next, or mean to take the pile at once."
        ),
        N_(
            "Measured, and confirmed: who owns a pile has only one play or two to choose from "
            "in {share} more turns out of 100 than who owns none."
        ),
        measured=55,
        where=lambda rules: rules.obligations and rules.families and rules.raising != "anyone",
    ),
    Advice(
        "raise",
        N_("Raise what you cannot take"),
        N_(
            "A small card carries a pile to a value that you hold. Then it is yours, and"
            " the card that was kept for it takes it no longer."
        ),
        N_(
            "Measured, and confirmed: of 100 cards that are played to raise, {share} end with "
            "their own side."
        ),
        measured=82,
        where=lambda rules: rules.raising != "never",
    ),
    Advice(
        "courts",
        N_("Know when to spend a court"),
        N_(
            "A court adds up with nothing, so it is a good card to lay when nothing else is safe."
            " But not alone on an empty table, unless the others of its rank have gone."
        ),
        N_(
            "Measured, and confirmed: a lone court brings a xeri in {share} more cases out of "
            "100 while others of its rank are about than when they have gone."
        ),
        measured=26,
    ),
    Advice(
        "gone",
        N_("Count the courts"),
        N_(
            "There are four of each rank. If you hold all of a rank that are still about, you can"
            " lay one without danger: nobody else takes it, and while it lies there nobody else"
            " makes a xeri."
        ),
        N_(
            "Measured, and confirmed: a court laid when all others of its rank have been seen "
            "ends with its own side in {share} more cases out of 100 than other laid courts."
        ),
        measured=58,
    ),
    Advice(
        "last",
        N_("Keep the last capture"),
        N_(
            "The rest of the table goes to whoever captured last, often several cards. In the"
            " last hand keep a card that is sure to take something, and play it late."
        ),
        N_(
            "Measured, but not proven: with two players five cards or more are left over in "
            "{share} of 100 deals."
        ),
        measured=22,
    ),
    Advice(
        "end",
        N_("Play the last hand exactly"),
        N_(
            "When the stock is empty, every card that you have not seen is in somebody's hand. If"
            " you have counted, you can work out what the others can still do."
        ),
        N_("Not measured: no figure of ours can tell."),
    ),
)
"""The most important first."""
