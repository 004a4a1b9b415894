"""What the history tells of hidden hands: the verbs `advance`, `align` and `belief` that a particle filter lives on.

A particle is a state record of which only the hands, the two piles, the top card and the colour in force matter. The
rules' own evidence counts: a card played was held; where drawing is allowed only without a playable card, a draw
rules such cards out; a drawn card that would have had to be laid and was not, is another; hands shown or received are
known.
"""

import numpy as np

from cardgames.core import ops
from cardgames.core.bits import lowest_bit, popcount
from cardgames.core.events import ACTION
from cardgames.core.jit import njit
from cardgames.core.records import copy_record
from cardgames.core.rng import below, next_word
from cardgames.uno.cards import (
    ALL_WILDS,
    CHALLENGE,
    COLOR,
    COLOR_MASK,
    DRAW,
    DRAW_TWO,
    JUMP,
    KIND_OF_CARD,
    NONE,
    ONE,
    WILD_FOUR,
    WILD_FOURS,
    face_of,
)
from cardgames.uno.events import COLORED, DREW, LAID, RECEIVED, REFILLED, ROTATED, SHOWN, SWAPPED
from cardgames.uno.mending import (
    fetch,
    hold,
    lay,
    pile_place,
    put_on_pile,
    remove_from_pile,
    rid,
    rid_of_playable,
    same_card,
)
from cardgames.uno.observe import deal_hidden, unseen_cards
from cardgames.uno.piles import give, take
from cardgames.uno.policies import RANDOM
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.after_draw import DRAWN_ONLY
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.draw_when import STUCK
from cardgames.uno.rules.drawn_card import AUTO_PLAY, KEEP_IT, MUST_PLAY, RLCARD
from cardgames.uno.rules.refill import ALL_BUT_TOP, recycle
from cardgames.uno.rules.seven_zero import rotate_hands, swap_hands
from cardgames.uno.rules.stacking import stackable
from cardgames.uno.rules.wild_four import LAST_RESORT, NO_COLOR
from cardgames.uno.state import PLAY

ANY_CARD = ~NONE
_WHIM = 0.3


@njit
def _could_play(rules, particle, seat, action, viewer, rng):
    """Mend a hidden hand so that it may play a card; return whether it might already."""
    explained = hold(particle, seat, same_card(action), viewer, rng)
    if face_of(action) == WILD_FOUR:
        if rules.wild_four == NO_COLOR:
            explained &= rid(particle, seat, COLOR_MASK[particle.color], COLOR_MASK[particle.color], rng)
        elif rules.wild_four == LAST_RESORT:
            explained &= rid_of_playable(rules, particle, seat, ~WILD_FOURS, rng)
    return explained


@njit
def _played(rules, particle, seat, action, viewer, rng):
    """Let a hand play a card; return whether it could."""
    explained = _could_play(rules, particle, seat, action, viewer, rng) if seat != viewer else True
    lay(particle, seat, action, rng)
    return explained


@njit
def _decided(rules, particle, seat, action, viewer, rng):
    """Take in a decision; return whether the particle explains it."""
    if action < DRAW:
        explained = _played(rules, particle, seat, action, viewer, rng)
        particle.drawn = -1
        return explained
    if action == JUMP:
        return _played(rules, particle, seat, np.int64(particle.top), viewer, rng)
    if action == DRAW:
        fresh = particle.turn != seat or particle.drawn < 0
        particle.turn = seat
        particle.drawn = 0
        if fresh and seat != viewer and rules.draw_when == STUCK:
            return rid_of_playable(rules, particle, seat, ANY_CARD, rng)
        return True
    if action >= COLOR:
        particle.color = action - COLOR
    particle.drawn = -1
    return True


@njit
def _seen_later(rules, events, row, seat):
    """Return the action id that shows what the hidden card of a `DREW` row was, -1 if nothing does."""
    if row + 1 >= len(events):
        return -1
    kind, who, value = events[row + 1, 0], events[row + 1, 1], events[row + 1, 2]
    if who != seat or value < 0 or value >= DRAW:
        return -1
    chosen = kind == ACTION and rules.after_draw == DRAWN_ONLY and rules.drawn_card != KEEP_IT
    return np.int64(value) if chosen or kind == LAID else -1


