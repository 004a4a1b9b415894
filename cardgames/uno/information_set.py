"""Observations (a seat's view of a state) and determinizations (random states that agree with a view) of Uno.

These are the kernels for `ops.observe` and `ops.determinize`.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, next_word
from cardgames.uno.cards import ALL_WILDS, DECK, NUM_CARD_IDS, NUM_CARDS
from cardgames.uno.piles import add_to_hand, random_card, wild_index
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.challenge import may_challenge
from cardgames.uno.rules.draw_how import UNTIL_SATISFIED
from cardgames.uno.rules.refill import can_draw
from cardgames.uno.state import AFTER_DRAW, ANSWER, JUMP_IN, WAIT
from cardgames.uno.turn import ask, ask_open_questions, begin_turn, next_seat


@njit
def _hide_private_question(rules, state, out):
    """Hide in the observation `out` another seat's decision that, just by being due, reveals something about a hand.

    After a draw, the turn looks finished, whether or not the player may still play the drawn card. A decision about
    jumping in or stacking becomes phase `WAIT`: others see that a decision is open, but not whose; screens show no
    change until it is made.
    """
    if state.phase == AFTER_DRAW:
        out.drawn = -1
        if rules.draw_how != UNTIL_SATISFIED or not can_draw(rules, state):
            begin_turn(out, next_seat(out, state.to_move))
    elif state.phase == JUMP_IN or (state.phase == ANSWER and not may_challenge(rules, state)):
        ask(out, WAIT, -1)


@njit
def _renumber_wilds(state, player, out):
    """Number the wilds in the hand of `player` in `out.received`, from 1 in the order received; the others get 0.

    The times of receipt in `state` cover all hands, so they would reveal something about wilds in other hands.
    """
    out.clock = 0
    for wild in range(8):
        out.received[wild] = 0
    wilds = state.once[player] & ALL_WILDS
    remaining = wilds
    while remaining != NONE:
        wild = wild_index(lowest_bit(remaining))
        remaining &= remaining - ONE
        earlier = wilds
        while earlier != NONE:
            if state.received[wild_index(lowest_bit(earlier))] <= state.received[wild]:
                out.received[wild] += 1
            earlier &= earlier - ONE
        out.clock += 1


@ops.observe.register(UNO_RULES)
@njit
def observe(rules, state, player, out):
    """Implement `ops.observe` for Uno: copy `state` to `out`, without what `player` cannot see on the table or in hand.

    Cards that `player` knows to be in other hands, and the number of decisions that it saw, are added afterwards
    (`uno.known_cards`). (The number in `state` also counts private decisions of others.)
    """
    copy_record(out, state)
    out.viewer = player
    out.rng = 0
    for i in range(NUM_CARDS):
        out.pile[i] = 0
        if i >= state.n_discard:
            out.discard[i] = 0
    out.n_fixed = 0
    for seat in range(state.players):
        if seat != player:
            out.once[seat] = 0
            out.twice[seat] = 0
    out.decisions = 0
    _renumber_wilds(state, player, out)
    if state.to_move != player:
        _hide_private_question(rules, state, out)


@njit
def unseen_cards(observation, out):
    """Write the card ids that are neither discarded nor in a hand of `observation` into `out`; return their number.

    `out` is `[108] uint8`. Hands of the observation hold only cards that its viewer knows.
    """
    unseen = np.zeros(NUM_CARD_IDS, np.int64)
    for i in range(NUM_CARDS):
        unseen[DECK[i]] += 1
    for i in range(observation.n_discard):
        unseen[observation.discard[i]] -= 1
    for seat in range(observation.players):
        for plane in (observation.once[seat], observation.twice[seat]):
            while plane != NONE:
                unseen[lowest_bit(plane)] -= 1
                plane &= plane - ONE
    n = 0
    for card in range(NUM_CARD_IDS):
        for _ in range(unseen[card]):
            out[n] = card
            n += 1
    return n


@njit
def deal_hidden(rules, state, n, rng):
    """Complete every hand of `state` to its size in `state.counts` with random cards from `state.pile[:n]`.

    Cards already in the hands stay. Cards of `state.pile[:n]` that are not dealt become the draw pile. Then a hidden
    decision (phase `WAIT`) becomes the one to which the dealt hands lead, and an unknown drawn card becomes a random
    card of the mover's hand.
    """
    for seat in range(state.players):
        missing = state.counts[seat] - popcount(state.once[seat]) - popcount(state.twice[seat])
        state.counts[seat] -= missing
        for _ in range(missing):
            place = below(rng, n)
            card = np.int64(state.pile[place])
            n -= 1
            state.pile[place] = state.pile[n]
            add_to_hand(state, seat, card)
    state.n_pile = n
    state.n_fixed = 0
    if state.phase == WAIT:
        ask_open_questions(rules, state, ANSWER)
    elif state.phase == AFTER_DRAW and state.drawn < 0:
        state.drawn = random_card(state, state.to_move, rng)


@ops.determinize.register(UNO_RULES)
@njit
def determinize(rules, observation, rng, out):
    """Implement `ops.determinize` for Uno: fill `out` with a random state that agrees with `observation`.

    Hidden hands and the draw pile are dealt uniformly from the cards that the viewer has not seen.
    """
    copy_record(out, observation)
    out.viewer = -1
    out.rng = next_word(rng)
    deal_hidden(rules, out, unseen_cards(observation, out.pile), rng)
