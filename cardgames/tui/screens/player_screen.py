"""Base class of the screens of a person who plays."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input

from cardgames.agents.agent import Agent, Decision
from cardgames.search.report import SearchReport
from cardgames.support.errors import InvalidInput
from cardgames.tui.line_mode import ViewModel
from cardgames.tui.screens.base_table_screen import BaseTableScreen
from cardgames.tui.screens.dialog import letter_bindings
from cardgames.tui.screens.placed_dialog import PlacedDialog
from cardgames.tui.session import Session, stop
from cardgames.tui.shared_wording import Choice
from cardgames.tui.widgets.actions import ActionBar
from cardgames.tui.widgets.move_input import MoveInput
from cardgames.tui.widgets.search_panel import SearchPanel

_HINT, _NEXT = "hn"
"""Letters that are keys in every game: for a hint and for the next round."""


def typing_bindings(taken: str) -> list[Binding]:
    """Return bindings that begin to type a move with any letter or digit that is not a key; `taken` are the game's own keys.

    All characters are bound, so that a mistyped one opens the input line and the enter after it does not play a card.
    """
    return letter_bindings("begin", _HINT + _NEXT + taken)


class PlayerScreen(BaseTableScreen):
    """Screen of a person who plays: the table with only what its seat may see. Each game has a subclass."""

    TYPES_AHEAD: ClassVar[bool] = False
    """True if a move may be typed before it is the person's turn."""
    _OFF_WHILE_TYPING = ("begin", "open_input", "hint", "next", "help", "quit")
    """Actions of the screen that are off while the person types a move, since their keys are then plain characters."""
    EXAMPLE: ClassVar[str]
    """Placeholder of the empty input line."""
    BINDINGS = [
        Binding("colon,slash", "open_input", "type a move", key_display=":", priority=True),
        Binding(_HINT, "hint", "hint"),
        Binding(_NEXT, "next", "next round", show=False),
        Binding("question_mark", "help", "help", key_display="?"),
        Binding("f1", "app.help", show=False),
    ]

    def __init__(self, session: Session, hint: Callable[[], Agent] | None, speed: float) -> None:
        super().__init__(session, speed, spare_agent=hint)
        self._hint = hint
        self._hint_agent: Agent | None = None
        self._hinted_action: int | None = None
        """Action that a hint recommends for the current decision; None without a hint."""
        self._pending_action: asyncio.Future[int] | None = None

    def compose_hand(self) -> ComposeResult:
        """Lay out the hand, the buttons and the input line."""
        with Vertical(id="own") as own:
            own.border_title = "Your hand"
            yield from self.compose_cards()
            yield ActionBar()
            yield MoveInput(self.EXAMPLE)

    def compose_cards(self) -> ComposeResult:
        """Lay out the widgets for the cards of the hand."""
        raise NotImplementedError

    async def show_view_model(self, view_model: ViewModel) -> None:
        """Show the table, the hand and the legal actions."""
        await super().show_view_model(view_model)
        await self.show_cards(view_model)
        await self.query_one(ActionBar).show(self.action_choices)
        if self.deciding and not self.query_one(MoveInput).display:
            self.focus_cards()

    async def show_cards(self, view_model: ViewModel) -> None:
        """Show the person's hand as it is in a view model."""
        raise NotImplementedError

    def focus_cards(self) -> None:
        """Focus the card or button that the person most likely wants."""
        raise NotImplementedError

    def prompt(self) -> str:
        """Return what the person has to decide."""
        raise NotImplementedError

    def show_prompt(self) -> None:
        """Show what the person has to decide; open a dialog unless it is an ordinary turn."""
        raise NotImplementedError

    def suggest(self, text: str) -> None:
        """Mark the action `text`, which a hint recommends, in the hand."""
        raise NotImplementedError

    @property
    def action_choices(self) -> list[Choice]:
        """Legal actions offered as buttons."""
        raise NotImplementedError

    @property
    def deciding(self) -> bool:
        """True while the screen waits for the person's decision."""
        return self._pending_action is not None

    @property
    def at_stake(self) -> str:
        """`match` or `round` if leaving now would break it off, else empty."""
        if not self._dealt or self.session.match_over:
            return ""
        if self.session.match_score:
            return "match"
        return "" if self.session.round_over else "round"

    async def _deal(self) -> None:
        self.query_one(MoveInput).close()  # text typed ahead belonged to the previous round
        await super()._deal()

    async def person_moves(self) -> None:
        """Wait for the person's decision and play it."""
        self._pending_action, self._hinted_action = asyncio.get_running_loop().create_future(), None
        own = self.query_one("#own")
        own.add_class("-your-turn")
        self.query_one(SearchPanel).say("Search", "h: hint" if self._hint else "")
        await self.show()
        self.show_prompt()
        action = await self._pending_action
        self._pending_action = None
        own.remove_class("-your-turn")
        self._stop_hint()
        self.query_one(MoveInput).close()
        self.session.play(action)
        await self.show()

    def answer(self, action: int) -> None:
        """Decide for `action`: it is played as the person's decision if the screen waits for one."""
        if self._pending_action is not None and not self._pending_action.done():
            self._pending_action.set_result(action)

    def open_dialog(self, dialog: PlacedDialog[int | None]) -> None:
        """Open a dialog for the current decision; the result None returns to the table."""
        pending = self._pending_action

        def take(action: int | None) -> None:
            if action is None:
                self._restore_prompt()
            elif self._pending_action is pending:
                self.answer(action)

        self.ask_over_table(dialog, take)
        dialog.call_after_refresh(self._suggest_in_dialog)

    def open_dialog_once(self, dialog: PlacedDialog[int | None]) -> None:
        """Open a dialog about a card just chosen, unless a dialog is open: a burst of keys may choose the card twice."""
        if self.is_active:
            self.open_dialog(dialog)

    def on_action_bar_chosen(self, message: ActionBar.Chosen) -> None:
        """Play the action of a button if it is still legal: the message may arrive after the decision it belonged to."""
        if any(choice.action == message.action for choice in self.action_choices):
            self.answer(message.action)

    def on_key(self, event: events.Key) -> None:
        """Play the legal action whose key was pressed, if it is the person's turn."""
        if event.character is not None and self.deciding and self._choose_by_key(event.character):
            event.stop()

    def _choose_by_key(self, key: str) -> bool:
        choice = next((choice for choice in self.action_choices if choice.key == key), None)
        if choice is not None:
            self.answer(choice.action)
        return choice is not None

    def action_next(self) -> None:
        """Deal the next round; while a question is open, `n` may be the key of an answer."""
        if not self.deciding or not self._choose_by_key(_NEXT):
            super().action_next()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters to the input line while it has the focus."""
        return action not in self._OFF_WHILE_TYPING or not isinstance(self.focused, MoveInput)

    async def action_help(self) -> None:
        """Show the keys and the rules of this table."""
        await self.run_action("app.help")

    async def action_quit(self) -> None:
        """Leave the table."""
        await self.run_action("app.leave")

    def action_begin(self, character: str) -> None:
        """Begin to type a move with a key that belongs to no legal action."""
        if self.deciding and self._choose_by_key(character):
            return
        if self.deciding or self.TYPES_AHEAD:
            self.query_one(MoveInput).open(character)

    def type_from_dialog(self, typed: str) -> bool:
        """Begin to type a move with a key or pasted text from a dialog; return False if it was the key `n`."""
        if typed == _NEXT:
            self.action_next()
            return False
        self.query_one(MoveInput).open(typed.strip(":/"))
        return True

    def paste_text(self, text: str) -> None:
        """Begin to type a move with pasted text, so that the enter after it does not play a card."""
        if self.deciding or self.TYPES_AHEAD:
            self.query_one(MoveInput).open(text.strip(":/"))

    def action_open_input(self) -> None:
        """Open the input line."""
        self.query_one(MoveInput).open("")

    def action_close_input(self) -> None:
        """Close the input line."""
        self.query_one(MoveInput).close()
        self.focus_cards()
        self._restore_prompt()

    def _restore_prompt(self) -> None:
        """Show the prompt again in place of a warning or a hint; between decisions, the last message before a warning."""
        if self.deciding:
            self.say(self.prompt())
        elif self.query_one("#status").has_class("-warning"):
            self.say(self._last_message)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play the typed move or show what is wrong; ignore keys that arrive after a dialog has opened."""
        if not self.is_active:
            return
        try:
            if not self.deciding:
                raise InvalidInput("it is not your turn")
            self.submit(event.value)
        except InvalidInput as error:
            self.say(str(error), warning=True)

    def submit(self, text: str) -> None:
        """Play the move written as `text`. Raises `InvalidInput`."""
        self.answer(self.session.parse(text))

    def opponent_thinks(self, report: SearchReport) -> None:
        """Show how many simulations an opponent has run, without its actions, which are its cards.

        Shows nothing while the opponent decides in private.
        """
        if self.session.view_model().to_move == report.player:
            self.query_one(SearchPanel).progress(report)

    def action_hint(self) -> None:
        """Let the hint agent search the person's decision in the background, and show what it recommends."""
        if not self.deciding:
            self.say("Hints are available only on your turn.", warning=True)
        elif self._hint is None:
            self.say("Hints are not available at this table.", warning=True)
        else:
            self.in_background(self._give_hint, group="hint")

    async def _give_hint(self) -> None:
        assert self._hint is not None
        stop(self._hint_agent)
        panel, observation = self.query_one(SearchPanel), self.session.state.observation()
        panel.say("Hint", "compiling the search (first time only)…" if self.compiling else "thinking…")
        agent = self._hint_agent = await self.in_thread(self._hint)
        title = f"Hint: {agent.name}"
        decision = await self.think(agent, lambda: self.session.advise(agent, observation), partial(panel.show, title))
        self._show_hint(title, decision)

    def _suggest_in_dialog(self) -> None:
        if self._hinted_action is None:
            return
        for screen in self.app.screen_stack:  # the help may cover it
            if isinstance(screen, PlacedDialog):
                screen.suggest(self._hinted_action)

    def _stop_hint(self) -> None:
        stop(self._hint_agent)
        self.workers.cancel_group(self, "hint")

    def leave(self) -> None:
        """Stop the searches of the hint agent and of all others, and close the record."""
        stop(self._hint_agent)
        super().leave()

    def _show_hint(self, title: str, decision: Decision) -> None:
        text = self.session.state.action_to_string(decision.action)
        panel = self.query_one(SearchPanel)
        if isinstance(decision.report, SearchReport):
            panel.show(title, decision.report)
        else:
            panel.say(title, f"would play {text}")
        self._hinted_action = decision.action
        self.suggest(text)
        self._suggest_in_dialog()
        self.say(f"{title} would play {self.screen_parts.action_name(text)}")
