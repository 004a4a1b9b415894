"""Probability that an opponent with a random hand plays each card in its turn, for every previous card (card on top).

Source: paper 001, section 3.3, Algorithm 2. U is the vector of unseen cards, m their number and n the size of the hand;
the card to play is chosen at random from those that fit. The paper's T is not normalized. Here each of its columns is
the probability that the hand can play at all, times the shares of the cards. With `PAPER` both follow the paper's P_h =
1 - (1 - U / m)^n: a hand is n draws with replacement, and a card kind held twice counts once. With `DEALT_HANDS` a hand
is dealt without replacement and each of its playable cards is equally likely, which makes the turn of a single opponent
exact.

An opponent draws only if it can play nothing, plays the drawn card if it can, keeps drawing if it may, and names colors
at random.
"""

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.uno.cards import DECK, NUM_CARD_IDS, WILD, color_of, face_of
from cardgames.uno.rules.draw_how import ONE_CARD
from cardgames.uno.rules.drawn_card import MUST_KEEP, RLCARD
from cardgames.uno.rules.match import matches_by_face
from cardgames.uno.rules.wild_four import LAST_RESORT, NO_COLOR

PAPER, DEALT_HANDS = range(2)
OPPONENT_MODELS = {"paper": PAPER, "dealt": DEALT_HANDS}
"""Models of an opponent's hidden hand, by name: drawn with replacement (`paper`) or without (`dealt`)."""

ON_COLOR, ON_FACE, ON_WILD_FOUR, NO_EFFECT, TURN_PASSES, GOES_OUT = range(6)
"""Columns of a seat's play rates, which have a row for each previous card (the card on top).

The probability that a card is played is its weight times a rate: that of colored cards of the color in force
(`ON_COLOR`), of wilds and of equal faces in other colors (`ON_FACE`), of wild draw fours (`ON_WILD_FOUR`), or of wilds
without effect (`NO_EFFECT`). `TURN_PASSES` is the probability that no card is played and the previous card stays on
top, `GOES_OUT` the probability that the seat plays its last card.
"""

_COPIES = np.bincount(DECK, minlength=NUM_CARD_IDS).astype(np.float64)

_FACE_SUMS, _WILD_SUM, _WILD_FOUR_SUM = 4, 17, 18
_NUM_SUMS = 19
"""Number of sums over an array with a value for each card id.

There is a sum for each of 4 colors, for each of 13 faces of colored cards, for wilds and for wild draw fours.
"""


