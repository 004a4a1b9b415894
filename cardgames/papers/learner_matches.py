"""Rounds between trained learners and random players, in any assignment of players to seats.

Agents receive an observation. A learner whose encoding shows hidden cards is therefore not an agent and cannot play in
the package `arena`, but it can play with the functions of this module.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.learners.base.learner import Learner
from cardgames.learners.environments.collector import Collector
from cardgames.papers.comparison import Mean, Wins
from cardgames.support.errors import InvalidInput


class Competition:
    """Result of `compete`: the final states of all rounds, and the seat of each player in each round."""

    def __init__(self, game: Game, states: NDArray[np.void], players_at_seats: NDArray[np.int64]):
        """Store the rounds.

        Args:
            game: Game that was played.
            states: [games] terminal state of each round.
            players_at_seats: [games, seats] index of the player at each seat.
        """
        self._game, self._states = game, states
        self.games = len(states)
        self._seat_of = np.argsort(players_at_seats, axis=1)
        """[games, players] seat of each player in each round."""

    def wins(self) -> list[Wins]:
        """Return the number of rounds that each player won, in the order of the players in `compete`."""
        rules = self._game.kernel_rules
        won = [[ops.won(rules, self._states[i], seat) for seat in row] for i, row in enumerate(self._seat_of)]
        return [Wins(number, self.games) for number in np.sum(won, axis=0).tolist()]

    def payoffs(self, game: Game) -> list[Mean]:
        """Return each player's mean payoff under the rules of `game`, which must have the same number of players."""
        seat_payoffs = np.zeros((self.games, game.num_players))
        for i in range(self.games):
            ops.returns(game.kernel_rules, self._states[i], seat_payoffs[i])
        player_payoffs = np.take_along_axis(seat_payoffs, self._seat_of, axis=1)
        return [Mean(float(payoffs.mean()), float(payoffs.std()), self.games) for payoffs in player_payoffs.T]


def compete(
    players: Sequence[Learner | None], game: Game, seatings: Sequence[Sequence[int]], games: int, seed: int
) -> Competition:
    """Play rounds between greedy learners and random players.

    Args:
        players: Learners, all with the same encoding; None stands for a random player.
        game: Game to play.
        seatings: Assignments of players to seats, used in turn from round to round. Each lists, for every seat, the index
            of its player in `players`.
        games: Number of rounds.
        seed: Seed of deals and random players. The same seed deals the same cards.

    Returns:
        The finished rounds, with the seat of each player.

    Raises:
        InvalidInput: The learners' encodings differ, or a learner lacks an output for every action.
    """
    learners = [player for player in players if player is not None]
    encoding = learners[0].encoding if learners else game.default_encoding
    outputs = game.num_distinct_actions
    if any((learner.encoding, learner.outputs) != (encoding, outputs) for learner in learners):
        raise InvalidInput("all learners at a table must have the same encoding, and an output for every action")
    tables = Collector.for_one_round(game, encoding, outputs, "random", tables=games, seed=seed, seats="all")
    players_at_seats = np.array(seatings)[np.arange(games) % len(seatings)]
    unused_q = np.zeros((games, outputs), np.float32)
    tables.begin()
    while len(at := tables.tables_to_move()):
        moving = players_at_seats[at, tables.tables["seat"][at]]
        for number, player in enumerate(players):
            own_tables = at[moving == number]
            if not len(own_tables):
                continue
            if player is None:
                actions = tables.choose(unused_q[: len(own_tables)], 1.0, own_tables)
            else:
                actions = tables.choose(
                    player.scores(np.ascontiguousarray(tables.observations[own_tables])), 0.0, own_tables
                )
            tables.step(actions, own_tables)
    return Competition(game, tables.states, players_at_seats)


def compete_with_random(player: Learner | None, game: Game, games: int, seed: int) -> Competition:
    """Play rounds with `player` in seat 0 and random players in all other seats, as the examples of RLCard evaluate."""
    others = game.num_players - 1
    return compete([player, *[None] * others], game, [range(game.num_players)], games, seed)
