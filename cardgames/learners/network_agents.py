"""Agents that play by a network: by its greatest output, or by a draw from the softmax of its outputs."""

import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Decision, Limit
from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.policy_record import Policy
from cardgames.learners.networks.losses import Floats, softmax
from cardgames.networks.network import Mlp
from cardgames.search.report import ActionStatistics, SearchReport


class NetworkAgent(PolicyAgent):
    """Agent of a network policy; it reports Q, or the probability from the logits, of each action with an output."""

    def __init__(self, name: str, game: Game, seed: int, network: Mlp, policy: Policy, *, greedy: bool):
        super().__init__(name, game, seed, policy)
        self._network, self._greedy = network, greedy
        self._encoding = game.network_encoding(network.encoding)

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Decide at once; `limit` is ignored. The decision's value comes from the greatest Q, or from the critic."""
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
        """Return the legal actions that have an output, their outputs, and the position's value in [0, 1].

        Return None if no legal action has an output.
        """
        scored_actions = [action for action in observation.legal_actions if action < self._network.sizes[-1]]
        if not scored_actions:
            return None
        inputs, output_indices = self._encoded(observation, scored_actions)
        outputs = self._network(inputs)[0, output_indices]
        return scored_actions, outputs, self._value(inputs, outputs, output_indices)

    def _encoded(self, observation: Observation, scored_actions: list[int]) -> tuple[NDArray[np.int8], list[int]]:
        """Encode the observation ([1, inputs] int8), and return it with the output index of each action."""
        rules, inputs = self._game.kernel_rules, self._new_inputs(1)
        symmetry_id = ops.encode(rules, observation.record, observation.player, self._encoding.encoding_id, inputs[0])
        return inputs, [int(ops.apply_symmetry(rules, symmetry_id, action)) for action in scored_actions]

    def _new_inputs(self, rows: int) -> NDArray[np.int8]:
        """Return zeros for `rows` encoded inputs."""
        return np.zeros((rows, self._encoding.inputs), np.int8)

    def _value(self, inputs: NDArray[np.int8], outputs: Floats, output_indices: list[int]) -> float | None:
        """Return the position's value in [0, 1]; None for a policy network without critic or Q network."""
        network = self._network
        if not network.has_logits:
            q = outputs.max()
        elif network.q is not None:
            q = network.q(inputs)[0, output_indices].max()
        elif network.critic is not None:
            q = network.value_network(inputs)[0, 0]
        else:
            return None
        return self._win_probability(q)

    def _win_probability(self, q: float) -> float:
        """Scale a Q or V to [0, 1] and clip it."""
        return min(1.0, max(0.0, self._normalized_reward(q)))

    def _rows(
        self, observation: Observation, scored_actions: list[int], outputs: Floats
    ) -> tuple[ActionStatistics, ...]:
        """Return one row of statistics per action, by descending output."""
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
        """Scale a Q or V so that a lost round is 0 and a won one 1."""
        low, high = self._network.reward
        return (float(output) - low) / (high - low)


class ChoiceAgent(NetworkAgent):
    """Agent of an action-input network: the action is part of the input, the only output is its Q."""

    def _score_actions(self, observation: Observation) -> tuple[list[int], Floats, float | None] | None:
        """Return all legal actions, their Q, and the value of the best; None in a phase without an encoding."""
        rules, scored_actions = self._game.kernel_rules, list(observation.legal_actions)
        inputs, actions = self._new_inputs(len(scored_actions)), np.array(scored_actions, np.int32)
        if not ops.encode_actions(
            rules, observation.record, observation.player, self._encoding.encoding_id, actions, inputs
        ):
            return None
        outputs = self._network(inputs)[:, 0]
        return scored_actions, outputs, self._win_probability(float(outputs.max()))
