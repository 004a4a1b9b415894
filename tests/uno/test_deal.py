"""Random placement of a rejected start card in the draw pile."""

from collections import Counter

import numpy as np
import pytest

from cardgames.kernels.record_type import new_record
from cardgames.uno.deal import _return_to_pile
from cardgames.uno.piles import pop_pile
from cardgames.uno.state import STATE


@pytest.mark.parametrize("fixed", [0, 2, 5])
def test_card_returned_to_pile_is_drawn_at_uniform_position(fixed: int) -> None:
    state, times, deals = new_record(STATE), Counter[int](), 6_000
    for seed in range(deals):
        state.rng = np.uint64(seed)
        state.pile[:5], state.n_pile, state.n_fixed = range(1, 6), 5, fixed
        _return_to_pile(state, 59)
        times[[int(pop_pile(state)) for _ in range(6)].index(59)] += 1
    assert [times[place] / deals for place in range(6)] == pytest.approx([1 / 6] * 6, abs=0.02)
