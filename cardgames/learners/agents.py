"""Learned policies as agents, without torch: the greatest output of a network, or a draw from their softmax."""

from functools import partial
from typing import Any

import numpy as np

from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game
from cardgames.core.network_policy import policy_weights
from cardgames.core.policy import Policy
from cardgames.core.policy_agent import PolicyAgent
from cardgames.core.shipped import shipped_names


def _follow(name: str, greedy: bool, game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that the learner `name` trained: the file `weights` or, if none is given, what comes
    with the game by that name.
    """
    if game.network_policy is None:
        raise InvalidInput(f"{name}: {game.name} has no policy that follows a network")
    if not weights and name not in shipped_names(game.weights):
        raise InvalidInput(
            f"{name} has no weights of its own yet: {name}:weights=FILE, written by `cardgames train {game.name} {name}`"
        )
    parameters = policy_weights(game, weights or name, greedy=greedy)
    return PolicyAgent(name, game, seed, Policy(np.int64(game.network_policy), parameters))


dqn, ddqn, sarsa, dmc, afdqn, candqn, afcandqn, actor_critic, rollouts = (
    partial(_follow, name, True)
    for name in ("dqn", "ddqn", "sarsa", "dmc", "afdqn", "candqn", "afcandqn", "actor-critic", "rollouts")
)
ddqn_mcts = partial(_follow, "ddqn-mcts", True)
"""Without a search, as paper 000 tests it."""
nfsp = partial(_follow, "nfsp", False)
"""An average policy plays by chance, as in RLCard."""
