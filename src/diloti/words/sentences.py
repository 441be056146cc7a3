"""The sentences that the rules are told in: which of them a rule set needs, by rule number."""

from __future__ import annotations

from collections.abc import Mapping

from diloti.core.errors import N_
from diloti.core.rules import Rules
from diloti.words.language import Words

Templates = tuple[str, ...]
"""Templates of sentences that are said one after another."""

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
    ("families", True): N_("There are plain declarations and families."),
    ("families", False): N_("There are no families at this table, only plain declarations."),
    ("raising", "opponents"): N_("Only a declaration of the other side can be raised."),
    ("raising", "others"): N_("Any declaration but your own can be raised."),
    ("raising", "anyone"): N_("Any declaration can be raised, even your own."),
    ("raising", "never"): N_("At this table declarations cannot be raised."),
    ("first_play_xeri", True): N_("Even the first play of a deal can be a xeri."),
    ("first_play_xeri", False): N_("The first play of a deal is never a xeri."),
    ("last_play_xeri", True): N_("Even the last play of a deal can be a xeri."),
    ("last_play_xeri", False): N_("The last play of a deal is never a xeri."),
    ("forced_capture", True): N_(
        "A numeral that can capture may not be laid; declaring with it is allowed."
    ),
    ("forced_capture", False): N_("You need not capture with a numeral, even if you can."),
}
"""What a value of a switch means for the players, where one sentence says all of it."""


def sentences_for(words: Words, rules: Rules, *templates: str) -> list[str]:
    """Templates with the numbers of a rule set filled in."""
    return [
        words.say(
            template,
            points=rules.xeri_points,
            small=rules.xeristaki_points,
            target=rules.target,
        )
        for template in templates
    ]


def templates_of(rules: Rules) -> dict[str, Templates]:
    """What is said of each rule under a rule set, by its number."""

    def by_switch(switch: str) -> Templates:
        return (CHOICE_SENTENCES[switch, getattr(rules, switch)],)

    said: dict[str, Templates] = {
        "R1": _VALUES,
        "R2.1": _TWO_PLAY if rules.players == 2 else _FOUR_PLAY,
        "R2.2": _DEALER,
        "R2.3": _SHUFFLE,
        "R2.4": (_SIX_AT_ONCE if rules.deal_packet == 6 else _THREE_AND_THREE, *_LAYOUT),
        "R2.5": by_switch("redeal"),
        "R2.6": _THREE_REFILLS if rules.players == 2 else _ONE_REFILL,
        "R2.7": _NOBODY_SHOWS if rules.players == 2 else _PARTNERS_HIDE,
        "R3.1": _TURN,
        "R4": _FOUR_WAYS,
        "R4.1": _LAY,
        "R4.2": _CAPTURE,
        "R4.3": _DECLARE,
        "R4.4": _RAISE,
        "R5.1": _NUMERAL_TAKES,
        "R5.3": _PILES_WHOLE,
        "R5.4": by_switch("equal_cards"),
        "R5.5": by_switch("sum_groups"),
        "R5.7": by_switch("court_capture"),
        "R5.8": by_switch("court_must_capture"),
        "R5.9": by_switch("forced_capture"),
        "R6.1": _NO_COURTS,
        "R6.2": _KEEP_A_CARD if rules.players == 2 else _KEEP_A_CARD_OF_YOUR_OWN,
        "R6.3": _PLAIN,
        "R6.4": _FAMILY if rules.families else _NO_JOINING,
        "R6.5": _SAY_WHICH if rules.families else _SAY_IT,
        "R6.6": by_switch("families"),
        "R6.7": (*_SIDE_BY_SIDE, *(_MAY_JOIN if rules.families else ())),
        "R6.8": _OWNER,
        "R7.1": _RAISING,
        "R7.2": _KEEP_FOR_RAISE,
        "R7.3": by_switch("raising"),
        "R7.4": _RAISER_OWNS,
        **(_bound(rules) if rules.obligations else _FREE),
        "R9.1": XERI,
        "R9.2": by_switch("first_play_xeri"),
        "R9.3": by_switch("last_play_xeri"),
        "R9.4": _XERISTAKI if rules.xeristaki_points else _NO_XERISTAKI,
        "R9.5": _NO_XERI,
        "R10.1": _LEFTOVERS,
        "R10.2": _FACE_DOWN,
        "R11": _SCORE,
        "R12.1": _ADD_UP,
        "R12.2": MATCH,
    }
    if rules.partners_show_card:
        said["R2.7"] = _SHOWING
    if rules.raising == "never":
        said |= {"R4": _THREE_WAYS, "R7.1": _VALUE_STAYS, "R9.5": _NO_XERI_BY_DECLARING}
        for number in ("R4.4", "R7.2", "R7.4"):
            del said[number]
    return said


