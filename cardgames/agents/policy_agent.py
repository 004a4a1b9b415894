"""An agent that plays one of its game's policies."""

from typing import Any

from cardgames.agents.agent import Decision, Limit, check_act_arguments, forced_decision
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.policy import Policy
from cardgames.kernels import rng

_STREAM_SALT = 0xA6E27  # keeps an agent's stream apart from that of a deal with the same seed


class PolicyAgent:
    """Plays one of the policies."""

    def __init__(self, name: str, game: Game, seed: int, policy: Policy):
        self.name = name
        self.policy = policy
        """For kernels that play whole rounds."""
        self.stream: Any = rng.stream(rng.derive(seed, _STREAM_SALT))
        self._game = game

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Decide at once; `limit` does not matter. The decision tells no chances, which are the policy's own, unless it is
        forced.
        """
        check_act_arguments(self._game, observation, limit)
        action = int(ops.policy(self._game.kernel_rules, observation.record, *self.policy, self.stream))
        return forced_decision(observation) or Decision(action)
