"""Class `RoundSequence`: deals the rounds of an environment one after the other, reproducibly from one seed."""

from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.kernels.rng import check_seed, derive


class RoundSequence:
    """Sequence of rounds of a game, determined by a seed. The attribute `number` is the index of the last round, from 0.

    Raises `InvalidInput` if `seed` is not a valid seed.
    """

    def __init__(self, game: Game, seed: int):
        self._game = game
        self.restart(seed)

    def restart(self, seed: int) -> None:
        """Restart the sequence of rounds with a new seed. Raises `InvalidInput` if it is not a valid seed."""
        self._base, self.number = derive(check_seed(seed)), -1

    def next(self) -> State:
        """Deal the next round of the sequence and return its state; `number` grows by 1."""
        self.number += 1
        return self._game.new_initial_state(derive(self._base, self.number))

    def seed_for(self, part: int) -> int:
        """Return a seed for another random part of the current round, such as an opponent.

        `part` (1, 2, ...) is the index of that part; each index gives a different seed.
        """
        return derive(self._base, self.number, part)
