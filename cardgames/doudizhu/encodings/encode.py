"""What a seat sees as zeros and ones: the inputs of others' networks, and the verb `encode`.

A hand is 54 numbers: rank by rank `3` to `2` as many ones as it holds cards of the rank, then zeros up to four; then the
black and the red joker. Players are told apart by their roles: the landlord, the peasant *down* who plays after him, and
the peasant *up* who plays before him.
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
"""Name -> its number for kernels, and its shape.

`rlcard` (RLCard's environment): 790 numbers for the landlord, 901 for a peasant. Own hand; the other two together; the
last cards played in this trick; the last 9 decisions, oldest first. The landlord then sees what the peasants up and down
have played, and one-hot how many cards they hold (17 each). A peasant sees what the landlord and his partner have played,
the *first* decision of each (RLCard means the last), and how many cards they hold (20 and 17).

`douzero` (DouZero's features x, without the action, and z): x, 319 numbers for the landlord, 430 for a peasant, fills up
the first 430 places. For the landlord it is own hand, the others together, last cards, played by up and by down, their
numbers of cards, one-hot how many bombs were played, the rocket included (15). For a peasant: own hand, the others
together, played by the landlord and by the partner, last cards, the last decision of each of them, their numbers of cards,
bombs. Then z: the last 15 decisions, oldest first.

`cql` (paper 004, 4.1 and its code): five planes [rank, copy] of cards, as many copies marked as there are. Own hand; each
card not seen yet with the chance, in hundredths, that the next seat holds it if hidden cards lie at random (and none is at
the bottom), then the same for the seat after; the last decision of the seat before, then of the seat before that.

During the auction the first bidder counts as the landlord.
"""
_DOUZERO_X_SIZE = 430


@njit
def write_hand(hand, out, offset):
    """Write a hand and return the place behind it."""
    for rank in range(BLACK_JOKER):
        for copy in range(rank_count(hand, rank)):
            out[offset + 4 * rank + copy] = 1
    for rank in range(BLACK_JOKER, NUM_RANKS):
        out[offset + NUM_CARDS - NUM_RANKS + rank] = rank_count(hand, rank)
    return offset + NUM_CARDS


@njit
def _write_count(count, most, out, offset):
    """Write a number of cards as RLCard and DouZero do, none in the last place, and return the place behind it."""
    out[offset + (count - 1 + most) % most] = 1
    return offset + most


@njit
def _recent(state, decisions_ago):
    """Return the cards of the decision taken `decisions_ago` decisions ago, none if there was none; 0 is the last."""
    turn = state.turns - 1 - decisions_ago
    return MOVE_CARDS[state.recent_actions[turn % NUM_RECENT_ACTIONS]] if turn >= 0 else np.uint64(0)


@njit
def _write_recent(state, n, out, offset):
    """Write the last `n` decisions, oldest first, and return the place behind them."""
    for decisions_ago in range(n - 1, -1, -1):
        offset = write_hand(_recent(state, decisions_ago), out, offset)
    return offset


@njit
def _last_cards(state):
    """Return the last cards played by the two players before, none if both passed."""
    cards = _recent(state, 0)
    return cards if cards else _recent(state, 1)


@njit
def last_cards_of(state, seat):
    """Return the cards of a seat's last decision, none if it has not decided yet."""
    last = state.winner if state.phase == OVER else state.to_move + 2
    return _recent(state, (last + 3 - seat) % 3)


@njit
def _write_counts(state, player, landlord, partner, out, offset):
    """Write one-hot how many cards the others hold and return the place behind."""
    if player == landlord:
        offset = _write_count(state.counts[(landlord + 2) % 3], HAND_SIZE, out, offset)
        return _write_count(state.counts[(landlord + 1) % 3], HAND_SIZE, out, offset)
    offset = _write_count(state.counts[landlord], HAND_SIZE + BOTTOM_SIZE, out, offset)
    return _write_count(state.counts[partner], HAND_SIZE, out, offset)


@njit
def _write_played(state, player, landlord, partner, out, offset):
    """Write what the others have played and return the place behind."""
    if player == landlord:
        offset = write_hand(state.played[(landlord + 2) % 3], out, offset)
        return write_hand(state.played[(landlord + 1) % 3], out, offset)
    offset = write_hand(state.played[landlord], out, offset)
    return write_hand(state.played[partner], out, offset)


@njit
def _write_hands(state, player, out):
    """Write the player's hand and the other two together, and return the place behind."""
    offset = write_hand(state.hands[player], out, 0)
    return write_hand(unseen_by(state, player), out, offset)


@njit
def _encode_rlcard(state, player, landlord, partner, out):
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
    """Write `value` for every card of a hand and return the place behind the plane."""
    for rank in range(NUM_RANKS):
        for copy in range(rank_count(hand, rank)):
            out[offset + 4 * rank + copy] = value
    return offset + 4 * NUM_RANKS


@njit
def _encode_cql(state, player, out):
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
    """Dou Di Zhu's verb `encode`; `encoding_id` is one of this module's constants."""
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
    """Dou Di Zhu's verb `apply_symmetry`: nothing is."""
    return action
