"""Widget with buttons for the legal actions that do not play cards, such as draw or pass."""

from dataclasses import dataclass

from textual.containers import ItemGrid
from textual.content import Content
from textual.message import Message
from textual.widgets import Button

from cardgames.tui.shared_wording import Choice

_BUTTON_WIDTH = 21


class ActionButton(Button):
    """Button for one legal action, with its key and its label."""

    def __init__(self, choice: Choice) -> None:
        super().__init__(Content.assemble((choice.key, "bold"), f"  {choice.words}"), compact=True, classes="action")
        self.choice = choice


class ActionBar(ItemGrid):
    """Grid of buttons for the legal actions that do not play cards."""

    @dataclass
    class Chosen(Message):
        """Message that is sent when the person presses the button of `action`."""

        action: int

    def __init__(self) -> None:
        super().__init__(id="actions", min_column_width=_BUTTON_WIDTH, max_column_width=_BUTTON_WIDTH)
        self._shown: list[Choice] = []

    async def show(self, choices: list[Choice]) -> None:
        """Show a button for each action in `choices`; do nothing if the same are shown already."""
        if choices == self._shown:
            return
        self._shown = choices
        async with self.batch():
            await self.remove_children()
            await self.mount_all(ActionButton(choice) for choice in choices)

    def focus_first(self) -> None:
        """Focus the first button."""
        for button in self.query(ActionButton).results():
            button.focus()
            return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Send `Chosen` with the action of the pressed button to the screen."""
        event.stop()
        if isinstance(event.button, ActionButton):
            self.post_message(self.Chosen(event.button.choice.action))
