"""State record of one round of Uno: a NumPy record without pointers, so that a copy of it is a single assignment.

A record with a seat in the field `viewer` is an observation of that seat. Hidden hands then hold only the cards that
the viewer knows to be there, while `counts` has the sizes of all hands. The draw pile, the random stream and private
decisions are blank.
"""

from typing import Any

from cardgames.kernels.record_type import new_record, record_type
from cardgames.uno.cards import MAX_PLAYERS, NUM_CARDS
from cardgames.uno.cards_since_draw import ALL_UNKNOWN

PLAY, AFTER_DRAW, OPENER_COLOR, SWAP_HANDS, CALL, JUMP_IN, ANSWER, CATCH_OUT, OVER, WAIT = range(10)
"""Phases of a round, named after the decision that the seat to move has to make.

- `PLAY`: play or draw.
- `AFTER_DRAW`: play or not after drawing.
- `OPENER_COLOR`: name the color of a wild start card.
- `SWAP_HANDS`: choose whom to swap hands with.
- `CALL`: call uno.
- `JUMP_IN`: jump in.
- `ANSWER`: answer a pending penalty.
- `CATCH_OUT`: catch a player who did not call uno.
- `OVER`: none, the round is over.
- `WAIT`: in observations only, a decision that is hidden from the viewer.
"""

PHASES = ("play", "after-draw", "color", "swap", "uno", "jump", "answer", "catch", "over", "wait")

STATE = record_type(
    __name__,
    "STATE",
    [
        ("once", "u8", (MAX_PLAYERS,)),  # cards held at least once, one bit for each card id
        ("twice", "u8", (MAX_PLAYERS,)),  # cards held twice, a subset of `once`
        ("rng", "u8"),  # random stream of the round's chance events
        ("pile", "u1", (NUM_CARDS,)),  # draw pile, next card last
        ("discard", "u1", (NUM_CARDS,)),  # discard pile, bottom first
        ("counts", "i2", (MAX_PLAYERS,)),  # number of cards in each hand
        ("cards_since_draw", "u2", (MAX_PLAYERS,)),  # public evidence from each seat's draws (`uno.cards_since_draw`)
        ("n_pile", "i2"),
        ("n_fixed", "i2"),  # number of cards at the end of the pile in a fixed order; the others are drawn at random
        ("n_discard", "i2"),
        ("players", "i2"),
        ("dealer", "i2"),
        ("to_move", "i2"),  # seat that decides now, -1 if none
        ("turn", "i2"),  # seat whose turn it is, or will be once the open questions about the last card are answered
        ("direction", "i2"),  # +1 or -1
        ("phase", "i2"),
        ("top", "i2"),  # card id
        ("color", "i2"),  # color in force, -1 if not named yet
        ("prior_color", "i2"),  # color in force before the top card was played
        ("top_card_seat", "i2"),  # seat that played the top card, -1 for the start card
        ("pending", "i2"),  # number of cards that the next seat must draw or pass on by stacking
        ("drawn", "i2"),  # card just drawn that may be played, else -1
        ("uncalled", "i2"),  # seat that did not call uno and can be caught, else -1
        ("idle", "i2"),  # number of idle turns in a row
        ("winner", "i2"),  # -1 if none
        ("void", "i2"),  # 1 if the round ended without a winner
        ("viewer", "i2"),  # -1 in a state, the seat in an observation
        ("clock", "i2"),  # number of wilds received so far, the time that `received` uses
        (
            "received",
            "i2",
            (8,),
        ),  # time at which each wild, 2 * printed color + (face is wild four), last came to a hand
        # takes the place of padding, whose bytes would be undefined: observations are compared byte by byte
        ("spare", "i2", (3,)),
        ("decisions", "i4"),  # number of actions applied so far
        ("laid", "i4"),  # number of cards played so far
    ],
    align=True,
)
MAX_CLOCK = 32_000
"""Highest value of `clock`, the number of wilds received so far; then the times in `received` are renumbered.

This keeps the int16 fields from overflowing.
"""


def blank(players: int) -> Any:
    """Return the state record of a round without cards for this number of players; other fields have start values."""
    record = new_record(STATE)
    record.players = players
    for field in ("to_move", "top_card_seat", "drawn", "uncalled", "winner", "viewer", "color", "prior_color"):
        record[field] = -1
    record.direction = 1
    record.cards_since_draw[:] = ALL_UNKNOWN
    return record
