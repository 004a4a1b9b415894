"""From what Q is read: how many, how large and how varied the units of a network's last hidden layer are.

    python -m cardgames.bench.experiments.features runs/dqn/weights.safetensors runs/afdqn/weights.safetensors --rules rlcard-2022

In the states in which random players decide in the first seat, the same for all networks. Prints the share of the units
that are above zero (behind ReLU), their sum (a step of Adam, which moves all weights of an output by about the learning
rate, moves the output by that times the sum), and in how many directions they vary: the participation ratio, the square of
the sum of their covariance's eigenvalues divided by the sum of the squares.
"""

from dataclasses import replace
from functools import cache

import numpy as np

import cardgames
from cardgames.bench.experiments.arguments import count, networks, of_networks, run
from cardgames.kernels.rng import derive
from cardgames.networks.mlp import pack
from cardgames.support.errors import InvalidInput


@cache
def states_of(game, encoding, number, seed):
    """Return what the first seat sees, [number, inputs], in the rounds that random players play."""
    random = [cardgames.agent("random", game, derive(seed, seat)) for seat in range(game.num_players)]
    seen, deals = [], 0
    while len(seen) < number:
        state, deals = game.new_initial_state(seed=derive(seed, game.num_players, deals)), deals + 1
        while not state.is_terminal():
            seat = state.current_player()
            if seat == 0:
                seen.append(game.encode(state, encoding).ravel())
            state.apply_action(random[seat].act(state.observation()).action)
    return np.array(seen[:number])


def features(network, states):
    """Return the units of the last hidden layer, [states, units]."""
    *hidden, _ = network.layers()
    body = replace(network, sizes=network.sizes[:-1], weights=pack(hidden), activations=network.activations[:-1])
    return np.maximum(body(states), 0)


def main():
    """Print a line for each network."""
    parser = of_networks(__doc__)
    parser.add_argument("--states", type=count, default=4000)
    options = parser.parse_args()
    game = cardgames.make("uno", options.players, options.rules)
    print("network: units above zero, their sum, directions")
    for path, network in networks(options.networks, game):
        if network.activations[-1:] != ("relu",):
            raise InvalidInput(f"{path} has no ReLU before its outputs")
        units = features(network, states_of(game, network.encoding, options.states, options.seed))
        spread = np.linalg.eigvalsh(np.cov(units, rowvar=False))
        directions = spread.sum() ** 2 / (spread**2).sum()
        print(f"{path}: {(units > 0).mean():.1%}, {units.sum(axis=1).mean():.1f}, {directions:.1f}", flush=True)


if __name__ == "__main__":
    run(main)
