"""Encodings of a seat's view as zeros and ones, those of the papers and our own, and Uno's kernel for `ops.encode`."""

import numpy as np

from cardgames.core import ops
from cardgames.core.encoding import Encoding
from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.uno.cards import COLORED, KIND_OF_CARD, NUM_CARD_IDS, NUM_KINDS, WILD_FOURS, WILDS, color_of, face_of
from cardgames.uno.encodings import evidence_inputs, seat_inputs
from cardgames.uno.encodings.canonicalize import canonicalize
from cardgames.uno.encodings.color_symmetry import renaming_id
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.shown_color import PRINTED

RLCARD, COUNTS, CHEATING, SEAT, EVIDENCE, _CANONICAL_OFFSET = range(6)

_PLAIN_ENCODINGS = {
    "4x4x15": Encoding(RLCARD, (4, 4, 15), "4x4x15-canonical"),
    "54x5": Encoding(COUNTS, (270,), "54x5-canonical"),
    "cheating-7x4x15": Encoding(CHEATING, (7, 4, 15), "cheating-7x4x15-canonical"),
    "seat": Encoding(SEAT, (seat_inputs.NUM_INPUTS,), "seat-canonical"),
    "evidence": Encoding(EVIDENCE, (evidence_inputs.NUM_INPUTS,), "evidence-canonical"),
}
ENCODINGS = _PLAIN_ENCODINGS | {
    encoding.canonical: Encoding(_CANONICAL_OFFSET + encoding.encoding_id, encoding.shape)
    for encoding in _PLAIN_ENCODINGS.values()
    if encoding.canonical
}
"""Encodings by name. Those that end in `-canonical` permute the colors into a canonical order (`canonicalize`).

- `4x4x15` (papers 000 and 002, RLCard): planes of card ids held not at all, once and twice, then the top card; a wild
  shows in all four colors, so the number of wilds is lost.
- `54x5` (paper 001): input i + 54 j is 1 if exactly j cards of kind i (`cards.KIND_OF_CARD`) are held.
- `cheating-7x4x15` (paper 003): `4x4x15`, then three planes of all other hands together; it needs a state, not an
  observation.
- `seat`: our own inputs, the hand and what lies on the table (`uno.encodings.seat_inputs`).
- `evidence`: `seat`, then evidence about other hands from their draws (`uno.encodings.evidence_inputs`).
"""


@njit
def _rlcard_card_ids(cards):
    """Return the mask of card ids that RLCard's planes show for the bit mask `cards`: a wild shows in every color."""
    ids = cards & COLORED
    if cards & WILDS:
        ids |= WILDS
    if cards & WILD_FOURS:
        ids |= WILD_FOURS
    return ids


@njit
def _write_hand_planes(once, twice, offset, out):
    """Write three planes for a hand from `out[offset]` on: card ids held not at all, once and twice.

    A plane is 60 zeros and ones, one for each card id. The hand is given by its masks `once` and `twice`.
    """
    for card in range(NUM_CARD_IDS):
        out[offset + card] = 1
    shown = _rlcard_card_ids(once)
    for mask, plane, value in ((shown, 0, 0), (shown & ~twice, 1, 1), (twice, 2, 1)):
        while mask != NONE:
            out[offset + plane * NUM_CARD_IDS + lowest_bit(mask)] = value
            mask &= mask - ONE


@njit
def _write_top_plane(rules, state, offset, out):
    """Write a plane of 60 inputs from `out[offset]` on: 1 for the face of the top card in the color shown, else 0.

    The color shown is the one in force, or the one printed on a wild (rule `shown-color`).
    """
    color = color_of(state.top) if rules.shown_color == PRINTED or state.color < 0 else state.color
    out[offset + 15 * color + face_of(state.top)] = 1


@njit
def _write_other_hands(state, player, offset, out):
    """Write three planes for all hands except that of `player` together, from `out[offset]` on.

    The planes have the card ids that these hands hold not at all, once, and twice.
    """
    once, twice = NONE, NONE
    for seat in range(state.players):
        if seat != player:
            twice |= state.twice[seat] | (once & state.once[seat])
            once |= state.once[seat]
    _write_hand_planes(once, twice, offset, out)


@njit
def _write_count_planes(state, player, out):
    """Write the encoding `54x5` of the hand of `player`: input i + 54 j is 1 if it holds exactly j cards of kind i."""
    once, twice = state.once[player], state.twice[player]
    for kind in range(NUM_KINDS):
        out[kind] = 1
    mask = once & COLORED
    while mask != NONE:
        card = lowest_bit(mask)
        kind = KIND_OF_CARD[card]
        out[kind] = 0
        out[kind + NUM_KINDS * (2 if twice >> np.uint64(card) & ONE else 1)] = 1
        mask &= mask - ONE
    wilds, fours = popcount(once & WILDS), popcount(once & WILD_FOURS)
    for kind, count in ((NUM_KINDS - 2, wilds), (NUM_KINDS - 1, fours)):
        out[kind] = 0
        out[kind + NUM_KINDS * count] = 1


@njit
def _encode_plain(rules, state, player, encoding_id, out):
    """Write what `player` sees into `out` in the encoding with the id `encoding_id`, without permuting colors."""
    out[:] = 0
    if encoding_id == COUNTS:
        _write_count_planes(state, player, out)
        return
    if encoding_id == SEAT:
        seat_inputs.write_inputs(rules, state, player, out)
        return
    if encoding_id == EVIDENCE:
        evidence_inputs.write_inputs(rules, state, player, out)
        return
    _write_hand_planes(state.once[player], state.twice[player], 0, out)
    _write_top_plane(rules, state, 3 * NUM_CARD_IDS, out)
    if encoding_id == CHEATING:
        _write_other_hands(state, player, 4 * NUM_CARD_IDS, out)


@ops.encode.register(UNO_RULES)
@njit
def encode(rules, state, player, encoding_id, out):
    """Implement `ops.encode` for Uno: write what `player` sees into `out`, return the id of the symmetry applied.

    The values of `ENCODINGS` have the ids `encoding_id`. Canonical encodings permute the colors.
    """
    _encode_plain(rules, state, player, encoding_id % _CANONICAL_OFFSET, out)
    canonical = encoding_id >= _CANONICAL_OFFSET
    colors = canonicalize(rules, state, player, encoding_id - _CANONICAL_OFFSET, out) if canonical else np.int64(0)
    return renaming_id(colors, state, player)
