"""How much RLCard's DQN learns beside ours, on its own network and on plain layers with ReLU, which ours has if not told
otherwise.

    python -m cardgames.bench.experiments.rlcard_dqn --rounds 20000 --seeds 3

RLCard's network normalises its inputs by batches and has tanh between its layers; `normalised` and `tanh` change one of
the two, and `ours-rlcard` is ours on RLCard's (`network=rlcard`). All else is alike: an update of 32 after every
decision, one opponent who plays at random. Prints, as each training ends, how many games the learner wins in the first
seat, and of how many decisions it remembers it takes Q to be beyond 1 or -1, which is all that a game pays. RLCard takes
a quarter of an hour for 20,000 rounds, ours two minutes, on RLCard's network ten.
"""

import contextlib
import time
from itertools import pairwise
from unittest import mock

import numpy as np

from cardgames.bench.experiments.arguments import count, parser_of, run
from cardgames.bench.rlcard_dqn import RlcardDqn
from cardgames.core.game_registry import make
from cardgames.kernels.rng import derive
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.papers.competition import compete_with_random
from cardgames.papers.request import TEST_CARDS
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import wilson

NETWORKS = {"rlcard": None, "normalised": (True, "ReLU"), "tanh": (False, "Tanh"), "plain": (False, "ReLU")}
"""Name -> whether inputs are normalised and what stands between layers; None: what RLCard makes."""
DDQN_MCTS = {"ours": "plain", "ours-rlcard": "rlcard"}
"""Name -> the setting `network`."""


def ours(options, seed, network):
    """Return how many of the games ours wins on this network, a Double DQN as RLCard's is, and Q of what it remembers."""
    game = make("uno", 2, "rlcard")
    changes = {"rounds": options.rounds, "hidden": options.hidden, "network": network}
    learner = make_learner("ddqn", [game], algorithm("ddqn").settings_class().with_changes(changes), seed)
    while not learner.finished:
        learner.cycle()
    memory = learner.memory
    values = learner.scores(memory.observations[: len(memory)])
    done = values[np.arange(len(memory)), memory.actions[: len(memory)]]
    return compete_with_random(learner, game, options.games, derive(seed, TEST_CARDS)).wins()[0], done


def theirs(options, seed, network):
    """Return how many of the games RLCard's wins on this network, and Q of what it remembers."""
    from rlcard.utils import set_seed

    set_seed(seed)
    with network_of(network):
        peer = RlcardDqn(options.hidden, seed)
    for _ in range(options.rounds):
        peer.learn()
    return peer.wins(options.games), peer.memory_q_values()


def network_of(name):
    """Return a context in which RLCard makes such networks."""
    from rlcard.agents import dqn_agent
    from torch import nn

    if NETWORKS[name] is None:
        return contextlib.nullcontext()
    normalised, between = NETWORKS[name]

    def make_network(num_actions, state_shape, mlp_layers):
        sizes = [int(np.prod(state_shape)), *mlp_layers]
        layers = [nn.Flatten(), *([nn.BatchNorm1d(sizes[0])] if normalised else [])]
        for inputs, outputs in pairwise(sizes):
            layers += [nn.Linear(inputs, outputs), getattr(nn, between)()]
        return nn.Sequential(*layers, nn.Linear(sizes[-1], num_actions))

    return mock.patch.object(dqn_agent, "EstimatorNetwork", make_network)


def on_one_core():
    """Keep torch to one core. Raises `InvalidInput` where it or RLCard is not installed."""
    try:
        import rlcard.agents  # noqa: F401
        import torch
    except ImportError:
        raise InvalidInput("RLCard and torch are not installed: pip install -e '.[dev]'") from None
    torch.set_num_threads(1)


def main():
    """Print the trainings."""
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=count, default=20_000)
    parser.add_argument("--games", type=count, default=20_000)
    parser.add_argument("--seeds", type=count, default=3)
    parser.add_argument("--hidden", type=count, nargs="+", default=[64, 64])
    parser.add_argument("--learners", nargs="+", default=["ours", "rlcard", "plain"], choices=[*DDQN_MCTS, *NETWORKS])
    options = parser.parse_args()
    on_one_core()
    for seed in range(options.seeds):
        for learner in options.learners:
            begun = time.process_time()
            won, values = (
                ours(options, seed, DDQN_MCTS[learner]) if learner in DDQN_MCTS else theirs(options, seed, learner)
            )
            low, high = wilson(won, options.games)
            share = f"{won / options.games:.2%} ({low:.2%} - {high:.2%})"
            beyond = f"{np.mean(np.abs(values) > 1):.1%} beyond 1"
            print(f"{learner:11}  seed {seed}  {share}  {beyond}  {time.process_time() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    run(main)
