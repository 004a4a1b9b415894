"""Moving cards: hands as bit planes, a draw pile that is shuffled as it is drawn from, a discard pile in order."""

import numpy as np

from cardgames.core.bits import lowest_bit
from cardgames.core.jit import njit
from cardgames.core.rng import below
from cardgames.uno.cards import ALL_WILDS, NONE, ONE, WILD, color_of, face_of
from cardgames.uno.rules.refill import refill_before, refill_empty
from cardgames.uno.rules.shown_color import PRINTED
from cardgames.uno.rules.wild_color import IGNORED


@njit
def wild_index(card):
    """Return the place of a wild's card id in `state.received`."""
    return 2 * (color_of(card)) + face_of(card) - WILD


@njit
def give(state, seat, card):
    """Put `card` into a hand."""
    bit = ONE << np.uint64(card)
    state.twice[seat] |= state.once[seat] & bit
    state.once[seat] |= bit
    state.counts[seat] += 1
    if bit & ALL_WILDS:
        state.clock += 1
        state.received[wild_index(card)] = state.clock


@njit
def take(state, seat, card):
    """Take `card` out of a hand that holds it."""
    bit = ONE << np.uint64(card)
    state.once[seat] &= ~bit | state.twice[seat]
    state.twice[seat] &= ~bit
    state.counts[seat] -= 1


@njit
def wilds_alike(rules):
    """Return whether wilds of one face differ in nothing, their printed colours being of no account."""
    return rules.wild_color != IGNORED and rules.shown_color != PRINTED


@njit
def wild_to_play(rules, state, seat, face):
    """Return the card id of the wild with `face` that `seat` plays: the least, or the first received if its printed colour
    can matter.
    """
    held = state.once[seat] & ALL_WILDS
    best = -1
    while held != NONE:
        card = lowest_bit(held)
        held &= held - ONE
        if face_of(card) != face:
            continue
        if wilds_alike(rules):
            return card
        if best < 0 or state.received[wild_index(card)] < state.received[wild_index(best)]:
            best = card
    return best


@njit
def random_card(state, seat, rng):
    """Return a random card of a hand, -1 if it is empty."""
    skip = below(rng, state.counts[seat])
    for plane in (state.once[seat], state.twice[seat]):
        while plane != NONE:
            if skip == 0:
                return lowest_bit(plane)
            skip -= 1
            plane &= plane - ONE
    return -1


@njit
def pop_pile(state):
    """Take the next card off a pile that is not empty."""
    last = state.n_pile - 1
    state.n_pile = last
    if state.n_fixed > 0:
        state.n_fixed -= 1
        return np.int64(state.pile[last])
    place = below(state, last + 1)
    card = state.pile[place]
    state.pile[place] = state.pile[last]
    return np.int64(card)


@njit
def push_discard(state, card):
    """Lay `card` on the discard pile."""
    state.discard[state.n_discard] = card
    state.n_discard += 1


@njit
def draw_cards(rules, state, seat, wanted):
    """Give `seat` up to `wanted` cards, as many as there are after the refills the rules allow."""
    refill_before(rules, state, wanted)
    for _ in range(wanted):
        if state.n_pile == 0 and not refill_empty(rules, state):
            return
        give(state, seat, pop_pile(state))
