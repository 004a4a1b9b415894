"""Tables 3 and 4, figures 2 and 3 and hyperparameters (section 6.1) of paper 003: DQN and Deep SARSA with three players.

The paper's observation contained the other players' hands. Every player is trained twice: with that encoding (`cheating`),
and with an encoding of only what its seat may see (`honest`). The rules are `rlcard-2022`. Rewards in the paper are always 2
x win rate - 1, so they cannot be the payoffs of RLCard, which are wrong for more than two players. The paper trains for
125,000 and 350,000 iterations; here an iteration is one round. By section 5.3 an iteration would be a tournament of 100
games, so that the training would have 35 million games. Epsilon is multiplied by the hyperparameter epsilon of the grid
after every tournament (sections 5.2 and 5.3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import permutations, product
from typing import Any

from cardgames.kernels.rng import derive
from cardgames.learners.base.learner import Learner
from cardgames.papers.comparison import HONEST_WIN_RATE, Published, Wins, lead, pool, reward, win_rate
from cardgames.papers.joint_training.stacked_training import train_stacked
from cardgames.papers.learner_matches import Competition, compete, compete_with_random
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import GAMES, OTHER_CARDS, QUICK_GAMES, TEST_CARDS, Request
from cardgames.papers.trained_player import Training
from cardgames.papers.training_curve import curve_row, interval_label, reward_curve, save_curves

SETUP = SETUPS["003"]
PLAYERS = SETUP.players[0]
SIGHTS = {"cheating": "cheating-7x4x15", "honest": "4x4x15"}
"""Name of what a player sees (`cheating`: with the other hands; `honest`: without) -> name of its observation encoding."""
ALGORITHMS = {"DQN": "dqn", "DeepSARSA": "sarsa"}
TEST_GAMES, CURVE_TEST_GAMES = 1000, 100
"""Numbers of games that paper 003 played: for a cell of tables 3 and 4, and for a point of its learning curves."""
_QUICK = {"rounds": 20_000}


def training(player: str, sight: str) -> Training:
    """Return the description of how a player of paper 003 is trained.

    Args:
        player: Key of `ALGORITHMS`.
        sight: `cheating` if the player sees the other hands, `honest` if not.
    """
    return Training("003", sight, ALGORITHMS[player], SETUP, {"encoding": SIGHTS[sight]}, quick=_QUICK)


def _among_random(player: Learner | None, players: int, games: int, seed: int) -> Competition:
    """Play rounds with `player` in the first seat, as in RLCard, and random players in all other seats.

    Args:
        player: Trained learner; None for a random player.
        players: Number of players.
        games: Number of rounds.
        seed: Seed of the deals and of the random players.
    """
    return compete_with_random(player, SETUP.make_game(players), games, derive(seed, TEST_CARDS))


def _wins(played: Competition) -> Wins:
    """Return the result of the first player."""
    return played.wins()[0]


def _rewards(
    name: str, played: Sequence[Competition], published: Published, player: int = 0, **options: Any
) -> Iterator[dict[str, Any]]:
    """Yield two rows that compare a player's mean reward with the published one: by correct payoffs, and by RLCard's.

    Args:
        name: Name of the player, for the rows.
        played: Rounds played with the trainings of each seed.
        published: Published reward.
        player: Index of the player in `compete`.
        options: Further arguments of `comparison.reward`, for the row by correct payoffs.
    """
    right = [part.payoffs(SETUP.make_game(PLAYERS))[player] for part in played]
    yield reward(name, "reward", right, published, **options)
    wrong = [part.payoffs(SETUP.make_game(PLAYERS, ["payoff=rlcard"]))[player] for part in played]
    yield reward(name, "reward by RLCard's wrong payoffs", wrong, published)


@dataclass(frozen=True)
class Figure:
    """A figure of paper 003 with a learning curve; only its last point is published as a number, in the text of the paper.

    This point is an evaluation of `CURVE_TEST_GAMES` games.
    """

    name: str
    """Name of the files into which the curves are written, without extension."""
    player: str
    """Key of `ALGORITHMS`."""
    reward: float
    """Published reward at the end of the curve."""
    win_rate: float
    """Published win rate at the end of the curve."""

    def run(self, request: Request) -> Iterator[dict[str, Any]]:
        """Train the player with and without sight of the other hands; yield the learning curve and test results of both.

        The win rate and mean reward of each trained player are compared with the last point of the published curve.

        Raises `InvalidInput`.
        """
        train_stacked([training(self.player, sight) for sight in SIGHTS], request)
        curves, games = {}, request.number(GAMES, QUICK_GAMES)
        for sight in SIGHTS:
            name = f"{self.player} {sight}"
            trained = training(self.player, sight).trained_players(request)
            curves[name] = reward_curve(trained)
            yield curve_row(name, curves[name], interval_label(trained))
            request.report_progress(f"{name}: {games:,} games")
            played = [_among_random(learner, PLAYERS, games, learner.seed) for _, learner in trained]
            honest_limit, sees_hidden = HONEST_WIN_RATE[PLAYERS], sight == "cheating"
            tests = [_wins(part) for part in played]
            yield win_rate(name, tests, Published(self.win_rate, CURVE_TEST_GAMES), honest_limit, sees_hidden)
            payoffs = Published(self.reward, CURVE_TEST_GAMES)
            yield from _rewards(name, played, payoffs, honest_limit=2 * honest_limit - 1, sees_hidden=sees_hidden)
        yield save_curves(curves, request.out, request.file_name(self.name))


FIGURE_2 = Figure("003-figure2", "DQN", 0.244, 0.622)
FIGURE_3 = Figure("003-figure3", "DeepSARSA", 0.210, 0.605)


def _trainings() -> list[Training]:
    """Return the trainings for tables 3 and 4: DQN and Deep SARSA, each with and without sight of the other hands."""
    return [training(player, sight) for player, sight in product(ALGORITHMS, SIGHTS)]


TABLE_3: Mapping[str, Mapping[int, float]] = {
    "DQN": {3: 0.635, 4: 0.455, 5: 0.231},
    "DeepSARSA": {3: 0.591, 4: 0.401, 5: 0.249},
    "Random Agent": {3: 0.335, 4: 0.248, 5: 0.206},
}
"""Table 3 of paper 003: player -> number of players in the test -> published win rate.

