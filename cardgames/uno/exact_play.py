"""Kernels of Uno for the exact solver: hash of a state, order in which actions are tried, fixed draw pile."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix
from cardgames.uno import cards
from cardgames.uno.cards import ALL_WILDS, NUM_CARDS, SKIP, WILD, WILD_FOUR, WILD_FOURS, face_of
from cardgames.uno.piles import pop_pile
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.wild_color import IGNORED
from cardgames.uno.state import OVER

_NEAR_LIMIT = 20_000
"""Number of decisions before the turn limit from which on the limit is part of the state."""


@njit
def _hand_word(rules, state, seat):
    """Return a hash of the hand of `seat`; wilds of the same face are alike unless their printed color matters."""
    once = state.once[seat]
    if rules.wild_color != IGNORED:
        fours = popcount(once & WILD_FOURS)
        wilds = popcount(once & ALL_WILDS) - fours
        once = (once & ~ALL_WILDS) | np.uint64(fours) << np.uint64(60)
        return mix(mix(once) ^ state.twice[seat] ^ np.uint64(wilds) << np.uint64(60))
    return mix(mix(once) ^ state.twice[seat])


@njit
def _card_word(rules, card):
    """Return a card id for the hash, the same for all wilds of a face unless their printed color matters."""
    return np.int64(card) if rules.wild_color == IGNORED or face_of(card) < WILD else face_of(card)


@njit
def _pile_word(rules, state):
    """Return a hash of the draw pile and of its order."""
    word, bits = np.uint64(state.n_pile), 0
    packed = np.uint64(0)
    for i in range(state.n_pile):
        packed |= np.uint64(_card_word(rules, state.pile[i])) << np.uint64(bits)
        bits += 6
        if bits == 60:
            word, packed, bits = mix(word ^ packed), np.uint64(0), 0
    return mix(word ^ packed)


@ops.state_hash.register(UNO_RULES)
@njit
def state_hash(rules, state, objective):
    """Return the hash of a state: hands, draw pile, top card and everything due (implements `ops.state_hash`).

    Cards under the top card count only as far as there are any, since a refill is beyond what the solver knows.
    """
    word = _pile_word(rules, state)
    for seat in range(state.players):
        word = mix(word ^ _hand_word(rules, state, seat))
    if rules.wild_color == IGNORED:
        for wild in range(8):  # the order of receipt decides which wild is played
            word = mix(word ^ np.uint64(state.received[wild]))
    seats = np.int64(state.to_move + 1)
    for seat in (state.turn, state.top_card_seat, state.uncalled):
        seats = 16 * seats + seat + 1
    table = np.int64(state.phase)
    for number in (state.color, state.prior_color, state.direction):
        table = 8 * table + number + 1
    table = 4 * table + min(np.int64(state.n_discard), np.int64(2))
    table = 64 * table + _card_word(rules, state.top)
    table *= 64
    if state.drawn >= 0:
        table += _card_word(rules, state.drawn) + 1
    word = mix(word ^ np.uint64(seats))
    word = mix(word ^ np.uint64(table))
    word = mix(word ^ np.uint64(state.pending * 1024 + state.idle))
    left = np.int64(rules.turn_limit) - state.decisions
    return mix(word ^ np.uint64(left)) if left < _NEAR_LIMIT else word


@ops.wins_at_once.register(UNO_RULES)
@njit
def wins_at_once(rules, state, action):
    """Return whether an action plays the last card of the hand (implements `ops.wins_at_once`)."""
    return state.counts[state.to_move] == 1 and (action < cards.DRAW or action == cards.JUMP)


@ops.action_priorities.register(UNO_RULES)
@njit
def action_priorities(rules, state, actions, out):
    """Write the priorities of actions: symbols, numbers, wilds, other answers, draws (implements the verb)."""
    for i in range(len(actions)):
        action = actions[i]
        if action < cards.DRAW:
            face = face_of(action)
            out[i] = 1 if face >= WILD else 3 if face >= SKIP else 2
            if face == WILD_FOUR:
                out[i] = 3
        elif action == cards.DRAW or action == cards.QUIET or action == cards.LET_GO:
            out[i] = -2
        else:
            out[i] = 0 if action >= cards.CATCH else -1


@ops.fix_chance.register(UNO_RULES)
@njit
def fix_chance(rules, state):
    """Put the whole draw pile in the order in which it would be drawn (implements `ops.fix_chance`)."""
    if state.phase == OVER or state.n_fixed == state.n_pile:
        return
    order = np.empty(NUM_CARDS, np.uint8)
    n = np.int64(state.n_pile)
    for i in range(n - 1, -1, -1):
        order[i] = pop_pile(state)
    for i in range(n):
        state.pile[i] = order[i]
    state.n_pile = state.n_fixed = n
