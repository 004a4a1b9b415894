"""Learned policies as agents, without torch: the greatest output of a network, or a draw from their softmax."""

from functools import partial

import numpy as np

from cardgames.agents.agent_factory import available
from cardgames.core.game import Game
from cardgames.core.policy import Policy
from cardgames.learners.network_agents import ChoiceAgent, NetworkAgent
from cardgames.networks.network import LOGITS, Mlp
from cardgames.networks.network_policy import policy_weights
from cardgames.networks.pretrained import load_named_network, pretrained_names
from cardgames.support.errors import InvalidInput


def _network_agent(name: str, game: Game, seed: int, weights: str = "", *, greedy: bool = True) -> NetworkAgent:
    """Return the player of a network that the learner `name` trained: the file `weights` or, if none is given, what comes
    with the game by that name.
    """
    if game.networks is None:
        raise InvalidInput(f"{name}: {game.name} has no policy that follows a network")
    if not weights and name not in pretrained_names(game.networks.folder):
        raise InvalidInput(
            f"{name} has no weights of its own yet: {name}:weights=FILE, written by `cardgames train {game.name} {name}`"
        )
    network = load_named_network(game, weights or name)
    trained_by = network.algorithm
    if trained_by != name and trained_by in available(game.name):
        raise InvalidInput(f"{weights}: {trained_by} trained this network: play it as {trained_by}:weights={weights}")
    if name in LOGITS and not network.has_logits:
        raise InvalidInput(
            f"{weights}: its algorithm is {trained_by!r}, so its outputs are Q: {name} follows a policy's logits"
        )
    parameters = policy_weights(game, weights or name, greedy=greedy)
    agent_class = _agent_class(game, network)
    return agent_class(name, game, seed, network, Policy(np.int64(game.networks.policy_id), parameters), greedy=greedy)


def _agent_class(game: Game, network: Mlp) -> type[NetworkAgent]:
    """Return what follows this network."""
    if network.combination is None:
        return ChoiceAgent if game.action_encodings else NetworkAgent
    # here, so that agents of other games do not wait for all of Dou Di Zhu
    from cardgames.learners.combination_agent import CombinationAgent

    return CombinationAgent


dqn = partial(_network_agent, "dqn")
ddqn = partial(_network_agent, "ddqn")
sarsa = partial(_network_agent, "sarsa")
dmc = partial(_network_agent, "dmc")
afdqn = partial(_network_agent, "afdqn")
candqn = partial(_network_agent, "candqn")
afcandqn = partial(_network_agent, "afcandqn")
actor_critic = partial(_network_agent, "actor-critic")
cql = partial(_network_agent, "cql")
ddqn_mcts = partial(_network_agent, "ddqn-mcts")
"""Without a search, as paper 000 tests it."""
nfsp = partial(_network_agent, "nfsp", greedy=False)
"""An average policy plays by chance, as in RLCard."""
