"""Encodings of a seat's observation as network inputs, as in RLCard, DouZero and paper 004 (implements `ops.encode`).

A hand is 54 numbers. For each rank from `3` to `2` there are four, of which the first n are 1 if the hand has n cards
of the rank; then one each for the black and the red joker. Players are identified by role: the landlord, the peasant
*down* who acts after the landlord, and the peasant *up* who acts before.
"""

import numpy as np

from cardgames.core import ops
from cardgames.core.encoding import Encoding
from cardgames.doudizhu.cards import BLACK_JOKER, NUM_CARDS, NUM_RANKS, rank_count
from cardgames.doudizhu.information_set import unseen_by
from cardgames.doudizhu.moves.move_table import MOVE_CARDS
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import BOTTOM_SIZE, HAND_SIZE, NUM_RECENT_ACTIONS, OVER
from cardgames.kernels.jit import njit

RLCARD, DOUZERO, CQL = range(3)

ENCODINGS = {
    "rlcard": Encoding(RLCARD, (901,)),
    "douzero": Encoding(DOUZERO, (1240,)),
    "cql": Encoding(CQL, (5, 15, 4)),
}
"""Name of an encoding -> its id for kernels and its shape. In the auction the seat that acts first counts as the landlord.

`rlcard` (RLCard's environment) has 790 numbers for the landlord and 901 for a peasant: own hand; the other two hands
together; the last cards played in this trick; the last 9 actions, oldest first. Then for the landlord: the cards played
by peasant up and peasant down, and the one-hot numbers of cards these two hold (17 each). For a peasant: the cards
played by the landlord and by the partner, the *first* action of each (RLCard intends the last), and the one-hot numbers
of cards these two hold (20 and 17).

`douzero` (DouZero's features x without the action, and z): x has 319 numbers for the landlord and 430 for a peasant,
and takes the first 430 numbers. For the landlord: own hand, the other hands together, the last cards played in this
trick, the cards played by peasant up and by peasant down, the numbers of cards these two hold, and the one-hot number
of bombs played including the rocket (15). For a peasant: own hand, the other hands together, the cards played by the
landlord and by the partner, the last cards played in this trick, the last action of the landlord and of the partner,
the numbers of cards these two hold, and the number of bombs. Then z: the last 15 actions, oldest first.

`cql` (paper 004, 4.1 and its code): five planes [rank, copy] of cards, where the first n copies of a rank are set for n
cards. The planes are: own hand; for each unseen card the probability in percent that the next seat holds it if the
unseen cards are dealt at random to the two other seats (no bottom cards); the same probability for the previous seat;
the last action of the previous seat; the last action of the next seat.
"""
_DOUZERO_X_SIZE = 430


@njit
def write_hand(hand, out, offset):
    """Write a hand as 54 numbers (0 or 1) to `out` from index `offset` on, and return the index after them.

    Each rank from 3 to 2 takes four numbers, of which the first n are 1 for n cards; each joker takes one.
    """
    for rank in range(BLACK_JOKER):
        for copy in range(rank_count(hand, rank)):
            out[offset + 4 * rank + copy] = 1
    for rank in range(BLACK_JOKER, NUM_RANKS):
        out[offset + NUM_CARDS - NUM_RANKS + rank] = rank_count(hand, rank)
    return offset + NUM_CARDS


@njit
def _write_count(count, most, out, offset):
    """Write a number of cards one-hot to `most` elements of `out` from index `offset` on; return the index after them.

    As in RLCard and DouZero, `count` sets the element `count` - 1, and a count of 0 sets the last element.
    """
    out[offset + (count - 1 + most) % most] = 1
    return offset + most


@njit
def _recent(state, decisions_ago):
    """Return, as a hand, the cards of the action taken `decisions_ago` actions before the last action of the play.

    0 stands for the last action. The hand is empty if the action was a pass or there was no such action.
    """
    turn = state.turns - 1 - decisions_ago
    return MOVE_CARDS[state.recent_actions[turn % NUM_RECENT_ACTIONS]] if turn >= 0 else np.uint64(0)


@njit
def _write_recent(state, n, out, offset):
    """Write the cards of the last `n` actions, oldest first, to `out` from index `offset` on; return the index after them.

    Each action takes 54 numbers (see `write_hand`).
    """
    for decisions_ago in range(n - 1, -1, -1):
        offset = write_hand(_recent(state, decisions_ago), out, offset)
    return offset


@njit
def _last_cards(state):
    """Return, as a hand, the cards of the last action or, if that was a pass, of the action before it."""
    cards = _recent(state, 0)
    return cards if cards else _recent(state, 1)


@njit
def last_cards_of(state, seat):
    """Return, as a hand, the cards of the last action of `seat` in the play; empty if it passed or has not acted yet."""
    last = state.winner if state.phase == OVER else state.to_move + 2
    return _recent(state, (last + 3 - seat) % 3)


