"""Evaluation of a learner: win rate in rounds against named opponents, with a 95 % interval."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames.arena.kernel_matches import TALLY, play_blocks
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.kernels.rng import derive
from cardgames.learners.base.learner import Learner
from cardgames.learners.environments.collector import Collector
from cardgames.learners.environments.opponents import Opponents, parse_mixture
from cardgames.networks.network_policy import network_weights
from cardgames.networks.policy_lookup import find_policy
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.intervals import ratio_variance, student_variance, wilson

_BLOCKS_PER_CHECK = 50
"""Number of blocks (all rounds of one deal) played between two calls of `should_continue`."""
_DEAL_SEED = 9
"""Label that `rng.derive` combines into the seed of evaluations, so that their deals differ from those of training."""


_Count = TypeVar("_Count", int, NDArray[np.int64])


class EvaluationStopped(Exception):
    """Raised when `should_continue` stops an evaluation."""


def _always_continue(played: float) -> bool:
    return True


@dataclass(frozen=True)
class Evaluation:
    """Result of the evaluation of a learner against one opponent or mixture of opponents."""

    name: str
    """Name of the result: the opponents, and the number of players or the roles that the learner played."""
    games: int
    """Number of rounds played."""
    wins: int
    """Number of rounds that the learner won."""
    voids: int
    """Number of rounds that nobody won."""
    mean_payoff: float
    """Mean pay-off of the learner."""
    variance: float = 0.0
    """Variance of the win rate over deals (`support.intervals.student_variance`).

    It is 0 if every round has its own deal.
    """

    @property
    def win_rate(self) -> float:
        """Share of the rounds the learner won."""
        return self.wins / self.games

    @property
    def void_rate(self) -> float:
        """Share of the rounds that nobody won."""
        return self.voids / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the win rate (Wilson), wider if rounds of one deal are correlated."""
        return wilson(self.wins, self.games, self.variance)

    def columns(self) -> dict[str, float]:
        """Return win rate, its interval, mean pay-off and void rate as named columns of a row in a progress file."""
        low, high = self.interval
        columns = {self.name: self.win_rate, f"{self.name} low": low, f"{self.name} high": high}
        return columns | {f"{self.name} paid": self.mean_payoff, f"{self.name} void": self.void_rate}

    def __str__(self) -> str:
        low, high = self.interval
        void = f", {self.void_rate:.1%} void" if self.voids else ""
        return f"{self.win_rate:.3f} [{low:.3f}, {high:.3f}] against {self.name}{void}"


def split_names(text: str) -> list[str]:
    """Return the names of the opponents in a setting such as `random+rlcard-rule`; each is evaluated against in turn."""
    return [name.strip() for name in text.split("+")]


def check_opponents(games: Sequence[Game], text: str) -> None:
    """Raise `InvalidInput` unless each opponent named in `text` (`split_names`) is valid, and named once."""
    names = split_names(text)
    for name in names:
        with error_context(f"evaluate={text} (several opponents: random+rlcard-rule)"):
            if names.count(name) > 1:
                raise InvalidInput(f"{name} is named twice")
            if list(parse_mixture(name)) != [name]:
                raise InvalidInput("opponents of evaluations cannot have shares: each is played in turn")
            if games[0].action_encodings:
                find_policy(games[0], name)
            past = Opponents(games, name).includes_past_selves
        if past:
            raise InvalidInput("opponents of evaluations are policies and agents, not past selves")


