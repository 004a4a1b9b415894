"""Base class of the widget in the center of a table."""

from textual.containers import Horizontal

from cardgames.tui.game_text import ViewModel


class TableCenter(Horizontal):
    """Center of the table; each game has a subclass."""

    def show(self, view_model: ViewModel) -> None:
        """Show the center for a view of the table."""
        raise NotImplementedError
