"""Agents of Dou Di Zhu without search: each plays a policy of `doudizhu.policies.policy_dispatch`."""

import numpy as np

from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.doudizhu.policies.policy_dispatch import BEGINNER


def random(game: Game, seed: int) -> PolicyAgent:
    """Return an agent that plays uniformly random legal actions."""
    return PolicyAgent("random", game, seed, game.policy("random"))


def rlcard_rule(game: Game, seed: int) -> PolicyAgent:
    """Return an agent that plays like RLCard's doudizhu-rule-v1."""
    return PolicyAgent("rlcard-rule", game, seed, game.policy("rlcard-rule"))


def rhcp(game: Game, seed: int) -> PolicyAgent:
    """Return an agent that plays the baseline of paper 004, recursive hand-card partitioning."""
    return PolicyAgent("rhcp", game, seed, game.policy("rhcp"))


def frugal(game: Game, seed: int) -> PolicyAgent:
    """Return an agent that plays the policy `frugal`: each move costs its hand as little value as possible."""
    return PolicyAgent("frugal", game, seed, game.policy("frugal"))


def beginner(game: Game, seed: int) -> PolicyAgent:
    """Return an agent that makes a beginner's mistakes: it breaks up groups, beats its partner and bombs at once."""
    return PolicyAgent("beginner", game, seed, Policy(np.int64(BEGINNER)))
