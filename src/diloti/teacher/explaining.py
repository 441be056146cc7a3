"""A judged play in words, and the place for one sentence about why it was good or not."""

from __future__ import annotations

from collections.abc import Callable

from diloti.core.view import View
from diloti.teacher.judgement import JudgedPlay
from diloti.words import Words
from diloti.words.review import tell_loss

Explain = Callable[[Words, View, JudgedPlay], str]
"""A sentence about a judged play, from what its seat saw; empty where there is nothing to say."""


def nothing_to_explain(_words: Words, _view: View, _judged: JudgedPlay) -> str:
    """No sentence."""
    return ""


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
