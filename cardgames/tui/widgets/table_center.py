"""What lies in the middle of a table."""

from textual.containers import Horizontal

from cardgames.tui.text_theme import ViewModel


class TableCenter(Horizontal):
    """Each game has its own."""

    def show(self, view_model: ViewModel) -> None:
        """Show what lies there now."""
        raise NotImplementedError
