"""Agents of Uno that do not search: each plays a policy of `uno.policies.rule_policies` with its own random stream."""

from typing import Annotated

import numpy as np

from cardgames.agents.option_defaults import DerivedDefault
from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.support.errors import unknown_name
from cardgames.uno.policies.habits import style_parameters
from cardgames.uno.policies.linear_weights import linear_weights
from cardgames.uno.policies.rule_policies import (
    HABITS,
    LINEAR,
    LINEAR_BEST,
    RANDOM,
    RANDOM_BY_CARD,
    REFLEX,
    REFLEX_RANDOM_COLOR,
)


def _policy_for_option(option: str, value: str, allowed: dict[str, int]) -> Policy:
    """Return the policy for the `value` of an agent's `option`; `allowed` maps values to policy ids."""
    if value not in allowed:
        raise unknown_name(f"value of option {option}", value, allowed)
    return Policy(np.int64(allowed[value]))


def random(game: Game, seed: int, by: str = "actions") -> PolicyAgent:
    """Return an agent that plays at random.

    Args:
        game: Game to play.
        seed: Seed of the agent's random stream.
        by: `actions` for a uniform choice of legal actions, `copies` if a card held twice is twice as likely.

    Raises:
        InvalidInput: If `by` has another value.
    """
    return PolicyAgent(
        "random", game, seed, _policy_for_option("by", by, {"actions": RANDOM, "copies": RANDOM_BY_CARD})
    )


def reflex(game: Game, seed: int, color: str = "most") -> PolicyAgent:
    """Return paper 001's reflex agent.

    It plays a number if it can, else a symbol, else a wild, else a wild draw four; else it draws.

    Args:
        game: Game to play.
        seed: Seed of the agent's random stream.
        color: Color that it names for a wild: `most` for the one it holds most of, or `random`.

    Raises:
        InvalidInput: If `color` has another value.
    """
    return PolicyAgent(
        "reflex", game, seed, _policy_for_option("color", color, {"most": REFLEX, "random": REFLEX_RANDOM_COLOR})
    )


def rlcard_rule(game: Game, seed: int) -> PolicyAgent:
    """Return RLCard's agent uno-rule-v1.

    It plays a wild draw four if it can, else a random colored card, else any legal action.
    """
    return PolicyAgent("rlcard-rule", game, seed, game.policy("rlcard-rule"))


def human_rule(game: Game, seed: int) -> PolicyAgent:
    """Return paper 002's agent Human, as its text describes it: a wild draw four if it can, else any legal action."""
    return PolicyAgent("human-rule", game, seed, game.policy("human-rule"))


def linear(
    game: Game, seed: int, play: str = "best", weights: Annotated[str, DerivedDefault("the pretrained weights")] = ""
) -> PolicyAgent:
    """Return an agent that plays the linear policy, which scores actions by a weighted sum of features.

    Args:
        game: Game to play.
        seed: Seed of the agent's random stream.
        play: `best` for the action of greatest score, or `softmax` for a sample.
        weights: File of weights; empty for those that come with the package.

    Raises:
        InvalidInput: If `play` has another value or the file has no weights for this game.
    """
    policy_id = _policy_for_option("play", play, {"best": LINEAR_BEST, "softmax": LINEAR}).policy_id
    return PolicyAgent("linear", game, seed, Policy(policy_id, linear_weights(game, weights or None)))


def habits(game: Game, seed: int, style: str = "beginner") -> PolicyAgent:
    """Return an agent with the habits of a player of little experience (`uno.policies.habits`).

    Args:
        game: Game to play.
        seed: Seed of the agent's random stream.
        style: Key of `uno.policies.habits.STYLES`.

    Raises:
        InvalidInput: If there is no such style.
    """
    return PolicyAgent("habits", game, seed, Policy(np.int64(HABITS), style_parameters(game, style)))
