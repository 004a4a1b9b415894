"""How well a learner plays: rounds against named opponents, with an interval."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames.arena.kernel_matches import TALLY, play_blocks
from cardgames.core.game import Game
from cardgames.core.policy import Policy
from cardgames.kernels.rng import derive
from cardgames.learners.base.learner import Learner
from cardgames.learners.environments.collector import Collector
from cardgames.learners.environments.opponents import Opponents, parse_mixture
from cardgames.networks.network_policy import network_weights
from cardgames.networks.policy_lookup import find_policy
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.intervals import ratio_variance, student_variance, wilson

_BLOCKS_PER_CHECK = 50
"""Played between two looks at whether to go on."""
_DEAL_SEED = 9
"""Keeps the cards of evaluations apart from those of training."""


_Count = TypeVar("_Count", int, NDArray[np.int64])


class EvaluationStopped(Exception):
    """An evaluation was not to be played to its end."""


def _always_continue(played: float) -> bool:
    return True


@dataclass(frozen=True)
class Evaluation:
    """What came of some rounds."""

    name: str
    """Against whom, and among how many."""
    games: int
    wins: int
    voids: int
    """Rounds that nobody won."""
    mean_payoff: float
    """What the learner was paid on average."""
    variance: float = 0.0
    """Of the win rate, over deals (`intervals.student_variance`), where several rounds begin with the same one; else 0."""

    @property
    def win_rate(self) -> float:
        """Share of the rounds won."""
        return self.wins / self.games

    @property
    def void_rate(self) -> float:
        """Share of the rounds that nobody won."""
        return self.voids / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The win rate's 95 % interval (Wilson), wider where rounds of one deal resemble each other."""
        return wilson(self.wins, self.games, self.variance)

    def columns(self) -> dict[str, float]:
        """Return it as part of a row of a training's progress: column -> number."""
        low, high = self.interval
        found = {self.name: self.win_rate, f"{self.name} low": low, f"{self.name} high": high}
        return found | {f"{self.name} paid": self.mean_payoff, f"{self.name} void": self.void_rate}

    def __str__(self) -> str:
        low, high = self.interval
        void = f", {self.void_rate:.1%} void" if self.voids else ""
        return f"{self.win_rate:.3f} [{low:.3f}, {high:.3f}] against {self.name}{void}"


def split_names(text: str) -> list[str]:
    """Return whom evaluations are played against in `random+rlcard-rule`."""
    return [name.strip() for name in text.split("+")]


def check_opponents(games: Sequence[Game], text: str) -> None:
    """Raise `InvalidInput` unless evaluations can be played against each of those named (`split_names`), once each."""
    names = split_names(text)
    for name in names:
        with error_context(f"evaluate={text}, several written random+rlcard-rule"):
            if names.count(name) > 1:
                raise InvalidInput(f"{name} is named twice")
            if list(parse_mixture(name)) != [name]:
                raise InvalidInput("evaluations are played against each in turn: they have no shares")
            if games[0].action_encodings:
                find_policy(games[0], name)
            past = Opponents(games, name).includes_past_selves
        if past:
            raise InvalidInput(
                "evaluations are played against policies and agents by their names, not against past selves"
            )


def next_evaluation(evaluated: _Count, every: _Count) -> _Count:
    """Return after how many rounds the next evaluation is due, the last being played after so many (-1: none was)."""
    return (evaluated // every + 1) * every


def evaluate_all(
    learner: Learner, rounds: int, should_continue: Callable[[float], bool] = _always_continue
) -> tuple[Evaluation, ...]:
    """Play the evaluations that the learner's settings ask for: among each number of players, against each opponent.

    The `rounds` that were played before, of the training, say which cards are dealt. `should_continue` is told now and then which
    share is played, and says whether to go on. Raises `EvaluationStopped` if not.
    """
    settings = learner.settings
    # other cards each time: a curve's points are as independent as their intervals say
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
    """Let a learner play `games` rounds among others that each follow the policies `opponents`; of its legal actions it
    takes the one of greatest score.

    `seats`: `any`, one drawn anew for each round, or always the `first`. The same seed deals the same cards to whoever is
    evaluated. A learner whose network judges one action at a time plays against opponents that follow a policy, as agents
    in an arena do (`Game.seatings`): on the `first` seat, where that is the landlord's, as the landlord, else in all roles.

    `should_continue` is told now and then how many rounds were played, and says whether to go on. Raises `EvaluationStopped` if not, and
    `InvalidInput` for other seats and opponents.
    """
    if seats == "all":
        raise InvalidInput("a learner that has all seats wins every round: evaluate it in one, any or the first")
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
    """Let a policy play whole blocks, as an arena of two agents does, of at least so many rounds that count: all of them, or
    those as the `landlord`, which only a game has whose seats are roles (`Game.seats_are_roles`).

    Where an auction finds the landlord, the policy may hold a landlord's and a peasant's seat in one round, and then wins
    whoever does. So what counts is how often it wins as the landlord and how often as a peasant, in the mean, whoever its
    partner is: a half between equals, less where rounds can be void. It was paid what a seat was in the mean, each counting
    once, and so nothing between equals where pay-offs sum to 0. `should_continue` is as in `evaluate`.
    """
    rounds_per_block = len(game.seatings(2)) // (2 if landlord else 1)
    policies = [policy, find_policy(game, opponents, "evaluate")]
    tallies, voids = np.zeros((-(-games // rounds_per_block), 1 + len(game.roles)), TALLY), 0
    for block in range(len(tallies)):
        if block % _BLOCKS_PER_CHECK == 0 and not should_continue(block * rounds_per_block):
            raise EvaluationStopped
        block_tally, _, block_voids = play_blocks(game, policies, np.uint64(seed), block, block + 1)
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
    """Return the mean of several win rates of one policy, from its wins and games [rates, deals], and the variance of that
    mean over deals (`intervals.ratio_variance`), 0 of one deal.
    """
    played = np.maximum(1, games.sum(1, keepdims=True))
    rates = wins.sum(1, keepdims=True) / played
    residuals = ((wins - rates * games) / played).mean(0)
    deals = len(residuals)
    return float(rates.mean()), ratio_variance(float(np.sum(residuals**2)), deals, 1) if deals > 1 else 0.0
