"""Compare bids by expected payoff with bids by the value of the hand; all seats play their cards with the same policy.

    python -m cardgames.bench.strength.auction_bids --rules classic --deals 20000 --seed 1

Every deal is played six times: each way to bid once alone on each seat against the other way on the two other seats.
Prints the mean payoff in a round of the bids by expected payoff minus that of the bids by hand value (up to version 0.2.0
`frugal` and networks bid so), with a 95 % interval, the rounds without a landlord, and for `--checked` deals how many bids
have an expected payoff below 0.
"""

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core import ops
from cardgames.doudizhu.hands.hand_value import evaluate_hand, new_workspace
from cardgames.doudizhu.moves.move_table import CALL, DOUBLE, FIRST_BID, PASS, ROB
from cardgames.doudizhu.rules.bidding import CALL_ROB
from cardgames.doudizhu.state import AUCTION, DOUBLING, PLAY
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import new_record
from cardgames.kernels.rng import STREAM, derive, mix
from cardgames.networks.policy_lookup import find_policy
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import mean_interval

THRESHOLDS = (-40, -34, -28)
"""Hand values (17 cards) from which on a hand was worth a bid of 1, 2 and 3. A bid of 2 also robs, one of 3 doubles."""
SEATINGS = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.int64)
"""Way to bid of each seat in the games of a deal: 0 by expected payoff, 1 by hand value."""


@njit
def action_by_hand_value(rules, state):
    """Return the action of the auction or of doubling that the value of the hand asks for."""
    value, bid = evaluate_hand(state.hands[state.to_move], new_workspace()), np.int64(0)
    for threshold in THRESHOLDS:
        bid += value >= threshold
    if state.phase == DOUBLING:
        return DOUBLE if bid == 3 else PASS
    if rules.bidding != CALL_ROB:
        return FIRST_BID + bid - 1 if bid > state.bid else PASS
    if state.bid == 0:
        return CALL if bid > 0 else PASS
    return ROB if bid > 1 else PASS


@njit
def play_deals(rules, state, policy_id, weights, seed, stream, seatings, paid, leads):
    """Play each deal once for each seating.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        state: Working memory, a state record.
        policy_id: Id of the policy that plays all cards, and bids by expected payoff.
        weights: Weights of the policy.
        seed: Seed of the deals (uint64).
        stream: Random stream of the policy.
        seatings: int64 [seatings, 3], as `SEATINGS`.
        paid: Working memory: float64 [3].
        leads: Output: float64 [deals], mean payoff of the way 0 to bid minus that of the way 1.

    Returns:
        The number of games without a winner.
    """
    voids = 0
    for deal in range(len(leads)):
        leads[deal] = 0.0
        for seating in seatings:
            ops.deal(rules, state, mix(seed + np.uint64(deal)))
            while not ops.is_terminal(rules, state):
                if state.phase != PLAY and seating[state.to_move] == 1:
                    action = np.int64(action_by_hand_value(rules, state))
                else:
                    action = np.int64(ops.policy(rules, state, policy_id, weights, stream))
                ops.apply_action(rules, state, action)
            ops.returns(rules, state, paid)
            voids += state.winner < 0
            for seat in range(3):
                leads[deal] += (paid[seat] if seating[seat] == 0 else -paid[seat]) / len(seatings)
    return voids


def count_negative_bids(game, deals, seed):
    """Return how many actions of the first auctions of some deals are not passes, and how many of these lose by estimate."""
    bids = negative = 0
    for number in range(deals):
        state = game.new_initial_state(seed=derive(seed, number))
        while state.record.phase == AUCTION and state.record.redeals == 0:
            actions = np.array(state.legal_actions(), np.int32)
            payoffs = np.empty(len(actions))
            ops.estimate_payoffs(game.kernel_rules, state.record, actions, payoffs)
            best = payoffs.argmax()
            bids += actions[best] != PASS
            negative += actions[best] != PASS and payoffs[best] < 0
            state.apply_action(int(actions[best]))
    return bids, negative


def main():
    """Parse the arguments, play the deals and print the results."""
    parser = parser_of(__doc__)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help="a change of the rules")
    parser.add_argument("--policy", default="dmc", help="policy that plays the cards")
    parser.add_argument("--deals", type=count, default=20_000)
    parser.add_argument("--checked", type=count, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game = cardgames.make("doudizhu", rules=args.rules, overrides=args.rule)
    if str(game.rules["bidding"]) == "none" and str(game.rules["doubling"]) == "none":
        raise InvalidInput("the rules have neither an auction nor doubling")
    policy_id, weights = find_policy(game, args.policy)
    state, streams, leads = new_record(game.state_dtype), np.zeros(1, STREAM), np.empty(args.deals)
    streams[0]["rng"] = np.uint64(derive(args.seed, 1))
    voids = play_deals(
        game.kernel_rules,
        state,
        policy_id,
        weights,
        np.uint64(derive(args.seed)),
        streams[0],
        SEATINGS,
        np.empty(3),
        leads,
    )
    mean = leads.mean()
    margin = mean_interval(mean, (leads**2).mean(), len(leads))[1] - mean
    bids, negative = count_negative_bids(game, args.checked, args.seed)
    print(f"{game.rules.name}, {args.deals} deals, {args.policy} plays, seed {args.seed}: {mean:+.3f} ± {margin:.3f}")
    print(
        f"{voids / args.deals / len(SEATINGS):.1%} of games void; {bids} bids in {args.checked} deals, {negative} negative"
    )


if __name__ == "__main__":
    run(main)
