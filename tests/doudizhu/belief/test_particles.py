"""Tests of particles on Dou Di Zhu: updates, weights, projection, and searches with the particle filter."""

import collections
import math
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.epsilon_mixture import mixture_likelihood
from cardgames.core.kernel_policy import NO_WEIGHTS
from cardgames.core.state import State
from cardgames.doudizhu.cards import DECK, hand_to_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.policies.policy_dispatch import POLICIES, RANDOM
from cardgames.doudizhu.state import STATE
from cardgames.kernels import rng
from cardgames.search.particle_filter import run_particle_filter
from tests.differences import assert_same
from tests.doudizhu.hand_helpers import PRESETS
from tests.doudizhu.rounds import state_after

MISMATCH_WEIGHT = 0.5


def updated_particle(state: State, seat: int, seed: int, policy_id: int = -1) -> tuple[Any, float]:
    """Return a particle drawn at the start of the round and updated to the current state, and its weight."""
    seen, stream, particle = state.observation(seat), rng.stream(seed), np.zeros(1, STATE)[0]
    rules = state.game.kernel_rules
    ops.determinize(rules, seen.origin, stream, particle)
    weight = 1.0
    for row in range(seen.first, len(seen.events)):
        if seen.events[row, 0] in state.game.belief.reset_events:
            weight = 1.0
        weight *= ops.advance_particle(
            rules, particle, seen.events, row, seat, MISMATCH_WEIGHT, policy_id, NO_WEIGHTS, stream
        )
    return particle, weight


def view(state: State, record: Any, seat: int) -> Any:
    """Return a seat's observation of a record."""
    out = np.zeros(1, STATE)[0]
    ops.observe(state.game.kernel_rules, record, seat, out)
    return out


def check_particle(state: State, seat: int, seed: int) -> None:
    """Assert that a seat's observation of a particle equals its real observation, before and after projection."""
    particle, weight = updated_particle(state, seat, seed)
    seen = state.observation(seat)
    assert_same(view(state, particle, seat), seen.record, f"seat {seat}")
    assert 0 < weight <= 1
    projected = np.zeros(1, STATE)[0]
    ops.project_particle(state.game.kernel_rules, seen.record, particle, rng.stream(1), projected)
    assert (projected.hands == particle.hands).all()
    assert_same(view(state, projected, seat), seen.record, f"seat {seat}, projected")


@pytest.mark.parametrize("preset", PRESETS)
def test_particles_agree_with_observation(preset: str) -> None:
    game = DouDiZhu(rules=preset)
    for seed in range(12):
        for decisions in (0, 1, 3, 5, 12, 30, 500):
            state = state_after(game, seed, decisions)
            for seat in range(3):
                check_particle(state, seat, seed)


def test_particles_agree_with_observation_after_redeals() -> None:
    for preset in ("classic", "online"):
        state = DouDiZhu(rules=preset).new_initial_state(seed=3)
        for _ in range(7):
            state.apply_action(0)
        assert state.record.redeals == 2
        state.apply_action(state.legal_actions()[1])
        for seat in range(3):
            check_particle(state, seat, 5)


def test_particle_without_played_card_is_repaired_with_mismatch_weight() -> None:
    state = DouDiZhu().position(hands=["37", "48", "59"], landlord=0, seed=1)
    for text in ("3", "4"):
        state.apply_action(state.game.parse_action(text))
    for seed in range(20):
        particle, weight = updated_particle(state, 0, seed)
        assert hand_to_text(particle.hands[0]) == "7"
        assert hand_to_text(particle.played[1]).count("4") >= 1
        assert weight in (1.0, MISMATCH_WEIGHT)
        assert sorted(hand_to_text(particle.hands[1]) + hand_to_text(particle.hands[2])) == [*"589"]


def test_projection_of_mismatched_particle_is_determinization() -> None:
    state = DouDiZhu(rules="rlcard").new_initial_state(seed=1)
    seen, other, out = (
        state.observation(0),
        DouDiZhu(rules="rlcard").new_initial_state(seed=2).record,
        np.zeros(1, STATE)[0],
    )
    ops.project_particle(state.game.kernel_rules, seen.record, other, rng.stream(1), out)
    assert_same(view(state, out, 0), seen.record, "seat 0, projected")


def test_weight_is_likelihood_of_observed_actions() -> None:
    """Each hidden hand has two cards that beat the 3, so a pass is one of three equally likely replies."""
    state = DouDiZhu().position(hands=["37", "48", "59"], landlord=0, seed=1)
    for text in ("3", "pass"):
        state.apply_action(state.game.parse_action(text))
    weights = set()
    for seed in range(40):
        particle, weight = updated_particle(state, 0, seed, policy_id=0)
        weights.add((len(set(hand_to_text(particle.hands[1]))), round(weight, 6)))
    assert weights == {(2, round(1 / 3, 6))}


@pytest.mark.parametrize("preset", ["classic", "rlcard"])
def test_filter_belief_sums_to_hand_sizes(preset: str) -> None:
    state = state_after(DouDiZhu(rules=preset), 1, 20)
    seat = state.current_player()
    result = run_particle_filter(state.observation(), 60, 0.9, rng.stream(1))
    assert result.weights.sum() == pytest.approx(1.0)
    assert result.belief.sum(axis=1) == pytest.approx(state.record.counts)
    held = [hand_to_text(state.record.hands[seat]).count(card) for card in state.game.belief.card_kinds]
    assert result.belief[seat] == pytest.approx(held)
    for particle in result.states:
        assert_same(view(state, particle, seat), state.observation().record, f"seat {seat}")


