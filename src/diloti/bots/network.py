"""A small network that judges a position after a play, in whole numbers.

One hidden layer of rectified units. Weights are whole numbers and so is everything computed from
them: every machine comes to the same judgement. `diloti.lab.training` makes them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from diloti.bots import features
from diloti.bots.features import FEATURES
from diloti.core.jit import Ints, inlined_kernel
from diloti.core.rules import Rules

HIDDEN = 64
WEIGHT_BITS = 12
"""Weights of the first layer are in 4096ths."""
OUTPUT_BITS = 10
"""Weights of the second layer are in 1024ths of a thousandth of a point, for a unit of 64."""
_UNIT_BITS = 6

WEIGHTS = Path(__file__).resolve().parent / "weights"
"""Where the shipped networks lie."""

Weights32 = NDArray[np.int32]


class Network(NamedTuple):
    """The weights: by feature and hidden unit, of each unit's bias, and of each unit's output.

    The last of `output` is the output's own bias, in thousandths of a point.
    """

    inputs: Weights32
    bias: Weights32
    output: Ints


class Scratch(NamedTuple):
    """Room for a judgement: of the position judged last in full, and of the one judged now.

    Positions after the plays of one turn differ in few features, so only the differences from the
    first of them are worked out. `sums` are those of the hidden units, before rectification.
    """

    features: Ints
    first_features: Ints
    sums: Weights32
    first_sums: Weights32


def new_scratch() -> Scratch:
    """Room for judgements; the first must be made by `start_from`."""
    return Scratch(
        np.zeros(FEATURES, dtype=np.int64),
        np.zeros(FEATURES, dtype=np.int64),
        np.zeros(HIDDEN, dtype=np.int32),
        np.zeros(HIDDEN, dtype=np.int32),
    )


@inlined_kernel
def start_from(network: Network, scratch: Scratch) -> None:
    """Make the present features those that the next judgements start from."""
    first = scratch.first_sums
    for unit in range(HIDDEN):
        first[unit] = network.bias[unit]
    for place in range(FEATURES):
        scratch.first_features[place] = scratch.features[place]
        number = np.int32(scratch.features[place])
        if number:
            for unit in range(HIDDEN):
                first[unit] += number * network.inputs[place, unit]


@inlined_kernel
def evaluate(network: Network, scratch: Scratch) -> int:
    """What a player gains on the other side from here on, in thousandths of a point."""
    sums = scratch.sums
    for unit in range(HIDDEN):
        sums[unit] = scratch.first_sums[unit]
    for place in range(FEATURES):
        number = np.int32(scratch.features[place] - scratch.first_features[place])
        if number:
            for unit in range(HIDDEN):
                sums[unit] += number * network.inputs[place, unit]
    total = 0
    for unit in range(HIDDEN):
        total += max(sums[unit], 0) * network.output[unit]
    return (total >> (WEIGHT_BITS - _UNIT_BITS + OUTPUT_BITS)) + network.output[HIDDEN]


def empty_network() -> Network:
    """A network that judges every position alike."""
    return Network(
        np.zeros((FEATURES, HIDDEN), dtype=np.int32),
        np.zeros(HIDDEN, dtype=np.int32),
        np.zeros(HIDDEN + 1, dtype=np.int64),
    )


def quantized(
    inputs: NDArray[np.float64],
    bias: NDArray[np.float64],
    output: NDArray[np.float64],
    output_bias: float,
) -> Network:
    """The network nearest to one in real numbers, whose output is in points."""
    outputs = np.round(output * 1000 * (1 << OUTPUT_BITS - _UNIT_BITS))
    return Network(
        np.round(inputs * (1 << WEIGHT_BITS)).astype(np.int32),
        np.round(bias * (1 << WEIGHT_BITS)).astype(np.int32),
        np.append(outputs, round(output_bias * 1000)).astype(np.int64),
    )


@cache
def greedy_network(*, minds_threats: bool = True) -> Network:
    """What the greedy player looks at, as a network: what is taken, promised and left to take."""
    points = np.zeros(FEATURES)
    points[features.LEAD_IN_CARDS] = 0.18
    points[features.OWN_PILE_CARDS] = 0.8 * 0.18
    points[features.OWN_PILE_POINTS] = 0.8
    points[features.OWN_PILE_CHANCE] = -0.8 * 0.18 / 8
    if minds_threats:
        points[features.THREAT_CARDS] = -0.25 * 0.18 / 8
        points[features.THREAT_POINTS] = -0.25 / 16
        points[features.THREAT_XERI] = -0.25 * 10 / 64
    inputs = np.zeros((FEATURES, HIDDEN))
    inputs[:, 0], inputs[:, 1] = points, -points
    output = np.zeros(HIDDEN)
    output[0], output[1] = 1, -1
    return quantized(inputs, np.zeros(HIDDEN), output, 0.0)


@cache
def load_network(name: str) -> Network:
    """The shipped network of that name."""
    with (WEIGHTS / f"{name}.npz").open("rb") as file:
        stored = np.load(file)
        return Network(*(np.ascontiguousarray(stored[field]) for field in Network._fields))


def shipped_for(players: int) -> str:
    """The name of what is shipped for two players, or for four."""
    return "classic" if players == 2 else "taverna"


def network_for(rules: Rules) -> Network:
    """The shipped network that suits a rule set best."""
    return load_network(shipped_for(rules.players))
