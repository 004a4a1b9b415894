"""Boxes of the players at the table ("plates"): name, turn marker, and what may be seen of each player's cards."""

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.containers import ItemGrid
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.line_mode import ViewModel
from cardgames.tui.screen_parts import ScreenParts
from cardgames.tui.session import Session

_PLATE_WIDTH = 14
_FEW = 4
"""Maximum number of player boxes that have space between them."""


class Seat(Static):
    """Box of one player at the table, with its name and what may be seen of its cards."""

    def __init__(self, session: Session, screen_parts: ScreenParts, seat: int) -> None:
        super().__init__(Content(session.name(seat)), classes="seat")
        self.seat = seat
        self._session, self._screen_parts = session, screen_parts
        self._view_model: ViewModel | None = None

    def show(self, view_model: ViewModel) -> None:
        """Show what may be seen of this player, and whether it is to move."""
        self._view_model = view_model
        to_move = view_model.to_move == self.seat
        self.set_class(to_move, "-to-move")
        title = Content.styled(self._title("▶ "), "bold") if to_move else Content(self._title())
        self.update(Content.assemble(title, "\n", self._screen_parts.plate(self._session, view_model, self.seat)))

    def _title(self, mark: str = "") -> str:
        name, width = self._session.name(self.seat), self.content_size.width
        # the width is 0 before the first layout
        return mark + (_shorten(name, width - len(mark)) if width else name)

    def on_resize(self) -> None:
        """Fit the player's name into the new width."""
        if self._view_model is None:
            self.update(Content(self._title()))
        else:
            self.show(self._view_model)


def _shorten(name: str, width: int) -> str:
    """Shorten a name to `width` columns, but keep the number at its end, which distinguishes agents of one kind."""
    if cell_len(name) <= width:
        return name
    words, _, number = name.rpartition(" ")
    return f"{set_cell_size(words, max(0, width - len(number) - 2))}… {number}"


class Seats(ItemGrid):
    """Boxes of the person's opponents, in the order of play from the person's left; for a spectator, of all players."""

    def __init__(self, session: Session, screen_parts: ScreenParts) -> None:
        players = session.game.num_players
        super().__init__(id="seats", min_column_width=None if session.person is None else _PLATE_WIDTH)
        self._session, self._screen_parts = session, screen_parts
        first = 0 if session.person is None else session.person + 1
        self._order = [(first + step) % players for step in range(players - (session.person is not None))]
        self.set_class(len(self._order) > _FEW, "-many")
        if session.person is None:
            self.styles.grid_size_columns = 1

    def compose(self) -> ComposeResult:
        """Lay out the boxes of the players."""
        for seat in self._order:
            yield Seat(self._session, self._screen_parts, seat)

    def show(self, view_model: ViewModel) -> None:
        """Show all players as they are in a view model, and scroll to the player to move."""
        for seat in self.query(Seat):
            seat.show(view_model)
            if seat.seat == view_model.to_move:
                self.scroll_to_widget(seat, animate=False)
