"""Permutations of colors and seats in action ids, and Uno's kernel for `ops.apply_symmetry`.

Uno stays the same under the 24 permutations of its colors (paper 001, section 3.3: state isomorphism). Permutation k
turns color c into `PERMUTATIONS[k, c]`. A wild has no color except the one printed on it, which distinguishes its
copies; that is permuted too, and so is the color that an action names.

Seats are numbered by the turns they are ahead of the mover, as in the inputs of encodings: `catch 1` catches the next
seat.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.uno.cards import CATCH, COLOR, NUM_ACTIONS, NUM_CARD_IDS, SWAP
from cardgames.uno.rules import UNO_RULES

PERMUTATIONS = np.array(list(permutations(range(4))))
"""`[24, 4]` New index of each color under each color permutation; permutation 0 is the identity."""


def _permutation_code(colors: NDArray[np.int64]) -> int:
    """Return the index in `_ID_OF_CODE` of the color permutation `colors`: its four entries as digits to base 4."""
    return int(colors @ [64, 16, 4, 1])


_ID_OF_CODE = np.zeros(256, np.int8)
for _number, _colors in enumerate(PERMUTATIONS):
    _ID_OF_CODE[_permutation_code(_colors)] = _number


def _renamed_actions(colors: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the new id of each action if color c becomes `colors[c]`."""
    ids = np.arange(NUM_ACTIONS)
    ids[:NUM_CARD_IDS] = (15 * colors[:, None] + np.arange(15)).ravel()
    ids[COLOR:] = COLOR + colors
    return ids


RENAMED_ACTIONS = np.array([_renamed_actions(colors) for colors in PERMUTATIONS])
"""`[24, NUM_ACTIONS]` New id of each action under each color permutation."""

_ACTIONS_AND_INVERSES = np.concatenate([RENAMED_ACTIONS, RENAMED_ACTIONS[:0:-1].argsort(axis=1)]).astype(np.int8)
"""`[47, NUM_ACTIONS] int8` New id of each action: row k for color permutation k, row -k for its inverse."""


@njit
def permutation_id(colors):
    """Return the index in `PERMUTATIONS` of the permutation that turns color c into `colors[c]`."""
    return np.int64(_ID_OF_CODE[64 * colors[0] + 16 * colors[1] + 4 * colors[2] + colors[3]])


@njit
def renaming_id(colors, state, player):
    """Return the id of the symmetry that permutes the colors and numbers the seats as `player` sees them.

    `colors` is the index of the color permutation. Seats are numbered from `player` on in the direction of play.
    """
    return colors + len(PERMUTATIONS) * (2 * np.int64(player) + (state.direction < 0))


@ops.apply_symmetry.register(UNO_RULES)
@njit
def apply_symmetry(rules, symmetry_id, action):
    """Implement `ops.apply_symmetry` for Uno: return the new id of `action` after colors or seats are renamed.

    `symmetry_id` is a result of `renaming_id`; its negative is the inverse.
    """
    orientation, colors = divmod(abs(symmetry_id), len(PERMUTATIONS))
    first = CATCH if action < SWAP else SWAP
    if not first <= action < first + rules.players:
        return np.int64(_ACTIONS_AND_INVERSES[colors if symmetry_id >= 0 else -colors, action])
    seat, direction_sign = orientation // 2, 1 - 2 * (orientation % 2)
    if symmetry_id >= 0:
        return np.int64(first + direction_sign * (action - first - seat) % rules.players)
    return np.int64(first + (direction_sign * (action - first) + seat) % rules.players)
