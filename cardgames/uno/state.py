"""The state of one round of Uno: a flat record without pointers. Clone is assignment, a batch is an array.

The same record is an observation once `viewer` is a seat: hidden hands then hold only the cards the viewer knows to
be there, `counts` says how many there are, and pile, random stream and private decisions are blank.
"""

from typing import Any

from cardgames.kernels.record_type import new_record, record_type
from cardgames.uno.cards import MAX_PLAYERS, NUM_CARDS
from cardgames.uno.void_counts import ALL_UNKNOWN

PLAY, AFTER_DRAW, OPENER_COLOR, SWAP_HANDS, CALL, JUMP_IN, ANSWER, CATCH_OUT, OVER, WAIT = range(10)
"""What is being decided: a turn, a turn in which one has drawn, the colour of a wild start card, whom to swap with,
the uno call, jumping in, the answer to a pending penalty, catching, nothing, and (in observations alone) something
private."""

PHASES = ("play", "after-draw", "color", "swap", "uno", "jump", "answer", "catch", "over", "wait")

STATE = record_type(
    __name__,
    "STATE",
    [
        ("once", "u8", (MAX_PLAYERS,)),  # cards held, one bit a card id
        ("twice", "u8", (MAX_PLAYERS,)),  # cards held twice
        ("rng", "u8"),  # the random stream of chance
        ("pile", "u1", (NUM_CARDS,)),  # draw pile, the next card last
        ("discard", "u1", (NUM_CARDS,)),  # discard pile, bottom first
        ("counts", "i2", (MAX_PLAYERS,)),  # cards in each hand
        ("void_counts", "u2", (MAX_PLAYERS,)),  # what the draws of each seat tell of its hand (`uno.void_counts`)
        ("n_pile", "i2"),
        ("n_fixed", "i2"),  # so many cards at the end of the pile have a fixed order, the others are drawn at random
        ("n_discard", "i2"),
        ("players", "i2"),
        ("dealer", "i2"),
        ("to_move", "i2"),  # who decides now, -1 when nobody does
        ("turn", "i2"),  # whose turn it is, or will be after the open questions about the last card
        ("direction", "i2"),  # +1 or -1
        ("phase", "i2"),
        ("top", "i2"),  # card id
        ("color", "i2"),  # colour in force
        ("prior_color", "i2"),  # colour in force before the top card was laid
        ("top_card_seat", "i2"),  # who laid the top card, -1 for the start card
        ("pending", "i2"),  # cards the next seat must take or pass on
        ("drawn", "i2"),  # the card just drawn that may be played, -1
        ("uncalled", "i2"),  # who did not call uno and can be caught, -1
        ("idle", "i2"),  # idle turns in a row
        ("winner", "i2"),  # -1 while there is none
        ("void", "i2"),
        ("viewer", "i2"),  # -1 in a state, the seat in an observation
        ("clock", "i2"),  # wilds received so far, for `received`
        ("received", "i2", (8,)),  # when each wild, 2 * printed colour + (face is wild four), was last received
        (
            "spare",
            "i2",
            (3,),
        ),  # fills what would be padding: its bytes are undefined, and an observation is compared by its bytes
        ("decisions", "i4"),  # actions applied so far
        ("laid", "i4"),  # cards laid so far
    ],
    align=True,
)
MAX_CLOCK = 32_000
"""The clock starts anew before it is more than its field holds."""


def blank(players: int) -> Any:
    """Return an empty state record for so many players."""
    record = new_record(STATE)
    record.players = players
    for field in ("to_move", "top_card_seat", "drawn", "uncalled", "winner", "viewer", "color", "prior_color"):
        record[field] = -1
    record.direction = 1
    record.void_counts[:] = ALL_UNKNOWN
    return record
