"""Help dialog with the keys and the rules of the table."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.core.rules import RuleSet
from cardgames.tui.screens.dialog import Dialog

_NAME = 17
"""Minimum number of columns for names of rules."""


class HelpDialog(Dialog[None]):
    """Dialog with the keys and the rules of the table in a scrollable box."""

    BINDINGS = [Binding("question_mark,f1,enter,space", "dismiss(None)", "close", show=False)]

    def __init__(self, rules: RuleSet, keys: str) -> None:
        super().__init__()
        self._rules, self._keys = rules, keys

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with VerticalScroll(classes="box") as box:
            box.border_title = Content(f"Keys and rules of this table: {self._rules.name}")
            box.border_subtitle = "arrows: scroll · esc: close"
            yield Static(self._keys, classes="text", markup=False)
            yield Static(_rules_text(self._rules), classes="text")


def _rules_text(rules: RuleSet) -> Content:
    lines = []
    width = max([_NAME, *(len(axis.name) + 1 for axis in rules)])
    for axis in rules:
        lines.append(Content.assemble((f"{axis.name:<{width}}", "bold"), f"{axis.value}"))
        lines.append(Content.styled(f"    {axis.words}", "dim"))
    return Content("\n").join(lines)
