"""What a seat sees, and one of the moves open to it, as zeros and ones: the verb `encode_choices`.

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
from cardgames.doudizhu.encodings.encode import last_of, write_hand
from cardgames.doudizhu.hands.hand_value import count_turns, new_room, sort_hand
from cardgames.doudizhu.information_set import known_cards, unseen_by
from cardgames.doudizhu.moves.move_generation import follow_moves
from cardgames.doudizhu.moves.move_table import CARDS, PASS, PLACES
from cardgames.doudizhu.moves.move_types import BOMB, ROCKET
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import PLAY
from cardgames.kernels.bits import NONE, popcount
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit

_MOST_HELD, _MOST_TURNS = 20, 14
_SEEN = 7 * NUM_CARDS + 2 * _MOST_HELD + 4
_ABOUT = 2 * NUM_CARDS + 1 + _MOST_TURNS + 1 + 2

CHOICE, GROUP = range(2)
CHOICE_ENCODINGS = {"choice": Encoding(CHOICE, (_SEEN + _ABOUT,)), "group": Encoding(GROUP, (_SEEN + NUM_CARDS + 1,))}
"""Name -> its number for kernels, and its shape."""


@njit
def _write_one_hot(number, most, out, at):
    """Write a number from 0 to `most`, higher ones as that, and return the place behind."""
    out[at + min(number, most)] = 1
    return at + most + 1


@njit
def _write_seen(state, player, unseen, out):
    """Write what a player sees and return the place behind."""
    following, before = (player + 1) % 3, (player + 2) % 3
    at = write_hand(state.hands[player], out, 0)
    at = write_hand(unseen, out, at)
    at = write_hand(NONE if player == state.landlord else known_cards(state, state.landlord), out, at)
    at = write_hand(last_of(state, following), out, at)
    at = write_hand(last_of(state, before), out, at)
    at = write_hand(state.played[following], out, at)
    at = write_hand(state.played[before], out, at)
    at = _write_one_hot(state.counts[following] - 1, _MOST_HELD - 1, out, at)
    at = _write_one_hot(state.counts[before] - 1, _MOST_HELD - 1, out, at)
    at = _write_one_hot((player - state.landlord + 3) % 3, 2, out, at)
    out[at] = state.last == PASS
    return at + 1


@njit
def _write_move(rules, hand, unseen, action, room, out, at):
    """Write what there is to say of one move, or of a pass."""
    cards = CARDS[action]
    at = write_hand(cards, out, at)
    at = write_hand(hand - cards, out, at)
    out[at] = action == PASS
    _, loose, chains = sort_hand(hand - cards, room)
    at = _write_one_hot(count_turns(loose, chains, room), _MOST_TURNS, out, at + 1)
    if action != PASS:
        stronger = follow_moves(rules, unseen, action, None)
        powers = stronger
        if PLACES[action] >> 4 not in (BOMB, ROCKET):
            powers = popcount(rank_sets(unseen)[3]) + has_rocket(unseen)
        out[at] = stronger == 0
        out[at + 1] = stronger == powers


@ops.encode_choices.register(DOUDIZHU_RULES)
@njit
def encode_choices(rules, state, player, which, actions, out):
    """Dou Di Zhu's verb `encode_choices`: it knows nothing of the auction."""
    if state.phase != PLAY:
        return False
    unseen, room = unseen_by(state, player), new_room()
    out[:] = 0
    at = _write_seen(state, player, unseen, out[0])
    for i in range(1, len(actions)):
        copy_row(out[i, :at], out[0])
    for i in range(len(actions)):
        if which == GROUP:
            end = write_hand(CARDS[actions[i]], out[i], at)
            out[i, end] = actions[i] == PASS
        else:
            _write_move(rules, state.hands[player], unseen, actions[i], room, out[i], at)
    return True
