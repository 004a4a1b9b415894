"""Positions of Dou Di Zhu for the tests, and the cards shown in the person's hand."""

from typing import Any

from cardgames.core.state import State
from cardgames.tui.doudizhu.card import HeldCard
from tests.tui.company import doudizhu, table_screen

HAND = "333445567899TQQQQ2BR"
LATER_HAND = HAND.replace("8", "")


def leading(hand: str = HAND, *overrides: str, rules: str = "classic", **parts: Any) -> State:
    """Return a position in which seat 0 is the landlord and leads."""
    game = doudizhu(*overrides, rules=rules)
    return game.position(**{"hands": [hand, None, None], "landlord": 0, "seed": 1, **parts})


def following(last: str, hand: str = LATER_HAND, **parts: Any) -> State:
    """Return a position in which seat 0, the landlord, has played a card and must now beat a move of seat 2."""
    return leading(hand, last=last, **parts)


def held(app: Any) -> list[HeldCard]:
    return list(table_screen(app).query(HeldCard))


def chosen(app: Any) -> str:
    """Return the raised cards."""
    high = [card for card in held(app) if str(card.render()).splitlines()[0].strip()]
    assert [card for card in held(app) if card.chosen] == high
    return "".join(card.card for card in high)
