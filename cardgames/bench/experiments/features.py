"""Measure the activations of a Q-network's last hidden layer: their sparsity, size and number of directions.

    python -m cardgames.bench.experiments.features runs/dqn/weights.safetensors --rules rlcard-2022

The states are those in which seat 0 decides in rounds of random players, the same for all networks. Prints for each network:

- the share of units above zero after ReLU;
- the sum of the units. A step of Adam changes all weights of an output by about the learning rate, and so the output by
  about the learning rate times this sum;
- the number of directions in which the units vary: the participation ratio, which is the squared sum of the eigenvalues of
  their covariance divided by the sum of the squared eigenvalues.
"""

from dataclasses import replace
from functools import cache

import numpy as np

import cardgames
from cardgames.bench.arguments import count, networks, of_networks, run
from cardgames.kernels.rng import derive
from cardgames.networks.mlp import pack
from cardgames.support.errors import InvalidInput


@cache
def states_of(game, encoding, number, seed):
    """Return encoded observations of seat 0 at its decisions in rounds of random players, [number, inputs]."""
    random = [cardgames.agent("random", game, derive(seed, seat)) for seat in range(game.num_players)]
    views, deals = [], 0
    while len(views) < number:
        state, deals = game.new_initial_state(seed=derive(seed, game.num_players, deals)), deals + 1
        while not state.is_terminal():
            seat = state.current_player()
            if seat == 0:
                views.append(game.encode(state, encoding).ravel())
            state.apply_action(random[seat].act(state.observation()).action)
    return np.array(views[:number])


def features(network, states):
    """Return the activations of a network's last hidden layer for encoded states, [states, units]."""
    *hidden, _ = network.layers()
    body = replace(network, sizes=network.sizes[:-1], weights=pack(hidden), activations=network.activations[:-1])
    return np.maximum(body(states), 0)


def main():
    """Parse the arguments, and print the sparsity, sum and number of directions of the last hidden layer of each network."""
    parser = of_networks(__doc__)
    parser.add_argument("--states", type=count, default=4000)
    options = parser.parse_args()
    game = cardgames.make("uno", options.players, options.rules)
    print("network: units above zero, their sum, directions")
    for path, network in networks(options.networks, game):
        if network.activations[-1:] != ("relu",):
            raise InvalidInput(f"{path}: the network has no ReLU before its outputs")
        units = features(network, states_of(game, network.encoding, options.states, options.seed))
        spread = np.linalg.eigvalsh(np.cov(units, rowvar=False))
        directions = spread.sum() ** 2 / (spread**2).sum()
        print(f"{path}: {(units > 0).mean():.1%}, {units.sum(axis=1).mean():.1f}, {directions:.1f}", flush=True)


if __name__ == "__main__":
    run(main)