@njit
def _in_own_turn(events, row, seat):
    """Return whether the `DREW` row belongs to a draw its player decided on."""
    while row > 0 and events[row, 0] == DREW and events[row, 1] == seat:
        row -= 1
    return events[row, 0] == ACTION and events[row, 1] == seat and events[row, 2] == DRAW


@njit
def _more_to_come(events, row, seat):
    return row + 1 < len(events) and events[row + 1, 0] == DREW and events[row + 1, 1] == seat


@njit
def _not_drawn(rules, particle, events, row, seat):
    """Return the mask of cards the hidden card of a `DREW` row cannot have been."""
    if not _in_own_turn(events, row, seat):
        return NONE
    must_lay = rules.drawn_card == MUST_PLAY or rules.drawn_card == AUTO_PLAY or rules.drawn_card == RLCARD
    if must_lay or (rules.draw_how == UNTIL_PLAYABLE and _more_to_come(events, row, seat)):
        return COLOR_MASK[particle.color] | ALL_WILDS
    return NONE


@njit
def _drew(rules, particle, events, row, viewer, rng):
    """Take in a card drawn; return whether the particle explains it."""
    seat, card = events[row, 1], np.int64(events[row, 2])
    if card < 0:
        later = _seen_later(rules, events, row, seat)
        wanted = same_card(later) if later >= 0 else ~_not_drawn(rules, particle, events, row, seat)
    else:
        wanted = same_card(card)
    place = pile_place(particle, wanted, rng)
    if place >= 0:
        give(particle, seat, remove_from_pile(particle, place))
        return True
    found = fetch(particle, wanted, viewer, seat, rng)
    if found < 0 and particle.n_pile > 0:
        found = remove_from_pile(particle, below(rng, particle.n_pile))
    if found >= 0:
        give(particle, seat, found)
    return False


@njit
def _shown(particle, events, row, viewer, rng):
    """Take in one card of a hand that is seen whole; at its first row the whole hand is put right."""
    kind, seat = events[row, 0], events[row, 1]
    if events[row, 2] < 0 or (events[row - 1, 0] == kind and events[row - 1, 1] == seat):
        return True
    known = np.zeros(60, np.int64)
    last = row
    while last < len(events) and events[last, 0] == kind and events[last, 1] == seat:
        known[events[last, 2]] += 1
        last += 1
    explained = True
    for card in range(60):
        bit = ONE << np.uint64(card)
        held = popcount(particle.once[seat] & bit) + popcount(particle.twice[seat] & bit)
        for _ in range(held - known[card]):
            take(particle, seat, card)
            put_on_pile(particle, card)
            explained = False
    for card in range(60):
        bit = ONE << np.uint64(card)
        held = popcount(particle.once[seat] & bit) + popcount(particle.twice[seat] & bit)
        for _ in range(known[card] - held):
            if fetch(particle, bit, viewer, seat, rng) >= 0:
                give(particle, seat, card)
            explained = False
    return explained


@njit
def _challenged(particle, events, row, viewer, rng):
    """Take in the outcome of a challenge: whoever draws was in the wrong."""
    layer = np.int64(particle.layer)
    if layer == viewer or layer < 0:
        return True
    after = row + 1
    while after < len(events) and events[after, 0] != DREW and events[after, 0] != ACTION:
        after += 1
    if after >= len(events) or events[after, 0] != DREW:
        return True
    color = COLOR_MASK[particle.prior_color]
    if events[after, 1] == layer:
        return hold(particle, layer, color, viewer, rng)
    return rid(particle, layer, color, color, rng)


@njit
def _took_in(rules, particle, events, row, viewer, rng):
    """Carry a particle over one row; return whether it explains it."""
    kind, seat, value = events[row, 0], np.int64(events[row, 1]), np.int64(events[row, 2])
    if kind == ACTION:
        explained = _decided(rules, particle, seat, value, viewer, rng)
        return explained & _challenged(particle, events, row, viewer, rng) if value == CHALLENGE else explained
    if kind == DREW:
        return _drew(rules, particle, events, row, viewer, rng)
    if kind == LAID:
        # the card was drawn in the row before and leaves the hand again
        lay(particle, seat, value, rng)
    elif kind == REFILLED:
        recycle(particle, 1 if rules.refill == ALL_BUT_TOP else 0)
    elif kind == SWAPPED:
        swap_hands(particle, seat, value)
    elif kind == ROTATED:
        particle.direction = value
        rotate_hands(particle)
    elif kind == COLORED:
        particle.color = value
    elif kind == SHOWN or kind == RECEIVED:
        return _shown(particle, events, row, viewer, rng)
    return True


