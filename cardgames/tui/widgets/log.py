"""What happened, a sentence a line, the newest at the bottom."""

import re

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.wording import group_of

_CARD = re.compile(r"\b(?:[rgby][0-9svd]|[wf]:[rgby]|[wf])\b")


class Log(VerticalScroll, can_focus=False):
    """The round so far."""

    BORDER_TITLE = "Log"

    def __init__(self) -> None:
        super().__init__(id="log")

    def compose(self) -> ComposeResult:
        """Make room for the lines."""
        yield Static("", id="lines")

    def show(self, lines: list[str]) -> None:
        """Show these lines, scrolled to the last."""
        self.query_one("#lines", Static).update(Content("\n").join([colored(line) for line in lines]))
        self.scroll_end(animate=False)


def colored(line: str) -> Content:
    """Return a line with its cards in their colours and the person's own doings bold."""
    content = Content.styled(line, "bold" if line.startswith("you") else "")
    for found in _CARD.finditer(line):
        text = found.group()
        content = content.stylize(f"bold $card-{group_of(text[2:] or text)}", found.start(), found.end())
    return content
