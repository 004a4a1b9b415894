"""Particles turned into states that an observation allows, and into expected hands.

These are Uno's kernels for `ops.project_particle` and `ops.accumulate_card_counts`.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, next_word
from cardgames.uno.cards import KIND_OF_CARD, WILD, face_of
from cardgames.uno.information_set import deal_hidden, unseen_cards
from cardgames.uno.piles import add_to_hand
from cardgames.uno.rules import UNO_RULES


@njit
def _replace_visible_wild(card, unseen, rng):
    """Return `card`; but if it is a wild that is visible elsewhere, return a random unseen wild with the same face.

    `unseen` (`[60] int64`) has the number of unseen copies of each card id. The history shows only the faces of wilds,
    so which of the four wilds with a face a particle holds is a guess.
    """
    if unseen[card] == 0 and face_of(card) >= WILD:
        num_candidates = 0
        for other in range(face_of(card), 60, 15):
            if unseen[other] > 0:
                num_candidates += 1
                if below(rng, num_candidates) == 0:
                    card = np.int64(other)
    return card


@njit
def _fill_hand(out, seat, once, twice, unseen, rng):
    """Fill the hand of `seat` in `out`, up to its size, with cards that the particle has there and that are unseen.

    `once` and `twice` are the masks of the particle's hand; its cards are taken in random order. `unseen` (`[60]
    int64`) has the number of unseen copies of each card id, and is reduced.
    """
    preferred = np.empty(108, np.uint8)
    n = 0
    for plane in (once, twice):
        while plane != NONE:
            preferred[n] = lowest_bit(plane)
            n += 1
            plane &= plane - ONE
    hand_size = out.counts[seat]
    free_slots = hand_size - popcount(out.once[seat]) - popcount(out.twice[seat])
    while n > 0 and free_slots > 0:
        place = below(rng, n)
        card = _replace_visible_wild(np.int64(preferred[place]), unseen, rng)
        n -= 1
        preferred[place] = preferred[n]
        if unseen[card] > 0:
            unseen[card] -= 1
            free_slots -= 1
            add_to_hand(out, seat, card)
    out.counts[seat] = hand_size


@ops.project_particle.register(UNO_RULES)
@njit
def project_particle(rules, observation, particle, rng, out):
    """Implement `ops.project_particle` for Uno: fill `out` with a state that `observation` allows, close to `particle`.

    Each hidden hand keeps the particle's cards as far as the observation allows; all other cards are dealt at random.
    """
    copy_record(out, observation)
    out.viewer = -1
    out.rng = next_word(rng)
    n = unseen_cards(observation, out.pile)
    unseen = np.zeros(60, np.int64)
    for i in range(n):
        unseen[out.pile[i]] += 1
    for seat in range(out.players):
        # without the cards that the viewer knows, which the hand in `out` holds already
        once, twice = particle.once[seat], particle.twice[seat]
        revealed, revealed_twice = out.once[seat], out.twice[seat]
        _fill_hand(out, seat, (once & ~revealed) | (twice & ~revealed_twice), twice & ~revealed, unseen, rng)
    n = 0
    for card in range(60):
        for _ in range(unseen[card]):
            out.pile[n] = card
            n += 1
    deal_hidden(rules, out, n, rng)


@ops.accumulate_card_counts.register(UNO_RULES)
@njit
def accumulate_card_counts(rules, particle, player, weight, out):
    """Implement `ops.accumulate_card_counts` for Uno: add `weight` to `out` for each card that `player` holds.

    `out` has a number for each of paper 001's 54 kinds of card.
    """
    for plane in (particle.once[player], particle.twice[player]):
        while plane != NONE:
            out[KIND_OF_CARD[lowest_bit(plane)]] += weight
            plane &= plane - ONE
