"""Play random deals of Dou Di Zhu with a fixed landlord and store hands and outcomes, to fit the model of auctions.

    python -m cardgames.bench.strength.auction_deals --deals 1000000 --seed 1 --out deals

All three seats follow the pretrained network `--policy`. The landlord is seat 0, which is no loss of generality, since the
hands are random. Shards of `--shard` deals alternate between the rules `classic` and `online`, whose moves are the strictest
and the most liberal. Shards that the folder already has are not played again, so an interrupted run continues.
"""

import pathlib
import time

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core import ops
from cardgames.doudizhu.auction_model.outcomes import outcome_class
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import new_record
from cardgames.kernels.rng import STREAM, derive, mix
from cardgames.networks.policy_lookup import find_policy

RULES = ("classic", "online")
"""Rules of even and of odd shards."""
_NO_AUCTION = ("bidding=none", "first-bidder=seat-0", "doubling=none")


@njit
def play_deals(rules, state, policy_id, weights, seed, stream, hands, outcomes):
    """Play one deal for each row of `hands`, every seat by one policy.

    Args:
        rules: Rules without an auction, under which seat 0 is the landlord.
        state: Working memory, a state record.
        policy_id: Id of the policy.
        weights: Weights of the policy.
        seed: Seed of the deals (uint64).
        stream: Random stream of the policy.
        hands: Output: uint64 [n, 4], the landlord's 17 cards, the hands of the seats after it, and the bottom.
        outcomes: Output: outcome classes, uint8 [n].
    """
    for i in range(len(hands)):
        ops.deal(rules, state, mix(seed + np.uint64(i)))
        hands[i, 0], hands[i, 3] = state.hands[0] - state.bottom, state.bottom
        hands[i, 1], hands[i, 2] = state.hands[1], state.hands[2]
        while not ops.is_terminal(rules, state):
            ops.apply_action(rules, state, ops.policy(rules, state, policy_id, weights, stream))
        outcomes[i] = outcome_class(state)


def play_shard(policy, number, size, seed):
    """Return hands (uint64 [size, 4]) and outcome classes (uint8 [size]) of the deals of shard `number`.

    `policy` is the name of a policy or pretrained network; see `play_deals` for the columns of the hands.
    """
    game = cardgames.make("doudizhu", rules=RULES[number % len(RULES)], overrides=_NO_AUCTION)
    policy_id, weights = find_policy(game, policy)
    hands, outcomes = np.empty((size, 4), np.uint64), np.empty(size, np.uint8)
    streams, state = np.zeros(1, STREAM), new_record(game.state_dtype)
    streams[0]["rng"] = np.uint64(derive(seed, number, 1))
    first = np.uint64(derive(seed, number))
    play_deals(game.kernel_rules, state, policy_id, weights, first, streams[0], hands, outcomes)
    return hands, outcomes


def main():
    """Parse the arguments, play the shards that are missing, and print the progress."""
    parser = parser_of(__doc__)
    parser.add_argument("--deals", type=count, default=1_000_000)
    parser.add_argument("--shard", type=count, default=10_000, help="deals in a file")
    parser.add_argument("--policy", default="dmc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the shards")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    shards = -(-args.deals // args.shard)
    for number in range(shards):
        path = args.out / f"{number:05}.npz"
        if path.exists():
            continue
        started = time.perf_counter()
        hands, outcomes = play_shard(args.policy, number, args.shard, args.seed)
        part = path.with_suffix(".part.npz")
        np.savez(part, hands=hands, outcomes=outcomes)
        part.rename(path)
        print(f"shard {number + 1} of {shards}, {time.perf_counter() - started:.1f} s", flush=True)


if __name__ == "__main__":
    run(main)
