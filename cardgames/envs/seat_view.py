"""What a seat is shown in an encoding, with a mask of its legal actions, as environments of others have it."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.encoding import sees_hidden
from cardgames.core.game import Game, check_is_game
from cardgames.core.observation import Observation
from cardgames.support.errors import InvalidInput, is_whole, shortened, unknown

RENDER_MODES = ["ansi"]
Shown = dict[str, NDArray[np.int8]]
"""`observation`, int8 in the encoding's shape, and `action_mask`, int8 [actions], 1 where one is legal for the seat now."""


def check_render_mode(mode: object) -> None:
    """Raise `InvalidInput` unless this is a mode to render in, or None."""
    if mode is not None and mode not in RENDER_MODES:
        raise unknown("render mode", mode, RENDER_MODES)


def latest(seen: Observation | None) -> Observation:
    """Return what was seen last. Raises `InvalidInput` if no round is on."""
    if seen is None:
        raise InvalidInput("no round is on: call reset first")
    return seen


class Showing:
    """Shows rounds of a game in one encoding (the game's first by default), which names actions too (verb `renamed`)."""

    def __init__(self, game: Game, encoding: str | None):
        """Raise `InvalidInput` for what is no game, an encoding it lacks and one of hidden cards."""
        check_is_game(game)
        self.encoding = game.first_encoding if encoding is None else encoding
        self._game, self._known = game, game.encoding(self.encoding)
        if sees_hidden(self.encoding):
            raise InvalidInput(f"{self.encoding} shows hidden cards")

    @property
    def observations(self) -> "spaces.Dict":
        """The space of what is shown."""
        numbers = np.iinfo(np.int8)
        return spaces.Dict(
            {
                "observation": spaces.Box(numbers.min, numbers.max, self._known.shape, np.int8),
                "action_mask": spaces.MultiBinary(self._game.num_distinct_actions),
            }
        )

    @property
    def actions(self) -> "spaces.Discrete[np.int64]":
        """The space of actions; `sample(mask)` draws a legal one."""
        return spaces.Discrete(self._game.num_distinct_actions)

    def show(self, seen: Observation) -> Shown:
        """Return what the seat of an observation is shown, in new arrays."""
        numbers, naming = self._encoded(seen)
        mask = np.zeros(self._game.num_distinct_actions, np.int8)
        mask[[self._renamed(naming, action) for action in seen.legal_actions]] = 1
        return {"observation": numbers, "action_mask": mask}

    def action(self, seen: Observation, named: Any) -> int:
        """Return the game's id of the action that is `named` so (a whole number, also as an array without dimensions)
        where `seen` is shown. Raises `InvalidInput`.
        """
        number = named.item() if isinstance(named, np.ndarray) and named.ndim == 0 else named
        if not is_whole(number) or not 0 <= number < self._game.num_distinct_actions:
            raise InvalidInput(
                f"an action is a whole number below {self._game.num_distinct_actions}, not {shortened(named)}"
            )
        return self._renamed(-self._encoded(seen)[1], int(number))

    def _encoded(self, seen: Observation) -> tuple[NDArray[np.int8], int]:
        out = np.zeros(self._known.inputs, np.int8)
        naming = ops.encode(self._game.kernel_rules, seen.record, seen.player, self._known.which, out)
        return out.reshape(self._known.shape), int(naming)

    def _renamed(self, naming: int, action: int) -> int:
        return int(ops.renamed(self._game.kernel_rules, naming, action))
