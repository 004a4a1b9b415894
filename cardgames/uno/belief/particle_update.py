"""Update of a particle by an observed event, and the factor for its weight: Uno's kernel for `ops.advance_particle`.

A particle is a state record with one guess of the hidden cards. The update uses its hands, both piles, the top card and
the seat that played it, the colors in force now and before, the direction, the seat whose turn it is, and the public
evidence from draws (`cards_since_draw`). Two fields have another meaning than in a state: `pending` is 1 if a penalty
may be answered by a card, and `drawn` is 0 once the player has drawn in this turn.

The evidence comes from the rules. A card that was played was in the hand. If only players without a playable card may
draw, a draw excludes playable cards. A drawn card that was not played, although the rules would have played it, is
another card; one that ended drawing until a card is playable was playable. Hands that are shown or received are known.
(A later repair may move a card that is known to be in a hand; `particle_projection` corrects that by the observation.)
"""

import numpy as np

from cardgames.core import ops
from cardgames.core.epsilon_mixture import mixture_likelihood
from cardgames.core.events import ACTION
from cardgames.kernels.bits import NONE, ONE, lowest_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno.belief.drawn_card_evidence import apply_draw
from cardgames.uno.belief.particle_repair import (
    ALL_CARDS,
    ensure_hand_holds,
    ensure_hand_lacks,
    ensure_none_playable,
    hidden_cards,
    is_discarded,
    place_card,
    swap_for_hidden,
    swap_wilds,
)
from cardgames.uno.cards import (
    CHALLENGE,
    COLOR,
    COLOR_MASK,
    DRAW,
    DRAW_TWO,
    JUMP,
    WILD,
    WILD_FOUR,
    WILD_FOURS,
    count_of,
    face_of,
)
from cardgames.uno.events import COLOR_SET, DREW, LAID, RECEIVED, REFILLED, ROTATED, SHOWN, SWAPPED
from cardgames.uno.piles import record_draw, record_received_wild, same_card_mask
from cardgames.uno.policies.rule_policies import RANDOM
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.draw_when import STUCK
from cardgames.uno.rules.refill import ALL_BUT_TOP, recycle
from cardgames.uno.rules.seven_zero import rotate_hands, swap_hands
from cardgames.uno.rules.stacking import NO_STACKING, stackable
from cardgames.uno.rules.wild_four import LAST_RESORT, NO_COLOR
from cardgames.uno.state import PLAY


@njit
def _make_playable(rules, particle, seat, action, viewer, rng):
    """Repair the hidden hand of `seat` so that it can play the card of `action`; return whether it already could."""
    consistent = ensure_hand_holds(rules, particle, seat, same_card_mask(action), viewer, rng)
    if face_of(action) == WILD_FOUR:
        if rules.wild_four == NO_COLOR:
            color = COLOR_MASK[particle.color]
            consistent &= ensure_hand_lacks(rules, particle, seat, color, color, viewer, rng)
        elif rules.wild_four == LAST_RESORT and particle.pending > 0:
            others = stackable(rules, particle.top) & ~WILD_FOURS
            consistent &= ensure_hand_lacks(rules, particle, seat, others, others, viewer, rng)
        elif rules.wild_four == LAST_RESORT:
            consistent &= ensure_none_playable(rules, particle, seat, ~WILD_FOURS, viewer, rng)
    return consistent


@njit
def _move_to_discard(rules, particle, seat, action, has_effect, rng):
    """Move the card played by `action` from the hand of `seat` to the discard pile.

    Afterwards `particle.pending` is 1 if it is a draw card that `has_effect` and the rules allow stacking, else 0.
    """
    place_card(particle, seat, action, rng)
    draws = face_of(action) == DRAW_TWO or face_of(action) == WILD_FOUR
    particle.pending = 1 if has_effect and draws and rules.stacking != NO_STACKING else 0
    particle.drawn = -1


@njit
def _apply_play(rules, particle, seat, action, viewer, rng):
    """Apply the play of a card by `seat` to the particle; return whether its hand could play it without a repair."""
    consistent = _make_playable(rules, particle, seat, action, viewer, rng) if seat != viewer else True
    _move_to_discard(rules, particle, seat, action, True, rng)
    return consistent


