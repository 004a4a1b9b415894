"""Tables 2 and 3 of paper 001: win rates between agents in simplified Uno.

The paper played 1,000 rounds for each cell of table 2, and 100 for each cell of table 3.
"""

from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.tournament import Cell, Reading, Tournament
from cardgames.papers.trained_player import Training

_PUBLISHED = {
    "reflex": (0.95, 0.91, 0.89),
    "dqn": (0.96, 0.93, 0.91),
    "expectimax": (0.96, 0.94, 0.92),
    "mcts-dbm": (0.96, 0.95, 0.94),
}
_ONE_ON_ONE = {
    ("mcts-dbm", "dqn"): 0.55,
    ("dqn", "reflex"): 0.56,
    ("dqn", "expectimax"): 0.48,
    ("dqn", "random"): 0.96,
    ("mcts-dbm", "reflex"): 0.60,
    ("mcts-dbm", "expectimax"): 0.47,
    ("mcts-dbm", "random"): 0.98,
    ("reflex", "expectimax"): 0.47,
    ("reflex", "random"): 0.95,
    ("expectimax", "random"): 0.96,
}

_SEARCH = {"mcts-dbm": "mcts-dbm:setting=paper", "expectimax": "expectimax:exact=false"}
_BLIND = {"reflex": "reflex:color=random"}
READINGS = (
    Reading("draw, act again, pass once drawn", "simplified", (), _SEARCH),
    Reading("the same, reflex names random colors", "simplified", (), _SEARCH | _BLIND),
    Reading("draw until playable", "simplified", ("draw-how=until-playable",), _SEARCH | _BLIND),
    Reading(
        "draw one card and end the turn",
        "simplified",
        ("draw-how=one", "drawn-card=keep", "after-draw=drawn-only"),
        _SEARCH,
    ),
)
"""Interpretations of the rules of paper 001, where the paper leaves them open.

Section 1.2 does not say how many cards a player draws. Section 3.4.2 does not say which color the reflex agent names.
"""

DQN = Training("001", "DQN", "dqn", SETUPS["001"], {"evaluate_every": 20, "evaluate_games": 100})
"""Training of the DQN player of tables 2 and 3 of paper 001.

The paper does not name the opponents in training: here they are one to three random players, a number drawn for every
round. The player is evaluated often because each evaluation also records the loss, for the curve of figure 1.
"""

TABLE_2 = Tournament(
    tuple(
        Cell((name, *["random"] * (others + 1)), published)
        for name, row in _PUBLISHED.items()
        for others, published in enumerate(row)
    ),
    READINGS,
    1000,
    trained={"dqn": DQN},
)

TABLE_3 = Tournament(
    tuple(Cell(pair, published) for pair, published in _ONE_ON_ONE.items()),
    READINGS[:2],
    100,
    trained={"dqn": DQN},
)
