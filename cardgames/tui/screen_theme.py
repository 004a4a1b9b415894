"""How a game looks on the screen: the widgets and words in which one game's table differs from another's."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual.content import Content

from cardgames.core.game_registry import load
from cardgames.support.errors import unknown_name
from cardgames.tui.text_theme import GAMES, SessionView, ViewModel


@dataclass(frozen=True)
class CardStyle:
    """The colours of a game's cards."""

    pattern: re.Pattern[str]
    """What is a card in a line of text."""
    color: Callable[[str], str]
    """The style sheet's name of the colour of a card as text, without the `$`."""

    def line(self, text: str) -> Content:
        """Return a line with its cards in their colours and the person's own doings bold."""
        content = Content.styled(text, "bold" if text.startswith("you") else "")
        for found in self.pattern.finditer(text):
            content = content.stylize(f"bold ${self.color(found.group())}", found.start(), found.end())
        return content


@dataclass(frozen=True)
class ScreenTheme:
    """A game on the screen."""

    card_style: CardStyle
    play_screen: Callable[..., Any]
    """The screen of a person who plays."""
    middle: Callable[[Any], Any]
    """Makes the widget of what lies in the middle of the table."""
    plate: Callable[[SessionView, ViewModel, int], Content]
    """What the plate of a seat says below its name."""
    hand: Callable[[str], Content]
    """A hand of `Game.hands_of`, shown when the round is over."""
    move: Callable[[str], str]
    """An action, or a kind of card, as people read it."""
    brief: Callable[[str], str]
    """The same for narrow columns."""


def screen_theme_of(name: str) -> ScreenTheme:
    """Return the look of the game called `name`. Raises `InvalidInput` if it has none."""
    if name not in GAMES:
        raise unknown_name("game to show in the terminal", name, GAMES)
    screen_theme: ScreenTheme = load(f"cardgames.tui.{name}.screen_theme:SCREEN_THEME")
    return screen_theme


def card_style_of(name: str) -> CardStyle:
    """Return the colours of any game's cards: one for all where the game has no look."""
    return screen_theme_of(name).card_style if name in GAMES else _NEUTRAL


_NEUTRAL = CardStyle(re.compile("(?!)"), lambda card: "card-wild")