@njit
def unseen_copies(state, viewer, out):
    """Write the number of copies of each card id that `viewer` does not see into `out`; return their sum.

    The viewer sees the discards and its own hand. `out` is `[60] float64`.
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
def _sum_by_group(cards, out):
    """Sum `cards`, which has a value for each card id, by color, by face and by kind of wild into `out`.

    `out` is `[_NUM_SUMS] float64`; colors and faces leave out the wilds.
    """
    out[:] = 0.0
    for card in range(NUM_CARD_IDS):
        face = face_of(card)
        if face < WILD:
            out[color_of(card)] += cards[card]
            out[_FACE_SUMS + face] += cards[card]
        else:
            out[_WILD_SUM + face - WILD] += cards[card]


@njit
def _none_held_probabilities(model_id, num_unseen, hand_size, out):
    """Write the probability that a hand holds none of k given cards into `out[k]` (`[109] float64`), for each k.

    The hand has `hand_size` of the `num_unseen` unseen cards.
    """
    out[0] = 1.0
    for k in range(num_unseen):
        if model_id == PAPER:
            out[k + 1] = (1.0 - (k + 1) / num_unseen) ** hand_size
        else:
            out[k + 1] = out[k] * max(0, num_unseen - k - hand_size) / (num_unseen - k)


@njit
def _write_card_weights(model_id, num_unseen, copies, sums, hand_size, out):
    """Write the weight of every card into `out` (`[60] float64`); a hand plays cards in proportion to their weights.

    The weight is the number of unseen copies or, under the model `PAPER`, the paper's P_h. For P_h the four wilds with
    a face are one kind of card, whose weight they share.
    """
    copy_row(out, copies)
    if model_id == PAPER:
        for card in range(NUM_CARD_IDS):
            if copies[card] > 0:
                face = face_of(card)
                kind = copies[card] if face < WILD else sums[_WILD_SUM + face - WILD]
                out[card] = (1.0 - (1.0 - kind / num_unseen) ** hand_size) * copies[card] / kind


@njit
def _ratio(chance, weight):
    """Return `chance / weight`, or 0 if `weight` is 0."""
    return chance / weight if weight > 0.0 else 0.0


@njit
def _play_rates(
    rules, none_held, num_color, num_same_face, num_wilds, num_wild_fours, color_weight, weight, four_weight, out
):
    """Write the rates of cards played from a hand into `out`; return the probability that it can play none.

    A rate is a probability divided by the total weight of the cards played with it. `num_color`, `num_same_face`,
    `num_wilds` and `num_wild_fours` are the numbers of unseen cards of the color in force, of the same face in other
    colors, of wilds and of wild draw fours. `color_weight` is the weight of the cards in the first of these four
    groups, `weight` of those in the first three, `four_weight` of those in the last. `none_held[k]` is the probability
    that the hand holds none of k cards.
    """
    num_ordinary = np.int64(num_color + num_same_face + num_wilds)
    stuck = none_held[np.int64(num_ordinary + num_wild_fours)]
    if rules.wild_four == LAST_RESORT:
        out[ON_COLOR] = out[ON_FACE] = _ratio(1.0 - none_held[num_ordinary], weight)
        out[ON_WILD_FOUR] = _ratio(none_held[num_ordinary] - stuck, four_weight)
    elif rules.wild_four == NO_COLOR:
        off_color = none_held[np.int64(num_color)]
        others = weight - color_weight
        out[ON_COLOR] = _ratio(1.0 - none_held[num_ordinary], weight)
        out[ON_WILD_FOUR] = _ratio(off_color - stuck, others + four_weight)
        with_color = out[ON_COLOR] - _ratio(off_color - none_held[num_ordinary], others)
        out[ON_FACE] = max(0.0, with_color) + out[ON_WILD_FOUR]
    else:
        out[ON_COLOR] = out[ON_FACE] = out[ON_WILD_FOUR] = _ratio(1.0 - stuck, weight + four_weight)
    return stuck


@njit
def _draw_rates(
    rules,
    stuck,
    pile,
    num_color,
    num_same_face,
    num_wilds,
    num_wild_fours,
    color_weight,
    weight,
    four_weight,
    wild_weight,
    out,
):
    """Add the rates of cards that are drawn and played at once to `out`; return the probability of such a play.

    The hand draws if it can play no card, which has the probability `stuck`. The draw pile has `pile` cards, all
    unseen. The other parameters are numbers and weights of unseen cards by how they fit the top card, as in
    `_play_rates`.
    """
    if pile <= 0 or rules.drawn_card == MUST_KEEP:
        return 0.0
    if rules.drawn_card == RLCARD:
        colored, wilds = stuck * min(1.0, num_color / pile), stuck * min(1.0, (num_wilds + num_wild_fours) / pile)
        out[ON_COLOR] += _ratio(colored, color_weight)
        out[NO_EFFECT] = _ratio(wilds, wild_weight + four_weight)
        return colored + wilds
    playable = num_color + num_same_face + num_wilds + num_wild_fours
    play_probability = stuck * min(1.0, playable / pile) if rules.draw_how == ONE_CARD else stuck * (playable > 0)
    rate = _ratio(play_probability, weight + four_weight)
    out[ON_COLOR] += rate
    out[ON_FACE] += rate
    out[ON_WILD_FOUR] += rate
    return play_probability


@njit
def seat_rates(rules, model_id, num_unseen, copies, hand_size, weights, rates):
    """Write the card weights and the play rates of a seat that holds `hand_size` of the `num_unseen` unseen cards.

    `copies` (`[60] float64`) has the number of unseen copies of each card id. The results are `weights` (`[60]
    float64`) and `rates` (`[60, 6] float64`), with a row for each previous card (the card on top) and the columns
    `ON_COLOR` and following.
    """
    hand_size = min(np.int64(hand_size), num_unseen)
    card_sums, weight_sums = np.empty(_NUM_SUMS), np.empty(_NUM_SUMS)
    none_held = np.zeros(len(DECK) + 1)
    _sum_by_group(copies, card_sums)
    _write_card_weights(model_id, num_unseen, copies, card_sums, hand_size, weights)
    _sum_by_group(weights, weight_sums)
    _none_held_probabilities(model_id, num_unseen, hand_size, none_held)
    pile = num_unseen if model_id == PAPER else num_unseen - hand_size
    num_wilds, num_wild_fours, four_weight = (
        card_sums[_WILD_SUM],
        card_sums[_WILD_FOUR_SUM],
        weight_sums[_WILD_FOUR_SUM],
    )
    for top in range(NUM_CARD_IDS):
        color, face = color_of(top), face_of(top)
        out = rates[top]
        out[:] = 0.0
        num_color, color_weight = card_sums[color], weight_sums[color]
        num_same_face, same_weight = 0.0, 0.0
        if face < WILD and matches_by_face(rules, face):
            num_same_face, same_weight = (
                card_sums[_FACE_SUMS + face] - copies[top],
                weight_sums[_FACE_SUMS + face] - weights[top],
            )
        total = color_weight + same_weight + weight_sums[_WILD_SUM]
        stuck = _play_rates(
            rules, none_held, num_color, num_same_face, num_wilds, num_wild_fours, color_weight, total, four_weight, out
        )
        if hand_size == 1:
            out[ON_COLOR] = out[ON_FACE] = out[ON_WILD_FOUR] = 0.0
            out[GOES_OUT] = 1.0 - stuck
        drawn_play_probability = _draw_rates(
            rules,
            stuck,
            pile,
            num_color,
            num_same_face,
            num_wilds,
            num_wild_fours,
            color_weight,
            total,
            four_weight,
            weight_sums[_WILD_SUM],
            out,
        )
        out[TURN_PASSES] = max(0.0, stuck - drawn_play_probability)
