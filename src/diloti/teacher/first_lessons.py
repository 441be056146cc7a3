"""The first half of the course: taking cards, laying them, and declaring."""

from __future__ import annotations

from diloti.core.errors import N_
from diloti.teacher.steps import Lesson, Scene, Slip, Step

_VALUES = Lesson(
    "values",
    N_("What a card takes"),
    (
        Step(
            text=N_(
                "In each turn you play one card from your hand. It can take a card of the same"
                " value from the table."
            ),
            task=N_("Take the six that lies on the table."),
            hint=N_("You hold a six, too: choose it, then choose the one on the table."),
            praise=N_(
                "A card takes cards of its own value. Both go to your captures, which are counted"
                " at the end."
            ),
            rule="R5.1",
            scene=Scene("6h 2d Kc", "6d 3s Qh"),
            solutions=("6hx6d",),
            slips=(
                Slip(
                    "6h",
                    N_(
                        "That only lays your six beside the other one, where Eleni can take both."
                        " Choose the six on the table as well: then yours takes it."
                    ),
                ),
            ),
        ),
        Step(
            text=N_(
                "A card also takes several cards that add up to its value. Such cards are a group."
            ),
            task=N_("Take two cards at once."),
            hint=N_("Which two numbers on the table add up to a card in your hand?"),
            praise=N_(
                "Five and three make eight, so an eight takes both. A group may have more than two"
                " cards, too."
            ),
            rule="R5.1",
            scene=Scene("8h 9c Jd", "5s 3d Qc"),
            solutions=("8hx3d5s",),
            slips=(
                Slip(
                    "8h",
                    N_(
                        "That only lays the eight. Choose the cards that it is to take as well:"
                        " they have to make eight."
                    ),
                ),
            ),
        ),
        Step(
            text=N_(
                "An ace counts one, and the cards from two to ten count their number. These are"
                " the numerals."
            ),
            task=N_("Take an ace together with another card. Two of your cards can do it."),
            hint=N_("Add one to the six, or one to the nine."),
            praise=N_("An ace counts one: it makes seven with a six, and ten with a nine."),
            rule="R5.1",
            scene=Scene("7s Td Qh", "Ah 6c 9d Jd"),
            solutions=("7sxAh6c", "TdxAh9d"),
        ),
    ),
)

_GROUPS = Lesson(
    "groups",
    N_("Several at once"),
    (
        Step(
            text=N_("One card may take all that fits it: equal cards, and groups besides."),
            task=N_("Take everything that your six can take."),
            hint=N_("One card on the table equals it, and two others make six together."),
            praise=N_(
                "One capture may take equal cards and groups together. What you do not choose"
                " stays on the table."
            ),
            rule="R5.1",
            scene=Scene("6h 9s Jc", "6d 2c 4s Qd"),
            solutions=("6hx2c4s6d",),
            slips=(
                Slip(
                    "6hx6d",
                    N_(
                        "This takes only the six. Two and four make six as well: take them with it."
                    ),
                ),
                Slip(
                    "6hx2c4s",
                    N_("This takes only the two and the four. The six on the table fits as well."),
                ),
            ),
        ),
        Step(
            text=N_(
                "A capture may even take several groups. Each card on the table belongs to one of"
                " them only."
            ),
            task=N_("Take five cards with your eight."),
            hint=N_("Look for another eight, and for two pairs that make eight."),
            praise=N_(
                "Five cards with one. Taking many cards pays: whoever has more than half of the"
                " pack gets points for that."
            ),
            rule="R5.1",
            scene=Scene("8h Jd Qs", "5s 3d 8c Ah 7d Kc"),
            solutions=("8hxAh3d5s7d8c",),
            slips=(
                Slip(
                    "8hx8c",
                    N_(
                        "This takes only the other eight. There are two pairs that make eight:"
                        " take them, too."
                    ),
                ),
                Slip(
                    "8hx(3d5s|Ah7d)",
                    N_(
                        "This takes only one group. Take everything that your eight can take,"
                        " five cards in all."
                    ),
                ),
                Slip(
                    "8hx.*",
                    N_("Good, but something that your eight could take is still lying there."),
                ),
            ),
            elsewhere=N_(
                "In the taverna game a capture takes only one group; equal cards come on top."
            ),
        ),
    ),
)

_COURTS = Lesson(
    "courts",
    N_("Jacks, queens and kings"),
    (
        Step(
            text=N_(
                "Jacks, queens and kings are courts and have no number. A court takes only a court"
                " of its own rank."
            ),
            task=N_("Take a card with your jack."),
            hint=N_("A jack is not eleven: five and six are nothing to it."),
            praise=N_(
                "A jack takes a jack, a queen a queen, a king a king, and nothing else. While one"
                " lies there you may not lay its equal beside it."
            ),
            rule="R5.7",
            scene=Scene("Js 3s Kc", "5c 6d Jh Qd"),
            solutions=("JsxJh",),
        ),
        Step(
            text=N_("Now there are two jacks. A court takes exactly one; you choose which."),
            task=N_("Take one of the jacks."),
            hint=N_("Choose a single one; either will do."),
            praise=N_("One court takes one court. The other jack waits for the next one."),
            rule="R5.7",
            scene=Scene("Js 8d Kh", "Jh Jd 5c"),
            solutions=("JsxJh", "JsxJd"),
            elsewhere=N_("In the taverna game a court takes all courts of its rank at once."),
        ),
    ),
)

