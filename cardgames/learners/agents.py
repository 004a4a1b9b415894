"""Learned policies as agents, without torch: the greatest output of a network, or a draw from their softmax."""

import time
from dataclasses import replace
from functools import partial

import numpy as np

from cardgames.core import ops
from cardgames.core.decision import Decision, Limit
from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game
from cardgames.core.network import Mlp
from cardgames.core.network_policy import policy_weights
from cardgames.core.observation import Observation
from cardgames.core.policy import Policy
from cardgames.core.policy_agent import PolicyAgent
from cardgames.core.shipped import named_network, shipped_names
from cardgames.search.report import ActionStatistics, SearchReport


class NetworkAgent(PolicyAgent):
    """Plays the policy of a network, and says what that makes of every action: its Q, or how likely it is to be drawn."""

    def __init__(self, name: str, game: Game, seed: int, policy: Policy, network: Mlp):
        super().__init__(name, game, seed, policy)
        self._network = network
        self._which, shape = game.encodings[network.encoding]
        self._inputs = np.zeros(int(np.prod(shape)), np.int8)

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Decide at once; `limit` does not matter. The value is the greatest Q, or the critic's where there is one."""
        decision, started = super().act(observation, limit), time.perf_counter()
        known = [action for action in observation.legal_actions if action < self._network.sizes[-1]]
        if len(observation.legal_actions) == 1 or not known:
            return decision
        actions, value = self._opinion(observation, known)
        report = SearchReport(self.name, observation.player, 0, time.perf_counter() - started, actions)
        return replace(decision, value=value, report=report)

    def _opinion(self, observation: Observation, known: list[int]) -> tuple[tuple[ActionStatistics, ...], float | None]:
        """Return what the network makes of the actions `known` to it, the best first, and of the position."""
        rules, network = self._game.kernel_rules, self._network
        naming = ops.encode(rules, observation.record, observation.player, self._which, self._inputs)
        outputs = network(self._inputs[None])[0, [ops.renamed(rules, naming, action) for action in known]]
        values: list[float | None] = [None] * len(known)
        priors, value = list(values), None
        if network.has_logits:
            chances = np.exp(outputs - outputs.max())
            priors = (chances / chances.sum()).tolist()
            if network.critic is not None:
                value = self._worth(network.judge(self._inputs[None])[0, 0])
        else:
            values = [self._worth(q) for q in outputs]
            value = self._worth(outputs.max())
        words = [self._game.action_to_string(action, observation) for action in known]
        return tuple(
            ActionStatistics(known[i], words[i], 0, values[i], None, priors[i])
            for i in np.argsort(-outputs, kind="stable")
        ), value

    def _worth(self, output: np.float32) -> float:
        """Return a Q or V in [0, 1]."""
        low, high = self._network.reward
        return min(1.0, max(0.0, (float(output) - low) / (high - low)))


def _follow(name: str, greedy: bool, game: Game, seed: int, weights: str = "") -> NetworkAgent:
    """Return the player of a network that the learner `name` trained: the file `weights` or, if none is given, what comes
    with the game by that name.
    """
    if game.network_policy is None:
        raise InvalidInput(f"{name}: {game.name} has no policy that follows a network")
    if not weights and name not in shipped_names(game.weights):
        raise InvalidInput(
            f"{name} has no weights of its own yet: {name}:weights=FILE, written by `cardgames train {game.name} {name}`"
        )
    network = named_network(game, weights or name)
    if network.algorithm not in ("", name):
        raise InvalidInput(f"{weights}: {network.algorithm} trained the network: {network.algorithm}:weights={weights}")
    parameters = policy_weights(game, weights or name, greedy=greedy)
    return NetworkAgent(name, game, seed, Policy(np.int64(game.network_policy), parameters), network)


dqn, ddqn, sarsa, dmc, afdqn, candqn, afcandqn, actor_critic, rollouts = (
    partial(_follow, name, True)
    for name in ("dqn", "ddqn", "sarsa", "dmc", "afdqn", "candqn", "afcandqn", "actor-critic", "rollouts")
)
ddqn_mcts = partial(_follow, "ddqn-mcts", True)
"""Without a search, as paper 000 tests it."""
nfsp = partial(_follow, "nfsp", False)
"""An average policy plays by chance, as in RLCard."""