def test_particle_weights_do_not_depend_on_bottom() -> None:
    state = DouDiZhu().new_initial_state(seed=3, dealer=0)
    state.apply_action(3)
    counts, n = np.zeros(3), 1500
    for seed in range(n):
        particle, weight = updated_particle(state, 1, seed)
        assert weight == 1.0 and int(particle.bottom) == int(state.record.bottom)
        counts += [hand_to_text(hand).count("R") + hand_to_text(hand).count("B") for hand in particle.hands]
    left = [
        card for card in "BR" if card not in hand_to_text(state.record.hands[1]) + hand_to_text(state.record.bottom)
    ]
    at_bottom = sum(card in "BR" for card in hand_to_text(state.record.bottom))
    expected = n * len(left) / 2
    assert counts[2] == pytest.approx(expected, abs=4 * math.sqrt(n * len(left)) / 2 + 1e-9)
    assert counts[0] == pytest.approx(n * at_bottom + expected, abs=4 * math.sqrt(n * len(left)) / 2 + 1e-9)


def bid_likelihoods(before: State, bid: int, records: Any) -> Any:
    """Return, for each record, the likelihood that seat 0 makes a bid with its dealt hand, if it mostly follows `frugal`."""
    rules, spoken = before.game.kernel_rules, before.record.copy()
    likelihoods = np.zeros(len(records))
    for i, record in enumerate(records):
        spoken.hands[0] = record.hands[0] - record.bottom
        likelihoods[i] = mixture_likelihood(rules, spoken, bid, RANDOM, POLICIES["frugal"], NO_WEIGHTS)
    return likelihoods


@pytest.mark.parametrize("bottom", ["2BR", "34Q"])
def test_bid_weights_use_the_hand_without_bottom(bottom: str) -> None:
    """Compares with the share of hands that bid 3 under `frugal`, over deals around the bottom weighted by the bid."""
    game = DouDiZhu()
    own = "33445566778899TTJ"
    rest = collections.Counter(hand_to_text(DECK)) - collections.Counter(own + bottom)
    others = "".join(rest.elements())
    before = game.new_initial_state(seed=1, deck=others[:17] + own + others[17:] + bottom, dealer=0)
    state = before.clone()
    state.apply_action(3)
    dealt, stream = np.zeros(4000, STATE), rng.stream(9)
    for record in dealt:
        ops.determinize(game.kernel_rules, state.observation(1).record, stream, record)
    likelihoods = bid_likelihoods(before, 3, dealt)
    expected = likelihoods[likelihoods > 0.5].sum() / likelihoods.sum()
    weighted_particles = [updated_particle(state, 1, seed, POLICIES["frugal"]) for seed in range(4000)]
    weights = np.array([weight for _, weight in weighted_particles])
    bids_3 = bid_likelihoods(before, 3, [particle for particle, _ in weighted_particles]) > 0.5
    assert weights[bids_3].sum() / weights.sum() == pytest.approx(expected, abs=0.05)


def test_particle_weights_are_uniform_after_redeal() -> None:
    game = DouDiZhu()
    state = game.new_initial_state(seed=1, dealer=0)
    for _ in range(3):
        state.apply_action(0)
    result = run_particle_filter(state.observation(), 300, 0.9, rng.stream(1), game.policy("frugal", "choices"))
    assert result.effective_sample_size == pytest.approx(300) and result.weights == pytest.approx(1 / 300)


@pytest.mark.parametrize(
    "name",
    ["mcts:setting=paper,simulations=40", "mcts-dbm:setting=paper,simulations=40,particles=20,belief_policy=random"],
)
def test_searches_play_legal_actions_in_whole_rounds(name: str) -> None:
    game = cardgames.make("doudizhu", rules="online")
    agents = [cardgames.agent(name, game, seed=seat) for seat in range(3)]
    state = game.new_initial_state(seed=2)
    while not state.is_terminal():
        decision = agents[state.current_player()].act(state.observation())
        assert decision.action in state.legal_actions()
        state.apply_action(decision.action)
    assert len(state.winners()) in (1, 2)


def test_search_finds_the_winning_move() -> None:
    state = DouDiZhu().position(hands=["34567A", "88", "99"], landlord=0)
    agent = cardgames.agent("mcts:setting=paper,simulations=600", state.game, seed=1)
    assert state.action_to_string(agent.act(state.observation()).action) in ("34567", "A")


def test_particle_repair_leaves_landlord_the_bottom_cards() -> None:
    state = DouDiZhu().position(hands=["35KKA", "48", "59"], landlord=0, bottom="KKA", seed=1)
    state.apply_action(state.game.parse_action("3"))
    for seed in range(30):
        particle, _ = updated_particle(state, 1, seed)
        assert hand_to_text(particle.hands[0]).endswith("KKA")


def test_mismatch_weight_multiplies_action_likelihood() -> None:
    """With a 4 and another higher card in hand there are three equally likely replies to the 3."""
    state = DouDiZhu().position(hands=["37", "48", "59"], landlord=0, seed=1)
    for text in ("3", "4"):
        state.apply_action(state.game.parse_action(text))
    weights = {round(updated_particle(state, 0, seed, policy_id=RANDOM)[1], 6) for seed in range(20)}
    assert weights == {round(1 / 3, 6), round(MISMATCH_WEIGHT / 3, 6)}
