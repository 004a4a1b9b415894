"""Dialog at the end of a round: winners, payoffs, scores and all hands."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Button, Static

from cardgames.tui.screen_parts import ScreenParts
from cardgames.tui.screens.dialog import Dialog
from cardgames.tui.session import Session
from cardgames.tui.shared_wording import listed

_AGAIN = 0.5
"""Seconds between checks whether a dialog that covers this one, such as the help, is closed."""


class RoundOverDialog(Dialog[bool | None]):
    """Dialog with the result of a round; it is closed with True if the next round shall be dealt."""

    BINDINGS = [
        Binding("n,enter", "dismiss(True)", "next", show=False),
        Binding("space", "stay", "stay", show=False),
    ]
    _timer: Timer | None = None

    def __init__(self, session: Session, screen_parts: ScreenParts, auto_next_delay: float | None) -> None:
        """Show the result of the session's round; continue after `auto_next_delay` seconds, unless that is None."""
        super().__init__()
        self._session, self._screen_parts, self._auto_next_delay = session, screen_parts, auto_next_delay

    def on_mount(self) -> None:
        """Start the timer for the next round."""
        if self._auto_next_delay is not None:
            self._timer = self.set_timer(max(self._auto_next_delay, 0.01), self._go_on)
        # the focused button is below the text, which should be visible first
        self.call_after_refresh(self.query_one(".box").scroll_home, animate=False)

    def _go_on(self) -> None:
        if self.is_active:
            self.dismiss(True)
        else:
            self._timer = self.set_timer(_AGAIN, self._go_on)

    def action_stay(self) -> None:
        """Stop the timer that begins the next round."""
        if self._timer is not None:
            self._timer.stop()
            self.query_one(".box").border_subtitle = "paused · n: next round"

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with VerticalScroll(classes="box", can_focus=False) as box:
            box.border_title = Content(_outcome(self._session))
            box.border_subtitle = "esc: look at the table"
            yield Static(_standing(self._session, self._screen_parts), classes="text")
            with Horizontal(classes="buttons"):
                yield Button("n  Next round", id="next", compact=True, variant="primary")
                yield Button(f"{self.leave_key}  Quit", id="quit", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin the next round or leave, by the pressed button."""
        if event.button.id == "next":
            self.dismiss(True)
        else:
            self.action_leave(self.leave_key)


def _outcome(session: Session) -> str:
    if not session.winners:
        return "The round is void"
    first, *others = session.winners
    names = listed(["You" if first == session.person else session.name(first), *map(session.name, others)])
    has = "have" if others or first == session.person else "has"
    return f"{names} {has} won the {'match' if session.match_over else 'round'}"


def _standing(session: Session, screen_parts: ScreenParts) -> Content:
    """Return the payoff, the score and the final hand of each seat as text."""
    lines = []
    hands = session.game.hands_of(session.state.record)
    for seat, (hand, change, score) in enumerate(zip(hands, session.state.returns(), session.scores, strict=True)):
        style = "bold" if seat in session.winners else ""
        unit = session.unit("round won" if score == 1 else "rounds won", "of {} points")
        lines.append(Content.styled(f"{session.name(seat):<14} {change:>+5g}   {score:g} {unit}", style))
        lines.append(Content.assemble("    ", screen_parts.hand(hand) if hand else Content.styled("no cards", "dim")))
    explain_payoffs = session.line_mode.explain_payoffs(session)
    return Content("\n").join([*lines, Content(explain_payoffs)] if explain_payoffs else lines)
