"""Screens and dialogs."""

__all__ = [
    "background_task",
    "debug_screen",
    "help_dialog",
    "leave_dialog",
    "placed_dialog",
    "player_screen",
    "question_dialog",
    "table_screen",
    "watch_screen",
]
