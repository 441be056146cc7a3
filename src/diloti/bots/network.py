"""A small network that judges a position after a play, in whole numbers.

One hidden layer of rectified units. Weights are whole numbers and so is everything computed from
them: every machine comes to the same judgement. `diloti.lab.training` makes them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from diloti.bots.features import FEATURES
from diloti.core.jit import Ints, inlined_kernel
from diloti.core.rules import Rules

HIDDEN = 32
WEIGHT_BITS = 12
"""Weights of the first layer are in 4096ths."""
OUTPUT_BITS = 10
"""Weights of the second layer are in 1024ths of a thousandth of a point, for a unit of 64."""
_UNIT_BITS = 6

Weights32 = NDArray[np.int32]


class Network(NamedTuple):
    """The weights: by feature and hidden unit, of each unit's bias, and of each unit's output.

    The last of `output` is the output's own bias, in thousandths of a point.
    """

    inputs: Weights32
    bias: Weights32
    output: Ints


@inlined_kernel
def evaluate(network: Network, features: Ints, hidden: Weights32) -> int:
    """What a player gains on the other side from here on, in thousandths of a point.

    `hidden` is room for the hidden units.
    """
    for unit in range(HIDDEN):
        hidden[unit] = network.bias[unit]
    for place in range(FEATURES):
        number = np.int32(features[place])
        if number:
            for unit in range(HIDDEN):
                hidden[unit] += number * network.inputs[place, unit]
    total = 0
    for unit in range(HIDDEN):
        total += max(hidden[unit], 0) * network.output[unit]
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
def load_network(name: str) -> Network:
    """The shipped network of that name."""
    with (files("diloti.bots") / "weights" / f"{name}.npz").open("rb") as file:
        stored = np.load(file)
        return Network(*(np.ascontiguousarray(stored[field]) for field in Network._fields))


def network_for(rules: Rules) -> Network:
    """The shipped network that suits a rule set best."""
    return load_network("classic")
