"""One round after another of a game, all fixed by a seed."""

from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.kernels.rng import check_seed, derive


class RoundSequence:
    """Deals rounds, numbered from 0. Raises `InvalidInput` for what is no seed."""

    def __init__(self, game: Game, seed: int):
        self._game = game
        self.restart(seed)

    def restart(self, seed: int) -> None:
        """Go to before the first round of a seed. Raises `InvalidInput`."""
        self._base, self.number = derive(check_seed(seed)), -1

    def next(self) -> State:
        """Deal the next round, of the new `number`."""
        self.number += 1
        return self._game.new_initial_state(derive(self._base, self.number))

    def seed_for(self, part: int) -> int:
        """Return a seed for what goes with the round besides: its part number `part`, from 1 on."""
        return derive(self._base, self.number, part)
