"""The PettingZoo environment under the name that its users expect: version 0 of Diloti."""

from diloti.envs.zoo import DilotiEnv as raw_env
from diloti.envs.zoo import env, parallel_env

__all__ = ["env", "parallel_env", "raw_env"]
