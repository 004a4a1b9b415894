"""The particle filter: it goes on as if it followed every history anew, and weights count wherever particles do."""

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


def equal(first: Particles, second: Particles) -> bool:
    return (
        first.states.tobytes() == second.states.tobytes()
        and np.array_equal(first.weights, second.weights)
        and first.effective_sample_size == second.effective_sample_size
        and np.array_equal(first.belief, second.belief)
    )


@pytest.mark.parametrize(
    ("game", "rules", "choices"),
    [("uno", "rlcard", "linear"), ("uno", "official", ""), ("doudizhu", "classic", ""), ("doudizhu", "rlcard", "")],
)
def test_going_on_is_following_all_of_it_anew(game: str, rules: str, choices: str) -> None:
    table = cardgames.make(game, players=3, rules=rules)
    belief_policy = find_policy(table, choices) if choices else None
    lasting = [ParticleFilter(table, 30, 0.9, belief_policy, seed=7) for _ in range(3)]
    for deal in range(2):
        state = table.new_initial_state(seed=deal)
        for _ in range(60):
            if state.is_terminal():
                break
            seat = state.current_player()
            observation = state.observation()
            anew = ParticleFilter(table, 30, 0.9, belief_policy, seed=7).particles(observation)
            assert equal(lasting[seat].particles(observation), anew)
            legal = state.legal_actions()
            state.apply_action(legal[(7 * len(state.history()) + deal) % len(legal)])


def test_weights_that_all_came_to_nothing_are_equal_again() -> None:
    weights = np.zeros(4)
    _normalize(weights)
    assert weights.tolist() == [0.25] * 4


def test_another_course_or_position_is_followed_anew() -> None:
    table = cardgames.make("uno", players=2, rules="rlcard")
    state = table.new_initial_state(seed=3)
    while state.current_player() != 0 or len(state.legal_actions()) < 3:
        state.apply_action(state.legal_actions()[0])
    branches = []
    for action in state.legal_actions()[:2]:
        branch = state.clone()
        branch.apply_action(action)
        while branch.current_player() != 0:
            branch.apply_action(branch.legal_actions()[0])
        branches.append(branch)
    positions = [table.position(hands=[hand, 5], top="r9", to_move=0) for hand in ("r1 g2 b3", "y4 y5 f")]
    for first, second in (branches, positions):
        for one, other in ((first, second), (second, first)):
            lasting = ParticleFilter(table, 30, 0.9, seed=7)
            lasting.particles(one.observation(0))
            found = lasting.particles(other.observation(0))
            assert equal(found, ParticleFilter(table, 30, 0.9, seed=7).particles(other.observation(0)))


def test_an_earlier_moment_is_followed_anew() -> None:
    table = cardgames.make("uno", players=2, rules="rlcard")
    state, seen = table.new_initial_state(seed=3), []
    for _ in range(20):
        if state.current_player() == 0:
            seen.append(state.observation())
        state.apply_action(state.legal_actions()[0])
    lasting = ParticleFilter(table, 30, 0.9, seed=7)
    for observation in (seen[5], seen[2], seen[2], seen[3], seen[0]):
        assert equal(lasting.particles(observation), ParticleFilter(table, 30, 0.9, seed=7).particles(observation))


def test_filters_of_other_seeds_draw_other_particles() -> None:
    observation = position("rlcard").observation()
    one, other = (ParticleFilter(observation.game, 30, 0.9, seed=seed).particles(observation) for seed in (1, 2))
    assert one.states.tobytes() != other.states.tobytes()


@pytest.mark.parametrize(
    "name", ["mcts-dbm:simulations=20", "mcts-net:simulations=20,particles=30", "q-tree:particles=30"]
)
def test_mistrust_reaches_the_filter(name: str) -> None:
    observation = position("rlcard").observation()
    little, much = (
        cardgames.agent(f"{name},mismatch_weight={mismatch_weight}", observation.game, seed=1)
        .act(observation)
        .report.belief
        for mismatch_weight in (0.01, 0.9)
    )
    assert little != much


def test_belief_is_a_mean_by_weight() -> None:
    observation = position("rlcard").observation()
    found = run_particle_filter(observation, 40, 0.5, rng.stream(2))
    assert found.weights.std() > 0
    expected = np.zeros_like(found.belief)
    for state, weight in zip(found.states, found.weights, strict=True):
        for seat, row in enumerate(expected):
            ops.belief(observation.game.kernel_rules, state, seat, weight, row)
    assert np.allclose(found.belief, expected)


def test_particles_that_are_resampled_weigh_alike() -> None:
    observation = position("rlcard").observation()
    game, states = observation.game, run_particle_filter(observation, 8, 0.9, rng.stream(2)).states
    weights = np.array([0.65] + [0.05] * 7)
    room = states.copy(), np.zeros(8, np.int64)
    _resample(game.kernel_rules, observation.player, states, weights, *room, rng.stream(1))
    assert weights.tolist() == [1 / 8] * 8


def test_roots_are_drawn_as_often_as_particles_weigh() -> None:
    observation = position("rlcard").observation()
    found = run_particle_filter(observation, 8, 0.9, rng.stream(2))
    heavy = replace(found, weights=np.array([0.55, 0.3] + [0.025] * 6))
    roots = np.zeros(40, observation.game.state_dtype)
    draw_roots(observation, heavy, rng.stream(1), roots)
    drawn = [sum(root.tobytes() == state.tobytes() for root in roots) for state in heavy.states]
    assert drawn == [22, 12, 1, 1, 1, 1, 1, 1]
