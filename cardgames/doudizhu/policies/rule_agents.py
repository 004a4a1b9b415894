"""The agents of Dou Di Zhu that do not search: each a policy of `doudizhu.policies.policy_dispatch`."""

from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core.game import Game


def random(game: Game, seed: int) -> PolicyAgent:
    """Return the random agent."""
    return PolicyAgent("random", game, seed, game.policy("random"))


def rlcard_rule(game: Game, seed: int) -> PolicyAgent:
    """Return RLCard's doudizhu-rule-v1."""
    return PolicyAgent("rlcard-rule", game, seed, game.policy("rlcard-rule"))


def rhcp(game: Game, seed: int) -> PolicyAgent:
    """Return the yardstick of paper 004, recursive hand-card partitioning."""
    return PolicyAgent("rhcp", game, seed, game.policy("rhcp"))


def frugal(game: Game, seed: int) -> PolicyAgent:
    """Return the agent that gives away as little of its hand's worth as it can."""
    return PolicyAgent("frugal", game, seed, game.policy("frugal"))
