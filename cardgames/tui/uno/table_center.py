"""Widget in the center of the table in Uno: top card, draw pile, current color, direction of play and penalty."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.session import Session
from cardgames.tui.shared_wording import cards
from cardgames.tui.uno.view_model import ViewModel
from cardgames.tui.uno.wording import COLORS, GROUPS, card_name, group_of
from cardgames.tui.widgets.table_center import TableCenter


class PileCenter(TableCenter):
    """Widget that shows the top card, the draw pile, the current color, the direction of play and the penalty."""

    def __init__(self, session: Session) -> None:
        """Create the widget; the session is not used."""
        super().__init__(id="pile")

    def compose(self) -> ComposeResult:
        """Lay out the discard pile, the draw pile and the text beside them."""
        yield Static("", id="top")
        yield Static("", id="stock")
        yield Static("", id="words")

    def show(self, view_model: ViewModel) -> None:
        """Show the piles, the color, the direction of play and the penalty, as they are in a view model."""
        top = self.query_one("#top", Static)
        color = COLORS.get(view_model.color or "")
        group = group_of(view_model.top)
        top.remove_class(*(f"card-{name}" for name in GROUPS))
        top.add_class(f"card-{color if group == 'wild' and color else group}")
        top.update(card_name(view_model.top.partition(":")[0]))
        self.query_one("#stock", Static).update(str(view_model.draw_pile))
        self.query_one("#words", Static).update(self._words(view_model, color))

    def _words(self, view_model: ViewModel, color: str | None) -> Content:
        """Return the text beside the piles: color, direction of play, and penalty or number of cards to draw."""
        named = (
            Content.styled(color.upper(), f"bold $card-{color}") if color else Content.styled("not named yet", "bold")
        )
        direction = "→ clockwise" if view_model.direction > 0 else "← counterclockwise"
        lines = [Content.assemble("color ", named), Content(f"play {direction}")]
        if view_model.pending:
            lines.append(Content.styled(f"penalty {cards(view_model.pending)}", "bold $warning"))
        else:
            lines.append(Content(f"pile {cards(view_model.draw_pile)}"))
        return Content("\n").join(lines)
