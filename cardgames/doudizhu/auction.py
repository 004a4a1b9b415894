"""Kernels for the auction that decides the landlord, and for the doubling of stakes that follows it."""

import numpy as np

from cardgames.doudizhu.card_sampling import deal_hands
from cardgames.doudizhu.moves.move_table import CALL, DOUBLE, FIRST_BID, PASS, ROB, SUPER_DOUBLE
from cardgames.doudizhu.rules.all_pass import MAX_REDEALS, REDEAL
from cardgames.doudizhu.rules.auction_end import ONCE
from cardgames.doudizhu.rules.bidding import CALL_ROB, NO_AUCTION
from cardgames.doudizhu.rules.doubling import NO_DOUBLING
from cardgames.doudizhu.rules.doubling import SUPER_DOUBLE as SUPER_ALLOWED
from cardgames.doudizhu.rules.first_bidder import draw_first_bidder
from cardgames.doudizhu.rules.re_entry import BANNED
from cardgames.doudizhu.state import AUCTION, BOTTOM_SIZE, DOUBLING, OVER, PLAY
from cardgames.kernels.bits import popcount
from cardgames.kernels.jit import njit

HIGHEST_BID = 3
_BID_MASK = (1 << FIRST_BID + HIGHEST_BID) - (1 << FIRST_BID)


@njit
def open_auction(rules, state, dealer):
    """Reset the auction fields of `state` after a deal and make seat `dealer` act first.

    Under rules without an auction, `dealer` becomes the landlord at once, with a bid of 1.
    """
    state.dealer = state.to_move = dealer
    state.phase = AUCTION
    state.landlord = state.bidder = state.caller = -1
    state.bid = state.spoken = state.passed = state.robs = 0
    if rules.bidding == NO_AUCTION:
        state.bid = 1
        _set_landlord(rules, state, dealer)


@njit
def _set_landlord(rules, state, seat):
    """Make a seat the landlord, add the bottom cards to its hand, and enter the doubling phase or the play."""
    state.landlord = seat
    state.hands[seat] += state.bottom
    state.counts[seat] += BOTTOM_SIZE
    if rules.doubling == NO_DOUBLING:
        state.phase, state.to_move = PLAY, seat
    else:
        state.phase, state.to_move = DOUBLING, (seat + 1) % 3


@njit
def legal_auction_mask(rules, state):
    """Return the legal actions of the auction or of doubling as an int64 bit mask: bit i is set if action id i is legal.

    The mask is 0 once the round is over. Ids of auction and doubling actions are all below `FIRST_MOVE`.
    """
    if state.phase == OVER:
        return 0
    if state.phase == DOUBLING:
        return 1 << PASS | 1 << DOUBLE | (1 << SUPER_DOUBLE if rules.doubling == SUPER_ALLOWED else 0)
    if rules.bidding == CALL_ROB:
        return 1 << PASS | (1 << CALL if state.bid == 0 else 1 << ROB)
    return 1 << PASS | (_BID_MASK & -(1 << FIRST_BID + state.bid))


@njit
def _next_bidder(rules, state, seat):
    """Return the seat that acts after `seat` in an auction with bids of 1 to 3.

    Returns the highest bidder if the auction is over, and -1 if all seats have passed.
    """
    if state.bid == HIGHEST_BID or (rules.auction_end == ONCE and state.spoken == 3):
        return np.int64(state.bidder)
    if state.bid == 0:
        return (seat + 1) % 3 if state.spoken < 3 else -1
    seat = (seat + 1) % 3
    while rules.re_entry == BANNED and seat != state.bidder and state.passed >> seat & 1:
        seat = (seat + 1) % 3
    return seat


@njit
def _next_caller(state, seat):
    """Return the seat that acts after `seat` in a call-rob auction (one seat calls, then others may rob).

    Returns the winning bidder if the auction is over, and -1 if all seats have passed. Each seat that has not passed
    may rob once. The seat that called acts last, and only if another seat has robbed.
    """
    if state.bid == 0:
        return (seat + 1) % 3 if popcount(state.passed) < 3 else -1
    if seat == state.caller and state.robs > 0:
        return np.int64(state.bidder)
    seat = (seat + 1) % 3
    while seat != state.caller and state.passed >> seat & 1:
        seat = (seat + 1) % 3
    return seat if seat != state.caller or state.robs > 0 else np.int64(state.bidder)


@njit
def _record_call(state, seat, action):
    """Record one auction action (pass, bid, call or rob) of `seat` in the auction fields of `state`."""
    state.spoken += 1
    if action == PASS:
        state.passed |= 1 << seat
        return
    state.bidder = seat
    if action == ROB:
        state.robs += 1
    elif action == CALL:
        state.caller = seat
        state.bid = 1
    else:
        state.bid = action - FIRST_BID + 1


@njit
def _end_without_landlord(rules, state):
    """End an auction in which everybody passed.

    Deal again if the rules have redeals and fewer than `MAX_REDEALS` have happened; else end the round without a
    winner.
    """
    if rules.all_pass == REDEAL and state.redeals < MAX_REDEALS:
        state.redeals += 1
        deal_hands(state)
        open_auction(rules, state, draw_first_bidder(rules, state))
    else:
        state.phase, state.to_move = OVER, -1


@njit
def _bid(rules, state, seat, action):
    """Apply an auction action of `seat`; then set the next seat to act, or the landlord if the auction is over."""
    _record_call(state, seat, action)
    next_seat = _next_caller(state, seat) if rules.bidding == CALL_ROB else _next_bidder(rules, state, seat)
    if next_seat < 0:
        _end_without_landlord(rules, state)
    elif next_seat == state.bidder:
        _set_landlord(rules, state, next_seat)
    else:
        state.to_move = next_seat


@njit
def apply_auction_action(rules, state, seat, action):
    """Apply an action of the auction or of the doubling phase to `state` in place.

    The landlord doubles last; then the play begins.
    """
    if state.phase == AUCTION:
        _bid(rules, state, seat, action)
        return
    if action != PASS:
        state.doubles[seat] = 2 if action == DOUBLE else 4
    if seat == state.landlord:
        state.phase = PLAY
    else:
        state.to_move = (seat + 1) % 3
