"""Encoded observations with masks of the legal actions, as the Gymnasium and PettingZoo environments return them."""

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
"""Dict of `observation`, int8 in the encoding's shape, and `action_mask`, [actions] int8 with 1 for each legal action."""


def check_render_mode(mode: object) -> None:
    """Raise `InvalidInput` unless `mode` is a render mode or None."""
    if mode is not None and mode not in RENDER_MODES:
        raise unknown_name("render mode", mode, RENDER_MODES)


def require_observation(observation: Observation | None) -> Observation:
    """Return `observation`. Raises `InvalidInput` if it is None, because no round is in progress."""
    if observation is None:
        raise InvalidInput("no round is in progress: call reset first")
    return observation


class ObservationEncoder:
    """Encodes observations with masks of legal actions, and decodes the actions chosen from them.

    A canonical encoding (one that maps symmetric positions to one) also permutes actions; `action` reverses that.
    """

    def __init__(self, game: Game, encoding: str | None):
        """Make an encoder for the encoding of `game` with the given name; None stands for the game's default encoding.

        Raises:
            InvalidInput: If `game` is not a game, or the encoding is unknown or shows hidden cards.
        """
        check_is_game(game)
        self.encoding = game.default_encoding if encoding is None else encoding
        self._game, self._encoding_spec = game, game.encoding(self.encoding)
        if sees_hidden(self.encoding):
            raise InvalidInput(f"{self.encoding} shows hidden cards: choose another encoding")

    @property
    def observation_space(self) -> "spaces.Dict":
        """Gymnasium space of the encoded observations: a dict of `observation` (int8 box) and `action_mask` (bits)."""
        numbers = np.iinfo(np.int8)
        return spaces.Dict(
            {
                "observation": spaces.Box(numbers.min, numbers.max, self._encoding_spec.shape, np.int8),
                "action_mask": spaces.MultiBinary(self._game.num_distinct_actions),
            }
        )

    @property
    def action_space(self) -> "spaces.Discrete[np.int64]":
        """Gymnasium space of the actions: the action ids, or their permuted ids if the encoding is canonical."""
        return spaces.Discrete(self._game.num_distinct_actions)

    def encode(self, observation: Observation) -> MaskedObservation:
        """Return the encoded observation and the mask of its legal actions, in new arrays."""
        numbers, symmetry_id = self._encoded(observation)
        mask = np.zeros(self._game.num_distinct_actions, np.int8)
        mask[[self._apply_symmetry(symmetry_id, action) for action in observation.legal_actions]] = 1
        return {"observation": numbers, "action_mask": mask}

    def action(self, observation: Observation, encoded_action: Any) -> int:
        """Return the game's action id of an action chosen for an encoded observation, undoing a canonical permutation.

        Args:
            observation: Observation for which the action was chosen.
            encoded_action: Index of the action in the action mask, an integer or a 0-dimensional array.

        Raises:
            InvalidInput: If the index is out of range.
        """
        number = (
            encoded_action.item()
            if isinstance(encoded_action, np.ndarray) and encoded_action.ndim == 0
            else encoded_action
        )
        if not is_integer(number) or not 0 <= number < self._game.num_distinct_actions:
            raise InvalidInput(
                f"an action is a whole number below {self._game.num_distinct_actions}, not {short_repr(encoded_action)}"
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
