"""Text theme of a game without its own: plain data. Also parses the moves of any game."""

from typing import Any

from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput, short_repr
from cardgames.tui.game_text import GameText, SessionView


def parse(state: State, text: str) -> int:
    """Return the legal action written as `text`. Raises `InvalidInput`, which lists the legal actions."""
    try:
        action = state.game.parse_action(text)
    except InvalidInput as error:
        raise InvalidInput(f"{short_repr(text.strip())} is not a move{allowed(state)}") from error
    if action not in state.legal_actions():
        raise InvalidInput(f"{text.strip():.40} is not allowed now{allowed(state)}")
    return action


def allowed(state: State) -> str:
    """Return the end of an error message: the list of legal actions."""
    return ": choose from " + ", ".join(state.action_to_string(action) for action in state.legal_actions())


def action_names(state: State) -> tuple[dict[str, int], str]:
    """Return a number for each legal action, and the line that lists them."""
    numbered = {str(number): action for number, action in enumerate(state.legal_actions(), start=1)}
    listed = "   ".join(f"{number} {state.action_to_string(action)}" for number, action in numbered.items())
    return numbered, f"  you may: {listed}"


def _known(seen: Observation | State) -> dict[str, Any]:
    return {name: value for name, value in seen.to_dict().items() if name not in ("history", "legal_actions")}


def _lines(session: SessionView, view_model: dict[str, Any]) -> list[str]:
    return [f"  {name}: {value}" for name, value in view_model.items()]


GAME_TEXT = GameText(
    seat_view=_known,
    full_view=_known,
    hidden_events=frozenset(),
    card_events=frozenset(),
    action_events={},
    parse=parse,
    explain_payoffs=lambda session: "",
    lines=_lines,
    action_names=action_names,
    hand=str,
    help=lambda state: "Type a move as listed, or its number.",
    leave="q",
)
