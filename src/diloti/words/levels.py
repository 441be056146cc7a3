"""What the levels of the bots are called, and how each of them plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diloti.core.errors import N_
from diloti.words.language import Words
from diloti.words.telling import seat_names

LEVEL_NAMES: Mapping[str, str] = {
    "novice": N_("bot: novice"),
    "casual": N_("bot: casual player"),
    "regular": N_("bot: regular"),
    "strong": N_("bot: strong"),
    "expert": N_("bot: expert"),
}
"""Who sits there, by level, the weakest first."""

LEVEL_TITLES: Mapping[str, str] = {
    "novice": N_("Novice"),
    "casual": N_("Casual player"),
    "regular": N_("Regular"),
    "strong": N_("Strong player"),
    "expert": N_("Expert"),
}
"""The levels, where it is clear that they are bots."""

LEVEL_SENTENCES: Mapping[str, str] = {
    "novice": N_("The novice overlooks much and forgets cards."),
    "casual": N_("The casual player overlooks some plays and remembers the last cards."),
    "regular": N_("The regular forgets nothing, and plays at once what looks best."),
    "strong": N_("The strong player thinks ahead a little."),
    "expert": N_("The expert plays as well as it can, and thinks for about a second."),
}
"""How a bot of the level plays."""

BOT_NAMES = (N_("Nikos"), N_("Eleni"), N_("Kostas"), N_("Maria"))
"""Names for bots, by seat."""


def everybodys_names(words: Words, names: Sequence[str], is_bot: Sequence[bool]) -> tuple[str, ...]:
    """A name for every seat, its own where it has one; bots take none that a person has."""
    is_alone = sum(not bot for bot in is_bot) == 1
    people = {name.casefold() for name in names}
    pool = [words.say(name) for name in BOT_NAMES]
    free = [name for name in pool if name.casefold() not in people]
    given = []
    for place, (name, bot) in enumerate(zip(names, is_bot, strict=True)):
        if not name and bot:
            name = pool[place] if pool[place] in free else free[0]
            free.remove(name)
        elif not name and is_alone:
            name = words.say("Player")
        given.append(name)
    return seat_names(words, given)
