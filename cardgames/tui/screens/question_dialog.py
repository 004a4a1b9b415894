"""A decision apart from an ordinary turn, as a dialog."""

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cardgames.tui.screens.dialog import letters
from cardgames.tui.screens.placed_dialog import PlacedDialog
from cardgames.tui.wording import Choice


class QuestionDialog(PlacedDialog[int | None]):
    """Offers every legal action by key, arrows or mouse; its result is the action, or None.

    A letter or digit that is no key, `:` or `/`, and what is pasted, goes to the line for typing moves instead, lest the
    enter behind it choose.
    """

    BINDINGS = [*letters("key"), Binding("colon,slash", "key(':')", show=False, priority=True)]

    def __init__(
        self,
        title: str,
        text: str,
        choices: Sequence[Choice],
        hint: Callable[[], object],
        begin: Callable[[str], bool],
    ) -> None:
        """Ask; `begin` takes what is typed, and tells whether that begins a move."""
        super().__init__(hint)
        self._title, self._text, self._choices, self._begin = title, text, list(choices), begin
        self._answers = {choice.key: choice.action for choice in choices}

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(classes="box") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = "h hint · esc to the table"
            yield Static(self._text, classes="text", markup=False)
            yield OptionList(*(_option(choice) for choice in self._choices), compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer with the line chosen."""
        self.dismiss(self._choices[event.option_index].action)

    def suggest(self, action: int) -> None:
        """Go to the line of the answer that a hint names."""
        for number, choice in enumerate(self._choices):
            if choice.action == action:
                for lines in self.query(OptionList):
                    lines.highlighted = number

    def action_key(self, character: str) -> None:
        """Answer with a choice's own key, leave or hint with theirs; with any other go to the line for typing."""
        if character in self._answers:
            self.dismiss(self._answers[character])
        elif character == self.leave_key:
            self.action_leave(character)
        elif character == "h":
            self.action_hint()
        elif self._begin(character):
            self.dismiss(None)

    def paste_text(self, text: str) -> None:
        """Go to the line for typing with what is pasted."""
        if self._begin(f":{text}"):
            self.dismiss(None)


def _option(choice: Choice) -> Option:
    return Option(Content.assemble((choice.key, "bold"), f"  {choice.words}"), id=choice.text)
