"""Repair of a particle: hidden cards change places until its hands can have produced what was observed.

A particle is a state with one guess of the hidden cards. No card is ever lost or duplicated: the card that a hand gives
up goes where the card it gets came from.
"""

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit, nth_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno.cards import ALL_WILDS, COLOR_MASK, REVERSE, color_of, count_of, face_of
from cardgames.uno.cards_since_draw import UNKNOWN_COUNT, cards_since_draw
from cardgames.uno.legal import playable_cards
from cardgames.uno.piles import add_to_hand, card_for_action, push_discard, random_card, remove_from_hand, wild_index
from cardgames.uno.rules.draw_when import STUCK
from cardgames.uno.rules.last_card import ANY
from cardgames.uno.rules.match import matching_cards

ALL_CARDS = ~NONE
PILE, NOWHERE = -1, -2
"""Locations of a card that are not seats: the draw pile, and nowhere (no such card is hidden)."""

_SAMPLING_TRIES = 4  # random places of the pile to try before a scan of the whole pile


@njit
def swap_wilds(particle, first, second):
    """Exchange the card ids `first` and `second`, two wilds with the same face, in all hands and both piles.

    Each of the four wilds with a face has its own id; which of them lies where shows only when a wild is seen.
    """
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
    """Return the bit mask of the card ids in the draw pile and in the hands of all seats except `viewer`."""
    hidden = NONE
    for i in range(particle.n_pile):
        hidden |= ONE << np.uint64(particle.pile[i])
    for seat in range(particle.players):
        if seat != viewer:
            hidden |= particle.once[seat]
    return hidden


@njit
def is_discarded(particle, card):
    """Return whether the card id `card` is in the discard pile."""
    for i in range(particle.n_discard):
        if particle.discard[i] == card:
            return True
    return False


@njit
def _random_pile_index(particle, wanted, rng):
    """Return the index in the draw pile of a random card of the mask `wanted`, or -1 if the pile has none.

    All such cards are equally likely.
    """
    n = np.int64(particle.n_pile)
    for _ in range(_SAMPLING_TRIES if n > 0 else 0):
        place = below(rng, n)
        if wanted >> np.uint64(particle.pile[place]) & ONE:
            return place
    num_matching, chosen = 0, -1
    for place in range(n):
        if wanted >> np.uint64(particle.pile[place]) & ONE:
            num_matching += 1
            if below(rng, num_matching) == 0:
                chosen = place
    return chosen


@njit
def remove_from_pile(particle, place):
    """Remove the card at index `place` of the draw pile and return its id; the last card of the pile moves there."""
    last = particle.n_pile - 1
    card = np.int64(particle.pile[place])
    particle.pile[place] = particle.pile[last]
    particle.n_pile = last
    return card


@njit
def _count_in_pile(particle, wanted):
    """Return the number of cards in the draw pile whose ids are in the bit mask `wanted`."""
    count = 0
    for place in range(particle.n_pile):
        count += wanted >> np.uint64(particle.pile[place]) & ONE != NONE
    return count


@njit
def _random_location(particle, wanted, excluded_seats, rng):
    """Return the location of a random hidden card of the mask `wanted`: a seat, `PILE`, or `NOWHERE` if there is none.

    Every copy is equally likely. Hands of the seats in the bit mask `excluded_seats` are skipped.
    """
    num_matching, location = 0, NOWHERE
    for seat in range(particle.players):
        held = count_of(particle.once[seat], particle.twice[seat], wanted) if not excluded_seats >> seat & 1 else 0
        num_matching += held
        if held > 0 and below(rng, num_matching) < held:
            location = seat
    num_in_pile = _count_in_pile(particle, wanted)
    return PILE if num_in_pile > 0 and below(rng, num_matching + num_in_pile) < num_in_pile else location


@njit
def _random_copy(particle, seat, wanted, rng):
    """Return the id of a random card of the mask `wanted` in the hand of `seat`, which must hold one.

    A card held twice is twice as likely.
    """
    once, twice = particle.once[seat] & wanted, particle.twice[seat] & wanted
    single = popcount(once)
    copy = below(rng, single + popcount(twice))
    return np.int64(nth_bit(once, copy) if copy < single else nth_bit(twice, copy - single))


@njit
def _excluded_cards(rules, particle, seat):
    """Return the bit mask of cards of which the hand of `seat` cannot hold more than it does in the particle.

    A seat that had to draw (`draw-when=stuck`) held no card of the color in force and no wild. So it holds at most as
    many cards of that color as it took since, and at most as many wilds as it took since its last draw.
    """
    excluded, fewest_taken = NONE, UNKNOWN_COUNT
    if rules.draw_when == STUCK and rules.last_card == ANY:
        for color in range(4):
            taken = cards_since_draw(np.uint64(particle.cards_since_draw[seat]), color)
            fewest_taken = min(fewest_taken, taken)
            if (
                taken < UNKNOWN_COUNT
                and count_of(particle.once[seat], particle.twice[seat], COLOR_MASK[color]) >= taken
            ):
                excluded |= COLOR_MASK[color]
        if fewest_taken < UNKNOWN_COUNT and popcount(particle.once[seat] & ALL_WILDS) >= fewest_taken:
            excluded |= ALL_WILDS
    return excluded


