"""Widget in the center of the table in Dou Di Zhu: the landlord's three cards, the stake and the move to beat."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from cardgames.doudizhu.notation import action_text
from cardgames.tui.doudizhu.view_model import ViewModel
from cardgames.tui.doudizhu.wording import by_rank, move_words, stake
from cardgames.tui.session import Session
from cardgames.tui.widgets.table_center import TableCenter


class TrickCenter(TableCenter):
    """Widget that shows the landlord's three extra cards, the stake of the round and the move to beat."""

    def __init__(self, session: Session) -> None:
        """Create the widget for a session."""
        super().__init__(id="trick")
        self._session = session

    def compose(self) -> ComposeResult:
        """Lay out the field for the text."""
        yield Static("", id="words")

    def show(self, view_model: ViewModel) -> None:
        """Show the landlord's cards, the stake and the move to beat, as they are in a view model."""
        aside = "the three cards are" if view_model.landlord is None else "the landlord took up"
        lines = [
            Content.assemble(f"{aside}  ", (" ".join(view_model.bottom) or "hidden", "bold")),
            Content(stake(self._session, view_model)),
        ]
        if to_beat := self._to_beat(view_model):
            lines += [Content(""), to_beat]
        self.query_one("#words", Static).update(Content("\n").join(lines))

    def _to_beat(self, view_model: ViewModel) -> Content:
        """Return the move to beat and its player, or who leads; empty before cards are played."""
        if view_model.last:
            assert view_model.last_by is not None
            by = f"{move_words(view_model.last)}, by {self._session.name(view_model.last_by)}"
            return Content.assemble((by_rank(action_text(view_model.last)), "bold $accent"), f"\n{by}")
        if view_model.phase != "play":
            return Content("")
        leads = (
            "you lead"
            if view_model.to_move == self._session.person
            else f"{self._session.name(view_model.to_move)} leads"
        )
        return Content.styled(leads, "bold")
