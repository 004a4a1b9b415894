"""Measure the regret of agents' decisions: the win probability that they lose, as estimated by a long reference search.

    python -m cardgames.bench.strength.regret --rules rlcard actor-critic mcts-dbm

A position is one random decision with several legal actions from each round that the agent `--play` plays against itself.
The regret of an agent is the reference's value of the best action minus its value of the agent's action. Errors of the
reference that affect all actions alike cancel out, and an agent gets no credit for knowing better than the reference.
Differences from the first agent are paired, so they become significant sooner than differences of win rates.
"""

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import mean_interval

_REFERENCE_STREAM = 100
"""Index from which the seed of the reference search is derived; larger than seat indices, which give the players' seeds."""
REFERENCE = "mcts-dbm:setting=paper,root=halving,playout=actor-critic,simulations=20000,particles=1000"


def position(game, play, seed):
    """Play a round with the agent named `play` in every seat; return the observation of a random decision.

    Only decisions with several legal actions count; None if the round has none.
    """
    seats = [cardgames.agent(play, game, seed=rng.derive(seed, seat)) for seat in range(game.num_players)]
    state, decisions = game.new_initial_state(seed=seed), []
    while not state.is_terminal():
        observation = state.observation()
        if len(observation.legal_actions) > 1:
            decisions.append(observation)
        state.apply_action(seats[observation.player].act(observation).action)
    return decisions[rng.derive(seed, game.num_players) % len(decisions)] if decisions else None


def measure(game, play, reference, names, positions, seed):
    """Yield, for each of `positions` positions, the regrets of the agents `names` in win probability, [agents] float.

    `play` names the agent that plays the rounds, `reference` the search agent that evaluates the actions.

    Raises:
        InvalidInput: If an agent does not exist, or the reference is not a search or does not try all actions.
    """
    for name in (play, *names):
        cardgames.agent(name, game)
    if not hasattr(cardgames.agent(reference, game), "search"):
        raise InvalidInput(f"{reference} is not a search agent: the reference must be one")
    for number in range(positions):
        own = rng.derive(seed, number)
        observation = position(game, play, own)
        if observation is None:
            continue
        # an own seed: with the seed of an equal search the reference would repeat its errors and confirm its choice
        report = cardgames.agent(reference, game, seed=rng.derive(own, _REFERENCE_STREAM)).search(observation).report
        values = {entry.action: entry.value for entry in report.actions if entry.visits}
        chosen = [cardgames.agent(name, game, seed=own).act(observation).action for name in names]
        if not values.keys() >= set(chosen):
            raise InvalidInput(f"{reference} did not try all actions: give it more simulations")
        yield np.array([max(values.values()) - values[action] for action in chosen])


def mean_and_margin(numbers):
    """Return the mean of an array of numbers and the half-width of its 95 % confidence interval."""
    mean = numbers.mean()
    return mean, mean_interval(mean, (numbers**2).mean(), len(numbers))[1] - mean


def main():
    """Parse the arguments, and print the mean regret of each agent and its difference from the first agent's."""
    parser = parser_of(__doc__)
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--game", default="uno")
    parser.add_argument("--rules", default="rlcard")
    parser.add_argument("--players", type=count, default=2)
    parser.add_argument("--play", default="linear:play=softmax", help="agent that plays the rounds")
    parser.add_argument("--reference", default=REFERENCE, help="search agent that evaluates the actions")
    parser.add_argument("--positions", type=count, default=400)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    game = cardgames.make(args.game, players=args.players, rules=args.rules)
    regrets = np.array(list(measure(game, args.play, args.reference, args.agents, args.positions, args.seed)))
    if len(regrets) < 2:
        raise InvalidInput(f"an interval needs at least two positions, not {len(regrets)}: raise --positions")
    print(f"{args.game}, {args.rules} rules, {args.players} players, {len(regrets)} positions, seed {args.seed}")
    for name, own in zip(args.agents, regrets.T, strict=True):
        (mean, error), (difference, difference_error) = mean_and_margin(own), mean_and_margin(own - regrets[:, 0])
        print(f"{mean:.4f} ± {error:.4f}  {difference:+.4f} ± {difference_error:.4f}  {name}")


if __name__ == "__main__":
    run(main)
