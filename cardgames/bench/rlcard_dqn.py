"""Class `RlcardDqn`: RLCard's DQN agent, trained on Uno by RLCard's own code, to compare with; needs RLCard and torch."""

import contextlib
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class RlcardDqn:
    """RLCard's DQN agent for Uno with RLCard's settings, trained in seat 0 against one random player."""

    def __init__(self, hidden: Sequence[int], seed: int = 0):
        """Create the agent and its environment.

        Initial weights and the agent's choices use RLCard's global random numbers (`rlcard.utils.set_seed`).

        Args:
            hidden: Numbers of units of the hidden layers.
            seed: Seed of the deals.

        Raises:
            ImportError: If RLCard or torch is not installed.
        """
        import rlcard
        from rlcard.agents import DQNAgent, RandomAgent

        self._env = rlcard.make("uno", config={"seed": seed})
        actions, shape = self._env.num_actions, self._env.state_shape[0]
        self._agent = DQNAgent(num_actions=actions, state_shape=shape, mlp_layers=list(hidden))
        self._env.set_agents([self._agent, RandomAgent(num_actions=actions)])

    def learn(self) -> int:
        """Play one round, train the agent on its transitions, and return the number of its decisions."""
        from rlcard.utils import reorganize

        transitions = reorganize(*self._env.run(is_training=True))[0]
        with contextlib.redirect_stdout(io.StringIO()):  # RLCard prints every update
            for transition in transitions:
                self._agent.feed(transition)
        return len(transitions)

    def memory_q_values(self) -> NDArray[np.float32]:
        """Return the agent's Q of the action taken in each transition of its replay buffer, [transitions] float32."""
        memory = self._agent.memory.memory
        values = self._agent.q_estimator.predict_nograd(np.array([decision.state for decision in memory]))
        q_values: NDArray[np.float32] = values[np.arange(len(memory)), [decision.action for decision in memory]]
        return q_values

    def wins(self, games: int) -> int:
        """Play `games` rounds without learning and return the number that the agent wins."""
        return sum(self._env.run(is_training=False)[1][0] > 0 for _ in range(games))
