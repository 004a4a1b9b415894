"""Compare the chance model of `expectimax` in Uno with simulated rounds, by the total-variation distance.

    python -m cardgames.bench.experiments.chance_model_error --rules rlcard --rounds 100000

The distributions compared are those of the top card of the discard pile when a player moves again (or that the round has
ended) after one of its actions; positions come from rounds between `reflex` players. The simulated rounds are played by
the engine: the opponents' hands are dealt from the unseen cards without replacement, hands shrink and grow, and the draw
pile can run out. An opponent plays a random playable card. It draws only if it has none, continues to draw while the rules
allow it, plays the drawn card if possible, and chooses colors at random. With `--by kinds` each kind of card in the hand
is equally likely to be played, otherwise each card. `noise` is the distance between two simulated samples of the same size.
"""

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core import ops
from cardgames.core.kernel_policy import NO_WEIGHTS
from cardgames.kernels import rng
from cardgames.kernels.bits import NONE, nth_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno import cards
from cardgames.uno.cards import WILD_FOURS, WILDS, face_of
from cardgames.uno.expectimax.opponent_replies import OPPONENT_MODELS
from cardgames.uno.legal import card_actions, closing_action, playable_cards
from cardgames.uno.policies.rule_policies import REFLEX
from cardgames.uno.rules import BOOK
from cardgames.uno.state import AFTER_DRAW, PLAY

OVER = 60
"""Index for rounds that have ended, after those of the 60 possible top cards."""


@njit
def play_action(rules, state, card, stream):
    """Return the id of the action that plays `card`; for a wild card, with a random color among the allowed ones."""
    if face_of(card) < cards.WILD:
        return card
    actions = card_actions(rules, state) & (WILDS if face_of(card) == cards.WILD else WILD_FOURS)
    return nth_bit(actions, below(stream, popcount(actions)))


@njit
def random_card(rules, state, by_kinds, stream):
    """Return the id of the action that plays a random playable card of the seat to move, -1 if it has none.

    If `by_kinds` is true, each kind of card (color and face) is equally likely, else each single card.
    """
    seat = state.to_move
    held = playable_cards(rules, state, seat)
    if state.phase == AFTER_DRAW and not card_actions(rules, state) & ~cards.DRAW_BIT:
        held = NONE
    once, twice = held, held & state.twice[seat]
    if by_kinds:
        twice = NONE
        for wilds in (once & WILDS, once & WILD_FOURS):
            if wilds:
                once &= ~wilds | (wilds & (~wilds + cards.ONE))
    n = popcount(once)
    if n == 0:
        return -1
    pick = below(stream, n + popcount(twice))
    return play_action(rules, state, nth_bit(once, pick) if pick < n else nth_bit(twice, pick - n), stream)


@njit
def opponent(rules, state, by_kinds, stream):
    """Return the action id of an opponent as the chance model assumes: play a random playable card, else draw."""
    if state.phase != PLAY and state.phase != AFTER_DRAW:
        return ops.policy(rules, state, REFLEX, NO_WEIGHTS, stream)
    action = random_card(rules, state, by_kinds, stream)
    if state.phase == AFTER_DRAW and action >= 0 and not ops.is_legal(rules, state, action):
        # only the drawn card may be played
        action = play_action(rules, state, np.int64(state.drawn), stream) if card_actions(rules, state) else -1
    if action >= 0:
        return action
    return cards.DRAW if ops.is_legal(rules, state, cards.DRAW) else closing_action(rules, state)


@njit
def simulate(rules, observation, action, rounds, by_kinds, stream, state, out):
    """Simulate play after `action` `rounds` times and add the share of each outcome to `out` [61] float64.

    A simulation ends when the player moves again (outcome: the top card, index 0 to 59) or the round ends (index 60).
    """
    player = observation.to_move
    for _ in range(rounds):
        ops.determinize(rules, observation, stream, state)
        ops.apply_action(rules, state, action)
        while not ops.is_terminal(rules, state) and not (state.to_move == player and state.phase == PLAY):
            if state.to_move == player:
                ops.apply_action(rules, state, ops.policy(rules, state, REFLEX, NO_WEIGHTS, stream))
            else:
                ops.apply_action(rules, state, opponent(rules, state, by_kinds, stream))
        if ops.is_terminal(rules, state):
            out[OVER] += 1.0 / rounds
        else:
            out[15 * state.color + face_of(state.top)] += 1.0 / rounds


