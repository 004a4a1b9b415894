"""The person's hand: cards in a row, chosen by raising them."""

from dataclasses import dataclass

from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message

from cardgames.doudizhu.cards import RANKS
from cardgames.tui.doudizhu.card import HeldCard
from cardgames.tui.widgets.hand import WALK, focused, position_history


class Hand(Horizontal, can_focus=False):
    """The cards the person holds; arrows walk over them."""

    # before the keys behind them, which are the screen's
    BINDINGS = [
        *WALK,
        Binding("space", "turn", "choose", priority=True),
        Binding("up", "choose(True)", "choose", show=False, priority=True),
        Binding("down", "choose(False)", "put back", show=False, priority=True),
        Binding("escape", "clear", "put all back", show=False, priority=True),
        Binding("enter", "screen.play_chosen", "play", priority=True),
    ]

    @dataclass
    class Changed(Message):
        """The person has chosen other cards."""

        cards: str

    def __init__(self) -> None:
        super().__init__(id="hand")
        self._shown = ""

    async def show(self, hand: str) -> None:
        """Show these cards, none of them chosen; if they are those that are shown already, leave them as they are."""
        if hand == self._shown:
            return
        self._shown = hand
        async with self.batch():
            await self.remove_children()
            await self.mount_all(HeldCard(card) for card in hand)

    @property
    def cards(self) -> list[HeldCard]:
        """The cards in the order shown."""
        return list(self.query(HeldCard))

    @property
    def chosen(self) -> str:
        """The cards chosen, in ascending order."""
        return "".join(held.card for held in self.cards if held.chosen)

    def select(self, cards: str) -> None:
        """Choose as many of these cards as there are, and no others."""
        wanted = [card for card in cards.upper() if card in RANKS]
        for held in self.cards:
            chosen = held.card in wanted
            if chosen:
                wanted.remove(held.card)
            held.choose(chosen)

    def focus_card(self) -> None:
        """Put the focus on the first card, unless it is on one."""
        if self.cards and focused(self.cards) is None:
            self.screen.set_focus(self.cards[0])

    def _tell(self) -> None:
        self.post_message(self.Changed(self.chosen))

    def action_walk(self, step: int) -> None:
        """Move the focus to the next or previous card."""
        position_history(self.cards, step)

    def action_choose(self, chosen: bool) -> None:
        """Raise or lower the card under the cursor."""
        card = focused(self.cards)
        if card is not None:
            card.choose(chosen)
            self._tell()

    def action_turn(self) -> None:
        """Raise the card under the cursor if it is low, else lower it."""
        card = focused(self.cards)
        if card is not None:
            self.action_choose(not card.chosen)

    def on_held_card_clicked(self, message: HeldCard.Clicked) -> None:
        """Raise or lower a card by mouse."""
        message.stop()
        self.screen.set_focus(message.card)
        self.action_turn()

    def action_clear(self) -> None:
        """Lower all cards."""
        self.select("")
        self._tell()
