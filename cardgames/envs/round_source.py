"""Sequence of rounds of a game, determined by a seed."""

from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.kernels.rng import check_seed, derive


class RoundSequence:
    """Sequence of rounds, numbered from 0. Raises `InvalidInput` if `seed` is not a seed."""

    def __init__(self, game: Game, seed: int):
        self._game = game
        self.restart(seed)

    def restart(self, seed: int) -> None:
        """Restart the sequence with a seed. Raises `InvalidInput` if it is not one."""
        self._base, self.number = derive(check_seed(seed)), -1

    def next(self) -> State:
        """Increase `number` by 1 and deal that round."""
        self.number += 1
        return self._game.new_initial_state(derive(self._base, self.number))

    def seed_for(self, part: int) -> int:
        """Return a further seed of the current round, such as that of an opponent; `part` is its number from 1."""
        return derive(self._base, self.number, part)