@njit
def _is_free_choice(rules, particle, events, row, viewer):
    """Return whether a row is another player's first decision of a turn, to lay a card or to draw, and was not forced.

    What may have answered a pending penalty does not count: only stackable cards were allowed then.
    """
    kind, seat, action = events[row, 0], events[row, 1], events[row, 2]
    first = particle.turn != seat or particle.drawn < 0
    if kind != ACTION or seat == viewer or action < 0 or action > DRAW or not first:
        return False
    if action == DRAW:
        return rules.draw_when != STUCK
    answers = face_of(particle.top) == DRAW_TWO or face_of(particle.top) == WILD_FOUR
    return not answers or stackable(rules, particle.top) >> np.uint64(action) & ONE == NONE


@njit
def _share_of_choice(rules, particle, events, row, viewer, mistrust, which, weights, rng):
    """Return how likely a decision was with the particle's cards, mended first so that it was possible.

    The player is taken to follow the policy, but with probability `_WHIM` to choose at random.
    """
    seat, action = np.int64(events[row, 1]), np.int64(events[row, 2])
    held = action == DRAW or _could_play(rules, particle, seat, action, viewer, rng)
    particle.to_move = seat
    at_random = ops.likelihood(rules, particle, action, RANDOM, weights)
    share = _WHIM * at_random + (1.0 - _WHIM) * ops.likelihood(rules, particle, action, which, weights)
    return share if held else share * mistrust


@ops.advance.register(UNO_RULES)
@njit
def advance(rules, particle, events, row, viewer, mistrust, which, weights, rng):
    """Uno's verb `advance`."""
    particle.phase = PLAY
    share = 1.0
    if which >= 0 and _is_free_choice(rules, particle, events, row, viewer):
        share = _share_of_choice(rules, particle, events, row, viewer, mistrust, which, weights, rng)
    return share if _took_in(rules, particle, events, row, viewer, rng) else share * mistrust


@njit
def _keep_preferred(out, seat, once, twice, left, rng):
    """Fill a hand up to its count with cards of the planes `once`, `twice` that are `left`, taken in random order."""
    held = np.empty(108, np.uint8)
    n = 0
    for plane in (once, twice):
        while plane != NONE:
            held[n] = lowest_bit(plane)
            n += 1
            plane &= plane - ONE
    total = out.counts[seat]
    room = total - popcount(out.once[seat]) - popcount(out.twice[seat])
    while n > 0 and room > 0:
        place = below(rng, n)
        card = np.int64(held[place])
        n -= 1
        held[place] = held[n]
        if left[card] > 0:
            left[card] -= 1
            room -= 1
            give(out, seat, card)
    out.counts[seat] = total


@ops.align.register(UNO_RULES)
@njit
def align(rules, observation, particle, rng, out):
    """Uno's verb `align`: each hidden hand keeps what it can of the particle's cards; the rest is dealt at random."""
    copy_record(out, observation)
    out.viewer = -1
    out.rng = next_word(rng)
    n = unseen_cards(observation, out.pile)
    left = np.zeros(60, np.int64)
    for i in range(n):
        left[out.pile[i]] += 1
    for seat in range(out.players):
        _keep_preferred(out, seat, particle.once[seat], particle.twice[seat], left, rng)
    n = 0
    for card in range(60):
        for _ in range(left[card]):
            out.pile[n] = card
            n += 1
    deal_hidden(rules, out, n, rng)


@ops.belief.register(UNO_RULES)
@njit
def belief(rules, particle, player, weight, out):
    """Uno's verb `belief`."""
    for plane in (particle.once[player], particle.twice[player]):
        while plane != NONE:
            out[KIND_OF_CARD[lowest_bit(plane)]] += weight
            plane &= plane - ONE
