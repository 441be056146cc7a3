"""The words of the game (R1), each with the Greek word that players meet everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from diloti.core.errors import N_
from diloti.core.rules import Rules
from diloti.words.language import Words


@dataclass(frozen=True)
class Entry:
    """A word, the Greek one, and what it means in one sentence."""

    name: str
    word: str
    greek: str
    meaning: str


def glossary_for(words: Words, rules: Rules) -> list[Entry]:
    """The glossary in a language; without what a rule set does not have."""
    missing = set()
    if not rules.xeristaki_points:
        missing.add("xeristaki")
    if not rules.families:
        missing.add("family")
    if rules.raising == "never":
        missing.add("raise")
    return [
        Entry(entry.name, words.say(entry.word), entry.greek, words.say(entry.meaning))
        for entry in GLOSSARY
        if entry.name not in missing
    ]


GLOSSARY: tuple[Entry, ...] = (
    Entry(
        "match",
        N_("a match"),
        "παρτίδα",
        N_("Deals played one after another, until a side has the points that win."),
    ),
    Entry("deal", N_("a deal"), "χαρτωσιά", N_("The pack played through once.")),
    Entry(
        "hand",
        N_("a hand"),
        "χέρι",
        N_("The six cards that a player holds; when they are played, new ones are dealt."),
    ),
    Entry(
        "side",
        N_("a side"),
        "πλευρά",
        N_("A player, or two partners, who collect their points together."),
    ),
    Entry("stock", N_("the stock"), "τράπουλα", N_("The cards that have not been dealt yet.")),
    Entry(
        "numeral",
        N_("a numeral"),
        "νούμερο",
        N_("An ace, worth 1, or a card from two to ten, worth its number."),
    ),
    Entry(
        "court",
        N_("a court"),
        "φιγούρα",
        N_("A jack, queen or king: it has no value and goes only with its own rank."),
    ),
    Entry(
        "loose",
        N_("a loose card"),
        "ελεύθερο φύλλο",
        N_("A card on the table that is in no pile."),
    ),
    Entry("lay", N_("to lay"), "ρίχνω", N_("To put a card on the table, where it stays loose.")),
    Entry(
        "capture",
        N_("to capture"),
        "μαζεύω",
        N_("To take cards from the table with a card of the hand."),
    ),
    Entry(
        "group",
        N_("a group"),
        "άθροισμα",
        N_("Loose cards that add up to the value of the card that takes them."),
    ),
    Entry(
        "declare",
        N_("to declare"),
        "δηλώνω",
        N_("To put a card together with table cards, so that only a card of one value takes them."),
    ),
    Entry(
        "pile",
        N_("a pile"),
        "δήλωση",
        N_("Declared cards, with a value and an owner."),
    ),
    Entry(
        "plain",
        N_("a plain declaration"),
        "απλή δήλωση",
        N_("A pile that is one sum, as 3 + 5 for an eight."),
    ),
    Entry(
        "family",
        N_("a family"),
        "σόι",
        N_("A pile of several parts of one value, as 8 and 3 + 5 for eights."),
    ),
    Entry(
        "raise",
        N_("to raise"),
        "ανεβάζω",
        N_("To add a card to a plain declaration, which is then worth more."),
    ),
    Entry("xeri", N_("a xeri"), "ξερή", N_("A capture that leaves the table empty.")),
    Entry(
        "xeristaki",
        N_("a xeristaki"),
        "ξεριστάκι",
        N_("A capture that leaves one pile on the table and no loose card."),
    ),
    Entry(
        "ten",
        N_("the ten of diamonds"),
        "το καλό δέκα",
        N_("“The good ten”: the only card that is worth 2 points."),
    ),
    Entry(
        "two",
        N_("the two of clubs"),
        "το καλό δύο",
        N_("“The good two”: worth 1 point, as every ace is."),
    ),
)
"""In the order in which one meets them."""
