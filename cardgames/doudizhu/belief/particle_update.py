"""Kernels of the particle filter over hidden hands: update a particle, turn it into a state, count its cards.

They implement `ops.advance_particle`, `ops.project_particle` and `ops.accumulate_card_counts`. A particle is a complete
state that follows the round: every observed action is also applied to it. If a seat plays cards that it does not hold
in the particle, the particle's other hidden hand first gives them to it in exchange for random cards.
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
    """Return the cards that two hands have in common, as a hand: for each rank the smaller of the two numbers."""
    cards = NONE
    for rank in range(NUM_RANKS):
        cards += np.uint64(min(rank_count(hand, rank), rank_count(other, rank))) << np.uint64(4 * rank)
    return cards


@njit
def _random_cards(hand, n, rng):
    """Return `n` cards drawn at random from a hand, without replacement, as a hand."""
    return card_bits_to_hand(draw_card_bits(hand_to_card_bits(hand), card_count(hand), n, rng))


@njit
def _force_cards(particle, seat, cards, viewer, rng):
    """Make the hand of `seat` in a particle hold `cards`, by exchanging cards with the other seat hidden from `viewer`.

    Missing cards are exchanged for random cards that are not publicly known. Returns True if the hand already held
    `cards`.
    """
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
    """Return, as a hand, the three cards that `events.encode_ranks` encoded as the integer `code`."""
    cards = NONE
    for digit in range(3):
        cards += ONE << np.uint64(4 * (code >> 4 * digit & 15))
    return cards


@njit
def _redeal(particle, events, row, viewer, rng):
    """Deal new hands to a particle after everybody passed: the viewer's observed hand, and random hands for the others.

    Args:
        particle: State record, changed in place.
        events: Events that the viewer sees, one per row; the rows after `row` are the cards dealt to the viewer.
        row: Index of the redeal event in `events`.
        viewer: Seat whose belief the particle belongs to.
        rng: Random stream.
    """
    hand = NONE
    row += 1
    while row < len(events) and events[row, 0] == CARD_DEALT:
        hand += ONE << np.uint64(4 * events[row, 2])
        row += 1
    particle.hands[viewer] = hand
    particle.bottom = deal_auction(particle, viewer, unseen_by(particle, viewer), rng)


@njit
def _advance_action(rules, particle, seat, action, viewer, mismatch_weight, policy_id, weights, rng):
    """Apply an observed action to a particle and return the factor by which the action changes the particle's weight.

    The factor is the action's likelihood under the modeled policy, times `mismatch_weight` if cards had to be
    exchanged.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        particle: State record, changed in place.
        seat: Seat that acted.
        action: Id of the action.
        viewer: Seat whose belief the particle belongs to; its own actions have the factor 1.
        mismatch_weight: Factor if the seat's hand in the particle does not hold the cards played.
        policy_id: Id of the policy by which the other seats are modeled, -1 for none.
        weights: Weights of that policy, if it is a network.
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
    """Return the index in `events` of the earliest of the last `calls` auction actions before index `row`.

    Returns -1 if the history contains fewer than `calls` actions before `row`.
    """
    while calls > 0:
        row -= 1
        if row < 0:
            return -1
        calls -= events[row, 0] == ACTION
    return row


@njit
def _advance_bottom(rules, particle, events, row, viewer, policy_id, weights, rng):
    """Deal new hidden hands to a particle when the landlord shows the bottom cards, and return the particle's new weight.

    The bottom cards of the particle are replaced by the real ones. The auction is then played again with the new hands;
    the weight is the product of the likelihoods of its actions, or 1 if `policy_id` is -1 or the history lacks some of
    them.
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
    """Update a particle with the event at index `row` of `events` and return the factor for its weight.

    Implements `ops.advance_particle`. If `policy_id` is not -1, the seats other than `viewer` are modeled by an
    epsilon-mixture of that policy and uniformly random play (`core.epsilon_mixture`).
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
    """Write to `out` the state given by an observation and the hidden hands of a particle.

    Implements `ops.project_particle`. If the particle's hands do not fit the observation, a random state consistent
    with the observation is written instead.
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
    """Add `weight` times the number of cards of each rank in the hand of seat `player` to `out` [15].

    Implements `ops.accumulate_card_counts`.
    """
    for rank in range(NUM_RANKS):
        out[rank] += weight * rank_count(particle.hands[player], rank)
