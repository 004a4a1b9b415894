"""Course of a turn: a card is played, takes effect and opens further decisions; the kernel for `ops.apply_action`.

After a card is played, `ask_open_questions` looks for open decisions in the order of `docs/reference/uno.md`: uno call,
jump-in, answer to a penalty, catching a missing uno call. The numbers of the phases have the same order, so every
decision resumes the search at the next phase.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.uno import cards
from cardgames.uno.cards import DRAW_TWO, REVERSE, SKIP, WILD, WILD_FOUR, color_of, draw_penalty, face_of
from cardgames.uno.legal import card_actions, playable_cards, stackable_cards
from cardgames.uno.piles import (
    add_drawn_card,
    card_for_action,
    draw_cards,
    pop_pile,
    push_discard,
    record_draw,
    remove_from_hand,
)
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.challenge import (
    FAILED_CHALLENGE_CARDS,
    VICTIM,
    may_challenge,
    was_bluff,
)
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.drawn_card import AUTO_PLAY, MUST_KEEP, RLCARD, always_plays_drawn_card
from cardgames.uno.rules.empty_piles import end_if_idle
from cardgames.uno.rules.jump_in import IDENTICAL, may_jump
from cardgames.uno.rules.refill import refill_before, refill_empty
from cardgames.uno.rules.reverse_two import SKIP_TURN
from cardgames.uno.rules.seven_zero import (
    NO_SWAPS,
    is_rotation_card,
    is_swap_card,
    rotate_hands,
    swap_hands,
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
    """Set the decision due: the given `phase`, to be decided by `seat` (-1: nobody)."""
    state.phase = phase
    state.to_move = seat


@njit
def begin_turn(state, seat):
    """Begin the turn of `seat`, which may play or draw; a missing uno call can no longer be caught."""
    state.turn = seat
    state.drawn = -1
    state.uncalled = -1
    ask(state, PLAY, seat)


@njit
def _end_round(state):
    """Set the phase to `OVER`, with no seat to move."""
    ask(state, OVER, -1)


@njit
def _go_out(rules, state, seat, face):
    """End the round: `seat` wins with its last card, which has this `face`.

    The next seat still draws for that card and for what is pending.
    """
    penalty = state.pending + draw_penalty(face)
    if penalty > 0:
        draw_cards(rules, state, next_seat(state, seat), penalty)
    state.pending = 0
    state.winner = seat
    _end_round(state)


@njit
def _penalize(rules, state, face):
    """Make the next seat draw for the draw card with this `face` just played, or leave the penalty pending.

    It stays pending if the rules would let that seat answer it by stacking or by a challenge.
    """
    victim = next_seat(state, state.top_card_seat)
    if rules.stacking == NO_STACKING and (face == DRAW_TWO or rules.challenge != VICTIM):
        draw_cards(rules, state, victim, draw_penalty(face))
        state.turn = next_seat(state, victim)
    else:
        state.pending += draw_penalty(face)
        state.turn = victim


@njit
def place_card(rules, state, seat, card, color, has_effect):
    """Put `card`, already removed from the hand of `seat`, on the discard pile and apply its effect.

    The color index `color` is in force afterwards. A draw card makes the next seat draw only if `has_effect`. The next
    decision is then due: of an uno call, say, or of the next turn.
    """
    face = face_of(card)
    push_discard(state, card)
    state.prior_color = state.color
    state.top = card
    state.color = color
    state.top_card_seat = seat
    state.laid += 1
    state.uncalled = -1
    state.idle = 0
    state.drawn = -1
    if state.counts[seat] == 0:
        _go_out(rules, state, seat, face)
        return
    if face == REVERSE:
        state.direction = -state.direction
    if has_effect and (face == DRAW_TWO or face == WILD_FOUR):
        _penalize(rules, state, face)
    elif face == SKIP:
        state.turn = next_seat(state, next_seat(state, seat))
    elif face == REVERSE and state.players == 2 and rules.reverse_two == SKIP_TURN:
        state.turn = seat
    else:
        state.turn = next_seat(state, seat)
    if rules.seven_zero != NO_SWAPS:
        if is_rotation_card(rules, card):
            rotate_hands(state)
        elif is_swap_card(rules, card):
            if state.players > 2:
                ask(state, SWAP_HANDS, seat)
                return
            swap_hands(state, 0, 1)
    ask_open_questions(rules, state, CALL)


@njit
def _ask_to_jump_in(rules, state, seat):
    """Ask the first seat that may jump in, and return whether there is one.

    Seats are tried from `seat` on in the direction of play, up to the seat that played the top card.
    """
    while True:
        if may_jump(rules, state, seat):
            ask(state, JUMP_IN, seat)
            return True
        if seat == state.top_card_seat:
            return False
        seat = next_seat(state, seat)


@njit
def _take_penalty(rules, state, seat, extra):
    """Make `seat` draw the pending cards and `extra` more, and clear the pending penalty."""
    draw_cards(rules, state, seat, state.pending + extra)
    state.pending = 0


@njit
def ask_open_questions(rules, state, stage):
    """Set the first decision about the top card that is open, from phase `stage` on, or begin the next turn."""
    if stage <= CALL and rules.uno_call == REQUIRED and state.counts[state.top_card_seat] == 1:
        ask(state, CALL, state.top_card_seat)
        return
    if (
        stage <= JUMP_IN
        and rules.jump_in == IDENTICAL
        and _ask_to_jump_in(rules, state, next_seat(state, state.top_card_seat))
    ):
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
    """Play the card named by the action id `action` (below 60) from the hand of `seat`."""
    card = card_for_action(state, seat, action)
    color = color_of(card) if rules.wild_color == IGNORED else color_of(action)
    remove_from_hand(state, seat, card)
    place_card(rules, state, seat, card, color, True)


@njit
def _draw_until_playable(rules, state, seat, card):
    """Let `seat` draw until the last drawn card can be played or no card is left, and return that card.

    `card` is the card already drawn.
    """
    while playable_cards(rules, state, seat) & (ONE << np.uint64(card)) == NONE:
        refill_before(rules, state, 1)
        if not refill_empty(rules, state):
            break
        card = pop_pile(state)
        add_drawn_card(state, seat, card)
    return card


@njit
def _play_from_pile(rules, state, seat, card):
    """Play `card` for `seat` straight from the draw pile, as RLCard does with wilds and cards of the color in force.

    A wild puts a random color in force (under `wild-color=ignored` the one printed on it) and makes nobody draw.
    """
    if face_of(card) < WILD:
        place_card(rules, state, seat, card, color_of(card), True)
    else:
        random_color = below(state, 4)
        place_card(rules, state, seat, card, color_of(card) if rules.wild_color == IGNORED else random_color, False)


@njit
def _draw(rules, state, seat):
    """Carry out the action `draw` of `seat`; its turn ends unless it may still decide to play a card or draw again."""
    if state.phase == PLAY:
        record_draw(state, seat)
    refill_before(rules, state, 1)
    if not refill_empty(rules, state):
        state.idle += 1
        end_if_idle(rules, state)
        begin_turn(state, next_seat(state, seat))
        return
    state.idle = 0
    card = pop_pile(state)
    if rules.drawn_card == RLCARD and (face_of(card) >= WILD or color_of(card) == state.color):
        _play_from_pile(rules, state, seat, card)
        return
    add_drawn_card(state, seat, card)
    if rules.draw_how == UNTIL_PLAYABLE:
        card = _draw_until_playable(rules, state, seat, card)
    if always_plays_drawn_card(rules):
        record_draw(state, seat)  # a playable drawn card is never kept
    state.drawn = card
    state.phase = AFTER_DRAW
    if rules.drawn_card == MUST_KEEP or rules.drawn_card == RLCARD or card_actions(rules, state) == NONE:
        begin_turn(state, next_seat(state, seat))
    elif rules.drawn_card == AUTO_PLAY and face_of(card) < WILD:
        remove_from_hand(state, seat, card)
        place_card(rules, state, seat, card, color_of(card), True)


@njit
def _resolve_challenge(rules, state, seat):
    """Make the loser of the challenge by `seat` draw, and set the next decision.

    After a bluff the player of the wild draw four draws the pending cards. Otherwise `seat` draws them and
    `FAILED_CHALLENGE_CARDS` more, and loses its turn.
    """
    if was_bluff(state):
        _take_penalty(rules, state, state.top_card_seat, 0)
    else:
        _take_penalty(rules, state, seat, FAILED_CHALLENGE_CARDS)
        state.turn = next_seat(state, seat)
    ask_open_questions(rules, state, CATCH_OUT)


@njit
def _resolve_jump_in(rules, state, seat, action):
    """Carry out the decision of `seat` whether to jump in; if it does not, the next seat that may jump in is asked."""
    if action == cards.JUMP:
        remove_from_hand(state, seat, state.top)
        place_card(rules, state, seat, state.top, color_of(state.top), True)
    elif seat == state.top_card_seat or not _ask_to_jump_in(rules, state, next_seat(state, seat)):
        ask_open_questions(rules, state, ANSWER)


@njit
def _resolve_catch(rules, state, seat, action):
    """Carry out the decision of `seat` whether to catch the player who did not call uno.

    A caught player draws `uno-penalty` cards; if `seat` does not catch, the next seat is asked.
    """
    next_catcher = next_seat(state, seat)
    if action == cards.LET_GO and next_catcher != state.uncalled:
        ask(state, CATCH_OUT, next_catcher)
        return
    if action != cards.LET_GO:
        draw_cards(rules, state, state.uncalled, rules.uno_penalty)
    begin_turn(state, state.turn)


@njit
def _answer_question(rules, state, seat, action):
    """Carry out an action with an id above `pass`.

    Such actions answer a penalty, call uno, catch, jump in, swap hands or name the color of a wild start card.
    """
    if action == cards.CHALLENGE:
        _resolve_challenge(rules, state, seat)
    elif action == cards.ACCEPT or action == cards.TAKE:
        _take_penalty(rules, state, seat, 0)
        state.turn = next_seat(state, seat)
        ask_open_questions(rules, state, CATCH_OUT)
    elif action == cards.UNO or action == cards.QUIET:
        state.uncalled = seat if action == cards.QUIET else -1
        ask_open_questions(rules, state, JUMP_IN)
    elif state.phase == CATCH_OUT:
        _resolve_catch(rules, state, seat, action)
    elif state.phase == JUMP_IN:
        _resolve_jump_in(rules, state, seat, action)
    elif state.phase == SWAP_HANDS:
        swap_hands(state, seat, action - cards.SWAP)
        ask_open_questions(rules, state, CALL)
    else:
        state.color = action - cards.COLOR
        begin_turn(state, seat)


@ops.apply_action.register(UNO_RULES)
@njit
def apply_action(rules, state, action):
    """Implement `ops.apply_action` for Uno: change `state` by the legal `action` of the seat to move."""
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
        _end_round(state)
