"""Learning environments: Diloti's beside those of PettingZoo, pgx and OpenSpiel, at random play.

Everything is pinned to one core and measured in processor time, in moments, in turns, so that a
machine that slows down slows all of them. What is counted are actions; each is drawn evenly from
those that are allowed, and games follow one another, dealing included. The games differ, and so
does what an action is: the ratios say what a learning program waits for, not which game is harder.
Run it with `make bench`. Libraries that are missing are left out, by name.

* `DilotiVectorEnv` and pgx: so many games at once (`TABLES`), with observations and masks; pgx
  compiled as a whole, from the choice of an action to the next game;
* PettingZoo: one game, each agent shown its observation and mask;
* OpenSpiel: games without observations, played from Python, and all in C++ with its own random
  bots (`random_play.whole_games`).
"""

from __future__ import annotations

import importlib
import os
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from random_play import Batch, play_randomly, whole_games

ROUNDS = 7
MOMENT = 0.1
TABLES = 1024


def many_deals() -> Batch:
    """`DilotiVectorEnv`, drawing its actions itself."""
    from diloti.envs.batch import DilotiVectorEnv

    env = DilotiVectorEnv(TABLES, copy=False)
    env.reset(seed=1)

    def batch() -> int:
        env.step(env.draw_actions())
        return TABLES

    return batch


def actions_a_play() -> float:
    """How many actions make a play of Diloti, in random play."""
    from diloti.core.rules import CLASSIC
    from diloti.envs.batch import DilotiVectorEnv
    from diloti.envs.encode import part

    steps = 300
    env = DilotiVectorEnv(TABLES)
    before, made = part(env.reset(seed=1)[0]["observation"], "plays"), 0
    for _ in range(steps):
        after = part(env.step(env.draw_actions())[0]["observation"], "plays")
        made += int(((after - before) % CLASSIC.plays_in_deal).sum())
        before = after
    return steps * TABLES / made


def pettingzoo_game(module: str) -> Batch:
    """A game of PettingZoo, agent by agent."""
    env, rng = importlib.import_module(module).env(), np.random.default_rng(1)

    def batch() -> int:
        actions = 0
        env.reset(seed=int(rng.integers(1 << 30)))
        for _agent in env.agent_iter():
            seen, _reward, termination, truncation, information = env.last()
            if termination or truncation:
                break
            mask = seen["action_mask"] if "action_mask" in seen else information["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
            actions += 1
        return actions

    return batch


def pgx_game(name: str) -> Batch:
    """A game of pgx on the processor, `TABLES` times at once."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def go_on(state: pgx.State, key: jax.Array) -> tuple[pgx.State, jax.Array]:
        key, drawing, dealing = jax.random.split(key, 3)
        allowed = jax.numpy.log(state.legal_action_mask)
        actions = jax.random.categorical(drawing, allowed, axis=-1)
        return step(state, actions, jax.random.split(dealing, TABLES)), key

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, TABLES))

    def batch() -> int:
        nonlocal state, key
        state, key = jax.block_until_ready(go_on(state, key))
        return TABLES

    return batch


def open_spiel_game(name: str) -> Batch:
    """A game of OpenSpiel, played from Python."""
    import pyspiel

    if name == "diloti":
        importlib.import_module("diloti.envs.spiel")
    game, rng = pyspiel.load_game(name), random.Random(1)
    return lambda: play_randomly(game.new_initial_state(), rng)


PROGRAMS: dict[str, Callable[[], Batch]] = {
    f"Diloti, `DilotiVectorEnv`, {TABLES} at once": many_deals,
    "Diloti, PettingZoo": lambda: pettingzoo_game("diloti.envs.diloti_v0"),
    "Diloti, OpenSpiel, from Python": lambda: open_spiel_game("diloti"),
    **{
        f"PettingZoo {name}": lambda name=name: pettingzoo_game(f"pettingzoo.classic.{name}")
        for name in ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")
    },
    **{
        f"pgx {name}, {TABLES} at once": lambda name=name: pgx_game(name)
        for name in ("kuhn_poker", "leduc_holdem", "sparrow_mahjong")
    },
    **{
        f"OpenSpiel {name}, {how}": lambda name=name, play=play: play(name)
        for name in ("hearts", "spades", "crazy_eights")
        for how, play in (("from Python", open_spiel_game), ("C++", whole_games))
    },
}


def rate(batch: Batch) -> float:
    """Actions a second of processor time, over a moment."""
    actions, start = 0, time.process_time()
    while (spent := time.process_time() - start) < MOMENT:
        actions += batch()
    return actions / spent


def programs_here() -> dict[str, Batch]:
    """The programs whose libraries are installed, compiled; the others are named."""
    here = {}
    for name, make in PROGRAMS.items():
        try:
            batch = make()
        except ImportError as missing:
            print(f"Left out: {name} ({missing})", file=sys.stderr)
            continue
        batch()
        here[name] = batch
    return here


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    warnings.simplefilter("ignore")  # of the games of others
    batches = programs_here()
    measured: dict[str, list[float]] = {name: [] for name in batches}
    for _ in range(ROUNDS):
        for name, batch in batches.items():
            measured[name].append(rate(batch))
    first, *_ = measured.values()
    print("| environment | actions a second, most | median | `DilotiVectorEnv` to it |")
    print("|---|---:|---:|---:|")
    for name, rates in measured.items():
        ratio = statistics.median(own / other for own, other in zip(first, rates))
        print(f"| {name} | {max(rates):,.0f} | {statistics.median(rates):,.0f} | {ratio:,.1f} |")
    each = actions_a_play()
    plays = statistics.median(first) / each
    print(f"\nA play of Diloti takes {each:.2f} actions: {plays:,.0f} plays a second (median).")


if __name__ == "__main__":
    main()
