"""The second half of the course: piles of others and one's own, xeri, and what counts."""

from __future__ import annotations

from diloti.core.errors import N_
from diloti.teacher.steps import Answer, Lesson, Question, Scene, Slip, Step

_RAISING = Lesson(
    "raising",
    N_("Raising"),
    (
        Step(
            text=N_(
                "This pile of five belongs to Eleni. Put one card of your hand on her plain pile:"
                " then it is worth more, and it is yours."
            ),
            task=N_("Raise her pile to nine."),
            hint=N_("Five and which of your cards make nine?"),
            praise=N_(
                "The pile is a nine now and belongs to you; you keep a nine for it. No pile can be"
                " raised above ten."
            ),
            rule="R7.1",
            scene=Scene("4s 9d Jc", "Qd", ((1, 5, "3c2d"),), other="5h"),
            solutions=("4s^[2d3c]=9",),
            elsewhere=N_("In the taverna game you may raise any plain pile, even your own."),
        ),
        Step(
            text=N_(
                "Now Eleni has a family of fives. Nobody can raise a family, but a card of its"
                " value takes it."
            ),
            task=N_("Take her family."),
            hint=N_("What is each of its parts worth?"),
            praise=N_(
                "A family is never raised. It belongs to the one who declared it, but anybody who"
                " holds the card may take it."
            ),
            rule="R7.1",
            scene=Scene("4s 9d 5h", "Qd", ((1, 5, "5c,3c2d"),), other="5d"),
            solutions=("5hx[2d3c5c]",),
        ),
    ),
)

_JOINING = Lesson(
    "joining",
    N_("A pile that grows"),
    (
        Step(
            text=N_(
                "This pile of eight is yours. What makes eight as well can join it: then the pile"
                " is a family."
            ),
            task=N_("Let the pile grow with the help of your two."),
            hint=N_("What does the two make eight with? Choose that card and the pile, too."),
            praise=N_(
                "Now it is a family of four cards, which nobody can raise. And you still hold both"
                " eights."
            ),
            rule="R6.4",
            scene=Scene("8c 8h 2d", "6s Kh", ((0, 8, "5s3d"),), other="Qs"),
            solutions=("2d+6s[3d5s]=8",),
            reply="Qs",
            slips=(
                Slip(
                    r"8.x\[3d5s\]",
                    N_("That takes the pile already. Let it grow first: use your two."),
                ),
                Slip(
                    r"8.\+\[3d5s\]=8",
                    N_("That lets it grow, but costs you an eight. The small two can do it, too."),
                ),
            ),
        ),
        Step(
            text=N_("Eleni could not take your family, and has laid a queen."),
            task=N_("Take the family."),
            hint=N_("Any card of its value takes all of it."),
            praise=N_("Five cards in one capture, your eight included. Declaring takes patience."),
            rule="R5.3",
            solutions=("8cx[2d3d5s6s]", "8hx[2d3d5s6s]"),
            slips=(
                Slip(
                    r"8.\+.*",
                    N_(
                        "You may add an eight, but then Eleni takes everything if she gets one."
                        " Take the family now."
                    ),
                ),
            ),
        ),
        Step(
            text=N_(
                "A pile of Eleni's can be joined just as well. Then she is free of it, and the"
                " family belongs to you."
            ),
            task=N_("Make her pile of eight your family."),
            hint=N_("An eight can join it, and so can two cards that make eight."),
            praise=N_(
                "The family is yours now, and Eleni is free. Whoever changes a pile last owns it."
            ),
            rule="R6.8",
            scene=Scene("8c 8h 2d", "6s Kh", ((1, 8, "5s3d"),), other="8d"),
            solutions=("2d+6s[3d5s]=8", "8c+[3d5s]=8", "8h+[3d5s]=8"),
            slips=(
                Slip(
                    r"8.x\[3d5s\]",
                    N_("That takes her pile, and is a good play. This time make it yours instead."),
                ),
                Slip(
                    r"2d\+6s=8",
                    N_("That is a pile of your own beside hers. Let hers be a part of it."),
                ),
            ),
        ),
    ),
)

