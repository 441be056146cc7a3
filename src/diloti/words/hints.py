"""What the strongest bot thinks of plays, in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from diloti.words.language import Words
from diloti.words.motives import Motive, tell_motives
from diloti.words.numbers import percent


def tell_why(words: Words, motives: Sequence[Motive]) -> str:
    """The reasons for a play; where none is plain to see, what the trials have said."""
    if motives:
        return tell_motives(words, motives)
    return words.say("Tried out many times, it comes out best.")


def tell_meaning(words: Words, *, by_chance: bool) -> str:
    """What the numbers beside plays are, and what the best play is the best in."""
    if by_chance:
        return words.say(
            "Near the target the chance to win the match counts, before the points: the lead that"
            " your side can expect at the end of the deal."
        )
    return words.say("Points: the lead that your side can expect at the end of the deal.")


def tell_loss(words: Words, points: float, chances: tuple[float, float] | None) -> str:
    """What a play loses against a better one: points, or the chance to win (better, chosen)."""
    if chances is None:
        return words.say_count(
            "This play loses about {count} point.",
            "This play loses about {count} points.",
            round(points),
        )
    better, chosen = (percent(words, chance) for chance in chances)
    return words.say(
        "This play lowers your chance to win the match from {better} to {chosen}.",
        better=better,
        chosen=chosen,
    )
