"""The state of one round of Dou Di Zhu: a flat record without pointers. Clone is assignment, a batch is an array.

The same record is an observation once `viewer` is a seat: the other hands, the cards at the bottom as long as there is no
landlord, and the random stream are then blank.
"""

from typing import Any

from cardgames.kernels.record_type import new_record, record_type

AUCTION, DOUBLING, PLAY, OVER = range(4)
"""What is being decided: who is to be the landlord, whether to double, which cards to play, nothing."""

PHASES = ("auction", "doubling", "play", "over")

PLAYERS = 3
HAND_SIZE, BOTTOM_SIZE = 17, 3
"""How many cards each seat is dealt, and how many lie aside for the landlord."""
NUM_RECENT_ACTIONS = 16
"""So many decisions of the play are kept in the state."""

STATE = record_type(
    __name__,
    "STATE",
    [
        ("hands", "u8", (PLAYERS,)),  # as hand words (`cards`)
        ("played", "u8", (PLAYERS,)),  # what each seat has played
        ("bottom", "u8"),  # the cards laid aside; they stay noted here when the landlord has taken them up
        ("rng", "u8"),  # the random stream of chance
        (
            "recent_actions",
            "i4",
            (NUM_RECENT_ACTIONS,),
        ),  # the last decisions of the play; number t is at t modulo the length
        ("first_actions", "i4", (PLAYERS,)),  # the first decision of each seat in the play
        ("last", "i4"),  # the move to beat, 0 for one who leads
        ("turns", "i4"),  # decisions in the play so far
        ("decisions", "i4"),  # actions applied so far
        ("counts", "i2", (PLAYERS,)),  # cards in each hand
        ("play_counts", "i2", (PLAYERS,)),  # how often each seat has played cards
        ("doubles", "i2", (PLAYERS,)),  # 1, or what each seat has multiplied its own stake by
        ("dealer", "i2"),  # who spoke, or speaks, first in the auction
        ("to_move", "i2"),  # -1 when the round is over
        ("phase", "i2"),
        ("landlord", "i2"),  # -1 as long as there is none
        ("bidder", "i2"),  # who would be the landlord if the auction ended now, -1 for nobody
        ("caller", "i2"),  # who called, -1
        ("bid", "i2"),  # the stake before anything multiplies it, 0 as long as there is none
        ("spoken", "i2"),  # how often somebody has spoken in this auction
        ("passed", "i2"),  # one bit a seat that has passed in it
        ("robs", "i2"),
        ("redeals", "i2"),
        ("passes", "i2"),  # passes in a row on the move to beat
        ("last_by", "i2"),  # who played it, -1 if there is none
        ("bombs", "i2"),  # bombs played, the rocket apart
        ("rockets", "i2"),
        ("winner", "i2"),  # who played his last card, -1
        ("viewer", "i2"),  # -1 in a state, the seat in an observation
        # fills what would be padding: its bytes are undefined, and an observation is compared by its bytes
        ("padding", "i2", (2,)),
    ],
    align=True,
)


def empty_record() -> Any:
    """Return an empty state record."""
    record = new_record(STATE)
    for field in ("to_move", "landlord", "bidder", "caller", "last_by", "winner", "viewer"):
        record[field] = -1
    record.doubles[:] = 1
    return record
