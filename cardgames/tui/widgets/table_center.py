"""Base class of the widget in the center of a table."""

from textual.containers import Horizontal

from cardgames.tui.line_mode import ViewModel


class TableCenter(Horizontal):
    """Widget in the center of the table, between the players; each game has a subclass."""

    def show(self, view_model: ViewModel) -> None:
        """Show the cards and facts in the center of the table as they are in a view model."""
        raise NotImplementedError
