"""What lies in the middle of a table."""

from textual.containers import Horizontal

from cardgames.tui.face import Sight


class Middle(Horizontal):
    """Each game has its own."""

    def show(self, sight: Sight) -> None:
        """Show what lies there now."""
        raise NotImplementedError
