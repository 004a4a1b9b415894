"""What a seat is shown in an encoding, with a mask of its legal actions, as environments of others have it."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.encoding import sees_hidden
from cardgames.core.game import Game, check_is_game
from cardgames.core.observation import Observation
from cardgames.support.errors import InvalidInput, is_integer, short_repr, unknown_name

RENDER_MODES = ["ansi"]
MaskedObservation = dict[str, NDArray[np.int8]]
"""`observation`, int8 in the encoding's shape, and `action_mask`, int8 [actions], 1 where one is legal for the seat now."""


def check_render_mode(mode: object) -> None:
    """Raise `InvalidInput` unless this is a mode to render in, or None."""
    if mode is not None and mode not in RENDER_MODES:
        raise unknown_name("render mode", mode, RENDER_MODES)


def require_observation(observation: Observation | None) -> Observation:
    """Return what was seen last. Raises `InvalidInput` if no round is on."""
    if observation is None:
        raise InvalidInput("no round is on: call reset first")
    return observation


class ObservationEncoder:
    """Shows rounds of a game in one encoding (the game's first by default), which names actions too (verb `apply_symmetry`)."""

    def __init__(self, game: Game, encoding: str | None):
        """Raise `InvalidInput` for what is no game, an encoding it lacks and one of hidden cards."""
        check_is_game(game)
        self.encoding = game.default_encoding if encoding is None else encoding
        self._game, self._encoding_spec = game, game.encoding(self.encoding)
        if sees_hidden(self.encoding):
            raise InvalidInput(f"{self.encoding} shows hidden cards")

    @property
    def observation_space(self) -> "spaces.Dict":
        """The space of what is shown."""
        numbers = np.iinfo(np.int8)
        return spaces.Dict(
            {
                "observation": spaces.Box(numbers.min, numbers.max, self._encoding_spec.shape, np.int8),
                "action_mask": spaces.MultiBinary(self._game.num_distinct_actions),
            }
        )

    @property
    def action_space(self) -> "spaces.Discrete[np.int64]":
        """The space of actions; `sample(mask)` draws a legal one."""
        return spaces.Discrete(self._game.num_distinct_actions)

    def encode(self, observation: Observation) -> MaskedObservation:
        """Return what the seat of an observation is shown, in new arrays."""
        numbers, symmetry_id = self._encoded(observation)
        mask = np.zeros(self._game.num_distinct_actions, np.int8)
        mask[[self._apply_symmetry(symmetry_id, action) for action in observation.legal_actions]] = 1
        return {"observation": numbers, "action_mask": mask}

    def action(self, observation: Observation, named_action: Any) -> int:
        """Return the game's id of the action that is `named_action` so (a whole number, also as an array without dimensions)
        where `observation` is shown. Raises `InvalidInput`.
        """
        number = (
            named_action.item() if isinstance(named_action, np.ndarray) and named_action.ndim == 0 else named_action
        )
        if not is_integer(number) or not 0 <= number < self._game.num_distinct_actions:
            raise InvalidInput(
                f"an action is a whole number below {self._game.num_distinct_actions}, not {short_repr(named_action)}"
            )
        return self._apply_symmetry(-self._encoded(observation)[1], int(number))

    def _encoded(self, observation: Observation) -> tuple[NDArray[np.int8], int]:
        out = np.zeros(self._encoding_spec.inputs, np.int8)
        symmetry_id = ops.encode(
            self._game.kernel_rules, observation.record, observation.player, self._encoding_spec.encoding_id, out
        )
        return out.reshape(self._encoding_spec.shape), int(symmetry_id)

    def _apply_symmetry(self, symmetry_id: int, action: int) -> int:
        return int(ops.apply_symmetry(self._game.kernel_rules, symmetry_id, action))
