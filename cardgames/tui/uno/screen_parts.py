"""Widgets, colors and names of Uno on the full screen (`SCREEN_PARTS`)."""

import re

from textual.content import Content

from cardgames.tui.line_mode import SessionView
from cardgames.tui.screen_parts import CardStyle, ScreenParts
from cardgames.tui.shared_wording import cards
from cardgames.tui.uno.player_screen import GamePlayerScreen
from cardgames.tui.uno.table_center import PileCenter
from cardgames.tui.uno.view_model import ViewModel
from cardgames.tui.uno.wording import brief_name, card_name, group_of, move_name


def _color(card: str) -> str:
    """Return the style sheet variable of a card's color; for a wild with a named color, that of the named color."""
    return f"card-{group_of(card.partition(':')[2] or card)}"


def _plate(session: SessionView, view_model: ViewModel, seat: int) -> Content:
    """Return the text below a player's name: its cards, or their number if they are hidden."""
    count, hand = view_model.counts[seat], view_model.hands[seat]
    if hand is not None:
        return Content.assemble(f"{count:>2}   ", _cards(hand))
    if count == 1:
        return Content.styled("last card!", "bold $warning")
    return Content.assemble(f"{cards(count)} ", Content.styled("▮" * count, "$foreground-muted"))


def _cards(hand: tuple[str, ...]) -> Content:
    """Return the names of the cards of a hand, each in its color."""
    return Content("  ").join([Content.styled(card_name(card), f"${_color(card)}") for card in hand])


SCREEN_PARTS = ScreenParts(
    card_style=CardStyle(re.compile(r"\b(?:[rgby][0-9svd]|[wf]:[rgby]|[wf])\b"), _color, card_name),
    play_screen=GamePlayerScreen,
    center=PileCenter,
    plate=_plate,
    hand=lambda hand: _cards(tuple(hand.split())),
    action_name=move_name,
    short_name=brief_name,
)
