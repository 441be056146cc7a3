"""The last hand solved exactly: two players, both hands known, no stock.

The search is alpha-beta with null windows. It counts points to come, of the side in turn minus the
other's, so that positions reached with different points share what is known about them
(`diloti.bots.transpositions`). Of plays that differ only by equal cards one is searched
(`diloti.bots.distinct`).

The kernels work in arrays that the caller provides (`diloti.bots.endgame.Room`): `stack`, a row for
the position and one for each play made ahead; `plays`, the lists of plays of those positions one
after the other; `work`, a workspace that suits a table with all the loose cards and hands; `table`,
the transposition table; `report`, what was asked and found, by the places below.
"""

from __future__ import annotations

from diloti.bots.distinct import TOO_MANY, list_each_once, put_play
from diloti.bots.prospects import (
    CARD,
    KIND,
    PROMISE,
    TAKEN_LOOSE,
    TAKEN_PILES,
    VALUE,
    bounds_of,
    dead_courts,
    is_plain_last_play,
    points_of_last_play,
    promise_of,
)
from diloti.bots.transpositions import (
    MOST_POINTS,
    NO_PLACE,
    key_of,
    least_of,
    most_of,
    pack_bounds,
    place_of_best,
    slot_of,
    stamp_of,
)
from diloti.core.cards import rank_of
from diloti.core.effects import apply_play
from diloti.core.jit import Ints, kernel, lowest, popcount, spliced_kernel
from diloti.core.plays import CAPTURE, TRAIL
from diloti.core.position import HANDS, LOOSE, NOBODY, ORDER, TURN
from diloti.core.scoring import points_of
from diloti.core.shapes import can_take
from diloti.core.tallies import suits

NODES, NODE_LIMIT, STATUS, GENERATION, STAMP, BEST = range(6)
"""Places of a report: positions searched so far and how many may be; whether it came to an end; a
number that the caller changes to have everything in the table forgotten; the stamp of its keys; the
row of the best play."""
REPORT_SIZE = 6

SOLVED, STOPPED, TOO_LARGE = range(3)
"""What the status says: the answer is exact; the limit of positions was reached; there are too
many plays or sums for the arrays. Without `SOLVED` there is no answer."""

(
    FIRST,
    FOUND,
    TRIED,
    ROW,
    GAIN,
    BEST_ROW,
    ALPHA,
    BETA,
    CEILING,
    LEAST,
    MOST,
    KEY,
    ANSWER,
) = range(ORDER, ORDER + 13)
"""What the search notes behind each position of the stack: the rows of its plays, how many were
tried, which is being tried and what it brings; the best; the window asked for, and its upper end
for the play being tried; what bounds are known; the key; the best so far and finally the answer."""
STACK_COLUMNS = ORDER + 13

FIRST_OF_ALL = 1 << 40
"""No promise is so high."""


@kernel
def lead_of(rules: Ints, state: Ints, seat: int) -> int:
    """How many points `seat` has more than the other for what has been captured (R11)."""
    return points_of(rules, state, seat) - points_of(rules, state, 1 - seat)


@kernel
def most_promising(plays: Ints, first: int, after: int) -> int:
    """The row with the highest promise, from row `first` up to row `after`, exclusive."""
    best = first
    for row in range(first + 1, after):
        if plays[row, PROMISE] > plays[best, PROMISE]:
            best = row
    return best


@spliced_kernel
def list_promising(
    rules: Ints, state: Ints, work: Ints, plays: Ints, first: int, alike: int
) -> int:
    """`list_each_once` with a promise for each play."""
    hand = state[HANDS + state[TURN]]
    if hand & (hand - 1) == 0 and not can_take(state, rank_of(lowest(hand))):
        # The last card can declare and raise nothing (R6.2, R7.2), and some play is legal (R3.2).
        put_play(plays, first, TRAIL, lowest(hand), 0, 0, 0)
        found = 1
    else:
        found = list_each_once(rules, state, work, plays, first, alike)
    if found == 1:
        plays[first, PROMISE] = 0
        return found
    for row in range(first, first + found):
        plays[row, PROMISE] = promise_of(rules, state, plays, row)
    return found


@kernel
def play_ahead(rules: Ints, stack: Ints, ply: int, plays: Ints, row: int) -> int:
    """Make the play of a row on a copy one row up the stack; the points it brings its side."""
    state, after = stack[ply], stack[ply + 1]
    for place in range(ORDER):
        after[place] = state[place]
    seat, kind = state[TURN], plays[row, KIND]
    card, loose, piles = plays[row, CARD], plays[row, TAKEN_LOOSE], plays[row, TAKEN_PILES]
    apply_play(rules, after, kind, card, loose, piles, plays[row, VALUE])
    if kind != CAPTURE and after[TURN] != NOBODY:
        return 0
    return lead_of(rules, after, seat) - lead_of(rules, state, seat)


