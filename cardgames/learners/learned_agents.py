"""Agents that play by a trained network, one agent for each learning algorithm; they need no torch.

Every agent takes the legal action with the greatest network output, except `nfsp`: it draws an action from the softmax
of the logits.
"""

from functools import partial
from typing import Annotated

import numpy as np

from cardgames.agents.agent_factory import available
from cardgames.agents.option_defaults import DerivedDefault
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.learners.network_agents import ChoiceAgent, NetworkAgent
from cardgames.networks.network import LOGITS, Mlp
from cardgames.networks.network_policy import policy_weights
from cardgames.networks.pretrained import load_named_network, pretrained_names
from cardgames.support.errors import InvalidInput

_Weights = Annotated[str, DerivedDefault("the pretrained network, if there is one")]


def _network_agent(name: str, game: Game, seed: int, weights: _Weights = "", *, greedy: bool = True) -> NetworkAgent:
    """Return the agent that plays by a network trained with the algorithm `name`.


    Args:
        name: Name of the algorithm, such as "dqn".
        game: Game to play.
        seed: Seed of the agent's random draws.
        weights: Network file; empty for the pretrained network `name` of the game.
        greedy: Take the action with the greatest output; otherwise draw from the softmax of the outputs.

    Raises:
        InvalidInput: The game has no network policy, there is no pretrained network, or the network is of another algorithm.
    """
    if game.networks is None:
        raise InvalidInput(f"{name}: {game.name} has no network policy")
    if not weights and name not in pretrained_names(game.networks.folder):
        raise InvalidInput(
            f"{name} has no pretrained network: use {name}:weights=FILE, written by `cardgames train {game.name} {name}`"
        )
    network = load_named_network(game, weights or name)
    trained_by = network.algorithm
    if trained_by != name and trained_by in available(game.name):
        raise InvalidInput(f"{weights}: {trained_by} trained this network: play it as {trained_by}:weights={weights}")
    if name in LOGITS and not network.has_logits:
        raise InvalidInput(
            f"{weights}: {trained_by!r} trained this network, so its outputs are Q values: {name} needs logits"
        )
    parameters = policy_weights(game, weights or name, greedy=greedy)
    agent_class = _agent_class(game, network)
    return agent_class(name, game, seed, network, Policy(np.int64(game.networks.policy_id), parameters), greedy=greedy)


def _agent_class(game: Game, network: Mlp) -> type[NetworkAgent]:
    """Return the agent class that suits a network.

    It is `CombinationAgent` for a network with heads (combinational Q-learning), `ChoiceAgent` if the action is part of
    the input, else `NetworkAgent`.
    """
    if not network.heads:
        return ChoiceAgent if game.action_encodings else NetworkAgent
    # imported here: agents of other games need not load Dou Di Zhu
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
"""Agent of a network trained by `ddqn-mcts`; it plays without a tree search, as in the tests of paper 000."""
nfsp = partial(_network_agent, "nfsp", greedy=False)
"""Agent of a network trained by `nfsp`; it draws its actions from the average policy, as in RLCard."""