@njit
def _apply_decision(rules, particle, seat, action, viewer, rng):
    """Apply the decision `action` of `seat` to the particle; return whether its hand allows it without a repair."""
    if action < DRAW:
        return _apply_play(rules, particle, seat, action, viewer, rng)
    if action == JUMP:
        return _apply_play(rules, particle, seat, np.int64(particle.top), viewer, rng)
    if action == DRAW:
        is_first_draw = particle.turn != seat or particle.drawn < 0
        particle.turn = seat
        particle.drawn = 0
        if is_first_draw:
            record_draw(particle, seat)
            if seat != viewer and rules.draw_when == STUCK:
                return ensure_none_playable(rules, particle, seat, ALL_CARDS, viewer, rng)
        return True
    if action >= COLOR:
        particle.color = action - COLOR
    particle.drawn = -1
    return True


@njit
def _identify_wilds(particle, seat, revealed, viewer, rng):
    """Exchange wilds with the same face so that the hand of `seat` has those that are revealed to be in it.

    `revealed` (`[60] int64`) has the number of copies of each card id in the revealed hand. This works as far as the
    hand holds other wilds with the same faces. A revealed wild that the particle has on the discard pile is exchanged
    for a hidden wild with the same face, which was the one played.
    """
    for card in range(60):
        if revealed[card] > 0 and face_of(card) >= WILD and particle.once[seat] >> np.uint64(card) & ONE == NONE:
            other = _random_unrevealed(particle.once[seat] & same_card_mask(card), revealed, rng)
            if other < 0 and is_discarded(particle, card):
                other = _random_unrevealed(hidden_cards(particle, viewer) & same_card_mask(card), revealed, rng)
            if other >= 0:
                swap_wilds(particle, other, np.int64(card))


@njit
def _random_unrevealed(candidates, revealed, rng):
    """Return a random card id of the mask `candidates` whose count in `revealed` (`[60] int64`) is 0; -1 if none is."""
    num_candidates, chosen = 0, np.int64(-1)
    while candidates != NONE:
        card = np.int64(lowest_bit(candidates))
        candidates &= candidates - ONE
        if revealed[card] == 0:
            num_candidates += 1
            if below(rng, num_candidates) == 0:
                chosen = card
    return chosen


@njit
def _match_revealed_hand(rules, particle, seat, revealed, viewer, rng):
    """Exchange cards of the hand of `seat` for hidden ones until it is the revealed hand; return whether it was before.

    `revealed` (`[60] int64`) has the number of copies of each card id in the revealed hand.
    """
    missing = np.zeros(60, np.int64)
    for card in range(60):
        missing[card] = revealed[card] - count_of(particle.once[seat], particle.twice[seat], ONE << np.uint64(card))
    surplus, consistent = 0, True
    for card in range(60):
        for _ in range(missing[card]):
            consistent = False
            while surplus < 60 and missing[surplus] >= 0:
                surplus += 1
            if surplus < 60 and swap_for_hidden(rules, particle, seat, surplus, ONE << np.uint64(card), viewer, rng):
                missing[surplus] += 1
    return consistent


@njit
def _apply_revealed_hand(rules, particle, events, row, viewer, rng):
    """Apply `events[row]`, a card of a hand that the viewer saw completely; return whether the particle's hand agrees.

    The events list such a hand card by card. The first of them repairs the whole hand; the others change nothing.
    """
    kind, seat = events[row, 0], events[row, 1]
    if events[row, 2] < 0 or (events[row - 1, 0] == kind and events[row - 1, 1] == seat):
        return True
    revealed = np.zeros(60, np.int64)
    last = row
    while last < len(events) and events[last, 0] == kind and events[last, 1] == seat:
        revealed[events[last, 2]] += 1
        last += 1
    _identify_wilds(particle, seat, revealed, viewer, rng)
    consistent = _match_revealed_hand(rules, particle, seat, revealed, viewer, rng)
    for hand_row in range(row, last):  # the rows are in the order in which the hand received its cards
        if face_of(events[hand_row, 2]) >= WILD:
            record_received_wild(particle, np.int64(events[hand_row, 2]))
    return consistent


