"""Widgets, colors and names of Dou Di Zhu on the full screen (`SCREEN_PARTS`)."""

import re

from textual.content import Content

from cardgames.tui.doudizhu.player_screen import GamePlayerScreen
from cardgames.tui.doudizhu.table_center import TrickCenter
from cardgames.tui.doudizhu.view_model import ViewModel
from cardgames.tui.doudizhu.wording import doubled, role
from cardgames.tui.line_mode import SessionView
from cardgames.tui.screen_parts import CardStyle, ScreenParts
from cardgames.tui.shared_wording import cards

_FEW = 2
"""Number of cards in a hand at or below which its number is shown as a warning."""
_MOVE = "[3-9TJQKA2BR]+(?:\\+[3-9TJQKA2BR]+)?\\b"


def _color(action_name: str) -> str:
    """Return the color of a move given as text: red for bombs and the rocket, blue for all other moves."""
    strong = action_name == "BR" or (len(action_name) == 4 and len(set(action_name)) == 1)
    return "card-red" if strong else "card-blue"


def _plate(session: SessionView, view_model: ViewModel, seat: int) -> Content:
    """Return the text below a player's name: role, number of cards, last action and, if it may be shown, the hand."""
    count, hand, last_action = view_model.counts[seat], view_model.hands[seat], view_model.last_actions[seat]
    many = Content.styled(f"{cards(count)}!", "bold $warning") if 0 < count <= _FEW else Content(cards(count))
    who = ", ".join(filter(None, [role(view_model, seat, session.person), doubled(view_model, seat)]))
    facts = Content.assemble(f"{who}, " if who else "", many)
    did = Content.styled(last_action or "", "bold")
    if hand is None:
        return Content("\n").join([facts, did])
    return Content.assemble(facts, Content(": ") if last_action else "", did, "\n", " ".join(hand))


SCREEN_PARTS = ScreenParts(
    card_style=CardStyle(re.compile(f"(?:(?<=: )|(?<=takes up )|(?<=take up )|^){_MOVE}"), _color),
    play_screen=GamePlayerScreen,
    center=TrickCenter,
    plate=_plate,
    hand=lambda hand: Content(" ".join(hand)),
    action_name=str,
    short_name=str,
)
