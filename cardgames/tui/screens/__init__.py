"""Screens and dialogs of the terminal apps."""

__all__ = [
    "background_task",
    "base_table_screen",
    "debug_screen",
    "decision_dialog",
    "help_dialog",
    "leave_dialog",
    "placed_dialog",
    "player_screen",
    "watch_screen",
]
