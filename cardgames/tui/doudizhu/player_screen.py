"""Full screen of a person who plays Dou Di Zhu."""

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Button, Input

from cardgames.doudizhu.cards import RANKS, normalize_card_text
from cardgames.support.errors import InvalidInput
from cardgames.tui.doudizhu.hand import Hand
from cardgames.tui.doudizhu.move_parser import parse, parse_cards
from cardgames.tui.doudizhu.view_model import ViewModel
from cardgames.tui.doudizhu.wording import doubled, move_words, question, reading_words, role, spoken_choices
from cardgames.tui.screens.decision_dialog import DecisionDialog
from cardgames.tui.screens.player_screen import PlayerScreen, typing_bindings
from cardgames.tui.shared_wording import Choice, cards


class GamePlayerScreen(PlayerScreen):
    """Screen of a person who plays Dou Di Zhu: cards are chosen one by one (raised) and then played together."""

    TYPES_AHEAD = True
    EXAMPLE = "a move, such as 34567, QQQ88 or pass"
    KEYS = """\
arrows          move between the cards
space, up, down choose a card, or put it back; esc puts all back
enter, p        play the cards chosen, pass
3 ... k a 2 b r start typing cards; also other letters, : and /
h               hint; chooses its cards     n   next round
esc             look at the table while a question is open
pgup, pgdn      scroll the log              F2  light or dark
? or F1         this help                   x   quit
ctrl+z          suspend; `fg` in the shell resumes"""
    BINDINGS = [Binding("x", "quit", "quit", key_display="x"), *typing_bindings("px")]

    _spoken_choices: tuple[Choice, ...] = ()

    def compose_cards(self) -> ComposeResult:
        """Lay out the hand and the button "Play the cards chosen" below it."""
        yield Hand()
        yield Button("enter  Play the cards chosen", id="play", compact=True)

    @property
    def action_choices(self) -> list[Choice]:
        """Legal actions that do not play cards: pass, and those of the auction and of doubling."""
        return list(self._spoken_choices)

    async def show_cards(self, view_model: ViewModel) -> None:
        """Show the person's hand, its role and last action, and the button to play cards."""
        seat = self.session.person
        assert seat is not None
        self._spoken_choices = tuple(spoken_choices(view_model))
        hand, last_action = view_model.hands[seat] or "", view_model.last_actions[seat]
        own = self.query_one("#own")
        own.border_title = ", ".join(
            filter(None, ["Your hand", role(view_model, seat), doubled(view_model, seat), cards(len(hand))])
        )
        own.border_subtitle = f"last: {last_action}" if last_action else ""
        self.query_one("#play").display = view_model.phase == "play"
        await self.query_one(Hand).show(hand)

    def focus_cards(self) -> None:
        """Focus a card of the hand."""
        self.query_one(Hand).focus_card()

    def show_prompt(self) -> None:
        """Show in the status line what the person has to decide; in the auction and for doubling, open a dialog too."""
        view_model = self.session.view_model()
        if view_model.phase == "play":
            self.say(self._describe_chosen(""))
            return
        self.say(self.prompt())
        title_and_text = question(self.session, view_model)
        self.open_dialog(DecisionDialog(*title_and_text, self.action_choices, self.action_hint, self.type_from_dialog))

    def prompt(self) -> str:
        """Return the status line: what the person has to decide or, if cards are chosen, which move they form."""
        view_model = self.session.view_model()
        if view_model.phase == "play":
            return self._describe_chosen(self.query_one(Hand).chosen)
        return " ".join(question(self.session, view_model))

    def _describe_chosen(self, chosen: str) -> str:
        """Return which move the cards in the text `chosen` form or, if it is empty, which move the person has to beat."""
        if chosen:
            try:
                actions = parse_cards(self.session.state, chosen)
            except InvalidInput as error:
                return str(error)
            return f"{chosen}: {' or '.join(map(move_words, actions))} (enter: play)"
        last = self.session.view_model().last
        if not last:
            return "Your turn: you lead; play any combination"
        return f"Your turn: beat {self.screen_parts.action_name(self.session.state.action_to_string(last))} or pass (p)"

    def on_key(self, event: events.Key) -> None:
        """On the key `p` while the person leads, show why passing is not allowed."""
        if event.character == "p" and self.deciding and not self.action_choices:
            try:
                self.submit("pass")
            except InvalidInput as error:
                self.say(str(error), warning=True)

    def on_hand_changed(self, message: Hand.Changed) -> None:
        """Show which move the raised cards form."""
        self._say_chosen(message.cards)

    def _say_chosen(self, chosen: str) -> None:
        """Show in the status line which move the cards in `chosen` form, if it is the person's turn to play cards."""
        if self.deciding and self.session.view_model().phase == "play":
            self.say(self._describe_chosen(chosen))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Play the chosen cards when the button "Play the cards chosen" is pressed."""
        if event.button.id == "play":
            self.action_play_chosen()

    def action_play_chosen(self) -> None:
        """Play the raised cards, or show in the status line why they cannot be played."""
        chosen = self.query_one(Hand).chosen
        try:
            if not self.deciding:
                raise InvalidInput("it is not your turn")
            if not chosen and self.session.view_model().phase != "play":
                self._restore_prompt()
                return
            if not chosen:
                or_pass = "; p: pass" if self.action_choices else ""
                raise InvalidInput(f"no cards are chosen: choose a card with space, or type the cards{or_pass}")
            self._answer_one_of(parse_cards(self.session.state, chosen))
        except InvalidInput as error:
            self.say(str(error), warning=True)

    def submit(self, text: str) -> None:
        """Play the move that the person typed. Raises `InvalidInput` with the reason if it is not legal."""
        if _are_cards(text):
            self._answer_one_of(parse_cards(self.session.state, text))
        else:
            self.answer(parse(self.session.state, text))

    def _answer_one_of(self, actions: list[int]) -> None:
        """Play the action in `actions`; if there are several, all for the same cards, open a dialog to choose one."""
        if len(actions) == 1:
            self.answer(actions[0])
            return
        to_text = self.session.state.action_to_string
        choices = [Choice(a, to_text(a), reading_words(a), str(n)) for n, a in enumerate(actions, start=1)]
        text = "These cards can be read as several moves. Which one do you play?"
        self.open_dialog_once(DecisionDialog("Which move?", text, choices, self.action_hint, self.type_from_dialog))

    def on_input_changed(self, event: Input.Changed) -> None:
        """While the person types cards, raise them in the hand and show which move they form.

        The text may have cards that the hand does not hold.
        """
        typed = normalize_card_text(event.value)
        wanted = typed if _are_cards(typed.replace("+", "")) else ""
        self.query_one(Hand).select(wanted)
        self._say_chosen(wanted)

    def suggest(self, text: str) -> None:
        """Raise the cards of the move `text`, which a hint recommends."""
        self.query_one(Hand).select(text if _are_cards(text.replace("+", "")) else "")


def _are_cards(text: str) -> bool:
    """Return whether a text consists only of rank letters of cards."""
    letters = set(normalize_card_text(text))
    return bool(letters) and letters <= set(RANKS)
