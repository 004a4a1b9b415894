"""How much more Q-networks promise than their games pay.

    python -m cardgames.bench.experiments.overestimation runs/dqn/weights.safetensors runs/afdqn/weights.safetensors --rules rlcard-2022

Each plays greedily in the first seat against random players. Of every decision: the Q of the action taken, and what the
round then paid (a won one 1, a lost one -1, a void one 0), discounted once for each decision of its own until its end, as
the targets of Q-learning are. Prints the means of both over all decisions, and of their difference with its 95 % interval
over the rounds. A Q-network that judges its own play rightly has a difference of 0.
"""

import numpy as np

import cardgames
from cardgames.bench.experiments.arguments import count, discount, networks, of_networks, run
from cardgames.kernels.rng import derive
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import clustered_mean


def played(network, game, others, seed, discount):
    """Play a round; return the Q of the actions that the first seat took, and what each of them was worth."""
    state, promised = game.new_initial_state(seed=seed), []
    while not state.is_terminal():
        seat = state.current_player()
        if seat:
            action = others[seat].act(state.observation()).action
        else:
            outputs = network.outputs_for(state.observation())
            judged = [action for action in state.legal_actions() if action < len(outputs)]
            action = max(judged, key=lambda action: outputs[action], default=state.legal_actions()[0])
            promised.append(float(outputs[action]) if judged else np.nan)
        state.apply_action(action)
    winners = state.winners()
    paid = 0.0 if not winners else 1.0 if 0 in winners else -1.0
    worth = paid * discount ** np.arange(len(promised))[::-1]
    judged = np.isfinite(promised)
    return np.array(promised)[judged], worth[judged]


def main():
    """Print a line for each network."""
    parser = of_networks(__doc__)
    parser.add_argument("--games", type=count, default=2000)
    parser.add_argument("--discount", type=discount, default=0.99)
    options = parser.parse_args()
    game = cardgames.make("uno", options.players, options.rules)
    print("network: Q, paid, difference")
    for path, network in networks(options.networks, game):
        if network.has_logits or network.sizes[-1] == 1 or network.reward != (-1.0, 1.0):
            raise InvalidInput(f"{path} is no network of Q, in rewards of 1 and -1")
        others = [cardgames.agent("random", game, derive(options.seed, seat)) for seat in range(options.players)]
        rounds = [
            played(network, game, others, derive(options.seed, options.players, number), options.discount)
            for number in range(options.games)
        ]
        promised, paid, decisions = np.array([(q.sum(), worth.sum(), len(q)) for q, worth in rounds if len(q)]).T
        more, (low, high) = clustered_mean(promised - paid, decisions)
        means = [each.sum() / decisions.sum() for each in (promised, paid)]
        print(f"{path}: {means[0]:+.3f}, {means[1]:+.3f}, {more:+.3f} ({low:.3f} - {high:.3f})", flush=True)


if __name__ == "__main__":
    run(main)
