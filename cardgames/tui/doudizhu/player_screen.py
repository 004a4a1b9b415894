"""The screen of a person who plays Dou Di Zhu."""

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Button, Input

from cardgames.doudizhu.cards import RANKS, normalize_card_text
from cardgames.support.errors import InvalidInput
from cardgames.tui.doudizhu.hand import Hand
from cardgames.tui.doudizhu.move_parser import meant, parse
from cardgames.tui.doudizhu.view_model import ViewModel
from cardgames.tui.doudizhu.wording import doubled, move_words, question, reading_words, role, sayings
from cardgames.tui.screens.player_screen import PlayerScreen, typing
from cardgames.tui.screens.question_dialog import QuestionDialog
from cardgames.tui.wording import Choice, cards


class GamePlayerScreen(PlayerScreen):
    """Cards are chosen one by one and played together."""

    TYPES_AHEAD = True
    EXAMPLE = "a move, such as 34567, QQQ88 or pass"
    KEYS = """\
arrows          walk over the cards
space, up, down choose a card, or put it back; esc puts all back
enter, p        play the cards chosen, pass
3 ... k a 2 b r begin to type cards; so do other letters, : and /
h               hint, which chooses cards   n   next round
esc             look at the table while a question is open
pgup, pgdn      read in the log             F2  light or dark
? or F1         this help                   x   quit
ctrl+z          suspend; `fg` in the shell goes on"""
    BINDINGS = [Binding("x", "quit", "quit", key_display="x"), *typing("px")]

    _sayings: tuple[Choice, ...] = ()

    def compose_own(self) -> ComposeResult:
        """Lay out the hand and the button below it."""
        yield Hand()
        yield Button("enter  Play the cards chosen", id="play", compact=True)

    @property
    def action_names(self) -> list[Choice]:
        """What may be said."""
        return list(self._sayings)

    async def show_own(self, view_model: ViewModel) -> None:
        """Show the hand, and what may be done with it."""
        seat = self.table.person
        assert seat is not None
        self._sayings = tuple(sayings(view_model))
        hand, said = view_model.hands[seat] or "", view_model.said[seat]
        own = self.query_one("#own")
        own.border_title = ", ".join(
            filter(None, ["Your hand", role(view_model, seat), doubled(view_model, seat), cards(len(hand))])
        )
        own.border_subtitle = f"last: {said}" if said else ""
        self.query_one("#play").display = view_model.phase == "play"
        await self.query_one(Hand).show(hand)

    def focus_own(self) -> None:
        """Put the focus on a card."""
        self.query_one(Hand).focus_card()

    def ask(self) -> None:
        """Say what is to be decided; open a dialog before the play."""
        view_model = self.table.view_model()
        if view_model.phase == "play":
            self.say(self._about(""))
            return
        self.say(self.prompt())
        asked = question(self.table, view_model)
        self.open_dialog(QuestionDialog(*asked, self.action_names, self.action_hint, self.begin_in_question))

    def prompt(self) -> str:
        """Return what is to be decided or, once cards are chosen, what they are."""
        view_model = self.table.view_model()
        if view_model.phase == "play":
            return self._about(self.query_one(Hand).chosen)
        return " ".join(question(self.table, view_model))

    def _about(self, chosen: str) -> str:
        """Return what the cards chosen are or, without any, what is to be beaten."""
        if chosen:
            try:
                found = meant(self.table.state, chosen)
            except InvalidInput as error:
                return str(error)
            return f"{chosen}: {' or '.join(map(move_words, found))} (enter plays it)"
        last = self.table.view_model().last
        if not last:
            return "Your turn: you lead, any cards that go together"
        return f"Your turn: beat {self.screen_theme.move(self.table.state.action_to_string(last))} or pass (p)"

    def on_key(self, event: events.Key) -> None:
        """Say why the key of a pass does nothing for one who leads."""
        if event.character == "p" and self.deciding and not self.action_names:
            try:
                self.submit("pass")
            except InvalidInput as error:
                self.say(str(error), warning=True)

    def on_hand_changed(self, message: Hand.Changed) -> None:
        """Say what the cards chosen are."""
        self._describe(message.cards)

    def _describe(self, chosen: str) -> None:
        if self.deciding and self.table.view_model().phase == "play":
            self.say(self._about(chosen))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Play the cards chosen."""
        if event.button.id == "play":
            self.action_play_chosen()

    def action_play_chosen(self) -> None:
        """Play the cards chosen, or say why they cannot be played."""
        chosen = self.query_one(Hand).chosen
        try:
            if not self.deciding:
                raise InvalidInput("it is not your turn")
            if not chosen and self.table.view_model().phase != "play":
                self._remind()
                return
            if not chosen:
                or_pass = "; p passes" if self.action_names else ""
                raise InvalidInput(f"nothing is chosen: space chooses a card, or type the cards{or_pass}")
            self._answer_one_of(meant(self.table.state, chosen))
        except InvalidInput as error:
            self.say(str(error), warning=True)

    def submit(self, text: str) -> None:
        """Play what was typed. Raises `InvalidInput`."""
        if _are_cards(text):
            self._answer_one_of(meant(self.table.state, text))
        else:
            self.answer(parse(self.table.state, text))

    def _answer_one_of(self, actions: list[int]) -> None:
        """Take the person's move, asking which it is if its cards can be read in several ways."""
        if len(actions) == 1:
            self.answer(actions[0])
            return
        text = self.table.state.action_to_string
        action_names = [Choice(a, text(a), reading_words(a), str(n)) for n, a in enumerate(actions, start=1)]
        asked = "These cards are several moves: which of them do you play?"
        self.ask_further(QuestionDialog("Which move?", asked, action_names, self.action_hint, self.begin_in_question))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Choose the cards that are being typed, and say what they are: perhaps more than the hand holds."""
        typed = normalize_card_text(event.value)
        wanted = typed if _are_cards(typed.replace("+", "")) else ""
        self.query_one(Hand).select(wanted)
        self._describe(wanted)

    def suggest(self, text: str) -> None:
        """Choose the cards that a hint names."""
        self.query_one(Hand).select(text if _are_cards(text.replace("+", "")) else "")


def _are_cards(text: str) -> bool:
    letters = set(normalize_card_text(text))
    return bool(letters) and letters <= set(RANKS)
