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
from tests.differences import assert_same
from tests.search.mcts.test_mcts_agent import position


def assert_same_particles(actual: Particles, expected: Particles, name: str = "particles") -> None:
    """Assert that two results of a particle filter are equal; the message names the field that differs."""
    for field in ("effective_sample_size", "weights", "belief", "states"):
        assert_same(getattr(actual, field), getattr(expected, field), f"{name}, {field}")


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
            name = f"deal {deal}, event {len(observation.events)}, seat {seat}"
            assert_same_particles(filters[seat].particles(observation), from_start, name)
            legal = state.legal_actions()
            state.apply_action(legal[(7 * len(state.history()) + deal) % len(legal)])


@pytest.mark.parametrize(
    ("game_name", "rules", "policy", "mismatch_weight"),
    [("uno", "rlcard", "linear", 0.9), ("uno", "official", "", 0.3), ("doudizhu", "classic", "frugal", 0.9)],
)
def test_filter_resamples_between_decisions_if_effective_sample_size_is_below_half(
    game_name: str, rules: str, policy: str, mismatch_weight: float
) -> None:
    """The reported effective sample size is that before resampling, after which all weights are equal."""
    game, n, num_resampled, num_uneven = cardgames.make(game_name, players=3, rules=rules), 60, 0, 0
    belief_policy, player = find_policy(game, policy) if policy else None, cardgames.agent("random", game, seed=1)
    for deal in range(3):
        state = game.new_initial_state(seed=deal)
        filters = [ParticleFilter(game, n, mismatch_weight, belief_policy, seed=7) for _ in range(3)]
        for _ in range(60):
            if state.is_terminal():
                break
            particles = filters[state.current_player()].particles(state.observation())
            before, after = particles.effective_sample_size, 1 / (particles.weights**2).sum()
            assert after == pytest.approx(n if before < n / 2 else before)
            num_resampled += before < n / 2
            num_uneven += n / 2 <= before < 0.9 * n
            state.apply_action(player.act(state.observation()).action)
    assert num_resampled > 9 and num_uneven > 9


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
            from_start = ParticleFilter(game, 30, 0.9, seed=7).particles(other.observation(0))
            assert_same_particles(particles, from_start)


def test_filter_restarts_for_an_earlier_observation() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state, seen = game.new_initial_state(seed=3), []
    for _ in range(20):
        if state.current_player() == 0:
            seen.append(state.observation())
        state.apply_action(state.legal_actions()[0])
    particle_filter = ParticleFilter(game, 30, 0.9, seed=7)
    for observation in (seen[5], seen[2], seen[2], seen[3], seen[0]):
        from_start = ParticleFilter(game, 30, 0.9, seed=7).particles(observation)
        assert_same_particles(particle_filter.particles(observation), from_start)


def test_filters_with_different_seeds_draw_different_particles() -> None:
    observation = position("rlcard").observation()
    one, other = (ParticleFilter(observation.game, 30, 0.9, seed=seed).particles(observation) for seed in (1, 2))
    assert one.states.tobytes() != other.states.tobytes()


@pytest.mark.parametrize(
    "name", ["mcts-dbm:setting=paper,simulations=20", "mcts-net:simulations=20,particles=30", "q-tree:particles=30"]
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


def test_resampling_copies_heavy_particles_and_replaces_a_tenth_of_the_copies_by_new_deals() -> None:
    observation = position("rlcard").observation()
    game, n = observation.game, 200
    states = run_particle_filter(observation, n, 0.9, rng.stream(2)).states
    before, weights = [state.tobytes() for state in states], np.array([0.65, *[0.35 / (n - 1)] * (n - 1)])
    scratch = states.copy(), np.zeros(n, np.int64)
    _resample(game.kernel_rules, observation.player, states, weights, *scratch, rng.stream(1))
    assert weights.tolist() == [1 / n] * n
    after = [state.tobytes() for state in states]
    num_new = sum(state not in before for state in after)
    assert 4 <= num_new <= 25, "a tenth of about 129 copies"
    assert after.count(before[0]) == pytest.approx(0.65 * n - num_new, abs=2)
    seen = np.zeros(1, game.state_dtype)[0]
    for state in states:
        ops.observe(game.kernel_rules, state, observation.player, seen)
        assert_same(seen.counts, observation.record.counts, "counts")


def test_roots_are_drawn_in_proportion_to_weights() -> None:
    observation = position("rlcard").observation()
    particles = run_particle_filter(observation, 8, 0.9, rng.stream(2))
    heavy = replace(particles, weights=np.array([0.55, 0.3] + [0.025] * 6))
    roots = np.zeros(40, observation.game.state_dtype)
    draw_roots(observation, heavy, rng.stream(1), roots)
    drawn = [sum(root.tobytes() == state.tobytes() for root in roots) for state in heavy.states]
    assert drawn == [22, 12, 1, 1, 1, 1, 1, 1]
