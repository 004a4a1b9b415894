"""Soak test of Uno: play very many random rounds under every preset and random rule combinations, and count failures.

    python -m cardgames.bench.experiments.soak --games 1000000

After every decision the total number of cards must be that of the deck; after every round each card must exist once. Void
rounds (no seat can do anything, or the turn limit is reached) are counted too. Rule combinations are drawn from all
options; contradictory ones are drawn again.
"""

import sys
import time

import numpy as np

from cardgames.bench.arguments import count, parser_of, run
from cardgames.core import ops
from cardgames.core.kernel_policy import NO_WEIGHTS
from cardgames.kernels import rng
from cardgames.kernels.bits import NONE, ONE
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix
from cardgames.support.errors import InvalidInput
from cardgames.uno import kernel_registration  # noqa: F401  (registers the verbs)
from cardgames.uno.cards import DECK, NUM_CARDS
from cardgames.uno.policies.rule_policies import RANDOM
from cardgames.uno.rules import AXES, BOOK, RuleSet, kernel_rules
from cardgames.uno.state import STATE

COPIES = np.bincount(DECK, minlength=60)
NUMBERS = {"hand-size": range(1, 11), "uno-penalty": range(1, 11), "match-score": [500], "turn-limit": [100_000]}
"""Name of a rule option that takes numbers -> values from which random rule combinations draw."""
ROUNDS, DECISIONS, VOIDS, LIMITS, LOST = range(5)


@njit
def lost_cards(state):
    """Return whether a card of the deck is missing or duplicated in draw pile, discard pile and hands together."""
    copies = np.zeros(60, np.int64)
    for i in range(state.n_pile):
        copies[state.pile[i]] += 1
    for i in range(state.n_discard):
        copies[state.discard[i]] += 1
    for seat in range(state.players):
        for card in range(60):
            copies[card] += (state.once[seat] >> np.uint64(card)) & ONE != NONE
            copies[card] += (state.twice[seat] >> np.uint64(card)) & ONE != NONE
    for card in range(60):
        if copies[card] != COPIES[card]:
            return True
    return False


@njit
def counts_fail(state):
    """Return whether the number of cards in draw pile, discard pile and hands together differs from that of the deck."""
    total = state.n_pile + state.n_discard
    for seat in range(state.players):
        total += state.counts[seat]
    return total != NUM_CARDS


@njit
def play(rules, state, stream, seed, games, tally):
    """Play `games` random rounds and add their counts to `tally` [5] int64.

    The indices of `tally` are `ROUNDS`, `DECISIONS`, `VOIDS`, `LIMITS` (turn limit reached) and `LOST` (lost cards).
    """
    for number in range(games):
        ops.deal(rules, state, mix(np.uint64(seed + number)))
        bad = False
        while not ops.is_terminal(rules, state):
            ops.apply_action(rules, state, ops.policy(rules, state, RANDOM, NO_WEIGHTS, stream))
            bad |= counts_fail(state)
        tally[ROUNDS] += 1
        tally[DECISIONS] += state.decisions
        tally[VOIDS] += state.void
        tally[LIMITS] += state.decisions >= rules.turn_limit
        tally[LOST] += bad or lost_cards(state)


def random_rules(random):
    """Return a rule set with a random value for every rule option, drawn again until the values do not contradict."""
    while True:
        axes = []
        for axis in AXES:
            values = list(NUMBERS.get(axis.name, axis.numbers or axis.choices))
            axes.append(axis(values[random.integers(len(values))]))
        try:
            return RuleSet("uno", "random", axes)
        except InvalidInput:
            continue


def report(name, tally, seconds):
    """Print a line with the counts in `tally` [5] of the preset (or group of rules) `name`, and the seconds it took."""
    rounds, decisions, voids, limits, lost = (int(n) for n in tally)
    played = f"{rounds:>9,} rounds {decisions / rounds:8.1f} decisions a round"
    print(
        f"{name:20} {played}  void {voids:,} (turn limit {limits:,})  lost cards {lost:,}  {seconds:.0f} s", flush=True
    )


def soak(name, draw_rules, games, portion, seed):
    """Play `games` rounds; after every `portion` rounds draw new rules and change the number of players (2 to 10).

    Returns the number of rounds with lost cards.
    """
    state, stream, tally = np.zeros(1, STATE)[0], rng.stream(rng.derive(seed)), np.zeros(5, np.int64)
    started = time.perf_counter()
    for part in range(0, games, portion):
        players = 2 + part // portion % 9
        play(
            kernel_rules(draw_rules(), players),
            state,
            stream,
            rng.derive(seed, part) >> 1,
            min(portion, games - part),
            tally,
        )
        if sys.stderr.isatty():
            print(f"\r{name} {part + portion:,} of {games:,}", end="", file=sys.stderr)
    report(name, tally, time.perf_counter() - started)
    return int(tally[LOST])


def main():
    """Parse the arguments, test every preset and random rule combinations, and exit with code 1 if a card was lost."""
    parser = parser_of(__doc__)
    parser.add_argument("--games", type=count, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    random = np.random.default_rng(args.seed)
    lost = sum(soak(name, lambda p=preset: p, args.games, 1000, args.seed) for name, preset in BOOK.presets.items())
    lost += soak("random combinations", lambda: random_rules(random), args.games, 100, args.seed)
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    run(main)
