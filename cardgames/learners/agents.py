"""Learned policies as agents, without torch: the greatest output of a network, inside kernels, or its softmax."""

from functools import partial
from typing import Any

import numpy as np

from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game
from cardgames.core.greedy import greedy_weights
from cardgames.core.policy import Policy
from cardgames.core.policy_agent import PolicyAgent
from cardgames.core.shipped import shipped_names
from cardgames.learners.softmax_agent import SoftmaxAgent


def _greedy(name: str, game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that the learner `name` trained."""
    if game.network_policy is None:
        raise InvalidInput(f"{name}: {game.name} has no policy that follows a network")
    file = _file(name, game, weights)
    return PolicyAgent(name, game, seed, Policy(np.int64(game.network_policy), greedy_weights(game, file)))


def _file(name: str, game: Game, weights: str) -> str:
    """Return the network to play: the file `weights` or, if none is given, what comes with the game by that name."""
    if not weights and name not in shipped_names(game.weights):
        raise InvalidInput(
            f"{name} has no weights of its own yet: {name}:weights=FILE, written by `cardgames train {game.name} {name}`"
        )
    return weights or name


def nfsp(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of the average policy that neural fictitious self-play trained."""
    return SoftmaxAgent("nfsp", game, seed, _file("nfsp", game, weights))


dqn, ddqn, sarsa, dmc, afdqn, candqn, afcandqn, actor_critic, rollouts = (
    partial(_greedy, name)
    for name in ("dqn", "ddqn", "sarsa", "dmc", "afdqn", "candqn", "afcandqn", "actor-critic", "rollouts")
)
ddqn_mcts = partial(_greedy, "ddqn-mcts")
"""Without a search, as paper 000 tests it."""
