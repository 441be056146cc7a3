"""Actions and observations as Gymnasium's spaces."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space

from diloti.core.rules import Rules
from diloti.envs.actions import ACTIONS
from diloti.envs.encode import history_shape, observation_bounds


def action_space() -> Discrete:
    """The actions of `diloti.envs.actions`."""
    return Discrete(ACTIONS)


def observation_space(rules: Rules, *, history: bool) -> Dict:
    """An observation and the mask of what is allowed, and where it is wanted the history."""
    low, high = observation_bounds()
    parts: dict[str, Space[np.ndarray]] = {
        "observation": Box(low, high, dtype=np.int8),
        "action_mask": MultiBinary(ACTIONS),
    }
    if history:
        parts["history"] = MultiBinary(list(history_shape(rules)))
    return Dict(parts)
