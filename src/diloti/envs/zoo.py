"""Diloti as a PettingZoo environment: one deal or a whole match, seat by seat.

    from diloti.envs import diloti_v0

    env = diloti_v0.env(rules="taverna", players=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))

Agents are named by their seats, ``player_0`` and so on. A play is made in steps
(`diloti.envs.actions`), so an agent may be asked several times in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from diloti.core.deal import exchange_layout
from diloti.core.match import Match
from diloti.core.notation import parse_card
from diloti.core.rules import Rules
from diloti.core.shuffle import SEED_SIZE, Shuffle
from diloti.core.view import View
from diloti.envs.actions import ACTIONS, Bytes, Draft, Show
from diloti.envs.drawing import draw_deal
from diloti.envs.encode import encode_history, encode_view
from diloti.envs.spaces import action_space, observation_space
from diloti.envs.terms import DEAL, Terms, terms_of

RENDER_MODES = ("human", "ansi")

_Seen = dict[str, Bytes]


def env(**options: Any) -> AECEnv[str, _Seen, int]:
    """The environment, with the usual wrappers against misuse; options as in `DilotiEnv`.

    An action that is not allowed ends the episode, and costs who took it more than a deal can.
    """
    raw = DilotiEnv(**options)
    wrapped: AECEnv[str, _Seen, int] = wrappers.TerminateIllegalWrapper(
        raw, illegal_reward=-raw.terms.most_return
    )
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def parallel_env(**options: Any) -> ParallelEnv[str, _Seen, int]:
    """The environment for programs that want an action of every agent at every step.

    Only that of the agent that is asked counts: ``infos[agent]["active_agent"]`` names it.
    """
    return turn_based_aec_to_parallel(env(**options))


class DilotiEnv(AECEnv[str, _Seen, int]):  # type: ignore[misc] # it has no types
    """One deal, or one match, seat by seat.

    Parameters: what `diloti.envs.terms.terms_of` takes, as ``rules="taverna", players=4``; and
    ``render_mode``: None, ``human`` (written to the terminal at every step) or ``ansi``.

    Observations are dictionaries: ``observation``, ``history`` and ``action_mask``
    (`diloti.envs.encode`, `diloti.envs.actions`). The mask is all 0 for agents that are not asked.

    Rewards come at the end, 0 before: of a deal the points that the agent's side is ahead by, of a
    match 1 for the winners and -1 for the losers.

    `reset` takes the options ``dealer`` (a seat) and ``pack`` (the cards of the first deal, as
    numbers or names, in the order in which they are dealt, before any exchange of the layout); what
    is not given is drawn from the seed.
    """

    metadata = {  # noqa: RUF012 (the base class has it so)
        "name": "diloti_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode can be human or ansi, not {render_mode!r}")
        self.render_mode = render_mode
        self.terms: Terms = terms_of(**options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._spaces = {
            agent: (observation_space(self.rules, history=True), action_space())
            for agent in self.possible_agents
        }
        self._random = np.random.default_rng()
        self._match: Match
        self._draft: Draft

    @property
    def rules(self) -> Rules:
        """The rule set that is played."""
        return self.terms.rules

    def observation_space(self, agent: str) -> Dict:
        """What an agent can see."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Discrete:
        """What an agent can do."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; without a seed it follows from those before it."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        chosen = options or {}
        dealer = int(self._random.integers(self.rules.players))
        self._match = Match(self.rules, first_dealer=index(chosen.get("dealer", dealer)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._deal(chosen.get("pack"))
        if self.render_mode == "human":
            self.render()

    def _deal(self, pack: Sequence[int | str] | None = None) -> None:
        seed = self._random.bytes(SEED_SIZE)
        if pack is None:
            self._match.deal_seed(seed)
        else:
            cards = [parse_card(card) if isinstance(card, str) else card for card in pack]
            self._match.deal_pack(cards, exchange_layout(self.rules, cards, Shuffle(seed)))
        self._ask(shows=self.rules.players if self.rules.partners_show_card else 0)

    def _ask(self, *, shows: int = 0) -> None:
        """Ask the next seat for a play, or for a card to show."""
        self._draft = Draft(self._match.position, shows=shows)
        seat = self._draft.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
        for info in self.infos.values():
            info["active_agent"] = self.agent_selection

    def step(self, action: int | None) -> None:
        """Take an action of the agent that is asked; `ActionError` where it is not allowed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        shows = self._draft.shows
        made = self._draft.take(index(action))  # type: ignore[arg-type] # the living have one
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if isinstance(made, Show):
            if made.card is not None:
                self._match.show(self.possible_agents.index(agent), made.card)
            self._ask(shows=shows - 1)
        elif made is not None:
            self._match.play(made)
            self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """What follows a play: the next turn, the next deal, or the end of the episode."""
        score = self._match.deal_log.score
        if score is None:
            self._ask()
            return
        broken_off = len(self._match.deals) >= self.terms.most_deals
        if self.terms.episode == DEAL or self._match.is_over or broken_off:
            self._ask()
            returns = self.terms.returns(score)
            self.rewards = dict(zip(self.possible_agents, returns, strict=True))
            ended = self.terms.episode == DEAL or self._match.is_over
            self.terminations = dict.fromkeys(self.agents, ended)
            self.truncations = dict.fromkeys(self.agents, not ended)
        else:
            self._deal()

    def view(self, agent: str) -> View:
        """What an agent may see now, as Diloti's own bots take it."""
        return self._match.view(self.possible_agents.index(agent))

    def observe(self, agent: str) -> _Seen:
        """What an agent sees now."""
        seat = self.possible_agents.index(agent)
        view = self.view(agent)
        asked = self._draft.seat == seat
        return {
            "observation": encode_view(view, self._draft),
            "history": encode_history(view),
            "action_mask": self._draft.mask if asked else np.zeros(ACTIONS, dtype=np.int8),
        }

    def render(self) -> str | None:
        """The table, all hands open, as a text; in the mode ``human`` it is written out instead."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: human or ansi")
            return None
        drawn = draw_deal(self._match.position, self._draft)
        if self.render_mode == "ansi":
            return drawn
        print(drawn, flush=True)
        return None

    def close(self) -> None:
        """Nothing is left open."""
