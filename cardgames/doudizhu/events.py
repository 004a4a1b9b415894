"""History events of Dou Di Zhu, such as a card dealt or a new landlord, as rows (kind, seat, value, visibility).

The events of an action are derived from the states before and after it. `core.events` defines the rows.
"""

from typing import Any

from cardgames.core.events import ACTION, PUBLIC, EventRow, private_to
from cardgames.doudizhu.cards import RANKS, ranks_of
from cardgames.doudizhu.state import AUCTION, PLAYERS
from cardgames.support.errors import InvalidInput

CARD_DEALT, OPENED, LANDLORD, BOTTOM_TAKEN, REDEALT = range(1, 6)
"""Ids of the event kinds of Dou Di Zhu besides `ACTION`. Each event has a pair (seat, value):

- `CARD_DEALT`: (seat, rank), one card of this rank is dealt to the seat; private to the seat.
- `OPENED`: (seat, -1), the seat acts first in the auction.
- `LANDLORD`: (seat, -1), the seat becomes the landlord.
- `BOTTOM_TAKEN`: (seat, code), the landlord takes the three bottom cards, coded by `encode_ranks`.
- `REDEALT`: (-1, n), the cards are dealt again for the n-th time in the round.
"""


def encode_ranks(hand: int) -> int:
    """Encode a hand of three cards as one integer: the hexadecimal digits are the ranks of the cards, ascending."""
    code = 0
    for rank in ranks_of(hand):
        code = 16 * code + rank
    return code


def bottom_text(code: int) -> str:
    """Return the text of the three cards that `encode_ranks` encoded as the integer `code`.

    Raises:
        InvalidInput: If `code` does not encode three cards.
    """
    ranks = [code >> shift & 15 for shift in (8, 4, 0)]
    if code not in range(16**3) or max(ranks) >= len(RANKS):
        raise InvalidInput(f"{code} is not the value of an event: it does not encode three cards")
    return "".join(RANKS[rank] for rank in ranks)


def _deal_rows(record: Any) -> list[EventRow]:
    """Return one `CARD_DEALT` event per card in the three hands of a state record, each private to the card's seat."""
    return [
        (CARD_DEALT, seat, rank, private_to(seat)) for seat in range(PLAYERS) for rank in ranks_of(record.hands[seat])
    ]


def _auction_rows(record: Any) -> list[EventRow]:
    """Return a list with the public event `OPENED` if the state record is in the auction phase, else an empty list."""
    return [(OPENED, int(record.dealer), -1, PUBLIC)] if record.phase == AUCTION else []


def _landlord_rows(record: Any) -> list[EventRow]:
    """Return the public event `LANDLORD` and, if the record's bottom cards are set, the public event `BOTTOM_TAKEN`."""
    seat = int(record.landlord)
    rows: list[EventRow] = [(LANDLORD, seat, -1, PUBLIC)]
    return [*rows, (BOTTOM_TAKEN, seat, encode_ranks(record.bottom), PUBLIC)] if record.bottom else rows


def opening_rows(record: Any) -> list[EventRow]:
    """Return the first events of a history: the cards dealt, the seat that opens the auction, and the landlord if known.

    `record` is a state record that has just been dealt or set up.
    """
    return _deal_rows(record) + _auction_rows(record) + (_landlord_rows(record) if record.landlord >= 0 else [])


def action_rows(before: Any, action: int, after: Any) -> list[EventRow]:
    """Return the events of `action`, which led from the state `before` to the state `after`."""
    rows: list[EventRow] = [(ACTION, int(before.to_move), action, PUBLIC)]
    if after.redeals > before.redeals:
        rows.append((REDEALT, -1, int(after.redeals), PUBLIC))
        rows += _deal_rows(after) + _auction_rows(after)
    if after.landlord >= 0 > before.landlord:
        rows += _landlord_rows(after)
    return rows
