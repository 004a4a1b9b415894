"""Encodings of an observation with one legal move, for networks that evaluate one move at a time: the verb `encode_actions`.

There are too many moves for one output each. Hands are 54 numbers as in `encode`.

The encoding `choice` starts with 422 numbers for the observation: own hand; all unseen cards; those of them that the
landlord is known to hold; the last action of the next seat and of the previous seat; the cards each of these has played;
their numbers of cards, one-hot up to 20; the role, one-hot; whether the seat leads. Then 126 numbers for the move: its
cards; the rest of the hand; whether it is a pass; the number of groups in the rest (`hand_value.count_turns`), one-hot up
to 14; whether no move of the unseen cards beats it; whether only bombs and the rocket of the unseen cards beat it.

The encoding `group` starts with the same numbers for the observation. Then come 55 for the move: its cards and whether it
is a pass. Consequences of the rules are left to be learned, as in paper 004.
"""

from cardgames.core import ops
from cardgames.core.encoding import Encoding
from cardgames.doudizhu.cards import NUM_CARDS, has_rocket, rank_sets
from cardgames.doudizhu.encodings.encode import last_cards_of, write_hand
from cardgames.doudizhu.hands.hand_value import count_turns, new_workspace, split_off_chains
from cardgames.doudizhu.information_set import known_cards, unseen_by
from cardgames.doudizhu.moves.move_generation import follow_moves
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.moves.move_types import BOMB, ROCKET
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
"""Name -> number for kernels and shape."""


@njit
def _write_one_hot(number, most, out, offset):
    """Write a number from 0 to `most` one-hot (larger numbers as `most`) and return the next offset."""
    out[offset + min(number, most)] = 1
    return offset + most + 1


@njit
def _write_position(state, player, unseen, out):
    """Write a player's observation and return the next offset."""
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
    """Write the features of one move or of a pass."""
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
    """Write the encoding of each action into a row of `out` and return True (implements `ops.encode_actions`).

    Before the play, write nothing and return False.
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
