"""Count how often agents of Uno take a certain win: positions of random rounds that one turn wins for certain.

    python -m cardgames.bench.strength.certain_wins mcts-dbm champion --positions 60

A position is taken from a round between `reflex` agents, at most one from each deal: the player to move has a certain
win (`Game.certain_win`) by two cards or more, and a legal action that gives it away. With three or more players one
card suffices, as longer wins need the rule `jump-in`. The agent then plays on. It takes the win if it wins without a
turn of another player in between, and if a certain win is left at each of its decisions.
"""

from collections.abc import Iterator

import numpy as np

import cardgames
from cardgames.agents.agent import Agent, ask
from cardgames.agents.agent_factory import agent as make_agent
from cardgames.agents.agent_factory import agent_seed
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput
from cardgames.uno.rules import BOOK
from cardgames.uno.state import AFTER_DRAW, OPENER_COLOR, PLAY

_MAX_DEALS = 100_000
"""Number of deals after which the search for positions gives up."""


def positions(game: Game, number: int, seed: int) -> Iterator[State]:
    """Yield states in which the player to move has a certain win that some legal action gives away.

    Args:
        game: Game of Uno.
        number: Number of states.
        seed: Seed of the first deal.

    Raises:
        InvalidInput: If there are too few such states.
    """
    found = 0
    for deal in range(seed, seed + _MAX_DEALS):
        if found == number:
            return
        state = _position_of(game, deal)
        if state is not None:
            found += 1
            yield state
    raise InvalidInput(f"only {found} positions with a certain win were found in {_MAX_DEALS:,} deals")


def _position_of(game: Game, seed: int) -> State | None:
    """Return the first suitable state of the round dealt from `seed`, None if there is none."""
    state, agent = game.new_initial_state(seed), make_agent("reflex", game, agent_seed(seed))
    while not state.is_terminal():
        observation = state.observation()
        num_cards = int(observation.record.counts[observation.player])
        if (num_cards > 1 or game.num_players > 2) and game.certain_win(observation):
            if not all(_keeps_win(state, action) for action in observation.legal_actions):
                return state
        state.apply_action(agent.act(observation).action)
    return None


def _keeps_win(state: State, action: int) -> bool:
    """Return whether a certain win is left after an action, or the action wins."""
    seat, following = state.current_player(), state.clone()
    following.apply_action(action)
    return _reaches_decision(following, seat, np.random.default_rng(0)) and (
        following.is_terminal() or bool(following.game.certain_win(following.observation()))
    )


def _reaches_decision(state: State, seat: int, chance: np.random.Generator) -> bool:
    """Let other seats answer at random, and return whether `seat` decides next or has won."""
    while not state.is_terminal() and state.current_player() != seat:
        if state.record.phase in (PLAY, AFTER_DRAW, OPENER_COLOR):
            return False
        state.apply_action(int(chance.choice(state.legal_actions())))
    return not state.is_terminal() or bool(state.record.winner == seat)


def takes_win(agent: Agent, state: State, seed: int) -> bool:
    """Return whether an agent takes the certain win of the player to move; `seed` is that of the others' answers."""
    seat, following, chance = state.current_player(), state.clone(), np.random.default_rng(seed)
    while not following.is_terminal():
        observation = following.observation()
        if not following.game.certain_win(observation):
            return False
        following.apply_action(ask(agent, observation).action)
        if not _reaches_decision(following, seat, chance):
            return False
    return True


def main() -> None:
    """Parse the arguments and print, for each preset and agent, how many certain wins the agent takes."""
    parser = parser_of(__doc__)
    parser.add_argument("agents", nargs="+", metavar="AGENT")
    parser.add_argument("--rules", nargs="+", default=list(BOOK.presets), help="rule sets [default: all presets]")
    parser.add_argument("--players", type=count, default=2)
    parser.add_argument("--positions", type=count, default=60, help="number of positions under each rule set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the positions in which the win is not taken")
    args = parser.parse_args()
    for rules in args.rules:
        game = cardgames.make("uno", players=args.players, rules=rules)
        states = list(positions(game, args.positions, args.seed))
        for name in args.agents:
            missed = [
                state
                for number, state in enumerate(states)
                if not takes_win(make_agent(name, game, agent_seed(args.seed, number)), state, number)
            ]
            taken = len(states) - len(missed)
            print(f"{rules}, {args.players} players, {name}: {taken} of {len(states)}", flush=True)
            for state in missed if args.show else ():
                observation = state.observation()
                line = [game.action_to_string(action) for action in game.certain_win(observation)]
                print(f"  {observation.to_dict()['hand']} on {observation.to_dict()['top']}: {' '.join(line)}")


if __name__ == "__main__":
    run(main)
