"""The ways to play that need no search, as one kernel: the verb `policy`."""

import numpy as np

from cardgames.core import ops
from cardgames.core.bits import nth_bit, popcount
from cardgames.core.jit import njit
from cardgames.core.rng import below
from cardgames.doudizhu.auction import sayable
from cardgames.doudizhu.pick import random_lead, random_reply
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import PLAY

RANDOM = 0
"""Uniform over the legal action ids."""

POLICIES = {"random": RANDOM}
"""The policies that can play a simulation out, by name."""


@njit
def random_word(rules, state, rng):
    """Return a random one of the things that may be said now."""
    words = sayable(rules, state)
    return nth_bit(words, below(rng, popcount(words)))


@njit
def random_action(rules, state, rng):
    """Return a uniformly random legal action."""
    if state.phase != PLAY:
        return random_word(rules, state, rng)
    hand, last = state.hands[state.to_move], np.int64(state.last)
    return random_lead(rules, hand, rng) if last == 0 else random_reply(rules, hand, last, rng)


@ops.policy.register(DOUDIZHU_RULES)
@njit
def policy(rules, state, which, weights, rng):
    """Dou Di Zhu's verb `policy`; `which` is one of this module's constants."""
    return np.int64(random_action(rules, state, rng))
