"""Tests of the particle filter: continuation equals filtering from the start; weights, resampling and belief."""

from dataclasses import replace

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.particle_filter import ParticleFilter, Particles, draw_roots, run_particle_filter
from cardgames.search.particle_kernels import _normalize, _resample
from tests.search.mcts.test_mcts_agent import position


def equal_particles(first: Particles, second: Particles) -> bool:
    return (
        first.states.tobytes() == second.states.tobytes()
        and np.array_equal(first.weights, second.weights)
        and first.effective_sample_size == second.effective_sample_size
        and np.array_equal(first.belief, second.belief)
    )


@pytest.mark.parametrize(
    ("game_name", "rules", "policy"),
    [("uno", "rlcard", "linear"), ("uno", "official", ""), ("doudizhu", "classic", ""), ("doudizhu", "rlcard", "")],
)
def test_continued_filter_equals_filter_from_the_start(game_name: str, rules: str, policy: str) -> None:
    game = cardgames.make(game_name, players=3, rules=rules)
    belief_policy = find_policy(game, policy) if policy else None
    filters = [ParticleFilter(game, 30, 0.9, belief_policy, seed=7) for _ in range(3)]
    for deal in range(2):
        state = game.new_initial_state(seed=deal)
        for _ in range(60):
            if state.is_terminal():
                break
            seat = state.current_player()
            observation = state.observation()
            from_start = ParticleFilter(game, 30, 0.9, belief_policy, seed=7).particles(observation)
            assert equal_particles(filters[seat].particles(observation), from_start)
            legal = state.legal_actions()
            state.apply_action(legal[(7 * len(state.history()) + deal) % len(legal)])


def test_weights_become_equal_if_all_are_zero() -> None:
    weights = np.zeros(4)
    _normalize(weights)
    assert weights.tolist() == [0.25] * 4


def test_filter_restarts_for_another_history_or_position() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.new_initial_state(seed=3)
    while state.current_player() != 0 or len(state.legal_actions()) < 3:
        state.apply_action(state.legal_actions()[0])
    branches = []
    for action in state.legal_actions()[:2]:
        branch = state.clone()
        branch.apply_action(action)
        while branch.current_player() != 0:
            branch.apply_action(branch.legal_actions()[0])
        branches.append(branch)
    positions = [game.position(hands=[hand, 5], top="r9", to_move=0) for hand in ("r1 g2 b3", "y4 y5 f")]
    for first, second in (branches, positions):
        for one, other in ((first, second), (second, first)):
            particle_filter = ParticleFilter(game, 30, 0.9, seed=7)
            particle_filter.particles(one.observation(0))
            particles = particle_filter.particles(other.observation(0))
            assert equal_particles(particles, ParticleFilter(game, 30, 0.9, seed=7).particles(other.observation(0)))


def test_filter_restarts_for_an_earlier_observation() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state, seen = game.new_initial_state(seed=3), []
    for _ in range(20):
        if state.current_player() == 0:
            seen.append(state.observation())
        state.apply_action(state.legal_actions()[0])
    particle_filter = ParticleFilter(game, 30, 0.9, seed=7)
    for observation in (seen[5], seen[2], seen[2], seen[3], seen[0]):
        assert equal_particles(
            particle_filter.particles(observation), ParticleFilter(game, 30, 0.9, seed=7).particles(observation)
        )


def test_filters_with_different_seeds_draw_different_particles() -> None:
    observation = position("rlcard").observation()
    one, other = (ParticleFilter(observation.game, 30, 0.9, seed=seed).particles(observation) for seed in (1, 2))
    assert one.states.tobytes() != other.states.tobytes()


@pytest.mark.parametrize(
    "name", ["mcts-dbm:simulations=20", "mcts-net:simulations=20,particles=30", "q-tree:particles=30"]
)
def test_mismatch_weight_changes_the_belief(name: str) -> None:
    observation = position("rlcard").observation()
    low_weight, high_weight = (
        cardgames.agent(f"{name},mismatch_weight={mismatch_weight}", observation.game, seed=1)
        .act(observation)
        .report.belief
        for mismatch_weight in (0.01, 0.9)
    )
    assert low_weight != high_weight


def test_belief_is_the_weighted_mean_of_the_particles() -> None:
    observation = position("rlcard").observation()
    particles = run_particle_filter(observation, 40, 0.5, rng.stream(2))
    assert particles.weights.std() > 0
    expected = np.zeros_like(particles.belief)
    for state, weight in zip(particles.states, particles.weights, strict=True):
        for seat, row in enumerate(expected):
            ops.accumulate_card_counts(observation.game.kernel_rules, state, seat, weight, row)
    assert np.allclose(particles.belief, expected)


def test_resampled_particles_have_equal_weights() -> None:
    observation = position("rlcard").observation()
    game, states = observation.game, run_particle_filter(observation, 8, 0.9, rng.stream(2)).states
    weights = np.array([0.65] + [0.05] * 7)
    scratch = states.copy(), np.zeros(8, np.int64)
    _resample(game.kernel_rules, observation.player, states, weights, *scratch, rng.stream(1))
    assert weights.tolist() == [1 / 8] * 8


def test_roots_are_drawn_in_proportion_to_weights() -> None:
    observation = position("rlcard").observation()
    particles = run_particle_filter(observation, 8, 0.9, rng.stream(2))
    heavy = replace(particles, weights=np.array([0.55, 0.3] + [0.025] * 6))
    roots = np.zeros(40, observation.game.state_dtype)
    draw_roots(observation, heavy, rng.stream(1), roots)
    drawn = [sum(root.tobytes() == state.tobytes() for root in roots) for state in heavy.states]
    assert drawn == [22, 12, 1, 1, 1, 1, 1, 1]
