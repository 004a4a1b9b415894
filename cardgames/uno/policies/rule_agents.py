"""The agents of Uno that do not search: each a policy of `uno.policies.rule_policies` with its own random stream."""

import numpy as np

from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core.game import Game
from cardgames.core.policy import Policy
from cardgames.support.errors import unknown_name
from cardgames.uno.policies.linear_weights import linear_weights
from cardgames.uno.policies.rule_policies import (
    LINEAR,
    LINEAR_BEST,
    RANDOM,
    RANDOM_BY_CARD,
    REFLEX,
    REFLEX_RANDOM_COLOR,
)


def _policy_for_option(option: str, value: str, allowed: dict[str, int]) -> Policy:
    if value not in allowed:
        raise unknown_name(f"value of {option}", value, allowed)
    return Policy(np.int64(allowed[value]))


def random(game: Game, seed: int, by: str = "actions") -> PolicyAgent:
    """Return the random agent; `by` is `actions` or `copies`."""
    return PolicyAgent(
        "random", game, seed, _policy_for_option("by", by, {"actions": RANDOM, "copies": RANDOM_BY_CARD})
    )


def reflex(game: Game, seed: int, color: str = "most") -> PolicyAgent:
    """Return paper 001's reflex agent; `color` is what a wild names: `most` or `random`."""
    return PolicyAgent(
        "reflex", game, seed, _policy_for_option("color", color, {"most": REFLEX, "random": REFLEX_RANDOM_COLOR})
    )


def rlcard_rule(game: Game, seed: int) -> PolicyAgent:
    """Return RLCard's uno-rule-v1."""
    return PolicyAgent("rlcard-rule", game, seed, game.policy("rlcard-rule"))


def human_rule(game: Game, seed: int) -> PolicyAgent:
    """Return paper 002's Human, as its text describes it."""
    return PolicyAgent("human-rule", game, seed, game.policy("human-rule"))


def linear(game: Game, seed: int, play: str = "best", weights: str = "") -> PolicyAgent:
    """Return the agent with linear scores; `play` is `best` or `softmax`, `weights` a file of its own."""
    policy_id = _policy_for_option("play", play, {"best": LINEAR_BEST, "softmax": LINEAR}).policy_id
    return PolicyAgent("linear", game, seed, Policy(policy_id, linear_weights(game, weights or None)))
