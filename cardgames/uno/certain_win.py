"""Certain wins: own actions that end the round with a win whatever the others hold, draw and do (`ops.certain_win`).

With two players a skip, a draw card and (under `reverse-two=skip`) a reverse leave the turn with the player, so that a
hand of such cards may be played down to the last card in one turn. Under `jump-in` a player may follow a card by its
twin. The search plays the own hand depth first, with the kernels of the game, on a state in which every other hand has
all cards that it could possibly hold. A sequence that gives another seat a decision that could hurt is given up.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE, popcount
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.uno import cards
from cardgames.uno.cards import (
    COLOR_MASK,
    DRAW_TWO,
    FACE_MASK,
    NUM_CARDS,
    REVERSE,
    SKIP,
    WILD_FOUR,
    WILD_FOURS,
    count_of,
    draw_penalty,
    face_of,
)
from cardgames.uno.information_set import unseen_cards
from cardgames.uno.legal import legal_actions
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.challenge import FAILED_CHALLENGE_CARDS, VICTIM, may_challenge, was_bluff
from cardgames.uno.rules.jump_in import NO_JUMPING
from cardgames.uno.rules.last_card import allowed_last_cards
from cardgames.uno.rules.reverse_two import SKIP_TURN
from cardgames.uno.rules.seven_zero import is_rotation_card, is_swap_card
from cardgames.uno.rules.stacking import NO_STACKING, stackable
from cardgames.uno.rules.wild_color import MUST_CHANGE
from cardgames.uno.state import ANSWER, OVER, PLAY, STATE
from cardgames.uno.turn import apply_action, next_seat

_NODE_LIMIT = 5_000
"""Number of actions tried after which the search gives up; hands that need more hardly occur."""
_ALL_CARDS = (ONE << np.uint64(60)) - ONE
_HIDDEN_DECISIONS = 2
"""Greatest number of private decisions that may follow a decision seen by all: not to jump in, then to keep or take."""

_OTHER_DECISIONS = 4
"""Greatest number of own decisions besides two for each card, to play it and not to follow it by its twin at once.

