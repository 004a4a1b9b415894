"""What a seat sees, and one of the moves open to it, as zeros and ones: the verb `encode_actions`.

For networks that judge one move at a time, of which there are too many for an output each. Hands are 54 numbers as in
`encode`. What the seat sees, 422 numbers: its hand; all cards it has not seen; those of them that the landlord is known
to hold; the last decision of the next seat and of the one before it; what each of these has played; how many cards each
holds, one-hot up to 20; its role, one-hot; whether it leads. Then of the move, 126: its cards; what is left of the hand;
whether it is a pass; how many groups the rest is sorted into at a glance (`worth.count_turns`), one-hot up to 14; whether
the unseen cards hold nothing that beats it, and nothing but bombs and the rocket.

That is `choice`. `group` shows of the move its cards and whether it is a pass alone, 55 numbers: what follows from the
rules is left to be learned, as paper 004 has it.
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
"""Name -> its number for kernels, and its shape."""


@njit
def _write_one_hot(number, most, out, offset):
    """Write a number from 0 to `most`, higher ones as that, and return the place behind."""
    out[offset + min(number, most)] = 1
    return offset + most + 1


@njit
def _write_position(state, player, unseen, out):
    """Write what a player sees and return the place behind."""
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
    """Write what there is to say of one move, or of a pass."""
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
    """Dou Di Zhu's verb `encode_actions`: it knows nothing of the auction."""
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
