"""Possible positions at a player's next turn and their probabilities: Uno's kernel for `ops.chance_outcomes`.

Everything that opponents and chance do between two turns of a player is one chance node (paper 001, section 3.3),
modeled by the Markov chain in `uno.expectimax.opponent_chain`. The player's own action gives the start of the chain: one
state of it if the action plays a card, a distribution if it draws. The outcomes are the states in which the chain ends.
An outcome is a record as the player sees it, with the hand left after the action; `counts` includes the unknown cards
that opponents made the player draw.

Simplifications: the player plays a drawn card if possible, so that every outcome is a new turn. An opponent that draws
and plays the drawn card keeps its number of cards, however many it drew. Only what the player to move may know is read,
so a state works as well as an observation.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.uno.cards import (
    ALL_WILDS,
    COLOR_MASK,
    DRAW,
    NUM_CARD_IDS,
    WILD,
    color_of,
    count_of,
    draw_penalty,
    face_of,
)
from cardgames.uno.expectimax.opponent_chain import MAX_DRAWN, TOTAL, add_mass, run_chain, turn_after_card
from cardgames.uno.expectimax.opponent_replies import DEALT_HANDS, seat_rates, unseen_copies
from cardgames.uno.legal import playable_cards
from cardgames.uno.piles import add_to_hand, card_for_action, push_discard, remove_from_hand
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.drawn_card import MUST_KEEP, RLCARD
from cardgames.uno.rules.match import matching_cards
from cardgames.uno.rules.refill import can_draw
from cardgames.uno.rules.wild_color import IGNORED, MUST_CHANGE
from cardgames.uno.state import AFTER_DRAW, OVER, PLAY
from cardgames.uno.turn import ask, begin_turn

MAX_OUTCOMES = 1024
"""Length of the arrays of outcomes: enough for all outcomes of one action and a scratch record at the end."""

_MIN_PROBABILITY = 1e-4
"""Outcomes of a chance node with at most this probability are left out."""
_MODELED_TURNS = 3
"""Number of turns for which a single opponent has play rates of its own, with two players under `DEALT_HANDS`.

The opponent moves again before the player only after playing a card, so its hand is one card smaller in each turn.
"""


@njit
def _direction_index(state):
    """Return 0 for clockwise play and 1 for counterclockwise play, the index of the direction in the chain's arrays."""
    return 0 if state.direction > 0 else 1


@njit
def _chain_top_card(state):
    """Return the top card as the Markov chain numbers it: 15 * color in force + face, also for a wild."""
    return 15 * np.int64(state.color) + face_of(np.int64(state.top))


@njit
def _play_own_card(rules, base, player, action, mass):
    """Play the card of `action` from the hand of `player` in `base`, and start the Markov chain after it.

    The chain starts with probability 1 in one state, which is written into `mass`.
    """
    face = face_of(action)
    card = card_for_action(base, player, action)
    color = color_of(card) if rules.wild_color == IGNORED else color_of(action)
    remove_from_hand(base, player, card)
    push_discard(base, card)
    players = np.int64(base.players)
    seat, direction_index, _ = turn_after_card(rules, players, player, player, _direction_index(base), face)
    victim = (player + 1 - 2 * direction_index) % players
    base.counts[victim] += draw_penalty(face)
    add_mass(mass, seat, direction_index, 0, 15 * color + face, 1.0)


@njit
def _most_held_color(rules, base, player):
    """Return the index of the color that `player` holds most of, among those that it may name for a wild."""
    best, most = -1, -1
    for color in range(4):
        held = count_of(base.once[player], base.twice[player], COLOR_MASK[color])
        if held > most and not (rules.wild_color == MUST_CHANGE and color == base.color):
            best, most = color, held
    return best


@njit
def _play_drawn_card(rules, base, player, card, drawn, probability, mass):
    """Add `probability` to the start of the Markov chain in which `player` plays `card`, just drawn.

    `drawn` is the number of cards that it drew before `card` and keeps.
    """
    players, direction_index, face = np.int64(base.players), _direction_index(base), face_of(card)
    if rules.drawn_card == RLCARD and face >= WILD:
        seat, direction_index, _ = turn_after_card(rules, players, player, player, direction_index, 0)
        for color in range(4):
            if rules.wild_color != IGNORED:
                add_mass(mass, seat, direction_index, drawn, 15 * color + face, probability / 4.0)
            elif color == color_of(card):
                add_mass(mass, seat, direction_index, drawn, card, probability)
        return
    if face >= WILD and rules.wild_color != IGNORED:
        card = 15 * _most_held_color(rules, base, player) + face
    seat, direction_index, _ = turn_after_card(rules, players, player, player, direction_index, face)
    add_mass(mass, seat, direction_index, drawn, card, probability)


@njit
def _pass_turn(rules, base, player, drawn, probability, mass):
    """Add `probability` to the start of the Markov chain in which `player` passes after drawing `drawn` cards.

    The top card stays the same.
    """
    seat, direction_index, _ = turn_after_card(rules, np.int64(base.players), player, player, _direction_index(base), 0)
    add_mass(mass, seat, direction_index, drawn, _chain_top_card(base), probability)


@njit
def _would_play_drawn_card(rules, base, player, card):
    """Return whether `player` plays `card`, just drawn; it does whenever the rules allow."""
    if rules.drawn_card == MUST_KEEP:
        return False
    if rules.drawn_card == RLCARD:
        return face_of(card) >= WILD or color_of(card) == base.color
    add_to_hand(base, player, card)
    playable = playable_cards(rules, base, player) >> np.uint64(card) & ONE != NONE
    remove_from_hand(base, player, card)
    return playable


