"""Dealing a round of Uno: the kernel for `ops.deal`, and the steps that dealing from a given deck shares with it."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno.cards import DECK, MAX_PLAYERS, NUM_CARDS, WILD, color_of, face_of
from cardgames.uno.cards_since_draw import ALL_UNKNOWN
from cardgames.uno.piles import add_drawn_card, draw_cards, pop_pile, push_discard
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.opener import SEAT_0, opener_seat
from cardgames.uno.rules.start import may_start
from cardgames.uno.rules.start_effects import RLCARD, first_seat, opener_draws
from cardgames.uno.rules.start_rejected import BURY
from cardgames.uno.rules.wild_color import IGNORED
from cardgames.uno.state import OPENER_COLOR
from cardgames.uno.turn import ask, begin_turn


@njit
def reset_round(state, players):
    """Reset `state` to a round without cards for this number of `players`.

    The draw pile, the random stream, the dealer and the top card keep their old values; dealing sets them.
    """
    for seat in range(MAX_PLAYERS):
        state.once[seat] = 0
        state.twice[seat] = 0
        state.counts[seat] = 0
        state.cards_since_draw[seat] = ALL_UNKNOWN
    for wild in range(8):
        state.received[wild] = 0
    state.n_fixed = state.n_discard = state.pending = state.idle = state.void = state.clock = state.phase = 0
    state.drawn = state.uncalled = state.winner = state.viewer = state.top_card_seat = state.color = (
        state.prior_color
    ) = -1
    state.decisions = state.laid = 0
    state.direction = 1
    state.players = players


@njit
def _has_allowed_start_card(rules, state):
    """Return whether the draw pile holds a card that the rule `start` allows as first card of the discard pile."""
    for i in range(state.n_pile):
        if may_start(rules, state.pile[i]):
            return True
    return False


@njit
def _return_to_pile(state, card):
    """Insert `card`, rejected as start card, at a random place of the draw pile; the other cards keep their order."""
    place = below(state, state.n_pile + 1)
    fixed_start = state.n_pile - state.n_fixed
    state.n_pile += 1
    if place <= fixed_start:
        # the pile is drawn from at random below `fixed_start`, so any place there is equivalent
        place = fixed_start
    else:
        state.n_fixed += 1
    for i in range(state.n_pile - 1, place, -1):
        state.pile[i] = state.pile[i - 1]
    state.pile[place] = card


@njit
def _turn_up_start_card(rules, state):
    """Turn up cards of the draw pile until the rule `start` allows one as start card; put it on the discard pile.

    Rejected cards go under it or back into the draw pile (rule `start-rejected`). If no card left in the pile is
    allowed, the one turned up last is taken.

    Returns:
        The card id of the start card.
    """
    rejected = np.empty(NUM_CARDS, np.uint8)
    n = 0
    card = pop_pile(state)
    while not may_start(rules, card) and _has_allowed_start_card(rules, state):
        if rules.start_rejected == BURY:
            push_discard(state, card)
        else:
            rejected[n] = card
            n += 1
        card = pop_pile(state)
    for i in range(n):
        _return_to_pile(state, np.int64(rejected[i]))
    push_discard(state, card)
    return card


@njit
def _start_color(rules, state, card):
    """Return the color index in force after the start card `card`, or -1 if the opener has to name it.

    It is random for a wild under `start-effects=rlcard`, and the color printed on the wild under `wild-color=ignored`.
    """
    if face_of(card) < WILD or rules.wild_color == IGNORED:
        return color_of(card)
    return below(state, 4) if rules.start_effects == RLCARD else -1


@njit
def start_round(rules, state):
    """Deal the hands, turn up the start card, apply its effect and begin the first turn.

    The draw pile and `state.dealer` must be set; cards are dealt from the pile as it is.
    """
    for seat in range(state.players):
        for _ in range(rules.hand_size):
            add_drawn_card(state, seat, pop_pile(state))
    card = _turn_up_start_card(rules, state)
    state.top = card
    state.color = _start_color(rules, state, card)
    opener = opener_seat(rules, state)
    draw_cards(rules, state, opener, opener_draws(rules, face_of(card)))
    begin_turn(state, first_seat(rules, state, opener, face_of(card)))
    if state.color < 0:
        ask(state, OPENER_COLOR, opener)


@ops.deal.register(UNO_RULES)
@njit
def deal(rules, state, seed):
    """Implement `ops.deal` for Uno: deal a new round into `state`, whose random stream starts at `seed`."""
    reset_round(state, rules.players)
    state.rng = seed
    copy_row(state.pile, DECK)
    state.n_pile = NUM_CARDS
    dealer = below(state, rules.players)
    state.dealer = rules.players - 1 if rules.opener == SEAT_0 else dealer
    start_round(rules, state)
