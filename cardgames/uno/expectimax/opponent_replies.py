"""What one opponent does with a random hand: for every previous card, how likely he is to lay which card.

Source: paper 001, section 3.3, Algorithm 2: U is the vector of unseen cards, m their number, n the hand's size, and a card
that may follow is laid at random. The paper's T is not normalised. Here each of its columns is the chance that a hand can
play at all, times the shares of the cards. For `PAPER` both follow the paper's P_h = 1 - (1 - U / m)^n (a hand is n draws
with replacement, a kind held twice counts once); for `DEALT` a hand is dealt without replacement and each of its
playable cards is equally likely, which makes a single opponent's turn exact.

An opponent draws only when he can play nothing, lays what he drew if he can, goes on drawing if he may, and names
colours at random.
"""

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.uno.cards import DECK, NUM_CARD_IDS, WILD, color_of, face_of
from cardgames.uno.rules.draw_how import ONE_CARD
from cardgames.uno.rules.drawn_card import KEEP_IT, RLCARD
from cardgames.uno.rules.match import matches_by_face
from cardgames.uno.rules.wild_four import LAST_RESORT, NO_COLOR

PAPER, DEALT = range(2)
CHAINS = {"paper": PAPER, "dealt": DEALT}
"""How an opponent's hand is thought to come about, by name."""

ON_COLOR, ON_FACE, FOUR, IDLE, KEPT, OUT = range(6)
"""The columns of a seat's rates under a previous card. A card's chance of being laid is its weight times: the rate of
coloured cards of the colour in force; of equal faces in other colours and of wilds; of wild draw fours; of wilds laid
without effect. The last two are chances: the turn passes with the previous card on top; the last card is laid."""

_COPIES = np.bincount(DECK, minlength=NUM_CARD_IDS).astype(np.float64)

_FACES, _WILDS, _FOURS = 4, 17, 18
_NUM_SUMS = 19
"""Sums over a vector of cards: 4 colours, 13 faces of coloured cards, wilds, wild draw fours."""


@njit
def unseen_copies(state, viewer, out):
    """Write how many copies of each card id `viewer` sees neither in his hand nor among the discards into `out` (float64
    [60]), and return their sum.
    """
    total = np.int64(len(DECK))
    copy_row(out, _COPIES)
    for i in range(state.n_discard):
        out[state.discard[i]] -= 1
        total -= 1
    for plane in (state.once[viewer], state.twice[viewer]):
        while plane != NONE:
            out[lowest_bit(plane)] -= 1
            plane &= plane - ONE
            total -= 1
    return total


@njit
def _sums(cards, out):
    out[:] = 0.0
    for card in range(NUM_CARD_IDS):
        face = face_of(card)
        if face < WILD:
            out[color_of(card)] += cards[card]
            out[_FACES + face] += cards[card]
        else:
            out[_WILDS + face - WILD] += cards[card]


@njit
def none_held(which, unseen, hand, out):
    """Write the chance that `hand` of the `unseen` cards hold none of k given ones into `out[k]` (float64 [109])."""
    out[0] = 1.0
    for k in range(unseen):
        if which == PAPER:
            out[k + 1] = (1.0 - (k + 1) / unseen) ** hand
        else:
            out[k + 1] = out[k] * max(0, unseen - k - hand) / (unseen - k)


@njit
def _weigh(which, unseen, copies, sums, hand, out):
    """Write the weight of every card in a hand's play into `out` (float64 [60]): its copies, or the paper's P_h, where
    the four cards of a kind of wild are one kind.
    """
    copy_row(out, copies)
    if which == PAPER:
        for card in range(NUM_CARD_IDS):
            if copies[card] > 0:
                face = face_of(card)
                kind = copies[card] if face < WILD else sums[_WILDS + face - WILD]
                out[card] = (1.0 - (1.0 - kind / unseen) ** hand) * copies[card] / kind


