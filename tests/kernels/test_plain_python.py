"""`NUMBA_DISABLE_JIT=1`: the kernels as Python, for a debugger, do what the compiled ones do."""

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
        thought = [decision.value or 0.0, *decision.policy.values()]
        print(state.history()[-1], [round(number, 9) for number in thought])
print(state.to_dict(), state.returns())
"""
"""Prints forty decisions of a round, what was thought of them, and where they led; compiled sums round otherwise."""


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
        which, weights = find_policy(game, name)
        chances = [ops.likelihood(game.kernel_rules, state.record, a, which, weights) for a in state.legal_actions()]
        assert abs(sum(chances) - 1) < 1e-5, (game, name, chances)
"""
"""Checks that what a policy may do, of two equal cards too, has chance 1 in all."""


def test_chances_add_up_in_kernels_that_are_not_compiled() -> None:
    subprocess.run([sys.executable, "-c", LIKELIHOODS], env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=True)


@pytest.mark.parametrize(
    "arguments",
    [("uno", "mcts-dbm:simulations=8", "expectimax", "dqn"), ("doudizhu", "ismcts:simulations=8", "rhcp", "random")],
)
def test_kernels_that_are_not_compiled_do_the_same(arguments: tuple[str, ...]) -> None:
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
