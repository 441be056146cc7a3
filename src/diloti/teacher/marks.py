"""Marks: what a loss is called, and one number for how well a side has played.

The thresholds are measured: docs/review.md has how often each mark falls at each level of the bots.
"""

from __future__ import annotations

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = "best", "good", "inaccuracy", "mistake", "blunder"
MARKS = (BEST, GOOD, INACCURACY, MISTAKE, BLUNDER)
"""All marks, the best first."""

THRESHOLDS = ((0.5, GOOD), (1.5, INACCURACY), (4.0, MISTAKE))
"""Below so many points lost a play has the mark; from the last one on it is a blunder."""
CLEAR = 2.0
"""Standard errors that a loss must be above zero to count as more than noise."""
HALVING = 1.0
"""Points lost a decision that halve the accuracy."""


def mark_of(loss: float, error: float, chance_loss: float) -> str:
    """The mark of a play that loses so many points, known with a standard error.

    What is not clear of noise is at worst good, and so is what costs no chance to win the match:
    near its end points alone are not what is played for.
    """
    if loss <= 0:
        return BEST
    if loss < CLEAR * error or chance_loss <= 0:
        return GOOD
    return next((mark for limit, mark in THRESHOLDS if loss < limit), BLUNDER)


def accuracy_of(cost: float, decisions: int) -> float:
    """From 0 to 100: 100 where nothing was lost, half for each `HALVING` points a decision.

    `cost` is what was lost in so many plays in which there was something to decide; what costs no
    chance to win the match is not in it.
    """
    if decisions == 0:
        return 100.0
    return round(100 * 0.5 ** (cost / decisions / HALVING), 1)
