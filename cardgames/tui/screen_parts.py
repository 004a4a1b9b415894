"""Interface `ScreenParts` of a game on the full screen: widgets, colors and names that differ from game to game."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual.content import Content

from cardgames.core.game_registry import load
from cardgames.support.errors import unknown_name
from cardgames.tui.line_mode import GAMES, SessionView, ViewModel


@dataclass(frozen=True)
class CardStyle:
    """Colors and names of a game's cards in lines of text."""

    pattern: re.Pattern[str]
    """Regular expression that matches a card in a line of text."""
    color: Callable[[str], str]
    """Function from a card as text to its color, as the name of a style sheet variable without `$`."""
    name: Callable[[str], str] = str
    """Function from a card as text to its name on the screen: `R-skip` for `rs`."""

    def line(self, text: str) -> Content:
        """Return a line of text with each card in its color; a line that starts with "you" is bold."""
        return self._styled(text, str)

    def line_with_names(self, text: str) -> Content:
        """Return a line of text like `line`, but with each card replaced by its name: `R-skip` for `rs`."""
        return self._styled(text, self.name)

    def _styled(self, text: str, name: Callable[[str], str]) -> Content:
        """Return a line of text with each card replaced by its `name` and colored."""
        parts: list[str | Content] = []
        end = 0
        for match in self.pattern.finditer(text):
            card = Content.styled(name(match.group()), f"bold ${self.color(match.group())}")
            parts += [text[end : match.start()], card]
            end = match.end()
        content = Content.assemble(*parts, text[end:])
        return content.stylize_before("bold") if text.startswith("you") else content


@dataclass(frozen=True)
class ScreenParts:
    """Widgets and texts of one game on the full screen."""

    card_style: CardStyle
    play_screen: Callable[..., Any]
    """Creates the screen of a person who plays, a `PlayerScreen`, for a session."""
    center: Callable[[Any], Any]
    """Creates the widget in the center of the table, a `TableCenter`, for a session."""
    plate: Callable[[SessionView, ViewModel, int], Content]
    """Returns the text below a player's name in its box at the table, such as its number of cards."""
    hand: Callable[[str], Content]
    """Formats a hand, as `Game.hands_of` returns it, for the dialog at the end of a round."""
    action_name: Callable[[str], str]
    """Returns the name of an action, or of a card, given as text: `R-skip` for `rs`."""
    short_name: Callable[[str], str]
    """Returns the name of an action, given as text, in a short form for narrow columns."""


def screen_parts_of(name: str) -> ScreenParts:
    """Return the screen parts of the game called `name`. Raises `InvalidInput` if it has none."""
    if name not in GAMES:
        raise unknown_name("game to show in the terminal", name, GAMES)
    screen_parts: ScreenParts = load(f"cardgames.tui.{name}.screen_parts:SCREEN_PARTS")
    return screen_parts


def card_style_of(name: str) -> CardStyle:
    """Return the colors and names of the cards of the game called `name`; a game not in `GAMES` has no colored cards."""
    return screen_parts_of(name).card_style if name in GAMES else _NEUTRAL


_NEUTRAL = CardStyle(re.compile("(?!)"), lambda card: "card-wild")
