"""What a card drawn unseen tells of itself: by being laid later on, or by not having been."""

import numpy as np

from cardgames.core.events import ACTION
from cardgames.kernels.bits import NONE
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno.belief.particle_repair import draw_copy, exchange, remove_from_pile
from cardgames.uno.cards import ALL_WILDS, COLOR_MASK, DRAW, WILD_FOURS
from cardgames.uno.events import DREW, LAID, REFILLED
from cardgames.uno.piles import give, note_card, note_draw, same_card
from cardgames.uno.rules.after_draw import DRAWN_ONLY
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.draw_when import STUCK
from cardgames.uno.rules.drawn_card import KEEP_IT, RLCARD, lays_what_fits
from cardgames.uno.rules.last_card import ANY
from cardgames.uno.rules.match import matching
from cardgames.uno.rules.wild_four import ANY_TIME, BLUFF, LAST_RESORT


@njit
def _seen_later(rules, events, row, seat):
    """Return the action id that shows what the hidden card of a `DREW` row was, -1 if nothing does."""
    if row + 1 >= len(events):
        return -1
    kind, who, value = events[row + 1, 0], events[row + 1, 1], events[row + 1, 2]
    if who != seat or value < 0 or value >= DRAW:
        return -1
    if kind == LAID:
        return np.int64(value)
    lays_it = rules.after_draw == DRAWN_ONLY and rules.drawn_card != KEEP_IT
    return np.int64(value) if kind == ACTION and lays_it and _in_own_turn(events, row, seat) else -1


@njit
def _in_own_turn(events, row, seat):
    """Return whether the `DREW` row belongs to a draw its player decided on."""
    while row > 0 and (events[row, 0] == REFILLED or (events[row, 0] == DREW and events[row, 1] == seat)):
        row -= 1
    return events[row, 0] == ACTION and events[row, 1] == seat and events[row, 2] == DRAW


@njit
def _more_to_come(events, row, seat):
    following = row + 1
    while following < len(events) and events[following, 0] == REFILLED:
        following += 1
    return following < len(events) and events[following, 0] == DREW and events[following, 1] == seat


@njit
def _not_drawn(rules, particle, events, row, seat):
    """Return the mask of cards the hidden card of a `DREW` row cannot have been: it would have been laid, or been the last;
    or it was the last, although there were more, and so fits.

    A wild draw four can be drawn and kept where it takes more than itself to be playable.
    """
    if not _in_own_turn(events, row, seat):
        return NONE
    if rules.drawn_card == RLCARD:
        return COLOR_MASK[particle.color] | ALL_WILDS
    if lays_what_fits(rules) or (rules.draw_how == UNTIL_PLAYABLE and _more_to_come(events, row, seat)):
        # nothing else fits then; a card that may not be the last would, with the next one in hand
        stuck = rules.wild_four == LAST_RESORT and rules.draw_when == STUCK and rules.last_card == ANY
        always = rules.wild_four == BLUFF or rules.wild_four == ANY_TIME or stuck
        wilds = ALL_WILDS if always else ALL_WILDS & ~WILD_FOURS
        return matching(rules, particle.top, particle.color) | wilds
    if rules.draw_how == UNTIL_PLAYABLE and particle.n_pile > 1:
        return ~(matching(rules, particle.top, particle.color) | ALL_WILDS)
    return NONE


@njit
def _laid_unseen(rules, events, row, seat):
    """Return whether the card of a `DREW` row was laid without having been in the hand."""
    laid = row + 1 < len(events) and events[row + 1, 0] == LAID and events[row + 1, 1] == seat
    return laid and rules.drawn_card == RLCARD


@njit
def _count(rules, particle, events, row, seat):
    """Note in public that a seat took one more card, one that does not fit if it would have been laid otherwise."""
    if _laid_unseen(rules, events, row, seat):
        return
    note_card(particle, seat)
    if lays_what_fits(rules) and _in_own_turn(events, row, seat):
        note_draw(particle, seat)


@njit
def drew(rules, particle, events, row, viewer, rng):
    """Take in a card drawn; return whether the particle explains it, as it does if one like it is hidden anywhere: which of
    them it was is drawn.
    """
    seat, card = events[row, 1], np.int64(events[row, 2])
    _count(rules, particle, events, row, seat)
    shown = card if card >= 0 else _seen_later(rules, events, row, seat)
    wanted = same_card(shown) if shown >= 0 else ~_not_drawn(rules, particle, events, row, seat)
    barred = 1 << viewer
    if shown < 0 and rules.draw_when == STUCK:
        barred |= 1 << seat  # what he held when he drew is mended already
    found = draw_copy(rules, particle, wanted, barred, rng)
    explained = found >= 0
    if explained and card >= 0 and found != card:
        exchange(particle, found, card)
        found = card
    elif not explained and particle.n_pile > 0:
        found = remove_from_pile(particle, below(rng, particle.n_pile))
    if found >= 0:
        give(particle, seat, found)
    return explained
