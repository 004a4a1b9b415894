"""The screen of a person who plays: what is the same in every game."""

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
from cardgames.tui.screens.dialog import letters
from cardgames.tui.screens.placed_dialog import PlacedDialog
from cardgames.tui.screens.table_screen import TableScreen
from cardgames.tui.session import Session, stop
from cardgames.tui.text_theme import ViewModel
from cardgames.tui.widgets.actions import ActionBar
from cardgames.tui.widgets.move_input import MoveInput
from cardgames.tui.widgets.search_panel import SearchPanel
from cardgames.tui.wording import Choice

_HINT, _NEXT = "hn"
"""The letters that are keys at every table."""


def typing(taken: str) -> list[Binding]:
    """Return the bindings that begin to type a move with any letter or digit that is no key; `taken` are the game's keys.

    All of them, lest what was mistyped be lost and the enter behind it play a card.
    """
    return letters("begin", _HINT + _NEXT + taken)


class PlayerScreen(TableScreen):
    """The table from the person's seat: nothing on it that the seat may not know. Each game has a subclass."""

    TYPES_AHEAD: ClassVar[bool] = False
    """Whether a card may be typed before it is the person's turn."""
    _TYPED = ("begin", "open_input", "hint", "next", "help", "quit")
    """What keys do nothing of while a move is typed: they are letters then."""
    EXAMPLE: ClassVar[str]
    """What the line for typing moves says as long as it is empty."""
    BINDINGS = [
        Binding("colon,slash", "open_input", "type a move", key_display=":", priority=True),
        Binding(_HINT, "hint", "hint"),
        Binding(_NEXT, "next", "next round", show=False),
        Binding("question_mark", "help", "help", key_display="?"),
        Binding("f1", "app.help", show=False),
    ]

    def __init__(self, table: Session, hint: Callable[[], Agent] | None, speed: float) -> None:
        super().__init__(table, speed, spare_agent=hint)
        self._hint = hint
        self._hinter: Agent | None = None
        self._hinted: int | None = None
        """The action that a hint names for the decision at hand."""
        self._answer: asyncio.Future[int] | None = None

    def compose_hand(self) -> ComposeResult:
        """Lay out the hand, the other actions and the line for typing."""
        with Vertical(id="own") as own:
            own.border_title = "Your hand"
            yield from self.compose_own()
            yield ActionBar()
            yield MoveInput(self.EXAMPLE)

    def compose_own(self) -> ComposeResult:
        """Lay out the hand."""
        raise NotImplementedError

    async def show_sight(self, view_model: ViewModel) -> None:
        """Show the table, the hand and what the person may do."""
        await super().show_sight(view_model)
        await self.show_own(view_model)
        await self.query_one(ActionBar).show(self.action_names)
        if self.deciding and not self.query_one(MoveInput).display:
            self.focus_own()

    async def show_own(self, view_model: ViewModel) -> None:
        """Show the hand."""
        raise NotImplementedError

    def focus_own(self) -> None:
        """Put the focus where the person is most likely to choose."""
        raise NotImplementedError

    def prompt(self) -> str:
        """Return what is to be decided, in words."""
        raise NotImplementedError

    def ask(self) -> None:
        """Say what is to be decided; open a dialog if it is more than an ordinary turn."""
        raise NotImplementedError

    def suggest(self, text: str) -> None:
        """Mark the action that a hint names."""
        raise NotImplementedError

    @property
    def action_names(self) -> list[Choice]:
        """The actions offered as buttons."""
        raise NotImplementedError

    @property
    def deciding(self) -> bool:
        """Whether the person is to decide."""
        return self._answer is not None

    @property
    def at_stake(self) -> str:
        """The round or the match that he plays, from its first deal to its end."""
        if not self._dealt or self.table.match_over:
            return ""
        if self.table.match_score:
            return "match"
        return "" if self.table.round_over else "round"

    async def _deal(self) -> None:
        self.query_one(MoveInput).close()  # what was typed ahead was of the round before
        await super()._deal()

    async def person_moves(self) -> None:
        """Wait for the person's decision and play it."""
        self._answer, self._hinted = asyncio.get_running_loop().create_future(), None
        own = self.query_one("#own")
        own.add_class("-your-turn")
        self.query_one(SearchPanel).say("Search", "h asks for a hint" if self._hint else "")
        await self.show()
        self.ask()
        action = await self._answer
        self._answer = None
        own.remove_class("-your-turn")
        self._stop_hint()
        self.query_one(MoveInput).close()
        self.table.play(action)
        await self.show()

    def answer(self, action: int) -> None:
        """Take the person's decision."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(action)

    def open_dialog(self, dialog: PlacedDialog[int | None]) -> None:
        """Open a dialog whose result is the decision that is asked for now, or None, to make it at the table."""
        asked = self._answer

        def take(action: int | None) -> None:
            if action is None:
                self._remind()
            elif self._answer is asked:
                self.answer(action)

        self.ask_over_table(dialog, take)
        dialog.call_after_refresh(self._suggest_in_dialog)

    def ask_further(self, dialog: PlacedDialog[int | None]) -> None:
        """Open a dialog about what the person chose, once: a key that came in a burst chooses it although one is open."""
        if self.is_active:
            self.open_dialog(dialog)

    def on_action_bar_chosen(self, message: ActionBar.Chosen) -> None:
        """Do what a button stands for, if it still does: its message may come after the decision it was shown for."""
        if any(choice.action == message.action for choice in self.action_names):
            self.answer(message.action)

    def on_key(self, event: events.Key) -> None:
        """Take an action's key."""
        if event.character is not None and self.deciding and self._choose_by_key(event.character):
            event.stop()

    def _choose_by_key(self, key: str) -> bool:
        found = next((choice for choice in self.action_names if choice.key == key), None)
        if found is not None:
            self.answer(found.action)
        return found is not None

    def action_next(self) -> None:
        """Deal the next round; in a question, `n` may be an answer's own key."""
        if not self.deciding or not self._choose_by_key(_NEXT):
            super().action_next()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave keys to the line for typing as soon as it has them."""
        return action not in self._TYPED or not isinstance(self.focused, MoveInput)

    async def action_help(self) -> None:
        """Show the keys and the rules of this table."""
        await self.run_action("app.help")

    async def action_quit(self) -> None:
        """Leave the table."""
        await self.run_action("app.leave")

    def action_begin(self, character: str) -> None:
        """Begin to type a card with a key that is no action's own."""
        if self.deciding and self._choose_by_key(character):
            return
        if self.deciding or self.TYPES_AHEAD:
            self.query_one(MoveInput).open(character)

    def begin_in_question(self, typed: str) -> bool:
        """Begin to type with a key that came to a question, or what is behind a colon; tell whether that is to be typed."""
        if typed == _NEXT:
            self.action_next()
            return False
        self.query_one(MoveInput).open(typed.strip(":/"))
        return True

    def paste_text(self, text: str) -> None:
        """Begin to type with what is pasted, as with letters, lest the enter behind it play a card."""
        if self.deciding or self.TYPES_AHEAD:
            self.query_one(MoveInput).open(text.strip(":/"))

    def action_open_input(self) -> None:
        """Open the line in which a move is typed."""
        self.query_one(MoveInput).open("")

    def action_close_input(self) -> None:
        """Close it again."""
        self.query_one(MoveInput).close()
        self.focus_own()
        self._remind()

    def _remind(self) -> None:
        """Say what is to be decided, in place of a complaint or a hint; else what was said before a complaint."""
        if self.deciding:
            self.say(self.prompt())
        elif self.query_one("#status").has_class("-warning"):
            self.say(self._said)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play the move that was typed, or say what is wrong with it; keys behind one that opened a dialog came too late."""
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
        self.answer(self.table.parse(text))

    def opponent_thinks(self, report: SearchReport) -> None:
        """Show how far the search is, but not of what: its actions are the opponent's cards.

        Nothing is shown where being asked is private itself.
        """
        if self.table.view_model().to_move == report.player:
            self.query_one(SearchPanel).progress(report)

    def action_hint(self) -> None:
        """Ask the hint agent what it would do in the person's place."""
        if not self.deciding:
            self.say("Hints are for your own turn.", warning=True)
        elif self._hint is None:
            self.say("There is no one to ask for a hint at this table.", warning=True)
        else:
            self.in_background(self._give_hint, group="hint")

    async def _give_hint(self) -> None:
        assert self._hint is not None
        stop(self._hinter)
        panel, observation = self.query_one(SearchPanel), self.table.state.observation()
        panel.say("Hint", "compiling the search (first time only)…" if self.compiling else "thinking…")
        agent = self._hinter = await self.in_thread(self._hint)
        title = f"Hint: {agent.name}"
        decision = await self.think(agent, lambda: self.table.advise(agent, observation), partial(panel.show, title))
        self._show_hint(title, decision)

    def _suggest_in_dialog(self) -> None:
        if self._hinted is None:
            return
        for screen in self.app.screen_stack:  # the help may lie over it
            if isinstance(screen, PlacedDialog):
                screen.suggest(self._hinted)

    def _stop_hint(self) -> None:
        stop(self._hinter)
        self.workers.cancel_group(self, "hint")

    def leave(self) -> None:
        """Stop the hint's search as well."""
        stop(self._hinter)
        super().leave()

    def _show_hint(self, title: str, decision: Decision) -> None:
        text = self.table.state.action_to_string(decision.action)
        panel = self.query_one(SearchPanel)
        if isinstance(decision.report, SearchReport):
            panel.show(title, decision.report)
        else:
            panel.say(title, f"would play {text}")
        self._hinted = decision.action
        self.suggest(text)
        self._suggest_in_dialog()
        self.say(f"{title} would play {self.screen_theme.move(text)}")
