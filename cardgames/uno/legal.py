"""Legal actions of Uno: bit masks of card plays, and the kernels for `ops.legal_actions` and `ops.is_legal`.

A bit mask covers the action ids 0 to 60, which play a card or draw. Ids above 60 belong to decisions without card play,
such as calling uno, and are listed one by one.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE, lowest_bit
from cardgames.kernels.jit import njit
from cardgames.uno import cards
from cardgames.uno.cards import COLORED, DRAW_BIT, WILD_FOURS, WILDS
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.after_draw import ANY_CARD
from cardgames.uno.rules.challenge import may_challenge
from cardgames.uno.rules.draw_how import UNTIL_SATISFIED
from cardgames.uno.rules.draw_when import ANY_TIME
from cardgames.uno.rules.drawn_card import MAY_PLAY
from cardgames.uno.rules.last_card import ANY as ANY_LAST
from cardgames.uno.rules.last_card import allowed_last_cards
from cardgames.uno.rules.match import matching_cards
from cardgames.uno.rules.refill import can_draw
from cardgames.uno.rules.stacking import NO_STACKING, stackable
from cardgames.uno.rules.wild_color import nameable_wild_actions
from cardgames.uno.rules.wild_four import may_play_wild_four
from cardgames.uno.state import (
    AFTER_DRAW,
    ANSWER,
    CALL,
    CATCH_OUT,
    JUMP_IN,
    OPENER_COLOR,
    PLAY,
    SWAP_HANDS,
)


@njit
def _legal_among(rules, state, seat, candidates):
    """Return the bit mask of those cards in `candidates` that `seat` holds and may play.

    `candidates` is the mask of cards that fit the top card. The rules `last-card` and `wild-four` are applied.
    """
    hand = state.once[seat]
    if rules.last_card != ANY_LAST and state.counts[seat] == 1:
        candidates = allowed_last_cards(rules, candidates)
    held = hand & candidates
    fours = held & WILD_FOURS
    if fours != NONE and not may_play_wild_four(rules, hand, state.color, held & ~WILD_FOURS):
        return held & ~WILD_FOURS
    return held


@njit
def playable_cards(rules, state, seat):
    """Return the bit mask of the cards in the hand of `seat` that may be played on the top card in its turn."""
    return _legal_among(rules, state, seat, matching_cards(rules, state.top, state.color) | WILDS | WILD_FOURS)


@njit
def stackable_cards(rules, state, seat):
    """Return the bit mask of cards in the hand of `seat` that may answer the pending penalty (rule `stacking`)."""
    return _legal_among(rules, state, seat, stackable(rules, state.top))


@njit
def _actions_for_cards(rules, state, playable):
    """Return the bit mask of action ids that play a card of the mask `playable`.

    A wild has one action id for each color that its player may name.
    """
    actions = playable & COLORED
    if playable & WILDS:
        actions |= WILDS & nameable_wild_actions(rules, state.color)
    if playable & WILD_FOURS:
        actions |= WILD_FOURS & nameable_wild_actions(rules, state.color)
    return actions


@njit
def is_card_decision(state):
    """Return whether a card may be played in the current phase: in a turn, after drawing, or in answer to a penalty."""
    return state.phase == PLAY or state.phase == AFTER_DRAW or state.phase == ANSWER


@njit
def card_actions(rules, state):
    """Return the bit mask of legal action ids up to 60 (playing a card, drawing) for the seat to move."""
    seat = state.to_move
    if state.phase == PLAY:
        playable = playable_cards(rules, state, seat)
        actions = _actions_for_cards(rules, state, playable)
        return actions | DRAW_BIT if playable == NONE or rules.draw_when == ANY_TIME else actions
    if state.phase == AFTER_DRAW:
        playable = playable_cards(rules, state, seat)
        if rules.after_draw != ANY_CARD:
            playable &= ONE << np.uint64(state.drawn)
        actions = _actions_for_cards(rules, state, playable)
        return actions | DRAW_BIT if rules.draw_how == UNTIL_SATISFIED and can_draw(rules, state) else actions
    if state.phase == ANSWER and rules.stacking != NO_STACKING:
        return _actions_for_cards(rules, state, stackable_cards(rules, state, seat))
    return NONE


@njit
def closing_action(rules, state):
    """Return the id of the action that ends a turn after drawing or takes a pending penalty; -1 if none is legal."""
    if state.phase == AFTER_DRAW:
        if rules.after_draw == ANY_CARD or rules.draw_how == UNTIL_SATISFIED:
            return cards.PASS
        return cards.KEEP if rules.drawn_card == MAY_PLAY else -1
    if state.phase == ANSWER:
        return cards.ACCEPT if rules.stacking == NO_STACKING else cards.TAKE
    return -1


@njit
def _add(out, n, action):
    """Write `action` to `out[n]` and return `n + 1`, the new number of actions in `out`."""
    out[n] = action
    return n + 1


@njit
def _append_other_actions(rules, state, out, n):
    """Append the legal action ids above 60 to `out`, which already has `n` ids, and return the new number of ids."""
    phase = state.phase
    closing = closing_action(rules, state)
    if phase == ANSWER and may_challenge(rules, state):
        n = _add(out, n, cards.CHALLENGE)
    if closing >= 0:
        n = _add(out, n, closing)
    elif phase == OPENER_COLOR:
        for color in range(4):
            n = _add(out, n, cards.COLOR + color)
    elif phase == SWAP_HANDS:
        for seat in range(state.players):
            if seat != state.to_move:
                n = _add(out, n, cards.SWAP + seat)
    elif phase == CALL:
        n = _add(out, _add(out, n, cards.UNO), cards.QUIET)
    elif phase == JUMP_IN:
        n = _add(out, _add(out, n, cards.NO_JUMP), cards.JUMP)
    elif phase == CATCH_OUT:
        n = _add(out, _add(out, n, cards.LET_GO), cards.CATCH + state.uncalled)
    return n


@ops.legal_actions.register(UNO_RULES)
@njit
def legal_actions(rules, state, out):
    """Implement `ops.legal_actions` for Uno: write the legal action ids into `out`, ascending; return their number."""
    n = 0
    mask = card_actions(rules, state)
    while mask != NONE:
        n = _add(out, n, lowest_bit(mask))
        mask &= mask - ONE
    return n if state.phase == PLAY else _append_other_actions(rules, state, out, n)


@ops.is_legal.register(UNO_RULES)
@njit
def is_legal(rules, state, action):
    """Implement `ops.is_legal` for Uno: return whether the seat to move may choose `action`."""
    if action <= cards.DRAW:
        return card_actions(rules, state) >> np.uint64(action) & ONE != NONE
    out = np.empty(cards.NUM_ACTIONS, np.int32)
    for i in range(_append_other_actions(rules, state, out, 0)):
        if out[i] == action:
            return True
    return False
