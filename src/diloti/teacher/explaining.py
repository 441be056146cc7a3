"""A judged play in words: what it lost, and why another one was better."""

from __future__ import annotations

from diloti.core.view import View
from diloti.teacher.judgement import JudgedPlay
from diloti.teacher.motives import motives_against, motives_of
from diloti.words import Words
from diloti.words.hints import tell_why
from diloti.words.motives import tell_motives
from diloti.words.review import tell_loss


def tell_judged(words: Words, judged: JudgedPlay) -> str:
    """The mark of a play, and what it lost."""
    return tell_loss(
        words,
        judged.mark,
        judged.loss,
        judged.error,
        is_exact=judged.is_exact,
        matters=judged.cost > 0,
    )


def tell_reason(words: Words, view: View, judged: JudgedPlay) -> str:
    """Why the best play is best, said to whoever made the play; empty where there is no reason.

    `view` is what that seat saw.
    """
    if judged.best == judged.play:
        return tell_motives(words, motives_of(view, judged.play))
    return tell_why(words, motives_against(view, judged.best, judged.play))
