"""What actions go by where a network sees them: names that go with its inputs.

Colours may be called anew in 24 ways, under which Uno stays the same (paper 001, 3.3: state isomorphism). Renaming k calls
colour c `PERMUTATIONS[k, c]`. Wilds have no colour but the one printed on them, which tells their copies apart; it is
renamed too, and so is the colour an action names.

Seats are called by how many turns they are ahead of the mover, as inputs tell of them: `catch 1` is of the next one.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.uno.cards import CATCH, COLOR, NUM_ACTIONS, NUM_CARD_IDS, SWAP
from cardgames.uno.rules import UNO_RULES

PERMUTATIONS = np.array(list(permutations(range(4))))
"""[24, 4] the new colour of each; number 0 renames none."""


def _permutation_code(colors: NDArray[np.int64]) -> int:
    """Return where `_ID_OF_CODE` has the number of a permutation."""
    return int(colors @ [64, 16, 4, 1])


_ID_OF_CODE = np.zeros(256, np.int8)
for _number, _colors in enumerate(PERMUTATIONS):
    _ID_OF_CODE[_permutation_code(_colors)] = _number


def _renamed_actions(colors: NDArray[np.int64]) -> NDArray[np.int64]:
    ids = np.arange(NUM_ACTIONS)
    ids[:NUM_CARD_IDS] = (15 * colors[:, None] + np.arange(15)).ravel()
    ids[COLOR:] = COLOR + colors
    return ids


RENAMED_ACTIONS = np.array([_renamed_actions(colors) for colors in PERMUTATIONS])
"""[24, NUM_ACTIONS] the id each action goes by."""

_ACTIONS_AND_INVERSES = np.concatenate([RENAMED_ACTIONS, RENAMED_ACTIONS[:0:-1].argsort(axis=1)]).astype(np.int8)
"""Row k is renaming k, row -k what undoes it."""


@njit
def permutation_id(colors):
    """Return the number of the renaming that calls colour c `colors[c]`."""
    return np.int64(_ID_OF_CODE[64 * colors[0] + 16 * colors[1] + 4 * colors[2] + colors[3]])


@njit
def renaming_id(colors, state, player):
    """Return the number of the renaming that calls colours as renaming `colors` does, and seats as `player` sees them."""
    return colors + len(PERMUTATIONS) * (2 * np.int64(player) + (state.direction < 0))


@ops.apply_symmetry.register(UNO_RULES)
@njit
def apply_symmetry(rules, symmetry_id, action):
    """Uno's verb `apply_symmetry`."""
    orientation, colors = divmod(abs(symmetry_id), len(PERMUTATIONS))
    first = CATCH if action < SWAP else SWAP
    if not first <= action < first + rules.players:
        return np.int64(_ACTIONS_AND_INVERSES[colors if symmetry_id >= 0 else -colors, action])
    seat, direction_sign = orientation // 2, 1 - 2 * (orientation % 2)
    if symmetry_id >= 0:
        return np.int64(first + direction_sign * (action - first - seat) % rules.players)
    return np.int64(first + (direction_sign * (action - first) + seat) % rules.players)
