"""The opponents' turns between two turns of a player as one Markov chain over the card on top.

Source: paper 001, section 3.3. A state of the chain is the previous card (the one on top), the seat to move, the
direction, and the number of cards that the player had to draw. `uno.expectimax.opponent_replies` has the probability
that an opponent plays a card. The chain ends when the player is to move again or an opponent goes out.

Approximations, as in the paper: every opponent's hand is drawn from the same unseen cards, whatever the others hold,
have played or could not play. Any card may be the last. Only cards are played: nobody stacks, jumps in, challenges,
swaps hands or is caught, and the piles do not run out.
"""

import numpy as np

from cardgames.kernels.jit import njit
from cardgames.uno.cards import NUM_CARD_IDS, REVERSE, SKIP, WILD, WILD_FOUR, color_of, draw_penalty, face_of
from cardgames.uno.expectimax.opponent_replies import GOES_OUT, NO_EFFECT, ON_COLOR, ON_FACE, ON_WILD_FOUR, TURN_PASSES
from cardgames.uno.rules.match import matches_by_face
from cardgames.uno.rules.reverse_two import SKIP_TURN
from cardgames.uno.rules.wild_color import IGNORED, MUST_CHANGE

MAX_DRAWN = 6
"""Greatest number of cards drawn by the player that the states of the chain distinguish; more count as this number."""
TOTAL = NUM_CARD_IDS
"""Index in the last axis of `mass` of the sum of probabilities over the 60 previous cards, which come before it."""

_MAX_LAPS = 6
_CONVERGED_MASS = 1e-3
_NEGLIGIBLE = 1e-4

_BY_COLOR, _BY_FACE, _BY_WILD, _BY_WILD_FOUR, _BY_NO_EFFECT, _BY_BOTH = 0, 4, 17, 21, 25, 29
_NUM_FLOWS = _BY_BOTH + NUM_CARD_IDS
"""Number of flows. A flow is a sum, over previous cards, of their probability times the rate of a play on them.

There is a flow for each color; for each face; for each color before a wild, before a wild draw four and before a wild
without effect; and for each previous card.
"""


@njit
def turn_after_card(rules, players, player, seat, direction_index, face):
    """Return who moves after `seat` plays a card with this `face`, the new direction index, and what `player` draws.

    `direction_index` is 0 for clockwise play, 1 for counterclockwise play. The last result is the number of cards that
    `player` must draw.
    """
    step = 1 - 2 * direction_index
    if face == REVERSE:
        if players == 2 and rules.reverse_two == SKIP_TURN:
            return seat, 1 - direction_index, 0
        return (seat - step) % players, 1 - direction_index, 0
    next_seat = (seat + step) % players
    penalty = draw_penalty(face)
    if penalty == 0 and face != SKIP:
        return next_seat, direction_index, 0
    return (next_seat + step) % players, direction_index, penalty if next_seat == player else 0


@njit
def add_mass(mass, seat, direction_index, drawn, top, probability):
    """Add `probability` to one state of the chain and to the sum over all previous cards.

    `mass` (`[players, 2, 7, 61] float64`) is indexed by seat to move, direction index, cards that the player has drawn
    (at most 6) and previous card, with the sum at the end (`TOTAL`).
    """
    block = mass[seat, direction_index, min(drawn, MAX_DRAWN)]
    block[top] += probability
    block[TOTAL] += probability


@njit
def _sum_flows(rules, block, rates, flows):
    """Sum probability times play rate of each previous card into `flows`; return the probability of going out.

    `block` (`[61]`) has the probability of each previous card, `rates` (`[60, 6]`) the play rates of the seat to move
    (`opponent_replies.ON_COLOR`).
    """
    flows[:] = 0.0
    out_probability = 0.0
    for top in range(NUM_CARD_IDS):
        probability = block[top]
        if probability <= 0.0:
            continue
        color, face, rate = color_of(top), face_of(top), rates[top]
        flows[_BY_COLOR + color] += probability * rate[ON_COLOR]
        flows[_BY_WILD + color] += probability * rate[ON_FACE]
        flows[_BY_WILD_FOUR + color] += probability * rate[ON_WILD_FOUR]
        flows[_BY_NO_EFFECT + color] += probability * rate[NO_EFFECT]
        if face < WILD and matches_by_face(rules, face):
            flows[_BY_FACE + face] += probability * rate[ON_FACE]
            flows[_BY_BOTH + top] = probability * rate[ON_FACE]
        out_probability += probability * rate[GOES_OUT]
    return out_probability