@kernel
def ask(frame: Ints, first: int, alpha: int, beta: int) -> None:
    """Ask for the points to come in a position, as `search` does."""
    frame[FIRST] = first
    frame[ALPHA] = alpha
    frame[BETA] = beta


@kernel
def answers(frame: Ints, least: int, most: int) -> bool:
    """Whether bounds of the points to come say all that was asked for; then it is the answer."""
    if most <= frame[ALPHA] or least == most:
        frame[ANSWER] = most
        return True
    if least >= frame[BETA]:
        frame[ANSWER] = least
        return True
    return False


@spliced_kernel
def enter(
    rules: Ints, stack: Ints, ply: int, plays: Ints, work: Ints, table: Ints, report: Ints
) -> bool:
    """Answer for a position without playing on, if possible; otherwise list its plays."""
    frame = stack[ply]
    if frame[TURN] == NOBODY:
        frame[ANSWER] = 0
        return True
    if report[NODES] == report[NODE_LIMIT]:
        report[STATUS] = STOPPED
        return True
    report[NODES] += 1
    if is_plain_last_play(rules, frame):
        frame[ANSWER] = points_of_last_play(rules, frame, work)
        return True
    least, most = bounds_of(rules, frame)
    if answers(frame, least, most):
        return True
    dead = dead_courts(frame[HANDS] | frame[HANDS + 1], frame[LOOSE])
    key = key_of(rules, frame, dead, report[STAMP])
    slot = slot_of(table, key)
    hint = NO_PLACE
    if table[slot] == key:
        entry = table[slot + 1]
        least, most = max(least, least_of(entry)), min(most, most_of(entry))
        if answers(frame, least, most):
            return True
        hint = place_of_best(entry)
    found = list_promising(rules, frame, work, plays, frame[FIRST], dead)
    if found == TOO_MANY:
        report[STATUS] = TOO_LARGE
        return True
    if hint < found:
        plays[frame[FIRST] + hint, PROMISE] = FIRST_OF_ALL
    frame[KEY], frame[LEAST], frame[MOST] = key, least, most
    frame[ALPHA], frame[BETA] = max(frame[ALPHA], least), min(frame[BETA], most)
    frame[FOUND], frame[TRIED] = found, 0
    frame[ANSWER], frame[BEST_ROW] = -MOST_POINTS, frame[FIRST] + NO_PLACE
    return False


@spliced_kernel
def try_next(rules: Ints, stack: Ints, ply: int, plays: Ints) -> None:
    """Make the most promising play not tried yet, and ask what comes of it.

    Of all but the first a null window only asks whether they are better than the best so far.
    """
    frame = stack[ply]
    after = frame[FIRST] + frame[FOUND]
    row = most_promising(plays, frame[FIRST], after)
    plays[row, PROMISE] = -FIRST_OF_ALL
    gain = play_ahead(rules, stack, ply, plays, row)
    floor = max(frame[ALPHA], frame[ANSWER])
    frame[ROW], frame[GAIN] = row, gain
    frame[CEILING] = floor + 1 if frame[TRIED] else frame[BETA]
    ask(stack[ply + 1], after, gain - frame[CEILING], gain - floor)


@kernel
def absorb(stack: Ints, ply: int) -> bool:
    """Take what came of the play just tried; whether that has to be asked again more widely."""
    frame = stack[ply]
    gain = frame[GAIN]
    points = gain - stack[ply + 1, ANSWER]
    if frame[CEILING] <= points < frame[BETA]:
        frame[CEILING] = frame[BETA]
        ask(stack[ply + 1], frame[FIRST] + frame[FOUND], gain - frame[BETA], gain - points)
        return True
    frame[TRIED] += 1
    if points > frame[ANSWER]:
        frame[ANSWER], frame[BEST_ROW] = points, frame[ROW]
    return False


@spliced_kernel
def keep(frame: Ints, table: Ints) -> None:
    """Keep in the table what has been found out about a position."""
    least, most, best = frame[LEAST], frame[MOST], frame[ANSWER]
    if best < frame[BETA]:
        most = min(most, best)
    if best > frame[ALPHA]:
        least = max(least, best)
    slot = slot_of(table, frame[KEY])
    table[slot] = frame[KEY]
    table[slot + 1] = pack_bounds(least, most, min(frame[BEST_ROW] - frame[FIRST], NO_PLACE))


