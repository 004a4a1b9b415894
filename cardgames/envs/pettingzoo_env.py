"""PettingZoo environment (agent environment cycle): all seats act in turn, each with its own observation."""

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
    """Environment whose agents are the seats of a game: `seat_0`, `seat_1`, ...; an episode is a round.

    An observation is a dict of `observation` and `action_mask` (`envs.seat_view.MaskedObservation`). The rewards are the
    payoffs, at the end of the round, which terminates all agents; then `info` says whether it had no winner (`void`).

    An illegal action raises `InvalidInput` and changes nothing. The attribute `round` is the full state, hidden cards
    included; it is not meant for agents.
    """

    metadata = {"name": "cardgames_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(self, game: Game, encoding: str | None = None, seed: int = 0, render_mode: str | None = None):
        """Make the environment.

        Args:
            game: Game to play.
            encoding: Encoding of observations, by default the game's first.
            seed: Seed of the rounds, until `reset` gets another one.
            render_mode: `ansi`, or None.

        Raises:
            InvalidInput: If an argument is wrong.
        """
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
        """Return the space of the observations of `agent`; each call returns the same object, as PettingZoo requires."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete[Any]":
        """Return the space of the actions of `agent`; each call returns the same object, as PettingZoo requires."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next round or, if `seed` is given, the first round of that seed; `options` are ignored.

        Raises:
            InvalidInput: If `seed` is not a seed.
        """
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
        """Set `agent_selection` to the seat to move, and store that seat's observation."""
        self._observation = self.round.observation()
        self.agent_selection = self.possible_agents[self._observation.player]

    def observe(self, agent: str) -> MaskedObservation:
        """Return the observation of an agent; its mask is all 0 unless the agent is to move.

        Raises:
            InvalidInput: If there is no such agent, or no round has begun.
        """
        observation, seat = require_observation(self._observation), self._seat_of(agent)
        is_to_move = seat == observation.player and not self.round.is_terminal()
        return self._encoder.encode(observation if is_to_move else self.round.observation(seat))

    def _seat_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise unknown_name("agent", agent, self.possible_agents)
        return self.possible_agents.index(agent)

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent. After the end of a round every agent has to call it once with None.

        Raises:
            InvalidInput: If the action is not legal, or no round has begun.
            ValueError: PettingZoo's, for another step than None after the end of the round.
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
        """Set all agents' rewards to their payoffs, mark all as terminated, and say in `infos` if there is no winner."""
        void = not self.round.winners()
        self.rewards = dict(zip(self.possible_agents, self.round.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"void": void} for agent in self.agents}

    def render(self) -> str | None:
        """Return the observation of the selected agent as text in mode `ansi`, else None.

        Raises:
            InvalidInput: If no round has begun.
        """
        if self.render_mode != "ansi":
            return None
        require_observation(self._observation)
        return str(self.round.observation(self._seat_of(self.agent_selection)))

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
