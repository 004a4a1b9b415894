"""The screen of a person who plays Uno."""

from textual.app import ComposeResult
from textual.binding import Binding

from cardgames.tui.screens.player_screen import PlayerScreen, typing
from cardgames.tui.screens.question_dialog import QuestionDialog
from cardgames.tui.uno.card import Card
from cardgames.tui.uno.color_picker import ColorPicker
from cardgames.tui.uno.hand import Hand
from cardgames.tui.uno.view_model import ViewModel
from cardgames.tui.uno.wording import WILDS, card_name, choices, is_card, is_question, question, squeezed
from cardgames.tui.widgets.actions import ActionBar
from cardgames.tui.wording import Choice


class GamePlayerScreen(PlayerScreen):
    """A card is played as soon as it is chosen; a wild asks for its colour first."""

    EXAMPLE = "a move, such as r7, w:b or draw"
    KEYS = """\
arrows, enter   choose and play a card; > marks what may be played
d k p           draw, keep the card drawn, pass
other letters   begin to type a move, as r7; so do : and /
h               hint              n   next round
esc             look at the table while a question is open
pgup, pgdn      read in the log   F2  light or dark
? or F1         this help         q   quit
ctrl+z          suspend; `fg` in the shell goes on"""
    BINDINGS = [Binding("q", "quit", "quit", key_display="q"), *typing("q")]

    _choices: tuple[Choice, ...] = ()

    def compose_own(self) -> ComposeResult:
        """Lay out the hand."""
        yield Hand()

    @property
    def action_names(self) -> list[Choice]:
        """The actions that are not cards."""
        return [choice for choice in self._choices if not is_card(choice.text)]

    async def show_own(self, view_model: ViewModel) -> None:
        """Show the hand and what may be played."""
        self._choices = tuple(choices(self.table, view_model))
        playable = {choice.text.partition(":")[0] for choice in self._choices if is_card(choice.text)}
        assert self.table.person is not None
        await self.query_one(Hand).show(view_model.hands[self.table.person] or (), playable)
        self.call_after_refresh(self._fit_hand)

    def on_resize(self) -> None:
        """Give the hand as much room as there is now."""
        self.call_after_refresh(self._fit_hand)

    def _fit_hand(self) -> None:
        """Leave room below the hand for the buttons, if there are any, and for the line for typing."""
        own, buttons = self.query_one("#own"), self.query_one(ActionBar)
        highest = own.styles.max_height
        assert highest is not None
        room = int(highest.resolve(self.query_one("#left").size, self.size)) - own.gutter.height
        below = buttons.size.height + buttons.styles.margin.height + 1
        self.query_one(Hand).fit(own.content_size.width, room - below)

    def focus_own(self) -> None:
        """Put the focus on a card that may be played, or on another action."""
        if not self.query_one(Hand).focus_playable():
            self.query_one(ActionBar).focus_first()

    def ask(self) -> None:
        """Say what is to be decided; open a dialog if it is more than an ordinary turn."""
        self.say(self.prompt())
        view_model = self.table.view_model()
        if not self._is_question(view_model):
            return
        title, text = question(self.table, view_model)
        if view_model.phase == "color":
            named = [(choice.key, choice.action) for choice in self._choices]
            self.open_dialog(ColorPicker(title, named, self.action_hint))
        else:
            self.open_dialog(QuestionDialog(title, text, self._choices, self.action_hint, self.begin_in_question))

    def _is_question(self, view_model: ViewModel) -> bool:
        return is_question(view_model, [choice.text for choice in self._choices])

    def prompt(self) -> str:
        """Return what is to be decided, in words."""
        view_model = self.table.view_model()
        if self._is_question(view_model):
            title, text = question(self.table, view_model)
            return f"{title} {text}" if title.endswith("?") else f"{title}: {text}"
        return self._ways()

    def _ways(self) -> str:
        ways = ["play a marked card"] if any(is_card(choice.text) for choice in self._choices) else []
        return "Your turn: " + " or ".join([*ways, *(f"{choice.text} ({choice.key})" for choice in self.action_names)])

    def on_card_chosen(self, message: Card.Chosen) -> None:
        """Play a card that was clicked."""
        self._play(message.card)

    def action_choose_focused(self) -> None:
        """Play the card under the cursor."""
        if isinstance(self.focused, Card):
            self._play(self.focused.card)

    def _play(self, card: str) -> None:
        """Play a card of the hand, asking for a wild's colour first."""
        meant = [choice for choice in self._choices if choice.text.partition(":")[0] == card]
        if not self.deciding:
            self.say("It is not your turn.", warning=True)
        elif not meant:
            self.say(f"{card_name(card)} cannot be played now. {self._ways()}", warning=True)
        elif len(meant) == 1 and ":" not in meant[0].text:
            self.answer(meant[0].action)
        else:
            named = [(choice.text[-1], choice.action) for choice in meant]
            self.ask_further(ColorPicker(f"{card_name(card)}: name a colour", named, self.action_hint))

    def submit(self, text: str) -> None:
        """Play what was typed; a wild without a colour asks for it. Raises `InvalidInput`."""
        wild = next((card for card in WILDS if squeezed(text) in (card, squeezed(card_name(card)))), "")
        if wild:
            self.action_close_input()
            self._play(wild)
        else:
            super().submit(text)

    def suggest(self, text: str) -> None:
        """Mark the card that a hint names."""
        self.query_one(Hand).suggest(text.partition(":")[0] if is_card(text) else None)
