"""Figures 2 and 5 of paper 004: combinational Q-learning (CQL) in Dou Di Zhu.

Figure 2 is the learning curve of a landlord. Figure 5 shows the win rates of an agent in each role while another agent plays
both other seats, from 10 times 100 episodes per bar. The agent `cql` of figure 5 is the pretrained network of this package,
trained on all three seats at once as in section 5.3. A match plays its first agent in all three roles equally often. The
paper shows curves and bars without numbers.
"""

from collections.abc import Iterator
from typing import Any

from cardgames.kernels.rng import derive
from cardgames.learners.runs.evaluation import Evaluation, evaluate, evaluate_roles
from cardgames.papers.comparison import Wins, lead, pool, win_rate
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import GAMES, QUICK_GAMES, TEST_CARDS, Request
from cardgames.papers.tournament import Cell, Reading, Tournament
from cardgames.papers.trained_player import Training
from cardgames.papers.training_curve import curve_row, interval_label, reward_curve, save_curves

_SETUP = SETUPS["004"]
_OTHERS = "rhcp"
CQL = Training(
    "004",
    "landlord",
    "cql",
    _SETUP,
    quick={
        "features": 32,
        "head_hidden": (32,),
        "sampled": 20,
        "decisions": 4_000,
        "epsilon_decisions": 2_000,
        "evaluate_every": 100,
    },
)


def figure2(request: Request) -> Iterator[dict[str, Any]]:
    """Train CQL as the landlord against two `rhcp` peasants; yield its learning curve, win rate and lead over `rhcp`.

    The lead is over the win rate of `rhcp` as the landlord, against the same peasants and on the same cards. Raises
    `InvalidInput`.
    """
    name, games = "CQL", request.number(GAMES, QUICK_GAMES)
    trained = CQL.trained_players(request)
    curve = reward_curve(trained)
    yield curve_row(name, curve, interval_label(trained))
    request.report_progress(f"{name}: {games:,} games")
    game = _SETUP.make_game(_SETUP.players[0])
    learners = [player.learner for player in trained]
    seeds = [derive(learner.seed, TEST_CARDS) for learner in learners]
    cql = [
        _wins(evaluate(learner, game, _OTHERS, games, seed, "first"))
        for learner, seed in zip(learners, seeds, strict=True)
    ]
    rhcp = [_wins(evaluate_roles(game.policy(_OTHERS), game, _OTHERS, games, seed, landlord=True)) for seed in seeds]
    yield win_rate(f"{name} as the landlord", cql)
    # nothing is trained, so the seeds differ only in their games: pool them
    yield win_rate(f"{_OTHERS} as the landlord", [pool(rhcp)])
    yield lead(f"{name} over {_OTHERS}", cql, rhcp)
    yield save_curves({name: curve}, request.out, request.file_name("004-figure2"))


def _wins(test: Evaluation) -> Wins:
    """Return the numbers of wins and games of an evaluation."""
    return Wins(test.wins, test.games)


_ROLES = ("landlord", "peasant down", "peasant up")
_BASELINES = ("random", "rhcp")
_AGENTS = (*_BASELINES, "cql")

FIGURE_5 = Tournament(
    tuple(Cell((agent, other, other), role=role) for other in _BASELINES for agent in _AGENTS for role in _ROLES),
    (Reading("the rules of the paper's code", "cql"),),
    1000,
    game="doudizhu",
    games=3000,
)
