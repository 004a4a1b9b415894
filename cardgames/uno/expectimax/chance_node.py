"""What may lie before a player when he is to move again: the verb `round_outcomes`.

Opponents and chance between two of his turns are one chance node (paper 001, section 3.3): the player's own action, a
point or, when he draws, a spread of chances, starts the chain of `uno.expectimax.markov_chain`; where it ends are the outcomes. An
outcome is a record as the player sees it: the hand he has left, and in `counts` also the cards he has drawn meanwhile
and does not know. What he draws himself he is thought to lay if he can, so that every outcome is a new turn; who has to
draw for such a card keeps the number of cards he had. Only what the player to move may know is read, so a state does as
well as an observation.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.uno.cards import ALL_WILDS, COLOR_MASK, DRAW, NUM_CARD_IDS, WILD, color_of, count_of, face_of, penalty_of
from cardgames.uno.expectimax.markov_chain import MOST_DRAWN, TOTAL, add, after_card, run_chain
from cardgames.uno.expectimax.opponent_replies import DEALT, seat_rates, unseen_copies
from cardgames.uno.legal import playable_cards
from cardgames.uno.piles import card_to_lay, give, push_discard, take
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.drawn_card import KEEP_IT, RLCARD
from cardgames.uno.rules.match import matching
from cardgames.uno.rules.refill import can_draw
from cardgames.uno.rules.wild_color import IGNORED, MUST_CHANGE
from cardgames.uno.state import AFTER_DRAW, OVER, PLAY
from cardgames.uno.turn import ask, begin_turn

MOST_OUTCOMES = 1024
"""Room for all outcomes of an action and one record of scratch."""

_RARE = 1e-4
"""Outcomes less likely are left out."""
_TURNS = 3
"""So many turns of the one opponent have rates of their own (`DEALT`, two players): he comes to move again only after laying
a card, so his hand is one card smaller each time.
"""


@njit
def _way(state):
    return 0 if state.direction > 0 else 1


@njit
def _previous_card(state):
    """Return the top card as the chain numbers it: a wild by the colour in force."""
    return 15 * np.int64(state.color) + face_of(np.int64(state.top))


@njit
def _lay_own(rules, base, player, action, mass):
    """Lay a card of the player's hand, let its effect begin, and start the chain there."""
    face = face_of(action)
    card = card_to_lay(base, player, action)
    color = color_of(card) if rules.wild_color == IGNORED else color_of(action)
    take(base, player, card)
    push_discard(base, card)
    players = np.int64(base.players)
    seat, way, _ = after_card(rules, players, player, player, _way(base), face)
    victim = (player + 1 - 2 * way) % players
    base.counts[victim] += penalty_of(face)
    add(mass, seat, way, 0, 15 * color + face, 1.0)


@njit
def _favourite_color(rules, base, player):
    """Return the colour most held among those a wild may name."""
    best, most = -1, -1
    for color in range(4):
        held = count_of(base.once[player], base.twice[player], COLOR_MASK[color])
        if held > most and not (rules.wild_color == MUST_CHANGE and color == base.color):
            best, most = color, held
    return best


@njit
def _lay_drawn(rules, base, player, card, drawn, chance, mass):
    """Start the chain where the player lays the card he drew last, after `drawn` others."""
    players, way, face = np.int64(base.players), _way(base), face_of(card)
    if rules.drawn_card == RLCARD and face >= WILD:
        seat, way, _ = after_card(rules, players, player, player, way, 0)
        for color in range(4):
            if rules.wild_color != IGNORED:
                add(mass, seat, way, drawn, 15 * color + face, chance / 4.0)
            elif color == color_of(card):
                add(mass, seat, way, drawn, card, chance)
        return
    if face >= WILD and rules.wild_color != IGNORED:
        card = 15 * _favourite_color(rules, base, player) + face
    seat, way, _ = after_card(rules, players, player, player, way, face)
    add(mass, seat, way, drawn, card, chance)


@njit
def _pass_on(rules, base, player, drawn, chance, mass):
    """Start the chain where the turn passes with the previous card on top."""
    seat, way, _ = after_card(rules, np.int64(base.players), player, player, _way(base), 0)
    add(mass, seat, way, drawn, _previous_card(base), chance)


@njit
def _lays_drawn(rules, base, player, card):
    """Return whether a card just drawn is laid; the player is thought to lay whatever he can."""
    if rules.drawn_card == KEEP_IT:
        return False
    if rules.drawn_card == RLCARD:
        return face_of(card) >= WILD or color_of(card) == base.color
    give(base, player, card)
    playable = playable_cards(rules, base, player) >> np.uint64(card) & ONE != NONE
    take(base, player, card)
    return playable


