"""How Dou Di Zhu looks on the screen."""

import re

from textual.content import Content

from cardgames.tui.doudizhu.player_screen import PlayScreen
from cardgames.tui.doudizhu.table_center import Trick
from cardgames.tui.doudizhu.view_model import Sight
from cardgames.tui.doudizhu.wording import doubled, role
from cardgames.tui.screen_theme import Look, Paint
from cardgames.tui.text_theme import SessionView
from cardgames.tui.wording import cards

_FEW = 2
"""So few cards are a warning."""
_MOVE = "[3-9TJQKA2BR]+(?:\\+[3-9TJQKA2BR]+)?\\b"


def _color(move: str) -> str:
    """Return the colour of a move as text: bombs and the rocket stand out."""
    strong = move == "BR" or (len(move) == 4 and len(set(move)) == 1)
    return "card-red" if strong else "card-blue"


def _plate(table: SessionView, sight: Sight, seat: int) -> Content:
    """Return a seat's role, how many cards it has, what it did last and, if it is to be seen, its hand."""
    count, hand, said = sight.counts[seat], sight.hands[seat], sight.said[seat]
    many = Content.styled(f"{cards(count)}!", "bold $warning") if 0 < count <= _FEW else Content(cards(count))
    who = ", ".join(filter(None, [role(sight, seat, table.person), doubled(sight, seat)]))
    facts = Content.assemble(f"{who}, " if who else "", many)
    did = Content.styled(said or "", "bold")
    if hand is None:
        return Content("\n").join([facts, did])
    return Content.assemble(facts, Content(": ") if said else "", did, "\n", " ".join(hand))


LOOK = Look(
    paint=Paint(re.compile(f"(?:(?<=: )|(?<=takes up )|(?<=take up )|^){_MOVE}"), _color),
    play_screen=PlayScreen,
    middle=Trick,
    plate=_plate,
    hand=lambda hand: Content(" ".join(hand)),
    move=str,
    brief=str,
)