def next_evaluation(evaluated: _Count, every: _Count) -> _Count:
    """Return the number of rounds at which the next evaluation is due.

    Args:
        evaluated: Rounds at the last evaluation; -1: there was none.
        every: Rounds between evaluations.
    """
    return (evaluated // every + 1) * every


def evaluate_all(
    learner: Learner, rounds: int, should_continue: Callable[[float], bool] = _always_continue
) -> tuple[Evaluation, ...]:
    """Evaluate a learner as its settings say, against each opponent and with each number of players; return the results.


    Args:
        learner: Learner to evaluate.
        rounds: Rounds of training so far; the deals depend on them.
        should_continue: Called now and then with the fraction of rounds played; the evaluation stops if it returns False.

    Raises:
        EvaluationStopped: `should_continue` returned False.
    """
    settings = learner.settings
    # new deals each time: so the points of a curve are independent, as their intervals assume
    seed = derive(learner.seed, _DEAL_SEED, rounds)
    seats = "any" if settings.seats == "all" else settings.seats
    matches = [(game, name) for game in learner.games for name in split_names(settings.evaluate)]
    games, evaluations = settings.evaluate_games, list[Evaluation]()

    def check_progress(played: int) -> bool:
        return should_continue(min(1.0, (len(evaluations) * games + played) / (len(matches) * games)))

    for game, name in matches:
        evaluations.append(evaluate(learner, game, name, games, seed, seats, check_progress))
    return tuple(evaluations)


def evaluate(
    learner: Learner,
    game: Game,
    opponents: str,
    games: int,
    seed: int,
    seats: str = "any",
    should_continue: Callable[[int], bool] = _always_continue,
) -> Evaluation:
    """Play rounds of a learner, which takes the legal action with the greatest score, against opponents.

    A learner of an action-input network plays in roles (`evaluate_roles`): as the landlord with seats="first" if that seat
    is always the landlord, otherwise in all roles. Its opponents must follow a policy.

    Args:
        learner: Learner to evaluate.
        game: Game to play.
        opponents: Mixture of opponents; each other seat draws one.
        games: Number of rounds.
        seed: Seed of the deals: the same for every learner.
        seats: Seat of the learner: "first", or "any", drawn for each round.
        should_continue: Called now and then with the number of rounds played; the evaluation stops if it returns False.

    Raises:
        EvaluationStopped: `should_continue` returned False.
        InvalidInput: Seats or opponents are invalid.
    """
    if seats == "all":
        raise InvalidInput("evaluations need seats=any or first: a learner with all seats wins every round")
    if game.action_encodings:
        policy = Policy(
            np.int64(game.networks.policy_id if game.networks else 0), network_weights(game, learner.network())
        )
        as_landlord = seats == "first" and game.seats_are_roles
        return evaluate_roles(
            policy, game, opponents, games, seed, landlord=as_landlord, should_continue=should_continue
        )
    tables = Collector.for_one_round(
        game, learner.encoding, learner.outputs, opponents, tables=games, seed=seed, seats=seats
    )
    tables.begin()
    while len(at := tables.tables_to_move()):
        if not should_continue(int(tables.tally[0].rounds)):
            raise EvaluationStopped
        scores = learner.scores(np.ascontiguousarray(tables.observations[at]))
        tables.step(tables.choose(scores, 0.0, at), at)
    tally = tables.tally[0]
    name = f"{opponents} ({game.num_players} players)"
    return Evaluation(name, int(tally.rounds), int(tally.wins), int(tally.voids), float(tally.paid / tally.rounds))


def evaluate_roles(
    policy: Policy,
    game: Game,
    opponents: str,
    games: int,
    seed: int,
    *,
    landlord: bool,
    should_continue: Callable[[int], bool] = _always_continue,
) -> Evaluation:
    """Evaluate a policy in the roles of a game (landlord and peasant) against opponents that follow another policy.

    Whole blocks are played: each deal once per seating of the two policies, as in a match of an arena. If an auction decides
    who is the landlord, the policy may have the landlord's and a peasant's seat in one round, and then always wins. So the
    win rate is the mean of its win rates as landlord and as peasant, whoever its partner is: 1/2 between equal policies,
    less if rounds can be void. The pay-off is the mean over its seats: 0 between equal policies if pay-offs sum to 0.

    Args:
        policy: Policy to evaluate.
        game: Game to play.
        opponents: Name of the opponents' policy.
        games: Minimum number of rounds that count.
        seed: Seed of the deals.
        landlord: Count only rounds in which the policy is the landlord; each seat must have a fixed role
            (`Game.seats_are_roles`).
        should_continue: Called now and then with the number of rounds played; the evaluation stops if it returns False.

    Raises:
        EvaluationStopped: `should_continue` returned False.
        InvalidInput: The opponents are invalid.
    """
    rounds_per_block = len(game.seatings(2)) // (2 if landlord else 1)
    policies = [policy, find_policy(game, opponents, "evaluate")]
    tallies, voids = np.zeros((-(-games // rounds_per_block), 1 + len(game.roles)), TALLY), 0
    for block in range(len(tallies)):
        if block % _BLOCKS_PER_CHECK == 0 and not should_continue(block * rounds_per_block):
            raise EvaluationStopped
        block_tally, _, block_voids, _ = play_blocks(game, policies, np.uint64(seed), block, block + 1)
        tallies[block] = block_tally[0]
        voids += block_voids
    in_all, as_landlord, as_peasant = tallies[:, :1], tallies[:, 1:2], tallies[:, 2:]
    parts = [as_landlord] if landlord else [as_landlord, as_peasant]
    played = int((as_landlord if landlord else in_all)["games"].sum())
    rate, variance = _mean_rate(
        np.array([part["wins"].sum(1) for part in parts]), np.array([part["games"].sum(1) for part in parts])
    )
    seats = np.concatenate(parts, axis=1)
    where = f"as the {game.roles[0]}" if landlord else "in all roles"
    mean_payoff = float(seats["paid"].sum() / max(1, seats["games"].sum()))
    name, wins = f"{opponents} ({where})", round(played * rate)
    return Evaluation(
        name,
        played,
        wins,
        voids,
        mean_payoff,
        student_variance(variance, len(tallies) - 1) if rounds_per_block > 1 else 0.0,
    )


def _mean_rate(wins: NDArray[np.int64], games: NDArray[np.int64]) -> tuple[float, float]:
    """Return the mean of several win rates of one policy, such as its rates in two roles, and its variance over deals.


    Args:
        wins: Number of games won, for each of the win rates and each deal ([rates, deals]).
        games: Number of games played, likewise ([rates, deals]).

    Returns:
        The mean, and its variance (`support.intervals.ratio_variance`), which is 0 for a single deal.
    """
    played = np.maximum(1, games.sum(1, keepdims=True))
    rates = wins.sum(1, keepdims=True) / played
    residuals = ((wins - rates * games) / played).mean(0)
    deals = len(residuals)
    return float(rates.mean()), ratio_variance(float(np.sum(residuals**2)), deals, 1) if deals > 1 else 0.0
