"""The face of a game that has none of its own: its plain data. Also how any game's moves are chosen from a list."""

from typing import Any

from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput, short_repr
from cardgames.tui.text_theme import SessionView, TextTheme


def parse(state: State, text: str) -> int:
    """Return the legal action written as `text`. Raises `InvalidInput`, naming all that are allowed."""
    try:
        action = state.game.parse_action(text)
    except InvalidInput as error:
        raise InvalidInput(f"{short_repr(text.strip())} is not a move{allowed(state)}") from error
    if action not in state.legal_actions():
        raise InvalidInput(f"{text.strip():.40} is not allowed now{allowed(state)}")
    return action


def allowed(state: State) -> str:
    """Return the end of a refusal: all that may be done."""
    return ": choose from " + ", ".join(state.action_to_string(action) for action in state.legal_actions())


def action_names(state: State) -> tuple[dict[str, int], str]:
    """Number all legal actions."""
    numbered = {str(number): action for number, action in enumerate(state.legal_actions(), start=1)}
    listed = "   ".join(f"{number} {state.action_to_string(action)}" for number, action in numbered.items())
    return numbered, f"  you may: {listed}"


def _known(seen: Observation | State) -> dict[str, Any]:
    return {name: value for name, value in seen.to_dict().items() if name not in ("history", "legal_actions")}


def _lines(table: SessionView, view_model: dict[str, Any]) -> list[str]:
    return [f"  {name}: {value}" for name, value in view_model.items()]


TEXT_THEME = TextTheme(
    seat_view=_known,
    full_view=_known,
    hidden_events=frozenset(),
    parse=parse,
    explain_payoffs=lambda table: "",
    lines=_lines,
    action_names=action_names,
    hand=str,
    help=lambda state: "Type a move as it is listed, or its number.",
    leave="q",
)
