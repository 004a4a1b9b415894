"""What lies in the middle of a table."""

from textual.containers import Horizontal

from cardgames.tui.text_theme import Sight


class Middle(Horizontal):
    """Each game has its own."""

    def show(self, sight: Sight) -> None:
        """Show what lies there now."""
        raise NotImplementedError