@njit
def _share(chance, weight):
    return chance / weight if weight > 0.0 else 0.0


@njit
def _play_rates(rules, none, k, same, wild, four, color_weight, weight, four_weight, out):
    """Write the rates of cards laid from a hand: `k`, `same`, `wild`, `four` are the numbers of unseen cards of the
    colour in force, of equal faces elsewhere, of wilds and of wild draw fours; the weights are those of the first, the first
    three and the last.
    """
    plain = np.int64(k + same + wild)
    stuck = none[np.int64(plain + four)]
    if rules.wild_four == LAST_RESORT:
        out[ON_COLOR] = out[ON_FACE] = _share(1.0 - none[plain], weight)
        out[FOUR] = _share(none[plain] - stuck, four_weight)
    elif rules.wild_four == NO_COLOR:
        off_color = none[np.int64(k)]
        others = weight - color_weight
        out[ON_COLOR] = _share(1.0 - none[plain], weight)
        out[FOUR] = _share(off_color - stuck, others + four_weight)
        with_color = out[ON_COLOR] - _share(off_color - none[plain], others)
        out[ON_FACE] = max(0.0, with_color) + out[FOUR]
    else:
        out[ON_COLOR] = out[ON_FACE] = out[FOUR] = _share(1.0 - stuck, weight + four_weight)
    return stuck


@njit
def _draw_rates(rules, stuck, pile, k, same, wild, four, color_weight, weight, four_weight, wild_weight, out):
    """Add the rates of cards drawn by a hand that is stuck and laid at once; return the chance that one is laid."""
    if pile <= 0 or rules.drawn_card == KEEP_IT:
        return 0.0
    if rules.drawn_card == RLCARD:
        colored, wilds = stuck * min(1.0, k / pile), stuck * min(1.0, (wild + four) / pile)
        out[ON_COLOR] += _share(colored, color_weight)
        out[IDLE] = _share(wilds, wild_weight + four_weight)
        return colored + wilds
    playable = k + same + wild + four
    laid = stuck * min(1.0, playable / pile) if rules.draw_how == ONE_CARD else stuck * (playable > 0)
    rate = _share(laid, weight + four_weight)
    out[ON_COLOR] += rate
    out[ON_FACE] += rate
    out[FOUR] += rate
    return laid


@njit
def seat_rates(rules, which, unseen, copies, hand, weights, rates):
    """Write what a seat with `hand` of the `unseen` cards does: its cards' `weights` (float64 [60]) and the `rates` under
    every previous card (float64 [60, 6]).
    """
    hand = min(np.int64(hand), unseen)
    number, weight = np.empty(_NUM_SUMS), np.empty(_NUM_SUMS)
    none = np.zeros(len(DECK) + 1)
    _sums(copies, number)
    _weigh(which, unseen, copies, number, hand, weights)
    _sums(weights, weight)
    none_held(which, unseen, hand, none)
    pile = unseen if which == PAPER else unseen - hand
    wild, four, four_weight = number[_WILDS], number[_FOURS], weight[_FOURS]
    for top in range(NUM_CARD_IDS):
        color, face = color_of(top), face_of(top)
        out = rates[top]
        out[:] = 0.0
        k, color_weight = number[color], weight[color]
        same, same_weight = 0.0, 0.0
        if face < WILD and matches_by_face(rules, face):
            same, same_weight = number[_FACES + face] - copies[top], weight[_FACES + face] - weights[top]
        total = color_weight + same_weight + weight[_WILDS]
        stuck = _play_rates(rules, none, k, same, wild, four, color_weight, total, four_weight, out)
        if hand == 1:
            out[ON_COLOR] = out[ON_FACE] = out[FOUR] = 0.0
            out[OUT] = 1.0 - stuck
        laid = _draw_rates(
            rules, stuck, pile, k, same, wild, four, color_weight, total, four_weight, weight[_WILDS], out
        )
        out[KEPT] = max(0.0, stuck - laid)
