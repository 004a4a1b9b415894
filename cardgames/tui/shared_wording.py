"""Functions for texts that all games need: numbers, percentages, durations, lists, effort of a search."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgames.search.position_analysis import Analysis
    from cardgames.search.report import SearchReport

_MAX_ITEMS = 40
"""Maximum number of items of a list that are shown."""
_MAX_ACTIONS = 5
"""Maximum number of actions whose probabilities are shown for a decision without a search report."""
NOTHING = "-"
"""Text that stands for an empty value."""


@dataclass(frozen=True)
class Choice:
    """A legal action that is offered to the person as a button, a card or a line of a dialog."""

    action: int
    text: str
    """Action as text, in the game's notation."""
    words: str
    """Label for the person."""
    key: str
    """Key that chooses the action."""


def cards(count: int) -> str:
    """Return a number of cards as text: `1 card`, `2 cards`."""
    return "1 card" if count == 1 else f"{count} cards"


def percent(value: float | None) -> str:
    """Return a fraction in [0, 1] as a percentage with one decimal: `45.7%`; `-` for None."""
    return "-" if value is None else f"{value:z.1%}"


def value_text(value: float | None, unit: str) -> str:
    """Return a value of a decision or report: `45.7%` for a probability of winning, `+3.21` for points; `-` for None."""
    if unit == "win":
        return percent(value)
    return NOTHING if value is None else f"{value:+.{_decimals(value)}f}"


def error_text(error: float | None, unit: str) -> str:
    """Return the standard error of a value: `1.2%` for a probability of winning, `0.31` for points; `-` for None."""
    if unit == "win":
        return percent(error)
    return NOTHING if error is None else f"{error:.{_decimals(error)}f}"


def short_value(value: float, unit: str) -> str:
    """Return a value in as few characters as serve: `46 %` for a probability of winning, `+3.2` for points."""
    return rounded_percent(value) if unit == "win" else f"{value:+.1f}"


def _decimals(value: float) -> int:
    return 2 if abs(value) < 100 else 1


def rounded_percent(value: float) -> str:
    """Return a probability in [0, 1] rounded to a whole percentage: `46 %`."""
    return f"{100 * value:z.0f} %"


def duration(seconds: float) -> str:
    """Return a time in seconds or milliseconds: `1.25 s`, `101 ms`, `0.3 ms`."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.{0 if seconds >= 0.01 else 1}f} ms"


def progress(report: "SearchReport") -> str:
    """Return the number of simulations and the duration of a search as text: `800 simulations in 101 ms`."""
    return f"{report.simulations:,} simulations in {duration(report.seconds)}"


def effort(report: "SearchReport") -> str:
    """Return the effort of a search as text: `progress` or, for an agent that runs no simulations, only the duration."""
    return progress(report) if report.visited else f"no simulations, {duration(report.seconds)}"


def unreported(analysis: "Analysis") -> str:
    """Return the value and the action probabilities of a decision that has no search report, as text."""
    decision, parts = analysis.decision, []
    if decision.value is not None:
        parts.append(f"value {value_text(decision.value, decision.unit)}")
    if len(decision.policy) > 1:
        likely = sorted(decision.policy.items(), key=lambda pair: -pair[1])[:_MAX_ACTIONS]
        shares = (f"{analysis.state.action_to_string(action)} {percent(share)}" for action, share in likely)
        parts.append(f"probabilities {', '.join(shares)}{', ...' if len(decision.policy) > _MAX_ACTIONS else ''}")
    return "; ".join(parts) or "no report"


def widest(texts: Iterable[str], minimum: int) -> int:
    """Return the number of characters of the longest text, at least `minimum`."""
    return max([minimum, *map(len, texts)])


def fact(value: object) -> str:
    """Return a value of an observation's plain data as text; lists have no brackets and at most `_MAX_ITEMS` items."""
    if isinstance(value, list):
        if all(part in (None, "") for part in value):
            return NOTHING
        more = [f"and {len(value) - _MAX_ITEMS} more"] if len(value) > _MAX_ITEMS else []
        return ", ".join([*map(fact, value[:_MAX_ITEMS]), *more])
    return NOTHING if value in (None, "") else str(value)


def listed(names: Sequence[str]) -> str:
    """Return names joined to an enumeration: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)
