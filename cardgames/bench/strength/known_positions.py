"""Count how often agents of Dou Di Zhu play right where an honest seat can work out every card.

    python -m cardgames.bench.strength.known_positions champion ismcts mcts-dbm --positions 40

A position is taken from a round between `dmc` agents, at most one from each deal: the observation of the player to move
allows one deal only, and some legal actions win by force while others do not. An agent plays right if its action wins.
"""

from collections.abc import Iterator

import numpy as np

import cardgames
from cardgames.agents.agent import decide
from cardgames.agents.agent_factory import agent as make_agent
from cardgames.agents.agent_factory import agent_seed
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.search.exact.solver import Solver

_MAX_NODES = 1_000_000


def positions(game: Game, number: int, seed: int) -> Iterator[tuple[State, set[int]]]:
    """Yield states in which the player to move knows every card, with the actions that win by force."""
    found, solver = 0, Solver(game)
    while found < number:
        position = _position_of(game, solver, seed)
        seed += 1
        if position is not None:
            found += 1
            yield position


def _position_of(game: Game, solver: Solver, seed: int) -> tuple[State, set[int]] | None:
    """Return the first suitable state of the round dealt from `seed`, with its winning actions; None if there is none."""
    state, agent = game.new_initial_state(seed), make_agent("dmc", game, agent_seed(seed))
    deal, weight = np.zeros(1, game.state_dtype), np.zeros(1)
    while not state.is_terminal():
        observation = state.observation()
        many = len(observation.legal_actions) > 1
        if many and ops.enumerate_deals(game.kernel_rules, observation.record, deal, weight) == 1:
            solution = solver.solve(state, max_nodes=_MAX_NODES)
            if solution.complete and 0 < len(solution.winning) < len(observation.legal_actions):
                return state, set(solution.winning)
        state.apply_action(agent.act(observation).action)
    return None


def main() -> None:
    """Parse the arguments and print, for each agent, in how many positions it plays a winning action."""
    parser = parser_of(__doc__)
    parser.add_argument("agents", nargs="+", metavar="AGENT")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--positions", type=count, default=40)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    game = cardgames.make("doudizhu", rules=args.rules)
    found = list(positions(game, args.positions, args.seed))
    for name in args.agents:
        right = sum(
            decide(make_agent(name, game, agent_seed(args.seed, number)), state).action in winning
            for number, (state, winning) in enumerate(found)
        )
        print(f"{args.rules}, {name}: {right} of {len(found)}", flush=True)


if __name__ == "__main__":
    run(main)
