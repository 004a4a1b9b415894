"""The particle filter goes on from decision to decision as if it followed every history anew."""

import numpy as np
import pytest

import cardgames
from cardgames.search.belief import ParticleFilter, Particles
from cardgames.search.particles import _normalize


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
    chooser = table.policy(choices) if choices else None
    lasting = [ParticleFilter(table, 30, 0.9, chooser, seed=7) for _ in range(3)]
    for deal in range(2):
        state = table.new_initial_state(seed=deal)
        for _ in range(60):
            if state.is_terminal():
                break
            seat = state.current_player()
            observation = state.observation()
            anew = ParticleFilter(table, 30, 0.9, chooser, seed=7).particles(observation)
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
