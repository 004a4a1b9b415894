"""Who sits at the table, whose turn it is, and what is to be seen of each."""

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.containers import ItemGrid
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.screen_theme import ScreenTheme
from cardgames.tui.session import Session
from cardgames.tui.text_theme import ViewModel

_PLATE_WIDTH = 14
_FEW = 4
"""So many plates leave room for space between them."""


class Seat(Static):
    """One player's plate."""

    def __init__(self, table: Session, screen_theme: ScreenTheme, seat: int) -> None:
        super().__init__(Content(table.name(seat)), classes="seat")
        self.seat = seat
        self._table, self._look = table, screen_theme
        self._sight: ViewModel | None = None

    def show(self, view_model: ViewModel) -> None:
        """Show what is to be seen of this player, and whether it is his turn."""
        self._sight = view_model
        to_move = view_model.to_move == self.seat
        self.set_class(to_move, "-to-move")
        title = Content.styled(self._title("▶ "), "bold") if to_move else Content(self._title())
        self.update(Content.assemble(title, "\n", self._look.plate(self._table, view_model, self.seat)))

    def _title(self, mark: str = "") -> str:
        name, width = self._table.name(self.seat), self.content_size.width
        # before it is laid out it has no width
        return mark + (_fitting(name, width - len(mark)) if width else name)

    def on_resize(self) -> None:
        """Make the name fit."""
        if self._sight is None:
            self.update(Content(self._title()))
        else:
            self.show(self._sight)


def _fitting(name: str, width: int) -> str:
    """Shorten a name to so many columns, but not the number at its end, which tells agents of one kind apart."""
    if cell_len(name) <= width:
        return name
    words, _, number = name.rpartition(" ")
    return f"{set_cell_size(words, max(0, width - len(number) - 2))}… {number}"


class Seats(ItemGrid):
    """A plate for each seat: all but the person's in the order of play from his left, or all of them for a spectator."""

    def __init__(self, table: Session, screen_theme: ScreenTheme) -> None:
        players = table.game.num_players
        super().__init__(id="seats", min_column_width=None if table.person is None else _PLATE_WIDTH)
        self._table, self._look = table, screen_theme
        first = 0 if table.person is None else table.person + 1
        self._order = [(first + step) % players for step in range(players - (table.person is not None))]
        self.set_class(len(self._order) > _FEW, "-many")
        if table.person is None:
            self.styles.grid_size_columns = 1

    def compose(self) -> ComposeResult:
        """Make the plates."""
        for seat in self._order:
            yield Seat(self._table, self._look, seat)

    def show(self, view_model: ViewModel) -> None:
        """Show the table as it is now."""
        for seat in self.query(Seat):
            seat.show(view_model)
            if seat.seat == view_model.to_move:
                self.scroll_to_widget(seat, animate=False)
