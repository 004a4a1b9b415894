"""History events of Dou Di Zhu (see `core.events`), derived from the states before and after an action."""

from typing import Any

from cardgames.core.events import ACTION, PUBLIC, EventRow, private_to
from cardgames.doudizhu.cards import RANKS, ranks_of
from cardgames.doudizhu.state import AUCTION, PLAYERS
from cardgames.support.errors import InvalidInput

CARD_DEALT, OPENED, LANDLORD, BOTTOM_TAKEN, REDEALT = range(1, 6)
"""Event kinds besides `ACTION`, with their (seat, value):

- `CARD_DEALT`: (seat, rank), one card dealt; private to the seat.
- `OPENED`: (seat, -1), the seat that acts first in the auction.
- `LANDLORD`: (seat, -1), the seat that becomes the landlord.
- `BOTTOM_TAKEN`: (seat, code), the three bottom cards the landlord takes, as `encode_ranks` codes them.
- `REDEALT`: (-1, n), the n-th redeal of the round.
"""


def encode_ranks(hand: int) -> int:
    """Return three cards as one number, with one hexadecimal digit per rank."""
    code = 0
    for rank in ranks_of(hand):
        code = 16 * code + rank
    return code


def bottom_text(code: int) -> str:
    """Return the text of three cards coded by `encode_ranks`. Raises `InvalidInput` for any other number."""
    ranks = [code >> shift & 15 for shift in (8, 4, 0)]
    if code not in range(16**3) or max(ranks) >= len(RANKS):
        raise InvalidInput(f"{code} is not the value of an event: it does not encode three cards")
    return "".join(RANKS[rank] for rank in ranks)


def _deal_rows(record: Any) -> list[EventRow]:
    """Return a private event for each card dealt."""
    return [
        (CARD_DEALT, seat, rank, private_to(seat)) for seat in range(PLAYERS) for rank in ranks_of(record.hands[seat])
    ]


def _auction_rows(record: Any) -> list[EventRow]:
    """Return the event of the seat that acts first, if there is an auction."""
    return [(OPENED, int(record.dealer), -1, PUBLIC)] if record.phase == AUCTION else []


def _landlord_rows(record: Any) -> list[EventRow]:
    """Return the events of the new landlord and, if they are known, of the bottom cards."""
    seat = int(record.landlord)
    rows: list[EventRow] = [(LANDLORD, seat, -1, PUBLIC)]
    return [*rows, (BOTTOM_TAKEN, seat, encode_ranks(record.bottom), PUBLIC)] if record.bottom else rows


def opening_rows(record: Any) -> list[EventRow]:
    """Return the events of a state that has just been dealt or set up."""
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
