"""Hidden cards of a particle, moved so that they explain what was seen: between hands, piles and table.

No card is ever lost or doubled; what a hand gives up goes to the pile, whose order nobody knows.
"""

import numpy as np

from cardgames.core.bits import lowest_bit, nth_bit, popcount
from cardgames.core.jit import njit
from cardgames.core.rng import below
from cardgames.uno.cards import ALL_WILDS, NONE, ONE, REVERSE, color_of, face_of
from cardgames.uno.legal import playable_cards
from cardgames.uno.piles import card_to_lay, give, push_discard, random_card, take, wild_index
from cardgames.uno.rules.match import matching

_TRIES = 4  # places in a pile that are looked at by chance, before all are gone through


@njit
def exchange(particle, first, second):
    """Let two wilds of one face, each the only one of its id, change places: which is which shows only where it is seen."""
    a, b = ONE << np.uint64(first), ONE << np.uint64(second)
    i, j = wild_index(first), wild_index(second)
    particle.received[i], particle.received[j] = particle.received[j], particle.received[i]
    for seat in range(particle.players):
        held = particle.once[seat] & (a | b)
        if held == a or held == b:
            particle.once[seat] ^= a | b
    for i in range(particle.n_pile):
        card = particle.pile[i]
        particle.pile[i] = second if card == first else first if card == second else card
    for i in range(particle.n_discard):
        card = particle.discard[i]
        particle.discard[i] = second if card == first else first if card == second else card


@njit
def hidden_cards(particle, viewer):
    """Return the mask of all cards in the pile and in hands other than the viewer's."""
    found = NONE
    for i in range(particle.n_pile):
        found |= ONE << np.uint64(particle.pile[i])
    for seat in range(particle.players):
        if seat != viewer:
            found |= particle.once[seat]
    return found


@njit
def is_discarded(particle, card):
    """Return whether a card id is among the discards."""
    for i in range(particle.n_discard):
        if particle.discard[i] == card:
            return True
    return False


@njit
def pile_place(particle, wanted, rng):
    """Return the place of a random `wanted` card in the pile, each as likely, -1 if it holds none."""
    n = np.int64(particle.n_pile)
    for _ in range(_TRIES if n > 0 else 0):
        place = below(rng, n)
        if wanted >> np.uint64(particle.pile[place]) & ONE:
            return place
    found, chosen = 0, -1
    for place in range(n):
        if wanted >> np.uint64(particle.pile[place]) & ONE:
            found += 1
            if below(rng, found) == 0:
                chosen = place
    return chosen


@njit
def remove_from_pile(particle, place):
    """Take the card at a place out of the pile and return it; the last one moves there."""
    last = particle.n_pile - 1
    card = np.int64(particle.pile[place])
    particle.pile[place] = particle.pile[last]
    particle.n_pile = last
    return card


@njit
def put_on_pile(particle, card):
    """Put a card behind the last of the pile, whose order is no one's knowledge."""
    particle.pile[particle.n_pile] = card
    particle.n_pile += 1


@njit
def fetch(particle, wanted, viewer, taker, rng):
    """Take a random `wanted` card out of the pile or, if it holds none, out of a hidden hand other than `taker`'s, which
    gets a card of the pile for it. Return the card, -1 if there is none anywhere.
    """
    place = pile_place(particle, wanted, rng)
    if place >= 0:
        return remove_from_pile(particle, place)
    seat = _holder(particle, wanted, viewer, taker, rng)
    if seat < 0:
        return -1
    found = particle.once[seat] & wanted
    card = nth_bit(found, below(rng, popcount(found)))
    take(particle, seat, card)
    if particle.n_pile > 0:
        give(particle, seat, remove_from_pile(particle, below(rng, particle.n_pile)))
    return card


@njit
def _holder(particle, wanted, viewer, taker, rng):
    """Return a hidden hand other than `taker`'s with `wanted` cards, the likelier the more it has; -1 if there is none."""
    found, chosen = 0, -1
    for seat in range(particle.players):
        held = popcount(particle.once[seat] & wanted) if seat != viewer and seat != taker else 0
        found += held
        if held > 0 and below(rng, found) < held:
            chosen = seat
    return chosen


@njit
def hold(particle, seat, wanted, viewer, rng):
    """Make a hand hold a `wanted` card in exchange for a random one; return whether it did already."""
    if particle.once[seat] & wanted != NONE:
        return True
    old = -1
    if particle.counts[seat] > 0:
        # first, so that the pile holds a card for the hand that gives up the wanted one
        old = random_card(particle, seat, rng)
        take(particle, seat, old)
        put_on_pile(particle, old)
    card = fetch(particle, wanted, viewer, seat, rng)
    if card < 0 and old >= 0:
        card = remove_from_pile(particle, particle.n_pile - 1)
    if card >= 0:
        give(particle, seat, card)
    return False


@njit
def rid(particle, seat, unwanted, avoided, rng):
    """Exchange the `unwanted` cards of a hand for cards of the pile not `avoided`; return whether there were none."""
    found = particle.once[seat] & unwanted
    clean = found == NONE
    while found != NONE:
        place = pile_place(particle, ~avoided, rng)
        if place < 0:
            break
        card = lowest_bit(found)
        take(particle, seat, card)
        give(particle, seat, remove_from_pile(particle, place))
        put_on_pile(particle, card)
        found = particle.once[seat] & unwanted
    return clean


@njit
def rid_of_playable(rules, particle, seat, among, rng):
    """Exchange a hand's playable cards `among` those given for others; return whether it held none."""
    explained = True
    for _ in range(particle.counts[seat]):
        playable = playable_cards(rules, particle, seat) & among
        if playable == NONE:
            break
        explained = False
        avoided = matching(rules, particle.top, particle.color) | ALL_WILDS
        rid(particle, seat, playable, avoided, rng)
    return explained


@njit
def lay(particle, seat, action, rng):
    """Move the card of `action` from a hand to the discard pile."""
    card = card_to_lay(particle, seat, action)
    if card < 0:
        # a hand that could not be mended gives up another card, so that no card is ever lost or doubled
        card = random_card(particle, seat, rng)
    if card >= 0:
        take(particle, seat, card)
        push_discard(particle, card)
    if face_of(action) == REVERSE:
        particle.direction = -particle.direction
    particle.prior_color = particle.color
    particle.top = action
    particle.color = color_of(action)
    particle.layer = seat
