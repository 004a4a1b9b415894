"""Agents of Dou Di Zhu without search: each plays a policy of `doudizhu.policies.policy_dispatch`."""

from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core.game import Game


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
