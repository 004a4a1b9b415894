"""Dialog for a decision of the person that is not an ordinary turn, such as a bid or a challenge."""

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cardgames.tui.screens.dialog import letter_bindings
from cardgames.tui.screens.placed_dialog import PlacedDialog
from cardgames.tui.shared_wording import Choice


class DecisionDialog(PlacedDialog[int | None]):
    """Dialog that offers legal actions by key, arrows or mouse; its result is the action, or None if it is closed.

    Any other letter or digit, `:`, `/` and pasted text go to the input line for moves, so that a following enter
    does not choose an answer.
    """

    BINDINGS = [*letter_bindings("key"), Binding("colon,slash", "key(':')", show=False, priority=True)]

    def __init__(
        self,
        title: str,
        text: str,
        choices: Sequence[Choice],
        hint: Callable[[], object],
        begin: Callable[[str], bool],
    ) -> None:
        """Create the dialog.

        Args:
            title: Title of the box.
            text: The question.
            choices: Legal actions, each with a key.
            hint: Function that requests a hint.
            begin: Takes a character or text for the input line; returns whether it began a move.
        """
        super().__init__(hint)
        self._title, self._text, self._choices, self._begin = title, text, list(choices), begin
        self._answers = {choice.key: choice.action for choice in choices}

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with Vertical(classes="box") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = "h: hint · esc: table"
            yield Static(self._text, classes="text", markup=False)
            yield OptionList(*(_option(choice) for choice in self._choices), compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close the dialog with the action of the selected line."""
        self.dismiss(self._choices[event.option_index].action)

    def suggest(self, action: int) -> None:
        """Highlight the line of `action`, which a hint recommends."""
        for number, choice in enumerate(self._choices):
            if choice.action == action:
                for lines in self.query(OptionList):
                    lines.highlighted = number

    def action_key(self, character: str) -> None:
        """Handle a key: choose the action with that key, leave, request a hint, or begin to type a move with the key."""
        if character in self._answers:
            self.dismiss(self._answers[character])
        elif character == self.leave_key:
            self.action_leave(character)
        elif character == "h":
            self.action_hint()
        elif self._begin(character):
            self.dismiss(None)

    def paste_text(self, text: str) -> None:
        """Put pasted text into the input line for moves and close the dialog."""
        if self._begin(f":{text}"):
            self.dismiss(None)


def _option(choice: Choice) -> Option:
    return Option(Content.assemble((choice.key, "bold"), f"  {choice.words}"), id=choice.text)
