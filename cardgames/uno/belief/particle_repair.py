"""Hidden cards of a particle, moved so that they explain what was seen: between hands, piles and table.

No card is ever lost or doubled; what a hand gives up goes to the place of what it gets for it.
"""

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit, nth_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno.cards import ALL_WILDS, COLOR_MASK, REVERSE, color_of, count_of, face_of
from cardgames.uno.legal import playable_cards
from cardgames.uno.piles import card_to_lay, give, push_discard, random_card, take, wild_index
from cardgames.uno.rules.draw_when import STUCK
from cardgames.uno.rules.last_card import ANY
from cardgames.uno.rules.match import matching
from cardgames.uno.void_counts import UNKNOWN, cards_since

ANY_CARD = ~NONE
PILE, NOWHERE = -1, -2
"""Where a card may lie besides in a hand."""

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
def _lying(particle, wanted):
    """Return how many `wanted` cards lie in the pile."""
    found = 0
    for place in range(particle.n_pile):
        found += wanted >> np.uint64(particle.pile[place]) & ONE != NONE
    return found


@njit
def _home_of(particle, wanted, barred, rng):
    """Return where a random one of the hidden `wanted` cards lies, every copy as likely: a seat, `PILE`, or `NOWHERE` if
    there is none. Hands of the seats in the bit mask `barred` are not looked into.
    """
    found, home = 0, NOWHERE
    for seat in range(particle.players):
        held = count_of(particle.once[seat], particle.twice[seat], wanted) if not barred >> seat & 1 else 0
        found += held
        if held > 0 and below(rng, found) < held:
            home = seat
    lying = _lying(particle, wanted)
    return PILE if lying > 0 and below(rng, found + lying) < lying else home


@njit
def _copy_of(particle, seat, wanted, rng):
    """Return a random one of the `wanted` cards of a hand that holds some."""
    once, twice = particle.once[seat] & wanted, particle.twice[seat] & wanted
    single = popcount(once)
    copy = below(rng, single + popcount(twice))
    return np.int64(nth_bit(once, copy) if copy < single else nth_bit(twice, copy - single))


@njit
def _ruled_out(rules, particle, seat):
    """Return the cards of which a hand cannot hold more: it has as many of a colour, or wilds, as it took since it last had
    to draw, for want of that colour or at all.
    """
    full, last = NONE, UNKNOWN
    if rules.draw_when == STUCK and rules.last_card == ANY:
        for color in range(4):
            taken = cards_since(np.uint64(particle.lacked[seat]), color)
            last = min(last, taken)
            if taken < UNKNOWN and count_of(particle.once[seat], particle.twice[seat], COLOR_MASK[color]) >= taken:
                full |= COLOR_MASK[color]
        if last < UNKNOWN and popcount(particle.once[seat] & ALL_WILDS) >= last:
            full |= ALL_WILDS
    return full


@njit
def draw_copy(rules, particle, wanted, barred, rng):
    """Take a random one of the hidden `wanted` cards from the pile; one in a hand that is not `barred` changes places with
    a card of the pile first. Return it, -1 if there is none, or no pile.

    To look for it in the pile first would make its likes likelier in the hands than they are.
    """
    home = PILE if wanted == ANY_CARD else _home_of(particle, wanted, barred, rng)
    if home == NOWHERE or particle.n_pile == 0:
        return np.int64(-1)
    if home == PILE:
        return remove_from_pile(particle, pile_place(particle, wanted, rng))
    card = _copy_of(particle, home, wanted, rng)
    take(particle, home, card)
    place = pile_place(particle, ~_ruled_out(rules, particle, home), rng)
    give(particle, home, remove_from_pile(particle, place if place >= 0 else below(rng, particle.n_pile)))
    return card


@njit
def swap_in(rules, particle, seat, card, wanted, viewer, rng):
    """Exchange a `card` of a hand for a random one of the hidden `wanted` cards elsewhere; return whether there is one.

    Another hand gives it only if it can hold the card, unless nothing else has any.
    """
    own = 1 << seat | 1 << viewer
    barred = own
    for other in range(particle.players):
        if not own >> other & 1 and _ruled_out(rules, particle, other) >> np.uint64(card) & ONE != NONE:
            barred |= 1 << other
    home = _home_of(particle, wanted, barred, rng)
    if home == NOWHERE:
        home = _home_of(particle, wanted, own, rng)
    if home == NOWHERE:
        return False
    take(particle, seat, card)
    if home == PILE:
        place = pile_place(particle, wanted, rng)
        give(particle, seat, np.int64(particle.pile[place]))
        particle.pile[place] = card
    else:
        found = _copy_of(particle, home, wanted, rng)
        take(particle, home, found)
        give(particle, home, card)
        give(particle, seat, found)
    return True


@njit
def _how_many(cards, hidden, wanted, rng):
    """Return how many of the `wanted` among so many `hidden` cards a hand has, drawn at random from those with some."""
    found = 0
    while found == 0:
        for number in range(wanted):
            found += below(rng, hidden - number) < cards - found
    return found


@njit
def hold(rules, particle, seat, wanted, viewer, rng):
    """Make a hand hold `wanted` cards, as many as one does that holds any, in exchange for random ones; return whether it
    held some already.
    """
    if particle.once[seat] & wanted != NONE:
        return True
    hidden, copies = np.int64(particle.n_pile), _lying(particle, wanted)
    for other in range(particle.players):
        if other != viewer:
            hidden += particle.counts[other]
            copies += count_of(particle.once[other], particle.twice[other], wanted)
    if copies > 0 and particle.counts[seat] > 0:
        for _ in range(_how_many(particle.counts[seat], hidden, copies, rng)):
            swap_in(rules, particle, seat, _copy_of(particle, seat, ~wanted, rng), wanted, viewer, rng)
    return False


@njit
def rid(rules, particle, seat, unwanted, avoided, viewer, rng):
    """Exchange the `unwanted` cards of a hand for hidden cards not `avoided`; return whether there were none."""
    found = particle.once[seat] & unwanted
    clean = found == NONE
    while found != NONE:
        card, full = np.int64(lowest_bit(found)), _ruled_out(rules, particle, seat)
        if not swap_in(rules, particle, seat, card, ~(avoided | full), viewer, rng) and not swap_in(
            rules, particle, seat, card, ~avoided, viewer, rng
        ):
            break
        found = particle.once[seat] & unwanted
    return clean


@njit
def rid_of_playable(rules, particle, seat, among, viewer, rng):
    """Exchange a hand's playable cards `among` those given for others; return whether it held none."""
    explained = True
    for _ in range(particle.counts[seat]):
        playable = playable_cards(rules, particle, seat) & among
        if playable == NONE:
            break
        explained = False
        avoided = matching(rules, particle.top, particle.color) | ALL_WILDS
        rid(rules, particle, seat, playable, avoided, viewer, rng)
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
