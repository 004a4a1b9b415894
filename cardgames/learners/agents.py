"""Learned policies as agents, without torch: the greatest Q of a network, inside kernels, or its softmax."""

from typing import Any

import numpy as np

from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game
from cardgames.core.greedy import greedy_weights
from cardgames.core.policy import Policy
from cardgames.core.policy_agent import PolicyAgent
from cardgames.learners.softmax_agent import SoftmaxAgent


def _greedy(name: str, game: Game, seed: int, weights: str) -> Any:
    if game.network_policy is None:
        raise InvalidInput(f"{name}: {game.name} has no policy that follows a network")
    _demand(name, game, weights)
    return PolicyAgent(name, game, seed, Policy(np.int64(game.network_policy), greedy_weights(game, weights)))


def _demand(name: str, game: Game, weights: str) -> None:
    if not weights:
        raise InvalidInput(
            f"{name} has no weights of its own yet: {name}:weights=FILE, written by `cardgames train {game.name} {name}`"
        )


def dqn(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that DQN trained."""
    return _greedy("dqn", game, seed, weights)


def ddqn(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that Double DQN trained."""
    return _greedy("ddqn", game, seed, weights)


def sarsa(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that Deep SARSA trained."""
    return _greedy("sarsa", game, seed, weights)


def dmc(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that deep Monte Carlo trained."""
    return _greedy("dmc", game, seed, weights)


def ddqn_mcts(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that DDQN with MCTS trained, without a search, as paper 000 tests it."""
    return _greedy("ddqn-mcts", game, seed, weights)


def nfsp(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of the average policy that neural fictitious self-play trained."""
    _demand("nfsp", game, weights)
    return SoftmaxAgent("nfsp", game, seed, weights)


def afdqn(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that AFDQN trained."""
    return _greedy("afdqn", game, seed, weights)


def candqn(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that CANDQN trained."""
    return _greedy("candqn", game, seed, weights)


def afcandqn(game: Game, seed: int, weights: str = "") -> Any:
    """Return the player of a network that AFDQN and CANDQN in one trained."""
    return _greedy("afcandqn", game, seed, weights)