@njit
def take_hidden_copy(rules, particle, wanted, excluded_seats, rng):
    """Remove a random hidden card of the mask `wanted` from the draw pile and return its id.

    If the card is in a hand, it first changes places with a card of the pile; hands of seats in the bit mask
    `excluded_seats` are skipped. To search the pile first would make equal cards too likely in the hands.

    Returns:
        The card id, or -1 if no such card is hidden or the draw pile is empty.
    """
    location = PILE if wanted == ALL_CARDS else _random_location(particle, wanted, excluded_seats, rng)
    if location == NOWHERE or particle.n_pile == 0:
        return np.int64(-1)
    if location == PILE:
        return remove_from_pile(particle, _random_pile_index(particle, wanted, rng))
    card = _random_copy(particle, location, wanted, rng)
    remove_from_hand(particle, location, card)
    place = _random_pile_index(particle, ~_excluded_cards(rules, particle, location), rng)
    add_to_hand(particle, location, remove_from_pile(particle, place if place >= 0 else below(rng, particle.n_pile)))
    return card


@njit
def swap_for_hidden(rules, particle, seat, card, wanted, viewer, rng):
    """Exchange `card` in the hand of `seat` for a random hidden card of the mask `wanted`; return whether there is one.

    The wanted card comes from the draw pile or from a hand other than the viewer's that can hold `card` by its draws;
    other hands are used only if the wanted cards are nowhere else.
    """
    own = 1 << seat | 1 << viewer
    excluded_seats = own
    for other in range(particle.players):
        if not own >> other & 1 and _excluded_cards(rules, particle, other) >> np.uint64(card) & ONE != NONE:
            excluded_seats |= 1 << other
    location = _random_location(particle, wanted, excluded_seats, rng)
    if location == NOWHERE:
        location = _random_location(particle, wanted, own, rng)
    if location == NOWHERE:
        return False
    remove_from_hand(particle, seat, card)
    if location == PILE:
        place = _random_pile_index(particle, wanted, rng)
        add_to_hand(particle, seat, np.int64(particle.pile[place]))
        particle.pile[place] = card
    else:
        gained = _random_copy(particle, location, wanted, rng)
        remove_from_hand(particle, location, gained)
        add_to_hand(particle, location, card)
        add_to_hand(particle, seat, gained)
    return True


@njit
def _sample_num_held(hand_size, num_hidden, num_wanted, rng):
    """Sample how many of `num_wanted` cards a random hand of `hand_size` cards holds, given that it holds at least one.

    The hand is dealt from `num_hidden` hidden cards, which include the wanted ones.
    """
    num_held = 0
    while num_held == 0:
        for number in range(num_wanted):
            num_held += below(rng, num_hidden - number) < hand_size - num_held
    return num_held


@njit
def ensure_hand_holds(rules, particle, seat, wanted, viewer, rng):
    """Return whether the hand of `seat` holds a card of the mask `wanted`; if not, put some there for random cards.

    The number of wanted cards put there is sampled as for a hand that holds at least one.
    """
    if particle.once[seat] & wanted != NONE:
        return True
    num_hidden, copies = np.int64(particle.n_pile), _count_in_pile(particle, wanted)
    for other in range(particle.players):
        if other != viewer:
            num_hidden += particle.counts[other]
            copies += count_of(particle.once[other], particle.twice[other], wanted)
    if copies > 0 and particle.counts[seat] > 0:
        for _ in range(_sample_num_held(particle.counts[seat], num_hidden, copies, rng)):
            swap_for_hidden(rules, particle, seat, _random_copy(particle, seat, ~wanted, rng), wanted, viewer, rng)
    return False


@njit
def ensure_hand_lacks(rules, particle, seat, unwanted, avoided, viewer, rng):
    """Return whether the hand of `seat` has no card of the mask `unwanted`; if it has, exchange each for a hidden card.

    The hidden cards are not in the mask `avoided`.
    """
    remaining = particle.once[seat] & unwanted
    clean = remaining == NONE
    while remaining != NONE:
        card, excluded = np.int64(lowest_bit(remaining)), _excluded_cards(rules, particle, seat)
        if not swap_for_hidden(rules, particle, seat, card, ~(avoided | excluded), viewer, rng) and not swap_for_hidden(
            rules, particle, seat, card, ~avoided, viewer, rng
        ):
            break
        remaining = particle.once[seat] & unwanted
    return clean


@njit
def ensure_none_playable(rules, particle, seat, candidates, viewer, rng):
    """Return whether the hand of `seat` has no playable card of the mask `candidates`.

    If it has, each is exchanged for a hidden card that is not playable.
    """
    consistent = True
    for _ in range(particle.counts[seat]):
        playable = playable_cards(rules, particle, seat) & candidates
        if playable == NONE:
            break
        consistent = False
        avoided = matching_cards(rules, particle.top, particle.color) | ALL_WILDS
        ensure_hand_lacks(rules, particle, seat, playable, avoided, viewer, rng)
    return consistent


@njit
def place_card(particle, seat, action, rng):
    """Move the card played by `action` from the hand of `seat` to the discard pile; set top card, colors, direction.

    A hand without such a card gives up a random one instead.
    """
    card = card_for_action(particle, seat, action)
    if card < 0:
        # a hand that could not be repaired gives up another card, so that no card is lost or duplicated
        card = random_card(particle, seat, rng)
    if card >= 0:
        remove_from_hand(particle, seat, card)
        push_discard(particle, card)
    if face_of(action) == REVERSE:
        particle.direction = -particle.direction
    particle.prior_color = particle.color
    particle.top = action
    particle.color = color_of(action)
    particle.top_card_seat = seat
