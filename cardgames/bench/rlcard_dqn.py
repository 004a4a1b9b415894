"""RLCard's DQN learning Uno in RLCard's own way, to stand beside ours; needs RLCard and torch."""

import contextlib
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class RlcardDqn:
    """The agent, with RLCard's settings, and its table: it sits first, against one who plays at random."""

    def __init__(self, hidden: Sequence[int], seed: int = 0):
        """`hidden`: units of the hidden layers; `seed`: of the cards. Weights and choices are of RLCard's global random
        numbers (`rlcard.utils.set_seed`). Raises `ImportError`.
        """
        import rlcard
        from rlcard.agents import DQNAgent, RandomAgent

        self._env = rlcard.make("uno", config={"seed": seed})
        actions, shape = self._env.num_actions, self._env.state_shape[0]
        self._agent = DQNAgent(num_actions=actions, state_shape=shape, mlp_layers=list(hidden))
        self._env.set_agents([self._agent, RandomAgent(num_actions=actions)])

    def learn(self) -> int:
        """Play a round and learn from it; return how many decisions were its own."""
        from rlcard.utils import reorganize

        transitions = reorganize(*self._env.run(is_training=True))[0]
        with contextlib.redirect_stdout(io.StringIO()):  # it reports every update
            for transition in transitions:
                self._agent.feed(transition)
        return len(transitions)

    def memory_q_values(self) -> NDArray[np.float32]:
        """Return what it takes the decisions to be worth that it remembers: Q of what it did in each."""
        memory = self._agent.memory.memory
        values = self._agent.q_estimator.predict_nograd(np.array([decision.state for decision in memory]))
        q_values: NDArray[np.float32] = values[np.arange(len(memory)), [decision.action for decision in memory]]
        return q_values

    def wins(self, games: int) -> int:
        """Return how many games it wins without learning."""
        return sum(self._env.run(is_training=False)[1][0] > 0 for _ in range(games))
