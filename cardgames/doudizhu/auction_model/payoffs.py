"""Expected payoff of each action in the auction and in doubling, by the model, under the rules at hand.

In the auction, the look-ahead sums over the levels of the two other hands (`encoding`): their probabilities follow from the
own cards and from what was said. For each pair of levels the rest of the auction is known: a weak hand passes, a fair one
opens, a strong one also outbids. The value is the payoff that the model expects from the round with that landlord and
that stake. A new deal is worth nothing to anybody. Doubling still to come multiplies what a round pays by a mean factor. In
doubling, the sum is over what the landlord will answer.

A bid that would lose points as the landlord is never better than to pass: such a bid counts at most what a pass does.
"""

import numpy as np

from cardgames.doudizhu.auction import apply_auction_action
from cardgames.doudizhu.auction_model.encoding import (
    DOUBLED,
    LANDLORD_DOUBLES,
    LEVELS,
    NOBODY,
    NUM_INPUTS,
    NUM_LEVELS,
    NUM_OUTPUTS,
    PASSED,
    read_evidence,
    write_inputs,
)
from cardgames.doudizhu.auction_model.model import predict
from cardgames.doudizhu.auction_model.outcomes import FIRST_LOST_OUTCOME, NUM_OUTCOMES, outcome_payoffs
from cardgames.doudizhu.moves.move_table import CALL, DOUBLE, FIRST_BID, PASS, ROB
from cardgames.doudizhu.rules.all_pass import REDEAL
from cardgames.doudizhu.rules.bidding import CALL_ROB
from cardgames.doudizhu.rules.doubling import NO_DOUBLING
from cardgames.doudizhu.rules.doubling import SUPER_DOUBLE as SUPER_ALLOWED
from cardgames.doudizhu.rules.multiplier_cap import cap_multiplier
from cardgames.doudizhu.rules.payoff import POINTS, RLCARD
from cardgames.doudizhu.state import AUCTION, STATE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit

_PAIRS = NUM_LEVELS * NUM_LEVELS
_HIGHEST_BID = FIRST_BID + 2
_ENDS = 3 * 4 * 4
"""Number of ends of an auction that differ in the landlord's place, the bid or the robs, each at most 3."""
MEAN_FACTORS = np.array([[1.0, 1.0], [1.96, 1.82], [3.93, 3.54]])
"""Mean factor by which doubling multiplies a round that the landlord wins, and one that it loses.

A row for each value of the rule `doubling`; means of 20,000 rounds of `dmc` under `online`.
"""
_LARGE = 1 << 40
_RLCARD_ROUND = 0.5
"""About what a round pays a seat in the mean if winners get 1 and losers 0."""


@njit
def write_estimates(rules, state, actions, out):
    """Write the expected payoff of each of `actions` for the seat to move into `out` (float64), and return 1.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        state: State or observation in the auction or in doubling.
        actions: Legal actions, int32 [n], ascending.
        out: Output: payoffs.
    """
    low, high, doubling = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    read_evidence(state, np.int64(state.to_move), low, high, doubling)
    scratch = np.empty(1, STATE)
    if state.phase == AUCTION:
        _auction_estimates(rules, state, actions, low, high, scratch, out)
    else:
        _doubling_estimates(rules, state, actions, low, high, doubling, scratch, out)
    return 1


