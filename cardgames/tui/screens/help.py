"""The keys, and the rules of this very table."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.core.rules import RuleSet
from cardgames.tui.screens.dialog import Dialog

_PLAYING = """\
arrows, enter   choose and play a card; > marks what may be played
d k p           draw, keep the card drawn, pass
r g b y w f     begin to type a card; : or / a move of any kind
h               hint              n   next round
esc             look at the table while a question is open
? or F1         this help         q   quit"""

_WATCHING = """\
space           pause, go on      s   one move
+ -             faster, slower    n   next round
? or F1         this help         q   quit"""


class Help(Dialog[None]):
    """Everything one has to know, to be scrolled through."""

    BINDINGS = [Binding("question_mark,f1,enter,space", "dismiss(None)", "close", show=False)]

    def __init__(self, rules: RuleSet, *, watching: bool) -> None:
        super().__init__()
        self._rules, self._keys = rules, _WATCHING if watching else _PLAYING

    def compose(self) -> ComposeResult:
        """Make the box."""
        with VerticalScroll(classes="box") as box:
            box.border_title = f"Keys, and the rules of this table: {self._rules.name}"
            box.border_subtitle = "arrows scroll · esc close"
            yield Static(self._keys, classes="text", markup=False)
            yield Static(_rules_text(self._rules), classes="text")


def _rules_text(rules: RuleSet) -> Content:
    lines = []
    for axis in rules:
        lines.append(Content.assemble((f"{axis.name:<17}", "bold"), f"{axis.value}"))
        lines.append(Content.styled(f"    {axis.words}", "dim"))
    return Content("\n").join(lines)
