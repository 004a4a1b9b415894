"""Widgets (Textual) from which the screens of the terminal interface are built."""

__all__ = [
    "actions",
    "agent_view",
    "hand",
    "key_bar",
    "log",
    "move_input",
    "node_tree",
    "search_panel",
    "seats",
    "table_center",
    "text_input",
    "too_small_notice",
    "waiting_text",
]
