"""Update of a particle by a drawn card that the viewer did not see, with evidence about which card it was.

The card may be known because it was played at once. Or it is known not to be playable, because it was not played
although the rules demand it, or because the player drew on.
"""

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
    """Return the action id that plays the hidden card drawn in `events[row]`, if the next event does; else -1.

    The next event surely plays this very card if the rules played it at once, or if only the drawn card could be played.
    """
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
    """Return whether the card drawn in `events[row]` was drawn because `seat` decided to draw (not as a penalty)."""
    while row > 0 and (events[row, 0] == REFILLED or (events[row, 0] == DREW and events[row, 1] == seat)):
        row -= 1
    return events[row, 0] == ACTION and events[row, 1] == seat and events[row, 2] == DRAW


@njit
def _draws_another(events, row, seat):
    """Return whether the event after the draw in `events[row]`, refills aside, is another draw by `seat`."""
    next_row = row + 1
    while next_row < len(events) and events[next_row, 0] == REFILLED:
        next_row += 1
    return next_row < len(events) and events[next_row, 0] == DREW and events[next_row, 1] == seat


@njit
def _impossible_draws(rules, particle, events, row, seat):
    """Return the bit mask of cards that the hidden card drawn in `events[row]` cannot be.

    It cannot be a card that the rules would have played at once, or that would have ended the drawing of cards until
    one is playable. If such drawing did end with it, it cannot be an unplayable card. A wild draw four is excluded only
    if it would have been playable whatever else the hand holds.
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
    """Return whether the card drawn in `events[row]` was played straight from the pile (`drawn-card=rlcard`)."""
    is_played = row + 1 < len(events) and events[row + 1, 0] == LAID and events[row + 1, 1] == seat
    return is_played and rules.drawn_card == RLCARD


@njit
def _record_public_draw(rules, particle, events, row, seat):
    """Record the card drawn by `seat` in `events[row]` in the particle's `cards_since_draw`.

    If the rules would have played the card had it been playable, the count of the color in force becomes 0.
    """
    if _is_played_from_pile(rules, events, row, seat):
        return
    record_unknown_card(particle, seat)
    if always_plays_drawn_card(rules) and _in_own_turn(events, row, seat):
        record_draw(particle, seat)


@njit
def apply_draw(rules, particle, events, row, viewer, rng):
    """Apply the draw in `events[row]` to a particle; return whether a hidden card can have been the card drawn.

    The drawn card is sampled from all hidden copies that agree with what is known of it; if there are none, a random
    card of the draw pile is taken.
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