_OWNING = Lesson(
    "owning",
    N_("What a pile asks of its owner"),
    (
        Step(
            text=N_(
                "While you own a pile you may not lay a card, and you must keep one that takes it."
                " But you may take other cards meanwhile."
            ),
            task=N_("Take something else, and leave your pile for later."),
            hint=N_("Your eight has to wait for the pile. What can your nine do?"),
            praise=N_("You have captured, and your eight still waits for your pile."),
            rule="R8.3",
            scene=Scene("8c 2d 9h", "6s 8d 9s", ((0, 8, "5s3d"),), other="Qh"),
            solutions=("9hx9s",),
            reply="Qh",
            slips=(
                Slip(
                    "8cx.*",
                    N_("That takes your pile, which is allowed. This time let it wait."),
                ),
                Slip(
                    r"2d\+.*",
                    N_("That lets your pile grow, which is allowed. This time take other cards."),
                ),
            ),
        ),
        Step(
            text=N_(
                "Your eight is the last card for your pile, so it may not be spent without taking"
                " it. But it may take more at the same time."
            ),
            task=N_("Take your pile, and whatever else an eight can take."),
            hint=N_("Besides the pile, one loose card fits your eight."),
            praise=N_("Pile and loose eight in one capture, and you are free again."),
            rule="R8.4",
            solutions=("8cx8d[3d5s]",),
            slips=(
                Slip(
                    r"8cx\[3d5s\]",
                    N_("That takes only the pile. The loose eight could go with it."),
                ),
                Slip(
                    r"2d\+.*",
                    N_("That lets your pile grow, which is allowed. Now it is time to take it."),
                ),
            ),
            elsewhere=N_("In the taverna game a pile asks nothing more of its owner."),
        ),
    ),
)

_XERI = Lesson(
    "xeri",
    N_("The xeri"),
    (
        Step(
            text=N_(
                "A capture that leaves the table empty is a xeri, worth ten points. That is a lot:"
                " all the cards of a deal together are worth eleven."
            ),
            task=N_("Make a xeri."),
            hint=N_("One of your cards takes both cards that lie there."),
            praise=N_("The table is empty: that is a xeri, and ten points for you."),
            rule="R9.1",
            scene=Scene("8h 4c Jd", "5s 3d"),
            solutions=("8hx3d5s",),
        ),
        Step(
            text=N_("For a xeri nothing may be left: no loose card, and no pile."),
            task=N_("Make a xeri."),
            hint=N_("Your six can take more than its equal."),
            praise=N_(
                "All of it with one card: a xeri. Only the very first play of a deal never counts"
                " as one."
            ),
            rule="R9.2",
            scene=Scene("6h 9c Qd", "6d 2c 4s"),
            solutions=("6hx2c4s6d",),
            slips=(
                Slip(
                    "6hx6d",
                    N_("The two and the four are left, so this is no xeri. They make six, too."),
                ),
                Slip(
                    "6hx2c4s",
                    N_("The six on the table is left, so this is no xeri. Take it as well."),
                ),
            ),
            elsewhere=N_(
                "In the taverna game the first play can be a xeri, but the last play of a deal"
                " cannot."
            ),
        ),
        Step(
            text=N_(
                "On an empty table, Eleni makes a xeri if she holds the equal of the card that you"
                " lay. Three kings have been captured already."
            ),
            task=N_("Lay the card that she cannot take."),
            hint=N_("Of which rank is no other card left?"),
            praise=N_(
                "Nobody else has a king, so there is no xeri. It helps to remember what has been"
                " played."
            ),
            rule="R9.1",
            scene=Scene("7c 5d Kh", gone="Kc Kd Ks"),
            solutions=("Kh",),
            slips=(
                Slip(
                    "..",
                    N_("Eleni may hold its equal, and that would be a xeri for her."),
                ),
            ),
        ),
    ),
)

