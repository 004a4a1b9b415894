"""Terminal user interface: a card table to play at or to watch, and the app of the command `search-debug`.

Subpackages: `screens` (screens and dialogs), `widgets` (parts of screens), `uno` and `doudizhu` (everything specific to one
game). The command line uses `session`, `table_app`, `line_table`, `debug_app`, `position_history`, `export`, `line_mode`
and `shared_wording`.
"""

__all__ = [
    "debug_app",
    "export",
    "line_mode",
    "line_table",
    "position_history",
    "session",
    "shared_wording",
    "table_app",
    "widgets",
]
