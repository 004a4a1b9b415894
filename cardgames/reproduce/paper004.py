"""Figure 5 of paper 004: Dou Di Zhu, an agent in each role against two of one other kind (10 times 100 episodes a bar).

The paper draws bars and prints no numbers. One match plays the first agent in all three roles, each as often.
"""

from cardgames.reproduce.tournament import Cell, Reading, Tournament

_ROLES = ("landlord", "peasant down", "peasant up")
_BASELINES = ("random", "rhcp")

FIGURE_5 = Tournament(
    tuple(Cell((agent, other, other), role=role) for other in _BASELINES for agent in _BASELINES for role in _ROLES),
    (Reading("the rules of its code", "cql"),),
    1000,
    game="doudizhu",
    games=3000,
)
