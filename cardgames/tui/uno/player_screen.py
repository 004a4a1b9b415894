"""Full screen of a person who plays Uno."""

from textual.app import ComposeResult
from textual.binding import Binding

from cardgames.tui.screens.decision_dialog import DecisionDialog
from cardgames.tui.screens.player_screen import PlayerScreen, typing_bindings
from cardgames.tui.shared_wording import Choice
from cardgames.tui.uno.card import Card
from cardgames.tui.uno.color_picker import ColorPicker
from cardgames.tui.uno.hand import Hand
from cardgames.tui.uno.view_model import ViewModel
from cardgames.tui.uno.wording import WILDS, card_name, choices, is_card, is_question, normalized, question
from cardgames.tui.widgets.actions import ActionBar


class GamePlayerScreen(PlayerScreen):
    """Screen of a person who plays Uno: a card is played as soon as it is chosen; a wild first opens the color picker."""

    EXAMPLE = "a move, such as r7, w:b or draw"
    KEYS = """\
arrows, enter   choose and play a card; > marks playable cards
d k p           draw, keep the drawn card, pass
other letters   start typing a move such as r7; also : and /
h               hint              n   next round
esc             look at the table while a question is open
pgup, pgdn      scroll the log    F2  light or dark
? or F1         this help         q   quit
ctrl+z          suspend; `fg` in the shell resumes"""
    BINDINGS = [Binding("q", "quit", "quit", key_display="q"), *typing_bindings("q")]

    _choices: tuple[Choice, ...] = ()

    def compose_cards(self) -> ComposeResult:
        """Lay out the widget of the hand."""
        yield Hand()

    @property
    def action_choices(self) -> list[Choice]:
        """Legal actions that do not play a card, such as draw and pass; they are offered as buttons."""
        return [choice for choice in self._choices if not is_card(choice.text)]

    async def show_cards(self, view_model: ViewModel) -> None:
        """Show the person's hand with the playable cards marked, and store the legal actions."""
        self._choices = tuple(choices(self.session, view_model))
        playable = {choice.text.partition(":")[0] for choice in self._choices if is_card(choice.text)}
        assert self.session.person is not None
        await self.query_one(Hand).show(view_model.hands[self.session.person] or (), playable)
        self.call_after_refresh(self._fit_hand)

    def on_resize(self) -> None:
        """Fit the hand into the new size of the terminal."""
        self.call_after_refresh(self._fit_hand)

    def _fit_hand(self) -> None:
        """Set the height of the hand so that the buttons, if any, and the input line fit below it."""
        own, buttons = self.query_one("#own"), self.query_one(ActionBar)
        highest = own.styles.max_height
        assert highest is not None
        room = int(highest.resolve(self.query_one("#left").size, self.size)) - own.gutter.height
        below = buttons.size.height + buttons.styles.margin.height + 1
        self.query_one(Hand).fit(own.content_size.width, room - below)

    def focus_cards(self) -> None:
        """Focus a playable card or, if no card is playable, the first button."""
        if not self.query_one(Hand).focus_playable():
            self.query_one(ActionBar).focus_first()

    def show_prompt(self) -> None:
        """Show in the status line what the person has to decide; if it is not an ordinary turn, open a dialog too."""
        self.say(self.prompt())
        view_model = self.session.view_model()
        if not self._is_question(view_model):
            return
        title, text = question(self.session, view_model)
        if view_model.phase == "color":
            named = [(choice.key, choice.action) for choice in self._choices]
            self.open_dialog(ColorPicker(title, named, self.action_hint))
        else:
            self.open_dialog(DecisionDialog(title, text, self._choices, self.action_hint, self.type_from_dialog))

    def _is_question(self, view_model: ViewModel) -> bool:
        """Return whether the person's decision is shown in a dialog because it is not an ordinary turn."""
        return is_question(view_model, [choice.text for choice in self._choices])

    def prompt(self) -> str:
        """Return the text of the status line: what the person has to decide."""
        view_model = self.session.view_model()
        if self._is_question(view_model):
            title, text = question(self.session, view_model)
            return f"{title} {text}" if title.endswith("?") else f"{title}: {text}"
        return self._turn_prompt()

    def _turn_prompt(self) -> str:
        """Return what the person may do in an ordinary turn, as text: `Your turn: play a marked card or draw (d)`."""
        parts = ["play a marked card"] if any(is_card(choice.text) for choice in self._choices) else []
        return "Your turn: " + " or ".join(
            [*parts, *(f"{choice.text} ({choice.key})" for choice in self.action_choices)]
        )

    def on_card_chosen(self, message: Card.Chosen) -> None:
        """Play the card that was clicked."""
        self._play(message.card)

    def action_choose_focused(self) -> None:
        """Play the card that has the focus."""
        if isinstance(self.focused, Card):
            self._play(self.focused.card)

    def _play(self, card: str) -> None:
        """Play a card of the hand, or show why it cannot be played; for a wild, open the color picker first."""
        matches = [choice for choice in self._choices if choice.text.partition(":")[0] == card]
        if not self.deciding:
            self.say("It is not your turn.", warning=True)
        elif not any(held.card == card for held in self.query_one(Hand).cards):
            self.say(f"You hold no {'wild' if card == 'w' else card_name(card)}.", warning=True)
        elif not matches:
            self.say(f"{card_name(card)} cannot be played now. {self._turn_prompt()}", warning=True)
        elif len(matches) == 1 and ":" not in matches[0].text:
            self.answer(matches[0].action)
        else:
            named = [(choice.text[-1], choice.action) for choice in matches]
            self.open_dialog_once(ColorPicker(f"{card_name(card)}: name a color", named, self.action_hint))

    def submit(self, text: str) -> None:
        """Play the move that the person typed; a wild without a color opens the color picker.

        Raises `InvalidInput` if the move is not legal.
        """
        wild = next((card for card in WILDS if normalized(text) in (card, normalized(card_name(card)))), "")
        if wild:
            self.action_close_input()
            self._play(wild)
        else:
            super().submit(text)

    def suggest(self, text: str) -> None:
        """Mark the card of the action `text`, which a hint recommends."""
        self.query_one(Hand).suggest(text.partition(":")[0] if is_card(text) else None)