@njit
def predict_pairs(hand, low, high, weights, outcomes):
    """Write the probability of each pair of levels, and the distribution of the outcome for each pair and each landlord.

    Args:
        hand: The own 17 cards.
        low: Lowest possible levels of the next seat and of the seat before, int64 [2].
        high: Highest possible levels.
        weights: Output: float64 [9], probabilities of the pairs, 3 * (next seat's level) + (level of the seat before).
        outcomes: Output: float32 [9, 3, NUM_OUTPUTS]; the landlord's place is the second index. Not
            written for impossible pairs.
    """
    inputs, rows = np.empty((1 + _PAIRS * 3, NUM_INPUTS), np.int8), 1
    exact, doubling, unknown = np.zeros(2, np.int64), np.zeros(2, np.int64), np.full(2, NUM_LEVELS - 1)
    nothing = np.uint64(0)
    write_inputs(hand, nothing, np.int64(NOBODY), exact, unknown, doubling, inputs[0])
    for pair in range(_PAIRS):
        exact[0], exact[1] = pair // NUM_LEVELS, pair % NUM_LEVELS
        weights[pair] = low[0] <= exact[0] <= high[0] and low[1] <= exact[1] <= high[1]
        if weights[pair] > 0.0:
            for place in range(3):
                write_inputs(hand, nothing, np.int64(place), exact, exact, doubling, inputs[rows])
                rows += 1
    predictions = np.empty((rows, NUM_OUTPUTS), np.float32)
    predict(inputs[:rows], predictions)
    total, row = 0.0, 1
    for pair in range(_PAIRS):
        if weights[pair] > 0.0:
            weights[pair] = np.float64(predictions[0, LEVELS + pair])
            outcomes[pair] = predictions[row : row + 3]
            total += weights[pair]
            row += 3
    for pair in range(_PAIRS):
        weights[pair] /= total


@njit
def _expected(distribution, paid):
    """Return the sum over outcome classes of probability (float32 [NUM_OUTCOMES or more]) times payoff."""
    total = 0.0
    for outcome in range(NUM_OUTCOMES):
        total += distribution[outcome] * paid[outcome]
    return total


@njit
def _raise(rules, state):
    """Return the action by which a seat takes the place of the landlord: the highest bid, a call or a rob."""
    if rules.bidding == CALL_ROB:
        return np.int64(CALL if state.bid == 0 else ROB)
    return np.int64(_HIGHEST_BID)


@njit
def _finish_auction(rules, state, seat, raises, pair):
    """Play the auction in `state` to its end, the other seats by their levels, and return whether `seat` was asked again.

    `raises` says what `seat` does if it is asked again. The auction also ends with a new deal, in which case `redeals` has
    changed.
    """
    redeals, asked = np.int64(state.redeals), False
    while state.phase == AUCTION and state.redeals == redeals:
        actor = np.int64(state.to_move)
        level = pair // NUM_LEVELS if actor == (seat + 1) % 3 else pair % NUM_LEVELS
        takes = raises if actor == seat else level >= (1 if state.bid == 0 else 2)
        asked |= actor == seat
        apply_auction_action(rules, state, actor, _raise(rules, state) if takes else np.int64(PASS))
    return asked


@njit
def _payoffs_in(rules, state, seat, known, table):
    """Return the payoff of `seat` for each outcome class of a round with the landlord, bid and robs of `state`.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        state: State record with a landlord; working memory.
        seat: Seat whose payoffs are wanted.
        known: Rows of `table` that are filled, bool [_ENDS], updated.
        table: Payoffs computed so far, float64 [_ENDS, NUM_OUTCOMES], updated.

    Returns:
        A row of `table`.
    """
    place = (state.landlord - seat) % 3
    row = (place * 4 + state.bid) * 4 + state.robs
    if not known[row]:
        outcome_payoffs(rules, state, seat, table[row])
        if rules.payoff == POINTS and rules.doubling != NO_DOUBLING:
            most = np.float64(state.bid * (2 if place == 0 else 1) * cap_multiplier(rules, np.int64(_LARGE)))
            for outcome in range(NUM_OUTCOMES):
                factor = MEAN_FACTORS[rules.doubling, np.int64(outcome >= FIRST_LOST_OUTCOME)]
                table[row, outcome] = min(max(factor * table[row, outcome], -most), most)
        known[row] = True
    return table[row]


