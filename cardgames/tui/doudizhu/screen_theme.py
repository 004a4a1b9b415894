"""How Dou Di Zhu looks on the screen."""

import re

from textual.content import Content

from cardgames.tui.doudizhu.player_screen import GamePlayerScreen
from cardgames.tui.doudizhu.table_center import TrickCenter
from cardgames.tui.doudizhu.view_model import ViewModel
from cardgames.tui.doudizhu.wording import doubled, role
from cardgames.tui.screen_theme import CardStyle, ScreenTheme
from cardgames.tui.text_theme import SessionView
from cardgames.tui.wording import cards

_FEW = 2
"""So few cards are a warning."""
_MOVE = "[3-9TJQKA2BR]+(?:\\+[3-9TJQKA2BR]+)?\\b"


def _color(move: str) -> str:
    """Return the colour of a move as text: bombs and the rocket stand out."""
    strong = move == "BR" or (len(move) == 4 and len(set(move)) == 1)
    return "card-red" if strong else "card-blue"


def _plate(table: SessionView, view_model: ViewModel, seat: int) -> Content:
    """Return a seat's role, how many cards it has, what it did last and, if it is to be seen, its hand."""
    count, hand, said = view_model.counts[seat], view_model.hands[seat], view_model.said[seat]
    many = Content.styled(f"{cards(count)}!", "bold $warning") if 0 < count <= _FEW else Content(cards(count))
    who = ", ".join(filter(None, [role(view_model, seat, table.person), doubled(view_model, seat)]))
    facts = Content.assemble(f"{who}, " if who else "", many)
    did = Content.styled(said or "", "bold")
    if hand is None:
        return Content("\n").join([facts, did])
    return Content.assemble(facts, Content(": ") if said else "", did, "\n", " ".join(hand))


SCREEN_THEME = ScreenTheme(
    card_style=CardStyle(re.compile(f"(?:(?<=: )|(?<=takes up )|(?<=take up )|^){_MOVE}"), _color),
    play_screen=GamePlayerScreen,
    middle=TrickCenter,
    plate=_plate,
    hand=lambda hand: Content(" ".join(hand)),
    move=str,
    brief=str,
)
