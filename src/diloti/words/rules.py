"""The rules of a table as people read them: those of its own rule set, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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

CHOICE_SENTENCES: Mapping[tuple[str, object], str] = {
    ("redeal", "equal_courts"): N_(
        "Three or four courts of one rank among the first table cards are exchanged for others."
    ),
    ("redeal", "jacks"): N_(
        "Three or four jacks among the first table cards are exchanged for others."
    ),
    ("redeal", "never"): N_("The first table cards stay, whatever they are."),
    ("equal_cards", "any"): N_("You choose which loose cards of the same value to take."),
    ("equal_cards", "all"): N_("If you take one loose card of the same value, you take them all."),
    ("sum_groups", "many"): N_("One capture may take several groups."),
    ("sum_groups", "one"): N_(
        "One capture takes at most one group; equal cards and piles come on top."
    ),
    ("court_capture", "one"): N_(
        "A jack, queen or king takes exactly one loose card of its rank, and nothing else."
    ),
    ("court_capture", "all"): N_(
        "A jack, queen or king takes all loose cards of its rank at once, and nothing else."
    ),
    ("court_capture", "three_take_three"): N_(
        "A jack, queen or king takes one loose card of its rank, or all where three lie there, and"
        " nothing else."
    ),
    ("court_must_capture", True): N_(
        "A court may not be laid while one of its rank lies on the table."
    ),
    ("court_must_capture", False): N_(
        "A court may be laid even if one of its rank lies on the table."
    ),
    ("families", True): N_(
        "A family is declared from several parts that each make its value: single cards, cards that"
        " add up, and piles of that value. The card played is in one of the parts."
    ),
    ("families", False): N_("There are no families at this table, only plain declarations."),
    ("raising", "opponents"): N_("Only a declaration of the other side can be raised."),
    ("raising", "others"): N_("Any declaration but your own can be raised."),
    ("raising", "anyone"): N_("Any declaration can be raised, even your own."),
    ("raising", "never"): N_("At this table declarations cannot be raised."),
    ("obligations", True): N_(
        "While you own a declaration you may not simply lay a card, and you may declare only a"
        " family that includes it. You may always capture, but keep a card that takes your pile."
    ),
    ("obligations", False): N_("A declaration does not bind its owner in any other way."),
    ("first_play_xeri", True): N_("Even the first play of a deal can be a xeri."),
    ("first_play_xeri", False): N_("The first play of a deal is never a xeri."),
    ("last_play_xeri", True): N_("Even the last play of a deal can be a xeri."),
    ("last_play_xeri", False): N_("The last play of a deal is never a xeri."),
    ("forced_capture", True): N_(
        "A numeral that can capture may not be laid; declaring with it is allowed."
    ),
    ("forced_capture", False): N_("You need not capture with a numeral, even if you can."),
}
"""What each value of a switch means for the players, where a sentence of its own says it."""

RULE_OF_SWITCH: Mapping[str, str] = {
    "redeal": "R2.5",
    "equal_cards": "R5.4",
    "sum_groups": "R5.5",
    "court_capture": "R5.7",
    "court_must_capture": "R5.8",
    "families": "R6.4",
    "raising": "R7.3",
    "obligations": "R8",
    "first_play_xeri": "R9.2",
    "last_play_xeri": "R9.3",
    "forced_capture": "R5.9",
}
"""The rule that each of these switches belongs to."""


_NUMBERS: Mapping[str, tuple[int, ...]] = {
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


def rule_lines(words: Words, rules: Rules) -> list[tuple[str, str]]:
    """The rules of a rule set in order: the number of each and a sentence or two."""
    return [
        (
            number,
            words.say(
                template,
                points=rules.xeri_points,
                small=rules.xeristaki_points,
                target=rules.target,
            ),
        )
        for number, template in _templates(rules)
    ]


def _templates(rules: Rules) -> Iterator[tuple[str, str]]:
    def by_switch(switch: str) -> tuple[str, str]:
        return RULE_OF_SWITCH[switch], CHOICE_SENTENCES[switch, getattr(rules, switch)]

    yield "R2.1", _TWO_PLAY if rules.players == 2 else _FOUR_PLAY
    yield "R2.4", _DEALING
    yield by_switch("redeal")
    if rules.partners_show_card:
        yield "R2.7", _SHOWING
    yield "R4", _TURN
    yield "R5.1", _CAPTURE
    yield "R5.3", _PILES_WHOLE
    yield by_switch("equal_cards")
    yield by_switch("sum_groups")
    yield by_switch("court_capture")
    yield by_switch("court_must_capture")
    yield by_switch("forced_capture")
    yield "R6.2", _DECLARING
    yield "R6.3", _PLAIN
    yield by_switch("families")
    if rules.raising != "never":
        yield "R7.1", _RAISING
    yield by_switch("raising")
    yield by_switch("obligations")
    yield "R9.1", _XERI
    if rules.xeristaki_points:
        yield "R9.4", _XERISTAKI
    yield by_switch("first_play_xeri")
    yield by_switch("last_play_xeri")
    yield "R10.1", _LEFTOVERS
    yield "R10.2", _FACE_DOWN
    yield "R11", _SCORE
    yield "R12", _MATCH


_TWO_PLAY = N_("Two play with 52 cards; the deal passes after each deal.")
_FOUR_PLAY = N_("Four play with 52 cards, partners opposite; the deal passes after each deal.")
_DEALING = N_(
    "Everybody gets six cards and four are laid open on the table. When all hands are empty,"
    " everybody gets six more, until the pack is used up."
)
_SHOWING = N_("Before the first play of a deal each player may show the partner one card.")
_TURN = N_(
    "In your turn you play exactly one card: lay it, capture with it, declare with it, or raise a"
    " declaration."
)
_CAPTURE = N_(
    "An ace counts 1, a numeral its number. A numeral takes loose cards of its value, groups of"
    " cards that add up to its value, and piles of its value, in any combination."
)
_PILES_WHOLE = N_("A pile is taken whole, by a card of its value only.")
_DECLARING = N_(
    "To declare, you must keep a card of the declared value in your hand. Courts are never"
    " declared."
)
_PLAIN = N_(
    "A plain declaration puts the played card together with loose cards, to a sum of at most 10."
)
_RAISING = N_(
    "A plain declaration is raised by adding one card from the hand, to at most 10; you must keep a"
    " card of the new value. A family is never raised."
)
_XERI = N_("A capture that leaves the table empty is a xeri. Its points: {points}.")
_XERISTAKI = N_(
    "A capture that leaves one pile and no loose card is a xeristaki. Its points: {small}."
)
_LEFTOVERS = N_(
    "What is left on the table at the end of a deal goes to the side that captured last; that is no"
    " xeri."
)
_FACE_DOWN = N_("Captured cards lie face down until the deal is counted.")
_SCORE = N_(
    "More than 26 cards count 4 points, each ace 1, the ten of diamonds 2, the two of clubs 1."
)
_MATCH = N_(
    "The points that win the match: {target}. A side that has reached them after a deal wins; if"
    " both have, the higher total; if they are equal, another deal is played."
)