@njit
def _value_of_auction(rules, before, state, seat, outcomes, known, table):
    """Return what the finished auction in `state` is worth to `seat`; 0 if nobody became the landlord.

    `before` is the state before, `outcomes` float32 [3, outputs] the distribution for each landlord. For `known` and `table`
    see `_payoffs_in`.
    """
    if state.phase == AUCTION or state.landlord < 0 or state.redeals != before.redeals:
        return _RLCARD_ROUND if rules.payoff == RLCARD and rules.all_pass == REDEAL else 0.0
    place = (state.landlord - seat) % 3
    return _expected(outcomes[place], _payoffs_in(rules, state, seat, known, table))


@njit
def _own_value(rules, state, rest, seat, action, outcomes, known, table):
    """Return what `action` is worth if it makes `seat` the landlord at this stake; `rest` is working memory.

    `outcomes` is the distribution of the outcome if `seat` is the landlord. For `known` and `table` see `_payoffs_in`.
    """
    copy_record(rest, state)
    rest.landlord = seat
    if action == ROB:
        rest.robs += 1
    else:
        rest.bid = 1 if action == CALL else action - FIRST_BID + 1
    return _expected(outcomes, _payoffs_in(rules, rest, seat, known, table))


@njit
def _auction_estimates(rules, state, actions, low, high, scratch, out):
    """Write the expected payoffs of actions in the auction (see `write_estimates`)."""
    seat, rest = np.int64(state.to_move), scratch[0]
    weights, outcomes = np.empty(_PAIRS), np.empty((_PAIRS, 3, NUM_OUTPUTS), np.float32)
    predict_pairs(state.hands[seat], low, high, weights, outcomes)
    known, table = np.zeros(_ENDS, np.bool_), np.empty((_ENDS, NUM_OUTCOMES))
    passing = 0.0
    for i in range(len(actions)):
        action, value, own = np.int64(actions[i]), 0.0, 0.0
        for pair in range(_PAIRS):
            if weights[pair] == 0.0:
                continue
            best = -np.inf
            for raises in (False, True):
                copy_record(rest, state)
                apply_auction_action(rules, rest, seat, action)
                asked = _finish_auction(rules, rest, seat, raises, pair)
                best = max(best, _value_of_auction(rules, state, rest, seat, outcomes[pair], known, table))
                if not asked:
                    break
            value += weights[pair] * best
            if action != PASS:
                own += weights[pair] * _own_value(rules, state, rest, seat, action, outcomes[pair, 0], known, table)
        if action == PASS:
            passing = value
        elif own < 0.0:
            value = min(value, own, passing)
        elif value < 0.0:
            value = min(value, passing)
        out[i] = value


@njit
def _factor(action):
    """Return the factor by which an action of doubling multiplies the own stake."""
    return 1 if action == PASS else 2 if action == DOUBLE else 4


@njit
def _doubling_estimates(rules, state, actions, low, high, doubling, scratch, out):
    """Write the expected payoffs of actions in doubling (see `write_estimates`)."""
    seat, rest, landlord = np.int64(state.to_move), scratch[0], np.int64(state.landlord)
    place = (landlord - seat) % 3
    inputs, predictions = np.empty((3, NUM_INPUTS), np.int8), np.empty((3, NUM_OUTPUTS), np.float32)
    for row in range(3):
        if place > 0 and row > 0:
            doubling[place - 1] = PASSED if row == 1 else DOUBLED
        write_inputs(state.hands[seat], state.bottom, place, low, high, doubling, inputs[row])
    predict(inputs, predictions)
    paid = np.empty(NUM_OUTCOMES)
    for i in range(len(actions)):
        out[i] = 0.0
        for answer in range(2):
            copy_record(rest, state)
            rest.doubles[seat] = _factor(np.int64(actions[i]))
            if place > 0 and answer == 1:
                rest.doubles[landlord] = 4 if rules.doubling == SUPER_ALLOWED else 2
            outcome_payoffs(rules, rest, seat, paid)
            if place == 0:
                out[i] = _expected(predictions[0], paid)
                break
            out[i] += predictions[0, LANDLORD_DOUBLES + answer] * _expected(predictions[1 + answer], paid)
