"""Selection of a child in tree search by upper confidence bounds: UCB1, UCB1-Tuned, PUCT and a progressive bias."""

import math

import numpy as np

from cardgames.kernels.jit import njit

UCB1, UCB_TUNED, PUCT = range(3)
SELECTIONS = {"ucb1": UCB1, "ucb-tuned": UCB_TUNED, "puct": PUCT}
CONSTANTS = {"ucb1": 5.0, "ucb-tuned": 1.0, "puct": 1.5}
"""Default exploration constant c of each selection rule; 5, for UCB1, is that of paper 001."""


@njit
def ucb1(mean, visits, trials, c):
    """Return the UCB1 bound, mean + c * sqrt(ln(trials) / visits).

    Source: Auer, Cesa-Bianchi, Fischer 2002; paper 001, equation 1.
    """
    return mean + c * math.sqrt(math.log(np.float64(trials)) / visits)


@njit
def bound(config, mean, squares, visits, trials, prior):
    """Return the upper confidence bound of an action.

    `config.select` is the rule: UCB1, UCB1-Tuned (Auer, Cesa-Bianchi, Fischer 2002, section 4) or PUCT (Silver et al.
    2017). PUCT here uses sqrt(trials + 1), so that the prior counts in the first selection. Only PUCT is defined for untried
    actions. UCB1 and UCB1-Tuned get a progressive bias (Chaslot et al. 2008): config.bias * prior / (visits + 1).

    Args:
        config: SEARCH_CONFIG record.
        mean: Mean value of the action.
        squares: Sum of the squares of the action's values.
        visits: Number of times the action was selected.
        trials: Visits of the parent node; if `config.nodes` is ALL, only those in which the action was legal.
        prior: Prior probability of the action.
    """
    if config.select == PUCT:
        return mean + config.c * prior * math.sqrt(trials + 1) / (1 + visits)
    c = config.c
    if config.select == UCB_TUNED:
        variance = squares / visits - mean * mean + math.sqrt(2 * math.log(np.float64(trials)) / visits)
        c *= math.sqrt(min(0.25, variance))
    return ucb1(mean, visits, trials, c) + config.bias * prior / (visits + 1)