def simulated(observation, action, rounds, by_kinds, seed):
    """Return the simulated distribution over top cards when the player moves again after `action`, [61] float64.

    The last element is the probability that the round has ended.
    """
    game = observation.game
    out = np.zeros(OVER + 1)
    state = np.zeros(1, game.state_dtype)[0]
    simulate(game.kernel_rules, observation.record, action, rounds, by_kinds, rng.stream(seed), state, out)
    return out


def chained(observation, action, chain):
    """Return the distribution over top cards after `action` according to the chance model named `chain`, [61] float64.

    The last element is the probability that the round has ended.
    """
    game = observation.game
    outcomes, probs = np.zeros(game.expectimax.max_outcomes, game.state_dtype), np.zeros(game.expectimax.max_outcomes)
    n = ops.chance_outcomes(
        game.kernel_rules, observation.record, action, np.int64(OPPONENT_MODELS[chain]), outcomes, probs
    )
    out = np.zeros(OVER + 1)
    for outcome, chance in zip(outcomes[:n], probs[:n], strict=True):
        ended = ops.is_terminal(game.kernel_rules, outcome)
        out[OVER if ended else 15 * outcome.color + outcome.top % 15] += chance
    return out


def distance(a, b):
    """Return the total-variation distance of two distributions: half the sum of absolute differences."""
    return 0.5 * float(np.abs(a - b).sum())


def positions(game, count, seed):
    """Yield `count` pairs (observation, action): every fourth card played in rounds between `reflex` players."""
    player = cardgames.agent("reflex", game, seed=seed)
    seen = number = 0
    while True:
        state = game.new_initial_state(seed=rng.derive(seed, number))
        number += 1
        while not state.is_terminal():
            observation = state.observation()
            action = player.act(observation).action
            playing = observation.record.phase == PLAY and action < cards.DRAW
            if playing and observation.record.counts[observation.player] > 1:
                seen += 1
                if seen % 4 == 0:
                    yield observation, action
                    count -= 1
                    if count == 0:
                        return
            state.apply_action(action)


def main():
    """Parse the arguments, and print the distance of each chance model from the simulation by number of players."""
    parser = parser_of(__doc__)
    parser.add_argument("--rules", default="rlcard", choices=BOOK.presets)
    parser.add_argument("--players", type=count, nargs="+", default=[2, 3, 4, 6])
    parser.add_argument("--positions", type=count, default=20)
    parser.add_argument("--rounds", type=count, default=100_000)
    parser.add_argument("--by", default="cards", choices=("cards", "kinds"))
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    by_kinds = args.by == "kinds"
    print(
        f"{args.rules}, {args.positions} positions, {args.rounds} rounds each, a random playable one of the {args.by}"
    )
    print("players   noise  " + "  ".join(f"{chain:>6} median  worst" for chain in OPPONENT_MODELS))
    for players in args.players:
        game = cardgames.make("uno", players=players, rules=args.rules)
        distances = {chain: [] for chain in ("noise", *OPPONENT_MODELS)}
        for observation, action in positions(game, args.positions, args.seed):
            truth, again = (simulated(observation, action, args.rounds, by_kinds, seed) for seed in (1, 2))
            distances["noise"].append(distance(truth, again))
            for chain in OPPONENT_MODELS:
                distances[chain].append(distance(truth, chained(observation, action, chain)))
        line = "  ".join(
            f"{np.median(distances[chain]):>13.4f} {max(distances[chain]):>6.4f}" for chain in OPPONENT_MODELS
        )
        print(f"{players:>7}  {np.median(distances['noise']):.4f}  {line}", flush=True)


if __name__ == "__main__":
    run(main)
