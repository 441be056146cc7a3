"""Why a play is good or bad, in words: each reason is a short sentence of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from diloti.core.cards import RANKS, cards_of_rank
from diloti.core.errors import N_
from diloti.words.cards import cards_sign, rank_sign
from diloti.words.language import Words


@dataclass(frozen=True)
class Motive:
    """A reason for a play or against it, by its name; `diloti.teacher.motives` says when it holds.

    `weight` is about how many points it matters, below 0 where it speaks against the play.
    """

    name: str
    weight: float
    cards: int = 0
    value: int = 0
    count: int = 0
    is_of_other: bool = False
    """Whether it is told of the play that was chosen, beside a better one."""


_SENTENCES: Mapping[str, str] = {
    "forced": N_("It is the only play you have."),
    "no_xeri": N_("No card that may still be out clears the table after it."),
    "takes_own": N_("It takes your own declaration of {value}."),
    "rescues_own": N_(
        "It takes your own declaration of {value} before somebody else takes or raises it."
    ),
    "takes_theirs": N_("It takes the other side's declaration of {value}."),
    "takes_partners": N_("It takes your partner's declaration of {value}."),
    "leaves_partners": N_("It leaves your partner's declaration of {value} to your partner."),
    "raises_theirs": N_("It turns the other side's declaration of {value} into yours of {count}."),
    "joins_theirs": N_("It makes the other side's declaration of {value} part of your own."),
    "frees": N_("It frees you: with no declaration of yours on the table you may lay cards again."),
    "locks": N_("It locks {cards} into a pile that only a card of {value} takes."),
    "only_you": N_("No other card of {value} is out: only you can take the pile."),
    "keeps": N_("It keeps a card of {value} for your declaration."),
    "gives_up": N_("It leaves your declaration of {value} without a card that takes it."),
    "safe": N_("Nobody can capture {cards} as the table lies."),
    "retakes": N_("You keep {cards} to take it back with."),
    "scores_nothing": N_("{cards} scores nothing by itself."),
    "exposes": N_("Others may capture {cards} as the table lies."),
    "rest": N_("Your side captured last: what is left on the table is yours."),
    "rest_lost": N_("The other side captured last and gets what is left on the table."),
}
_OF_OTHER: Mapping[str, str] = {
    "takes_partners": N_("Your play takes your partner's declaration of {value}."),
    "gives_up": N_("Your play leaves your declaration of {value} without a card that takes it."),
    "exposes": N_("Your play lays {cards} where others may capture it."),
    "rest_lost": N_("With your play the other side gets what is left on the table."),
}


def tell_motive(words: Words, motive: Motive) -> str:
    """A motive as a sentence."""
    ranks = [rank_sign(rank) for rank in range(RANKS) if cards_of_rank(motive.cards, rank)]
    cards, count = cards_sign(motive.cards), motive.count
    match motive.name:
        case "xeri":
            return words.say_count(
                "It clears the table: a xeri for {count} point.",
                "It clears the table: a xeri for {count} points.",
                count,
            )
        case "xeristaki":
            return words.say_count(
                "It leaves a single pile: a xeristaki for {count} point.",
                "It leaves a single pile: a xeristaki for {count} points.",
                count,
            )
        case "points":
            return words.say_count(
                "It brings you {cards}: {count} point.",
                "It brings you {cards}: {count} points.",
                count,
                cards=cards,
            )
        case "cards":
            return words.say_count("It captures {count} card.", "It captures {count} cards.", count)
        case "builds":
            return words.say_count(
                "It sets up a capture of {count} card with your {value}.",
                "It sets up a capture of {count} cards with your {value}.",
                count,
                value=motive.value,
            )
        case "last_capture":
            return words.say_count(
                "It captures last: {count} card left on the table is yours, too.",
                "It captures last: {count} cards left on the table are yours, too.",
                count,
            )
        case "leaves_xeri" if motive.is_of_other:
            return words.say_count(
                "After your play, {ranks} would clear the table: {count} such card may be out.",
                "After your play, {ranks} would clear the table: {count} such cards may be out.",
                count,
                ranks=", ".join(ranks),
            )
        case "leaves_xeri":
            return words.say_count(
                "After it, {ranks} would clear the table: {count} such card may be out.",
                "After it, {ranks} would clear the table: {count} such cards may be out.",
                count,
                ranks=", ".join(ranks),
            )
    template = (_OF_OTHER if motive.is_of_other else _SENTENCES)[motive.name]
    return words.say(template, cards=cards, value=motive.value, count=count)


def tell_motives(words: Words, motives: Iterable[Motive]) -> str:
    """Motives as sentences, one after the other."""
    return " ".join(tell_motive(words, motive) for motive in motives)
