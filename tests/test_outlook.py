"""The outlook: what leads are worth in the match (R12)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from diloti.bots.network import load_network
from diloti.bots.outlook import (
    LEADS,
    SURE,
    Outlook,
    fill_chances,
    match_chances,
    outlook,
    worth_of_lead,
)
from diloti.core.rules import CLASSIC, TAVERNA, Rules, rules_from
from diloti.lab.training import ends_of
from tests.thinking import INTERPRETED, little_thought

TOTALS = ((0, 0), (50, 20), (60, 60), (5, 45), (70, 70), (58, 30))
FULL = (CLASSIC, TAVERNA, rules_from(target=1), rules_from("taverna", xeri_points=5, target=101))


@pytest.fixture(autouse=True)
def _few_deals() -> Iterator[None]:
    with little_thought():
        yield


def test_r12_2_chances_of_a_match_by_hand() -> None:
    ends, often = np.array([[9, 2], [3, 8]]), np.array([1, 3])
    chances = np.zeros((7, 7, 2))
    fill_chances(ends, often, chances)
    assert chances[1, 1].tolist() == [1 / 4, 3 / 4]  # the one with more points has won
    assert chances[6, 2].tolist() == [1 / 4, 3 / 4]  # 9 : 2 makes 3 more than the target, and 0
    # Side 0 leads and gets 9 or 3; after 3 : 8 the other has won.
    assert chances[4, 6, 0] == 1 / 4
    ends, often = np.array([[5, 5], [2, 0]]), np.array([1, 1])
    fill_chances(ends, often, chances)
    assert chances[1, 1].tolist() == [3 / 4, 1 / 4]  # level counts half
    assert chances[3, 6, 0] == (1 + chances[1, 6, 1]) / 2  # after 2 : 0 the other leads
    assert chances[3, 6, 1] == (1 + chances[3, 4, 0]) / 2


@pytest.mark.parametrize("rules", FULL)
def test_chances_of_a_match_are_fair_to_both_sides(rules: Rules) -> None:
    chances = match_chances(rules)
    inner = chances[1:, 1:]
    assert ((inner >= 0) & (inner <= 1 + 1e-12)).all()
    for leader in range(2):
        assert np.allclose(inner[:, :, leader], 1 - inner[:, :, 1 - leader].T)
    assert (np.diff(inner, axis=0) <= 1e-12).all()  # the more is missing, the worse
    assert (np.diff(inner, axis=1) >= -1e-12).all()


@pytest.mark.parametrize("refills", range(4))
@pytest.mark.parametrize("totals", TOTALS)
def test_an_outlook_is_fair_to_both_sides(totals: tuple[int, int], refills: int) -> None:
    for rules in FULL:
        for leader in range(2):
            mine = outlook(rules, totals, leader, refills)
            other = outlook(rules, (totals[1], totals[0]), 1 - leader, refills)
            for lead, xeri in itertools.product((-30, -11, -4, -1, 0, 0.5, 2, 3, 12), (0, 1, 9)):
                chance = mine.chance(lead, xeri)
                assert 0 <= chance <= 1
                assert abs(chance - (1 - other.chance(-lead, xeri))) < 3 / SURE


@pytest.mark.parametrize("refills", range(4))
def test_more_points_are_never_worse(refills: int) -> None:
    for rules, totals in itertools.product(FULL, TOTALS):
        for row in outlook(rules, totals, 0, refills).worth:
            assert (np.diff(row) >= 0).all()


def test_r12_2_a_match_that_is_decided() -> None:
    # At 60 : 40 a deal of eleven points, five to three of them won, ends the match.
    prospect = outlook(CLASSIC, (60, 40), 0, 0)
    assert [prospect.chance(lead, 0) for lead in (1, 5, 11)] == [1, 1, 1]
    prospect = outlook(CLASSIC, (50, 60), 1, 0)
    assert [prospect.chance(lead, 0) for lead in (1, -5, -9)] == [0, 0, 0]
    assert prospect.chance(11, 0) == 1  # 61 : 60
    # Both pass the target: the one with more has won, and level it goes on.
    prospect = outlook(CLASSIC, (60, 58), 0, 0)
    assert [prospect.chance(lead, 0) for lead in (-5, -3, -1, 1)] == [0, 0, 1, 1]
    assert outlook(CLASSIC, (60, 59), 0, 0).chance(-1, 0) == 0.5


def test_near_the_target_points_do_not_count_alike() -> None:
    near = outlook(CLASSIC, (55, 55), 0, 0)
    steps = np.diff(near.worth[0, LEADS - 12 : LEADS + 13])
    assert steps.max() > 20 * max(1, int(np.median(steps)))
    decided = [near.chance(lead, 0) for lead in (-11, -1, 1, 11)]
    assert decided == [0, 0, 1, 1]
    far = outlook(CLASSIC, (0, 0), 0, 0)
    assert far.chance(11, 0) - far.chance(-11, 0) < 1


def test_leads_in_thousandths_are_worth_the_same() -> None:
    prospect = outlook(TAVERNA, (50, 48), 0, 2)
    for lead, xeri in itertools.product(
        (-200_000, -80_000, -1_250, 0, 999, 12_500, 99_000), (0, 9)
    ):
        chance = prospect.chance(lead / 1000, xeri)
        worth = int(worth_of_lead(prospect.worth, lead, xeri))
        assert abs(worth - chance * SURE) < 40  # the whole numbers below


def test_an_outlook_of_whole_leads_reads_its_table() -> None:
    worth = np.arange(8 * (2 * LEADS + 1)).reshape(8, 2 * LEADS + 1)
    prospect = Outlook(worth)
    assert prospect.chance(0, 0) * SURE == pytest.approx(LEADS)
    assert prospect.chance(-LEADS, 2) * SURE == pytest.approx(worth[2, 0])
    assert prospect.chance(7.5, 30) * SURE == pytest.approx((worth[7, 87] + worth[7, 88]) / 2)


def test_deals_of_the_network_are_the_same_each_time() -> None:
    deals = 1 if INTERPRETED else 200
    found = []
    for _ in range(2):
        told = ends_of(CLASSIC, load_network("classic"), deals)
        ends = told["ends"]
        found.append([ends.tolist(), told["often"].tolist()])
        assert told["often"].sum() == deals
        assert ((ends >= 0) & (ends < LEADS)).all()
        assert {int(both) % 10 for both in ends.sum(axis=1)} <= {1, 7}
    assert found[0] == found[1]