def _bound(rules: Rules) -> dict[str, Templates]:
    """What a player who owns a pile must and may not do (R8)."""
    declaring = _DECLARE_ONLY_WITH_IT if rules.families else _DECLARE_NO_MORE
    raising: Templates = ()
    if rules.raising != "never":
        raising = _RAISE_ONLY_IT if rules.raising == "anyone" else _RAISE_NOTHING
    return {
        "R8.1": _LAY_NOTHING,
        "R8.2": (*declaring, *raising),
        "R8.3": _CAPTURE_ALWAYS,
        "R8.4": _KEEP_ITS_CARD,
        "R8.5": _ONE_PILE,
    }


_VALUES = (
    N_(
        "An ace is worth 1, the cards from two to ten their number. Jacks, queens and kings are"
        " courts: they have no value and go only with their own rank."
    ),
)
_TWO_PLAY = (N_("Two play, with one pack of 52 cards and no jokers."),)
_FOUR_PLAY = (
    N_(
        "Four play, two against two, with one pack of 52 cards and no jokers. Partners sit opposite"
        " each other."
    ),
)
_DEALER = (N_("Who deals first is drawn by lot. After every deal the next player deals."),)
_SHUFFLE = (N_("The dealer shuffles, and whoever will play first cuts."),)
_SIX_AT_ONCE = N_("Everybody gets six cards at once, the dealer last.")
_THREE_AND_THREE = N_("Everybody gets six cards, three and then three more, the dealer last.")
_LAYOUT = (N_("Then four cards are laid open on the table; the rest is the stock, face down."),)
_THREE_REFILLS = (
    N_(
        "When all hands are empty, everybody gets six more cards, three times in a deal. No cards"
        " are added to the table."
    ),
)
_ONE_REFILL = (
    N_(
        "When all hands are empty, everybody gets six more cards, once in a deal. No cards are"
        " added to the table."
    ),
)
_NOBODY_SHOWS = (N_("Nobody shows a card to anybody."),)
_PARTNERS_HIDE = (N_("Partners show each other no cards."),)
_SHOWING = (N_("Before the first play of a deal each player may show the partner one card."),)
_TURN = (
    N_(
        "The player after the dealer begins, and the turn goes round. Everybody plays exactly one"
        " card; nobody may pass."
    ),
)
_FOUR_WAYS = (N_("A card can be played in four ways."),)
_THREE_WAYS = (N_("A card can be played in three ways."),)
_LAY = (N_("Lay: it stays loose on the table."),)
_CAPTURE = (N_("Capture: it takes cards from the table, and you put them all by, face down."),)
_DECLARE = (N_("Declare: you put it together with table cards, as a pile to be taken later."),)
_RAISE = (N_("Raise: you add it to a plain declaration, which is then worth more."),)
_NUMERAL_TAKES = (
    N_(
        "A numeral takes loose cards of its value, groups of loose cards that add up to its value,"
        " and piles of its value, also together. Each card counts once, and what you do not take"
        " stays."
    ),
)
_PILES_WHOLE = (
    N_("A pile is taken whole, by a card of its value only."),
    N_("It is never part of a sum: a ten does not take a declared 8 and a loose 2."),
)
_NO_COURTS = (N_("Courts never go into a declaration."),)
_KEEP_A_CARD = (N_("To declare, you must keep a card of the declared value in your hand."),)
_KEEP_A_CARD_OF_YOUR_OWN = (
    *_KEEP_A_CARD,
    N_("Your partner's hand does not count."),
)
_PLAIN = (
    N_(
        "A plain declaration puts the played card together with loose cards, to a sum of at most"
        " 10."
    ),
)
_FAMILY = (
    N_(
        "A family is declared from several parts that each make its value: single cards, cards that"
        " add up, and piles of that value. The card played is in one of the parts."
    ),
)
_NO_JOINING = (N_("Only loose cards go into a declaration: nothing is added to a pile."),)
_SAY_WHICH = (
    N_(
        "Say what you declare, for the same cards can mean two things: 4 on 4 is a plain 8, or a"
        " family of fours."
    ),
)
_SAY_IT = (N_("Say what you declare, so that everybody knows the value."),)
_SIDE_BY_SIDE = (N_("Piles of the same value may lie side by side."),)
_MAY_JOIN = (N_("You may join them in a family, but you need not."),)
_OWNER = (
    N_(
        "A pile belongs to whoever declared it or changed it last; whoever owned it before is free"
        " of it."
    ),
)
_RAISING = (
    N_(
        "A plain declaration is raised with one card from the hand, to at most 10. A family is"
        " never raised."
    ),
)
_VALUE_STAYS = (N_("A pile keeps its value as long as it lies there."),)
_KEEP_FOR_RAISE = (N_("To raise, you must keep a card of the new value in your hand."),)
_RAISER_OWNS = (
    N_(
        "The pile stays plain and belongs to whoever raised it; whoever owned it before is free of"
        " it."
    ),
)
_LAY_NOTHING = (N_("While you own a pile, you may not simply lay a card."),)
_DECLARE_ONLY_WITH_IT = (N_("You may declare only a family that includes your pile."),)
_DECLARE_NO_MORE = (N_("You may not declare again while it lies there."),)
_RAISE_ONLY_IT = (N_("You may raise no other pile."),)
_RAISE_NOTHING = (N_("You may not raise anything."),)
_CAPTURE_ALWAYS = (N_("You may always capture: your pile, or other cards."),)
_KEEP_ITS_CARD = (
    N_("But keep a card for your pile: the last one that can take it does nothing else."),
)
_ONE_PILE = (
    N_("So nobody owns more than one pile, and no pile is left when the hands are empty."),
)
_FREE: Mapping[str, Templates] = {
    "R8.1": (N_("A declaration does not bind you: you may lay a card while you own it."),),
    "R8.2": (N_("You may declare again while it lies there, and own several piles."),),
    "R8.3": (N_("You may capture what you like: your pile, or other cards."),),
    "R8.4": (N_("Later you may spend the card for your pile on something else."),),
    "R8.5": (N_("So piles can still lie there when the hands are empty."),),
}
XERI = (
    N_("A capture that leaves the table empty is a xeri."),
    N_("Points for a xeri: {points}."),
)
_XERISTAKI = (
    N_("A capture that leaves one pile and no loose card is a xeristaki."),
    N_("Points for a xeristaki: {small}."),
)
_NO_XERISTAKI = (N_("A capture that leaves a single pile earns nothing by that."),)
_NO_XERI = (N_("Declaring and raising make no xeri: the cards still lie on the table."),)
_NO_XERI_BY_DECLARING = (N_("Declaring makes no xeri: the cards still lie on the table."),)
_LEFTOVERS = (
    N_(
        "What is left on the table at the end of a deal goes to the side that captured last; that"
        " is no xeri."
    ),
)
_FACE_DOWN = (
    N_("Captured cards lie face down until the deal is counted."),
    N_("Nobody looks through them before, not even through their own."),
)
_SCORE = (
    N_("More than 26 cards count 4 points, each ace 1, the ten of diamonds 2, the two of clubs 1."),
    N_("At 26 to 26 nobody gets the 4 points."),
)
_ADD_UP = (N_("The points of every deal are added up, from 0 on."),)
MATCH = (
    N_("Points that win the match: {target}."),
    N_(
        "A side that has reached them after a deal wins; if both have, the higher total; if they"
        " are equal, another deal is played."
    ),
)
