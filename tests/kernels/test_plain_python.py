"""Tests of kernels as plain Python (`NUMBA_DISABLE_JIT=1`, for debuggers): same results as compiled."""

import os
import subprocess
import sys

import pytest

ROUND = """
import sys, warnings
import cardgames
warnings.filterwarnings("ignore", message="overflow")  # NumPy's, of integers that wrap on purpose
game = cardgames.make(sys.argv[1])
agents = [cardgames.agent(name, game, seed=seat) for seat, name in enumerate(sys.argv[2:])]
state = game.new_initial_state(seed=11)
for _ in range(40):
    if not state.is_terminal():
        decision = agents[state.current_player() % len(agents)].act(state.observation())
        state.apply_action(decision.action)
        analysis = [decision.value or 0.0, *decision.policy.values()]
        print(state.history()[-1], [round(number, 9) for number in analysis])
print(state.to_dict(), state.returns())
"""
"""Script that prints 40 decisions of a round with values and policies, rounded since compiled sums differ slightly."""


LIKELIHOODS = """
import warnings
import cardgames
from cardgames.networks.policy_lookup import find_policy
from cardgames.core import ops
warnings.filterwarnings("ignore", message="overflow")
positions = [
    cardgames.make("uno", rules="rlcard").position(hands=["r3 r3 r8 rv", "g1"], top="r5"),
    cardgames.make("doudizhu").position(hands=["3345677", "88", "9"], landlord=0),
]
for state in positions:
    game = state.game
    for name in game.policies:
        policy_id, weights = find_policy(game, name)
        likelihoods = [ops.likelihood(game.kernel_rules, state.record, a, policy_id, weights) for a in state.legal_actions()]
        assert abs(sum(likelihoods) - 1) < 1e-5, (game, name, likelihoods)
"""
"""Script that checks that the likelihoods of all legal actions add up to 1, also with two equal cards."""


def test_likelihoods_add_up_in_plain_python() -> None:
    subprocess.run([sys.executable, "-c", LIKELIHOODS], env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("uno", "mcts-dbm:setting=paper,simulations=8", "expectimax", "dqn"),
        ("doudizhu", "ismcts:simulations=8", "rhcp", "random"),
    ],
)
def test_plain_python_plays_like_compiled_kernels(arguments: tuple[str, ...]) -> None:
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", ROUND, *arguments],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in "01"
    )
    assert compiled == plain and len(compiled.splitlines()) > 20
