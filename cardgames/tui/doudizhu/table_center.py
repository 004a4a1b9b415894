"""The middle of the table: the landlord's cards, the stake, and what is to be beaten, in words."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from cardgames.doudizhu.notation import action_text
from cardgames.tui.doudizhu.view_model import Sight
from cardgames.tui.doudizhu.wording import by_rank, move_words, stake
from cardgames.tui.session import Table
from cardgames.tui.widgets.table_center import Middle


class Trick(Middle):
    """What has been played, and for what."""

    def __init__(self, table: Table) -> None:
        super().__init__(id="trick")
        self._table = table

    def compose(self) -> ComposeResult:
        """Make room for the words."""
        yield Static("", id="words")

    def show(self, sight: Sight) -> None:
        """Show what lies in the middle."""
        aside = "the three cards are" if sight.landlord is None else "the landlord took up"
        lines = [
            Content.assemble(f"{aside}  ", (" ".join(sight.bottom) or "hidden", "bold")),
            Content(stake(self._table, sight)),
        ]
        if to_beat := self._to_beat(sight):
            lines += [Content(""), to_beat]
        self.query_one("#words", Static).update(Content("\n").join(lines))

    def _to_beat(self, sight: Sight) -> Content:
        if sight.last:
            assert sight.last_by is not None
            by = f"{move_words(sight.last)}, by {self._table.name(sight.last_by)}"
            return Content.assemble((by_rank(action_text(sight.last)), "bold $accent"), f"\n{by}")
        if sight.phase != "play":
            return Content("")
        leads = "you lead" if sight.to_move == self._table.person else f"{self._table.name(sight.to_move)} leads"
        return Content.styled(leads, "bold")
