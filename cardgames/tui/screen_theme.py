"""Interface of a game's screen theme: the widgets, colors and names that differ from game to game."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual.content import Content

from cardgames.core.game_registry import load
from cardgames.support.errors import unknown_name
from cardgames.tui.game_text import GAMES, SessionView, ViewModel


@dataclass(frozen=True)
class CardStyle:
    """Colors and names of a game's cards."""

    pattern: re.Pattern[str]
    """Matches a card in a line of text."""
    color: Callable[[str], str]
    """Style sheet variable, without `$`, of the color of a card written as text."""
    name: Callable[[str], str] = str
    """Name of a card on buttons and plates: `R-skip` for `rs`."""

    def line(self, text: str) -> Content:
        """Return a line with its cards in their colors; lines about the person are bold."""
        return self._styled(text, str)

    def line_with_names(self, text: str) -> Content:
        """Return the same line with its cards called by name."""
        return self._styled(text, self.name)

    def _styled(self, text: str, name: Callable[[str], str]) -> Content:
        parts: list[str | Content] = []
        end = 0
        for match in self.pattern.finditer(text):
            card = Content.styled(name(match.group()), f"bold ${self.color(match.group())}")
            parts += [text[end : match.start()], card]
            end = match.end()
        content = Content.assemble(*parts, text[end:])
        return content.stylize_before("bold") if text.startswith("you") else content


@dataclass(frozen=True)
class ScreenTheme:
    """Widgets and texts of one game on the screen."""

    card_style: CardStyle
    play_screen: Callable[..., Any]
    """Makes the screen of a person who plays."""
    center: Callable[[Any], Any]
    """Makes the widget in the center of the table."""
    plate: Callable[[SessionView, ViewModel, int], Content]
    """Returns the text below the name on the plate of a seat."""
    hand: Callable[[str], Content]
    """Returns a hand of `Game.hands_of` as it is shown when the round is over."""
    action_name: Callable[[str], str]
    """Returns the name of an action, or of a kind of card: `R-skip` for `rs`."""
    short_name: Callable[[str], str]
    """Returns the same for narrow columns."""


def screen_theme_of(name: str) -> ScreenTheme:
    """Return the screen theme of the game called `name`. Raises `InvalidInput` if it has none."""
    if name not in GAMES:
        raise unknown_name("game to show in the terminal", name, GAMES)
    screen_theme: ScreenTheme = load(f"cardgames.tui.{name}.screen_theme:SCREEN_THEME")
    return screen_theme


def card_style_of(name: str) -> CardStyle:
    """Return the card style of a game; games without a theme share a neutral one."""
    return screen_theme_of(name).card_style if name in GAMES else _NEUTRAL


_NEUTRAL = CardStyle(re.compile("(?!)"), lambda card: "card-wild")
