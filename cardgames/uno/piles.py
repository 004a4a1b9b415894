"""Moves of cards between hands (bit masks), the draw pile and the discard pile.

The draw pile is shuffled as cards are drawn: except for cards in a fixed order, each draw takes a random card of it.
"""

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno.cards import ALL_WILDS, WILD, WILD_FOUR, WILD_FOURS, color_of, face_of, without
from cardgames.uno.cards_since_draw import increment_counts, reset_count
from cardgames.uno.rules.refill import refill_before, refill_empty
from cardgames.uno.state import MAX_CLOCK


@njit
def wild_index(card):
    """Return the index (0 to 7) of a wild's card id in `state.received`, the times at which wilds came to a hand."""
    return 2 * (color_of(card)) + face_of(card) - WILD


@njit
def _renumber_received(state):
    """Renumber the times in `state.received` from 1 on, in the order in which hands received the wilds.

    This keeps the int16 field `clock` from overflowing.
    """
    for rank in range(8):
        next_wild = -1
        for wild in range(8):
            later = state.received[wild] > rank
            if later and (next_wild < 0 or state.received[wild] < state.received[next_wild]):
                next_wild = wild
        if next_wild >= 0:
            state.received[next_wild] = rank + 1
    state.clock = 8


@njit
def record_received_wild(state, wild):
    """Record that a hand has just received the card id `wild`, later than any wild was received so far."""
    if state.clock == MAX_CLOCK:
        _renumber_received(state)
    state.clock += 1
    state.received[wild_index(wild)] = state.clock


@njit
def add_to_hand(state, seat, card):
    """Put the card id `card` into the hand of `seat`; the time of receipt of a wild is recorded."""
    bit = ONE << np.uint64(card)
    state.twice[seat] |= state.once[seat] & bit
    state.once[seat] |= bit
    state.counts[seat] += 1
    if bit & ALL_WILDS:
        record_received_wild(state, card)


@njit
def record_draw(state, seat):
    """Record in `state.cards_since_draw` that `seat` draws while the present color is in force.

    The count of that color becomes 0.
    """
    state.cards_since_draw[seat] = reset_count(state.cards_since_draw[seat], np.int64(state.color))


@njit
def record_unknown_card(state, seat):
    """Count a card that `seat` took face down: each counter of the seat in `state.cards_since_draw` rises by 1.

    A counter belongs to a color. It counts the cards taken since the seat last drew with that color in force.
    """
    state.cards_since_draw[seat] = increment_counts(state.cards_since_draw[seat])


@njit
def add_drawn_card(state, seat, card):
    """Put `card`, taken from the draw pile, into the hand of `seat`, and count it in `state.cards_since_draw`."""
    add_to_hand(state, seat, card)
    record_unknown_card(state, seat)


@njit
def remove_from_hand(state, seat, card):
    """Remove `card` from the hand of `seat`, which must hold it."""
    state.once[seat], state.twice[seat] = without(state.once[seat], state.twice[seat], card)
    state.counts[seat] -= 1


@njit
def same_card_mask(card):
    """Return the bit mask of card ids that look like `card` when played: all wilds with its face, or `card` itself."""
    if face_of(card) < WILD:
        return ONE << np.uint64(card)
    return WILD_FOURS if face_of(card) == WILD_FOUR else ALL_WILDS & ~WILD_FOURS


@njit
def card_for_action(state, seat, action):
    """Return the id of the card in the hand of `seat` that `action` plays, or -1 if the hand has no such card.

    If the hand has several wilds with the face, it is the one received first. Any choice by printed color would reveal,
    once the card lies there, something about the wilds still held.
    """
    held = state.once[seat] & same_card_mask(action)
    if face_of(action) >= WILD:
        return _first_received(state, held)
    return np.int64(action) if held != NONE else np.int64(-1)


@njit
def _first_received(state, wilds):
    """Return the card id in the bit mask `wilds` that its hand received first, or -1 if the mask is empty."""
    first = -1
    while wilds != NONE:
        card = lowest_bit(wilds)
        wilds &= wilds - ONE
        if first < 0 or state.received[wild_index(card)] < state.received[wild_index(first)]:
            first = card
    return first


@njit
def random_card(state, seat, rng):
    """Return the id of a random card in the hand of `seat`, or -1 if the hand is empty."""
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
    """Remove the next card from the draw pile, which must not be empty, and return its id.

    Cards in a fixed order (`state.n_fixed`) come first; after them each draw takes a random card.
    """
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
    """Put the card id `card` on top of the discard pile."""
    state.discard[state.n_discard] = card
    state.n_discard += 1


@njit
def draw_cards(rules, state, seat, count):
    """Let `seat` draw `count` cards from the pile, fewer if the pile runs out and the rules allow no refill."""
    refill_before(rules, state, count)
    for _ in range(count):
        if state.n_pile == 0 and not refill_empty(rules, state):
            return
        add_drawn_card(state, seat, pop_pile(state))
