"""Agents that follow a network: the greatest of its outputs, or a draw from their softmax."""

import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Decision, Limit
from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.policy import Policy
from cardgames.learners.networks.losses import Floats, softmax
from cardgames.networks.network import Mlp
from cardgames.search.report import ActionStatistics, SearchReport


class NetworkAgent(PolicyAgent):
    """Plays the policy of a network, and says what the network makes of the actions it has an output for: their Q, or the
    probabilities its logits give them.
    """

    def __init__(self, name: str, game: Game, seed: int, network: Mlp, policy: Policy, *, greedy: bool):
        super().__init__(name, game, seed, policy)
        self._network, self._greedy = network, greedy
        self._encoding = game.network_encoding(network.encoding)

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Decide at once; `limit` does not matter. The value is the greatest Q, or the critic's."""
        started = time.perf_counter()
        decision = super().act(observation, limit)
        scored = self._score_actions(observation) if len(observation.legal_actions) > 1 else None
        if scored is None:
            return decision
        scored_actions, outputs, value = scored
        rows = self._rows(observation, scored_actions, outputs)
        report = SearchReport(self.name, observation.player, 0, time.perf_counter() - started, rows)
        greedy = {decision.action: 1.0}
        policy = greedy if self._greedy else {row.action: row.prior or 0.0 for row in rows}
        return replace(decision, policy=policy, value=value, report=report)

    def _score_actions(self, observation: Observation) -> tuple[list[int], Floats, float | None] | None:
        """Return the legal actions that have an output, these outputs, and what the position is worth, in [0, 1]; None if
        there are none.
        """
        scored_actions = [action for action in observation.legal_actions if action < self._network.sizes[-1]]
        if not scored_actions:
            return None
        inputs, names = self._encoded(observation, scored_actions)
        outputs = self._network(inputs)[0, names]
        return scored_actions, outputs, self._value(inputs, outputs, names)

    def _encoded(self, observation: Observation, scored_actions: list[int]) -> tuple[NDArray[np.int8], list[int]]:
        """Return what the mover sees, as the network does ([1, inputs]), and the output of each of the actions."""
        rules, inputs = self._game.kernel_rules, self._new_inputs(1)
        symmetry_id = ops.encode(rules, observation.record, observation.player, self._encoding.encoding_id, inputs[0])
        return inputs, [int(ops.apply_symmetry(rules, symmetry_id, action)) for action in scored_actions]

    def _new_inputs(self, rows: int) -> NDArray[np.int8]:
        """Return room for so many rows of inputs."""
        return np.zeros((rows, self._encoding.inputs), np.int8)

    def _value(self, inputs: NDArray[np.int8], outputs: Floats, names: list[int]) -> float | None:
        """Return what the encoded position is worth, in [0, 1]; None if a policy has nothing beside it that judges."""
        network = self._network
        if not network.has_logits:
            q = outputs.max()
        elif network.q is not None:
            q = network.q(inputs)[0, names].max()
        elif network.critic is not None:
            q = network.value_network(inputs)[0, 0]
        else:
            return None
        return self._win_probability(q)

    def _win_probability(self, q: float) -> float:
        """Return a Q or V as a value in [0, 1]."""
        return min(1.0, max(0.0, self._normalized_reward(q)))

    def _rows(
        self, observation: Observation, scored_actions: list[int], outputs: Floats
    ) -> tuple[ActionStatistics, ...]:
        """Return what the outputs say of the actions, the greatest first."""
        values: list[float | None] = [None] * len(scored_actions)
        priors = values
        if self._network.has_logits:
            priors = softmax(outputs[None])[0].tolist()
        else:
            values = [self._normalized_reward(output) for output in outputs]
        texts = [self._game.action_to_string(action, observation) for action in scored_actions]
        ranked = np.argsort(-outputs, kind="stable")
        return tuple(ActionStatistics(scored_actions[i], texts[i], 0, values[i], None, priors[i]) for i in ranked)

    def _normalized_reward(self, output: float) -> float:
        """Return a Q or V with 0 for a lost and 1 for a won round."""
        low, high = self._network.reward
        return (float(output) - low) / (high - low)


class ChoiceAgent(NetworkAgent):
    """The same, of a network that judges one action at a time."""

    def _score_actions(self, observation: Observation) -> tuple[list[int], Floats, float | None] | None:
        """Return all legal actions with their Q, and the greatest of these; None in a phase the network knows nothing of."""
        rules, scored_actions = self._game.kernel_rules, list(observation.legal_actions)
        inputs, actions = self._new_inputs(len(scored_actions)), np.array(scored_actions, np.int32)
        if not ops.encode_actions(
            rules, observation.record, observation.player, self._encoding.encoding_id, actions, inputs
        ):
            return None
        outputs = self._network(inputs)[:, 0]
        return scored_actions, outputs, self._win_probability(float(outputs.max()))
