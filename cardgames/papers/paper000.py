"""Figures 6 and 7 and tables III and IV of paper 000: DDQN with MCTS, DDQN, DMC and NFSP with 3 and 4 players.

Every player is trained against random players, tested in the first seat, and chooses the action with the highest network
output, without search. The rules are those of RLCard. Rewards are 1 for the winner and -1 for all others; RLCard's payoffs,
which are wrong for more than two players, are reported too. In the encoding, a wild on the discard pile shows the named
color; RLCard 1.2 encodes an arbitrary color. The paper does not give the number of training rounds: here it is 100,000, as
in the code of paper 002.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from cardgames.kernels.rng import derive
from cardgames.learners.runs.curves import Curve, Point
from cardgames.papers.comparison import (
    HONEST_WIN_RATE,
    Mean,
    Published,
    Wins,
    agreement,
    highest,
    lead,
    reward,
    win_rate,
)
from cardgames.papers.learner_matches import compete, compete_with_random
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import GAMES, MATCH_CARDS, Request
from cardgames.papers.trained_player import TrainedPlayer, Training
from cardgames.papers.training_curve import curve_row, interval_label, reward_curve, save_curves

SETUP = SETUPS["000"]
DDQN_MCTS = "DDQN with MCTS"
ALGORITHMS = {DDQN_MCTS: "ddqn-mcts", "DDQN": "ddqn", "DMC": "dmc", "NFSP": "nfsp"}
RLCARD_NETWORK_ALGORITHMS = "ddqn-mcts", "ddqn", "nfsp"
"""Algorithms that `--rlcard-network` affects.

The paper only gives the sizes of its networks. RLCard's DQN and NFSP normalize their inputs, its DMC does not.
"""
QUICK_GAMES = 2_000
_QUICK = {"rounds": 2_000}
WINDOW = 10
"""Number of evaluations in the moving average of figure 7."""


def training(learner: str, players: int, rlcard_network: bool = False) -> Training:
    """Return the description of how one of the four algorithms of paper 000 is trained for a number of players.

    Args:
        learner: Key of `ALGORITHMS`.
        players: Number of players.
        rlcard_network: Use RLCard's network if RLCard's own implementation of the algorithm has it.
    """
    algorithm, setup = ALGORITHMS[learner], SETUP._replace(players=(players,))
    plain = Training("000", f"{players}-players", algorithm, setup, quick=_QUICK)
    return plain.on_rlcard_network() if rlcard_network and algorithm in RLCARD_NETWORK_ALGORITHMS else plain


def _tests(
    learner: str, players: int, trained: Sequence[TrainedPlayer], request: Request
) -> tuple[list[Wins], list[Mean]]:
    """Play rounds with each trained player in the first seat and random players in all other seats.

    Returns:
        For each trained player (one for each seed): its number of wins, and its mean payoff by RLCard's payoff rule.
    """
    game, rlcard_game = SETUP.make_game(players), SETUP.make_game(players, ["payoff=rlcard"])
    games = request.number(GAMES, QUICK_GAMES)
    wins, payoffs = [], []
    for player in trained:
        seed = player.learner.seed
        request.report_progress(f"{learner}, {players} players, seed {seed}: {games:,} games")
        played = compete_with_random(player.learner, game, games, derive(seed, MATCH_CARDS))
        wins.append(played.wins()[0])
        payoffs.append(played.payoffs(rlcard_game)[0])
    return wins, payoffs


def _save_curves(figure: str, players: int, curves: Mapping[str, Curve], request: Request) -> dict[str, Any]:
    """Write the learning curves for a number of players to a CSV and a PNG file; return the names of the files."""
    return save_curves(curves, request.out, request.file_name(f"{figure}-{players}-players"))


HIGHEST = {3: -0.05, 4: -0.25}
"""Number of players -> mean reward that the paper's learning curve of DDQN with MCTS exceeds at its highest point.

Each point of the paper's curve is an evaluation of `EVALUATION` games.
"""
EVALUATION = 1000


def _highest(learner: str, players: int, trained: Sequence[TrainedPlayer]) -> dict[str, Any]:
    """Return a row that compares the highest evaluation of each training with the reward that the paper's curve exceeds."""
    curves = [reward_curve([player]) for player in trained]
    maxima = [max(point.rate for point in curve) for curve in curves]
    published = HIGHEST[players] if learner == DDQN_MCTS else None
    games, honest = trained[0].learner.settings.evaluate_games, 2 * HONEST_WIN_RATE[players] - 1
    return highest(f"{learner}, {players} players", published, len(curves[0]), games, maxima, honest)


def figure6(request: Request) -> Iterator[dict[str, Any]]:
    """Train all four algorithms and yield the rows of figure 6.

    The rows for each algorithm and number of players are the learning curve, its highest point, and the win rate and mean
    reward of the trained players against random players. Raises `InvalidInput`.
    """
    for players in HIGHEST:
        curves = {}
        for learner in ALGORITHMS:
            name = f"{learner}, {players} players"
            trained = training(learner, players, request.rlcard_network).trained_players(request)
            curves[name] = reward_curve(trained)
            yield curve_row(name, curves[name], interval_label(trained))
            yield _highest(learner, players, trained)
            wins, payoffs = _tests(learner, players, trained, request)
            yield win_rate(name, wins)
            yield reward(name, "reward by RLCard's wrong payoffs", payoffs)
        yield _save_curves("000-figure6", players, curves, request)