_LAYING = Lesson(
    "laying",
    N_("Laying a card"),
    (
        Step(
            text=N_(
                "Where you cannot take anything, or do not want to, you lay a card on the table."
                " From then on anybody may take it."
            ),
            task=N_(
                "You can take nothing now. Lay the card that makes no sum with what lies there."
            ),
            hint=N_("Which of your cards has no number?"),
            praise=N_(
                "A card that you lay may be taken, so lay what is hard to take: only a jack takes"
                " your jack."
            ),
            rule="R4.1",
            scene=Scene("Js 4h 2s", "5c 6d Kd"),
            solutions=("Js",),
            slips=(
                Slip(
                    "4h",
                    N_(
                        "With your four, Eleni can take nine or ten in a group. A court makes no"
                        " sum: lay that."
                    ),
                ),
                Slip(
                    "2s",
                    N_(
                        "With your two, Eleni can take seven or eight in a group. A court makes no"
                        " sum: lay that."
                    ),
                ),
            ),
        ),
    ),
)

_DECLARING = Lesson(
    "declaring",
    N_("Declaring"),
    (
        Step(
            text=N_(
                "You can put your card on a card of the table as a pile, and declare what they make"
                " together. Then only a card of that value can take them."
            ),
            task=N_("Put your three on the five and declare eight."),
            hint=N_("Choose one card of your hand and one of the table that make eight together."),
            praise=N_(
                "Three and five are a pile of eight now, and your eight can take it in your next"
                " turn. Because it is a single sum it is called plain."
            ),
            rule="R6.3",
            scene=Scene("3c 8d Qs", "5h Kd", other="Tc"),
            solutions=("3c+5h=8",),
            reply="Tc",
            slips=(
                Slip(
                    "..",
                    N_("That only lays a card. Choose your three, and the five on the table too."),
                ),
            ),
        ),
        Step(
            text=N_("Eleni had no eight, and has laid a ten. Your pile is still there."),
            task=N_("Take your pile."),
            hint=N_(
                "Which of your cards is worth as much as the pile? Where plays are listed, a pile"
                " stands in brackets."
            ),
            praise=N_(
                "A pile is taken whole, by a card of exactly its value. It is never part of a sum."
            ),
            rule="R5.3",
            solutions=("8dx[3c5h]",),
        ),
        Step(
            text=N_("You may only declare a value of which you keep a card in your hand."),
            task=N_("Declare something that you can take later. There are two ways."),
            hint=N_("Which card could take your pile later? Make its number with another one."),
            praise=N_(
                "You have declared seven and keep a seven. Without that card it would not be"
                " allowed."
            ),
            rule="R6.2",
            scene=Scene("3c 2s 7h", "5h 4d Qc"),
            solutions=("3c+4d=7", "2s+5h=7"),
        ),
    ),
)

_FAMILIES = Lesson(
    "families",
    N_("Families"),
    (
        Step(
            text=N_(
                "The same cards can mean two things. A four on a four is the sum eight, or simply"
                " two fours."
            ),
            task=N_("Put a four on the four and declare eight."),
            hint=N_(
                "Choose one of your fours and the four on the table, then read what each play"
                " declares."
            ),
            praise=N_("Four and four are a plain eight here, and you keep an eight to take it."),
            rule="R6.5",
            scene=Scene("4c 4d 8s", "4h Jd Qc"),
            solutions=("4c+4h=8", "4d+4h=8"),
            slips=(
                Slip(
                    r"4.\+4h=4",
                    N_("Those are two fours, which only a four takes. This time declare eight."),
                ),
                Slip(
                    "4.x4h",
                    N_("That takes the four at once. Put yours on it and declare eight instead."),
                ),
            ),
        ),
        Step(
            text=N_(
                "A pile of several parts of equal value is a family. Two fours are a family of"
                " fours."
            ),
            task=N_("The same cards again: now make a family of fours."),
            hint=N_("You hold two fours: one for the family, and one that takes it later."),
            praise=N_(
                "A family has two parts or more, and each makes its value. For a family, too, you"
                " keep a card that takes it."
            ),
            rule="R6.4",
            scene=Scene("4c 4d 8s", "4h Jd Qc"),
            solutions=("4c+4h=4", "4d+4h=4"),
            slips=(
                Slip(
                    r"4.\+4h=8",
                    N_("That is the sum, a plain eight. This time each four is to be a part."),
                ),
                Slip(
                    "4.x4h",
                    N_("That takes the four at once. Put yours on it as a family instead."),
                ),
            ),
        ),
        Step(
            text=N_(
                "A part of a family may also be a sum. Five and three can be one part, and an eight"
                " another."
            ),
            task=N_("Make a family of eights with one of your eights."),
            hint=N_("Choose an eight, and with it both cards that make eight."),
            praise=N_(
                "Five and three are one part, your eight is the other. Your second eight can take"
                " all of it."
            ),
            rule="R6.4",
            scene=Scene("8h 8c Kd", "5s 3d Qh"),
            solutions=("8h+3d5s=8", "8c+3d5s=8"),
            slips=(
                Slip(
                    "8.x3d5s",
                    N_(
                        "That takes five and three at once. Lay your eight beside them as a family:"
                        " the other eight takes all of it later."
                    ),
                ),
            ),
        ),
    ),
)

FIRST_LESSONS = (_VALUES, _GROUPS, _COURTS, _LAYING, _DECLARING, _FAMILIES)
