"""Rounds as a PettingZoo environment: seats act in turn, each shown what it may know."""

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.envs.round_source import Deals
from cardgames.envs.seat_view import RENDER_MODES, Showing, Shown, check_render_mode, latest
from cardgames.support.errors import InvalidInput, unknown


class SeatsEnv(AECEnv[str, Shown, int]):  # type: ignore[misc]
    """`game` for agents `seat_0`, `seat_1`, ... (agent environment cycle).

    An observation is a dict of `observation` and `action_mask` (`envs.seat_view.Shown`). Rewards (floats) are the pay-offs, at
    the end of a round, which terminates all agents; their info says whether it was `void`, won by nobody. `seed` fixes all
    rounds until `reset` is given one. An illegal action raises `InvalidInput`, and nothing is played. `round` is the state
    itself, not for agents.
    """

    metadata = {"name": "cardgames_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(self, game: Game, encoding: str | None = None, seed: int = 0, render_mode: str | None = None):
        """Raises `InvalidInput`."""
        super().__init__()
        check_render_mode(render_mode)
        self._showing = Showing(game, encoding)
        self.game, self.encoding, self.render_mode = game, self._showing.encoding, render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(game.num_players)]
        self.observation_spaces = {agent: self._showing.observations for agent in self.possible_agents}
        self.action_spaces = {agent: self._showing.actions for agent in self.possible_agents}
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._seen: Observation | None = None
        self._deals = Deals(game, seed)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent is shown, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete[Any]":
        """Return the space of an agent's actions, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next round; with a `seed` the first one of that seed. `options` mean nothing. Raises `InvalidInput`."""
        if seed is not None:
            self._deals.begin(seed)
        self.round: State = self._deals.next()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"void": False} for agent in self.agents}
        self._ask()

    def _ask(self) -> None:
        """Turn to the seat that is to decide."""
        self._seen = self.round.observation()
        self.agent_selection = self.possible_agents[self._seen.player]

    def observe(self, agent: str) -> Shown:
        """Return what an agent is shown now; its mask is empty unless it is to decide. Raises `InvalidInput` for an agent
        there is not, and before the first round.
        """
        seen, seat = latest(self._seen), self._seat_of(agent)
        to_decide = seat == seen.player and not self.round.is_terminal()
        return self._showing.show(seen if to_decide else self.round.observation(seat))

    def _seat_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise unknown("agent", agent, self.possible_agents)
        return self.possible_agents.index(agent)

    def step(self, action: int | None) -> None:
        """Play an action of the agent selected; after a round's end each agent takes the step None, any other raises
        PettingZoo's `ValueError`. Raises `InvalidInput`.
        """
        seen, agent = latest(self._seen), self.agent_selection
        if not self.agents:
            raise InvalidInput("the round is over: call reset first")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.round.apply_action(self._showing.action(seen, action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self.round.is_terminal():
            self._end()
        else:
            self._ask()
        self._accumulate_rewards()

    def _end(self) -> None:
        """Pay, and end all agents."""
        void = not self.round.winners()
        self.rewards = dict(zip(self.possible_agents, self.round.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"void": void} for agent in self.agents}

    def render(self) -> str | None:
        """Return, in mode `ansi`, what the agent selected knows, in words. Raises `InvalidInput` before the first round."""
        if self.render_mode != "ansi":
            return None
        latest(self._seen)
        return str(self.round.observation(self._seat_of(self.agent_selection)))

    def close(self) -> None:
        """Do nothing: nothing is held."""
