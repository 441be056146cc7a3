"""How long bots may think."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from diloti.bots import BOTS, BudgetError, choose
from diloti.bots.budget import Budget
from diloti.core.view import view_of
from diloti.engine import answer
from tests.setting import position
from tests.test_wire import CLASSIC_POSITION


@dataclass
class FakeClock:
    """A clock that goes on by so much whenever somebody looks at it."""

    step: float
    now: float = 100.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@dataclass
class Counted:
    """Something that thinks, and counts it."""

    simulations: int = 0


@pytest.mark.parametrize(("step", "steps"), [(0.125, 6), (0.25, 2), (0.5, 0), (1.0, 0), (5.0, 0)])
def test_a_step_that_would_end_too_late_is_not_begun(step: float, steps: int) -> None:
    clock = FakeClock(step)
    budget = Budget(1, 1.0, clock)
    start = clock.now
    thinking = Counted()
    while budget.room(thinking.simulations, 1) > 0:
        thinking.simulations += 1
        assert clock.now + step < start + 1.0
    assert thinking.simulations == steps
    assert budget.room(thinking.simulations, 1) == 0


def test_a_long_step_is_expected_to_be_followed_by_another() -> None:
    clock = FakeClock(0.0)
    budget = Budget(1, 1.0, clock)
    thinking = Counted()
    for seconds, goes_on in ((0.1, True), (0.3, True), (0.31, False), (0.01, True), (0.5, False)):
        clock.now += seconds
        assert (budget.room(thinking.simulations, 1) > 0) is goes_on


def test_the_last_step_is_no_longer_than_what_is_left() -> None:
    budget = Budget(40)
    assert [budget.room(done, 16) for done in (0, 16, 32, 40, 45)] == [16, 16, 8, 0, -5]


@pytest.mark.parametrize("simulations", [1, 2, 16, 17])
def test_simulations_are_counted_and_the_clock_not_looked_at_again(simulations: int) -> None:
    clock = FakeClock(1000.0)
    budget = Budget(simulations, None, clock)
    thinking = Counted()
    looked = clock.now
    while budget.room(thinking.simulations, 1) > 0:
        thinking.simulations += 1
    assert thinking.simulations == simulations
    assert clock.now == looked


@pytest.mark.parametrize(
    ("simulations", "seconds"),
    [(0, None), (-1, None), (0, 1.0), (1, 0.0), (1, -1.0), (1, float("nan")), (1, float("-inf"))],
)
def test_no_time_at_all_is_refused(simulations: int, seconds: float | None) -> None:
    with pytest.raises(BudgetError):
        Budget(simulations, seconds)


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_refuses_no_time_at_all(bot: str) -> None:
    view = view_of(position("6h9d", "6d2c4s"), 0)
    for simulations in (0, -5):
        with pytest.raises(BudgetError):
            choose(view, bot, simulations=simulations)
    for seconds in (0.0, -1.0, float("nan")):
        with pytest.raises(BudgetError):
            choose(view, bot, seconds=seconds)


def code_of(field: str, written: str) -> str:
    """The code of the error that the protocol answers to a budget; "" for a play."""
    line = json.dumps({"op": "choose", "position": CLASSIC_POSITION, "bot": "random"})
    got = answer(f'{line[:-1]}, "{field}": {written}}}')
    return "" if "play" in got else got["error"]["code"]


@pytest.mark.parametrize(
    "written", ["0", "-1", "-0.0", "1e-400", "-1" + "0" * 400, "true", '"1"', "null", "[1]"]
)
def test_the_protocol_refuses_seconds(written: str) -> None:
    assert code_of("seconds", written) == "bad_request"


@pytest.mark.parametrize("written", ["NaN", "Infinity", "1e999"])
def test_the_protocol_knows_no_such_number(written: str) -> None:
    assert code_of("seconds", written) == "bad_json"
    assert code_of("simulations", written) == "bad_json"


@pytest.mark.parametrize(
    "written", ["0", "-1", "2.5", "1.0", "true", '"4"', "null", "1" + "0" * 30, "1" + "0" * 400]
)
def test_the_protocol_refuses_simulations(written: str) -> None:
    assert code_of("simulations", written) == "bad_request"


@pytest.mark.parametrize("written", ["1e-9", "1", "1e300", "1" + "0" * 400])
def test_the_protocol_takes_any_seconds_above_0(written: str) -> None:
    assert code_of("seconds", written) == ""
