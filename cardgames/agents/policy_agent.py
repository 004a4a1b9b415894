"""`PolicyAgent`: an agent that draws every action from one policy of its game, without a search."""

from typing import Any

from cardgames.agents.agent import Decision, Limit, check_act_arguments, forced_decision
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.core.observation import Observation
from cardgames.kernels import rng

_STREAM_SALT = 0xA6E27  # makes an agent's random stream differ from that of a deal with the same seed


class PolicyAgent:
    """Agent that draws every action from one policy of its game, without a search."""

    def __init__(self, name: str, game: Game, seed: int, policy: Policy):
        self.name = name
        self.policy = policy
        """Policy from which the agent draws; kernels that play whole rounds use it in place of the agent."""
        self.stream: Any = rng.stream(rng.derive(seed, _STREAM_SALT))
        self._game = game

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Return a decision whose action is drawn from the policy; `limit` has no effect.

        It has no action probabilities, since policies only draw an action, except if there is only one legal action.
        """
        check_act_arguments(self._game, observation, limit)
        action = int(ops.policy(self._game.kernel_rules, observation.record, *self.policy, self.stream))
        return forced_decision(observation) or Decision(action)