@njit
def _last_drawn(rules, base, copies, unseen):
    """Return the mask of cards the last card of a draw may be, how many of them are unseen, and how many cards are drawn
    before it (when one draws until one can play: their expected number).
    """
    if rules.draw_how != UNTIL_PLAYABLE:
        return ~NONE, np.float64(unseen), 0
    wanted = matching(rules, base.top, base.color) | ALL_WILDS
    among = np.float64(0.0)
    for card in range(NUM_CARD_IDS):
        if wanted >> np.uint64(card) & ONE:
            among += copies[card]
    return wanted, among, round((unseen - among) / (among + 1.0))


@njit
def _draw_own(rules, base, player, copies, unseen, mass):
    """Let the player draw, and start the chain where he lays what he drew or keeps it."""
    if unseen == 0 or not can_draw(rules, base):
        _pass_on(rules, base, player, 0, 1.0, mass)
        return
    wanted, among, before = _last_drawn(rules, base, copies, unseen)
    if among == 0.0:
        _pass_on(rules, base, player, MOST_DRAWN, 1.0, mass)
        return
    for card in range(NUM_CARD_IDS):
        if copies[card] > 0.0 and wanted >> np.uint64(card) & ONE:
            if _lays_drawn(rules, base, player, card):
                _lay_drawn(rules, base, player, card, before, copies[card] / among, mass)
            else:
                _pass_on(rules, base, player, before + 1, copies[card] / among, mass)


@njit
def _opponents(rules, base, player, which, unseen, copies, mass):
    """Run the chain from where it was started; return the chance that an opponent goes out."""
    players = np.int64(base.players)
    turns = _TURNS if which == DEALT and players == 2 else 1
    weights, rates = np.empty((turns, players, NUM_CARD_IDS)), np.empty((turns, players, NUM_CARD_IDS, 6))
    for turn in range(turns):
        for seat in range(players):
            if seat != player:
                hand = max(1, base.counts[seat] - turn)
                seat_rates(rules, which, unseen, copies, hand, weights[turn, seat], rates[turn, seat])
    return run_chain(rules, player, mass, weights, rates)


@njit
def _collect(base, player, mass, outcomes, probs):
    """Write the positions in which the chain left the player to move, and return how many there are."""
    n = 0
    for way in range(2):
        for drawn in range(MOST_DRAWN + 1):
            block = mass[0, player, way, drawn] + mass[1, player, way, drawn]
            if block[TOTAL] <= _RARE:
                continue
            for top in range(NUM_CARD_IDS):
                if block[top] > _RARE:
                    outcome = outcomes[n]
                    copy_record(outcome, base)
                    outcome.top = top
                    outcome.color = color_of(top)
                    outcome.direction = 1 - 2 * way
                    outcome.counts[player] += drawn
                    begin_turn(outcome, player)
                    probs[n] = block[top]
                    n += 1
    return n


@njit
def _end(base, winner, outcome):
    copy_record(outcome, base)
    outcome.winner = winner
    ask(outcome, OVER, -1)


@njit
def _normalise(probs, n):
    total = 0.0
    for i in range(n):
        total += probs[i]
    for i in range(n):
        probs[i] /= total


@ops.round_outcomes.register(UNO_RULES)
@njit
def round_outcomes(rules, observation, action, which, outcomes, probs):
    """Uno's verb `round_outcomes`; `which` is one of `uno.expectimax.opponent_replies.CHAINS`. It answers for turns, also those in which one
    has drawn, and not for the questions beside them.
    """
    if observation.phase != PLAY and observation.phase != AFTER_DRAW:
        return -1
    player = np.int64(observation.to_move)
    base = outcomes[len(outcomes) - 1]
    copy_record(base, observation)
    mass = np.zeros((2, np.int64(base.players), 2, MOST_DRAWN + 1, NUM_CARD_IDS + 1))
    start = mass[0]
    copies = np.empty(NUM_CARD_IDS)
    unseen = unseen_copies(base, player, copies)
    if action < DRAW:
        _lay_own(rules, base, player, action, start)
        if base.counts[player] == 0:
            _end(base, player, outcomes[0])
            probs[0] = 1.0
            return 1
    elif action == DRAW:
        _draw_own(rules, base, player, copies, unseen, start)
    else:
        _pass_on(rules, base, player, 0, 1.0, start)
    lost = _opponents(rules, base, player, which, unseen, copies, mass)
    n = _collect(base, player, mass, outcomes, probs)
    if lost > _RARE:
        _end(base, (player + 1) % np.int64(base.players), outcomes[n])
        probs[n] = lost
        n += 1
    _normalise(probs, n)
    return n
