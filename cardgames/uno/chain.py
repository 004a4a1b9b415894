"""All opponents between two of a player's turns as one Markov chain over the card that lies on top.

Source: paper 001, section 3.3. The chain's state is the previous card, whose turn it is, the way round, and the cards its
player has been made to draw; `uno.replies` says how likely each opponent is to lay which card. It ends when the player
is to move again or somebody goes out.

Where it is an approximation, in the paper as here: every opponent's hand is drawn from the same unseen cards, whatever the
others hold, have played or could not play; hand sizes stay as they are at its beginning. Beside the play of cards
nothing happens: nobody stacks, jumps in, challenges, swaps hands or is caught, and the piles do not run out.
"""

import numpy as np

from cardgames.core.jit import njit
from cardgames.uno.cards import DRAW_TWO, NUM_CARD_IDS, REVERSE, SKIP, WILD, WILD_FOUR, color_of, face_of
from cardgames.uno.replies import FOUR, IDLE, KEPT, ON_COLOR, ON_FACE, OUT
from cardgames.uno.rules.match import SYMBOL
from cardgames.uno.rules.reverse_two import SKIP_TURN
from cardgames.uno.rules.wild_color import IGNORED, MUST_CHANGE

MOST_DRAWN = 6
"""So many cards drawn by the chain's player are told apart; more count as so many."""
TOTAL = NUM_CARD_IDS
"""The place behind the 60 previous cards where a block of `mass` keeps its sum."""

_SWEEPS = 24
_SETTLED = 1e-3
_NEGLIGIBLE = 1e-6

_BY_COLOR, _BY_FACE, _BY_WILD, _BY_FOUR, _BY_IDLE, _BY_BOTH = 0, 4, 17, 21, 25, 26
_NUM_FLOWS = _BY_BOTH + NUM_CARD_IDS
"""A block's rates summed by colour, face, colour before a wild or a wild draw four, in all, and by previous card."""


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
    if face != SKIP and face != DRAW_TWO and face != WILD_FOUR:
        return following, way, 0
    taken = 0
    if following == player and face != SKIP:
        taken = 2 if face == DRAW_TWO else 4
    return (following + step) % players, way, taken


@njit
def add(mass, seat, way, drawn, top, chance):
    """Add a chance to one cell of the chain and to its block's sum."""
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
        flows[_BY_IDLE] += chance * rate[IDLE]
        if face < WILD and (rules.match == SYMBOL or face < SKIP):
            flows[_BY_FACE + face] += chance * rate[ON_FACE]
            flows[_BY_BOTH + top] = chance * rate[ON_FACE]
        out += chance * rate[OUT]
    return out


@njit
def _lay_wilds(rules, mass, weights, flows, by, face, seat, way, drawn):
    """Spread the wilds of one face over the colours they may be given."""
    weight = 0.0
    for color in range(4):
        weight += weights[15 * color + face]
    total = flows[by] + flows[by + 1] + flows[by + 2] + flows[by + 3]
    for color in range(4):
        if rules.wild_color == IGNORED:
            chance = weights[15 * color + face] * total
        elif rules.wild_color == MUST_CHANGE:
            chance = weight * (total - flows[by + color]) / 3.0
        else:
            chance = weight * total / 4.0
        add(mass, seat, way, drawn, 15 * color + face, chance)


@njit
def _take_turn(rules, players, player, mass, seat, way, drawn, weights, rates, flows):
    """Let `seat` take its turn with all of one block's mass; return the chance that it goes out."""
    block = mass[seat, way, drawn]
    out = _gather(rules, block, rates, flows)
    following, _, _ = after_card(rules, players, player, seat, way, 0)
    idle = np.zeros(4)
    for top in range(NUM_CARD_IDS):
        chance = block[top]
        block[top] = 0.0
        if chance > 0.0:
            add(mass, following, way, drawn, top, chance * rates[top, KEPT])
    block[TOTAL] = 0.0
    for face in range(WILD):
        to, on, taken = after_card(rules, players, player, seat, way, face)
        for color in range(4):
            card = 15 * color + face
            rate = flows[_BY_COLOR + color] + flows[_BY_FACE + face] - flows[_BY_BOTH + card]
            add(mass, to, on, drawn + taken, card, weights[card] * rate)
    to, on, taken = after_card(rules, players, player, seat, way, WILD_FOUR)
    _lay_wilds(rules, mass, weights, flows, _BY_WILD, WILD, following, way, drawn)
    _lay_wilds(rules, mass, weights, flows, _BY_FOUR, WILD_FOUR, to, on, drawn + taken)
    if flows[_BY_IDLE] > 0.0:
        idle[0] = flows[_BY_IDLE]
        for face in (WILD, WILD_FOUR):
            _lay_wilds(rules, mass, weights, idle, 0, face, following, way, drawn)
    return out


@njit
def run_chain(rules, players, player, mass, weights, rates):
    """Let the opponents play until `player` is to move again, and return the chance that one of them went out first.

    `mass` (float64 [players, 2, MOST_DRAWN + 1, 61]) holds chances by seat to move, way round, cards `player` has drawn and
    previous card; in the end all of it but a thousandth lies with `player`. `weights` (float64 [players, 60]) and
    `rates` (float64 [players, 60, 6]) are those of `seat_rates`.
    """
    flows = np.empty(_NUM_FLOWS)
    ended = 0.0
    for _ in range(_SWEEPS):
        moved = 0.0
        for ahead in range(1, players):
            seat = (player + ahead) % players
            for way in range(2):
                for drawn in range(MOST_DRAWN + 1):
                    chance = mass[seat, way, drawn, TOTAL]
                    if chance > _NEGLIGIBLE:
                        moved += chance
                        ended += _take_turn(
                            rules, players, player, mass, seat, way, drawn, weights[seat], rates[seat], flows
                        )
        if moved < _SETTLED:
            break
    return ended
