"""The game in a minute: what one needs to begin with."""

from __future__ import annotations

from diloti.core.errors import N_
from diloti.core.rules import Rules
from diloti.words.language import Words
from diloti.words.sentences import MATCH, XERI, Templates, sentences_for


def in_a_minute(words: Words, rules: Rules) -> list[str]:
    """The game in a few sentences, enough to begin with."""
    lines: list[Templates] = [_MINUTE_BEGIN, _MINUTE_CAPTURE, _MINUTE_DECLARE]
    if rules.raising != "never":
        lines.append(_MINUTE_RAISE)
    lines.append((*_MINUTE_LAY, *(_MINUTE_BOUND if rules.obligations else ())))
    lines += [_MINUTE_XERI, _MINUTE_COUNT]
    return [" ".join(sentences_for(words, rules, *templates)) for templates in lines]


_MINUTE_BEGIN = (
    N_("Everybody holds six cards, and four lie open on the table. In your turn you play one."),
)
_MINUTE_CAPTURE = (
    N_(
        "It can capture cards of its value, and cards that add up to it: a six takes a six, and a"
        " two with a four. An ace is worth 1; jacks, queens and kings take only their own rank."
    ),
)
_MINUTE_DECLARE = (
    N_(
        "It can declare something for later: put a three on a five and say “eight”. Now only an"
        " eight takes that pile, and you must keep one in your hand."
    ),
)
_MINUTE_RAISE = (
    N_(
        "It can raise such a pile: an ace makes that eight a nine, and the pile is yours, if you"
        " keep a nine."
    ),
)
_MINUTE_LAY = (N_("Or you lay it, and it stays on the table."),)
_MINUTE_BOUND = (N_("But while a pile is yours, you may neither lay a card nor begin another."),)
_MINUTE_XERI = (
    *XERI,
    N_("When the hands are used up, new ones are dealt, until the pack is finished."),
)
_MINUTE_COUNT = (
    N_(
        "Then you count: more than half of the cards give 4 points, each ace 1, the ten of diamonds"
        " 2, the two of clubs 1."
    ),
    MATCH[0],
)
