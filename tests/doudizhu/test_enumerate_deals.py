"""Dou Di Zhu's `ops.enumerate_deals`: all deals that an observation allows, with the probabilities of `determinize`."""

from collections import Counter

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.state import State
from cardgames.kernels import rng

CLASSIC = cardgames.make("doudizhu", rules="classic")


def enumerated(state: State, most: int) -> dict[tuple[str, ...], float] | None:
    """Return hands -> probability of every deal that the seat to move may believe in; None if there are more than `most`."""
    game = state.game
    deals, weights = np.zeros(most, game.state_dtype), np.zeros(most)
    n = ops.enumerate_deals(game.kernel_rules, state.observation().record, deals, weights)
    return None if n < 0 else {tuple(game.hands_of(deals[i])): float(weights[i]) for i in range(n)}


def late_positions(seed: int, hidden: int) -> State:
    """Return the first decision of a random round in which at most `hidden` cards are in the other hands."""
    chance, state = np.random.default_rng(seed), CLASSIC.new_initial_state(seed=seed)
    while not state.is_terminal():
        mover = state.current_player()
        others = sum(int(n) for seat, n in enumerate(state.record.counts) if seat != mover)
        if state.record.landlord >= 0 and others <= hidden:
            return state
        state.apply_action(int(chance.choice(state.legal_actions())))
    return late_positions(seed + 1000, hidden)


@pytest.mark.parametrize("seed", range(12))
def test_enumerated_deals_have_the_probabilities_of_determinizations(seed: int) -> None:
    state = late_positions(seed, 9)
    game, observation = state.game, state.observation()
    deals = enumerated(state, 500)
    assert deals is not None and sum(deals.values()) == pytest.approx(1)
    assert tuple(game.hands_of(state.record)) in deals
    out, stream, samples = np.zeros(1, game.state_dtype)[0], rng.stream(seed), 4000
    drawn: Counter[tuple[str, ...]] = Counter()
    for _ in range(samples):
        ops.determinize(game.kernel_rules, observation.record, stream, out)
        drawn[tuple(game.hands_of(out))] += 1
    assert drawn.keys() <= deals.keys()
    for hands, probability in deals.items():
        spread = 5 * np.sqrt(probability * (1 - probability) / samples) + 1e-9
        assert abs(drawn[hands] / samples - probability) < spread, hands


def test_more_deals_than_room_are_not_enumerated() -> None:
    state = late_positions(3, 9)
    deals = enumerated(state, 500)
    assert deals is not None
    assert enumerated(state, len(deals)) == deals
    if len(deals) > 1:
        assert enumerated(state, len(deals) - 1) is None
    assert enumerated(CLASSIC.new_initial_state(seed=1), 500) is None


def test_open_bottom_leaves_one_deal() -> None:
    game = cardgames.make("doudizhu", rules="online")
    state = game.position(hands=["8JR", "566789T2", "3"], landlord=0, to_move=1, bottom="8JR", seed=10)
    assert enumerated(state, 4) == {("8JR", "566789T2", "3"): 1.0}