@njit
def _distribute_wilds(rules, next_mass, weights, flow, face, seat, direction_index, drawn, color_is_chosen):
    """Add the probability that a seat plays a wild with this `face` to `next_mass`, for each color that it may name.

    `flow` has the rates of this play by the color in force, `weights` the weight of each card. If `color_is_chosen` by
    a player, not drawn at random, the rules may demand another color than that in force.
    """
    weight = 0.0
    for color in range(4):
        weight += weights[15 * color + face]
    total = flow[0] + flow[1] + flow[2] + flow[3]
    if total <= 0.0:
        return
    for color in range(4):
        if rules.wild_color == IGNORED:
            probability = weights[15 * color + face] * total
        elif color_is_chosen and rules.wild_color == MUST_CHANGE:
            probability = weight * (total - flow[color]) / 3.0
        else:
            probability = weight * total / 4.0
        add_mass(next_mass, seat, direction_index, drawn, 15 * color + face, probability)


@njit
def _take_turn(rules, player, block, next_mass, seat, direction_index, drawn, weights, rates, flows):
    """Let `seat` take its turn with the probabilities in `block`; return the probability that it goes out.

    `block` (`[61]`) has the probability of each previous card, for one seat, direction and number of cards drawn. It
    becomes 0; what does not go out moves to `next_mass`.
    """
    players = len(next_mass)
    out_probability = _sum_flows(rules, block, rates, flows)
    next_seat, _, _ = turn_after_card(rules, players, player, seat, direction_index, 0)
    for top in range(NUM_CARD_IDS):
        if block[top] > 0.0:
            add_mass(next_mass, next_seat, direction_index, drawn, top, block[top] * rates[top, TURN_PASSES])
    block[:] = 0.0
    for face in range(WILD):
        target_seat, target_direction, penalty = turn_after_card(rules, players, player, seat, direction_index, face)
        for color in range(4):
            card = 15 * color + face
            rate = flows[_BY_COLOR + color] + flows[_BY_FACE + face] - flows[_BY_BOTH + card]
            add_mass(next_mass, target_seat, target_direction, drawn + penalty, card, weights[card] * rate)
    target_seat, target_direction, penalty = turn_after_card(rules, players, player, seat, direction_index, WILD_FOUR)
    _distribute_wilds(rules, next_mass, weights, flows[_BY_WILD:], WILD, next_seat, direction_index, drawn, True)
    _distribute_wilds(
        rules,
        next_mass,
        weights,
        flows[_BY_WILD_FOUR:],
        WILD_FOUR,
        target_seat,
        target_direction,
        drawn + penalty,
        True,
    )
    for face in (WILD, WILD_FOUR):
        _distribute_wilds(
            rules, next_mass, weights, flows[_BY_NO_EFFECT:], face, next_seat, direction_index, drawn, False
        )
    return out_probability


@njit
def _unfinished_mass(mass, player):
    """Return the probability, in `mass`, that an opponent of `player` is still to move."""
    probability = 0.0
    for parity in range(2):
        for seat in range(mass.shape[1]):
            if seat != player:
                probability += mass[parity, seat, :, :, TOTAL].sum()
    return probability


@njit
def run_chain(rules, player, mass, weights, rates):
    """Let the opponents play until `player` is to move again; return the probability that one of them goes out first.

    `mass` (`[2, players, 2, MAX_DRAWN + 1, 61] float64`) holds probabilities by parity of the turn, seat to move,
    direction index, cards that `player` has drawn and previous card. All of it starts in `mass[0]` and ends at seat
    `player` in both parities, except a thousandth (with ten players: seven thousandths). An opponent that keeps the
    turn for `_MAX_LAPS` laps counts as having gone out. `weights` (`[turns, players, 60] float64`) and `rates`
    (`[turns, players, 60, 6] float64`) are those of `seat_rates` for the first turn of the chain, its second, and so
    on; those at the last index hold for all later turns.
    """
    players, turns = mass.shape[1], len(weights)
    flows = np.empty(_NUM_FLOWS)
    lost_probability, turn, moved_mass = 0.0, 0, 1.0
    while turn < _MAX_LAPS * players and moved_mass >= _CONVERGED_MASS:
        current_mass, next_mass = mass[turn % 2], mass[1 - turn % 2]
        stage = min(turn, turns - 1)
        moved_mass = 0.0
        for ahead in range(1, players):
            seat = (player + ahead) % players
            for direction_index in range(2):
                for drawn in range(MAX_DRAWN + 1):
                    block = current_mass[seat, direction_index, drawn]
                    if block[TOTAL] > _NEGLIGIBLE:
                        moved_mass += block[TOTAL]
                        lost_probability += _take_turn(
                            rules,
                            player,
                            block,
                            next_mass,
                            seat,
                            direction_index,
                            drawn,
                            weights[stage, seat],
                            rates[stage, seat],
                            flows,
                        )
        turn += 1
    return lost_probability if moved_mass < _CONVERGED_MASS else lost_probability + _unfinished_mass(mass, player)