@njit
def _last_card_of_draw(rules, base, copies, unseen):
    """Return which cards may come last when the player draws, how many of these are unseen, and how many come before.

    The first is a bit mask. The last is 0, unless the player draws until a card is playable: then it is the expected
    number of cards drawn before, rounded. `copies` has the number of unseen copies of each card id, `unseen` their sum.
    """
    if rules.draw_how != UNTIL_PLAYABLE:
        return ~NONE, np.float64(unseen), 0
    candidates = matching_cards(rules, base.top, base.color) | ALL_WILDS
    num_candidates = np.float64(0.0)
    for card in range(NUM_CARD_IDS):
        if candidates >> np.uint64(card) & ONE:
            num_candidates += copies[card]
    return candidates, num_candidates, round((unseen - num_candidates) / (num_candidates + 1.0))


@njit
def _draw_card(rules, base, player, copies, unseen, mass):
    """Let `player` draw, and start the Markov chain where the drawn card is played, if possible, or kept.

    `copies` has the number of unseen copies of each card id, `unseen` their sum; `mass` takes the probabilities.
    """
    if unseen == 0 or not can_draw(rules, base):
        _pass_turn(rules, base, player, 0, 1.0, mass)
        return
    candidates, num_candidates, num_before = _last_card_of_draw(rules, base, copies, unseen)
    if num_candidates == 0.0:
        _pass_turn(rules, base, player, MAX_DRAWN, 1.0, mass)
        return
    for card in range(NUM_CARD_IDS):
        if copies[card] > 0.0 and candidates >> np.uint64(card) & ONE:
            if _would_play_drawn_card(rules, base, player, card):
                _play_drawn_card(rules, base, player, card, num_before, copies[card] / num_candidates, mass)
            else:
                _pass_turn(rules, base, player, num_before + 1, copies[card] / num_candidates, mass)


@njit
def _run_opponents(rules, base, player, model_id, unseen, copies, mass):
    """Run the Markov chain from its start in `mass`; return the probability that an opponent goes out.

    `copies` has the number of unseen copies of each card id, `unseen` their sum.
    """
    players = np.int64(base.players)
    turns = _MODELED_TURNS if model_id == DEALT_HANDS and players == 2 else 1
    weights, rates = np.empty((turns, players, NUM_CARD_IDS)), np.empty((turns, players, NUM_CARD_IDS, 6))
    for turn in range(turns):
        for seat in range(players):
            if seat != player:
                hand_size = max(1, base.counts[seat] - turn)
                seat_rates(rules, model_id, unseen, copies, hand_size, weights[turn, seat], rates[turn, seat])
    return run_chain(rules, player, mass, weights, rates)


@njit
def _collect_outcomes(base, player, mass, outcomes, probs):
    """Write the positions at the end of the Markov chain, with `player` to move, into `outcomes`; return their number.

    Their probabilities go to `probs`.
    """
    n = 0
    for direction_index in range(2):
        for drawn in range(MAX_DRAWN + 1):
            block = mass[0, player, direction_index, drawn] + mass[1, player, direction_index, drawn]
            if block[TOTAL] <= _MIN_PROBABILITY:
                continue
            for top in range(NUM_CARD_IDS):
                if block[top] > _MIN_PROBABILITY:
                    outcome = outcomes[n]
                    copy_record(outcome, base)
                    outcome.top = top
                    outcome.color = color_of(top)
                    outcome.direction = 1 - 2 * direction_index
                    outcome.counts[player] += drawn
                    begin_turn(outcome, player)
                    probs[n] = block[top]
                    n += 1
    return n


@njit
def _write_finished_round(base, winner, outcome):
    """Write the outcome in which the round is over and the seat `winner` has won: a copy of `base` otherwise."""
    copy_record(outcome, base)
    outcome.winner = winner
    ask(outcome, OVER, -1)


@njit
def _normalize(probs, n):
    """Scale `probs[:n]` to sum to 1."""
    total = 0.0
    for i in range(n):
        total += probs[i]
    for i in range(n):
        probs[i] /= total


@ops.chance_outcomes.register(UNO_RULES)
@njit
def chance_outcomes(rules, observation, action, chance_model_id, outcomes, probs):
    """Implement `ops.chance_outcomes` for Uno: write outcomes of `action` and their probabilities, return their number.

    `chance_model_id` is a value of `uno.expectimax.opponent_replies.OPPONENT_MODELS`. There are outcomes for actions of
    a turn, before or after drawing; in other phases the result is -1.
    """
    if observation.phase != PLAY and observation.phase != AFTER_DRAW:
        return -1
    player = np.int64(observation.to_move)
    base = outcomes[len(outcomes) - 1]
    copy_record(base, observation)
    mass = np.zeros((2, np.int64(base.players), 2, MAX_DRAWN + 1, NUM_CARD_IDS + 1))
    start = mass[0]
    copies = np.empty(NUM_CARD_IDS)
    unseen = unseen_copies(base, player, copies)
    if action < DRAW:
        _play_own_card(rules, base, player, action, start)
        if base.counts[player] == 0:
            _write_finished_round(base, player, outcomes[0])
            probs[0] = 1.0
            return 1
    elif action == DRAW:
        _draw_card(rules, base, player, copies, unseen, start)
    else:
        _pass_turn(rules, base, player, 0, 1.0, start)
    lost_probability = _run_opponents(rules, base, player, chance_model_id, unseen, copies, mass)
    n = _collect_outcomes(base, player, mass, outcomes, probs)
    if lost_probability > _MIN_PROBABILITY:
        _write_finished_round(base, (player + 1) % np.int64(base.players), outcomes[n])
        probs[n] = lost_probability
        n += 1
    _normalize(probs, n)
    return n
