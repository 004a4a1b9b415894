"""State of one round of Dou Di Zhu: a flat record without pointers, so that cloning is assignment and a batch is an array.

The same record is an observation if `viewer` is a seat. The other seats' hands, the random stream and, until there is a
landlord, the bottom cards are then zero.
"""

from typing import Any

from cardgames.kernels.record_type import new_record, record_type

AUCTION, DOUBLING, PLAY, OVER = range(4)
"""Values of the field `phase`: bidding for the landlord, doubling the stakes, playing cards, round over."""

PHASES = ("auction", "doubling", "play", "over")

PLAYERS = 3
HAND_SIZE, BOTTOM_SIZE = 17, 3
"""Number of cards dealt to each seat, and number of bottom cards, which the landlord takes."""
NUM_RECENT_ACTIONS = 16
"""Length of the ring buffer in which the state stores the latest actions of the play."""

STATE = record_type(
    __name__,
    "STATE",
    [
        ("hands", "u8", (PLAYERS,)),  # packed as in `cards`
        ("played", "u8", (PLAYERS,)),  # cards played by each seat, as a hand
        ("bottom", "u8"),  # bottom cards, as a hand; unchanged when the landlord takes them
        ("rng", "u8"),  # state of the random stream
        # latest actions of the play, as a ring buffer: action number t is at index t modulo the length
        ("recent_actions", "i4", (NUM_RECENT_ACTIONS,)),
        ("first_actions", "i4", (PLAYERS,)),  # first action of each seat in the play
        ("last", "i4"),  # move to beat, 0 if the seat to move leads
        ("turns", "i4"),  # number of actions in the play so far, passes included
        ("decisions", "i4"),  # number of actions in the round so far, the auction included
        ("counts", "i2", (PLAYERS,)),  # number of cards in each hand
        ("play_counts", "i2", (PLAYERS,)),  # number of times each seat has played cards
        ("doubles", "i2", (PLAYERS,)),  # factor by which each seat has multiplied its own stake (1, 2 or 4)
        ("dealer", "i2"),  # seat that acts first in the auction
        ("to_move", "i2"),  # -1 once the round is over
        ("phase", "i2"),
        ("landlord", "i2"),  # -1 until there is one
        ("bidder", "i2"),  # seat that becomes the landlord if the auction ends now, -1 if none
        ("caller", "i2"),  # seat that called, -1 if none
        ("bid", "i2"),  # stake before any multiplier, 0 until somebody bids
        ("spoken", "i2"),  # number of actions in this auction
        ("passed", "i2"),  # bit mask of the seats that have passed in this auction
        ("robs", "i2"),
        ("redeals", "i2"),
        ("passes", "i2"),  # consecutive passes since the move to beat
        ("last_by", "i2"),  # seat that played the move to beat, -1 if there is none
        ("bombs", "i2"),  # bombs played, without the rocket
        ("rockets", "i2"),
        ("winner", "i2"),  # seat that played its last card, -1 if none
        ("viewer", "i2"),  # -1 in a state, the viewing seat in an observation
        # explicit field instead of alignment padding, whose bytes would be undefined: observations are compared by bytes
        ("padding", "i2", (2,)),
    ],
    align=True,
)


def empty_record() -> Any:
    """Return the state record of a round not dealt yet: no cards, -1 in fields that hold a seat, and each stake factor 1."""
    record = new_record(STATE)
    for field in ("to_move", "landlord", "bidder", "caller", "last_by", "winner", "viewer"):
        record[field] = -1
    record.doubles[:] = 1
    return record
