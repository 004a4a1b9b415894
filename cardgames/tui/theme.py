"""Color themes of the terminal apps, a dark and a light one, and the colors of the cards in both."""

from textual.theme import Theme

THEMES = (
    Theme(
        name="cardgames",
        primary="#8aa9c9",
        secondary="#7f9b93",
        accent="#d6b36a",
        warning="#e0a458",
        error="#d9736a",
        success="#8db580",
        foreground="#d5d9de",
        background="#14181d",
        surface="#1a2027",
        panel="#222a33",
        dark=True,
    ),
    Theme(
        name="cardgames-light",
        primary="#2f5d87",
        secondary="#4f6f66",
        accent="#8a6414",
        warning="#9a5b00",
        error="#a8322a",
        success="#35702b",
        foreground="#23282e",
        background="#f4f2ec",
        surface="#ebe8e0",
        panel="#dedad0",
        dark=False,
    ),
)

_DARK = {"red": "#ec7d75", "green": "#86c48b", "blue": "#7fb0e8", "yellow": "#e6ca6b", "wild": "#c8b3e6"}
_LIGHT = {"red": "#b3261e", "green": "#2b6b2f", "blue": "#1f56a3", "yellow": "#806000", "wild": "#5e3b94"}


def card_colors(*, dark: bool) -> dict[str, str]:
    """Return the style sheet variables (name -> hex color) of the cards' colors and of the text on cards."""
    colors = {f"card-{name}": value for name, value in (_DARK if dark else _LIGHT).items()}
    return {**colors, "card-text": "#14181d" if dark else "#ffffff"}
