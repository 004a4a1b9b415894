"""The end of a round: who won, what it was worth, and every hand."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Button, Static

from cardgames.tui.screen_theme import ScreenTheme
from cardgames.tui.screens.dialog import Dialog
from cardgames.tui.session import Session
from cardgames.tui.wording import listed

_AGAIN = 0.5
"""Seconds after which it looks again whether what lies over it, as the help, is closed."""


class RoundOverDialog(Dialog[bool | None]):
    """Shows the outcome; its result is True when the next round is wanted."""

    BINDINGS = [
        Binding("n,enter", "dismiss(True)", "next", show=False),
        Binding("space", "stay", "stay", show=False),
    ]
    _timer: Timer | None = None

    def __init__(self, table: Session, screen_theme: ScreenTheme, rest: float | None) -> None:
        """Show how the round at `table` ended; after `rest` seconds go on by itself, unless that is None."""
        super().__init__()
        self._table, self._look, self._rest = table, screen_theme, rest

    def on_mount(self) -> None:
        """Begin to wait."""
        if self._rest is not None:
            self._timer = self.set_timer(max(self._rest, 0.01), self._go_on)
        # the button that has the focus lies below what is to be read
        self.call_after_refresh(self.query_one(".box").scroll_home, animate=False)

    def _go_on(self) -> None:
        if self.is_active:
            self.dismiss(True)
        else:
            self._timer = self.set_timer(_AGAIN, self._go_on)

    def action_stay(self) -> None:
        """Wait for a key."""
        if self._timer is not None:
            self._timer.stop()
            self.query_one(".box").border_subtitle = "paused: n goes on"

    def compose(self) -> ComposeResult:
        """Make the box."""
        again = "n  Next round" if self._table.match_score and not self._table.match_over else "n  Play again"
        with VerticalScroll(classes="box", can_focus=False) as box:
            box.border_title = Content(_outcome(self._table))
            box.border_subtitle = "esc look at the table"
            yield Static(_standing(self._table, self._look), classes="text")
            with Horizontal(classes="buttons"):
                yield Button(again, id="next", compact=True, variant="primary")
                yield Button(f"{self.leave_key}  Quit", id="quit", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Go on or leave."""
        if event.button.id == "next":
            self.dismiss(True)
        else:
            self.action_leave(self.leave_key)


def _outcome(table: Session) -> str:
    if not table.winners:
        return "The round is void"
    first, *others = table.winners
    names = listed(["You" if first == table.person else table.name(first), *map(table.name, others)])
    has = "have" if others or first == table.person else "has"
    return f"{names} {has} won the {'match' if table.match_over else 'round'}"


def _standing(table: Session, screen_theme: ScreenTheme) -> Content:
    """Return each seat's points, total and last hand."""
    lines = []
    hands = table.game.hands_of(table.state.record)
    for seat, (hand, change, score) in enumerate(zip(hands, table.state.returns(), table.scores, strict=True)):
        style = "bold" if seat in table.winners else ""
        unit = table.unit("round won" if score == 1 else "rounds won", "of {} points")
        lines.append(Content.styled(f"{table.name(seat):<14} {change:>+5g}   {score:g} {unit}", style))
        lines.append(Content.assemble("    ", screen_theme.hand(hand) if hand else Content.styled("no cards", "dim")))
    explain_payoffs = table.text_theme.explain_payoffs(table)
    return Content("\n").join([*lines, Content(explain_payoffs)] if explain_payoffs else lines)