All players are trained in games with three players.
"""


def table3(request: Request) -> Iterator[dict[str, Any]]:
    """Train DQN and Deep SARSA with and without sight of the other hands; compare their win rates with those of table 3.

    They are tested with 3, 4 and 5 players, and so is a random player. Further rows give the lead of DQN over Deep SARSA.

    Raises `InvalidInput`.
    """
    train_stacked(_trainings(), request)
    games = request.number(GAMES, QUICK_GAMES)
    for players, published in TABLE_3["Random Agent"].items():
        tests = [_wins(_among_random(None, players, games, seed)) for seed in request.seeds]
        # nothing is trained, so the seeds differ only in their games: pool them
        yield win_rate(f"Random Agent, {players} players", [pool(tests)], Published(published, TEST_GAMES))
    for sight in SIGHTS:
        tests_of = {}
        for player in ALGORITHMS:
            learners = training(player, sight).learners(request)
            for players, published in TABLE_3[player].items():
                name = f"{player} {sight}, {players} players"
                request.report_progress(f"{name}: {games:,} games")
                tests = [_wins(_among_random(learner, players, games, learner.seed)) for learner in learners]
                tests_of[player, players] = tests
                sees_hidden = sight == "cheating"
                yield win_rate(name, tests, Published(published, TEST_GAMES), HONEST_WIN_RATE[players], sees_hidden)
        for players in TABLE_3["DQN"]:
            dqn, sarsa = (tests_of[player, players] for player in ALGORITHMS)
            both = Published(TABLE_3["DQN"][players], TEST_GAMES), Published(TABLE_3["DeepSARSA"][players], TEST_GAMES)
            yield lead(f"DQN over DeepSARSA {sight}, {players} players", dqn, sarsa, both)


TABLE_4 = {"DQN": (-0.220, 0.390), "DeepSARSA": (-0.274, 0.363), "Random": (-0.506, 0.247)}
"""Table 4 of paper 003: player -> published mean reward and win rate when the three players play each other."""


def table4(request: Request) -> Iterator[dict[str, Any]]:
    """Train DQN and Deep SARSA with and without sight of the other hands; compare them with table 4.

    DQN, Deep SARSA and a random player play in the same games. The paper does not give the seating: all seatings are used in
    turn. Raises `InvalidInput`.
    """
    train_stacked(_trainings(), request)
    games = request.number(GAMES, QUICK_GAMES)
    orders = list(permutations(range(PLAYERS)))
    for sight in SIGHTS:
        played = []
        for seed in request.seeds:
            players = [training(player, sight).learner(request, seed) for player in ALGORITHMS]
            request.report_progress(f"{sight}, seed {seed}: {games:,} games")
            played.append(compete([*players, None], SETUP.make_game(PLAYERS), orders, games, derive(seed, TEST_CARDS)))
        wins = [part.wins() for part in played]
        for number, (player, (payoffs, won)) in enumerate(TABLE_4.items()):
            name = f"{player} {sight}" if player in ALGORITHMS else f"{player} with {sight}"
            yield win_rate(name, [seed_wins[number] for seed_wins in wins], Published(won, TEST_GAMES))
            yield from _rewards(name, played, Published(payoffs, TEST_GAMES), number)
        dqn, sarsa = ([seed_wins[number] for seed_wins in wins] for number in range(2))
        both = Published(TABLE_4["DQN"][1], TEST_GAMES), Published(TABLE_4["DeepSARSA"][1], TEST_GAMES)
        yield lead(f"DQN over DeepSARSA {sight}", dqn, sarsa, both, same_games=True)


@dataclass(frozen=True)
class Hyperparameters:
    """One point of the hyperparameter grid of paper 003, section 6.1."""

    discount: float
    learning_rate: float
    epsilon_factor: float

    def training(self, player: str, sight: str) -> Training:
        """Return the description of how a player is trained with these hyperparameters, for `_GRID_ROUNDS` rounds."""
        values = asdict(self)
        name = "-".join([sight, *(f"{value:g}" for value in values.values())])
        return replace(
            training(player, sight),
            name=name,
            # the learning curve is not used, so only the beginning and the end are evaluated
            changes={"encoding": SIGHTS[sight], "rounds": _GRID_ROUNDS, "evaluate_every": _GRID_ROUNDS, **values},
            quick={"rounds": _QUICK_GRID_ROUNDS, "learning_rate": self.learning_rate},
        )

    def __str__(self) -> str:
        return f"gamma {self.discount:g} alpha {self.learning_rate:g} epsilon {self.epsilon_factor:g}"


GRID = [Hyperparameters(*values) for values in product((0.75, 0.825, 0.95), (0.0001, 0.001, 0.01), (0.8, 0.95))]
CHOSEN = Hyperparameters(0.95, 0.0001, 0.95)
_GRID_ROUNDS = 40_000
_QUICK_GRID_ROUNDS = 1_000


def grid(request: Request) -> Iterator[dict[str, Any]]:
    """Train DQN and Deep SARSA with and without sight of the other hands, for every point of `GRID`; yield their win rates.

    Then yield, for each player, the lead of the paper's choice of hyperparameters over the best other point of the grid. For
    the lead both are tested again on other cards, since the best of many points is overestimated on the cards on which it
    was selected. That its trainings (one for each seed) may have been lucky is not corrected. Raises `InvalidInput`.
    """
    for sight in SIGHTS:
        train_stacked(
            [hyperparameters.training(player, sight) for hyperparameters, player in product(GRID, ALGORITHMS)], request
        )
        for player in ALGORITHMS:
            yield from _player_grid(player, sight, request)


def _player_grid(player: str, sight: str, request: Request) -> Iterator[dict[str, Any]]:
    """Yield the rows of `grid` for one player, with or without sight of the other hands (`cheating` or `honest`).

    They are the win rate at every point of the grid, and the lead of the paper's choice over the best other point.
    """
    tests_of = {}
    for hyperparameters in GRID:
        tests_of[hyperparameters] = _tests(hyperparameters, player, sight, request)
        yield win_rate(f"{player} {sight}, {hyperparameters}", tests_of[hyperparameters])
    best = max(
        (hyperparameters for hyperparameters in GRID if hyperparameters != CHOSEN),
        key=lambda hyperparameters: pool(tests_of[hyperparameters]).rate,
    )
    chosen, other = (_tests(hyperparameters, player, sight, request, OTHER_CARDS) for hyperparameters in (CHOSEN, best))
    yield lead(f"{player} {sight}, {CHOSEN} over {best}", chosen, other)


def _tests(hyperparameters: Hyperparameters, player: str, sight: str, request: Request, *cards: int) -> list[Wins]:
    """Train a player with the given hyperparameters and every seed, and return the test result of each seed.

    `cards` are labels that are mixed into the seed of the deals; different labels deal different cards.
    """
    games = request.number(GAMES, QUICK_GAMES)
    learners = hyperparameters.training(player, sight).learners(request)
    return [_wins(_among_random(learner, PLAYERS, games, derive(learner.seed, *cards))) for learner in learners]
