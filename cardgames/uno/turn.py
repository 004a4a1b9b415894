"""The course of a turn: laying a card, its effects, the questions it raises in their order, and the verb
`apply_action`.

After a card is laid, `settle` asks the open questions in the order of `docs/rules.md` (the numbers of the phases are
that order); every answer resumes it at the next stage.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno import cards
from cardgames.uno.cards import DRAW_TWO, REVERSE, SKIP, WILD, WILD_FOUR, color_of, face_of, penalty_of
from cardgames.uno.legal import card_actions, playable_cards, stackable_cards
from cardgames.uno.piles import (
    card_to_lay,
    draw_cards,
    give_unseen,
    note_draw,
    pop_pile,
    push_discard,
    take,
)
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.challenge import (
    FAILED_CHALLENGE,
    VICTIM,
    is_guilty,
    may_challenge,
)
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.drawn_card import AUTO_PLAY, KEEP_IT, RLCARD, lays_what_fits
from cardgames.uno.rules.empty_piles import end_if_idle
from cardgames.uno.rules.jump_in import IDENTICAL, may_jump
from cardgames.uno.rules.refill import refill_before, refill_empty
from cardgames.uno.rules.reverse_two import SKIP_TURN
from cardgames.uno.rules.seven_zero import (
    NO_SWAPS,
    rotate_hands,
    rotates,
    swap_hands,
    swaps,
)
from cardgames.uno.rules.stacking import NO_STACKING
from cardgames.uno.rules.uno_call import REQUIRED
from cardgames.uno.rules.wild_color import IGNORED
from cardgames.uno.state import (
    AFTER_DRAW,
    ANSWER,
    CALL,
    CATCH_OUT,
    JUMP_IN,
    OVER,
    PLAY,
    SWAP_HANDS,
)


@njit
def next_seat(state, seat):
    """Return the seat after `seat` in the direction of play."""
    following = seat + state.direction
    if following < 0:
        return np.int64(state.players - 1)
    return np.int64(0) if following == state.players else np.int64(following)


@njit
def ask(state, phase, seat):
    """Make `seat` decide the question `phase`."""
    state.phase = phase
    state.to_move = seat


@njit
def begin_turn(state, seat):
    """Begin the turn of `seat`."""
    state.turn = seat
    state.drawn = -1
    state.uncalled = -1
    ask(state, PLAY, seat)


@njit
def finish(state):
    """End the round."""
    ask(state, OVER, -1)


@njit
def _go_out(rules, state, seat, face):
    """Let `seat` win with its last card; cards it makes the next seat draw are still drawn."""
    penalty = state.pending + penalty_of(face)
    if penalty > 0:
        draw_cards(rules, state, next_seat(state, seat), penalty)
    state.pending = 0
    state.winner = seat
    finish(state)


@njit
def _penalize(rules, state, face):
    """Let the next seat draw for a draw card at once, or leave the penalty pending if it can be answered."""
    victim = next_seat(state, state.layer)
    if rules.stacking == NO_STACKING and (face == DRAW_TWO or rules.challenge != VICTIM):
        draw_cards(rules, state, victim, penalty_of(face))
        state.turn = next_seat(state, victim)
    else:
        state.pending += penalty_of(face)
        state.turn = victim


@njit
def lay(rules, state, seat, card, color, acts):
    """Lay `card`, already out of the hand of `seat`, with `color` in force after it; its face has its effect if `acts`."""
    face = face_of(card)
    push_discard(state, card)
    state.prior_color = state.color
    state.top = card
    state.color = color
    state.layer = seat
    state.laid += 1
    state.uncalled = -1
    state.idle = 0
    state.drawn = -1
    if state.counts[seat] == 0:
        _go_out(rules, state, seat, face)
        return
    if face == REVERSE:
        state.direction = -state.direction
    if acts and (face == DRAW_TWO or face == WILD_FOUR):
        _penalize(rules, state, face)
    elif face == SKIP:
        state.turn = next_seat(state, next_seat(state, seat))
    elif face == REVERSE and state.players == 2 and rules.reverse_two == SKIP_TURN:
        state.turn = seat
    else:
        state.turn = next_seat(state, seat)
    if rules.seven_zero != NO_SWAPS:
        if rotates(rules, card):
            rotate_hands(state)
        elif swaps(rules, card):
            if state.players > 2:
                ask(state, SWAP_HANDS, seat)
                return
            swap_hands(state, 0, 1)
    settle(rules, state, CALL)


@njit
def _ask_to_jump(rules, state, seat):
    """Ask the first seat from `seat` round to the layer that may jump in; return whether there is one."""
    while True:
        if may_jump(rules, state, seat):
            ask(state, JUMP_IN, seat)
            return True
        if seat == state.layer:
            return False
        seat = next_seat(state, seat)


@njit
def _take_penalty(rules, state, seat, extra):
    draw_cards(rules, state, seat, state.pending + extra)
    state.pending = 0


@njit
def settle(rules, state, stage):
    """Ask the first open question about the card just laid from `stage` on, or begin the next turn."""
    if stage <= CALL and rules.uno_call == REQUIRED and state.counts[state.layer] == 1:
        ask(state, CALL, state.layer)
        return
    if stage <= JUMP_IN and rules.jump_in == IDENTICAL and _ask_to_jump(rules, state, next_seat(state, state.layer)):
        return
    if stage <= ANSWER and state.pending > 0:
        victim = state.turn
        if may_challenge(rules, state) or stackable_cards(rules, state, victim) != NONE:
            ask(state, ANSWER, victim)
            return
        _take_penalty(rules, state, victim, 0)
        state.turn = next_seat(state, victim)
    if stage <= CATCH_OUT and state.uncalled >= 0 and state.counts[state.uncalled] == 1:
        ask(state, CATCH_OUT, next_seat(state, state.uncalled))
        return
    begin_turn(state, state.turn)


@njit
def _play_from_hand(rules, state, seat, action):
    card = card_to_lay(state, seat, action)
    color = color_of(card) if rules.wild_color == IGNORED else color_of(action)
    take(state, seat, card)
    lay(rules, state, seat, card, color, True)


@njit
def _draw_until_playable(rules, state, seat, card):
    """Go on drawing until the card drawn last can be played or none is left; return that card."""
    while playable_cards(rules, state, seat) & (ONE << np.uint64(card)) == NONE:
        refill_before(rules, state, 1)
        if not refill_empty(rules, state):
            break
        card = pop_pile(state)
        give_unseen(state, seat, card)
    return card


@njit
def _lay_unseen(rules, state, seat, card):
    """Lay a card straight from the pile, as RLCard does with wilds and cards of the colour in force."""
    if face_of(card) < WILD:
        lay(rules, state, seat, card, color_of(card), True)
    else:
        named = below(state, 4)
        lay(rules, state, seat, card, color_of(card) if rules.wild_color == IGNORED else named, False)


@njit
def _draw(rules, state, seat):
    """Draw in one's own turn; the turn ends unless that leaves a choice."""
    if state.phase == PLAY:
        note_draw(state, seat)
    refill_before(rules, state, 1)
    if not refill_empty(rules, state):
        state.idle += 1
        end_if_idle(rules, state)
        begin_turn(state, next_seat(state, seat))
        return
    state.idle = 0
    card = pop_pile(state)
    if rules.drawn_card == RLCARD and (face_of(card) >= WILD or color_of(card) == state.color):
        _lay_unseen(rules, state, seat, card)
        return
    give_unseen(state, seat, card)
    if rules.draw_how == UNTIL_PLAYABLE:
        card = _draw_until_playable(rules, state, seat, card)
    if lays_what_fits(rules):
        note_draw(state, seat)  # what fits is not kept
    state.drawn = card
    state.phase = AFTER_DRAW
    if rules.drawn_card == KEEP_IT or rules.drawn_card == RLCARD or card_actions(rules, state) == NONE:
        begin_turn(state, next_seat(state, seat))
    elif rules.drawn_card == AUTO_PLAY and face_of(card) < WILD:
        take(state, seat, card)
        lay(rules, state, seat, card, color_of(card), True)


