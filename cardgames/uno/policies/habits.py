"""Habits: the play of people of little experience, as hand-made scores and things that they forget.

A style is the array of parameters of the policy `HABITS` (`uno.policies.rule_policies`): weights of the linear policy
(`uno.policies.linear_policy`), whose greatest score it plays, then one number for each of `FLAGS`.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.support.errors import unknown_name
from cardgames.uno.policies.linear_policy import ACTION_TYPES, FEATURES, NUM_WEIGHTS
from cardgames.uno.policies.linear_weights import linear_weights

FLAGS = ("forgets-uno", "forgets-to-catch", "names-blindly")
"""Habits outside the choice of a card.

The probabilities of forgetting to call uno and to catch others, and 1 if it names a random color for a wild.
"""
FORGETS_UNO, FORGETS_TO_CATCH, NAMES_BLINDLY = range(NUM_WEIGHTS, NUM_WEIGHTS + len(FLAGS))
"""Indices of the flags in the parameters of a style."""

STYLES: Mapping[str, str] = {
    "beginner": "keeps action cards and wilds to the end, names colors blindly, forgets uno half of the time",
    "casual": "plays action cards as soon as it can, often forgets uno, and never catches others",
    "careful": "plays its own hand well, but looks neither at the others' hands nor at the discards",
}
"""Name of a style -> its description, from the weakest to the strongest."""

_KEEPING = ("number", "reverse", "skip", "draw-two", "wild", "wild-four")
_HASTY = ("draw-two", "skip", "reverse", "number", "wild", "wild-four")
_ABOUT_OTHERS = ("next-short", "others-short", "unseen-color")


def style_parameters(game: Game, style: str) -> NDArray[np.float32]:
    """Return the parameters `[NUM_WEIGHTS + len(FLAGS)] float32` of a style.

    `careful` has the pretrained linear weights for the game, without those of features of other hands and discards.

    Raises:
        InvalidInput: If there is no such style.
    """
    if style not in STYLES:
        raise unknown_name("value of option style", style, STYLES)
    if style == "beginner":
        return _parameters(_ordered(_KEEPING), forgets_uno=0.5, forgets_to_catch=1.0, names_blindly=1.0)
    if style == "casual":
        return _parameters(_ordered(_HASTY, same_color=1.0), forgets_uno=0.35, forgets_to_catch=1.0)
    weights = linear_weights(game).reshape(len(ACTION_TYPES), len(FEATURES)).copy()
    weights[:, [FEATURES.index(feature) for feature in _ABOUT_OTHERS]] = 0.0
    return _parameters(weights)


def _ordered(order: tuple[str, ...], same_color: float = 0.0) -> NDArray[np.float32]:
    """Return linear weights [types, features] that play the types of card in this order, the first one in front.

    Neighbors in the order differ by a score of 1; drawing and passing have score 0. `same_color` is the weight of
    cards that have the color then in force.
    """
    weights = np.zeros((len(ACTION_TYPES), len(FEATURES)), np.float32)
    weights[:, FEATURES.index("same-color")] = same_color
    for place, kind in enumerate(order):
        weights[ACTION_TYPES.index(kind), FEATURES.index("bias")] = len(order) - place
    return weights


def _parameters(
    weights: NDArray[np.float32], forgets_uno: float = 0.0, forgets_to_catch: float = 0.0, names_blindly: float = 0.0
) -> NDArray[np.float32]:
    return np.concatenate([weights.ravel(), [forgets_uno, forgets_to_catch, names_blindly]]).astype(np.float32)