_EXCHANGE = Lesson(
    "exchange",
    N_("A few turns against Eleni"),
    (
        Step(
            text=N_("Now a few turns in a row, and Eleni answers each of them."),
            task=N_("Declare eight with your three."),
            hint=N_("What on the table makes eight with it?"),
            praise=N_("You own a pile of eight. Let us see what Eleni does about it."),
            rule="R6.8",
            scene=Scene("3d 8c 9h 4s", "5s", other="Ah 9d 4h Kc"),
            solutions=("3d+5s=8",),
            reply="Ah^[3d5s]=9",
            slips=(
                Slip(
                    r"4s\+5s=9",
                    N_("Nine is possible, too. But you will need the four: use your three."),
                ),
            ),
        ),
        Step(
            text=N_(
                "Eleni has put her ace on your pile and raised it to nine. It is hers now, and you"
                " are free of it."
            ),
            task=N_("Take the pile before she does."),
            hint=N_("Which of your cards is worth as much as the pile now?"),
            praise=N_(
                "Whoever raises a pile owns it, but you had the card that takes it. The table is"
                " empty: a xeri."
            ),
            rule="R7.4",
            solutions=("9hx[Ah3d5s]",),
            reply="4h",
            slips=(
                Slip("..", N_("Then Eleni takes the pile. One of your cards can take it now.")),
            ),
        ),
        Step(
            text=N_("Eleni had to lay a card on the empty table."),
            task=N_("Make another xeri."),
            hint=N_("You hold the equal of the only card that lies there."),
            praise=N_("Two xeri in three turns, twenty points."),
            rule="R9.1",
            solutions=("4sx4h",),
            slips=(
                Slip(
                    r"4s\+4h=8",
                    N_("Declaring leaves a pile on the table, so it is no xeri. Take the four."),
                ),
                Slip("..", N_("Then two cards lie there, and nothing is taken. Look again.")),
            ),
        ),
    ),
)

_COUNTING = Lesson(
    "counting",
    N_("What counts"),
    (
        Step(
            text=N_(
                "Some cards are worth points: the ten of diamonds two, the two of clubs one, and"
                " each ace one."
            ),
            task=N_("Make the capture that is worth points."),
            hint=N_("The most valuable card of the pack lies on the table."),
            praise=N_("The ten of diamonds is the most valuable card of the pack: two points."),
            rule="R11",
            scene=Scene("Ts 9h Qs", "Td 9c Kc"),
            solutions=("TsxTd",),
            slips=(
                Slip(
                    "9hx9c",
                    N_("That takes a nine, which is worth no points by itself. Look again."),
                ),
            ),
        ),
        Question(
            text=N_(
                "At the end of a deal there are 4 points for more than 26 cards, 1 for each ace, 2"
                " for the ten of diamonds, 1 for the two of clubs and 10 for each xeri."
            ),
            task=N_(
                "You have 28 cards, among them two aces and the ten of diamonds but not the two of"
                " clubs, and you made one xeri. How many points is that?"
            ),
            hint=N_("Begin with the xeri, and do not forget the 28 cards."),
            rule="R11",
            answers=(
                Answer("8", N_("That leaves out the xeri, which is worth ten points.")),
                Answer("14", N_("That leaves out the cards: 28 are more than 26.")),
                Answer(
                    "18",
                    N_(
                        "Four for the cards, two for the aces, two for the ten of diamonds and ten"
                        " for the xeri: eighteen."
                    ),
                    is_right=True,
                ),
                Answer("19", N_("The two of clubs is not yours, so its point is not either.")),
            ),
            cards="Ac Ah Td",
        ),
        Step(
            text=N_(
                "After the last play of a deal, all that is left on the table goes to whoever"
                " captured last. So far that was Eleni."
            ),
            task=N_("This is the last card of the deal. See to it that the rest is yours."),
            hint=N_("It is enough to capture anything at all."),
            praise=N_(
                "You captured last, so the rest goes to you as well. It counts as cards, but never"
                " as a xeri."
            ),
            rule="R10.1",
            scene=Scene("7c", "7d Kd 2h", is_last_play=True),
            solutions=("7cx7d",),
            slips=(
                Slip(
                    "7c",
                    N_("Then Eleni was the last to capture, and everything goes to her."),
                ),
            ),
        ),
        Question(
            text=N_(
                "Deal follows deal until somebody has 61 points at the end of one. If both have"
                " them, the higher total wins."
            ),
            task=N_("After a deal you have 64 points and Eleni has 63. Who has won?"),
            hint=N_("Both of you have reached 61."),
            rule="R12.2",
            answers=(
                Answer(
                    N_("I have"),
                    N_("64 is more than 63. At 65 to 65 you would play one more deal."),
                    is_right=True,
                ),
                Answer(N_("Eleni has"), N_("She has reached 61, but you have more points.")),
                Answer(N_("Nobody yet"), N_("You would play on only if you had equally many.")),
            ),
        ),
    ),
)

LATER_LESSONS = (_RAISING, _JOINING, _OWNING, _XERI, _EXCHANGE, _COUNTING)