@njit
def _challenge(rules, state, seat):
    if is_guilty(state):
        _take_penalty(rules, state, state.layer, 0)
    else:
        _take_penalty(rules, state, seat, FAILED_CHALLENGE)
        state.turn = next_seat(state, seat)
    settle(rules, state, CATCH_OUT)


@njit
def _jump_or_not(rules, state, seat, action):
    if action == cards.JUMP:
        take(state, seat, state.top)
        lay(rules, state, seat, state.top, color_of(state.top), True)
    elif seat == state.layer or not _ask_to_jump(rules, state, next_seat(state, seat)):
        settle(rules, state, ANSWER)


@njit
def _catch_or_not(rules, state, seat, action):
    asked = next_seat(state, seat)
    if action == cards.LET_GO and asked != state.uncalled:
        ask(state, CATCH_OUT, asked)
        return
    if action != cards.LET_GO:
        draw_cards(rules, state, state.uncalled, rules.uno_penalty)
    begin_turn(state, state.turn)


@njit
def _answer_question(rules, state, seat, action):
    """Carry out one of the actions above `pass`."""
    if action == cards.CHALLENGE:
        _challenge(rules, state, seat)
    elif action == cards.ACCEPT or action == cards.TAKE:
        _take_penalty(rules, state, seat, 0)
        state.turn = next_seat(state, seat)
        settle(rules, state, CATCH_OUT)
    elif action == cards.UNO or action == cards.QUIET:
        state.uncalled = seat if action == cards.QUIET else -1
        settle(rules, state, JUMP_IN)
    elif state.phase == CATCH_OUT:
        _catch_or_not(rules, state, seat, action)
    elif state.phase == JUMP_IN:
        _jump_or_not(rules, state, seat, action)
    elif state.phase == SWAP_HANDS:
        swap_hands(state, seat, action - cards.SWAP)
        settle(rules, state, CALL)
    else:
        state.color = action - cards.COLOR
        begin_turn(state, seat)


@ops.apply_action.register(UNO_RULES)
@njit
def apply_action(rules, state, action):
    """Uno's verb `apply_action`."""
    state.decisions += 1
    seat = np.int64(state.to_move)
    if action < cards.DRAW:
        _play_from_hand(rules, state, seat, action)
    elif action == cards.DRAW:
        _draw(rules, state, seat)
    elif action <= cards.PASS:
        begin_turn(state, next_seat(state, seat))
    else:
        _answer_question(rules, state, seat, action)
    if state.winner < 0 and state.decisions >= rules.turn_limit:
        state.void = 1
    if state.void:
        finish(state)
