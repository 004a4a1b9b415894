"""The rows of history an action leaves (see `core.events`), read off the states before and after it."""

from typing import Any

from cardgames.core.events import ACTION, PUBLIC, EventRow, private_to
from cardgames.doudizhu.cards import RANKS, ranks_of
from cardgames.doudizhu.state import AUCTION, PLAYERS
from cardgames.support.errors import InvalidInput

CARD_DEALT, OPENED, LANDLORD, BOTTOM_TAKEN, REDEALT = range(1, 6)
"""Kinds besides `ACTION`: (seat, rank) a card dealt, which nobody else sees; (seat, -1) who speaks first; (seat, -1) who is
the landlord; (seat, ranks) the three cards he takes up, as `encode_ranks`; (-1, times) the cards are dealt again.
"""


def encode_ranks(hand: int) -> int:
    """Return three cards as one number, a hexadecimal digit a rank."""
    code = 0
    for rank in ranks_of(hand):
        code = 16 * code + rank
    return code


def bottom_text(code: int) -> str:
    """Return the three cards of a number from `encode_ranks`. Raises `InvalidInput` for any other."""
    ranks = [code >> shift & 15 for shift in (8, 4, 0)]
    if code not in range(16**3) or max(ranks) >= len(RANKS):
        raise InvalidInput(f"the value of an event stands for three cards, which {code} does not")
    return "".join(RANKS[rank] for rank in ranks)


def _deal_rows(record: Any) -> list[EventRow]:
    return [
        (CARD_DEALT, seat, rank, private_to(seat)) for seat in range(PLAYERS) for rank in ranks_of(record.hands[seat])
    ]


def _auction_rows(record: Any) -> list[EventRow]:
    return [(OPENED, int(record.dealer), -1, PUBLIC)] if record.phase == AUCTION else []


def _landlord_rows(record: Any) -> list[EventRow]:
    seat = int(record.landlord)
    rows: list[EventRow] = [(LANDLORD, seat, -1, PUBLIC)]
    return [*rows, (BOTTOM_TAKEN, seat, encode_ranks(record.bottom), PUBLIC)] if record.bottom else rows


def opening_rows(record: Any) -> list[EventRow]:
    """Return the rows of a state as it was dealt or set up."""
    return _deal_rows(record) + _auction_rows(record) + (_landlord_rows(record) if record.landlord >= 0 else [])


def action_rows(before: Any, action: int, after: Any) -> list[EventRow]:
    """Return the rows of `action`, which led from the state `before` to `after`."""
    rows: list[EventRow] = [(ACTION, int(before.to_move), action, PUBLIC)]
    if after.redeals > before.redeals:
        rows.append((REDEALT, -1, int(after.redeals), PUBLIC))
        rows += _deal_rows(after) + _auction_rows(after)
    if after.landlord >= 0 > before.landlord:
        rows += _landlord_rows(after)
    return rows
