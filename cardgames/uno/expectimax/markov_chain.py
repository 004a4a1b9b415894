"""All opponents between two of a player's turns as one Markov chain over the card that lies on top.

Source: paper 001, section 3.3. The chain's state is the previous card, whose turn it is, the way round, and the cards its
player has been made to draw; `uno.expectimax.opponent_replies` says how likely each opponent is to lay which card. It ends when the player
is to move again or somebody goes out.

Where it is an approximation, in the paper as here: every opponent's hand is drawn from the same unseen cards, whatever the
others hold, have played or could not play. Any card may be the last. Beside the play of cards nothing happens: nobody
stacks, jumps in, challenges, swaps hands or is caught, and the piles do not run out.
"""

import numpy as np

from cardgames.kernels.jit import njit
from cardgames.uno.cards import NUM_CARD_IDS, REVERSE, SKIP, WILD, WILD_FOUR, color_of, face_of, penalty_of
from cardgames.uno.expectimax.opponent_replies import FOUR, IDLE, KEPT, ON_COLOR, ON_FACE, OUT
from cardgames.uno.rules.match import matches_by_face
from cardgames.uno.rules.reverse_two import SKIP_TURN
from cardgames.uno.rules.wild_color import IGNORED, MUST_CHANGE

MOST_DRAWN = 6
"""So many cards drawn by the chain's player are told apart; more count as so many."""
TOTAL = NUM_CARD_IDS
"""The place behind the 60 previous cards where a block of `mass` keeps its sum."""

_LAPS = 6
_SETTLED = 1e-3
_NEGLIGIBLE = 1e-4

_BY_COLOR, _BY_FACE, _BY_WILD, _BY_FOUR, _BY_IDLE, _BY_BOTH = 0, 4, 17, 21, 25, 29
_NUM_FLOWS = _BY_BOTH + NUM_CARD_IDS
"""A block's rates summed by colour, by face, by the colour before a wild, a wild draw four, a wild without effect, and by
previous card."""


@njit
def after_card(rules, players, player, seat, way, face):
    """Return who moves after `seat` laid `face` going `way` (0 clockwise, 1 back), the way then, and how many cards
    `player` has to draw for it.
    """
    step = 1 - 2 * way
    if face == REVERSE:
        if players == 2 and rules.reverse_two == SKIP_TURN:
            return seat, 1 - way, 0
        return (seat - step) % players, 1 - way, 0
    following = (seat + step) % players
    taken = penalty_of(face)
    if taken == 0 and face != SKIP:
        return following, way, 0
    return (following + step) % players, way, taken if following == player else 0


@njit
def add(mass, seat, way, drawn, top, chance):
    """Add a chance to one cell of the chain at one moment (float64 [players, 2, 7, 61]) and to its block's sum."""
    block = mass[seat, way, min(drawn, MOST_DRAWN)]
    block[top] += chance
    block[TOTAL] += chance


@njit
def _gather(rules, block, rates, flows):
    """Sum the rates of a block's previous cards, each with its chance, by what they let be laid; return the chance that
    somebody goes out.
    """
    flows[:] = 0.0
    out = 0.0
    for top in range(NUM_CARD_IDS):
        chance = block[top]
        if chance <= 0.0:
            continue
        color, face, rate = color_of(top), face_of(top), rates[top]
        flows[_BY_COLOR + color] += chance * rate[ON_COLOR]
        flows[_BY_WILD + color] += chance * rate[ON_FACE]
        flows[_BY_FOUR + color] += chance * rate[FOUR]
        flows[_BY_IDLE + color] += chance * rate[IDLE]
        if face < WILD and matches_by_face(rules, face):
            flows[_BY_FACE + face] += chance * rate[ON_FACE]
            flows[_BY_BOTH + top] = chance * rate[ON_FACE]
        out += chance * rate[OUT]
    return out