LEADS = {3: (0.03, 0.065), 4: (0.035, 0.065)}
"""Number of players -> smallest and largest published lead in win rate of DDQN with MCTS over DDQN, DMC and NFSP.

The paper prints rewards that are 0.6 to 1.3 (three players) and 0.7 to 1.3 (four) higher; its win rates show that it means a
tenth of that, and a win rate changes by half as much as a reward. The paper reads the leads off its learning curves; here
they are measured with the trained players.
"""


def moving_average(trained: Sequence[TrainedPlayer]) -> Curve:
    """Return the moving average of the learning curves of players that differ only in their seed.

    A point is the mean reward of the last `WINDOW` evaluations of all these players, and the mean minus and plus one
    standard deviation of the rewards.
    """
    curves = [reward_curve([player]) for player in trained]
    points = []
    for end in range(1, len(curves[0]) + 1):
        rates = [point.rate for curve in curves for point in curve[max(0, end - WINDOW) : end]]
        mean = math.fsum(rates) / len(rates)
        deviation = math.sqrt(math.fsum((rate - mean) ** 2 for rate in rates) / len(rates))
        points.append(Point(curves[0][end - 1].rounds, mean, mean - deviation, mean + deviation))
    return points


def figure7(request: Request) -> Iterator[dict[str, Any]]:
    """Train all four algorithms; yield the rows of figure 7 for three and for four players.

    The rows are the moving average of each algorithm's learning curve, the lead in win rate of DDQN with MCTS over each of
    the other algorithms, and the files written.

    Raises `InvalidInput`.
    """
    for players, (smallest, largest) in LEADS.items():
        curves, wins = {}, {}
        for learner in ALGORITHMS:
            name = f"{learner}, {players} players"
            trained = training(learner, players, request.rlcard_network).trained_players(request)
            curves[name] = moving_average(trained)
            yield curve_row(name, curves[name], "standard deviations")
            wins[learner], _ = _tests(learner, players, trained, request)
        for other in list(ALGORITHMS)[1:]:
            row = lead(f"{DDQN_MCTS} over {other}, {players} players", wins[DDQN_MCTS], wins[other])
            low, high = row["ci95"]
            agrees = low <= largest and high >= smallest
            published = f"published {100 * smallest:g} to {100 * largest:g} points: {agreement(agrees)}"
            yield row | {"agrees": agrees, "verdict": f"{published}; {row['verdict']}"}
        yield _save_curves("000-figure7", players, curves, request)


def _match(shares: Mapping[str, float], request: Request) -> Iterator[dict[str, Any]]:
    """Train the players in `shares` and let them play rounds against each other, in all seatings in turn.

    Yields a row that compares each player's win rate with its published one, then a row with the lead in win rate of the
    first player in `shares` over each other player. `shares` is player -> published share of the games that it won.
    """
    players, wins, games = len(shares), [], request.number(GAMES, QUICK_GAMES)
    for seed in request.seeds:
        trainings = [training(name, players, request.rlcard_network) for name in shares]
        learners = [player_training.learner(request, seed) for player_training in trainings]
        request.report_progress(f"{', '.join(shares)}, seed {seed}: {games:,} games")
        orders = list(permutations(range(players)))
        wins.append(compete(learners, SETUP.make_game(players), orders, games, derive(seed, MATCH_CARDS)).wins())
    wins_of = {name: [row[place] for row in wins] for place, name in enumerate(shares)}
    for name, share in shares.items():
        yield win_rate(f"{name} among {', '.join(shares)}", wins_of[name], Published(share, GAMES))
    first, *others = shares
    for other in others:
        both = Published(shares[first], GAMES), Published(shares[other], GAMES)
        yield lead(f"{first} over {other}", wins_of[first], wins_of[other], both, same_games=True)


@dataclass(frozen=True)
class Matches:
    """A published table of win rates of three or four algorithms that play in the same games."""

    shares: tuple[Mapping[str, float], ...]
    """For each row of the published table: player -> share of the games that it won."""

    def run(self, request: Request) -> Iterator[dict[str, Any]]:
        """Train the players, let them play, and yield the comparisons with the published shares. Raises `InvalidInput`."""
        for shares in self.shares:
            yield from _match(shares, request)


TABLE_3 = Matches(
    (
        {DDQN_MCTS: 0.40, "DDQN": 0.35, "DMC": 0.25},
        {DDQN_MCTS: 0.40, "DDQN": 0.36, "NFSP": 0.24},
        {DDQN_MCTS: 0.44, "NFSP": 0.28, "DMC": 0.28},
    )
)
"""Table III of paper 000: win rates of three algorithms in the same games.

The paper adds deviations of 0.005 to 0.1 without saying what they measure; the standard error of a win rate over 10,000
games would be 0.005.
"""
TABLE_4 = Matches(({DDQN_MCTS: 0.32, "DDQN": 0.27, "DMC": 0.20, "NFSP": 0.21},))
