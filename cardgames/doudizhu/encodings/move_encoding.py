"""Encodings of an observation with one legal move, for networks that evaluate one move at a time (`ops.encode_actions`).

There are too many moves for one network output each. A hand takes 54 numbers, as in `encode.write_hand`.

The encoding `choice` starts with 422 numbers for the observation: own hand; all unseen cards; the unseen cards that the
landlord is known to hold; the last action of the next seat, then of the previous seat; the cards played by the next
seat, then by the previous seat; the numbers of cards of these two seats, one-hot up to 20; the role, one-hot; whether
the seat leads. Then 126 numbers for the move: its cards; the cards left in the hand; whether the move is a pass; the
number of groups in the cards left (`hand_value.count_turns`), one-hot up to 14; whether no move of the unseen cards
beats it; whether only bombs and the rocket of the unseen cards beat it.

The encoding `group` starts with the same 422 numbers for the observation. Then come 55 numbers for the move: its cards
and whether it is a pass. The network has to learn the consequences of the rules itself, as in paper 004.
"""

from cardgames.core import ops
from cardgames.core.encoding import Encoding
from cardgames.doudizhu.cards import NUM_CARDS, has_rocket, rank_sets
from cardgames.doudizhu.encodings.encode import last_cards_of, write_hand
from cardgames.doudizhu.hands.hand_value import count_turns, new_workspace, split_off_chains
from cardgames.doudizhu.information_set import known_cards, unseen_by
from cardgames.doudizhu.moves.move_forms import BOMB, ROCKET
from cardgames.doudizhu.moves.move_generation import follow_moves
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import PLAY
from cardgames.kernels.bits import NONE, popcount
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit

_MAX_HAND_SIZE, _MAX_TURNS = 20, 14
_POSITION_SIZE = 7 * NUM_CARDS + 2 * _MAX_HAND_SIZE + 4
_MOVE_SIZE = 2 * NUM_CARDS + 1 + _MAX_TURNS + 1 + 2

CHOICE, GROUP = range(2)
CHOICE_ENCODINGS = {
    "choice": Encoding(CHOICE, (_POSITION_SIZE + _MOVE_SIZE,)),
    "group": Encoding(GROUP, (_POSITION_SIZE + NUM_CARDS + 1,)),
}
"""Name of an encoding of an observation with a move -> its id for kernels and its shape."""


@njit
def _write_one_hot(number, most, out, offset):
    """Write a number from 0 to `most` one-hot to `out` from index `offset` on, and return the index after it.

    It takes `most` + 1 elements. Larger numbers are written as `most`.
    """
    out[offset + min(number, most)] = 1
    return offset + most + 1


@njit
def _write_position(state, player, unseen, out):
    """Write the 422 numbers for the observation of seat `player` to the start of `out`, and return the index after them.

    `unseen` are the cards that the seat has not seen, as a hand.
    """
    next_seat, previous_seat = (player + 1) % 3, (player + 2) % 3
    offset = write_hand(state.hands[player], out, 0)
    offset = write_hand(unseen, out, offset)
    offset = write_hand(NONE if player == state.landlord else known_cards(state, state.landlord), out, offset)
    offset = write_hand(last_cards_of(state, next_seat), out, offset)
    offset = write_hand(last_cards_of(state, previous_seat), out, offset)
    offset = write_hand(state.played[next_seat], out, offset)
    offset = write_hand(state.played[previous_seat], out, offset)
    offset = _write_one_hot(state.counts[next_seat] - 1, _MAX_HAND_SIZE - 1, out, offset)
    offset = _write_one_hot(state.counts[previous_seat] - 1, _MAX_HAND_SIZE - 1, out, offset)
    offset = _write_one_hot((player - state.landlord + 3) % 3, 2, out, offset)
    out[offset] = state.last == PASS
    return offset + 1


@njit
def _write_move(rules, hand, unseen, action, workspace, out, offset):
    """Write the 126 numbers of the encoding `choice` for one move or a pass to `out` from index `offset` on.

    `hand` is the player's hand, `unseen` the cards that the player has not seen, and `workspace` that of `hand_value`.
    """
    cards = MOVE_CARDS[action]
    offset = write_hand(cards, out, offset)
    offset = write_hand(hand - cards, out, offset)
    out[offset] = action == PASS
    _, rest, chains = split_off_chains(hand - cards, workspace)
    offset = _write_one_hot(count_turns(rest, chains, workspace), _MAX_TURNS, out, offset + 1)
    if action != PASS:
        stronger = follow_moves(rules, unseen, action, None)
        bombs_and_rocket = stronger
        if MOVE_FORM_RANKS[action] >> 4 not in (BOMB, ROCKET):
            bombs_and_rocket = popcount(rank_sets(unseen)[3]) + has_rocket(unseen)
        out[offset] = stronger == 0
        out[offset + 1] = stronger == bombs_and_rocket


@ops.encode_actions.register(DOUDIZHU_RULES)
@njit
def encode_actions(rules, state, player, encoding_id, actions, out):
    """Write the encoding of an observation with each of `actions` into a row of `out` (implements `ops.encode_actions`).

    Returns True; in the auction and in doubling, writes nothing and returns False.
    """
    if state.phase != PLAY:
        return False
    unseen, workspace = unseen_by(state, player), new_workspace()
    out[:] = 0
    offset = _write_position(state, player, unseen, out[0])
    for i in range(1, len(actions)):
        copy_row(out[i, :offset], out[0])
    for i in range(len(actions)):
        if encoding_id == GROUP:
            end = write_hand(MOVE_CARDS[actions[i]], out[i], offset)
            out[i, end] = actions[i] == PASS
        else:
            _write_move(rules, state.hands[player], unseen, actions[i], workspace, out[i], offset)
    return True
