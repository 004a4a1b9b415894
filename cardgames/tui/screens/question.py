"""A decision apart from an ordinary turn, as a dialog."""

from collections.abc import Callable, Sequence
from string import ascii_letters, digits

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cardgames.tui.screens.dialog import Dialog
from cardgames.tui.wording import Choice

_TYPED = {*ascii_letters, *digits, ":", "/"} - {"h"}


class Question(Dialog[int | None]):
    """Offers every legal action by key, arrows or mouse; its result is the action, or None.

    A letter or digit that is no key, `:` or `/` goes to the line for typing moves instead, lest the enter behind it choose.
    """

    def __init__(
        self,
        title: str,
        text: str,
        choices: Sequence[Choice],
        hint: Callable[[], object],
        begin: Callable[[events.Key], object],
    ) -> None:
        """Ask; `begin` takes what is typed."""
        super().__init__(hint)
        self._title, self._text, self._choices, self._begin = title, text, list(choices), begin
        self._typing = False

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            box.border_subtitle = "h hint · esc look at the table"
            yield Static(self._text, classes="text")
            yield OptionList(*(_option(choice) for choice in self._choices), compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer with the line chosen."""
        self.dismiss(self._choices[event.option_index].action)

    def on_key(self, event: events.Key) -> None:
        """Answer by a choice's own key, or leave for the line for typing, and what comes behind in a burst as well."""
        answers = {choice.key: choice.action for choice in self._choices}
        if event.character in answers and not self._typing:
            event.stop()
            self.dismiss(answers[event.character])
        elif self._typing or (event.character in _TYPED and event.character != self.leave_key):
            event.stop()
            self._typing = True
            self.dismiss(None)
            self._begin(event)


def _option(choice: Choice) -> Option:
    return Option(Content.assemble((choice.key, "bold"), f"  {choice.words}"), id=choice.text)
