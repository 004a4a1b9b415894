"""The legal actions that are not cards, as buttons with their keys."""

from dataclasses import dataclass

from textual.containers import ItemGrid
from textual.content import Content
from textual.message import Message
from textual.widgets import Button

from cardgames.tui.wording import Choice

_BUTTON_WIDTH = 21


class ActionButton(Button):
    """A button that stands for one action."""

    def __init__(self, choice: Choice) -> None:
        super().__init__(Content.assemble((choice.key, "bold"), f"  {choice.words}"), compact=True, classes="action")
        self.choice = choice


class ActionBar(ItemGrid):
    """What else the person may do now."""

    @dataclass
    class Chosen(Message):
        """The person wants to do `action`."""

        action: int

    def __init__(self) -> None:
        super().__init__(id="actions", min_column_width=_BUTTON_WIDTH, max_column_width=_BUTTON_WIDTH)
        self._shown: list[Choice] = []

    async def show(self, choices: list[Choice]) -> None:
        """Offer these."""
        if choices == self._shown:
            return
        self._shown = choices
        async with self.batch():
            await self.remove_children()
            await self.mount_all(ActionButton(choice) for choice in choices)

    def focus_first(self) -> None:
        """Put the focus on the first button."""
        for button in self.query(ActionButton).results():
            button.focus()
            return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Tell the screen."""
        event.stop()
        if isinstance(event.button, ActionButton):
            self.post_message(self.Chosen(event.button.choice.action))
