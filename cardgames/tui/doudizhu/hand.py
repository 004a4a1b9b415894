"""Widget for the person's hand in Dou Di Zhu: one row of cards, of which the raised ones are played together."""

from dataclasses import dataclass

from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message

from cardgames.doudizhu.cards import RANKS
from cardgames.tui.doudizhu.card import HeldCard
from cardgames.tui.widgets.hand import ARROW_KEYS, focused, move_focus


class Hand(Horizontal, can_focus=False):
    """The person's hand; left and right move between the cards, space, up and down raise and lower them."""

    # priority over the bindings of the screen
    BINDINGS = [
        *ARROW_KEYS,
        Binding("space", "turn", "choose", priority=True),
        Binding("up", "choose(True)", "choose", show=False, priority=True),
        Binding("down", "choose(False)", "put back", show=False, priority=True),
        Binding("escape", "clear", "put all back", show=False, priority=True),
        Binding("enter", "screen.play_chosen", "play", priority=True),
    ]

    @dataclass
    class Changed(Message):
        """Message with the raised cards, sent when the person has raised or lowered cards."""

        cards: str

    def __init__(self) -> None:
        super().__init__(id="hand")
        self._shown = ""

    async def show(self, hand: str) -> None:
        """Show the cards of `hand`, all lowered; do nothing if the same hand is shown already."""
        if hand == self._shown:
            return
        self._shown = hand
        async with self.batch():
            await self.remove_children()
            await self.mount_all(HeldCard(card) for card in hand)

    @property
    def cards(self) -> list[HeldCard]:
        """Widgets of the cards, in the order shown."""
        return list(self.query(HeldCard))

    @property
    def chosen(self) -> str:
        """Raised cards as text, in the order shown."""
        return "".join(held.card for held in self.cards if held.chosen)

    def select(self, cards: str) -> None:
        """Raise the cards in the text `cards`, as far as the hand holds them, and lower all other cards."""
        wanted = [card for card in cards.upper() if card in RANKS]
        for held in self.cards:
            chosen = held.card in wanted
            if chosen:
                wanted.remove(held.card)
            held.choose(chosen)

    def focus_card(self) -> None:
        """Focus the first card of the hand, unless a card has the focus already."""
        if self.cards and focused(self.cards) is None:
            self.screen.set_focus(self.cards[0])

    def _tell(self) -> None:
        """Send `Changed` with the raised cards."""
        self.post_message(self.Changed(self.chosen))

    def action_move_focus(self, step: int) -> None:
        """Move the focus to the next card (`step` 1) or the previous one (-1)."""
        move_focus(self.cards, step)

    def action_choose(self, chosen: bool) -> None:
        """Raise the focused card (`chosen` True) or lower it."""
        card = focused(self.cards)
        if card is not None:
            card.choose(chosen)
            self._tell()

    def action_turn(self) -> None:
        """Raise the focused card if it is lowered; otherwise lower it."""
        card = focused(self.cards)
        if card is not None:
            self.action_choose(not card.chosen)

    def on_held_card_clicked(self, message: HeldCard.Clicked) -> None:
        """Focus the card that was clicked, and raise or lower it."""
        message.stop()
        self.screen.set_focus(message.card)
        self.action_turn()

    def action_clear(self) -> None:
        """Lower all cards of the hand."""
        self.select("")
        self._tell()
