"""Texts for a game that has none of its own: the table as plain data, actions as a numbered list, a parser for moves."""

from typing import Any

from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput, short_repr
from cardgames.tui.line_mode import LineMode, SessionView


def parse(state: State, text: str) -> int:
    """Return the legal action written as `text`. Raises `InvalidInput`, listing the legal actions, if there is none."""
    try:
        action = state.game.parse_action(text)
    except InvalidInput as error:
        raise InvalidInput(f"{short_repr(text.strip())} is not a move{allowed(state)}") from error
    if action not in state.legal_actions():
        raise InvalidInput(f"{text.strip():.40} is not allowed now{allowed(state)}")
    return action


def allowed(state: State) -> str:
    """Return the list of legal actions as the end of an error message: `: choose from ...`."""
    return ": choose from " + ", ".join(state.action_to_string(action) for action in state.legal_actions())


def action_names(state: State) -> tuple[dict[str, int], str]:
    """Return (number to type -> legal action), and a line of text that lists the actions with their numbers."""
    numbered = {str(number): action for number, action in enumerate(state.legal_actions(), start=1)}
    listed = "   ".join(f"{number} {state.action_to_string(action)}" for number, action in numbered.items())
    return numbered, f"  you may: {listed}"


def _known(seen: Observation | State) -> dict[str, Any]:
    """Return an observation or state as plain data (name -> value), without history and legal actions."""
    return {name: value for name, value in seen.to_dict().items() if name not in ("history", "legal_actions")}


def _lines(session: SessionView, view_model: dict[str, Any]) -> list[str]:
    """Return one line of text for each value of the view model."""
    return [f"  {name}: {value}" for name, value in view_model.items()]


LINE_MODE = LineMode(
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
