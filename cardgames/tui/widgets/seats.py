"""Who sits at the table: card counts, whose turn it is and, for spectators, every hand."""

from textual.app import ComposeResult
from textual.containers import ItemGrid
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.sight import Sight
from cardgames.tui.table import Table
from cardgames.tui.wording import card_name, cards, group_of

_PLATE_WIDTH = 14
_FEW, _FEW_SHOWN = 6, 4
"""So many plates, without and with their hands, leave room for space between them."""


class Seat(Static):
    """One player's plate."""

    def __init__(self, seat: int, name: str) -> None:
        super().__init__(name, classes="seat")
        self.seat = seat
        self._player = name

    def show(self, sight: Sight) -> None:
        """Show the cards, or how many there are, and whether it is this player's turn."""
        to_move = sight.to_move == self.seat
        self.set_class(to_move, "-to-move")
        title = Content.styled(f"▶ {self._player}" if to_move else self._player, "bold" if to_move else "")
        self.update(Content.assemble(title, "\n", self._cards(sight.counts[self.seat], sight.hands[self.seat])))

    def _cards(self, count: int, hand: tuple[str, ...] | None) -> Content:
        if hand is not None:
            held = [Content.styled(card_name(card), f"$card-{group_of(card)}") for card in hand]
            return Content.assemble(f"{count:>2}   ", Content("  ").join(held))
        if count == 1:
            return Content.styled("last card!", "bold $warning")
        return Content.assemble(f"{cards(count)} ", Content.styled("▮" * count, "$foreground-muted"))


class Seats(ItemGrid):
    """A plate for each seat: all but the person's in the order of play from his left, or all of them for a spectator."""

    def __init__(self, table: Table) -> None:
        players = table.game.num_players
        super().__init__(id="seats", min_column_width=None if table.person is None else _PLATE_WIDTH)
        self._table = table
        first = 0 if table.person is None else table.person + 1
        self._order = [(first + step) % players for step in range(players - (table.person is not None))]
        self.set_class(len(self._order) > (_FEW_SHOWN if table.person is None else _FEW), "-many")
        if table.person is None:
            self.styles.grid_size_columns = 1

    def compose(self) -> ComposeResult:
        """Make the plates."""
        for seat in self._order:
            yield Seat(seat, self._table.name(seat))

    def show(self, sight: Sight) -> None:
        """Show the table as it is now."""
        for seat in self.query(Seat):
            seat.show(sight)
            if seat.seat == sight.to_move:
                self.scroll_to_widget(seat, animate=False)
