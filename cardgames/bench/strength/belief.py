"""Measure how well the particle filter predicts the opponents' cards in Uno: log loss per card, by turn.

    python -m cardgames.bench.strength.belief --rules rlcard --players 2 --games 500

At every decision of seat 0 the belief assigns a probability to each card that an opponent holds: the expected share of cards
of the same color and face in that hand, mixed with 5 % of the uniform belief. The uniform belief (each unseen card equally
likely in every hand) is also the baseline.
"""

from collections import defaultdict

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run, share
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from cardgames.papers.theorem31 import mean_gain, turn_band
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.particle_filter import run_particle_filter
from cardgames.uno.cards import DECK, KIND_OF_CARD, NUM_KINDS
from cardgames.uno.events import cards_in_hand

SMOOTHING = 0.05


def kinds_of(cards):
    """Return how many of the cards with ids `cards` are of each kind (color and face), [kinds] int."""
    return np.bincount(KIND_OF_CARD[np.asarray(cards, int)], minlength=NUM_KINDS)


def uniform_belief(observation):
    """Return the share of each kind (color and face) among the cards that the observer has not seen, [kinds] float."""
    record = observation.record
    seen = cards_in_hand(record, observation.player) + [int(c) for c in record.discard[: record.n_discard]]
    unseen = kinds_of(DECK) - kinds_of(seen)
    return np.maximum(unseen, 0) / max(1, unseen.sum())


def losses(state, observation, particles, mismatch_weight, belief_policy, stream):
    """Return a pair of log losses in nats for every card in an opponent's hand.

    The first is the loss of the particle filter's belief, the second that of the uniform belief.
    `state` shows the real hands; the belief is computed from `observation`.
    """
    flat = uniform_belief(observation)
    belief = run_particle_filter(observation, particles, mismatch_weight, stream, belief_policy).belief
    losses_per_card = []
    for seat in range(observation.game.num_players):
        if seat == observation.player:
            continue
        kinds = KIND_OF_CARD[cards_in_hand(state.record, seat)]
        share = (1 - SMOOTHING) * belief[seat] / belief[seat].sum() + SMOOTHING * flat
        losses_per_card += [(-np.log(max(share[k], 1e-9)), -np.log(max(flat[k], 1e-9))) for k in kinds]
    return losses_per_card


def measure(game, opponents, games, seed, particles, mismatch_weight, belief_policy):
    """Play rounds and return a dict: range of turns -> list with a tuple per decision of seat 0.

    A tuple holds the index of the round, the mean log loss of the belief, and that of the uniform belief, in nats per card.
    """
    bands = defaultdict(list)
    stream = rng.stream(rng.derive(seed, 1))
    for number in range(games):
        deal = rng.derive(seed, 2, number)
        agents = [cardgames.agent(opponents, game, seed=rng.derive(deal, seat)) for seat in range(game.num_players)]
        state = game.new_initial_state(seed=deal)
        turn = 0
        while not state.is_terminal():
            observation = state.observation()
            if observation.player == 0:
                turn += 1
                pairs = losses(state, observation, particles, mismatch_weight, belief_policy, stream)
                bands[turn_band(turn)].append((number, *np.mean(pairs, axis=0)))
            state.apply_action(agents[observation.player].act(observation).action)
    return bands


def summary(rows):
    """Return a line of text with the mean losses (nats per card) of the belief and of the uniform belief, and the gain.

    `rows` are tuples (index of the round, loss of the belief, loss of the uniform belief), one per decision.
    """
    number, belief, uniform = np.array(rows).T
    gain, interval = mean_gain(number, uniform - belief)
    margin = "" if interval is None else f" +- {interval[1] - gain:.4f}"
    return (
        f"belief {belief.mean():.4f}  uniform {uniform.mean():.4f}  gain {gain:+.4f}{margin}  ({len(rows)} decisions)"
    )


def main():
    """Parse the arguments, play the rounds, and print the losses by range of turns."""
    parser = parser_of(__doc__)
    parser.add_argument("--rules", default="rlcard")
    parser.add_argument("--players", type=count, default=2)
    parser.add_argument("--opponents", default="reflex")
    parser.add_argument("--games", type=count, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--particles", type=count, default=MctsSettings.particles)
    parser.add_argument("--mismatch-weight", type=share, default=MctsSettings.mismatch_weight)
    parser.add_argument("--belief-policy", help="policy whose likelihoods of the others' actions weight the particles")
    args = parser.parse_args()
    game = cardgames.make("uno", players=args.players, rules=args.rules)
    belief_policy = find_policy(game, args.belief_policy) if args.belief_policy else None
    bands = measure(game, args.opponents, args.games, args.seed, args.particles, args.mismatch_weight, belief_policy)
    print(
        f"{args.rules}, {args.players} players, opponents {args.opponents}, {args.games} games, seed {args.seed}, "
        f"{args.particles} particles, mismatch weight {args.mismatch_weight}, "
        f"belief policy {args.belief_policy or 'none'}: nats per card"
    )
    everything = [row for rows in bands.values() for row in rows]
    for band, rows in [*sorted(bands.items()), ("all", everything)]:
        name = band if band == "all" else f"turns {band[0]}-{band[1]}" if band[1] < 10_000 else f"turns {band[0]}+"
        print(f"{name:12} {summary(rows)}")


if __name__ == "__main__":
    run(main)
