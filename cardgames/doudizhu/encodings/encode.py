"""Encodings of a seat's observation as network inputs, compatible with other projects' networks: the verb `encode`.

A hand is 54 numbers. For each rank from `3` to `2` there are four, of which the first n are 1 if the hand has n cards of
the rank; then one each for the black and the red joker. Players are identified by role: the landlord, the peasant *down*
who acts after the landlord, and the peasant *up* who acts before.
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
"""Name -> number for kernels and shape. During the auction the seat that acts first counts as the landlord.

`rlcard` (RLCard's environment) has 790 numbers for the landlord and 901 for a peasant: own hand; the other two hands
together; the last cards played in this trick; the last 9 actions, oldest first. Then for the landlord: the cards played by
peasant up and peasant down, and the one-hot numbers of cards they hold (17 each). For a peasant: the cards played by the
landlord and the partner, the *first* action of each (RLCard intends the last), and the numbers of cards they hold (20
and 17).

`douzero` (DouZero's features x without the action, and z): x has 319 numbers for the landlord and 430 for a peasant, in a
block of 430. For the landlord: own hand, the other hands together, last cards, cards played by up and by down, their numbers
of cards, and the one-hot number of bombs played including the rocket (15). For a peasant: own hand, the other hands
together, cards played by the landlord and by the partner, last cards, the last action of each of them, their numbers of
cards, bombs. Then z: the last 15 actions, oldest first.

`cql` (paper 004, 4.1 and its code): five planes [rank, copy] of cards, where the first n copies of a rank are set for n
cards. Own hand; for each unseen card the probability in percent that the next seat holds it if the hidden cards are
dealt at random (and none is at the bottom), then the same for the seat after that; the last action of the previous
seat, then of the seat before it.
"""
_DOUZERO_X_SIZE = 430


@njit
def write_hand(hand, out, offset):
    """Write a hand and return the next offset."""
    for rank in range(BLACK_JOKER):
        for copy in range(rank_count(hand, rank)):
            out[offset + 4 * rank + copy] = 1
    for rank in range(BLACK_JOKER, NUM_RANKS):
        out[offset + NUM_CARDS - NUM_RANKS + rank] = rank_count(hand, rank)
    return offset + NUM_CARDS


@njit
def _write_count(count, most, out, offset):
    """Write a number of cards as RLCard and DouZero do (0 as `most`) and return the next offset."""
    out[offset + (count - 1 + most) % most] = 1
    return offset + most


@njit
def _recent(state, decisions_ago):
    """Return the cards of an earlier action of the play, none if there was none; `decisions_ago` 0 is the last action."""
    turn = state.turns - 1 - decisions_ago
    return MOVE_CARDS[state.recent_actions[turn % NUM_RECENT_ACTIONS]] if turn >= 0 else np.uint64(0)


@njit
def _write_recent(state, n, out, offset):
    """Write the cards of the last `n` actions, oldest first, and return the next offset."""
    for decisions_ago in range(n - 1, -1, -1):
        offset = write_hand(_recent(state, decisions_ago), out, offset)
    return offset


@njit
def _last_cards(state):
    """Return the cards last played by one of the two previous players, none if both passed."""
    cards = _recent(state, 0)
    return cards if cards else _recent(state, 1)


@njit
def last_cards_of(state, seat):
    """Return the cards of a seat's last action, none if it has not acted yet."""
    last = state.winner if state.phase == OVER else state.to_move + 2
    return _recent(state, (last + 3 - seat) % 3)


@njit
def _write_counts(state, player, landlord, partner, out, offset):
    """Write the numbers of cards in the other hands, one-hot, and return the next offset."""
    if player == landlord:
        offset = _write_count(state.counts[(landlord + 2) % 3], HAND_SIZE, out, offset)
        return _write_count(state.counts[(landlord + 1) % 3], HAND_SIZE, out, offset)
    offset = _write_count(state.counts[landlord], HAND_SIZE + BOTTOM_SIZE, out, offset)
    return _write_count(state.counts[partner], HAND_SIZE, out, offset)


@njit
def _write_played(state, player, landlord, partner, out, offset):
    """Write the cards played by the other seats and return the next offset."""
    if player == landlord:
        offset = write_hand(state.played[(landlord + 2) % 3], out, offset)
        return write_hand(state.played[(landlord + 1) % 3], out, offset)
    offset = write_hand(state.played[landlord], out, offset)
    return write_hand(state.played[partner], out, offset)


@njit
def _write_hands(state, player, out):
    """Write the player's hand and the other two hands together, and return the next offset."""
    offset = write_hand(state.hands[player], out, 0)
    return write_hand(unseen_by(state, player), out, offset)


@njit
def _encode_rlcard(state, player, landlord, partner, out):
    """Write the encoding `rlcard`."""
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
    """Write the encoding `douzero`."""
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
    """Write `value` for every card of a hand and return the next offset."""
    for rank in range(NUM_RANKS):
        for copy in range(rank_count(hand, rank)):
            out[offset + 4 * rank + copy] = value
    return offset + 4 * NUM_RANKS


@njit
def _encode_cql(state, player, out):
    """Write the encoding `cql`."""
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
    """Write an encoding (one of this module's numbers) of a seat's observation into `out` (implements `ops.encode`)."""
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
