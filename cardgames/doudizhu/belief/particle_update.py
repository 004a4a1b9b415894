"""Verbs of the particle filter over hidden hands: `advance_particle`, `project_particle`, `accumulate_card_counts`.

A particle is a whole state that follows the round: every action is also applied to it. If a seat plays cards that it does
not hold in the particle, they are first moved there from the other hidden hand.
"""

import numpy as np

from cardgames.core import ops
from cardgames.core.epsilon_mixture import mixture_likelihood
from cardgames.core.events import ACTION
from cardgames.doudizhu.auction import open_auction
from cardgames.doudizhu.card_sampling import card_bits_to_hand, draw_card_bits, hand_to_card_bits
from cardgames.doudizhu.cards import NUM_RANKS, card_count, rank_count
from cardgames.doudizhu.events import BOTTOM_TAKEN, CARD_DEALT, OPENED, REDEALT
from cardgames.doudizhu.information_set import deal_auction, known_cards, unseen_by, unseen_cards
from cardgames.doudizhu.moves.move_table import MOVE_CARDS
from cardgames.doudizhu.policies.policy_dispatch import RANDOM
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.kernels.bits import NONE, ONE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import next_word


@njit
def _common_cards(hand, other):
    """Return the cards that two hands have in common."""
    cards = NONE
    for rank in range(NUM_RANKS):
        cards += np.uint64(min(rank_count(hand, rank), rank_count(other, rank))) << np.uint64(4 * rank)
    return cards


@njit
def _random_cards(hand, n, rng):
    """Return `n` random cards of a hand."""
    return card_bits_to_hand(draw_card_bits(hand_to_card_bits(hand), card_count(hand), n, rng))


@njit
def _force_cards(particle, seat, cards, viewer, rng):
    """Make a hidden hand hold `cards` by exchange with the other hidden hand; return True if it already did."""
    held = _common_cards(particle.hands[seat], cards)
    missing = cards - held
    if missing == NONE:
        return True
    known = known_cards(particle, seat)
    spare = particle.hands[seat] - held - (known - _common_cards(known, cards))
    given = _random_cards(spare, card_count(missing), rng)
    other = 3 - seat - viewer
    particle.hands[other] += given - missing
    particle.hands[seat] += missing - given
    return False


@njit
def _decode_ranks(code):
    """Return the three cards coded by `events.encode_ranks`."""
    cards = NONE
    for digit in range(3):
        cards += ONE << np.uint64(4 * (code >> 4 * digit & 15))
    return cards


@njit
def _redeal(particle, events, row, viewer, rng):
    """Deal a particle again; the rows after `row` show the viewer's new hand."""
    hand = NONE
    row += 1
    while row < len(events) and events[row, 0] == CARD_DEALT:
        hand += ONE << np.uint64(4 * events[row, 2])
        row += 1
    particle.hands[viewer] = hand
    particle.bottom = deal_auction(particle, viewer, unseen_by(particle, viewer), rng)


@njit
def _advance_action(rules, particle, seat, action, viewer, mismatch_weight, policy_id, weights, rng):
    """Apply an action to the particle and return the weight of the particle for it.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        particle: State record, changed in place.
        seat: Seat that acted.
        action: Id of the action.
        viewer: Seat whose belief this is; it gives weight 1 to its own actions.
        mismatch_weight: Factor if the particle's hand does not hold the cards played.
        policy_id: Policy the other seats are modeled by, -1 for none.
        weights: Its weights.
        rng: Random stream.
    """
    weight = 1.0
    if seat != viewer:
        if not _force_cards(particle, seat, MOVE_CARDS[action], viewer, rng):
            weight = mismatch_weight
        if policy_id >= 0:
            weight *= mixture_likelihood(rules, particle, action, RANDOM, policy_id, weights)
    ops.apply_action(rules, particle, action)
    return weight


@njit
def _first_call_row(events, row, calls):
    """Return the row of the first of the `calls` auction actions that end before `row`; -1 if the history lacks some."""
    while calls > 0:
        row -= 1
        if row < 0:
            return -1
        calls -= events[row, 0] == ACTION
    return row


@njit
def _advance_bottom(rules, particle, events, row, viewer, policy_id, weights, rng):
    """Deal a particle again around the bottom cards, which are now known.

    Return its weight for all actions of the auction, which are applied again to the new hands.
    """
    landlord = particle.landlord
    particle.hands[landlord] -= particle.bottom
    particle.bottom = _decode_ranks(events[row, 2])
    deal_auction(particle, viewer, unseen_by(particle, viewer) - particle.bottom, rng)
    first = _first_call_row(events, row, np.int64(particle.spoken))
    if policy_id < 0 or first < 0:
        particle.hands[landlord] += particle.bottom
        return 1.0
    particle.counts[landlord] -= card_count(particle.bottom)
    particle.decisions -= particle.spoken
    open_auction(rules, particle, particle.dealer)
    weight = 1.0
    for call_row in range(first, row):
        if events[call_row, 0] == ACTION:
            seat, call = np.int64(events[call_row, 1]), np.int64(events[call_row, 2])
            weight *= _advance_action(rules, particle, seat, call, viewer, 1.0, policy_id, weights, rng)
    return weight


@ops.advance_particle.register(DOUDIZHU_RULES)
@njit
def advance_particle(rules, particle, events, row, viewer, mismatch_weight, policy_id, weights, rng):
    """Update a particle with one event and return its weight (implements `ops.advance_particle`).

    If `policy_id` is not -1, the other seats are modeled by an epsilon-mixture of that policy (`core.epsilon_mixture`).
    """
    kind, seat, value = events[row, 0], np.int64(events[row, 1]), np.int64(events[row, 2])
    if kind == ACTION:
        return _advance_action(rules, particle, seat, value, viewer, mismatch_weight, policy_id, weights, rng)
    if kind == BOTTOM_TAKEN:
        return _advance_bottom(rules, particle, events, row, viewer, policy_id, weights, rng)
    if kind == REDEALT:
        _redeal(particle, events, row, viewer, rng)
    elif kind == OPENED:
        particle.dealer = particle.to_move = seat
    return 1.0


@ops.project_particle.register(DOUDIZHU_RULES)
@njit
def project_particle(rules, observation, particle, rng, out):
    """Fill `out` with a state that has the particle's hidden hands (implements `ops.project_particle`).

    If the hands do not fit the observation, a determinization is drawn instead.
    """
    viewer = np.int64(observation.viewer)
    first, second = (viewer + 1) % 3, (viewer + 2) % 3
    copy_record(out, observation)
    hidden = particle.hands[first] + particle.hands[second]
    if observation.landlord < 0:
        hidden += particle.bottom
    sizes_fit = card_count(particle.hands[first]) == out.counts[first] and hidden == unseen_cards(observation)
    if not sizes_fit:
        ops.determinize(rules, observation, rng, out)
        return
    out.hands[first], out.hands[second] = particle.hands[first], particle.hands[second]
    out.bottom = particle.bottom
    out.rng = next_word(rng)
    out.viewer = -1


@ops.accumulate_card_counts.register(DOUDIZHU_RULES)
@njit
def accumulate_card_counts(rules, particle, player, weight, out):
    """Add the weighted number of cards of each rank in a hand to `out` (implements `ops.accumulate_card_counts`)."""
    for rank in range(NUM_RANKS):
        out[rank] += weight * rank_count(particle.hands[player], rank)
