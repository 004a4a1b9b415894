"""How much win probability the decisions of agents lose, by the judgement of a long search.

    python -m cardgames.bench.experiments.regret --rules rlcard actor-critic mcts-dbm:root=halving,playout=linear

A position is one decision with a choice, drawn from each round that `--play` plays with itself. An agent's regret there is
the value of the action the reference likes best less that of its own, both by the reference's playouts: what the reference
gets wrong of all actions alike is not seen, and neither is what an agent knows better. The differences from the first agent
are paired, so they are told apart sooner than win rates.
"""

import numpy as np

import cardgames
from cardgames.bench.experiments.arguments import count, parser_of, run
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import mean_interval

_JUDGE = 100
"""Tells the seed of the judge from those of the players, who are fewer."""
REFERENCE = "mcts-dbm:root=halving,playout=actor-critic,simulations=20000,particles=1000"


def position(game, play, seed):
    """Return the observation at a random decision with a choice in the round of a seed, None if there was none."""
    seats = [cardgames.agent(play, game, seed=rng.derive(seed, seat)) for seat in range(game.num_players)]
    state, found = game.new_initial_state(seed=seed), []
    while not state.is_terminal():
        seen = state.observation()
        if len(seen.legal_actions) > 1:
            found.append(seen)
        state.apply_action(seats[seen.player].act(seen).action)
    return found[rng.derive(seed, game.num_players) % len(found)] if found else None


def measure(game, play, reference, names, positions, seed):
    """Yield the regrets of the agents `names` (float [agents]) at each position. Raises `InvalidInput`."""
    for name in (play, *names):
        cardgames.agent(name, game)
    if not hasattr(cardgames.agent(reference, game), "search"):
        raise InvalidInput(f"{reference} is no search whose report could judge")
    for number in range(positions):
        own = rng.derive(seed, number)
        seen = position(game, play, own)
        if seen is None:
            continue
        # drawn apart: with the seed of a search like itself the judge would share its luck, and find it right
        judged = cardgames.agent(reference, game, seed=rng.derive(own, _JUDGE)).search(seen).report
        worth = {entry.action: entry.value for entry in judged.actions if entry.visits}
        chosen = [cardgames.agent(name, game, seed=own).act(seen).action for name in names]
        if not worth.keys() >= set(chosen):
            raise InvalidInput(f"{reference} did not try all actions: give it more simulations")
        yield np.array([max(worth.values()) - worth[action] for action in chosen])


def around(numbers):
    """Return the mean of numbers, and how far its 95 % interval goes either way."""
    mean = numbers.mean()
    return mean, mean_interval(mean, (numbers**2).mean(), len(numbers))[1] - mean


def main():
    """Print a line for each agent."""
    parser = parser_of(__doc__)
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--game", default="uno")
    parser.add_argument("--rules", default="rlcard")
    parser.add_argument("--players", type=count, default=2)
    parser.add_argument("--play", default="linear:play=softmax", help="who plays the rounds")
    parser.add_argument("--reference", default=REFERENCE, help="the search that judges")
    parser.add_argument("--positions", type=count, default=400)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    game = cardgames.make(args.game, players=args.players, rules=args.rules)
    found = np.array(list(measure(game, args.play, args.reference, args.agents, args.positions, args.seed)))
    if len(found) < 2:
        raise InvalidInput(f"an interval needs two positions at least, not {len(found)}: raise --positions")
    print(f"{args.game}, {args.rules} rules, {args.players} players, {len(found)} positions, seed {args.seed}")
    for name, own in zip(args.agents, found.T, strict=True):
        (mean, error), (apart, its_error) = around(own), around(own - found[:, 0])
        print(f"{mean:.4f} ± {error:.4f}  {apart:+.4f} ± {its_error:.4f}  {name}")


if __name__ == "__main__":
    run(main)