@njit
def _lay_wilds(rules, after, weights, flow, face, seat, way, drawn, named):
    """Spread the wilds of one face over the colours they may be given; `flow` has their rate by the colour in force. Where
    the colour is `named`, not drawn, it may have to be another.
    """
    weight = 0.0
    for color in range(4):
        weight += weights[15 * color + face]
    total = flow[0] + flow[1] + flow[2] + flow[3]
    if total <= 0.0:
        return
    for color in range(4):
        if rules.wild_color == IGNORED:
            chance = weights[15 * color + face] * total
        elif named and rules.wild_color == MUST_CHANGE:
            chance = weight * (total - flow[color]) / 3.0
        else:
            chance = weight * total / 4.0
        add(after, seat, way, drawn, 15 * color + face, chance)


@njit
def _take_turn(rules, player, block, after, seat, way, drawn, weights, rates, flows):
    """Let `seat` take its turn with all of one block's mass, which goes to `after`; return the chance that it goes out."""
    players = len(after)
    out = _gather(rules, block, rates, flows)
    following, _, _ = after_card(rules, players, player, seat, way, 0)
    for top in range(NUM_CARD_IDS):
        if block[top] > 0.0:
            add(after, following, way, drawn, top, block[top] * rates[top, KEPT])
    block[:] = 0.0
    for face in range(WILD):
        to, on, taken = after_card(rules, players, player, seat, way, face)
        for color in range(4):
            card = 15 * color + face
            rate = flows[_BY_COLOR + color] + flows[_BY_FACE + face] - flows[_BY_BOTH + card]
            add(after, to, on, drawn + taken, card, weights[card] * rate)
    to, on, taken = after_card(rules, players, player, seat, way, WILD_FOUR)
    _lay_wilds(rules, after, weights, flows[_BY_WILD:], WILD, following, way, drawn, True)
    _lay_wilds(rules, after, weights, flows[_BY_FOUR:], WILD_FOUR, to, on, drawn + taken, True)
    for face in (WILD, WILD_FOUR):
        _lay_wilds(rules, after, weights, flows[_BY_IDLE:], face, following, way, drawn, False)
    return out


@njit
def _with_opponents(mass, player):
    """Return the chance that `player` has not come to move yet."""
    chance = 0.0
    for parity in range(2):
        for seat in range(mass.shape[1]):
            if seat != player:
                chance += mass[parity, seat, :, :, TOTAL].sum()
    return chance


@njit
def run_chain(rules, player, mass, weights, rates):
    """Let the opponents play until `player` is to move again; return the chance that one of them went out first.

    `mass` (float64 [2, players, 2, MOST_DRAWN + 1, 61]) holds chances by parity of the turn, seat to move, way round, cards
    `player` has drawn and previous card; it starts in `mass[0]` and ends, all but a thousandth (of ten players: but seven),
    with `player`, at both parities. Who keeps the turn for `_LAPS` laps is taken to have gone out by then. `weights`
    (float64 [turns, players, 60]) and `rates` (float64 [turns, players, 60, 6]) are those of `seat_rates` for the chain's
    first turn, its second, and so on; the last serve for all later ones.
    """
    players, turns = mass.shape[1], len(weights)
    flows = np.empty(_NUM_FLOWS)
    ended, turn, moved = 0.0, 0, 1.0
    while turn < _LAPS * players and moved >= _SETTLED:
        now, after = mass[turn % 2], mass[1 - turn % 2]
        stage = min(turn, turns - 1)
        moved = 0.0
        for ahead in range(1, players):
            seat = (player + ahead) % players
            for way in range(2):
                for drawn in range(MOST_DRAWN + 1):
                    block = now[seat, way, drawn]
                    if block[TOTAL] > _NEGLIGIBLE:
                        moved += block[TOTAL]
                        ended += _take_turn(
                            rules,
                            player,
                            block,
                            after,
                            seat,
                            way,
                            drawn,
                            weights[stage, seat],
                            rates[stage, seat],
                            flows,
                        )
        turn += 1
    return ended if moved < _SETTLED else ended + _with_opponents(mass, player)
