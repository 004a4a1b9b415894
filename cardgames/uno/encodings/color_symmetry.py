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


def _code(colors: NDArray[np.int64]) -> int:
    """Return where `_NUMBERS` has the number of a permutation."""
    return int(colors @ [64, 16, 4, 1])


_NUMBERS = np.zeros(256, np.int8)
for _number, _colors in enumerate(PERMUTATIONS):
    _NUMBERS[_code(_colors)] = _number


def _renamed_actions(colors: NDArray[np.int64]) -> NDArray[np.int64]:
    ids = np.arange(NUM_ACTIONS)
    ids[:NUM_CARD_IDS] = (15 * colors[:, None] + np.arange(15)).ravel()
    ids[COLOR:] = COLOR + colors
    return ids


ACTIONS = np.array([_renamed_actions(colors) for colors in PERMUTATIONS])
"""[24, NUM_ACTIONS] the id each action goes by."""

_BOTH_WAYS = np.concatenate([ACTIONS, ACTIONS[:0:-1].argsort(axis=1)]).astype(np.int8)
"""Row k is renaming k, row -k what undoes it."""


@njit
def number_of(colors):
    """Return the number of the renaming that calls colour c `colors[c]`."""
    return np.int64(_NUMBERS[64 * colors[0] + 16 * colors[1] + 4 * colors[2] + colors[3]])


@njit
def naming_of(colors, state, player):
    """Return the number of the renaming that calls colours as renaming `colors` does, and seats as `player` sees them."""
    return colors + len(PERMUTATIONS) * (2 * np.int64(player) + (state.direction < 0))


@ops.renamed.register(UNO_RULES)
@njit
def renamed(rules, naming, action):
    """Uno's verb `renamed`."""
    turned, colors = divmod(abs(naming), len(PERMUTATIONS))
    first = CATCH if action < SWAP else SWAP
    if not first <= action < first + rules.players:
        return np.int64(_BOTH_WAYS[colors if naming >= 0 else -colors, action])
    seat, way = turned // 2, 1 - 2 * (turned % 2)
    if naming >= 0:
        return np.int64(first + way * (action - first - seat) % rules.players)
    return np.int64(first + (way * (action - first) + seat) % rules.players)