@njit
def _write_counts(state, player, landlord, partner, out, offset):
    """Write the numbers of cards in the hands of the two other seats, one-hot, to `out` from index `offset` on.

    For the landlord the order is peasant up, peasant down (17 numbers each), for a peasant the landlord (20 numbers),
    then the partner (17). Returns the index after them.
    """
    if player == landlord:
        offset = _write_count(state.counts[(landlord + 2) % 3], HAND_SIZE, out, offset)
        return _write_count(state.counts[(landlord + 1) % 3], HAND_SIZE, out, offset)
    offset = _write_count(state.counts[landlord], HAND_SIZE + BOTTOM_SIZE, out, offset)
    return _write_count(state.counts[partner], HAND_SIZE, out, offset)


@njit
def _write_played(state, player, landlord, partner, out, offset):
    """Write the cards played by the two other seats (54 numbers each) to `out` from index `offset` on.

    For the landlord the order is peasant up, peasant down, for a peasant the landlord, then the partner. Returns the
    index after them.
    """
    if player == landlord:
        offset = write_hand(state.played[(landlord + 2) % 3], out, offset)
        return write_hand(state.played[(landlord + 1) % 3], out, offset)
    offset = write_hand(state.played[landlord], out, offset)
    return write_hand(state.played[partner], out, offset)


@njit
def _write_hands(state, player, out):
    """Write the hand of seat `player`, then all unseen cards (54 numbers each), to `out`; return the index after them."""
    offset = write_hand(state.hands[player], out, 0)
    return write_hand(unseen_by(state, player), out, offset)


@njit
def _encode_rlcard(state, player, landlord, partner, out):
    """Write the encoding `rlcard` (see `ENCODINGS`) of the observation of seat `player` to `out` [901]."""
    offset = _write_hands(state, player, out)
    offset = write_hand(_last_cards(state), out, offset)
    offset = _write_recent(state, 9, out, offset)
    offset = _write_played(state, player, landlord, partner, out, offset)
    if player != landlord:
        offset = write_hand(MOVE_CARDS[state.first_actions[landlord]], out, offset)
        offset = write_hand(MOVE_CARDS[state.first_actions[partner]], out, offset)
    _write_counts(state, player, landlord, partner, out, offset)


@njit
def _encode_douzero(state, player, landlord, partner, out):
    """Write the encoding `douzero` (see `ENCODINGS`) of the observation of seat `player` to `out` [1240]."""
    offset = _write_hands(state, player, out)
    if player == landlord:
        offset = write_hand(_last_cards(state), out, offset)
    offset = _write_played(state, player, landlord, partner, out, offset)
    if player != landlord:
        offset = write_hand(_last_cards(state), out, offset)
        offset = write_hand(last_cards_of(state, landlord), out, offset)
        offset = write_hand(last_cards_of(state, partner), out, offset)
    offset = _write_counts(state, player, landlord, partner, out, offset)
    out[offset + state.bombs + state.rockets] = 1
    _write_recent(state, 15, out, _DOUZERO_X_SIZE)


@njit
def _write_plane(hand, value, out, offset):
    """Write a hand as a plane of 15 ranks by 4 copies to `out` from index `offset` on; return the index after the plane.

    The first n elements of a rank with n cards are set to `value`.
    """
    for rank in range(NUM_RANKS):
        for copy in range(rank_count(hand, rank)):
            out[offset + 4 * rank + copy] = value
    return offset + 4 * NUM_RANKS


@njit
def _encode_cql(state, player, out):
    """Write the encoding `cql` (see `ENCODINGS`) of the observation of seat `player` to `out` [300]."""
    next_seat, previous_seat = (player + 1) % 3, (player + 2) % 3
    hidden = unseen_by(state, player)
    share = 100 * state.counts[next_seat] // max(1, state.counts[next_seat] + state.counts[previous_seat])
    offset = _write_plane(state.hands[player], 1, out, 0)
    offset = _write_plane(hidden, share, out, offset)
    offset = _write_plane(hidden, 100 - share, out, offset)
    offset = _write_plane(last_cards_of(state, previous_seat), 1, out, offset)
    _write_plane(last_cards_of(state, next_seat), 1, out, offset)


@ops.encode.register(DOUDIZHU_RULES)
@njit
def encode(rules, state, player, encoding_id, out):
    """Write the encoding of the observation of seat `player` into `out` and return 0 (implements `ops.encode`).

    `encoding_id` is `RLCARD`, `DOUZERO` or `CQL`. The returned symmetry id is 0 because no encoding permutes actions.
    """
    out[:] = 0
    landlord = np.int64(state.landlord if state.landlord >= 0 else state.dealer)
    partner = 3 - player - landlord
    if encoding_id == CQL:
        _encode_cql(state, player, out)
    elif encoding_id == RLCARD:
        _encode_rlcard(state, player, landlord, partner, out)
    else:
        _encode_douzero(state, player, landlord, partner, out)
    return 0


@ops.apply_symmetry.register(DOUDIZHU_RULES)
@njit
def apply_symmetry(rules, symmetry_id, action):
    """Return the action unchanged: Dou Di Zhu uses no symmetries (implements `ops.apply_symmetry`)."""
    return action
