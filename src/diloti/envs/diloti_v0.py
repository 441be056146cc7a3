"""The PettingZoo environment under the name that its users expect: version 0 of Diloti."""

from diloti.envs.zoo import DilotiEnv, env, parallel_env

raw_env = DilotiEnv

__all__ = ["env", "parallel_env", "raw_env"]
