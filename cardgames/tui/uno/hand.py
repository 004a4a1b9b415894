"""Widget for the person's hand in Uno: one row of cards for each color."""

from collections.abc import Collection

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, ItemGrid, VerticalScroll
from textual.widgets import Static

from cardgames.tui.uno.card import Card
from cardgames.tui.uno.wording import GROUPS, group_of
from cardgames.tui.widgets.hand import ARROW_KEYS, focused, move_focus

_CARD_WIDTH, _GROUP_WIDTH, _HIGH = 9, 7, 3
"""Width of a card and of the name of a color, in columns, and height of a tall card, in lines, as in the style sheet."""


class Hand(VerticalScroll, can_focus=False):
    """The person's hand, with one row of cards for each color; the arrow keys move between the cards."""

    BINDINGS = [
        *ARROW_KEYS,
        Binding("up", "change_row(-1)", "row above", show=False, priority=True),
        Binding("down", "change_row(1)", "row below", show=False, priority=True),
    ]

    def __init__(self) -> None:
        super().__init__(id="hand")
        self._shown: tuple[tuple[str, ...], frozenset[str]] = ((), frozenset())

    async def show(self, cards: tuple[str, ...], playable: Collection[str]) -> None:
        """Show the cards of a hand and mark those in `playable`; do nothing if the same is shown already."""
        shown = (cards, frozenset(playable))
        if shown == self._shown:
            return
        self._shown = shown
        async with self.batch():
            await self.remove_children()
            await self.mount_all(self._rows(cards, playable))

    def _rows(self, cards: tuple[str, ...], playable: Collection[str]) -> ComposeResult:
        """Yield a row of widgets for each color that the hand holds: the name of the color, then its cards."""
        for group in GROUPS:
            held = [Card(card, playable=card in playable) for card in cards if group_of(card) == group]
            if held:
                grid = ItemGrid(*held, min_column_width=_CARD_WIDTH, max_column_width=_CARD_WIDTH, classes="cards")
                yield Horizontal(Static(group, classes=f"group text-{group}"), grid, classes="row")

    def fit(self, width: int, height: int) -> None:
        """Fit the hand into `width` columns and `height` lines.

        If all cards fit with three lines each, they are tall. Otherwise they have one line, and scroll if necessary.
        """
        columns = max(1, (width - _GROUP_WIDTH) // _CARD_WIDTH)
        lines = sum(-(-len(row.query(Card)) // columns) for row in self.query(".row"))
        self.styles.max_height = height
        self.set_class(_HIGH * lines <= height, "-high")

    @property
    def cards(self) -> list[Card]:
        """Widgets of the cards, in the order shown."""
        return list(self.query(Card))

    def suggest(self, card: str | None) -> None:
        """Mark the card that a hint recommends, and unmark all others; None marks no card."""
        for held in self.cards:
            held.mark(suggested=held.card == card)

    def focus_playable(self) -> bool:
        """Focus the first playable card, unless a playable card has the focus; return False if no card is playable."""
        playable = [card for card in self.cards if card.playable]
        if playable and focused(playable) is None:
            self.screen.set_focus(playable[0])
        return bool(playable)

    def action_move_focus(self, step: int) -> None:
        """Move the focus to the next card (`step` 1) or the previous one (-1)."""
        move_focus(self.cards, step)

    def action_change_row(self, step: int) -> None:
        """Move the focus to the row above (`step` -1) or below (1), to the nearest column that has a card."""
        rows = [list(row.query(Card)) for row in self.query(".row")]
        for number, row in enumerate(rows):
            for column, card in enumerate(row):
                if card is self.screen.focused:
                    other = rows[(number + step) % len(rows)]
                    self.screen.set_focus(other[min(column, len(other) - 1)])
                    return
