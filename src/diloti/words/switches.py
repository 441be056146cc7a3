"""The switches of a rule set as people read them: what each decides, and its values by name."""

from __future__ import annotations

from collections.abc import Mapping

from diloti.core.errors import N_
from diloti.core.rules import CHOICES, Rules
from diloti.words.language import Words

PRESET_SENTENCES: Mapping[str, str] = {
    "classic": N_("The game for two to 61, on which most accounts agree."),
    "taverna": N_("The freer game of the Greek tavernas, usually in partnerships."),
}
"""What the named rule sets are."""

SWITCH_SENTENCES: Mapping[str, str] = {
    "players": N_("How many play: two, or four in two partnerships."),
    "target": N_("The points that win the match."),
    "deal_packet": N_("Whether the six cards of a hand are dealt at once or three by three."),
    "redeal": N_("Which first table cards are exchanged for others."),
    "equal_cards": N_("Whether a capture may leave loose cards of its own value."),
    "sum_groups": N_("How many groups that add up one capture may take."),
    "court_capture": N_("How many courts of its rank a court takes."),
    "court_must_capture": N_("Whether a court must capture where one of its rank lies loose."),
    "families": N_("Whether there are declarations of several parts of equal value."),
    "raising": N_("Whose plain declarations one may raise."),
    "obligations": N_("Whether a declaration binds the player who owns it."),
    "first_play_xeri": N_("Whether the first play of a deal can be a xeri."),
    "last_play_xeri": N_("Whether the last play of a deal can be a xeri."),
    "xeri_points": N_("The points of a xeri."),
    "xeristaki_points": N_("The points of a xeristaki, which leaves one pile; 0: there is none."),
    "forced_capture": N_("Whether a numeral that can capture may not be laid."),
    "partners_show_card": N_("Whether partners show each other one card before the first play."),
}
"""What each switch of R13 decides."""

SWITCH_NAMES: Mapping[str, str] = {
    "players": N_("players"),
    "target": N_("target"),
    "deal_packet": N_("cards dealt at a time"),
    "redeal": N_("exchange of the first table cards"),
    "equal_cards": N_("equal cards in a capture"),
    "sum_groups": N_("groups in a capture"),
    "court_capture": N_("courts in a capture"),
    "court_must_capture": N_("duty of courts to capture"),
    "families": N_("families"),
    "raising": N_("raising"),
    "obligations": N_("obligations"),
    "first_play_xeri": N_("xeri by the first play"),
    "last_play_xeri": N_("xeri by the last play"),
    "xeri_points": N_("points of a xeri"),
    "xeristaki_points": N_("points of a xeristaki"),
    "forced_capture": N_("duty to capture"),
    "partners_show_card": N_("partners showing a card"),
}
"""What people call each switch of R13, for a sentence about its value."""

RULE_OF_SWITCH: Mapping[str, str] = {
    "players": "R2.1",
    "target": "R12.2",
    "deal_packet": "R2.4",
    "redeal": "R2.5",
    "equal_cards": "R5.4",
    "sum_groups": "R5.5",
    "court_capture": "R5.7",
    "court_must_capture": "R5.8",
    "families": "R6.6",
    "raising": "R7.3",
    "obligations": "R8",
    "first_play_xeri": "R9.2",
    "last_play_xeri": "R9.3",
    "xeri_points": "R9.1",
    "xeristaki_points": "R9.4",
    "forced_capture": "R5.9",
    "partners_show_card": "R2.7",
}
"""The rule that each switch belongs to."""

_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "players": (2, 4),
    "target": (21, 31, 41, 51, 61, 71, 81, 91, 101, 121, 151, 201),
    "deal_packet": (3, 6),
    "xeri_points": (0, 5, 10, 15, 20),
    "xeristaki_points": (0, 1, 3, 5, 10),
}
_NAMES: Mapping[str, str] = {
    "equal_courts": N_("three equal courts"),
    "jacks": N_("three jacks"),
    "any": N_("it may"),
    "all": N_("it takes all"),
    "many": N_("any number"),
    "one": N_("one"),
    "three_take_three": N_("one, or three of three"),
    "opponents": N_("the opponents'"),
    "others": N_("all but one's own"),
    "anyone": N_("everybody's"),
    "never": N_("none"),
}


def choices_of(words: Words, switch: str, rules: Rules) -> dict[str, str]:
    """The values of a switch as text, each with its words."""
    value = getattr(rules, switch)
    if switch in CHOICES:
        return {name: words.say(_NAMES[name]) for name in CHOICES[switch]}
    if isinstance(value, bool):
        return {"True": words.say("yes"), "False": words.say("no")}
    return {str(number): str(number) for number in sorted({*_NUMBERS[switch], value})}


def switch_sentence(words: Words, switch: str) -> str:
    """What a switch decides, in one sentence."""
    return words.say(SWITCH_SENTENCES[switch])


def choice_of(words: Words, switch: str, rules: Rules) -> str:
    """The value that a rule set gives a switch, in words."""
    return choices_of(words, switch, rules)[str(getattr(rules, switch))]
