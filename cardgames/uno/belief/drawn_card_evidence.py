"""Evidence about a card drawn unseen: it was played later, or it was not played although the rules demand it."""

import numpy as np

from cardgames.core.events import ACTION
from cardgames.kernels.bits import NONE
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno.belief.particle_repair import remove_from_pile, swap_wilds, take_hidden_copy
from cardgames.uno.cards import ALL_WILDS, COLOR_MASK, DRAW, WILD_FOURS
from cardgames.uno.events import DREW, LAID, REFILLED
from cardgames.uno.piles import add_to_hand, record_draw, record_unknown_card, same_card_mask
from cardgames.uno.rules.after_draw import DRAWN_ONLY
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.draw_when import STUCK
from cardgames.uno.rules.drawn_card import MUST_KEEP, RLCARD, always_plays_drawn_card
from cardgames.uno.rules.last_card import ANY
from cardgames.uno.rules.match import matching_cards
from cardgames.uno.rules.wild_four import ANY_TIME, BLUFF, LAST_RESORT


@njit
def _revealing_action(rules, events, row, seat):
    """Return the action id that reveals the hidden card of a `DREW` row, or -1 if none does."""
    if row + 1 >= len(events):
        return -1
    kind, next_seat, value = events[row + 1, 0], events[row + 1, 1], events[row + 1, 2]
    if next_seat != seat or value < 0 or value >= DRAW:
        return -1
    if kind == LAID:
        return np.int64(value)
    must_play_drawn = rules.after_draw == DRAWN_ONLY and rules.drawn_card != MUST_KEEP
    return np.int64(value) if kind == ACTION and must_play_drawn and _in_own_turn(events, row, seat) else -1


@njit
def _in_own_turn(events, row, seat):
    """Return whether the card of a `DREW` row was drawn by its player's own decision to draw."""
    while row > 0 and (events[row, 0] == REFILLED or (events[row, 0] == DREW and events[row, 1] == seat)):
        row -= 1
    return events[row, 0] == ACTION and events[row, 1] == seat and events[row, 2] == DRAW


@njit
def _draws_another(events, row, seat):
    """Return whether the player of a `DREW` row draws another card next."""
    next_row = row + 1
    while next_row < len(events) and events[next_row, 0] == REFILLED:
        next_row += 1
    return next_row < len(events) and events[next_row, 0] == DREW and events[next_row, 1] == seat


@njit
def _impossible_draws(rules, particle, events, row, seat):
    """Return the mask of cards that the hidden card of a `DREW` row cannot be.

    The rules would have played such a card, or drawing would have ended with it. If drawing until a playable card did
    end with this card, the impossible cards are those that do not fit. A wild draw four can be drawn and kept if it
    needs more than itself to be playable.
    """
    if not _in_own_turn(events, row, seat):
        return NONE
    if rules.drawn_card == RLCARD:
        return COLOR_MASK[particle.color] | ALL_WILDS
    if always_plays_drawn_card(rules) or (rules.draw_how == UNTIL_PLAYABLE and _draws_another(events, row, seat)):
        # a player who had to draw holds nothing else that fits, so a wild draw four would be a last resort; but where
        # `last-card` is restricted, a card that could not be the last fits once the drawn card is in hand
        stuck = rules.wild_four == LAST_RESORT and rules.draw_when == STUCK and rules.last_card == ANY
        always = rules.wild_four == BLUFF or rules.wild_four == ANY_TIME or stuck
        wilds = ALL_WILDS if always else ALL_WILDS & ~WILD_FOURS
        return matching_cards(rules, particle.top, particle.color) | wilds
    if rules.draw_how == UNTIL_PLAYABLE and particle.n_pile > 1:
        return ~(matching_cards(rules, particle.top, particle.color) | ALL_WILDS)
    return NONE


@njit
def _is_played_from_pile(rules, events, row, seat):
    """Return whether the card of a `DREW` row was played straight from the pile, as RLCard does."""
    is_played = row + 1 < len(events) and events[row + 1, 0] == LAID and events[row + 1, 1] == seat
    return is_played and rules.drawn_card == RLCARD


@njit
def _record_public_draw(rules, particle, events, row, seat):
    """Record in `cards_since_draw` that a seat took a card, unplayable if the rules would otherwise have played it."""
    if _is_played_from_pile(rules, events, row, seat):
        return
    record_unknown_card(particle, seat)
    if always_plays_drawn_card(rules) and _in_own_turn(events, row, seat):
        record_draw(particle, seat)


@njit
def apply_draw(rules, particle, events, row, viewer, rng):
    """Apply a `DREW` row to a particle and return whether the particle explains it.

    It does if a matching card is hidden anywhere. Which of the matching copies was drawn is sampled.
    """
    seat, card = events[row, 1], np.int64(events[row, 2])
    _record_public_draw(rules, particle, events, row, seat)
    revealing_action = card if card >= 0 else _revealing_action(rules, events, row, seat)
    candidates = (
        same_card_mask(revealing_action)
        if revealing_action >= 0
        else ~_impossible_draws(rules, particle, events, row, seat)
    )
    excluded_seats = 1 << viewer
    if revealing_action < 0 and rules.draw_when == STUCK:
        excluded_seats |= 1 << seat  # the hand before the draw is already repaired
    drawn_card = take_hidden_copy(rules, particle, candidates, excluded_seats, rng)
    consistent = drawn_card >= 0
    if consistent and card >= 0 and drawn_card != card:
        swap_wilds(particle, drawn_card, card)
        drawn_card = card
    elif not consistent and particle.n_pile > 0:
        drawn_card = remove_from_pile(particle, below(rng, particle.n_pile))
    if drawn_card >= 0:
        add_to_hand(particle, seat, drawn_card)
    return consistent
