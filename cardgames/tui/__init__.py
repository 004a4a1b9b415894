"""Terminal user interface: a table to play at or watch, and the screen of `search-debug`.

Subpackages: `screens` (screens and dialogs), `widgets` (parts of screens), `uno` and `doudizhu` (themes: everything
specific to one game). The command line uses `session`, `app`, `line_table`, `debug_app`, `position_history`,
`export` and `wording`.
"""

__all__ = ["debug_app", "export", "game_text", "line_table", "position_history", "session", "shared_wording", "table_app", "widgets"]