@njit
def _apply_challenge(rules, particle, events, row, viewer, rng):
    """Apply the outcome of the challenge in `events[row]`; return whether the particle's hand agrees without a repair.

    The player who draws next has lost. If that is the player of the wild draw four, the hand held a card of the color
    then in force; otherwise it held none.
    """
    top_card_seat = np.int64(particle.top_card_seat)
    if top_card_seat == viewer or top_card_seat < 0:
        return True
    next_row = row + 1
    while next_row < len(events) and events[next_row, 0] != DREW and events[next_row, 0] != ACTION:
        next_row += 1
    if next_row >= len(events) or events[next_row, 0] != DREW:
        return True
    color = COLOR_MASK[particle.prior_color]
    if events[next_row, 1] == top_card_seat:
        return ensure_hand_holds(rules, particle, top_card_seat, color, viewer, rng)
    return ensure_hand_lacks(rules, particle, top_card_seat, color, color, viewer, rng)


@njit
def _apply_event(rules, particle, events, row, viewer, rng):
    """Apply `events[row]` to the particle; return whether its hidden cards explain the event without a repair."""
    kind, seat, value = events[row, 0], np.int64(events[row, 1]), np.int64(events[row, 2])
    if kind == ACTION:
        consistent = _apply_decision(rules, particle, seat, value, viewer, rng)
        return (
            consistent & _apply_challenge(rules, particle, events, row, viewer, rng)
            if value == CHALLENGE
            else consistent
        )
    if kind == DREW:
        particle.pending = 0
        return apply_draw(rules, particle, events, row, viewer, rng)
    if kind == LAID:
        # the card was drawn in the row before and leaves the hand again; RLCard's wilds draw none then
        _move_to_discard(rules, particle, seat, value, face_of(value) != WILD_FOUR, rng)
    elif kind == REFILLED:
        recycle(particle, 1 if rules.refill == ALL_BUT_TOP else 0)
    elif kind == SWAPPED:
        swap_hands(particle, seat, value)
    elif kind == ROTATED:
        particle.direction = value
        rotate_hands(particle)
    elif kind == COLOR_SET:
        particle.color = value
    elif kind == SHOWN or kind == RECEIVED:
        return _apply_revealed_hand(rules, particle, events, row, viewer, rng)
    return True


@njit
def _is_free_choice(rules, particle, events, row, viewer):
    """Return whether `events[row]` is another player's first decision in a turn, a play or a draw, and was not forced.

    A draw is forced if only players without a playable card may draw. Answers to a pending penalty do not count: only
    stackable cards were allowed.
    """
    kind, seat, action = events[row, 0], events[row, 1], events[row, 2]
    is_first_decision = particle.turn != seat or particle.drawn < 0
    if kind != ACTION or seat == viewer or action < 0 or action > DRAW or not is_first_decision:
        return False
    return rules.draw_when != STUCK if action == DRAW else particle.pending == 0


@njit
def _decision_likelihood(rules, particle, events, row, viewer, mismatch_weight, policy_id, weights, rng):
    """Return the likelihood of the play or draw in `events[row]`, given the particle's cards.

    The player follows a mixture of `policy_id` and random play (`core.epsilon_mixture`). If the hand first needs a
    repair to make the decision possible, the likelihood is multiplied by `mismatch_weight`.
    """
    seat, action = np.int64(events[row, 1]), np.int64(events[row, 2])
    could_play = action == DRAW or _make_playable(rules, particle, seat, action, viewer, rng)
    particle.to_move = seat
    likelihood = mixture_likelihood(rules, particle, action, RANDOM, policy_id, weights)
    return likelihood if could_play else likelihood * mismatch_weight


@ops.advance_particle.register(UNO_RULES)
@njit
def advance_particle(rules, particle, events, row, viewer, mismatch_weight, policy_id, weights, rng):
    """Implement `ops.advance_particle` for Uno: apply `events[row]` to `particle`, return the factor for its weight."""
    particle.phase = PLAY
    likelihood = 1.0
    if policy_id >= 0 and _is_free_choice(rules, particle, events, row, viewer):
        likelihood = _decision_likelihood(
            rules, particle, events, row, viewer, mismatch_weight, policy_id, weights, rng
        )
    return likelihood if _apply_event(rules, particle, events, row, viewer, rng) else likelihood * mismatch_weight
