"""One sentence for each reason why a play is not allowed."""

from __future__ import annotations

from collections.abc import Mapping

from diloti.core.errors import N_
from diloti.core.legality import Refusal

REFUSALS: Mapping[Refusal, str] = {
    Refusal.DEAL_OVER: N_("The deal is over: nobody plays now."),
    Refusal.NOT_IN_HAND: N_("{card} is not in your hand."),
    Refusal.NOT_LOOSE: N_("Not all of these cards lie loose on the table: {cards}."),
    Refusal.NO_SUCH_PILE: N_("There is no such pile on the table."),
    Refusal.TRAIL_WHILE_OWNING: N_(
        "Your declaration of {own} is still on the table: until it is gone you may not simply lay"
        " a card."
    ),
    Refusal.TRAIL_BESIDE_COURT: N_(
        "A court of the same rank lies on the table: {card} may not be laid beside it."
    ),
    Refusal.TRAIL_WHEN_FORCED: N_(
        "{card} can capture something, and at this table it must not be laid then."
    ),
    Refusal.CAPTURE_OF_NOTHING: N_("A capture takes at least one card from the table."),
    Refusal.NUMERAL_ON_COURT: N_("{card} is a numeral and cannot take courts."),
    Refusal.SUMS_MISS: N_(
        "{cards} cannot be split into cards of value {value} and groups that add up to {value}."
    ),
    Refusal.PILE_OF_OTHER_VALUE: N_("Only a card of its own value takes a pile: {card} does not."),
    Refusal.NOT_ALL_EQUAL: N_(
        "At this table {card} takes all loose cards of its own value or none of them."
    ),
    Refusal.MORE_THAN_ONE_GROUP: N_(
        "At this table a capture takes only one group of cards that add up."
    ),
    Refusal.COURT_ON_OTHERS: N_("{card} takes only loose cards of its own rank."),
    Refusal.COURT_TAKES_ONE: N_("{card} takes exactly one card of its rank."),
    Refusal.COURT_TAKES_ALL: N_("At this table {card} takes all cards of its rank at once."),
    Refusal.COURT_TAKES_ONE_OR_THREE: N_(
        "At this table {card} takes one card of its rank, or all where three lie there."
    ),
    Refusal.LAST_CARD_FOR_PILE: N_(
        "{card} is your last card for your declaration of {own}: it can only take that pile."
    ),
    Refusal.DECLARE_WITH_COURT: N_("{card} is a court: courts are never declared."),
    Refusal.DECLARE_ON_COURT: N_("Courts never go into a declaration."),
    Refusal.DECLARE_TOO_HIGH: N_("A declaration is worth 1 to 10, not {declared}."),
    Refusal.DECLARE_ON_NOTHING: N_("A declaration needs at least one card from the table."),
    Refusal.DECLARE_SUMS_MISS: N_("These cards do not make a declaration of {declared}."),
    Refusal.DECLARE_ON_OTHER_PILE: N_("Only piles of value {declared} can join this declaration."),
    Refusal.DECLARE_FAMILY_OFF: N_("At this table there are no families, only plain declarations."),
    Refusal.DECLARE_WITHOUT_CARD: N_(
        "To declare {declared} you must keep a card of {declared} in your hand."
    ),
    Refusal.DECLARE_WHILE_OWNING: N_(
        "Your declaration of {own} is still on the table: you may only declare a family that"
        " includes it."
    ),
    Refusal.RAISE_WITH_COURT: N_("{card} is a court and cannot raise a pile."),
    Refusal.RAISE_OF_FAMILY: N_("A family cannot be raised."),
    Refusal.RAISE_TOO_HIGH: N_("No pile is worth more than 10, and this would be {together}."),
    Refusal.RAISE_SUM_WRONG: N_("{card} raises this pile of {pile} to {together}, not {declared}."),
    Refusal.RAISE_OF_MANY: N_("A raise adds one card from the hand to one pile, and nothing else."),
    Refusal.RAISE_WITHOUT_CARD: N_(
        "To raise to {declared} you must keep a card of {declared} in your hand."
    ),
    Refusal.RAISE_OFF: N_("At this table declarations cannot be raised."),
    Refusal.RAISE_OF_OWN: N_("You may not raise your own declaration."),
    Refusal.RAISE_OF_PARTNER: N_("Only declarations of the other side can be raised."),
    Refusal.RAISE_WHILE_OWNING: N_(
        "Your declaration of {own} is still on the table: you may not raise another one."
    ),
    Refusal.SHOW_OFF: N_("At this table partners show each other no cards."),
    Refusal.SHOW_TOO_LATE: N_("A card can be shown only before the first play of the deal."),
    Refusal.SHOW_NOT_IN_HAND: N_("{card} is not in that hand."),
    Refusal.SHOW_TWICE: N_("Only one card may be shown, and one has been."),
}
"""English; the catalogues have the other languages."""
