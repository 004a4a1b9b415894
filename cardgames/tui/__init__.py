"""The terminal: sessions, themes of each game, and the apps for playing, watching and debugging searches."""

__all__ = [
    "app",
    "debug_app",
    "export",
    "line_table",
    "position_history",
    "session",
    "text_theme",
    "widgets",
    "wording",
]
