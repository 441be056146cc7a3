"""What the strongest bot thinks of plays, in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from diloti.core.errors import N_
from diloti.words.language import Words
from diloti.words.motives import Motive, tell_motives


def points_text(words: Words, points: float) -> str:
    """A lead in points, as “+3.2” or “−0.4”."""
    text = f"{round(points, 1) + 0.0:+.1f}".replace("-", "−")
    return text if words.language == "en" else text.replace(".", ",")


def chance_text(words: Words, chance: float) -> str:
    """A chance in percent, as “57 %”."""
    return words.say(N_("{percent} %"), percent=round(100 * chance))


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
    better, chosen = (round(100 * chance) for chance in chances)
    return words.say(
        "This play lowers your chance to win the match from {better} % to {chosen} %.",
        better=better,
        chosen=chosen,
    )