@kernel
def search(
    rules: Ints,
    stack: Ints,
    plays: Ints,
    first: int,
    work: Ints,
    table: Ints,
    report: Ints,
    alpha: int,
    beta: int,
) -> int:
    """Points to come in the position of row 1, exact where they are between `alpha` and `beta`.

    From `alpha` downwards the answer is an upper bound, from `beta` upwards a lower one. Plays are
    listed from row `first` on. Means nothing once the status is no longer `SOLVED`. (It is a loop
    because Numba's cache does not bring back a kernel that calls itself in working order.)
    """
    ply = 1
    ask(stack[ply], first, alpha, beta)
    answered = enter(rules, stack, ply, plays, work, table, report)
    while report[STATUS] == SOLVED:
        if answered:
            if ply == 1:
                return int(stack[ply, ANSWER])
            ply -= 1
            answered = False
            if absorb(stack, ply):
                ply += 1
                answered = enter(rules, stack, ply, plays, work, table, report)
        elif stack[ply, TRIED] == stack[ply, FOUND] or stack[ply, ANSWER] >= stack[ply, BETA]:
            keep(stack[ply], table)
            answered = True
        else:
            try_next(rules, stack, ply, plays)
            ply += 1
            answered = enter(rules, stack, ply, plays, work, table, report)
    return 0


@spliced_kernel
def start(
    rules: Ints,
    state: Ints,
    stack: Ints,
    plays: Ints,
    work: Ints,
    report: Ints,
    node_limit: int,
) -> int:
    """Prepare the arrays for a search from a position; the number of its distinct plays.

    They are listed from row 0 on with their promise. Sets the status, and returns 0 when it is
    `TOO_LARGE`.
    """
    report[NODES] = 0
    report[NODE_LIMIT] = node_limit
    report[STAMP] = stamp_of(rules, report[GENERATION])
    report[STATUS] = TOO_LARGE
    report[BEST] = 0
    hands = state[HANDS] | state[HANDS + 1]
    if popcount(hands) >= stack.shape[0] or not suits(work, state[LOOSE] | hands):
        return 0
    for place in range(ORDER):
        stack[0, place] = state[place]
    found = list_promising(rules, state, work, plays, 0, 0)
    if found == TOO_MANY:
        return 0
    report[STATUS] = SOLVED
    return found


@kernel
def solve(
    rules: Ints,
    state: Ints,
    stack: Ints,
    plays: Ints,
    work: Ints,
    table: Ints,
    report: Ints,
    node_limit: int,
) -> int:
    """By how many points the side in turn will lead at the end of the deal, both playing best.

    The report names the status, the positions searched, and the row of `plays` with the best play:
    of several, always the same one, whatever the table knows already.
    """
    found = start(rules, state, stack, plays, work, report, node_limit)
    best = -MOST_POINTS
    for tried in range(found):
        row = most_promising(plays, 0, found)
        plays[row, PROMISE] = -FIRST_OF_ALL
        gain = play_ahead(rules, stack, 0, plays, row)
        ceiling = best + 1 if tried else MOST_POINTS
        value = gain - search(
            rules, stack, plays, found, work, table, report, gain - ceiling, gain - best
        )
        if value >= ceiling and tried:
            value = gain - search(
                rules, stack, plays, found, work, table, report, gain - MOST_POINTS, gain - best
            )
        if report[STATUS] != SOLVED:
            return 0
        if value > best:
            best = value
            report[BEST] = row
    return lead_of(rules, state, state[TURN]) + best


@kernel
def judge_all(
    rules: Ints,
    state: Ints,
    stack: Ints,
    plays: Ints,
    work: Ints,
    table: Ints,
    report: Ints,
    node_limit: int,
) -> int:
    """List all distinct plays, each with the lead it comes to when both play best afterwards.

    The plays are in rows of `plays` from 0 on, their leads in column `PROMISE`, in points at the
    end of the deal. Returns their number; the report is that of `solve`.
    """
    found = start(rules, state, stack, plays, work, report, node_limit)
    lead = lead_of(rules, state, state[TURN])
    for row in range(found):
        gain = play_ahead(rules, stack, 0, plays, row)
        value = -search(rules, stack, plays, found, work, table, report, -MOST_POINTS, MOST_POINTS)
        plays[row, PROMISE] = lead + gain + value
    for row in range(found):
        if plays[row, PROMISE] > plays[report[BEST], PROMISE]:
            report[BEST] = row
    return found
