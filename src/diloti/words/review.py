"""The review of a match in words: marks, losses, and where a result came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diloti.core.errors import N_
from diloti.core.plays import Play
from diloti.words.language import Words
from diloti.words.numbers import decimal, percent
from diloti.words.plays import describe_play

MARK_NAMES: Mapping[str, str] = {
    "best": N_("Best play"),
    "good": N_("Good play"),
    "inaccuracy": N_("Inaccuracy"),
    "mistake": N_("Mistake"),
    "blunder": N_("Blunder"),
}
"""What the marks are called, the best first."""

MARK_COUNTS: Mapping[str, str] = {
    "best": N_("best plays: {count}"),
    "good": N_("good plays: {count}"),
    "inaccuracy": N_("inaccuracies: {count}"),
    "mistake": N_("mistakes: {count}"),
    "blunder": N_("blunders: {count}"),
}
"""How often each mark fell."""


def tell_loss(
    words: Words, mark: str, loss: float, error: float, *, is_exact: bool, matters: bool
) -> str:
    """The mark of a play, and what it lost, and whether that matters for the match."""
    name = words.say(MARK_NAMES[mark])
    lost = decimal(words, loss)
    if loss <= 0:
        return words.say("{mark}.", mark=name)
    if not matters:
        return words.say(
            "{mark}: {loss} points lost, but no chance to win the match.", mark=name, loss=lost
        )
    if is_exact:
        return words.say("{mark}: {loss} points lost, exactly.", mark=name, loss=lost)
    return words.say(
        "{mark}: {loss} points lost (± {error}).",
        mark=name,
        loss=lost,
        error=decimal(words, error, digits=2),
    )


def tell_candidate(words: Words, play: Play, points: float) -> str:
    """A play, and the lead that it was expected to bring by the end of the deal."""
    return words.say(
        "{play} ({points})",
        play=describe_play(words, play),
        points=decimal(words, points, signed=True),
    )


def tell_better(words: Words, play: Play, points: float) -> str:
    """The play that was best, and the lead that it was expected to bring."""
    return words.say("Better: {play}", play=tell_candidate(words, play, points))


def tell_source(
    words: Words,
    side: str,
    *,
    start: float,
    cards: float,
    unknown: float,
    skill: tuple[float, float],
    result: float,
) -> str:
    """Where the lead of side 0 came from; its parts add up."""
    return words.say(
        "Where the lead of {side} came from: who played first {start}, cards dealt {cards},"
        " what nobody could know {unknown}, own plays {own}, plays of the others {others};"
        " together {result}.",
        side=side,
        start=decimal(words, start, signed=True),
        cards=decimal(words, cards, signed=True),
        unknown=decimal(words, unknown, signed=True),
        own=decimal(words, skill[0], signed=True),
        others=decimal(words, -skill[1], signed=True),
        result=decimal(words, result, signed=True),
    )


def tell_accuracy(words: Words, side: str, *, accuracy: float, loss: float, decisions: int) -> str:
    """How well a side has played, in one line."""
    return words.say_count(
        "{side}: accuracy {accuracy} of 100; {loss} points lost in {count} decision.",
        "{side}: accuracy {accuracy} of 100; {loss} points lost in {count} decisions.",
        decisions,
        side=side,
        accuracy=round(accuracy),
        loss=decimal(words, loss),
    )


def tell_marks(words: Words, counts: Mapping[str, int]) -> str:
    """How often each mark fell."""
    return " · ".join(words.say(MARK_COUNTS[mark], count=counts[mark]) for mark in MARK_COUNTS)


def tell_chances(words: Words, side: str, chances: Sequence[float]) -> str:
    """The chance of a side to win the match, before it and after each deal."""
    shown = " → ".join(percent(words, chance) for chance in chances)
    return words.say("Chance of {side} to win, deal by deal: {chances}", side=side, chances=shown)


def tell_cut(words: Words) -> str:
    """That a deal is left out which was not played to its end."""
    return words.say("The last deal was not played to its end; it is not reviewed.")


_GROUPS = {"en": ",", "ru": "\N{NO-BREAK SPACE}"}
"""What stands between thousands, where it is no dot."""


# --- As a page shows it ----------------------------------------------------------------

MARK_HEADINGS: Mapping[str, str] = {
    "best": N_("Best plays"),
    "good": N_("Good plays"),
    "inaccuracy": N_("Inaccuracies"),
    "mistake": N_("Mistakes"),
    "blunder": N_("Blunders"),
}
"""The marks as headings of a table."""

MARK_SIGNS: Mapping[str, str] = {
    "best": "★",
    "good": "✓",
    "inaccuracy": "?!",
    "mistake": "?",
    "blunder": "??",
}
"""What stands beside the name of a mark, in all languages."""


def source_rows(
    words: Words,
    sides: tuple[str, str],
    *,
    start: float,
    cards: float,
    unknown: float,
    skill: tuple[float, float],
    result: float,
) -> list[tuple[str, str]]:
    """Where the lead of side 0 came from, as the lines of a sum; the last one is what it makes."""
    plays_of = N_("Plays of {side}")
    parts = [
        (words.say("Who played first"), start),
        (words.say("Cards dealt"), cards),
        (words.say("What nobody could know"), unknown),
        (words.say(plays_of, side=sides[0]), skill[0]),
        (words.say(plays_of, side=sides[1]), -skill[1]),
        (words.say("Lead of {side}", side=sides[0]), result),
    ]
    return [(name, decimal(words, points, signed=True)) for name, points in parts]


def _grouped(words: Words, number: int) -> str:
    """A whole number with its thousands as the language parts them."""
    return f"{number:,}".replace(",", _GROUPS.get(words.language, "."))


def tell_ahead(words: Words, points: float) -> str:
    """How much a best play was worth."""
    return words.say("{points} points ahead of the next play", points=decimal(words, points))


def tell_judging(words: Words, simulations: int) -> list[str]:
    """How plays are judged and how far that can be trusted, as paragraphs."""
    return [
        words.say(
            "Every play is judged by what its player could know then: the own hand, the table, and"
            " all that had been played. The hidden cards are not looked at. So a play can be the"
            " best and turn out badly, and a mistake can turn out well."
        ),
        words.say(
            "For each play the hidden cards are dealt anew in many ways that fit what was known,"
            " and good bots play on: up to {count} hands for a play. The last hand of two players,"
            " in which everything can be known, is worked out exactly.",
            count=_grouped(words, simulations),
        ),
        words.say(
            "What is tried out has noise, which stands behind a loss as ±. A loss that is not"
            " clearly larger than its noise is at worst a good play; so is one that costs no chance"
            " to win the match. And the judge is the strongest bot, which can be wrong."
        ),
        words.say(
            "An inaccuracy loses half a point or more, a mistake one and a half, a blunder four."
            " Accuracy is 100 where no decision lost anything, and halves with each point lost a"
            " decision."
        ),
    ]