They are the uno call and, before the turn, a color, a catch or a challenge, and not jumping in.
"""
_STACK_DECISIONS = 2
"""Greatest number of decisions of another seat that stacks a card: to stack it and to call uno."""


@njit
def _keeps_turn(rules, seats):
    """Return the bit mask of cards after which a player moves again if nobody interferes, with `seats` players."""
    if seats > 2:
        return np.uint64(0)
    mask = FACE_MASK[SKIP] | FACE_MASK[DRAW_TWO] | WILD_FOURS
    return mask | FACE_MASK[REVERSE] if rules.reverse_two == SKIP_TURN else mask


@njit
def _may_exist(rules, state, me):
    """Return whether the hand of `me` could be played down in one turn: a quick test that rejects almost all hands.

    At most the last card passes the turn on; under `jump-in`, the last two if they are twins.
    """
    passing = ~_keeps_turn(rules, state.players)
    n = count_of(state.once[me], state.twice[me], passing)
    return n <= 1 or (n == 2 and rules.jump_in != NO_JUMPING and state.twice[me] & passing != NONE)


@njit
def _fill_other_hands(rules, observation, state, me):
    """Give every other hand of `state` all cards that it may hold, and return the mask of cards that `me` does not see.

    A hand that the observer knows completely keeps just its cards. The sizes of the hands stay as they are. Without
    stacking and jumping in the cards of the others do not matter, and the masks are 0.
    """
    for seat in range(state.players):
        if seat != me and observation.viewer != me:
            state.once[seat] = state.twice[seat] = NONE
    unseen = NONE
    if rules.jump_in != NO_JUMPING or rules.stacking != NO_STACKING:
        ids = np.empty(NUM_CARDS, np.uint8)
        for i in range(unseen_cards(state, ids)):
            unseen |= ONE << np.uint64(ids[i])
    for seat in range(state.players):
        if seat != me and popcount(state.once[seat]) + popcount(state.twice[seat]) < state.counts[seat]:
            state.once[seat] |= unseen
    return unseen


@njit
def _is_safe_answer(observation, state, me, action):
    """Return whether an action above 60 keeps a certain win possible: it does not give the turn away.

    A challenge must be sure to succeed, by a card that `me` knows in the challenged hand. `quiet` and `let go` are never
    better than `uno` and `catch`.
    """
    if action == cards.CHALLENGE:
        known = observation.once[state.top_card_seat] if observation.viewer == me else NONE
        return known & COLOR_MASK[state.prior_color] != NONE and (state.uncalled < 0 or state.n_pile > 0)
    return (
        action == cards.UNO
        or action == cards.JUMP
        or action == cards.NO_JUMP
        or action >= cards.COLOR
        or cards.CATCH <= action < cards.SWAP
    )


@njit
def _is_play(action):
    """Return whether an action puts a card of the hand on the discard pile."""
    return action < cards.DRAW or action == cards.JUMP


@njit
def _penalty_after(state, me, action):
    """Return how many cards are pending or drawn by another seat after an own `action` that does not win at once."""
    penalty = np.int64(state.pending)
    if _is_play(action):
        penalty += draw_penalty(face_of(action if action < cards.DRAW else np.int64(state.top)))
    return penalty


@njit
def _possible_stacks(rules, state, victim, top):
    """Return the bit mask of cards by which `victim`, in the worst case, could answer the draw card `top`."""
    candidates = state.once[victim] & stackable(rules, top)
    return allowed_last_cards(rules, candidates) if state.counts[victim] == 1 else candidates


@njit
def _beats_stacks(rules, state, me, stacks):
    """Return whether the only card of `me` wins whether or not the other seat stacks one of the cards `stacks`.

    It does if it can be stacked on each of them. `state` is what follows if it does not.
    """
    if state.players > 2 or state.counts[me] != 1 or state.phase != PLAY or rules.jump_in != NO_JUMPING:
        return False
    if stacks & FACE_MASK[DRAW_TWO] and state.once[me] & stackable(rules, DRAW_TWO) == NONE:
        return False
    if stacks & WILD_FOURS and state.once[me] & stackable(rules, WILD_FOUR) == NONE:
        return False
    is_color_free = rules.wild_color != MUST_CHANGE or state.once[me] & WILD_FOURS == NONE
    return is_color_free and state.decisions + _STACK_DECISIONS < rules.turn_limit


@njit
def _forget_hands(state, me, unseen, is_pile_enough):
    """Let every other hand hold any card that `me` does not see, since seats draw.

    If the pile may be too short for that, discards are shuffled into it, and they may hold any card.
    """
    drawable = unseen if is_pile_enough else _ALL_CARDS
    for seat in range(state.players):
        if seat != me:
            state.once[seat] |= drawable


@njit
def _reaches_own_decision(rules, state, me):
    """Let the others decide what does not matter, and return whether `me` decides next or has won."""
    while state.to_move != me:
        if state.phase == OVER:
            return state.winner == me
        if state.phase != ANSWER or state.top_card_seat != me:
            return False
        if may_challenge(rules, state) and was_bluff(state):
            return False
        # a challenge that fails costs the challenger two cards more, and the turn all the same
        apply_action(rules, state, np.int64(cards.ACCEPT))
    return state.phase != OVER


@njit
def _play_on(rules, state, me, action, unseen, following):
    """Fill `following` with `state` after an own `action` up to the next own decision or the end of the round.

    Returns:
        False if another seat may interfere, or if the hand or the turn is given away.
    """
    copy_record(following, state)
    wins = _is_play(action) and state.counts[me] == 1
    top = action if action < cards.DRAW else np.int64(state.top)
    if not wins and _is_play(action) and (is_rotation_card(rules, top) or is_swap_card(rules, top)):
        return False
    penalty = _penalty_after(state, me, action)
    may_be_challenged = rules.challenge == VICTIM and face_of(top) == WILD_FOUR
    is_pile_enough = state.n_pile >= penalty + FAILED_CHALLENGE_CARDS * may_be_challenged
    if penalty > 0 and rules.stacking == NO_STACKING:
        _forget_hands(following, me, unseen, is_pile_enough)  # the cards are drawn before anybody may jump in
    apply_action(rules, following, action)
    if not _reaches_own_decision(rules, following, me):
        return False
    if wins or penalty == 0 or (following.pending > 0 and following.phase != ANSWER):
        return True  # nobody has had to answer a penalty
    victim = next_seat(state, me) if _is_play(action) else np.int64(state.turn)
    if action != cards.CHALLENGE and victim != me:
        stacks = _possible_stacks(rules, state, victim, top)
        if stacks != NONE and (state.counts[victim] == 1 or not _beats_stacks(rules, following, me, stacks)):
            return False
    _forget_hands(following, me, unseen, is_pile_enough)
    return True


@njit
def _search(rules, observation, states, me, unseen, out):
    """Search depth first from `states[0]`; write the actions of the first sequence that wins, and return their number.

    `states` is working memory: state records, one more than the greatest number of actions.
    """
    options = np.empty((len(states), cards.NUM_ACTIONS), np.int32)
    num_options, tried = np.zeros(len(states), np.int64), np.zeros(len(states), np.int64)
    num_options[0] = legal_actions(rules, states[0], options[0])
    depth = 0
    for _ in range(_NODE_LIMIT):
        while depth >= 0 and (tried[depth] == num_options[depth] or depth == len(states) - 1):
            depth -= 1
        if depth < 0:
            return np.int64(0)
        action = np.int64(options[depth, tried[depth]])
        tried[depth] += 1
        if action >= cards.DRAW and not _is_safe_answer(observation, states[depth], me, action):
            continue
        if not _play_on(rules, states[depth], me, action, unseen, states[depth + 1]):
            continue
        out[depth] = action
        depth += 1
        if states[depth].phase == OVER:
            return np.int64(depth)
        num_options[depth], tried[depth] = legal_actions(rules, states[depth], options[depth]), 0
    return np.int64(0)


@ops.certain_win.register(UNO_RULES)
@njit
def certain_win(rules, observation, out):
    """Implement `ops.certain_win` for Uno.

    All certain wins of one turn are found, except those that need a hand received by a seven or zero, or cards to come,
    and except in hands of so many cards that the search gives up.
    """
    me = np.int64(observation.to_move)
    if me < 0 or not _may_exist(rules, observation, me):
        return np.int64(0)
    longest = min(len(out), 2 * observation.counts[me] + _OTHER_DECISIONS)
    states = np.empty(longest + 1, STATE)
    root = states[0]
    copy_record(root, observation)
    if observation.viewer >= 0:
        # the decisions seen; those that others made in private count towards the turn limit too
        root.decisions += _HIDDEN_DECISIONS * observation.decisions
    unseen = _fill_other_hands(rules, observation, root, me)
    return _search(rules, observation, states, me, unseen, out)
