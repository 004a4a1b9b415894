"""Rounds as a PettingZoo environment: seats act in turn, each shown what it may know."""

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.envs.round_source import RoundSequence
from cardgames.envs.seat_view import (
    RENDER_MODES,
    MaskedObservation,
    ObservationEncoder,
    check_render_mode,
    require_observation,
)
from cardgames.support.errors import InvalidInput, unknown_name


class PettingZooEnv(AECEnv[str, MaskedObservation, int]):  # type: ignore[misc]
    """`game` for agents `seat_0`, `seat_1`, ... (agent environment cycle).

    An observation is a dict of `observation` and `action_mask` (`envs.seat_view.MaskedObservation`). Rewards (floats) are the pay-offs, at
    the end of a round, which terminates all agents; their info says whether it was `void`, won by nobody. `seed` fixes all
    rounds until `reset` is given one. An illegal action raises `InvalidInput`, and nothing is played. `round` is the state
    itself, not for agents.
    """

    metadata = {"name": "cardgames_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(self, game: Game, encoding: str | None = None, seed: int = 0, render_mode: str | None = None):
        """Raises `InvalidInput`."""
        super().__init__()
        check_render_mode(render_mode)
        self._encoder = ObservationEncoder(game, encoding)
        self.game, self.encoding, self.render_mode = game, self._encoder.encoding, render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(game.num_players)]
        self.observation_spaces = {agent: self._encoder.observation_space for agent in self.possible_agents}
        self.action_spaces = {agent: self._encoder.action_space for agent in self.possible_agents}
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._observation: Observation | None = None
        self._rounds = RoundSequence(game, seed)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent is shown, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete[Any]":
        """Return the space of an agent's actions, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next round; with a `seed` the first one of that seed. `options` mean nothing. Raises `InvalidInput`."""
        if seed is not None:
            self._rounds.restart(seed)
        self.round: State = self._rounds.next()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"void": False} for agent in self.agents}
        self._select_agent()

    def _select_agent(self) -> None:
        """Turn to the seat that is to decide."""
        self._observation = self.round.observation()
        self.agent_selection = self.possible_agents[self._observation.player]

    def observe(self, agent: str) -> MaskedObservation:
        """Return what an agent is shown now; its mask is empty unless it is to decide. Raises `InvalidInput` for an agent
        there is not, and before the first round.
        """
        observation, seat = require_observation(self._observation), self._seat_of(agent)
        to_decide = seat == observation.player and not self.round.is_terminal()
        return self._encoder.encode(observation if to_decide else self.round.observation(seat))

    def _seat_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise unknown_name("agent", agent, self.possible_agents)
        return self.possible_agents.index(agent)

    def step(self, action: int | None) -> None:
        """Play an action of the agent selected; after a round's end each agent takes the step None, any other raises
        PettingZoo's `ValueError`. Raises `InvalidInput`.
        """
        observation, agent = require_observation(self._observation), self.agent_selection
        if not self.agents:
            raise InvalidInput("the round is over: call reset first")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.round.apply_action(self._encoder.action(observation, action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self.round.is_terminal():
            self._end_round()
        else:
            self._select_agent()
        self._accumulate_rewards()

    def _end_round(self) -> None:
        """Pay, and end all agents."""
        void = not self.round.winners()
        self.rewards = dict(zip(self.possible_agents, self.round.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"void": void} for agent in self.agents}

    def render(self) -> str | None:
        """Return, in mode `ansi`, what the agent selected knows, in words. Raises `InvalidInput` before the first round."""
        if self.render_mode != "ansi":
            return None
        require_observation(self._observation)
        return str(self.round.observation(self._seat_of(self.agent_selection)))

    def close(self) -> None:
        """Do nothing: nothing is held."""
