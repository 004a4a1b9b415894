"""Compare RLCard's DQN with this package's Double DQN, on RLCard's network architecture and on plain ReLU layers.

    python -m cardgames.bench.experiments.rlcard_dqn --rounds 20000 --seeds 3

RLCard's network has batch normalization of its inputs and tanh between its layers. `normalized` and `tanh` are RLCard's DQN
with only one of the two, `plain` has neither. `ours` is this package's learner with its default ReLU layers, `ours-rlcard`
with RLCard's architecture (`network=rlcard`). All else is equal: an update with a batch of 32 after every decision, and one
random opponent. Prints at the end of each training the share of games that the learner wins in seat 0, and the share of
decisions in its replay buffer with a Q beyond 1 or -1, which are the only payoffs of a game. For 20,000 rounds RLCard takes
a quarter of an hour, this package two minutes, on RLCard's architecture ten.
"""

import contextlib
import time
from itertools import pairwise
from unittest import mock

import numpy as np

from cardgames.bench.arguments import count, parser_of, run
from cardgames.bench.rlcard_dqn import RlcardDqn
from cardgames.core.game_registry import make
from cardgames.kernels.rng import derive
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.papers.learner_matches import compete_with_random
from cardgames.papers.request import TEST_CARDS
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import wilson

NETWORKS = {"rlcard": None, "normalized": (True, "ReLU"), "tanh": (False, "Tanh"), "plain": (False, "ReLU")}
"""Name -> (batch normalization of inputs, activation between layers) of RLCard's DQN; None for RLCard's own network."""
OUR_NETWORKS = {"ours": "plain", "ours-rlcard": "rlcard"}
"""Name -> setting `network` of this package's learner."""


def ours(options, seed, network):
    """Train this package's Double DQN with the network architecture `network` (RLCard's DQN is double too).

    Returns the number of test games won, and the Q of the action taken in each decision of the replay buffer.
    """
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
    """Train RLCard's DQN with the network architecture `network`, a key of `NETWORKS`.

    Returns the number of test games won, and the Q of the action taken in each decision of the replay buffer.
    """
    from rlcard.utils import set_seed

    set_seed(seed)
    with network_of(network):
        peer = RlcardDqn(options.hidden, seed)
    for _ in range(options.rounds):
        peer.learn()
    return peer.wins(options.games), peer.memory_q_values()


def network_of(name):
    """Return a context manager in which RLCard's DQN uses the network architecture named `name` in `NETWORKS`."""
    from rlcard.agents import dqn_agent
    from torch import nn

    if NETWORKS[name] is None:
        return contextlib.nullcontext()
    normalized, between = NETWORKS[name]

    def make_network(num_actions, state_shape, mlp_layers):
        sizes = [int(np.prod(state_shape)), *mlp_layers]
        layers = [nn.Flatten(), *([nn.BatchNorm1d(sizes[0])] if normalized else [])]
        for inputs, outputs in pairwise(sizes):
            layers += [nn.Linear(inputs, outputs), getattr(nn, between)()]
        return nn.Sequential(*layers, nn.Linear(sizes[-1], num_actions))

    return mock.patch.object(dqn_agent, "EstimatorNetwork", make_network)


def on_one_core():
    """Limit torch to one thread. Raises `InvalidInput` if RLCard or torch is not installed."""
    try:
        import rlcard.agents  # noqa: F401
        import torch
    except ImportError:
        raise InvalidInput("RLCard and torch are not installed: pip install -e '.[dev]'") from None
    torch.set_num_threads(1)


def main():
    """Parse the arguments, train each learner with each seed, and print its win rate and share of large Q values."""
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=count, default=20_000)
    parser.add_argument("--games", type=count, default=20_000)
    parser.add_argument("--seeds", type=count, default=3)
    parser.add_argument("--hidden", type=count, nargs="+", default=[64, 64])
    parser.add_argument(
        "--learners", nargs="+", default=["ours", "rlcard", "plain"], choices=[*OUR_NETWORKS, *NETWORKS]
    )
    options = parser.parse_args()
    on_one_core()
    for seed in range(options.seeds):
        for learner in options.learners:
            started = time.process_time()
            won, values = (
                ours(options, seed, OUR_NETWORKS[learner])
                if learner in OUR_NETWORKS
                else theirs(options, seed, learner)
            )
            low, high = wilson(won, options.games)
            share = f"{won / options.games:.2%} ({low:.2%} - {high:.2%})"
            beyond = f"{np.mean(np.abs(values) > 1):.1%} beyond 1"
            print(f"{learner:11}  seed {seed}  {share}  {beyond}  {time.process_time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    run(main)
