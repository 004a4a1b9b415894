"""Agents that play by a network: they take the action with the greatest output, or draw one from the softmax."""

import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Decision, Limit
from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.core.observation import Observation
from cardgames.learners.networks.losses import Floats, softmax
from cardgames.networks.network import Mlp
from cardgames.search.report import ActionStatistics, SearchReport


class NetworkAgent(PolicyAgent):
    """Agent that plays by a network with an output per action, and reports the Q or softmax probability of each action."""

    def __init__(self, name: str, game: Game, seed: int, network: Mlp, policy: Policy, *, greedy: bool):
        super().__init__(name, game, seed, policy)
        self._network, self._greedy = network, greedy
        self._encoding = game.network_encoding(network.encoding)

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Choose an action by the network alone, without search; `limit` is ignored.

        The decision's `value` is the greatest Q or, for a policy network, the critic's value, scaled to [0, 1].
        """
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
        """Return the legal actions that have a network output, these outputs, and the position's value in [0, 1].

        The value is None for a policy network without a critic. Return None if no legal action has an output.
        """
        scored_actions = [action for action in observation.legal_actions if action < self._network.sizes[-1]]
        if not scored_actions:
            return None
        inputs, output_indices = self._encoded(observation, scored_actions)
        outputs = self._network(inputs)[0, output_indices]
        return scored_actions, outputs, self._value(inputs, outputs, output_indices)

    def _encoded(self, observation: Observation, scored_actions: list[int]) -> tuple[NDArray[np.int8], list[int]]:
        """Return the encoded observation ([1, inputs] int8), and the network output index of each of `scored_actions`.

        The index differs from the action's id where the encoding canonicalizes the position
        (`core.ops.apply_symmetry`).
        """
        rules, inputs = self._game.kernel_rules, self._new_inputs(1)
        symmetry_id = ops.encode(rules, observation.record, observation.player, self._encoding.encoding_id, inputs[0])
        return inputs, [int(ops.apply_symmetry(rules, symmetry_id, action)) for action in scored_actions]

    def _new_inputs(self, rows: int) -> NDArray[np.int8]:
        """Return zeros for `rows` encoded inputs of the network ([rows, inputs] int8)."""
        return np.zeros((rows, self._encoding.inputs), np.int8)

    def _value(self, inputs: NDArray[np.int8], outputs: Floats, output_indices: list[int]) -> float | None:
        """Return the position's value in [0, 1]: the greatest Q of the scored actions or, without Q, the critic's value.

        Return None for a policy network that has neither a critic nor an attached Q network.
        """
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
        """Scale a Q or a state value so that the reward of a lost round is 0 and that of a won one 1; clip to [0, 1]."""
        return min(1.0, max(0.0, self._normalized_reward(q)))

    def _rows(
        self, observation: Observation, scored_actions: list[int], outputs: Floats
    ) -> tuple[ActionStatistics, ...]:
        """Return one `ActionStatistics` per action (text, Q or softmax probability, no visits), by descending output."""
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
        """Scale a Q or a state value linearly: the reward of a lost round becomes 0, that of a won round 1."""
        low, high = self._network.reward
        return (float(output) - low) / (high - low)


class ChoiceAgent(NetworkAgent):
    """Agent of an action-input network.

    The network's input is an observation together with one legal action; its only output is the Q of that action.
    """

    def _score_actions(self, observation: Observation) -> tuple[list[int], Floats, float | None] | None:
        """Return all legal actions, their Q, and the greatest Q scaled to [0, 1].

        Return None in a phase of the game that the network's encoding does not cover.
        """
        rules, scored_actions = self._game.kernel_rules, list(observation.legal_actions)
        inputs, actions = self._new_inputs(len(scored_actions)), np.array(scored_actions, np.int32)
        if not ops.encode_actions(
            rules, observation.record, observation.player, self._encoding.encoding_id, actions, inputs
        ):
            return None
        outputs = self._network(inputs)[:, 0]
        return scored_actions, outputs, self._win_probability(float(outputs.max()))
