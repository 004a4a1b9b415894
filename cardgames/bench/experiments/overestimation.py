"""Measure the overestimation of Q-networks: the Q of the chosen actions compared with the discounted returns.

    python -m cardgames.bench.experiments.overestimation runs/dqn/weights.safetensors --rules rlcard-2022

Each network plays greedily in seat 0 against random players. The return of a decision is the payoff of its round (1 for a
win, -1 for a loss, 0 for a void round), discounted once for each later decision of the network, as in the targets of
Q-learning. Prints the means of Q and of the return over all decisions, and of their difference with a 95 % interval
clustered by round. A network that estimates its own play correctly has a difference of 0.
"""

import numpy as np

import cardgames
from cardgames.bench.arguments import count, discount, networks, of_networks, run
from cardgames.kernels.rng import derive
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import clustered_mean


def played(network, game, others, seed, discount):
    """Play a round with `network` in seat 0; return the Q of each of its actions and their discounted returns.

    Both are [decisions] float arrays. Decisions in which no legal action has a Q are left out.
    """
    state, predicted = game.new_initial_state(seed=seed), []
    while not state.is_terminal():
        seat = state.current_player()
        if seat:
            action = others[seat].act(state.observation()).action
        else:
            outputs = network.outputs_for(state.observation())
            candidates = [action for action in state.legal_actions() if action < len(outputs)]
            action = max(candidates, key=lambda action: outputs[action], default=state.legal_actions()[0])
            predicted.append(float(outputs[action]) if candidates else np.nan)
        state.apply_action(action)
    winners = state.winners()
    payoff = 0.0 if not winners else 1.0 if 0 in winners else -1.0
    returns = payoff * discount ** np.arange(len(predicted))[::-1]
    has_q = np.isfinite(predicted)
    return np.array(predicted)[has_q], returns[has_q]


def main():
    """Parse the arguments, and print the mean Q, the mean return and their difference for each network."""
    parser = of_networks(__doc__)
    parser.add_argument("--games", type=count, default=2000)
    parser.add_argument("--discount", type=discount, default=0.99)
    options = parser.parse_args()
    game = cardgames.make("uno", options.players, options.rules)
    print("network: Q, return, difference")
    for path, network in networks(options.networks, game):
        if network.has_logits or network.sizes[-1] == 1 or network.reward != (-1.0, 1.0):
            raise InvalidInput(f"{path} is not a Q-network with rewards 1 and -1")
        others = [cardgames.agent("random", game, derive(options.seed, seat)) for seat in range(options.players)]
        rounds = [
            played(network, game, others, derive(options.seed, options.players, number), options.discount)
            for number in range(options.games)
        ]
        predicted, payoff, decisions = np.array([(q.sum(), returns.sum(), len(q)) for q, returns in rounds if len(q)]).T
        mean_difference, (low, high) = clustered_mean(predicted - payoff, decisions)
        means = [totals.sum() / decisions.sum() for totals in (predicted, payoff)]
        print(f"{path}: {means[0]:+.3f}, {means[1]:+.3f}, {mean_difference:+.3f} ({low:.3f} - {high:.3f})", flush=True)


if __name__ == "__main__":
    run(main)
