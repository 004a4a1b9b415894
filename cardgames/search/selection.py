"""Which child of a node a simulation goes on to: upper confidence bounds, with or without a prior."""

import math

import numpy as np

from cardgames.kernels.jit import njit

UCB1, UCB_TUNED, PUCT = range(3)
SELECTIONS = {"ucb1": UCB1, "ucb-tuned": UCB_TUNED, "puct": PUCT}
CONSTANTS = {"ucb1": 5.0, "ucb-tuned": 1.0, "puct": 1.5}
"""The exploration constant of each, unless another is given; 5 is paper 001's."""


@njit
def ucb1(mean, visits, trials, c):
    """Return the upper confidence bound of Auer, Cesa-Bianchi, Fischer 2002 (paper 001, equation 1)."""
    return mean + c * math.sqrt(math.log(np.float64(trials)) / visits)


@njit
def bound(config, mean, squares, visits, trials, prior):
    """Return the upper confidence bound of an action tried `visits` times in `trials` choices; `mean` is that of its
    values, `squares` the sum of their squares.

    `config.select`: UCB1, UCB-tuned (the same paper, section 4), or PUCT (Silver et al. 2017; the root of one more than
    `trials`, so that a first choice heeds the prior), which alone is defined for actions not tried yet. `config.bias` adds
    a progressive bias (Chaslot et al. 2008): bias * prior / (visits + 1).
    """
    if config.select == PUCT:
        return mean + config.c * prior * math.sqrt(trials + 1) / (1 + visits)
    c = config.c
    if config.select == UCB_TUNED:
        variance = squares / visits - mean * mean + math.sqrt(2 * math.log(np.float64(trials)) / visits)
        c *= math.sqrt(min(0.25, variance))
    return ucb1(mean, visits, trials, c) + config.bias * prior / (visits + 1)
